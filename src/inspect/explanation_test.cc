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

TEST(Explanation, OfAPodOnANodeThatIsNotThereSaysSo) {
  constexpr std::string_view kSpec = "nodeName: gone, containers: [{name: main}]";
  constexpr std::string_view kOther = "{apiVersion: v1, kind: Node, metadata: {name: n}}";
  Explained gone(Cat(JobWithPod(kSpec, "phase: Pending"), kOther));
  EXPECT_THAT(gone.codes(), ElementsAre("node-lost", "missing"));
  EXPECT_EQ(gone->causes.front().summary, "1 pod is on node gone, which is not among the nodes");
  // Without nodes nobody knows, and nothing is said that no status says.
  Explained bound(
      JobWithPod(kSpec, "phase: Pending, conditions: [{type: PodScheduled, status: 'True'}]"));
  EXPECT_THAT(bound.codes(), ElementsAre("starting", "missing"));
  EXPECT_EQ(bound->causes.front().summary,
            "1 pod is on a node whose kubelet has not said anything of it yet");
  EXPECT_EQ(Explained(JobWithPod(kSpec, "phase: Pending, startTime: '2026-11-30T10:00:00Z'"))
                ->causes.front()
                .summary,
            "1 pod is still starting");
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

TEST(Explanation, OfAnObjectThatSpeaksOfMoreThanItsPodsSaysSo) {
  // Its rollout is refused pods; those that it has are ready.
  Explained one(R"(
{apiVersion: apps/v1, kind: Deployment, metadata: {name: chat, namespace: ml, uid: u}, spec: {replicas: 1,
 template: {spec: {containers: [{name: main}]}}}, status: {replicas: 1, readyReplicas: 1,
 conditions: [{type: ReplicaFailure, status: "True", reason: FailedCreate}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: chat-a, namespace: ml, uid: p, labels: {pod-template-hash: a},
 ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: chat, uid: u, controller: true}]},
 spec: {nodeName: n, containers: [{name: main}]},
 status: {phase: Running, conditions: [{type: Ready, status: "True"}]}}
)");
  EXPECT_EQ(one->rule, "the object says Degraded, though its pods are ready");
}

TEST(Explanation, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(ShellWord("train-0"), "train-0");
  EXPECT_EQ(ShellWord("a b"), "'a b'");
  EXPECT_EQ(ShellWord("it's; rm"), "'it'\\''s; rm'");
  EXPECT_EQ(ShellWord("-x"), "'-x'");
  EXPECT_EQ(ShellWord(""), "''");
}

constexpr std::string_view kServes =
    "phase: Running, conditions: [{type: Ready, status: 'True'}, {type: PodScheduled, status: "
    "'True'}]";
constexpr std::string_view kNoRoom =
    "phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, "
    "message: '0/2 nodes are available: 2 Insufficient nvidia.com/gpu.'}]";

std::string PodOf(std::string_view kind, std::string_view owner, std::string_view name,
                  std::string_view status) {
  return Cat("{apiVersion: v1, kind: Pod, metadata: {name: ", name, ", namespace: ml, uid: ", name,
             ", ownerReferences: [{apiVersion: apps/v1, kind: ", kind, ", name: ", owner,
             ", uid: ", owner, ", controller: true}]}, spec: {",
             status.starts_with("phase: Pending") ? "" : "nodeName: node-1, ",
             "containers: [{name: main}]}, status: {", status, "}}\n---\n");
}

std::string SetOf(std::string_view owner, std::string_view name) {
  return Cat("{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: ", name,
             ", namespace: ml, uid: ", name,
             ", ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: ", owner,
             ", uid: ", owner, ", controller: true}]}, spec: {replicas: 2}}\n---\n");
}

