// The evidence of a phase: which mapping of the definition matched, what it asked for and what the
// object said there, and which mappings of other phases nearly did.
//
// Reads the object anew by its definition; its cost is that of reading the status, and a traced run
// of each expression that is shown.
#pragma once

#include <string>
#include <vector>

#include "definition/karta.h"
#include "json/value.h"
#include "workload/phase.h"

namespace wmap::inspect {

// A part of the object that was read.
struct ValueRead {
  std::string path;   // ".status.conditions[0].status"
  std::string value;  // JSON, cut short; "absent" is what null is shown as to people
  bool is_absent = false;
};

// One thing that a mapping asks for.
struct MatcherPart {
  std::string asked;  // "phase", "condition" or "expression"
  std::string what;   // the path, the condition's type, the expression's text
  std::string expected;
  std::string found;  // "" with is_absent
  bool is_absent = false;
  bool holds = false;
  std::string error;  // why it could not be told
  std::vector<ValueRead> reads;
};

struct MappingEvidence {
  std::string name;  // "running[0]"
  workload::Phase phase = workload::Phase::kUndefined;
  bool holds = false;
  std::vector<MatcherPart> parts;
};

struct PhaseEvidence {
  // What the object alone comes to, whatever the pods say.
  workload::Phase by_object = workload::Phase::kUndefined;
  // The mappings that matched, that behind by_object first.
  std::vector<MappingEvidence> matched;
  // Mappings of other phases, the nearest first; a few.
  std::vector<MappingEvidence> near_misses;
};

// `object` is WorkloadSources::text.
PhaseEvidence ReadEvidence(const definition::Karta& karta, const json::Value& object);

}  // namespace wmap::inspect
