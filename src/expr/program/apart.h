// Which expressions give values that hold no part of their input.
#pragma once

#include "expr/syntax/ast.h"

namespace wmap::expr::program {

// Whether no result of `id` can hold an array or object of its input: such a result may be put into
// a document that is changed in place. Variables count as apart from it; whoever binds them sees to
// that. False when it is not sure.
bool IsApart(const Syntax& syntax, NodeId id, bool input_is_apart = false);

}  // namespace wmap::expr::program
