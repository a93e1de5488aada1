#include "inspect/snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "tests/support/seen.h"
#include "yaml/reader.h"

namespace wmap::inspect {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Seen;
using ::testing::SizeIs;

// A JobSet of one leader and two workers, and below it a Job and a pod of each role.
constexpr std::string_view kJobSet = R"(
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: train, namespace: demo, uid: u-js, resourceVersion: "10", creationTimestamp: "2026-11-30T04:00:00Z"}
spec:
  replicatedJobs:
  - {name: leader, replicas: 1, template: {spec: {template: {spec: {containers: [{name: m, resources: {limits: {nvidia.com/gpu: 4}}}]}}}}}
  - {name: workers, replicas: 2, template: {spec: {template: {spec: {containers: [{name: m, resources: {limits: {nvidia.com/gpu: 4}}}]}}}}}
status: {conditions: []}
---
)";
constexpr std::string_view kJob = R"(
apiVersion: batch/v1
kind: Job
metadata: {name: train-leader-0, namespace: demo, uid: u-job, ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: train, uid: u-js, controller: true}]}
spec: {template: {spec: {containers: [{name: m, resources: {limits: {nvidia.com/gpu: 4}}}]}}}
---
)";

// A pod with labels of the JobSet; `metadata` is added to it.
std::string LeaderPod(std::string_view name, std::string_view metadata) {
  return Cat("apiVersion: v1\nkind: Pod\nmetadata: {name: ", name,
             ", namespace: demo, labels: {jobset.sigs.k8s.io/jobset-name: train, "
             "jobset.sigs.k8s.io/jobset-uid: u-js, jobset.sigs.k8s.io/replicatedjob-name: leader, "
             "jobset.sigs.k8s.io/job-index: '0', batch.kubernetes.io/job-name: train-leader-0}",
             metadata,
             "}\nspec: {nodeName: node-1, containers: [{name: m, resources: {limits: "
             "{nvidia.com/gpu: 4}}}]}\nstatus: {phase: Running}\n---\n");
}
constexpr std::string_view kOwnedByJob =
    ", uid: u-pod, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: train-leader-0, "
    "uid: u-job, controller: true}]";

TEST(Snapshot, TheTopmostCoveredOwnerIsTheRowAndHasThePodsOfTheWholeChain) {
  Seen seen(Cat(LeaderPod("train-leader-0-0", kOwnedByJob), kJob, kJobSet));
  EXPECT_EQ(seen.rows(), "JobSet/train");
  EXPECT_EQ(seen.PlaceOf("train-leader-0-0"), "JobSet/train leader");
  EXPECT_EQ(seen.Find("train")->totals.pods.observed, 1);
  EXPECT_THAT(seen.report().unclaimed, IsEmpty());
  EXPECT_THAT(seen.report().uncovered, IsEmpty());
}

TEST(Snapshot, TheOrderOfTheInputsDoesNotMatter) {
  std::string pod = LeaderPod("train-leader-0-0", kOwnedByJob);
  std::string expected =
      json::ToJson(Seen(Cat(pod, kJob, kJobSet)).json().Get("items")[0].Get("roles"));
  EXPECT_EQ(json::ToJson(Seen(Cat(kJobSet, kJob, pod)).json().Get("items")[0].Get("roles")),
            expected);
  EXPECT_EQ(json::ToJson(Seen(Cat(kJob, pod, kJobSet)).json().Get("items")[0].Get("roles")),
            expected);
}

// A kind whose count stands in a ReplicationController below it, owned through a Shift.
constexpr std::string_view kScaledByChild = R"(
apiVersion: run.ai/v1alpha1
kind: Karta
metadata:
  name: dig
  annotations:
    wmap.dev/extensions: >-
      {"components": {"dig": {"childScale": {"kind": "ReplicationController", "replicas": ".spec.replicas"}}}}
spec:
  structureDefinition:
    rootComponent:
      name: dig
      kind: {group: mine.example.org, version: v1, kind: Dig}
      specDefinition: {podSpecPath: .spec.pod}
      scaleDefinition: {replicasPath: .spec.size}
      statusDefinition: {statusMappings: {}}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: dig-early, namespace: demo, uid: u-rc, ownerReferences: [{apiVersion: mine.example.org/v1, kind: Shift, name: early, uid: u-shift, controller: true}]}
spec: {replicas: 5}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: of-an-earlier-life, namespace: demo, uid: u-rc2, ownerReferences: [{apiVersion: mine.example.org/v1, kind: Dig, name: dig, uid: u-gone, controller: true}]}
spec: {replicas: 7}
---
apiVersion: mine.example.org/v1
kind: Shift
metadata: {name: early, namespace: demo, uid: u-shift, ownerReferences: [{apiVersion: mine.example.org/v1, kind: Dig, name: dig, uid: u-dig, controller: true}]}
---
apiVersion: mine.example.org/v1
kind: Dig
metadata: {name: dig, namespace: demo, uid: u-dig}
spec: {size: 2, pod: {containers: [{name: m, resources: {limits: {nvidia.com/gpu: 4}}}]}}
)";

TEST(Snapshot, ACountOnAnObjectBelowTheWorkloadWins) {
  Seen seen(kScaledByChild, Seen::Builtins::kNone);
  EXPECT_EQ(seen.Summary("dig"), "Undefined; dig 5; 20 GPUs");
  EXPECT_EQ(seen.Codes("dig"), "scale-from-child");
}

TEST(Snapshot, AChildWithoutItsOwnerIsARowThatSaysSo) {
  Seen seen(Cat(kJob, LeaderPod("train-leader-0-0", kOwnedByJob)));
  EXPECT_EQ(seen.rows(), "Job/train-leader-0");
  EXPECT_EQ(seen.PlaceOf("train-leader-0-0"), "Job/train-leader-0 worker");
  EXPECT_THAT(seen.Codes("train-leader-0"), HasSubstr("owner-missing"));
}

TEST(Snapshot, APodWhoseDirectOwnerIsMissingGoesByItsLabels) {
  Seen seen(Cat(kJobSet, LeaderPod("train-leader-0-0", kOwnedByJob)));
  EXPECT_EQ(seen.rows(), "JobSet/train");
  EXPECT_EQ(seen.PlaceOf("train-leader-0-0"), "JobSet/train leader");
}

TEST(Snapshot, APodWithoutOwnerGoesByItsLabels) {
  Seen seen(Cat(kJobSet, LeaderPod("orphan", ", uid: u-orphan")));
  EXPECT_EQ(seen.PlaceOf("orphan"), "JobSet/train leader");
}

TEST(Snapshot, LabelsDoNotReachIntoOtherNamespaces) {
  std::string pod = LeaderPod("far", kOwnedByJob);
  pod.replace(pod.find("namespace: demo"), 15, "namespace: else");
  EXPECT_THAT(Seen(Cat(kJobSet, pod)).PlaceOf("far"), HasSubstr("unclaimed: owner gone: Job/"));
}

