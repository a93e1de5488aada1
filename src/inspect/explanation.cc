#include "inspect/explanation.h"

#include <algorithm>
#include <array>
#include <map>
#include <ranges>
#include <set>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "inspect/creation_failures.h"
#include "inspect/own_wait.h"
#include "inspect/pod_trouble.h"
#include "inspect/rollout.h"
#include "inspect/start_order.h"
#include "inspect/unscheduled.h"
#include "json/reader.h"
#include "workload/managed_by.h"

namespace wmap::inspect {
namespace {

using json::Value;
using workload::Phase;
using workload::PodFacts;
using workload::Role;
using workload::Workload;

constexpr std::size_t kMostEvents = 20;

std::string Are(std::int64_t count) { return count == 1 ? "is" : "are"; }

// Pods in the same trouble.
struct TroubleGroup {
  PodTrouble trouble;  // of the first
  std::vector<const PodFacts*> pods;
  std::vector<std::string> roles;
};

class Explainer {
 public:
  Explainer(const Report& report, std::size_t index, const definition::Registry& registry)
      : workload_(report.workloads[index]),
        all_(*report.sources),
        sources_(report.sources->workloads[index]),
        groups_(index < report.groups.size() ? &report.groups[index] : nullptr),
        registry_(registry) {}

  Explanation Explain() {
    Identify();
    Value object = Parse(sources_.text);
    definition::Match match = registry_.FindByApiVersion(workload_.api_version, workload_.kind);
    if (match) {
      to_.evidence = ReadEvidence(*match.karta, object);
      waiting_ = WaitingRoles(workload_, *match.karta, object);
    }
    to_.pods_known = workload_.totals.pods.observed.has_value();
    ReadNodes();
    FindTroubles();
    StandRoles();
    has_status_ = object.Get("status").size() > 0;
    ReadRollouts(object);
    ReadWaits(object);
    unwanted_ = WhyUnwanted(object);
    if (!to_.pods_known && all_.has_pods) controller_ = workload::OtherController(object);
    if (IsHeldUp()) FindCauses(object);
    if (Is(Phase::kRunning)) FindRolloutCauses();
    AddEvents();
    AddUnseen();
    to_.rule = Rule();
    to_.summary = Summary();
    for (const Cause& cause : to_.causes) {
      for (const std::string& command : cause.commands) {
        if (std::ranges::find(to_.commands, command) == to_.commands.end()) {
          to_.commands.push_back(command);
        }
      }
    }
    return std::move(to_);
  }

 private:
  void Identify() {
    to_.api_version = workload_.api_version;
    to_.kind = workload_.kind;
    to_.name_space = workload_.name_space;
    to_.name = workload_.name;
    to_.definition = workload_.definition;
    to_.origin = workload_.origin;
    to_.status = workload_.status;
    to_.without_role = static_cast<std::int64_t>(workload_.pods_without_role.size());
    for (const workload::Diagnostic& diagnostic : workload_.diagnostics) {
      if (diagnostic.severity != workload::Severity::kInfo) to_.remarks.push_back(diagnostic);
      // What owns it may say why it is as it is.
      if (diagnostic.code == "owner-missing") to_.unseen.push_back({"owner", diagnostic.message});
    }
  }

  Value Parse(std::string_view text) {
    Result<Value> value = json::Read(text, arena_);
    return value ? *value : Value();
  }

  bool Is(Phase phase) const { return workload_.status.phase == phase; }

  // Whether there is anything to be explained but the phase itself.
  bool IsHeldUp() const { return !Is(Phase::kRunning) && !Is(Phase::kCompleted); }

  void ReadNodes() {
    for (const SourceObject& object : all_.objects) {
      if (object.kind != "Node" || object.api_version != "v1") continue;
      Value node = Parse(object.text);
      bool is_ready = true;
      Value conditions = node.Get("status").Get("conditions");
      if (conditions.is_array()) {
        for (const Value& condition : conditions.items()) {
          if (condition.Get("type").text_or_empty() != "Ready") continue;
          is_ready = condition.Get("status").text_or_empty() == "True";
        }
      }
      nodes_.emplace(object.name,
                     NodeView{is_ready, node.Get("status").Get("allocatable"),
                              node.Get("metadata").Get("labels"), node.Get("spec").Get("taints"),
                              node.Get("spec").Get("unschedulable").is_true()});
    }
  }

  bool KnowsNodes() const { return all_.has_nodes && !all_.unread.contains("nodes"); }

  // Nothing when the node is not at hand.
  std::optional<bool> IsReady(std::string_view node) const {
    auto at = nodes_.find(node);
    if (at == nodes_.end()) return std::nullopt;
    return at->second.is_ready;
  }

