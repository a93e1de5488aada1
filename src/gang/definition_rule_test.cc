#include "gang/definition_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gang/groups.h"
#include "tests/support/reading.h"

namespace wmap::gang {
namespace {

using testing::DieOf;
using ::testing::HasSubstr;
using testing::YamlOrDie;

// The group as one line: "pg-u-1-all min 3" or "pg-u-1 of 2: leader 1, workers of 1 (w-0 2)".
std::string Children(const Plan& plan, std::string_view parent) {
  std::vector<std::string> texts;
  for (const SubGroup& sub : plan.sub_groups) {
    if (sub.parent != parent) continue;
    texts.push_back(sub.min_member ? Cat(sub.name, ' ', *sub.min_member)
                                   : Cat(sub.name, " of ", sub.min_sub_group.value_or(-1), " (",
                                         Children(plan, sub.name), ")"));
  }
  return Join(texts, ", ");
}

std::string Text(const Plan& plan) {
  std::string text = plan.name;
  if (plan.min_member) CatTo(text, " min ", *plan.min_member);
  if (plan.min_sub_group) CatTo(text, " of ", *plan.min_sub_group);
  if (!plan.sub_groups.empty()) CatTo(text, ": ", Children(plan, ""));
  if (plan.pod_sub_group) CatTo(text, "; in ", *plan.pod_sub_group);
  for (const Warning& warning : plan.warnings) CatTo(text, "; warning ", warning.code);
  return text;
}

// A workload of the kind FlowJob with a crew of boss and hands:
//   spec: {boss: 1, hands: {count: 4, min: 2}}
constexpr std::string_view kRoles = R"(
  {name: boss, ownerRef: flowjob, specDefinition: {podTemplateSpecPath: '.spec.template // {}'},
   scaleDefinition: {replicasPath: .spec.boss},
   podSelector: {componentTypeSelector: {keyPath: .metadata.labels.role, value: boss}}},
  {name: hands, ownerRef: flowjob, specDefinition: {podTemplateSpecPath: '.spec.template // {}'},
   scaleDefinition: {replicasPath: .spec.hands.count, minReplicasPath: .spec.hands.min},
   podSelector: {componentTypeSelector: {keyPath: .metadata.labels.role, value: hands}}})";

// A list of teams, each with an id and a size, and nothing but the id on the pods.
constexpr std::string_view kTeams = R"(
  {name: team, ownerRef: flowjob, instanceIdPath: '.spec.teams[].id',
   specDefinition: {podTemplateSpecPath: '.spec.teams[] | .template // {}'},
   scaleDefinition: {replicasPath: '.spec.teams[] | .size'},
   podSelector: {componentInstanceSelector: {idPath: .metadata.labels.team}}})";

class Fixture {
 public:
  Fixture(std::string_view children, std::string_view gang, std::string_view spec,
          std::string_view extensions = "{}") {
    std::string karta =
        testing::FlowJobKarta("statusDefinition: {statusMappings: {}}", children, extensions);
    // Before the closing braces of the structure and of the spec.
    karta.insert(karta.size() - 2,
                 Cat(", optimizationInstructions: {gangScheduling: {", gang, "}}"));
    definition::LoadOptions options;
    options.mode = definition::Mode::kLenient;
    definition::Loaded loaded = definition::Load(YamlOrDie(karta, arena_), options);
    if (loaded.karta == nullptr) DieOf("no definition", karta);
    karta_ = std::move(loaded.karta);
    for (const definition::Finding& finding : loaded.findings) {
      if (finding.severity == definition::Severity::kError) problems_ += finding.message;
    }
    object_ = YamlOrDie(testing::FlowJob(Cat("spec: {", spec, "}")), arena_);
  }

  Fixture& Compat() {
    options_.compat = true;
    return *this;
  }
  Fixture& Expanded() {
    options_.expand_instances = true;
    return *this;
  }

