#include "definition/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/scalar_source.h"
#include "json/reader.h"
#include "tests/support/worked_example.h"
#include "yaml/reader.h"

namespace wmap::definition {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kWorkedExample;

// The definition that every faulty one below is a change of. Line numbers of the tests count in it.
constexpr std::string_view kGood = R"(apiVersion: run.ai/v1alpha1
kind: Karta
metadata:
  name: mine-example-org-dig-v1
spec:
  structureDefinition:
    rootComponent:
      name: dig
      kind: {group: mine.example.org, version: v1, kind: Dig}
      statusDefinition:
        phaseDefinition: {path: .status.stage}
        conditionsDefinition: {path: .status.conditions, reasonFieldName: why}
        statusMappings:
          running:
          - byPhase: digging
          failed:
          - byConditions: [{type: Broken, status: "True", reason: Cavein}]
          degraded:
          - byExpression: {expression: .status.lost > 0, expectedResult: "true"}
      suspendDefinition:
        suspendActions: [{path: .spec.paused, value: "true"}]
        resumeActions: [{path: .spec.paused, value: "false"}]
    childComponents:
    - name: boss
      ownerRef: dig
      kind: {group: "", version: v1, kind: Pod}
      specDefinition: {podTemplateSpecPath: .spec.boss}
      scaleDefinition: {replicasPath: "1"}
      podSelector:
        componentTypeSelector: {keyPath: .metadata.labels.role, value: boss}
    - name: crew
      ownerRef: dig
      instanceIdPath: .spec.crews[].name
      specDefinition: {podSpecPath: ".spec.crews[].pod"}
      scaleDefinition: {replicasPath: ".spec.crews[] | .size // 1"}
      podSelector:
        componentTypeSelector: {keyPath: .metadata.labels.role, value: crew}
        componentInstanceSelector: {idPath: .metadata.labels.crew}
  optimizationInstructions:
    gangScheduling:
      podGroup:
        name: all
        subGroups: [{componentName: boss}]
      podGroups:
      - name: every
        members:
        - componentName: dig
          groupByKeyPaths: [.metadata.labels.job]
          filters: ['.metadata.labels | has("job")']
)";

struct Change {
  std::string_view from;
  std::string_view to;
};

std::string Changed(const std::vector<Change>& changes) {
  std::string text(kGood);
  for (const Change& change : changes) {
    std::size_t at = text.find(change.from);
    EXPECT_NE(at, std::string::npos) << change.from;
    if (at != std::string::npos) text.replace(at, change.from.size(), change.to);
  }
  return text;
}

Loaded LoadOne(std::string_view text, Mode mode = Mode::kStrict) {
  LoadOptions options;
  options.mode = mode;
  options.source = "a.yaml";
  std::vector<Loaded> all = LoadText(text, options);
  EXPECT_EQ(all.size(), 1U);
  return all.empty() ? Loaded() : std::move(all.front());
}

// "error V7 17:17 boos": with what is underlined, in the order of the findings.
std::vector<std::string> Brief(const std::vector<Finding>& findings, std::string_view text) {
  std::vector<std::string> brief;
  for (const Finding& f : findings) {
    std::size_t at = OffsetOf(text, f.place).value_or(text.size());
    brief.push_back(Cat(SeverityName(f.severity), ' ', f.id, ' ', f.place.line, ':', f.place.column,
                        ' ', text.substr(at, f.width)));
  }
  return brief;
}

std::vector<std::string> BriefOf(const std::vector<Change>& changes, Mode mode = Mode::kStrict) {
  std::string text = Changed(changes);
  return Brief(LoadOne(text, mode).findings, text);
}

TEST(Load, TakesAGoodDefinitionWithoutAnyFinding) {
  Loaded loaded = LoadOne(kGood);
  EXPECT_EQ(Render(loaded.findings, kGood), "");
  ASSERT_NE(loaded.karta, nullptr);
  EXPECT_TRUE(loaded.karta->is_valid);
}

