// Explanation: why a workload is in its phase, and what keeps it from running.
//
// Made from a report with sources and groups (Snapshot::WantSources(), WantGroups()); pure, and so
// the same for files and for a cluster. It says no more than the inputs show: what could not be
// read, or was not among them, is in `unseen`.
//
//   Explanation e = Explain(report, 0, registry);
//   e.summary          one sentence, the first thing to tell
//   e.causes           most likely first
//
// An explanation views nothing; it stands on its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "definition/registry.h"
#include "inspect/admission.h"
#include "inspect/cause.h"
#include "inspect/phase_evidence.h"
#include "inspect/report.h"

namespace wmap::inspect {

// Of one role, where its pods are. All but `wanted` are 0 when no pods are known.
struct RoleStanding {
  std::string role;
  std::string wanted;            // a count: "3", "1-4", "2+?"
  std::int64_t serving = 0;      // ready, and not about to go
  std::int64_t unscheduled = 0;  // exist without a node
  std::int64_t starting = 0;     // on a node, containers are being made
  std::int64_t failing = 0;      // crash, cannot start, lost
  std::int64_t missing = 0;      // wanted and not there
  std::int64_t succeeded = 0;
};

// Warnings that say the same.
struct EventGroup {
  std::string reason;
  std::string message;
  std::string object;        // the newest one that it is about
  std::int64_t objects = 1;  // how many it is about
  std::int64_t count = 1;
  std::int64_t last_seen = 0;  // Unix seconds
};

// Something that is not known, and why.
struct Unseen {
  std::string what;  // "pods", "events", "resourcequotas"
  std::string why;   // "forbidden: …", "none are among the inputs"
};

struct Explanation {
  std::string api_version;
  std::string kind;
  std::string name_space;
  std::string name;
  std::string definition;
  std::string origin;
  workload::Status status;
  std::string summary;
  // How object and pods came to the phase, as a sentence.
  std::string rule;
  PhaseEvidence evidence;
  std::vector<RoleStanding> roles;
  bool pods_known = false;
  std::int64_t without_role = 0;  // pods that no role claims
  std::vector<GangStanding> gangs;
  std::vector<Cause> causes;
  std::vector<EventGroup> events;  // newest first
  std::vector<Unseen> unseen;
  std::vector<workload::Diagnostic> remarks;  // what the reading warns of
  std::vector<std::string> commands;          // those of the causes, each once
};

// Of workload `index` of the report, which has sources.
Explanation Explain(const Report& report, std::size_t index, const definition::Registry& registry);

}  // namespace wmap::inspect
