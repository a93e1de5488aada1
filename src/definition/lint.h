// Lint: what no rule of the format forbids and is most likely a mistake. All warnings.
#pragma once

#include "definition/karta.h"
#include "definition/report.h"

namespace wmap::definition {

// On fields and how they fit together.
void LintStructure(const Karta& karta, Report& report);

// On what expressions say: default-after-iteration, instance-stem, selector-precedence,
// trailing-comment, not-a-path.
void LintExpressions(Karta& karta, Report& report);

}  // namespace wmap::definition
