// From the syntax tree to code: names are resolved, closures become functions, generators become
// forks.
#pragma once

#include <string_view>

#include "base/error.h"
#include "expr/program.h"
#include "expr/program/code.h"
#include "expr/syntax/ast.h"

namespace wmap::expr::program {

// What the program gives: its results, the paths of its results, or its results with all that the
// Tracer of evaluate.h is told.
enum class Yield : std::uint8_t { kValues, kPaths, kTrace };

// Errors: kCompile with a range into the source; kLimit when the program is too large.
Result<Code> Compile(const Syntax& syntax, const CompileOptions& options, Yield result);

}  // namespace wmap::expr::program
