#include "workload/pod_facts.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/time.h"

namespace wmap::workload {
namespace {

std::int64_t IntOr0(const json::Value& value) { return value.is_int() ? value.as_int() : 0; }

PodPhase ParsePhase(std::string_view text) {
  for (PodPhase phase :
       {PodPhase::kPending, PodPhase::kRunning, PodPhase::kSucceeded, PodPhase::kFailed}) {
    if (text == PodPhaseName(phase)) return phase;
  }
  return PodPhase::kUnknown;
}

// Reasons of phase Failed that say that the pod was taken away, not that its program failed.
constexpr std::array kTakenAway = {std::string_view("Evicted"),
                                   std::string_view("Preempting"),
                                   std::string_view("Preempted"),
                                   std::string_view("NodeLost"),
                                   std::string_view("NodeShutdown"),
                                   std::string_view("Terminated"),
                                   std::string_view("UnexpectedAdmissionError")};

// Collects from `statuses` (containerStatuses or initContainerStatuses).
struct Containers {
  std::int64_t restarts = 0;
  bool crash_looping = false;
  std::string_view waiting_reason;
  std::string_view waiting_message;
  std::string_view ended_reason;
  std::string_view ended_message;

  void Add(const json::Value& statuses) {
    if (!statuses.is_array()) return;
    for (const json::Value& status : statuses.items()) {
      restarts =
          SaturatingAdd(restarts, std::max<std::int64_t>(IntOr0(status.Get("restartCount")), 0));
      json::Value state = status.Get("state");
      json::Value waiting = state.Get("waiting");
      std::string_view reason = waiting.Get("reason").text_or_empty();
      if (!reason.empty()) {
        crash_looping |= reason == "CrashLoopBackOff";
        if (waiting_reason.empty() || IsStartingReason(waiting_reason)) {
          waiting_reason = reason;
          waiting_message = waiting.Get("message").text_or_empty();
        }
      }
      json::Value ended = state.Get("terminated");
      if (IntOr0(ended.Get("exitCode")) != 0 && ended_reason.empty()) {
        ended_reason = ended.Get("reason").text_or_empty();
        ended_message = ended.Get("message").text_or_empty();
      }
    }
  }
};

// When the last of the running containers started, or 0. An init container that runs says nothing
// of readiness.
std::int64_t LastStart(const json::Value& status) {
  std::int64_t last = 0;
  json::Value statuses = status.Get("containerStatuses");
  if (!statuses.is_array()) return last;
  for (const json::Value& one : statuses.items()) {
    json::Value running = one.Get("state").Get("running");
    last = std::max(last, ParseTime(running.Get("startedAt").text_or_empty()));
  }
  return last;
}

// Whether every container has ended with code 0, and none is started again.
bool IsDone(const json::Value& spec, const json::Value& status) {
  std::string_view restart = spec.Get("restartPolicy").text_or_empty();
  if (restart != "Never" && restart != "OnFailure") return false;
  json::Value statuses = status.Get("containerStatuses");
  if (!statuses.is_array() || statuses.size() == 0) return false;
  json::Value containers = spec.Get("containers");
  if (containers.is_array() && containers.size() != statuses.size()) return false;
  return std::ranges::all_of(statuses.items(), [](const json::Value& one) {
    json::Value code = one.Get("state").Get("terminated").Get("exitCode");
    return code.is_int() && code.as_int() == 0;
  });
}

const json::Value* FindCondition(const json::Value& status, std::string_view type) {
  const json::Value* conditions = status.Find("conditions");
  if (conditions == nullptr || !conditions->is_array()) return nullptr;
  for (const json::Value& condition : conditions->items()) {
    if (condition.Get("type").text_or_empty() == type) return &condition;
  }
  return nullptr;
}

void ReadConditions(const json::Value& status, PodFacts& pod) {
  if (const json::Value* ready = FindCondition(status, "Ready")) {
    bool is_true = ready->Get("status").text_or_empty() == "True";
    std::int64_t changed = ParseTime(ready->Get("lastTransitionTime").text_or_empty());
    pod.ready = is_true && pod.phase == PodPhase::kRunning;
    if (pod.ready) pod.ready_since = changed;
    // Readiness that changes after every container has started was lost, not never reached.
    if (!is_true && pod.phase == PodPhase::kRunning) {
      std::int64_t start = LastStart(status);
      pod.was_ready = start > 0 && changed > start;
    }
  }
  if (const json::Value* scheduled = FindCondition(status, "PodScheduled")) {
    if (scheduled->Get("status").text_or_empty() == "False" && pod.node.empty()) {
      std::string_view reason = scheduled->Get("reason").text_or_empty();
      pod.unschedulable = reason == "Unschedulable";
      pod.gated = reason == "SchedulingGated";
      pod.reason = reason;
      pod.message = scheduled->Get("message").text_or_empty();
    }
  }
}

// Calls `visit` with the entry's name, and that of the claim or of the template of each claim.
template <typename F>
void ForEachClaim(const json::Value& pod_spec, F&& visit) {
  json::Value list = pod_spec.Get("resourceClaims");
  if (!list.is_array()) return;
  for (const json::Value& entry : list.items()) {
    // Until Kubernetes 1.30 the names stood in `source`.
    json::Value source = entry.Get("source");
    const json::Value& holder = source.is_object() ? source : entry;
    std::string_view claim = holder.Get("resourceClaimName").text_or_empty();
    std::string_view made_from = holder.Get("resourceClaimTemplateName").text_or_empty();
    if (!claim.empty() || !made_from.empty()) {
      visit(entry.Get("name").text_or_empty(), claim, made_from);
    }
  }
}

// The name of the claim that was made for an entry of the pod's claims, or "".
std::string_view MadeClaim(const json::Value& status, std::string_view entry_name) {
  json::Value made = status.Get("resourceClaimStatuses");
  if (!made.is_array()) return {};
  for (const json::Value& entry : made.items()) {
    if (entry.Get("name").text_or_empty() == entry_name) {
      return entry.Get("resourceClaimName").text_or_empty();
    }
  }
  return {};
}

void ChooseReason(const json::Value& status, const Containers& containers, PodFacts& pod) {
  std::string_view own = status.Get("reason").text_or_empty();
  if (!own.empty()) {
    pod.reason = own;
    pod.message = status.Get("message").text_or_empty();
  } else if (pod.phase == PodPhase::kFailed && !containers.ended_reason.empty()) {
    pod.reason = containers.ended_reason;
    pod.message = containers.ended_message;
  } else if (!pod.ended() && !containers.waiting_reason.empty()) {
    pod.reason = containers.waiting_reason;
    pod.message = containers.waiting_message;
  }
}

}  // namespace

std::string_view PodPhaseName(PodPhase phase) {
  switch (phase) {
    case PodPhase::kPending:
      return "Pending";
    case PodPhase::kRunning:
      return "Running";
    case PodPhase::kSucceeded:
      return "Succeeded";
    case PodPhase::kFailed:
      return "Failed";
    case PodPhase::kUnknown:
      break;
  }
  return "Unknown";
}

bool IsStartingReason(std::string_view reason) {
  return reason == "ContainerCreating" || reason == "PodInitializing";
}

OwnerReference ControllerOf(const json::Value& metadata) {
  const json::Value* references = metadata.Find("ownerReferences");
  if (references == nullptr || !references->is_array()) return {};
  const json::Value* chosen = nullptr;
  for (const json::Value& reference : references->items()) {
    if (reference.Get("controller").is_true()) {
      chosen = &reference;
      break;
    }
  }
  if (chosen == nullptr && references->size() > 0) chosen = &references->items()[0];
  if (chosen == nullptr) return {};
  auto text = [&](std::string_view key) { return chosen->Get(key).text_or_empty(); };
  return {text("apiVersion"), text("kind"), text("name"), text("uid")};
}

OwnerReference Shared(const OwnerReference& owner, TextPool& texts) {
  return {texts.Share(owner.api_version), texts.Share(owner.kind), texts.Share(owner.name),
          texts.Share(owner.uid)};
}

std::vector<ClaimReference> ClaimsOf(const json::Value& pod_spec) {
  std::vector<ClaimReference> claims;
  ForEachClaim(pod_spec, [&](std::string_view, std::string_view claim, std::string_view made_from) {
    claims.push_back({claim.empty() ? made_from : claim, claim.empty()});
  });
  return claims;
}

PodFacts ReadPod(const json::Value& manifest, const AcceleratorTable& table, TextPool& texts) {
  PodFacts pod;
  json::Value metadata = manifest.Get("metadata");
  json::Value spec = manifest.Get("spec");
  json::Value status = manifest.Get("status");
  pod.name_space = texts.Share(metadata.Get("namespace").text_or_empty());
  pod.name = texts.Keep(metadata.Get("name").text_or_empty());
  if (pod.name.empty()) {
    std::string_view prefix = metadata.Get("generateName").text_or_empty();
    if (!prefix.empty()) pod.name = texts.Keep(Cat(prefix, '*'));
  }
  pod.uid = texts.Keep(metadata.Get("uid").text_or_empty());
  pod.owner = Shared(ControllerOf(metadata), texts);
  pod.created = ParseTime(metadata.Get("creationTimestamp").text_or_empty());
  pod.terminating = metadata.Get("deletionTimestamp").is_string();
  // Two neighbours are rarely on one node.
  pod.node = texts.Keep(spec.Get("nodeName").text_or_empty());
  pod.phase = ParsePhase(status.Get("phase").text_or_empty());

  Containers containers;
  containers.Add(status.Get("initContainerStatuses"));
  containers.Add(status.Get("containerStatuses"));
  pod.restarts = containers.restarts;
  pod.crash_looping = containers.crash_looping;
  pod.done = pod.phase == PodPhase::kRunning && IsDone(spec, status);
  ReadConditions(status, pod);
  ChooseReason(status, containers, pod);
  pod.reason = texts.Share(pod.reason);
  pod.message = texts.Share(pod.message);
  pod.evicted =
      pod.phase == PodPhase::kFailed &&
      std::ranges::find(kTakenAway, status.Get("reason").text_or_empty()) != kTakenAway.end();

  PodRequest request = EffectiveAccelerators(spec, table, metadata);
  pod.gpus = request.gpus;
  pod.accelerators.reserve(request.accelerators.size() + request.others.size());
  for (const auto* list : {&request.accelerators, &request.others}) {
    for (const AcceleratorRequest& one : *list) {
      pod.accelerators.push_back({texts.Share(one.resource), texts.Share(one.type), one.count});
    }
  }
  if (!request.problems.empty()) pod.request_problem = texts.Share(request.problems.front());
  ForEachClaim(spec, [&](std::string_view entry, std::string_view claim, std::string_view) {
    pod.claims.push_back(
        {texts.Share(claim.empty() ? MadeClaim(status, entry) : claim), claim.empty()});
  });
  return pod;
}

std::int64_t ParseTime(std::string_view text) { return wmap::ParseTime(text).value_or(0); }

}  // namespace wmap::workload
