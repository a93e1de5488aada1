#include "expr/syntax/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "base/text.h"
#include "expr/syntax/printer.h"

namespace wmap::expr {
namespace {

using ::testing::HasSubstr;

// The tree with every group in parentheses, or the error with its place.
std::string Shape(const Syntax& syntax, NodeId id) {
  const Node& node = syntax.node(id);
  auto list = [&](std::string_view separator) {
    std::string text;
    for (NodeId item : syntax.list(node)) {
      if (!text.empty()) text += separator;
      text += Shape(syntax, item);
    }
    return text;
  };
  switch (node.kind) {
    case NodeKind::kBinary:
      return Cat("(", Shape(syntax, node.a), " ", OperatorText(node.op), " ", Shape(syntax, node.b),
                 ")");
    case NodeKind::kNegate:
      return Cat("(-", Shape(syntax, node.a), ")");
    case NodeKind::kPipe:
      return Cat("(", list(" | "), ")");
    case NodeKind::kComma:
      return Cat("(", list(", "), ")");
    case NodeKind::kTry:
      if (node.b != kNoNode)
        return Cat("(try ", Shape(syntax, node.a), " catch ", Shape(syntax, node.b), ")");
      return node.is_step ? Cat(Shape(syntax, node.a), "?")
                          : Cat("(try ", Shape(syntax, node.a), ")");
    case NodeKind::kBind:
      return Cat("(", Shape(syntax, node.a), " as ", list(" ?// "), " | ", Shape(syntax, node.b),
                 ")");
    case NodeKind::kDefine:
      return Cat("(", list(" "), " ", Shape(syntax, node.a), ")");
    default:
      return Print(syntax, id);
  }
}

std::string ShapeOf(std::string_view source) {
  Result<Syntax> syntax = Parse(source);
  if (syntax) return Shape(*syntax, syntax->root());
  EXPECT_TRUE(syntax.error().range().has_value()) << source;
  SourceRange range = syntax.error().range().value_or(SourceRange());
  return Cat(range.begin, "-", range.end, ": ", syntax.error().message());
}

struct Row {
  std::string_view source;
  std::string_view shape;
};

TEST(Parser, BindsOperatorsAsJqDoes) {
  constexpr Row kRows[] = {
      {"1, 2 | 3, 4", "((1, 2) | (3, 4))"},
      {"1 // 2 // 3", "(1 // (2 // 3))"},
      {"1 // 2, 3", "((1 // 2), 3)"},
      {".x // 1 | tonumber", "((.x // 1) | tonumber)"},
      {".a // .b == 1", "(.a // (.b == 1))"},
      {".a = .b // 1", "((.a = .b) // 1)"},
      {".a // .b = 1", "(.a // (.b = 1))"},
      {".a |= .b or .c", "(.a |= (.b or .c))"},
      {"1 or 2 and 3", "(1 or (2 and 3))"},
      {"1 and 2 or 3", "((1 and 2) or 3)"},
      {"1 and 2 == 3", "(1 and (2 == 3))"},
      {"1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"},
      {"8 / 4 % 3", "((8 / 4) % 3)"},
      {"1 + 2 < 3 * 4", "((1 + 2) < (3 * 4))"},
      {"-1 * 2", "((-1) * 2)"},
      {"-.a.b", "(-.a.b)"},
      {"1 - -1", "(1 - (-1))"},
      {"- - 1", "(-(-1))"},
      {".a-b", "(.a - b)"},
      {"A | any(.x; . ) and all(.)", "(A | (any(.x; .) and all(.)))"},
  };
  for (const Row& row : kRows) EXPECT_EQ(ShapeOf(row.source), row.shape) << row.source;
}

TEST(Parser, BindingsAndDefinitionsReachToTheEnd) {
  constexpr Row kRows[] = {
      {"1 as $x | 2 , 3 | 4", "(1 as $x | ((2, 3) | 4))"},
      {"1, 2 as $x | 3", "(1, (2 as $x | 3))"},
      {"1 + 2 as $x | 3", "((1 + 2) as $x | 3)"},
      {"-1 as $x | $x", "((-1) as $x | $x)"},
      {"(1 as $x | 2) as $y | 3", "((1 as $x | 2) as $y | 3)"},
      {"1, def f: 2; f, 3", "(1, (def f: 2; (f, 3)))"},
      {". as [$a] ?// $b | 1", "(. as [$a] ?// $b | 1)"},
  };
  for (const Row& row : kRows) EXPECT_EQ(ShapeOf(row.source), row.shape) << row.source;
}

TEST(Parser, TryBindsTightly) {
  constexpr Row kRows[] = {
      {"try 1 + 2", "((try 1) + 2)"},
      {"try error(\"x\") // 1", "((try error(\"x\")) // 1)"},
      {"try .a.b catch .c.d", "(try .a.b catch .c.d)"},
      {"try -1", "(try (-1))"},
      {"-try 1 catch 2", "(-(try 1 catch 2))"},
      {"try try 1 catch 2 catch 3", "(try (try 1 catch 2) catch 3)"},
      {"try 1 catch 2 | 3", "((try 1 catch 2) | 3)"},
  };
  for (const Row& row : kRows) EXPECT_EQ(ShapeOf(row.source), row.shape) << row.source;
}

TEST(Parser, TellsTheSilencedStepFromTheSilencedTerm) {
  constexpr Row kRows[] = {
      {".a.b?", ".a.b?"},
      {"(.a.b)?", "(try .a.b)"},
      {"try .a.b", "(try .a.b)"},
      {".a[]?", ".a[]?"},
      {".a.b??", "(try .a.b?)"},
      {".a?.b", ".a?.b"},
      {"error(\"x\")?", "(try error(\"x\"))"},
      {"(.a).b?", ".a.b?"},
      {"..?", "(try ..)"},
  };
  for (const Row& row : kRows) EXPECT_EQ(ShapeOf(row.source), row.shape) << row.source;
}

TEST(Parser, KnowsEveryWayToNameAPart) {
  constexpr Row kRows[] = {
      {".a.b", ".a.b"},
      {". .a", ".a"},
      {".\"a\"", ".a"},
      {".\"a b\".c", ".\"a b\".c"},
      {".[\"a\"]", ".[\"a\"]"},
      {".a.[0]", ".a[0]"},
      {".a.[].b", ".a[].b"},
      {".a.\"b\"?", ".a.b?"},
      {".and.if.end", ".and.if.end"},
      {".[1:]", ".[1:]"},
      {".[:-1]", ".[:-1]"},
      {".[1:2]", ".[1:2]"},
      {".a.[1:2]", ".a[1:2]"},
      {".[1,2]", ".[1, 2]"},
      {"..[0]", "..[0]"},
      {".. .a", "...a"},
      {"\"abc\"[1:]", "\"abc\"[1:]"},
      {"[1][0]", "[1][0]"},
      {"{a:1}.a", "{a: 1}.a"},
      {"(1).a", "(1).a"},
      {".\"a\\(1)\"", ".[\"a\\(1)\"]"},
      {".@base64 \"x\"", ".[@base64 \"x\"]"},
  };
  for (const Row& row : kRows) EXPECT_EQ(ShapeOf(row.source), row.shape) << row.source;
}

TEST(Parser, KnowsEveryFormOfObjects) {
  constexpr Row kRows[] = {
      {"{}", "{}"},
      {"{a:1,}", "{a: 1}"},
      {"{a, $x, \"b c\", if, @json \"d\"}", "{a, x: $x, \"b c\", if, @json \"d\"}"},
      {"{$x: 1}", "{($x): 1}"},
      {"{(1,2|tostring): 3}", "{(1, 2 | tostring): 3}"},
      {"{\"a\\(1)\": 2}", "{\"a\\(1)\": 2}"},
      {"{a: 1 | 2, b: -1}", "{a: 1 | 2, b: -1}"},
      {"{a: 1 + 2 // 3}", "{a: 1 + 2 // 3}"},
      {"{a: (1, 2)}", "{a: (1, 2)}"},
      {"{$__loc__}", "{__loc__: $__loc__}"},
      {"{a: if . then 1 else 2 end}", "{a: if . then 1 else 2 end}"},
      {"{a: reduce . as $x (0; 1)}", "{a: reduce . as $x (0; 1)}"},
  };
  for (const Row& row : kRows) EXPECT_EQ(ShapeOf(row.source), row.shape) << row.source;
}

TEST(Parser, KnowsControlAndPatterns) {
  constexpr std::string_view kSame[] = {
      "if . then 1 end",
      "if . then 1 elif 2 then 3 else 4 end",
      "reduce .[] as [$a, {b: $c}] (0; . + $a)",
      "foreach .[] as $x (0; 1)",
      "foreach .[] as $x (0; 1; 2)",
      "foreach .[] as $x (0; 1).a",
      "label $out | 1, break $out",
      "def f: 1; def g(f; $x): f + $x; g(f; 2)",
      ". as {a: $x, \"b c\": $y, (\"d\", \"e\"): $z, $w, $v: [$u]} | 1",
      ". as {\"a\\(1)\": $x} | 1",
      "\"a\\(1 + \"b\\(2)c\")d\"",
      "@base64 \"x\\(.)y\"",
      "@html",
      "$__loc__",
      "$ENV.PATH",
      "f(def g: 1; g)",
  };
  for (std::string_view source : kSame) {
    Result<Syntax> syntax = Parse(source);
    ASSERT_TRUE(syntax.has_value()) << source << ": " << syntax.error().message();
    EXPECT_EQ(Print(*syntax), source);
  }
}

TEST(Parser, KeepsDigitsAndWritesNumbersAsJson) {
  constexpr Row kRows[] = {
      {"100000000000000000000000", "100000000000000000000000"},
      {"1.10", "1.10"},
      {"007", "7"},
      {"0", "0"},
      {"000", "0"},
      {".5", "0.5"},
      {"5.", "5"},
      {"1.e3", "1e3"},
      {"1E+3", "1E+3"},
      {"00.50", "0.50"},
      {"0e1", "0e1"},
  };
  for (const Row& row : kRows) EXPECT_EQ(ShapeOf(row.source), row.shape) << row.source;
}

TEST(Parser, DecodesStrings) {
  constexpr Row kRows[] = {
      {R"("\u00e9\ud83d\ude00\n\/")", "\u00e9\U0001F600\n/"},
      {R"("\ud83d")", "\uFFFD"},
      {R"("\ude00\ud83dx")", "\uFFFD\uFFFDx"},
      {"\"tab\tline\n\"", "tab\tline\n"},
      {R"("\u0000x")", std::string_view("\0x", 2)},
  };
  for (const Row& row : kRows) {
    Result<Syntax> syntax = Parse(row.source);
    ASSERT_TRUE(syntax.has_value()) << row.source;
    EXPECT_EQ(syntax->node(syntax->root()).text, row.shape) << row.source;
  }
}

TEST(Parser, EndsCommentsAtLinesUnlessTheBackslashIsOdd) {
  EXPECT_EQ(ShapeOf("1 # a\n+ 2"), "(1 + 2)");
  EXPECT_EQ(ShapeOf("1 # a \\\n+ 2"), "1");
  EXPECT_EQ(ShapeOf("1 # a \\\\\n+ 2"), "(1 + 2)");
  EXPECT_EQ(ShapeOf("1 # a \\\\\\\n+ 2"), "1");
  EXPECT_EQ(ShapeOf("1 # a \\\r\n+ 2"), "1");
  EXPECT_EQ(ShapeOf("1 # a\r\n+ 2"), "(1 + 2)");
  EXPECT_EQ(ShapeOf("\"# no\" # yes"), "\"# no\"");
}

TEST(Parser, KnowsWhereEachNodeStands) {
  Result<Syntax> syntax = Parse("  .a +  (.b.cc | f(1))");
  ASSERT_TRUE(syntax.has_value());
  const Node& sum = syntax->node(syntax->root());
  EXPECT_EQ(sum.begin, 2u);
  EXPECT_EQ(sum.end, 22u);
  EXPECT_EQ(sum.place, 5u);
  const Node& pipe = syntax->node(sum.b);
  EXPECT_EQ(pipe.begin, 9u);
  EXPECT_EQ(pipe.end, 21u);
  const Node& field = syntax->node(syntax->list(pipe)[0]);
  EXPECT_EQ(field.begin, 9u);
  EXPECT_EQ(field.end, 14u);
  EXPECT_EQ(field.place, 12u);
  EXPECT_EQ(syntax->line(21), 1u);
  EXPECT_EQ(Parse("1 |\n\n2")->line(5), 3u);
}

struct Fault {
  std::string_view source;
  std::string_view place;
  std::string_view part;
};

TEST(Parser, ErrorsSayWhatWasFoundAndExpectedAndWhere) {
  constexpr Fault kFaults[] = {
      {"", "0-0", "expected an expression, found the end of the expression; the input itself"},
      {"def f: 1;", "9-9", "an expression after the definitions"},
      {"1 +", "3-3", "expected an expression, found the end"},
      {".a &&  .b", "3-5", "write `and`"},
      {".a || .b", "3-5", "write `or`"},
      {".a === 1", "3-6", "equality is written `==`"},
      {"!.a", "0-1", "| not"},
      {".['a']", "2-3", "double quotes"},
      {".[\u201Ca\u201D]", "2-5", "plain double quotes"},
      {"if .a = 1 then 2 else 3", "23-23", "`end` for the `if` at byte 1"},
      {"if . then 1 else if . then 2 else 3 end", "39-39", "write `elif`"},
      {"if . else 1 end", "5-9", "`then` after the condition of the `if`"},
      {"1 == 2 == 3", "7-9", "do not chain"},
      {".a = .b = 1", "8-9", "do not chain"},
      {"(1 | 2", "6-6", "`)` for the `(` at byte 1"},
      {"[1, 2", "5-5", "`]` for the `[` at byte 1"},
      {"{a: 1 b: 2}", "6-7", "`,` or `}` for the `{` at byte 1"},
      {"1)", "1-2", "nothing is open"},
      {"{1: 2}", "1-2", "write \"1\""},
      {"{(1)}", "4-5", "`:` and a value"},
      {"{a: . as $x | 1}", "6-8", "put ( ) around the value"},
      {"1 + def f: 1; f", "4-7", "put ( ) around it"},
      {".a b", "3-4", "joined by `|`"},
      {".a.1", "2-4", "[0]"},
      {".$x", "1-3", "`|`, `,` or the end"},
      {".a.$x", "3-5", "write .[$name]"},
      {".a?//1", "2-5", "with a space"},
      {". as x | 1", "5-6", "written with `$`"},
      {". as [] | 1", "6-7", "a variable `$name` or a pattern"},
      {"f()", "2-3", "without ( )"},
      {"f(1, 2) | g(1 2)", "14-15", "`)` for the `(` at byte 12"},
      {"def f(a, b): 1; 2", "7-8", "separated by `;`"},
      {"reduce .[] ($x; 1)", "11-12", "`as $name`"},
      {"label x | 1", "6-7", "`$name` after `label`"},
      {"break", "5-5", "`$name` of a label"},
      {"import \"a\" as a; 1", "0-6", "modules are not supported"},
      {"include \"a\"; 1", "0-7", "modules are not supported"},
      {".a; 1", "2-3", "joined by `,`"},
      {"\"abc", "0-4", "no closing"},
      {"\"a\\(1", "5-5", "`)` for the `\\(`"},
      {"\"\\x\"", "1-3", "unknown escape"},
      {"\"\\u12\"", "1-3", "four hexadecimal digits"},
      {"\"\\", "1-2", "unknown escape"},
      {".[:]", "3-4", "a bound of the slice"},
      {".[1:2:3]", "5-6", "[from:to]"},
      {"\xff", "0-1", "not UTF-8"},
      {"\"\xc3\"", "1-2", "not UTF-8"},
      {"\u00e9", "0-2", "found `\u00e9`"},
  };
  for (const Fault& fault : kFaults) {
    std::string shape = ShapeOf(fault.source);
    EXPECT_THAT(shape, ::testing::StartsWith(Cat(fault.place, ": "))) << fault.source;
    EXPECT_THAT(shape, HasSubstr(fault.part)) << fault.source;
  }
}

std::string Times(int count, std::string_view text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(Parser, BoundsNesting) {
  struct Nest {
    std::string_view open, middle, close;
  };
  // Forms that nest in the source, and forms that nest only in the tree.
  constexpr Nest kNests[] = {
      {"(", ".", ")"},
      {"[", ".", "]"},
      {"{a:", ".", "}"},
      {"\"\\(", ".", ")\""},
      {"-", "1", ""},
      {"try ", "1", ""},
      {"if ", ".", " then . end"},
      {"f(", ".", ")"},
      {"1 as $x | ", ".", ""},
      {"1 // ", "1", ""},
      {"label $x | ", ".", ""},
      {"def f: 1; 1, ", ".", ""},
      {"reduce ", ".", " as $x (.; .)"},
      {"", ".", "[]"},
      {"", ".a", ".b"},
      {"", "1", " + 1"},
      {"", ".", "?"},
  };
  auto parse = [](const Nest& nest, int depth) {
    return Parse(Cat(Times(depth, nest.open), nest.middle, Times(depth, nest.close)));
  };
  for (const Nest& nest : kNests) {
    // Just below the limits; operators behind a term nest the tree alone.
    bool in_source = !nest.open.empty();
    int allowed = static_cast<int>(in_source ? kMaxSyntaxDepth / 2 : kMaxSyntaxDepth) - 2;
    Result<Syntax> deep = parse(nest, allowed);
    ASSERT_TRUE(deep.has_value()) << nest.open << nest.close << deep.error().message();
    EXPECT_FALSE(Print(*deep).empty());
    for (int depth : {10'000, 50'000}) {
      Result<Syntax> syntax = parse(nest, depth);
      ASSERT_FALSE(syntax.has_value()) << nest.open << nest.close;
      EXPECT_EQ(syntax.error().code(), Code::kLimit) << nest.open << syntax.error().message();
    }
  }
  for (std::string_view unclosed : {"(", "[{a:(\"\\("})
    EXPECT_EQ(Parse(Times(10'000, unclosed)).error().code(), Code::kLimit);
  std::string pattern = Cat(". as ", Times(10'000, "["), "$x", Times(10'000, "]"), " | .");
  ASSERT_FALSE(Parse(pattern).has_value());
  EXPECT_EQ(Parse(pattern).error().code(), Code::kLimit);
}

TEST(Parser, DoesNotCountLengthAsNesting) {
  EXPECT_TRUE(Parse(Cat(".", Times(20'000, " | ."))).has_value());
  EXPECT_TRUE(Parse(Cat("[1", Times(20'000, ", 1"), "]")).has_value());
  EXPECT_TRUE(Parse(Cat(Times(20'000, "def f: 1; "), "f")).has_value());
  EXPECT_TRUE(Parse(Cat("if 1 then 2", Times(20'000, " elif 1 then 2"), " end")).has_value());
}

TEST(Parser, BoundsTheSource) {
  std::string source = Cat("1", std::string(kMaxSourceBytes - 1, ' '));
  EXPECT_TRUE(Parse(source).has_value());
  source += ' ';
  ASSERT_FALSE(Parse(source).has_value());
  EXPECT_EQ(Parse(source).error().code(), Code::kLimit);
}

TEST(Syntax, StaysValidWhenMoved) {
  Result<Syntax> parsed = Parse(".abc | \"d\\u0065f\"");
  ASSERT_TRUE(parsed.has_value());
  std::string_view name = parsed->node(parsed->list(parsed->root())[0]).text;
  Syntax moved = std::move(*parsed);
  EXPECT_EQ(name, "abc");
  EXPECT_EQ(moved.node(moved.list(moved.root())[1]).text, "def");
}

}  // namespace
}  // namespace wmap::expr