  // The plan of a pod with these labels, or the error.
  std::string Pod(std::string_view labels, std::string_view others = "[]") {
    json::Value list = YamlOrDie(others, arena_);
    std::vector<json::Value> siblings;
    for (const json::Value& each : list.items()) siblings.push_back(PodWith(each));
    expr::Evaluator evaluator(arena_);
    DefinitionRule rule(*karta_, object_, evaluator, options_);
    auto plan = rule.PlanPod(PodWith(YamlOrDie(labels, arena_)), siblings, PlanOfOwner(object_));
    if (!plan) return Cat("error: ", plan.error().Describe());
    return *plan ? Text(**plan) : "alone";
  }

  // All groups, a line for each: "2 x pg-…".
  std::string All(std::string_view pods = "[]") {
    json::Value list = YamlOrDie(pods, arena_);
    std::vector<json::Value> manifests;
    for (const json::Value& labels : list.items()) manifests.push_back(PodWith(labels));
    auto groups = GroupsOf(*karta_, object_, manifests, options_);
    if (!groups) return Cat("error: ", groups.error().Describe());
    std::string text;
    for (const GroupSet& set : groups->groups) {
      CatTo(text, set.copies, set.is_exact ? " x " : "+ x ", Text(set.plan), '\n');
    }
    for (std::size_t pod : groups->loose_pods) CatTo(text, "alone: ", pod, '\n');
    for (const Warning& warning : groups->warnings) CatTo(text, "warning ", warning.message, '\n');
    return text;
  }

  const std::string& problems() const { return problems_; }

 private:
  json::Value PodWith(const json::Value& labels) {
    json::ObjectBuilder metadata;
    metadata.Add("name", json::Value::String("p"));
    metadata.Add("labels", labels);
    json::ObjectBuilder pod;
    pod.Add("metadata", metadata.Finish(arena_));
    return pod.Finish(arena_);
  }

  Arena arena_;
  std::unique_ptr<const definition::Karta> karta_;
  json::Value object_;
  std::string problems_;
  Options options_;
};

constexpr std::string_view kFour = "boss: 1, hands: {count: 4, min: 2}";
constexpr std::string_view kBoth =
    "podGroup: {name: all, subGroups: [{componentName: boss}, {componentName: hands}]}";

TEST(DefinitionRule, WithoutSubgroupsTheMinimumIsThatOfAllRoles) {
  Fixture fixture(kRoles, "podGroup: {name: all}", kFour);
  EXPECT_EQ(fixture.Pod("{role: hands}"), "pg-u-1-all min 3");
  EXPECT_EQ(fixture.Compat().Pod("{role: hands}"), "pg-u-1-all min 3");
}

TEST(DefinitionRule, SubgroupsHaveMinimumsOfTheirOwn) {
  Fixture fixture(kRoles, kBoth, kFour);
  EXPECT_EQ(fixture.Pod("{role: hands}"), "pg-u-1-all of 2: boss 1, hands 2; in hands");
  EXPECT_EQ(fixture.Compat().Pod("{role: boss}"), "pg-u-1-all of 2: boss 1, hands 2; in boss");
}

TEST(DefinitionRule, AMinimumAboveTheReplicasStays) {
  Fixture fixture(kRoles, kBoth, "boss: 1, hands: {count: 1, min: 5}");
  EXPECT_EQ(fixture.Pod("{role: hands}"), "pg-u-1-all of 2: boss 1, hands 5; in hands");
}

TEST(DefinitionRule, ARoleScaledToZeroIsASubgroupThatNeedsNothing) {
  Fixture fixture(kRoles, kBoth, "boss: 1, hands: {count: 0}");
  EXPECT_EQ(fixture.Pod("{role: boss}"), "pg-u-1-all of 2: boss 1, hands 0; in boss");
  EXPECT_THAT(fixture.Compat().Pod("{role: boss}"), HasSubstr("has no minimum"));
}

TEST(DefinitionRule, AMissingCountIsZeroAndTold) {
  Fixture flat(kRoles, "podGroup: {name: all}", "other: 1");
  EXPECT_EQ(flat.Pod("{role: boss}"), "pg-u-1-all min 0; warning unknown-scale");
  EXPECT_EQ(flat.Compat().Pod("{role: boss}"), "pg-u-1-all min 0");
}

