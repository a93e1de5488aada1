#include "workload/copies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/reading.h"

namespace wmap::workload {
namespace {

using testing::FlowJob;
using testing::FlowJobKarta;
using ::testing::HasSubstr;
using testing::Reading;

// Copies of the whole job, each with teams of crews: a team has `replicas` copies of its crews.
constexpr std::string_view kRoot =
    "statusDefinition: {statusMappings: {}}, scaleDefinition: {replicasPath: .spec.copies // 1}";
constexpr std::string_view kTeams = R"(
  {name: team, ownerRef: flowjob, instanceIdPath: '.spec.teams[].name',
   scaleDefinition: {replicasPath: '.spec.teams[].replicas'},
   podSelector: {componentInstanceSelector: {idPath: .metadata.labels.team}}},
  {name: crew, ownerRef: team, instanceIdPath: '.spec.teams[].crews[].name',
   specDefinition: {podSpecPath: '.spec.teams[].crews[].pod'},
   scaleDefinition: {replicasPath: '.spec.teams[].crews[].size'},
   podSelector: {componentInstanceSelector: {idPath: .metadata.labels.crew}}})";
constexpr std::string_view kExtensions = R"({"components": {
  "team": {"counts": "owner", "childScale": {"group": "mine.example.org", "kind": "Team",
    "instance": ".spec.team", "copy": ".spec.copy", "replicas": ".spec.replicas"}},
  "crew": {"counts": "owner", "ownerInstance": ".spec.teams[] | . as $team | .crews[] | $team.name"}}})";

std::string Object(std::string_view copies) {
  return FlowJob(Cat("spec: {copies: ", copies, R"(, teams: [
    {name: dig, replicas: 2, crews: [{name: haul, size: 3, pod: {containers: [{name: m}]}},
                                     {name: lead, size: 1, pod: {containers: [{name: m}]}}]},
    {name: sort, replicas: 1, crews: [{name: sift, size: 5, pod: {containers: [{name: m}]}}]}]})"));
}

std::string Team(std::string_view name, std::string_view spec, std::string_view metadata = "") {
  return Cat("{apiVersion: mine.example.org/v1, kind: Team, metadata: {name: ", name, metadata,
             "}, spec: {", spec, "}}");
}

Reading Read(std::string_view copies, std::string_view children = "[]") {
  return Reading(FlowJobKarta(kRoot, kTeams, kExtensions), Object(copies), std::nullopt, children);
}

TEST(OwnerInstance, InstancesCountWithTheirOwnInstanceOfTheOwner) {
  Reading reading = Read("2");
  EXPECT_EQ(reading.roles(), "haul 12, lead 4, sift 10");
  EXPECT_EQ(reading.codes(), "");
}

TEST(OwnerInstance, DividesTheTree) {
  Reading reading = Read("1");
  const std::vector<Component>& top = reading.workload().components;
  ASSERT_EQ(top.size(), 1u);
  ASSERT_EQ(top[0].instances.size(), 2u);
  const Instance& dig = top[0].instances[0];
  EXPECT_EQ(dig.id, "dig");
  EXPECT_EQ(dig.tally.pods.desired, Count::Exactly(8));
  ASSERT_EQ(dig.children.size(), 1u);
  ASSERT_EQ(dig.children[0].instances.size(), 2u);
  EXPECT_EQ(dig.children[0].instances[1].id, "lead");
  const Instance& sort = top[0].instances[1];
  EXPECT_EQ(sort.tally.pods.desired, Count::Exactly(5));
  ASSERT_EQ(sort.children[0].instances.size(), 1u);
  EXPECT_EQ(sort.children[0].instances[0].id, "sift");
  EXPECT_EQ(reading.workload().totals.pods.desired, Count::Exactly(13));
}

TEST(OwnerInstance, WhatCannotBeReadIsInEveryInstance) {
  std::string karta = FlowJobKarta(kRoot, kTeams, R"({"components": {"team": {"counts": "owner"},
        "crew": {"counts": "owner", "ownerInstance": "\"dig\""}}})");
  Reading reading(karta, Object("1"));
  EXPECT_EQ(reading.roles(), "haul 9, lead 3, sift 15");
  EXPECT_THAT(reading.messages(),
              HasSubstr("ownerInstance of component \"crew\": gives 1 values for 3 instances"));
  karta = FlowJobKarta(kRoot, kTeams, R"({"components": {"team": {"counts": "owner"},
        "crew": {"counts": "owner", "ownerInstance": "\"dig\", \"dug\", null"}}})");
  Reading other(karta, Object("1"));
  EXPECT_EQ(other.roles(), "haul 6, lead 3, sift 15");
  EXPECT_THAT(other.messages(), HasSubstr("\"team\" has no instance \"dug\""));
}

