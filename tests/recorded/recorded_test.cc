// Objects that real operators made, recorded with the reading of another program. Every one of them
// is read without an error. The other reading is no truth, but where ours differs one of the two is
// wrong: each difference has been looked at once, and stands with the decision in differences.yaml.
//
// Only the objects were recorded, never their pods, so that both readings are of the object alone.

#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/registry.h"
#include "inspect/report.h"
#include "inspect/snapshot.h"
#include "json/value.h"
#include "json/writer.h"
#include "tests/support/shared_data.h"
#include "yaml/reader.h"

namespace wmap {
namespace {

using json::Value;

// What `patch` makes of `target` (RFC 7396). The recordings are small and not deep.
Value MergePatch(const Value& target, const Value& patch, Arena& arena) {
  if (!patch.is_object()) return patch;
  json::ObjectBuilder builder;
  if (target.is_object()) {
    for (const json::Member& member : target.members()) {
      if (patch.Find(member.key) == nullptr) builder.Add(member.key, member.value);
    }
  }
  for (const json::Member& member : patch.members()) {
    if (member.value.is_null()) continue;
    builder.Add(member.key, MergePatch(target.Get(member.key), member.value, arena));
  }
  return builder.Finish(arena);
}

struct State {
  Value object;
  Value references;  // other objects that were recorded with it
  std::string_view phase;
};

// The states of a file of either format, in their order.
std::vector<State> StatesOf(const Value& file, Arena& arena) {
  std::vector<State> states;
  for (const Value& event :
       file.Get("events").is_array() ? file.Get("events").items() : std::span<const Value>()) {
    if (event.Get("kind").text_or_empty() != "STATE") continue;
    states.push_back(
        {event.Get("object"), event.Get("references"), event.Get("state").text_or_empty()});
  }
  if (!file.Get("steps").is_array()) return states;
  Value object;
  for (const Value& step : file.Get("steps").items()) {
    object =
        step.Find("cr") != nullptr ? step.Get("cr") : MergePatch(object, step.Get("patch"), arena);
    states.push_back({object, Value(), step.Get("state").text_or_empty()});
  }
  return states;
}

struct Decision {
  std::string ours;
  std::string theirs;
  bool is_used = false;
};

class Recorded : public ::testing::Test {
 protected:
  void ReadDecisions() {
    std::string path = Cat(testing::RepoDir(), "/tests/recorded/differences.yaml");
    Result<Value> decisions = yaml::Read(testing::ReadFileOrDie(path), arena_);
    ASSERT_TRUE(decisions) << decisions.error().Describe();
    for (const json::Member& member : decisions->members()) {
      const Value& decision = member.value;
      EXPECT_NE(decision.Get("why").text_or_empty(), "") << member.key;
      decisions_[std::string(member.key)] = {std::string(decision.Get("ours").text_or_empty()),
                                             std::string(decision.Get("theirs").text_or_empty())};
    }
  }

  void CompareFile(const std::string& path) {
    std::string name = path.substr(root_.size() + 1);
    Result<Value> file = yaml::Read(testing::ReadFileOrDie(path), arena_);
    ASSERT_TRUE(file) << name << ": " << file.error().Describe();
    std::vector<State> states = StatesOf(*file, arena_);
    ASSERT_FALSE(states.empty()) << name;
    for (std::size_t i = 0; i < states.size(); ++i) {
      CompareState(states[i], Cat(name, '/', i + 1));
    }
  }

  void CompareState(const State& state, const std::string& place) {
    definition::Match match = registry_.FindByApiVersion(
        state.object.Get("apiVersion").text_or_empty(), state.object.Get("kind").text_or_empty());
    if (!match) {
      ++not_covered_[std::string(state.object.Get("kind").text_or_empty())];
      return;
    }
    inspect::Snapshot snapshot(registry_, accelerators_);
    snapshot.Add(state.object, {.file = place});
    if (state.references.is_array()) {
      for (const Value& reference : state.references.items())
        snapshot.Add(reference, {.file = place});
    }
    inspect::Report report = snapshot.Build();
    ASSERT_EQ(report.workloads.size(), 1U) << place;
    const workload::Workload& workload = report.workloads[0];
    EXPECT_TRUE(report.complete) << place;
    ExpectNoError(report.diagnostics, place);
    ExpectNoError(workload.diagnostics, place);
    ++states_;
    Decide(place, PhaseName(workload.status.phase), state.phase);
  }

  static void ExpectNoError(const std::vector<workload::Diagnostic>& diagnostics,
                            const std::string& place) {
    for (const workload::Diagnostic& diagnostic : diagnostics) {
      EXPECT_NE(diagnostic.severity, workload::Severity::kError)
          << place << ": " << diagnostic.code << ": " << diagnostic.message;
    }
  }

  void Decide(const std::string& place, std::string_view ours, std::string_view theirs) {
    auto decision = decisions_.find(place);
    if (decision != decisions_.end()) decision->second.is_used = true;
    if (ours == theirs) {
      EXPECT_EQ(decision, decisions_.end()) << place << ": both say " << ours << " now";
      return;
    }
    ++differences_;
    if (decision == decisions_.end()) {
      ADD_FAILURE() << place << ": {ours: " << ours << ", theirs: " << theirs
                    << "} is not in differences.yaml";
      return;
    }
    EXPECT_EQ(decision->second.ours, ours) << place;
    EXPECT_EQ(decision->second.theirs, theirs) << place;
  }

  std::string root_ = Cat(testing::SharedDir(), "/data/recorded");
  Arena arena_;
  definition::Registry registry_;
  workload::AcceleratorTable accelerators_;
  std::map<std::string, Decision> decisions_;  // by FILE/STATE, states numbered from 1
  std::map<std::string, int> not_covered_;     // states by kind
  int states_ = 0;
  int differences_ = 0;
};

TEST_F(Recorded, IsReadWithoutErrorAndDiffersOnlyWhereItWasDecided) {
  WMAP_REQUIRE_SHARED();
  ReadDecisions();
  for (const std::string& file : testing::FilesBelowOrDie(root_, ".yaml")) CompareFile(file);
  for (const auto& [place, decision] : decisions_) {
    EXPECT_TRUE(decision.is_used) << place << ": no such state";
  }
  EXPECT_GT(states_, 160);
  std::printf("states: %d, of which %d read otherwise\n", states_, differences_);
  for (const auto& [kind, states] : not_covered_) {
    std::printf("not covered: %s, %d states\n", kind.c_str(), states);
  }
}

}  // namespace
}  // namespace wmap
