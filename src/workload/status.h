// The status of an object by its definition alone: phase text, conditions, and every status whose
// matchers hold (spec of the format, "Status").
#pragma once

#include "definition/karta.h"
#include "workload/evaluation.h"
#include "workload/workload.h"

namespace wmap::workload {

struct ObjectStatus {
  std::string phase_text;
  bool has_phase = false;
  std::vector<Condition> conditions;
  // In the format's order; empty when nothing matches.
  std::vector<Phase> phases;
  // For phases[i], the index of the matcher that held first.
  std::vector<std::size_t> matchers;
};

// What errs (the phase, the conditions, a single matcher) is left out and becomes a diagnostic.
ObjectStatus ReadStatus(const definition::StatusDefinition& definition, Evaluation& evaluation);

// "running[0]", or "" when `phase` is not among the phases that match.
std::string MatchedName(const ObjectStatus& status, Phase phase);

// The condition that the matcher behind `phase` asks for first, if it asks for one.
const Condition* MatchedCondition(const definition::StatusDefinition& definition,
                                  const ObjectStatus& status, Phase phase);

}  // namespace wmap::workload
