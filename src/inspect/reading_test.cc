#include "inspect/reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/registry.h"
#include "inspect/case_file.h"
#include "inspect/snapshot.h"
#include "json/writer.h"
#include "yaml/reader.h"

namespace wmap::inspect {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kJob = R"(
apiVersion: batch/v1
kind: Job
metadata: {name: j, uid: u}
spec:
  parallelism: 2
  completions: 2
  template: {spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 4}}}]}}
)";
constexpr std::string_view kPod = R"(
apiVersion: v1
kind: Pod
metadata:
  name: j-0
  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u, controller: true}]
  labels: {batch.kubernetes.io/job-name: j}
spec: {nodeName: node-1, containers: [{name: a, resources: {limits: {nvidia.com/gpu: 4}}}]}
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
)";

class Readings : public ::testing::Test {
 protected:
  json::Value Read(std::initializer_list<std::string_view> objects) {
    Snapshot snapshot(registry_, accelerators_);
    for (std::string_view text : objects) snapshot.Add(*yaml::Read(text, arena_), {.file = "test"});
    report_ = snapshot.Build();
    return ReadingOf(report_, arena_);
  }
  // "path: expected, got", of what was read last.
  std::vector<std::string> Differences(std::string_view expected, const json::Value& reading) {
    std::vector<std::string> texts;
    for (const Difference& difference : Compare(*yaml::Read(expected, arena_), reading, report_)) {
      texts.push_back(Cat(difference.path, ": ", difference.expected, ", ", difference.got));
      texts.insert(texts.end(), difference.notes.begin(), difference.notes.end());
    }
    return texts;
  }

  json::Value ReadWithGroups(std::string_view object) {
    Snapshot snapshot(registry_, accelerators_);
    snapshot.WantGroups();
    snapshot.Add(*yaml::Read(object, arena_), {.file = "test"});
    return ReadingOf(snapshot.Build(), arena_);
  }

  Arena arena_;
  Report report_;
  definition::Registry registry_;
  workload::AcceleratorTable accelerators_;
};

TEST_F(Readings, SayInShortWhatIsRead) {
  EXPECT_EQ(json::ToJson(Read({kJob, kPod}), {.order = json::WriteOptions::Order::kSource}),
            R"({"workloads":[{"workload":"Job/j","phase":"Initializing","phases":["Initializing"],)"
            R"("reason":"PodsMissing","pods":{"desired":2,"wanted":2,"observed":1,"ready":1},)"
            R"("gpus":{"desired":8,"allocated":4,"running":4},"accelerators":{"nvidia.com/gpu":8},)"
            R"("roles":{"worker":{"pods":{"desired":2,"wanted":2,"observed":1,"ready":1},)"
            R"("gpus":{"desired":8,"allocated":4,"running":4},"gpusPerPod":4}},)"
            R"("attribution":{"j-0":"worker"}}]})");
}

TEST_F(Readings, AreComparedByWhatIsExpected) {
  json::Value reading = Read({kJob, kPod});
  EXPECT_THAT(Differences("{phase: Initializing}", reading), IsEmpty());
  EXPECT_THAT(Differences("{pods: 2, gpus: 8, roles: {worker: 2}}", reading), IsEmpty());
  EXPECT_THAT(Differences("{pods: {min: 2, max: 2, ready: 1}, stale: false}", reading), IsEmpty());
  EXPECT_THAT(Differences("{phase: Running, pods: {ready: 2}}", reading),
              ElementsAre(R"(phase: "Running", "Initializing")", "pods.ready: 2, 1"));
  EXPECT_THAT(Differences("{roles: {leader: 1}}", reading),
              ElementsAre("roles.leader: 1, nothing", HasSubstr("roles.worker: nothing, {")));
  EXPECT_THAT(Differences("{attribution: {j-0: leader, j-1: worker}}", reading),
              ElementsAre(R"(attribution.j-0: "leader", "worker")",
                          R"(attribution.j-1: "worker", nothing)"));
  EXPECT_THAT(Differences("{phse: Running}", reading),
              ElementsAre(R"(phse: no such field of a reading, did you mean "phase"?)"));
  EXPECT_THAT(Differences("{roles: {worker: {pod: 1}}}", reading),
              ElementsAre(HasSubstr("roles.worker.pod: no such field")));
}

TEST_F(Readings, SayWhatDiagnosticsWereNotExpected) {
  json::Value reading =
      Read({"{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: "
            "{replicas: -3, template: {spec: {containers: []}}}}"});
  constexpr std::string_view kCount =
      "not expected: error count: scaleDefinition.replicasPath of component \"deployment\": a "
      "count "
      "below 0: -3 (read: .spec.replicas)";
  EXPECT_THAT(Differences("{diagnostics: [no-containers, count]}", reading), IsEmpty());
  EXPECT_THAT(Differences("{diagnostics: [no-containers]}", reading),
              ElementsAre(R"(diagnostics: ["no-containers"], ["count","no-containers"])", kCount));
  EXPECT_THAT(Differences("{diagnostics: [no-containers, expression]}", reading),
              ElementsAre(HasSubstr("diagnostics: "), kCount, "not found: expression"));
  EXPECT_THAT(Differences("{}", reading),
              ElementsAre(HasSubstr("diagnostics: nothing"), kCount,
                          HasSubstr("not expected: warning no-containers: ")));
}

