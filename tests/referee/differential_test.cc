// The evaluator against the referee: on every case of the suites, and on random programs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "base/text.h"
#include "json/writer.h"
#include "tests/conformance/engine.h"
#include "tests/conformance/suite.h"
#include "tests/referee/programs.h"
#include "tests/referee/values.h"
#include "tests/support/shared_data.h"

namespace wmap::referee {
namespace {

using conformance::Case;
using conformance::Outcome;

// How often the engines met.
struct Tally {
  int agreed = 0;
  int gave_up = 0;
};

// Runs one program on one input with all engines. False, with the outcomes in `report`, when they
// disagree.
bool Agree(const std::string& program, const json::Value& input,
           const std::vector<std::pair<std::string, json::Value>>& variables, Arena& arena,
           Tally* tally, std::string* report) {
  conformance::RefereeEngine referee;
  conformance::VmEngine optimised(true);
  conformance::VmEngine plain(false);
  Outcome fast = optimised.Run(program, input, variables, arena);
  Outcome literal = plain.Run(program, input, variables, arena);
  auto is_limited = [](const Outcome& outcome) {
    return outcome.error && outcome.error->code() == Code::kLimit;
  };
  bool limited = is_limited(fast) || is_limited(literal);
  bool same = limited || conformance::SameOutcome(fast, literal);
  Outcome wanted = referee.Run(program, input, variables, arena);
  bool shows_message = std::ranges::any_of(wanted.results, [](const json::Value& result) {
    return json::ToJson(result).find(kMessageMark) != std::string::npos;
  });
  if (wanted.out_of_reach || limited || shows_message) {
    ++tally->gave_up;
  } else {
    ++tally->agreed;
    same = same && conformance::SameOutcome(fast, wanted);
  }
  if (!same)
    *report = Cat(program, "\n  input    ", json::ToJson(input), "\n  referee  ",
                  conformance::Describe(wanted), "\n  vm       ", conformance::Describe(fast),
                  "\n  literal  ", conformance::Describe(literal));
  return same;
}

TEST(Referee, AgreesWithTheEvaluatorOnTheSuites) {
  WMAP_REQUIRE_SHARED();
  std::vector<Case> cases;
  auto file = [](std::string_view suite) {
    return testing::ReadFileOrDie(Cat(testing::SharedDir(), "/data/jq-tests/", suite));
  };
  for (const char* suite : {"jq-1.8.2/jq.test", "jq-1.8.2/man.test", "jq-1.7.1/jq.test"})
    for (Case& test : conformance::ReadJqSuite(suite, file(suite)))
      cases.push_back(std::move(test));
  for (Case& test : conformance::ReadGojqSuite("gojq/test.yaml", file("gojq/test.yaml")).cases)
    cases.push_back(std::move(test));
  Tally tally;
  for (const Case& test : cases) {
    if (test.must_not_compile || !test.variables.empty()) continue;
    Arena arena;
    auto inputs = conformance::ReadValues(test.input, arena);
    if (!inputs) continue;
    for (const json::Value& input : *inputs) {
      std::string report;
      EXPECT_TRUE(Agree(test.program, input, {}, arena, &tally, &report))
          << test.suite << " " << test.name << ": " << report;
    }
  }
  std::printf("on the suites: %d agreed, %d out of the referee's reach\n", tally.agreed,
              tally.gave_up);
  EXPECT_GT(tally.agreed, 1000);
}

TEST(Referee, AgreesWithTheEvaluatorOnRandomPrograms) {
  // WMAP_DIFFERENTIAL=200000 makes a long run of it, WMAP_SEED=7 another one.
  const char* count = std::getenv("WMAP_DIFFERENTIAL");
  const char* first = std::getenv("WMAP_SEED");
  int pairs = count == nullptr ? 3000 : std::atoi(count);
  auto seed = static_cast<std::uint32_t>(first == nullptr ? 1 : std::atoi(first));
  Tally tally;
  int failures = 0;
  for (int i = 0; i < pairs && failures < 10; ++i, ++seed) {
    Arena arena;
    Programs programs(seed);
    std::string program = programs.Program();
    auto inputs = conformance::ReadValues(programs.Input(), arena);
    ASSERT_TRUE(inputs.has_value());
    std::string report;
    bool same = Agree(program, inputs->front(), {}, arena, &tally, &report);
    EXPECT_TRUE(same) << "seed " << seed << ": " << report;
    failures += same ? 0 : 1;
  }
  std::printf("random programs: %d agreed, %d out of the referee's reach\n", tally.agreed,
              tally.gave_up);
  EXPECT_GT(tally.agreed, pairs / 2);
}

}  // namespace
}  // namespace wmap::referee
