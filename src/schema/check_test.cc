// What authors get wrong is told at the right place; what is right, and what nobody can know, is
// not.
#include "schema/check.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/finding.h"
#include "definition/load.h"
#include "schema/crd.h"
#include "tests/support/reading.h"

namespace wmap::schema {
namespace {

constexpr std::string_view kCrd = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: mine.example.org
  names: {kind: FlowJob, plural: flowjobs}
  versions:
  - name: v2
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [boss]
            properties:
              paused: {type: boolean}
              mode: {type: string, enum: [Once, Always]}
              boss:
                type: object
                required: [template]
                properties:
                  template: {type: object, x-kubernetes-preserve-unknown-fields: true}
              crews:
                type: array
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string}
                    image: {type: string}
                    size: {type: integer}
                    minSize: {type: integer}
                    maxSize: {type: integer}
                    share: {x-kubernetes-int-or-string: true}
                    pod:
                      type: object
                      properties:
                        metadata: {type: object}
                        spec: {type: object, properties: {containers: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}
              shafts:
                type: array
                items: {type: object, properties: {depth: {type: integer}}}
          status:
            type: object
            properties:
              stage: {type: string, enum: [Waiting, Digging, Done]}
              notes:
                type: array
                items:
                  type: object
                  properties:
                    type: {type: string, enum: [Lit, Broken]}
                    status: {type: string}
                    reason: {type: string}
)";

constexpr std::string_view kDefinition = R"(
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: flowjob}
spec:
  structureDefinition:
    rootComponent:
      name: flowjob
      kind: {group: mine.example.org, version: v2, kind: FlowJob}
      statusDefinition:
        phaseDefinition: {path: .status.stage}
        conditionsDefinition: {path: .status.notes}
        statusMappings:
          initializing: [{byPhase: Waiting}]
          running:
          - byPhase: Digging
            byConditions: [{type: Lit, status: "True"}]
          degraded:
          - byExpression: {expression: 'any(.status.notes[]?; .type == "Broken")', expectedResult: "true"}
      suspendDefinition:
        suspendActions: [{path: .spec.paused, value: "true"}]
        resumeActions: [{path: .spec.paused, value: "false"}]
    childComponents:
    - name: boss
      ownerRef: flowjob
      specDefinition: {podTemplateSpecPath: .spec.boss.template}
      scaleDefinition: {replicasPath: "1"}
      podSelector:
        componentTypeSelector: {keyPath: '.metadata.labels["mine.example.org/role"]', value: boss}
    - name: crew
      ownerRef: flowjob
      instanceIdPath: .spec.crews[]?.name
      specDefinition: {podTemplateSpecPath: '.spec.crews[]?.pod'}
      scaleDefinition:
        replicasPath: '.spec.crews[]? | .size // 1'
        minReplicasPath: .spec.crews[]?.minSize
        maxReplicasPath: .spec.crews[]?.maxSize
      podSelector:
        componentTypeSelector: {keyPath: '.metadata.labels["mine.example.org/role"]', value: crew}
        componentInstanceSelector: {idPath: '.metadata.labels["mine.example.org/crew"]'}
)";

// "error missing-field: there is no .spec.crew [did you mean "crews"?]", one a line.
std::string FindingsOf(std::string_view definition) {
  Arena arena;
  BuiltIns built_ins;
  json::Value crd = testing::YamlOrDie(kCrd, arena);
  definition::LoadOptions options;
  options.trusted = true;
  options.further = [&](const definition::Karta& karta, definition::Report& report) {
    Subject subject;
    subject.schema = VersionsOf(crd).front().schema;
    Check(karta, built_ins, subject, report);
  };
  std::vector<std::string> lines;
  for (const definition::Loaded& loaded : definition::LoadText(definition, options)) {
    for (const definition::Finding& finding : loaded.findings) {
      std::string hint = finding.hint.empty() ? std::string() : Cat(" [", finding.hint, ']');
      lines.push_back(Cat(definition::SeverityName(finding.severity), ' ', finding.id, ": ",
                          finding.message, hint));
    }
  }
  return Join(lines, "\n");
}

TEST(Check, FindsNothingInWhatIsRight) { EXPECT_EQ(FindingsOf(kDefinition), ""); }

// One text of the definition replaced.
struct Mistake {
  std::string_view from;
  std::string_view to;
  std::string_view finding;
};