TEST(Load, ReadsEveryField) {
  Loaded loaded = LoadOne(kGood);
  ASSERT_NE(loaded.karta, nullptr);
  const Karta& karta = *loaded.karta;
  EXPECT_EQ(karta.name, "mine-example-org-dig-v1");
  EXPECT_EQ(karta.source, "a.yaml");
  EXPECT_EQ(karta.kind(), (GroupVersionKind{"mine.example.org", "v1", "Dig"}));
  ASSERT_EQ(karta.components.size(), 3U);
  const Component& root = karta.root();
  EXPECT_TRUE(root.is_root());
  EXPECT_FALSE(root.bears_pods());
  EXPECT_THAT(root.children, ElementsAre(1, 2));
  EXPECT_EQ(root.status->phase.text(), ".status.stage");
  EXPECT_EQ(root.status->matchers(Status::kRunning)[0].by_phase, "digging");
  EXPECT_EQ(root.status->matchers(Status::kFailed)[0].by_conditions[0].reason, "Cavein");
  EXPECT_EQ(root.status->matchers(Status::kDegraded)[0].by_expression->result, "true");
  EXPECT_EQ(root.suspend->resume_actions[0].value, "false");
  const Component& crew = *karta.Find("crew");
  EXPECT_EQ(crew.parent, 0U);
  EXPECT_TRUE(crew.bears_pods());
  EXPECT_TRUE(crew.has_instances());
  EXPECT_EQ(crew.pod_selector->instance_id.text(), ".metadata.labels.crew");
  EXPECT_EQ(*crew.type_selector()->value, "crew");
  EXPECT_EQ(crew.scale->replicas.pointer(),
            "/spec/structureDefinition/childComponents/1/scaleDefinition/replicasPath");
  EXPECT_NE(crew.scale->replicas.program(), nullptr);
  EXPECT_THAT(karta.PodBearing(), ElementsAre(1, 2));
  EXPECT_EQ(karta.gang->pod_group->sub_groups[0].component, "boss");
  EXPECT_EQ(karta.gang->pod_groups[0].members[0].filters[0].text(),
            ".metadata.labels | has(\"job\")");
}

// Spec 9.3: files get the defaults that an API server fills in, also for an explicit null.
TEST(Load, AppliesTheDefaultsOfTheSchema) {
  Loaded loaded =
      LoadOne(Changed({{"reasonFieldName: why", "typeFieldName: null"}, {", reason: Cavein", ""}}));
  EXPECT_THAT(loaded.findings, IsEmpty());
  const ConditionsDefinition& conditions = *loaded.karta->root().status->conditions;
  EXPECT_EQ(conditions.type_field, "type");
  EXPECT_EQ(conditions.status_field, "status");
  EXPECT_EQ(conditions.reason_field, "reason");
  EXPECT_EQ(conditions.message_field, "message");
}

struct Case {
  std::string_view what;
  std::vector<Change> changes;
  std::vector<std::string> expected;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.what; }

class Rules : public ::testing::TestWithParam<Case> {};

TEST_P(Rules, AreReportedWithTheirPlace) {
  EXPECT_EQ(BriefOf(GetParam().changes), GetParam().expected);
}

