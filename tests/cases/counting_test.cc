// How pods and accelerators are counted: what products of this kind are known to get wrong, on the
// smallest objects that show it, and with the kinds of the catalog.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "base/text.h"
#include "json/writer.h"
#include "tests/support/seen.h"
#include "tests/support/shared_data.h"

namespace wmap {
namespace {

using ::testing::HasSubstr;
using testing::Seen;
using workload::Count;

std::string Object(std::string_view api_version, std::string_view kind, std::string_view rest) {
  return Cat("{apiVersion: ", api_version, ", kind: ", kind,
             ", metadata: {name: it, namespace: lab, uid: u}, ", rest, "}\n---\n");
}

// A Pod with these fields in its spec.
Seen Pod(std::string_view spec) { return Seen(Object("v1", "Pod", Cat("spec: {", spec, "}"))); }

std::string Container(std::string_view resources) {
  return Cat("{name: m, image: app, resources: {", resources, "}}");
}

std::string PodTemplate(std::string_view resources) {
  return Cat("template: {spec: {containers: [", Container(resources), "]}}");
}

constexpr std::string_view kEightGpus = "limits: {nvidia.com/gpu: 8}";

std::string Cpu(const Seen& seen) {
  const workload::ResourceList& list = seen.Find("it")->totals.pod_resources;
  auto at = list.find("cpu");
  return at == list.end() ? "none" : at->second.ToString();
}

// "2; 1 to 4": pods that are asked for, and their bounds.
std::string Bounds(const Seen& seen) {
  const workload::PodCounts& pods = seen.Find("it")->totals.pods;
  return Cat(pods.desired.text(), "; ", pods.min.text(), " to ",
             pods.max ? pods.max->text() : "any");
}

std::string CaseText(std::string_view name) {
  return testing::ReadFileOrDie(Cat(testing::SharedDir(), "/cases/", name, "/input.yaml"));
}

// --- Requests ---------------------------------------------------------------------------------

TEST(Requests, ASidecarCountsBesideTheMainContainer) {
  Seen seen =
      Pod(Cat("initContainers: [{name: s, restartPolicy: Always, resources: {limits: "
              "{nvidia.com/gpu: 1}}}], containers: [",
              Container("limits: {nvidia.com/gpu: 2}"), "]"));
  EXPECT_EQ(seen.Find("it")->totals.gpus.desired, Count::Exactly(3));
}

TEST(Requests, AnInitContainersGpusCountWhereTheyAreTheMost) {
  Seen seen = Pod(Cat("initContainers: [{name: i, resources: {limits: {nvidia.com/gpu: 4}}}], ",
                      "containers: [", Container("limits: {nvidia.com/gpu: 2}"), "]"));
  EXPECT_EQ(seen.Find("it")->totals.gpus.desired, Count::Exactly(4));
}

TEST(Requests, OverheadComesOnTopOfRequestsNotOfLimits) {
  Seen seen = Pod(Cat("overhead: {cpu: 250m}, containers: [",
                      Container("requests: {cpu: 2}, limits: {cpu: 2250m}"), "]"));
  EXPECT_EQ(Cpu(seen), "2250m");
}

TEST(Requests, PodLevelResourcesAreNeitherIgnoredNorAddedTwice) {
  Seen seen = Pod(Cat("overhead: {cpu: 250m}, resources: {requests: {cpu: 3}}, containers: [",
                      Container("requests: {cpu: 500m}, limits: {nvidia.com/gpu: 2}"), ", ",
                      "{name: n, resources: {requests: {cpu: 250m}}}]"));
  EXPECT_EQ(Cpu(seen), "3250m");
  EXPECT_EQ(seen.Find("it")->totals.gpus.desired, Count::Exactly(2)) << "per container";
}

TEST(Requests, LimitsAloneCountAndUnequalOnesAreTold) {
  Seen alone = Pod(Cat("containers: [", Container("limits: {nvidia.com/gpu: 2}"), "]"));
  EXPECT_EQ(alone.Find("it")->totals.gpus.desired, Count::Exactly(2));
  EXPECT_EQ(alone.Codes("it"), "");
  Seen unequal =
      Pod(Cat("containers: [",
              Container("requests: {nvidia.com/gpu: 6}, limits: {nvidia.com/gpu: 8}"), "]"));
  EXPECT_THAT(unequal.Codes("it"), HasSubstr("resources"));
  EXPECT_THAT(unequal.Find("it")->diagnostics.at(0).message, HasSubstr("with a limit of 8"));
}

TEST(Requests, OfAPodThatIsResizedAreTheLargest) {
  Seen seen(Object("v1", "Pod",
                   Cat("spec: {containers: [", Container("requests: {cpu: 1}"),
                       "]}, status: {phase: Running, containerStatuses: [{name: m, "
                       "allocatedResources: {cpu: 1}, resources: {requests: {cpu: 4}}}]}")));
  EXPECT_EQ(Cpu(seen), "4") << "it still has what it is giving back";
}

TEST(Requests, ForPartsOfGpusStandBesideWholeOnesInEveryKindOfRole) {
  Seen seen(Object("kubeflow.org/v1", "PyTorchJob",
                   Cat("spec: {pytorchReplicaSpecs: {Master: {", PodTemplate(kEightGpus),
                       "}, Worker: {replicas: 3, template: {metadata: {annotations: {gpu-fraction: "
                       "'0.5'}}, spec: {containers: [{name: m}]}}}}}")));
  const workload::Tally& totals = seen.Find("it")->totals;
  EXPECT_EQ(totals.gpus.desired, Count::Exactly(8));
  ASSERT_EQ(totals.accelerators.size(), 2u);
  EXPECT_EQ(totals.accelerators[1].resource, "gpu-fraction");
  EXPECT_EQ(totals.accelerators[1].desired.text(workload::kBillion), "1.5");
}

// Templates, bare pod specs and pieces of one, with GPUs where only some readers look.
TEST(Requests, OfEveryShapeOfARoleCount) {
  Seen seen(Cat(R"(
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: shapes}
spec:
  structureDefinition:
    rootComponent:
      name: shapes
      kind: {group: lab.example, version: v1, kind: Shapes}
      statusDefinition: {statusMappings: {}}
    childComponents:
    - name: whole
      ownerRef: shapes
      specDefinition: {podTemplateSpecPath: .spec.whole}
    - name: bare
      ownerRef: shapes
      specDefinition: {podSpecPath: .spec.bare}
      scaleDefinition: {replicasPath: "2"}
    - name: scattered
      ownerRef: shapes
      specDefinition: {fragmentedPodSpecDefinition: {resourcesPath: .spec.resources}}
      scaleDefinition: {replicasPath: .spec.count}
    - name: listed
      ownerRef: shapes
      specDefinition: {fragmentedPodSpecDefinition: {containersPath: .spec.containers}}
---
)",
                Object("lab.example/v1", "Shapes",
                       "spec: {whole: {spec: {initContainers: [{name: i, resources: {limits: "
                       "{nvidia.com/gpu: 4}}}], containers: [{name: m, resources: {limits: "
                       "{nvidia.com/gpu: 2}}}]}}, bare: {initContainers: [{name: s, "
                       "restartPolicy: Always, resources: {limits: {nvidia.com/gpu: 1}}}], "
                       "containers: [{name: m, resources: {limits: {nvidia.com/gpu: 2}}}]}, "
                       "resources: {limits: {nvidia.com/gpu: 8}}, count: 3, containers: [{name: "
                       "a, resources: {limits: {nvidia.com/gpu: 1}}}, {name: b, resources: "
                       "{limits: {nvidia.com/gpu: 1}}}]}")));
  EXPECT_THAT(seen.Summary("it"), HasSubstr("whole 1, bare 2, scattered 3, listed 1; 36 GPUs"))
      << "4, 2 x 3, 3 x 8, 2";
}

