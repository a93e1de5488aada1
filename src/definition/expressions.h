// All expressions of a definition, and the static rules for them.
#pragma once

#include "base/function_ref.h"
#include "definition/karta.h"
#include "definition/report.h"
#include "expr/syntax/ast.h"

namespace wmap::definition {

// Calls `visit` with every expression field of the format that stands in the document. Those of the
// extensions annotation are not among them.
void ForEachExpression(Karta& karta, FunctionRef<void(Expression&)> visit);

// The last token of an expression's pointer, as messages call it: "replicasPath", "filters[1]".
std::string FieldOf(const Expression& expression);

// What rules J2 to J5 say of a syntax tree: the first part that breaks one, in source order.
struct Restriction {
  std::string_view rule;  // "J2"
  SourceRange range;
  std::string message;
};
std::optional<Restriction> FindRestriction(const expr::Syntax& syntax);

// Reports the first of J1 to J5 that the expression breaks, and compiles it; what does not compile
// is reported too. Does nothing when the text is empty. With `quiet`, only compiles.
void CheckExpression(Expression& expression, Report& report, bool quiet = false);

}  // namespace wmap::definition