TEST(DefinitionRule, APodOfNoSubgroupIsTold) {
  Fixture fixture(kRoles, kBoth, kFour);
  EXPECT_EQ(fixture.Pod("{}"), "pg-u-1-all of 2: boss 1, hands 2; warning no-subgroup");
  EXPECT_EQ(fixture.Compat().Pod("{}"), "pg-u-1-all of 2: boss 1, hands 2");
}

TEST(DefinitionRule, OfSubgroupsThatBothTakeAPodTheFirstGetsIt) {
  Fixture fixture(R"({name: a, ownerRef: flowjob, specDefinition: {podTemplateSpecPath: .spec.t},
      podSelector: {componentTypeSelector: {keyPath: .metadata.labels.any}}},
    {name: b, ownerRef: flowjob, specDefinition: {podTemplateSpecPath: .spec.t},
      podSelector: {componentTypeSelector: {keyPath: .metadata.labels.any}}})",
                  "podGroup: {name: g, subGroups: [{componentName: b}, {componentName: a}]}",
                  "t: {}");
  EXPECT_EQ(fixture.Pod("{any: x}"), "pg-u-1-g of 2: b 1, a 1; in b");
}

TEST(DefinitionRule, WithoutAnyCountPodBearingComponentsCount) {
  constexpr std::string_view kNoScale = R"(
    {name: a, ownerRef: flowjob, specDefinition: {podTemplateSpecPath: .spec.t}},
    {name: b, ownerRef: flowjob, specDefinition: {podTemplateSpecPath: .spec.t}})";
  EXPECT_EQ(Fixture(kNoScale, "podGroup: {name: g}", "t: {}").Compat().Pod("{}"), "pg-u-1-g min 2");
  Fixture fixture(kNoScale, "podGroup: {name: g}", "t: {}");
  EXPECT_EQ(fixture.Pod("{}"), "pg-u-1-g min 2");
}

constexpr std::string_view kNested = R"(
  {name: squad, ownerRef: flowjob, scaleDefinition: {replicasPath: .spec.squads}},
  {name: a, ownerRef: squad, specDefinition: {podTemplateSpecPath: '.spec.t // {}'},
   scaleDefinition: {replicasPath: .spec.a},
   podSelector: {componentTypeSelector: {keyPath: .metadata.labels.a}}},
  {name: b, ownerRef: squad, specDefinition: {podTemplateSpecPath: '.spec.t // {}'},
   scaleDefinition: {replicasPath: .spec.b},
   podSelector: {componentTypeSelector: {keyPath: .metadata.labels.b}}})";

TEST(DefinitionRule, CountsBelowAnOwnerAreMultiplied) {
  Fixture fixture(kNested, "podGroup: {name: g}", "squads: 2, a: 3, b: 4");
  EXPECT_EQ(fixture.Pod("{a: x}"), "pg-u-1-g min 14");
  EXPECT_EQ(fixture.Compat().Pod("{a: x}"), "pg-u-1-g min 14");
}

TEST(DefinitionRule, CountsOfTheWholeWorkloadAreNotMultiplied) {
  Fixture fixture(kNested, "podGroup: {name: g}", "squads: 2, a: 3, b: 4",
                  R"({"components": {"a": {"counts": "workload"}}})");
  EXPECT_EQ(fixture.Pod("{a: x}"), "pg-u-1-g min 11");
}

TEST(DefinitionRule, ZeroIsACountAndNotTheSameAsNone) {
  Fixture none(kNested, "podGroup: {name: g}", "squads: 2, b: 4");
  EXPECT_EQ(none.Pod("{a: x}"), "pg-u-1-g min 8");
  Fixture zero(kNested, "podGroup: {name: g}", "squads: 0, a: 3, b: 4");
  EXPECT_EQ(zero.Pod("{a: x}"), "pg-u-1-g min 0");
  EXPECT_EQ(zero.Compat().Pod("{a: x}"), "pg-u-1-g min 7");
}

