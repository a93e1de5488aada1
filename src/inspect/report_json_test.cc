#include "inspect/report_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/support/seen.h"

namespace wmap::inspect {
namespace {

using json::Value;
using testing::Seen;
using workload::Count;

std::string Json(const Count& count) {
  Arena arena;
  return json::ToJson(CountJson(count, arena));
}

TEST(CountJson, IsANumberWhenExactAndOtherwiseTellsWhatIsKnown) {
  EXPECT_EQ(Json(Count::Exactly(3)), "3");
  EXPECT_EQ(Json(Count()), "0");
  EXPECT_EQ(Json(Count::Between(1, 2)), R"({"max":2,"min":1})");
  EXPECT_EQ(Json(Count::Between(1, std::nullopt)), R"({"max":null,"min":1})");
  Count sum = Count::Exactly(17);
  sum += Count::Unknown("role");
  EXPECT_EQ(Json(sum), R"({"max":null,"min":17,"unknown":["role"]})");
  sum += Count::Between(1, 2);
  EXPECT_EQ(Json(sum), R"({"known":19,"max":null,"min":18,"unknown":["role"]})");
}

std::vector<std::string> Keys(const Value& object) {
  std::vector<std::string> keys;
  for (const json::Member& member : object.members()) keys.emplace_back(member.key);
  return keys;
}

constexpr std::string_view kJobSet = R"(
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: train, namespace: demo, uid: u-js, creationTimestamp: "2026-11-30T04:00:00Z"}
spec:
  replicatedJobs:
  - {name: leader, replicas: 1, template: {spec: {template: {spec: {containers: [{name: m, resources: {limits: {cpu: 8, nvidia.com/gpu: 4}}}]}}}}}
  - {name: workers, replicas: 2, template: {spec: {template: {spec: {containers: [{name: m, resources: {limits: {cpu: 8, nvidia.com/gpu: 4}}}]}}}}}
---
)";
constexpr std::string_view kLeaderPod = R"(
apiVersion: v1
kind: Pod
metadata:
  name: train-leader-0-0
  namespace: demo
  labels: {jobset.sigs.k8s.io/replicatedjob-name: leader, jobset.sigs.k8s.io/job-index: "0"}
  ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: train, uid: u-js, controller: true}]
spec: {nodeName: node-1, containers: [{name: m, resources: {limits: {nvidia.com/gpu: 4}}}]}
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
)";

TEST(WorkloadJson, ShowsPartsOfGpusAsDecimalNumbers) {
  Seen seen(R"(
apiVersion: v1
kind: Pod
metadata: {name: half, namespace: lab, annotations: {gpu-fraction: "0.1", gpu-fraction-num-devices: "3"}}
spec: {nodeName: node-1, containers: [{name: m}]}
status: {phase: Running}
)");
  Value role = seen.json().Get("items")[0].Get("roles")[0];
  EXPECT_EQ(json::ToJson(role.Get("accelerators")),
            R"([{"allocated":0.3,"desired":0.3,"perPod":0.3,"resource":"gpu-fraction",)"
            R"("type":"gpu-fraction"}])");
  EXPECT_EQ(json::ToJson(role.Get("gpus")),
            R"({"allocated":0,"desired":0,"perPod":0,"running":0})");
}

TEST(WorkloadJson, HasTheFieldsOfTheMachineOutput) {
  Seen seen(Cat(kJobSet, kLeaderPod));
  EXPECT_THAT(Keys(seen.json()),
              ::testing::ElementsAre("apiVersion", "complete", "diagnostics", "items", "kind",
                                     "unclaimedPods", "uncovered"));
  Value row = seen.json().Get("items")[0];
  EXPECT_THAT(Keys(row), ::testing::IsSupersetOf({"apiVersion", "kind", "namespace", "name", "uid",
                                                  "createdAt", "definition", "status", "totals",
                                                  "roles", "components", "diagnostics"}));
  EXPECT_EQ(row.Get("createdAt").as_string(), "2026-11-30T04:00:00Z");
  EXPECT_EQ(json::ToJson(row.Get("definition")),
            R"({"name":"jobset-x-k8s-io-jobset-v1alpha2","origin":"builtin","overrides":[]})");
  EXPECT_EQ(json::ToJson(row.Get("totals")),
            R"({"accelerators":[{"allocated":4,"desired":12,"resource":"nvidia.com/gpu",)"
            R"("type":"gpu"}],"gpus":{"allocated":4,"desired":12,"running":4},)"
            R"("pods":{"desired":3,"max":3,"min":3,"observed":1,"ready":1,"wanted":3},)"
            R"("resources":{"cpu":"24","nvidia.com/gpu":"12"}})");
  EXPECT_EQ(json::ToJson(row.Get("roles")[0]),
            R"({"accelerators":[{"allocated":4,"desired":4,"perPod":4,)"
            R"("resource":"nvidia.com/gpu","type":"gpu"}],"component":"replicatedjob",)"
            R"("gpus":{"allocated":4,"desired":4,"perPod":4,"running":4},"instance":"leader",)"
            R"("podResources":{"cpu":"8","nvidia.com/gpu":"4"},)"
            R"("pods":{"desired":1,"max":1,"min":1,"observed":1,"ready":1,"wanted":1},)"
            R"("role":"leader"})");
  Value status = row.Get("status");
  EXPECT_EQ(status.Get("phase").as_string(), "Initializing");
  EXPECT_EQ(status.Get("evidence").as_string(), "object+pods");
  EXPECT_EQ(json::ToJson(status.Get("phases")), R"(["Initializing"])");
  EXPECT_EQ(status.Find("stale"), nullptr);
  EXPECT_EQ(status.Find("deleting"), nullptr);
  Value component = row.Get("components")[0];
  EXPECT_EQ(component.Get("name").as_string(), "replicatedjob");
  EXPECT_EQ(component.Get("kind").as_string(), "Job");
  EXPECT_EQ(component.Find("grouping"), nullptr);
  Value leader = component.Get("instances")[0];
  EXPECT_EQ(leader.Get("id").as_string(), "leader");
  Value pod = leader.Get("replicas")[0].Get("podList")[0];
  EXPECT_EQ(leader.Get("replicas")[0].Get("key").as_string(), "0");
  EXPECT_EQ(pod.Get("name").as_string(), "train-leader-0-0");
  EXPECT_EQ(pod.Get("phase").as_string(), "Running");
  EXPECT_TRUE(pod.Get("ready").is_true());
  EXPECT_EQ(pod.Get("node").as_string(), "node-1");
  EXPECT_EQ(pod.Get("gpus").as_int(), 4);
  EXPECT_EQ(pod.Get("reason").as_string(), "");
  EXPECT_TRUE(leader.Get("children").is_array());
}

