// Report: what one call learned of its inputs, the source of every output format.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
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
  // Its owner, or what that belongs to, could not be read: nobody knows what claims it.
  bool is_unread = false;
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

// What rows and unclaimed pods are ordered by.
inline auto OrderOf(const workload::Workload& workload) {
  return std::tie(workload.kind, workload.api_version, workload.name_space, workload.name,
                  workload.uid);
}
inline auto OrderOf(const UnclaimedPod& unclaimed) {
  return std::tie(unclaimed.pod->name_space, unclaimed.pod->name);
}

// The numbers of workloads in their order.
std::vector<std::size_t> RowOrder(std::span<const workload::Workload> workloads);
// Brings item order[i] to place i. Rows are large: each is moved once, and in place.
template <typename T>
void MoveInOrder(std::vector<T>& items, std::vector<std::size_t> order) {
  for (std::size_t start = 0; start < order.size(); ++start) {
    if (order[start] == start) continue;
    T first = std::move(items[start]);
    std::size_t at = start;
    while (order[at] != start) {
      items[at] = std::move(items[order[at]]);
      at = std::exchange(order[at], at);
    }
    items[at] = std::move(first);
    order[at] = at;
  }
}

// The rows and unclaimed pods of several reports that have no row in common, in the order of one.
// It views the pods and texts of the others, which outlive it.
Report JoinRows(std::span<const Report* const> reports);

}  // namespace wmap::inspect