TEST(DefinitionRule, InstancesAreOneSubgroupOrOneEach) {
  constexpr std::string_view kGang = "podGroup: {name: g, subGroups: [{componentName: team}]}";
  constexpr std::string_view kTwo = "teams: [{id: Haul, size: 2}, {id: sort, size: 3}]";
  Fixture fixture(kTeams, kGang, kTwo);
  // Only an instance selector tells its pods.
  EXPECT_EQ(fixture.Pod("{team: Haul}"), "pg-u-1-g of 1: team 5; in team");
  EXPECT_EQ(fixture.Expanded().Pod("{team: sort}"),
            "pg-u-1-g of 1: team of 2 (team-haul 2, team-sort 3); in team-sort");
  EXPECT_EQ(fixture.Compat().Pod("{team: sort}"), "pg-u-1-g of 1: team 5");
}

TEST(DefinitionRule, ExpandedInstancesWithOneNameGetAHash) {
  Fixture fixture(kTeams, "podGroup: {name: g, subGroups: [{componentName: team}]}",
                  "teams: [{id: a_b, size: 2}, {id: a.b, size: 0}]",
                  R"({"gang": {"expandInstances": true}})");
  EXPECT_THAT(fixture.Pod("{team: a.b}"),
              ::testing::MatchesRegex("pg-u-1-g of 1: team of 1 .team-a-b 2, "
                                      "team-a-b-[0-9a-f]+ 0.; in team-a-b-[0-9a-f]+"));
}

TEST(DefinitionRule, InstancesOfOneIdAreSubgroupsAllTheSame) {
  constexpr std::string_view kTwice =
      "teams: [{id: a, size: 1}, {id: a, size: 2}, {id: a, size: 3}]";
  Fixture expanded(kTeams, "podGroup: {name: g, subGroups: [{componentName: team}]}", kTwice);
  EXPECT_THAT(expanded.Expanded().All(),
              ::testing::MatchesRegex("1 x pg-u-1-g of 1: team of 3 .team-a 1, team-a-[0-9a-f]+ 2, "
                                      "team-a-[0-9a-f]+ 3.\n"));
  Fixture roles(kTeams, "podGroup: {name: g}", kTwice, R"({"gang": {"subGroupPerRole": true}})");
  EXPECT_THAT(roles.All(), ::testing::MatchesRegex("1 x pg-u-1-g of 3: team-a 1, "
                                                   "team-a-[0-9a-f]+ 2, team-a-[0-9a-f]+ 3\n"));
}

TEST(DefinitionRule, RolesAreSubgroupsWhereTheDefinitionWantsIt) {
  constexpr std::string_view kPerRole = R"({"gang": {"subGroupPerRole": true}})";
  Fixture teams(kTeams, "podGroup: {name: g}",
                "teams: [{id: leader, size: 1}, {id: workers, size: 2}]", kPerRole);
  EXPECT_EQ(teams.Pod("{team: workers}"), "pg-u-1-g of 2: leader 1, workers 2; in workers");
  EXPECT_EQ(teams.Compat().Pod("{team: workers}"), "pg-u-1-g min 3");
  EXPECT_EQ(teams.problems(), "");
  // One role alone needs no subgroup, and one that is scaled to zero is none.
  EXPECT_EQ(Fixture(kTeams, "podGroup: {name: g}",
                    "teams: [{id: leader, size: 0}, {id: workers, size: 2}]", kPerRole)
                .Pod("{team: workers}"),
            "pg-u-1-g min 2");
  Fixture roles(kRoles, "podGroup: {name: g}", kFour, kPerRole);
  EXPECT_EQ(roles.Pod("{role: hands}"), "pg-u-1-g of 2: boss 1, hands 2; in hands");
}

TEST(DefinitionRule, AMinimumOfAllRolesTogetherGoesBeforeSubgroupsPerRole) {
  constexpr std::string_view kMinimum =
      R"({"gang": {"subGroupPerRole": true}, "minimum": ".spec.least"})";
  auto plan = [&](std::string_view spec) {
    return Fixture(kRoles, "podGroup: {name: g}", spec, kMinimum).Pod("{role: hands}");
  };
  EXPECT_EQ(plan("boss: 1, hands: {count: 4}, least: 3"), "pg-u-1-g min 3");
  EXPECT_EQ(plan("boss: 1, hands: {count: 4}, least: 5"),
            "pg-u-1-g of 2: boss 1, hands 4; in hands");
  EXPECT_EQ(plan("boss: 1, hands: {count: 4}"), "pg-u-1-g of 2: boss 1, hands 4; in hands");
  // More than there are would never start.
  EXPECT_EQ(plan("boss: 1, hands: {count: 4}, least: 9"),
            "pg-u-1-g of 2: boss 1, hands 4; in hands");
}

