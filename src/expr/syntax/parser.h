// The parser: source text to syntax tree.
//
// The language is that of jq 1.8 without modules, `input`-like statements being functions and no
// business of the grammar. Parsing takes time linear in the source and is independent of what any
// name means. Trees deeper than kMaxSyntaxDepth, phrases nested in each other more than half as
// deep and sources longer than kMaxSourceBytes are errors (kLimit); every other fault is kSyntax.
// The first fault ends the parse: its error holds the byte range, what was found, what was expected
// and, for mistakes that are common with other languages in mind, what was probably meant.
#pragma once

#include <string_view>

#include "base/error.h"
#include "expr/syntax/ast.h"

namespace wmap::expr {

// Parses one expression. `source` is copied. Nothing, and definitions with nothing behind them, are
// no expression.
Result<Syntax> Parse(std::string_view source);

// Parses definitions that may have nothing behind them, as a prelude has it; `.` is implied then.
Result<Syntax> ParseDefinitions(std::string_view source);

}  // namespace wmap::expr
