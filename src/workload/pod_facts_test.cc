#include "workload/pod_facts.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "json/reader.h"

namespace wmap::workload {
namespace {

PodFacts Read(std::string_view pod) {
  static TextPool texts;
  Arena arena;
  Result<json::Value> value = json::Read(pod, arena);
  EXPECT_TRUE(value.has_value()) << (value ? "" : value.error().Describe());
  return value ? ReadPod(*value, AcceleratorTable(), texts) : PodFacts();
}

TEST(PodFacts, AReadyPod) {
  PodFacts pod = Read(R"({
    "metadata": {"name": "p", "namespace": "n", "uid": "u",
                 "creationTimestamp": "2026-11-30T04:05:28Z",
                 "ownerReferences": [{"apiVersion": "v1", "kind": "X", "name": "x", "uid": "1"},
                   {"apiVersion": "batch/v1", "kind": "Job", "name": "j", "uid": "2",
                    "controller": true}]},
    "spec": {"nodeName": "node-1",
             "containers": [{"name": "m", "resources": {"limits": {"nvidia.com/gpu": 4}}}]},
    "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}],
               "containerStatuses": [{"restartCount": 2, "state": {"running": {}}}]}})");
  EXPECT_EQ(pod.owner.kind, "Job");
  EXPECT_EQ(pod.owner.uid, "2");
  EXPECT_EQ(pod.created, 1796011528);
  EXPECT_TRUE(pod.ready);
  EXPECT_TRUE(pod.allocated());
  EXPECT_EQ(pod.gpus, 4);
  EXPECT_EQ(pod.restarts, 2);
  EXPECT_EQ(pod.reason, "");
}

TEST(PodFacts, ReadyCountsOnlyInPhaseRunning) {
  EXPECT_FALSE(Read(R"({"status": {"phase": "Succeeded",
                        "conditions": [{"type": "Ready", "status": "True"}]}})")
                   .ready);
}

TEST(PodFacts, SaysWhyAPodWaits) {
  PodFacts pod = Read(R"({"status": {"phase": "Pending", "conditions": [
      {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "no GPU"}]}})");
  EXPECT_TRUE(pod.unschedulable);
  EXPECT_EQ(pod.reason, "Unschedulable");
  EXPECT_EQ(pod.message, "no GPU");
  EXPECT_FALSE(pod.allocated());
  pod = Read(R"({"spec": {"nodeName": "n"}, "status": {"phase": "Running", "containerStatuses": [
      {"restartCount": 0, "state": {"waiting": {"reason": "ContainerCreating"}}},
      {"restartCount": 3, "state": {"waiting": {"reason": "CrashLoopBackOff"}}}]}})");
  EXPECT_TRUE(pod.crash_looping);
  EXPECT_EQ(pod.reason, "CrashLoopBackOff");
  EXPECT_TRUE(pod.allocated());
}

TEST(PodFacts, ReadinessLostAfterTheStartWasThereBefore) {
  constexpr std::string_view kPod = R"({"status": {"phase": "Running",
    "conditions": [{"type": "Ready", "status": "False", "lastTransitionTime": "2026-01-01T00:10:00Z"}],
    "containerStatuses": [{"restartCount": 0, "state": {"running": {"startedAt": ")";
  EXPECT_TRUE(Read(Cat(kPod, R"(2026-01-01T00:00:00Z"}}}]}})")).was_ready);
  EXPECT_FALSE(Read(Cat(kPod, R"(2026-01-01T00:10:00Z"}}}]}})")).was_ready);
}

TEST(PodFacts, AReadyPodSaysSinceWhen) {
  constexpr std::string_view kPod = R"({"status": {"phase": "Running", "conditions":
      [{"type": "Ready", "lastTransitionTime": "1970-01-01T00:01:40Z", "status": ")";
  EXPECT_EQ(Read(Cat(kPod, R"(True"}]}})")).ready_since, 100);
  EXPECT_EQ(Read(Cat(kPod, R"(False"}]}})")).ready_since, 0);
}

TEST(PodFacts, APodWhoseContainersHaveEndedWellIsDone) {
  auto read = [](std::string_view restart, std::string_view second, std::string_view phase) {
    return Read(Cat(R"({"metadata": {"deletionTimestamp": "2026-11-30T04:05:28Z"},
      "spec": {"nodeName": "n", "restartPolicy": ")",
                    restart, R"(", "containers": [{"name": "a"}, {"name": "b"}]},
      "status": {"phase": ")",
                    phase, R"(", "conditions": [{"type": "Ready", "status": "False"}],
        "containerStatuses": [{"name": "a", "state": {"terminated": {"exitCode": 0}}})",
                    second, "]}}"));
  };
  constexpr std::string_view kToo = R"(, {"name": "b", "state": {"terminated": {"exitCode": 0}}})";
  EXPECT_TRUE(read("Never", kToo, "Running").done);
  EXPECT_TRUE(read("OnFailure", kToo, "Running").succeeded());
  EXPECT_TRUE(read("Never", kToo, "Running").allocated()) << "until its phase says so";
  EXPECT_FALSE(read("Always", kToo, "Running").done) << "it is started again";
  EXPECT_FALSE(read("Never", kToo, "Failed").succeeded());
  EXPECT_FALSE(read("Never", "", "Running").done) << "of one nothing is known";
  for (std::string_view state :
       {R"("terminated": {"exitCode": 1})", R"("running": {})", R"("terminated": {})"}) {
    EXPECT_FALSE(read("Never", Cat(R"(, {"name": "b", "state": {)", state, "}}"), "Running").done)
        << state;
  }
}

TEST(PodFacts, AnEvictedPodHasEnded) {
  PodFacts pod = Read(R"({"spec": {"nodeName": "n"},
                          "status": {"phase": "Failed", "reason": "Evicted", "message": "disk"}})");
  EXPECT_TRUE(pod.evicted);
  EXPECT_TRUE(pod.ended());
  EXPECT_FALSE(pod.allocated());
  EXPECT_EQ(pod.reason, "Evicted");
}

TEST(PodFacts, AnythingMalformedStaysAtItsDefault) {
  PodFacts pod = Read(R"({"metadata": {"ownerReferences": 3, "creationTimestamp": "soon"},
    "spec": [], "status": {"phase": 7, "conditions": {"a": 1}, "containerStatuses": [1, null]}})");
  EXPECT_EQ(pod.phase, PodPhase::kUnknown);
  EXPECT_EQ(pod.created, 0);
  EXPECT_TRUE(pod.owner.empty());
  EXPECT_EQ(Read("null").name, "");
}

TEST(ParseTime, ReadsWhatKubernetesWrites) {
  EXPECT_EQ(ParseTime("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(ParseTime("2000-02-29T12:00:00Z"), 951825600);
  EXPECT_EQ(ParseTime("2026-11-30T04:05:28.123456Z"), 1796011528);
  EXPECT_EQ(ParseTime("2026-13-30T04:05:28Z"), 0);
  EXPECT_EQ(ParseTime("yesterday, about noon"), 0);
}

}  // namespace
}  // namespace wmap::workload
