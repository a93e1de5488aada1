// Kinds of the training operators, and those that start other workloads: what the catalog reads of
// them over their life. Counts and sums are worked out by hand.

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <string_view>

#include "base/text.h"
#include "tests/support/seen.h"

namespace wmap {
namespace {

using ::testing::HasSubstr;
using testing::Seen;
using ::testing::StartsWith;

constexpr std::string_view kGpuPod =
    "{spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: 2}}}]}}";

// An object of the training operator named `name`: replica specs, run policy and status as flow
// mappings. `$T` in the specs is a template with 2 GPUs.
std::string TrainingJob(std::string_view kind, std::string_view name, std::string_view specs,
                        std::string_view rest = "", std::string_view status = "{}") {
  std::string text(specs);
  for (std::size_t at = 0; (at = text.find("$T", at)) != std::string::npos;) {
    text.replace(at, 2, kGpuPod);
  }
  return Cat("---\napiVersion: kubeflow.org/v1\nkind: ", kind, "\nmetadata: {name: ", name,
             ", namespace: lab, uid: ", name, "}\nspec:\n  ", text, "\n  ", rest,
             "\nstatus: ", status, "\n");
}

// A pod of `owner` that runs and is ready.
std::string Pod(
    std::string_view name, std::string_view owner_kind, std::string_view owner,
    std::string_view labels,
    std::string_view status = "{phase: Running, conditions: [{type: Ready, status: 'True'}]}") {
  return Cat("---\napiVersion: v1\nkind: Pod\nmetadata: {name: ", name,
             ", namespace: lab, uid: ", name, ", labels: ", labels,
             ", ownerReferences: [{apiVersion: x/v1, kind: ", owner_kind, ", name: ", owner,
             ", uid: ", owner,
             ", controller: true}]}\nspec: {nodeName: a, containers: [{name: main, resources: "
             "{limits: {nvidia.com/gpu: 2}}}]}\nstatus: ",
             status, "\n");
}

// A state of a kind, and the phase that it is in.
struct State {
  std::string_view spec, status, phase;
};

// What `text` makes of the spec and the status of each state is read as its phase, and what follows
// begins with `rest`.
template <typename F>
void ExpectPhases(std::string_view name, std::string_view rest, std::span<const State> states,
                  F text) {
  for (const State& state : states) {
    EXPECT_THAT(Seen(text(state.spec, state.status)).Summary(name),
                StartsWith(Cat(state.phase, "; ", rest)))
        << state.spec << state.status;
  }
}

TEST(TrainingJobs, TakeTheirReplicaTypesInAnyLettersAsTheirOperatorsDo) {
  struct Row {
    std::string_view kind, specs, roles;
  };
  for (const Row& row : std::to_array<Row>({
           {"PyTorchJob", "pytorchReplicaSpecs: {master: {template: $T}, WORKER: {template: $T}}",
            "master 1, worker 1"},
           {"TFJob",
            "tfReplicaSpecs: {chief: {template: $T}, ps: {template: $T}, worker: {template: $T}, "
            "evaluator: {template: $T}}",
            "chief 1, ps 1, worker 1, evaluator 1"},
           {"TFJob", "tfReplicaSpecs: {master: {template: $T}, Ps: {replicas: 2, template: $T}}",
            "master 1, ps 2"},
           {"XGBoostJob", "xgbReplicaSpecs: {master: {template: $T}, worker: {template: $T}}",
            "master 1, worker 1"},
           {"PaddleJob", "paddleReplicaSpecs: {worker: {template: $T}}", "worker 1"},
           {"JAXJob", "jaxReplicaSpecs: {worker: {template: $T}}", "worker 1"},
           // Of two the operator reads the one in other letters.
           {"JAXJob",
            "jaxReplicaSpecs: {Worker: {replicas: 2, template: $T}, worker: {replicas: 3, "
            "template: $T}}",
            "worker 3"},
           // This one takes no other letters.
           {"MPIJob", "mpiReplicaSpecs: {Launcher: {template: $T}, worker: {template: $T}}",
            "launcher 1"},
       })) {
    Seen seen(TrainingJob(row.kind, "it", row.specs));
    EXPECT_THAT(seen.Summary("it"), HasSubstr(Cat("; ", row.roles, ";"))) << row.specs;
    bool is_odd = row.kind == "MPIJob" || row.roles == "worker 3";
    EXPECT_EQ(seen.Codes("it"), is_odd ? "unknown-key" : "") << row.specs;
  }
}

TEST(TrainingJobs, TellOfReplicaTypesThatTheyDoNotKnow) {
  Seen seen(
      Cat(TrainingJob("TFJob", "tf",
                      "tfReplicaSpecs: {Worker: {template: $T}, Scheduler: {template: $T}}"),
          TrainingJob("MPIJob", "mpi",
                      "mpiReplicaSpecs: {Launcher: {template: $T}, worker: {template: $T}}")));
  EXPECT_EQ(seen.Summary("tf"), "Initializing; worker 1; 2 GPUs");
  EXPECT_EQ(seen.Find("tf")->diagnostics.at(0).message,
            ".spec.tfReplicaSpecs has \"Scheduler\", which TFJob does not know; it knows Chief, "
            "Master, PS, Worker, Evaluator");
  EXPECT_EQ(seen.Find("mpi")->diagnostics.at(0).message,
            ".spec.mpiReplicaSpecs has \"worker\", which MPIJob does not know; did you mean "
            "\"Worker\"?");
}

TEST(TrainingJobs, HaveTheRolesOfTheirSpecsAndTheOperatorsDefaults) {
  // A role without `replicas` is one pod, workers of an MPIJob are none.
  Seen seen(
      Cat(TrainingJob("TFJob", "tf",
                      "tfReplicaSpecs: {Chief: {template: $T}, PS: {replicas: 2, template: $T}, "
                      "Worker: {replicas: 3, template: $T}, Evaluator: {template: $T}}"),
          TrainingJob("TFJob", "tf-old",
                      "tfReplicaSpecs: {Master: {template: $T}, Worker: {replicas: 0, template: "
                      "$T}}"),
          TrainingJob("XGBoostJob", "xgb",
                      "xgbReplicaSpecs: {Master: {template: $T}, Worker: {replicas: 4, template: "
                      "$T}}"),
          TrainingJob("JAXJob", "jax", "jaxReplicaSpecs: {Worker: {replicas: 8, template: $T}}"),
          TrainingJob("PaddleJob", "paddle",
                      "paddleReplicaSpecs: {Worker: {replicas: 4, template: $T}}",
                      "elasticPolicy: {minReplicas: 2, maxReplicas: 6}"),
          TrainingJob("MPIJob", "mpi",
                      "mpiReplicaSpecs: {Launcher: {template: $T}, Worker: {template: $T}}")));
  EXPECT_EQ(seen.Summary("tf"), "Initializing; chief 1, ps 2, worker 3, evaluator 1; 14 GPUs");
  EXPECT_EQ(seen.Summary("tf-old"), "Initializing; master 1, worker 0; 2 GPUs");
  EXPECT_EQ(seen.Summary("xgb"), "Initializing; master 1, worker 4; 10 GPUs");
  EXPECT_EQ(seen.Summary("jax"), "Initializing; worker 8; 16 GPUs");
  EXPECT_EQ(seen.Summary("paddle"), "Initializing; worker 4; 8 GPUs");
  EXPECT_EQ(seen.Find("paddle")->totals.pods.min.text(), "2");
  EXPECT_EQ(seen.Find("paddle")->totals.pods.max->text(), "6");
  EXPECT_EQ(seen.Summary("mpi"), "Initializing; launcher 1, worker 0; 2 GPUs");
  for (const workload::Workload& row : seen.report().workloads) {
    EXPECT_EQ(seen.Codes(row.name), "") << row.name;
  }
}

TEST(TrainingJobs, AnElasticPolicyInventsNoWorkers) {
  Seen seen(TrainingJob("PaddleJob", "paddle",
                        "paddleReplicaSpecs: {Master: {replicas: 1, template: $T}}",
                        "elasticPolicy: {minReplicas: 2, maxReplicas: 6}"));
  EXPECT_EQ(seen.Summary("paddle"), "Initializing; master 1; 2 GPUs");
}

TEST(TrainingJobs, TheUsersOwnMinimumIsTheMinimum) {
  Seen seen(TrainingJob("TFJob", "tf",
                        "tfReplicaSpecs: {PS: {replicas: 2, template: $T}, Worker: {replicas: 6, "
                        "template: $T}}",
                        "runPolicy: {schedulingPolicy: {minAvailable: 5}}"));
  EXPECT_EQ(seen.Find("tf")->totals.pods.min.text(), "5");
  EXPECT_EQ(seen.Find("tf")->totals.pods.desired.text(), "8");
}

TEST(TrainingJobs, AreReadTheSameWayOverTheirLife) {
  struct Kind {
    std::string_view kind, specs, first, second;
  };
  constexpr Kind kKinds[] = {
      {"TFJob", "tfReplicaSpecs", "Chief", "Worker"},
      {"XGBoostJob", "xgbReplicaSpecs", "Master", "Worker"},
      {"PaddleJob", "paddleReplicaSpecs", "Master", "Worker"},
      {"MPIJob", "mpiReplicaSpecs", "Launcher", "Worker"},
  };
  struct Life {
    std::string_view name, rest, conditions, first, second, phase;
  };
  constexpr Life kStates[] = {
      {"no-status", "", "[]", "{}", "{}", "Initializing"},
      {"created", "", "[{type: Created, status: 'True'}]", "{}", "{}", "Initializing"},
      // Running=True of the leader alone.
      {"half", "", "[{type: Created, status: 'True'}, {type: Running, status: 'True'}]",
       "{active: 1}", "{active: 1}", "Initializing"},
      {"running", "", "[{type: Created, status: 'True'}, {type: Running, status: 'True'}]",
       "{active: 1}", "{active: 2}", "Running"},
      // Counters of failures are history.
      {"retried", "", "[{type: Running, status: 'True'}]", "{active: 1, failed: 1}",
       "{active: 2, failed: 3}", "Running"},
      {"one-done", "", "[{type: Running, status: 'True'}]", "{active: 1}",
       "{active: 1, succeeded: 1}", "Running"},
      {"restarting", "", "[{type: Running, status: 'False'}, {type: Restarting, status: 'True'}]",
       "{active: 1}", "{active: 1, failed: 1}", "Degraded"},
      {"suspending", "runPolicy: {suspend: true}", "[{type: Running, status: 'True'}]",
       "{active: 1}", "{active: 2}", "Suspending"},
      {"suspended", "runPolicy: {suspend: true}",
       "[{type: Running, status: 'False'}, {type: Suspended, status: 'True'}]", "{}", "{}",
       "Suspended"},
      {"created-suspended", "runPolicy: {suspend: true}", "[]", "{}", "{}", "Suspended"},
      {"resuming", "runPolicy: {suspend: false}", "[{type: Suspended, status: 'True'}]", "{}", "{}",
       "Resuming"},
      {"completed", "", "[{type: Running, status: 'False'}, {type: Succeeded, status: 'True'}]",
       "{succeeded: 1}", "{succeeded: 2}", "Completed"},
      // Failed, with pods that run on.
      {"failed", "", "[{type: Running, status: 'False'}, {type: Failed, status: 'True'}]",
       "{active: 1}", "{active: 1, failed: 1}", "Failed"},
      {"failed-suspended", "runPolicy: {suspend: true}", "[{type: Failed, status: 'True'}]", "{}",
       "{failed: 1}", "Failed"},
  };
  for (const Kind& kind : kKinds) {
    for (const Life& state : kStates) {
      Seen seen(
          TrainingJob(kind.kind, state.name,
                      Cat(kind.specs, ": {", kind.first, ": {replicas: 1, template: $T}, ",
                          kind.second, ": {replicas: 2, template: $T}}"),
                      state.rest,
                      Cat("{conditions: ", state.conditions, ", replicaStatuses: {", kind.first,
                          ": ", state.first, ", ", kind.second, ": ", state.second, "}}")));
      EXPECT_THAT(seen.Summary(state.name), StartsWith(Cat(state.phase, "; ")))
          << kind.kind << ' ' << state.name;
      EXPECT_THAT(seen.Summary(state.name), HasSubstr("worker 2; 6 GPUs")) << kind.kind;
      EXPECT_EQ(seen.Codes(state.name), state.name == "failed" ? "devices-held" : "") << kind.kind;
    }
  }
}

TEST(TrainingJobs, RolesOfPodsComeFromTheLabelsOfAllOperators) {
  Seen seen(Cat(
      TrainingJob("TFJob", "twin",
                  "tfReplicaSpecs: {Chief: {template: $T}, Worker: {template: $T}}"),
      TrainingJob(
          "MPIJob", "mpi",
          "mpiReplicaSpecs: {Launcher: {template: $T}, Worker: {replicas: 2, template: $T}}"),
      // The job's label fits a job of another kind with the same name as well.
      Pod("twin-chief-0", "TFJob", "twin",
          "{training.kubeflow.org/job-name: twin, training.kubeflow.org/replica-type: chief, "
          "training.kubeflow.org/job-role: master}"),
      Pod("twin-worker-0", "TFJob", "twin", "{tf-replica-type: Worker}"),
      Pod("mpi-launcher", "MPIJob", "mpi",
          "{training.kubeflow.org/job-role: master, training.kubeflow.org/replica-type: launcher}"),
      Pod("mpi-worker-0", "MPIJob", "mpi", "{mpi_role_type: worker}"),
      Pod("mpi-worker-1", "MPIJob", "mpi", "{app: unknown}")));
  EXPECT_EQ(seen.PlaceOf("twin-chief-0"), "TFJob/twin chief");
  EXPECT_EQ(seen.PlaceOf("twin-worker-0"), "TFJob/twin worker");
  EXPECT_EQ(seen.PlaceOf("mpi-launcher"), "MPIJob/mpi launcher");
  EXPECT_EQ(seen.PlaceOf("mpi-worker-0"), "MPIJob/mpi worker");
  EXPECT_EQ(seen.PlaceOf("mpi-worker-1"), "MPIJob/mpi without role");
}

TEST(TrainingJobs, RunningIsNotRunningWhileNoWorkerCouldBeMade) {
  Seen seen(
      Cat(TrainingJob("MPIJob", "mpi",
                      "mpiReplicaSpecs: {Launcher: {template: $T}, Worker: {replicas: 8, "
                      "template: $T}}",
                      "",
                      "{conditions: [{type: Running, status: 'True'}], replicaStatuses: "
                      "{Launcher: {active: 1}, Worker: {}}}"),
          Pod("mpi-launcher", "MPIJob", "mpi", "{training.kubeflow.org/replica-type: launcher}")));
  EXPECT_EQ(seen.Summary("mpi"), "Initializing; launcher 1, worker 8; 18 GPUs");
  EXPECT_EQ(seen.Find("mpi")->totals.pods.ready, 1);
}

TEST(VolcanoJob, CountsItsTasksAndWhatTheyNeedToStart) {
  Seen seen(R"(
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: one, namespace: lab, uid: one}
spec:
  minAvailable: 3
  tasks:
  - {name: pod, replicas: 6, minAvailable: 6, template: {spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}}
---
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: two, namespace: lab, uid: two}
spec:
  tasks:
  - {replicas: 1, template: {spec: {containers: [{name: a}]}}}
  - {name: worker, replicas: 4, minAvailable: 2, template: {spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 8}}}]}}}
  - {name: spare, template: {spec: {containers: [{name: a}]}}}
)");
  EXPECT_EQ(seen.Summary("one"), "Initializing; pod 6; 6 GPUs");
  EXPECT_EQ(seen.Find("one")->totals.pods.min.text(), "3");
  EXPECT_EQ(seen.Summary("two"), "Initializing; default0 1, worker 4, spare 0; 32 GPUs");
  EXPECT_EQ(seen.Find("two")->totals.pods.min.text(), "3");
  EXPECT_EQ(seen.Codes("two"), "");
}