  void FindTroubles() {
    std::map<const PodFacts*, const Role*> role_of;
    for (const Role& role : workload_.roles) {
      for (const PodFacts* pod : role.pods) role_of.emplace(pod, &role);
    }
    std::map<std::string_view, std::vector<const workload::Event*>> events;
    for (const workload::Event& event : workload_.events) {
      if (event.object.starts_with("Pod/")) events[event.object].push_back(&event);
    }
    for (const SourcePod& pod : sources_.pods) {
      const Value& manifest = manifests_.emplace(pod.facts, Parse(pod.text)).first->second;
      auto about = events.find(Cat("Pod/", pod.facts->name));
      PodSurroundings around;
      if (about != events.end()) around.events = about->second;
      around.node_is_ready = IsReady(pod.facts->node);
      around.node_is_gone = KnowsNodes() && !pod.facts->node.empty() && !around.node_is_ready;
      std::optional<PodTrouble> trouble = TroubleOf(*pod.facts, manifest, around);
      if (!trouble) continue;
      auto role = role_of.find(pod.facts);
      std::string name = role == role_of.end() ? std::string() : role->second->role;
      kinds_[pod.facts] = trouble->kind;
      auto group = std::ranges::find(troubles_, trouble->key,
                                     [](const TroubleGroup& one) { return one.trouble.key; });
      if (group == troubles_.end()) {
        troubles_.push_back({*std::move(trouble), {}, {}});
        group = std::prev(troubles_.end());
      }
      group->pods.push_back(pod.facts);
      if (!name.empty() && std::ranges::find(group->roles, name) == group->roles.end()) {
        group->roles.push_back(name);
      }
    }
  }

  void StandRoles() {
    for (const Role& role : workload_.roles) {
      RoleStanding standing;
      standing.role = role.role;
      standing.wanted = role.tally.pods.wanted.text();
      std::int64_t alive = 0;
      for (const PodFacts* pod : role.pods) {
        if (pod->succeeded()) {
          ++standing.succeeded;
          continue;
        }
        if (!pod->ended() && !pod->terminating) ++alive;
        if (!pod->ended() && pod->terminating) ++leaving_;
        if (pod->serves()) {
          ++standing.serving;
          continue;
        }
        auto kind = kinds_.find(pod);
        if (kind == kinds_.end() || kind->second == CauseKind::kLeaving) continue;
        if (kind->second == CauseKind::kStarting || kind->second == CauseKind::kNotReady) {
          ++standing.starting;
        } else if (pod->node.empty() && !pod->ended()) {
          ++standing.unscheduled;
        } else {
          ++standing.failing;
        }
      }
      std::int64_t wanted = role.tally.pods.wanted.min();
      // Where the target counts those that have succeeded, they are not missing.
      if (role.tally.pods.wanted == role.tally.pods.desired) wanted -= standing.succeeded;
      if (to_.pods_known) standing.missing = std::max<std::int64_t>(wanted - alive, 0);
      missing_ += standing.missing;
      to_.roles.push_back(std::move(standing));
    }
    // Pods that no role claims stand in for those that roles miss.
    for (const PodFacts* pod : workload_.pods_without_role) {
      if (!pod->ended() && !pod->terminating && missing_ > 0) --missing_;
    }
  }

  void FindCauses(const Value& object) {
    Admission admission = ReadAdmission(workload_, sources_, all_);
    to_.gangs = std::move(admission.gangs);
    to_.causes = std::move(admission.causes);
    bool by_queue = std::ranges::any_of(
        to_.causes, [](const Cause& cause) { return cause.kind == CauseKind::kQueue; });
    if (to_.gangs.empty()) AddGangOfDefinition();
    if (workload_.status.deleting) AddDeleting(object);
    if (Is(Phase::kSuspended) && !by_queue) AddSuspended(object);
    std::vector<Cause> refused = CreationFailures(workload_, sources_, all_, missing_);
    bool lacks_pods = missing_ > 0 || !to_.pods_known;
    // That pods were refused matters as long as pods are missing, or for good.
    if (lacks_pods || Is(Phase::kFailed))
      std::ranges::move(refused, std::back_inserter(to_.causes));
    for (const TroubleGroup& group : troubles_) AddTrouble(group);
    if (!IsOver()) AddGone();
    bool is_told = std::ranges::any_of(
        to_.causes, [](const Cause& cause) { return cause.kind <= CauseKind::kRefused; });
    if (wait_) AddWait();
    AddElsewhere();
    // Pods whose place is not free yet, as far as is known.
    is_told |= leaving_ >= missing_ && std::ranges::any_of(to_.causes, [](const Cause& cause) {
                 return cause.kind == CauseKind::kLeaving;
               });
    // The next pods of a Job come after its pause.
    is_told |= wait_ && !wait_->by_schedule && workload_.kind != "RayJob";
    is_told |= rollout_.holds_all;
    if (missing_ > 0 && !is_told && !IsOver() && !workload_.status.deleting) AddMissing();
    if (rollout_) AddRollout();
    SortCauses();
  }

  // Of the whole, else of what it has made and what answers for itself.
  void ReadRollouts(const Value& object) {
    bool may_roll = Is(Phase::kRunning) || Is(Phase::kDegraded) || Is(Phase::kInitializing);
    if (!may_roll || workload_.status.stale || workload_.status.deleting) return;
    rollout_ = ReadRollout(workload_.api_version, workload_.kind, object);
    if (rollout_ || TellsOfRollouts(workload_.api_version, workload_.kind)) return;
    for (std::size_t number : sources_.owned) {
      const SourceObject& owned = all_.objects[number];
      if (TellsOfRollouts(owned.owner.api_version, owned.owner.kind)) continue;
      if (!TellsOfRollouts(owned.api_version, owned.kind)) continue;
      Rollout rollout = ReadRollout(owned.api_version, owned.kind, Parse(owned.text));
      if (rollout.state <= rollout_.state) continue;
      rollout.clause = Cat("of its ", owned.kind, ' ', owned.name, ": ", rollout.clause);
      rollout_ = std::move(rollout);
    }
  }

