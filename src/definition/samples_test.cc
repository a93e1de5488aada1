#include "definition/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace wmap::definition {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

Expression Compiled(std::string text) {
  Expression expression(text, "/x");
  Result<expr::Program> program = expr::Program::Compile(text);
  EXPECT_TRUE(program.has_value()) << text;
  if (program) {
    expression.set_program(std::make_shared<const expr::Program>(*std::move(program)));
  }
  return expression;
}

std::vector<std::string> Made(const Samples& samples, std::size_t limit = 1000) {
  std::vector<std::string> texts;
  for (const Sample& sample : samples.Make(limit)) texts.push_back(sample.Json());
  return texts;
}

TEST(Samples, HaveTheConstantsThatFieldsAreComparedWith) {
  Samples samples;
  samples.Add(Compiled(R"(.status.phase == "Digging")"));
  EXPECT_THAT(Made(samples), ElementsAre("{}", R"({"status":{"phase":"Digging"}})"));
}

TEST(Samples, HaveTheNeighboursOfNumbers) {
  Samples samples;
  samples.Add(Compiled(".status.active > 3"));
  EXPECT_THAT(Made(samples),
              ElementsAre("{}", R"({"status":{"active":3}})", R"({"status":{"active":0}})",
                          R"({"status":{"active":4}})"));
}

TEST(Samples, HaveItemsWithSeveralFields) {
  Samples samples;
  samples.Add(Compiled(R"(any(.status.notes[]?; .type == "Lit" and .status == "True"))"));
  EXPECT_THAT(Made(samples), Contains(R"({"status":{"notes":[{"status":"True","type":"Lit"}]}})"));
}

TEST(Samples, HaveWhatIsHandedToFunctions) {
  Samples samples;
  samples.Add(Compiled(R"(def is($t): any(.notes[]?; .type == $t); is("Lit"))"));
  EXPECT_THAT(Made(samples), Contains(R"({"notes":[{"type":"Lit"}]})"));
}

TEST(Samples, PutPlacesTogether) {
  Samples samples;
  samples.Add(Compiled(R"(.a == "x" and .b == "y")"));
  EXPECT_THAT(Made(samples),
              ElementsAre("{}", R"({"a":"x"})", R"({"b":"y"})", R"({"a":"x","b":"y"})"));
}

TEST(Samples, AreAsManyAsAreAskedFor) {
  Samples samples;
  samples.Add(Compiled("[.a, .b, .c, .d, .e, .f] | add"));
  EXPECT_EQ(Made(samples, 20).size(), 20U);
}

TEST(Samples, PassOverWhatIsAboveOthers) {
  Samples samples;
  samples.Add(Compiled(R"(.a == "x")"));
  samples.Add(Compiled(R"(.a.b == "y")"));
  EXPECT_THAT(Made(samples), Not(Contains(R"({"a":"x"})")));
}

TEST(Merge, JoinsItemsOfOneType) {
  Samples samples;
  samples.Add(Compiled(R"(any(.n[]?; .type == "Lit" and .status == "True"))"));
  std::vector<Sample> made = samples.Make(10);
  auto find = [&](std::string_view json) {
    return *std::ranges::find_if(made, [&](const Sample& s) { return s.Json() == json; });
  };
  Sample type = find(R"({"n":[{"type":"Lit"}]})");
  Sample both = find(R"({"n":[{"status":"True","type":"Lit"}]})");
  EXPECT_EQ(Merge(type, both)->Json(), both.Json());
  EXPECT_EQ(both.size(), 2U);
}

TEST(Merge, RefusesContradictions) {
  Samples samples;
  samples.Add(Compiled(R"(.a == "x" or .a == "y")"));
  std::vector<Sample> made = samples.Make(10);
  ASSERT_EQ(made.size(), 3U);
  EXPECT_FALSE(Merge(made[1], made[2]));
}

}  // namespace
}  // namespace wmap::definition
