#include "inspect/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "base/text.h"
#include "input/input.h"
#include "inspect/snapshot.h"

namespace wmap::inspect {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class Explained {
 public:
  explicit Explained(std::string_view text) {
    Snapshot snapshot(registry_, accelerators_);
    snapshot.WantSources();
    snapshot.WantGroups();
    input::ReadText(
        text, "test.yaml", {},
        [&](const input::Object& object) { snapshot.Add(object.value, object.source); },
        [&](const input::Problem& problem) { ADD_FAILURE() << problem.Describe(); });
    report_ = snapshot.Build();
    one_ = Explain(report_, 0, registry_);
  }

  const Explanation& operator*() const { return one_; }
  const Explanation* operator->() const { return &one_; }
  std::vector<std::string> codes() const {
    std::vector<std::string> codes;
    for (const Cause& cause : one_.causes) codes.emplace_back(CauseCode(cause.kind));
    return codes;
  }

 private:
  definition::Registry registry_;
  workload::AcceleratorTable accelerators_;
  Report report_;
  Explanation one_;
};

// A Job of two pods, and one of these with `spec`, `status` and `metadata` of its own.
std::string JobWithPod(std::string_view spec, std::string_view status,
                       std::string_view metadata = "") {
  return Cat(
      "{apiVersion: batch/v1, kind: Job, metadata: {name: tune, namespace: ml, uid: u}, spec: "
      "{parallelism: 2, completions: 2, template: {spec: {containers: [{name: main}]}}}, status: "
      "{active: 2}}\n---\n{apiVersion: v1, kind: Pod, metadata: {name: tune-a, namespace: ml, uid: "
      "p, labels: {batch.kubernetes.io/job-name: tune}, ownerReferences: [{apiVersion: batch/v1, "
      "kind: Job, name: tune, uid: u, controller: true}]",
      metadata, "}, spec: {", spec, "}, status: {", status, "}}\n---\n");
}

TEST(Explanation, OfAPodThatIsMissingWithoutAWordSaysSo) {
  Explained one(JobWithPod("nodeName: n, containers: [{name: main}]",
                           "phase: Running, conditions: [{type: Ready, status: 'True'}]"));
  EXPECT_THAT(one.codes(), ElementsAre("missing"));
  EXPECT_EQ(one->summary, "1 pod is not there yet");
  EXPECT_THAT(one->causes.front().details, ElementsAre("nothing at hand says why"));
  EXPECT_THAT(one->causes.front().commands, ElementsAre("kubectl describe job.batch -n ml tune"));
}

// A JobSet with a role that comes once the pod of another is in `status`.
std::string JobSetInOrder(std::string_view awaited, std::string_view phase) {
  return Cat(
      "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: js, namespace: ml, "
      "uid: "
      "u}, spec: {replicatedJobs: [{name: fetch, template: {spec: {template: {spec: {containers: "
      "[{name: main}]}}}}}, {name: node, dependsOn: [{name: fetch, status: ",
      awaited,
      "}], template: {spec: {parallelism: 2, completions: 2, template: {spec: {containers: [{name: "
      "main}]}}}}}]}}\n---\n{apiVersion: batch/v1, kind: Job, metadata: {name: js-fetch-0, "
      "namespace: "
      "ml, uid: j, labels: {jobset.sigs.k8s.io/jobset-name: js, "
      "jobset.sigs.k8s.io/replicatedjob-name: fetch}, ownerReferences: [{apiVersion: "
      "jobset.x-k8s.io/v1alpha2, kind: JobSet, name: js, uid: u, controller: true}]}, spec: "
      "{parallelism: 1, completions: 1}}\n---\n{apiVersion: v1, kind: Pod, metadata: {name: "
      "js-fetch-0-0-a, namespace: ml, uid: p, labels: {jobset.sigs.k8s.io/jobset-name: js, "
      "jobset.sigs.k8s.io/replicatedjob-name: fetch}, ownerReferences: [{apiVersion: batch/v1, "
      "kind: Job, name: js-fetch-0, uid: j, controller: true}]}, spec: {nodeName: n, containers: "
      "[{name: main}]}, status: {phase: ",
      phase, "}}");
}

TEST(Explanation, OfPodsThatComeAfterOthersNamesThese) {
  constexpr std::string_view kReady = "Running, conditions: [{type: Ready, status: 'True'}]";
  constexpr std::string_view kWaits = "2 pods of node wait for fetch";
  EXPECT_EQ(Explained(JobSetInOrder("Complete", kReady))->summary, kWaits);
  EXPECT_EQ(Explained(JobSetInOrder("Complete", "Succeeded"))->summary,
            "2 pods of node are not there yet");
  EXPECT_EQ(Explained(JobSetInOrder("Ready", "Running"))->causes.back().summary, kWaits);
  EXPECT_EQ(Explained(JobSetInOrder("Ready", kReady))->summary, "2 pods of node are not there yet");
}

TEST(Explanation, OfAGangCountsItsMembers) {
  Explained one(
      "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: js, namespace: "
      "ml, uid: t}, spec: {runtimeRef: {name: torch}, trainer: {numNodes: 2}}}\n---\n{apiVersion: "
      "jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: js, namespace: ml, uid: s, "
      "ownerReferences: [{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, name: js, "
      "uid: "
      "t, controller: true}]}, spec: {replicatedJobs: [{name: fetch, replicas: 1, template: {spec: "
      "{template: {spec: {containers: [{name: main}]}}}}}, {name: node, replicas: 1, dependsOn: "
      "[{name: fetch, status: Complete}], template: {spec: {parallelism: 2, completions: 2, "
      "template: {spec: {containers: [{name: node}]}}}}}]}}\n---\n{apiVersion: v1, kind: Pod, "
      "metadata: {name: js-fetch-0-0-a, namespace: ml, uid: p, labels: "
      "{jobset.sigs.k8s.io/jobset-name: js, jobset.sigs.k8s.io/replicatedjob-name: fetch}, "
      "ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: js, uid: s, "
      "controller: true}]}, spec: {nodeName: n, containers: [{name: main}]}, status: {phase: "
      "Running, conditions: [{type: Ready, status: 'True'}]}}");
  EXPECT_EQ(one->summary, "2 pods of node wait for fetch");
  ASSERT_EQ(one->gangs.size(), 1U);
  EXPECT_EQ(one->gangs[0].minimum, 2);
  EXPECT_EQ(one->gangs[0].exist, 0);
  EXPECT_EQ(one->gangs[0].placed, 0);
}

TEST(Explanation, OfAPodThatNoSchedulerHasSeenNamesTheScheduler) {
  Explained one(JobWithPod("schedulerName: fancy, containers: [{name: main}]", "phase: Pending"));
  EXPECT_THAT(one.codes(), ElementsAre("no-verdict", "missing"));
  EXPECT_EQ(one->summary, "1 pod is without a node, and no word of scheduler fancy");
}

TEST(Explanation, OfAPodThatRoomIsMadeForNamesTheNode) {
  Explained one(JobWithPod(
      "containers: [{name: main}]",
      "phase: Pending, nominatedNodeName: n7, conditions: [{type: PodScheduled, status: 'False', "
      "reason: Unschedulable, message: '0/2 nodes are available: 2 Insufficient cpu.'}]"));
  EXPECT_THAT(one->causes.front().details, ElementsAre("room is being made for tune-a on node n7"));
}

TEST(Explanation, OfGatesNamesThem) {
  Explained one(
      JobWithPod("schedulingGates: [{name: example.com/wait}], containers: [{name: main}]",
                 "phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: "
                 "SchedulingGated}]"));
  EXPECT_EQ(one->summary, "1 pod is held back by scheduling gate example.com/wait");
}

TEST(Explanation, OfAPodOnALostNodeNamesTheNode) {
  Explained one(Cat(JobWithPod("nodeName: n1, containers: [{name: main}]",
                               "phase: Running, conditions: [{type: Ready, status: 'False'}]"),
                    "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {conditions: "
                    "[{type: Ready, status: Unknown}]}}"));
  EXPECT_THAT(one.codes(), ElementsAre("node-lost", "missing"));
  EXPECT_THAT(one->summary, StartsWith("1 pod is on node n1, which is not ready"));
}

TEST(Explanation, OfAPreemptedPodHasTheReason) {
  Explained one(JobWithPod(
      "nodeName: n1, containers: [{name: main}]",
      "phase: Failed, conditions: [{type: DisruptionTarget, status: 'True', reason: "
      "PreemptionByScheduler, message: 'default-scheduler: preempting to accommodate a higher "
      "priority pod'}]"));
  EXPECT_THAT(one->summary, HasSubstr("1 pod is taken away: PreemptionByScheduler"));
}

TEST(Explanation, OfAnInitContainerSaysSo) {
  Explained one(JobWithPod(
      "nodeName: n1, initContainers: [{name: fetch}], containers: [{name: main}]",
      "phase: Pending, initContainerStatuses: [{name: fetch, restartCount: 5, state: {waiting: "
      "{reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 2}}}]"));
  EXPECT_THAT(
      one->summary,
      HasSubstr("cannot stay up: init container fetch exited with code 2 after 5 restarts"));
  EXPECT_THAT(one->commands.front(), "kubectl logs -n ml tune-a -c fetch --previous");
}

TEST(Explanation, OfAnEndThatIsOverIsSilent) {
  Explained one(JobWithPod(
      "nodeName: n1, containers: [{name: main}]",
      "phase: Running, conditions: [{type: Ready, status: 'True'}], containerStatuses: [{name: "
      "main, ready: true, restartCount: 1, state: {running: {}}, lastState: {terminated: "
      "{exitCode: 1}}}]"));
  EXPECT_THAT(one.codes(), ElementsAre("missing"));
}

TEST(Explanation, OfAGroupOfKubernetesHasItsMinimum) {
  Explained one(
      Cat(JobWithPod("schedulingGroup: {podGroupName: g}, containers: [{name: main}]",
                     "phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: "
                     "Unschedulable, message: '0/2 nodes are available: 2 Insufficient cpu.'}]"),
          "{apiVersion: scheduling.k8s.io/v1alpha2, kind: PodGroup, metadata: {name: g, namespace: "
          "ml}, spec: {schedulingPolicy: {gang: {minCount: 2}}}, status: {conditions: [{type: "
          "PodGroupScheduled, status: 'False', reason: Unschedulable, message: not all fit}]}}"));
  EXPECT_THAT(one.codes(), ElementsAre("gang", "unschedulable", "missing"));
  ASSERT_EQ(one->gangs.size(), 1U);
  EXPECT_EQ(one->gangs[0].minimum, 2);
  EXPECT_EQ(one->gangs[0].exist, 1);
  EXPECT_EQ(one->gangs[0].placed, 0);
  EXPECT_THAT(one->causes[0].details.front(), "Unschedulable: not all fit");
}

TEST(Explanation, OfCoschedulingSaysWhatItsGroupSays) {
  Explained one(Cat(JobWithPod("containers: [{name: main}]", "phase: Pending", ""),
                    "{apiVersion: scheduling.x-k8s.io/v1alpha1, kind: PodGroup, metadata: {name: "
                    "other, namespace: ml}, spec: {minMember: 9}}"));
  // The group of somebody else.
  EXPECT_THAT(one->gangs, IsEmpty());
}

TEST(Explanation, WaitsForAdmissionChecksOfKueue) {
  Explained one(
      "{apiVersion: batch/v1, kind: Job, metadata: {name: tune, namespace: ml, uid: u}, spec: "
      "{suspend: true, template: {spec: {containers: [{name: main}]}}}, status: {conditions: "
      "[{type: Suspended, status: 'True'}]}}\n---\n{apiVersion: kueue.x-k8s.io/v1beta1, kind: "
      "Workload, metadata: {name: w, namespace: ml, uid: w, ownerReferences: [{apiVersion: "
      "batch/v1, kind: Job, name: tune, uid: u, controller: true}]}, spec: {queueName: team}, "
      "status: {conditions: [{type: QuotaReserved, status: 'True'}], admissionChecks: [{name: "
      "provision, state: Pending, message: nodes come}, {name: other, state: Ready}]}}");
  EXPECT_THAT(one.codes(), ElementsAre("queue"));
  EXPECT_THAT(one->causes[0].details,
              ElementsAre("admission check provision: Pending: nodes come"));
}

TEST(Explanation, OfTheObjectAloneSaysWhatItHasNotSeen) {
  Explained one(
      "{apiVersion: batch/v1, kind: Job, metadata: {name: tune, namespace: ml}, spec: {template: "
      "{spec: {containers: [{name: main}]}}}, status: {active: 1, ready: 1}}");
  EXPECT_EQ(one->summary, "so its object says; its pods are not among the inputs");
  ASSERT_EQ(one->unseen.size(), 1U);
  EXPECT_EQ(one->unseen[0].what, "pods");
}

TEST(Explanation, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(ShellWord("train-0"), "train-0");
  EXPECT_EQ(ShellWord("a b"), "'a b'");
  EXPECT_EQ(ShellWord("it's; rm"), "'it'\\''s; rm'");
  EXPECT_EQ(ShellWord("-x"), "'-x'");
  EXPECT_EQ(ShellWord(""), "''");
}

}  // namespace
}  // namespace wmap::inspect
