// Evaluation: what all readers of one workload share: the object, the evaluator, and the list of
// diagnostics that they add to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "definition/karta.h"
#include "expr/evaluate.h"
#include "json/value.h"
#include "workload/workload.h"

namespace wmap::workload {

// Which expressions have used up their budget in a run. One that does so again and again is set
// aside: that each object is read as far as it can be must not cost its time for each of thousands.
// What has failed at little cost is tried on. One thread; clear it before definitions go.
class SpentBudgets {
 public:
  bool IsSetAside(const expr::Program& program) const;
  // That a run of `program` has ended so.
  void Note(const expr::Program& program, const Error& error, const expr::Evaluator& evaluator);
  void Clear() { times_.clear(); }

 private:
  std::map<const expr::Program*, int> times_;
};

class Evaluation {
 public:
  // Keeps references to all of them. Without `spent`, every expression has its whole budget.
  Evaluation(const definition::Karta& karta, const json::Value& object, expr::Evaluator& evaluator,
             SpentBudgets* spent = nullptr);

  const definition::Karta& karta() const { return karta_; }
  // With the keys that the definition knows as it spells them.
  const json::Value& object() const { return object_; }
  Arena& arena() { return evaluator_.arena(); }

  // All results of `expression` on `input`. kCompile when it does not compile, which its
  // definition's findings explain.
  Result<std::vector<json::Value>> All(const definition::Expression& expression,
                                       const json::Value& input);
  Result<std::optional<json::Value>> First(const definition::Expression& expression,
                                           const json::Value& input);

  // Where result `index` of `expression` on the object, which is `value`, was read:
  // " (read: .spec.replicas)", or "". Runs the expression again.
  std::string PlaceOf(const definition::Expression& expression, std::size_t index,
                      const json::Value& value);

  // The numbers of the object's spec that count nothing, below 0 or with a fraction, and that
  // `expression` reads: ".spec.replicas is -3". Runs the expression again where there are any.
  std::vector<std::string> OddNumbersRead(const definition::Expression& expression);

  void Add(Severity severity, std::string_view code, std::string message);
  // For faults that many pods can have: the first is told with its name, the others are counted.
  void AddForPod(std::string_view code, const std::string& key, std::string message) {
    AddForEach(code, key, std::move(message), "pod");
  }
  // The same for what `noun` says.
  void AddForEach(std::string_view code, const std::string& key, std::string message,
                  std::string_view noun);

  // The diagnostics, the counted ones completed.
  std::vector<Diagnostic> TakeDiagnostics();

 private:
  struct Repeated {
    std::size_t index;
    std::string_view noun;  // "pod"
    std::int64_t more = 0;
  };

  const definition::Karta& karta_;
  json::Value object_;
  expr::Evaluator& evaluator_;
  // Whether `program` is set aside.
  bool IsSetAside(const expr::Program& program) const {
    return spent_ != nullptr && spent_->IsSetAside(program);
  }
  void NoteSpent(const expr::Program& program, const Error& error) {
    if (spent_ != nullptr) spent_->Note(program, error, evaluator_);
  }

  SpentBudgets* spent_;
  std::optional<bool> has_odd_numbers_;  // in its spec; nothing = not looked yet
  std::vector<Diagnostic> diagnostics_;
  std::map<std::string, Repeated> repeated_;
};

// "spec.scaleDefinition.replicasPath of component \"worker\"" for messages, from the expression's
// place in the definition.
std::string FieldName(const definition::Expression& expression,
                      const definition::Component& component);

}  // namespace wmap::workload
