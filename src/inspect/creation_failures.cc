#include "inspect/creation_failures.h"

#include <algorithm>
#include <array>
#include <map>
#include <ranges>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "json/quantity.h"
#include "json/reader.h"
#include "json/value.h"

namespace wmap::inspect {
namespace {

using json::Value;
using workload::Event;
using workload::Workload;

constexpr std::string_view kExceeded = "exceeded quota: ";

// Something that was said, and of whom.
struct Refusal {
  std::string message;
  std::string object;  // "ReplicaSet/web-1"
};

// What somebody says of a pod that the API server has refused, in any event.
bool IsOfAdmission(std::string_view message) {
  bool is_forbidden = message.find("pods \"") != std::string_view::npos &&
                      message.find("\" is forbidden: ") != std::string_view::npos;
  return is_forbidden || (message.find("admission webhook \"") != std::string_view::npos &&
                          message.find("denied the request") != std::string_view::npos);
}

bool IsRefusal(std::string_view reason, std::string_view message) {
  if (message.find(kExceeded) != std::string_view::npos || IsOfAdmission(message)) return true;
  // Some leave out what they were told.
  if (message.ends_with(": ") || message.ends_with(':')) return false;
  constexpr std::array kReasons = {
      std::string_view("FailedCreate"), std::string_view("FailedCreatePod"),
      std::string_view("FailedCreateWorkerPod"), std::string_view("FailedToCreateHeadPod"),
      std::string_view("FailedToCreateWorkerPod")};
  bool is_known = std::ranges::find(kReasons, reason) != kReasons.end();
  // That it is there already is no hindrance.
  return is_known && message.find("already exists") == std::string_view::npos;
}

// Conditions by which Kubernetes' controllers keep what they were told.
void AddFailures(const Value& object, const std::string& name, std::vector<Refusal>& refusals) {
  Value conditions = object.Get("status").Get("conditions");
  if (!conditions.is_array()) return;
  for (const Value& condition : conditions.items()) {
    std::string_view message = condition.Get("message").text_or_empty();
    bool is_failure = condition.Get("type").text_or_empty() == "ReplicaFailure" &&
                      condition.Get("status").text_or_empty() == "True";
    if (is_failure || message.find(kExceeded) != std::string_view::npos) {
      refusals.push_back({std::string(message), name});
    }
  }
}

std::vector<Refusal> FindRefusals(const Workload& workload, const WorkloadSources& sources,
                                  const Sources& all) {
  std::int64_t newest_pod = 0;
  for (const SourcePod& pod : sources.pods) newest_pod = std::max(newest_pod, pod.facts->created);
  std::vector<Refusal> refusals;
  for (const Event& event : std::views::reverse(workload.events)) {
    bool is_old = event.last_seen != 0 && event.last_seen < newest_pod;
    if (event.type == "Warning" && !is_old && IsRefusal(event.reason, event.message)) {
      refusals.push_back({event.message, event.object});
    }
  }
  Arena arena;
  auto read = [&](std::string_view text, const std::string& name) {
    if (Result<Value> object = json::Read(text, arena)) AddFailures(*object, name, refusals);
  };
  read(sources.text, Cat(workload.kind, '/', workload.name));
  for (std::size_t number : sources.owned) {
    const SourceObject& object = all.objects[number];
    read(object.text, Cat(object.kind, '/', object.name));
  }
  return refusals;
}

// "a=1,b=2" as pairs.
std::map<std::string, std::string> ReadAmounts(std::string_view text) {
  std::map<std::string, std::string> amounts;
  while (!text.empty()) {
    std::size_t end = std::min(text.find(','), text.size());
    std::string_view one = text.substr(0, end);
    std::size_t equals = one.find('=');
    if (equals != std::string_view::npos) {
      amounts[std::string(one.substr(0, equals))] = one.substr(equals + 1);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return amounts;
}

// What stands behind `key` up to the next ", used: " or the like, or the end of the line.
std::string_view Behind(std::string_view text, std::string_view key) {
  std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size());
  std::size_t end = text.find_first_of(" \n;");
  text = text.substr(0, end);
  while (text.ends_with(',') || text.ends_with('.')) text.remove_suffix(1);
  return text;
}

bool HasRoom(const Value& status, const QuotaRefusal::Amount& amount) {
  auto hard = json::Quantity::From(status.Get("hard").Get(amount.resource));
  auto used = json::Quantity::From(status.Get("used").Get(amount.resource));
  auto requested = json::Quantity::Parse(amount.requested);
  // What is not limited any more has room.
  if (status.Get("hard").is_object() && !hard) return true;
  if (!hard || !used || !requested) return false;
  Result<json::Quantity> sum = used->Add(*requested);
  return sum && !(*hard < *sum);
}

// The quota as it is now, where it is at hand.
struct QuotaNow {
  std::vector<std::string> lines;
  bool has_room = false;  // for what was refused
};

QuotaNow ReadQuotaNow(const QuotaRefusal& refusal, const Workload& workload, const Sources& all) {
  QuotaNow now;
  Arena arena;
  for (const SourceObject& object : all.objects) {
    bool is_it = object.kind == "ResourceQuota" && object.name == refusal.quota &&
                 object.name_space == workload.name_space;
    if (!is_it) continue;
    Result<Value> quota = json::Read(object.text, arena);
    if (!quota) continue;
    now.has_room = !refusal.amounts.empty();
    for (const QuotaRefusal::Amount& amount : refusal.amounts) {
      now.has_room &= HasRoom(quota->Get("status"), amount);
      std::string_view hard = quota->Get("status").Get("hard").Get(amount.resource).text_or_empty();
      std::string_view used = quota->Get("status").Get("used").Get(amount.resource).text_or_empty();
      if (hard.empty() || (hard == amount.limited && used == amount.used)) continue;
      now.lines.push_back(
          Cat("now ", used.empty() ? "0" : used, " of ", hard, ' ', amount.resource, " are used"));
    }
  }
  return now;
}

std::string MissingText(std::int64_t missing) {
  return missing > 0 ? PodsText(static_cast<std::size_t>(missing), {}) : std::string("its pods");
}

Cause OfQuota(const QuotaRefusal& refusal, const Refusal& said, const Workload& workload,
              const Sources& all, std::int64_t missing) {
  Cause cause;
  cause.kind = CauseKind::kQuota;
  QuotaNow now = ReadQuotaNow(refusal, workload, all);
  cause.summary = now.has_room ? Cat(MissingText(missing), " could not be created: quota ",
                                     refusal.quota, " was exceeded, and has room by now")
                               : Cat(MissingText(missing), " cannot be created: quota ",
                                     refusal.quota, " is exceeded");
  for (std::size_t i = 0; i < refusal.amounts.size(); ++i) {
    const QuotaRefusal::Amount& amount = refusal.amounts[i];
    CatTo(cause.summary, i == 0 ? " (" : ", ", amount.used, " of ", amount.limited, ' ',
          amount.resource, " used, ", amount.requested, " more asked for");
  }
  if (!refusal.amounts.empty()) cause.summary += ')';
  cause.details = std::move(now.lines);
  cause.details.push_back(Cat("said of ", said.object));
  cause.advice = now.has_room
                     ? "its controller tries again by itself, after pauses that grow to minutes"
                     : "ask for less, free some of the quota, or have it raised";
  cause.commands.push_back(DescribeCommand("resourcequota", workload.name_space, refusal.quota));
  return cause;
}

// Without what is said of every refusal: `(combined from similar events): Error creating: pods
// "train-x7k2p" is forbidden: …`.
std::string_view BareReason(std::string_view message) {
  constexpr std::string_view kForbidden = "\" is forbidden: ";
  std::size_t at = message.find(kForbidden);
  if (at != std::string_view::npos) return message.substr(at + kForbidden.size());
  for (std::string_view head : {"(combined from similar events): ", "Error creating: "}) {
    if (message.starts_with(head)) message.remove_prefix(head.size());
  }
  return message;
}

Cause OfRefusal(const Refusal& said, const Workload& workload, std::int64_t missing) {
  Cause cause;
  cause.kind = CauseKind::kRefused;
  cause.summary = Cat(MissingText(missing), " cannot be created: ", BareReason(said.message));
  cause.details.push_back(Cat("said of ", said.object));
  std::size_t slash = said.object.find('/');
  cause.commands.push_back(DescribeCommand(ToLower(said.object.substr(0, slash)),
                                           workload.name_space, said.object.substr(slash + 1)));
  return cause;
}

}  // namespace

std::optional<QuotaRefusal> ReadQuotaRefusal(std::string_view message) {
  std::size_t at = message.find(kExceeded);
  if (at == std::string_view::npos) return std::nullopt;
  message.remove_prefix(at + kExceeded.size());
  QuotaRefusal refusal;
  refusal.quota = message.substr(0, message.find_first_of(", \n"));
  auto used = ReadAmounts(Behind(message, "used: "));
  auto limited = ReadAmounts(Behind(message, "limited: "));
  for (auto& [resource, requested] : ReadAmounts(Behind(message, "requested: "))) {
    refusal.amounts.push_back({resource, requested, used[resource], limited[resource]});
  }
  return refusal;
}

std::vector<Cause> CreationFailures(const Workload& workload, const WorkloadSources& sources,
                                    const Sources& all, std::int64_t missing) {
  std::vector<Cause> causes;
  std::vector<std::string> told;
  for (const Refusal& refusal : FindRefusals(workload, sources, all)) {
    std::optional<QuotaRefusal> quota = ReadQuotaRefusal(refusal.message);
    // Names of pods differ, what is wrong with them does not.
    std::string key = quota ? Cat("quota/", quota->quota)
                            : refusal.message.substr(refusal.message.rfind("\" ") + 1);
    if (std::ranges::find(told, key) != told.end()) continue;
    told.push_back(std::move(key));
    causes.push_back(quota ? OfQuota(*quota, refusal, workload, all, missing)
                           : OfRefusal(refusal, workload, missing));
  }
  return causes;
}

}  // namespace wmap::inspect
