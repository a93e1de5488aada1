// What a definition's expressions may not do: the static rules J2 to J5 of the format. (J1 is that
// the expression parses.) A definition only reads; these rules keep its author from writing an
// expression that changes the document or that yields far more than it looks.
//
//   J2  no assignment or update operator: = |= += -= *= /= %= //=
//   J3  no call of `del`
//   J4  no call of `range`, `paths`, `recurse`, `walk`, `repeat`, with any number of arguments
//   J5  no recursive descent `..`
//
// The whole tree is looked at, also bodies of local functions and keys of patterns. Calls go by
// name alone: a local function of one of these names may be defined, but not called. Fields, object
// keys and strings of these names are no calls.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "expr/syntax/ast.h"

namespace wmap::expr {

struct Restricted {
  std::string_view id;  // "J2" ... "J5"
  std::string message;
  std::string hint;
  SourceRange range;  // of the operator, of the name, or of the `..`
};

// The first breach in a walk that sees an operator before its operands and a call before its
// arguments, from left to right; nothing when there is none.
std::optional<Restricted> FindRestricted(const Syntax& syntax);

}  // namespace wmap::expr