// A Deployment of two pods that serve, with `newest` among them.
std::string Rolling(std::string_view spec, std::string_view status, std::string_view newest = "") {
  return Cat(
      "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: ml, uid: web}, "
      "spec: {replicas: 2, template: {spec: {containers: [{name: main}]}}",
      spec, "}, status: {observedGeneration: 1, readyReplicas: 2, availableReplicas: 2, ", status,
      "}}\n---\n", SetOf("web", "web-old"), SetOf("web", "web-new"),
      PodOf("ReplicaSet", "web-old", "web-old-a", kServes),
      PodOf("ReplicaSet", "web-old", "web-old-b", kServes),
      newest.empty() ? "" : PodOf("ReplicaSet", "web-new", "web-new-a", newest));
}

constexpr std::string_view kTimedOut =
    "replicas: 3, updatedReplicas: 1, conditions: [{type: Available, status: 'True'}, {type: "
    "Progressing, status: 'False', reason: ProgressDeadlineExceeded, message: timed out}]";

TEST(Explanation, OfARolloutThatIsStuckNamesWhatKeepsItsNewestPod) {
  Explained one(Rolling("", kTimedOut, kNoRoom));
  EXPECT_EQ(one->status.phase, workload::Phase::kRunning);
  EXPECT_EQ(one->summary,
            "all 2 pods that are wanted are ready, but its rollout is stuck: 1 pod cannot be "
            "scheduled: Insufficient nvidia.com/gpu on 2 of 2 nodes");
  EXPECT_THAT(one.codes(), ElementsAre("unschedulable", "rollout"));
  EXPECT_THAT(one->causes.back().details, ElementsAre("timed out"));
  // One that only does not get ready keeps it as well.
  EXPECT_EQ(Explained(Rolling("", kTimedOut,
                              "phase: Running, conditions: [{type: Ready, status: 'False'}]"))
                ->summary,
            "all 2 pods that are wanted are ready, but its rollout is stuck: 1 pod is not ready "
            "yet");
  // Without such a pod, so much is known.
  EXPECT_EQ(Explained(Rolling("", kTimedOut))->summary,
            "all 2 pods that are wanted are ready, but its rollout is stuck: its newest template "
            "is on 1 of 3 pods");
}

TEST(Explanation, OfARolloutThatGoesOnSaysHowFarItIs) {
  Explained one(Rolling("", "replicas: 3, updatedReplicas: 1", "phase: Pending"));
  EXPECT_EQ(one->summary,
            "all 2 pods that are wanted are ready; its rollout goes on: its newest template is on "
            "1 of 3 pods");
  EXPECT_THAT(one.codes(), ElementsAre("rollout"));
  // A pod in trouble keeps it from going on, before its controller says so.
  EXPECT_EQ(Explained(Rolling("", "replicas: 3, updatedReplicas: 1", kNoRoom))->summary,
            "all 2 pods that are wanted are ready, but its rollout does not go on: 1 pod cannot "
            "be scheduled: Insufficient nvidia.com/gpu on 2 of 2 nodes");
  Explained over(Rolling("", "replicas: 2, updatedReplicas: 2"));
  EXPECT_EQ(over->summary, "all 2 pods that are wanted are ready");
  EXPECT_THAT(over.codes(), IsEmpty());
}

TEST(Explanation, OfARolloutThatIsHeldSaysByWhat) {
  Explained paused(Rolling(", paused: true", "replicas: 3", kNoRoom));
  EXPECT_EQ(paused->summary,
            "all 2 pods that are wanted are ready, but it is paused, and its newest template is on "
            "none of its 3 pods");
  EXPECT_THAT(paused.codes(), ElementsAre("rollout", "unschedulable"));
  Explained held(
      Cat("{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: st, namespace: ml, "
          "uid: st}, spec: {replicas: 1, updateStrategy: {type: OnDelete}, template: "
          "{spec: {containers: [{name: main}]}}}, status: {observedGeneration: 1, "
          "replicas: 1, readyReplicas: 1, currentRevision: a, updateRevision: b}}\n---\n",
          PodOf("StatefulSet", "st", "st-0", kServes)));
  EXPECT_EQ(held->summary,
            "the pod that is wanted is ready, but its newest template is not on its pod: with its "
            "update strategy OnDelete others keep theirs until they are deleted");
}

