#include "workload/interpret.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/reading.h"
#include "tests/support/worked_example.h"

namespace wmap::workload {
namespace {

using ::testing::ElementsAre;
using testing::FlowJob;
using testing::FlowJobKarta;
using ::testing::HasSubstr;
using testing::kWorkedExample;
using ::testing::Not;
using testing::Reading;

constexpr std::string_view kStatus =
    "statusDefinition: {phaseDefinition: {path: .status.stage}, statusMappings: {"
    "running: [{byPhase: up}], failed: [{byPhase: lost}], completed: [{byPhase: done}], "
    "suspended: [{byPhase: halted}]}}";

// A component with a template of one GPU; `name` is also where its fields stand in the spec.
std::string Leaf(std::string_view name, std::string_view owner, std::string_view more = "") {
  return Cat("{name: ", name, ", ownerRef: ", owner,
             ", specDefinition: {podTemplateSpecPath: "
             ".spec.",
             name, ".template}, scaleDefinition: {replicasPath: .spec.", name, ".replicas}", more,
             "}");
}
constexpr std::string_view kOneGpu =
    "template: {spec: {containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}}";

// Groups of leader and workers: the shape of a LeaderWorkerSet.
std::string Groups() {
  return Cat("{name: group, ownerRef: flowjob, scaleDefinition: {replicasPath: .spec.groups}}, ",
             Leaf("leader", "group"), ", ", Leaf("worker", "group"));
}
std::string GroupsObject(std::string_view groups) {
  return FlowJob(Cat("spec: {groups: ", groups, ", leader: {replicas: 1, ", kOneGpu,
                     "}, worker: {replicas: 3, ", kOneGpu, "}}"));
}

TEST(Counts, OfTheWholeWorkloadStandAsTheyAre) {
  Reading reading(FlowJobKarta(kStatus, Groups(),
                               R"({"components": {"leader": {"counts": "workload"},
                                      "worker": {"counts": "workload"}}})"),
                  GroupsObject("3"));
  EXPECT_EQ(reading.roles(), "leader 1, worker 3");
  EXPECT_EQ(reading.codes(), "");
}

TEST(Budgets, AnExpressionThatUsesItsBudgetUpAgainAndAgainIsSetAside) {
  std::string text = FlowJobKarta(kStatus, Leaf("worker", "flowjob"));
  std::size_t at = text.find(".spec.worker.replicas");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string_view(".spec.worker.replicas").size(), "'def f: f; f'");
  std::string object_text = FlowJob(Cat("spec: {worker: {replicas: 3, ", kOneGpu, "}}"));
  Reading reading(text, object_text);
  Arena arena;
  json::Value object = testing::YamlOrDie(object_text, arena);
  AcceleratorTable accelerators;
  InterpretOptions options;
  options.accelerators = &accelerators;
  options.limits.steps = 10'000;
  Interpreter interpreter(options);
  std::vector<std::string> said;
  for (int i = 0; i < 5; ++i) {
    Workload workload = interpreter.Interpret(reading.karta(), object, {});
    for (const Diagnostic& diagnostic : workload.diagnostics) {
      if (diagnostic.message.contains("budget") || diagnostic.message.contains("steps")) {
        said.push_back(diagnostic.message);
      }
    }
    EXPECT_EQ(workload.roles.size(), 1u) << "it stays a row";
  }
  ASSERT_EQ(said.size(), 5u);
  EXPECT_THAT(said[2], Not(HasSubstr("not evaluated any more")));
  EXPECT_THAT(said[3], HasSubstr("3 times and is not evaluated any more"));
}

// The reference multiplies in one place and not in another (spec §17.1).
TEST(Counts, PerCopyOfTheOwnerAreMultipliedByItsCopies) {
  std::string karta = FlowJobKarta(kStatus, Groups(),
                                   R"({"components": {"leader": {"counts": "owner"},
                                                      "worker": {"counts": "owner"}}})");
  Reading three(karta, GroupsObject("3"));
  EXPECT_EQ(three.roles(), "leader 3, worker 9");
  EXPECT_EQ(three.workload().totals.gpus.desired, Count::Exactly(12));
  EXPECT_EQ(three.workload().totals.pods.wanted, Count::Exactly(12));
  EXPECT_EQ(three.codes(), "");
  Reading none(karta, GroupsObject("0"));
  EXPECT_EQ(none.roles(), "leader 0, worker 0");
  Reading unknown(karta, GroupsObject("-1"));
  EXPECT_EQ(unknown.roles(), "leader ?, worker ?");
}

TEST(Counts, PerCopyMultiplyThroughAllLevels) {
  Reading reading(
      FlowJobKarta(Cat(kStatus, ", scaleDefinition: {replicasPath: .spec.sets}"), Groups(),
                   R"({"components": {"group": {"counts": "owner"}, "leader": {"counts": "owner"},
                                      "worker": {"counts": "workload"}}})"),
      FlowJob(Cat("spec: {sets: 2, groups: 3, leader: {replicas: 1, ", kOneGpu,
                  "}, worker: {replicas: 3, ", kOneGpu, "}}")));
  EXPECT_EQ(reading.roles(), "leader 6, worker 3");
}