TEST(Snapshot, APodOfAnEarlierLifeOfItsOwnerIsNotGivenToTheNewOne) {
  // The owner's uid is another one now.
  std::string recreated = LeaderPod(
      "old",
      ", uid: u-old, ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, "
      "name: train, uid: u-js-before, controller: true}]");
  EXPECT_EQ(Seen(Cat(kJobSet, recreated)).PlaceOf("old"),
            "unclaimed: owner gone: JobSet/train (uid u-js-before) is not among the inputs");
  // Neither is what stood between, which the pod's age shows.
  std::string aged =
      LeaderPod("older",
                ", uid: u-older, creationTimestamp: '2026-11-29T00:00:00Z', ownerReferences: "
                "[{apiVersion: batch/v1, kind: Job, name: train-leader-0, uid: u-gone, "
                "controller: true}]");
  EXPECT_THAT(Seen(Cat(kJobSet, aged)).PlaceOf("older"), HasSubstr("unclaimed: owner gone: Job/"));
}

TEST(Snapshot, AGoneOwnerOfAnotherCoveredKindIsNoneOfTheNamesake) {
  // One label scheme, two kinds, one name.
  std::string twin = R"(
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: twin, namespace: lab, uid: u-mpi}
spec: {mpiReplicaSpecs: {Worker: {replicas: 1, template: {spec: {containers: [{name: m}]}}}}}
---
apiVersion: v1
kind: Pod
metadata:
  name: twin-worker-0
  namespace: lab
  labels: {training.kubeflow.org/job-name: twin, training.kubeflow.org/replica-type: worker}
  ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: twin, uid: u-py, controller: true}]
spec: {containers: [{name: m}]}
)";
  EXPECT_THAT(Seen(twin).PlaceOf("twin-worker-0"), HasSubstr("unclaimed: owner gone: PyTorchJob"));
}

TEST(Snapshot, WithoutUidsOwnersAreFoundByName) {
  std::string manifests = R"(
apiVersion: batch/v1
kind: Job
metadata: {name: j, namespace: lab}
spec: {template: {spec: {containers: [{name: m}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: lab, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, controller: true}]}
---
apiVersion: v1
kind: Pod
metadata: {name: q, namespace: other, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, controller: true}]}
)";
  Seen seen(manifests);
  EXPECT_EQ(seen.rows(), "Job/j");
  EXPECT_THAT(seen.PlaceOf("p"), HasSubstr("Job/j"));
  EXPECT_THAT(seen.PlaceOf("q"), HasSubstr("unclaimed: owner gone"));
}

// As Kubernetes has it: an owner is in the namespace of what it owns, or in none.
TEST(Snapshot, AnOwnerInAnotherNamespaceOwnsNothing) {
  std::string pod = LeaderPod("far", kOwnedByJob);
  pod.replace(pod.find("namespace: demo"), 15, "namespace: else");
  Seen seen(Cat(kJobSet, kJob, pod));
  EXPECT_EQ(seen.PlaceOf("far"),
            "unclaimed: its owner Job/train-leader-0 is in namespace demo, and nothing is owned "
            "across namespaces");
  std::string job(kJob);
  job.replace(job.find("namespace: demo"), 15, "namespace: else");
  Seen between(Cat(kJobSet, job));
  EXPECT_EQ(between.rows(), "Job/train-leader-0, JobSet/train");
  EXPECT_THAT(between.Codes("train-leader-0"), HasSubstr("owner-missing"));
  // A pod that owns is no shortcut.
  std::string owner = LeaderPod("lead", kOwnedByJob);
  std::string owned =
      LeaderPod("led", ", ownerReferences: [{apiVersion: v1, kind: Pod, name: lead, uid: u-pod}]");
  EXPECT_EQ(Seen(Cat(kJobSet, kJob, owner, owned)).PlaceOf("led"), "JobSet/train leader");
  owned.replace(owned.find("namespace: demo"), 15, "namespace: else");
  EXPECT_THAT(Seen(Cat(kJobSet, kJob, owner, owned)).PlaceOf("led"),
              HasSubstr("unclaimed: its owner Pod/lead is in namespace demo"));
}

TEST(Snapshot, AnOwnerWithoutNamespaceOwnsInAll) {
  std::string job(kJob);
  job.replace(job.find(", namespace: demo"), 17, "");
  EXPECT_EQ(Seen(Cat(job, LeaderPod("near", kOwnedByJob))).PlaceOf("near"),
            "Job/train-leader-0 worker");
}

TEST(Snapshot, APodBelongsToItsControllerAndWithoutOneToItsFirstOwner) {
  constexpr std::string_view kTwo = R"(
apiVersion: batch/v1
kind: Job
metadata: {name: one, namespace: demo, uid: u-one}
spec: {template: {spec: {containers: [{name: m}]}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: two, namespace: demo, uid: u-two}
spec: {template: {spec: {containers: [{name: m}]}}}
)";
  auto place = [&](std::string_view one, std::string_view two) {
    std::string pod = Cat(R"(
---
apiVersion: v1
kind: Pod
metadata:
  name: p
  namespace: demo
  uid: u-p
  labels: {batch.kubernetes.io/job-name: one}
  ownerReferences:
  - {apiVersion: batch/v1, kind: Job, name: one, uid: u-one)",
                          one, R"(}
  - {apiVersion: batch/v1, kind: Job, name: two, uid: u-two)",
                          two, R"(}
spec: {containers: [{name: m}]}
)");
    return Seen(Cat(kTwo, pod)).PlaceOf("p");
  };
  EXPECT_EQ(place(", controller: true", ""), "Job/one worker");
  EXPECT_EQ(place("", ", controller: true"), "Job/two worker");
  EXPECT_EQ(place(", controller: false", ", controller: true"), "Job/two worker");
  EXPECT_EQ(place("", ""), "Job/one worker");
  EXPECT_EQ(place(", controller: false", ", controller: false"), "Job/one worker");
}

// The reference of the controller counts also when only another owner is at hand.
TEST(Snapshot, AnOwnerBesideAControllerThatIsGoneOwnsNothing) {
  std::string pod = LeaderPod(
      "p",
      ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: train-leader-0, uid: u-job}, "
      "{apiVersion: batch/v1, kind: Job, name: gone, uid: u-gone, controller: true}]");
  EXPECT_THAT(Seen(Cat(kJob, pod)).PlaceOf("p"), HasSubstr("unclaimed: owner gone: Job/gone"));
}

// A definition whose instances go by the owners of pods, and two Jobs below an object of it; one of
// their pods owns another object and so a pod.
constexpr std::string_view kPacks = R"y(
apiVersion: run.ai/v1alpha1
kind: Karta
metadata:
  name: mine-example-org-pack-v1
  annotations:
    wmap.dev/extensions: >-
      {"components": {"part": {"podInstance": ".[\"wmap.dev/owners\"] // [] | map(\"\\(.kind) \\(.name)\") | join(\", \")"}}}
