#include "inspect/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "input/input.h"
#include "inspect/node_audit.h"
#include "inspect/snapshot.h"

namespace wmap::inspect {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Long after all that the objects tell.
constexpr std::int64_t kLater = 1'800'000'000;

struct Asked {
  std::int64_t now = kLater;
  bool workloads_only = true;
  std::vector<std::string_view> unread = {};  // kinds of apps that could not be read
};

Audit AuditOf(std::string_view text, const Asked& asked) {
  definition::Registry registry;
  workload::AcceleratorTable accelerators;
  Snapshot snapshot(registry, accelerators);
  snapshot.WantSources();
  for (std::string_view kind : asked.unread) snapshot.AddUnread("apps", kind);
  input::ReadText(
      text, "test.yaml", {},
      [&](const input::Object& object) { snapshot.Add(object.value, object.source); },
      [&](const input::Problem& problem) { ADD_FAILURE() << problem.Describe(); });
  Report report = snapshot.Build();
  AuditOptions options;
  options.accelerators = &accelerators;
  options.registry = &registry;
  options.now = asked.now;
  options.workloads_only = asked.workloads_only;
  return AuditReport(report, options);
}

std::vector<Finding> FindingsOf(std::string_view text, std::int64_t now = kLater) {
  return AuditOf(text, {.now = now}).findings;
}

std::vector<std::string> CodesOf(std::string_view text) {
  std::vector<std::string> codes;
  for (const Finding& finding : FindingsOf(text)) codes.push_back(finding.code);
  return codes;
}

constexpr std::string_view kServes =
    "nodeName: n, status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}";
constexpr std::string_view kNoNode =
    "nodeName: null, status: {phase: Pending, conditions: [{type: PodScheduled, status: 'False', "
    "reason: Unschedulable, message: '0/2 nodes are available: 2 Insufficient nvidia.com/gpu.'}]}";

std::string Pod(std::string_view name, std::string_view owner_kind, std::string_view owner,
                std::string_view labels, std::string_view state, int gpus = 1) {
  std::string_view node = state.substr(0, state.find(", status: "));
  std::string_view status = state.substr(node.size() + 2);
  return Cat("{apiVersion: v1, kind: Pod, metadata: {name: ", name, ", namespace: ml, uid: p-",
             name, ", creationTimestamp: '2026-11-30T10:00:00Z', labels: {", labels,
             "}, ownerReferences: [{apiVersion: apps/v1, kind: ", owner_kind, ", name: ", owner,
             ", uid: ", owner, ", controller: true}]}, spec: {", node,
             ", containers: [{name: main, resources: {limits: {nvidia.com/gpu: ", gpus, "}}}]}, ",
             status, "}\n---\n");
}

std::string Set(std::string_view name, int replicas) {
  return Cat("{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: ", name,
             ", namespace: ml, uid: ", name,
             ", ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: web, "
             "controller: true}]}, spec: {replicas: ",
             replicas, "}}\n---\n");
}

std::string Deployment(int gpus, std::string_view status =
                                     "replicas: 2, readyReplicas: 2, "
                                     "availableReplicas: 2") {
  return Cat(
      "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: ml, uid: web, "
      "creationTimestamp: '2026-11-30T10:00:00Z'}, spec: {replicas: 2, template: {spec: "
      "{containers: [{name: main, resources: {limits: {nvidia.com/gpu: ",
      gpus, "}}}]}}}, status: {", status,
      ", conditions: [{type: Available, status: 'True'}]}}\n---\n");
}

std::string OldPods() {
  constexpr std::string_view kHash = "pod-template-hash: old";
  return Cat(Pod("web-old-a", "ReplicaSet", "web-old", kHash, kServes),
             Pod("web-old-b", "ReplicaSet", "web-old", kHash, kServes));
}

TEST(Audit, OfASurgeCountsNoPodsTooMany) {
  EXPECT_THAT(
      CodesOf(Cat(Deployment(1), Set("web-old", 2), Set("web-new", 1), OldPods(),
                  Pod("web-new-a", "ReplicaSet", "web-new", "pod-template-hash: new", kServes))),
      IsEmpty());
  // One of the same generation is one too many.
  EXPECT_THAT(
      CodesOf(Cat(Deployment(1), Set("web-old", 3), OldPods(),
                  Pod("web-old-c", "ReplicaSet", "web-old", "pod-template-hash: old", kServes))),
      ElementsAre("more-pods", "counts-differ"));
}

TEST(Audit, OfARolloutThatStallsNamesThePod) {
  std::string text =
      Cat(Deployment(1), Set("web-old", 2), Set("web-new", 1), OldPods(),
          Pod("web-new-a", "ReplicaSet", "web-new", "pod-template-hash: new", kNoNode));
  std::vector<Finding> findings = FindingsOf(text);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, "rollout-stalled");
  EXPECT_EQ(findings[0].severity, workload::Severity::kWarning);
  EXPECT_THAT(findings[0].pods, ElementsAre("web-new-a"));
  EXPECT_THAT(findings[0].detail, HasSubstr("pod web-new-a cannot be scheduled: Insufficient"));
  // 2026-11-30T10:01:00Z
  EXPECT_THAT(FindingsOf(text, 1'796'032'860), IsEmpty());
}

TEST(Audit, OfARolloutLooksAtWhatTheNewPodsAskFor) {
  std::string older = Cat(Deployment(2), Set("web-old", 2), Set("web-new", 1), OldPods());
  auto added = [](int gpus) {
    return Pod("web-new-a", "ReplicaSet", "web-new", "pod-template-hash: new", kServes, gpus);
  };
  EXPECT_THAT(CodesOf(Cat(older, added(2))), IsEmpty());
  // All are of one generation, and the object says nothing of another.
  EXPECT_THAT(CodesOf(Cat(Deployment(2), Set("web-old", 2), OldPods())),
              ElementsAre("requests-differ"));
  // Where it does, the new pods may not be there yet.
  EXPECT_THAT(CodesOf(Cat(Deployment(2,
                                     "replicas: 2, updatedReplicas: 0, readyReplicas: 2, "
                                     "availableReplicas: 2"),
                          Set("web-old", 2), OldPods())),
              IsEmpty());
}

// Pods of an older template that somebody wants to stay: what is counted by the newest one is not
// theirs.
TEST(Audit, OfARolloutThatIsHeldFindsNothing) {
  // A controller leaves out a count of 0.
  std::string paused = Deployment(2,
                                  "observedGeneration: 1, replicas: 2, readyReplicas: 2, "
                                  "availableReplicas: 2");
  paused.replace(paused.find("replicas: 2"), 11, "paused: true, replicas: 2");
  EXPECT_THAT(CodesOf(Cat(paused, Set("web-old", 2), OldPods())), IsEmpty());
  // A pod in trouble does not hold up what is held.
  EXPECT_THAT(
      CodesOf(Cat(paused, Set("web-old", 3), OldPods(),
                  Pod("web-old-c", "ReplicaSet", "web-old", "pod-template-hash: old", kNoNode))),
      IsEmpty());
  // Paused with nothing to roll out, it is compared.
  std::string same = paused;
  same.replace(same.find("observedGeneration: 1"), 21, "observedGeneration: 1, updatedReplicas: 2");
  EXPECT_THAT(CodesOf(Cat(same, Set("web-old", 2), OldPods())), ElementsAre("requests-differ"));

  auto held = [](std::string_view kind, std::string_view strategy, std::string_view status) {
    std::string pods;
    for (std::string_view name : {"st-0", "st-1"}) {
      pods += Pod(name, kind, "st",
                  Cat("controller-revision-hash: a, statefulset.kubernetes.io/pod-name: ", name),
                  kServes);
    }
    return Cat("{apiVersion: apps/v1, kind: ", kind,
               ", metadata: {name: st, namespace: ml, uid: st}, spec: {replicas: 2, "
               "updateStrategy: {",
               strategy,
               "}, template: {spec: {containers: [{name: main, resources: {limits: "
               "{nvidia.com/gpu: 2}}}]}}}, status: {observedGeneration: 1, ",
               status, "}}\n---\n", pods);
  };
  constexpr std::string_view kTwo =
      "replicas: 2, readyReplicas: 2, currentRevision: a, updateRevision: b";
  EXPECT_THAT(CodesOf(held("StatefulSet", "type: OnDelete", kTwo)), IsEmpty());
  EXPECT_THAT(
      CodesOf(held("StatefulSet", "type: RollingUpdate, rollingUpdate: {partition: 2}", kTwo)),
      IsEmpty());
  EXPECT_THAT(CodesOf(held("DaemonSet", "type: OnDelete",
                           "desiredNumberScheduled: 2, currentNumberScheduled: 2, numberReady: 2, "
                           "numberAvailable: 2")),
              IsEmpty());
}

// A StatefulSet of two pods, of which the first has `state`.
std::string Ordered(std::string_view policy, std::string_view state) {
  return Cat(
      "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: st, namespace: ml, uid: st}, "
      "spec: {replicas: 2, podManagementPolicy: ",
      policy,
      ", template: {spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: "
      "1}}}]}}}, status: {replicas: 1, readyReplicas: 0}}\n---\n",
      Pod("st-0", "StatefulSet", "st",
          "controller-revision-hash: r, statefulset.kubernetes.io/pod-name: st-0", state));
}

TEST(Audit, OfPodsThatComeAfterOthersMissesNone) {
  EXPECT_THAT(CodesOf(Ordered("OrderedReady", kNoNode)), IsEmpty());
  // What they wait for is there.
  EXPECT_THAT(CodesOf(Ordered("OrderedReady", kServes)), ElementsAre("fewer-pods"));
  EXPECT_THAT(CodesOf(Ordered("Parallel", kNoNode)), ElementsAre("fewer-pods"));
}

TEST(Audit, TellsOfPodsThatNoRoleClaimsOnce) {
  // They stand in for those that a role misses.
  auto pod = [](std::string_view name) {
    return Pod(name, "ReplicaSet", "web-old", "a: b", kServes);
  };
  std::string one = Cat(Deployment(1), Set("web-old", 2), pod("web-old-a"));
  EXPECT_THAT(CodesOf(Cat(one, pod("web-old-b"))), ElementsAre("pods-without-role"));
  EXPECT_THAT(CodesOf(one), ElementsAre("pods-without-role", "fewer-pods"));
}

// As a cluster tells whoever may not read these.
Audit AuditOfUnread(std::string_view text) {
  return AuditOf(text, {.workloads_only = false, .unread = {"ReplicaSet", "Deployment"}});
}

TEST(Audit, OfWhatCouldNotBeReadFindsNothing) {
  std::string pods = Cat(Pod("web-a", "ReplicaSet", "web-1", "pod-template-hash: '1'", kServes, 4),
                         Pod("web-b", "ReplicaSet", "web-1", "pod-template-hash: '1'", kServes, 4));
  // The pods may be the Deployment's, and so are not missing.
  Audit audit = AuditOfUnread(Cat(Deployment(4), pods));
  EXPECT_THAT(audit.findings, IsEmpty());
  ASSERT_EQ(audit.unseen.size(), 1U);
  EXPECT_EQ(audit.unseen[0].what, "owners");
  EXPECT_EQ(audit.unseen[0].why, "2 pods with 8 GPUs have an owner that could not be read");
  // Nor does what belongs to something that could not be read disagree.
  constexpr std::string_view kSet =
      "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web-1, namespace: ml, uid: web-1, "
      "ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: web, controller: "
      "true}]}, spec: {replicas: 2, template: {spec: {containers: [{name: main, resources: "
      "{limits: {nvidia.com/gpu: 4}}}]}}}, status: {observedGeneration: 1, replicas: 2, "
      "readyReplicas: 2, availableReplicas: 2}}\n---\n";
  audit = AuditOfUnread(Cat(kSet, pods));
  EXPECT_THAT(audit.findings, IsEmpty());
  ASSERT_EQ(audit.unseen.size(), 1U);
  EXPECT_EQ(audit.unseen[0].why, "1 workload has an owner that could not be read");
  // What has lost an owner of a kind that was read is a finding still.
  audit = AuditOfUnread(Pod("old-a", "StatefulSet", "old", "", kServes));
  ASSERT_EQ(audit.findings.size(), 1U);
  EXPECT_EQ(audit.findings[0].code, "unclaimed-devices");
}

TEST(Audit, OfPodsThatStayOnATaintedNodeCountsNoneTooMany) {
  auto of = [](int misplaced) {
    std::string text = Cat(
        "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent, namespace: ml, uid: agent, "
        "creationTimestamp: '2026-11-30T10:00:00Z'}, spec: {template: {spec: {containers: [{name: "
        "main, resources: {limits: {nvidia.com/gpu: 1}}}]}}}, status: {observedGeneration: 1, "
        "currentNumberScheduled: 2, desiredNumberScheduled: 2, numberReady: 2, numberAvailable: 2, "
        "updatedNumberScheduled: 2, numberMisscheduled: ",
        misplaced, "}}\n---\n");
    for (std::string_view name : {"a", "b", "c"})
      text += Pod(name, "DaemonSet", "agent", "", kServes);
    return CodesOf(text);
  };
  EXPECT_THAT(of(1), IsEmpty());
  EXPECT_THAT(of(0), ElementsAre("more-pods"));
}

TEST(Audit, OfADeploymentThatIsPausedFromTheStartMissesNoPods) {
  constexpr std::string_view kPaused =
      "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: ml, uid: web, "
      "creationTimestamp: '2026-11-30T10:00:00Z'}, spec: {paused: true, replicas: 2}, status: "
      "{observedGeneration: 1}}\n---\n{apiVersion: v1, kind: Pod, metadata: {name: other, "
      "namespace: ml, uid: o}, status: {phase: Running}}";
  EXPECT_THAT(CodesOf(kPaused), IsEmpty());
}

TEST(Audit, OfANodeThatIsGoneNamesThePodsThatHoldItsDevices) {
  auto pod = [](std::string_view name, std::string_view resources) {
    return Cat("{apiVersion: v1, kind: Pod, metadata: {name: ", name,
               ", namespace: ml, uid: ", name, "}, spec: {nodeName: gone, containers: [{name: m",
               resources, "}]}, status: {phase: Running}}\n---\n");
  };
  definition::Registry registry;
  workload::AcceleratorTable accelerators;
  Snapshot snapshot(registry, accelerators);
  snapshot.WantSources();
  input::ReadText(
      Cat("{apiVersion: v1, kind: Node, metadata: {name: n}}\n---\n",
          pod("holds", ", resources: {limits: {nvidia.com/gpu: 1}}"), pod("plain", "")),
      "test.yaml", {},
      [&](const input::Object& object) { snapshot.Add(object.value, object.source); },
      [&](const input::Problem& problem) { ADD_FAILURE() << problem.Describe(); });
  std::vector<Finding> findings;
  EXPECT_EQ(AuditNodes(snapshot.Build(), true, findings), 1);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, "node-gone");
  EXPECT_EQ(findings[0].name, "holds");
}

}  // namespace
}  // namespace wmap::inspect
