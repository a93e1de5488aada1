// Every budget holds at its limit and one beyond it, no program gets around them, and a stopped run
// says which one it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expr/evaluate.h"
#include "expr/run_for_test.h"

namespace wmap::expr {
namespace {

using ::testing::HasSubstr;

// A clock that moves by `step` each time it is read.
class SteppingClock : public Clock {
 public:
  explicit SteppingClock(std::int64_t step) : step_(step) {}
  std::int64_t MonotonicNanos() const override { return now_ += step_; }
  std::int64_t UnixSeconds() const override { return 1425599621; }

 private:
  std::int64_t step_;
  mutable std::int64_t now_ = 0;
};

struct Outcome {
  bool ok = false;
  Code code = Code::kInvalid;
  std::string message;
  std::uint64_t steps = 0;
  std::size_t bytes = 0;
};

Outcome RunWith(std::string_view source, const Limits& limits, std::string_view input = "null") {
  auto program = Program::Compile(source);
  EXPECT_TRUE(program) << source;
  Arena arena;
  auto value = json::Read(input, arena);
  Evaluator evaluator(arena, limits);
  auto done = evaluator.Run(*program, *value, [](const json::Value&) { return true; });
  Outcome outcome{done.has_value(), Code::kInvalid, "", evaluator.steps_used(),
                  evaluator.bytes_used()};
  if (!done) {
    outcome.code = done.error().code();
    outcome.message = done.error().message();
  }
  return outcome;
}

TEST(Budgets, ResultsFailWhenTheLimitIsReached) {
  Limits limits;
  limits.results = 5;
  EXPECT_TRUE(RunWith("range(4)", limits).ok);
  Outcome reached = RunWith("range(5)", limits);
  EXPECT_FALSE(reached.ok);
  EXPECT_EQ(reached.code, Code::kLimit);
  EXPECT_THAT(reached.message, HasSubstr("result"));
  EXPECT_FALSE(RunWith("range(100)", limits).ok);
  EXPECT_TRUE(RunWith("[range(100)][0:3][]", limits).ok);
  limits.results = 1;
  EXPECT_FALSE(RunWith("1", limits).ok);
  EXPECT_FALSE(RunWith(".a", limits).ok);
  EXPECT_TRUE(RunWith("empty", limits).ok);
}

TEST(Budgets, StepsHoldAtTheLimit) {
  constexpr std::string_view kProgram = "reduce range(1000) as $x (0; . + $x)";
  Limits limits;
  std::uint64_t used = RunWith(kProgram, limits).steps;
  EXPECT_GT(used, 1000u);
  limits.steps = used;
  EXPECT_TRUE(RunWith(kProgram, limits).ok);
  limits.steps = used - 1;
  Outcome stopped = RunWith(kProgram, limits);
  EXPECT_EQ(stopped.code, Code::kLimit);
  EXPECT_THAT(stopped.message, HasSubstr("step"));
}

TEST(Budgets, MemoryHoldsAtTheLimit) {
  constexpr std::string_view kProgram = "[range(1000)] | map([.]) | length";
  Limits limits;
  std::size_t used = RunWith(kProgram, limits).bytes;
  EXPECT_GT(used, 32000u);
  limits.bytes = used;
  EXPECT_TRUE(RunWith(kProgram, limits).ok);
  limits.bytes = used - 1;
  Outcome stopped = RunWith(kProgram, limits);
  EXPECT_EQ(stopped.code, Code::kLimit);
  EXPECT_THAT(stopped.message, HasSubstr("memory"));
}

TEST(Budgets, DepthHoldsAtTheLimit) {
  constexpr std::string_view kProgram = "def f: if . == 0 then 0 else 1 + (. - 1 | f) end; f";
  Limits limits;
  limits.depth = 100;
  EXPECT_TRUE(RunWith(kProgram, limits, "90").ok);
  Outcome stopped = RunWith(kProgram, limits, "110");
  EXPECT_EQ(stopped.code, Code::kLimit);
  EXPECT_THAT(stopped.message, HasSubstr("depth"));
}

TEST(Budgets, ALargePatternCostsAsManyStepsAsItTakes) {
  Limits limits;
  Outcome stopped = RunWith("(\"a\" * 1000000) | test(\"(a?){1000}b\")", limits);
  EXPECT_EQ(stopped.code, Code::kLimit);
  EXPECT_THAT(stopped.message, HasSubstr("step"));
  EXPECT_TRUE(RunWith("(\"a\" * 1000000) | test(\"^a+-[0-9]+$\") | not", limits).ok);
}

TEST(Budgets, AnErrorThatIsEndlessByAnyMeasureIsToldInShort) {
  Outcome failed = RunWith("reduce range(40) as $_ (1; [., .]) | error", {});
  EXPECT_EQ(failed.code, Code::kEvaluation);
  EXPECT_LT(failed.message.size(), 5000U);
}

TEST(Budgets, WallTimeIsReadFromTheClock) {
  Limits limits;
  SteppingClock slow(1'000'000);
  limits.clock = &slow;
  limits.wall_ns = 1'000'000;
  Outcome stopped = RunWith("[range(10000)] | map(. + 1) | length", limits);
  EXPECT_EQ(stopped.code, Code::kLimit);
  EXPECT_THAT(stopped.message, HasSubstr("time"));
  limits.wall_ns = 1'000'000'000'000;
  EXPECT_TRUE(RunWith("[range(10000)] | map(. + 1) | length", limits).ok);
}

TEST(Budgets, ACancelledRunStops) {
  std::atomic<bool> cancelled = true;
  Limits limits;
  limits.cancelled = &cancelled;
  Outcome stopped = RunWith("last(range(100000))", limits);
  EXPECT_FALSE(stopped.ok);
  EXPECT_EQ(stopped.code, Code::kCancelled);
}

TEST(Budgets, NothingCatchesThem) {
  Limits limits;
  limits.steps = 10000;
  EXPECT_EQ(RunWith("try last(range(100000)) catch 1", limits).code, Code::kLimit);
  EXPECT_EQ(RunWith("(last(range(100000)))?", limits).code, Code::kLimit);
  EXPECT_EQ(RunWith("1 as [$a] ?// $a | last(range(100000))", limits).code, Code::kLimit);
}

TEST(Budgets, TailCallsTakeConstantSpace) {
  Limits limits;
  limits.depth = 50;
  EXPECT_TRUE(RunWith("def f: if . > 10000 then . else . + 1 | f end; 0 | f", limits).ok);
  EXPECT_TRUE(RunWith("last(limit(10000; repeat(1)))", limits).ok);
  EXPECT_TRUE(RunWith("0 | until(. > 10000; . + 1)", limits).ok);
  EXPECT_TRUE(RunWith("[0 | while(. < 10000; . + 1)] | length", limits).ok);
  EXPECT_TRUE(RunWith("last(range(0; 10000; 1))", limits).ok);
  EXPECT_TRUE(RunWith("[0 | recurse(if . < 10000 then . + 1 else empty end)] | length", limits).ok);
  EXPECT_TRUE(RunWith("def f: if . > 10000 then . else first(., 1) + 1 | f end; 0 | f", limits).ok);
}

TEST(Budgets, AppendingIsLinearInMemory) {
  Limits limits;
  limits.bytes = 16 << 20;
  EXPECT_TRUE(RunWith("reduce range(100000) as $x ([]; . + [$x]) | length", limits).ok);
  EXPECT_TRUE(RunWith("reduce range(100000) as $x (\"\"; . + \"ab\") | length", limits).ok);
}

TEST(Budgets, UpdatingInALoopIsNotQuadratic) {
  Limits limits;
  limits.bytes = 64 << 20;
  EXPECT_TRUE(RunWith("reduce range(20000) as $x ({}; .[$x | tostring] = $x) | length", limits).ok);
  EXPECT_TRUE(RunWith("reduce range(20000) as $x ([]; .[$x] = $x) | length", limits).ok);
  EXPECT_TRUE(RunWith("[range(20000)] | .[] |= . + 1 | length", limits).ok);
  EXPECT_TRUE(RunWith("[range(20000)] | .[] += 1 | length", limits).ok);
  EXPECT_TRUE(RunWith("[range(20000)] | map_values(. + 1) | length", limits).ok);
  EXPECT_TRUE(RunWith("[range(20000)] | del(.[] | select(. % 2 == 0)) | length", limits).ok);
  EXPECT_TRUE(
      RunWith("reduce range(20000) as $x ({}; .[\"k\\($x % 100)\"] += 1) | length", limits).ok);
}

// Each of these would take all memory, all time or the native stack of a naive engine.
TEST(Budgets, HostileProgramsEnd) {
  constexpr std::string_view kPrograms[] = {
      "def f: f | f; f",
      "def f: [f]; f",
      "def f: f, f; f",
      "def f: 1 + f; f",
      "[repeat(1)]",
      "last(range(1e18))",
      "[range(1e9)]",
      "\"x\" * 1e15",
      "reduce range(100) as $i (\"x\"; . + .)",
      "reduce range(100) as $i ([1]; . + .)",
      "reduce range(100000) as $i (null; [.]) | tojson | length",
      "reduce range(100000) as $i (null; [.]) | flatten",
      "reduce range(100000) as $i (null; {a: .}) | . * . | [..] | length",
      "reduce range(100000) as $i (null; [.]) | . == . , (. < [[[[1]]]])",
      "reduce range(100000) as $i (null; [.]) | [paths] | length",
      "reduce range(100000) as $i (null; [.]) | walk(.)",
      "reduce range(100000) as $i (null; [.]) | [tostream] | length",
      "[limit(100000; repeat(\"a\"))] as $p | null | setpath($p; 1) | getpath($p)",
      "[limit(100000; repeat(\"a\"))] as $p | null | setpath($p; 1) | delpaths([$p]) | tojson",
      "[limit(30; repeat([1,2,3,4,5,6,7,8,9]))] | [combinations] | length",
      ".[1e300] = 1",
      ".[100000000] = 1",
      "[range(200000)] | sort_by(-.) | group_by(. % 7) | length",
      "[splits(\"a\"; null)]",
      "-9223372036854775808 | [. - 1, -., . / -1, . % -1, abs, tojson]",
      "[range(9223372036854775800; 1e19)] | length",
      "[.[-9223372036854775808]?, .[9223372036854775807:]?]",
      "\"x\" | ltrimstr(\"x\") * 9e18",
      "[limit(3; range(0; 1; 0))]",
      "implode?, ([1114112] | implode)?, ([-1] | implode)?, ([55296] | implode)?",
      "@text, @json, @html, @uri, @csv?, @tsv?, @sh, @base64, @base64d?",
  };
  for (std::string_view program : kPrograms) {
    Limits limits;
    limits.steps = 2'000'000;
    limits.bytes = std::size_t{64} << 20;
    limits.depth = 20000;
    auto compiled = Program::Compile(program);
    ASSERT_TRUE(compiled) << program << ": " << compiled.error().Describe();
    Outcome outcome = RunWith(program, limits);
    EXPECT_LE(outcome.steps, limits.steps) << program;
    EXPECT_LE(outcome.bytes, limits.bytes) << program;
  }
}

TEST(Budgets, DeepInputsAreSafe) {
  constexpr std::size_t kDepth = 9000;
  std::string deep = std::string(kDepth, '[') + std::string(kDepth, ']');
  constexpr std::string_view kPrograms[] = {
      "[..] | length",
      "tojson | length",
      "flatten",
      ". == .",
      "[.] - [.]",
      "walk(.)",
      "[paths] | length",
      "unique",
      "group_by(.)",
      "contains(.)",
      "inside(.)",
      "[tostream] | length",
      "tojson | fromjson",
      "add",
      "min",
      "[leaf_paths] | length",
      "[getpath([0,0,0])]",
      ". as [[[$a]]] | $a",
      "sort",
      "index([[]])",
      "tostring | length",
      "@json | length",
      "del(..)",
      ".. |= .",
  };
  for (std::string_view program : kPrograms) {
    Limits limits;
    limits.steps = 5'000'000;
    static_cast<void>(RunWith(program, limits, deep));
  }
}

std::string Nested(std::string_view open, std::string_view middle, std::string_view close,
                   std::size_t depth) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  text += middle;
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

TEST(Budgets, DeepProgramsAreSafe) {
  struct Nest {
    std::string_view open, middle, close;
  };
  constexpr Nest kNests[] = {
      {"[", "1", "]"},
      {"(", "1", ")"},
      {"{a: ", "1", "}"},
      {"-", "1", ""},
      {"1 + (", "1", ")"},
      {"if . then ", "1", " end"},
      {"try ", "1", ""},
      {". as $x | ", "1", ""},
      {"map(", "1", ")"},
      {"first(", "1", ")"},
      {"with_entries(", ".", ")"},
      {"def f: ", "1", "; f"},
      {"\"\\(", "1", ")\""},
      {"label $l | ", "1", ""},
      {"reduce (", "1", ") as $x (0; .)"},
      {".[", "0", "]"},
      {"path(", ".", ")"},
      {"(", ".", ") |= ."},
      {". as [", "$a", "] | ."},
      {".a = (", "1", ")"},
      {"1 // (", "1", ")"},
      {"until(", "true", "; .)"},
      {". as {a: ", "$a", "}"},
  };
  for (const Nest& nest : kNests) {
    for (std::size_t depth : {20, 200, 900, 5000, 200000}) {
      std::string source = Nested(nest.open, nest.middle, nest.close, depth);
      auto program = Program::Compile(source);
      if (!program) continue;
      Limits limits;
      limits.steps = 100'000;
      Arena arena;
      Evaluator evaluator(arena, limits);
      static_cast<void>(evaluator.All(*program, json::Value()));
      static_cast<void>(evaluator.Paths(*program, json::Value()));
    }
  }
}

TEST(Budgets, NowIsReadFromTheClock) {
  SteppingClock clock(1);
  TestRun run;
  run.limits.clock = &clock;
  EXPECT_EQ(RunForTest("now | floor", "null", run), "1425599621");
}

}  // namespace
}  // namespace wmap::expr