spec:
  structureDefinition:
    rootComponent:
      name: pack
      kind: {group: mine.example.org, version: v1, kind: Pack}
      statusDefinition: {phaseDefinition: {path: .status.phase}, statusMappings: {running: [{byPhase: Up}]}}
    childComponents:
    - name: part
      ownerRef: pack
      instanceIdPath: .spec.parts[]
      specDefinition: {podTemplateSpecPath: ".spec.parts[] | {}"}
      scaleDefinition: {replicasPath: ".spec.parts[] | 1"}
      podSelector:
        componentTypeSelector: {keyPath: '.metadata.labels["mine.example.org/pack"]'}
        componentInstanceSelector: {idPath: .metadata.name}
---
apiVersion: mine.example.org/v1
kind: Pack
metadata: {name: p, namespace: demo, uid: u-p}
spec: {parts: [Job one, "Set s, Pod lead, Job one", Job gone, mine]}
status: {phase: Up}
---
apiVersion: batch/v1
kind: Job
metadata: {name: one, namespace: demo, uid: u-one, ownerReferences: [{apiVersion: mine.example.org/v1, kind: Pack, name: p, uid: u-p, controller: true}]}
spec: {template: {spec: {containers: [{name: m}]}}}
---
apiVersion: mine.example.org/v1
kind: Set
metadata: {name: s, namespace: demo, uid: u-s, ownerReferences: [{apiVersion: v1, kind: Pod, name: lead, uid: u-lead, controller: true}]}
---
)y";

TEST(Snapshot, TellsTheOwnersOfPodsToDefinitionsThatReadThem) {
  auto pod = [](std::string_view name, std::string_view more) {
    return Cat("{apiVersion: v1, kind: Pod, metadata: {name: ", name, ", namespace: demo, uid: u-",
               name, more, "}, spec: {containers: [{name: m}]}}\n---\n");
  };
  auto owned = [](std::string_view api_version, std::string_view kind, std::string_view name) {
    return Cat(", ownerReferences: [{apiVersion: ", api_version, ", kind: ", kind, ", name: ", name,
               ", uid: u-", name, ", controller: true}]");
  };
  Seen seen(Cat(kPacks, pod("lead", owned("batch/v1", "Job", "one")),
                pod("led", owned("mine.example.org/v1", "Set", "s")),
                pod("mine", Cat(", labels: {mine.example.org/pack: p}",
                                owned("mine.example.org/v1", "Pack", "p"))),
                pod("lost",
                    Cat(", labels: {mine.example.org/pack: p}", owned("batch/v1", "Job", "gone")))),
            Seen::Builtins::kNone);
  EXPECT_EQ(seen.PlaceOf("lead"), "Pack/p Job one") << "from the pod to below the workload";
  EXPECT_EQ(seen.PlaceOf("led"), "Pack/p Set s, Pod lead, Job one");
  EXPECT_EQ(seen.PlaceOf("mine"), "Pack/p mine") << "by the other selector: there are no owners";
  EXPECT_EQ(seen.PlaceOf("lost"), "Pack/p Job gone") << "what is not at hand is named all the same";
}

TEST(Snapshot, OwnersThatOwnEachOtherEndTheChain) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    CatTo(text, "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j", i,
          ", namespace: lab, uid: u", i,
          ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j", (i + 1) % 3, ", uid: u",
          (i + 1) % 3, ", controller: true}]}\nspec: {}\n---\n");
  }
  Seen seen(text);
  EXPECT_THAT(seen.report().workloads, SizeIs(1)) << seen.rows();
  ASSERT_THAT(seen.report().diagnostics, SizeIs(1));
  EXPECT_EQ(seen.report().diagnostics[0].code, "owner-loop");
}

TEST(Snapshot, AVeryLongChainIsCutAndNothingIsLost) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    CatTo(text, "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j", i,
          ", namespace: lab, uid: u", i);
    if (i > 0) {
      CatTo(text, ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j", i - 1,
            ", uid: u", i - 1, ", controller: true}]");
    }
    CatTo(text, "}\nspec: {}\n---\n");
  }
  EXPECT_EQ(Seen(text).rows(), "Job/j0") << "read from the top the chain is short at each step";
}

TEST(Snapshot, TheSameObjectTwiceIsTakenOnceWithTheHigherResourceVersion) {
  auto job = [](std::string_view version, int parallelism) {
    return Cat("apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, namespace: lab, uid: u, ",
               "resourceVersion: '", version, "'}\nspec: {parallelism: ", parallelism,
               ", template: {spec: {containers: []}}}\n---\n");
  };
  EXPECT_EQ(Seen(Cat(job("9", 1), job("10", 2))).Summary("j"), "Initializing; worker 2; 0 GPUs");
  EXPECT_EQ(Seen(Cat(job("10", 2), job("9", 1))).Summary("j"), "Initializing; worker 2; 0 GPUs");
  EXPECT_EQ(Seen(Cat(job("10", 2), job("10", 1))).Summary("j"), "Initializing; worker 2; 0 GPUs");
  Seen pods(Cat(kJobSet, kJob, LeaderPod("p", kOwnedByJob), LeaderPod("p", kOwnedByJob)));
  EXPECT_EQ(pods.Find("train")->totals.pods.observed, 1);
}

TEST(Snapshot, SeveralVersionsOfAnObjectAreTold) {
  auto job = [](std::string_view metadata) {
    return Cat("apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, namespace: lab", metadata,
               "}\nspec: {template: {}}\n---\n");
  };
  auto codes = [](const Seen& seen) {
    std::string text;
    for (const workload::Diagnostic& diagnostic : seen.report().diagnostics) {
      CatTo(text, diagnostic.code, ": ", diagnostic.message, '\n');
    }
    return text;
  };
  EXPECT_THAT(codes(Seen(Cat(job(", uid: u, resourceVersion: '1'"),
                             job(", uid: u, resourceVersion: '2'")))),
              HasSubstr("several-versions: Job/j is among the inputs more than once"));
  EXPECT_EQ(codes(Seen(
                Cat(job(", uid: u, resourceVersion: '1'"), job(", uid: u, resourceVersion: '1'")))),
            "");
  EXPECT_EQ(Seen(Cat(job(", uid: u"), job(", uid: v"))).rows(), "Job/j, Job/j") << "two lives";
}

TEST(Snapshot, OfManifestsThatNoClusterHasNumberedTheLastOneCounts) {
  auto job = [](int parallelism) {
    return Cat(
        "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: lab}, spec: "
        "{parallelism: ",
        parallelism, ", template: {spec: {}}}}\n---\n");
  };
  EXPECT_THAT(Seen(Cat(job(1), job(2))).Summary("j"), HasSubstr("worker 2"));
}

