// What programs give: one table row for each form of the language. The expected results are those
// of jq 1.8 but for the order of keys, which is ascending here.
#include "expr/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "expr/run_for_test.h"

namespace wmap::expr {
namespace {

using ::testing::HasSubstr;

struct Row {
  std::string_view program;
  std::string_view input;
  std::string_view results;
};

void PrintTo(const Row& row, std::ostream* to) { *to << row.program; }

class Language : public ::testing::TestWithParam<Row> {};

TEST_P(Language, GivesTheResults) {
  const Row& row = GetParam();
  EXPECT_EQ(RunForTest(row.program, row.input), row.results) << row.program;
  EXPECT_EQ(RunForTest(row.program, row.input, {.optimize = false, .limits = {}}), row.results)
      << row.program << " (unoptimised)";
}

INSTANTIATE_TEST_SUITE_P(
    Parts, Language,
    ::testing::ValuesIn(std::initializer_list<Row>{
        {".", "1", "1"},
        {".a", R"({"a":1})", "1"},
        {".a.b.c", R"({"a":{"b":{"c":7}}})", "7"},
        {".a.b.c", "null", "null"},
        {".a.b", R"({"a":null})", "null"},
        {".a", "1", R"(error: Cannot index number with string ("a"))"},
        {".a.b.c", R"({"a":{"b":1}})", R"(error: Cannot index number with string ("c"))"},
        {".a", "[]", R"(error: Cannot index array with string ("a"))"},
        {".[0]", "{}", "error: Cannot index object with number (0)"},
        {R"(.["a b"], ."a b", .a["x/y"])", R"({"a b":1,"a":{"x/y":2}})", "1 | 1 | 2"},
        {".[1], .[-1], .[5], .[1.7]", "[1,2,3]", "2 | 3 | null | 2"},
        {".[1:], .[:-1], .[1:2], .[:1]", "[1,2,3]", "[2,3] | [1,2] | [2] | [1]"},
        {".[1:3]", R"("héllo")", R"("él")"},
        {".[2:1]", "[1,2,3]", "[]"},
        {".[]", "[1,[2]]", "1 | [2]"},
        {".[]", R"({"b":1,"a":2})", "2 | 1"},
        {".[]", "[]", ""},
        {".[]", "null", "error: Cannot iterate over null (null)"},
        {".[]", "7", "error: Cannot iterate over number (7)"},
        {"[.[]?]", "7", "[]"},
        {"[.a?], [.a.b?]", R"({"a":1})", "[1] | []"},
        {"[.a?]", "[]", "[]"},
        {"[.a.b?]", "1", R"(error: Cannot index number with string ("a"))"},
        {"[try .a.b]", "1", "[]"},
        {"[.a?.b?]", "1", "[]"},
        {"[.[0]?, .[1:]?]", R"({"a":1})", "[]"},
        {"[..]", "[[1],2]", "[[[1],2],[1],1,2]"},
        {"[.. | numbers]", R"({"a":[1,{"b":2}]})", "[1,2]"},
        {".[[2]]", "[1,2,3,2]", "[1,3]"},
        {".[\"a\",\"b\"]", R"({"a":1,"b":2})", "1 | 2"},
        {".a[.i]", R"({"a":[5,6],"i":1})", "6"},
        {"[range(5)][2:4][0]", "null", "2"},
    }));

INSTANTIATE_TEST_SUITE_P(
    Constructors, Language,
    ::testing::ValuesIn(std::initializer_list<Row>{
        {"[]", "null", "[]"},
        {"{}", "null", "{}"},
        {"[.[] | . + 1]", "[1,2]", "[2,3]"},
        {"[[1,2][] | [., .]]", "null", "[[1,1],[2,2]]"},
        {"{b: 1, a: 2}", "null", R"({"a":2,"b":1})"},
        {"{a, \"b\", \"c\\(1)\"}", R"({"a":1,"c1":2})", R"({"a":1,"b":null,"c1":2})"},
        {R"({("a","b"): (1,2)})", "null", R"({"a":1} | {"a":2} | {"b":1} | {"b":2})"},
        {"{a: (1,2), b: (3,4)}", "null",
         R"({"a":1,"b":3} | {"a":1,"b":4} | {"a":2,"b":3} | {"a":2,"b":4})"},
        {R"x("x" as $x | {$x, "y": 2, @base64 "z": 3, "a\(1)": 4, $__loc__})x", "null",
         R"({"__loc__":{"file":"<top-level>","line":1},"a1":4,"x":"x","y":2,"z":3})"},
        {"{a: 1, a: 2}", "null", R"({"a":2})"},
        {"{(.): 2}", "1", "error: Cannot use number (1) as object key"},
        {R"x("a\(1 + 1)b")x", "null", R"("a2b")"},
        {R"x("\(1,2) \(3,4)")x", "null", R"("1 3" | "2 3" | "1 4" | "2 4")"},
        {R"x(@base64 "<\("x")>")x", "null", R"("<eA==>")"},
        {R"x(@json "v=\([1,"a"])")x", "null", R"("v=[1,\"a\"]")"},
        {R"("\u00e9\n\\")", "null", R"("é\n\\")"},
    }));

INSTANTIATE_TEST_SUITE_P(
    Operators, Language,
    ::testing::ValuesIn(std::initializer_list<Row>{
        {"[(1,2) + (10,20)]", "null", "[11,12,21,22]"},
        {"1 + 2 * 3 - 4 / 2", "null", "5"},
        {"10 / 4, 10 / 5", "null", "2.5 | 2"},
        {"[5 % -3, -5 % 3, 5.9 % 2.1]", "null", "[2,-2,1]"},
        {"1 / 0", "null",
         "error: number (1) and number (0) cannot be divided because the divisor is zero"},
        {"null + 1, 1 + null", "null", "1 | 1"},
        {R"("a" + "b", [1] + [2], {a: 1} + {a: 2, b: 3})", "null",
         R"("ab" | [1,2] | {"a":2,"b":3})"},
        {"{} + 1", "null", "error: object ({}) and number (1) cannot be added"},
        {"[1,2,3,2] - [2]", "null", "[1,3]"},
        {R"("abc" * 2, "a,b" / ",")", "null", R"("abcabc" | ["a","b"])"},
        {"{a: {b: 1}} * {a: {c: 2}}", "null", R"({"a":{"b":1,"c":2}})"},
        {"null * 2", "null", "error: null (null) and number (2) cannot be multiplied"},
        {"9223372036854775807 + 0, 9223372036854775806 + 1", "null",
         "9223372036854775807 | 9223372036854775807"},
        {"9223372036854775807 + 1", "null", "9223372036854776000"},
        {"9007199254740993", "null", "9007199254740993"},
        {"[.[] | -.]", "[1,-2.5]", "[-1,2.5]"},
        {"null < false, false < true, true < 0, 0 < \"\", \"\" < [], [] < {}", "null",
         "true | true | true | true | true | true"},
        {"1 == 1.0, \"1\" == 1, {a: 1} == {a: 1}", "null", "true | false | true"},
        {"(1,null) and (true,false)", "null", "true | false | false"},
        {"(1,null) or false", "null", "true | false"},
        {"[true, 0, null | not]", "null", "[false,false,true]"},
        {".a // 1", R"({"a":false})", "1"},
        {".a // 1", R"({"a":0})", "0"},
        {"[.g[].r // 1]", R"({"g":[{"r":null},{"r":2}]})", "[2]"},
        {"[.g[].r // 1]", R"({"g":[]})", "[1]"},
        {"[.g[].r // 1]", "{}", "error: Cannot iterate over null (null)"},
        {"[.g[]?.r // 1]", "{}", "[1]"},
        {"[.g[] | .r // 1]", R"({"g":[{"r":null},{"r":2}]})", "[1,2]"},
        {"error(\"x\") // 1", "null", "error: x"},
        {"[(null, error(\"x\")) // 2]", "null", "error: x"},
        {"empty // 1, (false // null // 3)", "null", "1 | 3"},
        {"1, 2 | . * 10", "null", "10 | 20"},
        {".x // 1 | tonumber", R"({"x":"5"})", "5"},
    }));

INSTANTIATE_TEST_SUITE_P(
    Control, Language,
    ::testing::ValuesIn(std::initializer_list<Row>{
        {"if . > 0 then \"a\" elif . < 0 then \"b\" else \"c\" end", "-1", R"("b")"},
        {"if . then 1 end", "false", "false"},
        {"[if (true,false) then 1 else 2 end]", "null", "[1,2]"},
        {"try error(\"x\") catch .", "null", R"("x")"},
        {"try error({a: 1}) catch .a", "null", "1"},
        {"[.[] | try error catch .]", "[1,null,2]", "[1,null,2]"},
        {"[(1, error(\"x\"), 3)?]", "null", "[1]"},
        {"try ((1, 2) | error) catch .", "null", "1"},
        // What fails behind a try is not for it.
        {"[try (1, 2) catch \"caught\" | if . == 2 then error(\"late\") else . end]", "null",
         "error: late"},
        {"try (try error(\"a\") catch error(\"b\")) catch .", "null", R"("b")"},
        {"[(error(\"x\")?), 1]", "null", "[1]"},
        {"[limit(3; range(10))], [limit(0; 1, 2)], [first(range(5))]", "null",
         "[0,1,2] | [] | [0]"},
        {"first(empty)", "null", ""},
        {"[limit(1; 1, error(\"x\"))]", "null", "[1]"},
        {"reduce .[] as $x (0; . + $x)", "[1,2,3]", "6"},
        {"reduce range(5) as $x (0; empty)", "null", "null"},
        {"reduce .[] as [$a, $b] ({}; .[$a] = $b)", R"([["x",1],["y",2]])", R"({"x":1,"y":2})"},
        {"[foreach range(4) as $x (0; . + $x)]", "null", "[0,1,3,6]"},
        {"[foreach range(4) as $x (0; . + $x; [$x, .])]", "null", "[[0,0],[1,1],[2,3],[3,6]]"},
        {"[foreach range(3) as $x (0; (., 5); .)]", "null", "[0,5,5,5,5,5]"},
        {"[label $out | 1, break $out, 2]", "null", "[1]"},
        {"[label $a | label $b | 1, break $a, 2], 3", "null", "[1] | 3"},
        {"[range(3) | label $l | (., break $l, 9)]", "null", "[0,1,2]"},
        {"[label $l | [1, (2 | break $l)]], [4]", "null", "[] | [4]"},
        {"[.[] as {a: $x, b: [$y]} | [$x, $y]]", R"([{"a":1,"b":[2]}])", "[[1,2]]"},
        {". as {$a, b: $c} | [$a, $c]", R"({"a":1,"b":3})", "[1,3]"},
        {". as {$a: [$b]} | [$a, $b]", R"({"a":[1]})", "[[1],1]"},
        {"[. as {(\"a\",\"b\"): $x} | $x]", R"({"a":1,"b":3})", "[1,3]"},
        {"[.[] as [$a] ?// $a | $a]", "[[1],2]", "[1,2]"},
        {"[.[] as [$a] ?// $a | if $a == 1 then error(\"z\") else $a end]", "[[1],[2]]", "[[1],2]"},
        {"[[[3]] | .[] as [$a] ?// {a: $a} | if $a == 3 then error(\"no\") else $a end]", "null",
         R"(error: Cannot index array with string ("a"))"},
        {"1 as $x | 2 as $y | [$x, $y, (3 as $x | $x), $x]", "null", "[1,2,3,1]"},
        {"[(1, 2) as $x | (3, 4) as $y | [$x, $y]]", "null", "[[1,3],[1,4],[2,3],[2,4]]"},
        {"$__loc__", "null", R"({"file":"<top-level>","line":1})"},
        {"$ENV, env", "null", "{} | {}"},
    }));

INSTANTIATE_TEST_SUITE_P(
    Functions, Language,
    ::testing::ValuesIn(std::initializer_list<Row>{
        {"def f: . + 1; f | f", "1", "3"},
        {"def f(g): [g, g]; f(.a)", R"({"a":1})", "[1,1]"},
        {"def f($a; $b): $a + $b; f(1, 2; 10, 20)", "null", "11 | 21 | 12 | 22"},
        {"def f($a): a + $a; f(1, 2)", "null", "2 | 3 | 3 | 4"},
        {"def f(g): def h: g; h | h; f(. * 2)", "3", "12"},
        {"def fac: if . == 1 then 1 else . * (. - 1 | fac) end; [.[] | fac]", "[1,5,10]",
         "[1,120,3628800]"},
        {"def f(g): g | g; [f(., . + 10)]", "1", "[1,11,11,21]"},
        {"def f: def g: 3; g; f", "null", "3"},
        {"def f(x): x | x | x; 2 | f(. * .)", "null", "256"},
        {"def f: 1; def g: f + 1; def f: 10; g + f", "null", "12"},
        {"def f(a): 1; def f(a; b): 2; [f(0), f(0; 0)]", "null", "[1,2]"},
        {"[recurse(if . < 3 then . + 1 else empty end)]", "0", "[0,1,2,3]"},
        {"[limit(5; repeat(1))]", "null", "[1,1,1,1,1]"},
        {"[.[] | until(. > 100; . * 2)]", "[1,60]", "[128,120]"},
        {"[1 | while(. < 50; . * 3)]", "null", "[1,3,9,27]"},
        {"def f: if . >= 100000 then . else . + 1 | f end; 0 | f", "null", "100000"},
        {"[range(0, 1; 3, 4)]", "null", "[0,1,2,0,1,2,3,1,2,1,2,3]"},
        {"[range(0; 10; 3)], [range(5; 0; -2)]", "null", "[0,3,6,9] | [5,3,1]"},
        {"[pow(2, 3; 1, 2)]", "null", "[2,3,4,9]"},
        {"any, all", "[true,false]", "true | false"},
        {"any, all", "[]", "false | true"},
        {"any(.[]; . > 2), all(. > 0)", "[1,2,3]", "true | true"},
        {"[.[] | select(. > 1)]", "[1,2,3]", "[2,3]"},
        {"[.[] | select(true, true)]", "[1]", "[1,1]"},
        {"map(. * 2), map_values(. + 1)", "[1,2]", "[2,4] | [2,3]"},
        {"map_values(empty)", R"({"a":1})", "{}"},
        {"isempty(empty), isempty(1, error(\"x\"))", "null", "true | false"},
        {"[splits(\", *\")]", R"("a,b, c")", R"(["a","b","c"])"},
        {"with_entries(.value += 1)", R"({"a":1})", R"({"a":2})"},
        {"to_entries", R"({"b":1,"a":2})", R"([{"key":"a","value":2},{"key":"b","value":1}])"},
        {"[1,[2]] | getpath([1,0])", "null", "2"},
        {"[paths]", R"({"a":[1]})", R"([["a"],["a",0]])"},
    }));

// Appendix A12 and A16 of the format's specification, as far as they are the engine's.
INSTANTIATE_TEST_SUITE_P(
    Definitions, Language,
    ::testing::ValuesIn(std::initializer_list<Row>{
        {"(.status.stage) | tostring", R"({"status":{"stage":"up"}})", R"("up")"},
        {"(.status.stage == \"up\") | tostring", R"({"status":{"stage":"up"}})", R"("true")"},
        {"(.status.notes | length) | tostring", R"({"status":{"notes":[1]}})", R"("1")"},
        {"(.status.stage) | tostring", "{}", R"("null")"},
        {"[.[] | tostring]", R"([3,1.5,"a",true,null,{"b":1,"a":[2]}])",
         R"(["3","1.5","a","true","null","{\"a\":[2],\"b\":1}"])"},
        {"[1e21, 1e-7, 100000000000000000000, -0.0] | map(. * 1 | tostring)", "null",
         R"(["1e+21","1e-7","100000000000000000000","-0"])"},
        {".metadata.labels | has(\"app\")", R"({"metadata":{"labels":{"app":"x"}}})", "true"},
        {".metadata.labels.gone == \"x\"", R"({"metadata":{"labels":{"app":"x"}}})", "false"},
        {"[.status.conditions[]? | select(.type == \"Completed\" and .status == \"True\")] | "
         "length > 0",
         R"({"status":{"conditions":[{"type":"Completed","status":"True"}]}})", "true"},
        {"[.status.conditions[]? | select(.type == \"Completed\")] | length > 0", "{}", "false"},
        {"[.a[] | select(.x == 1)][0]", R"({"a":[{"x":2}]})", "null"},
        {".spec.l | index(\"x\") | not", R"({"spec":{"l":["x"]}})", "false"},
    }));

TEST(Program, ReadsTheWholeInputWhereItsPathsAreTooMany) {
  std::string source = ".";
  for (int i = 0; i < 40; ++i) source += " | (.a, .b)";
  auto program = Program::Compile(source);
  ASSERT_TRUE(program);
  EXPECT_FALSE(program->FindInputPaths().has_value());
}

TEST(Evaluator, NamesTheFailingPartOfTheSource) {
  auto program = Program::Compile(".a | .b | length, (.c.d.e | keys)");
  ASSERT_TRUE(program);
  Arena arena;
  Evaluator evaluator(arena);
  auto input = json::Read(R"({"a":{"b":"x","c":{"d":5}}})", arena);
  ASSERT_TRUE(input);
  auto results = evaluator.All(*program, *input);
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().code(), Code::kEvaluation);
  ASSERT_TRUE(results.error().range().has_value());
  EXPECT_THAT(program->source().substr(results.error().range()->begin),
              ::testing::StartsWith(".c.d.e"));
}

TEST(Evaluator, BindsGlobalVariables) {
  constexpr std::string_view kNames[] = {"one", "other"};
  CompileOptions options;
  options.variables = kNames;
  auto program = Program::Compile("[$one, $other.a, .]", options);
  ASSERT_TRUE(program) << program.error().Describe();
  Arena arena;
  Evaluator evaluator(arena);
  auto other = json::Read(R"({"a":2})", arena);
  ASSERT_TRUE(other);
  json::Value values[] = {json::Value::Int(1), *other};
  auto results = evaluator.All(*program, json::Value::Int(3), values);
  ASSERT_TRUE(results);
  ASSERT_EQ(results->size(), 1u);
  EXPECT_EQ(json::ToJson((*results)[0]), "[1,2,3]");
}

TEST(Evaluator, StopsWhenTheSinkHasEnough) {
  auto program = Program::Compile("1, error(\"not reached\")");
  ASSERT_TRUE(program);
  Arena arena;
  Evaluator evaluator(arena);
  auto first = evaluator.First(*program, json::Value());
  ASSERT_TRUE(first);
  ASSERT_TRUE(first->has_value());
  EXPECT_EQ((*first)->as_int(), 1);
}

TEST(Evaluator, TracesWhatEachPartGivesAndWhereItIsFrom) {
  class Log final : public Tracer {
   public:
    explicit Log(std::string_view source) : source_(source) {}
    void Enter(SourceRange part) override { CatTo(text, '(', Of(part), ' '); }
    void Leave(SourceRange part, const json::Value& value, const json::Value* path) override {
      CatTo(text, Of(part), '=', Told(value, path), ") ");
    }
    void Yield(const json::Value& value, const json::Value* path) override {
      CatTo(text, "=> ", Told(value, path), '\n');
    }
    std::string text;

   private:
    std::string_view Of(SourceRange part) const {
      return source_.substr(part.begin, part.end - part.begin);
    }
    static std::string Told(const json::Value& value, const json::Value* path) {
      return Cat(json::ToJson(value), path == nullptr ? "" : " at ",
                 path == nullptr ? std::string() : json::ToJson(*path));
    }
    std::string_view source_;
  };
  auto trace = [](std::string_view source, std::string_view input) {
    Arena arena;
    Evaluator evaluator(arena);
    auto program = Program::Compile(source);
    Log log(source);
    auto done = evaluator.Trace(*program, *json::Read(input, arena), log);
    if (!done) CatTo(log.text, "error: ", done.error().message());
    return log.text;
  };
  EXPECT_EQ(
      trace(".a[] | select(. > 1)", R"({"a": [1, 2]})"),
      "(.a[] (.a .a=[1,2] at [\"a\"]) .a[]=1 at [\"a\",0]) (select(. > 1) (. > 1 . > 1=false) "
      ".a[]=2 at [\"a\",1]) (select(. > 1) (. > 1 . > 1=true) select(. > 1)=2 at [\"a\",1]) "
      "=> 2 at [\"a\",1]\n");
  EXPECT_EQ(trace("{b: .} | .b.a", R"({"a": 1})"),
            "({b: .} {b: .}={\"b\":{\"a\":1}}) (.b.a (.b .b={\"a\":1}) .b.a=1) => 1\n")
      << "what was computed has no path, and may be gone into";
  EXPECT_EQ(trace(".a | path(.b)", R"({"a": {}})"),
            "(.a .a={} at [\"a\"]) (path(.b) (.b .b=null at [\"a\",\"b\"]) path(.b)=[\"b\"]) "
            "=> [\"b\"]\n")
      << "paths begin at the input of the program, also within path()";
  EXPECT_EQ(trace(".a | error", R"({"a": "no"})"), "(.a .a=\"no\" at [\"a\"]) (error error: no");
}

TEST(Evaluator, TellsWhatAFailedProgramReadLast) {
  struct Case {
    std::string_view program;
    std::string_view input;
    std::string_view last_read;  // "" when nothing is told
  };
  constexpr Case kCases[] = {
      {".a.b.c", R"({"a":{"b":1}})", ".a.b"},
      {".a[] | .n | tonumber", R"({"a":[{"n":1},{"n":"x"}]})", ".a[1].n"},
      {"[.a[] | .n + 1]", R"({"a":[{"n":1},{"n":"x"}]})", ".a[1].n"},
      {"map(.x | ascii_downcase)", R"([{"x":"A"},{"x":1}])", ".[1].x"},
      {".a |= tonumber", R"({"a":"x"})", ".a"},
      {"path(.a | select(.b[0]))", R"({"a":{"b":1}})", ".a.b"},
      {".[\"k-1\"][1:] | keys", R"({"k-1":"abc"})", ".[\"k-1\"][1:]"},
      {"keys | .[0] | error", R"({"a":1})", ""},
      {"error(\"x\")", "1", ""},
  };
  for (const Case& row : kCases) {
    Arena arena;
    Evaluator evaluator(arena);
    auto program = Program::Compile(row.program);
    ASSERT_TRUE(program) << row.program;
    auto input = json::Read(row.input, arena);
    ASSERT_TRUE(input) << row.input;
    auto results = evaluator.All(*program, *input);
    ASSERT_FALSE(results) << row.program;
    const std::string message = results.error().message();
    Error told = evaluator.WithLastRead(std::move(results).error(), *program, *input);
    EXPECT_EQ(told.message(),
              row.last_read.empty() ? message : Cat(message, " (last read: ", row.last_read, ')'))
        << row.program;
    EXPECT_TRUE(told.range().has_value());
  }
}

TEST(Evaluator, GivesNoPartialResults) {
  auto program = Program::Compile("1, error(\"x\")");
  ASSERT_TRUE(program);
  Arena arena;
  Evaluator evaluator(arena);
  EXPECT_FALSE(evaluator.All(*program, json::Value()));
  EXPECT_TRUE(evaluator.All(*program, json::Value()).error().message() == "x");
}

struct Fault {
  std::string_view program;
  std::string_view message;
  std::string_view place;
};

TEST(Program, RefusesWhatDoesNotExist) {
  constexpr Fault kFaults[] = {
      {"1 | lenght", "did you mean length?", "lenght"},
      {"select(.a; .b)", "select/2", "select"},
      {"1 as $count | $cout", "did you mean $count?", "$cout"},
      {"break $x", "label $x", "break"},
      {"input", "not available", "input"},
      {"@basee64", "@basee64", "@basee64"},
      {"def f: g; 1", "g/0", "g"},
  };
  for (const Fault& fault : kFaults) {
    auto program = Program::Compile(fault.program);
    ASSERT_FALSE(program) << fault.program;
    EXPECT_EQ(program.error().code(), Code::kCompile) << fault.program;
    EXPECT_THAT(program.error().message(), HasSubstr(fault.message));
    ASSERT_TRUE(program.error().range().has_value()) << fault.program;
    EXPECT_THAT(fault.program.substr(program.error().range()->begin),
                ::testing::StartsWith(fault.place));
  }
}

TEST(Program, KnowsWhatItReads) {
  struct Reads {
    std::string_view program;
    std::string_view paths;  // "a.b,c"; "*" for the whole input
  };
  constexpr Reads kReads[] = {
      {".metadata.labels[\"a\"]", "metadata.labels.a"},
      {".metadata.labels.a // .metadata.annotations.b", "metadata.annotations.b,metadata.labels.a"},
      {".spec.template.spec, .spec.template", "spec.template"},
      {".status.conditions[] | select(.type == \"x\") | .status", "status.conditions"},
      {"any(.a.list[]?; .kind == \"x\" and .b)", "a.list"},
      {"all(.a, .b; .c)", "a,b"},
      {"any(.a[]; . == $__loc__)", "a"},
      {".a | any(.b)", "a"},
      {".a | map(.b) | all", "a"},
      {"any", "*"},
      {"isempty(.a.b[])", "a.b"},
      {"last(.a, .b).c", "a,b"},
      {".a | IN(\"x\", \"y\")", "a"},
      {"IN(.a.b; .c[])", "a.b,c"},
      {"any(.a.d; any(.b[]; .c))", "a.d"},
      {"def any(f; g): .; any(.a; .b)", "*"},
      {".", "*"},
      {"..", "*"},
      {"1 + 2", ""},
  };
  for (const Reads& row : kReads) {
    auto program = Program::Compile(row.program);
    ASSERT_TRUE(program) << row.program;
    std::string text;
    const auto read = program->FindInputPaths();
    if (!read) {
      text = "*";
    } else {
      std::vector<std::string> paths;
      for (const InputPath& path : *read) {
        std::string joined;
        for (const std::string& key : path) joined += (joined.empty() ? "" : ".") + key;
        paths.push_back(joined);
      }
      std::sort(paths.begin(), paths.end());
      for (const std::string& path : paths) text += (text.empty() ? "" : ",") + path;
    }
    EXPECT_EQ(text, row.paths) << row.program;
  }
}

}  // namespace
}  // namespace wmap::expr
