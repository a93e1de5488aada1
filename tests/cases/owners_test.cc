// Whose a pod is, and which role it has: names that are cut, labels that changed, owners that are
// not at hand. What products of this kind are known to get wrong, on the smallest objects.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "base/text.h"
#include "tests/support/seen.h"
#include "tests/support/shared_data.h"

namespace wmap {
namespace {

using testing::Seen;
using ::testing::StartsWith;

constexpr std::string_view kTemplate = "template: {spec: {containers: [{name: m}]}}";
constexpr std::string_view kRay =
    "{headGroupSpec: {template: {spec: {containers: [{name: h}]}}}, workerGroupSpecs: [{groupName: "
    "g, replicas: 1, template: {spec: {containers: [{name: w}]}}}]}";

std::string Object(std::string_view api_version, std::string_view kind, std::string_view name,
                   std::string_view uid, std::string_view spec, std::string_view metadata = "") {
  return Cat("---\n{apiVersion: ", api_version, ", kind: ", kind, ", metadata: {name: ", name,
             ", namespace: lab, uid: ", uid, metadata, "}, spec: ", spec, "}\n");
}

std::string OwnedBy(std::string_view kind, std::string_view name, std::string_view uid) {
  return Cat(", ownerReferences: [{apiVersion: any/v1, kind: ", kind, ", name: ", name,
             ", uid: ", uid, ", controller: true}]");
}

std::string Pod(std::string_view name, std::string_view labels, std::string_view owner = "") {
  return Cat("---\n{apiVersion: v1, kind: Pod, metadata: {name: ", name,
             ", namespace: lab, labels: {", labels, "}", owner,
             "}, spec: {containers: [{name: m}]}}\n");
}

TEST(Owners, NamesOfPodsThatAreCutInFrontOrBehindDecideNothing) {
  std::string name(60, 'x');
  std::string cluster = Object("ray.io/v1", "RayCluster", name, "u", kRay);
  std::string owner = OwnedBy("RayCluster", name, "u");
  Seen seen(
      Cat(cluster,
          Pod(name.substr(20) + "-worker-g-abcde",
              Cat("ray.io/cluster: ", name, ", ray.io/node-type: worker, ray.io/group: g"), owner),
          Pod(name.substr(0, 40) + "-head-abcde",
              Cat("ray.io/cluster: ", name, ", ray.io/node-type: head"), owner),
          // The name of another object begins as this pod's name does.
          Object("ray.io/v1", "RayCluster", name.substr(0, 40), "u2", kRay)));
  EXPECT_EQ(seen.PlaceOf(name.substr(20) + "-worker-g-abcde"), Cat("RayCluster/", name, " g"));
  EXPECT_EQ(seen.PlaceOf(name.substr(0, 40) + "-head-abcde"), Cat("RayCluster/", name, " head"));
}

TEST(Owners, ALabelThatIsCutIsNotComparedWithTheFullName) {
  std::string name(65, 'y');
  std::string cut = name.substr(0, 63);
  struct Kind {
    std::string_view api_version, kind, spec, name_label, role_labels, role;
  };
  for (const Kind& kind : {
           Kind{"ray.io/v1", "RayCluster", kRay, "ray.io/cluster",
                "ray.io/node-type: worker, ray.io/group: g", "g"},
           Kind{
               "kubeflow.org/v1", "PyTorchJob",
               "{pytorchReplicaSpecs: {Worker: {replicas: 1, template: {spec: {containers: [{name: "
               "m}]}}}}}",
               "training.kubeflow.org/job-name", "training.kubeflow.org/replica-type: worker",
               "worker"},
           Kind{"batch.volcano.sh/v1alpha1", "Job",
                "{tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: m}]}}}]}",
                "volcano.sh/job-name", "volcano.sh/task-spec: w", "w"},
       }) {
    std::string labels = Cat(kind.name_label, ": ", cut, ", ", kind.role_labels);
    // Another object has the cut name as its full one.
    Seen seen(Cat(Object(kind.api_version, kind.kind, name, "u-long", kind.spec),
                  Object(kind.api_version, kind.kind, cut, "u-cut", kind.spec),
                  Pod("p", labels, OwnedBy(kind.kind, name, "u-long"))));
    EXPECT_EQ(seen.PlaceOf("p"), Cat(kind.kind, '/', name, ' ', kind.role));
    // Alone, the label of a pod without owner names nobody that is there.
    Seen orphan(
        Cat(Object(kind.api_version, kind.kind, name, "u-long", kind.spec), Pod("p", labels)));
    EXPECT_THAT(orphan.PlaceOf("p"), StartsWith("unclaimed: ")) << kind.kind;
  }
}

TEST(Owners, OfTwoKindsWithOneNameDecideAndLabelsGiveTheRole) {
  Seen seen(Cat(
      Object("kubeflow.org/v1", "PyTorchJob", "twin", "u-py",
             Cat("{pytorchReplicaSpecs: {Worker: {", kTemplate, "}}}")),
      Object("kubeflow.org/v1", "TFJob", "twin", "u-tf",
             Cat("{tfReplicaSpecs: {Worker: {", kTemplate, "}}}")),
      Pod("py", "training.kubeflow.org/job-name: twin, training.kubeflow.org/replica-type: worker",
          OwnedBy("PyTorchJob", "twin", "u-py")),
      Pod("tf", "training.kubeflow.org/job-name: twin, training.kubeflow.org/replica-type: worker",
          OwnedBy("TFJob", "twin", "u-tf"))));
  EXPECT_EQ(seen.PlaceOf("py"), "PyTorchJob/twin worker");
  EXPECT_EQ(seen.PlaceOf("tf"), "TFJob/twin worker");
}

// Both schemes are alive while an operator is upgraded.
TEST(Owners, KeysOfAllOperatorVersionsGiveTheRoleAndAnUnknownOneLosesNoPod) {
  constexpr std::string_view kSpec =
      "{mpiReplicaSpecs: {Launcher: {template: {spec: {containers: [{name: m}]}}}, Worker: "
      "{replicas: 2, template: {spec: {containers: [{name: m}]}}}}}";
  for (std::string_view version : {"kubeflow.org/v1", "kubeflow.org/v2beta1"}) {
    std::string text = Object(version, "MPIJob", "it", "u", kSpec);
    int number = 0;
    for (std::string_view labels :
         {"mpi_role_type: worker", "training.kubeflow.org/job-role: worker",
          "training.kubeflow.org/replica-type: worker", "replica-type: worker"}) {
      text += Pod(Cat("p-", number++), labels, OwnedBy("MPIJob", "it", "u"));
    }
    text += Pod("new", "some.day/role: worker", OwnedBy("MPIJob", "it", "u"));
    Seen seen(text);
    for (int i = 0; i < number; ++i) {
      EXPECT_EQ(seen.PlaceOf(Cat("p-", i)), "MPIJob/it worker") << version << ' ' << i;
    }
    EXPECT_EQ(seen.PlaceOf("new"), "MPIJob/it without role") << version;
    EXPECT_EQ(seen.Find("it")->totals.pods.observed, number + 1) << version;
  }
}

TEST(Owners, APodOfAnObjectInTheMiddleIsCountedOnceAtTheTop) {
  Seen seen(Cat(
      Object("ray.io/v1", "RayJob", "job", "u-job", Cat("{rayClusterSpec: ", kRay, "}")),
      Object("ray.io/v1", "RayCluster", "job-x1", "u-rc", kRay, OwnedBy("RayJob", "job", "u-job")),
      Object("ray.io/v1", "RayCluster", "own", "u-own", kRay),
      Pod("w", "ray.io/cluster: job-x1, ray.io/node-type: worker, ray.io/group: g",
          OwnedBy("RayCluster", "job-x1", "u-rc"))));
  EXPECT_EQ(seen.rows(), "RayCluster/own, RayJob/job");
  EXPECT_EQ(seen.PlaceOf("w"), "RayJob/job g");
  EXPECT_EQ(seen.Find("job")->totals.pods.observed, 1);
  EXPECT_EQ(seen.Find("own")->totals.pods.observed, 0);
}

// The labels of groups are not named after the API group.
TEST(Owners, ALabelOfTheWrongDomainPutsNoPodIntoAGroup) {
  std::string set = Object(
      "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "it", "u",
      Cat("{replicas: 2, leaderWorkerTemplate: {size: 2, workerTemplate: {spec: {containers: "
          "[{name: m}]}}}}"));
  auto labels = [](std::string_view domain) {
    return Cat(domain, "/name: it, ", domain, "/group-index: '1', ", domain, "/worker-index: '1'");
  };
  Seen right(Cat(set, Pod("p", labels("leaderworkerset.sigs.k8s.io"))));
  EXPECT_EQ(right.PlaceOf("p"), "LeaderWorkerSet/it worker");
  Seen wrong(Cat(set, Pod("p", labels("leaderworkerset.x-k8s.io"))));
  EXPECT_THAT(wrong.PlaceOf("p"), StartsWith("unclaimed: "));
}

TEST(Owners, ALauncherThatWorksHasAnIndexOfTheWorkers) {
  WMAP_REQUIRE_SHARED();
  Seen seen(testing::ReadFileOrDie(
      Cat(testing::SharedDir(), "/cases/15-mpijob-delayed-launcher-gang/input.yaml")));
  EXPECT_EQ(seen.PlaceOf("launcher-works-launcher-x"), "MPIJob/launcher-works launcher")
      << "by its job role";
  EXPECT_EQ(seen.PlaceOf("launcher-works-worker-0"), "MPIJob/launcher-works worker");
  EXPECT_EQ(seen.PlaceOf("launcher-works-worker-2"), "MPIJob/launcher-works worker")
      << "with the index 3 of 3 workers";
  EXPECT_THAT(seen.Summary("launcher-works"),
              ::testing::HasSubstr("launcher 1, worker 3; 32 GPUs"));
  EXPECT_EQ(seen.Find("launcher-works")->totals.pods.desired.text(), "4");
  EXPECT_EQ(seen.Codes("launcher-works"), "");
  EXPECT_EQ(seen.Summary("suspended-late-launcher"), "Suspended; launcher 1, worker 4; 32 GPUs");
  EXPECT_EQ(seen.Find("suspended-late-launcher")->totals.pods.wanted, workload::Count());
  EXPECT_EQ(seen.Find("suspended-late-launcher")->totals.gpus.allocated, 0);
  for (std::string_view name : {"late-launcher", "late-launcher-own-minimum"}) {
    EXPECT_THAT(seen.Summary(name), ::testing::HasSubstr("launcher 1, worker 4; 32 GPUs"));
  }
}

}  // namespace
}  // namespace wmap