TEST(Snapshot, AManifestAndTheObjectMadeOfItAreOne) {
  constexpr std::string_view kManifest =
      "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: lab}, spec: "
      "{parallelism: 1, template: {spec: {}}}}\n---\n";
  constexpr std::string_view kObject =
      "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: lab, uid: u, "
      "resourceVersion: '7'}, spec: {parallelism: 2, template: {spec: {}}}}\n---\n";
  for (const std::string& text : {Cat(kManifest, kObject), Cat(kObject, kManifest)}) {
    Seen seen(text);
    EXPECT_EQ(seen.rows(), "Job/j");
    EXPECT_THAT(seen.Summary("j"), HasSubstr("worker 2"));
  }
}

TEST(Snapshot, TwoObjectsOfOneUidAreBothShown) {
  Seen seen(
      "{apiVersion: batch/v1, kind: Job, metadata: {name: a, uid: u}, spec: {}}\n---\n"
      "{apiVersion: batch/v1, kind: Job, metadata: {name: b, uid: u}, spec: {}}\n");
  EXPECT_EQ(seen.rows(), "Job/a, Job/b");
  ASSERT_THAT(seen.report().diagnostics, SizeIs(1));
  EXPECT_EQ(seen.report().diagnostics[0].code, "uid-twice");
}

TEST(Snapshot, ANameThatIsNoTextIsTold) {
  Seen seen("{apiVersion: batch/v1, kind: Job, metadata: {name: 5, namespace: n}, spec: {}}\n");
  ASSERT_THAT(seen.report().diagnostics, SizeIs(2));
  EXPECT_EQ(seen.report().diagnostics[0].message,
            "metadata.name is a number and taken as absent; as a text it stands in quotes");
}

TEST(Snapshot, APodThatOwnsItselfIsToldAsThat) {
  Seen seen(
      "{apiVersion: v1, kind: Pod, metadata: {name: p, uid: u, ownerReferences: [{apiVersion: v1, "
      "kind: Pod, name: p, uid: u, controller: true}]}, spec: {}}\n");
  EXPECT_EQ(seen.PlaceOf("p"),
            "unclaimed: its owner Pod/p is a pod that no object of the inputs owns");
}

constexpr std::string_view kDriver = R"(
apiVersion: v1
kind: Pod
metadata: {name: driver, namespace: demo, uid: u-driver}
spec: {nodeName: node-1, containers: [{name: m}]}
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: exec-1, namespace: demo, uid: u-exec, labels: {role: executor}, ownerReferences: [{apiVersion: v1, kind: Pod, name: driver, uid: u-driver, controller: true}]}
spec: {nodeName: node-1, containers: [{name: m, resources: {limits: {nvidia.com/gpu: 2}}}]}
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: helper, namespace: demo, uid: u-helper, ownerReferences: [{apiVersion: v1, kind: Pod, name: exec-1, uid: u-exec, controller: true}]}
spec: {containers: [{name: m}]}
---
)";

TEST(Snapshot, PodsThatABarePodHasStartedAreOfItsRow) {
  Seen seen(kDriver);
  EXPECT_EQ(seen.rows(), "Pod/driver");
  EXPECT_EQ(seen.PlaceOf("driver"), "Pod/driver pod");
  EXPECT_EQ(seen.PlaceOf("exec-1"), "Pod/driver spawned");
  EXPECT_EQ(seen.PlaceOf("helper"), "Pod/driver spawned");
  EXPECT_EQ(seen.Summary("driver"), "Initializing; pod 1, spawned 2; 2 GPUs");
  EXPECT_EQ(seen.Codes("driver"), "");
}

TEST(Snapshot, PodsThatAPodOfAWorkloadHasStartedAreOfThatWorkload) {
  std::string driver(kDriver);
  driver.insert(driver.find(", uid: u-driver}"),
                ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: train-leader-0, "
                "uid: u-job, controller: true}]");
  Seen seen(Cat(kJob, driver));
  EXPECT_EQ(seen.rows(), "Job/train-leader-0");
  EXPECT_EQ(seen.PlaceOf("exec-1"), "Job/train-leader-0 spawned");
  EXPECT_EQ(seen.PlaceOf("helper"), "Job/train-leader-0 spawned");
}

TEST(Snapshot, PodsOfAPodThatIsNobodysAreNobodysToo) {
  std::string driver(kDriver);
  driver.insert(driver.find(", uid: u-driver}"),
                ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: gone, uid: u-gone}]");
  Seen seen(driver);
  EXPECT_EQ(seen.rows(), "");
  EXPECT_THAT(seen.PlaceOf("driver"), HasSubstr("unclaimed: owner gone: Job/gone"));
  EXPECT_EQ(seen.PlaceOf("helper"),
            "unclaimed: its owner Pod/exec-1 is a pod that no object of the inputs owns");
}

TEST(Snapshot, AJobWhosePodsNoSelectorMeansIsOnlyStarted) {
  std::string_view flow = R"(
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: flow, namespace: demo, uid: u-flow}
spec: {entrypoint: main, templates: [{name: main, resource: {action: create, setOwnerReference: true}}]}
---
apiVersion: batch/v1
kind: Job
metadata: {name: step, namespace: demo, uid: u-step, ownerReferences: [{apiVersion: argoproj.io/v1alpha1, kind: Workflow, name: flow, uid: u-flow, controller: true}]}
spec: {template: {metadata: {labels: {app: x}}, spec: {containers: [{name: m}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: step-a, namespace: demo, uid: u-step-a, labels: {job-name: step}, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: step, uid: u-step, controller: true}]}
spec: {containers: [{name: m}]}
---
)";
  Seen seen(flow);
  EXPECT_EQ(seen.rows(), "Job/step, Workflow/flow");
  EXPECT_EQ(seen.PlaceOf("step-a"), "Job/step worker");
  std::string meant(flow);
  meant.replace(meant.find("app: x"), 6, "workflows.argoproj.io/workflow: flow");
  EXPECT_EQ(Seen(meant).rows(), "Workflow/flow");
}

TEST(Snapshot, OfOneNameInTwoNamespacesAreTwoObjects) {
  Seen seen(
      "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: a}, spec: {}}\n---\n"
      "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: b}, spec: {}}\n");
  EXPECT_EQ(seen.rows(), "Job/j, Job/j");
  EXPECT_EQ(seen.report().workloads[0].name_space, "a");
}

TEST(Snapshot, GeneratedNamesAreObjectsOfTheirOwn) {
  Seen seen(
      "{apiVersion: batch/v1, kind: Job, metadata: {generateName: j-}, spec: {}}\n---\n"
      "{apiVersion: batch/v1, kind: Job, metadata: {generateName: j-}, spec: {}}\n");
  EXPECT_EQ(seen.rows(), "Job/j-*, Job/j-*");
  json::Value first = seen.json().Get("items")[0];
  EXPECT_EQ(first.Get("name").as_string(), "");
  EXPECT_EQ(first.Get("generateName").as_string(), "j-");
}

