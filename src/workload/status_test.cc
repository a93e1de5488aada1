#include "workload/status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/reading.h"

namespace wmap::workload {
namespace {

using testing::FlowJob;
using testing::FlowJobKarta;
using ::testing::HasSubstr;
using testing::Reading;
using ::testing::StartsWith;

// The definition of the format's examples: names of condition fields of its own.
constexpr std::string_view kOwnFieldNames = R"(statusDefinition: {
  phaseDefinition: {path: .status.stage},
  conditionsDefinition: {path: .status.notes, typeFieldName: what, statusFieldName: is,
                         reasonFieldName: why, messageFieldName: text},
  statusMappings: {
    running: [{byPhase: up}, {byPhase: busy}],
    failed: [{byConditions: [{type: Broken, status: "yes", reason: Cavein}]}]}})";

// The phases of an object with `status` under a definition with these mappings, a phase and
// conditions with the usual names.
Reading Read(std::string_view mappings, std::string_view status) {
  return Reading(FlowJobKarta(Cat("statusDefinition: {phaseDefinition: {path: .status.stage}, ",
                                  "conditionsDefinition: {path: .status.conditions}, ",
                                  "statusMappings: {", mappings, "}}")),
                 FlowJob(Cat("status: {", status, "}")));
}

std::string PhasesOf(std::string_view mappings, std::string_view status) {
  return Read(mappings, status).phases();
}

TEST(Status, PhaseAndConditionsMatchTheMappings) {
  struct Case {
    std::string_view status;
    std::string_view phases;
    std::string_view phase_text;
  };
  for (const Case& c : std::to_array<Case>({
           {"status: {stage: busy}", "Running", "busy"},
           {"status: {stage: up}", "Running", "up"},
           {"status: {stage: odd}", "Undefined", "odd"},
           {"status: {stage: Up}", "Undefined", "Up"},
           {"status: {notes: [{what: Broken, is: 'yes', why: Cavein, text: mud}]}", "Failed", ""},
           {"status: {notes: [{what: Broken, is: 'yes', why: Flood}]}", "Undefined", ""},
           {"status: {notes: [{type: Broken, status: 'yes', reason: Cavein}]}", "Undefined", ""},
           {"status: {notes: []}", "Undefined", ""},
           {"spec: {}", "Undefined", ""},
       })) {
    Reading reading(FlowJobKarta(kOwnFieldNames), FlowJob(c.status));
    EXPECT_EQ(reading.phases(), c.phases) << c.status;
    EXPECT_EQ(reading.workload().status.phase_text, c.phase_text) << c.status;
    EXPECT_EQ(reading.codes(), "") << c.status;
  }
}

TEST(Status, OfSeveralPhasesTheFirstCounts) {
  struct Case {
    std::string_view path;
    std::string_view status;
    std::string_view phases;
  };
  for (const Case& c : std::to_array<Case>({
           {".status.stages[]", "stages: [up, lost]", "Running"},
           {".status.stages[]", "stages: [odd, up]", "Undefined"},
           {".status.stages[]", "stages: []", "Undefined"},
           {".status.stage // empty", "", "Undefined"},
           {".status.stage", "stage: null", "Undefined"},
           {".status.stage", "stage: ''", "Undefined"},
       })) {
    Reading reading(FlowJobKarta(Cat("statusDefinition: {phaseDefinition: {path: '", c.path,
                                     "'}, statusMappings: {running: [{byPhase: up}], failed: "
                                     "[{byPhase: lost}]}}")),
                    FlowJob(Cat("status: {", c.status, "}")));
    EXPECT_EQ(reading.phases(), c.phases) << c.path << " on " << c.status;
    EXPECT_EQ(reading.codes(), "") << c.path << " on " << c.status;
  }
}