  // What it, or a Job below it, waits for by its own account.
  void ReadWaits(const Value& object) {
    bool may_wait = Is(Phase::kRunning) || Is(Phase::kDegraded) || Is(Phase::kInitializing);
    if (!may_wait || workload_.status.deleting) return;
    wait_ = ReadOwnWait(workload_.api_version, workload_.kind, object);
    // While a run goes on, the next one is not what matters.
    bool has_run = workload_.totals.pods.wanted != workload::Count();
    if (wait_ && wait_->by_schedule && has_run) wait_.reset();
    if (Is(Phase::kRunning)) {
      failures_ = FailuresBefore(workload_.api_version, workload_.kind, object);
    }
    if (wait_ || missing_ == 0) return;
    for (std::size_t number : sources_.owned) {
      const SourceObject& owned = all_.objects[number];
      if (owned.kind != "Job") continue;
      wait_ = ReadOwnWait(owned.api_version, owned.kind, Parse(owned.text));
      if (!wait_) continue;
      wait_->clause = Cat("of its Job ", owned.name, ": ", wait_->clause);
      return;
    }
  }

  // A DaemonSet wants a pod on each node that its template admits. "" when it is none, wants some,
  // or has not been counted yet.
  std::string WhyUnwanted(const Value& object) const {
    bool is_one = workload_.kind == "DaemonSet" && workload_.api_version.starts_with("apps/");
    Value status = object.Get("status");
    bool is_counted = status.Get("observedGeneration").is_int() && !workload_.status.stale;
    if (!is_one || !is_counted || !IsZero(status.Get("desiredNumberScheduled"))) return {};
    constexpr std::string_view kCount = " (desiredNumberScheduled 0)";
    Value spec = object.Get("spec").Get("template").Get("spec");
    std::string selector = NodeSelectorText(spec);
    bool has_selector = !selector.empty();
    if (!KnowsNodes()) {
      return Cat("no pod is wanted: no node takes one", kCount,
                 has_selector ? Cat("; its node selector is ", selector) : "");
    }
    bool is_selected = std::ranges::any_of(
        nodes_, [&](const auto& node) { return IsSelected(node.first, node.second, spec); });
    if (is_selected) {
      bool is_open = std::ranges::any_of(nodes_, [&](const auto& node) {
        return OpennessOf(node.first, node.second, spec) == Openness::kOpen;
      });
      return Cat("no pod is wanted: ",
                 is_open ? "no node takes one"
                         : "the nodes that its template matches are closed to it by their taints",
                 kCount);
    }
    bool has_affinity = spec.Get("affinity").Get("nodeAffinity").is_object();
    std::string what = has_selector ? Cat("node selector ", selector) : std::string();
    if (has_affinity) CatTo(what, has_selector ? " and " : "", "node affinity");
    return Cat("no pod is wanted: no node matches its ", what, kCount);
  }

  // Where its pods are read, and there are none as another controller has it.
  void AddElsewhere() {
    if (controller_.empty() || IsOver()) return;
    Cause cause;
    cause.kind = CauseKind::kElsewhere;
    cause.summary =
        Cat("it is left to ", controller_, ", which runs it elsewhere: no pods are made here");
    cause.details.emplace_back("managedBy of its spec names that controller");
    cause.commands.push_back(DescribeOwn());
    to_.causes.push_back(std::move(cause));
  }

  void AddWait() {
    Cause cause;
    cause.kind = wait_->by_schedule ? CauseKind::kSchedule : CauseKind::kBackOff;
    cause.summary = wait_->clause;
    if (!wait_->detail.empty()) cause.details.push_back(wait_->detail);
    cause.commands.push_back(DescribeOwn());
    to_.causes.push_back(std::move(cause));
  }

  // All pods that are wanted are ready, and yet not all is as it was asked for.
  void FindRolloutCauses() {
    bool is_stuck = rollout_.state == Rollout::State::kStuck;
    for (const TroubleGroup& group : troubles_) {
      bool is_past = std::ranges::all_of(
          group.pods, [](const PodFacts* pod) { return pod->ended() || pod->terminating; });
      if (!is_past && (is_stuck || IsHard(group.trouble.kind))) AddTrouble(group);
    }
    if (rollout_) {
      std::ranges::move(CreationFailures(workload_, sources_, all_, 0),
                        std::back_inserter(to_.causes));
      AddRollout();
    }
    SortCauses();
    // What somebody wants to stand still is told before what it would meet.
    if (rollout_.state == Rollout::State::kHeld) {
      std::ranges::stable_partition(
          to_.causes, [](const Cause& cause) { return cause.kind == CauseKind::kRollout; });
    }
  }

  void AddRollout() {
    Cause cause;
    cause.kind = CauseKind::kRollout;
    cause.summary = rollout_.clause;
    cause.advice = rollout_.advice;
    if (!rollout_.message.empty()) cause.details.push_back(rollout_.message);
    cause.commands.push_back(DescribeOwn());
    to_.causes.push_back(std::move(cause));
  }