TEST(Counts, WithoutTheExtensionAnAmbiguousCountIsForTheWholeWorkloadAndSaysSo) {
  Reading three(FlowJobKarta(kStatus, Groups()), GroupsObject("3"));
  EXPECT_EQ(three.roles(), "leader 1, worker 3");
  EXPECT_EQ(three.codes(), "ambiguous-count ambiguous-count");
  EXPECT_THAT(three.messages(), HasSubstr("\"leader\" are per copy of \"group\" (3 of them)"));
  Reading one(FlowJobKarta(kStatus, Groups()), GroupsObject("1"));
  EXPECT_EQ(one.codes(), "") << "with one copy both readings are the same";
}

TEST(Counts, DevicesThatCannotBeReadAreUnknownAndTold) {
  Reading reading(FlowJobKarta(kStatus, Leaf("worker", "flowjob")),
                  FlowJob("spec: {worker: {replicas: 2, template: {spec: {containers: [{name: m, "
                          "resources: {limits: {nvidia.com/gpu: abc}}}]}}}}"),
                  "[{metadata: {name: p}, spec: {nodeName: n, containers: [{name: m, resources: "
                  "{limits: {nvidia.com/gpu: '1.5'}}}]}, status: {phase: Running}}]");
  EXPECT_EQ(reading.workload().totals.gpus.desired.text(), "?");
  ASSERT_EQ(reading.role("worker").tally.accelerators.size(), 1u);
  EXPECT_EQ(reading.role("worker").tally.accelerators[0].per_pod.text(), "?");
  EXPECT_EQ(reading.codes(), "resources resources");
  EXPECT_THAT(reading.messages(), HasSubstr("pod \"p\": nvidia.com/gpu: 1500m is no whole number"));
}

TEST(Counts, DevicesOfAPodThatIsTheWorkloadAreToldOnce) {
  constexpr std::string_view kPod =
      "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: mine, uid: u-1}, spec: "
      "{nodeName: n, containers: [{name: m, resources: {limits: {nvidia.com/gpu: abc}}}]}, "
      "status: {phase: Running}}";
  constexpr std::string_view kKarta =
      "{apiVersion: run.ai/v1alpha1, kind: Karta, metadata: {name: pod}, spec: "
      "{structureDefinition: {rootComponent: {name: pod, kind: {group: '', version: v1, kind: "
      "Pod}, statusDefinition: {statusMappings: {}}, specDefinition: {podTemplateSpecPath: .}, "
      "scaleDefinition: {replicasPath: '1'}}}}}";
  Reading reading(kKarta, kPod, Cat("[", kPod, "]"));
  EXPECT_EQ(reading.codes(), "resources");
}

TEST(Counts, WhatIsNoPodSpecIsTold) {
  Reading reading(FlowJobKarta(kStatus, Leaf("worker", "flowjob")),
                  FlowJob("spec: {worker: {template: {spec: {template: {spec: {}}}}}}"));
  EXPECT_EQ(reading.codes(), "no-containers");
}

TEST(Counts, WantedIsWhatTheExtensionSaysAndNothingOnceItIsOver) {
  std::string karta = FlowJobKarta(kStatus, Leaf("worker", "flowjob"),
                                   R"json({"components": {"worker": {
          "wanted": ".spec.worker.replicas - (.status.done // 0)"}}})json");
  auto wanted = [&](std::string_view status) {
    Reading reading(karta, FlowJob(Cat("spec: {worker: {replicas: 4, ", kOneGpu, "}}, status: {",
                                       status, "}")));
    EXPECT_EQ(reading.role("worker").tally.pods.desired, Count::Exactly(4)) << status;
    EXPECT_EQ(reading.workload().totals.pods.wanted, reading.role("worker").tally.pods.wanted);
    return reading.role("worker").tally.pods.wanted.text();
  };
  EXPECT_EQ(wanted("stage: up"), "4");
  EXPECT_EQ(wanted("stage: up, done: 3"), "1");
  EXPECT_EQ(wanted("stage: up, done: 9"), "4") << "a negative number says nothing";
  EXPECT_EQ(wanted("stage: up, done: many"), "4") << "so does one that cannot be read";
  EXPECT_EQ(wanted("stage: done, done: 3"), "0");
  EXPECT_EQ(wanted("stage: lost"), "0");
  EXPECT_EQ(wanted("stage: halted"), "0");
  EXPECT_EQ(wanted("stage: odd"), "4");
}

TEST(Existence, TheExtensionDecidesOverTheTemplate) {
  std::string karta = FlowJobKarta(kStatus, Leaf("worker", "flowjob"),
                                   R"({"components": {"worker": {"exists": ".spec.has"}}})");
  auto roles = [&](std::string_view spec) {
    return Reading(karta, FlowJob(Cat("spec: {", spec, "}"))).roles();
  };
  EXPECT_EQ(roles("has: true, worker: {replicas: 2}"), "worker 2") << "without a template";
  EXPECT_EQ(roles(Cat("has: false, worker: {replicas: 2, ", kOneGpu, "}")), "");
  EXPECT_EQ(roles(Cat("worker: {replicas: 2, ", kOneGpu, "}")), "");
}

