#include "expr/syntax/grammar.h"

#include <algorithm>

namespace wmap::expr {

Binding BindingOf(Operator op) {
  using enum Operator;
  switch (op) {
    case Operator::kNone:
      break;
    case kAlternative:
      return {Binding::kExpr, Binding::Side::kRight};
    case kAssign:
    case kUpdate:
    case kUpdateAdd:
    case kUpdateSubtract:
    case kUpdateMultiply:
    case kUpdateDivide:
    case kUpdateModulo:
    case kUpdateAlternative:
      return {Binding::kExpr + 1, Binding::Side::kNone};
    case kOr:
      return {Binding::kExpr + 2, Binding::Side::kLeft};
    case kAnd:
      return {Binding::kExpr + 3, Binding::Side::kLeft};
    case kEqual:
    case kNotEqual:
    case kLess:
    case kLessEqual:
    case kGreater:
    case kGreaterEqual:
      return {Binding::kExpr + 4, Binding::Side::kNone};
    case kAdd:
    case kSubtract:
      return {Binding::kExpr + 5, Binding::Side::kLeft};
    case kMultiply:
    case kDivide:
    case kModulo:
      return {Binding::kExpr + 6, Binding::Side::kLeft};
  }
  return {Binding::kQuery, Binding::Side::kNone};
}

bool IsName(std::string_view text) {
  auto is_start = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && is_start(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return is_start(c) || (c >= '0' && c <= '9'); });
}

}  // namespace wmap::expr
