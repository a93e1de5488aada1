#include "expr/syntax/ast.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace wmap::expr {

std::string_view OperatorText(Operator op) {
  switch (op) {
    case Operator::kNone:
      return "";
    case Operator::kAdd:
      return "+";
    case Operator::kSubtract:
      return "-";
    case Operator::kMultiply:
      return "*";
    case Operator::kDivide:
      return "/";
    case Operator::kModulo:
      return "%";
    case Operator::kEqual:
      return "==";
    case Operator::kNotEqual:
      return "!=";
    case Operator::kLess:
      return "<";
    case Operator::kLessEqual:
      return "<=";
    case Operator::kGreater:
      return ">";
    case Operator::kGreaterEqual:
      return ">=";
    case Operator::kAnd:
      return "and";
    case Operator::kOr:
      return "or";
    case Operator::kAlternative:
      return "//";
    case Operator::kAssign:
      return "=";
    case Operator::kUpdate:
      return "|=";
    case Operator::kUpdateAdd:
      return "+=";
    case Operator::kUpdateSubtract:
      return "-=";
    case Operator::kUpdateMultiply:
      return "*=";
    case Operator::kUpdateDivide:
      return "/=";
    case Operator::kUpdateModulo:
      return "%=";
    case Operator::kUpdateAlternative:
      return "//=";
  }
  return "";
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
  return 1 + static_cast<std::uint32_t>(std::ranges::count(before, '\n'));
}

bool SameSyntax(const Syntax& left, const Syntax& right) {
  std::vector<std::pair<NodeId, NodeId>> pending = {{left.root(), right.root()}};
  while (!pending.empty()) {
    auto [l, r] = pending.back();
    pending.pop_back();
    if (l == kNoNode || r == kNoNode) {
      if (l != r) return false;
      continue;
    }
    const Node& a = left.node(l);
    const Node& b = right.node(r);
    if (a.kind != b.kind || a.op != b.op || a.is_value != b.is_value || a.text != b.text ||
        a.list_size != b.list_size) {
      return false;
    }
    pending.insert(pending.end(), {{a.a, b.a}, {a.b, b.b}, {a.c, b.c}, {a.d, b.d}});
    auto a_list = left.list(a);
    auto b_list = right.list(b);
    for (std::size_t i = 0; i < a_list.size(); ++i) pending.emplace_back(a_list[i], b_list[i]);
  }
  return true;
}

}  // namespace wmap::expr
