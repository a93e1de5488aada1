// Parts: what an object holds of each component of its definition: instances, pod descriptions and
// counts. The reading of the object alone; pods come later.
//
// Lists are paired with instances by position, so a list of another length than the instances says
// nothing of any of them: it is unknown for all, and a diagnostic names component, field and both
// numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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
  // The pod spec as the object has it, null when unknown or without one.
  json::Value pod_spec;
  bool pod_spec_known = true;
  json::Value pod_metadata;
};

struct Part {
  const definition::Component* component = nullptr;
  std::vector<PartInstance> instances;
  // `wanted` was said by the definition, not taken from the replicas.
  bool wanted_is_reduced = false;
};

// One part per component of the definition, in its order.
std::vector<Part> ReadParts(Evaluation& evaluation);

}  // namespace wmap::workload
