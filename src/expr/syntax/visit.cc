#include "expr/syntax/visit.h"

namespace wmap::expr {

bool Visit(const Syntax& syntax, NodeId from, FunctionRef<bool(const Node&)> see) {
  if (!see(syntax.node(from))) return false;
  bool go_on = true;
  ForEachChild(syntax, syntax.node(from),
               [&](NodeId child) { go_on = go_on && Visit(syntax, child, see); });
  return go_on;
}

}  // namespace wmap::expr
