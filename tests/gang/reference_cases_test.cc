// The reference cases about gangs, read by the catalog's definitions: what is expected stands in
// the expect.md of each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/registry.h"
#include "gang/groups.h"
#include "gang/subject.h"
#include "tests/support/reading.h"
#include "tests/support/shared_data.h"

namespace wmap::gang {
namespace {

using json::Value;

class ReferenceCases : public ::testing::Test {
 protected:
  void SetUp() override { WMAP_REQUIRE_SHARED(); }

  void Read(std::string_view name) {
    std::string text =
        testing::ReadFileOrDie(Cat(testing::SharedDir(), "/cases/", name, "/input.yaml"));
    std::size_t at = 0;
    while (at != std::string::npos) {
      std::size_t end = text.find("\n---\n", at);
      Value document = testing::YamlOrDie(
          std::string_view(text).substr(at, end == std::string::npos ? end : end - at), arena_);
      at = end == std::string::npos ? end : end + 5;
      if (document.Get("kind").text_or_empty() != "List") {
        objects_.push_back(document);
        continue;
      }
      for (const Value& item : document.Get("items").items()) pods_.push_back(item);
    }
  }

  // The groups of the object with this name, with the pods whose label `key` names it.
  WorkloadGroups Groups(std::string_view name, std::string_view key) {
    for (const Value& object : objects_) {
      if (NameOf(object) != name) continue;
      std::vector<Value> own;
      for (const Value& pod : pods_) {
        if (Label(pod, key) == name || NameOf(pod) == Cat(name, "-stray")) own.push_back(pod);
      }
      definition::Match match = registry_.FindByApiVersion(object.Get("apiVersion").text_or_empty(),
                                                           object.Get("kind").text_or_empty());
      Result<WorkloadGroups> groups = GroupsOf(*match.karta, object, own, Options());
      if (!groups) testing::DieOf(groups.error().Describe(), name);
      return *groups;
    }
    testing::DieOf("no such object", name);
  }

  // "2 x 4, 1 x 1": the minimums.
  static std::string Text(const WorkloadGroups& groups) {
    std::vector<std::string> texts;
    for (const GroupSet& set : groups.groups) {
      texts.push_back(Cat(set.copies, " x ", set.plan.MinimumPods()));
    }
    return Join(texts, ", ");
  }

  Arena arena_;
  definition::Registry registry_;
  std::vector<Value> objects_;
  std::vector<Value> pods_;
};

TEST_F(ReferenceCases, AGangLeavesOutWhatIsMadeOnceItRuns) {
  Read("15-mpijob-delayed-launcher-gang");
  constexpr std::string_view kJob = "training.kubeflow.org/job-name";
  EXPECT_EQ(Text(Groups("late-launcher", kJob)), "1 x 4");
  EXPECT_EQ(Text(Groups("late-launcher-own-minimum", kJob)), "1 x 4");
  WorkloadGroups works = Groups("launcher-works", kJob);
  EXPECT_EQ(Text(works), "1 x 4");
  EXPECT_TRUE(works.wants_pods);
  // One launcher and two workers, one of them with an index equal to the number of workers.
  EXPECT_THAT(works.groups[0].pods, ::testing::SizeIs(3));
  EXPECT_THAT(works.warnings, ::testing::IsEmpty());
  // None now, 4 when it goes on.
  WorkloadGroups suspended = Groups("suspended-late-launcher", kJob);
  EXPECT_FALSE(suspended.wants_pods);
  EXPECT_EQ(Text(suspended), "1 x 4");
  // With the launcher's pod.
  pods_.push_back(testing::YamlOrDie(
      R"({metadata: {name: l, labels: {training.kubeflow.org/job-name: late-launcher,
          training.kubeflow.org/job-role: launcher}}, status: {phase: Pending}})",
      arena_));
  EXPECT_EQ(Text(Groups("late-launcher", kJob)), "1 x 5");
}

TEST_F(ReferenceCases, AGangForEachLeaderAndASmallOneUntilItRuns) {
  Read("16-lws-gang-startup-labels-subgroups");
  constexpr std::string_view kSet = "leaderworkerset.sigs.k8s.io/name";
  WorkloadGroups serve = Groups("serve-b", kSet);
  EXPECT_EQ(Text(serve), "1 x 4, 1 x 1, 1 x 1");
  EXPECT_EQ(serve.groups[2].plan.name, "pg-u-serve-b-serve-b-2");
  // Labels in the domain of the API group tell nothing.
  EXPECT_THAT(serve.loose_pods, ::testing::ElementsAre(4));
  EXPECT_EQ(Text(Groups("serve-c", kSet)), "1 x 9");
}

}  // namespace
}  // namespace wmap::gang
