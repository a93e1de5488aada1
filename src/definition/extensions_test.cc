#include "definition/extensions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/load.h"
#include "definition/scalar_source.h"

namespace wmap::definition {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string With(std::string_view annotation) {
  return Cat(R"(apiVersion: run.ai/v1alpha1
kind: Karta
metadata:
  name: x
  annotations:
    wmap.dev/extensions: )",
             annotation, R"(
spec:
  structureDefinition:
    rootComponent:
      name: dig
      kind: {group: mine.example.org, version: v1, kind: Dig}
      statusDefinition: {statusMappings: {}}
    childComponents:
    - name: crew
      ownerRef: dig
      specDefinition: {podTemplateSpecPath: .spec.crew}
)");
}

Loaded LoadWith(std::string_view annotation, Mode mode = Mode::kStrict) {
  std::vector<Loaded> all = LoadText(With(annotation), {.mode = mode});
  EXPECT_EQ(all.size(), 1U);
  return std::move(all.front());
}

// "id line:column underlined".
std::vector<std::string> FindingsOf(std::string_view annotation, Mode mode = Mode::kStrict) {
  std::string text = With(annotation);
  std::vector<std::string> brief;
  for (const Finding& f : LoadWith(annotation, mode).findings) {
    std::size_t at = OffsetOf(text, f.place).value_or(text.size());
    brief.push_back(Cat(SeverityName(f.severity), ' ', f.id, ' ', f.place.line, ':', f.place.column,
                        ' ', std::string_view(text).substr(at, f.width)));
  }
  return brief;
}

TEST(Extensions, AreMergedIntoTheModel) {
  Loaded loaded = LoadWith(
      R"('{"components": {"crew": {"role": "worker", "counts": "owner", "wanted": ".a",
      "active": ".e", "exists": ".b", "described": ".h",
      "createdLater": ".i", "wraps": ".j"}}, "gang": {"subGroupPerRole": true}, "status": {"reason": ".c", "message": ".d", "holdsOnReadyPods": ".k"},
      "minimum": ".g", "keys": [{"at": ".spec.parts", "known": ["Left", "Right"], "anyCase": true}], "objects": [{"kind": "Pod"}, {"group": "x.io", "kind": "Plan", "name": ".f"}],
      "testedWith": ["Dig v1", "Dig v2"]}')");
  EXPECT_THAT(loaded.findings, IsEmpty());
  const Component& crew = *loaded.karta->Find("crew");
  EXPECT_EQ(crew.role_name(), "worker");
  EXPECT_EQ(crew.counts, Counts::kOwner);
  EXPECT_EQ(crew.wanted.text(), ".a");
  EXPECT_EQ(crew.wanted.pointer(),
            "/metadata/annotations/wmap.dev~1extensions/components/crew/wanted");
  EXPECT_NE(crew.wanted.program(), nullptr);
  EXPECT_EQ(crew.active.text(), ".e");
  EXPECT_NE(crew.exists.program(), nullptr);
  EXPECT_NE(crew.described.program(), nullptr);
  EXPECT_NE(crew.created_later.program(), nullptr);
  EXPECT_NE(crew.wraps.program(), nullptr);
  EXPECT_TRUE(loaded.karta->Wraps());
  EXPECT_FALSE(loaded.karta->ReadsOwners());
  EXPECT_TRUE(loaded.karta->gang_by_role);
  EXPECT_FALSE(loaded.karta->gang_by_instance);
  EXPECT_NE(loaded.karta->minimum.program(), nullptr);
  ASSERT_EQ(loaded.karta->keys.size(), 1U);
  EXPECT_THAT(loaded.karta->keys[0].at, ElementsAre("spec", "parts"));
  EXPECT_THAT(loaded.karta->keys[0].known, ElementsAre("Left", "Right"));
  EXPECT_TRUE(loaded.karta->keys[0].any_case);
  ASSERT_EQ(loaded.karta->objects.size(), 2U);
  EXPECT_EQ(loaded.karta->objects[0].kind, "Pod");
  EXPECT_FALSE(loaded.karta->objects[0].name);
  EXPECT_EQ(loaded.karta->objects[1].group, "x.io");
  EXPECT_NE(loaded.karta->objects[1].name.program(), nullptr);
  EXPECT_NE(loaded.karta->status_reason.program(), nullptr);
  EXPECT_NE(loaded.karta->status_message.program(), nullptr);
  EXPECT_NE(loaded.karta->status_holds.program(), nullptr);
  EXPECT_THAT(loaded.karta->tested_with, ElementsAre("Dig v1", "Dig v2"));
  EXPECT_EQ(loaded.karta->root().counts, Counts::kUnstated);
  EXPECT_EQ(loaded.karta->root().role_name(), "dig");
}

