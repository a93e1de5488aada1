// Which parts of its input an expression can read.
#pragma once

#include <optional>
#include <vector>

#include "expr/program.h"
#include "expr/syntax/ast.h"

namespace wmap::expr::program {

// See Program::FindInputPaths(). Forms that are not followed (user-defined functions, reduce,
// updates) give nothing: the whole input.
std::optional<std::vector<InputPath>> FindInputPaths(const Syntax& syntax);

}  // namespace wmap::expr::program
