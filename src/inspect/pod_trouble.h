// What keeps one pod from serving: read from its conditions, its containers, its events and its
// node. Pure; what is malformed is taken as absent.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "inspect/cause.h"
#include "inspect/scheduling_reasons.h"
#include "json/value.h"
#include "workload/pod_facts.h"
#include "workload/workload.h"

namespace wmap::inspect {

struct PodTrouble {
  CauseKind kind = CauseKind::kStarting;
  // Pods of one key are in the same trouble.
  std::string key;
  // What comes behind "2 pods": "cannot pull image …"; with needs_be "is" or "are" comes between.
  std::string clause;
  bool needs_be = false;
  std::string message;            // somebody's own words, or ""
  std::string container;          // whose logs tell more, or ""
  bool has_ended_before = false;  // the container ran before: there are logs of then
  SchedulingVerdict verdict;      // of kUnschedulable
};

// What is known around a pod.
struct PodSurroundings {
  std::span<const workload::Event* const> events;  // about the pod, oldest first
  std::optional<bool> node_is_ready = {};          // nothing: its node is not at hand
  bool node_is_gone = false;                       // the nodes are, and its own is none of them
};

// Nothing when the pod serves, or has succeeded.
std::optional<PodTrouble> TroubleOf(const workload::PodFacts& pod, const json::Value& manifest,
                                    const PodSurroundings& surroundings);

}  // namespace wmap::inspect