TEST(Explanation, OfWhatItHasMadeTellsTheRolloutToo) {
  std::string text = Rolling(", paused: true}, x: {y: z", "replicas: 2");
  std::size_t at = text.find("uid: web}");
  text.insert(at + 8,
              ", ownerReferences: [{apiVersion: serving.kserve.io/v1beta1, kind: InferenceService, "
              "name: llm, uid: llm, controller: true}]");
  Explained one(
      Cat("{apiVersion: serving.kserve.io/v1beta1, kind: InferenceService, metadata: "
          "{name: llm, namespace: ml, uid: llm, annotations: "
          "{serving.kserve.io/deploymentMode: RawDeployment}}, spec: {predictor: "
          "{minReplicas: 2, containers: [{name: main}]}}, status: {conditions: [{type: "
          "Ready, status: 'True'}, {type: PredictorReady, status: 'True'}]}}\n---\n",
          text));
  EXPECT_THAT(one->summary, HasSubstr("of its Deployment web: it is paused, and"));
}

TEST(Explanation, OfPodsThatAreToBeReadyForLongerSaysSo) {
  Explained one(
      "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db, namespace: ml, uid: u}, spec: "
      "{replicas: 1, minReadySeconds: 300, template: {spec: {containers: [{name: main}]}}}, "
      "status: {observedGeneration: 1, replicas: 1, readyReplicas: 1, updatedReplicas: 1, "
      "availableReplicas: 0, currentRevision: a, updateRevision: a}}\n---\n{apiVersion: v1, kind: "
      "Pod, metadata: {name: db-0, namespace: ml, uid: p, ownerReferences: [{apiVersion: apps/v1, "
      "kind: StatefulSet, name: db, uid: u, controller: true}]}, spec: {nodeName: n}, status: "
      "{phase: Running, conditions: [{type: Ready, status: 'True'}]}}");
  EXPECT_EQ(one->status.phase, workload::Phase::kRunning);
  EXPECT_EQ(one->summary,
            "the pod that is wanted is ready, but its ready pod is not available yet: it has to be "
            "ready for 300 seconds (minReadySeconds)");
}

TEST(Explanation, OfADeploymentThatIsPausedFromTheStartSaysSo) {
  Explained one(
      "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: ml, uid: u}, spec: "
      "{replicas: 2, paused: true}, status: {observedGeneration: 1}}\n---\n{apiVersion: v1, kind: "
      "Pod, metadata: {name: other, namespace: ml, uid: p}, status: {phase: Running}}");
  EXPECT_THAT(one.codes(), ElementsAre("rollout"));
  EXPECT_EQ(one->summary, "it is paused, and no pod is made before it goes on");
}

TEST(Explanation, OfAJobWithoutParallelismNamesThat) {
  Explained one(
      "{apiVersion: batch/v1, kind: Job, metadata: {name: tune, namespace: ml, uid: u}, spec: "
      "{parallelism: 0}, status: {}}");
  EXPECT_EQ(one->causes.front().summary, "its parallelism is 0: no pod is wanted");
}

TEST(Explanation, OfADaemonSetThatNoNodeTakesSaysWhy) {
  auto of = [](std::string_view spec, std::string_view nodes) {
    return Explained(
               Cat("{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent, namespace: ml, "
                   "uid: u}, spec: {template: {spec: {",
                   spec,
                   "}}}, status: {observedGeneration: 1, desiredNumberScheduled: 0, "
                   "currentNumberScheduled: 0, numberReady: 0}}\n---\n{apiVersion: v1, kind: Pod, "
                   "metadata: {name: other, namespace: ml, uid: p}, status: {phase: Running}}",
                   nodes))
        ->summary;
  };
  constexpr std::string_view kNode =
      "\n---\n{apiVersion: v1, kind: Node, metadata: {name: n, labels: {zone: a}}, spec: {taints: "
      "[{key: own, effect: NoSchedule}]}}";
  EXPECT_EQ(of("nodeSelector: {gpu: h100}", kNode),
            "no pod is wanted: no node matches its node selector gpu=h100 (desiredNumberScheduled "
            "0)");
  EXPECT_EQ(of("nodeSelector: {zone: a}", kNode),
            "no pod is wanted: the nodes that its template matches are closed to it by their "
            "taints (desiredNumberScheduled 0)");
  EXPECT_EQ(of("nodeSelector: {gpu: h100}", ""),
            "no pod is wanted: no node takes one (desiredNumberScheduled 0); its node selector is "
            "gpu=h100");
}