TEST(Existence, OneAnswerIsForAllInstancesSeveralAreForEach) {
  auto roles = [&](std::string_view exists) {
    Reading reading(
        FlowJobKarta(kStatus,
                     "{name: crew, ownerRef: flowjob, instanceIdPath: '.spec.crews[].id', "
                     "specDefinition: {podSpecPath: '.spec.crews[].pod'}, podSelector: "
                     "{componentInstanceSelector: {idPath: .metadata.labels.crew}}}",
                     Cat("{\"components\": {\"crew\": {\"exists\": \"", exists, "\"}}}")),
        FlowJob("spec: {crews: [{id: a, here: true, pod: {}}, {id: b, here: false, pod: {}}, "
                "{id: c, here: true, pod: {}}]}"));
    return Cat(reading.roles(), "; ", reading.codes());
  };
  EXPECT_EQ(roles(".spec.crews[].here"), "a 1, c 1; ");
  EXPECT_EQ(roles("false"), "; ");
  EXPECT_EQ(roles("true, true"), "a 1, b 1, c 1; expression");
  EXPECT_EQ(roles(".spec | error"), "a 1, b 1, c 1; expression");
}

TEST(Existence, NothingIsBelowAComponentThatIsNotThere) {
  Reading reading(FlowJobKarta(kStatus, Groups(),
                               R"({"components": {"group": {"exists": ".spec.groups > 0"}}})"),
                  GroupsObject("0"));
  EXPECT_EQ(reading.roles(), "");
  EXPECT_EQ(reading.workload().totals.pods.desired, Count());
}

TEST(Existence, PodsThatOutliveTheirRoleKeepItWithNothingAskedFor) {
  std::string karta = FlowJobKarta(kStatus, Leaf("worker", "flowjob",
                                                 ", podSelector: {componentTypeSelector: {keyPath: "
                                                 ".metadata.labels.role, value: worker}}"));
  Reading reading(karta, FlowJob("spec: {worker: {replicas: 4}}, status: {stage: up}"),
                  "[{metadata: {name: w-0, labels: {role: worker}}, status: {phase: Running}}]");
  EXPECT_EQ(reading.roles(), "worker 0");
  EXPECT_EQ(reading.role("worker").tally.pods.observed, 1);
  EXPECT_EQ(reading.workload().totals.pods.wanted, Count());
}

TEST(Roles, AreCalledByInstanceThenByTheExtensionThenByComponent) {
  Reading reading(
      FlowJobKarta(kStatus,
                   Cat(Leaf("a", "flowjob"), ", ", Leaf("b", "flowjob"),
                       ", {name: c, ownerRef: flowjob, instanceIdPath: '\"x\"', specDefinition: "
                       "{podSpecPath: '{}'}, podSelector: {componentInstanceSelector: "
                       "{idPath: .metadata.labels.c}}}"),
                   R"({"components": {"b": {"role": "boss"}, "c": {"role": "unused"}}})"),
      FlowJob("spec: {a: {replicas: 1, template: {}}, b: {replicas: 2, template: {}}}"));
  EXPECT_EQ(reading.roles(), "a 1, boss 2, x 1");
}

TEST(Roles, OfOneNameAreToldApartByTheirComponentInListAndTree) {
  Reading reading(
      FlowJobKarta(kStatus,
                   Cat(Leaf("worker", "flowjob"),
                       ", {name: pool, ownerRef: flowjob, instanceIdPath: '\"worker\", \"other\"', "
                       "specDefinition: {podSpecPath: '{}, {}'}, podSelector: "
                       "{componentInstanceSelector: {idPath: .metadata.labels.c}}}")),
      FlowJob("spec: {worker: {replicas: 1, template: {}}}"));
  EXPECT_EQ(reading.roles(), "worker/worker 1, pool/worker 1, other 1");
  EXPECT_EQ(reading.workload().components[0].instances[0].role, "worker/worker");
  EXPECT_EQ(reading.workload().components[1].instances[0].role, "pool/worker");
}

// "boss; crew(haul, sort)": components with the ids of their instances, and what is below.
std::string Outline(const std::vector<Component>& components) {
  std::vector<std::string> texts;
  for (const Component& component : components) {
    std::vector<std::string> instances;
    for (const Instance& instance : component.instances) {
      std::string below = Outline(instance.children);
      instances.push_back(below.empty() ? instance.id : Cat(instance.id, '[', below, ']'));
    }
    std::string list = Join(instances, ", ");
    texts.push_back(list.empty() ? component.name : Cat(component.name, '(', list, ')'));
  }
  return Join(texts, "; ");
}

