#include "inspect/scheduling_reasons.h"

#include <gtest/gtest.h>

namespace wmap::inspect {
namespace {

TEST(SchedulingReasons, AreCountedByNode) {
  SchedulingVerdict verdict = ReadVerdict(
      "0/11 nodes are available: 3 node(s) didn't match Pod's node affinity/selector, 8 "
      "Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/11 nodes are "
      "available: 3 Preemption is not helpful for scheduling, 8 No preemption victims found for "
      "incoming pod.");
  EXPECT_EQ(verdict.nodes, 11);
  ASSERT_EQ(verdict.reasons.size(), 2U);
  EXPECT_EQ(verdict.reasons[0].kind, ReasonKind::kInsufficient);
  EXPECT_EQ(verdict.reasons[0].nodes, 8);
  EXPECT_EQ(verdict.reasons[0].resource, "nvidia.com/gpu");
  EXPECT_EQ(verdict.reasons[1].kind, ReasonKind::kSelector);
  EXPECT_TRUE(verdict.no_victims);
  EXPECT_EQ(verdict.Describe(),
            "Insufficient nvidia.com/gpu on 8 of 11 nodes, didn't match Pod's node "
            "affinity/selector on 3");
}

TEST(SchedulingReasons, KeepTaintsWithCommasWhole) {
  SchedulingVerdict verdict = ReadVerdict(
      "0/5 nodes are available: 2 node(s) had taint {gpu: a, b}, that the pod didn't tolerate, 3 "
      "Insufficient cpu.");
  ASSERT_EQ(verdict.reasons.size(), 2U);
  EXPECT_EQ(verdict.reasons[0].resource, "cpu");
  EXPECT_EQ(verdict.reasons[1].kind, ReasonKind::kTaint);
  EXPECT_EQ(verdict.reasons[1].text, "had taint {gpu: a, b}, that the pod didn't tolerate");
}

TEST(SchedulingReasons, MayConcernAllNodes) {
  SchedulingVerdict verdict = ReadVerdict(
      "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/3 "
      "nodes are available: 3 Preemption is not helpful for scheduling.");
  ASSERT_EQ(verdict.reasons.size(), 1U);
  EXPECT_EQ(verdict.reasons[0].kind, ReasonKind::kVolume);
  EXPECT_EQ(verdict.reasons[0].nodes, 0);
  EXPECT_EQ(verdict.Describe(), "pod has unbound immediate PersistentVolumeClaims");
}

TEST(SchedulingReasons, OfAnyOtherTextAreTheText) {
  EXPECT_EQ(ReadVerdict("no nodes available to schedule pods").Describe(),
            "no nodes available to schedule pods");
  EXPECT_EQ(ReadVerdict("pod group is not ready, 3 Pending, 3 minAvailable").reasons[0].kind,
            ReasonKind::kGang);
  EXPECT_TRUE(ReadVerdict("").reasons.empty());
  EXPECT_EQ(ReadVerdict("0/5 nodes are").nodes, std::nullopt);
  EXPECT_EQ(ReadVerdict("1 node(s) had untolerated taint(s), 7 Insufficient cpu").reasons.size(),
            2U);
}

}  // namespace
}  // namespace wmap::inspect
