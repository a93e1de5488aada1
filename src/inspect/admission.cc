#include "inspect/admission.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "definition/api_version.h"
#include "json/quantity.h"
#include "json/reader.h"
#include "json/value.h"
#include "json/writer.h"

namespace wmap::inspect {
namespace {

using definition::GroupOf;
using json::Value;
using workload::Workload;

constexpr std::string_view kKueue = "kueue.x-k8s.io";
constexpr std::string_view kKueueQueue = "kueue.x-k8s.io/queue-name";
constexpr std::string_view kKai = "scheduling.run.ai";
constexpr std::string_view kVolcano = "scheduling.volcano.sh";
constexpr std::string_view kCoscheduling = "scheduling.x-k8s.io";
constexpr std::string_view kKubernetes = "scheduling.k8s.io";
constexpr std::string_view kGrove = "scheduler.grove.io";

// How pods name the group that they are in.
struct GroupName {
  std::string_view group;
  std::string_view field;  // of metadata: "labels" or "annotations"
  std::string_view key;
};
constexpr std::array kGroupNames = {
    GroupName{kKai, "annotations", "pod-group-name"},
    GroupName{kVolcano, "annotations", "scheduling.k8s.io/group-name"},
    GroupName{kVolcano, "annotations", "scheduling.volcano.sh/group-name"},
    GroupName{kCoscheduling, "labels", "scheduling.x-k8s.io/pod-group"},
    GroupName{kCoscheduling, "labels", "pod-group.scheduling.sigs.k8s.io"},
    GroupName{kGrove, "labels", "grove.io/podgang"},
};

std::int64_t IntOr0(const Value& value) { return value.is_int() ? value.as_int() : 0; }

std::string Text(const Value& value) {
  if (value.is_string()) return std::string(value.as_string());
  return value.is_null() ? std::string() : json::ToJson(value);
}

const Value* ConditionOf(const Value& status, std::string_view type,
                         std::string_view list = "conditions") {
  const Value* conditions = status.Find(list);
  if (conditions == nullptr || !conditions->is_array()) return nullptr;
  for (const Value& condition : conditions->items()) {
    if (condition.Get("type").text_or_empty() == type) return &condition;
  }
  return nullptr;
}

bool Holds(const Value* condition) {
  return condition != nullptr && condition->Get("status").text_or_empty() == "True";
}

std::string_view MessageOf(const Value* condition) {
  return condition == nullptr ? std::string_view() : condition->Get("message").text_or_empty();
}

// "REASON: MESSAGE" of a condition, as far as it says them.
std::string Words(const Value* condition) {
  if (condition == nullptr) return {};
  std::string_view reason = condition->Get("reason").text_or_empty();
  std::string_view message = condition->Get("message").text_or_empty();
  return Cat(reason, reason.empty() || message.empty() ? "" : ": ", message);
}

class AdmissionReader {
 public:
  AdmissionReader(const Workload& workload, const WorkloadSources& sources, const Sources& all)
      : workload_(workload), sources_(sources), all_(all) {}

  Admission Read() {
    ReadPods();
    ReadKueue();
    for (std::size_t number = 0; number < all_.objects.size(); ++number) {
      const SourceObject& object = all_.objects[number];
      if (object.kind != "PodGroup" && object.kind != "PodGang" && object.kind != "Workload") {
        continue;
      }
      if (IsOurs(number)) ReadGroup(object);
    }
    return std::move(admission_);
  }

 private:
  // A name of a group, and a pod that says it.
  struct Membership {
    std::string_view group;
    std::string name;
    const workload::PodFacts* pod;
  };

  Value Parse(std::string_view text) {
    Result<Value> value = json::Read(text, arena_);
    return value ? *value : Value();
  }

  void ReadPods() {
    for (const SourcePod& pod : sources_.pods) {
      Value manifest = Parse(pod.text);
      Value metadata = manifest.Get("metadata");
      for (const GroupName& row : kGroupNames) {
        std::string_view name = metadata.Get(row.field).Get(row.key).text_or_empty();
        if (!name.empty()) memberships_.push_back({row.group, std::string(name), pod.facts});
      }
      Value spec = manifest.Get("spec");
      for (const Value& name :
           {spec.Get("schedulingGroup").Get("podGroupName"), spec.Get("workloadRef").Get("name")}) {
        if (name.is_string()) {
          memberships_.push_back({kKubernetes, std::string(name.as_string()), pod.facts});
        }
      }
    }
  }

