#include "inspect/audit.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "definition/api_version.h"
#include "inspect/changes.h"
#include "inspect/node_audit.h"
#include "inspect/pod_trouble.h"
#include "inspect/rollout.h"
#include "inspect/snapshot_builder.h"
#include "inspect/start_order.h"
#include "json/reader.h"
#include "workload/headline.h"

namespace wmap::inspect {
namespace {

using json::Value;
using workload::Count;
using workload::Phase;
using workload::PodFacts;
using workload::Role;
using workload::Severity;
using workload::Workload;

std::string Pods(std::int64_t count) { return Cat(count, count == 1 ? " pod" : " pods"); }
// "1 pod", "1-4 pods".
std::string Pods(const Count& count) {
  return Cat(count.text(), count == Count::Exactly(1) ? " pod" : " pods");
}
std::string Gpus(std::int64_t count) { return Cat(count, count == 1 ? " GPU" : " GPUs"); }

bool IsAlive(const PodFacts& pod) { return !pod.ended() && !pod.done; }
bool IsLeaving(const PodFacts& pod) { return pod.terminating; }

// Seconds after which a pod is no new one.
constexpr std::int64_t kMoment = 60;

// What makes pods and says how many.
struct Maker {
  std::int64_t count = 0;
  bool is_over = false;  // a Job that has ended
  bool is_known = false;
  bool is_stale = false;  // its controller has not seen its newest state
};

Maker ReadMaker(std::string_view kind, const Value& object) {
  Maker maker;
  Value spec = object.Get("spec");
  auto number = [&](std::string_view field, std::int64_t otherwise) {
    Value value = spec.Get(field);
    return value.is_int() ? value.as_int() : otherwise;
  };
  if (!spec.is_object()) return maker;
  maker.is_known = true;
  Value generation = object.Get("metadata").Get("generation");
  Value observed = object.Get("status").Get("observedGeneration");
  maker.is_stale =
      generation.is_int() && observed.is_int() && observed.as_int() < generation.as_int();
  if (kind != "Job") {
    maker.count = number("replicas", 1);
    return maker;
  }
  maker.count = number("parallelism", 1);
  if (spec.Get("completions").is_int()) {
    maker.count = std::min(maker.count, number("completions", 1));
  }
  Value conditions = object.Get("status").Get("conditions");
  if (conditions.is_array()) {
    for (const Value& condition : conditions.items()) {
      std::string_view type = condition.Get("type").text_or_empty();
      maker.is_over |= (type == "Complete" || type == "Failed") &&
                       condition.Get("status").text_or_empty() == "True";
    }
  }
  return maker;
}

bool MakesPods(const SourceObject& object) {
  std::string_view group = definition::GroupOf(object.api_version);
  return (group == "batch" && object.kind == "Job") ||
         (group == "apps" && (object.kind == "ReplicaSet" || object.kind == "StatefulSet"));
}

// Whether a field of `object` is a text that says something.
bool Says(const Value& text) { return !text.text_or_empty().empty(); }

// Which template a pod was made from. Pods of one line that differ in their revision are of
// different generations; pods of different lines, as of several StatefulSets, say nothing of each
// other.
struct Generation {
  std::string line;
  std::string revision;  // "" = not told
};

// What the reading of a workload tells, other than that a field of the definition cannot be read.
struct ReadingRow {
  std::string_view diagnostic;
  std::string_view finding;
};
constexpr std::array kReadings = {
    ReadingRow{"devices-held", "over, and holds devices"},
    ReadingRow{"other-version", "read by a definition of another version"},
};

// One workload against its pods and what makes them.
class WorkloadAudit {
 public:
  WorkloadAudit(const Workload& workload, const WorkloadSources& sources, const Sources& all,
                const AuditOptions& options, std::int64_t now, std::vector<Finding>& findings)
      : workload_(workload),
        sources_(sources),
        all_(all),
        options_(options),
        findings_(findings),
        first_(findings.size()) {
    ReadObjects();
    is_lasting_ = last_change_ != 0 && now - last_change_ >= kPatience;
    bool has_stale_maker =
        std::ranges::any_of(makers_, [](const auto& maker) { return maker.second.is_stale; });
    is_changing_ =
        workload.status.stale || workload.status.deleting || HasLeavingPods() || has_stale_maker;
    may_have_more_pods_ =
        std::ranges::find(workload.diagnostics, kPodsUnread, &workload::Diagnostic::code) !=
        workload.diagnostics.end();
    for (const SourcePod& pod : sources.pods) {
      has_new_pods_ |= pod.facts->created != 0 && now - pod.facts->created < kMoment;
    }
  }

