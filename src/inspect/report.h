// Report: what one call learned of its inputs, the source of every output format.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/text_pool.h"
#include "gang/definition_rule.h"
#include "inspect/sources.h"
#include "workload/pod_facts.h"
#include "workload/workload.h"

namespace wmap::inspect {

struct UnclaimedPod {
  const workload::PodFacts* pod = nullptr;
  std::string reason;         // "no owner", "owner gone: …"
  std::string cluster = {};   // see Workload::cluster
  bool is_uncovered = false;  // it has an owner, of a kind that no definition covers
};

// A kind that no definition covers.
struct Uncovered {
  std::string api_version;
  std::string kind;
  std::int64_t objects = 0;
  std::int64_t pods = 0;
  std::int64_t gpus = 0;     // of those pods
  std::string cluster = {};  // see Workload::cluster
};

struct Report {
  // By kind, namespace and name.
  std::vector<workload::Workload> workloads;
  // Of each workload the groups that its pods start in, where they were asked for; nothing for
  // kinds whose definition has no such instructions.
  std::vector<std::optional<Result<gang::WorkloadGroups>>> groups;
  // What all of it was read from, where it was asked for.
  std::optional<Sources> sources;
  std::vector<UnclaimedPod> unclaimed;
  std::vector<Uncovered> uncovered;
  std::vector<workload::Diagnostic> diagnostics;
  // False when a part of the inputs could not be read; the diagnostics say which.
  bool complete = true;
  // The pods that all of the above view, and the texts that these view.
  std::deque<workload::PodFacts> pods;
  TextPool texts;

  // Leaves the workloads out that are not wanted, with their groups and sources. `wanted` has one
  // entry for each.
  void KeepWorkloads(const std::vector<bool>& wanted);
};

}  // namespace wmap::inspect
