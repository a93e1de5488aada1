// A definition is a stranger's: whatever its size, loading it ends soon and says little.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "definition/load.h"
#include "definition/report.h"
#include "definition/rules.h"

namespace wmap::definition {
namespace {

using testing::HasSubstr;

// A definition with `count` children, each owned by what `owner` names.
template <typename F>
std::string WithChildren(std::size_t count, F&& owner) {
  std::string text = R"(apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: many}
spec:
  structureDefinition:
    rootComponent:
      name: c0
      kind: {group: a.b, version: v1, kind: Many}
      statusDefinition: {statusMappings: {}}
    childComponents:
)";
  for (std::size_t i = 1; i <= count; ++i) {
    CatTo(text, "    - {name: c", i, ", ownerRef: ", owner(i), "}\n");
  }
  return text;
}

Loaded LoadOne(const std::string& text) {
  std::vector<Loaded> all = LoadText(text);
  EXPECT_EQ(all.size(), 1U);
  return std::move(all.front());
}

std::size_t CountLimits(const Loaded& loaded) {
  return static_cast<std::size_t>(
      std::ranges::count(loaded.findings, std::string("limit"), &Finding::id));
}

TEST(Bounds, AsManyComponentsAsAllowedAreFineAndOneMoreIsAnError) {
  auto below_root = [](std::size_t) { return "c0"; };
  Loaded most = LoadOne(WithChildren(kMostComponents - 1, below_root));
  EXPECT_EQ(CountLimits(most), 0U);
  EXPECT_EQ(most.karta->components.size(), kMostComponents);
  Loaded more = LoadOne(WithChildren(kMostComponents, below_root));
  EXPECT_EQ(CountLimits(more), 1U);
  EXPECT_FALSE(more.karta->is_valid);
  EXPECT_EQ(more.karta->components.size(), kMostComponents);
}

TEST(Bounds, ATreeAsDeepAsAllowedIsFineAndOneLevelMoreIsAnError) {
  auto chain = [](std::size_t i) { return Cat('c', i - 1); };
  EXPECT_EQ(CountLimits(LoadOne(WithChildren(kDeepestTree, chain))), 0U);
  Loaded deeper = LoadOne(WithChildren(kDeepestTree + 1, chain));
  EXPECT_EQ(CountLimits(deeper), 1U);
  EXPECT_FALSE(deeper.karta->is_valid);
}

TEST(Bounds, FindingsBeyondTheLimitAreCountedInOneMore) {
  Loaded loaded = LoadOne(WithChildren(900, [](std::size_t) { return "nobody"; }));
  ASSERT_EQ(loaded.findings.size(), Report::kMostFindings + 1);
  EXPECT_EQ(loaded.findings.back().id, "limit");
  EXPECT_THAT(loaded.findings.back().message, HasSubstr("more findings"));
  EXPECT_FALSE(loaded.karta->is_valid);
}

TEST(Bounds, AnErrorBeyondTheLimitStillMakesTheDefinitionInvalid) {
  std::string text = WithChildren(1, [](std::size_t) { return "nobody"; });
  std::string warnings;
  for (std::size_t i = 0; i < 2 * Report::kMostFindings; ++i) CatTo(warnings, "x", i, ": 1\n");
  LoadOptions lenient;
  lenient.mode = Mode::kLenient;
  std::vector<Loaded> all = LoadText(warnings + text, lenient);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_FALSE(all.front().karta->is_valid);
}

TEST(Bounds, LongNamesAreNotComparedLetterByLetter) {
  std::string name(60000, 'a');
  std::string text = WithChildren(1, [&](std::size_t) { return name + "b"; });
  CatTo(text, "    - {name: ", name, ", ownerRef: c0}\n");
  EXPECT_FALSE(LoadOne(text).karta->is_valid);
}

}  // namespace
}  // namespace wmap::definition