  void Run() {
    TellDiagnostics();
    if (!workload_.totals.pods.observed) return;
    TellWithoutRole();
    TellHeldDevices();
    TellStatus();
    for (const Role& role : workload_.roles) {
      TellRequests(role);
      TellCounts(role);
      TellMakers(role);
    }
    TellRollout();
  }

  // Whether something was left aside as it changes.
  bool is_changing() const { return is_changing_ || skipped_; }

 private:
  Value Parse(std::string_view text) {
    Result<Value> value = json::Read(text, arena_);
    return value ? *value : Value();
  }

  void ReadObjects() {
    Value root = Parse(sources_.text);
    last_change_ = LastChange(root);
    // Pods of a DaemonSet stay on a node that was tainted since, and it does not count them.
    Value misplaced = root.Get("status").Get("numberMisscheduled");
    bool is_daemon_set =
        workload_.kind == "DaemonSet" && definition::GroupOf(workload_.api_version) == "apps";
    if (is_daemon_set && misplaced.is_int()) misplaced_ = misplaced.as_int();
    AddRollout(ReadRollout(workload_.api_version, workload_.kind, root));
    for (std::size_t number : sources_.owned) {
      const SourceObject& object = all_.objects[number];
      Value value = Parse(object.text);
      last_change_ = std::max(last_change_, LastChange(value));
      if (object.kind == "ReplicaSet") sets_.emplace(object.uid, object.owner.uid);
      if (MakesPods(object)) makers_.emplace(object.uid, ReadMaker(object.kind, value));
      // What an owner holds back below it is a part of its own rollout.
      Rollout rollout = ReadRollout(object.api_version, object.kind, value);
      bool is_part = TellsOfRollouts(object.owner.api_version, object.owner.kind);
      if (!is_part || rollout.state != Rollout::State::kHeld) AddRollout(rollout);
    }
    for (const SourcePod& pod : sources_.pods) {
      Value manifest = Parse(pod.text);
      last_change_ = std::max(last_change_, LastChange(manifest));
      generations_.emplace(pod.facts, GenerationOf(*pod.facts, manifest));
      manifests_.emplace(pod.facts, manifest);
    }
  }

  // What an object says of its own rollout.
  void AddRollout(const Rollout& rollout) {
    using State = Rollout::State;
    // One that is stuck passes no more; between two templates it is told as that.
    is_updating_ |= rollout.has_older || rollout.state == State::kGoing;
    if (rollout.state == State::kStuck && stuck_.empty()) stuck_ = rollout.clause;
    is_held_ |= rollout.state == State::kHeld;
    holds_all_ |= rollout.holds_all;
  }

  // What controllers call the generation of a template that a pod was made from; the first that
  // is there is the whole's, those behind it are of its parts.
  Generation GenerationOf(const PodFacts& pod, const Value& manifest) const {
    Value labels = manifest.Get("metadata").Get("labels");
    if (labels.is_object()) {
      for (std::string_view end :
           {"/template-revision-hash", "ray.io/cluster", "/revision", "template-hash"}) {
        for (const json::Member& label : labels.members()) {
          if (!label.key.ends_with(end) || !Says(label.value)) continue;
          return {Cat(label.key, '@', end == "template-hash" ? LineOf(pod) : ""),
                  std::string(label.value.text_or_empty())};
        }
      }
      // Of each StatefulSet its own, also where they are alike.
      if (Value hash = labels.Get("controller-revision-hash"); Says(hash)) {
        return {std::string(pod.owner.uid), std::string(hash.text_or_empty())};
      }
    }
    if (pod.owner.kind == "ReplicaSet") return {LineOf(pod), std::string(pod.owner.name)};
    return {};
  }

  // What makes the ReplicaSet of a pod.
  std::string LineOf(const PodFacts& pod) const {
    auto set = sets_.find(pod.owner.uid);
    return set == sets_.end() ? std::string() : std::string(set->second);
  }

