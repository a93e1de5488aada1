#include "inspect/unscheduled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "yaml/reader.h"

namespace wmap::inspect {
namespace {

using json::Value;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Unscheduled : public ::testing::Test {
 protected:
  Value Read(std::string_view text) {
    Result<Value> value = yaml::Read(text, arena_);
    EXPECT_TRUE(value) << text;
    return value ? *value : Value();
  }

  Openness Of(std::string_view spec, std::string_view taints = "[]", bool is_cordoned = false) {
    NodeView node;
    node.labels = Read("{pool: a, size: '8'}");
    node.taints = Read(taints);
    node.is_cordoned = is_cordoned;
    return OpennessOf("n1", node, Read(spec));
  }

  Openness OfAffinity(std::string_view terms) {
    std::string spec =
        "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
        "{nodeSelectorTerms: ";
    spec += terms;
    return Of(spec + "}}}}");
  }

  // Two nodes, the second with more devices and with `labels`, `taints`, cordoned or not.
  Cause Tell(std::string_view labels, std::string_view taints, bool is_cordoned) {
    NodeTable nodes;
    nodes["n1"].allocatable = Read("{nvidia.com/gpu: '8'}");
    nodes["n1"].labels = Read("{pool: a}");
    NodeView& large = nodes["n2"];
    large.allocatable = Read("{nvidia.com/gpu: '16'}");
    large.labels = Read(labels);
    large.taints = Read(taints);
    large.is_cordoned = is_cordoned;
    std::vector<Value> pods = {
        Read("{metadata: {name: p}, spec: {nodeSelector: {pool: a}, containers: [{name: main, "
             "resources: {limits: {nvidia.com/gpu: 16}}}]}}")};
    SchedulingVerdict verdict =
        ReadVerdict("0/2 nodes are available: 1 Insufficient nvidia.com/gpu");
    Sources sources;
    Cause cause;
    cause.summary = "1 pod cannot be scheduled";
    TellScheduling({verdict, pods, "ml", nodes, sources}, cause);
    return cause;
  }

  Arena arena_;
};

TEST_F(Unscheduled, NodesAreSelectedByLabelsAndAffinity) {
  using enum Openness;
  EXPECT_EQ(Of("{}"), kOpen);
  EXPECT_EQ(Of("{nodeSelector: {pool: a}}"), kOpen);
  EXPECT_EQ(Of("{nodeSelector: {pool: b}}"), kClosed);
  EXPECT_EQ(Of("{nodeSelector: {zone: a}}"), kClosed);
  EXPECT_EQ(OfAffinity("[{matchExpressions: [{key: pool, operator: In, values: [a, b]}]}]"), kOpen);
  EXPECT_EQ(OfAffinity("[{matchExpressions: [{key: pool, operator: NotIn, values: [a]}]}]"),
            kClosed);
  EXPECT_EQ(OfAffinity("[{matchExpressions: [{key: zone, operator: NotIn, values: [a]}]}]"), kOpen);
  EXPECT_EQ(OfAffinity("[{matchExpressions: [{key: zone, operator: Exists}]}]"), kClosed);
  EXPECT_EQ(OfAffinity("[{matchExpressions: [{key: zone, operator: DoesNotExist}]}]"), kOpen);
  EXPECT_EQ(OfAffinity("[{matchExpressions: [{key: size, operator: Gt, values: ['8']}]}]"),
            kClosed);
  EXPECT_EQ(OfAffinity("[{matchExpressions: [{key: size, operator: Lt, values: ['9']}]}]"), kOpen);
  EXPECT_EQ(OfAffinity("[{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]"),
            kOpen);
  // Terms are alternatives; one that asks for nothing takes no node.
  EXPECT_EQ(OfAffinity("[{matchExpressions: [{key: pool, operator: In, values: [b]}]}, "
                       "{matchExpressions: [{key: pool, operator: Exists}]}]"),
            kOpen);
  EXPECT_EQ(OfAffinity("[{}]"), kClosed);
}

TEST_F(Unscheduled, NodesAreClosedByTaints) {
  using enum Openness;
  constexpr std::string_view kTaint = "[{key: gpu, value: big, effect: NoSchedule}]";
  EXPECT_EQ(Of("{}", kTaint), kClosed);
  EXPECT_EQ(Of("{}", "[{key: gpu, effect: PreferNoSchedule}]"), kOpen);
  EXPECT_EQ(Of("{tolerations: [{key: gpu, operator: Exists}]}", kTaint), kOpen);
  EXPECT_EQ(Of("{tolerations: [{key: gpu, value: big, effect: NoSchedule}]}", kTaint), kOpen);
  EXPECT_EQ(Of("{tolerations: [{key: gpu, value: small}]}", kTaint), kClosed);
  EXPECT_EQ(Of("{tolerations: [{key: gpu, value: big, effect: NoExecute}]}", kTaint), kClosed);
  EXPECT_EQ(Of("{tolerations: [{operator: Exists}]}", kTaint), kOpen);
  EXPECT_EQ(Of("{}", "[{key: node.kubernetes.io/not-ready, effect: NoExecute}]"), kForNow);
  EXPECT_EQ(Of("{}", "[]", /*is_cordoned=*/true), kForNow);
  EXPECT_EQ(Of("{tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists}]}", "[]",
               /*is_cordoned=*/true),
            kOpen);
}

TEST_F(Unscheduled, OnlyNodesThatAreOpenCount) {
  Cause cause = Tell("{pool: a}", "[]", false);
  EXPECT_THAT(cause.details,
              ElementsAre("each asks for 16 nvidia.com/gpu, and the largest of 2 nodes has 16"));
  EXPECT_THAT(cause.advice, HasSubstr("starts when others end"));

  cause = Tell("{pool: b}", "[]", false);
  EXPECT_EQ(cause.summary,
            "1 pod can never be scheduled: each asks for 16 nvidia.com/gpu, and the largest of 1 "
            "node that is open to it has 8");
  EXPECT_THAT(cause.details.front(), "node n2 has 16, and is not among those that it asks for");

  cause = Tell("{pool: a}", "[{key: gpu, effect: NoSchedule}]", false);
  EXPECT_THAT(cause.summary, HasSubstr("can never be scheduled"));
  EXPECT_THAT(cause.details.front(), "node n2 has 16, and has a taint that it does not tolerate");

  cause = Tell("{pool: a}", "[]", true);
  EXPECT_THAT(cause.summary, HasSubstr("cannot be scheduled"));
  EXPECT_THAT(cause.advice, HasSubstr("waits for the closed nodes to be put back"));
  EXPECT_THAT(cause.details.back(), "node n2 has 16, and is cordoned");
}

}  // namespace
}  // namespace wmap::inspect
