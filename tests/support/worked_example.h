// The worked example of the definition format: a definition of the kind FlowJob
// (mine.example.org/v2).
#pragma once

#include <string_view>

namespace wmap::testing {

inline constexpr std::string_view kWorkedExample = R"(apiVersion: run.ai/v1alpha1
kind: Karta
metadata:
  name: mine-example-org-flowjob-v2
spec:
  structureDefinition:
    rootComponent:
      name: flowjob
      kind: { group: mine.example.org, version: v2, kind: FlowJob }
      statusDefinition:
        phaseDefinition: { path: .status.stage }
        conditionsDefinition:
          path: .status.notes
          typeFieldName: what
          statusFieldName: is
          reasonFieldName: why
          messageFieldName: text
        statusMappings:
          initializing:
          - byPhase: waiting
          running:
          - byPhase: digging
            byConditions: [ { type: Lit, status: "yes" } ]
          degraded:
          - byExpression:
              expression: '[(.status.crews // {})[] | select(.lost > 0)] | length > 0'
              expectedResult: "true"
          suspended:
          - byExpression: { expression: .spec.paused // false, expectedResult: "true" }
      suspendDefinition:
        suspendActions: [ { path: .spec.paused, value: "true" } ]
        resumeActions: [ { path: .spec.paused, value: "false" } ]
    childComponents:
    - name: boss
      ownerRef: flowjob
      kind: { group: "", version: v1, kind: Pod }
      specDefinition: { podTemplateSpecPath: .spec.boss.template }
      scaleDefinition: { replicasPath: "1" }
      podSelector:
        componentTypeSelector: { keyPath: '.metadata.labels["mine.example.org/role"]', value: boss }
    - name: crew
      ownerRef: flowjob
      kind: { group: "", version: v1, kind: Pod }
      instanceIdPath: .spec.crews | to_entries[] | .key
      specDefinition:
        fragmentedPodSpecDefinition:
          imagePath: .spec.crews[].image
          labelsPath: .spec.crews[].labels
          schedulerNamePath: .spec.crews[].scheduler
      scaleDefinition:
        replicasPath: .spec.crews[] | .size // 1
        minReplicasPath: .spec.crews[].atLeast
      podSelector:
        componentTypeSelector: { keyPath: '.metadata.labels["mine.example.org/role"]', value: crew }
        componentInstanceSelector: { idPath: '.metadata.labels["mine.example.org/crew"]' }
  optimizationInstructions:
    gangScheduling:
      podGroups:
      - name: everything
        members:
        - componentName: flowjob
          groupByKeyPaths: [ '.metadata.labels["mine.example.org/job"]' ]
)";

}  // namespace wmap::testing