TEST(Held, DevicesOfAnEvictedWorkloadAreToldFromTheObjectAlone) {
  WMAP_REQUIRE_SHARED();
  Seen seen(CaseText("10-mpijob-evicted-and-history-counters"));
  EXPECT_EQ(seen.Codes("mpi-evicted"), "devices-held");
  EXPECT_EQ(seen.Find("mpi-evicted")->diagnostics.at(0).message,
            "it is Failed, and its status still counts 7 active pods, which hold 56 GPUs");
  EXPECT_EQ(seen.Codes("mpi-retrying"), "") << "a workload that runs may hold them";
  EXPECT_EQ(seen.Codes("py-scaled-down"), "");
}

TEST(Held, DevicesOfAFailedJobWhoseMasterRunsOnAreTold) {
  WMAP_REQUIRE_SHARED();
  Seen seen(CaseText("01-pytorch-absent-negative-conditions"));
  EXPECT_EQ(seen.Codes("snap-failed-master-alive"), "devices-held");
  EXPECT_THAT(seen.Find("snap-failed-master-alive")->diagnostics.at(0).message,
              HasSubstr("3 active pods, which hold 24 GPUs"));
  EXPECT_EQ(seen.Codes("snap-succeeded"), "");
}

// --- Pods -------------------------------------------------------------------------------------

