#include "expr/typing.h"

#include "base/check.h"
#include "expr/syntax/parser.h"
#include "expr/typing/interpreter.h"

namespace wmap::expr {

Typing TypeOf(const Program& program, DocumentTypes& documents) {
  Result<Syntax> syntax = Parse(program.source());
  WMAP_CHECK(syntax.has_value());
  return typing::Interpreter(*std::move(syntax), documents).Finish();
}

}  // namespace wmap::expr
