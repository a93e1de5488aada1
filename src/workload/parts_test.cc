#include "workload/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/reading.h"

namespace wmap::workload {
namespace {

using testing::FlowJob;
using testing::FlowJobKarta;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Reading;

constexpr std::string_view kNoStatus = "statusDefinition: {statusMappings: {}}";

// A child component "crew" below the root, with these fields.
std::string Crew(std::string_view fields) {
  return Cat("{name: crew, ownerRef: flowjob, ", fields, "}");
}

Reading Read(std::string_view crew, std::string_view spec, std::string_view extensions = "{}") {
  return Reading(FlowJobKarta(kNoStatus, Crew(crew), extensions),
                 FlowJob(Cat("spec: {", spec, "}")));
}

constexpr std::string_view kArray = R"(
  instanceIdPath: '.spec.crews[].id',
  specDefinition: {podSpecPath: '.spec.crews[].pod', metadataPath: '.spec.crews[].meta'},
  scaleDefinition: {replicasPath: '.spec.crews[].size'},
  podSelector: {componentInstanceSelector: {idPath: .metadata.labels.crew}})";

TEST(Parts, AnArrayGivesAnInstanceForEachEntry) {
  Reading reading = Read(kArray, R"(crews: [
    {id: haul, size: 2, meta: {labels: {a: b}}, pod: {containers: [
        {name: m, resources: {limits: {nvidia.com/gpu: 1}}}]}},
    {id: sort, size: 3, meta: {}, pod: {containers: [
        {name: m, resources: {limits: {nvidia.com/gpu: 8}}}]}}])");
  EXPECT_EQ(reading.roles(), "haul 2, sort 3");
  EXPECT_EQ(reading.role("haul").tally.gpus.desired, Count::Exactly(2));
  EXPECT_EQ(reading.role("sort").tally.gpus.desired, Count::Exactly(24));
  EXPECT_EQ(reading.workload().totals.pods.desired, Count::Exactly(5));
  EXPECT_EQ(reading.workload().totals.gpus.desired, Count::Exactly(26));
  EXPECT_EQ(reading.codes(), "");
}

TEST(Parts, AMapGivesItsKeysInAscendingOrder) {
  Reading reading = Read(R"(
    instanceIdPath: '.spec.roles | to_entries[] | .key',
    specDefinition: {fragmentedPodSpecDefinition: {
        labelsPath: '.spec.roles[] | .labels', imagePath: '.spec.roles[] | .image'}},
    scaleDefinition: {replicasPath: '.spec.roles[] | .size'},
    podSelector: {componentInstanceSelector: {idPath: .metadata.labels.role}})",
                         "roles: {zeta: {size: 1, image: z}, alpha: {size: 2, image: a, "
                         "labels: {x: y}}}");
  EXPECT_EQ(reading.roles(), "alpha 2, zeta 1");
  EXPECT_EQ(reading.codes(), "");
}

TEST(Parts, AnEmptyOrMissingIdIsNamedAndTheOthersAreRead) {
  for (std::string_view first :
       {"{id: '', size: 1, pod: {}}", "{size: 1, pod: {}}", "{id: 7, size: 1, pod: {}}"}) {
    Reading reading = Read(kArray, Cat("crews: [", first, ", {id: sort, size: 3, pod: {}}]"));
    EXPECT_THAT(reading.codes(), HasSubstr("empty-instance-id")) << first;
    EXPECT_THAT(reading.messages(), HasSubstr("id 1 of 2")) << first;
    EXPECT_EQ(reading.role("sort").tally.pods.desired, Count::Exactly(3)) << first;
    EXPECT_EQ(reading.workload().totals.pods.desired, Count::Exactly(4)) << first;
  }
}

// The reference keeps the last of them (spec §17.8).
TEST(Parts, TwoInstancesOfOneIdAreBothCountedUnlikeInTheReference) {
  Reading reading = Read(kArray, R"(crews: [
    {id: a, size: 1, pod: {containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}},
    {id: a, size: 2, pod: {containers: [{resources: {limits: {nvidia.com/gpu: 8}}}]}}])");
  EXPECT_EQ(reading.codes(), "duplicate-instance-id");
  EXPECT_EQ(reading.workload().totals.pods.desired, Count::Exactly(3));
  EXPECT_EQ(reading.workload().totals.gpus.desired, Count::Exactly(17));
}

TEST(Parts, WithoutAnInstancePathThereIsOneInstanceWithoutId) {
  Reading reading = Read("specDefinition: {podTemplateSpecPath: .spec.template}",
                         "template: {spec: {containers: []}}");
  EXPECT_EQ(reading.roles(), "crew 1") << "a component without counts is one pod";
  ASSERT_EQ(reading.workload().components.size(), 1u);
  EXPECT_EQ(reading.workload().components[0].instances.at(0).id, "");
}

