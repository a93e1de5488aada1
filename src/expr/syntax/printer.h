// The printer: syntax tree to source, in one form. What it prints parses to the same tree
// (SameSyntax), unless the parentheses that it needs exceed the depth that the parser accepts.
// Comments and the author's layout are not in the tree and are lost.
#pragma once

#include <string>

#include "expr/syntax/ast.h"

namespace wmap::expr {

std::string Print(const Syntax& syntax);
std::string Print(const Syntax& syntax, NodeId from);

}  // namespace wmap::expr