TEST(Status, ConditionsAreListedWithTheirReasonsAndMessages) {
  Reading reading(FlowJobKarta(kOwnFieldNames),
                  FlowJob("status: {notes: [{what: Lit, is: 'yes', why: Power, text: lamps}, "
                          "{what: 3, is: [], why: null}]}"));
  const auto& conditions = reading.workload().status.conditions;
  ASSERT_EQ(conditions.size(), 2u);
  EXPECT_EQ(conditions[0].type, "Lit");
  EXPECT_EQ(conditions[0].status, "yes");
  EXPECT_EQ(conditions[0].reason, "Power");
  EXPECT_EQ(conditions[0].message, "lamps");
  EXPECT_EQ(conditions[1].type, "") << "what is no text counts as missing";
}

TEST(Status, AllPartsOfAMatcherMustHold) {
  struct Case {
    std::string_view matcher;
    std::string_view status;
    bool holds;
  };
  constexpr std::string_view kReady = "byPhase: up, byConditions: [{type: Ready, status: 'True'}]";
  for (const Case& c : std::to_array<Case>({
           {kReady, "stage: up, conditions: [{type: Ready, status: 'True'}]", true},
           {kReady, "stage: up, conditions: [{type: Ready, status: 'False'}]", false},
           {kReady, "stage: up, conditions: []", false},
           {kReady, "stage: up", false},
           {kReady, "conditions: [{type: Ready, status: 'True'}]", false},
           {"byConditions: [{type: A, reason: OOM}]", "conditions: [{type: A}]", false},
           {"byConditions: [{type: A, reason: OOM}]", "conditions: [{type: A, reason: X}]", false},
           {"byConditions: [{type: A, reason: OOM}]", "conditions: [{type: A, reason: OOM}]", true},
           {"byConditions: [{type: A}]", "conditions: [{type: A, status: 'False', reason: X}]",
            true},
           {"byConditions: [{type: A}]", "conditions: [{type: A}]", true},
           {"byConditions: [{type: A, status: 'True'}]", "conditions: [{type: A}]", false},
           {"byConditions: [{type: A}, {type: B}]", "conditions: [{type: A}]", false},
           {"byConditions: [{type: A}, {type: B}]", "conditions: [{type: B}, {type: A}]", true},
           // An empty text asks for nothing.
           {"byConditions: [{type: A, status: '', reason: ''}]", "conditions: [{type: A}]", true},
           {"byConditions: [{type: A, status: '', reason: ''}]",
            "conditions: [{type: A, status: 'False', reason: X}]", true},
           {"byConditions: [{type: A, status: '', reason: ''}]", "conditions: [{type: B}]", false},
           {"byPhase: up, byConditions: [{type: A}], byExpression: {expression: .status.num, "
            "expectedResult: '1'}",
            "stage: up, num: 1, conditions: [{type: A}]", true},
           {"byPhase: up, byConditions: [{type: A}], byExpression: {expression: .status.num, "
            "expectedResult: '1'}",
            "stage: up, num: 1, conditions: [{type: B}]", false},
           {"byPhase: up, byExpression: {expression: .status.num, expectedResult: '1'}",
            "stage: up, num: 1", true},
           {"byPhase: up, byExpression: {expression: .status.num, expectedResult: '1'}",
            "stage: up, num: 2", false},
           {"byPhase: up, byExpression: {expression: .status.num, expectedResult: '1'}", "num: 1",
            false},
       })) {
    EXPECT_EQ(PhasesOf(Cat("running: [{", c.matcher, "}]"), c.status),
              c.holds ? "Running" : "Undefined")
        << c.matcher << " on " << c.status;
  }
}

TEST(Status, OfSeveralConditionsOfOneTypeTheLastCounts) {
  EXPECT_EQ(PhasesOf("running: [{byConditions: [{type: A, status: 'True'}]}]",
                     "conditions: [{type: A, status: 'True'}, {type: A, status: 'False'}]"),
            "Undefined");
}