TEST(BarePods, AreRowsOfTheirOwnUnlessALabelOfACoveredKindSaysOtherwise) {
  Seen seen(R"(
apiVersion: v1
kind: Pod
metadata: {name: alone, namespace: lab, labels: {app: x}}
spec: {nodeName: n1, containers: [{name: m, resources: {limits: {nvidia.com/gpu: 2}}}]}
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: lost, namespace: lab, labels: {ray.io/node-type: worker}}
spec: {containers: [{name: m, resources: {limits: {nvidia.com/gpu: 8}}}]}
)");
  EXPECT_EQ(seen.rows(), "Pod/alone");
  EXPECT_EQ(seen.Summary("alone"), "Running; pod 1; 2 GPUs");
  EXPECT_EQ(seen.Find("alone")->totals.gpus.running, 2);
  EXPECT_THAT(seen.PlaceOf("lost"), HasSubstr("unclaimed: no owner, but labels of a Ray"));
  EXPECT_EQ(seen.json().Get("unclaimedPods")[0].Get("gpus").as_int(), 8);
}

TEST(BarePods, TheKindIsNamedWhereItsLabelsDecideIt) {
  auto place = [](std::string_view labels) {
    return Seen(Cat("{apiVersion: v1, kind: Pod, metadata: {name: lost, labels: {", labels, "}}}"))
        .PlaceOf("lost");
  };
  constexpr std::string_view kShared =
      "training.kubeflow.org/replica-type: worker, "
      "training.kubeflow.org/job-role: worker";
  EXPECT_EQ(place(kShared), "unclaimed: no owner, but labels of a Kubeflow training job");
  for (auto [name, kind] :
       {std::pair("pytorchjob-controller", "PyTorchJob"), std::pair("tfjob-controller", "TFJob"),
        std::pair("jaxjob-controller", "JAXJob"), std::pair("mpijob-controller", "MPIJob"),
        std::pair("mpi-operator", "MPIJob")}) {
    EXPECT_EQ(place(Cat(kShared, ", training.kubeflow.org/operator-name: ", name)),
              Cat("unclaimed: no owner, but labels of a ", kind));
  }
  EXPECT_EQ(place(Cat(kShared, ", training.kubeflow.org/operator-name: other")),
            "unclaimed: no owner, but labels of a Kubeflow training job");
  EXPECT_EQ(place("jobset.sigs.k8s.io/replicatedjob-name: w"),
            "unclaimed: no owner, but labels of a JobSet or TrainJob");
  EXPECT_EQ(place("ray.io/node-type: worker"),
            "unclaimed: no owner, but labels of a RayCluster, RayJob or RayService");
}

TEST(BarePods, OneWhoseLabelNamesARowInTheDomainOfItsGroupIsReportedAndNoRow) {
  Seen seen(Cat(kJobSet,
                "{apiVersion: v1, kind: Pod, metadata: {name: stray, namespace: demo, "
                "labels: {jobset.x-k8s.io/name: train}}}\n"));
  EXPECT_EQ(seen.rows(), "JobSet/train");
  EXPECT_EQ(seen.PlaceOf("stray"),
            "unclaimed: no owner; label jobset.x-k8s.io/name names JobSet/train, whose definition "
            "does not claim it");
}

TEST(Uncovered, KindsAreListedWithWhatTheirPodsHold) {
  Seen seen(R"(
apiVersion: example.com/v1
kind: Trainer
metadata: {name: t, namespace: lab, uid: u-t}
---
apiVersion: example.com/v1
kind: Trainer
metadata: {name: t2, namespace: lab, uid: u-t2}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: lab, ownerReferences: [{apiVersion: example.com/v1, kind: Trainer, name: t, uid: u-t, controller: true}]}
spec: {containers: [{name: m, resources: {limits: {nvidia.com/gpu: 8}}}]}
)");
  EXPECT_EQ(seen.rows(), "");
  EXPECT_EQ(json::ToJson(seen.json().Get("uncovered")),
            R"([{"apiVersion":"example.com/v1","gpus":8,"kind":"Trainer","objects":2,"pods":1}])");
  EXPECT_EQ(seen.PlaceOf("p"), "unclaimed: no definition covers its owner Trainer/t");
}

TEST(Uncovered, AnOwnerThatIsNotCoveredDoesNotHideACoveredOneBelow) {
  Seen seen(R"(
apiVersion: example.com/v1
kind: Trainer
metadata: {name: t, namespace: lab, uid: u-t}
---
apiVersion: batch/v1
kind: Job
metadata: {name: j, namespace: lab, uid: u-j, ownerReferences: [{apiVersion: example.com/v1, kind: Trainer, name: t, uid: u-t, controller: true}]}
spec: {template: {spec: {}}}
)");
  EXPECT_EQ(seen.rows(), "Job/j");
  EXPECT_EQ(seen.Codes("j"), "") << "its owner is among the inputs";
}

TEST(Snapshot, AWorkloadThatAnotherOneOnlyStartsIsARowOfItsOwn) {
  constexpr std::string_view kFlow = R"(
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: flow, namespace: demo, uid: u-flow}
spec: {entrypoint: main, templates: [{name: main, resource: {action: create}}]}
---
)";
  std::string jobset(kJobSet);
  std::string place = "uid: u-js";
  jobset.replace(jobset.find(place), place.size(),
                 "uid: u-js, ownerReferences: [{apiVersion: argoproj.io/v1alpha1, kind: Workflow, "
                 "name: flow, uid: u-flow}]");
  Seen seen(Cat(kFlow, LeaderPod("train-leader-0-0", kOwnedByJob), kJob, jobset));
  EXPECT_EQ(seen.rows(), "JobSet/train, Workflow/flow");
  EXPECT_EQ(seen.PlaceOf("train-leader-0-0"), "JobSet/train leader");
}

TEST(Snapshot, APodOfAFileOnItsNodeStandsAlone) {
  Seen seen(R"(
apiVersion: v1
kind: Pod
metadata: {name: etcd-n1, namespace: kube-system, uid: u-etcd, ownerReferences: [{apiVersion: v1, kind: Node, name: n1, uid: u-n1, controller: true}]}
spec: {nodeName: n1, containers: [{name: etcd}]}
status: {phase: Running}
)");
  EXPECT_EQ(seen.rows(), "Pod/etcd-n1");
  EXPECT_THAT(seen.report().unclaimed, IsEmpty());
}

TEST(Definitions, AmongTheInputsAreInForceForAllObjectsWhereverTheyStand) {
  constexpr std::string_view kFarm = R"(
apiVersion: lab.example/v1
kind: Farm
metadata: {name: f, namespace: lab, uid: u-f}
spec: {n: 2, replicas: 3, template: {spec: {containers: [{name: m, resources: {limits: {nvidia.com/gpu: 2}}}]}}}
status: {phase: Up}
---
apiVersion: v1
kind: Pod
metadata: {name: f-0, namespace: lab, ownerReferences: [{apiVersion: lab.example/v1, kind: Farm, name: f, uid: u-f, controller: true}]}
status: {phase: Running}
---
)";
  constexpr std::string_view kKarta = R"(
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: lab-farm-v1}
spec:
  structureDefinition:
    rootComponent:
      name: farm
      kind: {group: lab.example, version: v1, kind: Farm}
      specDefinition: {podTemplateSpecPath: .spec.template}
      scaleDefinition: {replicasPath: .spec.replicas}
      statusDefinition:
        phaseDefinition: {path: .status.phase}
        statusMappings: {running: [{byPhase: Up}]}
