// Grove, Dynamo and Milvus: kinds whose pods hang below several other objects. What the catalog
// reads of them over their life. Counts and sums are worked out by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "base/text.h"
#include "tests/support/seen.h"
#include "tests/support/shared_data.h"

namespace wmap {
namespace {

using ::testing::HasSubstr;
using testing::Seen;
using ::testing::StartsWith;

constexpr std::string_view kReady = "{phase: Running, conditions: [{type: Ready, status: 'True'}]}";
constexpr std::string_view kGated =
    "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: "
    "SchedulingGated}]}";
constexpr std::string_view kStarting =
    "{phase: Pending, conditions: [{type: PodScheduled, status: 'True'}], containerStatuses: "
    "[{name: main, ready: false, restartCount: 0, state: {waiting: {reason: "
    "ContainerCreating}}}]}";
constexpr std::string_view kCrash =
    "{phase: Running, conditions: [{type: Ready, status: 'False'}], containerStatuses: [{name: "
    "main, ready: false, restartCount: 4, state: {waiting: {reason: CrashLoopBackOff}}}]}";

std::string Object(std::string_view api_version, std::string_view kind, std::string_view name,
                   std::string_view metadata, std::string_view rest) {
  return Cat("---\napiVersion: ", api_version, "\nkind: ", kind, "\nmetadata: {name: ", name,
             ", namespace: lab, uid: u-", name, metadata, "}\n", rest, "\n");
}
std::string OwnedBy(std::string_view api_version, std::string_view kind, std::string_view name) {
  return Cat(", ownerReferences: [{apiVersion: ", api_version, ", kind: ", kind, ", name: ", name,
             ", uid: u-", name, ", controller: true}]");
}
std::string Pod(std::string_view name, std::string_view labels, std::string_view owner,
                std::string_view status = kReady) {
  return Object("v1", "Pod", name, Cat(", labels: {", labels, "}", owner),
                Cat("spec: {", status == kGated ? "" : "nodeName: n1, ",
                    "containers: [{name: main}]}\nstatus: ", status));
}

// --- Grove -------------------------------------------------------------------------------------

constexpr std::string_view kGrove = "grove.io/v1alpha1";

// A router and a group `pd` of two replicas, each a leader and two workers with 4 GPUs.
std::string Set(std::string_view replicas, std::string_view status = "{}") {
  return Object(kGrove, "PodCliqueSet", "llm", "",
                Cat("spec:\n  ", replicas, R"(
  template:
    cliques:
    - {name: router, spec: {replicas: 1, podSpec: {containers: [{name: main}]}}}
    - {name: ldr, spec: {replicas: 1, podSpec: {containers: [{name: main}]}}}
    - {name: wkr, spec: {replicas: 2, podSpec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: 4}}}]}}}
    podCliqueScalingGroups:
    - {name: pd, replicas: 2, minAvailable: 1, cliqueNames: [ldr, wkr]}
status: )",
                    status));
}
std::string GroveObject(std::string_view kind, std::string_view name, std::string_view index,
                        std::string_view replicas, std::string_view more = "") {
  return Object(
      kGrove, kind, name,
      Cat(", labels: {app.kubernetes.io/part-of: llm, grove.io/podcliqueset-replica-index: '",
          index, "'}", OwnedBy(kGrove, "PodCliqueSet", "llm"), more),
      Cat("spec: {replicas: ", replicas, "}"));
}
std::string Clique(std::string_view name, std::string_view owner) {
  return Object(kGrove, "PodClique", name, owner, "spec: {replicas: 1}");
}
std::string GrovePod(std::string_view name, std::string_view clique, std::string_view group = "",
                     std::string_view status = kReady) {
  std::string labels =
      Cat("app.kubernetes.io/part-of: llm, grove.io/podcliqueset-replica-index: "
          "'0', grove.io/podclique: ",
          clique);
  if (!group.empty()) {
    CatTo(labels, ", grove.io/podcliquescalinggroup: ", group,
          ", grove.io/podcliquescalinggroup-replica-index: '0'");
  }
  return Pod(name, labels, OwnedBy(kGrove, "PodClique", clique), status);
}