  bool HasLeavingPods() const {
    return std::ranges::any_of(sources_.pods,
                               [](const SourcePod& pod) { return IsLeaving(*pod.facts); });
  }

  Finding& Add(Severity severity, std::string_view code, std::string_view role,
               std::string_view finding, std::string detail) {
    Finding& added = findings_.emplace_back();
    added.severity = severity;
    added.code = code;
    added.api_version = workload_.api_version;
    added.kind = workload_.kind;
    added.name_space = workload_.name_space;
    added.name = workload_.name;
    added.role = role;
    added.finding = finding;
    added.detail = std::move(detail);
    return added;
  }

  // What passes by itself is a finding once it has not.
  bool IsSettled() {
    if (!is_lasting_) skipped_ = true;
    return is_lasting_;
  }

  void TellDiagnostics() {
    for (const workload::Diagnostic& diagnostic : workload_.diagnostics) {
      if (diagnostic.severity == Severity::kInfo) continue;
      bool is_told_elsewhere = diagnostic.code == "devices-held" || IsOfRoleless(diagnostic);
      if (is_told_elsewhere && workload_.totals.pods.observed) continue;
      // What is not at hand disagrees with nothing.
      if (diagnostic.code == "claim" || diagnostic.code == kOwnerUnread) continue;
      auto row = std::ranges::find(kReadings, diagnostic.code, &ReadingRow::diagnostic);
      std::string_view code = row == kReadings.end() ? "reading" : row->diagnostic;
      std::string_view finding =
          row == kReadings.end() ? "the definition cannot read all of it" : row->finding;
      Add(diagnostic.severity, code, {}, finding, diagnostic.message);
    }
  }

  static bool IsOfRoleless(const workload::Diagnostic& diagnostic) {
    return diagnostic.code == "pod-without-role" || diagnostic.code == "unknown-instance";
  }

  void TellWithoutRole() {
    std::vector<const PodFacts*> pods;
    for (const PodFacts* pod : workload_.pods_without_role) {
      if (IsAlive(*pod) && !IsLeaving(*pod)) pods.push_back(pod);
    }
    roleless_ = static_cast<std::int64_t>(pods.size());
    if (pods.empty()) return;
    auto reason = std::ranges::find_if(workload_.diagnostics, IsOfRoleless);
    std::string detail = Pods(static_cast<std::int64_t>(pods.size()));
    if (reason != workload_.diagnostics.end()) CatTo(detail, ": ", reason->message);
    AddPods(pods, Add(Severity::kWarning, "pods-without-role", {}, "no role claims its pods",
                      std::move(detail)));
  }

  static void AddPods(const std::vector<const PodFacts*>& pods, Finding& finding) {
    for (const PodFacts* pod : pods) {
      finding.pods.emplace_back(pod->name);
      finding.gpus = workload::SaturatingAdd(finding.gpus, pod->gpus);
    }
  }

  // One that is over and whose pods are not on their way out.
  void TellHeldDevices() {
    Phase phase = workload_.status.phase;
    if (phase != Phase::kFailed && phase != Phase::kCompleted) return;
    std::vector<const PodFacts*> holding;
    for (const SourcePod& pod : sources_.pods) {
      bool holds = pod.facts->allocated() && !pod.facts->done && !IsLeaving(*pod.facts) &&
                   !pod.facts->accelerators.empty();
      if (holds) holding.push_back(pod.facts);
    }
    if (holding.empty() || workload_.status.deleting) return;
    auto said =
        std::ranges::find(workload_.diagnostics, "devices-held", &workload::Diagnostic::code);
    std::string detail =
        said == workload_.diagnostics.end()
            ? Cat(Pods(static_cast<std::int64_t>(holding.size())), " hold devices still")
            : said->message;
    AddPods(holding, Add(Severity::kWarning, "devices-held", {}, "over, and holds devices",
                         std::move(detail)));
  }

  // --- the object's word against the pods

