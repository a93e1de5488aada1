// What queues and gang schedulers say of a workload: Kueue's Workloads and queues, the PodGroups of
// KAI, Volcano, coscheduling and Kubernetes itself, Grove's PodGangs. Reads the objects that are at
// hand; a cluster without these kinds has none, and nothing is said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inspect/cause.h"
#include "inspect/sources.h"
#include "workload/workload.h"

namespace wmap::inspect {

// Pods that start together or not at all.
struct GangStanding {
  std::string object;  // "PodGroup/train (scheduling.volcano.sh)"
  std::int64_t minimum = 0;
  std::int64_t exist = 0;   // pods of it that are there and have not ended
  std::int64_t placed = 0;  // of these, those that have a node
  std::int64_t gpus = 0;    // that these hold
};

struct Admission {
  std::vector<Cause> causes;
  std::vector<GangStanding> gangs;
  // A queue decides when it starts, and has let it in.
  bool is_admitted = false;
};

Admission ReadAdmission(const workload::Workload& workload, const WorkloadSources& sources,
                        const Sources& all);

}  // namespace wmap::inspect
