#include "workload/pods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/reading.h"

namespace wmap::workload {
namespace {

using testing::FlowJob;
using testing::FlowJobKarta;
using ::testing::HasSubstr;
using testing::Reading;
using testing::YamlOrDie;

constexpr std::string_view kNoStatus = "statusDefinition: {statusMappings: {}}";
constexpr std::string_view kTemplate = "specDefinition: {podTemplateSpecPath: .spec.template}";

// Components "digger" with this type selector and "other" for pods with the label `other`.
std::string TwoComponents(std::string_view type_selector) {
  return FlowJobKarta(kNoStatus, Cat("{name: digger, ownerRef: flowjob, ", kTemplate,
                                     ", podSelector: {componentTypeSelector: {", type_selector,
                                     "}}}, {name: other, ownerRef: flowjob, ", kTemplate,
                                     ", podSelector: {componentTypeSelector: {keyPath: "
                                     ".metadata.labels.other}}}"));
}

std::string RoleOf(std::string_view karta, std::string_view pod,
                   std::string_view spec = "template: {}") {
  return Reading(karta, FlowJob(Cat("spec: {", spec, "}")), Cat("[", pod, "]")).role_of_pod();
}

TEST(TypeSelector, Matches) {
  struct Case {
    std::string_view selector;
    std::string_view pod;
    bool matches;
  };
  constexpr std::string_view kRole = "keyPath: .metadata.labels.role, value: ore";
  constexpr std::string_view kLabels = "matchLabels: {role: ore, app: mine}";
  for (const Case& c : std::to_array<Case>({
           {"keyPath: .metadata.labels.role", "{metadata: {labels: {role: x}}}", true},
           {"keyPath: .metadata.labels.role", "{metadata: {labels: {role: ''}}}", true},
           {"keyPath: .metadata.labels.role", "{metadata: {labels: {}}}", false},
           {"keyPath: .metadata.labels.role", "{}", false},
           {"keyPath: '.metadata.annotations[\"a/b\"]'", "{metadata: {annotations: {a/b: x}}}",
            true},
           {"keyPath: .spec.hostNetwork", "{spec: {hostNetwork: false}}", true},
           {kRole, "{metadata: {labels: {role: ore}}}", true},
           {kRole, "{metadata: {labels: {role: Ore}}}", false},
           {kRole, "{metadata: {labels: {}}}", false},
           {"keyPath: '.spec.containers[0].name', value: ore",
            "{spec: {containers: [{name: ore}]}}", true},
           {"keyPath: .metadata.labels.role, value: 'a\"b, .c # d'",
            "{metadata: {labels: {role: 'a\"b, .c # d'}}}", true},
           {"keyPath: .metadata.labels.role, value: ''", "{metadata: {labels: {role: ''}}}", true},
           {"keyPath: .metadata.labels.role, value: ''", "{metadata: {labels: {}}}", false},
           {"keyPath: .spec.num, value: '0'", "{spec: {num: 0}}", false},
           // Any of the results.
           {"keyPath: '.spec.containers[].name', value: b",
            "{spec: {containers: [{name: a}, {name: b}]}}", true},
           {kLabels, "{metadata: {labels: {role: ore, app: mine}}}", true},
           {kLabels, "{metadata: {labels: {role: ore}}}", false},
           {kLabels, "{metadata: {labels: {role: ore, app: other}}}", false},
           {"matchLabels: {gone: ''}", "{metadata: {labels: {role: ore}}}", false},
           {"matchLabels: {gone: ''}", "{metadata: {labels: {gone: ''}}}", true},
           {"keyPath: .metadata.labels.role, value: ore, matchLabels: {app: mine}",
            "{metadata: {labels: {role: ore, app: mine}}}", true},
           {"keyPath: .metadata.labels.role, value: ore, matchLabels: {app: mine}",
            "{metadata: {labels: {role: ore}}}", false},
           {"keyPath: .metadata.labels.role, value: ore, matchLabels: {app: mine}",
            "{metadata: {labels: {app: mine}}}", false},
           // Without any condition it is nobody's.
           {"", "{metadata: {labels: {role: ore}}}", false},
       })) {
    EXPECT_EQ(RoleOf(TwoComponents(c.selector), c.pod), c.matches ? "digger" : "none")
        << c.selector << " on " << c.pod;
  }
}

// The reference compares with the last alternative only, or drops the comparison (spec §17.10).
TEST(TypeSelector, ComparesWhatTheWholeExpressionGivesUnlikeTheReference) {
  std::string karta =
      TwoComponents("keyPath: '.metadata.labels.new // .metadata.labels.old # either', value: ore");
  EXPECT_EQ(RoleOf(karta, "{metadata: {labels: {new: ore}}}"), "digger");
  EXPECT_EQ(RoleOf(karta, "{metadata: {labels: {old: ore}}}"), "digger");
  EXPECT_EQ(RoleOf(karta, "{metadata: {labels: {new: coal, old: ore}}}"), "none");
}

TEST(TypeSelector, OneThatErrsIsReportedOnceAndTheOthersAreTried) {
  Reading reading(TwoComponents("keyPath: '.metadata.labels | keys | .x'"),
                  FlowJob("spec: {template: {}}"),
                  "[{metadata: {name: a, labels: {other: x}}}, "
                  "{metadata: {name: b, labels: {other: x}}}]");
  EXPECT_EQ(reading.role("other").pods.size(), 2u);
  EXPECT_EQ(reading.codes(), "selector");
  EXPECT_THAT(reading.messages(), HasSubstr("pod a"));
  EXPECT_THAT(reading.messages(), HasSubstr("(and 1 more pod)"));
}

TEST(TypeSelector, OneThatDoesNotParseMatchesNothing) {
  Reading reading(TwoComponents("keyPath: '.metadata.labels['"), FlowJob("spec: {template: {}}"),
                  "[{metadata: {name: a, labels: {other: x}}}, {metadata: {name: b}}]");
  EXPECT_EQ(reading.role("other").pods.size(), 1u);
  EXPECT_EQ(reading.workload().pods_without_role.size(), 1u);
  EXPECT_THAT(reading.codes(), HasSubstr("selector"));
}

TEST(Placing, TheFirstComponentWhoseSelectorMatchesWinsTheRootBeforeItsChildren) {
  std::string karta = FlowJobKarta(
      Cat(kNoStatus, ", ", kTemplate,
          ", podSelector: {componentTypeSelector: {keyPath: .metadata.labels.top}}"),
      Cat("{name: a, ownerRef: flowjob, ", kTemplate,
          ", podSelector: {componentTypeSelector: {keyPath: .metadata.labels.a}}}, "
          "{name: b, ownerRef: flowjob, ",
          kTemplate, ", podSelector: {componentTypeSelector: {keyPath: .metadata.labels.b}}}"));
  EXPECT_EQ(RoleOf(karta, "{metadata: {labels: {a: x, b: x, top: x}}}"), "flowjob");
  EXPECT_EQ(RoleOf(karta, "{metadata: {labels: {a: x, b: x}}}"), "a");
  EXPECT_EQ(RoleOf(karta, "{metadata: {labels: {b: x}}}"), "b");
  EXPECT_EQ(RoleOf(karta, "{metadata: {labels: {c: x}}}"), "none");
}

// The reference gives it every pod (spec §17.9, appendix A17).
TEST(Placing, TheOnlyComponentWithPodsIsHeldToItsSelectorUnlikeInTheReference) {
  std::string karta = FlowJobKarta(
      kNoStatus, Cat("{name: digger, ownerRef: flowjob, ", kTemplate,
                     ", podSelector: {componentTypeSelector: {keyPath: .metadata.labels.role, "
                     "value: ore}}}"));
  EXPECT_EQ(RoleOf(karta, "{metadata: {labels: {role: ore}}}"), "digger");
  Reading reading(karta, FlowJob("spec: {template: {}}"),
                  "[{metadata: {name: p, labels: {role: x}}}]");
  EXPECT_EQ(reading.role_of_pod(), "none");
  ASSERT_EQ(reading.workload().pods_without_role.size(), 1u);
  EXPECT_EQ(reading.workload().totals.pods.observed, 1) << "it still counts for the workload";
  EXPECT_EQ(reading.codes(), "pod-without-role");
  EXPECT_THAT(reading.messages(), HasSubstr("pod p has no role: no selector"));
}

TEST(Placing, AComponentWithoutAnySelectorTakesWhatIsLeft) {
  std::string selector = ", podSelector: {componentTypeSelector: {keyPath: .metadata.labels.a}}";
  std::string rest =
      FlowJobKarta(kNoStatus, Cat("{name: any, ownerRef: flowjob, ", kTemplate,
                                  "}, {name: a, ownerRef: flowjob, ", kTemplate, selector, "}"));
  EXPECT_EQ(RoleOf(rest, "{metadata: {labels: {a: x}}}"), "a");
  EXPECT_EQ(RoleOf(rest, "{}"), "any");
  std::string two =
      FlowJobKarta(kNoStatus, Cat("{name: any, ownerRef: flowjob, ", kTemplate,
                                  "}, {name: b, ownerRef: flowjob, ", kTemplate, "}"));
  Reading reading(two, FlowJob("spec: {template: {}}"), "[{metadata: {name: p}}]");
  EXPECT_EQ(reading.role_of_pod(), "none");
  EXPECT_THAT(reading.messages(), HasSubstr("several components might be its"));
}

// One component with instances; `id_path` tells them apart on pods.
std::string Crews(std::string_view id_path, std::string_view more = "") {
  return FlowJobKarta(kNoStatus,
                      Cat("{name: crew, ownerRef: flowjob, instanceIdPath: '.spec.crews[]', "
                          "specDefinition: {podSpecPath: '.spec.crews[] | {}'}, podSelector: {"
                          "componentInstanceSelector: {idPath: ",
                          id_path, "}", more, "}}"));
}

TEST(Instances, AreToldByOneValueOnThePod) {
  struct Case {
    std::string_view id_path;
    std::string_view pod;
    std::string_view role;
  };
  constexpr std::string_view kLabel = ".metadata.labels.crew";
  for (const Case& c : std::to_array<Case>({
           {kLabel, "{metadata: {labels: {crew: haul}}}", "haul"},
           {".metadata.annotations.crew", "{metadata: {annotations: {crew: '3'}}}", "3"},
           {"'.spec.containers[0].env[] | select(.name == \"CREW\") | .value'",
            "{spec: {containers: [{env: [{name: A, value: b}, {name: CREW, value: haul}]}]}}",
            "haul"},
           {"'.metadata.labels.crew | tonumber'", "{metadata: {labels: {crew: '3'}}}", "3"},
           {"'.metadata.labels.crew | tonumber'", "{metadata: {labels: {crew: '1234567'}}}",
            "1234567"},
           {kLabel, "{metadata: {labels: {crew: gone}}}", "none"},
           {kLabel, "{metadata: {labels: {crew: ''}}}", "none"},
           {kLabel, "{metadata: {labels: {}}}", "none"},
           {"'.metadata.labels[]'", "{metadata: {labels: {a: haul, b: haul}}}", "none"},
           {"'.metadata.labels'", "{metadata: {labels: {a: haul}}}", "none"},
           {"'empty'", "{}", "none"},
           {"'.spec | error'", "{}", "none"},
       })) {
    EXPECT_EQ(RoleOf(Crews(c.id_path), c.pod, "crews: [haul, '3', '1234567']"), c.role)
        << c.id_path << " on " << c.pod;
  }
}

TEST(Instances, OneThatTheObjectDoesNotHaveIsNamedWithThoseItHas) {
  Reading reading(Crews(".metadata.labels.crew"), FlowJob("spec: {crews: [haul, sort]}"),
                  "[{metadata: {name: p, labels: {crew: gone}}}, "
                  "{metadata: {name: q, labels: {crew: lost}}}]");
  EXPECT_EQ(reading.codes(), "unknown-instance");
  EXPECT_THAT(reading.messages(),
              HasSubstr("pod p has no role: its instance \"gone\" of component \"crew\" is not in "
                        "the object, which has haul, sort"));
  EXPECT_THAT(reading.messages(), HasSubstr("(and 1 more pod)"));
  EXPECT_EQ(reading.workload().pods_without_role.size(), 2u);
}

// Names of objects are in lower case whatever the workload says.
TEST(Instances, AreFoundInOtherLettersWhereOnlyOneCanBeMeant) {
  std::string karta = Crews(".metadata.labels.crew");
  constexpr std::string_view kSpec = "crews: [Haul, sort, Sort]";
  EXPECT_EQ(RoleOf(karta, "{metadata: {labels: {crew: haul}}}", kSpec), "Haul");
  EXPECT_EQ(RoleOf(karta, "{metadata: {labels: {crew: Sort}}}", kSpec), "Sort");
  EXPECT_EQ(RoleOf(karta, "{metadata: {labels: {crew: SORT}}}", kSpec), "none");
}

TEST(Instances, WithoutASelectorASingleInstanceTakesThePodAndSeveralDoNot) {
  std::string karta = FlowJobKarta(
      kNoStatus,
      "{name: crew, ownerRef: flowjob, instanceIdPath: '.spec.crews[]', specDefinition: "
      "{podSpecPath: '.spec.crews[] | {}'}}");
  EXPECT_EQ(RoleOf(karta, "{}", "crews: [haul]"), "haul");
  EXPECT_EQ(RoleOf(karta, "{}", "crews: [haul, sort]"), "none");
}

TEST(Instances, SelectAmongComponentsThatHaveNoTypeSelector) {
  auto crew = [](std::string_view name) {
    return Cat(
        "{name: ", name, ", ownerRef: flowjob, instanceIdPath: '.spec.", name,
        "[]', specDefinition: {podSpecPath: '.spec.", name,
        "[] | {}'}, podSelector: {componentInstanceSelector: {idPath: .metadata.labels.id}}}");
  };
  std::string karta = FlowJobKarta(kNoStatus, Cat(crew("a"), ", ", crew("b")));
  EXPECT_EQ(RoleOf(karta, "{metadata: {labels: {id: second}}}", "a: [x], b: [second, third]"),
            "second");
  EXPECT_EQ(RoleOf(karta, "{metadata: {labels: {id: q}}}", "a: [x], b: [second, third]"), "none");
}

TEST(Copies, AreToldByTheNearestComponentThatHasAReplicaSelector) {
  std::string karta = FlowJobKarta(
      kNoStatus, Cat("{name: group, ownerRef: flowjob, podSelector: {replicaSelector: {keyPath: "
                     ".metadata.labels.group}}}, {name: digger, ownerRef: group, ",
                     kTemplate, "}"));
  EXPECT_EQ(RoleOf(karta, "{metadata: {labels: {group: '1'}}}"), "digger/1");
  Reading reading(karta, FlowJob("spec: {template: {}}"), "[{metadata: {name: p}}]");
  EXPECT_EQ(reading.role_of_pod(), "digger") << "its role is known, its copy is not";
  EXPECT_EQ(reading.codes(), "replica-key");
  std::string own = FlowJobKarta(
      kNoStatus,
      Cat("{name: group, ownerRef: flowjob, podSelector: {replicaSelector: {keyPath: "
          ".metadata.labels.group}}}, {name: digger, ownerRef: group, ",
          kTemplate, ", podSelector: {replicaSelector: {keyPath: .metadata.labels.own}}}"));
  EXPECT_EQ(RoleOf(own, "{metadata: {labels: {group: '1', own: '7'}}}"), "digger/7");
}

TEST(Copies, GatherTheirPodsUnderTheirKeys) {
  std::string karta = FlowJobKarta(
      kNoStatus, Cat("{name: digger, ownerRef: flowjob, ", kTemplate,
                     ", podSelector: {replicaSelector: {keyPath: .metadata.labels.g}}}"));
  Reading reading(karta, FlowJob("spec: {template: {}}"),
                  "[{metadata: {name: a, labels: {g: '1'}}}, {metadata: {name: b, labels: "
                  "{g: '0'}}}, {metadata: {name: c, labels: {g: '1'}}}]");
  const auto& replicas = reading.workload().components.at(0).instances.at(0).replicas;
  ASSERT_EQ(replicas.size(), 2u);
  EXPECT_EQ(replicas[0].key, "0");
  EXPECT_EQ(replicas[1].key, "1");
  EXPECT_EQ(replicas[1].pods.size(), 2u);
}

TEST(Claims, AreMadeByTypeSelectorsAndByInstanceIdsWithoutOne) {
  auto claims = [](std::string_view karta_text, std::string_view pod) {
    Reading reading(karta_text, FlowJob("spec: {}"));
    Arena arena;
    PodFacts facts;
    SpentBudgets spent;
    return Claims(reading.karta(), {&facts, YamlOrDie(pod, arena)}, spent);
  };
  std::string typed = TwoComponents("keyPath: .metadata.labels.role, value: ore");
  EXPECT_TRUE(claims(typed, "{metadata: {labels: {role: ore}}}"));
  EXPECT_FALSE(claims(typed, "{metadata: {labels: {role: coal}}}"));
  EXPECT_TRUE(claims(Crews(".metadata.labels.crew"), "{metadata: {labels: {crew: any}}}"));
  EXPECT_FALSE(claims(Crews(".metadata.labels.crew"), "{metadata: {labels: {other: any}}}"));
  EXPECT_FALSE(claims(TwoComponents("keyPath: '.x | error'"), "{metadata: {labels: {role: ore}}}"));
  std::string open =
      FlowJobKarta(kNoStatus, Cat("{name: any, ownerRef: flowjob, ", kTemplate, "}"));
  EXPECT_FALSE(claims(open, "{}")) << "a component without selectors names no pod";
}

}  // namespace
}  // namespace wmap::workload