TEST(Replicas, AnElasticPolicyMakesNoWorker) {
  Seen seen(Object("kubeflow.org/v1", "PyTorchJob",
                   Cat("spec: {elasticPolicy: {minReplicas: 1, maxReplicas: 4}, "
                       "pytorchReplicaSpecs: {Master: {replicas: 1, ",
                       PodTemplate(kEightGpus), "}}}")));
  EXPECT_THAT(seen.Summary("it"), HasSubstr("; master 1; 8 GPUs"));
}

TEST(Replicas, ARoleWithoutANumberHasTheOperatorsDefault) {
  Seen seen(Object("kubeflow.org/v1", "PyTorchJob",
                   Cat("spec: {pytorchReplicaSpecs: {Worker: {", PodTemplate(kEightGpus), "}}}")));
  EXPECT_THAT(seen.Summary("it"), HasSubstr("; worker 1; 8 GPUs"));
}

TEST(Replicas, ZeroIsAValue) {
  Seen seen(
      Object("apps/v1", "Deployment", Cat("spec: {replicas: 0, ", PodTemplate(kEightGpus), "}")));
  EXPECT_THAT(seen.Summary("it"), HasSubstr("; server 0; 0 GPUs"));
}

// The definition is the test's own, so that this does not depend on the catalog.
TEST(Replicas, MinusOneIsUnknownAndNeverNegative) {
  WMAP_REQUIRE_SHARED();
  Seen seen(Cat(R"(
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: milvus}
spec:
  structureDefinition:
    rootComponent:
      name: milvus
      kind: {group: milvus.io, version: v1beta1, kind: Milvus}
      statusDefinition: {statusMappings: {running: [{byExpression: {expression: .status.status // "", expectedResult: Healthy}}]}}
    childComponents:
    - name: queryNode
      ownerRef: milvus
      specDefinition: {fragmentedPodSpecDefinition: {resourcesPath: .spec.components.queryNode.resources}}
      scaleDefinition: {replicasPath: .spec.components.queryNode.replicas}
    - name: dataNode
      ownerRef: milvus
      specDefinition: {fragmentedPodSpecDefinition: {resourcesPath: ".spec.components.dataNode | .resources // {}"}}
      scaleDefinition: {replicasPath: .spec.components.dataNode.replicas}
---
)",
                CaseText("13-replica-oddities")));
  EXPECT_THAT(seen.Summary("o3-hpa-managed"), HasSubstr("; queryNode ?, dataNode 3; ? GPUs"));
  const workload::Tally& totals = seen.Find("o3-hpa-managed")->totals;
  EXPECT_EQ(totals.pods.desired.text(), "3+?");
  EXPECT_EQ(totals.pods.min.min(), 3);
  EXPECT_THAT(totals.gpus.desired.unknown(), ::testing::ElementsAre("queryNode"));
}

std::string RayWorkers(std::string_view scale) {
  return Object("ray.io/v1", "RayCluster",
                Cat("spec: {headGroupSpec: {template: {spec: {containers: [{name: h}]}}}, "
                    "workerGroupSpecs: [{groupName: g, ",
                    scale, ", ", PodTemplate(kEightGpus), "}]}"));
}

TEST(Replicas, HostsMultiplyAndDoNotWrap) {
  Seen open(RayWorkers("replicas: 1, minReplicas: 0, maxReplicas: 2147483647, numOfHosts: 2"));
  EXPECT_THAT(open.Summary("it"), HasSubstr("head 1, g 2; 16 GPUs"));
  EXPECT_EQ(Bounds(open), "3; 1 to any");
  Seen large(
      RayWorkers("replicas: 1000000000, minReplicas: 0, maxReplicas: 1000000000, "
                 "numOfHosts: 2"));
  EXPECT_EQ(Bounds(large), "2000000001; 1 to 2000000001");
  EXPECT_EQ(large.Find("it")->totals.gpus.desired.text(), "16000000000");
  // More than any controller counts is not known, and no number that is left when bits are lost.
  Seen beyond(
      RayWorkers("replicas: 2147483646, minReplicas: 0, maxReplicas: 2147483646, "
                 "numOfHosts: 2"));
  EXPECT_EQ(Bounds(beyond), "1+?; 1 to any");
}

TEST(Replicas, ZeroIsAValueInEveryKind) {
  struct Case {
    std::string_view api_version, kind, spec, summary;
  };
  for (const Case& c : {
           Case{"apps/v1", "StatefulSet", "replicas: 0, $T", "shard 0; 0 GPUs"},
           Case{"apps/v1", "ReplicaSet", "replicas: 0, $T", "server 0; 0 GPUs"},
           Case{"batch/v1", "Job", "parallelism: 0, $T", "worker 0; 0 GPUs"},
           Case{"kubeflow.org/v1", "PyTorchJob",
                "pytorchReplicaSpecs: {Master: {$T}, Worker: {replicas: 0, $T}}",
                "master 1, worker 0; 8 GPUs"},
           Case{"kubeflow.org/v1", "TFJob",
                "tfReplicaSpecs: {PS: {replicas: 0, $T}, Worker: {replicas: 1, $T}}",
                "ps 0, worker 1; 8 GPUs"},
           Case{"kubeflow.org/v2beta1", "MPIJob",
                "mpiReplicaSpecs: {Launcher: {replicas: 0, $T}, Worker: {replicas: 0, $T}}",
                "launcher 0, worker 0; 0 GPUs"},
           Case{"batch.volcano.sh/v1alpha1", "Job", "tasks: [{name: w, replicas: 0, $T}]",
                "w 0; 0 GPUs"},
           Case{"ray.io/v1", "RayCluster",
                "headGroupSpec: {$T}, workerGroupSpecs: [{groupName: g, replicas: 0, $T}, "
                "{groupName: h, replicas: 0, minReplicas: 0, maxReplicas: 4, $T}]",
                "head 1, g 0, h 0; 8 GPUs"},
           Case{"serving.kserve.io/v1alpha2", "LLMInferenceService",
                "replicas: 0, template: {containers: [{name: main}]}", "workload 0; 0 GPUs"},
           Case{"apps.nvidia.com/v1alpha1", "NIMService", "replicas: 0", "server 0; 0 GPUs"},
           Case{"nvidia.com/v1beta1", "DynamoGraphDeployment",
                "components: [{name: a, replicas: 0}, {name: b, replicas: 0, multinode: "
                "{nodeCount: 4}}]",
                "a 0, b 0; 0 GPUs"},
           Case{"milvus.io/v1beta1", "Milvus", "components: {standalone: {replicas: 0}}",
                "standalone 0; 0 GPUs"},
       }) {
    std::string spec(c.spec);
    for (std::size_t at = 0; (at = spec.find("$T")) != std::string::npos;) {
      spec.replace(at, 2, PodTemplate(kEightGpus));
    }
    Seen seen(Object(c.api_version, c.kind, Cat("spec: {", spec, "}")));
    EXPECT_THAT(seen.Summary("it"), ::testing::EndsWith(Cat("; ", c.summary))) << c.kind;
    EXPECT_EQ(seen.Codes("it"), "") << c.kind;
  }
}

TEST(Replicas, TheLargestNumberOfAChartIsNoBoundAndNoNumberOfGpus) {
  Seen open(RayWorkers("replicas: 1, minReplicas: 0, maxReplicas: 2147483647, numOfHosts: 2"));
  EXPECT_EQ(open.Find("it")->totals.pods.max, std::nullopt);
  std::string text = json::ToJson(open.json());
  EXPECT_EQ(text.find("-1"), std::string::npos) << text;
  EXPECT_EQ(text.find("429496729"), std::string::npos) << text;
  EXPECT_EQ(text.find("1717986918"), std::string::npos) << text;
}

TEST(Replicas, AreHeldWithinTheirBounds) {
  EXPECT_EQ(Bounds(Seen(RayWorkers("replicas: 9, minReplicas: 1, maxReplicas: 4"))), "5; 2 to 5");
  EXPECT_EQ(Bounds(Seen(RayWorkers("replicas: 0, minReplicas: 2, maxReplicas: 4"))), "3; 3 to 5");
  EXPECT_EQ(Bounds(Seen(RayWorkers("minReplicas: 2, maxReplicas: 4, numOfHosts: 2"))), "5; 5 to 9");
}

TEST(Replicas, OfGroupsTimesTheirSize) {
  auto groups = [](std::string_view scale) {
    Seen seen(Object("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet",
                     Cat("spec: {", scale, "workerTemplate: {spec: {containers: [",
                         Container(kEightGpus), "]}}}}")));
    return seen.Summary("it");
  };
  EXPECT_THAT(groups("replicas: 2, leaderWorkerTemplate: {size: 4, "),
              HasSubstr("leader 2, worker 6; 64 GPUs"));
  EXPECT_THAT(groups("leaderWorkerTemplate: {size: 4, "), HasSubstr("leader 1, worker 3; 32 GPUs"))
      << "one group where none is said";
  EXPECT_THAT(groups("replicas: 3, leaderWorkerTemplate: {size: 1, "),
              HasSubstr("leader 3; 24 GPUs"));
  EXPECT_THAT(groups("replicas: 0, leaderWorkerTemplate: {size: 4, "), HasSubstr("0 GPUs"));
}

std::string Jobs(std::string_view replicas, std::string_view job) {
  Seen seen(Object("jobset.x-k8s.io/v1alpha2", "JobSet",
                   Cat("spec: {replicatedJobs: [{name: a, ", replicas, "template: {spec: {", job,
                       PodTemplate(kEightGpus), "}}}]}")));
  return seen.Summary("it");
}

TEST(Replicas, OfJobsTimesTheirParallelismWithinTheirCompletions) {
  EXPECT_THAT(Jobs("replicas: 2, ", "parallelism: 3, completions: 3, "), HasSubstr("a 6; 48 GPUs"));
  EXPECT_THAT(Jobs("replicas: 2, ", "parallelism: 3, completions: 2, "), HasSubstr("a 4; 32 GPUs"));
  EXPECT_THAT(Jobs("", ""), HasSubstr("a 1; 8 GPUs"));
  EXPECT_THAT(Jobs("replicas: 2, ", "parallelism: 0, "), HasSubstr("a 0; 0 GPUs"));
  EXPECT_THAT(Jobs("replicas: 0, ", "parallelism: 3, "), HasSubstr("a 0; 0 GPUs"));
}

TEST(Replicas, OfALauncherThatWorksAreNodesLikeTheOthers) {
  Seen seen(Object(
      "kubeflow.org/v2beta1", "MPIJob",
      Cat("spec: {runLauncherAsWorker: true, mpiReplicaSpecs: {Launcher: {",
          PodTemplate(kEightGpus), "}, Worker: {replicas: 3, ", PodTemplate(kEightGpus), "}}}")));
  EXPECT_THAT(seen.Summary("it"), HasSubstr("launcher 1, worker 3; 32 GPUs"));
}

}  // namespace
}  // namespace wmap
