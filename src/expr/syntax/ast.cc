#include "expr/syntax/ast.h"

#include <algorithm>
#include <array>

namespace wmap::expr {

std::string_view OperatorText(Operator op) {
  constexpr std::array<std::string_view, 23> kTexts = {
      "",    "+",  "-",  "*", "/",  "%",  "==", "!=", "<",  "<=", ">",  ">=",
      "and", "or", "//", "=", "|=", "+=", "-=", "*=", "/=", "%=", "//="};
  return kTexts[static_cast<std::size_t>(op)];
}

Operator UpdateOperator(Operator op) {
  switch (op) {
    case Operator::kUpdateAdd:
      return Operator::kAdd;
    case Operator::kUpdateSubtract:
      return Operator::kSubtract;
    case Operator::kUpdateMultiply:
      return Operator::kMultiply;
    case Operator::kUpdateDivide:
      return Operator::kDivide;
    case Operator::kUpdateModulo:
      return Operator::kModulo;
    case Operator::kUpdateAlternative:
      return Operator::kAlternative;
    default:
      return Operator::kNone;
  }
}

std::uint32_t Syntax::line(std::uint32_t offset) const {
  std::string_view before = source().substr(0, offset);
  return static_cast<std::uint32_t>(std::ranges::count(before, '\n')) + 1;
}

namespace {

bool SameNode(const Syntax& left, NodeId left_id, const Syntax& right, NodeId right_id) {
  if (left_id == kNoNode || right_id == kNoNode) return left_id == right_id;
  const Node& l = left.node(left_id);
  const Node& r = right.node(right_id);
  if (l.kind != r.kind || l.op != r.op || l.is_value != r.is_value || l.is_step != r.is_step ||
      l.text != r.text || l.list_size != r.list_size)
    return false;
  return SameNode(left, l.a, right, r.a) && SameNode(left, l.b, right, r.b) &&
         SameNode(left, l.c, right, r.c) && SameNode(left, l.d, right, r.d) &&
         std::ranges::equal(left.list(l), right.list(r),
                            [&](NodeId x, NodeId y) { return SameNode(left, x, right, y); });
}

}  // namespace

bool SameSyntax(const Syntax& left, const Syntax& right) {
  return SameNode(left, left.root(), right, right.root());
}

}  // namespace wmap::expr