// Appendix A22 of the format.
TEST(Tree, HasAnInstanceForEachThatTheObjectHas) {
  struct Case {
    std::string children;
    std::string_view spec;
    std::string_view tree;
    std::string_view roles;
  };
  std::string map =
      "{name: crew, ownerRef: flowjob, instanceIdPath: '.spec.crews | to_entries[] | .key', "
      "specDefinition: {podTemplateSpecPath: '.spec.crews[] | .template'}, podSelector: "
      "{componentInstanceSelector: {idPath: .metadata.labels.crew}}}";
  std::string group =
      "{name: group, ownerRef: flowjob, scaleDefinition: {replicasPath: .spec.groups}, "
      "podSelector: {replicaSelector: {keyPath: .metadata.labels.group}}}";
  for (const Case& c : std::to_array<Case>({
           {Cat(Leaf("a", "flowjob"), ", ", Leaf("b", "flowjob")),
            "a: {replicas: 1, template: {}}, b: {replicas: 2, template: {}}", "a; b", "a 1, b 2"},
           {map, "crews: {zeta: {template: {}}, alpha: {template: {}}}", "crew(alpha, zeta)",
            "alpha 1, zeta 1"},
           // Copies are only told apart by pods.
           {Cat(group, ", ", Leaf("a", "group")), "groups: 1, a: {replicas: 2, template: {}}",
            "group([a])", "a 2"},
           {"{name: a, ownerRef: flowjob, specDefinition: {podTemplateSpecPath: .spec.a}}", "a: {}",
            "a", "a 1"},
           // Metadata alone describe no pods, nor does an empty description.
           {"{name: a, ownerRef: flowjob, specDefinition: {metadataPath: .spec.meta}}", "meta: {}",
            "a", ""},
           {"{name: a, ownerRef: flowjob, specDefinition: {}}", "x: 1", "a", ""},
           {"{name: a, ownerRef: b}, {name: b, ownerRef: c}, {name: c, ownerRef: flowjob}", "x: 1",
            "c([b([a])])", ""},
       })) {
    Reading reading(FlowJobKarta(kStatus, c.children), FlowJob(Cat("spec: {", c.spec, "}")));
    EXPECT_EQ(Outline(reading.workload().components), c.tree) << c.children;
    EXPECT_EQ(reading.roles(), c.roles) << c.children;
    EXPECT_EQ(reading.codes(), "") << c.children;
  }
}

TEST(Tree, GroupingComponentsSumUpWhatIsBelowAndTotalsDoNotCountThemAgain) {
  Reading reading(FlowJobKarta(kStatus, Groups(),
                               R"({"components": {"leader": {"counts": "owner"},
                                                  "worker": {"counts": "owner"}}})"),
                  GroupsObject("2"));
  ASSERT_EQ(reading.workload().components.size(), 1u);
  const Component& group = reading.workload().components[0];
  EXPECT_TRUE(group.grouping);
  ASSERT_EQ(group.instances.size(), 1u);
  EXPECT_EQ(group.instances[0].tally.pods.desired, Count::Exactly(8));
  EXPECT_EQ(group.instances[0].tally.gpus.desired, Count::Exactly(8));
  EXPECT_EQ(reading.workload().totals.pods.desired, Count::Exactly(8));
  ASSERT_EQ(group.instances[0].children.size(), 2u);
  EXPECT_EQ(group.instances[0].children[0].name, "leader");
  EXPECT_EQ(group.instances[0].children[1].name, "worker");
  EXPECT_FALSE(group.instances[0].children[1].grouping);
}

TEST(Tree, ARootThatBearsPodsStandsInItWithItsChildrenBelow) {
  Reading reading(
      FlowJobKarta(Cat(kStatus,
                       ", specDefinition: {podTemplateSpecPath: .spec.template}, "
                       "scaleDefinition: {replicasPath: .spec.num}"),
                   Leaf("side", "flowjob"), R"({"components": {"side": {"counts": "owner"}}})"),
      FlowJob("spec: {num: 2, template: {}, side: {replicas: 3, template: {}}}"));
  EXPECT_EQ(reading.roles(), "flowjob 2, side 6");
  ASSERT_EQ(reading.workload().components.size(), 1u);
  EXPECT_EQ(reading.workload().components[0].name, "flowjob");
  EXPECT_EQ(reading.workload().components[0].instances[0].children[0].name, "side");
}

TEST(Tree, EachInstanceOfAnOwnerHasTheChildren) {
  Reading reading(
      FlowJobKarta(kStatus,
                   Cat("{name: zone, ownerRef: flowjob, instanceIdPath: '.spec.zones[]', "
                       "podSelector: {componentInstanceSelector: {idPath: .metadata.labels.z}}}, ",
                       Leaf("worker", "zone"))),
      FlowJob("spec: {zones: [a, b], worker: {replicas: 3, template: {}}}"));
  const Component& zone = reading.workload().components.at(0);
  ASSERT_EQ(zone.instances.size(), 2u);
  EXPECT_EQ(zone.instances[0].id, "a");
  EXPECT_EQ(zone.instances[1].children.at(0).name, "worker");
  EXPECT_EQ(reading.workload().totals.pods.desired, Count::Exactly(3)) << "counted once";
}