TEST(DefinitionRule, WhatIsMadeLaterIsNotWaitedForBeforeItIsThere) {
  constexpr std::string_view kLater =
      R"({"gang": {"subGroupPerRole": true}, "minimum": ".spec.least",
      "components": {"boss": {"createdLater": ".spec.late == true"}}})";
  Fixture fixture(kRoles, "podGroup: {name: g}", "boss: 1, hands: {count: 4}, late: true", kLater);
  EXPECT_EQ(fixture.Pod("{role: hands}"), "pg-u-1-g of 2: boss 0, hands 4; in hands");
  EXPECT_EQ(fixture.Pod("{role: hands}", "[{role: boss}]"),
            "pg-u-1-g of 2: boss 1, hands 4; in hands");
  EXPECT_EQ(fixture.Pod("{role: boss}"), "pg-u-1-g of 2: boss 1, hands 4; in boss");
  EXPECT_EQ(fixture.All("[{role: hands}]"), "1 x pg-u-1-g of 2: boss 0, hands 4\n");
  Fixture whole(kRoles, "podGroup: {name: g}", "boss: 1, hands: {count: 4}, late: true, least: 5",
                kLater);
  EXPECT_EQ(whole.Pod("{role: hands}"), "pg-u-1-g of 2: boss 0, hands 4; in hands");
}

TEST(DefinitionRule, WhatIsFinishedIsNotWaitedFor) {
  Fixture fixture(kRoles, "podGroup: {name: g}", "boss: 1, hands: {count: 4}, left: 1",
                  R"({"components": {"hands": {"wanted": ".spec.left"}}})");
  EXPECT_EQ(fixture.Pod("{role: hands}"), "pg-u-1-g min 2");
}

TEST(DefinitionRule, WhatIsNotThereCountsNothing) {
  Fixture fixture(kRoles, "podGroup: {name: g}", kFour,
                  R"({"components": {"boss": {"exists": "false"}}})");
  EXPECT_EQ(fixture.Pod("{role: hands}"), "pg-u-1-g min 2");
}

TEST(DefinitionRule, CountsMustBeIntegersAndAsManyAsInstances) {
  auto pod = [](std::string_view spec, bool compat) {
    Fixture fixture(R"({name: team, ownerRef: flowjob, instanceIdPath: '.spec.teams[].id',
        specDefinition: {podTemplateSpecPath: '.spec.teams[] | .template // {}'},
        scaleDefinition: {replicasPath: '.spec.teams[] | .size // empty'}})",
                    "podGroup: {name: g}", spec);
    if (compat) fixture.Compat();
    return fixture.Pod("{}");
  };
  for (bool compat : {false, true}) {
    EXPECT_THAT(pod("teams: [{id: a, size: 1}, {id: b}]", compat), HasSubstr("1 values for 2"));
    EXPECT_THAT(pod("teams: [{id: a, size: '3'}]", compat), HasSubstr("integer"));
    EXPECT_THAT(pod("teams: [{id: a, size: 1.5}]", compat), HasSubstr("integer"));
    EXPECT_EQ(pod("teams: [{id: a, size: 3.0}]", compat), "pg-u-1-g min 3");
  }
}

TEST(DefinitionRule, WhatTheInstructionsNameMustBeThere) {
  for (bool compat : {false, true}) {
    Fixture unknown(kRoles, "podGroup: {name: g, subGroups: [{componentName: bos}]}", kFour);
    Fixture level(kRoles, "podGroup: {name: g, topology: {topologyName: t}}", kFour);
    if (compat) {
      unknown.Compat();
      level.Compat();
    }
    EXPECT_THAT(unknown.Pod("{}"), HasSubstr("\"bos\" is no component"));
    EXPECT_THAT(level.Pod("{}"), HasSubstr("needs a name and a level"));
  }
}