  void SortCauses() {
    std::ranges::stable_sort(to_.causes, [](const Cause& a, const Cause& b) {
      if (a.is_past != b.is_past) return b.is_past;
      return a.kind != b.kind ? a.kind < b.kind : a.pods.size() > b.pods.size();
    });
  }

  bool IsOver() const {
    return Is(Phase::kFailed) || Is(Phase::kSuspended) || Is(Phase::kSuspending);
  }

  // A definition says which pods have to start together, whether a scheduler knows it or not.
  void AddGangOfDefinition() {
    if (groups_ == nullptr || !*groups_ || !**groups_) return;
    const gang::WorkloadGroups& groups = ***groups_;
    if (!groups.wants_pods || groups.groups.size() != 1 || groups.groups.front().copies != 1)
      return;
    GangStanding gang;
    gang.object = "definition";
    gang.minimum = groups.groups.front().plan.MinimumPods();
    // Not all pods are in it: a step before the others starts on its own.
    for (std::size_t number : groups.groups.front().pods) {
      if (number >= sources_.pods.size()) continue;
      const SourcePod& pod = sources_.pods[number];
      if (pod.facts->ended() || pod.facts->done || pod.facts->terminating) continue;
      ++gang.exist;
      if (pod.facts->node.empty()) continue;
      ++gang.placed;
      gang.gpus = workload::SaturatingAdd(gang.gpus, pod.facts->gpus);
    }
    if (gang.minimum > 1 && to_.pods_known) to_.gangs.push_back(std::move(gang));
  }

  std::string GetCommand(std::string_view output) const {
    std::string text =
        Cat("kubectl get ", ShellWord(TypeWord(workload_.api_version, workload_.kind)));
    if (!workload_.name_space.empty()) CatTo(text, " -n ", ShellWord(workload_.name_space));
    return Cat(text, ' ', ShellWord(workload_.name), output);
  }

  std::string DescribeOwn() const {
    return DescribeCommand(TypeWord(workload_.api_version, workload_.kind), workload_.name_space,
                           workload_.name);
  }

  void AddDeleting(const Value& object) {
    Cause cause;
    cause.kind = CauseKind::kDeleting;
    Value metadata = object.Get("metadata");
    cause.summary =
        Cat("it is being deleted since ", metadata.Get("deletionTimestamp").text_or_empty());
    std::vector<std::string> names;
    if (Value finalizers = metadata.Get("finalizers"); finalizers.is_array()) {
      for (const Value& name : finalizers.items()) names.emplace_back(name.text_or_empty());
    }
    if (!names.empty()) {
      CatTo(cause.summary, ", and kept by ", names.size() == 1 ? "finalizer " : "finalizers ",
            Join(names, ", "));
      cause.advice = "whoever has set the finalizer takes it off when its work is done";
    }
    cause.commands.push_back(GetCommand(" -o yaml"));
    // Of one that is over, how it ended matters more.
    cause.is_past = Is(Phase::kFailed);
    to_.causes.push_back(std::move(cause));
  }

  void AddSuspended(const Value& object) {
    Cause cause;
    cause.kind = CauseKind::kSuspended;
    cause.summary = "it is suspended: no pod is wanted";
    Value spec = object.Get("spec");
    if (IsZero(spec.Get("replicas"))) {
      cause.summary = "it is scaled to 0: no pod is wanted";
    } else if (spec.Get("suspend").is_true()) {
      cause.summary = "it is suspended by its own spec.suspend: no pod is wanted";
    } else if (spec.Get("runPolicy").Get("suspend").is_true()) {
      cause.summary = "it is suspended by its own spec.runPolicy.suspend: no pod is wanted";
    } else if (IsZero(spec.Get("parallelism"))) {
      cause.summary = "its parallelism is 0: no pod is wanted";
    } else if (IsZero(spec.Get("jobTemplate").Get("spec").Get("parallelism"))) {
      cause.summary = "the parallelism of its runs is 0: no pod is wanted";
    }
    cause.advice = "it stays so until somebody, or a queue, changes that";
    cause.commands.push_back(GetCommand(" -o yaml"));
    to_.causes.push_back(std::move(cause));
  }

  static bool IsZero(const Value& number) { return number.is_int() && number.as_int() == 0; }

  void AddMissing() {
    Cause cause;
    cause.kind = CauseKind::kMissing;
    std::string where;
    for (const RoleStanding& role : to_.roles) {
      if (role.missing == 0) continue;
      auto first = waiting_.find(role.role);
      // Pods that no role claims may be those that it lacks.
      if (first != waiting_.end() && role.missing <= missing_) {
        missing_ -= role.missing;
        AddWaiting(role, first->second);
        continue;
      }
      cause.roles.push_back(role.role);
    }
    if (missing_ == 0) return;
    if (cause.roles.size() == 1 && workload_.roles.size() > 1) where = cause.roles.front();
    cause.summary = Cat(PodsText(static_cast<std::size_t>(missing_), where), ' ', Are(missing_),
                        " not there yet");
    cause.details.emplace_back(
        has_status_
            ? "nothing at hand says why"
            : "the object has no status: nothing shows that its controller runs, or takes it");
    cause.commands.push_back(DescribeOwn());
    to_.causes.push_back(std::move(cause));
  }