TEST(ChildScale, WinsOverTheObjectAndIsTold) {
  Reading reading = Read("1", Cat("[", Team("t-0-dig", "team: dig, copy: 0, replicas: 3"), "]"));
  EXPECT_EQ(reading.roles(), "haul 9, lead 3, sift 5");
  EXPECT_EQ(reading.codes(), "scale-from-child");
  EXPECT_THAT(reading.messages(),
              HasSubstr("component \"team\", instance \"dig\": 3 replicas by Team t-0-dig, the "
                        "object says 2"));
  EXPECT_EQ(reading.workload().diagnostics[0].severity, Severity::kInfo);
  EXPECT_EQ(reading.role("haul").tally.pods.wanted, Count::Exactly(9));
  EXPECT_EQ(reading.role("haul").tally.pods.min, Count::Exactly(9));
}

TEST(ChildScale, OfTheSameNumberIsNotTold) {
  Reading reading = Read("1", Cat("[", Team("t-0-dig", "team: dig, copy: 0, replicas: 2"), "]"));
  EXPECT_EQ(reading.roles(), "haul 6, lead 2, sift 5");
  EXPECT_EQ(reading.codes(), "");
}

TEST(ChildScale, CopiesWithoutAChildHaveTheObjectsNumber) {
  std::string one = Cat("[", Team("t-1-dig", "team: dig, copy: 1, replicas: 0"), "]");
  EXPECT_EQ(Read("3", one).roles(), "haul 12, lead 4, sift 15") << "2 + 0 + 2 replicas";
  std::string all = Cat("[", Team("t-0-dig", "team: dig, copy: 0, replicas: 4"), ", ",
                        Team("t-1-dig", "team: dig, copy: 1, replicas: 2"), ", ",
                        Team("t-2-dig", "team: dig, copy: 2, replicas: 1"), "]");
  Reading reading = Read("3", all);
  EXPECT_EQ(reading.roles(), "haul 21, lead 7, sift 15");
  EXPECT_THAT(reading.messages(),
              HasSubstr("4 replicas by Team t-0-dig (and another number by 1 more), the object"));
}

TEST(ChildScale, ChildrenThatGoAwaySayNothing) {
  std::string deleted = Cat("[",
                            Team("t-0-dig", "team: dig, copy: 0, replicas: 9",
                                 ", deletionTimestamp: '2026-11-30T00:00:00Z'"),
                            "]");
  EXPECT_EQ(Read("1", deleted).roles(), "haul 6, lead 2, sift 5");
  std::string surplus = Cat("[", Team("t-0-dig", "team: dig, copy: 0, replicas: 1"), ", ",
                            Team("t-1-dig", "team: dig, copy: 1, replicas: 5"), "]");
  EXPECT_EQ(Read("1", surplus).roles(), "haul 3, lead 1, sift 5") << "copy 1 is scaled away";
  EXPECT_EQ(Read("0", surplus).roles(), "haul 0, lead 0, sift 0");
}

TEST(ChildScale, OfAnUnknownInstanceIsToldAndNotCounted) {
  Reading reading = Read("1", Cat("[", Team("t-0-x", "team: x, copy: 0, replicas: 7"), ", ",
                                  Team("t-0-z", "team: z, copy: 0, replicas: 7"), "]"));
  EXPECT_EQ(reading.roles(), "haul 6, lead 2, sift 5");
  EXPECT_EQ(reading.codes(), "child-instance");
  EXPECT_THAT(reading.messages(), HasSubstr("Team t-0-x is about instance \"x\""));
  EXPECT_THAT(reading.messages(), HasSubstr("(and 1 more instance)"));
}

