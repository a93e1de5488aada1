#include "workload/headline.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/text.h"

namespace wmap::workload {
namespace {

constexpr std::array kPrecedence = {Phase::kFailed,   Phase::kCompleted,   Phase::kSuspending,
                                    Phase::kResuming, Phase::kSuspended,   Phase::kDegraded,
                                    Phase::kRunning,  Phase::kInitializing};

bool IsDecidedByObject(Phase phase) {
  return phase == Phase::kFailed || phase == Phase::kCompleted || phase == Phase::kSuspending ||
         phase == Phase::kSuspended;
}

bool IsAlive(const PodFacts* pod) { return !pod->ended() && !pod->done; }

// Has, or is about to have, a place among the wanted pods, and is not on its way out of it.
bool TakesAPlace(const PodFacts* pod) { return IsAlive(pod) && !pod->terminating; }

// How many of the places of wanted pods those hold that have succeeded. A pod that is there, be it
// on its way, has a place before them.
std::int64_t Satisfied(const RoleEvidence& role) {
  std::int64_t succeeded = 0;
  std::int64_t done = 0;
  for (const PodFacts* pod : role.pods) {
    if (pod->phase == PodPhase::kSucceeded) {
      ++succeeded;
    } else if (pod->done) {
      ++done;
    }
  }
  // Those that the object counts it wants no more. None counts a pod before its phase says so.
  if (role.wanted_is_reduced) {
    std::int64_t counted = std::max<std::int64_t>(role.desired.min() - role.wanted.min(), 0);
    succeeded = std::max<std::int64_t>(succeeded - counted, 0);
  }
  std::int64_t free = role.wanted.min() - std::ranges::count_if(role.pods, IsAlive);
  return std::clamp<std::int64_t>(succeeded + done, 0, std::max<std::int64_t>(free, 0));
}

// What the pods of all roles show together.
struct Evidence {
  std::int64_t wanted = 0;
  std::int64_t missing = 0;         // wanted pods that are not ready
  std::int64_t satisfied = 0;       // pods that would be wanted, had they not succeeded
  bool had_been_ready = false;      // something was up before and is not now
  const PodFacts* worst = nullptr;  // a pod that shows why
  int worst_rank = -1;
  const PodFacts* failing = nullptr;  // not needed for the count, and in a crash loop

  void Add(const RoleEvidence& role) {
    std::int64_t ready = std::ranges::count_if(role.pods, &PodFacts::serves);
    std::int64_t target = std::max<std::int64_t>(role.wanted.min(), 0);
    std::int64_t needed = target - Satisfied(role);
    satisfied += target - needed;
    // Where nobody can say how many are wanted, those that exist are.
    if (role.wanted.is_unknown()) needed = std::ranges::count_if(role.pods, IsAlive);
    wanted += needed;
    if (needed > 0 && failing == nullptr) failing = FailingRollout(role.pods);
    if (needed <= ready) return;
    missing += needed - ready;
    bool replaced = std::ranges::count_if(role.pods, TakesAPlace) >= needed;
    for (const PodFacts* pod : role.pods) Judge(*pod, replaced);
    if (role.starts_by_index) JudgeByIndex(role.pods, role.first_index);
    if (!had_been_ready) JudgeByAge(role);
  }

  // A role without a ready pod had some when one that starts after it has.
  void JudgeByOrder(std::span<const RoleEvidence> roles) {
    auto serves = [&](std::size_t role) {
      return std::ranges::any_of(roles[role].pods,
                                 [](const PodFacts* pod) { return pod->serves(); });
    };
    for (std::size_t i = 0; i < roles.size() && !had_been_ready; ++i) {
      if (roles[i].starts_after.empty() || !serves(i)) continue;
      had_been_ready = std::ranges::any_of(roles[i].starts_after, [&](std::size_t before) {
        return roles[before].wanted.min() > 0 && !serves(before);
      });
    }
  }

  // A pod beyond those that are needed, and in a crash loop: one that a rollout has made first. Not
  // so one of an older template, which is on its way out: the pods of another owner that serve were
  // first made after those of its own.
  static const PodFacts* FailingRollout(std::span<const PodFacts* const> pods) {
    auto crashes = [](const PodFacts* pod) {
      return !pod->serves() && TakesAPlace(pod) && (pod->crash_looping || pod->restarts > 0);
    };
    if (std::ranges::none_of(pods, crashes)) return nullptr;
    std::map<std::string_view, std::int64_t> first_made;
    for (const PodFacts* pod : pods) {
      auto [at, is_new] = first_made.try_emplace(pod->owner.uid, pod->created);
      if (!is_new) at->second = std::min(at->second, pod->created);
    }
    for (const PodFacts* pod : pods) {
      if (!crashes(pod)) continue;
      bool is_replaced = std::ranges::any_of(pods, [&](const PodFacts* other) {
        return other->serves() && first_made[other->owner.uid] > first_made[pod->owner.uid];
      });
      if (!is_replaced) return pod;
    }
    return nullptr;
  }