const Case kStructuralRules[] = {
    {"V1 no spec", {{kGood.substr(kGood.find("spec:")), ""}}, {"error V1 1:1 apiVersion"}},
    {"V2", {{"- name: crew", "- name: boss"}}, {"error V2 31:13 boss"}},
    {"V2 with the root", {{"- name: crew", "- name: dig"}}, {"error V2 31:13 dig"}},
    {"V3 no kind",
     {{"kind: {group: mine.example.org, version: v1, kind: Dig}\n      ", ""}},
     {"error V3 7:5 rootComponent"}},
    {"V3 no version",
     {{"version: v1, kind: Dig", "version: \"\", kind: Dig"}},
     {"error V3 9:48 \"\""}},
    {"V3 core kind", {{"group: mine.example.org", "group: \"\""}}, {"error V3 9:21 \"\""}},
    {"V4", {{"name: dig\n", "name: dig\n      ownerRef: \"\"\n"}}, {"error V4 9:7 ownerRef"}},
    {"V5",
     {{kGood.substr(kGood.find("      statusDef"),
                    kGood.find("      suspendDef") - kGood.find("      statusDef")),
       ""}},
     {"error V5 7:5 rootComponent"}},
    {"V6 missing",
     {{"- name: boss\n      ownerRef: dig\n", "- name: boss\n"}},
     {"error V6 24:7 name"}},
    {"V6 empty",
     {{"- name: boss\n      ownerRef: dig", "- name: boss\n      ownerRef: \"\""}},
     {"error V6 25:17 \"\""}},
    {"V7",
     {{"- name: boss\n      ownerRef: dig", "- name: boss\n      ownerRef: crow"}},
     {"error V7 25:17 crow"}},
    {"V8",
     {{"- name: boss\n", "- name: \"\"\n"}, {"componentName: boss", "componentName: crew"}},
     {"error V8 24:7 name"}},
    {"V8 missing",
     {{"- name: boss\n      ownerRef", "- ownerRef"},
      {"componentName: boss", "componentName: crew"}},
     {"error V8 24:7 ownerRef"}},
    {"V9",
     {{"{podTemplateSpecPath: .spec.boss}",
       "{podTemplateSpecPath: .spec.boss, podSpecPath: .spec.pod}"}},
     {"error V9 27:57 podSpecPath"}},
    {"V9 fragmented",
     {{"{podTemplateSpecPath: .spec.boss}",
       "{podSpecPath: .spec.b, fragmentedPodSpecDefinition: {imagePath: .i}}"}},
     {"error V9 27:46 fragmentedPodSpecDefinition"}},
    {"V10",
     {{"        componentInstanceSelector: {idPath: .metadata.labels.crew}\n", ""}},
     {"error V10 33:7 instanceIdPath"}},
    {"V11",
     {{"      instanceIdPath: .spec.crews[].name\n", ""}},
     {"error V11 37:9 componentInstanceSelector"}},
    {"V12",
     {{"{keyPath: .metadata.labels.role, value: boss}", "{}"}},
     {"error V12 30:9 componentTypeSelector"}},
    {"V12 hides V13",
     {{"{keyPath: .metadata.labels.role, value: boss}", "{value: boss}"}},
     {"error V12 30:9 componentTypeSelector"}},
    {"V13",
     {{"{keyPath: .metadata.labels.role, value: boss}", "{value: boss, matchLabels: {a: b}}"}},
     {"error V13 30:33 value"}},
    {"V14 itself",
     {{"- name: crew\n      ownerRef: dig", "- name: crew\n      ownerRef: crew"}},
     {"error V14 32:17 crew"}},
    {"V14 two",
     {{"- name: boss\n      ownerRef: dig", "- name: boss\n      ownerRef: crew"},
      {"- name: crew\n      ownerRef: dig", "- name: crew\n      ownerRef: boss"}},
     {"error V14 25:17 crew"}},
    {"V15", {{"- componentName: dig", "- componentName: digger"}}, {"error V15 47:26 digger"}},
};
INSTANTIATE_TEST_SUITE_P(Structure, Rules, ::testing::ValuesIn(kStructuralRules));

const Case kExpressionRules[] = {
    {"J1", {{"idPath: .metadata.labels.crew", "idPath: .metadata.labels."}}, {"error J1 38:62 }"}},
    {"J2", {{"path: .spec.paused", "path: .spec.paused = 1"}}, {"error J2 21:46 ="}},
    {"J2 inside", {{"path: .status.stage", "path: '[.a |= 1]'"}}, {"error J2 11:38 |="}},
    {"J3",
     {{"groupByKeyPaths: [.metadata.labels.job]", "groupByKeyPaths: [del(.a)]"}},
     {"error J3 48:29 del"}},
    {"J4",
     {{"filters: ['.metadata.labels | has(\"job\")']", "filters: ['any(range(3); true)']"}},
     {"error J4 49:26 range"}},
    {"J5", {{"expression: .status.lost > 0", "expression: 1 + (..)"}}, {"error J5 19:45 .."}},
    {"fields of such names", {{"path: .status.stage", "path: .del.range"}}, {}},
    {"unknown function",
     {{"path: .status.stage", "path: .a | lenght"}},
     {"error compile 11:38 lenght"}},
    {"unknown variable", {{"path: .status.stage", "path: .a | $x"}}, {"error compile 11:38 $x"}},
    {"in a block",
     {{"{path: .status.stage}", "\n          path: |-\n            .a\n            | del(.b)"}},
     {"error J3 14:15 del"}},
    {"in a folded block",
     {{"{path: .status.stage}", "\n          path: >-\n            .a\n\n            | del(.b)"}},
     {"error J3 15:15 del"}},
    {"in quotes with quotes",
     {{"path: .status.stage", "path: '.a[\"it''s\"] | del(.b)'"}},
     {"error J3 11:48 del"}},
    {"in double quotes",
     {{"path: .status.stage", "path: \".a[\\\"x\\\"] | del(.b)\""}},
     {"error J3 11:46 del"}},
};
INSTANTIATE_TEST_SUITE_P(Expressions, Rules, ::testing::ValuesIn(kExpressionRules));

