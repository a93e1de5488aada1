// What is said of an expression holds for every run of it.
#include "expr/nature.h"

#include <gtest/gtest.h>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "expr/evaluate.h"
#include "expr/program.h"
#include "json/reader.h"

namespace wmap::expr {
namespace {

using Writable = Nature::Writable;

Nature NatureOf(std::string_view source) {
  auto program = Program::Compile(source);
  EXPECT_TRUE(program) << source << ": " << program.error().Describe();
  return program ? program->FindNature() : Nature();
}

TEST(Nature, Types) {
  struct Case {
    std::string_view source;
    std::string_view types;
  };
  for (const Case& c : std::vector<Case>{
           {".a.b", "any"},
           {"1, \"x\"", "number or string"},
           {".a // 1 | tostring", "string"},
           {"[.a[]]", "array"},
           {"{a: 1}", "object"},
           {".a == 1 and .b", "boolean"},
           {"1 + 2", "number"},
           {"\"a\" + \"b\"", "string"},
           {"null + 1", "number"},
           {"if .a then 1 else null end", "null or number"},
           {".a | select(. == 1) | strings", "string"},
           {"length", "number"},
           {"keys", "array"},
           {"\"n: \\(.n)\"", "string"},
           {"@base64 \"\\(.n)\"", "string"},
           {"def f(g): g | tojson; f(.a)", "string"},
           {"def f($x): $x; f(1)", "number"},
           {". as $x | 1", "number"},
           {"1 as $x | $x", "number"},
           {"empty", "none"},
           {"try error(\"x\") catch 1", "number"},
           {"[.[] | .n] | add", "any"},
           {".a[1:3]", "null or string or array"},
           {"to_entries | map(.value)", "array"},
           {"(.a // {}) | keys[]", "any"},
           {"any(.a[]; . > 1)", "boolean"},
           {"reduce .[] as $x (0; . + $x)", "any"},
           {"def f: f; f", "any"},
           {"first(1, \"x\")", "number or string"},
           {".a | tonumber? // 0", "number"},
           {"not", "boolean"},
           {"range(3)", "number"},
       }) {
    EXPECT_EQ(NatureOf(c.source).types.Describe(), c.types) << c.source;
  }
}

TEST(Nature, WhatCanBeWritten) {
  struct Case {
    std::string_view source;
    Writable writable;
  };
  for (const Case& c : std::vector<Case>{
           {".", Writable::kAlways},
           {".spec.replicas", Writable::kAlways},
           {".a[] | select(.n > 1) | .b", Writable::kAlways},
           {".a | first(.[])", Writable::kAlways},
           {"getpath([\"a\", \"b\"])", Writable::kAlways},
           {".. | .x?", Writable::kAlways},
           {"if .a then .b else .c end", Writable::kAlways},
           {".a as $x | .[$x]", Writable::kAlways},
           {"def f(g): g | .x; f(.a)", Writable::kAlways},
           {"empty", Writable::kAlways},
           {"last", Writable::kAlways},
           {"1", Writable::kNever},
           {".a + 1", Writable::kNever},
           {"[.a]", Writable::kNever},
           {"map(.a)", Writable::kNever},
           {"to_entries[] | .value", Writable::kNever},
           {".a | tostring", Writable::kNever},
           {"$__loc__", Writable::kNever},
           {".a as $x | $x", Writable::kNever},
           {".a = 1", Writable::kNever},
           {".a // 1", Writable::kSometimes},
           {"if .a then .b else 1 end", Writable::kSometimes},
           {".a, 1", Writable::kSometimes},
       }) {
    EXPECT_EQ(NatureOf(c.source).writable, c.writable) << c.source;
  }
}

TEST(Nature, OnlyTheClockIsImpure) {
  EXPECT_TRUE(NatureOf("[.a, env, $ENV, (0 | todate)]").is_pure);
  EXPECT_FALSE(NatureOf("now").is_pure);
  EXPECT_FALSE(NatureOf("[.[] | {a: (now | floor)}]").is_pure);
  EXPECT_FALSE(NatureOf("def f: now; [1, f]").is_pure);
}

TEST(Nature, LargeProgramsAreBounded) {
  std::string chain = "def f0: .a;";
  for (int i = 1; i < 200; ++i) CatTo(chain, " def f", i, ": f", i - 1, ", f", i - 1, ";");
  EXPECT_EQ(NatureOf(chain + " f199").types.Describe(), "any");
}

// Runs programs that the tests of the language use on inputs of all types.
TEST(Nature, HoldsInRuns) {
  constexpr std::string_view kInputs[] = {
      "null", "true", "3", "\"abc\"", "[1,[2],{\"a\":1}]", R"({"a":{"b":[1,2]},"n":2})"};
  constexpr std::string_view kPrograms[] = {
      ".a?",
      ".[0]?",
      ".[]?",
      "..",
      "length?",
      "keys?",
      "add?",
      "tostring",
      "tojson",
      "type",
      "to_entries?",
      "with_entries(.)?",
      "map(.)?",
      "map_values(.)?",
      "paths",
      "leaf_paths",
      "getpath([\"a\"])?",
      "first(.[]?)",
      "last(.[]?)",
      "limit(1; .[]?)",
      "until(true; .)",
      "[limit(3; repeat(1))]",
      "min?",
      "max?",
      "unique?",
      "group_by(.)?",
      "flatten?",
      "reverse?",
      "join(\",\")?",
      "ascii_downcase?",
      "explode?",
      "tonumber?",
      "toboolean?",
      "test(\"a\")?",
      "[match(\"b\")?]",
      "sub(\"a\"; \"b\")?",
      "split(\"b\")?",
      "splits(\"b\")?",
      "ltrimstr(\"a\")",
      "trim?",
      "has(\"a\")?",
      "has(0)?",
      "contains(\"a\")?",
      "inside(\"abc\")?",
      "index(\"b\")?",
      "indices(1)?",
      "any?",
      "all?",
      "not",
      "values",
      "nulls",
      "scalars",
      "iterables",
      "numbers",
      "strings",
      "booleans",
      "arrays",
      "objects",
      "error?",
      "walk(.)",
      "tostream",
      "env",
      "@json",
      "@base64",
      "@html",
      "floor?",
      "sqrt?",
      "infinite",
      "nan | isnan",
      "del(.a)?",
      "delpaths([])",
      "setpath([]; 1)",
      "pick(.a)?",
      "to_entries? // 1",
      "input_line_number? // 1",
      "ascii?",
      "implode?",
      "transpose?",
      "combinations?",
      "from_entries?",
      "frexp?",
      "modf?",
      "significand?",
      "splits(\"a\"; null)?",
      "abs?",
      "toarray",
      "have_literal_numbers",
      "have_decnum",
      "getpath([])",
      "limit(0; 1)",
      "isvalid(.a)",
      "isempty(.[]?)",
      "IN(1)",
      "INDEX(.)?",
      "in([1])?",
      "nth(0)?",
      "bsearch(1)?",
      "todate?",
      "mktime?",
      "gmtime?",
      "strftime(\"%Y\")?",
      "@text",
      "ltrimstr(1)",
      "(. + .)?",
      "(. * 2)?",
      "(. / .)?",
      "(. - .)?",
      "(. % 2)?",
      "-(.)?",
      ". // 1",
      ". == 1",
      ".[1:]?",
      "{a: .}",
      "\"x\\(.)\"",
      "reduce .[]? as $x (0; 1)",
      "foreach .[]? as $x (0; $x)",
  };
  for (std::string_view source : kPrograms) {
    auto program = Program::Compile(source);
    if (!program) continue;  // of another dialect
    Nature nature = program->FindNature();
    for (std::string_view text : kInputs) {
      Arena arena;
      json::Value input = *json::Read(text, arena);
      Evaluator evaluator(arena);
      auto run = evaluator.Run(*program, input, [&](const json::Value& result) {
        EXPECT_TRUE(nature.types.Has(result.type()))
            << source << " of " << text << " gave a " << json::TypeName(result.type())
            << ", said was " << nature.types.Describe();
        return true;
      });
      if (!run) continue;
      auto paths = evaluator.Paths(*program, input);
      if (nature.writable == Writable::kAlways) {
        EXPECT_TRUE(paths) << source << " of " << text;
      }
      if (nature.writable == Writable::kNever) {
        EXPECT_TRUE(!paths || paths->empty()) << source << " of " << text;
      }
    }
  }
}

}  // namespace
}  // namespace wmap::expr