TEST_F(Readings, MakeExpectationsThatHold) {
  json::Value one = Read({kJob, kPod});
  EXPECT_EQ(json::ToJson(ExpectationOf(one)), json::ToJson(one.Get("workloads")[0]));
  EXPECT_TRUE(Compare(ExpectationOf(one), one, report_).empty());
  json::Value orphan = Read({kPod});
  EXPECT_EQ(json::ToJson(ExpectationOf(orphan)), R"({"unclaimed":["j-0"],"workloads":[]})");
  EXPECT_TRUE(Compare(ExpectationOf(orphan), orphan, report_).empty());
  json::Value several = Read({kJob, "{apiVersion: batch/v1, kind: Job, metadata: {name: k}}"});
  EXPECT_TRUE(Compare(ExpectationOf(several), several, report_).empty());
  EXPECT_TRUE(
      ExpectationOf(Read({"{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}"})).is_null());
}

TEST_F(Readings, ShowFractionsOfDevicesAsPeopleDo) {
  json::Value reading = Read(
      {"{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {parallelism: 3, template: "
       "{metadata: {annotations: {gpu-fraction: '0.5'}}, spec: {containers: [{name: m}]}}}}"});
  EXPECT_THAT(Differences("{accelerators: {gpu-fraction: 1.5}}", reading), IsEmpty());
  EXPECT_THAT(Differences("{accelerators: {gpu-fraction: 2}}", reading),
              ElementsAre("accelerators.gpu-fraction: 2, 1.5"));
  EXPECT_THAT(
      Differences("{accelerators: {gpu-fraction: 2}}",
                  Read({"{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: "
                        "{parallelism: 4, completions: 4, template: {metadata: {annotations: "
                        "{gpu-fraction: '0.5'}}, spec: {containers: [{name: m}]}}}}"})),
      IsEmpty());
}

TEST_F(Readings, OfSeveralWorkloadsAreNamed) {
  json::Value reading = Read({kJob, "{apiVersion: batch/v1, kind: Job, metadata: {name: k}}"});
  EXPECT_THAT(Differences("{phase: Running}", reading),
              ElementsAre(": one workload, 2 workloads",
                          "found: Job/j, Job/k; \"workload\" says which one is meant, "
                          "\"workloads\" lists all"));
  EXPECT_THAT(Differences("{workload: Job/j, pods: 2}", reading), IsEmpty());
  EXPECT_THAT(Differences("{workload: Job/x}", reading),
              ElementsAre(R"(workload: "Job/x", nothing)", "found: Job/j, Job/k"));
  EXPECT_THAT(Differences("{workloads: [{pods: 2}, {workload: Job/j}]}", reading),
              ElementsAre(R"(workloads[1].workload: "Job/j", "Job/k")"));
}

TEST_F(Readings, ANameOfSeveralWorkloadsIsNoName) {
  auto job = [](std::string_view api_version, std::string_view name_space) {
    return Cat("{apiVersion: ", api_version,
               ", kind: Job, metadata: {name: j, namespace: ", name_space, "}}");
  };
  json::Value reading = Read({job("batch/v1", "a"), job("batch/v1", "b")});
  auto notes = [&](std::string_view expected) {
    std::vector<std::string> all;
    for (const Difference& one : Compare(*yaml::Read(expected, arena_), reading, report_)) {
      all.insert(all.end(), one.notes.begin(), one.notes.end());
    }
    return Join(all, "; ");
  };
  EXPECT_THAT(Differences("{workload: Job/j}", reading),
              Contains(R"(workload: "Job/j", 2 workloads)"));
  EXPECT_EQ(notes("{workload: Job/j}"), "it fits Job/a/j, Job/b/j: write one of these");
  EXPECT_THAT(Differences("{workload: Job/b/j, pods: 1}", reading), IsEmpty());
  EXPECT_EQ(notes("{workload: Job/c/j}"), "found: Job/a/j, Job/b/j");
  EXPECT_EQ(notes("{pods: 1}"),
            "found: Job/a/j, Job/b/j; \"workload\" says which one is meant, \"workloads\" lists "
            "all");
  EXPECT_EQ(notes("{workloads: [{workload: Job/a/j}]}"),
            "expected: Job/a/j; found: Job/a/j, Job/b/j");
  EXPECT_THAT(Differences("{workloads: [{workload: Job/a/j}, {workload: Job.batch/j}]}", reading),
              IsEmpty());
  reading = Read({job("batch/v1", "a"), job("batch.volcano.sh/v1alpha1", "a")});
  EXPECT_EQ(notes("{workload: Job/j}"),
            "it fits Job.batch.volcano.sh/j, Job.batch/j: write one of these");
  EXPECT_THAT(Differences("{workload: Job.batch/a/j}", reading), IsEmpty());
}