TEST(PodCliqueSet, CountsSetsGroupsAndCliques) {
  Seen seen(Set("replicas: 3"));
  EXPECT_EQ(seen.Summary("llm"), "Initializing; router 3, ldr 6, wkr 12; 48 GPUs");
  EXPECT_EQ(seen.Find("llm")->totals.pods.min, workload::Count::Exactly(12))
      << "per set one router, and one replica of the group";
}

// An absent count is the operator's default, 0, unless the status knows better.
TEST(PodCliqueSet, WithoutACountIsReadFromItsStatus) {
  EXPECT_THAT(Seen(Set("", "{availableReplicas: 1}")).Summary("llm"),
              "Running; router 1, ldr 2, wkr 4; 16 GPUs");
  EXPECT_THAT(Seen(Set("", "{replicas: 2, availableReplicas: 1}")).Summary("llm"),
              "Initializing; router 2, ldr 4, wkr 8; 32 GPUs");
  EXPECT_THAT(Seen(Set("")).Summary("llm"), StartsWith("Suspended; router 0"));
}

TEST(PodCliqueSet, IsRunningWhenEveryCopyIsAvailable) {
  EXPECT_THAT(Seen(Set("replicas: 2", "{replicas: 2, availableReplicas: 2}")).Summary("llm"),
              StartsWith("Running"));
  EXPECT_THAT(Seen(Set("replicas: 2", "{replicas: 2, availableReplicas: 1}")).Summary("llm"),
              StartsWith("Initializing"));
  EXPECT_THAT(Seen(Set("replicas: 0", "{replicas: 0}")).Summary("llm"), StartsWith("Suspended"));
  EXPECT_THAT(Seen(Set("replicas: 0", "{replicas: 2}")).Summary("llm"), StartsWith("Suspending"));
}

TEST(PodCliqueSet, IsScaledOnItsGroupsAndCliques) {
  Seen seen(Cat(Set("replicas: 2"), GroveObject("PodCliqueScalingGroup", "llm-0-pd", "0", "5"),
                GroveObject("PodClique", "llm-1-router", "1", "3"),
                GroveObject("PodClique", "llm-2-router", "2", "7"),
                GroveObject("PodCliqueScalingGroup", "llm-1-pd", "1", "9",
                            ", deletionTimestamp: '2026-11-30T00:00:00Z'")));
  EXPECT_EQ(seen.Summary("llm"), "Initializing; router 4, ldr 7, wkr 14; 56 GPUs")
      << "routers 1 + 3, groups 5 + 2";
  EXPECT_EQ(seen.Codes("llm"), "scale-from-child scale-from-child");
}

TEST(PodCliqueSet, AttributesPodsByCliqueAndGroup) {
  Seen seen(Cat(Set("replicas: 1"), GroveObject("PodCliqueScalingGroup", "llm-0-pd", "0", "1"),
                Clique("llm-0-router", OwnedBy(kGrove, "PodCliqueSet", "llm")),
                Clique("llm-0-pd-0-ldr", OwnedBy(kGrove, "PodCliqueScalingGroup", "llm-0-pd")),
                Clique("llm-0-pd-0-wkr", OwnedBy(kGrove, "PodCliqueScalingGroup", "llm-0-pd")),
                GrovePod("r", "llm-0-router"), GrovePod("l", "llm-0-pd-0-ldr", "llm-0-pd"),
                GrovePod("w", "llm-0-pd-0-wkr", "llm-0-pd"),
                GrovePod("v", "llm-0-pd-0-wkr", "llm-0-pd")));
  EXPECT_EQ(seen.rows(), "PodCliqueSet/llm");
  EXPECT_EQ(seen.PlaceOf("r"), "PodCliqueSet/llm router");
  EXPECT_EQ(seen.PlaceOf("l"), "PodCliqueSet/llm ldr");
  EXPECT_EQ(seen.PlaceOf("w"), "PodCliqueSet/llm wkr");
  EXPECT_EQ(seen.Summary("llm"), "Running; router 1, ldr 1, wkr 2; 8 GPUs");
}

// --- Dynamo ------------------------------------------------------------------------------------

constexpr std::string_view kBeta = "nvidia.com/v1beta1";
constexpr std::string_view kAlpha = "nvidia.com/v1alpha1";

