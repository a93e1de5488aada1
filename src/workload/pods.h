// Which component, instance and copy a pod belongs to, of a workload that it is known to belong to.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workload/evaluation.h"
#include "workload/interpret.h"
#include "workload/parts.h"

namespace wmap::workload {

struct PodPlace {
  std::size_t component;  // index into the definition's components
  std::size_t instance;   // index into the part's instances
  std::string replica;    // "" where copies are not told apart
};

// The place of `pod`, or nothing when no role claims it; then a diagnostic says why.
//
// A component's own type selector decides first, root before children in list order; then the
// owners of the pod, for components that know their pods by them. Among components without a type
// selector the instance id does; then a single component without any selector takes
// what is left. A selector that does not match is a no, also where only one component has pods:
// the pod is shown without a role rather than under a wrong one.
std::optional<PodPlace> PlacePod(const PodRef& pod, std::span<const Part> parts,
                                 Evaluation& evaluation);

// Whether a pod that another pod owns is none that the definition knows: the other one has started
// it by itself. What takes all pods without a selector does not take it.
bool IsSpawned(const PodRef& pod, std::span<const Part> parts, Evaluation& evaluation);

// The first instance among those that Component::pod_instance says the pod may be in; nothing
// without such an expression, or when it names none that there is.
Result<std::optional<std::size_t>> FindByCandidates(const Part& part, const json::Value& pod,
                                                    Evaluation& evaluation);

// Whether the selector speaks for the pod.
Result<bool> Matches(const definition::TypeSelector& selector, const json::Value& pod,
                     Evaluation& evaluation);

// The one result that identifies an instance or a copy, or a key of a group. kMismatch when there
// is not exactly one, kConversion when it identifies nothing.
Result<std::string> ReadKey(const definition::Expression& expression, const json::Value& pod,
                            Evaluation& evaluation);

}  // namespace wmap::workload
