// Every recorded state of every workload whose kind the catalog covers, as `wmap get -f FILE -o
// json` shows it, against what the recording says is true: the counts exactly, the status as a
// share that may only grow.
//
// The table of agreement is printed by every run and is where docs/accuracy.md comes from.

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/registry.h"
#include "input/input.h"
#include "inspect/report_json.h"
#include "inspect/snapshot.h"
#include "json/writer.h"
#include "tests/support/shared_data.h"
#include "yaml/reader.h"

namespace wmap {
namespace {

using json::Value;

// States whose headline is the recorded status or one that the recording accepts as well, by kind.
// A change that improves a kind raises its floor; none may lower one.
struct Floor {
  std::string_view kind;
  int states;
};
constexpr Floor kStatusFloors[] = {
    {"cronjob", 5},           {"deployment", 11},
    {"inferenceservice", 11}, {"job", 21},
    {"jobset", 34},           {"knative-service", 8},
    {"kueue-job", 6},         {"kueue-jobset", 4},
    {"kueue-pytorchjob", 4},  {"leaderworkerset", 16},
    {"mpijob-v1", 22},        {"mpijob-v2beta1", 25},
    {"nimservice", 14},       {"podcliqueset", 20},
    {"pytorchjob", 60},       {"raycluster", 52},
    {"rayjob", 38},           {"rayservice", 27},
    {"statefulset", 11},      {"tfjob", 8},
    {"trainjob", 16},
};

struct Agreement {
  int states = 0;
  int states_right = 0;
  int counts = 0;
  int counts_right = 0;
  int statuses_right = 0;
};

// What wmap shows of one file: the machine output, and its only row.
struct Shown {
  Arena arena;
  Value report;
  Value row() const {
    Value items = report.Get("items");
    return items.is_array() && items.size() == 1 ? items[0] : Value();
  }
};

class Comparison {
 public:
  Comparison(Agreement& agreement, std::string place)
      : agreement_(agreement), place_(std::move(place)) {}

  // `shown` may be absent when the truth is 0 only if `may_be_absent`.
  void Count(std::string_view what, const Value& shown, const Value& truth,
             bool may_be_absent = false) {
    ++agreement_.counts;
    bool is_right = shown.is_int() && truth.is_int() && shown.as_int() == truth.as_int();
    if (may_be_absent && shown.is_null() && truth.is_int() && truth.as_int() == 0) is_right = true;
    if (is_right) {
      ++agreement_.counts_right;
    } else {
      Differ(Cat(what, " is ", json::ToJson(shown), ", in truth ", json::ToJson(truth)));
    }
  }

  void Require(bool holds, std::string_view what) {
    if (!holds) Differ(std::string(what));
  }

  const std::vector<std::string>& differences() const { return differences_; }

 private:
  void Differ(const std::string& what) { differences_.push_back(Cat(place_, ": ", what)); }

  Agreement& agreement_;
  std::string place_;
  std::vector<std::string> differences_;
};

void CompareRoles(const Value& row, const Value& truth, Comparison& comparison) {
  std::map<std::string, Value> shown;
  for (const Value& role : row.Get("roles").items()) {
    shown.emplace(role.Get("role").text_or_empty(), role);
  }
  for (const json::Member& member : truth.Get("roles").members()) {
    std::string name(member.key);
    auto at = shown.find(name);
    comparison.Require(at != shown.end(), Cat("role ", name, " is missing"));
    if (at == shown.end()) continue;
    Value pods = at->second.Get("pods");
    auto count = [&](std::string_view field, const Value& value, std::string_view true_field,
                     bool may_be_absent) {
      comparison.Count(Cat("role ", name, ": ", field), value, member.value.Get(true_field),
                       may_be_absent);
    };
    count("desired", pods.Get("desired"), "desired", false);
    count("gpus.perPod", at->second.Get("gpus").Get("perPod"), "gpus_per_pod", false);
    count("observed", pods.Get("observed"), "observed", true);
    count("ready", pods.Get("ready"), "ready", true);
    shown.erase(at);
  }
  for (const auto& [name, role] : shown) {
    comparison.Require(false, Cat("role ", name, " is not in truth"));
  }
}

void Compare(const Shown& shown, const Value& root, const Value& truth, Comparison& comparison) {
  Value items = shown.report.Get("items");
  Value row = shown.row();
  comparison.Require(row.is_object(), Cat(items.size(), " rows instead of one"));
  if (!row.is_object()) return;
  comparison.Require(
      row.Get("kind").text_or_empty() == root.Get("kind").text_or_empty() &&
          row.Get("name").text_or_empty() == root.Get("metadata").Get("name").text_or_empty(),
      "the row is not the root");
  comparison.Require(shown.report.Get("unclaimedPods").size() == 0,
                     Cat("unclaimed pods: ", json::ToJson(shown.report.Get("unclaimedPods"))));
  comparison.Require(row.Find("podsWithoutRole") == nullptr,
                     Cat("pods without role: ", json::ToJson(row.Get("podsWithoutRole"))));
  comparison.Require(shown.report.Get("complete").is_true(), "incomplete");
  Value pods = row.Get("totals").Get("pods");
  Value gpus = row.Get("totals").Get("gpus");
  Value observed = truth.Get("pods_observed");
  comparison.Count("pods.desired", pods.Get("desired"), truth.Get("pods_desired"));
  comparison.Count("pods.wanted", pods.Get("wanted"), truth.Get("pods_desired_now"));
  comparison.Count("pods.observed", pods.Get("observed"), observed.Get("total"), true);
  comparison.Count("pods.ready", pods.Get("ready"), observed.Get("ready"), true);
  comparison.Count("gpus.desired", gpus.Get("desired"), truth.Get("gpus_desired"));
  comparison.Count("gpus.running", gpus.Get("running"), truth.Get("gpus_on_running_pods"), true);
  CompareRoles(row, truth, comparison);
}

bool StatusAgrees(std::string_view phase, const Value& truth) {
  std::string lower = ToLower(phase);
  if (truth.Get("status").text_or_empty() == lower) return true;
  Value others = truth.Get("also_acceptable");
  return others.is_array() && std::ranges::any_of(others.items(), [&](const Value& other) {
           return other.text_or_empty() == lower;
         });
}

class Truth : public ::testing::Test {
 protected:
  // The states of one workload. False when no definition covers its kind.
  bool CompareWorkload(const std::string& truth_file) {
    std::string folder = truth_file.substr(0, truth_file.rfind('/'));
    std::string relative = folder.substr(root_.size() + 1);
    Arena arena;
    std::string text = testing::ReadFileOrDie(truth_file);
    Result<Value> truth = yaml::Read(text, arena);
    if (!truth) {
      ADD_FAILURE() << truth_file << ": " << truth.error().Describe();
      return false;
    }
    definition::Match match = registry_.FindByApiVersion(truth->Get("apiVersion").text_or_empty(),
                                                         truth->Get("kind").text_or_empty());
    if (!match || match.other_version) return false;
    Agreement& agreement = agreements_[relative.substr(0, relative.find('/'))];
    for (const Value& state : truth->Get("states").items()) {
      CompareState(Cat(folder, '/', state.Get("file").text_or_empty()), relative, state, agreement);
    }
    return true;
  }