TEST(VolcanoJob, ItsOwnMinimumGoesBeforeThatOfItsTasks) {
  struct Case {
    std::string_view field, minimum;
  };
  for (const Case& c : {Case{"", "10"},
                        {"minAvailable: 0, ", "10"},
                        {"minAvailable: 6, ", "6"},
                        {"minAvailable: 60, ", "10"}}) {
    Seen seen(Cat("apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: j}\nspec: {",
                  c.field, "tasks: [{name: ps, replicas: 2, template: ", kGpuPod,
                  "}, {name: worker, replicas: 8, template: ", kGpuPod, "}]}\n"));
    EXPECT_EQ(seen.Find("j")->totals.pods.min.text(), c.minimum) << c.field;
    EXPECT_EQ(seen.Summary("j"), "Initializing; ps 2, worker 8; 20 GPUs");
  }
}

TEST(VolcanoJob, HasAPhaseForEachOfItsStates) {
  constexpr State kStates[] = {
      {"", "{}", "Initializing"},
      {"", "{state: {phase: Pending}, pending: 4}", "Initializing"},
      // The job runs with minAvailable pods; all that it asks for are wanted.
      {"", "{state: {phase: Running}, running: 2, pending: 2}", "Initializing"},
      {"", "{state: {phase: Running}, running: 4}", "Running"},
      {"", "{state: {phase: Running}, running: 3, succeeded: 1}", "Running"},
      {"", "{state: {phase: Restarting}, terminating: 4}", "Degraded"},
      {"", "{state: {phase: Aborting}, terminating: 4}", "Suspending"},
      {"", "{state: {phase: Aborted}}", "Suspended"},
      {"", "{state: {phase: Completing}, succeeded: 1, terminating: 3}", "Completed"},
      {"", "{state: {phase: Completed}, succeeded: 4, failed: 1}", "Completed"},
      {"", "{state: {phase: Terminating}, terminating: 4}", "Failed"},
      {"", "{state: {phase: Terminated}}", "Failed"},
      {"", "{state: {phase: Failed}, failed: 1}", "Failed"},
  };
  ExpectPhases("j", "w 4; 8 GPUs", kStates, [](auto spec, auto status) {
    return Cat("apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: j}\nspec: {",
               spec, "tasks: [{name: w, replicas: 4, template: ", kGpuPod, "}]}\nstatus: ", status,
               "\n");
  });
}

