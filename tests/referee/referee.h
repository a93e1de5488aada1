// The referee: a slow, obvious evaluator of the expression language, to compare the real one with.
//
// It walks the syntax tree and makes all results of every part before it goes on, so it is eager
// where the machine is lazy, keeps no stacks of its own and shares with the machine only the
// parser, the values and their order. Where a program does not end, or asks for a function that the
// referee does not know, it gives up instead of deciding.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "json/value.h"

namespace wmap::referee {

struct Verdict {
  enum class Kind {
    kDone,
    kFailed,       // the program raised `error` after `results`
    kNotCompiled,  // it does not parse, or names a variable or label that does not exist
    kGaveUp,       // too long, too deep, or an unknown function; see `why`
  };
  Kind kind = Kind::kDone;
  std::vector<json::Value> results;
  json::Value error;
  std::string why;
};

// Evaluates `source`; results stand in `arena`, which must outlive them.
Verdict Judge(std::string_view source, const json::Value& input,
              const std::vector<std::pair<std::string, json::Value>>& variables, Arena& arena);

}  // namespace wmap::referee
