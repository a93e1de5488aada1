#include "expr/program/apart.h"

#include <algorithm>

namespace wmap::expr::program {
namespace {

bool IsBinaryApart(const Syntax& syntax, const Node& node, bool input) {
  switch (node.op) {
    case Operator::kAdd:
    case Operator::kSubtract:
    case Operator::kMultiply:
    case Operator::kDivide:
    case Operator::kModulo:
    case Operator::kAlternative:
      return IsApart(syntax, node.a, input) && IsApart(syntax, node.b, input);
    default:
      // Comparisons and logic give booleans.
      return !IsAssignment(node.op);
  }
}

}  // namespace

bool IsApart(const Syntax& syntax, NodeId id, bool input) {
  const Node& node = syntax.node(id);
  auto all = [&](NodeId part) { return IsApart(syntax, part, input); };
  switch (node.kind) {
    case NodeKind::kNull:
    case NodeKind::kFalse:
    case NodeKind::kTrue:
    case NodeKind::kNumber:
    case NodeKind::kString:
    case NodeKind::kFormat:
    case NodeKind::kVariable:
    case NodeKind::kLocation:
    case NodeKind::kInterpolation:
    case NodeKind::kNegate:
      return true;
    case NodeKind::kIdentity:
    case NodeKind::kDescend:
      return input;
    case NodeKind::kField:
    case NodeKind::kIndex:
    case NodeKind::kSlice:
    case NodeKind::kIterate:
      return all(node.a);
    case NodeKind::kTry:
      return all(node.a) && node.b == kNoNode;
    case NodeKind::kArray:
      return node.a == kNoNode || all(node.a);
    case NodeKind::kObject:
      return std::ranges::all_of(syntax.list(node), all);
    case NodeKind::kEntry:
      return node.b == kNoNode ? input : all(node.b);
    case NodeKind::kBinary:
      return IsBinaryApart(syntax, node, input);
    case NodeKind::kPipe: {
      bool apart = input;
      for (NodeId part : syntax.list(node)) apart = IsApart(syntax, part, apart);
      return apart;
    }
    case NodeKind::kComma:
      return std::ranges::all_of(syntax.list(node), all);
    case NodeKind::kCall:
      return input && std::ranges::all_of(syntax.list(node), all);
    default:
      return false;
  }
}

}  // namespace wmap::expr::program