TEST(VolcanoJob, PodsThatAreDoneAreNotWanted) {
  Seen seen(Cat(
      "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: j, namespace: lab, uid: "
      "j}\nspec: {tasks: [{name: ps, replicas: 1, template: ",
      kGpuPod, "}, {name: w, replicas: 2, template: ", kGpuPod,
      "}]}\nstatus: {state: {phase: Running}, running: 2, succeeded: 1, taskStatusCount: {ps: "
      "{phase: {Running: 1}}, w: {phase: {Running: 1, Succeeded: 1}}}}\n",
      Pod("j-ps-0", "Job", "j", "{volcano.sh/task-spec: ps}"),
      Pod("j-w-0", "Job", "j", "{volcano.sh/task-spec: w}"),
      Pod("j-w-1", "Job", "j", "{volcano.sh/task-spec: w}", "{phase: Succeeded}")));
  EXPECT_EQ(seen.Summary("j"), "Running; ps 1, w 2; 6 GPUs");
  EXPECT_EQ(seen.Find("j")->totals.pods.wanted.text(), "2");
  EXPECT_EQ(seen.PlaceOf("j-w-1"), "Job/j w");
}

std::string TrainJob(std::string_view spec, std::string_view status = "{}") {
  return Cat(
      "---\napiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: train, "
      "namespace: lab, uid: train}\nspec: {runtimeRef: {name: rt, kind: "
      "ClusterTrainingRuntime}, ",
      spec, "}\nstatus: ", status, "\n");
}

