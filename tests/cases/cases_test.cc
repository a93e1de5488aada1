// The reference cases: inputs that this kind of product is known to get wrong, with what is right.
// Each test reads the case's own file; what is expected stands in the case's expect.md.

#include <algorithm>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "json/writer.h"
#include "tests/support/seen.h"
#include "tests/support/shared_data.h"

namespace wmap {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Seen;
using ::testing::StartsWith;

class Cases : public ::testing::Test {
 protected:
  void SetUp() override { WMAP_REQUIRE_SHARED(); }

  // The input of the case whose folder has this name.
  static Seen Read(std::string_view name) {
    return Seen(testing::ReadFileOrDie(Cat(testing::SharedDir(), "/cases/", name, "/input.yaml")));
  }

  struct Row {
    std::string_view name;
    std::string_view summary;
  };
  static void ExpectRows(const Seen& seen, std::initializer_list<Row> rows) {
    for (const Row& row : rows) EXPECT_EQ(seen.Summary(row.name), row.summary) << row.name;
  }

  // "gpu.example.com 4 per pod, 8": the accelerators of a role.
  static std::string Claims(const Seen& seen, std::string_view name) {
    std::vector<std::string> texts;
    for (const workload::Role& role : seen.report().workloads.at(0).roles) {
      if (role.role != name) continue;
      for (const workload::AcceleratorCounts& row : role.tally.accelerators) {
        texts.push_back(
            Cat(row.resource, ' ', row.per_pod.text(), " per pod, ", row.desired.text()));
      }
    }
    return Join(texts, "; ");
  }

