#include "workload/workload.h"

#include <algorithm>

#include "base/text.h"
#include "definition/api_version.h"

namespace wmap::workload {
namespace {

void AddOptional(std::optional<std::int64_t>& to, const std::optional<std::int64_t>& from) {
  if (from) Increase(to, *from);
}

}  // namespace

std::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "";
}

std::string ObjectKey(std::string_view api_version, std::string_view kind, std::string_view name) {
  return Cat(definition::GroupOf(api_version), '/', kind, '/', name);
}

PodCounts& PodCounts::operator+=(const PodCounts& other) {
  desired += other.desired;
  wanted += other.wanted;
  min += other.min;
  if (max && other.max) {
    *max += *other.max;
  } else {
    max.reset();
  }
  AddOptional(observed, other.observed);
  AddOptional(ready, other.ready);
  AddOptional(serving, other.serving);
  AddOptional(filled, other.filled);
  return *this;
}

GpuCounts& GpuCounts::operator+=(const GpuCounts& other) {
  desired += other.desired;
  AddOptional(allocated, other.allocated);
  AddOptional(running, other.running);
  return *this;
}

AcceleratorCounts& Tally::Accelerator(std::string_view resource, std::string_view type) {
  auto row = std::ranges::find_if(accelerators, [&](const AcceleratorCounts& own) {
    return own.resource == resource && own.type == type;
  });
  if (row != accelerators.end()) return *row;
  AcceleratorCounts& added = accelerators.emplace_back();
  added.resource = resource;
  added.type = type;
  if (pods.observed) added.allocated = 0;
  return added;
}

void Tally::Add(const Tally& other) {
  pods += other.pods;
  gpus += other.gpus;
  for (const AcceleratorCounts& accelerator : other.accelerators) {
    AcceleratorCounts& same = Accelerator(accelerator.resource, accelerator.type);
    same.desired += accelerator.desired;
    AddOptional(same.allocated, accelerator.allocated);
  }
  shared.insert(other.shared.begin(), other.shared.end());
  shared_held.insert(other.shared_held.begin(), other.shared_held.end());
  holds_unknown |= other.holds_unknown;
}

}  // namespace wmap::workload
