// Lint: what no rule of the format forbids and is most likely a mistake. All warnings; what each of
// them says is in rule_list.h.
#pragma once

#include "definition/karta.h"
#include "definition/report.h"

namespace wmap::definition {

// Whether two matchers say the same.
bool SameMatcher(const Matcher& a, const Matcher& b);

// On fields and how they fit together.
void LintStructure(const Karta& karta, Report& report);

// On what expressions say: default-after-iteration, instance-stem, selector-precedence,
// trailing-comment.
void LintExpressions(Karta& karta, Report& report);

// On suspending and resuming: not-a-path, actions-differ.
void LintWrites(const Karta& karta, Report& report);

// On gang scheduling: unknown-component, gang-without-pods, same-group-keys, filter-not-boolean,
// zero-minimum.
void LintGangs(const Karta& karta, Report& report);

// The following are for authors alone (LoadOptions::thorough): they are about what other readers
// make of a definition, or they try and type expressions, which takes some milliseconds. They are
// bounded, whatever is in the definition.

// Counts: same-bounds, ambiguous-count.
void LintScale(const Karta& karta, Report& report);

// Where pods are described: read-only-path, image-in-container, metadata-in-pod.
void LintPlaces(const Karta& karta, Report& report);

// Status mappings, on small objects: always-matches, phases-overlap, terminal-phases-overlap,
// running-while-suspended. An operator may never write the object that is shown.
void LintPhases(const Karta& karta, Report& report);

// Pod selectors, on small pods: selectors-overlap.
void LintSelectors(const Karta& karta, Report& report);

// Results that are asked for and that an expression never has: never-holds.
void LintResults(const Karta& karta, Report& report);

}  // namespace wmap::definition