  void TellStatus() {
    Phase word = ObjectPhase();
    Phase shown = workload_.status.phase;
    if (is_changing_) return;
    bool has_status = Parse(sources_.text).Get("status").size() > 0;
    if (shown == Phase::kUndefined && has_status && IsSettled()) {
      Add(Severity::kWarning, "no-phase", {}, "no mapping matches",
          "its status is none that the definition knows");
    }
    if (word == Phase::kRunning && (shown == Phase::kInitializing || shown == Phase::kDegraded)) {
      return TellNotRunning();
    }
    bool waits = word == Phase::kInitializing || word == Phase::kDegraded;
    if (waits && shown == Phase::kRunning && workload_.totals.pods.wanted != Count()) {
      if (!IsSettled()) return;
      Add(Severity::kWarning, "status-contradicted", {}, "its pods say otherwise",
          Cat("the object says ", PhaseName(word), ", and all ",
              workload_.totals.pods.wanted.text(), " pods that are wanted are ready"));
    }
    if (word == Phase::kSuspended && shown == Phase::kSuspending && IsSettled()) {
      Add(Severity::kWarning, "status-contradicted", {}, "its pods say otherwise",
          Cat("the object says Suspended; ", workload_.status.message));
    }
  }

  Phase ObjectPhase() const {
    const std::vector<Phase>& phases = workload_.status.phases;
    return phases.empty() ? Phase::kUndefined : workload::ObjectHeadline(phases);
  }

  // Whether there are fewer pods than wanted, which is a finding of its own.
  bool LacksPods() const {
    std::int64_t alive = std::ranges::count_if(sources_.pods, [](const SourcePod& pod) {
      return !pod.facts->ended() && !IsLeaving(*pod.facts);
    });
    return alive < workload_.totals.pods.wanted.min();
  }

  void TellNotRunning() {
    std::map<std::string, std::vector<const PodFacts*>> troubles;
    std::map<std::string, PodTrouble> first;
    for (const SourcePod& pod : sources_.pods) {
      // A pod that has failed may have been replaced.
      if (pod.facts->ended()) continue;
      std::optional<PodTrouble> trouble = TroubleOf(*pod.facts, manifests_.at(pod.facts), {});
      if (!trouble || !IsHard(trouble->kind)) continue;
      troubles[trouble->key].push_back(pod.facts);
      first.try_emplace(trouble->key, *trouble);
    }
    if (troubles.empty()) {
      if (LacksPods() || may_have_more_pods_ || !IsSettled()) return;
      Add(Severity::kWarning, "status-contradicted", {}, "its pods say otherwise",
          Cat("the object says Running; ", workload_.status.message));
      return;
    }
    std::string detail = "the object says Running; ";
    std::vector<const PodFacts*> all;
    for (const auto& [key, pods] : troubles) {
      const PodTrouble& trouble = first.at(key);
      CatTo(detail, all.empty() ? "" : ", ", Pods(static_cast<std::int64_t>(pods.size())), ' ',
            trouble.needs_be ? (pods.size() == 1 ? "is " : "are ") : "", trouble.clause);
      std::string verdict = trouble.verdict.Describe();
      if (!verdict.empty()) CatTo(detail, ": ", verdict);
      all.insert(all.end(), pods.begin(), pods.end());
    }
    AddPods(all, Add(Severity::kWarning, "status-contradicted", {}, "its pods say otherwise",
                     std::move(detail)));
  }

  // --- roles

  // What pods ask for against what the definition reads for each.
  void TellRequests(const Role& role) {
    if (!role.tally.gpus_per_pod || is_changing_) return;
    std::set<std::string> agreeing;  // revisions with pods that do as the object says
    bool is_rolling = IsRolling(role);
    std::map<std::string, std::vector<const PodFacts*>> others;
    for (const PodFacts* pod : role.pods) {
      // A manifest without containers says nothing of what it asks for.
      bool is_told =
          pod->request_problem.empty() && manifests_[pod].Get("spec").Get("containers").is_array();
      if (!IsAlive(*pod) || !is_told) continue;
      std::string difference = DifferenceOf(role, *pod);
      if (difference.empty()) {
        agreeing.insert(RevisionOf(pod));
      } else {
        others[difference].push_back(pod);
      }
    }
    for (const auto& [difference, pods] : others) {
      // Of several generations the others are on their way out.
      bool is_older = !agreeing.empty() && std::ranges::all_of(pods, [&](const PodFacts* pod) {
        return !RevisionOf(pod).empty() && !agreeing.contains(RevisionOf(pod));
      });
      if (is_older || is_updating_ || (agreeing.empty() && is_rolling)) {
        is_rolling_ = true;
        continue;
      }
      AddPods(pods,
              Add(Severity::kError, "requests-differ", role.role, "its pods ask for other devices",
                  Cat(Pods(static_cast<std::int64_t>(pods.size())), ": ", difference)));
    }
  }