TEST(Tree, NestedListsDoNotMultiplyWithoutBound) {
  std::string children;
  std::string owner = "flowjob";
  for (int level = 0; level < 4; ++level) {
    std::string name = Cat("level", level);
    CatTo(children, "{name: ", name, ", ownerRef: ", owner,
          ", instanceIdPath: '.spec.ids[]', podSelector: {componentInstanceSelector: {idPath: "
          ".metadata.labels.z}}}, ");
    owner = name;
  }
  std::string ids;
  for (int i = 0; i < 500; ++i) CatTo(ids, i == 0 ? "" : ", ", "i", i);
  Reading reading(FlowJobKarta(kStatus, Cat(children, Leaf("worker", owner))),
                  FlowJob(Cat("spec: {ids: [", ids, "], worker: {replicas: 3, template: {}}}")));
  EXPECT_THAT(reading.codes(), HasSubstr("large-tree"));
  EXPECT_EQ(reading.roles(), "worker 3");
}

TEST(Tree, TheDeepestThatLoadingAllowsIsReadWhole) {
  std::string children;
  std::string owner = "flowjob";
  for (int level = 0; level < 63; ++level) {
    std::string name = Cat("level", level);
    CatTo(children, "{name: ", name, ", ownerRef: ", owner, "}, ");
    owner = name;
  }
  Reading reading(FlowJobKarta(kStatus, Cat(children, Leaf("worker", owner))),
                  FlowJob("spec: {worker: {replicas: 3, template: {}}}"));
  EXPECT_EQ(reading.roles(), "worker 3");
  EXPECT_EQ(reading.codes(), "");
}

TEST(Pods, AreCountedByWhatTheyAreAndHold) {
  std::string karta = FlowJobKarta(kStatus, Leaf("worker", "flowjob"));
  std::string object =
      FlowJob(Cat("spec: {worker: {replicas: 5, ", kOneGpu, "}}, status: {stage: up}"));
  constexpr std::string_view kContainers =
      "containers: [{resources: {limits: {nvidia.com/gpu: 2}}}]";
  std::string pods = Cat(
      "[{metadata: {name: a}, spec: {nodeName: node-1, ", kContainers,
      "}, status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}},",
      " {metadata: {name: b}, spec: {nodeName: node-1, ", kContainers,
      "}, status: {phase: Running}},", " {metadata: {name: c}, spec: {nodeName: node-1, ",
      kContainers, "}, status: {phase: Pending}},", " {metadata: {name: d}, spec: {", kContainers,
      "}, status: {phase: Pending}},", " {metadata: {name: e}, spec: {nodeName: node-1, ",
      kContainers, "}, status: {phase: Succeeded}}]");
  Reading reading(karta, object, pods);
  const Tally& worker = reading.role("worker").tally;
  EXPECT_EQ(worker.pods.observed, 5);
  EXPECT_EQ(worker.pods.ready, 1);
  EXPECT_EQ(worker.gpus.running, 4) << "in phase Running";
  EXPECT_EQ(worker.gpus.allocated, 6) << "with a node and not ended";
  EXPECT_EQ(worker.gpus.desired, Count::Exactly(5)) << "from the object";
  EXPECT_EQ(reading.workload().totals.gpus.allocated, 6);
  EXPECT_EQ(reading.workload().totals.pods.max, Count::Exactly(5));
  EXPECT_EQ(reading.workload().totals.accelerators.at(0).allocated, 6);
}

// A pod in a list; `more` is added to its metadata.
std::string ReadyPod(std::string_view name, std::string_view role, std::string_view more = "") {
  return Cat("{metadata: {name: ", name, ", labels: {role: ", role, "}", more,
             "}, status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}}");
}

// Pods that pods have started, some of which have ended.
std::string Spawned(std::string_view name, std::string_view gpus, std::string_view phase) {
  return Cat("{metadata: {name: ", name,
             ", labels: {role: no}, ownerReferences: [{apiVersion: v1, ",
             "kind: Pod, name: driver, uid: d, controller: true}]}, spec: {nodeName: node-1, ",
             "containers: [{name: m, resources: {limits: {nvidia.com/gpu: ", gpus, "}}}]}, ",
             "status: {phase: ", phase, ", conditions: [{type: Ready, status: 'True'}]}}");
}