// The reference shifts values to other instances when one is missing (spec §17.3).
TEST(Parts, AListOfAnotherLengthIsUnknownForAllInsteadOfShifted) {
  Reading reading = Read(R"(
    instanceIdPath: '.spec.crews[].id',
    specDefinition: {podSpecPath: '.spec.crews[].pod'},
    scaleDefinition: {replicasPath: '.spec.crews[].size // 1'},
    podSelector: {componentInstanceSelector: {idPath: .metadata.labels.crew}})",
                         "crews: [{id: a, pod: {}}, {id: b, size: 7, pod: {}}]");
  EXPECT_EQ(reading.roles(), "a ?, b ?");
  EXPECT_EQ(reading.codes(), "count-mismatch");
  EXPECT_THAT(reading.messages(), HasSubstr("scaleDefinition.replicasPath of component \"crew\" "
                                            "gives 1 value for 2 instances (a, b)"));
  EXPECT_EQ(reading.workload().totals.pods.desired.text(), "?");
}

TEST(Parts, OneTemplateForTwoInstancesIsNobodys) {
  Reading reading = Read(R"(
    instanceIdPath: '.spec.crews[].id',
    specDefinition: {podTemplateSpecPath: '.spec.template'},
    scaleDefinition: {replicasPath: '.spec.crews[].size'},
    podSelector: {componentInstanceSelector: {idPath: .metadata.labels.crew}})",
                         "template: {spec: {containers: [{resources: {limits: {nvidia.com/gpu: "
                         "1}}}]}}, crews: [{id: a, size: 2}, {id: b, size: 3}]");
  EXPECT_EQ(reading.roles(), "a 2, b 3");
  EXPECT_EQ(reading.workload().totals.gpus.desired.text(), "?");
  EXPECT_EQ(reading.codes(), "count-mismatch");
}

TEST(Parts, AShorterListLosesItsFieldAlone) {
  Reading reading = Read(R"(
    instanceIdPath: '.spec.crews[].id',
    specDefinition: {podSpecPath: '.spec.crews[].pod | select(. != null)'},
    scaleDefinition: {replicasPath: '.spec.crews[].size', minReplicasPath: '.spec.crews[].least'},
    podSelector: {componentInstanceSelector: {idPath: .metadata.labels.crew}})",
                         "crews: [{id: a, size: 2, least: 1}, {id: b, size: 7, pod: {}}]");
  EXPECT_EQ(reading.roles(), "a 2, b 7");
  EXPECT_EQ(reading.role("a").tally.pods.min, Count::Exactly(1));
  EXPECT_EQ(reading.role("b").tally.pods.min, Count::Exactly(7));
  EXPECT_TRUE(reading.role("b").tally.gpus_per_pod->is_unknown());
  EXPECT_EQ(reading.codes(), "count-mismatch");
}

TEST(Parts, AFragmentThatIsMissingInOneInstanceIsNotTakenFromAnother) {
  Reading reading = Read(R"(
    instanceIdPath: '.spec.crews[].id',
    specDefinition: {fragmentedPodSpecDefinition: {
        containerPath: '.spec.crews[].containers[] | select(.name == "main")',
        imagePath: '.spec.crews[].image'}},
    podSelector: {componentInstanceSelector: {idPath: .metadata.labels.crew}})",
                         R"(crews: [
      {id: a, image: i, containers: [{name: other}]},
      {id: b, image: i, containers: [{name: main, resources: {limits: {nvidia.com/gpu: 8}}}]}])");
  EXPECT_TRUE(reading.role("a").tally.gpus_per_pod->is_unknown());
  EXPECT_TRUE(reading.role("b").tally.gpus_per_pod->is_unknown());
  EXPECT_EQ(reading.codes(), "count-mismatch");
}

// The reference fails on the whole object (spec §17.13).
TEST(Parts, AMissingListIsNoInstancesAndTheRestIsReadUnlikeInTheReference) {
  std::string karta = FlowJobKarta(
      "statusDefinition: {phaseDefinition: {path: .status.stage}, "
      "statusMappings: {running: [{byPhase: up}]}}",
      Cat(Crew(kArray),
          ", {name: boss, ownerRef: flowjob, specDefinition: "
          "{podTemplateSpecPath: .spec.boss}}"));
  Reading missing(karta, FlowJob("spec: {boss: {spec: {}}}, status: {stage: up}"));
  EXPECT_EQ(missing.roles(), "boss 1");
  EXPECT_EQ(missing.phases(), "Running");
  EXPECT_EQ(missing.codes(), "instances");
  EXPECT_EQ(missing.workload().totals.pods.desired, Count::Exactly(1));
  Reading empty(karta, FlowJob("spec: {crews: [], boss: {spec: {}}}, status: {stage: up}"));
  EXPECT_EQ(empty.roles(), "boss 1");
  EXPECT_EQ(empty.codes(), "");
}