TEST(Check, FindsMistakes) {
  for (const Mistake& mistake : std::vector<Mistake>{
           {".spec.crews[]?.name", ".spec.crew[]?.name",
            "error missing-field: there is no .spec.crew [did you mean \"crews\"?]"},
           {".spec.crews[]?.pod", ".spec.crews[]?.template",
            "error missing-field: there is no .spec.crews[].template "
            "[did you mean .spec.boss.template?]"},
           {".spec.boss.template", ".boss.template",
            "error missing-field: there is no .boss [did you mean .spec.boss?]"},
           {".spec.boss.template}", ".spec.boss}",
            "error wrong-kind: .spec.boss is not a pod template: it has no spec and no metadata"},
           {".spec.crews[]?.pod", ".spec.crews[]?.pod.spec",
            "error wrong-kind: .spec.crews[].pod.spec is not a pod template: it has no spec and no "
            "metadata"},
           {"instanceIdPath: .spec.crews[]?.name", "instanceIdPath: .spec.crews[].name",
            "warning absent-items: .spec.crews may be absent, and then this fails "
            "[write .spec.crews[]? or (.spec.crews // [])]"},
           {".size // 1", ".image // 1",
            "warning wrong-kind: may give a string, and is to give a number of replicas"},
           {".size // 1", ".name",
            "error wrong-kind: gives a string, and is to give a number of replicas"},
           {".size // 1", ".share",
            "warning wrong-kind: may give a string, and is to give a number of replicas"},
           {"'.spec.crews[]? | .size // 1'", "'.spec.shafts[]?.depth'",
            "error wrong-count: gives one result for each item of .spec.shafts, while instances "
            "have one result for each item of .spec.crews"},
           {"replicasPath: \"1\"", "replicasPath: '.spec.crews[]? | .size // 1'",
            "error wrong-count: gives one result for each item of .spec.crews, while the component "
            "has one instance"},
           {"minReplicasPath: .spec.crews[]?.minSize", "minReplicasPath: .spec.crews[]?.maxSize",
            "error swapped-bounds: reads .spec.crews[].maxSize as the minimum"},
           {"instanceIdPath: .spec.crews[]?.name", "instanceIdPath: .spec.crews[]?.image",
            "warning wrong-kind: may give null, and is to give the ids of instances"},
           {"byPhase: Waiting", "byPhase: Wating",
            "error never-matches: the phase is never \"Wating\"; it is one of: Digging, Done, "
            "Waiting [did you mean \"Waiting\"?]"},
           {"type: Lit,", "type: Lid,",
            "error never-matches: the type of a condition is never \"Lid\"; it is one of: Broken, "
            "Lit [did you mean \"Lit\"?]"},
           {".type == \"Broken\"", ".type == \"Borken\"",
            "error never-equal: .status.notes[].type, a string or null: Broken, Lit, is never "
            "\"Borken\""},
           {"expectedResult: \"true\"", "expectedResult: \"yes\"",
            "error never-matches: the result is never \"yes\"; it is one of: true, false"},
           {".spec.paused, value: \"true\"", ".spec.paused, value: '\"true\"'",
            "error wrong-kind: writes a string (\"true\") where a boolean stands"},
           {".spec.paused, value: \"true\"", ".spec.pause, value: \"true\"",
            "error missing-field: there is no .spec.pause [did you mean \"paused\"?]"},
           {".spec.paused, value: \"true\"", ".spec.mode, value: '\"Never\"'",
            "error never-matches: what is written is never \"Never\"; it is one of: Always, Once"},
           {".status.stage", ".status.notes",
            "error wrong-kind: gives an array or null, and is to give a phase"},
           {"conditionsDefinition: {path: .status.notes}",
            "conditionsDefinition: {path: .status.notes, typeFieldName: what}",
            "error missing-field: there is no .status.notes[].what"},
           {"'.metadata.labels[\"mine.example.org/crew\"]'", "'.metadata.label[\"x\"]'",
            "error missing-field: there is no .metadata.label [did you mean \"labels\"?]"},
       }) {
    std::string text(kDefinition);
    std::size_t at = text.find(mistake.from);
    ASSERT_NE(at, std::string::npos) << mistake.from;
    text.replace(at, mistake.from.size(), mistake.to);
    EXPECT_EQ(FindingsOf(text), mistake.finding) << mistake.from << " -> " << mistake.to;
  }
}

}  // namespace
}  // namespace wmap::schema