TEST(ChildScale, NullIsSilentAndNonsenseIsTold) {
  for (std::string_view silent :
       {"team: dig, replicas: null", "team: dig", "replicas: 4", "team: null, replicas: 4"}) {
    Reading reading = Read("1", Cat("[", Team("t", silent), "]"));
    EXPECT_EQ(reading.roles(), "haul 6, lead 2, sift 5") << silent;
    EXPECT_EQ(reading.codes(), "") << silent;
  }
  for (std::string_view wrong : {"team: dig, replicas: many", "team: [1], replicas: 4",
                                 "team: dig, replicas: {}", "team: dig, replicas: -1"}) {
    Reading reading = Read("1", Cat("[", Team("t", wrong), ", ", Team("u", wrong), "]"));
    EXPECT_EQ(reading.roles(), "haul 6, lead 2, sift 5") << wrong;
    EXPECT_EQ(reading.codes(), "child-scale") << wrong;
    EXPECT_THAT(reading.messages(), HasSubstr("childScale.")) << wrong;
    EXPECT_THAT(reading.messages(), HasSubstr("Team t: ")) << wrong;
    EXPECT_THAT(reading.messages(), HasSubstr("(and 1 more object)")) << wrong;
  }
}

TEST(ChildScale, OtherKindsAndGroupsAreNotAsked) {
  Reading reading =
      Read("1",
           "[{apiVersion: mine.example.org/v1, kind: Crew, metadata: {name: a}, spec: {team: dig, "
           "replicas: 9}}, {apiVersion: v1, kind: Team, metadata: {name: a}, spec: {team: dig, "
           "replicas: 9}}]");
  EXPECT_EQ(reading.roles(), "haul 6, lead 2, sift 5");
  EXPECT_EQ(reading.codes(), "");
}

// The root and a component whose count is for the whole workload: the sum of what the children say.
constexpr std::string_view kPlain =
    "statusDefinition: {statusMappings: {}}, specDefinition: {podSpecPath: .spec.pod}, "
    "scaleDefinition: {replicasPath: .spec.size, minReplicasPath: .spec.min, maxReplicasPath: "
    ".spec.max}";

TEST(ChildScale, IsSummedOverTheChildrenOfTheWholeWorkload) {
  std::string karta = FlowJobKarta(kPlain, "", R"({"components": {"flowjob": {"childScale": {
    "group": "mine.example.org", "kind": "Team", "replicas": ".spec.replicas"}}}})");
  std::string object = FlowJob("spec: {pod: {containers: [{name: m}]}, size: 2, min: 1, max: 4}");
  std::string children = Cat("[", Team("a", "replicas: 3"), ", ", Team("b", "replicas: 0"), "]");
  Reading reading(karta, object, std::nullopt, children);
  EXPECT_EQ(reading.roles(), "flowjob 3");
  const PodCounts& pods = reading.workload().totals.pods;
  EXPECT_EQ(pods.min, Count::Exactly(1)) << "a bound never stands above the count";
  EXPECT_EQ(pods.max, Count::Exactly(8)) << "each may grow";
  EXPECT_EQ(Reading(karta, object).roles(), "flowjob 2");
}

TEST(ChildScale, AnUnknownNumberOfTheObjectIsKnownFromTheChild) {
  std::string karta = FlowJobKarta(kPlain, "", R"({"components": {"flowjob": {"childScale": {
    "group": "mine.example.org", "kind": "Team", "replicas": ".spec.replicas"}}}})");
  std::string object = FlowJob("spec: {pod: {containers: [{name: m}]}, size: -1}");
  EXPECT_EQ(Reading(karta, object).roles(), "flowjob ?");
  Reading reading(karta, object, std::nullopt, Cat("[", Team("a", "replicas: 3"), "]"));
  EXPECT_EQ(reading.roles(), "flowjob 3");
  EXPECT_THAT(reading.messages(), HasSubstr("the object says ?"));
}

// Two kinds that carry the count, of which the first is asked first.
constexpr std::string_view kTwoKinds = R"({"components": {"flowjob": {"childScale": [
    {"group": "mine.example.org", "kind": "Shift", "replicas": ".spec.replicas"},
    {"group": "mine.example.org", "kind": "Team", "replicas": ".spec.replicas",
     "bounded": true}]}}})";

Reading ReadTwoKinds(std::string_view bounds, std::string_view children) {
  return Reading(FlowJobKarta(kPlain, "", kTwoKinds),
                 FlowJob(Cat("spec: {pod: {containers: [{name: m}]}, size: 2", bounds, "}")),
                 std::nullopt, Cat("[", children, "]"));
}

std::string Shift(std::string_view spec) {
  return Cat("{apiVersion: mine.example.org/v1, kind: Shift, metadata: {name: s}, spec: {", spec,
             "}}");
}