TEST(Pods, ThatPodsHaveStartedAreARoleOfWhatThereIs) {
  std::string karta = FlowJobKarta(
      kStatus, Leaf("leader", "flowjob",
                    ", podSelector: {componentTypeSelector: {keyPath: .metadata.labels.role, "
                    "value: leader}}"));
  std::string object = FlowJob("spec: {leader: {replicas: 1, template: {}}}, status: {stage: up}");
  std::string pods =
      Cat("[", ReadyPod("driver", "leader"), ", ", Spawned("a", "1", "Running"), ", ",
          Spawned("b", "1", "Running"), ", ", Spawned("c", "4", "Failed"), "]");
  Reading reading(karta, object, pods);
  EXPECT_EQ(reading.roles(), "leader 1, spawned 2");
  const Tally& spawned = reading.role("spawned").tally;
  EXPECT_EQ(spawned.pods.observed, 3);
  EXPECT_EQ(spawned.gpus_per_pod, Count::Exactly(1));
  EXPECT_EQ(reading.workload().totals.gpus.desired, Count::Exactly(2));
  EXPECT_EQ(reading.workload().totals.gpus.allocated, 2);
  EXPECT_EQ(reading.workload().totals.pods.filled, 3);
  ASSERT_EQ(spawned.accelerators.size(), 1u);
  EXPECT_EQ(spawned.accelerators[0].per_pod, Count::Exactly(1));
  ASSERT_EQ(spawned.pod_resources.size(), 1u);
  EXPECT_EQ(reading.workload().totals.pod_resources.find("nvidia.com/gpu")->second.ToString(), "2");
  EXPECT_EQ(reading.phase(), "Running");
  EXPECT_EQ(reading.codes(), "");
  ASSERT_EQ(reading.workload().components.size(), 2u);
  EXPECT_EQ(reading.workload().components[1].name, "spawned");
  // Unlike ones have a range.
  Reading unlike(karta, object,
                 Cat("[", ReadyPod("driver", "leader"), ", ", Spawned("a", "1", "Running"), ", ",
                     Spawned("b", "3", "Running"), "]"));
  EXPECT_EQ(unlike.role("spawned").tally.gpus_per_pod, Count::Between(1, 3));
  EXPECT_EQ(unlike.role("spawned").tally.gpus.desired, Count::Exactly(4));
  EXPECT_EQ(unlike.role("spawned").tally.accelerators.at(0).per_pod, Count::Between(1, 3));
  // A pod that waits is waited for; a role that a selector finds is not of them.
  std::string pending =
      Cat("[", ReadyPod("driver", "leader"), ", ", Spawned("a", "1", "Pending"), ", ",
          ReadyPod("b", "leader",
                   ", ownerReferences: [{apiVersion: v1, kind: Pod, name: driver, uid: d}]"),
          "]");
  Reading waits(karta, object, pending);
  EXPECT_EQ(waits.phase(), "Initializing");
  EXPECT_EQ(waits.role("leader").tally.pods.observed, 2);
  EXPECT_EQ(waits.role("spawned").tally.pods.observed, 1);
}

TEST(Pods, OfOneRoleAndThoseAboutToGoDoNotHideWhatAnotherRoleLacks) {
  auto leaf = [](std::string_view name) {
    return Leaf(
        name, "flowjob",
        Cat(", podSelector: {componentTypeSelector: {keyPath: .metadata.labels.role, value: ", name,
            "}}"));
  };
  std::string karta = FlowJobKarta(kStatus, Cat(leaf("leader"), ", ", leaf("worker")));
  auto object = [](std::string_view leaders, std::string_view workers) {
    return FlowJob(Cat("spec: {leader: {replicas: ", leaders,
                       ", template: {}}, worker: {replicas: ", workers,
                       ", template: {}}}, status: {stage: up}"));
  };
  std::string pods = Cat(
      "[", ReadyPod("a", "leader"), ", ", ReadyPod("b", "leader"), ", ", ReadyPod("c", "worker"),
      ", ", ReadyPod("d", "worker", ", deletionTimestamp: '2026-11-30T04:00:00Z'"), "]");
  Reading reading(karta, object("1", "2"), pods);
  EXPECT_EQ(reading.role("leader").tally.pods.filled, 1);
  EXPECT_EQ(reading.role("leader").tally.pods.serving, 2);
  EXPECT_EQ(reading.role("worker").tally.pods.filled, 1);
  EXPECT_EQ(reading.workload().totals.pods.filled, 2) << "of 3";
  EXPECT_EQ(reading.workload().totals.pods.serving, 3);
  EXPECT_EQ(reading.workload().totals.pods.ready, 4) << "what there is, as it is";
  EXPECT_EQ(reading.phase(), "Degraded");
  // Of a number that nobody can say, all count.
  Reading unknown(karta, object("1", "-1"), pods);
  EXPECT_EQ(unknown.role("worker").tally.pods.filled, 1);
  EXPECT_EQ(unknown.workload().totals.pods.filled, 2);
  // Pods without a role count for what the roles lack, and not beyond.
  std::string stray = Cat("[", ReadyPod("a", "leader"), ", ", ReadyPod("x", "no"), ", ",
                          ReadyPod("y", "no"), ", ", ReadyPod("z", "no"), "]");
  Reading lacks(karta, object("1", "2"), stray);
  EXPECT_EQ(lacks.workload().totals.pods.filled, 3);
  EXPECT_EQ(lacks.workload().totals.pods.serving, 4);
  EXPECT_EQ(Reading(karta, object("1", "2")).workload().totals.pods.filled, std::nullopt);
}