  // "the definition reads 8 nvidia.com/gpu for each, they ask for 4"; "" when they agree, or where
  // nobody knows.
  std::string DifferenceOf(const Role& role, const PodFacts& pod) const {
    std::map<std::string, std::int64_t> held;
    for (const workload::HeldAccelerator& one : pod.accelerators) {
      if (!one.type.empty()) held[std::string(one.resource)] += one.count;
    }
    for (const workload::AcceleratorCounts& row : role.tally.accelerators) {
      if (row.type == workload::kClaimType) return {};
      if (!row.per_pod.exact()) return {};
      std::int64_t unit = workload::UnitOf(row.type);
      std::int64_t asked = std::exchange(held[row.resource], 0);
      if (asked != row.per_pod.min())
        return Differing(row.resource, row.per_pod.min(), asked, unit);
    }
    for (const auto& [resource, asked] : held) {
      if (asked != 0) {
        return Differing(resource, 0, asked,
                         workload::UnitOf(options_.accelerators->TypeOf(resource)));
      }
    }
    return {};
  }

  static std::string Differing(std::string_view resource, std::int64_t read, std::int64_t asked,
                               std::int64_t unit) {
    return Cat("the definition reads ", workload::DecimalText(read, unit), ' ', resource,
               " for each pod, the pod asks for ", workload::DecimalText(asked, unit));
  }

  std::string RevisionOf(const PodFacts* pod) const {
    const Generation& generation = generations_.at(pod);
    return generation.revision.empty() ? std::string()
                                       : Cat(generation.line, '=', generation.revision);
  }

  // Whether pods of one template take the place of those of another: how many there are of both
  // is no miscount, however long it lasts.
  bool IsRolling(const Role& role) const {
    if (is_updating_) return true;
    std::map<std::string_view, std::string_view> revisions;  // by line
    return std::ranges::any_of(role.pods, [&](const PodFacts* pod) {
      const Generation& generation = generations_.at(pod);
      if (!IsAlive(*pod) || generation.revision.empty()) return false;
      return revisions.try_emplace(generation.line, generation.revision).first->second !=
             generation.revision;
    });
  }

  // Where an operator replaces the whole, the new one stands beside the old.
  bool IsOfOneOwner(const Role& role) const {
    std::set<std::string> owners;
    for (const PodFacts* pod : role.pods) {
      if (IsAlive(*pod) && !makers_.contains(pod->owner.uid)) {
        owners.insert(Cat(pod->owner.uid, '/', pod->owner.name));
      }
    }
    return owners.size() <= 1;
  }

  // A rollout that does not go on: by which pod.
  void TellRollout() {
    for (const Role& role : workload_.roles) is_rolling_ |= IsRolling(role);
    // One that is held on purpose is not to go on.
    if (!is_rolling_ || is_changing_ || is_held_) return;
    Phase phase = workload_.status.phase;
    if (phase == Phase::kCompleted || phase == Phase::kSuspended || phase == Phase::kSuspending) {
      return;
    }
    // Such a pod may have been told of as one that the object's status does not show.
    bool is_told =
        std::any_of(findings_.begin() + static_cast<std::ptrdiff_t>(first_), findings_.end(),
                    [](const Finding& finding) { return finding.code == "status-contradicted"; });
    if (is_told || !IsSettled()) return;
    const PodFacts* holder = nullptr;
    std::optional<PodTrouble> why;
    for (const SourcePod& pod : sources_.pods) {
      if (!IsAlive(*pod.facts)) continue;
      std::optional<PodTrouble> trouble = TroubleOf(*pod.facts, manifests_.at(pod.facts), {});
      if (!trouble || trouble->kind == CauseKind::kLeaving) continue;
      auto weight = [](const PodFacts& one, const PodTrouble& its) {
        return std::pair(IsHard(its.kind), one.created);
      };
      if (holder != nullptr && weight(*pod.facts, *trouble) <= weight(*holder, *why)) continue;
      holder = pod.facts;
      why = std::move(trouble);
    }
    if (holder == nullptr) {
      // Its new pods were never made, so that none of them shows why.
      if (!stuck_.empty()) {
        Add(Severity::kWarning, "rollout-stalled", {}, "its rollout does not go on", stuck_);
      }
      return;
    }
    std::string detail = Cat("pod ", holder->name, ' ', why->needs_be ? "is " : "", why->clause);
    std::string verdict = why->verdict.Describe();
    if (!verdict.empty()) CatTo(detail, ": ", verdict);
    AddPods({holder}, Add(Severity::kWarning, "rollout-stalled", {}, "its rollout does not go on",
                          std::move(detail)));
  }