TEST(Explanation, OfACronJobThatHasNotRunSaysWhenItIsDue) {
  Explained one(
      "{apiVersion: batch/v1, kind: CronJob, metadata: {name: night, namespace: ml, "
      "creationTimestamp: '2026-11-30T10:00:00Z'}, spec: {schedule: '30 3 * * *', jobTemplate: "
      "{spec: {template: {spec: {containers: [{name: main}]}}}}}, status: {}}\n---\n"
      "{apiVersion: v1, kind: Pod, metadata: {name: other, namespace: ml}, spec: {containers: "
      "[{name: main}]}}");
  EXPECT_EQ(one->summary,
            "it has not run yet; its next run is due at 2026-12-01T03:30:00Z, by its schedule 30 3 "
            "* * *");
  EXPECT_THAT(one.codes(), ElementsAre("schedule"));
}

TEST(Explanation, OfAJobBetweenTwoPodsSaysThatItPauses) {
  std::string text = JobWithPod("nodeName: n, containers: [{name: main}]",
                                "phase: Failed, containerStatuses: [{name: main, state: "
                                "{terminated: {exitCode: 3, reason: Error}}}]");
  text.replace(text.find("active: 2"), 9, "failed: 1");
  Explained one(text);
  EXPECT_EQ(one->summary,
            "1 pod failed: container main exited with code 3; the Job controller waits before it "
            "makes another pod");
  EXPECT_THAT(one.codes(), ElementsAre("crash", "back-off"));
  EXPECT_THAT(one->causes.back().details,
              ElementsAre("1 pod has failed, and backoffLimit allows 6"));
}

TEST(Explanation, OfFieldsOfOtherObjectsNamesThese) {
  Explained one(
      "{apiVersion: batch/v1, kind: CronJob, metadata: {name: night, namespace: ml, uid: c}, spec: "
      "{schedule: '30 3 * * *', jobTemplate: {spec: {template: {spec: {containers: [{name: "
      "main}]}}}}}, status: {active: [{name: night-1}]}}\n---\n{apiVersion: batch/v1, kind: Job, "
      "metadata: {name: night-1, namespace: ml, uid: j, ownerReferences: [{apiVersion: batch/v1, "
      "kind: CronJob, name: night, uid: c, controller: true}]}, spec: {parallelism: 1}, status: "
      "{active: 1}}");
  std::vector<std::string> paths;
  for (const MappingEvidence& mapping : one->evidence.matched) {
    for (const MatcherPart& part : mapping.parts) {
      for (const ValueRead& read : part.reads) paths.push_back(read.path);
    }
  }
  EXPECT_THAT(paths, ::testing::Not(::testing::Contains(HasSubstr("wmap.dev"))));
  EXPECT_THAT(paths, ::testing::Contains(".status.active[0].name"));
}

TEST(Explanation, OfAnObjectThatIsNotThereNamesItAndTheCommand) {
  auto waiting = [](std::string_view message) {
    return JobWithPod("nodeName: n, containers: [{name: main}]",
                      Cat("phase: Pending, containerStatuses: [{name: main, state: {waiting: "
                          "{reason: CreateContainerConfigError, message: '",
                          message, "'}}}]"));
  };
  Explained one(waiting("configmap \"settings\" not found"));
  EXPECT_EQ(one->causes[0].advice,
            "create the ConfigMap settings, or name one that is there in the template");
  EXPECT_EQ(one->causes[0].commands[0], "kubectl get configmap -n ml settings");
  EXPECT_EQ(Explained(waiting("secret \"ml/key\" not found"))->causes[0].commands[0],
            "kubectl get secret -n ml key");
  EXPECT_EQ(Explained(waiting("secret \"key\" is odd"))->causes[0].advice, "");
}