TEST(ChildScale, TheFirstKindThatSaysSomethingIsTaken) {
  std::string team = Team("t", "replicas: 4");
  Reading both = ReadTwoKinds(", min: 1, max: 5", Cat(team, ", ", Shift("replicas: 3")));
  EXPECT_EQ(both.roles(), "flowjob 3");
  EXPECT_THAT(both.messages(), HasSubstr("3 replicas by Shift s, the object says 2"));
  Reading silent = ReadTwoKinds(", min: 1, max: 5", Cat(team, ", ", Shift("replicas: null")));
  EXPECT_EQ(silent.roles(), "flowjob 4");
  EXPECT_THAT(silent.messages(), HasSubstr("4 replicas by Team t, the object says 2"));
  EXPECT_EQ(ReadTwoKinds(", min: 1, max: 5", team).roles(), "flowjob 4");
}

TEST(ChildScale, WithinTheBoundsOfTheObjectWhereThoseAreNewer) {
  auto count = [](std::string_view bounds, std::string_view replicas) {
    return ReadTwoKinds(bounds, Team("t", Cat("replicas: ", replicas))).roles();
  };
  EXPECT_EQ(count(", min: 1, max: 3", "4"), "flowjob 3");
  EXPECT_EQ(count(", min: 2, max: 3", "0"), "flowjob 2");
  EXPECT_EQ(count("", "7"), "flowjob 2") << "a count without bounds is the object's own";
  Reading reading = ReadTwoKinds("", Team("t", "replicas: 7"));
  EXPECT_EQ(reading.codes(), "") << "nobody else scales it";
  Reading sum = ReadTwoKinds(", min: 1, max: 5",
                             Cat(Team("a", "replicas: 1"), ", ", Team("b", "replicas: 3")));
  EXPECT_EQ(sum.roles(), "flowjob 4");
  EXPECT_EQ(sum.workload().totals.pods.max, Count::Exactly(5)) << "they share the bounds";
  EXPECT_THAT(sum.messages(), HasSubstr("4 replicas by Team b, the object says 2"));
}

TEST(Copies, MoreThanFitIntoACountOfKubernetesAreUnknown) {
  std::string karta = FlowJobKarta(
      "statusDefinition: {statusMappings: {}}, scaleDefinition: {replicasPath: .spec.copies}", R"(
    {name: crew, ownerRef: flowjob, specDefinition: {podSpecPath: .spec.pod},
     scaleDefinition: {replicasPath: .spec.size}})",
      R"({"components": {"crew": {"counts": "owner"}}})");
  auto read = [&](std::string_view copies, std::string_view size) {
    return Reading(karta, FlowJob(Cat("spec: {copies: ", copies, ", size: ", size,
                                      ", pod: {containers: [{name: m}]}}")));
  };
  Reading most = read("2147483647", "1");
  EXPECT_EQ(most.role("crew").tally.pods.desired, Count::Exactly(2147483647));
  EXPECT_EQ(most.codes(), "");
  Reading more = read("2147483647", "2");
  EXPECT_TRUE(more.role("crew").tally.pods.desired.is_unknown());
  EXPECT_TRUE(more.role("crew").tally.pods.wanted.is_unknown());
  EXPECT_EQ(more.codes(), "count");
  EXPECT_THAT(more.messages(), HasSubstr("2 in each of 2147483647 copies of its owner"));
}

TEST(Copies, BoundsAreMultipliedByTheBoundsOfTheOwner) {
  std::string karta = FlowJobKarta("statusDefinition: {statusMappings: {}}", R"(
    {name: group, ownerRef: flowjob, scaleDefinition: {replicasPath: '"2"', minReplicasPath: '"1"',
     maxReplicasPath: '"6"'}},
    {name: crew, ownerRef: group, specDefinition: {podSpecPath: .spec.pod},
     scaleDefinition: {replicasPath: '"4"', minReplicasPath: '"3"'}})",
                                   R"({"components": {"crew": {"counts": "owner"}}})");
  Reading reading(karta, FlowJob("spec: {pod: {containers: [{name: m}]}}"));
  const PodCounts& pods = reading.role("crew").tally.pods;
  EXPECT_EQ(pods.desired, Count::Exactly(8));
  EXPECT_EQ(pods.min, Count::Exactly(3));
  EXPECT_EQ(pods.max, Count::Exactly(24));
}

}  // namespace
}  // namespace wmap::workload