  // How many pods there are against how many are wanted.
  void TellCounts(const Role& role) {
    const workload::PodCounts& counts = role.tally.pods;
    if (is_changing_ || counts.wanted.is_unknown()) return;
    std::int64_t alive = std::ranges::count_if(
        role.pods, [](const PodFacts* pod) { return IsAlive(*pod) && !IsLeaving(*pod); });
    std::int64_t done =
        std::ranges::count_if(role.pods, [](const PodFacts* pod) { return pod->succeeded(); });
    Phase phase = workload_.status.phase;
    bool is_active =
        phase == Phase::kRunning || phase == Phase::kDegraded || phase == Phase::kInitializing;
    if (!is_active) return;
    if (IsRolling(role)) {
      is_rolling_ = skipped_ = true;
      return;
    }
    std::optional<std::int64_t> most = counts.wanted.max();
    if (counts.max && counts.max->max()) most = most ? std::max(*most, *counts.max->max()) : most;
    if (!counts.max) most.reset();
    if (most) most = workload::SaturatingAdd(*most, misplaced_);
    if (most && alive > *most) {
      bool may_pass = !IsOfOneOwner(role) || phase != Phase::kRunning || has_new_pods_;
      if (may_pass && !IsSettled()) return;
      Finding& finding = Add(Severity::kError, "more-pods", role.role, "more pods than it counts",
                             Cat("the definition counts ", Pods(counts.wanted), ", ", alive,
                                 alive == 1 ? " is there" : " are there"));
      std::vector<const PodFacts*> pods;
      for (const PodFacts* pod : role.pods) {
        if (IsAlive(*pod)) pods.push_back(pod);
      }
      AddPods(pods, finding);
      return;
    }
    // Those that seem to be missing may be there, or nobody makes them yet.
    if (may_have_more_pods_ || holds_all_) return;
    std::int64_t least = counts.wanted.min();
    if (counts.min.exact()) least = std::min(least, counts.min.min());
    if (counts.wanted == counts.desired) least -= done;
    if (alive < least && IsWaiting(role)) {
      skipped_ = true;
      return;
    }
    // Pods that no role claims, which are told of, stand in for those that roles miss.
    std::int64_t lacking = std::max<std::int64_t>(least - alive, 0);
    std::int64_t standing_in = std::min(lacking, roleless_);
    roleless_ -= standing_in;
    if (lacking > standing_in && IsSettled()) {
      Add(Severity::kWarning, "fewer-pods", role.role, "pods are missing",
          Cat("the definition counts ", Pods(counts.wanted), ", ", alive,
              alive == 1 ? " is there" : " are there"));
    }
  }

  // Whether the pods that it lacks come after others.
  bool IsWaiting(const Role& role) {
    if (!waiting_) {
      waiting_.emplace();
      definition::Match match;
      if (options_.registry != nullptr) {
        match = options_.registry->FindByApiVersion(workload_.api_version, workload_.kind);
      }
      if (match) *waiting_ = WaitingRoles(workload_, *match.karta, Parse(sources_.text));
    }
    return waiting_->contains(role.role);
  }