  bool IsOurs(std::size_t number) const {
    const SourceObject& object = all_.objects[number];
    std::string_view group = GroupOf(object.api_version);
    if (group == kKueue) return false;
    if (std::ranges::find(sources_.owned, number) != sources_.owned.end()) return true;
    return object.name_space == workload_.name_space &&
           std::ranges::any_of(memberships_, [&](const Membership& member) {
             return member.group == group && member.name == object.name;
           });
  }

  const SourceObject* Find(std::string_view group, std::string_view kind,
                           std::string_view name_space, std::string_view name) const {
    for (const SourceObject& object : all_.objects) {
      if (object.kind == kind && object.name == name && object.name_space == name_space &&
          GroupOf(object.api_version) == group) {
        return &object;
      }
    }
    return nullptr;
  }

  bool HasKind(std::string_view group, std::string_view kind) const {
    return std::ranges::any_of(all_.objects, [&](const SourceObject& object) {
      return object.kind == kind && GroupOf(object.api_version) == group;
    });
  }

  // --- Kueue

  void ReadKueue() {
    bool has_workload = false;
    for (std::size_t number = 0; number < all_.objects.size(); ++number) {
      const SourceObject& object = all_.objects[number];
      if (object.kind != "Workload" || GroupOf(object.api_version) != kKueue) continue;
      bool is_ours =
          std::ranges::find(sources_.owned, number) != sources_.owned.end() || IsOfPod(object);
      if (!is_ours) continue;
      has_workload = true;
      ReadKueueWorkload(object);
    }
    if (has_workload) return;
    auto label = std::ranges::find(workload_.labels, kKueueQueue,
                                   &std::pair<std::string, std::string>::first);
    if (label == workload_.labels.end() || !Waits()) return;
    Cause cause;
    cause.kind = CauseKind::kQueue;
    cause.summary = Cat("it waits for Kueue, in LocalQueue ", label->second);
    AddQueueDetails(label->second, cause);
    cause.details.push_back("its Workload of Kueue is not at hand, which would say more");
    cause.commands.push_back(Cat("kubectl get workloads.kueue.x-k8s.io", InNamespace()));
    admission_.causes.push_back(std::move(cause));
  }

  // Of pods that Kueue queues one by one, or as a group, its Workload belongs to the pods.
  bool IsOfPod(const SourceObject& object) const {
    return object.owner.kind == "Pod" &&
           std::ranges::any_of(sources_.pods, [&](const SourcePod& pod) {
             return !object.owner.uid.empty() && pod.facts->uid == object.owner.uid;
           });
  }

  // Whether it is held back at all: a label alone says nothing.
  bool Waits() const {
    using enum workload::Phase;
    workload::Phase phase = workload_.status.phase;
    return phase == kSuspended || (phase == kInitializing && sources_.pods.empty());
  }

  std::string InNamespace() const {
    return workload_.name_space.empty() ? std::string()
                                        : Cat(" -n ", ShellWord(workload_.name_space));
  }

  void ReadKueueWorkload(const SourceObject& object) {
    Value kueue = Parse(object.text);
    Value status = kueue.Get("status");
    if (Holds(ConditionOf(status, "Finished"))) return;
    if (Holds(ConditionOf(status, "Admitted"))) {
      admission_.is_admitted = true;
      return;
    }
    std::string queue(kueue.Get("spec").Get("queueName").text_or_empty());
    Cause cause;
    cause.kind = CauseKind::kQueue;
    const Value* reserved = ConditionOf(status, "QuotaReserved");
    const Value* evicted = ConditionOf(status, "Evicted");
    const Value* active = kueue.Get("spec").Find("active");
    if (active != nullptr && active->is_bool() && !active->is_true()) {
      cause.summary = "Kueue has deactivated it";
      std::string words = Words(evicted);
      if (!words.empty()) CatTo(cause.summary, " (", words, ')');
      cause.advice = Cat("spec.active of Kueue's Workload ", object.name,
                         " must be true for it to be queued again");
    } else if (Holds(reserved)) {
      cause.summary = "Kueue has reserved quota for it, but its admission checks have not passed";
      AddChecks(status, cause);
    } else {
      cause.summary =
          Cat("Kueue has not admitted it", queue.empty() ? "" : " from LocalQueue ", queue);
      std::string_view message = MessageOf(reserved);
      CatTo(cause.summary, ": ",
            message.empty() ? std::string_view("it has not been looked at yet") : message);
      cause.advice = Advice(message);
      if (Holds(evicted)) cause.details.push_back(Cat("it was evicted: ", Words(evicted)));
    }
    AddQueueDetails(queue, cause);
    bool is_told = std::ranges::any_of(admission_.causes, [&](const Cause& other) {
      return other.kind == CauseKind::kQueue && other.summary == cause.summary;
    });
    if (is_told) return;
    cause.commands.insert(cause.commands.begin(), DescribeCommand("workloads.kueue.x-k8s.io",
                                                                  object.name_space, object.name));
    admission_.causes.push_back(std::move(cause));
  }