TEST(Parts, AStrayValueWithoutInstancesMakesNone) {
  Reading reading = Read(R"(
    instanceIdPath: '.spec.crews[].id',
    specDefinition: {podSpecPath: '.spec.crews[].pod'},
    scaleDefinition: {replicasPath: '.spec.crews[].size // 1'},
    podSelector: {componentInstanceSelector: {idPath: .metadata.labels.crew}})",
                         "crews: []");
  EXPECT_EQ(reading.roles(), "");
  EXPECT_EQ(reading.workload().totals.pods.desired, Count());
}

TEST(Scale, ResultsBecomeCounts) {
  struct Case {
    std::string_view size;
    std::string_view desired;
    std::string_view codes;
  };
  for (const Case& c : std::to_array<Case>({
           {"4", "4", ""},
           {"0", "0", ""},
           {"3.0", "3", ""},
           {"'4'", "4", ""},
           {"'+4'", "4", ""},
           {"'many'", "?", "count"},
           {"''", "?", "count"},
           {"'4 '", "?", "count"},
           {"2.5", "?", "count"},
           {"true", "?", "count"},
           {"[1]", "?", "count"},
           {"3000000000", "?", "count"},
           {"2147483647", "2147483647", ""},
           {"-1", "?", "count"},
           {"'-1'", "?", "count"},
           // Only the cluster knows.
           {"null", "?", ""},
       })) {
    Reading reading = Read(
        "specDefinition: {podTemplateSpecPath: .spec.template}, "
        "scaleDefinition: {replicasPath: .spec.size}",
        Cat("template: {}, size: ", c.size));
    EXPECT_EQ(reading.roles(), Cat("crew ", c.desired)) << c.size;
    EXPECT_EQ(reading.codes(), c.codes) << c.size;
  }
}

TEST(Scale, BoundsStandBesideTheReplicas) {
  struct Case {
    std::string_view scale;
    std::string_view spec;
    std::string_view desired;
    std::string_view min;
    std::string_view max;
  };
  constexpr std::string_view kAll =
      "replicasPath: .spec.num, minReplicasPath: .spec.lo, maxReplicasPath: .spec.hi";
  for (const Case& c : std::to_array<Case>({
           {"replicasPath: .spec.num", "num: 3", "3", "3", "3"},
           {kAll, "num: 3, lo: 1, hi: 8", "3", "1", "8"},
           // Kept as they are: which of them is wrong nobody can tell.
           {kAll, "num: 3, lo: 5, hi: 2", "3", "5", "2"},
           {kAll, "num: '3', lo: '1', hi: '8'", "3", "1", "8"},
           {kAll, "num: 3", "3", "3", "3"},
           {kAll, "num: 0, lo: 0, hi: 0", "0", "0", "0"},
           {kAll, "num: 3, lo: 1, hi: 2147483647", "3", "1", "unbounded"},
           {kAll, "num: 3, lo: -1, hi: -1", "3", "3", "3"},
           {"minReplicasPath: .spec.lo, maxReplicasPath: .spec.hi", "lo: 2, hi: 5", "2\u20135", "2",
            "5"},
           {"minReplicasPath: .spec.lo", "lo: 2", "2", "2", "2"},
           {"minReplicasPath: .spec.lo", "lo: many", "?", "?", "?"},
           {"minReplicasPath: .spec.lo, maxReplicasPath: .spec.hi", "lo: 2, hi: 2147483647", "2+",
            "2", "unbounded"},
       })) {
    Reading reading = Read(Cat("specDefinition: {podTemplateSpecPath: .spec.template}, "
                               "scaleDefinition: {",
                               c.scale, "}"),
                           Cat("template: {}, ", c.spec));
    const PodCounts& pods = reading.role("crew").tally.pods;
    EXPECT_EQ(pods.desired.text(), c.desired) << c.spec;
    EXPECT_EQ(pods.min.text(), c.min) << c.spec;
    EXPECT_EQ(pods.max ? pods.max->text() : "unbounded", c.max) << c.spec;
  }
}

