#include "schema/releases.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "schema/documents.h"
#include "tests/support/reading.h"

namespace wmap::schema {
namespace {

TEST(Releases, AreInTheOrderOfTheirNumbers) {
  EXPECT_TRUE(IsOlder("kuberay/v1.9.0", "kuberay/v1.10.0"));
  EXPECT_FALSE(IsOlder("kuberay/v1.10.0", "kuberay/v1.9.0"));
  EXPECT_FALSE(IsOlder("v1.7.0", "v1.7.0"));
  EXPECT_TRUE(IsOlder("v0.1.0-alpha.8", "v0.1.0"));
  EXPECT_TRUE(IsOlder("v0.1.0-alpha.8", "v0.1.0-alpha.10"));
  EXPECT_TRUE(IsOlder("v1.007", "v1.8"));
  // A commit is taken to be newer than all releases.
  EXPECT_TRUE(IsOlder("dynamo/v1.0.1", "dynamo/2a6da14c8361"));
}

TEST(Releases, GiveTheSchemasOfAKind) {
  Arena arena;
  BuiltIns built_ins;
  Releases releases(built_ins);
  for (std::string_view release : {"v1.10", "v1.9"}) {
    releases.Add(testing::YamlOrDie(R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: mine.example.org
  names: {kind: FlowJob, plural: flowjobs}
  versions: [{name: v1}, {name: v2}]
)",
                                    arena),
                 release);
  }
  releases.Add(testing::YamlOrDie("{kind: FlowJob, apiVersion: mine.example.org/v1}", arena), "x");
  auto names = [&](std::string_view version) {
    std::vector<std::string> all;
    for (const Release& release : releases.Of("mine.example.org", "FlowJob", version)) {
      all.push_back(Cat(release.name, ' ', release.version));
    }
    return Join(all, ", ");
  };
  EXPECT_EQ(names("v2"), "v1.9 v2, v1.10 v2");
  EXPECT_EQ(names(""), "v1.9 v1, v1.9 v2, v1.10 v1, v1.10 v2");
  EXPECT_EQ(names("v3"), "");
  EXPECT_EQ(releases.Of("batch", "Job", "v1").size(), 1U);
  EXPECT_TRUE(releases.Of("batch", "Jobs").empty());
}

// What an API server publishes of its own kinds comes before what is known of them anyhow.
TEST(Releases, TakeWhatAServerPublishes) {
  Arena arena;
  BuiltIns built_ins;
  Releases releases(built_ins);
  releases.Add(testing::YamlOrDie(R"(
openapi: 3.0.0
components:
  schemas:
    io.k8s.api.batch.v1.Job:
      type: object
      properties: {spec: {$ref: '#/components/schemas/io.k8s.api.batch.v1.JobSpec'}}
      x-kubernetes-group-version-kind: [{group: batch, version: v1, kind: Job}]
    io.k8s.api.batch.v1.JobSpec: {type: object, properties: {pace: {type: integer}}}
    Options:
      x-kubernetes-group-version-kind:
      - {group: batch, version: v1, kind: Options}
      - {group: apps, version: v1, kind: Options}
    Broken: {x-kubernetes-group-version-kind: 7}
)",
                                  arena),
               "cluster");
  std::vector<Release> found = releases.Of("batch", "Job", "v1");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "cluster");
  Documents documents(built_ins, {found[0].schema});
  auto answer = [&](std::string key) {
    return documents.Resolve({expr::PathStep::Key("spec"), expr::PathStep::Key(std::move(key))})
        .answer;
  };
  EXPECT_EQ(answer("pace"), Resolution::Answer::kResolved);
  EXPECT_EQ(answer("parallelism"), Resolution::Answer::kMissing);
  EXPECT_TRUE(releases.Of("apps", "Options").empty());
}

}  // namespace
}  // namespace wmap::schema