TEST(DefinitionRule, WhatCountsPodsTwiceOrCannotBeAnObjectsNameIsRefused) {
  auto pod = [](std::string_view gang) { return Fixture(kNested, gang, "squads: 2").Pod("{}"); };
  EXPECT_THAT(pod("podGroup: {name: g, subGroups: [{componentName: a}, {componentName: a}]}"),
              HasSubstr("listed twice"));
  EXPECT_THAT(pod("podGroup: {name: g, subGroups: [{componentName: squad}, {componentName: a}]}"),
              HasSubstr("count twice"));
  EXPECT_THAT(pod("podGroup: {name: Bad_Name}"), HasSubstr("definition \"mine\": podGroup.name"));
  EXPECT_THAT(Fixture(kNested, "podGroup: {name: Bad_Name}", "squads: 1").Compat().Pod("{}"),
              HasSubstr("pg-u-1-Bad_Name"));
}

// --- the older form ---------------------------------------------------------------------------

constexpr std::string_view kTwoMembers = R"(podGroups: [{name: crew, members: [
    {componentName: boss, groupByKeyPaths: [.metadata.labels.job]},
    {componentName: hands, groupByKeyPaths: [.metadata.labels.job]}]}])";

TEST(MemberGroups, MembersOfOneGroupAreAddedUp) {
  Fixture fixture(kRoles, kTwoMembers, kFour);
  EXPECT_EQ(fixture.Pod("{role: boss, job: j}"), "pg-u-1-j min 3");
  EXPECT_EQ(fixture.Pod("{role: hands, job: j}"), "pg-u-1-j min 3");
  EXPECT_EQ(fixture.All(), "1 x  min 3\n");
  EXPECT_EQ(fixture.All("[{role: hands, job: j}, {role: boss, job: j}]"), "1 x pg-u-1-j min 3\n");
  fixture.Compat();
  EXPECT_EQ(fixture.Pod("{role: boss, job: j}"), "pg-u-1-j min 1");
  EXPECT_EQ(fixture.Pod("{role: hands, job: j}"), "pg-u-1-j min 2");
}

TEST(MemberGroups, TheRootAsMemberIsTheWholeWorkload) {
  Fixture fixture(kRoles, R"(podGroups: [{name: crew, members: [
      {componentName: flowjob, groupByKeyPaths: [.metadata.labels.job]}]}])",
                  kFour);
  EXPECT_EQ(fixture.Pod("{role: boss, job: j}"), "pg-u-1-j min 3");
  EXPECT_EQ(fixture.Compat().Pod("{role: boss, job: j}"), "pg-u-1-j min 3");
}

TEST(MemberGroups, AMemberBelowAnotherOneIsNotCountedTwice) {
  Fixture fixture(kNested, R"(podGroups: [{name: g, members: [
      {componentName: squad}, {componentName: a}]}])",
                  "squads: 1, a: 3, b: 4");
  EXPECT_EQ(fixture.Pod("{a: x}"), "pg-u-1 min 7");
  EXPECT_EQ(fixture.Pod("{b: x}"), "pg-u-1 min 7");
}

TEST(MemberGroups, APodWithoutAKeyIsAnError) {
  Fixture fixture(kRoles, kTwoMembers, kFour);
  EXPECT_THAT(fixture.Pod("{role: boss}"), HasSubstr("group \"crew\""));
  EXPECT_THAT(fixture.All("[{role: boss}]"), HasSubstr("warning pod p: group"));
  EXPECT_THAT(fixture.Compat().Pod("{role: boss}"), HasSubstr("error"));
}

TEST(MemberGroups, KeysThatCannotBeInANameAreErrors) {
  Fixture fixture(kRoles, kTwoMembers, kFour);
  EXPECT_THAT(fixture.Pod("{role: boss, job: Decode}"), HasSubstr("the key \"Decode\""));
}

TEST(MemberGroups, APodOfNoMemberStartsOnItsOwn) {
  Fixture fixture(kRoles, R"(podGroups: [{name: g, members: [{componentName: boss,
      filters: ['.metadata.labels.vip == "yes"']}]}])",
                  kFour);
  EXPECT_EQ(fixture.Pod("{role: boss}"), "alone");
  EXPECT_EQ(fixture.Pod("{role: hands}"), "alone");
  EXPECT_EQ(fixture.Pod("{role: cook}"), "alone");
  EXPECT_EQ(fixture.All("[{role: boss}, {role: hands}]"), "alone: 0\nalone: 1\n");
  EXPECT_THAT(fixture.Compat().Pod("{role: boss}"), HasSubstr("no member"));
}