const Case kFieldRules[] = {
    {"unknown field",
     {{"scaleDefinition: {replicasPath: \"1\"}", "scaleDefinitoin: {}"}},
     {"error unknown-field 28:7 scaleDefinitoin"}},
    {"unknown top field", {{"spec:\n", "sepc: 1\nspec:\n"}}, {"error unknown-field 5:1 sepc"}},
    {"unknown status", {{"running:", "runing:"}}, {"error unknown-field 14:11 runing"}},
    {"another case", {{"podSpecPath", "PodSpecPath"}}, {"error field-case 34:24 PodSpecPath"}},
    {"wrong type", {{"value: boss", "value: 3"}}, {"error wrong-type 30:72 3"}},
    {"boolean of YAML", {{"byPhase: digging", "byPhase: on"}}, {"error wrong-type 15:22 on"}},
    {"object for a list",
     {{"subGroups: [{componentName: boss}]", "subGroups: {}"}},
     {"error wrong-type 43:20 {"}},
    {"null",
     {{"scaleDefinition: {replicasPath: \"1\"}", "scaleDefinition: null"}},
     {"error null-field 28:7 scaleDefinition"}},
    {"missing field",
     {{"{path: .spec.paused, value: \"true\"}", "{path: .spec.paused}"}},
     {"error required-field 21:26 {"}},
    {"no actions",
     {{"[{path: .spec.paused, value: \"true\"}]", "[]"}},
     {"error empty-list 21:9 suspendActions"}},
    {"empty labels",
     {{"value: boss}", "value: boss, matchLabels: {}}"}},
     {"error empty-value 30:78 matchLabels"}},
    {"group twice",
     {{"      podGroups:\n", "      podGroups:\n      - {name: every, members: []}\n"}},
     {"error duplicate-entry 46:15 every"}},
    {"filter twice",
     {{"filters: ['.metadata.labels | has(\"job\")']", "filters: [.a, .a]"}},
     {"error duplicate-entry 49:25 .a"}},
    {"no name",
     {{"  name: mine-example-org-dig-v1\n", "  labels: {a: b}\n"}},
     {"error required-field 3:1 metadata"}},
    {"unknown version", {{"run.ai/v1alpha1", "run.ai/v2"}}, {"error api-version 1:13 run.ai/v2"}},
    {"no definition", {{"kind: Karta", "kind: Cart"}}, {"error not-a-definition 2:7 Cart"}},
};
INSTANTIATE_TEST_SUITE_P(Fields, Rules, ::testing::ValuesIn(kFieldRules));

