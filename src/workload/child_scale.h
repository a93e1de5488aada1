// Scales of children: what objects below a workload say of its counts.
//
// Some operators let a part be scaled on an object of its own: there the number is newer than in
// the workload, which keeps the one that it was created with. Definitions name such kinds
// (extension `childScale`). A child's number is the count in one copy of the owner; copies of the
// owner that have no child yet have the workload's own count.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workload/evaluation.h"

namespace wmap::workload {

// An object below the workload, of a kind that its definition reads. All views outlive the call
// that it is given to.
struct ChildRef {
  std::string_view group;
  std::string_view kind;
  json::Value object;
};

// What one child says of one instance.
struct ChildCount {
  const definition::ChildScale* scale = nullptr;  // the rule by which it was read
  std::string_view name;
  std::int64_t replicas = 0;
  std::optional<std::int64_t> copy;  // of the owner
};

// By instance id, "" for a component without instances; in the order of names.
using ChildCounts = std::map<std::string, std::vector<ChildCount>, std::less<>>;

// What the children say of `component`: of each instance those of the first kind of its childScale
// of which one says something. Those that are being deleted, say nothing, or a negative number
// ("somebody else scales this"), are left out; what cannot be read becomes a diagnostic.
ChildCounts ReadChildCounts(const definition::Component& component,
                            std::span<const ChildRef> children, Evaluation& evaluation);

}  // namespace wmap::workload