TEST(Pods, OfInstancesThatNothingTellsApartFillOneAfterTheOther) {
  std::string karta = FlowJobKarta(
      kStatus,
      "{name: part, ownerRef: flowjob, instanceIdPath: '.spec.parts[] | .name', specDefinition: "
      "{podTemplateSpecPath: '.spec.parts[] | {}'}, scaleDefinition: {replicasPath: '.spec.parts[] "
      "| .size'}, podSelector: {componentTypeSelector: {keyPath: .metadata.labels.role}, "
      "componentInstanceSelector: {idPath: .metadata.labels.role}}}");
  std::string object = FlowJob(
      "spec: {parts: [{name: a, size: 2}, {name: b, size: 1}, {name: a, size: 1}]}, status: "
      "{stage: "
      "up}");
  std::string pods = Cat("[", ReadyPod("p", "a"), ", ", ReadyPod("q", "a"), ", ",
                         ReadyPod("r", "a"), ", ", ReadyPod("s", "b"));
  Reading reading(karta, object, Cat(pods, "]"));
  EXPECT_EQ(reading.phase(), "Running");
  EXPECT_EQ(reading.codes(), "duplicate-instance-id");
  EXPECT_EQ(reading.workload().roles.at(0).tally.pods.observed, 2);
  EXPECT_EQ(reading.workload().roles.at(2).tally.pods.observed, 1);
  Reading more(karta, object, Cat(pods, ", ", ReadyPod("t", "a"), "]"));
  EXPECT_EQ(more.workload().roles.at(0).tally.pods.observed, 3) << "too many are the first one's";
  EXPECT_EQ(more.phase(), "Running");
}

TEST(Pods, AreAbsentFromTheCountsWhenNoneWereAmongTheInputs) {
  std::string karta = FlowJobKarta(kStatus, Leaf("worker", "flowjob"));
  std::string object = FlowJob(Cat("spec: {worker: {replicas: 5, ", kOneGpu, "}}"));
  Reading alone(karta, object);
  EXPECT_EQ(alone.workload().totals.pods.observed, std::nullopt);
  EXPECT_EQ(alone.workload().totals.gpus.allocated, std::nullopt);
  EXPECT_EQ(alone.workload().totals.accelerators.at(0).allocated, std::nullopt);
  EXPECT_FALSE(alone.workload().status.from_pods);
  Reading empty(karta, object, "[]");
  EXPECT_EQ(empty.workload().totals.pods.observed, 0);
  EXPECT_EQ(empty.workload().totals.pods.ready, 0);
  EXPECT_EQ(empty.workload().totals.gpus.running, 0);
  EXPECT_TRUE(empty.workload().status.from_pods);
}

TEST(Pods, OfAWorkloadThatAnotherControllerRunsElsewhereAreNotMissing) {
  std::string karta = FlowJobKarta(kStatus, Leaf("worker", "flowjob"));
  auto object = [](std::string_view by) {
    return FlowJob(
        Cat("spec: {", by, ", worker: {replicas: 5, ", kOneGpu, "}}, status: {stage: up}"));
  };
  for (std::string_view by : {"managedBy: kueue.x-k8s.io/multikueue",
                              "runPolicy: {managedBy: kueue.x-k8s.io/multikueue}"}) {
    Reading elsewhere(karta, object(by), "[]");
    EXPECT_EQ(elsewhere.workload().status.phase, Phase::kRunning);
    EXPECT_FALSE(elsewhere.workload().status.from_pods);
    EXPECT_EQ(elsewhere.workload().totals.pods.observed, std::nullopt);
  }
  for (std::string_view by : {"managedBy: kubernetes.io/job-controller",
                              "runPolicy: {managedBy: kubeflow.org/training-operator}",
                              "managedBy: 3", "managedBy: us"}) {
    Reading here(karta, object(by), "[]");
    EXPECT_EQ(here.workload().status.phase, Phase::kInitializing) << by;
    EXPECT_EQ(here.workload().totals.pods.observed, 0);
  }
}

TEST(Pods, OfAFailedWorkloadThatStillHoldDevicesAreTold) {
  std::string karta = FlowJobKarta(kStatus, Leaf("worker", "flowjob"));
  Reading reading(
      karta, FlowJob(Cat("spec: {worker: {replicas: 1, ", kOneGpu, "}}, status: {stage: lost}")),
      "[{metadata: {name: a}, spec: {nodeName: node-1, containers: [{resources: {limits: "
      "{nvidia.com/gpu: 8}}}]}, status: {phase: Running}}]");
  EXPECT_EQ(reading.phase(), "Failed");
  EXPECT_EQ(reading.codes(), "devices-held");
  EXPECT_THAT(reading.messages(), HasSubstr("it is Failed, and its pods still hold 8 GPUs"));
}

TEST(Interpreter, AnInvalidDefinitionStillReadsWhatItCan) {
  Reading reading(FlowJobKarta(kStatus, Cat(Leaf("worker", "flowjob"),
                                            ", {name: stray, ownerRef: nobody, specDefinition: "
                                            "{podTemplateSpecPath: .spec.stray}}")),
                  FlowJob(Cat("spec: {stray: {}, worker: {replicas: 2, ", kOneGpu, "}}, ",
                              "status: {stage: up}")));
  EXPECT_THAT(reading.codes(), HasSubstr("invalid-definition"));
  EXPECT_EQ(reading.roles(), "worker 2, stray 1");
  EXPECT_EQ(reading.phases(), "Running");
}

