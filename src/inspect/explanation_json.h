// Explanations as data: the machine output of `wmap explain`, documented in docs/explain.md.
// Stable: fields are added, never renamed.
#pragma once

#include <span>

#include "base/arena.h"
#include "inspect/explanation.h"
#include "inspect/report.h"
#include "json/value.h"

namespace wmap::inspect {

// An ExplanationList; `report` says whether it is complete, and what it warns of. Stands in `arena`
// and views the explanations.
json::Value ExplanationsJson(std::span<const Explanation> explanations, const Report& report,
                             Arena& arena);

}  // namespace wmap::inspect