  // A pod was ready when one with a higher number is there, even if it is gone.
  void JudgeByIndex(std::span<const PodFacts* const> pods, std::optional<std::int64_t> first) {
    std::set<std::int64_t> serving;
    std::set<std::int64_t> all;
    for (const PodFacts* pod : pods) {
      std::optional<std::int64_t> index = IndexOf(*pod);
      if (!index) continue;
      all.insert(*index);
      if (pod->serves()) serving.insert(*index);
    }
    for (std::int64_t index : all) {
      // Below the first are those that go.
      bool is_next = index <= first.value_or(*all.begin()) || serving.contains(index - 1);
      had_been_ready |= !is_next;
    }
  }

  // A pod that was made when one with a higher number was ready already takes the place of another:
  // numbers are given out upwards, at the start as when more are wanted.
  void JudgeByAge(const RoleEvidence& role) {
    struct Numbered {
      std::string_view base;
      std::int64_t index = 0;
      const PodFacts* pod = nullptr;
    };
    std::vector<Numbered> numbered;
    for (const PodFacts* pod : role.pods) {
      std::optional<std::int64_t> index = IndexOf(*pod);
      // Others end with numbers that count nothing.
      if (!index || *index >= role.desired.min()) continue;
      numbered.push_back({pod->name.substr(0, pod->name.rfind('-')), *index, pod});
    }
    std::ranges::sort(numbered, std::ranges::greater(),
                      [](const Numbered& one) { return std::pair(one.base, one.index); });
    std::string_view base;
    std::int64_t first_ready = 0;
    for (const Numbered& one : numbered) {
      if (one.base != base) first_ready = 0;
      base = one.base;
      const PodFacts& pod = *one.pod;
      if (!pod.serves()) {
        had_been_ready |= first_ready > 0 && pod.created > first_ready && TakesAPlace(&pod);
      } else if (pod.ready_since > 0 && (first_ready == 0 || pod.ready_since < first_ready)) {
        first_ready = pod.ready_since;
      }
    }
  }

  static std::optional<std::int64_t> IndexOf(const PodFacts& pod) {
    std::size_t dash = pod.name.rfind('-');
    std::int64_t index = 0;
    const char* end = pod.name.data() + pod.name.size();
    const char* begin = dash == std::string_view::npos ? end : pod.name.data() + dash + 1;
    auto [at, error] = std::from_chars(begin, end, index);
    if (begin == end || at != end || error != std::errc()) return std::nullopt;
    return index;
  }

  void FillUp(std::span<const PodFacts* const> pods) {
    if (missing == 0) return;
    for (const PodFacts* pod : pods) Judge(*pod, /*replaced=*/false);
    missing -= std::min<std::int64_t>(missing, std::ranges::count_if(pods, &PodFacts::serves));
  }

  // `replaced`: other pods have taken the places of those that have ended or are on their way out.
  void Judge(const PodFacts& pod, bool replaced) {
    if (pod.serves() || pod.succeeded()) return;
    had_been_ready |= pod.ready || pod.crash_looping || pod.was_ready || pod.restarts > 0 ||
                      pod.phase == PodPhase::kFailed;
    int rank = replaced && !TakesAPlace(&pod) ? kReplaced : Rank(pod);
    if (rank <= worst_rank) return;
    worst = &pod;
    worst_rank = rank;
  }

  // A pod that was replaced tells more than its successor that merely starts, and less than one
  // that is in trouble itself.
  static constexpr int kReplaced = 2;