TEST(Extensions, NameObjectsThatCarryACount) {
  Loaded loaded = LoadWith(
      R"('{"components": {"dig": {"childScale": {"group": "mine.example.org", "kind": "Shift",
      "copy": ".d", "replicas": ".r"}}, "crew": {"ownerInstance": ".o"}}}')");
  EXPECT_THAT(loaded.findings, IsEmpty());
  const Component& dig = *loaded.karta->Find("dig");
  ASSERT_EQ(dig.child_scales.size(), 1u);
  EXPECT_TRUE(dig.child_scales[0].IsAbout("mine.example.org", "Shift"));
  EXPECT_FALSE(dig.child_scales[0].is_bounded);
  EXPECT_TRUE(loaded.karta->ReadsChild("mine.example.org", "Shift"));
  EXPECT_FALSE(loaded.karta->ReadsChild("", "Shift"));
  EXPECT_EQ(dig.child_scales[0].replicas.text(), ".r");
  EXPECT_NE(dig.child_scales[0].copy.program(), nullptr);
  EXPECT_NE(loaded.karta->Find("crew")->owner_instance.program(), nullptr);
}

TEST(Extensions, NameSeveralKindsThatCarryACount) {
  Loaded loaded = LoadWith(
      R"('{"components": {"dig": {"childScale": [{"kind": "Shift", "replicas": ".r"},
      {"group": "x.io", "kind": "Plan", "replicas": ".s", "bounded": true}]}}}')");
  EXPECT_THAT(loaded.findings, IsEmpty());
  const Component& dig = *loaded.karta->Find("dig");
  ASSERT_EQ(dig.child_scales.size(), 2u);
  EXPECT_EQ(dig.child_scales[1].replicas.text(), ".s");
  EXPECT_TRUE(dig.child_scales[1].is_bounded);
  EXPECT_TRUE(loaded.karta->ReadsChild("", "Shift"));
  EXPECT_TRUE(loaded.karta->ReadsChild("x.io", "Plan"));
  EXPECT_THAT(FindingsOf(R"('{"components": {"dig": {"childScale": [{"kind": "S"}, 3]}}}')"),
              ElementsAre("error required-field 6:66 {", "error wrong-type 6:81 3"));
}

TEST(Extensions, WantAllThatAChildsCountNeeds) {
  EXPECT_THAT(FindingsOf(R"('{"components": {"dig": {"childScale": {"group": "g"}}}}')"),
              ElementsAre("error required-field 6:51 \"childScale\"",
                          "error required-field 6:51 \"childScale\""));
  EXPECT_THAT(
      FindingsOf(
          R"('{"components": {"dig": {"childScale": {"kind": "S", "replicas": ".", "instance": "."}}}}')"),
      ElementsAre("error extension-value 6:51 \"childScale\""));
  EXPECT_THAT(
      FindingsOf(R"('{"components": {"dig": {"childScale": {"kind": "S", "replicas": ".a |"}}}}')"),
      ElementsAre("error J1 6:96 \""));
}

