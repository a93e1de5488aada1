// Ray clusters, alone or made by a RayJob or a RayService.
#include <algorithm>

#include "base/text.h"
#include "gang/names.h"
#include "gang/native.h"
#include "workload/count.h"

namespace wmap::gang {
namespace {

using json::Value;

// The cluster behind the object on top.
Result<Value> ClusterOf(const Subject& subject) {
  definition::GroupVersionKind kind = KindOf(subject.top);
  if (kind.kind == "RayCluster") return subject.top;
  Value status = subject.top.Get("status");
  std::string_view name;
  if (kind.kind == "RayJob") {
    name = status.Get("rayClusterName").text_or_empty();
  } else {
    name = At(status, {"activeServiceStatus", "rayClusterName"}).text_or_empty();
    if (name.empty()) {
      name = At(status, {"pendingServiceStatus", "rayClusterName"}).text_or_empty();
    }
  }
  if (name.empty()) {
    return Fail(Code::kNotFound, Cat("the status of the ", kind.kind, " names no cluster yet"));
  }
  auto cluster = subject.cluster->Object(
      {kind.api_version(), "RayCluster", std::string(subject.name_space()), std::string(name)});
  if (!cluster) return Fail(Code::kNotFound, Cat("the RayCluster ", name, " is not there"));
  return *cluster;
}

bool IsSuspended(const Value& group, bool compat) {
  return group.Get("suspended").is_true() || (!compat && group.Get("suspend").is_true());
}

// The fewest pods of a worker group; nothing for one that has none.
Result<std::optional<std::int64_t>> MinimumOf(const Value& group, bool compat) {
  if (IsSuspended(group, compat)) return std::optional<std::int64_t>();
  auto integer = [&](std::string_view key) {
    Value value = group.Get(key);
    return value.is_int() ? std::optional(value.as_int()) : std::nullopt;
  };
  std::int64_t least = integer("minReplicas").value_or(0);
  std::int64_t replicas = integer("replicas").value_or(least);
  if (least > replicas) {
    return Fail(Code::kInvalid,
                Cat("worker group ", Quote(group.Get("groupName").text_or_empty()), " has ",
                    replicas, " replicas, fewer than its minimum of ", least));
  }
  if (replicas <= 0) return std::optional<std::int64_t>();
  std::int64_t product = 0;
  std::int64_t hosts = integer("numOfHosts").value_or(1);
  if (__builtin_mul_overflow(least > 0 ? least : replicas, hosts, &product)) {
    return Fail(Code::kInvalid, "a worker group has more pods than can be counted");
  }
  return product;
}

}  // namespace

Result<Plan> PlanRay(const Subject& subject) {
  WMAP_TRY(Value cluster, ClusterOf(subject));
  Plan plan = StartPlan(subject);
  for (const Value& labelled : {cluster, subject.top}) {
    std::string_view name = Label(labelled, "ray.io/priority-class-name");
    if (name.empty()) continue;
    plan.priority_class = name;
    break;
  }
  std::string_view pod_group = Label(subject.pod, "ray.io/group");
  bool is_submitter = KindOf(subject.top).kind == "RayJob" && pod_group.empty() &&
                      Label(subject.pod, "ray.io/node-type").empty();
  if (is_submitter && !subject.options->compat) {
    // It is made when the cluster is up, and would be left out as a pod of no subgroup.
    plan.name = GroupName(subject.pod);
    plan.owner = OwnerOf(subject.pod);
    return plan;
  }
  SubGroup head{.name = "headgroup", .min_member = 1};
  WMAP_TRY(head.topology, TopologyOf(At(cluster, {"spec", "headGroupSpec", "template"}), true));
  if (pod_group == "headgroup") plan.pod_sub_group = head.name;
  plan.sub_groups.push_back(std::move(head));
  std::int64_t sum = 1;
  Value groups = At(cluster, {"spec", "workerGroupSpecs"});
  for (std::size_t i = 0; groups.is_array() && i < groups.size(); ++i) {
    WMAP_TRY(auto minimum, MinimumOf(groups[i], subject.options->compat));
    if (!minimum) continue;
    SubGroup sub{.name = std::string(groups[i].Get("groupName").text_or_empty()),
                 .min_member = minimum};
    bool is_pods = !sub.name.empty() && sub.name == pod_group;
    if (sub.name.empty()) sub.name = Cat("worker-group-", i);
    if (!subject.options->compat && !IsDnsLabel(sub.name)) sub.name = ToDnsLabel(sub.name);
    WMAP_TRY(sub.topology, TopologyOf(groups[i].Get("template"), true));
    if (is_pods) plan.pod_sub_group = sub.name;
    sum = workload::SaturatingAdd(sum, *minimum);
    plan.sub_groups.push_back(std::move(sub));
  }
  plan.min_member = sum;
  if (!plan.pod_sub_group && !subject.options->compat) {
    plan.Warn("no-subgroup", Cat("the pod's label ray.io/group, ", Quote(pod_group),
                                 ", is that of no group that is asked for"));
  }
  std::optional<Value> existing = FindGroup(subject, plan.name);
  if (existing && IsFlat(*existing)) {
    plan.sub_groups.clear();
    plan.pod_sub_group.reset();
    plan.warnings.clear();
  }
  return plan;
}

}  // namespace wmap::gang
