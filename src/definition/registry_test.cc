#include "definition/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "definition/resource_names.h"

namespace wmap::definition {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::unique_ptr<Karta> Make(std::string name, GroupVersionKind kind, Origin origin,
                            std::string source = "") {
  auto karta = std::make_unique<Karta>();
  karta->name = std::move(name);
  karta->origin = origin;
  karta->source = std::move(source);
  karta->is_valid = true;
  karta->components.emplace_back();
  karta->components[0].kind = std::move(kind);
  return karta;
}

const GroupVersionKind kJobSet{"jobset.x-k8s.io", "v1alpha2", "JobSet"};
const GroupVersionKind kJob{"batch", "v1", "Job"};

std::string NameOf(const Match& match) { return match ? match.karta->name : "nothing"; }

TEST(Registry, OpensABuiltInDefinitionOnce) {
  Registry registry;
  Match match = registry.Find("jobset.x-k8s.io", "v1alpha2", "JobSet");
  ASSERT_TRUE(match);
  EXPECT_EQ(match.karta->kind(), kJobSet);
  EXPECT_FALSE(match.other_version);
  EXPECT_EQ(registry.FindByApiVersion("jobset.x-k8s.io/v1alpha2", "JobSet").karta, match.karta);
  EXPECT_EQ(registry.FindByName(match.karta->name).karta, match.karta);
  EXPECT_TRUE(registry.FindByApiVersion("v1", "Pod"));
  EXPECT_FALSE(registry.Find("", "v1", "JobSet"));
}

TEST(Registry, PrefersFilesToTheClusterToBuiltIns) {
  Registry registry;
  ASSERT_TRUE(registry.Add(Make("file", kJobSet, Origin::kFile, "a.yaml")));
  ASSERT_TRUE(registry.Add(Make("cluster", kJobSet, Origin::kCluster)));
  Match match = registry.Find(kJobSet.group, kJobSet.version, kJobSet.kind);
  EXPECT_EQ(NameOf(match), "file");
  EXPECT_THAT(match.overrides,
              ElementsAre("builtin jobset-x-k8s-io-jobset-v1alpha2", "cluster cluster"));
}

TEST(Registry, RefusesTwoOfOneKindAtOneLevelAndNamesBoth) {
  Registry registry(Registry::Builtins::kNone);
  ASSERT_TRUE(registry.Add(Make("first", kJobSet, Origin::kFile, "a.yaml")));
  Result<void> second = registry.Add(Make("second", kJobSet, Origin::kFile, "b.yaml"));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message(),
            "two definitions for JobSet (jobset.x-k8s.io/v1alpha2): \"first\" in a.yaml and "
            "\"second\" in b.yaml; leave one of them out");
  EXPECT_EQ(NameOf(registry.Find(kJobSet.group, kJobSet.version, kJobSet.kind)), "first");
}

TEST(Registry, FallsBackToAnotherVersion) {
  Registry registry(Registry::Builtins::kNone);
  ASSERT_TRUE(registry.Add(Make("old", {"g.io", "v1alpha1", "X"}, Origin::kFile)));
  ASSERT_TRUE(registry.Add(Make("new", {"g.io", "v1beta1", "X"}, Origin::kFile)));
  Match match = registry.Find("g.io", "v1", "X");
  EXPECT_EQ(NameOf(match), "new");
  EXPECT_TRUE(match.other_version);
  match = registry.Find("g.io", "v1alpha1", "X");
  EXPECT_EQ(NameOf(match), "old");
  EXPECT_FALSE(match.other_version);
  EXPECT_FALSE(registry.Find("g.io", "", "X").other_version);
  EXPECT_TRUE(registry.Covers("g.io", "X"));
  EXPECT_FALSE(registry.Covers("g.io", "Y"));
}

TEST(Registry, FindsTheBuiltInVersionDespiteAFileForAnother) {
  Registry registry;
  ASSERT_TRUE(registry.Add(Make("file", {"batch", "v2", "Job"}, Origin::kFile)));
  EXPECT_EQ(NameOf(registry.Find("batch", "v1", "Job")), "batch-job-v1");
  EXPECT_EQ(NameOf(registry.Find("batch", "v3", "Job")), "file");
}

TEST(Registry, ListsWhatIsOverridden) {
  Registry registry;
  ASSERT_TRUE(registry.Add(Make("mine", kJob, Origin::kFile, "a.yaml")));
  std::vector<std::string> jobs;
  for (const Listing& listing : registry.List()) {
    if (listing.kind != kJob) continue;
    jobs.push_back(listing.name + (listing.in_force ? " in force" : " overridden"));
  }
  EXPECT_THAT(jobs, ElementsAre("mine in force", "batch-job-v1 overridden"));
}