const Case kLints[] = {
    {"empty matcher", {{"- byPhase: digging", "- {}"}}, {"warning empty-matcher 15:13 {"}},
    {"no phase definition",
     {{"        phaseDefinition: {path: .status.stage}\n", ""}},
     {"warning phase-without-definition 14:13 byPhase"}},
    {"no conditions definition",
     {{"        conditionsDefinition: {path: .status.conditions, reasonFieldName: why}\n", ""}},
     {"warning conditions-without-definition 16:13 byConditions"}},
    {"reason without its field",
     {{", reasonFieldName: why", ""}},
     {"warning reason-field-unnamed 17:59 reason"}},
    {"bare condition",
     {{", status: \"True\", reason: Cavein", ""}},
     {"warning bare-condition 17:28 {"}},
    {"no JSON", {{"value: \"true\"", "value: yeah"}}, {"warning action-value 21:54 yeah"}},
    {"no type selector",
     {{"      podSelector:\n        componentTypeSelector: {keyPath: .metadata.labels.role, "
       "value: boss}\n",
       ""}},
     {"warning missing-type-selector 24:7 name"}},
    {"same selector",
     {{"value: boss}", "value: crew}"}},
     {"warning same-selector 37:9 componentTypeSelector"}},
    {"same matchers",
     {{"failed:\n", "completed:\n          - byPhase: digging\n          failed:\n"}},
     {"warning same-matchers 16:11 completed"}},
    {"default after iteration",
     {{"\".spec.crews[] | .size // 1\"", "\".spec.crews[].size // 1\""}},
     {"warning default-after-iteration 35:59 //"}},
    {"default after an optional iteration",
     {{"\".spec.crews[] | .size // 1\"", "\".spec.crews[]?.size // 1 | . * 2\""}},
     {"warning default-after-iteration 35:60 //"}},
    {"another stem",
     {{"podSpecPath: \".spec.crews[].pod\"", "podSpecPath: \".spec.teams[].pod\""}},
     {"warning instance-stem 34:37 \".spec.teams[].pod\""}},
    {"weak operator",
     {{"keyPath: .metadata.labels.role, value: boss", "keyPath: .a // .b, value: boss"}},
     {"warning selector-precedence 30:45 //"}},
    {"strong operator",
     {{"keyPath: .metadata.labels.role, value: boss", "keyPath: (.a // .b), value: boss"}},
     {}},
    {"comment",
     {{"path: .status.stage", "path: '.a # b'"}},
     {"warning trailing-comment 11:37 # b"}},
    {"no path",
     {{"path: .spec.paused", "path: '[.spec.paused]'"}},
     {"warning not-a-path 21:33 '[.spec.paused]'"}},
    {"empty expression",
     {{"replicasPath: \"1\"", "minReplicasPath: \".a\", replicasPath: \"\""}},
     {"warning empty-expression 28:48 replicasPath"}},
    {"empty scale",
     {{"{replicasPath: \"1\"}", "{}"}},
     {"warning empty-scale 28:7 scaleDefinition"}},
    {"empty fragments",
     {{"{podTemplateSpecPath: .spec.boss}", "{fragmentedPodSpecDefinition: {}}"}},
     {"warning empty-fragments 27:24 fragmentedPodSpecDefinition"}},
    {"unknown subgroup",
     {{"subGroups: [{componentName: boss}]", "subGroups: [{componentName: bos}]"}},
     {"warning unknown-component 43:37 bos"}},
    {"group without a name",
     {{"        name: all\n", "        name: \"\"\n"}},
     {"warning empty-value 42:9 name"}},
    {"child kind twice",
     {{"    childComponents:\n",
       "    additionalChildKinds: [{group: \"\", version: v1, kind: Pod}]\n    "
       "childComponents:\n"}},
     {"warning child-kind-twice 23:28 {"}},
};
INSTANTIATE_TEST_SUITE_P(Lints, Rules, ::testing::ValuesIn(kLints));

// A21.
TEST(Load, ReportsOnlyRepeatedNamesWhenThereAreAny) {
  EXPECT_THAT(
      BriefOf({{"- name: boss\n      ownerRef: dig", "- name: boss\n      ownerRef: nobody"},
               {"- name: crew", "- name: boss"},
               {".status.stage", "del(.a)"}}),
      ElementsAre("error V2 31:13 boss"));
}

TEST(Load, ReportsNoCycleBesideAWrongOwner) {
  EXPECT_THAT(
      BriefOf({{"- name: boss\n      ownerRef: dig", "- name: boss\n      ownerRef: nobody"},
               {"- name: crew\n      ownerRef: dig", "- name: crew\n      ownerRef: crew"}}),
      ElementsAre("error V7 25:17 nobody"));
}

TEST(Load, ReportsStructureInstructionsAndExpressionsTogether) {
  EXPECT_THAT(
      BriefOf({{"- name: boss\n      ownerRef: dig", "- name: boss\n      ownerRef: nobody"},
               {"- componentName: dig", "- componentName: nobody"},
               {".status.stage", "del(.a)"}}),
      ElementsAre("error J3 11:33 del", "error V7 25:17 nobody", "error V15 47:26 nobody"));
}

TEST(Load, SaysEmptyMappingsAreFine) {
  std::size_t begin = kGood.find("        phaseDefinition");
  std::size_t end = kGood.find("      suspendDefinition");
  EXPECT_THAT(BriefOf({{kGood.substr(begin, end - begin), "        statusMappings: {}\n"}}),
              IsEmpty());
}