  static std::string Advice(std::string_view message) {
    if (message.find("maximum capacity") != std::string_view::npos ||
        message.find("insufficient quota") != std::string_view::npos) {
      return "as it is it never fits: ask for less, or have the quota raised";
    }
    if (message.find("insufficient unused quota") != std::string_view::npos) {
      return "it starts when others give quota back";
    }
    return {};
  }

  static void AddChecks(const Value& status, Cause& cause) {
    Value checks = status.Get("admissionChecks");
    if (!checks.is_array()) return;
    for (const Value& check : checks.items()) {
      std::string_view state = check.Get("state").text_or_empty();
      if (state == "Ready") continue;
      std::string_view message = check.Get("message").text_or_empty();
      cause.details.push_back(Cat("admission check ", check.Get("name").text_or_empty(), ": ",
                                  state, message.empty() ? "" : ": ", message));
    }
  }

  void AddQueueDetails(const std::string& queue, Cause& cause) {
    if (queue.empty()) return;
    const SourceObject* local = Find(kKueue, "LocalQueue", workload_.name_space, queue);
    if (local == nullptr) {
      if (HasKind(kKueue, "LocalQueue") && !all_.unread.contains("localqueues.kueue.x-k8s.io")) {
        cause.details.insert(cause.details.begin(),
                             Cat("there is no LocalQueue ", queue, " in this namespace"));
      }
      return;
    }
    Value object = Parse(local->text);
    AddInactive(object.Get("status"), Cat("LocalQueue ", queue), cause);
    std::string name(object.Get("spec").Get("clusterQueue").text_or_empty());
    const SourceObject* cluster = Find(kKueue, "ClusterQueue", "", name);
    if (cluster != nullptr) AddClusterQueue(Parse(cluster->text), name, cause);
  }

  static void AddInactive(const Value& status, const std::string& who, Cause& cause) {
    const Value* active = ConditionOf(status, "Active");
    if (active == nullptr || Holds(active)) return;
    cause.details.push_back(Cat(who, " is not active: ", Words(active)));
  }

  // What of the quota is taken, of the resources that the workload asks for.
  void AddClusterQueue(const Value& queue, const std::string& name, Cause& cause) {
    AddInactive(queue.Get("status"), Cat("ClusterQueue ", name), cause);
    Value groups = queue.Get("spec").Get("resourceGroups");
    if (!groups.is_array()) return;
    for (const Value& group : groups.items()) {
      Value flavors = group.Get("flavors");
      if (!flavors.is_array()) continue;
      for (const Value& flavor : flavors.items()) {
        Value resources = flavor.Get("resources");
        if (!resources.is_array()) continue;
        for (const Value& resource : resources.items()) {
          AddQuota(queue.Get("status"), name, flavor.Get("name").text_or_empty(), resource, cause);
        }
      }
    }
    std::int64_t pending = IntOr0(queue.Get("status").Get("pendingWorkloads"));
    if (pending > 1) {
      cause.details.push_back(Cat(pending, " workloads wait in ClusterQueue ", name));
    }
    cause.commands.push_back(DescribeCommand("clusterqueues.kueue.x-k8s.io", "", name));
  }

