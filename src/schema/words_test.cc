#include "schema/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/load.h"

namespace wmap::schema {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Slip, IsOneLetter) {
  for (std::string_view word : {"Rediness", "Readinness", "Readyness", "Raediness", "readiness"}) {
    EXPECT_TRUE(IsSlip(word, "Readiness")) << word;
    EXPECT_TRUE(IsSlip("Readiness", word)) << word;
  }
  for (std::string_view word : {"Readiness", "Ready", "", "Raedyness", "NotReadiness"}) {
    EXPECT_FALSE(IsSlip(word, "Readiness")) << word;
  }
}

// "word of the finding, where it stands".
std::vector<std::string> FindingsOf(std::string_view group, std::string_view kind,
                                    std::string_view mappings) {
  std::string text =
      Cat("{apiVersion: run.ai/v1alpha1, kind: Karta, metadata: {name: mine}, spec: {",
          "structureDefinition: {rootComponent: {name: root, kind: {group: ", group,
          ", version: v1, kind: ", kind, "}, statusDefinition: {conditionsDefinition: ",
          "{path: .status.conditions}, phaseDefinition: {path: .status.phase}, statusMappings: {",
          mappings, "}}}}}}");
  definition::LoadOptions options;
  options.further = [](const definition::Karta& karta, definition::Report& report) {
    CheckWords(karta, Schema(), {}, report);
  };
  std::vector<std::string> found;
  for (const definition::Loaded& loaded : definition::LoadText(text, options)) {
    for (const definition::Finding& finding : loaded.findings) {
      found.push_back(Cat(finding.id, ' ', finding.hint));
    }
  }
  return found;
}

TEST(Words, KnowWhatOperatorsWereRecordedToWrite) {
  EXPECT_THAT(
      FindingsOf("batch", "Job", "failed: [{byConditions: [{type: Faild, status: 'True'}]}]"),
      ElementsAre("unusual-word did you mean \"Failed\"?"));
  EXPECT_THAT(
      FindingsOf("batch", "Job", "failed: [{byConditions: [{type: Sunk, status: 'True'}]}]"),
      IsEmpty());
}

TEST(Words, OfOtherKindsAreNotKnown) {
  EXPECT_THAT(FindingsOf("mine.example", "Pit",
                         "failed: [{byConditions: [{type: Faild, status: 'True'}]}]"),
              IsEmpty());
}

TEST(Words, KnowWhatTheDefinitionSaysTwice) {
  EXPECT_THAT(FindingsOf("mine.example", "Pit",
                         "running: [{byPhase: Digging}], degraded: [{byPhase: Diging}], failed: "
                         "[{byPhase: Caved}, {byExpression: {expression: '.status.phase == "
                         "\"Digging\"', expectedResult: 'no'}}]"),
              ElementsAre("unusual-word did you mean \"Digging\"?"));
}

TEST(Words, OfTheFormatItselfArePhases) {
  EXPECT_THAT(
      FindingsOf("batch", "Job",
                 "failed: [{byExpression: {expression: 'if .status.phase == \"failed\" then "
                 "\"a\" else \"b\" end', expectedResult: a}}]"),
      IsEmpty());
}

}  // namespace
}  // namespace wmap::schema
