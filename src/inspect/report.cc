#include "inspect/report.h"

#include <utility>

namespace wmap::inspect {
namespace {

template <typename T>
void Keep(const std::vector<bool>& wanted, std::vector<T>& items) {
  if (items.size() != wanted.size()) return;  // was not asked for
  auto is_wanted = wanted.begin();
  std::erase_if(items, [&](const T&) { return !*is_wanted++; });
}

}  // namespace

void Report::KeepWorkloads(const std::vector<bool>& wanted) {
  Keep(wanted, workloads);
  Keep(wanted, groups);
  if (sources) Keep(wanted, sources->workloads);
}

}  // namespace wmap::inspect
