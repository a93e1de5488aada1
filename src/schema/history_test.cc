#include "schema/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "definition/report.h"
#include "tests/support/reading.h"

namespace wmap::schema {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kDefinition = R"(
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: flow}
spec:
  structureDefinition:
    rootComponent:
      name: flow
      kind: {group: mine.example.org, version: v1, kind: FlowJob}
      specDefinition: {podTemplateSpecPath: .spec.template}
      scaleDefinition: {replicasPath: '.spec.size // 1'}
      statusDefinition: {statusMappings: {}}
)";

// The fields of the spec of a release in version v1, or another version of the kind alone.
struct Given {
  std::string_view release;
  std::string_view spec;
  std::string_view version = "v1";
};

struct Told {
  std::vector<std::string> results;
  std::vector<std::string> findings;
};

Told Tell(const std::vector<Given>& given) {
  Arena arena;
  BuiltIns built_ins;
  Releases releases(built_ins);
  for (const Given& one : given) {
    releases.Add(
        testing::YamlOrDie(
            Cat("{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, "
                "spec: {group: mine.example.org, names: {kind: FlowJob}, versions: [{name: ",
                one.version,
                ", schema: {openAPIV3Schema: {type: object, properties: {spec: {type: "
                "object, properties: {template: {type: object, properties: {spec: {type: "
                "object}}}, ",
                one.spec, "}}}}}}]}}"),
            arena),
        one.release);
  }
  Told told;
  definition::LoadOptions options;
  options.further = [&](const definition::Karta& karta, definition::Report& report) {
    History history = CheckHistory(karta, built_ins, releases, report.options(), true);
    for (const ReleaseResult& result : history.releases) {
      told.results.push_back(Cat(result.release, ' ', result.result()));
    }
    for (const ReleaseFinding& found : history.found) {
      told.findings.push_back(Cat(definition::SeverityName(found.finding.severity), ": ",
                                  found.finding.message, found.finding.hint.empty() ? "" : "; ",
                                  found.finding.hint));
    }
  };
  definition::Loaded loaded = definition::Load(testing::YamlOrDie(kDefinition, arena), options);
  EXPECT_TRUE(loaded.karta != nullptr && loaded.karta->is_valid);
  return told;
}

TEST(History, AFieldThatWentHasAPlaceElsewhere) {
  Told told = Tell({{"v1.9", "size: {type: integer}"}, {"v1.10", "count: {type: integer}"}});
  EXPECT_THAT(told.results, ElementsAre("v1.9 pass", "v1.10 broken"));
  EXPECT_THAT(told.findings, ElementsAre("error: there is no .spec.size; v1.9 was the last to have "
                                         "it; in v1.10 it may be .spec.count"));
}

TEST(History, AFieldThatCameWasSomethingElseBefore) {
  Told told = Tell({{"v1.9", "sizes: {type: integer}"}, {"v1.10", "size: {type: integer}"}});
  EXPECT_THAT(told.results, ElementsAre("v1.9 warn", "v1.10 pass"));
  EXPECT_THAT(told.findings, ElementsAre("warning: there is no .spec.size; it came with v1.10; in "
                                         "v1.9 it may be .spec.sizes"));
}

TEST(History, AFieldThatNoReleaseHasHasNoHistory) {
  Told told = Tell({{"v1.9", "siz: {type: integer}"}, {"v1.10", "siz: {type: integer}"}});
  EXPECT_THAT(told.findings, ElementsAre("error: there is no .spec.size; did you mean \"siz\"?"));
}

TEST(History, AVersionMayBeGone) {
  Told told = Tell({{"a/v1.9", "size: {type: integer}"},
                    {"a/v1.10", "x: {type: integer}", "v2"},
                    {"b/v2.0", "x: {type: integer}", "v2"}});
  // The other operator never had it.
  EXPECT_THAT(told.results, ElementsAre("a/v1.9 pass", "a/v1.10 gone"));
  EXPECT_THAT(told.findings, ElementsAre("warning: FlowJob has no version v1 any more"));
}

TEST(History, WithoutASchemaThereIsNone) {
  Told told = Tell({});
  EXPECT_THAT(told.results, IsEmpty());
  EXPECT_THAT(told.findings, IsEmpty());
}

}  // namespace
}  // namespace wmap::schema