// A runtime with these replicated jobs and this policy.
std::string Runtime(std::string_view policy, std::string_view jobs) {
  return Cat(
      "---\napiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\nmetadata: "
      "{name: rt}\nspec: {mlPolicy: ",
      policy, ", template: {spec: {replicatedJobs: [", jobs, "]}}}\n");
}

constexpr std::string_view kEightEach = "resourcesPerNode: {limits: {nvidia.com/gpu: 8}}";

TEST(TrainJob, AloneSaysHowManyNodesAndWhatEachAsksFor) {
  Seen full(TrainJob(Cat("trainer: {numNodes: 3, ", kEightEach, "}")));
  EXPECT_EQ(full.Summary("train"), "Initializing; node 3; 24 GPUs");
  // The rest stands in the runtime.
  Seen bare(TrainJob("trainer: {image: x}"));
  EXPECT_EQ(bare.Summary("train"), "Initializing; node ?; ? GPUs");
  Seen steps(TrainJob(
      Cat("initializer: {dataset: {}, model: {}}, trainer: {numNodes: 2, ", kEightEach, "}")));
  EXPECT_EQ(steps.Summary("train"),
            "Initializing; node 2, dataset-initializer 1, model-initializer 1; 16+? GPUs");
  // Whether the launcher is one of the nodes is not known.
  Seen launched(TrainJob(Cat("trainer: {numNodes: 2, ", kEightEach, "}"),
                         "{jobsStatus: [{name: node}, {name: launcher}]}"));
  EXPECT_EQ(launched.Summary("train"), "Initializing; node ?, launcher 1; 8+? GPUs");
  for (const Seen* seen : {&full, &bare, &steps, &launched}) EXPECT_EQ(seen->Codes("train"), "");
}

TEST(TrainJob, ReadsItsRuntime) {
  constexpr std::string_view kJobs =
      "{name: dataset-initializer, template: {spec: {template: {spec: {containers: [{name: "
      "d}]}}}}}, "
      "{name: node, template: {spec: {template: {spec: {containers: [{name: node, resources: "
      "{limits: {nvidia.com/gpu: 2}}}, {name: side, resources: {limits: {nvidia.com/gpu: "
      "1}}}]}}}}}";
  Seen own(Cat(Runtime("{numNodes: 4, torch: {}}", kJobs), TrainJob("trainer: {}")));
  EXPECT_EQ(own.Summary("train"), "Initializing; node 4, dataset-initializer 1; 12 GPUs");
  Seen overridden(Cat(Runtime("{numNodes: 4, torch: {}}", kJobs),
                      TrainJob(Cat("trainer: {numNodes: 2, ", kEightEach, "}"))));
  EXPECT_EQ(overridden.Summary("train"), "Initializing; node 2, dataset-initializer 1; 18 GPUs");
  // What is read for a workload is no workload that nobody knows.
  EXPECT_TRUE(own.report().uncovered.empty());
  Seen other(Cat(Runtime("{}", kJobs), "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"));
  EXPECT_EQ(other.report().uncovered.size(), 1U);
}

TEST(TrainJob, ALauncherThatIsANodeIsNotCountedTwice) {
  constexpr std::string_view kJobs =
      "{name: node, template: {spec: {template: {spec: {containers: [{name: node}]}}}}}, "
      "{name: launcher, template: {spec: {template: {spec: {containers: [{name: node}]}}}}}";
  for (int nodes : {1, 4}) {
    std::string job = TrainJob(Cat("trainer: {numNodes: ", nodes, ", ", kEightEach, "}"));
    Seen as_node(Cat(Runtime("{mpi: {runLauncherAsNode: true}}", kJobs), job));
    EXPECT_EQ(as_node.Summary("train"),
              Cat("Initializing; node ", nodes - 1, ", launcher 1; ", nodes * 8, " GPUs"));
    Seen beside(Cat(Runtime("{mpi: {}}", kJobs), job));
    EXPECT_EQ(beside.Summary("train"),
              Cat("Initializing; node ", nodes, ", launcher 1; ", nodes * 8 + 8, " GPUs"));
  }
}

TEST(TrainJob, ReadsItsJobSetBeforeAllElse) {
  Seen seen(Cat(
      Runtime("{numNodes: 9}", ""), TrainJob("trainer: {numNodes: 2}"),
      "---\napiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: train, namespace: "
      "lab, uid: js, ownerReferences: [{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, "
      "name: train, uid: train, controller: true}]}\nspec: {replicatedJobs: [{name: node, "
      "template: "
      "{spec: {parallelism: 2, completions: 2, template: ",
      kGpuPod, "}}}]}\n",
      "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: train-node-0, namespace: lab, uid: "
      "job, "
      "labels: {jobset.sigs.k8s.io/replicatedjob-name: node}, ownerReferences: [{apiVersion: "
      "jobset.x-k8s.io/v1alpha2, kind: JobSet, name: train, uid: js, controller: true}]}\nspec: "
      "{parallelism: 2, completions: 2}\nstatus: {active: 1, succeeded: 1}\n",
      Pod("train-node-0-0", "Job", "job", "{jobset.sigs.k8s.io/replicatedjob-name: node}"),
      Pod("train-node-0-1", "Job", "job", "{jobset.sigs.k8s.io/replicatedjob-name: node}",
          "{phase: Succeeded}")));
  EXPECT_EQ(seen.rows(), "TrainJob/train");
  EXPECT_EQ(seen.Summary("train"), "Running; node 2; 4 GPUs");
  EXPECT_EQ(seen.Find("train")->totals.pods.wanted.text(), "1");
  EXPECT_EQ(seen.PlaceOf("train-node-0-0"), "TrainJob/train node");
}