TEST(Scale, AnExpressionThatErrsMakesTheCountUnknown) {
  Reading reading = Read(
      "specDefinition: {podTemplateSpecPath: .spec.template}, "
      "scaleDefinition: {replicasPath: '.spec.num * .spec.m'}",
      "template: {}, num: 2");
  EXPECT_EQ(reading.roles(), "crew ?");
  EXPECT_EQ(reading.codes(), "expression");
}

TEST(Scale, UnknownSurvivesAdditionAndMultiplication) {
  Reading reading(
      FlowJobKarta(kNoStatus, Cat(Crew("specDefinition: {podTemplateSpecPath: .spec.a}, "
                                       "scaleDefinition: {replicasPath: .spec.num}"),
                                  ", {name: boss, ownerRef: flowjob, "
                                  "specDefinition: {podTemplateSpecPath: .spec.b}, "
                                  "scaleDefinition: {replicasPath: '3'}}")),
      FlowJob(
          "spec: {num: -1, a: {spec: {containers: [{resources: {limits: {nvidia.com/gpu: 2}}}]}},"
          " b: {spec: {containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}}}"));
  EXPECT_EQ(reading.workload().totals.pods.desired.text(), "3+?");
  EXPECT_THAT(reading.workload().totals.pods.desired.unknown(), ::testing::ElementsAre("crew"));
  EXPECT_EQ(reading.workload().totals.gpus.desired.text(), "3+?");
}

TEST(PodTemplates, AnAbsentTemplateIsNoRole) {
  for (std::string_view spec : {"", "template: null"}) {
    Reading reading = Read("specDefinition: {podTemplateSpecPath: .spec.template}", spec);
    EXPECT_EQ(reading.roles(), "") << spec;
    EXPECT_TRUE(reading.workload().components.empty() ||
                reading.workload().components[0].instances.empty());
    EXPECT_EQ(reading.codes(), "") << spec;
  }
  Reading fragments = Read(
      "specDefinition: {fragmentedPodSpecDefinition: {containersPath: .spec.cs, imagePath: "
      ".spec.image}}",
      "");
  EXPECT_EQ(fragments.roles(), "");
}

TEST(PodTemplates, WhatTheyAskForMayStandElsewhere) {
  for (std::string_view described : {"true", "false"}) {
    std::string karta = FlowJobKarta(
        "statusDefinition: {statusMappings: {}}",
        "{name: crew, ownerRef: flowjob, specDefinition: {podTemplateSpecPath: "
        ".spec.template}, scaleDefinition: {replicasPath: '2'}}",
        Cat(R"({"components": {"crew": {"exists": "true", "described": ")", described, R"("}}})"));
    Reading reading(karta, FlowJob("spec: {}"));
    EXPECT_EQ(reading.roles(), "crew 2");
    EXPECT_EQ(reading.role("crew").tally.gpus.desired.text(), described == "true" ? "0" : "?");
    EXPECT_EQ(reading.codes(), "");
    Reading held(karta, FlowJob("spec: {}"),
                 "[{metadata: {name: a}, spec: {nodeName: node-1, containers: [{resources: "
                 "{limits: {nvidia.com/gpu: 4}}}]}, status: {phase: Running}}]");
    const AcceleratorCounts& row = held.role("crew").tally.accelerators.at(0);
    EXPECT_EQ(row.allocated, 4);
    EXPECT_EQ(row.per_pod.text(), described == "true" ? "0" : "?");
    EXPECT_EQ(row.desired.text(), described == "true" ? "0" : "?");
  }
}

TEST(Scale, TheWholeWorkloadMayNeedFewerPodsThanItsRoles) {
  struct Case {
    std::string_view minimum, text, codes;
  };
  for (const Case& c : std::to_array<Case>({
           {".spec.least", "6", ""},
           {".spec.nothing", "8", ""},
           {"empty", "8", ""},
           {"-1", "8", "count"},
           {".spec.word", "8", "expression"},
       })) {
    Reading reading(
        FlowJobKarta("statusDefinition: {statusMappings: {}}",
                     "{name: crew, ownerRef: flowjob, specDefinition: {podTemplateSpecPath: "
                     ".spec.template}, scaleDefinition: {replicasPath: '8'}}",
                     Cat(R"({"minimum": ")", c.minimum, R"("})")),
        FlowJob("spec: {least: 6, word: many, template: {spec: {containers: [{name: a}]}}}"));
    EXPECT_EQ(reading.workload().totals.pods.min.text(), c.text) << c.minimum;
    EXPECT_EQ(reading.workload().totals.pods.desired.text(), "8");
    EXPECT_EQ(reading.codes(), c.codes) << c.minimum;
  }
}

