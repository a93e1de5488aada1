// The headline: one phase out of what the object says and what its pods show.
//
// The object alone may match several phases; the first in the order Failed, Completed, Suspending,
// Resuming, Suspended, Degraded, Running, Initializing is its word. Terminal and suspended states
// come from the object, but while pods live a suspended workload is Suspending. For the others pods
// are evidence that weighs more than the object: an object that says Running while its pods cannot
// be scheduled is not Running.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workload/count.h"
#include "workload/phase.h"
#include "workload/pod_facts.h"

namespace wmap::workload {

// The object's word. kUndefined when `phases` is empty.
Phase ObjectHeadline(std::span<const Phase> phases);

// What a role's pods add to the evidence.
struct RoleEvidence {
  Count wanted;
  Count desired;
  // `wanted` already leaves out pods that succeeded and need not come back; otherwise those of
  // `pods` that succeeded count as satisfied.
  bool wanted_is_reduced = false;
  std::span<const PodFacts* const> pods;
  // Indexes of the roles of which pods were ready before pods of this one started.
  std::vector<std::size_t> starts_after = {};
  // Its pods start in the order of the numbers that their names end with, each once those before
  // are ready.
  bool starts_by_index = false;
  std::optional<std::int64_t> first_index = {};  // the number of the first of them, if it is known
};

// How many pods of the role are wanted still: not those that have succeeded and whose place no
// other pod has taken, be they counted in the object yet or not.
Count StillWanted(const RoleEvidence& role);

struct Headline {
  Phase phase = Phase::kUndefined;
  bool from_pods = false;  // the pods decided, or agreed
  // For people, when the pods decided: "Unschedulable", "2 of 5 pods are not ready"; "PodsLeft",
  // "1 pod is left and holds 8 GPUs".
  std::string reason;
  std::string message;
};

// The headline of a workload whose pods are at hand (there may be none of them yet). Pods that no
// role claims stand in for pods that the roles miss: it is the labels that failed, not the pods.
// `holds_on_ready_pods`: whether an object that says Degraded, or Initializing, is right where all
// wanted pods are ready, as it speaks of what runs on them; nothing = Degraded is, Initializing
// not.
Headline HeadlineWithPods(std::span<const Phase> phases, std::span<const RoleEvidence> roles,
                          std::span<const PodFacts* const> without_role = {},
                          std::optional<bool> holds_on_ready_pods = {});

}  // namespace wmap::workload