TEST(WorkloadJson, WithoutAnyPodAmongTheInputsWhatIsOfPodsIsAbsentNotZero) {
  Seen seen(kJobSet);
  std::string text = json::ToJson(seen.json());
  for (std::string_view field :
       {"\"observed\"", "\"ready\"", "\"allocated\"", "\"running\"", "\"podList\""}) {
    EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(std::string(field))));
  }
  Value row = seen.json().Get("items")[0];
  EXPECT_EQ(row.Get("status").Get("evidence").as_string(), "object");
  EXPECT_EQ(row.Get("totals").Get("pods").Get("desired").as_int(), 3);
}

TEST(WorkloadJson, WithPodsOfOthersAmongTheInputsCountsOfPodsAreZero) {
  Seen seen(Cat(kJobSet, "{apiVersion: v1, kind: Pod, metadata: {name: else}}\n"));
  Value row = seen.json().Get("items")[0];
  EXPECT_EQ(row.Get("kind").as_string(), "JobSet");
  EXPECT_EQ(row.Get("totals").Get("pods").Get("observed").as_int(), 0);
  EXPECT_EQ(row.Get("totals").Get("gpus").Get("running").as_int(), 0);
  EXPECT_EQ(row.Get("roles")[0].Get("pods").Get("ready").as_int(), 0);
}

TEST(WorkloadJson, AnUnboundedMaximumIsNullAndAnUnknownCountAnObject) {
  Seen seen(R"(
apiVersion: ray.io/v1
kind: RayCluster
metadata: {name: c}
spec:
  headGroupSpec: {template: {spec: {containers: [{name: h}]}}}
  workerGroupSpecs: [{groupName: g, replicas: 1, minReplicas: 0, maxReplicas: 2147483647, template: {spec: {containers: []}}}]
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: d}
spec: {template: {spec: {containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}}}
)");
  Value ray = seen.json().Get("items")[1];
  EXPECT_EQ(ray.Get("kind").as_string(), "RayCluster");
  EXPECT_TRUE(ray.Get("totals").Get("pods").Get("max").is_null());
  EXPECT_NE(ray.Get("totals").Get("pods").Find("max"), nullptr);
  EXPECT_EQ(ray.Get("totals").Get("pods").Get("min").as_int(), 1);
  Value daemon = seen.json().Get("items")[0];
  EXPECT_EQ(json::ToJson(daemon.Get("totals").Get("pods").Get("desired")),
            R"({"max":null,"min":0,"unknown":["agent"]})");
  EXPECT_EQ(json::ToJson(daemon.Get("totals").Get("gpus").Get("desired")),
            R"({"max":null,"min":0,"unknown":["agent"]})");
}

TEST(WorkloadJson, GroupingComponentsSayThatTheyAre) {
  Seen seen(R"(
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: l}
spec: {replicas: 2, leaderWorkerTemplate: {size: 3, workerTemplate: {spec: {containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}}}}
)");
  Value group = seen.json().Get("items")[0].Get("components")[0];
  EXPECT_EQ(group.Get("name").as_string(), "group");
  EXPECT_TRUE(group.Get("grouping").is_true());
  Value instance = group.Get("instances")[0];
  EXPECT_EQ(instance.Get("pods").Get("desired").as_int(), 6);
  EXPECT_EQ(instance.Get("gpus").Get("desired").as_int(), 6);
  EXPECT_EQ(instance.Get("gpus").Find("perPod"), nullptr);
  EXPECT_EQ(instance.Get("children").size(), 2u);
  EXPECT_EQ(seen.json().Get("items")[0].Get("totals").Get("pods").Get("desired").as_int(), 6);
}

}  // namespace
}  // namespace wmap::inspect
