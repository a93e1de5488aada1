// Every recorded state, as `wmap audit -f FILE` and `wmap explain -f FILE` see it. Findings are
// those of audit.yaml, each of which is true, and no others: steady states and transitions are
// silent. Explanations name what the recording counts: pods without a node, crashing containers.

#include "inspect/audit.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/registry.h"
#include "input/input.h"
#include "inspect/explanation.h"
#include "inspect/snapshot.h"
#include "tests/support/shared_data.h"
#include "yaml/reader.h"

namespace wmap {
namespace {

using inspect::CauseKind;
using json::Value;

std::int64_t Number(const Value& value) { return value.is_int() ? value.as_int() : 0; }

class RecordedStates : public ::testing::Test {
 protected:
  inspect::Report Read(const std::string& file) {
    inspect::Snapshot snapshot(registry_, accelerators_);
    snapshot.WantSources();
    snapshot.WantGroups();
    input::Read(
        std::vector{file}, input::SystemFileSystem(), {},
        [&](const input::Object& object) { snapshot.Add(object.value, object.source); },
        [&](const input::Problem& problem) { ADD_FAILURE() << problem.Describe(); });
    return snapshot.Build();
  }

  // Calls `each(place, file, truth)` with every state: "jobset/jobset-v0.12.0/…/01-created.json".
  template <typename F>
  void ForEachState(F each) {
    for (const std::string& file : testing::FilesBelowOrDie(root_, "/truth.yaml")) {
      Arena arena;
      std::string text = testing::ReadFileOrDie(file);
      Result<Value> truth = yaml::Read(text, arena);
      ASSERT_TRUE(truth) << file;
      std::string folder = file.substr(0, file.rfind('/'));
      for (const Value& state : truth->Get("states").items()) {
        std::string path = Cat(folder, '/', state.Get("file").text_or_empty());
        each(path.substr(root_.size() + 1), path, state);
      }
    }
  }

  std::string root_ = Cat(testing::SharedDir(), "/data/lifecycles");
  definition::Registry registry_;
  workload::AcceleratorTable accelerators_;
};

TEST_F(RecordedStates, HaveTheFindingsThatAreTrue) {
  WMAP_REQUIRE_SHARED();
  Arena arena;
  std::string text =
      testing::ReadFileOrDie(Cat(testing::RepoDir(), "/tests/lifecycles/audit.yaml"));
  Result<Value> expected = yaml::Read(text, arena);
  ASSERT_TRUE(expected) << expected.error().Describe();
  std::size_t met = 0;
  ForEachState([&](const std::string& place, const std::string& file, const Value& truth) {
    inspect::Report report = Read(file);
    inspect::AuditOptions options;
    options.accelerators = &accelerators_;
    options.registry = &registry_;
    inspect::Audit audit = inspect::AuditReport(report, options);
    std::set<std::string> found;
    for (const inspect::Finding& finding : audit.findings) {
      found.insert(finding.code);
      if (finding.code == "status-contradicted") {
        EXPECT_NE(truth.Get("status").text_or_empty(), "running") << place;
      }
      if (finding.code == "devices-held") {
        EXPECT_GT(Number(truth.Get("gpus_on_running_pods")), 0) << place;
      }
    }
    std::set<std::string> wanted;
    if (Value codes = expected->Get(place); codes.is_array()) {
      ++met;
      for (const Value& code : codes.items()) wanted.emplace(code.text_or_empty());
    }
    EXPECT_EQ(found, wanted) << place;
  });
  EXPECT_EQ(met, expected->size()) << "audit.yaml names states that are not there";
}

TEST_F(RecordedStates, AreExplainedByWhatTheirPodsShow) {
  WMAP_REQUIRE_SHARED();
  ForEachState([&](const std::string& place, const std::string& file, const Value& truth) {
    inspect::Report report = Read(file);
    ASSERT_EQ(report.workloads.size(), 1U) << place;
    inspect::Explanation one = inspect::Explain(report, 0, registry_);
    EXPECT_FALSE(one.summary.empty()) << place;
    EXPECT_FALSE(one.rule.empty()) << place;
    std::set<CauseKind> kinds;
    for (const inspect::Cause& cause : one.causes) kinds.insert(cause.kind);
    using enum workload::Phase;
    workload::Phase phase = one.status.phase;
    if (phase == kRunning || phase == kCompleted) {
      // What runs may be on its way to a newer template.
      if (phase == kRunning) kinds.erase(CauseKind::kRollout);
      EXPECT_TRUE(kinds.empty()) << place;
      return;
    }
    EXPECT_FALSE(one.evidence.matched.empty()) << place;
    if (phase != kInitializing && phase != kDegraded) return;
    Value pods = truth.Get("pods_observed");
    bool is_deleting = truth.Get("root_deletion_requested").is_true();
    auto has_any = [&](std::string_view count) {
      return Number(pods.Get(count)) > 0 && !is_deleting;
    };
    if (has_any("crashlooping")) {
      EXPECT_TRUE(kinds.contains(CauseKind::kCrash)) << place;
      EXPECT_EQ(one.causes.front().kind, CauseKind::kCrash) << place;
    }
    if (has_any("unscheduled")) {
      EXPECT_TRUE(kinds.contains(CauseKind::kUnschedulable) || kinds.contains(CauseKind::kGated) ||
                  kinds.contains(CauseKind::kNoVerdict))
          << place;
    }
    bool lacks_pods = Number(truth.Get("pods_desired_now")) > Number(pods.Get("ready"));
    EXPECT_FALSE(one.pods_known && kinds.empty() && lacks_pods) << place;
  });
}

}  // namespace
}  // namespace wmap
