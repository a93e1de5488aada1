// Groups of a whole workload: what a scheduler would be asked for by the definition of its kind,
// for all of its pods, also those that do not exist yet.
#pragma once

#include <span>

#include "definition/karta.h"
#include "expr/evaluate.h"
#include "gang/definition_rule.h"
#include "gang/plan.h"
#include "json/value.h"

namespace wmap::gang {

// A plan with what the object itself says: namespace and owner; one pod, no subgroups.
Plan PlanOfOwner(const json::Value& object);

// The groups of `object` by the instructions of `karta`; none when it has no instructions. `pods`
// are those of the workload that are at hand. Errors as in DefinitionRule.
Result<WorkloadGroups> GroupsOf(const definition::Karta& karta, const json::Value& object,
                                std::span<const json::Value> pods, const Options& options,
                                const expr::Limits& limits = {});

}  // namespace wmap::gang
