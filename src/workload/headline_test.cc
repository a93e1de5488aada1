#include "workload/headline.h"

#include <deque>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"

namespace wmap::workload {
namespace {

using testing::HasSubstr;

TEST(ObjectHeadline, IsTheFirstInTheOrderOfPrecedence) {
  struct Case {
    std::vector<Phase> phases;
    Phase headline;
  };
  for (const Case& c : std::vector<Case>{
           {{}, Phase::kUndefined},
           {{Phase::kUndefined}, Phase::kUndefined},
           {{Phase::kRunning, Phase::kInitializing}, Phase::kRunning},
           {{Phase::kRunning, Phase::kDegraded}, Phase::kDegraded},
           {{Phase::kSuspended, Phase::kRunning, Phase::kDegraded}, Phase::kSuspended},
           {{Phase::kResuming, Phase::kSuspended}, Phase::kResuming},
           {{Phase::kResuming, Phase::kSuspending}, Phase::kSuspending},
           {{Phase::kSuspending, Phase::kCompleted}, Phase::kCompleted},
           {{Phase::kFailed, Phase::kCompleted}, Phase::kFailed},
       }) {
    EXPECT_EQ(ObjectHeadline(c.phases), c.headline);
  }
}

// Pods in a short notation, one word each: Ready, Running (not ready), Pending, Unschedulable,
// Gated, Creating, Pull (ImagePullBackOff), Crash (CrashLoopBackOff), Lost (was ready), Restarted,
// Done (succeeded), Ended (its containers have, well, and it is being removed), Failed, Evicted.
class Pods {
 public:
  explicit Pods(std::string_view words) {
    while (!words.empty()) {
      std::size_t end = std::min(words.find(' '), words.size());
      pods_.push_back(Make(words.substr(0, end)));
      list_.push_back(&pods_.back());
      words.remove_prefix(std::min(end + 1, words.size()));
    }
  }
  std::span<const PodFacts* const> list() const { return list_; }

 private:
  PodFacts Make(std::string_view word) {
    PodFacts pod;
    pod.name = texts_.Share(ToLower(word));
    pod.phase = PodPhase::kRunning;
    pod.node = "node";
    if (word == "Ready" || word == "Leaving") pod.ready = true;
    if (word == "Leaving") pod.terminating = true;
    if (word == "Pending") pod.phase = PodPhase::kPending;
    if (word == "Unschedulable" || word == "Gated") {
      pod.phase = PodPhase::kPending;
      pod.node = {};
      pod.reason = word == "Gated" ? "SchedulingGated" : "Unschedulable";
      pod.unschedulable = word == "Unschedulable";
      pod.gated = word == "Gated";
    }
    if (word == "Crash") {
      pod.crash_looping = true;
      pod.restarts = 3;
      pod.reason = "CrashLoopBackOff";
    }
    if (word == "Creating" || word == "Pull") {
      pod.phase = PodPhase::kPending;
      pod.reason = word == "Pull" ? "ImagePullBackOff" : "ContainerCreating";
    }
    if (word == "Lost") pod.was_ready = true;
    if (word == "Restarted") pod.restarts = 1;
    if (word == "Done") pod.phase = PodPhase::kSucceeded;
    if (word == "Ended") pod.done = pod.terminating = true;
    if (word == "Failed" || word == "Evicted") {
      pod.phase = PodPhase::kFailed;
      pod.reason = word == "Failed" ? "Error" : "Evicted";
      pod.evicted = word == "Evicted";
    }
    return pod;
  }

