#include "inspect/wrapped.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wmap::inspect {
namespace {

using workload::Count;
using workload::Phase;
using workload::Role;
using workload::Tally;
using workload::Workload;

Role RoleOf(std::string name, std::int64_t pods, std::string wraps = {}) {
  Tally tally;
  tally.pods.desired = tally.pods.wanted = tally.pods.min = Count::Exactly(pods);
  tally.pods.max = Count::Exactly(pods);
  tally.gpus.desired = Count::Exactly(8 * pods);
  return {name, name, "", tally, {}, std::move(wraps)};
}

Workload With(std::string name, std::vector<Role> roles, Phase phase) {
  Workload workload;
  workload.kind = "Job";
  workload.name = std::move(name);
  workload.totals.pods.max = Count();
  for (const Role& role : roles) workload.totals.Add(role.tally);
  workload.roles = std::move(roles);
  workload.status.phase = phase;
  workload.status.phases = {phase};
  return workload;
}

Workload UnwrapTwo(Phase said, Phase first, Phase second) {
  return Unwrap(With("w", {RoleOf("a", 1, "/Job/a"), RoleOf("b", 1, "/Job/b")}, said),
                With("w", {}, said),
                {{"/Job/a", With("a", {RoleOf("worker", 3)}, first)},
                 {"/Job/b", With("b", {RoleOf("main", 2), RoleOf("a", 1)}, second)}});
}

TEST(Unwrap, CountsWhatIsWrapped) {
  Workload workload = UnwrapTwo(Phase::kRunning, Phase::kRunning, Phase::kRunning);
  EXPECT_EQ(workload.totals.pods.desired.text(), "6");
  EXPECT_EQ(workload.totals.gpus.desired.text(), "48");
  ASSERT_EQ(workload.roles.size(), 3u);
  // The only role keeps its name, then two would be the same.
  EXPECT_EQ(workload.roles[0].role, "a/worker");
  EXPECT_EQ(workload.roles[1].role, "main");
  EXPECT_EQ(workload.roles[2].role, "b/a");
}

TEST(Unwrap, TheWorstDecides) {
  auto phase = [](Phase said, Phase first, Phase second) {
    return UnwrapTwo(said, first, second).status.phase;
  };
  EXPECT_EQ(phase(Phase::kRunning, Phase::kRunning, Phase::kFailed), Phase::kDegraded);
  EXPECT_EQ(phase(Phase::kRunning, Phase::kInitializing, Phase::kDegraded), Phase::kDegraded);
  EXPECT_EQ(phase(Phase::kRunning, Phase::kInitializing, Phase::kRunning), Phase::kInitializing);
  EXPECT_EQ(phase(Phase::kResuming, Phase::kInitializing, Phase::kRunning), Phase::kResuming);
  EXPECT_EQ(phase(Phase::kRunning, Phase::kCompleted, Phase::kCompleted), Phase::kRunning);
  EXPECT_EQ(phase(Phase::kRunning, Phase::kSuspended, Phase::kSuspended), Phase::kSuspended);
  EXPECT_EQ(phase(Phase::kDegraded, Phase::kRunning, Phase::kRunning), Phase::kDegraded);
}

TEST(Unwrap, WhatIsOverWantsNothing) {
  Workload workload = UnwrapTwo(Phase::kFailed, Phase::kRunning, Phase::kRunning);
  EXPECT_EQ(workload.status.phase, Phase::kFailed);
  EXPECT_EQ(workload.totals.pods.desired.text(), "6");
  EXPECT_EQ(workload.totals.pods.wanted.text(), "0");
}

TEST(Unwrap, WhatIsOverHoldsIsToldOfTheWhole) {
  auto held = [](Workload workload) {
    workload.diagnostics.push_back(
        {workload::Severity::kWarning, "devices-held", workload.name, "file"});
    return workload;
  };
  auto unwrap = [&](Phase said) {
    std::vector<Wrapped> wrapped;
    wrapped.push_back({"/Job/a", held(With("a", {RoleOf("worker", 3)}, Phase::kFailed))});
    Workload workload = Unwrap(held(With("w", {RoleOf("a", 1, "/Job/a")}, said)),
                               With("w", {}, said), std::move(wrapped));
    std::string told;
    for (const auto& diagnostic : workload.diagnostics) told += diagnostic.message;
    return told;
  };
  EXPECT_EQ(unwrap(Phase::kFailed), "w");
  EXPECT_EQ(unwrap(Phase::kRunning), "a");
}

}  // namespace
}  // namespace wmap::inspect