TEST(Registry, ResolvesTypesAsKubectlDoes) {
  Registry registry;
  for (const char* type : {"jobset", "jobsets", "JobSet", "jobset.jobset.x-k8s.io",
                           "jobsets.v1alpha2.jobset.x-k8s.io"}) {
    Result<TypeMatch> match = registry.Resolve(type);
    ASSERT_TRUE(match) << type;
    EXPECT_EQ(match->kind, "JobSet");
    EXPECT_TRUE(match->Covers("jobset.x-k8s.io", "v1alpha2", "JobSet"));
  }
  EXPECT_EQ(registry.Resolve("lws")->kind, "LeaderWorkerSet");
  EXPECT_EQ(registry.Resolve("sts")->kind, "StatefulSet");
  EXPECT_EQ(registry.Resolve("po")->kind, "Pod");
  EXPECT_EQ(registry.Resolve("pods.v1")->kind, "Pod");
  EXPECT_EQ(registry.Resolve("pods.v1.")->kind, "Pod");
  EXPECT_EQ(registry.Resolve("jobs.v1.batch")->version, "v1");
}

TEST(Registry, SaysWhatATypeMightHaveBeen) {
  Registry registry;
  Result<TypeMatch> match = registry.Resolve("jobste");
  ASSERT_FALSE(match);
  EXPECT_EQ(match.error().code(), Code::kNotFound);
  EXPECT_THAT(match.error().message(), HasSubstr("did you mean \"jobset\"?"));
  EXPECT_THAT(registry.Resolve("jobs.v9.batch").error().message(),
              HasSubstr("did you mean jobs.batch or jobs.batch.volcano.sh?"));
  EXPECT_THAT(registry.Resolve("").error().message(), HasSubstr("`wmap definitions`"));
}

TEST(Registry, PrefersKubernetesAndOtherwiseAsksWhichGroupIsMeant) {
  Registry registry;
  ASSERT_TRUE(
      registry.Add(Make("volcano", {"batch.volcano.sh", "v1alpha1", "Job"}, Origin::kFile)));
  EXPECT_EQ(registry.Resolve("job")->group, "batch");
  EXPECT_EQ(registry.Resolve("vcjob")->group, "batch.volcano.sh");
  EXPECT_EQ(registry.Resolve("job.batch.volcano.sh")->group, "batch.volcano.sh");
  ASSERT_TRUE(registry.Add(Make("one", {"a.io", "v1", "Thing"}, Origin::kFile)));
  ASSERT_TRUE(registry.Add(Make("two", {"b.io", "v1", "Thing"}, Origin::kFile)));
  Result<TypeMatch> match = registry.Resolve("thing");
  ASSERT_FALSE(match);
  EXPECT_EQ(match.error().code(), Code::kInvalid);
  EXPECT_EQ(match.error().message(),
            "\"thing\" is ambiguous: write things.a.io (definition \"one\") or "
            "things.b.io (definition \"two\")");
  // What it says to write is not ambiguous.
  EXPECT_EQ(registry.Resolve("things.a.io")->group, "a.io");
}

TEST(Registry, TakesOneKindInSeveralVersionsForOneType) {
  Registry registry(Registry::Builtins::kNone);
  ASSERT_TRUE(registry.Add(Make("old", {"g.io", "v1alpha1", "X"}, Origin::kFile)));
  ASSERT_TRUE(registry.Add(Make("new", {"g.io", "v1beta1", "X"}, Origin::kFile)));
  EXPECT_EQ(registry.Resolve("x")->version, "");
  EXPECT_EQ(registry.Resolve("x.v1beta1.g.io")->version, "v1beta1");
}

TEST(RegistryThreads, OpenOneDefinitionTogether) {
  Registry registry;
  std::vector<const Karta*> found(4);
  {
    std::vector<std::jthread> threads;
    for (const Karta*& karta : found) {
      threads.emplace_back([&registry, &karta] {
        for (const Listing& listing : registry.List()) {
          registry.Find(listing.kind.group, listing.kind.version, listing.kind.kind);
        }
        karta = registry.Find("batch", "v1", "Job").karta;
      });
    }
  }
  for (const Karta* karta : found) EXPECT_EQ(karta, found[0]);
  EXPECT_NE(found[0], nullptr);
}

TEST(ResourceNames, FormPluralsAsCustomResourcesDo) {
  EXPECT_EQ(PluralOf("JobSet"), "jobsets");
  EXPECT_EQ(PluralOf("Milvus"), "milvuses");
  EXPECT_EQ(PluralOf("Sandbox"), "sandboxes");
  EXPECT_EQ(PluralOf("Topology"), "topologies");
  EXPECT_EQ(PluralOf("Gateway"), "gateways");
  EXPECT_THAT(ShortNamesOf("leaderworkerset.x-k8s.io", "LeaderWorkerSet"), ElementsAre("lws"));
  EXPECT_THAT(ShortNamesOf("kubeflow.org", "MPIJob"), ElementsAre("mj", "mpij"));
  EXPECT_THAT(ShortNamesOf("other.org", "MPIJob"), IsEmpty());
}

}  // namespace
}  // namespace wmap::definition