TEST(MemberGroups, KeylessGroupsAreToldApartByTheirNames) {
  constexpr std::string_view kKeyless = R"(podGroups: [
      {name: one, members: [{componentName: boss}]},
      {name: Two_, members: [{componentName: hands}]}])";
  Fixture fixture(kRoles, kKeyless, kFour);
  EXPECT_EQ(fixture.Pod("{role: boss}"), "pg-u-1-one min 1");
  EXPECT_EQ(fixture.Pod("{role: hands}"), "pg-u-1-two min 2");
  EXPECT_EQ(fixture.All(), "1 x pg-u-1-one min 1\n1 x pg-u-1-two min 2\n");
  EXPECT_EQ(fixture.Compat().Pod("{role: boss}"), "pg-u-1 min 1");
}

TEST(MemberGroups, FiltersDivideTheCountByPodTemplates) {
  constexpr std::string_view kHalves = R"(podGroups: [
      {name: a, members: [{componentName: team, filters: ['.metadata.labels.half == "a"']}]},
      {name: b, members: [{componentName: team, filters: ['.metadata.labels.half == "b"']}]}])";
  Fixture fixture(kTeams, kHalves, R"(teams: [
      {id: haul, size: 2, template: {metadata: {labels: {half: a}}, spec: {}}},
      {id: sort, size: 4, template: {metadata: {labels: {half: b}}, spec: {}}}])");
  EXPECT_EQ(fixture.Pod("{team: haul, half: a}"), "pg-u-1-a min 2");
  EXPECT_EQ(fixture.Pod("{team: sort, half: b}"), "pg-u-1-b min 4");
  EXPECT_EQ(fixture.All(), "1 x pg-u-1-a min 2\n1 x pg-u-1-b min 4\n");
  EXPECT_EQ(fixture.Compat().Pod("{team: haul, half: a}"), "pg-u-1 min 2");
}

TEST(MemberGroups, AFilterThatReadsWhatTemplatesLackIsTold) {
  constexpr std::string_view kHalves = R"(podGroups: [
      {name: a, members: [{componentName: hands, filters: ['.metadata.labels.half == "a"']}]},
      {name: b, members: [{componentName: hands, filters: ['.metadata.labels.half == "b"']}]}])";
  Fixture fixture(kRoles, kHalves, "boss: 1, hands: {count: 6}");
  EXPECT_EQ(fixture.Pod("{role: hands, half: a}"), "pg-u-1-a min 1; warning undecidable-filter");
  EXPECT_EQ(fixture.Pod("{role: hands, half: b}"), "pg-u-1-b min 1; warning undecidable-filter");
  EXPECT_EQ(fixture.Compat().Pod("{role: hands, half: b}"), "pg-u-1 min 6");
}

constexpr std::string_view kByTeam = R"(podGroups: [{name: g, members: [
    {componentName: team, groupByKeyPaths: [.metadata.labels.team]}]}])";
constexpr std::string_view kTwoTeams = "teams: [{id: leader, size: 1}, {id: workers, size: 2}]";

TEST(MemberGroups, AMemberThatIsKeyedByInstanceCountsThatInstance) {
  Fixture fixture(kTeams, kByTeam, kTwoTeams);
  EXPECT_EQ(fixture.Pod("{team: leader}"), "pg-u-1-leader min 1");
  EXPECT_EQ(fixture.Pod("{team: workers}"), "pg-u-1-workers min 2");
  EXPECT_EQ(fixture.All(), "1 x  min 1\n1 x  min 2\n");
  EXPECT_EQ(fixture.All("[{team: workers}]"), "1 x pg-u-1-workers min 2\n1 x  min 1\n");
  EXPECT_EQ(fixture.Compat().Pod("{team: workers}"), "pg-u-1-workers min 2");
}