TEST(Explanation, OfAQuotaThatHasRoomAgainSaysSo) {
  auto with = [](std::string_view hard) {
    return Explained(Cat(
        JobWithPod("nodeName: n, containers: [{name: main}]", kServes),
        "{apiVersion: v1, kind: Event, metadata: {name: e, namespace: ml}, involvedObject: {kind: "
        "Job, name: tune, namespace: ml, uid: u}, type: Warning, reason: FailedCreate, message: "
        "'Error creating: pods \"tune-b\" is forbidden: exceeded quota: q, requested: pods=1, "
        "used: "
        "pods=3, limited: pods=3'}\n---\n{apiVersion: v1, kind: ResourceQuota, metadata: {name: q, "
        "namespace: ml}, status: {hard: {pods: '",
        hard, "'}, used: {pods: '3'}}}"));
  };
  EXPECT_THAT(with("3")->summary, StartsWith("1 pod cannot be created: quota q is exceeded (3 of"));
  EXPECT_THAT(with("4")->summary,
              StartsWith("1 pod could not be created: quota q was exceeded, and has room by now"));
  EXPECT_THAT(with("4")->causes[0].details, ::testing::Contains("now 3 of 4 pods are used"));
}

// An event of the pod of JobWithPod(), or of the Job.
std::string EventOf(std::string_view object, std::string_view reason, std::string_view message) {
  bool is_pod = object == "Pod";
  return Cat("{apiVersion: v1, kind: Event, metadata: {name: ", ToLower(reason),
             ", namespace: ml}, involvedObject: {kind: ", object, ", namespace: ml, name: tune",
             is_pod ? "-a" : "", ", uid: ", is_pod ? "p" : "u",
             "}, type: Warning, reason: ", reason, ", message: '", message, "'}\n---\n");
}

struct Situation {
  std::string_view what;
  std::string spec;
  std::string status;
  std::string beside;  // other objects
  std::string cause;   // what of the first one's sentence comes behind "1 pod "
};