TEST(Interpreter, ReadsAnyDocumentWithoutComplaint) {
  std::string karta = FlowJobKarta(kStatus, Groups());
  for (std::string_view object :
       {"{}", "[]", "seven", "7", "null", "{metadata: 7, spec: 7, status: 7}",
        "{metadata: {name: [], labels: []}, spec: {groups: {}, leader: 1}}"}) {
    Reading reading(karta, object, "[{}, 7, {metadata: 7, spec: [], status: {phase: 7}}]");
    EXPECT_EQ(reading.workload().totals.pods.observed, 3) << object;
    EXPECT_EQ(reading.workload().pods_without_role.size(), 3u) << object;
  }
}

TEST(Interpreter, AnExpressionThatRunsAwayLosesItselfAlone) {
  Reading reading(
      FlowJobKarta(kStatus, Cat(Leaf("worker", "flowjob"),
                                ", {name: mad, ownerRef: flowjob, specDefinition: "
                                "{podTemplateSpecPath: '[limit(1; repeat(1) | select(false))]'}}")),
      FlowJob(Cat("spec: {worker: {replicas: 2, ", kOneGpu, "}}")));
  EXPECT_EQ(reading.role("worker").tally.pods.desired, Count::Exactly(2));
  EXPECT_THAT(reading.codes(), HasSubstr("expression"));
}

// An object of the worked example of the format.
constexpr std::string_view kNorthShaft = R"(
apiVersion: mine.example.org/v2
kind: FlowJob
metadata: { name: north-shaft, uid: 7f }
spec:
  boss:
    template:
      metadata: { labels: { tier: top } }
      spec: { containers: [ { name: boss, image: "boss:1" } ] }
  crews:
    sort: { image: "sort:2", labels: { shift: late } }
    haul: { image: "haul:1", size: 4, atLeast: 2 }
status:
  stage: digging
  notes: [ { what: Lit, is: "yes", why: Power, text: lamps are on } ]
  crews: { haul: { lost: 1 } }
)";

TEST(AppendixD, TheDefinitionIsValid) {
  Reading reading(kWorkedExample, kNorthShaft);
  EXPECT_TRUE(reading.karta().is_valid);
  EXPECT_FALSE(definition::HasErrors(reading.findings()));
  EXPECT_EQ(reading.codes(), "");
}

TEST(AppendixD, StatusInstancesAndCountsAreThoseOfTheFormat) {
  Reading reading(kWorkedExample, kNorthShaft);
  const Workload& workload = reading.workload();
  EXPECT_EQ(workload.name, "north-shaft");
  EXPECT_EQ(workload.status.phase_text, "digging");
  ASSERT_EQ(workload.status.conditions.size(), 1u);
  EXPECT_EQ(workload.status.conditions[0].type, "Lit");
  EXPECT_EQ(workload.status.conditions[0].status, "yes");
  EXPECT_EQ(workload.status.conditions[0].reason, "Power");
  EXPECT_EQ(workload.status.conditions[0].message, "lamps are on");
  EXPECT_EQ(reading.phases(), "Running, Degraded");
  EXPECT_EQ(reading.phase(), "Degraded");

  EXPECT_EQ(reading.roles(), "boss 1, haul 4, sort 1");
  EXPECT_EQ(reading.role("haul").tally.pods.min, Count::Exactly(2));
  EXPECT_EQ(reading.role("sort").tally.pods.min, Count::Exactly(1));
  EXPECT_EQ(workload.totals.pods.desired, Count::Exactly(6));
  EXPECT_EQ(workload.totals.pods.min, Count::Exactly(4)) << "boss 1, haul 2, sort 1";

  ASSERT_EQ(workload.components.size(), 2u);
  EXPECT_EQ(workload.components[0].name, "boss");
  ASSERT_EQ(workload.components[0].instances.size(), 1u);
  EXPECT_EQ(workload.components[0].instances[0].id, "");
  EXPECT_EQ(workload.components[1].name, "crew");
  ASSERT_EQ(workload.components[1].instances.size(), 2u);
  EXPECT_EQ(workload.components[1].instances[0].id, "haul");
  EXPECT_EQ(workload.components[1].instances[1].id, "sort");
}

TEST(AppendixD, ThePodBelongsToTheCrewHaul) {
  Reading reading(kWorkedExample, kNorthShaft,
                  "[{metadata: {name: north-shaft-haul-0, labels: {mine.example.org/role: crew, "
                  "mine.example.org/crew: haul, mine.example.org/job: north-shaft}}}]");
  EXPECT_EQ(reading.role_of_pod(), "haul");
  EXPECT_EQ(reading.role("haul").component, "crew");
}

TEST(AppendixD, ThePausedObjectIsSuspendedFirst) {
  std::string paused(kNorthShaft);
  paused.insert(paused.find("  boss:"), "  paused: true\n");
  Reading reading(kWorkedExample, paused);
  EXPECT_EQ(reading.phases(), "Suspended, Running, Degraded");
  EXPECT_EQ(reading.phase(), "Suspended");
  EXPECT_EQ(reading.workload().totals.pods.wanted, Count());
  EXPECT_EQ(reading.workload().totals.pods.desired, Count::Exactly(6));
}

}  // namespace
}  // namespace wmap::workload