  // How many pods the makers of the role's pods want against the definition.
  void TellMakers(const Role& role) {
    bool is_active =
        workload_.status.phase == Phase::kRunning || workload_.status.phase == Phase::kDegraded;
    const workload::PodCounts& counts = role.tally.pods;
    if (is_changing_ || !is_active || role.pods.empty() || !counts.desired.exact()) return;
    if (IsRolling(role)) {
      is_rolling_ = skipped_ = true;
      return;
    }
    std::set<std::string_view> uids;
    for (const PodFacts* pod : role.pods) uids.insert(pod->owner.uid);
    std::int64_t sum = 0;
    for (std::string_view uid : uids) {
      auto maker = makers_.find(uid);
      // Pods that the operator makes itself have only the object to go by.
      if (maker == makers_.end() || !maker->second.is_known) return;
      if (maker->second.is_over) return;
      sum = workload::SaturatingAdd(sum, maker->second.count);
    }
    std::int64_t desired = counts.desired.min();
    bool is_elastic = counts.min != counts.desired || counts.max != counts.desired;
    if (sum == desired || is_elastic) return;
    // Fewer: some may have no pods yet, or none any more.
    if (sum < desired && HasOtherMakers(uids)) return;
    bool may_pass = !IsOfOneOwner(role) || sum < desired || has_new_pods_;
    if (may_pass && !IsSettled()) return;
    Add(Severity::kError, "counts-differ", role.role, "what makes its pods counts otherwise",
        Cat("the definition counts ", Pods(desired), ", ", uids.size(),
            uids.size() == 1 ? " object that makes" : " objects that make", " them count ", sum));
  }

  bool HasOtherMakers(const std::set<std::string_view>& uids) const {
    return std::ranges::any_of(makers_,
                               [&](const auto& maker) { return !uids.contains(maker.first); });
  }

