#include "inspect/rollout.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "definition/api_version.h"
#include "inspect/cause.h"

namespace wmap::inspect {
namespace {

using json::Value;

// Kinds that count how much of them has the newest template.
struct CounterRow {
  std::string_view group;
  std::string_view kind;
  std::string_view updated;  // fields of the status
  std::string_view all;
  std::string_view strategy;  // fields of the spec
  std::string_view part;      // what is counted
  bool has_rollout_commands;  // kubectl rollout knows the kind
};
constexpr std::array kCounters = {
    CounterRow{"apps", "Deployment", "updatedReplicas", "replicas", "strategy", "pod", true},
    CounterRow{"apps", "StatefulSet", "updatedReplicas", "replicas", "updateStrategy", "pod", true},
    CounterRow{"apps", "DaemonSet", "updatedNumberScheduled", "currentNumberScheduled",
               "updateStrategy", "pod", true},
    CounterRow{"leaderworkerset.x-k8s.io", "LeaderWorkerSet", "updatedReplicas", "replicas",
               "rolloutStrategy", "group", false},
};

// Kinds whose status names a newest state and the one that serves.
constexpr std::array kOthers = {
    std::pair<std::string_view, std::string_view>{"serving.knative.dev", "Service"},
    std::pair<std::string_view, std::string_view>{"ray.io", "RayService"},
};

const CounterRow* RowOf(std::string_view api_version, std::string_view kind) {
  std::string_view group = definition::GroupOf(api_version);
  const auto* row = std::ranges::find_if(
      kCounters, [&](const CounterRow& one) { return one.group == group && one.kind == kind; });
  return row == kCounters.end() ? nullptr : row;
}

std::int64_t IntOr(const Value& value, std::int64_t otherwise) {
  return value.is_int() ? value.as_int() : otherwise;
}

std::string_view TextOf(const Value& object, std::string_view field) {
  return object.Get(field).text_or_empty();
}

std::optional<Value> Condition(const Value& status, std::string_view type) {
  Value conditions = status.Get("conditions");
  if (!conditions.is_array()) return std::nullopt;
  for (const Value& condition : conditions.items()) {
    if (TextOf(condition, "type") == type) return condition;
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(std::string_view api_version, std::string_view kind, const Value& object)
      : api_version_(api_version),
        kind_(kind),
        metadata_(object.Get("metadata")),
        spec_(object.Get("spec")),
        status_(object.Get("status")) {}

  Rollout Read() {
    if (const CounterRow* row = RowOf(api_version_, kind_)) {
      ReadCounters(*row);
      AddAvailability();
      return rollout_;
    }
    std::string_view group = definition::GroupOf(api_version_);
    if (group == "serving.knative.dev" && kind_ == "Service") ReadKnative();
    if (group == "serving.kserve.io" && kind_ == "InferenceService") ReadKServe();
    if (group == "ray.io" && kind_ == "RayService") ReadRayService();
    if (!rollout_) ReadAnyOther();
    AddAvailability();
    return rollout_;
  }

 private:
  void Set(Rollout::State state, bool has_older, std::string clause) {
    rollout_.state = state;
    rollout_.has_older = has_older;
    rollout_.clause = std::move(clause);
  }

  // "its newest template is on 1 of 3 pods".
  static std::string On(std::int64_t updated, std::int64_t all, std::string_view part) {
    constexpr std::string_view kIs = "its newest template is ";
    if (all == 1 && updated == 0) return Cat(kIs, "not on its ", part);
    std::string of = Cat(all, ' ', part, all == 1 ? "" : "s");
    return updated == 0 ? Cat(kIs, "on none of its ", of) : Cat(kIs, "on ", updated, " of ", of);
  }

  void ReadCounters(const CounterRow& row) {
    // A controller leaves out a count of 0; what has been cut down to a few fields says nothing.
    bool is_whole = status_.Get("observedGeneration").is_int();
    Value updated_field = status_.Get(row.updated);
    std::int64_t all = IntOr(status_.Get(row.all), 0);
    std::int64_t updated = updated_field.is_int() || is_whole ? IntOr(updated_field, 0) : all;
    std::string_view current = TextOf(status_, "currentRevision");
    std::string_view next = TextOf(status_, "updateRevision");
    bool has_revisions = !current.empty() && !next.empty();
    bool are_two = has_revisions && current != next;
    // Pods on their way out are counted among all, and not among the updated.
    bool has_older = updated < all && (are_two || !has_revisions);
    Value strategy = spec_.Get(row.strategy);
    std::string on = On(updated, all, row.part);
    if (spec_.Get("paused").is_true() && kind_ == "Deployment") {
      // The controller numbers the first ReplicaSet as soon as it has made it.
      Value revision = metadata_.Get("annotations").Get("deployment.kubernetes.io/revision");
      if (all == 0 && revision.is_null()) {
        Set(Rollout::State::kHeld, false, "it is paused, and no pod is made before it goes on");
        rollout_.holds_all = true;
        rollout_.advice = Cat("to let it go on: ", Command("resume"));
        return;
      }
      Set(Rollout::State::kHeld, has_older,
          has_older ? Cat("it is paused, and ", on)
                    : std::string("it is paused: changes of its template are not rolled out"));
      rollout_.advice = Cat("to let it go on: ", Command("resume"));
      return;
    }
    if (TextOf(strategy, "type") == "OnDelete") {
      if (!has_older) return;
      Set(Rollout::State::kHeld, true,
          Cat(on, ": with its update strategy OnDelete others keep theirs until they are deleted"));
      rollout_.advice = "delete these pods: they come back with the newest template";
      return;
    }
    std::int64_t partition = PartitionOf(strategy);
    bool is_held = partition > 0 && has_older && updated >= all - partition;
    if (is_held) {
      Set(Rollout::State::kHeld, true,
          Cat(on, ": partition ", partition, " of its update strategy holds the others back"));
      rollout_.advice = "lower the partition to let it go on";
      return;
    }
    std::optional<Value> progress = Condition(status_, "Progressing");
    if (progress && TextOf(*progress, "reason") == "ProgressDeadlineExceeded") {
      Set(Rollout::State::kStuck, has_older, Cat("its rollout is stuck: ", on));
      rollout_.message = TextOf(*progress, "message");
      rollout_.advice = Cat("mend its template, or go back: ", Command("undo"));
      return;
    }
    std::optional<Value> update = Condition(status_, "UpdateInProgress");
    bool says_so = update && TextOf(*update, "status") == "True";
    bool says_no = update && TextOf(*update, "status") == "False";
    if ((has_older && !says_no) || are_two || says_so) Set(Rollout::State::kGoing, true, on);
  }

  // Pods that are ready count once they have been so for minReadySeconds.
  void AddAvailability() {
    std::int64_t seconds = IntOr(spec_.Get("minReadySeconds"), 0);
    bool is_whole = status_.Get("observedGeneration").is_int();
    bool may_settle = !rollout_ || rollout_.state == Rollout::State::kGoing;
    bool counts = definition::GroupOf(api_version_) == "apps";
    if (seconds <= 0 || !counts || !is_whole || !may_settle) return;
    bool is_daemon_set = kind_ == "DaemonSet";
    std::int64_t ready = IntOr(status_.Get(is_daemon_set ? "numberReady" : "readyReplicas"), 0);
    std::int64_t available =
        IntOr(status_.Get(is_daemon_set ? "numberAvailable" : "availableReplicas"), 0);
    if (available >= ready) return;
    std::string text = Cat(available == 0 ? "none" : Cat("only ", available), " of ", ready,
                           " ready pods ", available > 1 ? "are" : "is", " available: each has");
    if (ready == 1) text = "its ready pod is not available yet: it has";
    CatTo(text, " to be ready for ", seconds, seconds == 1 ? " second" : " seconds",
          " (minReadySeconds)");
    if (rollout_) {
      CatTo(rollout_.clause, ", and ", text);
    } else {
      Set(Rollout::State::kSettling, false, std::move(text));
    }
  }

  static std::int64_t PartitionOf(const Value& strategy) {
    for (std::string_view field : {"rollingUpdate", "rollingUpdateConfiguration"}) {
      Value partition = strategy.Get(field).Get("partition");
      if (partition.is_int()) return partition.as_int();
    }
    return 0;
  }

  std::string Command(std::string_view verb) const {
    std::string text = Cat("kubectl rollout ", verb, ' ', ToLower(kind_));
    std::string_view name_space = TextOf(metadata_, "namespace");
    if (!name_space.empty()) CatTo(text, " -n ", ShellWord(name_space));
    return Cat(text, ' ', ShellWord(TextOf(metadata_, "name")));
  }

  void ReadKnative() {
    std::string_view created = TextOf(status_, "latestCreatedRevisionName");
    std::string_view ready = TextOf(status_, "latestReadyRevisionName");
    if (created.empty() || ready.empty()) return;
    std::optional<Value> made = Condition(status_, "ConfigurationsReady");
    std::string_view word = made ? TextOf(*made, "status") : std::string_view();
    // One that cannot even be made has no name, so the names agree.
    if (created == ready && word != "False") return;
    TellRevision(created == ready ? "its newest revision" : Cat("its newest revision ", created),
                 ready, word == "False", created != ready);
    if (word == "False") rollout_.message = TextOf(*made, "message");
  }

  void TellRevision(std::string_view newest, std::string_view serving, bool is_stuck,
                    bool has_older) {
    Set(is_stuck ? Rollout::State::kStuck : Rollout::State::kGoing, has_older,
        Cat(newest, " is not ready, and ", serving, " serves meanwhile"));
  }

  void ReadKServe() {
    Value components = status_.Get("components");
    if (components.is_object()) {
      for (const json::Member& component : components.members()) {
        std::string_view created = TextOf(component.value, "latestCreatedRevision");
        std::string_view ready = TextOf(component.value, "latestReadyRevision");
        if (created.empty() || ready.empty() || created == ready) continue;
        std::optional<Value> state = Condition(status_, ConditionOf(component.key));
        bool is_stuck = state && TextOf(*state, "status") == "False";
        TellRevision(Cat("the newest revision ", created, " of its ", component.key), ready,
                     is_stuck, true);
        if (is_stuck) rollout_.message = TextOf(*state, "message");
        return;
      }
    }
    Value model = status_.Get("modelStatus");
    std::string_view active = TextOf(model.Get("states"), "activeModelState");
    if (active != "Loaded") return;
    std::string_view transition = TextOf(model, "transitionStatus");
    if (transition == "BlockedByFailedLoad") {
      Set(Rollout::State::kStuck, true,
          "its newest model cannot be loaded, and the one before serves meanwhile");
      rollout_.message = TextOf(model.Get("lastFailureInfo"), "message");
    } else if (transition == "InProgress") {
      Set(Rollout::State::kGoing, true,
          "its newest model is being loaded, and the one before serves meanwhile");
    }
  }

  // "predictor" -> "PredictorReady".
  static std::string ConditionOf(std::string_view component) {
    std::string type = Cat(component, "Ready");
    if (type.front() >= 'a' && type.front() <= 'z') type.front() -= 'a' - 'A';
    return type;
  }

  void ReadRayService() {
    Value pending = status_.Get("pendingServiceStatus");
    std::string_view next = TextOf(pending, "rayClusterName");
    std::string_view active = TextOf(status_.Get("activeServiceStatus"), "rayClusterName");
    if (next.empty() || active.empty()) return;
    Set(Rollout::State::kGoing, true,
        Cat("its newest cluster ", next, " does not serve yet, and ", active, " serves meanwhile"));
    Value applications = pending.Get("applicationStatuses");
    if (!applications.is_object()) return;
    for (const json::Member& application : applications.members()) {
      std::string_view state = TextOf(application.value, "status");
      if (state != "UNHEALTHY" && state != "DEPLOY_FAILED") continue;
      std::string_view words = TextOf(application.value, "message");
      rollout_.state = Rollout::State::kStuck;
      rollout_.message =
          Cat("application ", application.key, " is ", state, words.empty() ? "" : ": ", words);
    }
  }

  // What kinds that are not known by name say the same way.
  void ReadAnyOther() {
    bool says_so = false;
    for (std::string_view type : {"UpdateInProgress", "UpgradeInProgress"}) {
      std::optional<Value> condition = Condition(status_, type);
      says_so |= condition && TextOf(*condition, "status") == "True";
    }
    Value updated = status_.Get("updatedReplicas");
    Value all = status_.Get("replicas");
    bool is_counted = updated.is_int() && all.is_int() && updated.as_int() < all.as_int();
    if (is_counted) {
      Set(Rollout::State::kGoing, true, On(updated.as_int(), all.as_int(), "replica"));
    } else if (says_so) {
      Set(Rollout::State::kGoing, true, "it is being updated");
    }
  }

  std::string_view api_version_;
  std::string_view kind_;
  Value metadata_;
  Value spec_;
  Value status_;
  Rollout rollout_;
};

}  // namespace

Rollout ReadRollout(std::string_view api_version, std::string_view kind, const Value& object) {
  return Reader(api_version, kind, object).Read();
}

bool TellsOfRollouts(std::string_view api_version, std::string_view kind) {
  std::string_view group = definition::GroupOf(api_version);
  return RowOf(api_version, kind) != nullptr ||
         std::ranges::find(kOthers, std::pair(group, kind)) != kOthers.end();
}

}  // namespace wmap::inspect