  void CompareState(const std::string& file, const std::string& relative, const Value& truth,
                    Agreement& agreement) {
    Shown shown;
    Value root;
    Show(file, shown, root);
    std::string place = Cat(relative, '/', truth.Get("file").text_or_empty());
    Comparison comparison(agreement, place);
    Compare(shown, root, truth, comparison);
    ++agreement.states;
    if (comparison.differences().empty()) ++agreement.states_right;
    for (const std::string& difference : comparison.differences()) ADD_FAILURE() << difference;
    Value status = shown.row().Get("status");
    std::string_view phase = status.Get("phase").text_or_empty();
    if (StatusAgrees(phase, truth)) {
      ++agreement.statuses_right;
    } else {
      status_differences_.push_back(Cat(place, ": ", phase, " ", json::ToJson(status.Get("phases")),
                                        ", in truth ", truth.Get("status").text_or_empty(), " (",
                                        truth.Get("reason").text_or_empty(), ")"));
    }
  }

  // What `wmap get -f file -o json` prints, and the first object of the file.
  void Show(const std::string& file, Shown& shown, Value& root) {
    inspect::Snapshot snapshot(registry_, accelerators_);
    input::Read(
        std::vector{file}, input::SystemFileSystem(), {},
        [&](const input::Object& object) {
          if (root.is_null()) root = json::DeepCopy(shown.arena, object.value);
          snapshot.Add(object.value, object.source);
        },
        [&](const input::Problem& problem) { ADD_FAILURE() << problem.Describe(); });
    // The report is gone after this; the machine output must not view it.
    inspect::Report report = snapshot.Build();
    Arena arena;
    shown.report = json::DeepCopy(shown.arena, inspect::ReportJson(report, arena));
  }

  void PrintAgreement() const {
    std::printf("%-18s %11s %14s %12s\n", "kind", "states", "counts", "status");
    Agreement all;
    for (const auto& [kind, a] : agreements_) {
      PrintRow(kind, a);
      all.states += a.states;
      all.states_right += a.states_right;
      all.counts += a.counts;
      all.counts_right += a.counts_right;
      all.statuses_right += a.statuses_right;
    }
    PrintRow("all", all);
    for (const std::string& difference : status_differences_) {
      std::printf("status: %s\n", difference.c_str());
    }
  }

  static void PrintRow(const std::string& kind, const Agreement& a) {
    std::printf("%-18s %11s %14s %12s\n", kind.c_str(), Cat(a.states_right, '/', a.states).c_str(),
                Cat(a.counts_right, '/', a.counts).c_str(),
                Cat(a.statuses_right, '/', a.states).c_str());
  }

  std::string root_ = Cat(testing::SharedDir(), "/data/lifecycles");
  definition::Registry registry_;
  workload::AcceleratorTable accelerators_;
  std::map<std::string, Agreement> agreements_;  // by kind
  std::vector<std::string> status_differences_;
};

TEST_F(Truth, IsWhatTheRecordedStatesShow) {
  WMAP_REQUIRE_SHARED();
  std::set<std::string> not_covered;
  for (const std::string& file : testing::FilesBelowOrDie(root_, "/truth.yaml")) {
    if (CompareWorkload(file)) continue;
    std::string relative = file.substr(root_.size() + 1);
    not_covered.insert(relative.substr(0, relative.find('/')));
  }
  PrintAgreement();
  std::printf("not covered: %s\n", Join({not_covered.begin(), not_covered.end()}, ", ").c_str());
  for (const Floor& floor : kStatusFloors) {
    EXPECT_GE(agreements_[std::string(floor.kind)].statuses_right, floor.states)
        << "statuses of " << floor.kind;
  }
}

}  // namespace
}  // namespace wmap