  // Pods that come after others.
  void AddWaiting(const RoleStanding& role, const std::vector<std::string>& first) {
    Cause cause;
    cause.kind = CauseKind::kMissing;
    cause.roles.push_back(role.role);
    bool is_only = workload_.roles.size() == 1;
    cause.summary =
        Cat(PodsText(static_cast<std::size_t>(role.missing), is_only ? std::string() : role.role),
            role.missing == 1 ? " waits for " : " wait for ", Join(first, ", "));
    cause.commands.push_back(DescribeOwn());
    to_.causes.push_back(std::move(cause));
  }

  // What it has failed of is in its containers; a pod that only waits has not made it fail.
  bool IsBeside(CauseKind kind) const {
    if (Is(Phase::kSuspended)) return kind != CauseKind::kLeaving;
    if (Is(Phase::kSuspending)) return kind != CauseKind::kLeaving && kind != CauseKind::kNodeLost;
    if (Is(Phase::kFailed)) return kind >= CauseKind::kGated && kind != CauseKind::kTakenAway;
    return false;
  }

  void AddTrouble(const TroubleGroup& group) {
    const PodTrouble& trouble = group.trouble;
    if (IsBeside(trouble.kind)) return;
    // Whoever decides has said why.
    bool only_waits = trouble.kind == CauseKind::kNoVerdict || trouble.kind == CauseKind::kGated;
    if (only_waits && IsHeldByGroup()) return;
    // Pods that have failed and were replaced are the past, which a restart begins anew.
    bool is_past = std::ranges::all_of(group.pods, &PodFacts::ended) && !Is(Phase::kFailed) &&
                   missing_ == 0 && HasLivingTrouble();
    if (is_past && !Is(Phase::kDegraded)) return;
    std::size_t count = group.pods.size();
    Cause cause;
    cause.kind = trouble.kind;
    cause.is_past = is_past;
    std::string role =
        group.roles.size() == 1 && workload_.roles.size() > 1 ? group.roles.front() : std::string();
    cause.summary = Cat(PodsText(count, role), ' ',
                        trouble.needs_be ? Cat(Are(static_cast<std::int64_t>(count)), ' ') : "",
                        trouble.clause);
    cause.roles = group.roles;
    for (const PodFacts* pod : group.pods) {
      cause.pods.emplace_back(pod->name);
      bool is_older = WaitsFromTheStart(trouble.kind) && pod->created != 0 &&
                      (cause.since == 0 || pod->created < cause.since);
      if (is_older) cause.since = pod->created;
    }
    if (trouble.kind == CauseKind::kUnschedulable) {
      AddScheduling(group, cause);
    } else if (!trouble.message.empty() &&
               trouble.clause.find(trouble.message) == std::string::npos) {
      cause.details.push_back(trouble.message);
    }
    if (trouble.kind == CauseKind::kImage) AddPullSecrets(group, cause);
    std::string said = Cat(trouble.clause, '\n', trouble.message, '\n', cause.summary);
    AddAbsent(said, cause);
    AddAbsentKey(said, cause);
    if (trouble.kind == CauseKind::kOutOfMemory) cause.advice = "raise the limit, or need less";
    if (trouble.kind == CauseKind::kGated)
      cause.advice = "whoever has set the gates takes them off";
    AddCommands(group, cause);
    to_.causes.push_back(std::move(cause));
  }

  // An object that pods refer to and that is not there, by what was said of them:
  // `configmap "settings" not found`.
  void AddAbsent(std::string_view said, Cause& cause) const {
    struct Row {
      std::string_view word;
      std::string_view name;
    };
    constexpr std::array kRows = {Row{"configmap", "ConfigMap"}, Row{"secret", "Secret"},
                                  Row{"persistentvolumeclaim", "PersistentVolumeClaim"}};
    for (const Row& row : kRows) {
      std::string begin = Cat(row.word, " \"");
      std::size_t at = said.find(begin);
      if (at == std::string_view::npos) continue;
      std::string_view rest = said.substr(at + begin.size());
      std::size_t end = rest.find('"');
      if (end == std::string_view::npos || !rest.substr(end).starts_with("\" not found")) continue;
      std::string_view name = rest.substr(0, end);
      // Some say it with the namespace.
      if (std::size_t slash = name.find('/'); slash != std::string_view::npos) {
        name.remove_prefix(slash + 1);
      }
      cause.advice =
          Cat("create the ", row.name, ' ', name, ", or name one that is there in the template");
      cause.commands.push_back(GetOf(row.word, name));
      return;
    }
  }