---
)";
  for (const std::string& text : {Cat(kKarta, kFarm), Cat(kFarm, kKarta)}) {
    Seen seen(text);
    EXPECT_EQ(seen.rows(), "Farm/f");
    EXPECT_EQ(seen.Summary("f"), "Initializing; farm 3; 6 GPUs");
    EXPECT_EQ(seen.PlaceOf("f-0"), "Farm/f farm");
  }
  EXPECT_EQ(Seen(kFarm).rows(), "");
}

TEST(Definitions, OneForAnotherVersionOfTheKindIsUsedAndSaysSo) {
  Seen seen("{apiVersion: jobset.x-k8s.io/v1beta7, kind: JobSet, metadata: {name: x}, spec: {}}\n");
  EXPECT_EQ(seen.rows(), "JobSet/x");
  EXPECT_THAT(seen.Codes("x"), HasSubstr("other-version"));
}

TEST(Events, OfTheWorkloadAndAllBelowItAreListedOldestFirstAndOnce) {
  auto event = [](std::string_view name, std::string_view about, std::string_view time,
                  std::string_view more = "") {
    return Cat("{apiVersion: v1, kind: Event, metadata: {name: ", name,
               ", namespace: demo}, type: Warning, reason: ", name,
               ", message: m, involvedObject: ", about, ", lastTimestamp: '", time, "'", more,
               "}\n---\n");
  };
  constexpr std::string_view kPod = "{kind: Pod, name: p, uid: u-pod}";
  std::string text =
      Cat(event("third", kPod, "2026-11-30T04:00:03Z", ", count: 7"),
          event("first", "{kind: JobSet, name: train, uid: u-js}", "2026-11-30T04:00:01Z"),
          event("second", "{kind: Job, name: train-leader-0, uid: u-job}", "2026-11-30T04:00:02Z"),
          event("third", kPod, "2026-11-30T04:00:03Z", ", count: 7"),
          event("else", "{kind: Pod, name: q, uid: u-else}", "2026-11-30T04:00:04Z"),
          "{apiVersion: events.k8s.io/v1, kind: Event, metadata: {name: new, namespace: demo}, "
          "type: Normal, reason: new, note: hm, regarding: {kind: Pod, name: p, uid: u-pod}, "
          "eventTime: '2026-11-30T04:00:00.000001Z', series: {count: 3, lastObservedTime: "
          "'2026-11-30T04:00:05.000000Z'}}\n---\n",
          kJobSet, kJob, LeaderPod("p", kOwnedByJob));
  Seen seen(text);
  const auto& events = seen.Find("train")->events;
  ASSERT_THAT(events, SizeIs(4));
  EXPECT_EQ(events[0].reason, "first");
  EXPECT_EQ(events[1].reason, "second");
  EXPECT_EQ(events[2].reason, "third");
  EXPECT_EQ(events[2].count, 7);
  EXPECT_EQ(events[2].object, "Pod/p");
  EXPECT_EQ(events[3].reason, "new");
  EXPECT_EQ(events[3].message, "hm");
  EXPECT_EQ(events[3].count, 3);
}

TEST(Events, WithoutUidAreFoundByName) {
  Seen seen(
      "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: lab, uid: u}, spec: {}}\n"
      "---\n{apiVersion: v1, kind: Event, metadata: {name: e, namespace: lab}, reason: Why, "
      "involvedObject: {apiVersion: batch/v1, kind: Job, name: j, namespace: lab}}\n");
  ASSERT_THAT(seen.Find("j")->events, SizeIs(1));
  EXPECT_EQ(seen.Find("j")->events[0].reason, "Why");
}

TEST(Events, OfABarePodAreItsOwn) {
  Seen seen(
      "{apiVersion: v1, kind: Pod, metadata: {name: p, uid: u-p}}\n---\n"
      "{apiVersion: v1, kind: Event, metadata: {name: e}, reason: Why, involvedObject: {kind: Pod, "
      "name: p, uid: u-p}}\n");
  ASSERT_EQ(seen.rows(), "Pod/p");
  EXPECT_THAT(seen.Find("p")->events, SizeIs(1));
}

// Two roles whose pods share a claim, and hold claims of their own.
constexpr std::string_view kClaimants = R"(
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: pool, namespace: lab, uid: u-c}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu.example.com, count: 2}}]}}
status: {allocation: {devices: {results: [{request: r, device: a}, {request: r, device: b}]}}}
---
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: js, namespace: lab, uid: u-js}
spec:
  replicatedJobs:
  - {name: a, replicas: 2, template: {spec: {template: {spec: {resourceClaims: [{name: g, resourceClaimName: pool}]}}}}}
  - {name: b, replicas: 1, template: {spec: {template: {spec: {resourceClaims: [{name: g, resourceClaimName: pool}]}}}}}
---
)";
std::string Claimant(std::string_view role, std::string_view claims) {
  return Cat("{apiVersion: v1, kind: Pod, metadata: {name: ", role,
             "-0, namespace: lab, labels: {jobset.sigs.k8s.io/replicatedjob-name: ", role,
             ", jobset.sigs.k8s.io/job-index: '0'}, ownerReferences: [{apiVersion: "
             "jobset.x-k8s.io/v1alpha2, kind: JobSet, name: js, uid: u-js, controller: true}]}, "
             "spec: {nodeName: node-1, resourceClaims: [",
             claims, "]}, status: {phase: Running}}\n---\n");
}

TEST(Claims, ThatRolesShareCountOnceInTheTotals) {
  constexpr std::string_view kPool = "{name: g, resourceClaimName: pool}";
  Seen seen(Cat(kClaimants, Claimant("a", kPool), Claimant("b", kPool)));
  const workload::Workload& workload = *seen.Find("js");
  ASSERT_THAT(workload.totals.accelerators, SizeIs(1));
  EXPECT_EQ(workload.totals.accelerators[0].desired, workload::Count::Exactly(2));
  EXPECT_EQ(workload.totals.accelerators[0].allocated, 2);
  for (const workload::Role& role : workload.roles) {
    EXPECT_EQ(role.tally.accelerators.at(0).desired, workload::Count::Exactly(2)) << role.role;
    EXPECT_EQ(role.tally.accelerators.at(0).allocated, 2) << role.role;
  }
  EXPECT_EQ(workload.components.at(0).instances.at(0).tally.accelerators.at(0).desired,
            workload::Count::Exactly(2));
  EXPECT_THAT(seen.report().uncovered, IsEmpty()) << "a claim is no workload";
}