std::string Graph(std::string_view status, std::string_view components = "") {
  return Object(kBeta, "DynamoGraphDeployment", "chat", ", generation: 2",
                Cat("spec:\n  components:\n  - {name: Frontend, type: frontend}\n", components,
                    "status: ", status));
}
std::string AlphaGraph(std::string_view services, std::string_view status = "{}") {
  return Object(kAlpha, "DynamoGraphDeployment", "chat", "",
                Cat("spec:\n  services:\n", services, "\nstatus: ", status));
}
std::string PhaseOf(std::string_view text) {
  Seen seen(text);
  std::string summary = seen.Summary("chat");
  return summary.substr(0, summary.find(';'));
}

TEST(DynamoGraph, FollowsTheOperatorsWord) {
  EXPECT_EQ(PhaseOf(Graph("{}")), "Undefined");
  EXPECT_EQ(PhaseOf(Graph("{state: ''}")), "Undefined");
  EXPECT_EQ(PhaseOf(Graph("{state: initializing}")), "Initializing");
  EXPECT_EQ(PhaseOf(Graph("{state: pending}")), "Initializing");
  EXPECT_EQ(PhaseOf(Graph("{state: successful}")), "Running");
  EXPECT_EQ(PhaseOf(Graph("{state: failed}")), "Failed");
}

TEST(DynamoGraph, AnErrorOfTheOperatorIsToldAsSuch) {
  Seen seen(Graph(
      "{state: failed, observedGeneration: 1, conditions: [{type: Ready, status: 'False', reason: "
      "failed_to_reconcile_the_resources, message: refused}]}"));
  const workload::Status& status = seen.Find("chat")->status;
  EXPECT_EQ(status.reason, "failed_to_reconcile_the_resources");
  EXPECT_THAT(status.message, HasSubstr("the operator met an error"));
  EXPECT_THAT(status.message, HasSubstr("refused"));
  EXPECT_TRUE(status.stale);
}

TEST(DynamoGraph, OfWhichNothingIsWantedIsSuspended) {
  auto zero = [](std::string_view status) {
    return Object(kBeta, "DynamoGraphDeployment", "chat", "",
                  Cat("spec: {components: [{name: a, replicas: 0}, {name: b, replicas: 0, "
                      "multinode: {nodeCount: 4}}]}\nstatus: ",
                      status));
  };
  Seen seen(zero("{state: successful}"));
  EXPECT_EQ(seen.Summary("chat"), "Suspended; a 0, b 0; 0 GPUs");
  EXPECT_EQ(PhaseOf(zero("{state: pending, components: {a: {replicas: 1}}}")), "Suspending");
}

TEST(DynamoGraph, HasOnePodPerNode) {
  Seen seen(Graph("{}",
                  "  - {name: A, multinode: {}, podTemplate: {spec: {containers: [{name: main, "
                  "resources: {limits: {nvidia.com/gpu: 8}}}]}}}\n"
                  "  - {name: B, replicas: 3, minAvailable: 2, multinode: {nodeCount: 4}}\n"
                  "  - {name: C, replicas: 0}\n"));
  EXPECT_EQ(seen.Summary("chat"), "Undefined; Frontend 1, A 2, B 12, C 0; 16 GPUs");
  EXPECT_EQ(seen.Find("chat")->totals.pods.min, workload::Count::Exactly(1 + 2 + 8 + 0));
  EXPECT_EQ(seen.Codes("chat"), "");
}