TEST(Load, WarnsOfForeignHabitsInLenientMode) {
  EXPECT_THAT(BriefOf({{"scaleDefinition: {replicasPath: \"1\"}", "scaleDefinitoin: {}"},
                       {"podSpecPath", "PodSpecPath"},
                       {"name: crew\n", "name: crew\n      kind: null\n"}},
                      Mode::kLenient),
              ElementsAre("warning unknown-field 28:7 scaleDefinitoin",
                          "warning null-field 32:7 kind", "warning field-case 35:24 PodSpecPath"));
  Loaded loaded = LoadOne(Changed({{"podSpecPath", "PodSpecPath"}}), Mode::kLenient);
  EXPECT_TRUE(loaded.karta->is_valid);
  EXPECT_EQ(loaded.karta->Find("crew")->spec->pod_spec.text(), ".spec.crews[].pod");
}

TEST(Load, SuggestsTheNearestName) {
  Loaded loaded =
      LoadOne(Changed({{"scaleDefinition: {replicasPath: \"1\"}", "scaleDefinitoin: {}"}}));
  ASSERT_EQ(loaded.findings.size(), 1U);
  EXPECT_EQ(loaded.findings[0].hint, "did you mean \"scaleDefinition\"?");
  loaded = LoadOne(
      Changed({{"- name: crew\n      ownerRef: dig", "- name: crew\n      ownerRef: boos"}}));
  ASSERT_EQ(loaded.findings.size(), 1U);
  EXPECT_EQ(loaded.findings[0].hint, "did you mean \"boss\"?");
}

TEST(Load, TellsThePipeFormOfADefaultAfterAnIteration) {
  Loaded loaded =
      LoadOne(Changed({{"\".spec.crews[] | .size // 1\"", "\".spec.crews[].size // 1\""}}));
  ASSERT_EQ(loaded.findings.size(), 1U);
  EXPECT_EQ(loaded.findings[0].hint, "write .spec.crews[] | .size // 1");
}

TEST(Load, KeepsWhatIsWritableOfAnInvalidDefinition) {
  Loaded loaded = LoadOne(Changed({{".status.stage", "del("}}));
  ASSERT_NE(loaded.karta, nullptr);
  EXPECT_FALSE(loaded.karta->is_valid);
  EXPECT_EQ(loaded.karta->root().status->phase.program(), nullptr);
  EXPECT_NE(loaded.karta->Find("crew")->instance_id_path.program(), nullptr);
}

TEST(Load, HangsComponentsOfACycleBelowTheRoot) {
  Loaded loaded = LoadOne(
      Changed({{"- name: boss\n      ownerRef: dig", "- name: boss\n      ownerRef: crew"},
               {"- name: crew\n      ownerRef: dig", "- name: crew\n      ownerRef: boss"}}));
  ASSERT_NE(loaded.karta, nullptr);
  std::size_t reached = 0;
  std::vector<std::size_t> open = {0};
  while (!open.empty() && reached < 10) {
    std::size_t at = open.back();
    open.pop_back();
    ++reached;
    for (std::size_t child : loaded.karta->components[at].children) {
      EXPECT_EQ(loaded.karta->components[child].parent, at);
      open.push_back(child);
    }
  }
  EXPECT_EQ(reached, 3U);
}

TEST(Load, ReportsAFaultOnceForItsAliases) {
  std::string text = Changed(
      {{"- byPhase: digging", "- byExpression: {expression: &x del(.a), expectedResult: a}"},
       {"failed:\n",
        "completed:\n          - byExpression: {expression: *x, expectedResult: b}\n          "
        "failed:\n"}});
  EXPECT_THAT(Brief(LoadOne(text).findings, text), ElementsAre("error J3 15:43 del"));
}

// An overridden key of a merged mapping is no repeated one, however strict the reading.
TEST(Load, MergedMappingsAreCopiedAndTheOwnKeyWins) {
  std::string text =
      Changed({{"componentTypeSelector: {keyPath: .metadata.labels.role, value: boss}",
                "componentTypeSelector: &type {keyPath: .metadata.labels.role, "
                "value: boss}"},
               {"componentTypeSelector: {keyPath: .metadata.labels.role, value: crew}",
                "componentTypeSelector: {<<: *type, value: crew}"}});
  Loaded loaded = LoadOne(text);
  EXPECT_THAT(Brief(loaded.findings, text), ::testing::IsEmpty());
  ASSERT_NE(loaded.karta, nullptr);
  ASSERT_EQ(loaded.karta->components.size(), 3U);
  const TypeSelector& boss = *loaded.karta->components[1].type_selector();
  const TypeSelector& crew = *loaded.karta->components[2].type_selector();
  EXPECT_EQ(crew.key_path.text(), ".metadata.labels.role");
  EXPECT_EQ(*boss.value, "boss");
  EXPECT_EQ(*crew.value, "crew");
}