  // `couldn't find key token in Secret ml/access`.
  void AddAbsentKey(std::string_view said, Cause& cause) const {
    constexpr std::string_view kBegin = "couldn't find key ";
    std::size_t at = said.find(kBegin);
    if (at == std::string_view::npos) return;
    std::string_view rest = said.substr(at + kBegin.size());
    std::size_t in = rest.find(" in ");
    if (in == std::string_view::npos) return;
    std::string_view key = rest.substr(0, in);
    rest.remove_prefix(in + 4);
    std::string_view kind = rest.substr(0, rest.find(' '));
    if (kind != "Secret" && kind != "ConfigMap") return;
    rest.remove_prefix(std::min(kind.size() + 1, rest.size()));
    std::string_view name = rest.substr(0, rest.find_first_of(" \n,"));
    name.remove_prefix(name.find('/') == std::string_view::npos ? 0 : name.find('/') + 1);
    if (name.empty()) return;
    cause.advice = Cat("add the key ", key, " to the ", kind, ' ', name,
                       ", or name one that is there in the template");
    cause.commands.push_back(DescribeCommand(ToLower(kind), workload_.name_space, name));
  }

  // Pods that were taken away and are gone: only their events tell, whose pods are known by the
  // name of what made them.
  void AddGone() {
    std::set<std::string_view> makers;
    if (workload_.kind == "Job" || workload_.kind == "DaemonSet") makers.insert(workload_.name);
    for (std::size_t number : sources_.owned) {
      const SourceObject& owned = all_.objects[number];
      if (owned.kind == "Job" || owned.kind == "ReplicaSet") makers.insert(owned.name);
    }
    std::int64_t newest = 0;
    std::set<std::string_view> there;
    for (const SourcePod& pod : sources_.pods) {
      there.insert(pod.facts->name);
      newest = std::max(newest, pod.facts->created);
    }
    // One that takes the place is made in the same moment.
    constexpr std::int64_t kMoment = 60;
    Cause cause;
    cause.kind = CauseKind::kTakenAway;
    std::string said;
    for (const auto& [about, events] : all_.events) {
      for (const workload::Event& event : events) {
        constexpr std::string_view kPod = "Pod/";
        bool is_of_going = event.reason == "Preempted" || event.reason == "Evicted" ||
                           event.reason == "TaintManagerEviction";
        bool is_near = event.name_space == workload_.name_space && event.object.starts_with(kPod);
        if (!is_of_going || !is_near || event.last_seen + kMoment < newest) continue;
        std::string_view name = std::string_view(event.object).substr(kPod.size());
        std::size_t dash = name.rfind('-');
        if (dash == std::string_view::npos || there.contains(name)) continue;
        if (!makers.contains(name.substr(0, dash))) continue;
        if (std::ranges::find(cause.pods, name) != cause.pods.end()) continue;
        cause.pods.emplace_back(name);
        said = event.message;
      }
    }
    if (cause.pods.empty()) return;
    std::ranges::sort(cause.pods);
    // What has come in its place is told by itself.
    cause.is_past = missing_ == 0;
    cause.summary = Cat(PodsText(cause.pods.size(), {}), " taken away: ", said);
    cause.summary.insert(cause.summary.find(" taken"), cause.pods.size() == 1 ? " was" : " were");
    cause.commands.push_back(DescribeOwn());
    to_.causes.push_back(std::move(cause));
  }

  // Whether the secrets are there that an image is to be pulled with.
  void AddPullSecrets(const TroubleGroup& group, Cause& cause) const {
    cause.advice = "see that the name is right and that the pull secret may read it";
    constexpr std::string_view kBegin = "Unable to retrieve some image pull secrets (";
    for (const workload::Event& event : std::views::reverse(workload_.events)) {
      bool is_its = std::ranges::any_of(
          group.pods, [&](const PodFacts* pod) { return event.object == Cat("Pod/", pod->name); });
      if (!is_its || !event.message.starts_with(kBegin)) continue;
      std::string_view names = std::string_view(event.message).substr(kBegin.size());
      names = names.substr(0, names.find(')'));
      cause.details.push_back(Cat("there is no image pull secret ", names));
      cause.advice = "create the pull secret, or name one that is there";
      cause.commands.push_back(GetOf("secret", names.substr(0, names.find(','))));
      return;
    }
  }

  std::string GetOf(std::string_view type, std::string_view name) const {
    std::string text = Cat("kubectl get ", type);
    if (!workload_.name_space.empty()) CatTo(text, " -n ", ShellWord(workload_.name_space));
    return Cat(text, ' ', ShellWord(name));
  }

  // Whether pods in such a trouble are in it since they were made.
  static bool WaitsFromTheStart(CauseKind kind) {
    switch (kind) {
      case CauseKind::kImage:
      case CauseKind::kContainer:
      case CauseKind::kGated:
      case CauseKind::kUnschedulable:
      case CauseKind::kVolume:
      case CauseKind::kNoVerdict:
      case CauseKind::kStarting:
        return true;
      default:
        return false;
    }
  }

  bool IsHeldByGroup() const {
    return std::ranges::any_of(to_.causes, [](const Cause& cause) {
      return cause.kind == CauseKind::kQueue || cause.kind == CauseKind::kGang;
    });
  }

  bool HasLivingTrouble() const {
    return std::ranges::any_of(troubles_, [](const TroubleGroup& group) {
      return std::ranges::any_of(group.pods, [](const PodFacts* pod) { return !pod->ended(); });
    });
  }

