#include "inspect/report.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

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

std::vector<std::size_t> RowOrder(std::span<const workload::Workload> workloads) {
  std::vector<std::size_t> order(workloads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return OrderOf(workloads[i]); });
  return order;
}

Report JoinRows(std::span<const Report* const> reports) {
  Report joined;
  auto append = [](const auto& from, auto& to) { to.insert(to.end(), from.begin(), from.end()); };
  std::size_t rows = 0;
  for (const Report* report : reports) rows += report->workloads.size();
  joined.workloads.reserve(rows);
  for (const Report* report : reports) {
    append(report->workloads, joined.workloads);
    append(report->unclaimed, joined.unclaimed);
    append(report->diagnostics, joined.diagnostics);
    joined.complete &= report->complete;
  }
  std::ranges::stable_sort(joined.unclaimed, {},
                           [](const UnclaimedPod& unclaimed) { return OrderOf(unclaimed); });
  MoveInOrder(joined.workloads, RowOrder(joined.workloads));
  return joined;
}

}  // namespace wmap::inspect