TEST(TrainJob, HasAPhaseForEachOfItsStates) {
  constexpr State kStates[] = {
      {"", "{}", "Initializing"},
      {"", "{jobsStatus: [{name: node, active: 1}]}", "Initializing"},
      {"", "{jobsStatus: [{name: node, active: 1, ready: 1}]}", "Running"},
      // Nothing is trained before the data is there.
      {"",
       "{jobsStatus: [{name: dataset-initializer, active: 1, ready: 1}, {name: node, active: 0}]}",
       "Initializing"},
      {"",
       "{jobsStatus: [{name: dataset-initializer, succeeded: 1}, {name: node, active: 1, ready: "
       "1}]}",
       "Running"},
      {"suspend: true, ", "{}", "Suspended"},
      {"suspend: true, ", "{jobsStatus: [{name: node, active: 1}]}", "Suspending"},
      {"suspend: true, ", "{conditions: [{type: Suspended, status: 'True'}]}", "Suspended"},
      {"", "{conditions: [{type: Suspended, status: 'True'}]}", "Resuming"},
      {"",
       "{conditions: [{type: Suspended, status: 'False'}], jobsStatus: [{name: node, ready: 1}]}",
       "Running"},
      // The condition of older operators.
      {"", "{conditions: [{type: Created, status: 'True'}]}", "Initializing"},
      {"", "{conditions: [{type: Complete, status: 'True'}]}", "Completed"},
      {"suspend: true, ", "{conditions: [{type: Failed, status: 'True'}]}", "Failed"},
  };
  ExpectPhases("train", "node 2", kStates, [](auto spec, auto status) {
    return TrainJob(Cat(spec, "trainer: {numNodes: 2, ", kEightEach, "}"), status);
  });
}

constexpr std::string_view kWorkflow = R"(---
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: flow, namespace: lab, uid: flow}
spec:
  entrypoint: main
  $SPEC
  templates:
  - name: main
    steps: [[{name: a, template: train, withItems: [1, 2]}],
      [{name: b, template: report, when: "{{workflow.status}} == Running"}]]
  - name: train
    container: {image: x, resources: {limits: {nvidia.com/gpu: 2}}}
    sidecars: [{name: cache, resources: {limits: {nvidia.com/gpu: 1}}}]
  - name: report
    script: {image: x, source: print()}
  - name: wait
    suspend: {}
status: $STATUS
)";

std::string Workflow(std::string_view status, std::string_view spec = "") {
  std::string text(kWorkflow);
  text.replace(text.find("$SPEC"), 5, spec);
  return text.replace(text.find("$STATUS"), 7, status);
}

TEST(Workflow, NeverGuessesHowManyPodsThereWillBe) {
  Seen seen(Workflow("{}"));
  EXPECT_EQ(seen.Summary("flow"), "Initializing; train ?, report ?; ? GPUs");
  EXPECT_EQ(seen.Find("flow")->roles[0].tally.gpus_per_pod->text(), "3");
  EXPECT_EQ(seen.Codes("flow"), "");
}

TEST(Workflow, OfStepsThatDependOnNothingIsTheSumOfThem) {
  std::string text = Workflow("{}");
  text.replace(text.find(", when: "), text.find("}]]") - text.find(", when: "), "");
  EXPECT_EQ(Seen(text).Summary("flow"), "Initializing; train 2, report 1; 6 GPUs");
}

TEST(Workflow, OfASingleTemplateIsOnePod) {
  Seen seen(R"(
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: single-}
spec:
  entrypoint: main
  templates:
  - {name: main, container: {image: x, resources: {limits: {nvidia.com/gpu: 4}}}}
  - {name: unused, container: {image: x}}
)");
  EXPECT_EQ(seen.Summary("single-*"), "Initializing; main 1, unused 0; 4 GPUs");
}

TEST(Workflow, ReadsTemplatesFromWhereTheControllerKeepsThem) {
  Seen seen(R"(
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: unread}
spec: {workflowTemplateRef: {name: nightly}}
---
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: read}
spec: {workflowTemplateRef: {name: nightly}}
status:
  phase: Running
  storedWorkflowTemplateSpec:
    entrypoint: only
    templates: [{name: only, container: {image: x, resources: {limits: {nvidia.com/gpu: 4}}}}]
)");
  EXPECT_EQ(seen.Summary("unread"), "Initializing; nightly ?; ? GPUs");
  EXPECT_EQ(seen.Summary("read"), "Running; only 1; 4 GPUs");
}

TEST(Workflow, WantsThePodsOfTheNodesThatAreActive) {
  std::string pod =
      Pod("flow-train-1", "Workflow", "flow", "{workflows.argoproj.io/workflow: flow}");
  // The executor is told its template in the environment.
  pod.replace(
      pod.find("{name: main, "), 13,
      R"({name: wait, env: [{name: ARGO_TEMPLATE, value: '{"name":"train"}'}]}, {name: main, )");
  Seen seen(Cat(Workflow("{phase: Running, nodes: {a: {type: Pod, phase: Running, templateName: "
                         "train}, b: {type: Pod, phase: Succeeded, templateName: train}, c: {type: "
                         "Steps, phase: Running, templateName: main}}}"),
                pod));
  EXPECT_THAT(seen.Summary("flow"), StartsWith("Running; "));
  EXPECT_EQ(seen.Find("flow")->totals.pods.wanted.text(), "1");
  EXPECT_EQ(seen.PlaceOf("flow-train-1"), "Workflow/flow train");
}

