#include "inspect/pod_trouble.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <vector>

#include "base/text.h"

namespace wmap::inspect {
namespace {

using json::Value;
using workload::Event;
using workload::PodFacts;

// Waiting reasons of containers, and what they come to.
struct WaitingRow {
  std::string_view reason;
  CauseKind kind;
};
constexpr std::array kWaiting = {
    WaitingRow{"ImagePullBackOff", CauseKind::kImage},
    WaitingRow{"ErrImagePull", CauseKind::kImage},
    WaitingRow{"ImageInspectError", CauseKind::kImage},
    WaitingRow{"ErrImageNeverPull", CauseKind::kImage},
    WaitingRow{"InvalidImageName", CauseKind::kImage},
    WaitingRow{"RegistryUnavailable", CauseKind::kImage},
    WaitingRow{"SignatureValidationFailed", CauseKind::kImage},
    WaitingRow{"CrashLoopBackOff", CauseKind::kCrash},
    WaitingRow{"CreateContainerConfigError", CauseKind::kContainer},
    WaitingRow{"CreateContainerError", CauseKind::kContainer},
    WaitingRow{"RunContainerError", CauseKind::kContainer},
    WaitingRow{"PreStartHookError", CauseKind::kContainer},
    WaitingRow{"PostStartHookError", CauseKind::kContainer},
};

// Events that say why containers are not made.
struct EventRow {
  std::string_view reason;
  CauseKind kind;
};
constexpr std::array kBlocking = {
    EventRow{"FailedMount", CauseKind::kVolume},
    EventRow{"FailedAttachVolume", CauseKind::kVolume},
    EventRow{"FailedMapVolume", CauseKind::kVolume},
    EventRow{"FailedCreatePodSandBox", CauseKind::kContainer},
    EventRow{"FailedPrepareDynamicResources", CauseKind::kContainer},
    EventRow{"NetworkNotReady", CauseKind::kNodeLost},
};

constexpr std::int64_t kKilled = 137;
constexpr std::int64_t kSignals = 128;

std::int64_t IntOr(const Value& value, std::int64_t otherwise) {
  return value.is_int() ? value.as_int() : otherwise;
}

const Value* Named(const Value& list, std::string_view key, std::string_view name) {
  if (!list.is_array()) return nullptr;
  for (const Value& entry : list.items()) {
    if (entry.Get(key).text_or_empty() == name) return &entry;
  }
  return nullptr;
}

class TroubleReader {
 public:
  TroubleReader(const PodFacts& pod, const Value& manifest, const PodSurroundings& around)
      : pod_(pod),
        around_(around),
        metadata_(manifest.Get("metadata")),
        spec_(manifest.Get("spec")),
        status_(manifest.Get("status")) {}

  std::optional<PodTrouble> Read() {
    if (pod_.serves() || pod_.succeeded()) return std::nullopt;
    if (pod_.terminating && !pod_.ended()) return Leaving();
    if (const Value* disrupted = Condition("DisruptionTarget", "True"))
      return TakenAway(*disrupted);
    if (pod_.evicted) {
      return Plain(CauseKind::kTakenAway,
                   Cat("lost: ", pod_.reason, pod_.message.empty() ? "" : ": ", pod_.message), {});
    }
    if (auto trouble = OfContainers()) return trouble;
    if (pod_.ended()) {
      return Plain(CauseKind::kCrash, Cat("failed", pod_.reason.empty() ? "" : ": ", pod_.reason),
                   pod_.message, false);
    }
    if (pod_.node.empty()) return Waiting();
    return OnNode();
  }

 private:
  PodTrouble Make(CauseKind kind, std::string clause, std::string_view message = {},
                  bool needs_be = false) const {
    PodTrouble trouble;
    trouble.kind = kind;
    trouble.key = clause;
    trouble.clause = std::move(clause);
    trouble.message = message;
    trouble.needs_be = needs_be;
    return trouble;
  }

  PodTrouble Plain(CauseKind kind, std::string clause, std::string_view message,
                   bool needs_be = true) const {
    return Make(kind, std::move(clause), message, needs_be);
  }

  const Value* Condition(std::string_view type, std::string_view status) const {
    const Value* conditions = status_.Find("conditions");
    const Value* found = conditions == nullptr ? nullptr : Named(*conditions, "type", type);
    bool holds = found != nullptr && found->Get("status").text_or_empty() == status;
    return holds ? found : nullptr;
  }

