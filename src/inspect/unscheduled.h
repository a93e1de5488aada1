// Pods that a scheduler cannot place: what its verdict comes to, with what they ask for, what the
// nodes have, and the volumes that they wait for.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "inspect/cause.h"
#include "inspect/scheduling_reasons.h"
#include "inspect/sources.h"
#include "json/value.h"

namespace wmap::inspect {

struct NodeView {
  bool is_ready = true;
  json::Value allocatable;
  json::Value labels;
  json::Value taints;
  bool is_cordoned = false;
};
using NodeTable = std::map<std::string_view, NodeView>;  // by name; those at hand

// Whether a scheduler may put a pod on a node, be there room or not.
enum class Openness : std::uint8_t {
  kOpen,
  kForNow,  // closed by what passes: cordoned, or tainted as Kubernetes does it by itself
  kClosed,  // by the pod's node selector or affinity, or by a taint that it does not tolerate
};
Openness OpennessOf(std::string_view name, const NodeView& node, const json::Value& pod_spec);

// Whether a pod's node selector and its required affinity take a node.
bool IsSelected(std::string_view name, const NodeView& node, const json::Value& pod_spec);
// "gpu=h100, zone=a"; "" when it has none.
std::string NodeSelectorText(const json::Value& pod_spec);

struct UnscheduledPods {
  const SchedulingVerdict& verdict;
  std::span<const json::Value> manifests;  // of pods that it is about
  std::string_view name_space;
  const NodeTable& nodes;
  const Sources& sources;
};

// Completes `cause`, whose summary ends in "cannot be scheduled".
void TellScheduling(const UnscheduledPods& pods, Cause& cause);

}  // namespace wmap::inspect