TEST(Claims, ThatAPodHoldsAndNobodyCanReadLeaveTheAllocationOpen) {
  Seen seen(Cat(kClaimants, Claimant("a", "{name: g, resourceClaimTemplateName: gone}")));
  EXPECT_EQ(seen.Find("js")->totals.accelerators.at(0).allocated, std::nullopt);
}

TEST(Claims, OfPodsTellWhatATemplateThatIsNotThereAskedFor) {
  constexpr std::string_view kMade =
      "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: a-0-g-x, namespace: "
      "lab}, spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, count: 4}}]}}, "
      "status: {allocation: {devices: {results: [{request: r, device: a}, {request: r, device: b}, "
      "{request: r, device: c}, {request: r, device: d}]}}}}\n---\n";
  Seen seen(Cat(R"(
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: js, namespace: lab, uid: u-js}
spec:
  replicatedJobs:
  - {name: a, replicas: 2, template: {spec: {template: {spec: {resourceClaims: [{name: g, resourceClaimTemplateName: hidden}]}}}}}
---
)",
                kMade, R"(
apiVersion: v1
kind: Pod
metadata:
  name: a-0
  namespace: lab
  labels: {jobset.sigs.k8s.io/replicatedjob-name: a, jobset.sigs.k8s.io/job-index: '0'}
  ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: js, uid: u-js, controller: true}]
spec: {nodeName: node-1, resourceClaims: [{name: g, resourceClaimTemplateName: hidden}]}
status: {phase: Running, resourceClaimStatuses: [{name: g, resourceClaimName: a-0-g-x}]}
)"));
  const workload::Workload& workload = *seen.Find("js");
  ASSERT_THAT(workload.totals.accelerators, SizeIs(1));
  EXPECT_EQ(workload.totals.accelerators[0].resource, "gpu");
  EXPECT_EQ(workload.totals.accelerators[0].desired, workload::Count::Exactly(8));
  EXPECT_EQ(workload.totals.accelerators[0].allocated, 4);
}

// A pod that asks for devices of a class by the name of a resource, with the claim that the
// scheduler made of that.
std::string AskingByResource(std::string_view resource) {
  return Cat(R"(
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: lab, uid: u-p}
spec: {nodeName: node-1, containers: [{name: m, resources: {limits: {)",
             resource, R"(: 2}}}]}
status:
  phase: Running
  extendedResourceClaimStatus: {resourceClaimName: p-extended-resources-x, requestMappings: [{containerName: m, resourceName: )",
             resource, R"(, requestName: container-0-request-0}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: p-extended-resources-x, namespace: lab, annotations: {resource.kubernetes.io/extended-resource-claim: "true"}}
spec: {devices: {requests: [{name: container-0-request-0, exactly: {deviceClassName: gpu.example.com, allocationMode: ExactCount, count: 2}}]}}
status: {allocation: {devices: {results: [{request: container-0-request-0, device: a}, {request: container-0-request-0, device: b}]}}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.example.com}
spec: {extendedResourceName: example.com/gpu}
)");
}

TEST(Claims, ThatTheSchedulerMakesOfExtendedResourcesDoNotCountTwice) {
  for (std::string_view resource :
       {"example.com/gpu", "deviceclass.resource.kubernetes.io/gpu.example.com"}) {
    Seen seen(AskingByResource(resource));
    const workload::Tally& totals = seen.Find("p")->totals;
    ASSERT_THAT(totals.accelerators, SizeIs(1)) << resource;
    EXPECT_EQ(totals.accelerators[0].resource, "gpu.example.com");
    EXPECT_EQ(totals.accelerators[0].type, "claim");
    EXPECT_EQ(totals.accelerators[0].desired, workload::Count::Exactly(2));
    EXPECT_EQ(totals.accelerators[0].allocated, 2);
    EXPECT_EQ(totals.gpus.desired, workload::Count());
    EXPECT_NE(totals.pod_resources.find(resource), totals.pod_resources.end());
    EXPECT_THAT(seen.report().uncovered, IsEmpty());
  }
  Seen plain(AskingByResource("nvidia.com/gpu"));
  EXPECT_EQ(plain.Find("p")->totals.gpus.desired, workload::Count::Exactly(2))
      << "whole GPUs are what their name says, whoever hands them out";
  Seen other(AskingByResource("example.com/other"));
  EXPECT_THAT(other.Find("p")->totals.accelerators, IsEmpty());
}

TEST(Devices, ThatPodsOfAFailedWorkloadHoldAreToldWhateverTheirType) {
  Seen seen(R"(
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: js, namespace: lab, uid: u-js}
spec:
  replicatedJobs:
  - {name: a, replicas: 1, template: {spec: {template: {metadata: {annotations: {gpu-fraction: "0.5"}}, spec: {containers: [{name: m, resources: {limits: {google.com/tpu: 4}}}]}}}}}
status: {conditions: [{type: Failed, status: "True"}], terminalState: Failed}
---
apiVersion: v1
kind: Pod
metadata:
  name: a-0
  namespace: lab
  annotations: {gpu-fraction: "0.5"}
  labels: {jobset.sigs.k8s.io/replicatedjob-name: a, jobset.sigs.k8s.io/job-index: '0'}
  ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: js, uid: u-js, controller: true}]
spec: {nodeName: node-1, containers: [{name: m, resources: {limits: {google.com/tpu: 4}}}]}
status: {phase: Running}
)");
  EXPECT_EQ(seen.Codes("js"), "devices-held");
  EXPECT_EQ(seen.Find("js")->diagnostics.at(0).message,
            "it is Failed, and its pods still hold 4 google.com/tpu, 0.5 gpu-fraction");
}

TEST(Snapshot, RowsOfSeveralReportsJoinInTheOrderOfOne) {
  auto job = [](std::string_view name_space, std::string_view name) {
    return Cat("apiVersion: batch/v1\nkind: Job\nmetadata: {name: ", name,
               ", namespace: ", name_space, ", uid: ", name_space, '-', name,
               "}\nspec: {template: {spec: {containers: [{name: m}]}}}\n---\n");
  };
  auto pod = [](std::string_view name_space, std::string_view name) {
    return Cat("apiVersion: v1\nkind: Pod\nmetadata: {name: ", name, ", namespace: ", name_space,
               ", uid: p-", name,
               ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: gone, ",
               "uid: gone, controller: true}]}\n---\n");
  };
  std::string of_a = Cat(job("a", "web"), job("a", "batch"), pod("a", "lost-2"));
  std::string of_b = Cat(pod("b", "lost-1"), kJobSet, job("b", "x"));
  Seen a(of_a);
  Seen b(of_b);
  Seen all(Cat(of_b, of_a));
  std::vector<const Report*> parts = {&b.report(), &a.report()};
  Report joined = JoinRows(parts);
  auto names = [](const Report& report) {
    std::vector<std::string> found;
    for (const auto& workload : report.workloads) {
      found.push_back(Cat(workload.name_space, '/', workload.kind, '/', workload.name));
    }
    for (const UnclaimedPod& unclaimed : report.unclaimed) {
      found.emplace_back(unclaimed.pod->name);
    }
    return found;
  };
  EXPECT_THAT(names(joined), ElementsAre("a/Job/batch", "a/Job/web", "b/Job/x", "demo/JobSet/train",
                                         "lost-2", "lost-1"));
  EXPECT_EQ(names(joined), names(all.report()));
}

TEST(Snapshot, WherePodsWereAskedForNoPodIsAnAnswer) {
  constexpr std::string_view kDeployment = R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: demo, uid: u-d, generation: 1}
spec: {replicas: 2, selector: {matchLabels: {a: b}}, template: {spec: {containers: [{name: m}]}}}
status:
  observedGeneration: 1
  replicas: 2
  readyReplicas: 2
  availableReplicas: 2
  updatedReplicas: 2
  conditions: [{type: Available, status: "True"}])";
  definition::Registry registry(definition::Registry::Builtins::kCatalog);
  workload::AcceleratorTable accelerators;
  for (bool knows : {false, true}) {
    Snapshot snapshot(registry, accelerators);
    if (knows) snapshot.KnowPods();
    Arena arena;
    snapshot.Add(*yaml::Read(kDeployment, arena), {});
    Report report = snapshot.Build();
    ASSERT_THAT(report.workloads, SizeIs(1));
    const workload::Workload& web = report.workloads[0];
    EXPECT_EQ(web.status.phase == workload::Phase::kRunning, !knows);
    EXPECT_EQ(web.totals.pods.observed, knows ? std::optional<std::int64_t>(0) : std::nullopt);
    EXPECT_EQ(web.totals.gpus.allocated, knows ? std::optional<std::int64_t>(0) : std::nullopt);
  }
}