TEST(DynamoGraph, OfTheOlderVersionPutsItsContainerTogether) {
  Seen seen(AlphaGraph(R"(
    Frontend: {}
    Gone: null
    Short: {replicas: 2, resources: {limits: {gpu: "2", memory: 8Gi, custom: {rdma/ib: "1"}}}}
    Own: {resources: {limits: {gpu: "8"}, requests: {cpu: "4"}}, extraPodSpec: {mainContainer: {resources: {limits: {nvidia.com/gpu: "4"}}}}}
    Amd: {multinode: {nodeCount: 2}, resources: {limits: {gpu: "8", gpuType: amd.com/gpu}}}
    Side: {extraPodSpec: {mainContainer: {image: a}, containers: [{name: main, resources: {limits: {nvidia.com/gpu: 8}}}, {name: s, resources: {limits: {nvidia.com/gpu: 1}}}], initContainers: [{name: i, restartPolicy: Always, resources: {requests: {cpu: "1"}}}]}}
)"));
  EXPECT_EQ(seen.Summary("chat"), "Undefined; Amd 2, Frontend 1, Own 1, Short 2, Side 1; 25 GPUs")
      << "2 x 8, 4, 2 x 2, 1";
  const workload::ResourceList& all = seen.Find("chat")->totals.pod_resources;
  EXPECT_EQ(all.find("rdma/ib")->second.ToString(), "2");
  EXPECT_EQ(all.find("memory")->second.ToString(), "16Gi");
  EXPECT_EQ(all.find("cpu")->second.ToString(), "5");
  EXPECT_EQ(seen.Codes("chat"), "");
}

TEST(DynamoGraph, CountsClaimedDevices) {
  constexpr std::string_view kTemplate = R"(---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: four, namespace: lab}
spec: {spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu.nvidia.com, count: 4}}]}}}
)";
  Seen seen(Cat(kTemplate, AlphaGraph(R"(
    Decode: {replicas: 2, resources: {claims: [{name: g}]}, extraPodSpec: {resourceClaims: [{name: g, resourceClaimTemplateName: four}]}}
)")));
  const auto& rows = seen.Find("chat")->roles.at(0).tally.accelerators;
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].per_pod, workload::Count::Exactly(4));
  EXPECT_EQ(rows[0].desired, workload::Count::Exactly(8));
}

TEST(DynamoGraph, GivenInBothItsVersionsIsOneRow) {
  std::string beta = Graph("{state: successful}");
  std::string alpha = AlphaGraph("    Frontend: {}", "{state: successful}");
  for (const std::string& text : {Cat(beta, alpha), Cat(alpha, beta)}) {
    Seen seen(text);
    EXPECT_EQ(seen.rows(), "DynamoGraphDeployment/chat");
    EXPECT_EQ(seen.Summary("chat"), "Running; Frontend 1; 0 GPUs");
  }
}

// A graph with a prefill role below which a PodCliqueSet of Grove stands.
std::string GraphOverGrove() {
  return Cat(
      Graph("{state: pending, conditions: [{type: Ready, status: 'False', reason: "
            "some_resources_are_not_ready}], components: {Prefill: {componentKind: PodClique}}}",
            "  - {name: Prefill, replicas: 2}\n"),
      Object(kGrove, "PodCliqueSet", "chat-a1b2", OwnedBy(kBeta, "DynamoGraphDeployment", "chat"),
             "spec: {replicas: 1}"),
      Object(kGrove, "PodClique", "chat-a1b2-0-prefill",
             OwnedBy(kGrove, "PodCliqueSet", "chat-a1b2"), "spec: {replicas: 2}"),
      Object(kGrove, "PodClique", "chat-a1b2-0-frontend",
             OwnedBy(kGrove, "PodCliqueSet", "chat-a1b2"), "spec: {replicas: 1}"));
}
std::string OldGrovePod(std::string_view name, std::string_view clique, std::string_view status) {
  return Pod(name,
             Cat("app.kubernetes.io/part-of: chat-a1b2, grove.io/podcliqueset-replica-index: '0', "
                 "grove.io/podclique: ",
                 clique),
             OwnedBy(kGrove, "PodClique", clique), status);
}

// Lack of room and a crash are told apart, and counters that are not reported are not 0.
TEST(DynamoGraph, TellsWaitingFromCrashingByItsPods) {
  std::string frontend = OldGrovePod("f", "chat-a1b2-0-frontend", kReady);
  auto with = [&](std::string_view status) {
    return Cat(GraphOverGrove(), frontend, OldGrovePod("p", "chat-a1b2-0-prefill", kReady),
               OldGrovePod("q", "chat-a1b2-0-prefill", status));
  };
  Seen gated(with(kGated));
  EXPECT_EQ(gated.Find("chat")->status.phase, workload::Phase::kInitializing);
  EXPECT_EQ(gated.Find("chat")->status.reason, "SchedulingGated");
  Seen crash(with(kCrash));
  EXPECT_EQ(crash.Find("chat")->status.phase, workload::Phase::kDegraded);
  EXPECT_EQ(crash.Find("chat")->status.reason, "CrashLoopBackOff");
  EXPECT_EQ(Seen(with(kReady)).Summary("chat"), "Running; Frontend 1, Prefill 2; 0 GPUs");
}

