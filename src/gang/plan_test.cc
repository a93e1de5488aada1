#include "gang/plan.h"

#include <gtest/gtest.h>
#include <string>

#include "base/text.h"

namespace wmap::gang {
namespace {

std::string Fault(const Plan& plan) {
  Result<void> checked = CheckShape(plan);
  return checked ? "" : checked.error().message();
}

Plan With(std::vector<SubGroup> sub_groups) {
  Plan plan;
  plan.min_sub_group = 1;
  plan.sub_groups = std::move(sub_groups);
  return plan;
}

TEST(Shapes, WhatASchedulerWouldRefuseIsRefused) {
  Plan both;
  both.min_member = both.min_sub_group = 1;
  EXPECT_NE(Fault(both), "");
  EXPECT_EQ(Fault(With({{.name = "a", .min_member = 1}})), "");
  EXPECT_EQ(Fault(With({{.name = "a", .min_member = 1}, {.name = "a", .min_member = 1}})),
            "there are two of subgroup \"a\"");
  EXPECT_EQ(Fault(With({{.name = "a", .parent = "b", .min_member = 1}})),
            "the parent \"b\" of subgroup \"a\" is not there");
  EXPECT_EQ(Fault(With({{.name = "a", .parent = "b", .min_sub_group = 1},
                        {.name = "b", .parent = "a", .min_sub_group = 1}})),
            "subgroup \"a\" is its own ancestor");
  EXPECT_EQ(Fault(With({{.name = "a", .parent = "a", .min_sub_group = 1}})),
            "subgroup \"a\" is its own ancestor");
  EXPECT_EQ(Fault(With({{.name = "a", .min_sub_group = 1}})),
            "subgroup \"a\" has a minimum of children and no children");
  EXPECT_EQ(
      Fault(With({{.name = "a", .min_member = 1}, {.name = "b", .parent = "a", .min_member = 1}})),
      "subgroup \"a\" has children and a minimum of pods");
  EXPECT_EQ(Fault(With({{.name = "a"}})), "subgroup \"a\" has no minimum");
}

TEST(Shapes, DeepTreesTakeNoLongTime) {
  Plan plan;
  plan.min_sub_group = 1;
  constexpr int kDeep = 20'000;
  for (int i = 0; i < kDeep; ++i) {
    SubGroup sub{.name = Cat("s", i), .parent = i == 0 ? std::string() : Cat("s", i - 1)};
    (i + 1 == kDeep ? sub.min_member : sub.min_sub_group) = 1;
    plan.sub_groups.push_back(std::move(sub));
  }
  EXPECT_EQ(Fault(plan), "");
}

TEST(Minimums, AreNeverNegative) {
  Plan plan;
  plan.min_member = -1;
  EXPECT_FALSE(CheckMinimums(plan));
  plan.min_member = 0;
  EXPECT_TRUE(CheckMinimums(plan));
  plan.sub_groups = {{.name = "a", .min_member = -2}};
  EXPECT_FALSE(CheckMinimums(plan));
}

TEST(Plans, TheirMinimumIsThatOfTheLeaves) {
  Plan plan = With({{.name = "a", .min_sub_group = 1},
                    {.name = "b", .parent = "a", .min_member = 4},
                    {.name = "c", .min_member = 1}});
  EXPECT_EQ(plan.MinimumPods(), 5);
  EXPECT_EQ(Plan().MinimumPods(), 1);
}

}  // namespace
}  // namespace wmap::gang