TEST(Extensions, TellInstancesOfPodsOnlyWhereThereAreInstances) {
  EXPECT_THAT(FindingsOf(R"('{"components": {"crew": {"podInstance": ".x"}}}')"),
              ElementsAre("error extension-value 6:52 \"podInstance\""));
}

TEST(Extensions, MayBeEmpty) { EXPECT_THAT(FindingsOf("'{}'"), IsEmpty()); }

TEST(Extensions, ReportsUnknownNamesInsideTheText) {
  EXPECT_THAT(FindingsOf(R"('{"components": {"crow": {}}}')"),
              ElementsAre("error extension-component 6:43 \"crow\""));
  EXPECT_THAT(FindingsOf(R"('{"components": {"crew": {"rolle": "x"}}}')"),
              ElementsAre("error unknown-field 6:52 \"rolle\""));
  EXPECT_THAT(FindingsOf(R"('{"component": {}}')"),
              ElementsAre("error unknown-field 6:28 \"component\""));
  EXPECT_THAT(FindingsOf(R"('{"component": {}}')", Mode::kLenient),
              ElementsAre("warning unknown-field 6:28 \"component\""));
}

TEST(Extensions, ReportsBadValues) {
  EXPECT_THAT(FindingsOf(R"('{"components": {"crew": {"counts": "group"}}}')"),
              ElementsAre("error extension-value 6:62 \"group\""));
  EXPECT_THAT(FindingsOf(R"('{"components": {"crew": {"counts": 1}}}')"),
              ElementsAre("error extension-value 6:62 1"));
  EXPECT_THAT(FindingsOf(R"('{"components": {"crew": {"role": ""}}}')"),
              ElementsAre("error empty-value 6:52 \"role\""));
  EXPECT_THAT(FindingsOf(R"('{"components": []}')"), ElementsAre("error wrong-type 6:42 ["));
  EXPECT_THAT(FindingsOf(R"('{"objects": {}}')"), ElementsAre("error wrong-type 6:39 {"));
  EXPECT_THAT(FindingsOf(R"('{"objects": [{"group": "x.io"}]}')"),
              ElementsAre("error required-field 6:40 {"));
  EXPECT_THAT(FindingsOf(R"('{"gang": {"subGroupPerRole": 1}}')"),
              ElementsAre("error wrong-type 6:56 1"));
  for (std::string_view at : {"", ".", "spec", ".spec..parts", ".spec."}) {
    EXPECT_THAT(FindingsOf(Cat(R"('{"keys": [{"at": ")", at, R"(", "known": ["a"]}]}')")),
                ElementsAre(Cat("error extension-value 6:44 \"", at, '"')));
  }
  EXPECT_THAT(FindingsOf("3"), ElementsAre("error wrong-type 6:26 3"));
}

// From the expression to the JSON around it to the YAML around that.
TEST(Extensions, PlacesFaultsOfExpressionsThroughBothTexts) {
  EXPECT_THAT(FindingsOf(R"yaml('{"status": {"reason": ".a[\"it''s\"] | lenght"}}')yaml"),
              ElementsAre("error compile 6:66 lenght"));
  EXPECT_THAT(FindingsOf(R"yaml(>-
      {"status": {
      "reason": ".a
      | del(.b)"}})yaml"),
              ElementsAre("error J3 9:9 del"));
  EXPECT_THAT(FindingsOf(R"yaml("{\"status\": {\"reason\": \".a | range(3)\"}}")yaml"),
              ElementsAre("error J4 6:60 range"));
}

TEST(Extensions, PlacesFaultsOfTheJson) {
  EXPECT_THAT(FindingsOf(R"('{"components": nope}')"),
              ElementsAre("error extension-syntax 6:42 nope"));
  EXPECT_THAT(FindingsOf(R"('{"status": {}, "status": {}}')"),
              ElementsAre("error extension-syntax 6:42 \"status\""));
}

}  // namespace
}  // namespace wmap::definition