// Operators before v0.6 did not label Grove pods with the component.
TEST(DynamoGraph, FindsTheRoleOfPodsWithoutItsLabels) {
  Seen seen(Cat(GraphOverGrove(), OldGrovePod("p", "chat-a1b2-0-prefill", kReady)));
  EXPECT_EQ(seen.rows(), "DynamoGraphDeployment/chat");
  EXPECT_EQ(seen.PlaceOf("p"), "DynamoGraphDeployment/chat Prefill");
}

TEST(DynamoGraph, ThePodOfACheckpointIsNoneOfTheRole) {
  Seen seen(Cat(
      Graph("{state: pending}"),
      Object("nvidia.com/v1alpha1", "DynamoCheckpoint", "ck",
             OwnedBy(kBeta, "DynamoGraphDeployment", "chat"), ""),
      Object("batch/v1", "Job", "ck-job", OwnedBy("nvidia.com/v1alpha1", "DynamoCheckpoint", "ck"),
             ""),
      Pod("ck-pod", "nvidia.com/dynamo-component: Frontend, batch.kubernetes.io/job-name: ck-job",
          OwnedBy("batch/v1", "Job", "ck-job"))));
  EXPECT_EQ(seen.PlaceOf("ck-pod"), "DynamoGraphDeployment/chat checkpoint");
  EXPECT_EQ(seen.Summary("chat"), "Initializing; Frontend 1, checkpoint 0; 0 GPUs");
  EXPECT_EQ(seen.Codes("chat"), "");
}

TEST(DynamoGraph, WaitsForACheckpointWithoutPods) {
  auto graph = [](std::string_view ready) {
    return Graph(Cat("{state: pending, checkpoints: {W: {ready: ", ready, "}}}"),
                 "  - {name: W, replicas: 3, experimental: {checkpoint: {enabled: true, "
                 "startupPolicy: WaitForCheckpoint}}}\n");
  };
  EXPECT_EQ(Seen(graph("false")).Find("chat")->totals.pods.wanted, workload::Count::Exactly(1));
  EXPECT_EQ(Seen(graph("true")).Find("chat")->totals.pods.wanted, workload::Count::Exactly(4));
}

// --- Milvus ------------------------------------------------------------------------------------

std::string Milvus(std::string_view spec, std::string_view status = "{}") {
  return Object("milvus.io/v1beta1", "Milvus", "vec", "",
                Cat("spec: {", spec, "}\nstatus: ", status));
}
std::string SummaryOf(std::string_view spec, std::string_view status = "{}") {
  return Seen(Milvus(spec, status)).Summary("vec");
}

TEST(Milvus, HasTheRolesOfItsModeAndVersion) {
  EXPECT_EQ(SummaryOf(""), "Undefined; standalone 1; 0 GPUs");
  EXPECT_EQ(SummaryOf("components: {queryNode: {replicas: 4}, cdc: {}}"),
            "Undefined; standalone 1, cdc 1; 0 GPUs");
  constexpr std::string_view kNew =
      "Undefined; mixcoord 1, datanode 1, querynode 1, streamingnode 1, proxy 1; 0 GPUs";
  constexpr std::string_view kOld =
      "Undefined; mixcoord 1, datanode 1, querynode 1, indexnode 1, proxy 1; 0 GPUs";
  for (std::string_view components :
       {"{}", "{image: 'milvusdb/milvus:v2.6.0'}", "{image: 'reg:5000/milvus:v2.10.1-gpu'}",
        "{image: 'milvusdb/milvus:master-20260801-abc'}", "{version: v2.6.1, image: own}",
        "{indexNode: {replicas: 3}, rootCoord: {replicas: 1}}"}) {
    EXPECT_EQ(SummaryOf(Cat("mode: cluster, components: ", components)), kNew) << components;
  }
  for (std::string_view components :
       {"{image: 'milvusdb/milvus:v2.5.16'}", "{image: 'milvusdb/milvus:latest'}",
        "{image: 'milvusdb/milvus:v2.6.0@sha256:26aa'}",
        "{version: v2.5.1, image: 'milvusdb/milvus:v2.6.0'}"}) {
    EXPECT_EQ(SummaryOf(Cat("mode: cluster, components: ", components)), kOld) << components;
  }
  EXPECT_EQ(SummaryOf("mode: cluster, components: {version: v2.4.0, rootCoord: {}}"),
            "Undefined; rootcoord 1, datacoord 1, querycoord 1, indexcoord 1, datanode 1, "
            "querynode 1, indexnode 1, proxy 1; 0 GPUs");
  EXPECT_EQ(SummaryOf("mode: cluster, components: {version: v2.5.0, streamingMode: true}"),
            "Undefined; mixcoord 1, datanode 1, querynode 1, indexnode 1, streamingnode 1, proxy "
            "1; 0 GPUs");
}

