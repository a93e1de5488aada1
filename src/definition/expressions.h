// All expressions of a definition, and the static rules for them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/function_ref.h"
#include "definition/karta.h"
#include "definition/report.h"

namespace wmap::definition {

// Calls `visit` with every expression field of the format that stands in the document. Those of the
// extensions annotation are not among them.
void ForEachExpression(Karta& karta, FunctionRef<void(Expression&)> visit);

// Checks and compiles the expressions of one definition, each text once.
class ExpressionChecker {
 public:
  // With `quiet`, nothing is reported.
  ExpressionChecker(Report& report, bool quiet) : report_(report), quiet_(quiet) {}

  // Gives the expression its Program, and reports the first of J1 to J5 that it breaks, or why it
  // does not compile. Does nothing when the text is empty. A fault is reported where it is written,
  // not again at the aliases of it. The expression's text stays where it is while this lives.
  void Check(Expression& expression);

 private:
  struct Compiled {
    std::shared_ptr<const expr::Program> program;
    std::optional<Error> error;  // when there is no program
    bool has_fault = false;
  };

  // Whether there is one.
  bool ReportFault(const Expression& expression, const Compiled& compiled);

  Report& report_;
  bool quiet_;
  std::unordered_map<std::string_view, Compiled> texts_;
};

}  // namespace wmap::definition