  // The newest event with this reason, or nullptr.
  const Event* FindEvent(std::string_view reason) const {
    for (const Event* event : std::views::reverse(around_.events)) {
      if (event->reason == reason) return event;
    }
    return nullptr;
  }

  PodTrouble Leaving() const {
    std::string clause = "being deleted, and not gone yet";
    std::vector<std::string> names;
    if (Value finalizers = metadata_.Get("finalizers"); finalizers.is_array()) {
      for (const Value& name : finalizers.items()) names.emplace_back(name.text_or_empty());
    }
    // Kubernetes takes its own off by itself, once it has counted the pod.
    std::erase_if(
        names, [](const std::string& name) { return name == "batch.kubernetes.io/job-tracking"; });
    if (!names.empty()) {
      CatTo(clause, ": kept by ", names.size() == 1 ? "finalizer " : "finalizers ",
            Join(names, ", "));
    }
    return Plain(CauseKind::kLeaving, std::move(clause), {});
  }

  PodTrouble TakenAway(const Value& condition) const {
    std::string_view reason = condition.Get("reason").text_or_empty();
    std::string_view message = condition.Get("message").text_or_empty();
    return Plain(CauseKind::kTakenAway,
                 Cat("taken away: ", reason, message.empty() ? "" : ": ", message), {});
  }

  std::optional<PodTrouble> OfContainers() const {
    std::optional<PodTrouble> found;
    for (std::string_view field : {"initContainerStatuses", "containerStatuses"}) {
      Value statuses = status_.Get(field);
      if (!statuses.is_array()) continue;
      for (const Value& one : statuses.items()) {
        std::optional<PodTrouble> trouble = OfContainer(one, field.starts_with("init"));
        if (trouble && (!found || trouble->kind < found->kind)) found = std::move(trouble);
      }
    }
    return found;
  }

  std::optional<PodTrouble> OfContainer(const Value& status, bool is_init) const {
    std::string_view name = status.Get("name").text_or_empty();
    std::string container = Cat(is_init ? "init container " : "container ", name);
    Value waiting = status.Get("state").Get("waiting");
    std::string_view reason = waiting.Get("reason").text_or_empty();
    auto row = std::ranges::find(kWaiting, reason, &WaitingRow::reason);
    std::optional<PodTrouble> trouble;
    if (row != kWaiting.end() && row->kind == CauseKind::kImage) {
      trouble = Make(
          CauseKind::kImage,
          Cat("cannot pull the image of ", container, ' ', ImageOf(name, is_init), ": ", reason),
          waiting.Get("message").text_or_empty());
    } else if (row != kWaiting.end() && row->kind == CauseKind::kContainer) {
      std::string_view message = waiting.Get("message").text_or_empty();
      trouble = Make(CauseKind::kContainer, Cat("cannot start ", container, ": ", reason,
                                                message.empty() ? "" : ": ", message));
    } else {
      trouble = OfEnd(status, container, name, is_init, reason == "CrashLoopBackOff");
    }
    if (trouble) trouble->container = name;
    return trouble;
  }

  // How a container ended: now, or the last time before it was started again.
  std::optional<PodTrouble> OfEnd(const Value& status, const std::string& container,
                                  std::string_view name, bool is_init, bool is_looping) const {
    Value now = status.Get("state").Get("terminated");
    Value before = status.Get("lastState").Get("terminated");
    bool ended_now = now.is_object();
    const Value& end = ended_now ? now : before;
    std::int64_t restarts = IntOr(status.Get("restartCount"), 0);
    std::int64_t code = IntOr(end.Get("exitCode"), 0);
    // An end that the container has got over is no trouble.
    if (!is_looping && !ended_now && status.Get("ready").is_true()) return std::nullopt;
    if (!is_looping && code == 0) return std::nullopt;
    std::string_view reason = end.Get("reason").text_or_empty();
    bool out_of_memory = reason == "OOMKilled";
    std::string how;
    if (out_of_memory) {
      how = Cat(container, " was killed for its memory (OOMKilled");
      std::string limit = MemoryLimit(name, is_init);
      if (!limit.empty()) CatTo(how, ", limit ", limit);
      how += ')';
    } else if (end.is_object()) {
      how = Cat(container, " exited with code ", code);
      if (code == kKilled) {
        how += FailsLiveness() ? " (killed as its liveness probe fails)" : " (killed)";
      } else if (code > kSignals && code < kSignals + 65) {
        CatTo(how, " (signal ", code - kSignals, ')');
      }
      if (!reason.empty() && reason != "Error" && reason != "Completed") CatTo(how, ", ", reason);
    } else {
      how = Cat(container, " ends again and again");
    }
    std::string key = how;
    if (restarts > 0) CatTo(how, " after ", restarts, restarts == 1 ? " restart" : " restarts");
    bool is_over = pod_.ended();
    PodTrouble trouble = Make(out_of_memory ? CauseKind::kOutOfMemory : CauseKind::kCrash,
                              Cat(is_over ? "failed: " : "cannot stay up: ", how),
                              end.Get("message").text_or_empty());
    trouble.key = Cat(is_over ? "failed" : "crash", '/', key);
    trouble.has_ended_before = !ended_now;
    return trouble;
  }