TEST(Milvus, ANumberThatAnAutoscalerHasIsUnknown) {
  Seen seen(Milvus("mode: cluster, components: {queryNode: {replicas: -1}}"));
  EXPECT_EQ(seen.Summary("vec"),
            "Undefined; mixcoord 1, datanode 1, querynode ?, streamingnode 1, proxy 1; 0 GPUs");
  EXPECT_EQ(seen.Find("vec")->totals.pods.desired.text(), "4+?");
}

TEST(Milvus, GroupsTakeThePlaceOfTheRolesNumber) {
  EXPECT_EQ(SummaryOf("mode: cluster, components: {queryNode: {replicas: 9, groups: [{name: a, "
                      "replicas: 2}, {name: b, replicas: 3}]}, proxy: {replicas: 2, groups: []}}"),
            "Undefined; mixcoord 1, datanode 1, querynode 5, streamingnode 1, proxy 2; 0 GPUs");
  EXPECT_EQ(SummaryOf("mode: cluster, components: {proxy: {groups: [{name: a, replicas: 2}, {name: "
                      "b, replicas: -1}]}}"),
            "Undefined; mixcoord 1, datanode 1, querynode 1, streamingnode 1, proxy ?; 0 GPUs");
}

TEST(Milvus, ResourcesAreTheRolesOrThoseOfAll) {
  Seen seen(
      Milvus("mode: cluster, components: {resources: {limits: {nvidia.com/gpu: 1}}, "
             "queryNode: {replicas: 2, resources: {limits: {nvidia.com/gpu: 4}}}, proxy: "
             "{resources: {requests: {cpu: 1}}, sidecars: [{name: s, resources: {requests: "
             "{cpu: 2}}}]}}"));
  EXPECT_EQ(seen.Find("vec")->totals.gpus.desired, workload::Count::Exactly(1 + 1 + 8 + 1));
  EXPECT_EQ(seen.Find("vec")->totals.pod_resources.find("cpu")->second.ToString(), "3");
}

TEST(Milvus, FollowsItsStatusWord) {
  struct Case {
    std::string_view components;
    std::string_view status;
    std::string_view phase;
  };
  constexpr std::string_view kOn = "{standalone: {replicas: 1}}";
  constexpr std::string_view kOff = "{standalone: {replicas: 0}}";
  for (const Case& c : std::to_array<Case>({
           {kOn, "{}", "Undefined"},
           {kOn, "{status: Pending}", "Initializing"},
           {kOn, "{status: Healthy}", "Running"},
           {kOn, "{status: Unhealthy}", "Degraded"},
           {kOn, "{status: Deleting}", "Undefined"},
           {kOn, "{status: Stopped}", "Resuming"},
           {kOff, "{status: Healthy}", "Suspending"},
           {kOff,
            "{status: Stopped, conditions: [{type: MilvusReady, status: 'False', reason: "
            "MilvusStopping}]}",
            "Suspending"},
           {kOff,
            "{status: Stopped, conditions: [{type: MilvusReady, status: 'False', reason: "
            "MilvusStopped}]}",
            "Suspended"},
           {kOff, "{}", "Suspended"},
       })) {
    EXPECT_THAT(SummaryOf(Cat("components: ", c.components), c.status), StartsWith(c.phase))
        << c.components << ' ' << c.status;
  }
  // In cluster mode a role that is not named has one pod.
  EXPECT_THAT(
      SummaryOf("mode: cluster, components: {proxy: {replicas: 0}, dataNode: {replicas: 0}, "
                "queryNode: {replicas: 0}, mixCoord: {replicas: 0}, streamingNode: "
                "{replicas: 0}}",
                "{status: Stopped}"),
      StartsWith("Suspended"));
  EXPECT_THAT(SummaryOf("mode: cluster, components: {proxy: {replicas: 0}}", "{status: Healthy}"),
              StartsWith("Running"));
}

}  // namespace
}  // namespace wmap
