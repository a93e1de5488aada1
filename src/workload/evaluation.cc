#include "workload/evaluation.h"

#include <utility>

#include "base/text.h"

namespace wmap::workload {
namespace {

std::unexpected<Error> NotCompiled(const definition::Expression& expression) {
  return Fail(Code::kCompile, Cat("the expression ", Quote(expression.text(), 60),
                                  " does not compile; `wmap validate` says why"));
}

}  // namespace

Result<std::vector<json::Value>> Evaluation::All(const definition::Expression& expression,
                                                 const json::Value& input) {
  const expr::Program* program = expression.program();
  if (program == nullptr) return NotCompiled(expression);
  auto results = evaluator_.All(*program, input);
  if (!results) return Fail(evaluator_.WithLastRead(std::move(results).error(), *program, input));
  return results;
}

Result<std::optional<json::Value>> Evaluation::First(const definition::Expression& expression,
                                                     const json::Value& input) {
  const expr::Program* program = expression.program();
  if (program == nullptr) return NotCompiled(expression);
  auto result = evaluator_.First(*program, input);
  if (!result) return Fail(evaluator_.WithLastRead(std::move(result).error(), *program, input));
  return result;
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
