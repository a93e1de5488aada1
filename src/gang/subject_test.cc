#include "gang/subject.h"

#include <gtest/gtest.h>

#include "tests/support/reading.h"

namespace wmap::gang {
namespace {

using testing::YamlOrDie;

class TakeOvers : public ::testing::Test {
 protected:
  Plan Over(std::string_view existing, Plan plan = {}) {
    plan.queue = "new";
    SetText(plan.labels, options_.queue_label, "new");
    SetText(plan.labels, options_.node_pool_label, "np2");
    TakeOver(YamlOrDie(existing, arena_), options_, plan);
    return plan;
  }
  std::string LabelOf(const Plan& plan, std::string_view key) {
    const std::string* text = FindText(plan.labels, key);
    return text == nullptr ? "none" : *text;
  }

  Arena arena_;
  Options options_;
};

TEST_F(TakeOvers, QueueAndNodePoolAreWrittenOnce) {
  Plan plan = Over(R"({metadata: {labels: {kai.scheduler/queue: old}}, spec: {queue: old}})");
  EXPECT_EQ(plan.queue, "old");
  EXPECT_EQ(LabelOf(plan, options_.queue_label), "old");
  EXPECT_EQ(LabelOf(plan, options_.node_pool_label), "none");
}

TEST_F(TakeOvers, ATopologyThatSomebodySetStaysWhereThePlanHasNone) {
  constexpr std::string_view kExisting =
      R"({spec: {queue: old, topologyConstraint: {topology: t, requiredTopologyLevel: rack}}})";
  EXPECT_EQ(Over(kExisting).topology, (Topology{"t", "rack", ""}));
  Plan own;
  own.topology = {"mine", "", "zone"};
  EXPECT_EQ(Over(kExisting, own).topology, (Topology{"mine", "", "zone"}));
}

TEST(Integers, AreDecimalAndNothingElse) {
  EXPECT_EQ(ToInteger("-12"), -12);
  for (std::string_view bad : {"", " 1", "1 ", "1.0", "0x1", "99999999999999999999"}) {
    EXPECT_FALSE(ToInteger(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace wmap::gang
