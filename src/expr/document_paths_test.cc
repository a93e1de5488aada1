// What an expression goes to is found through everything that the language has.
#include "expr/document_paths.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace wmap::expr {
namespace {

// ".a[].b .c": the paths with blanks between them.
std::string PathsOf(std::string_view source) {
  auto program = Program::Compile(source);
  if (!program) return program.error().Describe();
  std::vector<std::string> texts;
  for (const DocumentPath& path : FindDocumentPaths(*program)) texts.push_back(PathText(path));
  return Join(texts, " ");
}

struct Case {
  std::string_view source;
  std::string_view paths;
};

void Check(const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(PathsOf(c.source), c.paths) << c.source;
}

TEST(DocumentPaths, Steps) {
  Check({
      {".", ""},
      {"1 + 2", ""},
      {".a.b?", ".a.b"},
      {".a, .a.b", ".a.b"},
      {".metadata.labels[\"a/b\"]", ".metadata.labels[\"a/b\"]"},
      {".a[0].b", ".a[].b"},
      {".a[-1:][].b", ".a[].b"},
      {".[].x", ".[].x"},
      {".a[.k].b", ".a[].b .k"},
      {".a[\"x\", \"y\"]", ".a.x .a.y"},
      {"\"n: \\(.n)\"", ".n"},
      {"-.a", ".a"},
      {"try .a.b catch .c", ".a.b"},
  });
}

TEST(DocumentPaths, GoThroughFiltersAndBranches) {
  Check({
      {".c[]? | select(.type == \"x\") | .status", ".c[].status .c[].type"},
      {".a // .b | .c", ".a.c .b.c"},
      {"(.a // {}).b // 1", ".a.b"},
      {"if .a == 1 then .b elif .c then .d else .e end | .f", ".a .b.f .c .d.f .e.f"},
      {"if .a then .b end | .f", ".a .b.f .f"},
      {".a | map(.b) | add", ".a[].b"},
      {"[.a[] | .b] | map(.c)", ".a[].b.c"},
      {"any(.a[]?; .x == 1 and .y)", ".a[].x .a[].y"},
      {".a | all(.x)", ".a[].x"},
      {"first(.a[] | select(.x)).y", ".a[].x .a[].y"},
      {"[limit(3; .a[])] | last.x", ".a[].x"},
      {".a | sort_by(.k)[0].v", ".a[].k .a[].v"},
      {".a | group_by(.k)[] | .[0].v", ".a[].k .a[].v"},
      {".a | max_by(.k).v", ".a[].k .a[].v"},
      {"[[.a[]], [.b]] | flatten | .[].x", ".a[].x .b.x"},
      {".a | has(\"x\")", ".a.x"},
      {".a | keys[] as $k | .[$k].x", ".a[].x"},
      {".x as $x | .a | contains($x)", ".a .x"},
      {".a | del(.b)", ".a.b"},
      {"[.a, .b] | max.c", ".a.c .b.c"},
      {".a | IN(.b[]; .c)", ".a.b[] .a.c"},
  });
}

TEST(DocumentPaths, GoThroughWhatIsPutTogether) {
  Check({
      {"{x: .a, y: .b} | .x.c", ".a.c .b"},
      {"{a, \"b\"} | .a.c", ".a.c .b"},
      {".a as $x | {$x} | .x.c", ".a.c"},
      {"{(\"x\", \"y\"): .a} | .y.c", ".a.c"},
      {"{(.k): .a} | .z.c", ".a.c .k"},
      {"({x: .a} + {y: .b}) | .y.c", ".a .b.c"},
      {".a | . + {x: .b} | .x.c, .y", ".a.b.c .a.y"},
      {"{x: .a} + .b | .x.c", ".a.c .b.x.c"},
      {".a | . + (if .k then {x: .b} else {} end) | .x", ".a.b .a.k .a.x"},
      {".a | . + (if .k then {x: .b} else null end) | .x", ".a.b .a.k .a.x"},
      {"{x: .a} + {y: .b} | .x.c, .y.d", ".a.c .b.d"},
      {"{x: .a} | {x: .x.y, z: .x} | .x.c, .z.d", ".a.d .a.y.c"},
      {"[.a, {x: .b}] | add | .x", ".a.x .b"},
      {"([.a] + .b)[].c", ".a.c .b[].c"},
      {".a | to_entries[] | .key, .value.x", ".a[].x"},
      {".a | with_entries(.value |= .x) | .k", ".a[].x.."},
      {".a | map({key: .n, value: .v}) | from_entries | .k.w", ".a[].n .a[].v.w"},
      {"INDEX(.a[]; .n) | .k.v", ".a[].n .a[].v"},
      {".a | map_values(.x).k.y", ".a[].x.y"},
  });
}

TEST(DocumentPaths, GoThroughNames) {
  Check({
      {".a as $x | .b | $x.c", ".a.c .b"},
      {".a[] as [$x, {k: $y}] | $x.l, $y.m", ".a[][].k.m .a[][].l"},
      {".a as {$x, (\"y\"): $z} | $x.l, $z.m", ".a.x.l .a.y.m"},
      {".a as [$x] ?// $x | $x.l", ".a.l .a[].l"},
      {"\"k\" as $k | .a[$k]", ".a.k"},
      {"def f: .x; .a | f.y", ".a.x.y"},
      {"def f($t): any(.c[]?; .type == $t); f(\"x\")", ".c[].type"},
      {"def f(g): .a | g; .b | f(.x)", ".b.a.x"},
      {"def f($k): .a[$k]; f(\"x\"), f(\"y\")", ".a.x .a.y"},
      {"def f(g): g.x; def g: .b; f(f(g))", ".b.x.x"},
      {". as $top | .a[] | $top.b[.k]", ".a[].k .b[]"},
  });
}

TEST(DocumentPaths, GoThroughLoops) {
  Check({
      {"reduce .a[] as $x (0; . + $x.n)", ".a[].n"},
      {"reduce .a[] as $x ([]; if any(.[]; .k == $x.k) then . else . + [$x] end) | .[].v",
       ".a[].k .a[].v"},
      {"foreach .a[] as $x ({}; {last: $x}; .last.v)", ".a[].v"},
      {"label $out | .a[] | if .x then ., break $out else empty end | .y", ".a[].x .a[].y"},
      {".a[] | until(.x; .)", ".a[].x"},
  });
}

TEST(DocumentPaths, SayThatMoreIsBelowWhereTheWayIsComputed) {
  Check({
      {".a | ..", ".a.."},
      {".a | getpath([.k])", ".a.k .a.."},
      {".a | getpath([\"k\"]) | .[].x", ".a.."},
      {".a | recurse(.next) | .v", ".a.."},
      {".a | [paths]", ".a.."},
      {"reduce (.k | split(\".\")[]) as $s (.a; .[$s]) | .x", ".a.. .k"},
      {"def f: .n | f; .a | f", ".a.n.n.n.n.n.n.."},
  });
}

TEST(ResultPaths, AreWhatIsGivenOfTheInput) {
  auto results = [](std::string_view source) {
    auto program = Program::Compile(source);
    if (!program) return program.error().Describe();
    std::vector<std::string> texts;
    for (const DocumentPath& path : FindResultPaths(*program)) texts.push_back(PathText(path));
    return Join(texts, " ");
  };
  EXPECT_EQ(results("."), ".");
  EXPECT_EQ(results(".a[] | select(.b) | .c // 1"), ".a[].c");
  EXPECT_EQ(results(".a, .a.b"), ".a .a.b");
  EXPECT_EQ(results("{x: .a, y: [.b[]]}"), ".a .b[]");
  EXPECT_EQ(results(".a | length"), "");
  EXPECT_EQ(results(".a | getpath([.k])"), ".a..");
}

TEST(DocumentPaths, StopAtABudget) {
  std::string wide = ".";
  for (int i = 0; i < 40; ++i) wide += " | (.a, .b)";
  EXPECT_EQ(PathsOf(wide), "..");
  std::string calls = ".";
  for (int i = 0; i < 40; ++i)
    calls = Cat("def f", i, ": (", calls, ") | (.a, .b); f", i, ", f", i);
  EXPECT_EQ(PathsOf(calls), "..");
  std::string texts;
  for (int i = 0; i < 20'000; ++i) texts += Cat(i == 0 ? "" : ", ", "\"k", i, "\"");
  EXPECT_EQ(PathsOf(Cat(".a[", texts, "]")), "..");
  std::string names;
  for (int i = 0; i < 6'000; ++i) names += Cat("def f", i, ": ", i == 0 ? "." : "f0", "; ");
  EXPECT_EQ(PathsOf(Cat("reduce (", names, ".a) as $x (.; .)")), ".a");
}

// Each level holds the one below twice: as a tree it would be too large to look at.
TEST(DocumentPaths, StopWhereValuesAreSharedManyTimes) {
  std::string shared = ".a";
  for (int i = 0; i < 60; ++i) shared += " | . as $d | {x: $d, y: $d}";
  EXPECT_EQ(PathsOf(Cat(shared, " | .x.y.x")), ".a");
  EXPECT_EQ(PathsOf(Cat("reduce .b[] as $i (", shared, "; $i | ", shared, ")")), "..");
}

TEST(DocumentPaths, StopAtADepth) {
  std::string nested = ".a";
  for (int i = 0; i < 200; ++i) nested = Cat("{x: ", nested, ", y: [", i, "]}");
  EXPECT_EQ(PathsOf(nested), ".a");
  std::string brackets = Cat(std::string(450, '['), ".a", std::string(450, ']'));
  EXPECT_EQ(PathsOf(brackets), ".a");
  // Deep functions in each other.
  std::string stacked;
  for (int i = 0; i < 30; ++i) {
    stacked += Cat("def f", i, ": ", std::string(400, '['), i == 0 ? ".a" : Cat("f", i - 1),
                   std::string(400, ']'), "; ");
  }
  EXPECT_EQ(PathsOf(Cat(stacked, "f29")), "..");
  EXPECT_EQ(PathsOf("def f(g): f(g | g) | f(g); .a | f(.b, .c)"), ".a..");
}

}  // namespace
}  // namespace wmap::expr
