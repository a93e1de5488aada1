// Parts: what an object holds of each component of its definition: instances, pod descriptions and
// counts. The reading of the object and of the scales below it; pods come later.
//
// Lists are paired with instances by position, so a list of another length than the instances says
// nothing of any of them: it is unknown for all, and a diagnostic names component, field and both
// numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workload/child_scale.h"
#include "workload/evaluation.h"
#include "workload/resources.h"

namespace wmap::workload {

struct PartInstance {
  std::string id;
  // False: the definition lists it, the object has no such thing (an absent pod template).
  bool exists = true;
  // Copies or pods, already for the whole workload.
  Count desired;
  Count wanted;
  Count min;
  std::optional<Count> max;  // nothing = unbounded
  Count active;              // pods that the object says are active
  // The pod spec as the object has it, null when unknown or without one.
  json::Value pod_spec;
  bool pod_spec_known = true;
  json::Value pod_metadata;
  // The instance of the owner that it is in; nothing = in every one.
  std::optional<std::size_t> owner;
  // Names of the roles of which pods are ready before pods of this one start.
  std::vector<std::string> starts_after;
  // definition::Component::starts_by_index, and the first number where it is said.
  bool starts_by_index = false;
  std::optional<std::int64_t> first_index;
  std::string wraps;  // ObjectKey() of the object that it describes, or ""
};

struct Part {
  const definition::Component* component = nullptr;
  std::vector<PartInstance> instances;
  // `wanted` was said by the definition, not taken from the replicas.
  bool wanted_is_reduced = false;
  // The instances are divided among those of the owner.
  bool is_divided = false;
};

// One part per component of the definition, in its order. `children` are the objects below the
// workload that are at hand and whose kinds the definition reads counts from.
std::vector<Part> ReadParts(Evaluation& evaluation, std::span<const ChildRef> children);

}  // namespace wmap::workload