  static std::string Amount(const Seen& seen, std::string_view name, std::string_view resource) {
    const workload::ResourceList& list = seen.Find(name)->totals.pod_resources;
    auto at = list.find(resource);
    return at == list.end() ? "0" : at->second.ToString();
  }
};

TEST_F(Cases, Case01AMissingConditionIsNotFalse) {
  Seen seen = Read("01-pytorch-absent-negative-conditions");
  ExpectRows(seen, {
                       {"snap-created", "Initializing; master 1, worker 3; 32 GPUs"},
                       {"snap-running", "Running; master 1, worker 3; 32 GPUs"},
                       {"snap-succeeded", "Completed; master 1, worker 3; 32 GPUs"},
                       {"snap-failed-master-alive", "Failed; master 1, worker 3; 32 GPUs"},
                   });
  EXPECT_THAT(seen.Summary("snap-restarting"),
              AnyOf(StartsWith("Degraded; master 1, worker 3; 32 GPUs"),
                    StartsWith("Initializing; master 1, worker 3; 32 GPUs")));
  // Created stays True for ever: it must not be in the way of what came after.
  EXPECT_EQ(seen.Find("snap-running")->status.phases, std::vector{workload::Phase::kRunning});
  for (std::string_view name : {"snap-succeeded", "snap-failed-master-alive"}) {
    EXPECT_EQ(seen.Find(name)->totals.pods.wanted, workload::Count()) << name;
    EXPECT_FALSE(seen.Find(name)->totals.gpus.allocated.has_value()) << "no pod is at hand";
  }
  EXPECT_EQ(seen.Codes("snap-succeeded"), "") << "holds nothing";
  ASSERT_EQ(seen.Codes("snap-failed-master-alive"), "devices-held");
  EXPECT_THAT(seen.Find("snap-failed-master-alive")->diagnostics.at(0).message,
              HasSubstr("3 active pods, which hold 24 GPUs"));
}

TEST_F(Cases, Case03NothingEqualsNothingIsNotReady) {
  Seen seen = Read("03-lws-starting-without-counters");
  ExpectRows(seen, {
                       {"snap-starting", "Initializing; leader 2, worker 2; 0 GPUs"},
                       {"snap-ready", "Running; leader 2, worker 2; 0 GPUs"},
                   });
  EXPECT_THAT(seen.Summary("snap-no-status"),
              AnyOf(StartsWith("Initializing"), StartsWith("Undefined")));
  EXPECT_THAT(seen.Summary("snap-rolling"),
              AnyOf(StartsWith("Degraded"), StartsWith("Initializing")));
  for (std::string_view name : {"snap-starting", "snap-no-status", "snap-ready", "snap-rolling"}) {
    EXPECT_THAT(seen.Summary(name), HasSubstr("; leader 2, worker 2; 0 GPUs")) << name;
    EXPECT_EQ(seen.Find(name)->totals.pods.desired, workload::Count::Exactly(4)) << name;
    EXPECT_EQ(seen.Codes(name), "") << name;
  }
}

TEST_F(Cases, Case06ReadyIsAMemory) {
  Seen seen = Read("06-raycluster-stale-ready");
  ExpectRows(seen, {
                       {"c1-all-good", "Running; head 1, g 2; 2 GPUs"},
                       {"c2-head-gone", "Degraded; head 1, g 2; 2 GPUs"},
                       {"c3-workers-missing", "Initializing; head 1, g 2; 2 GPUs"},
                       {"c4-old-operator-pending-pods", "Running; head 1, g 2; 2 GPUs"},
                       {"c5-replica-failure", "Degraded; head 1, g 2; 2 GPUs"},
                       {"c6-suspending", "Suspending; head 1, g 2; 2 GPUs"},
                       {"c7-suspended", "Suspended; head 1, g 2; 2 GPUs"},
                       {"c8-failed-spec", "Failed; head 1, g 2; 2 GPUs"},
                   });
  // Three available of two wanted: no number of pods, as nobody has seen them.
  const workload::Workload& old = *seen.Find("c4-old-operator-pending-pods");
  EXPECT_EQ(old.totals.pods.wanted, workload::Count::Exactly(3));
  EXPECT_FALSE(old.totals.pods.observed.has_value());
  EXPECT_FALSE(old.totals.pods.ready.has_value());
  EXPECT_EQ(seen.report().workloads.size(), 8u) << "anchors reach through the List";
  EXPECT_EQ(seen.Codes(), "");
}

TEST_F(Cases, Case07UnknownIsAValueAndInactiveNoFailure) {
  Seen seen = Read("07-knative-unknown-and-inactive");
  ExpectRows(seen, {
                       {"k1-deploying", "Initializing; revision 0; 0 GPUs"},
                       {"k2-ready", "Running; revision 0; 0 GPUs"},
                       {"k3-broken-first", "Failed; revision 0; 0 GPUs"},
                       {"k4-broken-second", "Degraded; revision 0; 0 GPUs"},
                       {"k5-idle", "Running; revision 0; 0 GPUs"},
                   });
  EXPECT_TRUE(seen.Find("k6-stale")->status.stale);
  EXPECT_FALSE(seen.Find("k2-ready")->status.stale);
  for (const workload::Workload& row : seen.report().workloads) {
    EXPECT_EQ(row.totals.pods.min.text(), "0") << row.name;
    EXPECT_EQ(row.totals.pods.max->text(), "4") << row.name;
    EXPECT_EQ(row.roles.at(0).tally.gpus_per_pod, workload::Count::Exactly(1)) << row.name;
    EXPECT_EQ(seen.Codes(row.name), "") << row.name;
  }
  EXPECT_EQ(seen.Find("k5-idle")->totals.pods.wanted, workload::Count());
  EXPECT_EQ(seen.report().workloads.size(), 6u) << "a revision is no workload of its own";
}

TEST_F(Cases, Case10CountersOfFailuresAreHistory) {
  Seen seen = Read("10-mpijob-evicted-and-history-counters");
  ExpectRows(seen, {
                       {"mpi-evicted", "Failed; launcher 1, worker 8; 64 GPUs"},
                       {"mpi-retrying", "Running; launcher 1, worker 1; 8 GPUs"},
                       {"py-scaled-down", "Running; worker 2; 2 GPUs"},
                   });
  ASSERT_EQ(seen.Codes("mpi-evicted"), "devices-held");
  EXPECT_THAT(seen.Find("mpi-evicted")->diagnostics.at(0).message,
              HasSubstr("7 active pods, which hold 56 GPUs"));
  EXPECT_EQ(seen.Find("mpi-evicted")->status.reason, "MPIJobEvicted");
  for (std::string_view name : {"mpi-retrying", "py-scaled-down"}) {
    EXPECT_EQ(seen.Codes(name), "") << name;
    EXPECT_EQ(seen.Find(name)->totals.pods.wanted, workload::Count::Exactly(2)) << name;
  }
}

TEST_F(Cases, Case13NullZeroMinusOneAndTwoThousandMillion) {
  Seen seen = Read("13-replica-oddities");
  ExpectRows(seen, {
                       {"o1-elastic-master-only", "Initializing; master 1; 8 GPUs"},
                       {"o2-worker-without-replicas", "Initializing; worker 1; 8 GPUs"},
                       {"o3-hpa-managed",
                        "Undefined; mixcoord 1, datanode 3, querynode ?, streamingnode 1, proxy 1; "
                        "? GPUs"},
                       {"o4-no-upper-bound", "Initializing; head 1, g 2; 16 GPUs"},
                       {"o6-size-one", "Initializing; leader 3; 24 GPUs"},
                       {"o7-defaults", "Initializing; a 1, b 0; 1 GPUs"},
                       {"o8-borrowed-cluster", "Initializing; ; 0 GPUs"},
                   });
  EXPECT_THAT(seen.Summary("o5-scaled-to-zero"),
              AnyOf(HasSubstr("Running; leader 0"), HasSubstr("Suspended; leader 0")));
  EXPECT_THAT(seen.Summary("o5-scaled-to-zero"), HasSubstr("0 GPUs"));
  EXPECT_THAT(seen.Summary("o5-scaled-to-zero"), HasSubstr("leader 0, worker 0; 0 GPUs"));
  EXPECT_EQ(seen.Find("o3-hpa-managed")->totals.pods.desired.text(), "6+?");
  EXPECT_THAT(seen.Find("o3-hpa-managed")->totals.gpus.desired.unknown(),
              ::testing::ElementsAre("querynode"));
  EXPECT_EQ(json::ToJson(seen.json()).find(":-1"), std::string::npos);
  EXPECT_EQ(seen.Find("o4-no-upper-bound")->totals.pods.max, std::nullopt);
  EXPECT_THAT(seen.Find("o8-borrowed-cluster")->status.message, HasSubstr("shared"));
  EXPECT_EQ(seen.Codes("o8-borrowed-cluster"), "");
  EXPECT_THAT(seen.report().uncovered, ::testing::IsEmpty());
}

TEST_F(Cases, Case16OneGroupPerCopyAndLabelsOfTheRightDomain) {
  Seen seen = Read("16-lws-gang-startup-labels-subgroups");
  EXPECT_THAT(seen.Summary("serve-b"), HasSubstr("leader 2, worker 6; 64 GPUs"));
  EXPECT_THAT(seen.Summary("serve-c"), HasSubstr("leader 1, worker 8; 72 GPUs"));
  EXPECT_EQ(seen.PlaceOf("serve-b-0"), "LeaderWorkerSet/serve-b leader");
  EXPECT_EQ(seen.PlaceOf("serve-b-0-1"), "LeaderWorkerSet/serve-b worker");
  EXPECT_EQ(seen.PlaceOf("serve-b-2"), "LeaderWorkerSet/serve-b leader");
  EXPECT_THAT(seen.PlaceOf("serve-b-stray"), StartsWith("unclaimed: "));
  const workload::Component& group = seen.Find("serve-b")->components.at(0);
  const workload::Component& leader = group.instances.at(0).children.at(0);
  ASSERT_EQ(leader.instances.at(0).replicas.size(), 3u) << "two groups and a surplus one";
  EXPECT_EQ(leader.instances[0].replicas[2].key, "2");
}

TEST_F(Cases, Case18WhatOnePodReallyAsksFor) {
  Seen seen = Read("18-pod-effective-requests");
  struct Case {
    std::string_view pod;
    std::string_view cpu;
    std::string_view memory;
    std::int64_t gpus;
  };
  for (const Case& c :
       {Case{"e1-sidecar-then-init", "300m", "0", 5}, Case{"e2-init-then-sidecar", "250m", "0", 4},
        Case{"e3-limits-only", "2", "4Gi", 2}, Case{"e4-pod-level", "3250m", "4216Mi", 2},
        Case{"e5-nothing", "0", "0", 0}}) {
    EXPECT_EQ(Amount(seen, c.pod, "cpu"), c.cpu) << c.pod;
    EXPECT_EQ(Amount(seen, c.pod, "memory"), c.memory) << c.pod;
    EXPECT_EQ(seen.Find(c.pod)->totals.gpus.desired, workload::Count::Exactly(c.gpus)) << c.pod;
  }
  EXPECT_THAT(seen.Summary("e6-as-a-role"), HasSubstr("worker 3; 15 GPUs"));
  EXPECT_EQ(seen.Find("e6-as-a-role")->roles.at(0).tally.gpus_per_pod, workload::Count::Exactly(5));
}

TEST_F(Cases, Case20ClaimedDevicesCount) {
  Seen seen = Read("20-dra-claims");
  ASSERT_EQ(seen.rows(), "JobSet/dra");
  EXPECT_EQ(seen.Find("dra")->totals.gpus.desired, workload::Count()) << "the headline is apart";
  EXPECT_EQ(Claims(seen, "exact"), "gpu.example.com 4 per pod, 8");
  EXPECT_EQ(Claims(seen, "defaulted"), "gpu.example.com 1 per pod, 1");
  EXPECT_EQ(Claims(seen, "either"), "gpu.example.com 1\u20132 per pod, 1\u20132");
  EXPECT_EQ(Claims(seen, "sharing"), "gpu.example.com 0 per pod, 2") << "once for all pods";
  EXPECT_EQ(Claims(seen, "watched"), "gpu.example.com 4 per pod, 4");
  EXPECT_EQ(Claims(seen, "unknown"), "unknown ? per pod, ?");
  EXPECT_EQ(seen.Codes("dra"), "claim");
  const auto& totals = seen.Find("dra")->totals.accelerators;
  ASSERT_EQ(totals.size(), 2u);
  EXPECT_EQ(totals[0].resource, "gpu.example.com");
  EXPECT_EQ(totals[0].type, "claim");
  EXPECT_EQ(totals[0].desired.text(), "16\u201317+?");
  EXPECT_EQ(totals[0].desired.min(), 16);
  EXPECT_EQ(totals[0].desired.known_max(), 17) << "when one number is needed";
  EXPECT_THAT(totals[0].desired.unknown(), ::testing::ElementsAre("unknown"));
  EXPECT_EQ(totals[1].resource, "unknown");
  json::Value shown = seen.json().Get("items")[0].Get("totals").Get("accelerators")[0];
  EXPECT_EQ(json::ToJson(shown.Get("desired")),
            R"({"known":17,"max":null,"min":16,"unknown":["unknown"]})");
}

TEST_F(Cases, Case22ADefaultBehindAStreamIsNoDefaultOfItsMembers) {
  Seen seen = Read("22-jq-defaults-on-streams");
  EXPECT_EQ(seen.Summary("f1-one-unset"), "Running; a ?, b ?; ? GPUs");
  const workload::Workload& f1 = *seen.Find("f1-one-unset");
  ASSERT_FALSE(f1.diagnostics.empty());
  EXPECT_EQ(f1.diagnostics[0].code, "count-mismatch");
  EXPECT_THAT(f1.diagnostics[0].message, HasSubstr("component \"group\" gives 1 value for 2"));
  EXPECT_EQ(seen.Summary("f2-no-groups"), "Running; extra 1; 0 GPUs");
  EXPECT_EQ(seen.Summary("f3-no-list"), "Running; extra 0; 0 GPUs");
  EXPECT_EQ(seen.Summary("f4-same-name-twice"), "Running; group/a 1, group/a 2; 17 GPUs");
  EXPECT_THAT(seen.Codes("f4-same-name-twice"), HasSubstr("duplicate-instance-id"));
}

TEST_F(Cases, Case26OwnersDecideTheWorkloadAndLabelsTheRole) {
  Seen seen = Read("26-names-labels-owners");
  EXPECT_EQ(seen.PlaceOf("a-rather-long-tail-jjlc6-worker-cpu-workers-2njk5"),
            "RayJob/experiment-dac961a7-0611-with-a-rather-long-tail cpu-workers");
  EXPECT_THAT(seen.PlaceOf("experiment-submitter-x"),
              AnyOf("RayJob/experiment-dac961a7-0611-with-a-rather-long-tail submitter",
                    "RayJob/experiment-dac961a7-0611-with-a-rather-long-tail without role"));
  EXPECT_EQ(seen.PlaceOf("twin-worker-0", "lab"), "PyTorchJob/twin worker");
  EXPECT_THAT(seen.PlaceOf("twin-worker-1"), StartsWith("unclaimed: owner gone"));
  EXPECT_THAT(seen.PlaceOf("older-worker-0"), StartsWith("MPIJob/older w"));
  EXPECT_THAT(seen.PlaceOf("twin-worker-0", "other"), StartsWith("unclaimed: no owner"));
  EXPECT_EQ(seen.rows(),
            "MPIJob/older, PyTorchJob/twin, "
            "RayJob/experiment-dac961a7-0611-with-a-rather-long-tail, TFJob/twin");
  EXPECT_THAT(seen.PlaceOf("older-worker-0"), Not(HasSubstr("without role")));
  EXPECT_EQ(seen.Find("twin")->kind, "PyTorchJob");
  std::int64_t observed = 0;
  for (const workload::Workload& row : seen.report().workloads) {
    observed += row.totals.pods.observed.value_or(0);
  }
  EXPECT_EQ(observed + static_cast<std::int64_t>(seen.report().unclaimed.size()), 6)
      << "every pod once";
}

TEST_F(Cases, Case30AGraphCountsNodesAndIsTheWorkload) {
  Seen seen = Read("30-dynamo-graph");
  ASSERT_EQ(seen.rows(), "DynamoGraphDeployment/chat") << "its PodCliqueSet is no second one";
  EXPECT_EQ(seen.Summary("chat"), "Running; Frontend 1, Prefill 2, Decode 4; 18 GPUs");
  EXPECT_THAT(seen.report().unclaimed, ::testing::IsEmpty());
  const workload::Workload& chat = *seen.Find("chat");
  EXPECT_EQ(chat.status.phases, std::vector{workload::Phase::kRunning});
  EXPECT_THAT(chat.pods_without_role, ::testing::IsEmpty());
  EXPECT_EQ(chat.totals.pods.observed, 7);
  EXPECT_EQ(chat.totals.pods.ready, 7);
  EXPECT_EQ(chat.totals.gpus.allocated, 18);
  EXPECT_EQ(chat.totals.pods.min, workload::Count::Exactly(4))
      << "frontend, prefill, leader, worker";
  EXPECT_EQ(Amount(seen, "chat", "cpu"), "2");
  EXPECT_EQ(Amount(seen, "chat", "memory"), "4Gi");
  EXPECT_EQ(Amount(seen, "chat", "nvidia.com/gpu"), "18");
  struct Expected {
    std::string_view role;
    std::int64_t pods;
    std::int64_t gpus_per_pod;
  };
  for (const Expected& expected :
       {Expected{"Frontend", 1, 0}, Expected{"Prefill", 2, 1}, Expected{"Decode", 4, 4}}) {
    auto role = std::ranges::find(chat.roles, expected.role, &workload::Role::role);
    ASSERT_NE(role, chat.roles.end());
    EXPECT_EQ(role->tally.pods.observed, expected.pods) << expected.role;
    EXPECT_EQ(role->tally.pods.ready, expected.pods) << expected.role;
    EXPECT_EQ(role->tally.gpus_per_pod, workload::Count::Exactly(expected.gpus_per_pod));
    EXPECT_EQ(role->tally.gpus.allocated, expected.pods * expected.gpus_per_pod);
    EXPECT_EQ(role->tally.gpus.desired,
              workload::Count::Exactly(expected.pods * expected.gpus_per_pod));
  }
  EXPECT_EQ(chat.totals.pods.desired, workload::Count::Exactly(7));
  EXPECT_EQ(seen.Codes("chat"), "");
}

TEST_F(Cases, Case30FromTheManifestAlone) {
  std::string text =
      testing::ReadFileOrDie(Cat(testing::SharedDir(), "/cases/30-dynamo-graph/input.yaml"));
  Seen seen(text.substr(0, text.find("\nstatus:") + 1));
  EXPECT_EQ(seen.Summary("chat"), "Undefined; Frontend 1, Prefill 2, Decode 4; 18 GPUs");
  EXPECT_EQ(seen.Find("chat")->totals.pods.desired, workload::Count::Exactly(7));
  EXPECT_FALSE(seen.Find("chat")->totals.pods.observed.has_value());
  EXPECT_FALSE(seen.Find("chat")->totals.gpus.allocated.has_value());
}

TEST_F(Cases, Case31RolesOfADatabaseFollowFromModeAndVersion) {
  Seen seen = Read("31-milvus-cluster");
  EXPECT_EQ(seen.rows(), "Milvus/vec");
  EXPECT_EQ(seen.Summary("vec"),
            "Running; mixcoord 1, datanode 2, querynode 3, streamingnode 1, proxy 2; 3 GPUs");
  const workload::Workload& vec = *seen.Find("vec");
  EXPECT_EQ(vec.status.phases, std::vector{workload::Phase::kRunning});
  EXPECT_EQ(vec.totals.pods.observed, 9);
  EXPECT_EQ(vec.totals.pods.ready, 9);
  EXPECT_EQ(vec.totals.gpus.allocated, 3);
  EXPECT_EQ(Amount(seen, "vec", "cpu"), "33");
  EXPECT_EQ(Amount(seen, "vec", "memory"), "128Gi");
  EXPECT_EQ(Amount(seen, "vec", "nvidia.com/gpu"), "3");
  struct Expected {
    std::string_view role;
    std::string_view cpu;
    std::string_view memory;
  };
  for (const Expected& expected :
       {Expected{"mixcoord", "1", "4Gi"}, Expected{"datanode", "2", "8Gi"},
        Expected{"streamingnode", "2", "8Gi"}, Expected{"querynode", "8", "32Gi"},
        Expected{"proxy", "1", "2Gi"}}) {
    auto role = std::ranges::find(vec.roles, expected.role, &workload::Role::role);
    ASSERT_NE(role, vec.roles.end());
    const workload::ResourceList& pod = role->tally.pod_resources;
    EXPECT_EQ(pod.find("cpu")->second.ToString(), expected.cpu) << expected.role;
    EXPECT_EQ(pod.find("memory")->second.ToString(), expected.memory) << expected.role;
    EXPECT_EQ(role->tally.pods.desired, workload::Count::Exactly(*role->tally.pods.ready));
    EXPECT_EQ(role->tally.pods.observed, role->tally.pods.ready) << expected.role;
    EXPECT_EQ(role->tally.gpus_per_pod,
              workload::Count::Exactly(expected.role == "querynode" ? 1 : 0));
  }
  for (std::string_view pod : {"vec-etcd-0", "vec-etcd-1", "vec-etcd-2", "vec-minio-59c6-b0x2v"}) {
    EXPECT_THAT(seen.PlaceOf(pod), StartsWith("unclaimed: ")) << pod;
  }
  EXPECT_EQ(seen.Codes("vec"), "");
}

}  // namespace
}  // namespace wmap