  static int Rank(const PodFacts& pod) {
    if (pod.crash_looping) return 7;
    if (pod.phase == PodPhase::kFailed) return 6;
    if (pod.unschedulable) return 5;
    if (pod.ready || pod.was_ready || pod.restarts > 0) return 4;
    if (pod.reason.empty()) return 0;
    return pod.gated || IsStartingReason(pod.reason) ? 1 : 3;
  }
};

std::string_view ReasonOf(const PodFacts& pod) {
  return pod.reason.empty() && pod.terminating ? "Terminating" : pod.reason;
}

std::string Explain(const Evidence& evidence) {
  std::string text =
      Cat(evidence.missing, " of ", evidence.wanted, evidence.wanted == 1 ? " pod " : " pods ",
          evidence.missing == 1 ? "is" : "are", " not ready");
  if (evidence.worst != nullptr) {
    const PodFacts& pod = *evidence.worst;
    std::string_view separator = "; ";
    for (std::string_view part : {pod.name, ReasonOf(pod), pod.message}) {
      if (part.empty()) continue;
      CatTo(text, separator, part);
      separator = ": ";
    }
  }
  return text;
}

// The wanted pods are ready, and one that is to replace one of them is not.
void TellFailing(const Evidence& evidence, Headline& headline) {
  const PodFacts& pod = *evidence.failing;
  headline.phase = Phase::kDegraded;
  headline.reason = pod.reason.empty() ? "PodsRestarting" : std::string(pod.reason);
  headline.message = Cat("all ", evidence.wanted, " wanted pods are ready; ", pod.name);
  for (std::string_view part : {std::string_view(headline.reason), pod.message}) {
    if (!part.empty()) CatTo(headline.message, ": ", part);
  }
}

// A workload that is suspended has no pods. Those that have ended stay for their logs.
void TellLeft(std::span<const RoleEvidence> roles, std::span<const PodFacts* const> without_role,
              Headline& headline) {
  std::int64_t left = 0;
  std::int64_t gpus = 0;
  const PodFacts* first = nullptr;
  auto count = [&](std::span<const PodFacts* const> pods) {
    for (const PodFacts* pod : pods) {
      if (pod->ended() || pod->done) continue;
      ++left;
      if (pod->allocated()) gpus = SaturatingAdd(gpus, pod->gpus);
      if (first == nullptr) first = pod;
    }
  };
  for (const RoleEvidence& role : roles) count(role.pods);
  count(without_role);
  if (left == 0) return;
  headline.phase = Phase::kSuspending;
  headline.reason = "PodsLeft";
  headline.message = Cat(left, left == 1 ? " pod is left" : " pods are left");
  if (gpus > 0) {
    CatTo(headline.message, left == 1 ? " and holds " : " and hold ", gpus,
          gpus == 1 ? " GPU" : " GPUs");
  }
  CatTo(headline.message, "; ", first->name, ": ",
        first->terminating ? "Terminating" : PodPhaseName(first->phase));
}

}  // namespace

Count StillWanted(const RoleEvidence& role) {
  if (!role.wanted.exact()) return role.wanted;
  return Count::Exactly(role.wanted.min() - Satisfied(role));
}

Phase ObjectHeadline(std::span<const Phase> phases) {
  for (Phase phase : kPrecedence) {
    if (std::ranges::find(phases, phase) != phases.end()) return phase;
  }
  return Phase::kUndefined;
}

Headline HeadlineWithPods(std::span<const Phase> phases, std::span<const RoleEvidence> roles,
                          std::span<const PodFacts* const> without_role,
                          std::optional<bool> holds_on_ready_pods) {
  Headline headline;
  headline.phase = ObjectHeadline(phases);
  headline.from_pods = true;
  if (headline.phase == Phase::kSuspended) TellLeft(roles, without_role, headline);
  if (IsDecidedByObject(headline.phase)) return headline;
  Evidence evidence;
  for (const RoleEvidence& role : roles) evidence.Add(role);
  if (evidence.missing > 0) evidence.JudgeByOrder(roles);
  evidence.FillUp(without_role);
  bool object_says_degraded = std::ranges::find(phases, Phase::kDegraded) != phases.end();
  bool object_holds = object_says_degraded ? holds_on_ready_pods.value_or(true)
                                           : headline.phase == Phase::kInitializing &&
                                                 holds_on_ready_pods.value_or(false);
  if (evidence.wanted == 0) {
    // Pods that have done their work are not about to start. Without any, pods have nothing to say.
    if (evidence.satisfied > 0 && !object_holds) headline.phase = Phase::kRunning;
    return headline;
  }
  if (evidence.missing == 0) {
    if (object_says_degraded) headline.phase = Phase::kDegraded;
    if (!object_holds) headline.phase = Phase::kRunning;
    if (evidence.failing != nullptr) TellFailing(evidence, headline);
    return headline;
  }
  if (evidence.had_been_ready || object_says_degraded) {
    headline.phase = Phase::kDegraded;
  } else if (headline.phase != Phase::kResuming) {
    headline.phase = Phase::kInitializing;
  }
  headline.reason = evidence.worst == nullptr ? "PodsMissing" : ReasonOf(*evidence.worst);
  if (headline.reason.empty()) headline.reason = "PodsNotReady";
  headline.message = Explain(evidence);
  return headline;
}

}  // namespace wmap::workload
