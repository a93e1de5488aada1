#include "workload/evaluation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "expr/path_text.h"
#include "json/writer.h"
#include "workload/known_keys.h"

namespace wmap::workload {
namespace {

std::unexpected<Error> NotCompiled(const definition::Expression& expression) {
  return Fail(Code::kCompile, Cat("the expression ", Quote(expression.text(), 60),
                                  " does not compile; `wmap validate` says why"));
}

// So often an expression may use up its budget.
constexpr int kMostSpent = 3;
// What fails before that has cost next to nothing.
constexpr std::uint64_t kDearSteps = 1'000'000;

std::unexpected<Error> SetAside() {
  return Fail(Code::kLimit, Cat("it has used up its budget ", kMostSpent,
                                " times and is not evaluated any more"));
}

using json::Value;

bool IsOdd(const Value& value) {
  if (!value.is_number()) return false;
  return value.is_int()
             ? value.as_int() < 0
             : value.as_double() < 0 || value.as_double() != std::trunc(value.as_double());
}

bool HasOddNumbers(const Value& value) {
  std::vector<Value> open = {value};
  while (!open.empty()) {
    Value one = open.back();
    open.pop_back();
    if (IsOdd(one)) return true;
    if (one.is_array()) {
      open.insert(open.end(), one.items().begin(), one.items().end());
    } else if (one.is_object()) {
      for (const json::Member& member : one.members()) open.push_back(member.value);
    }
  }
  return false;
}

// Collects the odd numbers that are read.
class OddNumbers final : public expr::Tracer {
 public:
  void Enter(SourceRange /*part*/) override {}
  void Leave(SourceRange /*part*/, const Value& value, const Value* path) override {
    if (path == nullptr || path->size() == 0 || !IsOdd(value)) return;
    std::string text = Cat(expr::PathText(*path), " is ", json::ToJson(value));
    if (std::ranges::find(texts_, text) == texts_.end()) texts_.push_back(std::move(text));
  }
  void Yield(const Value& /*value*/, const Value* /*path*/) override {}

  std::vector<std::string> Take() { return std::move(texts_); }

 private:
  std::vector<std::string> texts_;
};

}  // namespace

bool SpentBudgets::IsSetAside(const expr::Program& program) const {
  auto known = times_.find(&program);
  return known != times_.end() && known->second >= kMostSpent;
}

void SpentBudgets::Note(const expr::Program& program, const Error& error,
                        const expr::Evaluator& evaluator) {
  std::uint64_t dear = std::min(kDearSteps, evaluator.limits().steps);
  if (error.code() == Code::kLimit && evaluator.steps_used() >= dear) ++times_[&program];
}

Evaluation::Evaluation(const definition::Karta& karta, const json::Value& object,
                       expr::Evaluator& evaluator, SpentBudgets* spent)
    : karta_(karta), object_(object), evaluator_(evaluator), spent_(spent) {
  KeysRead read = ReadKeys(karta, object, evaluator.arena());
  object_ = read.object;
  for (std::string& problem : read.problems) {
    Add(Severity::kWarning, "unknown-key", std::move(problem));
  }
}

Result<std::vector<json::Value>> Evaluation::All(const definition::Expression& expression,
                                                 const json::Value& input) {
  const expr::Program* program = expression.program();
  if (program == nullptr) return NotCompiled(expression);
  if (IsSetAside(*program)) return SetAside();
  auto results = evaluator_.All(*program, input);
  if (!results) NoteSpent(*program, results.error());
  if (!results) return Fail(evaluator_.WithLastRead(std::move(results).error(), *program, input));
  return results;
}

Result<std::optional<json::Value>> Evaluation::First(const definition::Expression& expression,
                                                     const json::Value& input) {
  const expr::Program* program = expression.program();
  if (program == nullptr) return NotCompiled(expression);
  if (IsSetAside(*program)) return SetAside();
  auto result = evaluator_.First(*program, input);
  if (!result) NoteSpent(*program, result.error());
  if (!result) return Fail(evaluator_.WithLastRead(std::move(result).error(), *program, input));
  return result;
}

std::string Evaluation::PlaceOf(const definition::Expression& expression, std::size_t index,
                                const json::Value& value) {
  std::string path = evaluator_.SourceOf(*expression.program(), object_, index, value);
  return path.empty() ? path : Cat(" (read: ", path, ')');
}

std::vector<std::string> Evaluation::OddNumbersRead(const definition::Expression& expression) {
  if (!has_odd_numbers_) has_odd_numbers_ = HasOddNumbers(object_.Get("spec"));
  const expr::Program* program = expression.program();
  if (!*has_odd_numbers_ || program == nullptr || IsSetAside(*program)) return {};
  OddNumbers odd;
  // What was read before it fails counts too.
  Result<void> traced = evaluator_.Trace(*program, object_, odd);
  if (!traced) NoteSpent(*program, traced.error());
  return odd.Take();
}

void Evaluation::Add(Severity severity, std::string_view code, std::string message) {
  diagnostics_.push_back({severity, std::string(code), std::move(message), {}});
}

void Evaluation::AddForEach(std::string_view code, const std::string& key, std::string message,
                            std::string_view noun) {
  auto [at, is_new] =
      repeated_.try_emplace(Cat(code, '/', key), Repeated{diagnostics_.size(), noun});
  if (is_new) {
    Add(Severity::kWarning, code, std::move(message));
  } else {
    ++at->second.more;
  }
}

std::vector<Diagnostic> Evaluation::TakeDiagnostics() {
  for (const auto& [key, repeated] : repeated_) {
    if (repeated.more > 0) {
      CatTo(diagnostics_[repeated.index].message, " (and ", repeated.more, " more ", repeated.noun,
            repeated.more == 1 ? ")" : "s)");
    }
  }
  repeated_.clear();
  return std::move(diagnostics_);
}

std::string FieldName(const definition::Expression& expression,
                      const definition::Component& component) {
  std::string_view pointer = expression.pointer();
  if (pointer.starts_with(component.pointer)) pointer.remove_prefix(component.pointer.size());
  constexpr std::string_view kAnnotation = "/metadata/annotations/wmap.dev~1extensions";
  std::string field;
  if (pointer.starts_with(kAnnotation)) {
    constexpr std::string_view kOfChild = "/childScale/";
    std::size_t of_child = pointer.rfind(kOfChild);
    if (of_child != std::string_view::npos) field = "childScale.";
    field += pointer.substr(pointer.rfind('/') + 1);
  } else {
    for (char c : pointer.substr(pointer.empty() ? 0 : 1)) field += c == '/' ? '.' : c;
  }
  return Cat(field, " of component ", Quote(component.name));
}

}  // namespace wmap::workload