TEST(Workflow, HasAPhaseForEachOfItsStates) {
  constexpr State kStates[] = {
      {"", "{phase: Pending, message: waits for a lock}", "Initializing"},
      {"", "{phase: Running}", "Running"},
      {"", "{phase: Running, nodes: {a: {type: Pod, phase: Pending}}}", "Initializing"},
      {"",
       "{phase: Running, nodes: {a: {type: Pod, phase: Failed}, b: {type: Pod, phase: Running}}}",
       "Running"},
      {"", "{phase: Running, nodes: {a: {type: Suspend, phase: Running}}}", "Suspended"},
      {"suspend: true", "{}", "Suspended"},
      {"suspend: true", "{phase: Running, nodes: {a: {type: Pod, phase: Running}}}", "Suspending"},
      {"suspend: true", "{phase: Running, nodes: {a: {type: Pod, phase: Succeeded}}}", "Suspended"},
      {"", "{phase: Succeeded}", "Completed"},
      {"suspend: true", "{phase: Failed}", "Failed"},
      {"", "{phase: Error, message: invalid}", "Failed"},
  };
  ExpectPhases("flow", "train ?, report ?; ? GPUs", kStates,
               [](auto spec, auto status) { return Workflow(status, spec); });
}

std::string Spark(std::string_view spec, std::string_view status = "{}") {
  return Cat(
      "---\napiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: "
      "{name: app, namespace: lab, uid: app}\nspec: {",
      spec, "}\nstatus: ", status, "\n");
}

// "2 3Gi": what the application asks for, cpu and memory.
std::string Asked(const Seen& seen) {
  const workload::ResourceList& list = seen.Find("app")->totals.pod_resources;
  return Cat(list.find("cpu")->second.ToString(), ' ', list.find("memory")->second.ToString());
}

TEST(SparkApplication, CountsRequestsInSparksWords) {
  // Memory has an overhead of a tenth, or two fifths outside of the JVM, and 384 MiB at least.
  Seen java(
      Spark("type: Java, driver: {cores: 1, memory: 512m}, executor: {instances: 2, cores: 2, "
            "memory: 8g, gpu: {name: nvidia.com/gpu, quantity: 1}}"));
  EXPECT_EQ(java.Summary("app"), "Initializing; driver 1, executor 2; 2 GPUs");
  EXPECT_EQ(Asked(java), "5 18918Mi");  // 512 + 384 + 2 * (8192 + 819)
  Seen python(
      Spark("type: Python, memoryOverheadFactor: '0.5', driver: {coreRequest: 500m, memory: "
            "1Gi}, executor: {memory: 2g, memoryOverhead: 1g, gpu: {name: amd.com/gpu, "
            "quantity: 2}, sidecars: [{name: s, resources: {requests: {cpu: 250m}}}]}"));
  EXPECT_EQ(python.Summary("app"), "Initializing; driver 1, executor 1; 2 GPUs");
  EXPECT_EQ(Asked(python), "1750m 4608Mi");  // 1024 + 512 + 2048 + 1024
  Seen conf(
      Spark("type: Scala, sparkConf: {spark.executor.instances: '3', spark.executor.memory: "
            "2g, spark.executor.resource.gpu.amount: '1'}, driver: {}, executor: {}"));
  EXPECT_EQ(conf.Summary("app"), "Initializing; driver 1, executor 3; 3 GPUs");
  EXPECT_EQ(Asked(conf), "4 8704Mi");  // 1024 + 384 + 3 * (2048 + 384)
  // Of a pod template only devices count.
  Seen given(
      Spark("type: Scala, driver: {}, executor: {template: {spec: {containers: [{name: e, "
            "resources: {limits: {cpu: 64, memory: 1Ti, nvidia.com/gpu: 4}}}]}}}"));
  EXPECT_EQ(given.Summary("app"), "Initializing; driver 1, executor 1; 4 GPUs");
  EXPECT_EQ(Asked(given), "2 2816Mi");
  for (const Seen* seen : {&java, &python, &conf, &given}) EXPECT_EQ(seen->Codes("app"), "");
}

TEST(SparkApplication, HasNoDriverOfItsOwnOutsideOfClusterMode) {
  Seen seen(Spark("mode: client, driver: {cores: 1}, executor: {instances: 2}"));
  EXPECT_EQ(seen.Summary("app"), "Initializing; executor 2; 0 GPUs");
}

TEST(SparkApplication, DynamicAllocationHasBounds) {
  constexpr std::string_view kSpec =
      "driver: {cores: 1}, executor: {instances: 1}, dynamicAllocation: {enabled: true, "
      "initialExecutors: 2, minExecutors: 1, maxExecutors: 5}";
  Seen young(Spark(kSpec));
  EXPECT_EQ(young.Summary("app"), "Initializing; driver 1, executor 2; 0 GPUs");
  EXPECT_EQ(young.Find("app")->totals.pods.min.text(), "2");
  EXPECT_EQ(young.Find("app")->totals.pods.max->text(), "6");
  Seen grown(Spark(kSpec,
                   "{applicationState: {state: RUNNING}, executorState: {a: RUNNING, b: RUNNING, "
                   "c: RUNNING, d: COMPLETED}}"));
  EXPECT_EQ(grown.Summary("app"), "Running; driver 1, executor 3; 0 GPUs");
  Seen open(Spark("driver: {}, executor: {}, dynamicAllocation: {enabled: true}"));
  EXPECT_EQ(open.Find("app")->totals.pods.max, std::nullopt);
  EXPECT_EQ(open.Summary("app"), "Initializing; driver 1, executor 0; 0 GPUs");
}