  const Workload& workload_;
  const WorkloadSources& sources_;
  const Sources& all_;
  const AuditOptions& options_;
  std::vector<Finding>& findings_;
  std::size_t first_;  // finding of this workload
  Arena arena_;
  std::map<std::string_view, Maker> makers_;           // by uid
  std::map<std::string_view, std::string_view> sets_;  // ReplicaSets: what makes them, by uid
  std::map<const PodFacts*, Generation> generations_;
  std::map<const PodFacts*, Value> manifests_;
  std::optional<std::map<std::string_view, std::vector<std::string>>> waiting_;
  std::int64_t roleless_ = 0;   // pods that no role claims, and that stand in for none
  std::int64_t misplaced_ = 0;  // pods that may stay where it wants none
  std::int64_t last_change_ = 0;
  bool is_lasting_ = false;
  bool is_changing_ = false;
  std::string stuck_;                // what an object says of its rollout that is stuck; or ""
  bool is_updating_ = false;         // an object says so
  bool holds_all_ = false;           // before its first pod
  bool is_held_ = false;             // and that it stands still on purpose
  bool is_rolling_ = false;          // so do its pods
  bool has_new_pods_ = false;        // made a moment ago
  bool may_have_more_pods_ = false;  // whose owner could not be read
  bool skipped_ = false;
};

// What belongs to no workload.
void AuditUnclaimed(const Report& report, std::vector<Finding>& findings) {
  // Pods of one owner, or that have lost it in one way, are one finding.
  std::map<std::tuple<std::string, std::string>, Finding> groups;
  for (const UnclaimedPod& unclaimed : report.unclaimed) {
    const PodFacts& pod = *unclaimed.pod;
    bool is_known = !unclaimed.is_uncovered && !unclaimed.is_unread;
    if (!is_known || pod.ended() || pod.accelerators.empty()) continue;
    std::string owner(pod.owner.empty() ? pod.name : pod.owner.name);
    Finding& finding = groups[{std::string(pod.name_space), owner}];
    finding.severity = Severity::kWarning;
    finding.code = "unclaimed-devices";
    finding.api_version = pod.owner.empty() ? std::string_view("v1") : pod.owner.api_version;
    finding.kind = pod.owner.empty() ? std::string_view("Pod") : pod.owner.kind;
    finding.name_space = pod.name_space;
    finding.name = owner;
    finding.finding = "devices that no workload claims";
    finding.pods.emplace_back(pod.name);
    finding.gpus = workload::SaturatingAdd(finding.gpus, pod.gpus);
    finding.detail = Cat(Pods(static_cast<std::int64_t>(finding.pods.size())), " with ",
                         Gpus(finding.gpus), ": ", unclaimed.reason);
  }
  for (auto& [key, finding] : groups) findings.push_back(std::move(finding));
}

// What belongs to objects that could not be read: nobody knows what claims it.
void TellUnread(const Report& report, Audit& audit) {
  std::int64_t pods = 0;
  std::int64_t gpus = 0;
  for (const UnclaimedPod& unclaimed : report.unclaimed) {
    if (!unclaimed.is_unread || unclaimed.pod->ended()) continue;
    ++pods;
    gpus = workload::SaturatingAdd(gpus, unclaimed.pod->gpus);
  }
  std::int64_t workloads = std::ranges::count_if(report.workloads, [](const Workload& workload) {
    return std::ranges::find(workload.diagnostics, kOwnerUnread, &workload::Diagnostic::code) !=
           workload.diagnostics.end();
  });
  std::vector<std::string> parts;
  if (pods > 0) parts.push_back(Cat(Pods(pods), " with ", Gpus(gpus)));
  if (workloads > 0) parts.push_back(Cat(workloads, workloads == 1 ? " workload" : " workloads"));
  if (parts.empty()) return;
  audit.unseen.push_back(
      {"owners", Cat(Join(parts, " and "), pods + workloads == 1 ? " has" : " have",
                     " an owner that could not be read")});
}

// What to do about a kind that no definition covers. The one place for it.
std::string NextStep(const Uncovered& uncovered) {
  std::string_view api_version = uncovered.api_version;
  std::size_t slash = api_version.find('/');
  std::string kind = uncovered.kind;
  if (slash != std::string_view::npos) CatTo(kind, '.', api_version.substr(0, slash));
  return Cat("give one with --definitions; wmap draft --kind ", kind,
             " --crd FILE --sample DUMP makes a first one");
}

void AuditUncovered(const Report& report, std::vector<Finding>& findings) {
  for (const Uncovered& uncovered : report.uncovered) {
    if (uncovered.pods == 0) continue;
    Finding& finding = findings.emplace_back();
    finding.severity = Severity::kWarning;
    finding.code = "no-definition";
    finding.api_version = uncovered.api_version;
    finding.kind = uncovered.kind;
    finding.finding = "no definition covers the kind";
    finding.gpus = uncovered.gpus;
    finding.detail =
        Cat(uncovered.objects, uncovered.objects == 1 ? " object with " : " objects with ",
            Pods(uncovered.pods), " and ", Gpus(uncovered.gpus), "; ", NextStep(uncovered));
  }
}

// The newest time that anything says.
std::int64_t NewestTime(const Sources& sources) {
  std::int64_t newest = 0;
  Arena arena;
  auto consider = [&](std::string_view text) {
    arena.Reset();
    if (Result<Value> value = json::Read(text, arena))
      newest = std::max(newest, LastChange(*value));
  };
  for (const SourceObject& object : sources.objects) consider(object.text);
  for (const WorkloadSources& workload : sources.workloads) {
    for (const SourcePod& pod : workload.pods) consider(pod.text);
  }
  for (const auto& [about, events] : sources.events) {
    for (const workload::Event& event : events) newest = std::max(newest, event.last_seen);
  }
  return newest;
}

}  // namespace

Audit AuditReport(const Report& report, const AuditOptions& options) {
  Audit audit;
  const Sources& sources = *report.sources;
  std::int64_t now = options.now ? *options.now : NewestTime(sources);
  for (std::size_t i = 0; i < report.workloads.size(); ++i) {
    const Workload& workload = report.workloads[i];
    WorkloadAudit one(workload, sources.workloads[i], sources, options, now, audit.findings);
    one.Run();
    ++audit.workloads;
    if (one.is_changing()) ++audit.changing;
    for (const SourcePod& pod : sources.workloads[i].pods) {
      ++audit.pods;
      if (!pod.facts->ended()) audit.gpus = workload::SaturatingAdd(audit.gpus, pod.facts->gpus);
    }
  }
  if (!options.workloads_only) {
    AuditUnclaimed(report, audit.findings);
    AuditUncovered(report, audit.findings);
    audit.nodes = AuditNodes(report, options.is_whole, audit.findings);
  }
  for (const auto& [what, why] : sources.unread) audit.unseen.push_back({what, why});
  TellUnread(report, audit);
  if (!sources.has_pods && !sources.unread.contains("pods")) {
    audit.unseen.push_back({"pods", "none are among the inputs"});
  }
  std::ranges::stable_sort(audit.findings, [](const Finding& a, const Finding& b) {
    return std::tuple(b.severity, std::string_view(a.kind), std::string_view(a.name_space),
                      std::string_view(a.name)) < std::tuple(a.severity, std::string_view(b.kind),
                                                             std::string_view(b.name_space),
                                                             std::string_view(b.name));
  });
  return audit;
}

}  // namespace wmap::inspect