TEST(PodTemplates, ATemplateOfTheWrongShapeIsUnknownAndNoPartOfItIsUsed) {
  for (std::string_view shape :
       {"{metadata: x, spec: y}", "{spec: [1]}", "[1]", "word", "7", "true"}) {
    Reading reading =
        Read("specDefinition: {podTemplateSpecPath: .spec.template}", Cat("template: ", shape));
    EXPECT_EQ(reading.codes(), "conversion") << shape;
    EXPECT_THAT(reading.messages(), HasSubstr("expected an object, found a")) << shape;
    EXPECT_TRUE(reading.role("crew").tally.gpus.desired.is_unknown()) << shape;
  }
}

TEST(PodTemplates, TheWrongShapeOfOneInstanceLeavesTheOthersAlone) {
  Reading reading = Read(kArray, R"(crews: [
    {id: a, size: 1, pod: seven},
    {id: b, size: 2, pod: {containers: [{resources: {limits: {nvidia.com/gpu: 4}}}]}}])");
  EXPECT_TRUE(reading.role("a").tally.gpus.desired.is_unknown());
  EXPECT_EQ(reading.role("b").tally.gpus.desired, Count::Exactly(8));
  EXPECT_THAT(reading.messages(), HasSubstr("\"a\": expected an object, found a string"));
}

TEST(PodTemplates, FragmentsAddUpToAPod) {
  struct Case {
    std::string_view spec;
    std::int64_t gpus;
  };
  for (const Case& c : std::to_array<Case>({
           {"resources: {limits: {nvidia.com/gpu: 2}}", 2},
           {"containers: [{name: a, resources: {limits: {nvidia.com/gpu: 2}}}, "
            "{name: b, resources: {limits: {nvidia.com/gpu: 1}}}]",
            3},
           {"main: {name: a, resources: {limits: {nvidia.com/gpu: 4}}}", 4},
           {"main: {name: a, resources: {limits: {nvidia.com/gpu: 4}}}, "
            "containers: [{name: b, resources: {limits: {nvidia.com/gpu: 1}}}]",
            5},
           // The type's own resources are those of its main container.
           {"containers: [{name: a}], resources: {limits: {nvidia.com/gpu: 2}}", 2},
           {"image: x", 0},
       })) {
    Reading reading = Read(
        "specDefinition: {fragmentedPodSpecDefinition: {resourcesPath: .spec.resources, "
        "containersPath: .spec.containers, containerPath: .spec.main, imagePath: .spec.image}}",
        c.spec);
    EXPECT_EQ(reading.role("crew").tally.gpus_per_pod, Count::Exactly(c.gpus)) << c.spec;
  }
}

TEST(PodTemplates, ResourcesAreTotalledByExactName) {
  Reading reading = Read(kArray, R"(crews: [
    {id: a, size: 2, pod: {containers: [{resources: {requests: {cpu: 500m, memory: 1Gi},
                                                     limits: {example.com/dongle: 1}}}]}},
    {id: b, size: 3, pod: {containers: [{resources: {requests: {cpu: 1, memory: 512Mi}}}]}}])");
  auto amount = [](const Tally& tally, std::string_view resource) {
    return tally.pod_resources.find(resource)->second.ToString();
  };
  const Tally& totals = reading.workload().totals;
  EXPECT_EQ(amount(totals, "cpu"), "4");
  EXPECT_EQ(amount(totals, "memory"), "3584Mi");
  EXPECT_EQ(amount(totals, "example.com/dongle"), "2");
  EXPECT_EQ(amount(reading.role("a").tally, "cpu"), "500m");
}

TEST(PodTemplates, OtherAcceleratorsStandBesideTheWholeGpus) {
  Reading reading = Read(kArray, R"(crews: [
    {id: a, size: 2, pod: {containers: [{resources: {limits: {nvidia.com/gpu: 1,
        nvidia.com/mig-1g.5gb: 3}}}]}},
    {id: b, size: 1, pod: {containers: [{resources: {limits: {nvidia.com/mig-1g.5gb: 1,
        google.com/tpu: 4}}}]}}])");
  EXPECT_EQ(reading.workload().totals.gpus.desired, Count::Exactly(2));
  std::string text;
  for (const AcceleratorCounts& a : reading.workload().totals.accelerators) {
    CatTo(text, a.resource, ' ', a.type, ' ', a.desired.text(), "; ");
  }
  EXPECT_EQ(text, "nvidia.com/gpu gpu 2; nvidia.com/mig-1g.5gb mig 7; google.com/tpu tpu 4; ");
}

}  // namespace
}  // namespace wmap::workload