TEST(SparkApplication, HasAPhaseForEachOfItsStates) {
  constexpr State kStates[] = {
      {"", "{}", "Initializing"},
      {"", "{applicationState: {state: SUBMITTED}}", "Initializing"},
      // The driver runs, its executors do not yet.
      {"", "{applicationState: {state: RUNNING}}", "Initializing"},
      {"", "{applicationState: {state: RUNNING}, executorState: {a: RUNNING, b: PENDING}}",
       "Initializing"},
      {"", "{applicationState: {state: RUNNING}, executorState: {a: RUNNING, b: RUNNING}}",
       "Running"},
      {"", "{applicationState: {state: RUNNING}, executorState: {a: COMPLETED, b: RUNNING}}",
       "Running"},
      {"", "{applicationState: {state: SUCCEEDING}}", "Completed"},
      {"restartPolicy: {type: Always}, ", "{applicationState: {state: SUCCEEDING}}",
       "Initializing"},
      {"", "{applicationState: {state: COMPLETED}}", "Completed"},
      {"", "{applicationState: {state: FAILING}}", "Failed"},
      {"restartPolicy: {type: OnFailure}, ", "{applicationState: {state: FAILING}}", "Degraded"},
      {"restartPolicy: {type: OnFailure}, ", "{applicationState: {state: PENDING_RERUN}}",
       "Degraded"},
      {"restartPolicy: {type: OnFailure}, ", "{applicationState: {state: SUBMISSION_FAILED}}",
       "Degraded"},
      {"", "{applicationState: {state: FAILED, errorMessage: driver failed}}", "Failed"},
      {"", "{applicationState: {state: INVALIDATING}}", "Initializing"},
      {"", "{applicationState: {state: UNKNOWN}}", "Degraded"},
      {"suspend: true, ", "{}", "Suspended"},
      {"suspend: true, ", "{applicationState: {state: RUNNING}}", "Suspending"},
      {"suspend: true, ", "{applicationState: {state: SUSPENDING}}", "Suspending"},
      {"suspend: true, ", "{applicationState: {state: SUSPENDED}}", "Suspended"},
      {"", "{applicationState: {state: SUSPENDED}}", "Resuming"},
      {"", "{applicationState: {state: RESUMING}}", "Resuming"},
  };
  ExpectPhases("app", "driver 1, executor 2; 0 GPUs", kStates, [](auto spec, auto status) {
    return Spark(Cat(spec, "driver: {}, executor: {instances: 2}"), status);
  });
}

TEST(SparkApplication, ExecutorsAreOwnedByTheDriver) {
  Seen seen(
      Cat(Spark("driver: {}, executor: {instances: 1}", "{applicationState: {state: RUNNING}}"),
          Pod("app-driver", "SparkApplication", "app",
              "{spark-role: driver, sparkoperator.k8s.io/app-name: app}"),
          Pod("app-exec-1", "Pod", "app-driver",
              "{spark-role: executor, sparkoperator.k8s.io/app-name: app}"),
          // A Spark program that nobody operates is a workload of its own.
          "---\napiVersion: v1\nkind: Pod\nmetadata: {name: alone, labels: {spark-role: driver}}\n"
          "spec: {containers: [{name: a}]}\n"));
  EXPECT_EQ(seen.PlaceOf("app-driver"), "SparkApplication/app driver");
  EXPECT_EQ(seen.PlaceOf("app-exec-1"), "SparkApplication/app executor");
  EXPECT_EQ(seen.Summary("app"), "Running; driver 1, executor 1; 0 GPUs");
  EXPECT_EQ(seen.rows(), "Pod/alone, SparkApplication/app");
}

std::string Wrapper(std::string_view components, std::string_view rest = "",
                    std::string_view status = "{}") {
  return Cat(
      "---\napiVersion: workload.codeflare.dev/v1beta2\nkind: AppWrapper\nmetadata: {name: "
      "wrap, namespace: lab, uid: wrap}\nspec:\n  ",
      rest, "\n  components:\n", components, "status: ", status, "\n");
}

TEST(AppWrapper, HasTheRolesOfItsPodSets) {
  // Given, kept in the status, and inferred.
  Seen seen(Wrapper(Cat(
      "  - podSets: [{path: 'template.spec.groups[1].template', replicas: 3}, {path: "
      "template.spec.leaderTemplate}]\n    template: {apiVersion: a/v1, kind: Thing, metadata: "
      "{name: t}, spec: {leaderTemplate: ",
      kGpuPod, ", groups: [{name: other}, {name: some, template: ", kGpuPod,
      "}]}}\n  - template: {apiVersion: v1, kind: Service, metadata: {name: s}}\n"
      "  - template: {apiVersion: batch/v1, kind: Job, metadata: {name: eval}, spec: {parallelism: "
      "4, completions: 2, template: ",
      kGpuPod,
      "}}\n"
      "  - template: {apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: p}, spec: "
      "{pytorchReplicaSpecs: {Master: {template: ",
      kGpuPod, "}, Worker: {replicas: 5, template: ", kGpuPod, "}}}}\n")));
  EXPECT_EQ(seen.Summary("wrap"),
            "Initializing; some 3, leader 1, eval 2, master 1, worker 5; 24 GPUs");
  EXPECT_EQ(seen.Codes("wrap"), "");
}

TEST(AppWrapper, InfersWhatItsControllerKnows) {
  Seen seen(Wrapper(Cat(
      "  - template: {apiVersion: v1, kind: Pod, metadata: {name: pod}, ", kGpuPod.substr(1),
      "\n  - template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: "
      "{replicas: 2, template: ",
      kGpuPod,
      "}}\n"
      "  - template: {apiVersion: ray.io/v1, kind: RayJob, metadata: {name: r}, spec: "
      "{rayClusterSpec: {headGroupSpec: {template: ",
      kGpuPod,
      "}, workerGroupSpecs: [{groupName: "
      "big, replicas: 2, numOfHosts: 2, template: ",
      kGpuPod,
      "}]}}}\n"
      "  - template: {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: js}, "
      "spec: {replicatedJobs: [{name: node, replicas: 2, template: {spec: {parallelism: 3, "
      "template: ",
      kGpuPod,
      "}}}]}}\n"
      "  - template: {apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: "
      "{name: lws}, spec: {replicas: 2, leaderWorkerTemplate: {size: 4, workerTemplate: ",
      kGpuPod, "}}}\n")));
  EXPECT_EQ(seen.Summary("wrap"),
            "Initializing; pod 1, web 2, head 1, big 4, node 6, leader 2, worker 6; 44 GPUs");
}

TEST(AppWrapper, HasAPhaseForEachOfItsStates) {
  constexpr State kStates[] = {
      {"", "{}", "Initializing"},
      {"suspend: true", "{}", "Suspended"},
      {"suspend: true", "{phase: Suspended}", "Suspended"},
      {"", "{phase: Suspended}", "Resuming"},
      {"", "{phase: Resuming, conditions: [{type: PodsReady, status: 'False'}]}", "Resuming"},
      {"", "{phase: Running, conditions: [{type: PodsReady, status: 'False'}]}", "Initializing"},
      {"", "{phase: Running, conditions: [{type: PodsReady, status: 'True'}]}", "Running"},
      {"",
       "{phase: Running, conditions: [{type: PodsReady, status: 'True'}, {type: Unhealthy, status: "
       "'True', reason: FoundFailedPods}]}",
       "Degraded"},
      {"", "{phase: Resetting}", "Degraded"},
      {"suspend: true", "{phase: Running}", "Suspending"},
      {"suspend: true", "{phase: Suspending}", "Suspending"},
      {"", "{phase: Succeeded}", "Completed"},
      {"suspend: true", "{phase: Failed}", "Failed"},
  };
  ExpectPhases("wrap", "pod 1; 2 GPUs", kStates, [](auto spec, auto status) {
    return Wrapper(Cat("  - template: {apiVersion: v1, kind: Pod, metadata: {name: pod}, ",
                       kGpuPod.substr(1), "\n"),
                   spec, status);
  });
}