  void AddCommands(const TroubleGroup& group, Cause& cause) const {
    const PodFacts& pod = *group.pods.front();
    bool has_logs =
        !group.trouble.container.empty() &&
        (group.trouble.kind == CauseKind::kCrash || group.trouble.kind == CauseKind::kOutOfMemory ||
         group.trouble.kind == CauseKind::kNotReady || group.trouble.kind == CauseKind::kStarting);
    if (has_logs) {
      std::string text = "kubectl logs";
      if (!pod.name_space.empty()) CatTo(text, " -n ", ShellWord(pod.name_space));
      CatTo(text, ' ', ShellWord(pod.name), " -c ", ShellWord(group.trouble.container));
      if (group.trouble.has_ended_before) text += " --previous";
      cause.commands.push_back(std::move(text));
    }
    cause.commands.push_back(DescribeCommand("pod", pod.name_space, pod.name));
    if (group.trouble.kind == CauseKind::kNodeLost && !pod.node.empty()) {
      cause.commands.push_back(DescribeCommand("node", {}, pod.node));
    }
  }

  const Value* ManifestOf(const PodFacts* pod) const {
    auto manifest = manifests_.find(pod);
    return manifest == manifests_.end() ? nullptr : &manifest->second;
  }

  void AddScheduling(const TroubleGroup& group, Cause& cause) {
    std::vector<Value> manifests;
    for (const PodFacts* pod : group.pods) {
      if (const Value* manifest = ManifestOf(pod)) manifests.push_back(*manifest);
    }
    TellScheduling({group.trouble.verdict, manifests, workload_.name_space, nodes_, all_}, cause);
  }

  // --- what stands around

  void AddEvents() {
    for (const workload::Event& event : std::views::reverse(workload_.events)) {
      if (event.type != "Warning") continue;
      auto same = std::ranges::find_if(to_.events, [&](const EventGroup& group) {
        return group.reason == event.reason && Alike(group.message, event.message);
      });
      if (same == to_.events.end()) {
        if (to_.events.size() == kMostEvents) continue;
        to_.events.push_back(
            {event.reason, event.message, event.object, 1, event.count, event.last_seen});
        about_.push_back({event.object});
        continue;
      }
      same->count = workload::SaturatingAdd(same->count, event.count);
      auto& about = about_[static_cast<std::size_t>(same - to_.events.begin())];
      about.insert(event.object);
      same->objects = static_cast<std::int64_t>(about.size());
    }
  }

  // Messages that differ in numbers and in made-up ends of names say the same: "0/11 nodes are
  // available: 8 …", `pods "train-0-x7k2p" is forbidden`.
  static bool Alike(std::string_view a, std::string_view b) { return a == b || Bare(a) == Bare(b); }
  static std::string Bare(std::string_view text) {
    constexpr std::string_view kCombined = "(combined from similar events): ";
    constexpr std::size_t kMost = 200;
    constexpr std::size_t kMadeUp = 5;
    if (text.starts_with(kCombined)) text.remove_prefix(kCombined.size());
    std::string result;
    for (char c : text.substr(0, kMost)) {
      std::size_t dash = result.rfind('-');
      bool is_end = c == '"' && dash != std::string::npos && result.size() - dash <= kMadeUp + 1 &&
                    result.find_first_of(" \"", dash) == std::string::npos;
      if (is_end) result.resize(dash);
      if (c < '0' || c > '9') result += c;
    }
    return result;
  }

  void AddUnseen() {
    for (const auto& [what, why] : all_.unread) to_.unseen.push_back({what, why});
    if (!all_.has_pods && !all_.unread.contains("pods")) {
      to_.unseen.push_back({"pods", "none are among the inputs"});
    }
    if (!all_.has_events && !all_.unread.contains("events") && IsHeldUp()) {
      to_.unseen.push_back({"events", "none are among the inputs"});
    }
  }

  bool AllReady() const {
    const workload::PodCounts& pods = workload_.totals.pods;
    return pods.wanted.exact() && pods.wanted.min() > 0 &&
           pods.ready.value_or(0) >= pods.wanted.min();
  }

  std::string Rule() const {
    const workload::Status& status = workload_.status;
    std::string object(PhaseName(to_.evidence.by_object));
    if (status.phase == Phase::kUndefined) {
      return "no mapping of the definition matches the object, and its pods do not tell";
    }
    if (!status.from_pods) {
      return Cat("the object alone says ", object, all_.has_pods ? "" : "; no pods are known");
    }
    if (status.phase == to_.evidence.by_object) {
      bool decides = status.phase == Phase::kFailed || status.phase == Phase::kCompleted ||
                     status.phase == Phase::kSuspended || status.phase == Phase::kSuspending;
      if (decides)
        return Cat("the object says ", object, ", and for this phase its word is enough");
      // It speaks of what runs on them.
      bool is_about_more =
          (status.phase == Phase::kDegraded || status.phase == Phase::kInitializing) && AllReady();
      return Cat("the object says ", object,
                 is_about_more ? ", though its pods are ready" : ", and its pods agree");
    }
    std::string text = Cat("the object says ", object, ", its pods show ", PhaseName(status.phase));
    if (!status.message.empty()) CatTo(text, ": ", status.message);
    return text;
  }

