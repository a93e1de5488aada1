// The check finds what is not there, and does not call fine what it cannot know.
#include "schema/documents.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/text.h"
#include "expr/document_paths.h"
#include "expr/program.h"
#include "schema/built_ins.h"
#include "schema/crd.h"
#include "tests/support/reading.h"

namespace wmap::schema {
namespace {

constexpr std::string_view kCrd = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: mine.example.org
  names: {kind: FlowJob}
  versions:
  - name: v1
  - name: v2
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              crews:
                type: array
                items:
                  type: object
                  properties:
                    name: {type: string}
                    size: {x-kubernetes-int-or-string: true}
                    template:
                      type: object
                      x-kubernetes-preserve-unknown-fields: true
                      properties:
                        replicas: {type: integer}
              shafts:
                type: object
                additionalProperties:
                  type: object
                  properties:
                    depth: {type: integer}
              tools:
                type: object
                properties:
                  drill: {type: object, properties: {size: {type: integer}}}
                  lamp: {type: object, properties: {power: {type: integer}}}
              child:
                type: object
                x-kubernetes-embedded-resource: true
                x-kubernetes-preserve-unknown-fields: true
              labels: {type: object, additionalProperties: true}
              nothing: {type: object}
)";

// ".spec.crews[].nam missing": the answer to the only path of `source`, with how far it holds.
std::string Answer(std::string_view source, std::string_view version = "v2",
                   std::string_view crd = kCrd) {
  Arena arena;
  json::Value document = testing::YamlOrDie(crd, arena);
  for (const CrdVersion& found : VersionsOf(document)) {
    if (found.kind.version != version) continue;
    auto program = expr::Program::Compile(source);
    if (!program) return program.error().Describe();
    auto paths = expr::FindDocumentPaths(*program);
    if (paths.size() != 1) return Cat(paths.size(), " paths");
    BuiltIns built_ins;
    Documents documents(built_ins, {found.schema});
    Resolution resolution = documents.Resolve(paths[0]);
    constexpr std::string_view kNames[] = {"missing", "open", "resolved"};
    paths[0].resize(resolution.steps);
    return Cat(expr::PathText(paths[0]), ' ', kNames[static_cast<int>(resolution.answer)]);
  }
  return "no such version";
}

TEST(Documents, ResolvesWhatItNames) {
  EXPECT_EQ(Answer(".spec.crews[0].name"), ".spec.crews[].name resolved");
  EXPECT_EQ(Answer(".spec.crews"), ".spec.crews resolved");
  EXPECT_EQ(Answer(".spec.shafts.north.depth"), ".spec.shafts.north.depth resolved");
  EXPECT_EQ(Answer(".spec.shafts[].depth"), ".spec.shafts[].depth resolved");
  EXPECT_EQ(Answer(".spec.crews[].template.replicas"), ".spec.crews[].template.replicas resolved");
}

TEST(Documents, MissesWhatItDoesNotName) {
  EXPECT_EQ(Answer(".spec.crew[].name"), ".spec.crew missing");
  EXPECT_EQ(Answer(".spec.crews.name"), ".spec.crews.name missing");
  EXPECT_EQ(Answer(".spec.crews[].nam"), ".spec.crews[].nam missing");
  EXPECT_EQ(Answer(".spec.crews[].size.max"), ".spec.crews[].size.max missing");
  EXPECT_EQ(Answer(".spec.crews[].name[]"), ".spec.crews[].name[] missing");
  EXPECT_EQ(Answer(".spec.shafts.north.width"), ".spec.shafts.north.width missing");
  EXPECT_EQ(Answer(".spec.crews[].template.replicas.x"),
            ".spec.crews[].template.replicas.x missing");
  EXPECT_EQ(Answer(".spec.nothing.x"), ".spec.nothing.x missing");
  EXPECT_EQ(Answer(".status"), ".status missing");
}

TEST(Documents, LeavesOpenWhatItDoesNotDescribe) {
  EXPECT_EQ(Answer(".spec.crews[].template.spec.x"), ".spec.crews[].template open");
  EXPECT_EQ(Answer(".spec.labels.x.y"), ".spec.labels open");
  EXPECT_EQ(Answer(".spec.child.spec"), ".spec.child open");
  EXPECT_EQ(Answer(".spec.crews | getpath([0, \"x\"])"), ".spec.crews open");
  EXPECT_EQ(Answer(".spec.x", "v1"), ". open");
}

TEST(Documents, AnyMemberIsEnough) {
  EXPECT_EQ(Answer(".spec.tools[].power"), ".spec.tools[].power resolved");
  EXPECT_EQ(Answer(".spec.tools[].weight"), ".spec.tools[].weight missing");
}

TEST(Documents, EveryObjectHasMetadata) {
  EXPECT_EQ(Answer(".metadata.labels[\"a/b\"]"), ".metadata.labels[\"a/b\"] resolved");
  EXPECT_EQ(Answer(".metadata.ownerReferences[].kind"),
            ".metadata.ownerReferences[].kind resolved");
  EXPECT_EQ(Answer(".metadata.label"), ".metadata.label missing");
  EXPECT_EQ(Answer(".metadata.label", "v1"), ".metadata.label missing");
  EXPECT_EQ(Answer(".spec.child.metadata.name"), ".spec.child.metadata.name resolved");
  EXPECT_EQ(Answer(".spec.child.metadata.nam"), ".spec.child.metadata.nam missing");
}

TEST(Documents, OldDefinitionsKeepWhatTheyDoNotName) {
  constexpr std::string_view kOld = R"(
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
spec:
  group: mine.example.org
  names: {kind: FlowJob}
  version: v1
  validation:
    openAPIV3Schema:
      properties: {spec: {properties: {size: {type: integer}}}}
)";
  EXPECT_EQ(Answer(".spec.size", "v1", kOld), ".spec.size resolved");
  EXPECT_EQ(Answer(".spec.length", "v1", kOld), ".spec open");
  EXPECT_EQ(Answer(".spec.size.x", "v1", kOld), ".spec.size.x missing");
  EXPECT_EQ(Answer(".status", "v1", kOld), ". open");
}

TEST(Documents, OtherDocumentsHaveNoVersions) {
  Arena arena;
  EXPECT_TRUE(
      VersionsOf(testing::YamlOrDie("{kind: FlowJob, spec: {versions: []}}", arena)).empty());
}

}  // namespace
}  // namespace wmap::schema