TEST(Status, AllStatusesThatMatchAreListedInTheOrderOfTheFormat) {
  EXPECT_EQ(PhasesOf("initializing: [{byConditions: [{type: Waits}]}], running: [{byPhase: up}]",
                     "stage: up, conditions: [{type: Waits}]"),
            "Running, Initializing");
  EXPECT_EQ(PhasesOf("degraded: [{byPhase: x}], initializing: [{byPhase: x}], "
                     "completed: [{byPhase: x}], failed: [{byPhase: x}], running: [{byPhase: x}], "
                     "suspended: [{byPhase: x}], suspending: [{byPhase: x}], "
                     "resuming: [{byPhase: x}]",
                     "stage: x"),
            "Resuming, Suspending, Suspended, Running, Failed, Completed, Initializing, Degraded");
}

TEST(Status, AnExpressionsFirstResultIsComparedAsText) {
  struct Case {
    std::string_view expression;
    std::string_view expected;
    std::string_view status;
    bool holds;
  };
  for (const Case& c : std::to_array<Case>({
           {".status.stage", "up", "stage: up", true},
           {".status.stage == \"up\"", "true", "stage: up", true},
           {".status.stage == \"up\"", "false", "stage: down", true},
           {".status.conditions | length", "1", "conditions: [{}]", true},
           {".status.stage", "up \"now\"", "stage: up", false},
           {".status.stage", "up \"now\"", "stage: up \"now\"", true},
           {".status.gone", "true", "stage: up", false},
           {".status.gone", "null", "stage: up", true},
           {".status.xs[]", "1", "xs: [2, 1]", false},
           {".status.xs[]", "2", "xs: [2, 1]", true},
           {".status.xs[]", "1", "xs: []", false},
           {".status.num", "3", "num: 3.0", true},
           {".status.num", "1.1", "num: 1.10", true},
           {".status.num", "1e+21", "num: 1000000000000000000000", true},
           {".status.num", "9007199254740993", "num: 9007199254740993", true},
           {".status.o", "{\"a\":[1,null],\"b\":true}", "o: {b: true, a: [1, null]}", true},
           // The text of the definition is compared, not evaluated.
           {".status.stage", "\\(1)", "stage: \"1\"", false},
           // A comment at the end swallows nothing.
           {".status.stage # the stage", "up", "stage: up", true},
       })) {
    std::string quoted;
    for (char ch : c.expression) quoted += ch == '\'' ? std::string("''") : std::string(1, ch);
    EXPECT_EQ(PhasesOf(Cat("running: [{byExpression: {expression: '", quoted,
                           "', expectedResult: '", c.expected, "'}}]"),
                       c.status),
              c.holds ? "Running" : "Undefined")
        << c.expression << " on " << c.status;
  }
}

// The reference loses the whole status (spec §17.15).
TEST(Status, AMatcherThatErrsLosesItselfAloneUnlikeTheReference) {
  Reading reading = Read(
      "running: [{byExpression: {expression: '.status.stage | keys', expectedResult: x}}, "
      "{byPhase: up}], failed: [{byExpression: {expression: '.spec.xs[]', expectedResult: x}}]",
      "stage: up");
  EXPECT_EQ(reading.phases(), "Running");
  EXPECT_EQ(reading.codes(), "status status");
  EXPECT_THAT(reading.messages(), StartsWith("matcher running[0]: "));
  EXPECT_THAT(reading.messages(), HasSubstr("matcher failed[0]: "));
  EXPECT_EQ(reading.workload().status.matched, "running[1]");
}

TEST(Status, AMatcherWhoseExpressionDoesNotCompileLosesItselfAlone) {
  Reading reading =
      Read("running: [{byExpression: {expression: '.a |', expectedResult: x}}, {byPhase: up}]",
           "stage: up");
  EXPECT_EQ(reading.phases(), "Running");
  EXPECT_THAT(reading.codes(), HasSubstr("status"));
}

// The reference says that it always holds (spec §17.8).
TEST(Status, AnEmptyMatcherNeverMatchesUnlikeTheReference) {
  EXPECT_EQ(PhasesOf("failed: [{}], running: [{byPhase: up}]", "stage: up"), "Running");
  EXPECT_EQ(PhasesOf("failed: [{byConditions: []}], running: [{byPhase: up}]", "stage: up"),
            "Running");
  EXPECT_EQ(PhasesOf("failed: [{byPhase: ''}], running: [{byPhase: up}]", "stage: up"), "Running");
  EXPECT_EQ(PhasesOf("failed: [{byExpression: {expression: '', expectedResult: ''}}], "
                     "running: [{byPhase: up}]",
                     "stage: up"),
            "Running");
}