  Value ContainerSpec(std::string_view name, bool is_init) const {
    Value list = spec_.Get(is_init ? "initContainers" : "containers");
    const Value* found = Named(list, "name", name);
    return found == nullptr ? Value() : *found;
  }
  std::string ImageOf(std::string_view name, bool is_init) const {
    return std::string(ContainerSpec(name, is_init).Get("image").text_or_empty());
  }
  std::string MemoryLimit(std::string_view name, bool is_init) const {
    Value limits = ContainerSpec(name, is_init).Get("resources").Get("limits");
    return std::string(limits.Get("memory").text_or_empty());
  }

  // A pod without node.
  PodTrouble Waiting() const {
    if (pod_.gated) return Gated();
    std::string message(pod_.unschedulable ? pod_.message : std::string_view());
    if (message.empty()) {
      if (const Event* event = FindEvent("FailedScheduling")) message = event->message;
    }
    // KAI says it by an event of another name.
    if (message.empty()) {
      if (const Event* event = FindEvent("Unschedulable")) message = event->message;
    }
    // Volcano writes False also of one that would fit if the others did.
    const Value* scheduled = Condition("PodScheduled", "False");
    bool has_failed =
        scheduled != nullptr && scheduled->Get("reason").text_or_empty() == "SchedulerError";
    if (message.empty() && has_failed) message = scheduled->Get("message").text_or_empty();
    if (!message.empty() || pod_.unschedulable) return Unschedulable(message);
    std::string_view scheduler = spec_.Get("schedulerName").text_or_empty();
    return Make(CauseKind::kNoVerdict,
                Cat("without a node, and no word of scheduler ",
                    scheduler.empty() ? "default-scheduler" : scheduler),
                {}, true);
  }

  PodTrouble Gated() const {
    std::vector<std::string> names;
    Value gates = spec_.Get("schedulingGates");
    if (gates.is_array()) {
      for (const Value& gate : gates.items()) {
        names.emplace_back(gate.Get("name").text_or_empty());
      }
    }
    std::string text = names.empty() ? std::string("a gate") : Join(names, ", ");
    return Make(CauseKind::kGated,
                Cat("held back by scheduling gate", names.size() > 1 ? "s " : " ", text), {}, true);
  }

  PodTrouble Unschedulable(const std::string& message) const {
    PodTrouble trouble = Make(CauseKind::kUnschedulable, "cannot be scheduled", message);
    trouble.verdict = ReadVerdict(message);
    std::vector<std::string> texts;
    for (const SchedulingReason& reason : trouble.verdict.reasons) texts.push_back(reason.text);
    std::ranges::sort(texts);
    trouble.key = Cat("unschedulable/", Join(texts, ","));
    return trouble;
  }

