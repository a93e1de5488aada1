// One program, several threads.
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "expr/evaluate.h"
#include "json/reader.h"
#include "json/writer.h"

namespace wmap::expr {
namespace {

TEST(ExprThreads, OneProgramServesManyEvaluators) {
  auto program = Program::Compile(
      "[.spec.jobs[] | select(.n > 1) | {name, total: (.n * 2)}] | map(.total) | add");
  auto writer = Program::Compile(".spec.jobs[] | select(.n > 1) | .n");
  ASSERT_TRUE(program);
  ASSERT_TRUE(writer);
  Arena arena;
  auto input = json::Read(
      R"({"spec":{"jobs":[{"name":"a","n":1},{"name":"b","n":2},{"name":"c","n":3}]}})", arena);
  ASSERT_TRUE(input);

  constexpr std::size_t kThreads = 8;
  std::vector<std::string> outcomes(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        for (int round = 0; round < 50; ++round) {
          Arena own;
          Evaluator evaluator(own);
          auto total = evaluator.All(*program, *input);
          // The form with paths is compiled by whoever comes first.
          auto written = evaluator.AssignOne(*writer, *input, json::Value::Int(0));
          if (!total || !written) return;
          outcomes[i] = json::ToJson((*total)[0]) + json::ToJson(*written);
        }
      });
    }
  }
  for (const std::string& outcome : outcomes) {
    EXPECT_EQ(outcome,
              R"(10{"spec":{"jobs":[{"n":1,"name":"a"},{"n":0,"name":"b"},{"n":0,"name":"c"}]}})");
  }
}

}  // namespace
}  // namespace wmap::expr
