#include "workload/headline.h"

#include <algorithm>
#include <array>
#include <map>

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

// What the pods of all roles show together.
struct Evidence {
  std::int64_t wanted = 0;
  std::int64_t missing = 0;         // wanted pods that are not ready
  bool had_been_ready = false;      // something was up before and is not now
  const PodFacts* worst = nullptr;  // a pod that shows why

  void Add(const RoleEvidence& role) {
    std::int64_t ready = 0;
    std::int64_t succeeded = 0;
    std::int64_t alive = 0;
    for (const PodFacts* pod : role.pods) {
      if (Serves(*pod)) ++ready;
      if (pod->phase == PodPhase::kSucceeded) ++succeeded;
      if (!pod->ended()) ++alive;
    }
    const Count& target = role.wanted_is_reduced ? role.wanted : role.desired;
    std::int64_t needed = target.min() - (role.wanted_is_reduced ? 0 : succeeded);
    // Where nobody can say how many are wanted, those that exist are.
    if (target.is_unknown()) needed = alive;
    needed = std::max<std::int64_t>(needed, 0);
    wanted += needed;
    if (needed <= ready) return;
    missing += needed - ready;
    for (const PodFacts* pod : role.pods) Judge(*pod);
  }

  void FillUp(std::span<const PodFacts* const> pods) {
    if (missing == 0) return;
    for (const PodFacts* pod : pods) Judge(*pod);
    auto serves = [](const PodFacts* pod) { return Serves(*pod); };
    missing -= std::min<std::int64_t>(missing, std::ranges::count_if(pods, serves));
  }

  // A pod that is being deleted is as good as gone, ready or not.
  static bool Serves(const PodFacts& pod) { return pod.ready && !pod.terminating; }

  void Judge(const PodFacts& pod) {
    if (Serves(pod) || pod.phase == PodPhase::kSucceeded) return;
    had_been_ready |= pod.ready || pod.crash_looping || pod.was_ready || pod.restarts > 0 ||
                      pod.phase == PodPhase::kFailed;
    if (worst == nullptr || Rank(pod) > Rank(*worst)) worst = &pod;
  }

  static int Rank(const PodFacts& pod) {
    if (pod.crash_looping) return 5;
    if (pod.phase == PodPhase::kFailed) return 4;
    if (pod.unschedulable) return 3;
    if (pod.ready || pod.was_ready || pod.restarts > 0) return 2;
    return pod.reason.empty() ? 0 : 1;
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

}  // namespace

Phase ObjectHeadline(std::span<const Phase> phases) {
  for (Phase phase : kPrecedence) {
    if (std::ranges::find(phases, phase) != phases.end()) return phase;
  }
  return Phase::kUndefined;
}

Headline HeadlineWithPods(std::span<const Phase> phases, std::span<const RoleEvidence> roles,
                          std::span<const PodFacts* const> without_role) {
  Headline headline;
  headline.phase = ObjectHeadline(phases);
  headline.from_pods = true;
  if (IsDecidedByObject(headline.phase)) return headline;
  Evidence evidence;
  for (const RoleEvidence& role : roles) evidence.Add(role);
  evidence.FillUp(without_role);
  // Nothing is wanted: the pods have nothing to say.
  if (evidence.wanted == 0) return headline;
  bool object_says_degraded = std::ranges::find(phases, Phase::kDegraded) != phases.end();
  if (evidence.missing == 0) {
    headline.phase = object_says_degraded ? Phase::kDegraded : Phase::kRunning;
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
