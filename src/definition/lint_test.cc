// The rules that try or type expressions. docs/rules.md has an example of each rule; here is what
// they must not tell of, and the places.
#include "definition/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/load.h"

namespace wmap::definition {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A definition, from the fields of its root component besides name and kind, its child components
// and its extensions.
std::string FlowJobKarta(std::string_view root, std::string_view children = "",
                         std::string_view extensions = "{}") {
  return Cat("{apiVersion: run.ai/v1alpha1, kind: Karta,\n metadata: {name: mine, annotations: ",
             "{wmap.dev/extensions: '", extensions, "'}},\n spec: {structureDefinition: ",
             "{rootComponent: {name: flowjob, kind: {group: mine.example.org, version: v2, ",
             "kind: FlowJob},\n", root, "},\n childComponents: [", children, "]}}}");
}

// "id pointer", the pointer without what all have in common.
std::vector<std::string> FindingsOf(std::string_view root, std::string_view children = "") {
  std::vector<std::string> brief;
  LoadOptions options;
  options.thorough = true;
  for (const Loaded& loaded : LoadText(FlowJobKarta(root, children), options)) {
    for (const Finding& finding : loaded.findings) {
      std::string_view pointer = finding.pointer;
      for (std::string_view start :
           {"/spec/structureDefinition/", "rootComponent/statusDefinition/statusMappings/"}) {
        if (pointer.starts_with(start)) pointer.remove_prefix(start.size());
      }
      brief.push_back(Cat(finding.id, ' ', pointer));
    }
  }
  return brief;
}

std::vector<std::string> FindingsOfStatus(std::string_view mappings) {
  return FindingsOf(
      Cat("statusDefinition: {phaseDefinition: {path: .status.phase},",
          " conditionsDefinition: {path: .status.conditions, reasonFieldName: reason},",
          " statusMappings: {", mappings, "}}"));
}

TEST(LintPhases, FindsOnePhaseInTwoStatuses) {
  EXPECT_THAT(
      FindingsOfStatus("running: [{byPhase: Up}], failed: [{byPhase: Down}, {byPhase: Up}]"),
      ElementsAre("phases-overlap failed/1"));
}

TEST(LintPhases, FindsAConditionThatSaysTwoThings) {
  EXPECT_THAT(FindingsOfStatus("running: [{byConditions: [{type: Ready, status: 'True'}]}],"
                               "completed: [{byConditions: [{type: Ready, reason: Over}]}]"),
              ElementsAre("phases-overlap completed/0"));
}

TEST(LintPhases, LeavesConditionsAloneThatAreIndependent) {
  EXPECT_THAT(FindingsOfStatus("running: [{byConditions: [{type: Ready, status: 'True'}]}],"
                               "failed: [{byConditions: [{type: Failed, status: 'True'}]}]"),
              IsEmpty());
}

TEST(LintPhases, LeavesAFallbackAlone) {
  EXPECT_THAT(
      FindingsOfStatus("initializing: [{byExpression: {expression: '(.status.active // 0) == 0',"
                       " expectedResult: 'true'}}], failed: [{byPhase: Down}]"),
      IsEmpty());
}

TEST(LintPhases, LeavesDegradedAlone) {
  EXPECT_THAT(FindingsOfStatus("running: [{byPhase: Up}], degraded: [{byPhase: Up, "
                               "byConditions: [{type: Slow, status: 'True'}]}]"),
              IsEmpty());
}

TEST(LintPhases, FindsWhatIsBothSuspendedAndRunning) {
  EXPECT_THAT(FindingsOfStatus("suspended: [{byExpression: {expression: .spec.suspend // false,"
                               " expectedResult: 'true'}}], running: [{byPhase: Up}]"),
              ElementsAre("running-while-suspended running/0"));
}

TEST(LintPhases, AsksForTheWholeWord) {
  EXPECT_THAT(FindingsOfStatus(
                  "running: [{byExpression: {expression: &state 'if .status.phase == \"Up\" then "
                  "\"up\" elif .spec.suspend == true then \"held\" else \"down\" end',"
                  " expectedResult: up}}], suspended: [{byExpression: {expression: *state,"
                  " expectedResult: held}}], failed: [{byExpression: {expression: *state,"
                  " expectedResult: down}}]"),
              IsEmpty());
}

TEST(LintPhases, IsBounded) {
  // Forty fields, each of which may decide.
  std::string expression;
  for (int i = 0; i < 40; ++i) {
    CatTo(expression, i == 0 ? "" : " and ", ".status.f", i, " == \"v", i, '"');
  }
  EXPECT_THAT(FindingsOfStatus(Cat("running: [{byExpression: {expression: '", expression,
                                   "', expectedResult: 'true'}}], failed: [{byPhase: Down}]")),
              IsEmpty());
}

TEST(LintResults, NamesTheWordThatIsMeant) {
  EXPECT_THAT(FindingsOfStatus("running: [{byExpression: {expression: 'if .a then \"up\" else "
                               "\"down\" end', expectedResult: upp}}]"),
              ElementsAre("never-holds running/0/byExpression/expectedResult"));
}

TEST(LintResults, SaysNothingOfWhatTheObjectSays) {
  EXPECT_THAT(FindingsOfStatus("running: [{byExpression: {expression: .status.state // \"none\","
                               " expectedResult: up}}]"),
              IsEmpty());
}

constexpr std::string_view kStatus = "statusDefinition: {statusMappings: {}}";

std::string Part(std::string_view name, std::string_view selector) {
  return Cat("{name: ", name, ", ownerRef: flowjob, specDefinition: {podTemplateSpecPath: .spec.",
             name, "}, podSelector: {componentTypeSelector: ", selector, "}}");
}

TEST(LintSelectors, FindsAPodOfTwoComponents) {
  std::string parts = Cat(Part("boss", "{keyPath: .metadata.labels.role}"), ", ",
                          Part("crew", "{matchLabels: {role: crew}}"));
  EXPECT_THAT(FindingsOf(kStatus, parts),
              ElementsAre("selectors-overlap childComponents/1/podSelector/componentTypeSelector"));
}

TEST(LintSelectors, LeavesLabelsAloneThatAreIndependent) {
  std::string parts = Cat(Part("boss", "{matchLabels: {job-role: boss}}"), ", ",
                          Part("crew", "{matchLabels: {replica-type: crew}}"));
  EXPECT_THAT(FindingsOf(kStatus, parts), IsEmpty());
}

TEST(Load, TriesNothingUnlessItIsThorough) {
  std::string text = FlowJobKarta(
      "statusDefinition: {phaseDefinition: {path: .p}, statusMappings: {running: [{byPhase: Up}, "
      "{byPhase: Go}], failed: [{byPhase: Up}]}}");
  EXPECT_THAT(LoadText(text)[0].findings, IsEmpty());
}

TEST(Silences, TakeWarningsOut) {
  std::string text = FlowJobKarta(
      "scaleDefinition: {}, statusDefinition: {statusMappings: {}}", "",
      R"({"silenced": [{"rule": "empty-scale", "at": "flowjob", "reason": "to be filled"}]})");
  std::vector<Loaded> all = LoadText(text, {.thorough = true});
  EXPECT_THAT(all[0].findings, IsEmpty());
  ASSERT_EQ(all[0].silenced.size(), 1U);
  EXPECT_EQ(all[0].silenced[0].silenced_because, "to be filled");
}

TEST(Silences, AreAboutOnePlace) {
  std::string text = FlowJobKarta(
      "scaleDefinition: {}, statusDefinition: {statusMappings: {}}", "",
      R"({"silenced": [{"rule": "empty-scale", "at": "/spec/structureDefinition/rootComponent/sc",
                        "reason": "elsewhere"}]})");
  std::vector<std::string> ids;
  std::vector<Loaded> all = LoadText(text, {.thorough = true});
  for (const Finding& finding : all[0].findings) {
    ids.push_back(finding.id);
  }
  EXPECT_THAT(ids, ::testing::UnorderedElementsAre("empty-scale", "unused-silence"));
}

}  // namespace
}  // namespace wmap::definition