TEST(AppWrapper, IsTheOnlyRowOfWhatItWraps) {
  Seen seen(Cat(
      Wrapper(Cat("  - template: {apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: "
                  "p}, spec: {pytorchReplicaSpecs: {Master: {template: ",
                  kGpuPod,
                  "}}}}\n"
                  "  - template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, "
                  "spec: {template: ",
                  kGpuPod, "}}\n"),
              "", "{phase: Running}"),
      "---\napiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: p, namespace: lab, "
      "uid: "
      "p, ownerReferences: [{apiVersion: workload.codeflare.dev/v1beta2, kind: AppWrapper, name: "
      "wrap, uid: wrap, controller: true}]}\n",
      "---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: web-5f6, namespace: lab, uid: "
      "web-5f6, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: web, "
      "controller: true}]}\n",
      "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: lab, uid: web, "
      "ownerReferences: [{apiVersion: workload.codeflare.dev/v1beta2, kind: AppWrapper, name: "
      "wrap, uid: wrap, controller: true}]}\n",
      Pod("p-master-0", "PyTorchJob", "p",
          "{workload.codeflare.dev/appwrapper: wrap, training.kubeflow.org/replica-type: master}"),
      Pod("web-5f6-x", "ReplicaSet", "web-5f6",
          "{workload.codeflare.dev/appwrapper: wrap, pod-template-hash: 5f6}")));
  EXPECT_EQ(seen.rows(), "AppWrapper/wrap");
  EXPECT_EQ(seen.PlaceOf("p-master-0"), "AppWrapper/wrap master");
  EXPECT_EQ(seen.PlaceOf("web-5f6-x"), "AppWrapper/wrap web");
  EXPECT_EQ(seen.Summary("wrap"), "Running; master 1, web 1; 4 GPUs");
}

TEST(Sandbox, HasAPhaseForEachOfItsStates) {
  struct Case {
    std::string_view version, spec, status, phase;
  };
  constexpr Case kCases[] = {
      {"v1beta1", "", "{}", "Initializing"},
      {"v1beta1", "operatingMode: Suspended, ", "{}", "Suspended"},
      {"v1beta1", "",
       "{conditions: [{type: Suspended, status: 'False'}, {type: Ready, status: 'True'}]}",
       "Running"},
      {"v1beta1", "operatingMode: Suspended, ",
       "{conditions: [{type: Suspended, status: 'False'}, {type: Ready, status: 'False'}]}",
       "Suspending"},
      {"v1beta1", "operatingMode: Suspended, ", "{conditions: [{type: Suspended, status: 'True'}]}",
       "Suspended"},
      {"v1beta1", "operatingMode: Running, ", "{conditions: [{type: Suspended, status: 'True'}]}",
       "Resuming"},
      {"v1beta1", "", "{conditions: [{type: Finished, status: 'True', reason: PodSucceeded}]}",
       "Completed"},
      {"v1beta1", "", "{conditions: [{type: Finished, status: 'True', reason: PodFailed}]}",
       "Failed"},
      {"v1beta1", "", "{conditions: [{type: Ready, status: 'False', reason: SandboxExpired}]}",
       "Completed"},
      {"v1beta1", "", "{conditions: [{type: Ready, status: 'False', reason: ReconcilerError}]}",
       "Degraded"},
      {"v1alpha1", "", "{conditions: [{type: Ready, status: 'True'}], replicas: 1}", "Running"},
  };
  for (const Case& c : kCases) {
    Seen seen(Cat("apiVersion: agents.x-k8s.io/", c.version,
                  "\nkind: Sandbox\nmetadata: {name: s}\n"
                  "spec: {",
                  c.spec, "podTemplate: ", kGpuPod, "}\nstatus: ", c.status, "\n"));
    EXPECT_EQ(seen.Summary("s"), Cat(c.phase, "; sandbox 1; 2 GPUs")) << c.spec << c.status;
    EXPECT_EQ(seen.Codes("s"), "");
  }
  for (std::string_view status : {"{}", "{conditions: [{type: Ready, status: 'True'}]}"}) {
    Seen seen(
        Cat("apiVersion: agents.x-k8s.io/v1alpha1\nkind: Sandbox\nmetadata: {name: s}\nspec: "
            "{replicas: 0, podTemplate: ",
            kGpuPod, "}\nstatus: ", status, "\n"));
    EXPECT_EQ(seen.Summary("s"), "Suspended; sandbox 0; 0 GPUs");
  }
}

TEST(Notebook, IsStoppedByAnAnnotation) {
  constexpr State kStates[] = {
      {"{}", "{}", "Initializing"},
      {"{}", "{containerState: {waiting: {reason: ContainerCreating}}}", "Initializing"},
      {"{}", "{readyReplicas: 1, containerState: {running: {}}}", "Running"},
      {"{}", "{readyReplicas: 0, containerState: {waiting: {reason: CrashLoopBackOff}}}",
       "Degraded"},
      {"{}", "{readyReplicas: 0, containerState: {terminated: {reason: OOMKilled}}}", "Degraded"},
      {"{kubeflow-resource-stopped: '2026-01-01T00:00:00Z'}", "{readyReplicas: 1}", "Suspending"},
      {"{kubeflow-resource-stopped: ''}", "{readyReplicas: 0, containerState: {running: {}}}",
       "Suspended"},
  };
  ExpectPhases("nb", "notebook 1; 2 GPUs", kStates, [](auto spec, auto status) {
    return Cat("apiVersion: kubeflow.org/v1\nkind: Notebook\nmetadata: {name: nb, annotations: ",
               spec, "}\nspec: {template: ", kGpuPod, "}\nstatus: ", status, "\n");
  });
}

}  // namespace
}  // namespace wmap
