#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/lint.h"
#include "definition/result_texts.h"

namespace wmap::definition {
namespace {

void CheckResult(const Expression& expression, std::string_view wanted, const std::string& pointer,
                 Report& report) {
  std::vector<std::string> texts = PossibleTexts(expression);
  if (texts.empty() || std::ranges::find(texts, wanted) != texts.end()) return;
  std::vector<std::string_view> names(texts.begin(), texts.end());
  std::string_view near = Nearest(wanted, names);
  report.Add({Severity::kWarning, "never-holds",
              Cat("the expression never gives ", Quote(wanted), ", only ", Join(texts, ", ")),
              near.empty() ? std::string() : Cat("did you mean ", Quote(near), '?')},
             pointer, Report::Part::kValue);
}

}  // namespace

void LintResults(const Karta& karta, Report& report) {
  for (const Component& component : karta.components) {
    if (const TypeSelector* type = component.type_selector(); type != nullptr && type->value) {
      CheckResult(type->key_path, *type->value,
                  Cat(component.pointer, "/podSelector/componentTypeSelector/value"), report);
    }
    if (!component.status) continue;
    for (std::size_t i = 0; i < kStatusCount; ++i) {
      const std::vector<Matcher>& matchers = component.status->mappings[i];
      std::string_view key = StatusKey(static_cast<Status>(i));
      for (std::size_t j = 0; j < matchers.size(); ++j) {
        std::string pointer =
            Cat(component.pointer, "/statusDefinition/statusMappings/", key, '/', j);
        if (const auto& expected = matchers[j].by_expression) {
          CheckResult(expected->expression, expected->result,
                      Cat(pointer, "/byExpression/expectedResult"), report);
        }
        if (!matchers[j].by_phase.empty() && component.status->phase) {
          CheckResult(component.status->phase, matchers[j].by_phase, Cat(pointer, "/byPhase"),
                      report);
        }
      }
    }
  }
}

}  // namespace wmap::definition
