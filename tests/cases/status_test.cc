// Status, of the object alone and with its pods: what products of this kind are known to misread,
// on the smallest objects that show it, and on the kinds that invite the same mistake.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "base/text.h"
#include "definition/catalog.h"
#include "json/writer.h"
#include "tests/support/seen.h"

namespace wmap {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Seen;
using ::testing::StartsWith;

constexpr std::string_view kTemplate =
    "template: {spec: {containers: [{name: m, resources: {limits: {nvidia.com/gpu: 8}}}]}}";

constexpr std::string_view kReady = "{phase: Running, conditions: [{type: Ready, status: 'True'}]}";
constexpr std::string_view kUnschedulable =
    "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable}]}";
// Every container has ended with code 0; the phase does not say so yet.
constexpr std::string_view kEnded =
    "{phase: Running, conditions: [{type: Ready, status: 'False', reason: PodCompleted, "
    "lastTransitionTime: '2026-11-30T00:09:00Z'}], containerStatuses: [{name: m, ready: false, "
    "restartCount: 0, state: {terminated: {exitCode: 0, reason: Completed, startedAt: "
    "'2026-11-30T00:00:00Z', finishedAt: '2026-11-30T00:09:00Z'}}}]}";

std::string Object(std::string_view api_version, std::string_view kind, std::string_view rest,
                   std::string_view metadata = "") {
  return Cat("---\n{apiVersion: ", api_version, ", kind: ", kind,
             ", metadata: {name: it, namespace: lab, uid: u-it", metadata, "}, ", rest, "}\n");
}

std::string OwnedBy(std::string_view kind, std::string_view name) {
  return Cat(", ownerReferences: [{apiVersion: any/v1, kind: ", kind, ", name: ", name, ", uid: u-",
             name, ", controller: true}]");
}

std::string Pod(std::string_view name, std::string_view owner_kind, std::string_view owner,
                std::string_view labels, std::string_view status, std::string_view metadata = "") {
  return Cat("---\n{apiVersion: v1, kind: Pod, metadata: {name: ", name,
             ", namespace: lab, uid: u-", name, ", labels: {", labels, "}", metadata,
             owner.empty() ? "" : OwnedBy(owner_kind, owner), "}, spec: {restartPolicy: Never, ",
             status == kUnschedulable ? "" : "nodeName: n1, ",
             "containers: [{name: m, resources: {limits: {nvidia.com/gpu: 8}}}]}, status: ", status,
             "}\n");
}

std::string PhaseOf(const Seen& seen) {
  std::string summary = seen.Summary("it");
  return summary.substr(0, summary.find(';'));
}
std::string PhaseOf(std::string_view text) { return PhaseOf(Seen(text)); }

// --- Training jobs ----------------------------------------------------------------------------

struct TrainingKind {
  std::string_view version, kind, specs, leader;
};
constexpr TrainingKind kTrainingKinds[] = {
    {"v1", "PyTorchJob", "pytorchReplicaSpecs", "Master"},
    {"v1", "TFJob", "tfReplicaSpecs", "Chief"},
    {"v1", "XGBoostJob", "xgbReplicaSpecs", "Master"},
    {"v1", "PaddleJob", "paddleReplicaSpecs", "Master"},
    {"v1", "JAXJob", "jaxReplicaSpecs", ""},
    {"v1", "MPIJob", "mpiReplicaSpecs", "Launcher"},
    {"v2beta1", "MPIJob", "mpiReplicaSpecs", "Launcher"},
};

// A job with a leader, where the kind has one, and so many workers.
std::string TrainingJob(const TrainingKind& kind, int workers, std::string_view status) {
  std::string leader =
      kind.leader.empty() ? "" : Cat(kind.leader, ": {replicas: 1, ", kTemplate, "}, ");
  return Object(Cat("kubeflow.org/", kind.version), kind.kind,
                Cat("spec: {", kind.specs, ": {", leader, "Worker: {replicas: ", workers, ", ",
                    kTemplate, "}}}, status: ", status));
}

std::string Role(std::string_view role) {
  return Cat("training.kubeflow.org/job-name: it, training.kubeflow.org/replica-type: ",
             ToLower(role), ", training.kubeflow.org/job-role: ", ToLower(role));
}

TEST(Misread, CreatedAndRunningAndNothingElseIsRunning) {
  for (const TrainingKind& kind : kTrainingKinds) {
    for (std::string_view counters : {"", ", replicaStatuses: {}", ", replicaStatuses: null"}) {
      EXPECT_EQ(PhaseOf(TrainingJob(kind, 2,
                                    Cat("{conditions: [{type: Created, status: 'True'}, {type: "
                                        "Running, status: 'True'}]",
                                        counters, "}"))),
                "Running")
          << kind.kind << ' ' << kind.version << counters;
    }
  }
}

TEST(Misread, AFailedJobWhoseLeaderRunsOnIsFailedAndHoldsItsDevices) {
  for (const TrainingKind& kind : kTrainingKinds) {
    if (kind.leader.empty()) continue;
    std::string job = TrainingJob(
        kind, 1,
        Cat("{conditions: [{type: Created, status: 'True'}, {type: Failed, status: 'True'}], "
            "replicaStatuses: {",
            kind.leader, ": {active: 1}, Worker: {failed: 1}}}"));
    Seen alone(job);
    EXPECT_EQ(PhaseOf(alone), "Failed") << kind.kind;
    ASSERT_EQ(alone.Codes("it"), "devices-held") << kind.kind;
    EXPECT_THAT(alone.Find("it")->diagnostics.at(0).message, HasSubstr("1 active pod"));
    EXPECT_THAT(alone.Find("it")->diagnostics.at(0).message, HasSubstr("8 GPUs"));
    Seen live(Cat(job, Pod("leader", kind.kind, "it", Role(kind.leader), kReady),
                  Pod("worker", kind.kind, "it", Role("worker"), "{phase: Failed}")));
    EXPECT_EQ(PhaseOf(live), "Failed") << kind.kind;
    EXPECT_EQ(live.Find("it")->totals.gpus.allocated, 8) << kind.kind;
    EXPECT_EQ(live.Codes("it"), "devices-held") << kind.kind;
  }
}

TEST(Misread, PodsThatScalingDownHasFailedAreNoFailure) {
  for (const TrainingKind& kind : kTrainingKinds) {
    std::string leader_status = kind.leader.empty() ? "" : Cat(kind.leader, ": {active: 1}, ");
    std::string text = TrainingJob(
        kind, 2,
        Cat("{conditions: [{type: Created, status: 'True'}, {type: Running, status: 'True'}], "
            "replicaStatuses: {",
            leader_status, "Worker: {active: 2, failed: 2}}}"));
    EXPECT_EQ(PhaseOf(text), "Running") << kind.kind;
    if (!kind.leader.empty()) text += Pod("l", kind.kind, "it", Role(kind.leader), kReady);
    for (std::string_view name : {"w-0", "w-1"}) {
      text += Pod(name, kind.kind, "it", Role("worker"), kReady);
    }
    for (std::string_view name : {"w-2", "w-3"}) {
      text += Pod(name, kind.kind, "it", Role("worker"), "{phase: Failed}");
    }
    Seen seen(text);
    EXPECT_EQ(PhaseOf(seen), "Running") << kind.kind;
    EXPECT_THAT(seen.Summary("it"), HasSubstr("worker 2; ")) << kind.kind;
  }
}

TEST(Misread, ALauncherWithoutItsWorkersIsNotRunning) {
  for (const TrainingKind& kind : kTrainingKinds) {
    if (kind.leader != "Launcher") continue;
    std::string job =
        TrainingJob(kind, 8,
                    "{conditions: [{type: Created, status: 'True'}, {type: Running, status: "
                    "'True'}], replicaStatuses: {Launcher: {active: 1}, Worker: {active: 0}}}");
    EXPECT_THAT(PhaseOf(job), AnyOf("Initializing", "Degraded")) << kind.version;
    Seen live(Cat(job, Pod("launcher", "MPIJob", "it", Role("launcher"), kReady)));
    EXPECT_THAT(PhaseOf(live), AnyOf("Initializing", "Degraded")) << kind.version;
    EXPECT_EQ(live.Find("it")->totals.pods.ready, 1) << kind.version;
    EXPECT_EQ(live.Find("it")->totals.pods.desired.text(), "9") << kind.version;
  }
}

// --- Groups -----------------------------------------------------------------------------------

TEST(Misread, AnUpdateAtBirthOrWhileScalingIsNoFailure) {
  auto phase = [](std::string_view replicas, std::string_view counters,
                  std::string_view conditions) {
    return PhaseOf(
        Object("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet",
               Cat("spec: {replicas: ", replicas, ", leaderWorkerTemplate: {size: 2, worker",
                   "Template: {spec: ", "{containers: [{name: m}]}}}}, status: {", counters,
                   "conditions: [", conditions, "]}")));
  };
  constexpr std::string_view kUpdating =
      "{type: UpdateInProgress, status: 'True', reason: GroupsUpdating}";
  EXPECT_EQ(phase("2", "", kUpdating), "Initializing");
  EXPECT_EQ(phase("2", "replicas: 2, readyReplicas: 0, ", kUpdating), "Initializing");
  EXPECT_EQ(phase("2", "", Cat(kUpdating, ", {type: Progressing, status: 'True'}")),
            "Initializing");
  EXPECT_THAT(phase("4", "replicas: 2, readyReplicas: 2, updatedReplicas: 2, ", kUpdating),
              AnyOf("Initializing", "Degraded"));
  // That it is absent, or False, is no sign of anything.
  for (std::string_view more : {"", ", {type: UpdateInProgress, status: 'False'}"}) {
    EXPECT_EQ(phase("2", "replicas: 2, readyReplicas: 2, updatedReplicas: 2, ",
                    Cat("{type: Available, status: 'True'}", more)),
              "Running");
  }
}

TEST(Misread, CountersNeverCompleteAJobSet) {
  auto phase = [](std::string_view a, std::string_view b, std::string_view more = "") {
    return PhaseOf(Object("jobset.x-k8s.io/v1alpha2", "JobSet",
                          Cat("spec: {replicatedJobs: [{name: a, replicas: 3, template: {spec: {",
                              kTemplate, "}}}, {name: b, replicas: 3, template: {spec: {",
                              kTemplate, "}}}]}, status: {replicatedJobsStatus: [{name: a, ", a,
                              "}, {name: b, ", b, "}]", more, "}")));
  };
  constexpr std::string_view kNone = "ready: 3, active: 3, succeeded: 0, failed: 0";
  constexpr std::string_view kOne = "ready: 2, active: 2, succeeded: 1, failed: 0";
  constexpr std::string_view kTwo = "ready: 1, active: 1, succeeded: 2, failed: 0";
  constexpr std::string_view kAll = "ready: 0, active: 0, succeeded: 3, failed: 0";
  EXPECT_EQ(phase(kOne, kOne), "Running") << "as many as there are roles";
  EXPECT_EQ(phase(kTwo, kNone), "Running");
  EXPECT_EQ(phase(kAll, kNone), "Running");
  EXPECT_NE(phase(kAll, kAll), "Completed");
  EXPECT_EQ(phase(kAll, kAll, ", conditions: [{type: Completed, status: 'True'}]"), "Completed");
}

// An object of a minute ago, before its operator has written anything: nothing equals nothing.
TEST(Misread, AnEmptyStatusIsReadWithoutErrorAndNeverAsRunning) {
  for (const definition::CatalogEntry& entry : definition::CatalogEntries()) {
    std::string api_version =
        entry.group.empty() ? std::string(entry.version) : Cat(entry.group, '/', entry.version);
    for (std::string_view status :
         {"", ", status: null", ", status: {}", ", status: {conditions: []}",
          ", status: {conditions: null, phase: null}"}) {
      Seen seen(Object(api_version, entry.kind, Cat("spec: {}", status)));
      // A set without any clique wants nothing.
      EXPECT_THAT(PhaseOf(seen), entry.kind == "PodCliqueSet" ? "Suspended"
                                 : entry.kind == "DynamoGraphDeployment" || entry.kind == "Milvus"
                                     ? "Undefined"
                                     : "Initializing")
          << entry.name << status;
      EXPECT_EQ(seen.Codes("it"), "") << entry.name << status;
      EXPECT_EQ(seen.Codes(), "") << entry.name << status;
    }
  }
}

// --- Ray --------------------------------------------------------------------------------------

constexpr std::string_view kRay =
    "headGroupSpec: {template: {spec: {containers: [{name: h}]}}}, workerGroupSpecs: [{groupName: "
    "g, replicas: 2, minReplicas: 2, maxReplicas: 2, template: {spec: {containers: [{name: w}]}}}]";

std::string RayPod(std::string_view name, std::string_view cluster, std::string_view status) {
  std::string_view type = name == "head" ? "head" : "worker";
  return Pod(name, "RayCluster", cluster,
             Cat("ray.io/cluster: ", cluster, ", ray.io/node-type: ", type,
                 ", ray.io/group: ", type == "head" ? "headgroup" : "g"),
             status);
}

TEST(Misread, ReadyWithoutAHeadIsNotRunning) {
  auto phase = [](std::string_view kind, std::string_view spec, std::string_view cluster_status) {
    return PhaseOf(Object("ray.io/v1", kind, Cat("spec: {", spec, "}, status: ", cluster_status)));
  };
  constexpr std::string_view kHeadless =
      "{state: ready, conditions: [{type: HeadPodReady, status: 'False', reason: "
      "HeadPodNotFound}]}";
  EXPECT_THAT(phase("RayCluster", kRay, kHeadless), AnyOf("Degraded", "Failed"));
}

// Operators that counted the head among the workers.
TEST(Misread, ASurplusOfWorkersIsNoHealth) {
  std::string cluster =
      Object("ray.io/v1", "RayCluster",
             Cat("spec: {", kRay,
                 "}, status: {state: ready, desiredWorkerReplicas: 2, availableWorkerReplicas: "
                 "3}"));
  Seen alone(cluster);
  EXPECT_EQ(alone.Summary("it"), "Running; head 1, g 2; 0 GPUs");
  EXPECT_FALSE(alone.Find("it")->roles.at(1).tally.pods.ready.has_value());
  EXPECT_FALSE(alone.Find("it")->roles.at(1).tally.pods.observed.has_value());
  Seen live(Cat(cluster, RayPod("head", "it", kReady), RayPod("w-0", "it", kReady),
                RayPod("w-1", "it", kUnschedulable)));
  EXPECT_EQ(PhaseOf(live), "Initializing") << "a head makes up for no worker";
  EXPECT_EQ(live.Find("it")->roles.at(1).tally.pods.ready, 1);
  EXPECT_EQ(live.Find("it")->roles.at(1).tally.pods.desired.text(), "2");
}

TEST(Misread, AServiceWhoseWorkersWaitForNodesHasNotFailed) {
  for (std::string_view application : {"DEPLOYING", "UNHEALTHY", "DEPLOY_FAILED", "NOT_STARTED"}) {
    for (std::string_view ready : {"{type: Ready, status: 'True'}",
                                   "{type: Ready, status: 'False', reason: ZeroServeEndpoints}",
                                   "{type: Ready, status: 'False', reason: Initializing}"}) {
      std::string text =
          Cat(Object("ray.io/v1", "RayService",
                     Cat("spec: {rayClusterConfig: {", kRay, "}}, status: {conditions: [", ready,
                         "], activeServiceStatus: {rayClusterName: rc, applicationStatuses: {app: "
                         "{status: ",
                         application, "}}}}")),
              "---\n{apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: rc, namespace: lab, "
              "uid: u-rc",
              OwnedBy("RayService", "it"), "}, spec: {", kRay, "}}\n", RayPod("head", "rc", kReady),
              RayPod("w-0", "rc", kUnschedulable), RayPod("w-1", "rc", kUnschedulable));
      Seen seen(text);
      EXPECT_THAT(PhaseOf(seen), AnyOf("Degraded", "Initializing")) << application << ready;
      EXPECT_EQ(seen.Find("it")->status.reason, "Unschedulable") << application << ready;
      EXPECT_EQ(seen.rows(), "RayService/it");
    }
  }
}

// --- Services ---------------------------------------------------------------------------------

TEST(Misread, UnknownIsAValueOfReady) {
  struct Kind {
    std::string_view api_version, kind, spec;
  };
  for (const Kind& kind : {
           Kind{"serving.knative.dev/v1", "Service", "template: {spec: {containers: [{name: c}]}}"},
           Kind{"serving.kserve.io/v1beta1", "InferenceService", "predictor: {model: {name: m}}"},
           Kind{"serving.kserve.io/v1alpha2", "LLMInferenceService",
                "template: {containers: [{name: main}]}"},
       }) {
    auto phase = [&](std::string_view ready) {
      return PhaseOf(Object(kind.api_version, kind.kind,
                            Cat("spec: {", kind.spec,
                                "}, status: {conditions: [{type: Ready, "
                                "status: ",
                                ready, "}]}")));
    };
    EXPECT_EQ(phase("Unknown"), "Initializing") << kind.kind;
    EXPECT_EQ(phase("'True'"), "Running") << kind.kind;
    EXPECT_THAT(phase("'False'"), Not("Running")) << kind.kind;
    EXPECT_THAT(phase("'False'"), Not("Undefined")) << kind.kind;
  }
}

std::string Knative(std::string_view status, std::string_view annotations = "") {
  return Object("serving.knative.dev/v1", "Service",
                Cat("spec: {template: {metadata: {annotations: {", annotations,
                    "}}, spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: "
                    "1}}}]}}}, status: ",
                    status),
                ", generation: 2");
}

TEST(Misread, ARevisionWithoutTrafficIsNoFailure) {
  std::string text = Cat(
      Knative("{observedGeneration: 2, latestCreatedRevisionName: it-1, latestReadyRevisionName: "
              "it-1, conditions: [{type: ConfigurationsReady, status: 'True'}, {type: Ready, "
              "status: 'True'}, {type: RoutesReady, status: 'True'}]}",
              "autoscaling.knative.dev/min-scale: '0'"),
      "---\n{apiVersion: serving.knative.dev/v1, kind: Configuration, metadata: {name: it, "
      "namespace: lab, uid: u-c",
      OwnedBy("Service", "it"),
      "}}\n---\n{apiVersion: serving.knative.dev/v1, kind: Revision, metadata: {name: it-1, "
      "namespace: lab, uid: u-r, ownerReferences: [{apiVersion: serving.knative.dev/v1, kind: "
      "Configuration, name: it, uid: u-c, controller: true}]}, spec: {containers: [{name: c}]}, "
      "status: {desiredReplicas: 0, actualReplicas: 0, conditions: [{type: Active, status: "
      "'False', reason: NoTraffic, severity: Info}, {type: Ready, status: 'True'}]}}\n",
      // Pods of others, so that there are pods among the inputs.
      Pod("alone", "", "", "app: x", kReady));
  Seen seen(text);
  EXPECT_EQ(seen.rows(), "Pod/alone, Service/it");
  EXPECT_EQ(seen.Summary("it"), "Running; revision 0; 0 GPUs");
  EXPECT_EQ(seen.Find("it")->totals.pods.observed, 0);
  EXPECT_EQ(seen.Find("it")->totals.gpus.allocated, 0);
  EXPECT_EQ(seen.Codes("it"), "");
}

TEST(Misread, AnOldRevisionThatServesAndANewOneThatDoesNotIsDegraded) {
  auto phase = [](std::string_view created, std::string_view ready, std::string_view conditions) {
    return PhaseOf(
        Knative(Cat("{observedGeneration: 2, latestCreatedRevisionName: ", created,
                    ", latestReadyRevisionName: ", ready, ", conditions: [", conditions, "]}")));
  };
  constexpr std::string_view kNotReady = "{type: Ready, status: 'False', reason: RevisionFailed}";
  EXPECT_EQ(phase("it-2", "it-1", kNotReady), "Degraded");
  EXPECT_EQ(phase("it-2", "it-1", Cat(kNotReady, ", {type: RoutesReady, status: 'True'}")),
            "Degraded");
  // The new one would serve, and the route still leads to one that does not.
  EXPECT_EQ(phase("it-2", "it-2",
                  "{type: ConfigurationsReady, status: 'True'}, {type: RoutesReady, status: "
                  "'False', reason: RevisionMissing}, {type: Ready, status: 'False', reason: "
                  "RevisionMissing}"),
            "Degraded");
}

// A parent that is frozen, above a child that is available.
TEST(Misread, AFrozenParentShowsWhatItsChildShows) {
  std::string text = Cat(
      Object("serving.kserve.io/v1alpha2", "LLMInferenceService",
             "spec: {parallelism: {pipeline: 2}, template: {containers: [{name: main}]}, worker: "
             "{containers: [{name: main}]}}, status: {conditions: [{type: Ready, status: "
             "'False', reason: Progressing}]}"),
      "---\n{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: {name: "
      "it-mn, namespace: lab, uid: u-it-mn",
      OwnedBy("LLMInferenceService", "it"),
      "}, spec: {replicas: 1, leaderWorkerTemplate: {size: 2, workerTemplate: {spec: {containers: "
      "[{name: m}]}}}}, status: {replicas: 1, readyReplicas: 1, conditions: [{type: Available, "
      "status: 'True'}]}}\n");
  Seen object(text);
  EXPECT_EQ(object.rows(), "LLMInferenceService/it") << "the child is no row beside it";
  EXPECT_EQ(object.Summary("it"), "Initializing; leader 1, worker 1; 0 GPUs");
  auto pod = [](std::string_view name, std::string_view index, std::string_view role) {
    return Pod(name, "LeaderWorkerSet", "it-mn",
               Cat("leaderworkerset.sigs.k8s.io/group-index: '0', "
                   "leaderworkerset.sigs.k8s.io/worker-index: '",
                   index, "', app.kubernetes.io/component: llminferenceservice-workload-", role),
               kReady);
  };
  Seen live(Cat(text, pod("it-mn-0", "0", "leader"), pod("it-mn-0-1", "1", "worker")));
  EXPECT_EQ(live.rows(), "LLMInferenceService/it");
  EXPECT_EQ(PhaseOf(live), "Running");
  EXPECT_EQ(live.Find("it")->status.phases, std::vector{workload::Phase::kInitializing})
      << "what the object says stands beside what its pods show";
  EXPECT_EQ(live.Find("it")->totals.pods.ready, 2);
  EXPECT_EQ(live.Codes("it"), "");
}

// --- Pods that are done -----------------------------------------------------------------------

TEST(Misread, AFinishedPodUnderCleanUpDegradesNothing) {
  constexpr std::string_view kDeleted = ", deletionTimestamp: '2026-11-30T00:10:00Z'";
  EXPECT_EQ(PhaseOf(Pod("it", "", "", "app: x", kEnded, kDeleted)), "Completed");
  struct Owner {
    std::string_view api_version, kind, rest, labels;
  };
  for (const Owner& owner : {
           Owner{"batch/v1", "Job", "spec: {$T}, status: {active: 1, ready: 0}",
                 "batch.kubernetes.io/job-name: it"},
           Owner{"batch/v1", "Job", "spec: {$T}, status: {active: 1}",
                 "batch.kubernetes.io/job-name: it"},
           Owner{"kubeflow.org/v1", "PyTorchJob",
                 "spec: {pytorchReplicaSpecs: {Worker: {replicas: 1, $T}}}, status: {conditions: "
                 "[{type: Running, status: 'True'}], replicaStatuses: {Worker: {active: 1}}}",
                 "training.kubeflow.org/replica-type: worker"},
           Owner{"jobset.x-k8s.io/v1alpha2", "JobSet",
                 "spec: {replicatedJobs: [{name: w, template: {spec: {$T}}}]}, status: "
                 "{replicatedJobsStatus: [{name: w, ready: 0, active: 1}]}",
                 "jobset.sigs.k8s.io/replicatedjob-name: w, jobset.sigs.k8s.io/job-index: '0'"},
           Owner{"batch.volcano.sh/v1alpha1", "Job",
                 "spec: {tasks: [{name: w, replicas: 1, $T}]}, status: {state: {phase: Running}, "
                 "running: 1}",
                 "volcano.sh/task-spec: w"},
       }) {
    std::string rest(owner.rest);
    rest.replace(rest.find("$T"), 2, kTemplate);
    std::string object = Object(owner.api_version, owner.kind, rest);
    for (std::string_view metadata : {std::string_view(), kDeleted}) {
      Seen seen(Cat(object, Pod("p", owner.kind, "it", owner.labels, kEnded, metadata)));
      EXPECT_EQ(PhaseOf(seen), "Running") << owner.kind << metadata;
      EXPECT_EQ(seen.Find("it")->status.reason, "") << owner.kind << metadata;
    }
  }
}

}  // namespace
}  // namespace wmap
