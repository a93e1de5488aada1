// How tightly the forms of the language bind; what parser and printer must agree on.
#pragma once

#include <cstdint>
#include <string_view>

#include "expr/syntax/ast.h"

namespace wmap::expr {

// From loose to tight. A phrase may stand wherever its own binding or a looser one is asked for;
// anywhere else it needs parentheses.
struct Binding {
  static constexpr int kQuery = 0;  // pipes; also def, label and as, which reach to the end
  static constexpr int kStage = 1;  // commas
  static constexpr int kExpr = 2;   // operators, from `//` (2) to `* / %` (8)
  static constexpr int kUnary = 9;  // - and try
  static constexpr int kTerm = 10;

  enum class Side : std::uint8_t { kLeft, kRight, kNone };  // kNone: does not chain

  int level;
  Side side;
};

// Of a binary operator; level kQuery for kNone.
Binding BindingOf(Operator op);

// Whether `text` can be written as a name: .text, {text: 1}.
bool IsName(std::string_view text);

}  // namespace wmap::expr
