#include "inspect/definition_diff.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/load.h"
#include "json/writer.h"
#include "tests/support/reading.h"

namespace wmap::inspect {
namespace {

constexpr std::string_view kMappings =
    R"(statusDefinition: {statusMappings: {running: [{byExpression:
    {expression: '.status.a // "b"', expectedResult: b}}], failed: [{byExpression:
    {expression: '.status.a // "b"', expectedResult: c}}]}})";
constexpr std::string_view kCrew =
    R"({name: crew, ownerRef: flowjob, specDefinition: {podSpecPath: .spec.crew},
    scaleDefinition: {replicasPath: .spec.size // 1}})";

std::unique_ptr<definition::Karta> Load(std::string_view root, std::string_view children,
                                        std::string_view extensions = "{}") {
  Arena arena;
  definition::Loaded loaded = definition::Load(
      testing::YamlOrDie(testing::FlowJobKarta(root, children, extensions), arena));
  if (loaded.karta == nullptr) testing::DieOf("no definition", root);
  return std::move(loaded.karta);
}

// "component crew: replicasPath: a -> b", one on a line.
std::string Differences(const definition::Karta& before, const definition::Karta& after) {
  std::string text;
  for (const DefinitionChange& change : CompareDefinitions(before, after)) {
    CatTo(text, change.where, ": ", change.field, ": ", change.before, " -> ", change.after, '\n');
  }
  return text;
}

TEST(DefinitionDiff, TheFormOfExpressionsIsNoDifference) {
  auto before = Load(kMappings, kCrew);
  auto after = Load(
      R"(statusDefinition: {statusMappings: {failed: [{byExpression:
      {expression: '(.status.a//"b")', expectedResult: c}}], running: [{byExpression:
      {expression: ".status.a // \"b\" # or so", expectedResult: b}}]}})",
      R"({scaleDefinition: {replicasPath: (.spec | .size) // 1}, name: crew, ownerRef: flowjob,
      specDefinition: {podSpecPath: ".spec[\"crew\"]"}})");
  EXPECT_EQ(Differences(*before, *before), "");
  EXPECT_EQ(Differences(*before, *after), "");
}

TEST(DefinitionDiff, TheOrderOfComponentsIsNoDifference) {
  std::string_view other = "{name: other, ownerRef: flowjob}";
  EXPECT_EQ(Differences(*Load(kMappings, Cat(kCrew, ", ", other)),
                        *Load(kMappings, Cat(other, ", ", kCrew))),
            "");
}

TEST(DefinitionDiff, ComponentsAndFieldsComeAndGo) {
  EXPECT_EQ(Differences(*Load(kMappings, kCrew), *Load(kMappings, "")),
            "component crew: : with pods -> \n");
  EXPECT_EQ(Differences(*Load(kMappings, "{name: crew, ownerRef: flowjob}"),
                        *Load(kMappings, "{name: crew, ownerRef: flowjob}",
                              R"({"components": {"crew": {"counts": "owner"}}, "minimum": "2"})")),
            "definition: minimum:  -> 2\ncomponent crew: counts:  -> owner\n");
}

TEST(DefinitionDiff, AnExpressionOfSeveralStatusesIsOneChange) {
  std::string other(kMappings);
  for (std::size_t at = other.find(".status.a"); at != std::string::npos;
       at = other.find(".status.a")) {
    other.replace(at, 9, ".status.z");
  }
  EXPECT_EQ(Differences(*Load(kMappings, kCrew), *Load(other, kCrew)),
            "status: expression of running, failed: .status.a // \"b\" -> .status.z // \"b\"\n");
}

// "JobSet/a: phase: \"Running\" -> null", one on a line.
std::string Changes(std::string_view before, std::string_view after) {
  Arena arena;
  std::string text;
  for (const WorkloadChange& change : CompareReadings(testing::YamlOrDie(before, arena),
                                                      testing::YamlOrDie(after, arena), arena)) {
    if (!change.was_read || !change.is_read) {
      CatTo(text, change.workload, change.is_read ? " came\n" : " went\n");
    }
    for (const ReadingChange& one : change.changes) {
      CatTo(text, change.workload, ": ", one.field, ": ", json::ToJson(one.before), " -> ",
            json::ToJson(one.after), one.pods.empty() ? "" : " of ", Join(one.pods, ", "), '\n');
    }
  }
  return text;
}

TEST(DefinitionDiff, ReadingsDifferFieldByField) {
  EXPECT_EQ(Changes("{workloads: [{workload: A/a, phase: Running, pods: {desired: 3, wanted: 3}}]}",
                    "{workloads: [{workload: A/a, phase: Failed, pods: {desired: 3, wanted: 0}}]}"),
            "A/a: phase: \"Running\" -> \"Failed\"\nA/a: pods.wanted: 3 -> 0\n");
  EXPECT_EQ(Changes("{workloads: [{workload: A/a, groups: [{minimum: 3}]}]}",
                    "{workloads: [{workload: A/a, groups: [{minimum: 4}]}]}"),
            "A/a: groups[0].minimum: 3 -> 4\n");
}

TEST(DefinitionDiff, PodsMoveTogether) {
  EXPECT_EQ(Changes("{workloads: [{workload: A/a, attribution: {p: x, q: x, r: y}}]}",
                    "{workloads: [{workload: A/a, attribution: {p: null, q: null, r: y}}]}"),
            "A/a: attribution: \"x\" -> \"no role\" of p, q\n");
}

TEST(DefinitionDiff, WorkloadsComeAndGo) {
  EXPECT_EQ(Changes("{workloads: [{workload: A/a}]}", "{workloads: [{workload: B/b}]}"),
            "A/a went\nB/b came\n");
  EXPECT_EQ(Changes("{workloads: []}", "{workloads: [], unclaimed: [p]}"),
            ": unclaimed: null -> [\"p\"]\n");
}

}  // namespace
}  // namespace wmap::inspect
