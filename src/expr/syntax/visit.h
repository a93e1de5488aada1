// Walking a syntax tree, for checks that look at all of it.
#pragma once

#include "base/function_ref.h"
#include "expr/syntax/ast.h"

namespace wmap::expr {

// Calls `see` with each child of `node`, in the order in which they stand in the source.
template <typename See>
void ForEachChild(const Syntax& syntax, const Node& node, See&& see) {
  bool list_first = node.kind == NodeKind::kIf || node.kind == NodeKind::kDefine ||
                    node.kind == NodeKind::kFunction;
  if (!list_first && node.a != kNoNode) see(node.a);
  for (NodeId id : syntax.list(node)) see(id);
  if (list_first && node.a != kNoNode) see(node.a);
  if (node.b != kNoNode) see(node.b);
  if (node.c != kNoNode) see(node.c);
  if (node.d != kNoNode) see(node.d);
}

// Calls `see` with each node below `from` and itself, each before its children, in source order.
// Ends when `see` returns false; returns whether it never did.
bool Visit(const Syntax& syntax, NodeId from, FunctionRef<bool(const Node&)> see);
inline bool Visit(const Syntax& syntax, FunctionRef<bool(const Node&)> see) {
  return Visit(syntax, syntax.root(), see);
}

}  // namespace wmap::expr