TEST(Status, APhaseOfAnotherTypeIsReportedAndNothingElseIsLost) {
  Reading reading = Read("running: [{byConditions: [{type: Up}]}], failed: [{byPhase: '3'}]",
                         "stage: 3, conditions: [{type: Up}]");
  EXPECT_EQ(reading.phases(), "Running");
  EXPECT_EQ(reading.codes(), "status");
  EXPECT_THAT(reading.messages(), HasSubstr("expected a string, found number"));
}

TEST(Status, ConditionsThatAreNoArrayAreReportedOnce) {
  Reading reading(FlowJobKarta("statusDefinition: {phaseDefinition: {path: .status.stage}, "
                               "conditionsDefinition: {path: '.status.conditions[]'}, "
                               "statusMappings: {running: [{byPhase: up}]}}"),
                  FlowJob("status: {stage: up, conditions: [{type: A}, {type: B}]}"));
  EXPECT_EQ(reading.phases(), "Running");
  EXPECT_EQ(reading.codes(), "status");
  EXPECT_THAT(reading.messages(), HasSubstr("expected an array of conditions, found object"));
}

TEST(Status, SeveralListsOfConditionsAreOneList) {
  Reading reading(FlowJobKarta("statusDefinition: {conditionsDefinition: {path: '.status.xs[]'}, "
                               "statusMappings: {running: [{byConditions: [{type: B}]}]}}"),
                  FlowJob("status: {xs: [[{type: A}], null, [{type: B}]]}"));
  EXPECT_EQ(reading.phases(), "Running");
  EXPECT_EQ(reading.workload().status.conditions.size(), 2u);
}

TEST(Status, TheReasonIsThatOfTheConditionBehindTheHeadline) {
  Reading reading = Read("failed: [{byConditions: [{type: Failed, status: 'True'}]}]",
                         "conditions: [{type: Ready, status: 'False', reason: No}, "
                         "{type: Failed, status: 'True', reason: Cavein, message: mud}]");
  EXPECT_EQ(reading.workload().status.reason, "Cavein");
  EXPECT_EQ(reading.workload().status.message, "mud");
  EXPECT_EQ(reading.workload().status.matched, "failed[0]");
}

TEST(Status, TheExtensionSaysTheReasonAndTheMessage) {
  Reading reading(
      FlowJobKarta("statusDefinition: {phaseDefinition: {path: .status.stage}, "
                   "statusMappings: {running: [{byPhase: up}]}}",
                   "", R"({"status": {"reason": ".status.why, .status.also", "message": ".x[]"}})"),
      FlowJob("status: {stage: up, also: because}"));
  EXPECT_EQ(reading.workload().status.reason, "because");
  EXPECT_EQ(reading.workload().status.message, "");
  EXPECT_EQ(reading.codes(), "expression");
}

TEST(Status, AnObjectBehindItsGenerationIsStaleAndOneBeingDeletedSaysSo) {
  std::string karta = FlowJobKarta("statusDefinition: {statusMappings: {}}");
  auto read = [&](std::string_view metadata, std::string_view status) {
    return Reading(karta, Cat("{apiVersion: mine.example.org/v2, kind: FlowJob, metadata: {name: a",
                              metadata, "}, status: {", status, "}}"))
        .workload()
        .status;
  };
  EXPECT_TRUE(read(", generation: 3", "observedGeneration: 2").stale);
  EXPECT_FALSE(read(", generation: 3", "observedGeneration: 3").stale);
  EXPECT_FALSE(read(", generation: 3", "").stale);
  EXPECT_FALSE(read("", "observedGeneration: 2").stale);
  EXPECT_TRUE(read(", deletionTimestamp: '2026-11-30T04:00:00Z'", "").deleting);
  EXPECT_FALSE(read("", "").deleting);
}

}  // namespace
}  // namespace wmap::workload