  // A pod on a node that has not got as far as serving.
  PodTrouble OnNode() const {
    // What the node says now is newer than what was once said of it.
    bool is_lost =
        around_.node_is_ready ? !*around_.node_is_ready : FindEvent("NodeNotReady") != nullptr;
    if (around_.node_is_gone) {
      return Plain(CauseKind::kNodeLost,
                   Cat("on node ", pod_.node, ", which is not among the nodes"), {});
    }
    if (is_lost || pod_.reason == "NodeLost") {
      return Plain(CauseKind::kNodeLost, Cat("on node ", pod_.node, ", which is not ready"), {});
    }
    for (const EventRow& row : kBlocking) {
      const Event* event = FindEvent(row.reason);
      if (event == nullptr || pod_.phase == workload::PodPhase::kRunning) continue;
      return Make(row.kind, Cat("cannot start: ", row.reason, ": ", event->message));
    }
    if (pod_.phase == workload::PodPhase::kRunning) return NotReady();
    if (pod_.phase == workload::PodPhase::kUnknown && !status_.Get("phase").is_null()) {
      return Plain(CauseKind::kNodeLost, Cat("in phase Unknown on node ", pod_.node), {});
    }
    std::string_view running = RunningInit();
    if (running.empty() && !IsTakenUp()) {
      return Make(CauseKind::kStarting, "on a node whose kubelet has not said anything of it yet",
                  {}, true);
    }
    if (running.empty()) {
      std::string reason = pod_.reason.empty() ? "" : Cat(" (", pod_.reason, ")");
      return Make(CauseKind::kStarting, Cat("still starting", reason), pod_.message, true);
    }
    PodTrouble trouble =
        Make(CauseKind::kStarting, Cat("still starting: init container ", running, " runs"),
             pod_.message, true);
    trouble.container = running;
    return trouble;
  }

  // Whether the kubelet has written anything into its status; the condition PodScheduled is none of
  // its own.
  bool IsTakenUp() const {
    if (!status_.Get("startTime").is_null() || !pod_.reason.empty()) return true;
    for (std::string_view field : {"initContainerStatuses", "containerStatuses"}) {
      if (status_.Get(field).size() > 0) return true;
    }
    Value conditions = status_.Get("conditions");
    return conditions.is_array() && std::ranges::any_of(conditions.items(), [](const Value& one) {
             return one.Get("type").text_or_empty() != "PodScheduled";
           });
  }

  // The init container that the others wait for; "" when none runs. One that stays beside them is
  // waited for until it has started.
  std::string_view RunningInit() const {
    Value statuses = status_.Get("initContainerStatuses");
    if (!statuses.is_array()) return {};
    for (const Value& one : statuses.items()) {
      bool is_up = one.Get("started").is_true() && one.Get("ready").is_true();
      if (one.Get("state").Get("running").is_object() && !is_up) {
        return one.Get("name").text_or_empty();
      }
    }
    return {};
  }

  PodTrouble NotReady() const {
    std::string clause = pod_.was_ready ? "not ready any more" : "not ready yet";
    std::vector<std::string_view> unready = UnreadyContainers();
    Value containers = spec_.Get("containers");
    bool are_several = containers.is_array() && containers.size() > 1;
    std::string message;
    const Value* ready = Condition("Ready", "False");
    if (const Event* event = FindEvent("Unhealthy")) {
      CatTo(clause, ": ", event->message);
    } else if (ready != nullptr &&
               ready->Get("reason").text_or_empty() == "ReadinessGatesNotReady") {
      CatTo(clause, ": ", ready->Get("message").text_or_empty());
    } else if (are_several && unready.size() == 1) {
      CatTo(clause, ": container ", unready.front(), " is not");
    } else if (ready != nullptr) {
      message = ready->Get("message").text_or_empty();
    }
    PodTrouble trouble = Make(CauseKind::kNotReady, std::move(clause), message, true);
    if (!unready.empty()) {
      trouble.container = unready.front();
    } else if (containers.is_array() && containers.size() > 0) {
      trouble.container = containers[0].Get("name").text_or_empty();
    }
    return trouble;
  }

  std::vector<std::string_view> UnreadyContainers() const {
    std::vector<std::string_view> names;
    Value statuses = status_.Get("containerStatuses");
    if (!statuses.is_array()) return names;
    for (const Value& one : statuses.items()) {
      bool is_told = one.Find("ready") != nullptr;
      if (is_told && !one.Get("ready").is_true()) names.push_back(one.Get("name").text_or_empty());
    }
    return names;
  }

  // Whether the kubelet kills a container as its probe fails.
  bool FailsLiveness() const {
    return std::ranges::any_of(around_.events, [](const Event* event) {
      return event->reason == "Unhealthy" && event->message.starts_with("Liveness probe");
    });
  }

  const PodFacts& pod_;
  const PodSurroundings& around_;
  Value metadata_;
  Value spec_;
  Value status_;
};

}  // namespace

std::optional<PodTrouble> TroubleOf(const PodFacts& pod, const Value& manifest,
                                    const PodSurroundings& surroundings) {
  return TroubleReader(pod, manifest, surroundings).Read();
}

}  // namespace wmap::inspect