  // The object's own words for its phase: "BackoffLimitExceeded: Job has reached …".
  std::string Words() const {
    const workload::Status& status = workload_.status;
    std::string words = Cat(
        status.reason, status.reason.empty() || status.message.empty() ? "" : ": ", status.message);
    while (words.ends_with(' ') || words.ends_with(':')) words.pop_back();
    return words;
  }

  std::string Summary() const {
    std::string words = Words();
    switch (workload_.status.phase) {
      case Phase::kRunning:
        return WithRollout(Serving());
      case Phase::kCompleted:
        return words.empty() ? std::string("it is done") : words;
      case Phase::kUndefined:
        if (!to_.causes.empty()) return to_.causes.front().summary;
        return "nothing that its definition knows of says how it is";
      case Phase::kFailed:
        if (to_.causes.empty()) return words.empty() ? std::string("so its object says") : words;
        return Cat(to_.causes.front().summary, words.empty() ? "" : "; ", words);
      default:
        break;
    }
    if (!to_.causes.empty()) return Cat(to_.causes.front().summary, Pause(), MoreCauses());
    if (!words.empty()) return to_.pods_known ? words : Unverified(words);
    return to_.pods_known ? std::string("so its object says, and nothing at hand says why")
                          : Unverified("so its object says");
  }

  std::string Serving() const {
    const workload::PodCounts& pods = workload_.totals.pods;
    if (!to_.pods_known) return Unverified("so its object says");
    std::string text;
    if (pods.wanted == workload::Count()) {
      text = unwanted_.empty() ? std::string("no pod is wanted at this moment") : unwanted_;
    } else if (pods.wanted == workload::Count::Exactly(1)) {
      text = "the pod that is wanted is ready";
    } else {
      text = Cat("all ", pods.wanted.text(), " pods that are wanted are ready");
    }
    if (wait_) {
      CatTo(text, "; ", wait_->clause, wait_->detail.empty() ? "" : ": ", wait_->detail);
    } else if (!failures_.empty()) {
      CatTo(text, "; ", failures_);
    }
    // Its application may not be up on them.
    if (to_.evidence.by_object == Phase::kInitializing) {
      const workload::Status& status = workload_.status;
      std::string words = status.reason == "Initializing" ? status.message : Words();
      CatTo(text, "; its object still says Initializing", words.empty() ? "" : ": ", words);
    }
    return text;
  }

  // What comes after the first cause, where that is no more than the reason for it.
  std::string Pause() const {
    auto pause = std::ranges::find_if(to_.causes, [](const Cause& cause) {
      return cause.kind == CauseKind::kSchedule || cause.kind == CauseKind::kBackOff;
    });
    bool is_first = pause == to_.causes.begin() || pause == to_.causes.end();
    return is_first ? std::string() : Cat("; ", pause->summary);
  }

  // What keeps one that runs from being as it was asked for.
  std::string WithRollout(const std::string& serving) const {
    if (to_.causes.empty()) return serving;
    const Cause& first = to_.causes.front();
    if (first.kind == CauseKind::kRollout) {
      bool goes_on = rollout_.state == Rollout::State::kGoing;
      return Cat(serving, goes_on ? "; its rollout goes on: " : ", but ", first.summary);
    }
    if (!rollout_) return Cat(serving, ", but ", first.summary);
    return Cat(serving, ", but its rollout ",
               rollout_.state == Rollout::State::kStuck ? "is stuck: " : "does not go on: ",
               first.summary);
  }

  // That the first cause is not the only one, unless the others only follow from it.
  std::string MoreCauses() const {
    auto more = std::ranges::count_if(to_.causes, [](const Cause& cause) {
      return cause.kind < CauseKind::kStarting && !cause.is_past;
    });
    bool is_one = to_.causes.front().kind >= CauseKind::kStarting;
    if (is_one || more < 2) return {};
    return Cat("; and ", more - 1, more == 2 ? " cause more" : " causes more");
  }

  std::string Unverified(std::string_view text) const {
    if (!controller_.empty()) return Cat(text, "; ", controller_, " runs it elsewhere");
    bool unread = all_.unread.contains("pods");
    return Cat(text, "; its pods ", unread ? "could not be read" : "are not among the inputs");
  }

  const Workload& workload_;
  const Sources& all_;
  const WorkloadSources& sources_;
  const std::optional<Result<gang::WorkloadGroups>>* groups_;
  const definition::Registry& registry_;
  Arena arena_;
  NodeTable nodes_;
  std::vector<TroubleGroup> troubles_;
  std::map<const PodFacts*, CauseKind> kinds_;
  std::map<const PodFacts*, Value> manifests_;
  std::int64_t missing_ = 0;
  std::int64_t leaving_ = 0;
  Rollout rollout_;
  std::optional<OwnWait> wait_;
  std::string controller_;  // that runs it elsewhere
  std::string unwanted_;    // of one that runs without a pod, why
  std::string failures_;    // of one that runs, those before
  bool has_status_ = false;
  std::map<std::string_view, std::vector<std::string>> waiting_;  // WaitingRoles()
  std::vector<std::set<std::string>> about_;                      // by event group
  Explanation to_;
};

}  // namespace

Explanation Explain(const Report& report, std::size_t index, const definition::Registry& registry) {
  return Explainer(report, index, registry).Explain();
}

}  // namespace wmap::inspect