  TextPool texts_;
  std::deque<PodFacts> pods_;
  std::vector<const PodFacts*> list_;
};

Headline Judge(std::span<const Phase> phases, std::int64_t desired, std::string_view pods) {
  Pods made(pods);
  RoleEvidence role{Count::Exactly(desired), Count::Exactly(desired), false, made.list()};
  return HeadlineWithPods(phases, std::span(&role, 1));
}

TEST(HeadlineWithPods, FollowsTheRules) {
  struct Case {
    std::vector<Phase> object;
    std::int64_t desired;
    std::string_view pods;
    Phase headline;
  };
  const std::vector<Phase> running = {Phase::kRunning};
  const std::vector<Phase> initializing = {Phase::kInitializing};
  for (const Case& c : std::vector<Case>{
           // Terminal and suspended states come from the object.
           {{Phase::kFailed}, 2, "Ready Ready", Phase::kFailed},
           {{Phase::kCompleted}, 2, "Ready Crash", Phase::kCompleted},
           {{Phase::kSuspended}, 2, "", Phase::kSuspended},
           {{Phase::kSuspending}, 2, "Ready Ready", Phase::kSuspending},
           {{Phase::kSuspending}, 2, "", Phase::kSuspending},
           {{Phase::kSuspended, Phase::kFailed}, 2, "Ready", Phase::kFailed},
           // While pods live the workload is not suspended yet, whatever they do.
           {{Phase::kSuspended}, 2, "Ready Ready", Phase::kSuspending},
           {{Phase::kSuspended, Phase::kRunning}, 2, "Running", Phase::kSuspending},
           {{Phase::kSuspended}, 0, "Leaving", Phase::kSuspending},
           {{Phase::kSuspended}, 1, "Crash", Phase::kSuspending},
           {{Phase::kSuspended}, 1, "Unschedulable", Phase::kSuspending},
           {{Phase::kSuspended}, 2, "Done Pending", Phase::kSuspending},
           // Pods that have ended do not.
           {{Phase::kSuspended}, 2, "Done Failed Evicted", Phase::kSuspended},
           {{Phase::kSuspended}, 2, "Ended", Phase::kSuspended},
           // All wanted pods are ready.
           {running, 2, "Ready Ready", Phase::kRunning},
           {initializing, 2, "Ready Ready", Phase::kRunning},
           {{}, 2, "Ready Ready", Phase::kRunning},
           {{Phase::kResuming}, 2, "Ready Ready", Phase::kRunning},
           {running, 2, "Ready Ready Ready Pending", Phase::kRunning},
           // Pods that succeeded and need not come back are satisfied.
           {running, 3, "Ready Done Done", Phase::kRunning},
           {running, 2, "Done Done", Phase::kRunning},
           {initializing, 2, "Done Done", Phase::kRunning},
           {{}, 2, "Done Done", Phase::kRunning},
           {{Phase::kDegraded}, 2, "Done Done", Phase::kDegraded},
           {{Phase::kCompleted}, 2, "Done Done", Phase::kCompleted},
           // So are those that have ended well and are only not removed yet.
           {running, 2, "Ended Ended", Phase::kRunning},
           {initializing, 2, "Ended Ready", Phase::kRunning},
           {running, 2, "Ended Pending", Phase::kInitializing},
           {running, 2, "Ended Crash", Phase::kDegraded},
           // Not all are ready, and nothing shows that they ever were.
           {running, 2, "Ready Pending", Phase::kInitializing},
           {running, 2, "Unschedulable Unschedulable", Phase::kInitializing},
           {running, 2, "Ready Running", Phase::kInitializing},
           {running, 2, "Gated Gated", Phase::kInitializing},
           {running, 2, "", Phase::kInitializing},
           {initializing, 2, "Ready", Phase::kInitializing},
           {{Phase::kResuming}, 2, "Ready Pending", Phase::kResuming},
           // They were, and some are not.
           {running, 2, "Ready Crash", Phase::kDegraded},
           {initializing, 2, "Crash Crash", Phase::kDegraded},
           {running, 2, "Ready Lost", Phase::kDegraded},
           {running, 2, "Ready Restarted", Phase::kDegraded},
           {running, 2, "Ready Evicted", Phase::kDegraded},
           {running, 2, "Ready Failed Pending", Phase::kDegraded},
           // A pod that is being deleted was up, and is as good as gone.
           {running, 2, "Leaving Leaving", Phase::kDegraded},
           {running, 2, "Ready Ready Leaving", Phase::kRunning},
           // The object says that something is wrong with an application on ready pods.
           {{Phase::kDegraded}, 2, "Ready Ready", Phase::kDegraded},
           {{Phase::kRunning, Phase::kDegraded}, 2, "Ready Ready", Phase::kDegraded},
           {{Phase::kDegraded}, 2, "Ready Pending", Phase::kDegraded},
           // A failed pod whose replacement is ready is history.
           {running, 2, "Ready Failed Ready", Phase::kRunning},
           // Nothing is wanted: the object's word stands.
           {running, 0, "", Phase::kRunning},
           {initializing, 0, "", Phase::kInitializing},
           {{}, 0, "", Phase::kUndefined},
       }) {
    Headline headline = Judge(c.object, c.desired, c.pods);
    EXPECT_EQ(PhaseName(headline.phase), PhaseName(c.headline))
        << PhaseName(ObjectHeadline(c.object)) << ", " << c.desired << " of " << c.pods;
    EXPECT_TRUE(headline.from_pods);
  }
}

TEST(HeadlineWithPods, AWordAboutPodsYieldsToReadyOnes) {
  auto judge = [](Phase object, std::string_view pods, std::optional<bool> holds) {
    Pods made(pods);
    RoleEvidence role{Count::Exactly(2), Count::Exactly(2), false, made.list()};
    return HeadlineWithPods(std::vector{object}, std::span(&role, 1), {}, holds).phase;
  };
  EXPECT_EQ(judge(Phase::kDegraded, "Ready Ready", {}), Phase::kDegraded);
  EXPECT_EQ(judge(Phase::kDegraded, "Ready Ready", true), Phase::kDegraded);
  EXPECT_EQ(judge(Phase::kDegraded, "Ready Ready", false), Phase::kRunning);
  EXPECT_EQ(judge(Phase::kDegraded, "Done Done", false), Phase::kRunning);
  EXPECT_EQ(judge(Phase::kDegraded, "Ready Pending", false), Phase::kDegraded)
      << "not all are ready, and the object knows that they were";
  EXPECT_EQ(judge(Phase::kInitializing, "Ready Ready", {}), Phase::kRunning);
  EXPECT_EQ(judge(Phase::kInitializing, "Ready Ready", false), Phase::kRunning);
  EXPECT_EQ(judge(Phase::kInitializing, "Ready Ready", true), Phase::kInitializing);
  EXPECT_EQ(judge(Phase::kInitializing, "Ready Crash", true), Phase::kDegraded);
  EXPECT_EQ(judge(Phase::kRunning, "Ready Ready", true), Phase::kRunning);
  EXPECT_EQ(judge(Phase::kFailed, "Ready Ready", false), Phase::kFailed);
}

TEST(HeadlineWithPods, OfTwoPhasesDegradedIsTheOneThatHolds) {
  Pods ready("Ready");
  RoleEvidence role{Count::Exactly(1), Count::Exactly(1), false, ready.list()};
  EXPECT_EQ(HeadlineWithPods(std::vector{Phase::kResuming, Phase::kDegraded}, std::span(&role, 1),
                             {}, true)
                .phase,
            Phase::kDegraded);
}

TEST(HeadlineWithPods, ARolloutWhoseNewPodsCrashIsDegradedThoughTheOldOnesServe) {
  struct Made {
    std::string_view owner;
    std::int64_t created;
    std::string_view word;
  };
  auto judge = [](std::initializer_list<Made> pods, std::int64_t wanted) {
    std::deque<Pods> words;
    std::deque<PodFacts> made;
    std::vector<const PodFacts*> list;
    for (const Made& one : pods) {
      PodFacts& pod = made.emplace_back(*words.emplace_back(one.word).list().front());
      pod.owner.uid = one.owner;
      pod.created = one.created;
      list.push_back(&pod);
    }
    RoleEvidence role{Count::Exactly(wanted), Count::Exactly(wanted), false, list};
    return HeadlineWithPods(std::vector{Phase::kRunning}, std::span(&role, 1));
  };
  Headline headline = judge({{"old", 10, "Ready"}, {"new", 20, "Crash"}}, 1);
  EXPECT_EQ(headline.phase, Phase::kDegraded);
  EXPECT_EQ(headline.reason, "CrashLoopBackOff");
  EXPECT_EQ(headline.message, "all 1 wanted pods are ready; crash: CrashLoopBackOff");
  EXPECT_EQ(judge({{"old", 10, "Ready"}, {"new", 20, "Restarted"}}, 1).reason, "PodsRestarting");
  EXPECT_EQ(judge({{"old", 10, "Ready"}, {"new", 20, "Ready"}, {"new", 21, "Crash"}}, 2).phase,
            Phase::kDegraded);
  EXPECT_EQ(judge({{"old", 10, "Ready"}, {"old", 30, "Ready"}, {"new", 20, "Crash"}}, 2).phase,
            Phase::kDegraded)
      << "an old one was made anew";
  EXPECT_EQ(judge({{"set", 10, "Ready"}, {"set", 20, "Crash"}}, 1).phase, Phase::kDegraded)
      << "all are of one owner";

  EXPECT_EQ(judge({{"old", 10, "Ready"}, {"new", 20, "Creating"}}, 1).phase, Phase::kRunning)
      << "it may yet start";
  EXPECT_EQ(judge({{"old", 10, "Crash"}, {"new", 20, "Ready"}}, 1).phase, Phase::kRunning)
      << "the old template crashes, and is replaced";
  EXPECT_EQ(judge({{"a", 10, "Ready"}, {"b", 20, "Crash"}, {"c", 30, "Ready"}}, 2).phase,
            Phase::kRunning)
      << "so is a template in between";
  EXPECT_EQ(judge({{"old", 10, "Ready"}, {"new", 20, "Leaving"}}, 1).phase, Phase::kRunning);
  EXPECT_EQ(judge({{"old", 10, "Ready"}, {"new", 20, "Failed"}}, 1).phase, Phase::kRunning)
      << "it has ended";
  EXPECT_EQ(judge({{"set", 10, "Crash"}}, 0).phase, Phase::kRunning) << "none is wanted";
}

TEST(HeadlineWithPods, OneRoleDoesNotMakeUpForAnother) {
  Pods leader("Ready Ready");
  Pods workers("Pending");
  const RoleEvidence roles[] = {{Count::Exactly(1), Count::Exactly(1), false, leader.list()},
                                {Count::Exactly(2), Count::Exactly(2), false, workers.list()}};
  Headline headline = HeadlineWithPods(std::vector{Phase::kRunning}, roles);
  EXPECT_EQ(headline.phase, Phase::kInitializing);
  EXPECT_THAT(headline.message, HasSubstr("2 of 3 pods are not ready"));
}

TEST(HeadlineWithPods, AWantedCountLeavesOutWhatSucceededAlready) {
  Pods pods("Ready Done Done");
  RoleEvidence role{Count::Exactly(2), Count::Exactly(4), true, pods.list()};
  EXPECT_EQ(HeadlineWithPods(std::vector{Phase::kRunning}, std::span(&role, 1)).phase,
            Phase::kInitializing)
      << "two are wanted besides the two that succeeded";
  role.wanted = Count::Exactly(1);
  EXPECT_EQ(HeadlineWithPods(std::vector{Phase::kRunning}, std::span(&role, 1)).phase,
            Phase::kRunning);
}

TEST(HeadlineWithPods, WhatSucceededAndIsNotCountedYetIsNotMissed) {
  struct Case {
    std::int64_t desired;
    std::int64_t wanted;
    std::string_view pods;
    Phase headline;
  };
  for (const Case& c : {
           Case{4, 4, "Done Done Done Done", Phase::kRunning},
           Case{4, 4, "Ready Ready Ready Done", Phase::kRunning},
           Case{2, 2, "Done Pending", Phase::kInitializing},
           Case{2, 2, "Done Crash", Phase::kDegraded},
           // The one that succeeded is counted; another one is missing.
           Case{2, 1, "Done", Phase::kInitializing},
           // A job of more pods than it runs at once: the next ones are on their way.
           Case{2, 2, "Done Done Done Done Pending Pending", Phase::kInitializing},
       }) {
    Pods pods(c.pods);
    RoleEvidence role{Count::Exactly(c.wanted), Count::Exactly(c.desired), true, pods.list()};
    Headline headline = HeadlineWithPods(std::vector{Phase::kRunning}, std::span(&role, 1));
    EXPECT_EQ(PhaseName(headline.phase), PhaseName(c.headline)) << c.wanted << " of " << c.pods;
  }
}

TEST(StillWanted, LeavesOutWhatSucceededAndNoOtherPodStandsFor) {
  struct Case {
    std::int64_t desired;
    std::int64_t wanted;
    bool is_reduced;
    std::string_view pods;
    std::int64_t still;
  };
  for (const Case& c : {
           Case{4, 4, false, "Ready Ready Ready Done", 3},
           Case{4, 4, true, "Ready Ready Ready Done", 3},
           Case{4, 4, true, "Done Done Done Done", 0},
           Case{4, 3, true, "Ready Ready Ready Done", 3},
           Case{2, 2, true, "Ready Ended", 1},
           // What has taken the place of one that succeeded is wanted, be it ready or not.
           Case{2, 2, false, "Done Ready Pending", 2},
           Case{2, 2, false, "Done Done Ready", 1},
           Case{2, 0, true, "Done Done Ready", 0},
           Case{2, 2, false, "Failed", 2},
       }) {
    Pods pods(c.pods);
    RoleEvidence role{Count::Exactly(c.wanted), Count::Exactly(c.desired), c.is_reduced,
                      pods.list()};
    EXPECT_EQ(StillWanted(role), Count::Exactly(c.still)) << c.wanted << " of " << c.pods;
  }
  Pods pods("Done Ready");
  EXPECT_EQ(StillWanted({Count::Unknown("w"), Count::Unknown("w"), false, pods.list()}),
            Count::Unknown("w"));
}

// The object counts a pod as succeeded when its phase says so, not before.
TEST(HeadlineWithPods, APodBetweenItsEndAndItsRemovalIsNotMissed) {
  Pods pods("Ended Done");
  RoleEvidence role{Count::Exactly(1), Count::Exactly(2), true, pods.list()};
  EXPECT_EQ(HeadlineWithPods(std::vector{Phase::kInitializing}, std::span(&role, 1)).phase,
            Phase::kRunning);
  role.wanted = Count::Exactly(0);
  EXPECT_EQ(HeadlineWithPods(std::vector{Phase::kInitializing}, std::span(&role, 1)).phase,
            Phase::kInitializing)
      << "nothing is wanted: the object's word stands";
}

TEST(HeadlineWithPods, OfAnUnknownCountThePodsThatExistAreWanted) {
  Pods ready("Ready Ready Done");
  RoleEvidence role{Count::Unknown("w"), Count::Unknown("w"), false, ready.list()};
  EXPECT_EQ(HeadlineWithPods(std::vector{Phase::kInitializing}, std::span(&role, 1)).phase,
            Phase::kRunning);
  Pods pending("Ready Pending");
  role.pods = pending.list();
  EXPECT_EQ(HeadlineWithPods(std::vector{Phase::kRunning}, std::span(&role, 1)).phase,
            Phase::kInitializing);
}

TEST(HeadlineWithPods, OfARangeTheMinimumIsWanted) {
  Pods pods("Ready");
  RoleEvidence role{Count::Between(1, 4), Count::Between(1, 4), false, pods.list()};
  EXPECT_EQ(HeadlineWithPods(std::vector{Phase::kInitializing}, std::span(&role, 1)).phase,
            Phase::kRunning);
}

TEST(HeadlineWithPods, PodsWithoutRoleStandInForThoseThatTheRolesMiss) {
  Pods stray("Ready Ready");
  RoleEvidence role{Count::Exactly(2), Count::Exactly(2), false, {}};
  EXPECT_EQ(HeadlineWithPods(std::vector{Phase::kRunning}, std::span(&role, 1), stray.list()).phase,
            Phase::kRunning);
  Pods crash("Ready Crash");
  EXPECT_EQ(HeadlineWithPods(std::vector{Phase::kRunning}, std::span(&role, 1), crash.list()).phase,
            Phase::kDegraded);
}

TEST(HeadlineWithPods, APodThatOthersWaitedForWasReady) {
  auto judge = [](std::string_view names_and_words, std::optional<std::int64_t> first = {}) {
    std::deque<Pods> made;
    std::vector<const PodFacts*> list;
    std::deque<PodFacts> named;
    while (!names_and_words.empty()) {
      std::size_t end = std::min(names_and_words.find(' '), names_and_words.size());
      std::string_view word = names_and_words.substr(0, end);
      std::size_t equals = word.find('=');
      made.emplace_back(word.substr(equals + 1));
      named.push_back(*made.back().list().front());
      named.back().name = word.substr(0, equals);
      list.push_back(&named.back());
      names_and_words.remove_prefix(std::min(end + 1, names_and_words.size()));
    }
    RoleEvidence role{Count::Exactly(3), Count::Exactly(3), false, list, {}, true, first};
    return HeadlineWithPods(std::vector{Phase::kInitializing}, std::span(&role, 1)).phase;
  };
  EXPECT_EQ(judge("s-0=Ready s-1=Running"), Phase::kInitializing);
  EXPECT_EQ(judge("s-0=Ready s-1=Running s-2=Ready"), Phase::kDegraded);
  EXPECT_EQ(judge("s-0=Ready s-1=Ready s-2=Running"), Phase::kInitializing);
  EXPECT_EQ(judge("s-0=Ready s-2=Ready"), Phase::kDegraded) << "s-1 is gone";
  EXPECT_EQ(judge("s-5=Ready s-6=Running"), Phase::kInitializing) << "the first one may be any";
  EXPECT_EQ(judge("s-1=Ready s-2=Ready"), Phase::kInitializing) << "for all that is known";
  EXPECT_EQ(judge("s-1=Ready s-2=Ready", 0), Phase::kDegraded) << "s-0 is gone";
  EXPECT_EQ(judge("s-1=Pending", 0), Phase::kDegraded) << "s-0 is gone";
  EXPECT_EQ(judge("s-0=Pending", 0), Phase::kInitializing);
  EXPECT_EQ(judge("s-5=Ready s-6=Running", 5), Phase::kInitializing);
  EXPECT_EQ(judge("s-0=Ready s-2=Pending", 2), Phase::kInitializing)
      << "the numbers begin elsewhere now; s-0 goes";
  EXPECT_EQ(judge("s-0=Running s-10=Pending"), Phase::kDegraded);
  EXPECT_EQ(judge("x=Running y=Ready"), Phase::kInitializing) << "without numbers";
}

TEST(HeadlineWithPods, APodMadeAfterAHigherOneWasReadyReplacesAnother) {
  struct Numbered {
    std::string_view name;
    std::int64_t created;
    std::int64_t ready_since;  // 0: it is not ready
  };
  auto judge = [](std::initializer_list<Numbered> pods, std::int64_t desired) {
    std::deque<PodFacts> made;
    std::vector<const PodFacts*> list;
    for (const Numbered& one : pods) {
      PodFacts& pod = made.emplace_back();
      pod.name = one.name;
      pod.phase = one.ready_since > 0 ? PodPhase::kRunning : PodPhase::kPending;
      pod.ready = one.ready_since > 0;
      pod.created = one.created;
      pod.ready_since = one.ready_since;
      list.push_back(&pod);
    }
    RoleEvidence role{Count::Exactly(desired), Count::Exactly(desired), false, list};
    return HeadlineWithPods(std::vector{Phase::kRunning}, std::span(&role, 1)).phase;
  };
  EXPECT_EQ(judge({{"w-0", 90, 0}, {"w-1", 10, 20}, {"w-2", 10, 20}}, 3), Phase::kDegraded);
  EXPECT_EQ(judge({{"w-1", 90, 0}, {"w-0", 10, 20}, {"w-2", 10, 30}}, 3), Phase::kDegraded);
  EXPECT_EQ(judge({{"w-0", 10, 0}, {"w-1", 10, 20}}, 2), Phase::kInitializing) << "made together";
  EXPECT_EQ(judge({{"w-0", 12, 0}, {"w-1", 10, 20}}, 2), Phase::kInitializing) << "nearly so";
  EXPECT_EQ(judge({{"w-0", 10, 20}, {"w-1", 10, 20}, {"w-2", 90, 0}}, 3), Phase::kInitializing)
      << "one more is wanted";
  EXPECT_EQ(judge({{"a-0", 90, 0}, {"b-1", 10, 20}}, 2), Phase::kInitializing) << "of another row";
  EXPECT_EQ(judge({{"w-17", 90, 0}, {"w-44", 10, 20}}, 2), Phase::kInitializing)
      << "numbers that count nothing";
}

TEST(HeadlineWithPods, ARoleThatOthersWaitedForHadReadyPods) {
  Pods store("Running");
  Pods front("Ready");
  RoleEvidence roles[] = {{Count::Exactly(1), Count::Exactly(1), false, store.list(), {}, false},
                          {Count::Exactly(1), Count::Exactly(1), false, front.list(), {}, false}};
  auto judge = [&] { return HeadlineWithPods(std::vector{Phase::kInitializing}, roles).phase; };
  EXPECT_EQ(judge(), Phase::kInitializing);
  roles[1].starts_after = {0};
  EXPECT_EQ(judge(), Phase::kDegraded);
  roles[0].pods = {};
  EXPECT_EQ(judge(), Phase::kDegraded);
  Pods some("Ready Running");
  roles[0] = {Count::Exactly(2), Count::Exactly(2), false, some.list(), {}, false};
  EXPECT_EQ(judge(), Phase::kInitializing) << "one may have been enough";
}

TEST(HeadlineWithPods, NamesThePodThatShowsWhy) {
  Headline headline = Judge(std::vector{Phase::kRunning}, 4, "Ready Pending Unschedulable Crash");
  EXPECT_EQ(headline.reason, "CrashLoopBackOff");
  EXPECT_EQ(headline.message, "3 of 4 pods are not ready; crash: CrashLoopBackOff");
  headline = Judge(std::vector{Phase::kRunning}, 1, "Unschedulable");
  EXPECT_EQ(headline.reason, "Unschedulable");
  EXPECT_EQ(headline.message, "1 of 1 pod is not ready; unschedulable: Unschedulable");
  headline = Judge(std::vector{Phase::kRunning}, 3, "Ready");
  EXPECT_EQ(headline.reason, "PodsMissing");
  headline = Judge(std::vector{Phase::kRunning}, 2, "Ready Running");
  EXPECT_EQ(headline.reason, "PodsNotReady");
  EXPECT_EQ(Judge(std::vector{Phase::kRunning}, 1, "Ready").reason, "");
}

TEST(HeadlineWithPods, APodThatWasReplacedIsNotTheOneInTrouble) {
  struct Case {
    std::int64_t desired;
    std::string_view pods;
    std::string_view shown;
  };
  for (const Case& c : std::vector<Case>{
           // Another pod has the place: what keeps that one from being ready is what matters.
           {2, "Evicted Lost Ready", "lost"},
           {2, "Failed Ready Restarted", "restarted"},
           {2, "Failed Ready Unschedulable", "unschedulable"},
           {2, "Evicted Leaving Pull Ready", "pull"},
           {2, "Leaving Leaving Unschedulable Unschedulable", "unschedulable"},
           // One that merely starts tells less than the one that it stands for.
           {2, "Evicted Creating Ready", "evicted"},
           {2, "Failed Gated Ready", "failed"},
           {2, "Pending Ready Failed", "failed"},
           {2, "Leaving Leaving Creating Creating", "leaving"},
           // Nobody has it.
           {2, "Ready Failed", "failed"},
           {3, "Failed Ready Unschedulable", "failed"},
           {3, "Leaving Ready Pull", "leaving"},
       }) {
    Headline headline = Judge(std::vector{Phase::kRunning}, c.desired, c.pods);
    EXPECT_EQ(headline.phase, Phase::kDegraded);
    EXPECT_THAT(headline.message, HasSubstr(Cat("not ready; ", c.shown))) << c.pods;
  }
}

TEST(HeadlineWithPods, TellsWhatKeepsAWorkloadFromBeingSuspended) {
  Headline headline = Judge(std::vector{Phase::kSuspended}, 2, "Done Ready Leaving");
  EXPECT_EQ(headline.reason, "PodsLeft");
  EXPECT_EQ(headline.message, "2 pods are left; ready: Running");
  EXPECT_EQ(Judge(std::vector{Phase::kSuspended}, 2, "Done").reason, "");

  PodFacts stray;
  stray.name = "stray";
  stray.phase = PodPhase::kRunning;
  stray.node = "node";
  stray.gpus = 8;
  stray.terminating = true;
  const PodFacts* pod = &stray;
  headline = HeadlineWithPods(std::vector{Phase::kSuspended}, {}, std::span(&pod, 1));
  EXPECT_EQ(headline.phase, Phase::kSuspending);
  EXPECT_EQ(headline.message, "1 pod is left and holds 8 GPUs; stray: Terminating");
  stray.node = {};
  headline = HeadlineWithPods(std::vector{Phase::kSuspended}, {}, std::span(&pod, 1));
  EXPECT_EQ(headline.message, "1 pod is left; stray: Terminating") << "it has no node to hold them";
}

}  // namespace
}  // namespace wmap::workload