TEST(MemberGroups, AnInstanceThatTheObjectDoesNotHaveIsAnError) {
  Fixture fixture(kTeams, kByTeam, kTwoTeams);
  EXPECT_THAT(fixture.Pod("{team: cooks}"), HasSubstr("\"cooks\""));
  EXPECT_THAT(fixture.Compat().Pod("{team: cooks}"), HasSubstr("\"cooks\""));
}

TEST(MemberGroups, KeysThatMakeOneNameAreToldApart) {
  constexpr std::string_view kKeys = R"(podGroups: [{name: g, members: [
      {componentName: flowjob, groupByKeyPaths: [.metadata.labels.a, .metadata.labels.b]}]}])";
  Fixture fixture(kRoles, kKeys, kFour);
  std::string all = fixture.All("[{role: boss, a: x-y, b: z}, {role: boss, a: x, b: y-z}]");
  EXPECT_THAT(all, HasSubstr("pg-u-1-x-y-z min 3"));
  EXPECT_THAT(all,
              HasSubstr(R"(warning pod p: the keys ["x","y-z"] and ["x-y","z"] make one name)"));
}

// Squads of a and b, one group for each squad.
constexpr std::string_view kPerSquad = R"(podGroups: [{name: squad, members: [
    {componentName: each, groupByKeyPaths: [.metadata.labels.squad]}]}])";
constexpr std::string_view kSquads = R"(
  {name: squads, ownerRef: flowjob, scaleDefinition: {replicasPath: .spec.squads}},
  {name: each, ownerRef: squads, scaleDefinition: {replicasPath: '1'}},
  {name: a, ownerRef: each, specDefinition: {podTemplateSpecPath: '.spec.t // {}'},
   scaleDefinition: {replicasPath: .spec.a},
   podSelector: {componentTypeSelector: {keyPath: .metadata.labels.a}}},
  {name: b, ownerRef: each, specDefinition: {podTemplateSpecPath: '.spec.t // {}'},
   scaleDefinition: {replicasPath: .spec.b},
   podSelector: {componentTypeSelector: {keyPath: .metadata.labels.b}}})";
constexpr std::string_view kPerOwner = R"({"gang": {"subGroupPerRole": true}, "components": {
    "each": {"counts": "owner"}, "a": {"counts": "owner"},
    "b": {"counts": "owner", "createdLater": ".spec.late == true"}}})";

TEST(MemberGroups, AGroupForEachCopyOfTheOwner) {
  Fixture fixture(kSquads, kPerSquad, "squads: 3, a: 1, b: 3", kPerOwner);
  EXPECT_EQ(fixture.All(), "3 x  of 2: a 1, b 3\n");
  EXPECT_EQ(fixture.Pod("{a: x, squad: '0'}"), "pg-u-1-0 of 2: a 1, b 3; in a");
  EXPECT_EQ(fixture.Compat().Pod("{a: x, squad: '0'}"), "pg-u-1-0 min 4");
}

TEST(MemberGroups, GroupsBeyondTheCountAreShownAsWell) {
  Fixture fixture(kSquads, kPerSquad, "squads: 2, a: 1, b: 3, late: true", kPerOwner);
  EXPECT_EQ(fixture.All("[{a: x, squad: '0'}, {b: x, squad: '0'}, {a: x, squad: '7'},"
                        " {a: x, squad: '1'}]"),
            "1 x pg-u-1-0 of 2: a 1, b 3\n1 x pg-u-1-7 of 2: a 1, b 0\n"
            "1 x pg-u-1-1 of 2: a 1, b 0\n");
  EXPECT_EQ(fixture.All("[{a: x, squad: '0'}]"),
            "1 x pg-u-1-0 of 2: a 1, b 0\n1 x  of 2: a 1, b 0\n");
  EXPECT_EQ(Fixture(kSquads, kPerSquad, "squads: 0, a: 1, b: 3", kPerOwner).All(), "");
}

TEST(MemberGroups, TheCurrentFormGoesBeforeTheOlderOne) {
  Fixture fixture(kRoles, Cat("podGroup: {name: all}, ", kTwoMembers), kFour);
  EXPECT_EQ(fixture.Pod("{role: boss, job: j}"), "pg-u-1-all min 3");
}

}  // namespace
}  // namespace wmap::gang
