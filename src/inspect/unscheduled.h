// Pods that a scheduler cannot place: what its verdict comes to, with what they ask for, what the
// nodes have, and the volumes that they wait for.
#pragma once

#include <map>
#include <span>
#include <string_view>

#include "inspect/cause.h"
#include "inspect/scheduling_reasons.h"
#include "inspect/sources.h"
#include "json/value.h"

namespace wmap::inspect {

struct NodeView {
  bool is_ready = true;
  json::Value allocatable;
};
using NodeTable = std::map<std::string_view, NodeView>;  // by name; those at hand

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