  void AddQuota(const Value& status, const std::string& queue, std::string_view flavor,
                const Value& resource, Cause& cause) const {
    std::string_view name = resource.Get("name").text_or_empty();
    bool is_device = std::ranges::any_of(
        workload_.totals.accelerators,
        [&](const workload::AcceleratorCounts& one) { return one.resource == name; });
    if (!is_device) return;
    for (std::string_view field : {"flavorsReservation", "flavorsUsage"}) {
      Value flavors = status.Get(field);
      if (!flavors.is_array()) continue;
      for (const Value& used : flavors.items()) {
        if (used.Get("name").text_or_empty() != flavor || !used.Get("resources").is_array())
          continue;
        for (const Value& one : used.Get("resources").items()) {
          if (one.Get("name").text_or_empty() != name) continue;
          cause.details.push_back(Cat(Text(one.Get("total")), " of ",
                                      Text(resource.Get("nominalQuota")), ' ', name, " of flavor ",
                                      flavor, " in ClusterQueue ", queue, " are taken"));
          return;
        }
      }
    }
  }

  // --- groups of schedulers

  GangStanding Standing(const SourceObject& object, std::int64_t minimum) const {
    std::string_view group = GroupOf(object.api_version);
    GangStanding gang;
    gang.object = Cat(object.kind, '/', object.name, " (", group, ')');
    gang.minimum = minimum;
    bool named = std::ranges::any_of(memberships_, [&](const Membership& member) {
      return member.group == group && member.name == object.name;
    });
    auto count = [&](const workload::PodFacts& pod) {
      if (pod.ended() || pod.done) return;
      ++gang.exist;
      if (pod.node.empty()) return;
      ++gang.placed;
      gang.gpus = workload::SaturatingAdd(gang.gpus, pod.gpus);
    };
    if (named) {
      std::set<const workload::PodFacts*> members;
      for (const Membership& member : memberships_) {
        bool is_member = member.group == group && member.name == object.name;
        if (is_member && members.insert(member.pod).second) count(*member.pod);
      }
    } else {
      for (const SourcePod& pod : sources_.pods) count(*pod.facts);
    }
    return gang;
  }

  void ReadGroup(const SourceObject& object) {
    std::string_view group = GroupOf(object.api_version);
    Value value = Parse(object.text);
    std::int64_t minimum = MinimumOf(group, value);
    GangStanding gang = Standing(object, minimum);
    bool is_short = gang.placed < minimum;
    if (minimum > 0) admission_.gangs.push_back(gang);
    if (!is_short && minimum > 0) return;
    Cause cause;
    cause.kind = CauseKind::kGang;
    std::string said;
    if (group == kKai) {
      said = ReadKai(value, cause);
    } else if (group == kVolcano) {
      said = ReadVolcano(value, cause);
    } else {
      for (std::string_view type : {"PodGroupScheduled", "Scheduled", "Unschedulable"}) {
        const Value* condition = ConditionOf(value.Get("status"), type);
        bool is_held =
            type == "Unschedulable" ? Holds(condition) : condition != nullptr && !Holds(condition);
        if (is_held) said = Words(condition);
        if (!said.empty()) break;
      }
    }
    if (said.empty()) return;  // the pods themselves say more
    std::string standing = Cat(object.kind, ' ', object.name, " needs ", minimum, " pods at once, ",
                               gang.exist, gang.exist == 1 ? " is" : " are", " there and ",
                               gang.placed, gang.placed == 1 ? " has" : " have", " a node");
    if (cause.kind == CauseKind::kQueue || minimum == 0) {
      cause.summary = Cat(object.kind, ' ', object.name, " is held back: ", said);
      if (minimum > 0) cause.details.push_back(std::move(standing));
    } else {
      cause.summary = Cat("its pods start together or not at all: ", standing);
      if (!said.empty()) cause.details.insert(cause.details.begin(), said);
    }
    cause.commands.insert(
        cause.commands.begin(),
        DescribeCommand(TypeWord(object.api_version, object.kind), object.name_space, object.name));
    admission_.causes.push_back(std::move(cause));
  }

  static std::int64_t MinimumOf(std::string_view group, const Value& object) {
    Value spec = object.Get("spec");
    if (group == kGrove) {
      std::int64_t sum = 0;
      Value groups = spec.Get("podgroups");
      if (!groups.is_array()) return 0;
      for (const Value& one : groups.items()) {
        sum = workload::SaturatingAdd(sum, IntOr0(one.Get("minReplicas")));
      }
      return sum;
    }
    if (group == kKubernetes) {
      if (spec.Get("podGroups").is_array()) {
        std::int64_t sum = 0;
        for (const Value& one : spec.Get("podGroups").items()) {
          sum = workload::SaturatingAdd(sum, IntOr0(one.Get("policy").Get("gang").Get("minCount")));
        }
        return sum;
      }
      return IntOr0(spec.Get("schedulingPolicy").Get("gang").Get("minCount"));
    }
    return IntOr0(spec.Get("minMember"));
  }

