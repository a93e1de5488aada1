// Finds the Nature of an expression by running it on sets of values instead of values.
#pragma once

#include "expr/nature.h"
#include "expr/syntax/ast.h"

namespace wmap::expr::program {

// Takes time linear in the expression, with a bound on what is gone into of its functions.
Nature FindNature(const Syntax& syntax);

}  // namespace wmap::expr::program