TEST(Explanation, NamesTheTrueCauseFirst) {
  const std::string kTwo = "nodeName: node-1, containers: [{name: main}, {name: proxy}]";
  const std::string kOne = "nodeName: node-1, containers: [{name: main}]";
  const std::string kWithInit =
      "nodeName: node-1, initContainers: [{name: fetch}], containers: [{name: main}]";
  const std::string kNotReady = "phase: Running, conditions: [{type: Ready, status: 'False'";
  const std::vector<Situation> situations = {
      {"an init container that crashes", kWithInit,
       "phase: Pending, initContainerStatuses: [{name: fetch, restartCount: 4, state: {waiting: "
       "{reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 1, reason: Error}}}], "
       "containerStatuses: [{name: main, ready: false, state: {waiting: {reason: "
       "PodInitializing}}}]",
       "", "cannot stay up: init container fetch exited with code 1 after 4 restarts"},
      {"an init container that takes its time", kWithInit,
       "phase: Pending, initContainerStatuses: [{name: fetch, ready: false, state: {running: "
       "{}}}], containerStatuses: [{name: main, ready: false, state: {waiting: {reason: "
       "PodInitializing}}}]",
       "", "is still starting: init container fetch runs"},
      {"a sidecar that is up is not waited for", kWithInit,
       "phase: Pending, reason: ContainerCreating, initContainerStatuses: [{name: fetch, ready: "
       "true, started: true, state: {running: {}}}]",
       "", "is still starting (ContainerCreating)"},
      {"one of several containers that does not get ready", kTwo,
       Cat(kNotReady,
           "}], containerStatuses: [{name: main, ready: true}, {name: proxy, ready: false}]"),
       "", "is not ready yet: container proxy is not"},
      {"a readiness gate", kOne,
       Cat(kNotReady,
           ", reason: ReadinessGatesNotReady, message: gate \"lb\" does not exist}], "
           "containerStatuses: [{name: main, ready: true}]"),
       "", "is not ready yet: gate \"lb\" does not exist"},
      {"a liveness probe that fails", kOne,
       Cat(kNotReady,
           "}], containerStatuses: [{name: main, restartCount: 5, state: {waiting: {reason: "
           "CrashLoopBackOff}}, lastState: {terminated: {exitCode: 137, reason: Error}}}]"),
       EventOf("Pod", "Unhealthy", "Liveness probe failed: connection refused"),
       "cannot stay up: container main exited with code 137 (killed as its liveness probe fails) "
       "after 5 restarts"},
      {"a readiness probe that fails", kOne, Cat(kNotReady, "}]"),
       EventOf("Pod", "Unhealthy", "Readiness probe failed: 503"),
       "is not ready yet: Readiness probe failed: 503"},
      {"a node that runs out of memory", kOne,
       "phase: Failed, reason: Evicted, message: 'The node was low on resource: memory.'", "",
       "is lost: Evicted: The node was low on resource: memory."},
      {"others of a higher priority", kOne,
       "phase: Failed, conditions: [{type: DisruptionTarget, status: 'True', reason: "
       "PreemptionByScheduler, message: make room}]",
       "", "is taken away: PreemptionByScheduler: make room"},
      {"a scheduler that fails", "containers: [{name: main}]",
       "phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: "
       "SchedulerError, message: binding volumes timed out}]",
       "", "cannot be scheduled: binding volumes timed out"},
      {"ports of the nodes before taints", "containers: [{name: main}]",
       "phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: "
       "Unschedulable, message: '0/2 nodes are available: 1 node(s) didn''t have free ports for "
       "the requested pod ports, 1 node(s) had untolerated taint(s).'}]",
       "",
       "cannot be scheduled: didn't have free ports for the requested pod ports on 1 of 2 nodes, "
       "had untolerated taint(s) on 1"},
      {"an admission webhook, told with its own event", kOne, std::string(kServes),
       EventOf("Job", "FailedCreate",
               "(combined from similar events): Error creating: admission webhook \"p.io\" denied "
               "the request: no"),
       "cannot be created: admission webhook \"p.io\" denied the request: no"},
      {"an admission policy, told with any event", kOne, std::string(kServes),
       Cat(EventOf("Job", "FailedCreatePod", "Created worker pod: "),
           EventOf("Job", "JobFailed", "failed: pods \"a-0\" is forbidden: policy says no")),
       "cannot be created: policy says no"},
  };
  for (const Situation& one : situations) {
    Explained explained(Cat(JobWithPod(one.spec, one.status), one.beside));
    ASSERT_FALSE(explained->causes.empty()) << one.what;
    EXPECT_EQ(explained->causes.front().summary, Cat("1 pod ", one.cause)) << one.what;
  }
}

TEST(Explanation, OfAPodThatWasPreemptedAndIsGoneTellsByItsEvent) {
  auto event = [](std::string_view name, std::string_view name_space) {
    return Cat("{apiVersion: v1, kind: Event, metadata: {name: ", name, ", namespace: ", name_space,
               "}, involvedObject: {kind: Pod, namespace: ", name_space, ", name: ", name,
               ", uid: gone}, type: Normal, reason: Preempted, message: Preempted by pod x on node "
               "n}\n---\n");
  };
  std::string job = JobWithPod("nodeName: node-1, containers: [{name: main}]", kServes);
  Explained one(Cat(job, event("tune-x7k2p", "ml")));
  EXPECT_EQ(one->summary, "1 pod was taken away: Preempted by pod x on node n");
  EXPECT_THAT(one->causes[0].pods, ElementsAre("tune-x7k2p"));
  // Of others, and of one that is still there.
  for (std::string_view name : {"tune-b-x7k2p", "other-x7k2p", "tune-a"}) {
    EXPECT_THAT(Explained(Cat(job, event(name, "ml"))).codes(), ElementsAre("missing")) << name;
  }
  EXPECT_THAT(Explained(Cat(job, event("tune-x7k2p", "other"))).codes(), ElementsAre("missing"));
}

