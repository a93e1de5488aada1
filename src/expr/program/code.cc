#include "expr/program/code.h"

#include <array>

#include "base/text.h"
#include "json/writer.h"

namespace wmap::expr::program {
namespace {

constexpr std::array<std::string_view, kOpCount> kNames = {
    "const",      "load",         "load-outer",   "store",        "take",         "set-false",
    "field",      "fields",       "item",         "index",        "slice",        "each",
    "get-path",   "jump",         "jump-false",   "jump-true",    "fork",         "backtrack",
    "require",    "refuse",       "mark",         "cut",          "break",        "count-begin",
    "count-down", "try",          "try-again",    "try-end",      "skip-false",   "skip-set",
    "collect",    "append",       "range",        "raise",        "yield",        "call",
    "tail-call",  "argument",     "forward",      "call-closure", "tail-closure", "return",
    "binary",     "binary-const", "negate",       "not",          "to-bool",      "native",
    "check-key",  "object",       "format",       "to-string",    "concat",       "sub-begin",
    "sub-end",    "path-begin",   "path-end",     "loop-begin",   "loop-turn",    "loop-guard",
    "loop-renew", "loop-add",     "update-begin", "update-get",   "update-set",   "update-drop",
    "update-end", "grow-begin",   "grow-get",     "grow-set",     "grow-end",     "step-begin",
    "step-end"};

bool HasConstant(Op op) {
  return op == Op::kConst || op == Op::kField || op == Op::kFields || op == Op::kItem ||
         op == Op::kBinaryConst || op == Op::kFormat;
}

}  // namespace

std::string_view OpName(Op op) { return kNames[static_cast<std::size_t>(op)]; }

std::string Code::Listing() const {
  std::string text;
  std::size_t function = 0;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    for (function = 0; function < functions.size(); ++function) {
      if (functions[function].entry == i) {
        CatTo(text, "function ", function, " ", functions[function].name, " (",
              functions[function].slots, " slots)\n");
      }
    }
    const Instruction& instruction = instructions[i];
    CatTo(text, "  ", i, "  ", OpName(instruction.op), " a=", instruction.a, " b=", instruction.b,
          " c=", instruction.c);
    if (HasConstant(instruction.op)) {
      CatTo(text, "  ", json::ToJson(constants[instruction.c]));
    }
    text += '\n';
  }
  // Of paths, which are one instruction however long they are, they stand nowhere else.
  if (!constants.empty())
    CatTo(text, "constants ", json::ToJson(json::Value::Array(constants)), '\n');
  return text;
}

}  // namespace wmap::expr::program