TEST(Load, SharesTheProgramOfEqualExpressions) {
  Loaded loaded = LoadOne(kGood);
  const SuspendDefinition& suspend = *loaded.karta->root().suspend;
  EXPECT_EQ(suspend.suspend_actions[0].path.program(), suspend.resume_actions[0].path.program());
}

TEST(Load, ReadsJsonWithPlaces) {
  std::string_view text = R"json({"apiVersion": "run.ai/v1alpha1", "kind": "Karta",
  "metadata": {"name": "x"}, "spec": {"structureDefinition": {"rootComponent": {
    "name": "x", "kind": {"group": "g", "version": "v1", "kind": "X"},
    "statusDefinition": {"phaseDefinition": {"path": ".a[\"b\"] | del(.c)"}, "statusMappings": {}}
}}}})json";
  EXPECT_THAT(Brief(LoadOne(text).findings, text), ElementsAre("error J3 4:67 del"));
}

TEST(Load, ReadsAllDocumentsOfAFile) {
  std::string text =
      Cat(kGood, "---\n# nothing\n---\nkind: Pod\napiVersion: v1\n---\na: [\n---\n", kGood);
  std::vector<Loaded> all = LoadText(text);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_TRUE(all[0].karta->is_valid);
  EXPECT_EQ(all[1].findings[0].id, "not-a-definition");
  EXPECT_EQ(all[1].findings[0].place.line, 53U);
  EXPECT_EQ(all[2].findings[0].id, "syntax");
  EXPECT_TRUE(all[3].karta->is_valid);
}

TEST(Load, ReadsTheItemsOfAListWithTheirPlaces) {
  std::string_view text = R"(apiVersion: v1
kind: List
items:
- apiVersion: run.ai/v1alpha1
  kind: Karta
  metadata: {name: x}
  spec:
    structureDefinition:
      rootComponent:
        name: x
        kind: {group: g, version: v1, kind: X}
        statusDefinition: {phaseDefinition: {path: '.a["b"] | del(.c)'}, statusMappings: {}}
- {apiVersion: v1, kind: Pod}
)";
  std::vector<Loaded> all = LoadText(text);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].karta->name, "x");
  EXPECT_THAT(Brief(all[0].findings, text), ElementsAre("error J3 12:63 del"));
  EXPECT_THAT(Brief(all[1].findings, text), ElementsAre("error not-a-definition 13:26 Pod"));
  EXPECT_EQ(LoadText("{apiVersion: v1, kind: List, items: [{kind: Pod}]}").size(), 1U);
}

TEST(Load, TellsHowToConvertTheOlderKind) {
  Loaded loaded =
      LoadOne("apiVersion: optimization.nvidia.com/v1alpha1\nkind: ResourceInterface\n");
  EXPECT_EQ(loaded.karta, nullptr);
  EXPECT_THAT(loaded.findings[0].hint, HasSubstr("kind: Karta"));
}

TEST(Load, WorksWithoutPlaces) {
  Arena arena;
  auto document = yaml::Read(Changed({{".status.stage", "del(.a)"}}), arena);
  ASSERT_TRUE(document);
  Loaded loaded = Load(*document);
  ASSERT_EQ(loaded.findings.size(), 1U);
  EXPECT_FALSE(loaded.findings[0].place.known());
  EXPECT_EQ(
      Render(loaded.findings[0], ""),
      Cat("/spec/structureDefinition/rootComponent/statusDefinition/phaseDefinition/path: ",
          "error J3: ", loaded.findings[0].message, "\nhint: ", loaded.findings[0].hint, "\n"));
}

// Spec, Appendix D.
TEST(Load, TakesTheWorkedExampleOfTheFormat) {
  Loaded loaded = LoadOne(kWorkedExample);
  EXPECT_EQ(Render(loaded.findings, kWorkedExample), "");
  ASSERT_NE(loaded.karta, nullptr);
  EXPECT_TRUE(loaded.karta->is_valid);
  EXPECT_EQ(loaded.karta->Find("crew")->spec->fragmented->image.text(), ".spec.crews[].image");
}

}  // namespace
}  // namespace wmap::definition