TEST(Explanation, OfAPodThatDoesNotGoNamesWhatKeepsIt) {
  std::string text =
      JobWithPod("nodeName: node-1, containers: [{name: main}]", kServes,
                 ", deletionTimestamp: '2026-11-30T10:00:00Z', finalizers: [example.com/hold, "
                 "batch.kubernetes.io/job-tracking]");
  // As the Job wants one pod alone, it is this one's place that the next one waits for.
  text.replace(text.find("parallelism: 2"), 14, "parallelism: 1");
  Explained one(text);
  EXPECT_EQ(one->summary,
            "1 pod is being deleted, and not gone yet: kept by finalizer example.com/hold");
  EXPECT_THAT(one.codes(), ElementsAre("leaving"));
}

TEST(Explanation, OfAnImageLooksForThePullSecret) {
  Explained one(Cat(
      JobWithPod("nodeName: node-1, containers: [{name: main, image: reg/app}]",
                 "phase: Pending, containerStatuses: [{name: main, state: {waiting: {reason: "
                 "ImagePullBackOff, message: back-off}}}]"),
      EventOf("Pod", "FailedToRetrieveImagePullSecret",
              "Unable to retrieve some image pull secrets (regcred); attempting to pull the image "
              "may not succeed.")));
  EXPECT_THAT(one->causes[0].details,
              ElementsAre("back-off", "there is no image pull secret regcred"));
  EXPECT_EQ(one->causes[0].commands[0], "kubectl get secret -n ml regcred");
}

TEST(Explanation, OfAKeyThatIsNotThereNamesTheObject) {
  Explained one(JobWithPod(
      "nodeName: node-1, containers: [{name: main}]",
      "phase: Pending, containerStatuses: [{name: main, state: {waiting: {reason: "
      "CreateContainerConfigError, message: couldn't find key token in Secret ml/access}}}]"));
  EXPECT_EQ(one->causes[0].advice,
            "add the key token to the Secret access, or name one that is there in the template");
  EXPECT_EQ(one->causes[0].commands[0], "kubectl describe secret -n ml access");
}

TEST(Explanation, OfTaintsAndSpreadsNamesWhatNodesHave) {
  auto waiting = [](std::string_view spec, std::string_view reason) {
    return Cat(
        JobWithPod(spec, Cat("phase: Pending, conditions: [{type: PodScheduled, status: 'False', "
                             "reason: Unschedulable, message: '0/1 nodes are available: 1 node(s) ",
                             reason, ".'}]")),
        "{apiVersion: v1, kind: Node, metadata: {name: gpu-1, labels: {zone: a}}, spec: "
        "{taints: [{key: team, value: b, effect: NoSchedule}]}}");
  };
  EXPECT_THAT(Explained(waiting("containers: [{name: main}]", "had untolerated taint(s)"))
                  ->causes[0]
                  .details,
              ElementsAre("node gpu-1 has the taint team=b:NoSchedule"));
  constexpr std::string_view kMissing = "didn''t match pod topology spread constraints";
  auto spread = [&](std::string_view key) {
    return Explained(
               waiting(Cat("topologySpreadConstraints: [{topologyKey: ", key,
                           ", whenUnsatisfiable: DoNotSchedule}], containers: [{name: main}]"),
                       kMissing))
        ->causes[0]
        .details;
  };
  EXPECT_THAT(spread("rack"),
              ElementsAre("its topology spread is over rack, a label that no node has"));
  EXPECT_THAT(spread("zone"), ElementsAre("its topology spread is over zone"));
}

}  // namespace
}  // namespace wmap::inspect