  // What KAI said last; a queue without room makes it a matter of the queue.
  std::string ReadKai(const Value& object, Cause& cause) {
    Value conditions = object.Get("status").Get("schedulingConditions");
    std::string queue(object.Get("spec").Get("queue").text_or_empty());
    std::string said;
    if (conditions.is_array() && conditions.size() > 0) {
      const Value& last = conditions[conditions.size() - 1];
      said = last.Get("message").text_or_empty();
      Value reasons = last.Get("reasons");
      if (reasons.is_array()) {
        for (const Value& reason : reasons.items()) {
          std::string_view code = reason.Get("reason").text_or_empty();
          if (code == "NonPreemptibleOverQuota" || code == "OverLimit" ||
              code == "QueueDoesNotExist") {
            cause.kind = CauseKind::kQueue;
          }
          if (said.empty()) said = reason.Get("message").text_or_empty();
        }
      }
    }
    const SourceObject* at = Find(kKai, "Queue", "", queue);
    if (at != nullptr) AddKaiQueue(Parse(at->text), queue, cause);
    if (at == nullptr && !queue.empty() && HasKind(kKai, "Queue")) {
      cause.details.push_back(Cat("there is no Queue ", queue));
    }
    return said;
  }

  static void AddKaiQueue(const Value& queue, const std::string& name, Cause& cause) {
    Value gpu = queue.Get("spec").Get("resources").Get("gpu");
    Value allocated = queue.Get("status").Get("allocated");
    std::string used = Text(allocated.Get("nvidia.com/gpu"));
    if (used.empty()) used = Text(allocated.Get("gpu"));
    std::string text =
        Cat("Queue ", name, ": ", used.empty() ? std::string("0") : used, " GPUs are allocated");
    auto add = [&](std::string_view what) {
      std::string amount = Text(gpu.Get(what));
      if (!amount.empty()) CatTo(text, ", ", what, ' ', amount == "-1" ? "without bound" : amount);
    };
    add("quota");
    add("limit");
    cause.details.push_back(std::move(text));
    cause.commands.push_back(DescribeCommand("queues.scheduling.run.ai", "", name));
  }

  std::string ReadVolcano(const Value& object, Cause& cause) {
    Value status = object.Get("status");
    std::string phase(status.Get("phase").text_or_empty());
    std::string queue(object.Get("spec").Get("queue").text_or_empty());
    std::string said = Words(ConditionOf(status, "Unschedulable"));
    if (phase == "Pending") {
      cause.kind = CauseKind::kQueue;
      if (said.empty()) {
        said = Cat("queue ", queue.empty() ? std::string("default") : queue,
                   " has not let it in (phase Pending)");
      }
    }
    const SourceObject* at = Find(kVolcano, "Queue", "", queue);
    if (at != nullptr) AddVolcanoQueue(Parse(at->text), queue, cause);
    if (at == nullptr && !queue.empty() && HasKind(kVolcano, "Queue")) {
      cause.details.push_back(Cat("there is no Queue ", queue));
    }
    return said;
  }

  void AddVolcanoQueue(const Value& queue, const std::string& name, Cause& cause) const {
    std::string_view state = queue.Get("status").Get("state").text_or_empty();
    if (!state.empty() && state != "Open") {
      cause.details.push_back(Cat("Queue ", name, " is ", state));
    }
    for (const workload::AcceleratorCounts& one : workload_.totals.accelerators) {
      std::string limit = Text(queue.Get("spec").Get("capability").Get(one.resource));
      std::string used = Text(queue.Get("status").Get("allocated").Get(one.resource));
      if (limit.empty()) continue;
      cause.details.push_back(Cat("Queue ", name, ": ", used.empty() ? std::string("0") : used,
                                  " of ", limit, ' ', one.resource, " are allocated"));
    }
    cause.commands.push_back(DescribeCommand("queues.scheduling.volcano.sh", "", name));
  }

  const Workload& workload_;
  const WorkloadSources& sources_;
  const Sources& all_;
  Arena arena_;
  std::vector<Membership> memberships_;
  Admission admission_;
};

}  // namespace

Admission ReadAdmission(const Workload& workload, const WorkloadSources& sources,
                        const Sources& all) {
  return AdmissionReader(workload, sources, all).Read();
}

}  // namespace wmap::inspect
