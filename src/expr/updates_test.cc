// Paths and what is written through them: the table of the format's specification, section 5.4, row
// by row, then the update operators and the API for assigning.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expr/evaluate.h"
#include "expr/run_for_test.h"

namespace wmap::expr {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Row {
  std::string_view program;
  std::string_view input;
  std::string_view results;
};

void PrintTo(const Row& row, std::ostream* to) { *to << row.program; }

class Updates : public ::testing::TestWithParam<Row> {};

TEST_P(Updates, GiveTheResults) {
  const Row& row = GetParam();
  EXPECT_EQ(RunForTest(row.program, row.input), row.results) << row.program;
  EXPECT_EQ(RunForTest(row.program, row.input, {.optimize = false, .limits = {}}), row.results)
      << row.program << " (unoptimised)";
}

INSTANTIATE_TEST_SUITE_P(
    Operators, Updates,
    ::testing::ValuesIn(std::initializer_list<Row>{
        {".a = 1", "null", R"({"a":1})"},
        {".a.b |= 5", "{}", R"({"a":{"b":5}})"},
        {".a += 1, .a -= 1, .a *= 2, .a /= 2, .a %= 2", R"({"a":3})",
         R"({"a":4} | {"a":2} | {"a":6} | {"a":1.5} | {"a":1})"},
        {".a //= 7, .b //= 7", R"({"a":3})", R"({"a":3} | {"a":3,"b":7})"},
        {".[] += 1", "[1,2]", "[2,3]"},
        {".[] |= empty", "[1,2,3]", "[]"},
        {"(.[] | select(. > 1)) |= empty", "[1,2,3]", "[1]"},
        {".a = (1, 2)", "{}", R"({"a":1} | {"a":2})"},
        {".a |= (1, 2)", "{}", R"({"a":1})"},
        {".a += (1, 2)", R"({"a":1})", R"({"a":2} | {"a":3})"},
        {".a = .b", R"({"b":2})", R"({"a":2,"b":2})"},
        {".a |= .b", R"({"a":{"b":2}})", R"({"a":2})"},
        {".[\"a\",\"b\"] = 1", "{}", R"({"a":1,"b":1})"},
        {".[5] = 1", "[0]", "[0,null,null,null,null,1]"},
        {".[-1] = 9", "[1,2]", "[1,9]"},
        {".[-3] = 9", "[1,2]", "error: Out of bounds negative array index"},
        {".[1:] = [\"x\"]", "[1,2,3]", R"([1,"x"])"},
        {".[1:] |= map(. * 2)", "[1,2,3]", "[1,4,6]"},
        {".[1:3] = [8, 9] | .[0:2] = [7]", "[1,2,3]", "[7,9]"},
        {".[range(3) | {start: ., end: (. + 1)}] |= map(. * 2)", "[1,2,3]", "[2,4,6]"},
        {".[1:] //= 1", R"("ab")", "error: Cannot update string slices"},
        {".a[1:3] = [1]", "{}", R"({"a":[1]})"},
        {".[1:2] = \"x\"", R"("abc")", "error: Cannot update string slices"},
        {".. |= (if type == \"number\" then . + 1 else . end)", "[1,[2]]", "[2,[3]]"},
        {"(.a, .b) |= 1", R"({"a":0,"b":0,"c":0})", R"({"a":1,"b":1,"c":0})"},
        {"(.a, .a) |= . + 1", R"({"a":0})", R"({"a":2})"},
        {".[] |= [., .]", "[[1]]", "[[[1],[1]]]"},
        // What an update made must not change behind the back of a copy of it.
        {".a.x = 1 | .b = .a | .a.x = 2", "{}", R"({"a":{"x":2},"b":{"x":1}})"},
        {"(.a.x, .a, .a.y.q) |= (if type == \"object\" then {y: ., z: .} else 1 end)",
         R"({"a":{"x":1}})", R"({"a":{"y":{"q":1,"x":1},"z":{"x":1}}})"},
        {"reduce range(3) as $i ([]; . + [$i])", "null", "[0,1,2]"},
        {"[foreach range(3) as $i ([]; . + [$i])]", "null", "[[0],[0,1],[0,1,2]]"},
        {"[foreach range(2) as $i ({}; .[\"k\\($i)\"] = $i)]", "null",
         R"([{"k0":0},{"k0":0,"k1":1}])"},
        {"reduce range(2) as $i ({}; . as $s | .a = $i | .b = $s)", "null",
         R"({"a":1,"b":{"a":0,"b":{}}})"},
        {"reduce range(2) as $i ({n: 0}; if (true, true) then .n += 1 else . end)", "null",
         R"({"n":2})"},
        {"to_entries | from_entries", R"({"a":1})", R"({"a":1})"},
        {"del(.a, .b)", R"({"a":1,"b":2,"c":3})", R"({"c":3})"},
        {"del(.[0,2])", "[1,2,3]", "[2]"},
        {"del(.[] | select(. > 1))", "[1,2,3,0]", "[1,0]"},
        {"del(.[-1]), del(.[1:]), del(.[9]), del(.)", "[1,2,3]", "[1,2] | [1] | [1,2,3] | null"},
        {"del(.a.b.c)", R"({"a":null})", R"({"a":null})"},
        {"delpaths([[\"a\"],[\"b\",0]])", R"({"a":1,"b":[1,2]})", R"({"b":[2]})"},
        {"setpath([\"a\",0]; 1)", "null", R"({"a":[1]})"},
        {"setpath([]; 1)", "{}", "1"},
        {"setpath([\"a\"]; 1)", "[]", R"(error: Cannot index array with string ("a"))"},
        {"[paths(type == \"number\")]", R"({"a":[1,"x"]})", R"([["a",0]])"},
        {"pick(.a.b, .c[1])", R"({"a":{"b":1,"x":2},"c":[5,6,7]})",
         R"({"a":{"b":1},"c":[null,6]})"},
    }));

INSTANTIATE_TEST_SUITE_P(
    Paths, Updates,
    ::testing::ValuesIn(std::initializer_list<Row>{
        {"path(.a.b)", "null", R"(["a","b"])"},
        {"[path(..)]", R"({"a":[1]})", R"([[],["a"],["a",0]])"},
        {"path(.a[0:2])", "null", R"(["a",{"end":2,"start":0}])"},
        {"[path(.a[].b?)]", R"({"a":[{"b":1},2]})", R"([["a",0,"b"]])"},
        {"path(first(.a, .b))", "null", R"(["a"])"},
        {"[path(limit(2; .[]))]", "[5,6,7]", "[[0],[1]]"},
        {"path(getpath([\"a\",\"b\"]))", "null", R"(["a","b"])"},
        {"path(if .a then .b else .c end)", R"({"a":1})", R"(["b"])"},
        {"path(.a // .b)", R"({"a":1})", R"(["a"])"},
        {"path(.a // .b)", "{}", R"(["b"])"},
        {"path(.a | select(.b == 0))", R"({"a":{"b":0}})", R"(["a"])"},
        {"path(. as $x | .[$x.k])", R"({"k":"z"})", R"(["z"])"},
        {"path(1)", "null", "error: Invalid path expression with result 1"},
        {"try path(.a | map(select(.b == 0))) catch .", R"({"a":[{"b":0}]})",
         R"("Invalid path expression with result [{\"b\":0}]")"},
        {"[path(.a[.i + 1])]", R"({"a":[],"i":1})", R"([["a",2]])"},
        {"path([.a] | .[0])", "{}",
         "error: Invalid path expression near attempt to access element 0 of [null]"},
        {"path([.a] | .[])", "{}",
         "error: Invalid path expression near attempt to iterate through [null]"},
    }));

// The document, or "error: ..." and then the document must be as it was.
std::string Assign(std::string_view expression, std::string_view document,
                   std::string_view value = "\"new\"") {
  auto program = Program::Compile(expression);
  if (!program) return "compile error: " + program.error().message();
  Arena arena;
  auto input = json::Read(document, arena);
  auto parsed = json::Read(value, arena);
  std::string before = json::ToJson(*input);
  Evaluator evaluator(arena);
  auto result = evaluator.AssignOne(*program, *input, *parsed);
  EXPECT_EQ(json::ToJson(*input), before) << expression;
  return result ? json::ToJson(*result) : "error: " + result.error().message();
}

TEST(AssignOne, WritesThroughPathExpressions) {
  struct Write {
    std::string_view expression, document, result;
  };
  constexpr Write kWrites[] = {
      {".a.b", R"({})", R"({"a":{"b":"new"}})"},
      {R"(.["k"])", R"({"k":1})", R"({"k":"new"})"},
      {".a[0]", R"({"a":[1,2]})", R"({"a":["new",2]})"},
      {".a[-1]", R"({"a":[1,2]})", R"({"a":[1,"new"]})"},
      {".a[]", R"({"a":[1,2]})", R"({"a":["new","new"]})"},
      {".[]", R"({"a":1,"b":2})", R"({"a":"new","b":"new"})"},
      {".a[]?", R"({})", R"({})"},
      {".a[5]", R"({"a":[1,2,3]})", R"({"a":[1,2,3,null,null,"new"]})"},
      {".a | .b", R"({})", R"({"a":{"b":"new"}})"},
      {".a, .b", R"({})", R"({"a":"new","b":"new"})"},
      {".a[] | select(.n == 1) | .v", R"({"a":[{"n":1},{"n":2}]})",
       R"({"a":[{"n":1,"v":"new"},{"n":2}]})"},
      {"if .x then .a else .b end", R"({"x":true})", R"({"a":"new","x":true})"},
      {"first(.a[])", R"({"a":[1,2]})", R"({"a":["new",2]})"},
      {"limit(2; .a[])", R"({"a":[1,2,3]})", R"({"a":["new","new",3]})"},
      {".a | last", R"({"a":[1,2]})", R"({"a":[1,"new"]})"},
      {R"(getpath(["a","b"]))", R"({})", R"({"a":{"b":"new"}})"},
      {".a?", R"({})", R"({"a":"new"})"},
      {"try .a catch .b", R"({})", R"({"a":"new"})"},
      {"empty", R"({"a":1})", R"({"a":1})"},
      {".a // .b", R"({"a":1,"b":2})", R"({"a":"new","b":2})"},
      {".a // .b", R"({"a":null,"b":2})", R"({"a":null,"b":"new"})"},
      {".a // 1", R"({"a":5})", R"({"a":"new"})"},
      {". as $x | .a", R"({})", R"({"a":"new"})"},
      {".", R"({"a":1})", R"("new")"},
      {".a[] | select(.n == 9) | .v", R"({"a":[{"n":1}]})", R"({"a":[{"n":1}]})"},
      {".a.b.c.d", "null", R"({"a":{"b":{"c":{"d":"new"}}}})"},
      {".items[1] | .name", R"({"items":[{},{"name":1}]})", R"({"items":[{},{"name":"new"}]})"},
  };
  for (const Write& row : kWrites) {
    EXPECT_EQ(Assign(row.expression, row.document), row.result) << row.expression;
  }
  EXPECT_EQ(Assign(".a[1:]", R"({"a":[1,2,3]})", "[9]"), R"({"a":[1,9]})");
}

TEST(AssignOne, RefusesWhatIsNoPath) {
  struct Refusal {
    std::string_view expression, document;
  };
  constexpr Refusal kRefusals[] = {
      {".a // 1", "{}"},
      {".a as $x | $x | .b", R"({"a":{}})"},
      {"1", "{}"},
      {".a + 1", R"({"a":1})"},
      {".a == 1", R"({"a":1})"},
      {"{k: .a}", "{}"},
      {"[.a, .b] | .[0]", "{}"},
      {"map(.a)", "[{}]"},
      {"to_entries", R"({"a":1})"},
      {"with_entries(.)", R"({"a":1})"},
      {".a | tonumber", R"({"a":"1"})"},
      {"not", "null"},
      {".a[]", "{}"},
      {".a.b", R"({"a":"x"})"},
      {".a.b", R"({"a":[]})"},
  };
  for (const Refusal& row : kRefusals) {
    EXPECT_THAT(Assign(row.expression, row.document), StartsWith("error: ")) << row.expression;
  }
}

TEST(AssignEach, GivesEachPathItsValue) {
  auto program = Program::Compile(".items[].name");
  ASSERT_TRUE(program);
  Arena arena;
  Evaluator evaluator(arena);
  auto input = json::Read(R"({"items":[{"name":1},{"name":2}]})", arena);
  json::Value values[] = {json::Value::String("x"), json::Value(), json::Value::Int(3)};
  auto result = evaluator.AssignEach(*program, *input, std::span(values).first(2));
  ASSERT_TRUE(result);
  EXPECT_EQ(json::ToJson(*result), R"({"items":[{"name":"x"},{"name":null}]})");

  auto mismatch = evaluator.AssignEach(*program, *input, values);
  ASSERT_FALSE(mismatch);
  EXPECT_EQ(mismatch.error().code(), Code::kMismatch);
  EXPECT_THAT(mismatch.error().message(), HasSubstr("2 places"));
}

TEST(AssignEach, WritesTheOneThatIsSelected) {
  auto program = Program::Compile(".items[] | select(.id == 1) | .name");
  ASSERT_TRUE(program);
  Arena arena;
  Evaluator evaluator(arena);
  auto input = json::Read(R"({"items":[{"id":1},{"id":2}]})", arena);
  json::Value one = json::Value::String("x");
  auto result = evaluator.AssignEach(*program, *input, std::span(&one, 1));
  ASSERT_TRUE(result);
  EXPECT_EQ(json::ToJson(*result), R"({"items":[{"id":1,"name":"x"},{"id":2}]})");
}

}  // namespace
}  // namespace wmap::expr