TEST(Snapshot, DocumentsThatAreNoObjectsAreReportedAndTheRestIsShown) {
  definition::Registry registry;
  workload::AcceleratorTable accelerators;
  Snapshot snapshot(registry, accelerators);
  Arena arena;
  json::ObjectBuilder builder;
  builder.Add("kind", json::Value::String("Job"));
  snapshot.Add(builder.Finish(arena), {.file = "a.yaml:1:1"});
  snapshot.Add(json::Value::Int(7), {.file = "a.yaml:9:1"});
  EXPECT_EQ(snapshot.size(), 0u);
  Report report = snapshot.Build();
  ASSERT_THAT(report.diagnostics, SizeIs(2));
  EXPECT_EQ(report.diagnostics[0].code, "not-an-object");
  EXPECT_EQ(report.diagnostics[0].source, "a.yaml:1:1");
  EXPECT_TRUE(report.complete);
}

TEST(Snapshot, AnInputThatWasLostMakesTheReportIncomplete) {
  Seen seen("{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {}}\n---\n{a: [\n");
  EXPECT_EQ(seen.rows(), "Job/j");
  EXPECT_FALSE(seen.report().complete);
  EXPECT_TRUE(seen.json().Get("complete").is_bool());
  EXPECT_FALSE(seen.json().Get("complete").is_true());
}

TEST(Snapshot, NothingIsAnEmptyReport) {
  Seen seen("");
  EXPECT_EQ(json::ToJson(seen.json()),
            R"({"apiVersion":"wmap/v1","complete":true,"diagnostics":[],"items":[],)"
            R"("kind":"WorkloadList","unclaimedPods":[],"uncovered":[]})");
}

// A definition whose counts stand in objects that the workload owns or names.
constexpr std::string_view kDig = R"karta(
apiVersion: run.ai/v1alpha1
kind: Karta
metadata:
  name: dig
  annotations:
    wmap.dev/extensions: >-
      {"objects": [{"group": "x.io", "kind": "Part"}, {"group": "x.io", "kind": "Plan", "name": ".spec.plan, .spec.plans[]?"}]}
spec:
  structureDefinition:
    rootComponent:
      name: dig
      kind: {group: x.io, version: v1, kind: Dig}
      statusDefinition: {statusMappings: {}}
    childComponents:
    - name: crew
      ownerRef: dig
      instanceIdPath: '.["wmap.dev/objects"][]? | "\(.kind)-\(.metadata.name)"'
      specDefinition: {podTemplateSpecPath: '.["wmap.dev/objects"][]? | {spec: {containers: [{name: "a"}]}}'}
      scaleDefinition: {replicasPath: '.["wmap.dev/objects"][]? | .spec.size'}
      podSelector: {componentInstanceSelector: {idPath: .metadata.labels.crew}}
---
)karta";
std::string DigPart(std::string_view kind, std::string_view name, int size,
                    std::string_view metadata = "") {
  return Cat("apiVersion: x.io/v1\nkind: ", kind, "\nmetadata: {name: ", name, metadata,
             "}\nspec: {size: ", size, "}\n---\n");
}

TEST(Snapshot, DefinitionsReadTheObjectsThatTheyAskFor) {
  constexpr std::string_view kOwned =
      ", namespace: demo, ownerReferences: [{apiVersion: x.io/v1, kind: Dig, name: d, uid: u-d, "
      "controller: true}]";
  std::string dig =
      "apiVersion: x.io/v1\nkind: Dig\nmetadata: {name: d, namespace: demo, uid: u-d}\nspec: "
      "{plan: "
      "east}\n---\n";
  Seen alone(Cat(kDig, dig));
  EXPECT_EQ(alone.Summary("d"), "Undefined; ; 0 GPUs");
  EXPECT_EQ(alone.Codes("d"), "");
  Seen seen(Cat(kDig, dig, DigPart("Part", "b", 2, kOwned), DigPart("Part", "a", 1, kOwned),
                DigPart("Other", "c", 9, kOwned),                // not asked for
                DigPart("Part", "z", 9, ", namespace: demo"),    // not owned
                DigPart("Plan", "west", 9),                      // not named
                DigPart("Plan", "east", 9, ", namespace: far"),  // in another namespace
                DigPart("Plan", "east", 3)));                    // in none
  EXPECT_EQ(seen.Summary("d"), "Undefined; Part-a 1, Part-b 2, Plan-east 3; 0 GPUs");
  Seen nearer(
      Cat(kDig, dig, DigPart("Plan", "east", 3), DigPart("Plan", "east", 4, ", namespace: demo")));
  EXPECT_EQ(nearer.Summary("d"), "Undefined; Plan-east 4; 0 GPUs");
}

TEST(Snapshot, DefinitionsReadEachObjectThatTheyNameOnce) {
  Seen seen(Cat(kDig,
                "apiVersion: x.io/v1\nkind: Dig\nmetadata: {name: d, namespace: demo}\n"
                "spec: {plan: east, plans: [west, gone, 7, east, west]}\n---\n",
                DigPart("Plan", "west", 2, ", namespace: demo"), DigPart("Plan", "east", 3),
                DigPart("Plan", "north", 9)));
  EXPECT_EQ(seen.Summary("d"), "Undefined; Plan-east 3, Plan-west 2; 0 GPUs");
}

}  // namespace
}  // namespace wmap::inspect
