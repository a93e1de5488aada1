// Audit: what definitions say of the workloads, compared with the pods, the objects that make pods
// and the nodes as they are.
//
// Made from a report with sources (Snapshot::WantSources()); pure. A finding is a statement that
// the inputs show, not a suspicion. What passes by itself is none: pods of an older generation that
// go, pods that are being made, a status that is a moment behind. So what only time can tell counts
// once nothing about the workload has changed for kPatience.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "definition/registry.h"
#include "inspect/explanation.h"
#include "inspect/report.h"
#include "workload/accelerators.h"

namespace wmap::inspect {

// Seconds without a change, after which a state is no transition.
inline constexpr std::int64_t kPatience = 600;

// A pod holds devices on a node that is not there: a finding once the garbage collector had its
// time, which nothing in the objects shows.
inline constexpr std::string_view kNodeGone = "node-gone";

struct Finding {
  workload::Severity severity = workload::Severity::kWarning;
  std::string code;         // stable: "requests-differ"
  std::string api_version;  // of what it is about: a workload, a pod or its owner, a node
  std::string kind;
  std::string name_space;
  std::string name;     // "" = the kind itself
  std::string role;     // "" = the whole
  std::string finding;  // in a few words: "pods ask for other devices"
  std::string detail;   // both sides of it
  std::vector<std::string> pods;
  std::int64_t gpus = 0;  // whole GPUs that it is about, where it is about some
};

struct Audit {
  std::vector<Finding> findings;  // errors first, then by what they are about
  // What was compared.
  std::int64_t workloads = 0;
  std::int64_t pods = 0;
  std::int64_t gpus = 0;      // that these ask for
  std::int64_t nodes = 0;     // 0 = none at hand
  std::int64_t changing = 0;  // workloads of which not all was compared, as they change
  std::vector<Unseen> unseen;
};

struct AuditOptions {
  const workload::AcceleratorTable* accelerators = nullptr;  // required
  // Nothing = the order in which roles start is not known.
  const definition::Registry* registry = nullptr;
  // Unix seconds; nothing = the newest time that the inputs say, of a state that was saved.
  std::optional<std::int64_t> now;
  // Only the report's workloads are meant: nothing of what belongs to none, and of nodes.
  bool workloads_only = false;
  // All nodes and pods of a cluster are at hand: one that is not here is nowhere.
  bool is_whole = false;
};

Audit AuditReport(const Report& report, const AuditOptions& options);

}  // namespace wmap::inspect