TEST_F(Readings, TellOfPodsThatAreNobodys) {
  json::Value reading = Read({kJob,
                              "{apiVersion: v1, kind: Pod, metadata: {name: x, "
                              "ownerReferences: [{apiVersion: a/v1, kind: B, name: b, uid: b, "
                              "controller: true}]}}"});
  EXPECT_THAT(Differences("{workload: Job/j}", reading),
              ElementsAre(R"(unclaimed: nothing, ["x"])"));
  EXPECT_THAT(Differences("{workload: Job/j, unclaimed: [x]}", reading), IsEmpty());
}

TEST(CaseFile, IsReadAndWritten) {
  constexpr std::string_view kText =
      "cases:\n"
      "- name: one\n"
      "  object:\n"
      "    kind: Job\n"
      "  expect:\n"
      "    phase: Running\n"
      "- name: two\n"
      "  files:\n"
      "  - a.json\n";
  Arena arena;
  auto cases = ReadCases(kText, arena);
  ASSERT_TRUE(cases) << cases.error().Describe();
  ASSERT_EQ(cases->size(), 2U);
  EXPECT_EQ((*cases)[0].line, 2U);
  EXPECT_EQ((*cases)[1].line, 7U);
  EXPECT_THAT((*cases)[1].files, ElementsAre("a.json"));
  EXPECT_TRUE((*cases)[1].expect.is_null());
  EXPECT_EQ(WriteCases(*cases), kText);
}

TEST(CaseFile, SaysWhatIsWrong) {
  struct Row {
    std::string_view text;
    std::string_view message;
  };
  constexpr Row kRows[] = {
      {"a: 1", "a case file has one key, `cases`, with a list"},
      {"", "a case file has one key, `cases`, with a list"},
      {"cases:\n- name: a\n  object: {a: [}", "line 3: "},
      {"cases:\n- 1", "line 2: a case is a mapping"},
      {"cases:\n- object: {}", "line 2: a case needs a name"},
      {"cases:\n- name: a", R"(line 2: case "a" needs one of object, objects and files)"},
      {"cases:\n- {name: a, object: {}, files: []}", "needs one of object"},
      {"cases:\n- name: a\n  object: {}\n  expct: {}", R"(line 4: a case has no field "expct")"},
      {"cases:\n- {name: a, object: {}}\n- {name: a, object: {}}", R"(line 3: a second case "a")"},
      {"cases:\n- {name: a, files: [1]}", "files is a list of names"},
      {"cases:\n- {name: a, objects: [1]}", "an object is a mapping"},
  };
  for (const Row& row : kRows) {
    Arena arena;
    auto cases = ReadCases(row.text, arena);
    ASSERT_FALSE(cases) << row.text;
    EXPECT_THAT(cases.error().Describe(), HasSubstr(row.message)) << row.text;
  }
}

constexpr std::string_view kGroups = R"(
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: serve}
spec: {replicas: 3, leaderWorkerTemplate: {size: 4, workerTemplate: {spec: {containers: [{name: a}]}}}}
)";

TEST_F(Readings, GroupsAreThereWhenAskedForAndAlikeOnesAreOne) {
  json::Value reading = ReadWithGroups(kGroups);
  EXPECT_EQ(json::ToJson(reading.Get("workloads")[0].Get("groups")),
            R"([{"copies":3,"minimum":4,"name":"group","subgroups":{"leader":1,"worker":3}}])");
  EXPECT_EQ(Read({kGroups}).Get("workloads")[0].Find("groups"), nullptr);
  EXPECT_EQ(ReadWithGroups(kJob).Get("workloads")[0].Find("groups"), nullptr);
}

TEST_F(Readings, OfGroupsOnlyWhatIsWrittenIsExpectedButCopies) {
  json::Value reading = ReadWithGroups(kGroups);
  auto differences = [&](std::string_view groups) {
    return Differences(Cat("{groups: ", groups, "}"), reading);
  };
  EXPECT_THAT(differences("[{copies: 3, minimum: 4}]"), IsEmpty());
  EXPECT_THAT(differences("[{copies: 3, subgroups: {leader: 1, worker: 3}}]"), IsEmpty());
  EXPECT_THAT(differences("[{minimum: 4}]"), ElementsAre("groups[0].copies: nothing, 3"));
  EXPECT_THAT(differences("[{copies: 3, minimum: 5}]"), ElementsAre("groups[0].minimum: 5, 4"));
  EXPECT_THAT(differences("[{copies: 3, subgroups: {leader: 1}}]"),
              ElementsAre(HasSubstr("groups[0].subgroups")));
  EXPECT_THAT(differences("[]"), ElementsAre(HasSubstr("groups: []")));
  EXPECT_THAT(differences("[{copies: 3, minmum: 4}]"), ElementsAre(HasSubstr("did you mean")));
}

}  // namespace
}  // namespace wmap::inspect
