// Interpret: one definition and one object (and its pods) make one Workload.
//
// Never fails as a whole. What cannot be read becomes a diagnostic and an unknown value, and the
// rest of the workload is still there:
//   - a list with fewer or more values than instances is unknown for all of them; no value ever
//     moves to another instance,
//   - a matcher that errs loses itself, not the other statuses,
//   - a missing optional list gives no instances, not a failure,
//   - an absent pod template is no role, and a negative count is unknown, and told.
#pragma once

#include <span>

#include "base/arena.h"
#include "definition/karta.h"
#include "expr/evaluate.h"
#include "json/value.h"
#include "workload/accelerators.h"
#include "workload/child_scale.h"
#include "workload/claims.h"
#include "workload/evaluation.h"
#include "workload/workload.h"

namespace wmap::workload {

// A pod of the workload: its facts, and the manifest (or what was kept of it) for the selectors.
struct PodRef {
  const PodFacts* facts = nullptr;
  json::Value manifest;
};

struct InterpretOptions {
  const AcceleratorTable* accelerators = nullptr;  // required
  const ClaimTable* claims = nullptr;              // none: what claims ask for is unknown
  // Pods were among the inputs, though perhaps none of this workload: counts of pods are 0 instead
  // of absent.
  bool pods_known = false;
  // Of a longer run that this is a part of; none: each interpreter is a run of its own.
  SpentBudgets* spent = nullptr;
  expr::Limits limits;
};

// Whether a type selector of the definition, or the instance selector of a component without one,
// speaks for `pod`; without knowing the workload. What errs does not.
bool Claims(const definition::Karta& karta, const PodRef& pod, SpentBudgets& spent);

// Interprets workloads one after the other, reusing its memory. One thread at a time.
class Interpreter {
 public:
  explicit Interpreter(const InterpretOptions& options)
      : options_(options), evaluator_(arena_, options.limits) {}

  // What Claims() of the same run takes as well.
  SpentBudgets& spent() const { return options_.spent == nullptr ? own_spent_ : *options_.spent; }

  // The result views the facts of `pods` and nothing else. The identity of the object and of the
  // definition are filled in; source, overrides and events are the caller's.
  // `children` are the objects below the workload that carry counts of their own: those at hand of
  // the kinds that the definition reads (Karta::ReadsChild). What describes one of the wrapped
  // objects `without` (their ObjectKey()) is left out.
  Workload Interpret(const definition::Karta& karta, const json::Value& object,
                     std::span<const PodRef> pods, std::span<const ChildRef> children = {},
                     std::span<const std::string> without = {});

 private:
  InterpretOptions options_;
  Arena arena_;
  expr::Evaluator evaluator_;
  mutable SpentBudgets own_spent_;  // changes no result that is right
};

}  // namespace wmap::workload
