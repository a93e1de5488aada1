// JobSet and LeaderWorkerSet: sets of equal parts.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "gang/native.h"

namespace wmap::gang {
namespace {

using json::Value;

// --- JobSet -----------------------------------------------------------------------------------

constexpr std::string_view kJobNameLabel = "jobset.sigs.k8s.io/replicatedjob-name";
constexpr std::string_view kJobIndexLabel = "jobset.sigs.k8s.io/job-index";

// A JobSet of so many leaves is no workload but a mistake.
constexpr std::int64_t kMostLeaves = 10'000;

Result<std::optional<std::int64_t>> MinimumOf(const Value& annotated) {
  std::string_view text = Annotation(annotated, kMinimumAnnotation);
  if (text.empty()) return std::optional<std::int64_t>();
  std::optional<std::int64_t> minimum = ToInteger(text);
  if (!minimum || *minimum < 1) {
    return Fail(Code::kInvalid, Cat("annotation ", kMinimumAnnotation, " is ", Quote(text),
                                    ", it must be an integer from 1 on"));
  }
  return minimum;
}

std::int64_t IntegerOr(const Value& value, std::int64_t otherwise) {
  return value.is_int() ? value.as_int() : otherwise;
}

bool StartsInOrder(const Value& set) {
  return At(set, {"spec", "startupPolicy", "startupPolicyOrder"}).text_or_empty() == "InOrder";
}

// Whether the set has a group from the time when there were no subgroups.
bool HasOlderGroup(const Subject& subject, const Plan& plan) {
  auto groups = subject.cluster->Groups(subject.name_space());
  if (!groups) return false;
  return std::ranges::any_of(*groups, [&](const Value& group) {
    std::string_view name = NameOf(group);
    bool is_ours = name.starts_with(plan.name) &&
                   (name.size() == plan.name.size() || name[plan.name.size()] == '-');
    return is_ours && IsFlat(group);
  });
}

// The pods of one Job of a replicated job.
Result<std::int64_t> PodsOf(const Subject& subject, const Value& job, Plan& plan) {
  Value spec = At(job, {"template", "spec"});
  std::int64_t pods = IntegerOr(spec.Get("parallelism"), 1);
  // There are never more pods than there is work.
  if (spec.Get("completions").is_int() && !subject.options->compat) {
    pods = std::min(pods, spec.Get("completions").as_int());
  }
  WMAP_TRY(auto minimum, MinimumOf(job.Get("template")));
  if (!minimum) return pods;
  if (*minimum > pods) {
    plan.Warn("minimum", Cat("the minimum of ", Quote(job.Get("name").text_or_empty()), ", ",
                             *minimum, ", is more than its ", pods, " pods"));
  }
  return *minimum;
}

Result<Plan> PlanOlderJobSet(const Subject& subject, Plan plan, std::string_view job) {
  WMAP_TRY(auto minimum, MinimumOf(subject.top));
  plan.min_member = minimum.value_or(1);
  if (StartsInOrder(subject.top)) CatTo(plan.name, '-', job);
  return plan;
}

// --- LeaderWorkerSet --------------------------------------------------------------------------

constexpr std::string_view kGroupLabel = "leaderworkerset.sigs.k8s.io/group-index";
constexpr std::string_view kWorkerLabel = "leaderworkerset.sigs.k8s.io/worker-index";
constexpr std::string_view kSizeAnnotation = "leaderworkerset.sigs.k8s.io/size";

// The operator counts in 32 bits.
constexpr std::int64_t kLargestGroup = 2'147'483'647;

struct LeaderGroup {
  std::int64_t size = 1;
  std::int64_t index = 0;  // of the pod
  bool leader_only = false;
};

Result<std::int64_t> IndexIn(const Value& pod, std::string_view label) {
  std::optional<std::int64_t> index = ToInteger(Label(pod, label));
  if (!index || *index < 0) {
    return Fail(Code::kInvalid,
                Cat("label ", label, " of the pod is ", Quote(Label(pod, label)), ", no index"));
  }
  return *index;
}

Result<LeaderGroup> ReadLeaderGroup(const Subject& subject) {
  LeaderGroup group;
  group.size = IntegerOr(At(subject.top, {"spec", "leaderWorkerTemplate", "size"}), 1);
  WMAP_TRY(group.index, IndexIn(subject.pod, kWorkerLabel));
  std::string_view policy = At(subject.top, {"spec", "startupPolicy"}).text_or_empty();
  if (!policy.empty() && policy != "LeaderCreated" && policy != "LeaderReady") {
    return Fail(Code::kInvalid, Cat("spec.startupPolicy is ", Quote(policy)));
  }
  if (policy == "LeaderReady") {
    // Workers are made when the leader is ready; once it has a node they can be waited for.
    bool is_bound = !At(subject.pod, {"spec", "nodeName"}).text_or_empty().empty();
    group.leader_only = group.index == 0 && !is_bound;
    std::string_view text = Annotation(subject.pod, kSizeAnnotation);
    if (std::optional<std::int64_t> size = ToInteger(text)) group.size = *size;
  }
  if (group.size < 1 || group.size > kLargestGroup) {
    return Fail(Code::kInvalid, Cat("the size of a group must be from 1 to ", kLargestGroup,
                                    ", it is ", group.size));
  }
  return group;
}

Result<Segments> LeaderSegments(const Subject& subject, const LeaderGroup& group) {
  Value worker_template = At(subject.top, {"spec", "leaderWorkerTemplate", "workerTemplate"});
  WMAP_TRY(Segments segments, SegmentsOf(std::to_array({subject.top, worker_template})));
  Value size = At(subject.top, {"spec", "leaderWorkerTemplate", "subGroupPolicy", "subGroupSize"});
  if (size.is_int()) segments.size = size.as_int();
  if (segments.size == 0) return segments;
  // The reference looks at the one pod that it waits for.
  std::int64_t whole = subject.options->compat && group.leader_only ? 1 : group.size;
  if (segments.size <= 1 || segments.size > whole) {
    return Fail(Code::kInvalid, Cat("segments of ", segments.size, " in a group of ", whole,
                                    ": they must have more than 1 pod and no more than the group"));
  }
  if ((group.size - 1) / segments.size + 1 > kMostSegments) {
    return Fail(Code::kLimit, Cat("more than ", kMostSegments, " segments"));
  }
  return segments;
}

Result<void> AddSegments(const Subject& subject, const LeaderGroup& group, const Segments& segments,
                         Plan& plan) {
  bool is_excluded =
      At(subject.top, {"spec", "leaderWorkerTemplate", "subGroupPolicy", "subGroupPolicyType"})
          .text_or_empty() == "LeaderExcluded";
  bool divides_workers = (group.size - 1) % segments.size == 0;
  if (is_excluded && !divides_workers) {
    return Fail(Code::kInvalid,
                Cat(group.size - 1, " workers cannot be divided into segments of ", segments.size));
  }
  auto segment_of = [&](std::int64_t index) {
    if (index == 0) return std::int64_t{0};
    return divides_workers ? (index - 1) / segments.size : index / segments.size;
  };
  std::int64_t count = group.size == 1 ? 1 : segment_of(group.size - 1) + 1;
  // Workers of a segment: the leader is the one more or less.
  auto workers_in = [&](std::int64_t segment) {
    if (divides_workers) return segments.size;
    std::int64_t first = std::max<std::int64_t>(segment * segments.size, 1);
    return std::min((segment + 1) * segments.size, group.size) - first;
  };
  auto add = [&](std::string name, std::string_view parent, std::int64_t minimum) {
    plan.sub_groups.push_back({.name = std::move(name),
                               .parent = std::string(parent),
                               .min_member = minimum,
                               .topology = parent.empty() ? segments.topology : Topology()});
  };
  if (is_excluded) {
    plan.sub_groups.push_back({.name = "leader", .min_member = 1});
  } else {
    plan.sub_groups.push_back(
        {.name = "segment-0", .min_sub_group = 2, .topology = segments.topology});
    add("leader", "segment-0", 1);
    add("workers", "segment-0", workers_in(0));
  }
  for (std::int64_t i = is_excluded ? 0 : 1; i < count; ++i) {
    add(Cat("segment-", i), "", workers_in(i));
  }
  // A pod beyond the size, of a group that became smaller, is in none.
  if (group.index >= group.size) return {};
  std::int64_t mine = segment_of(group.index);
  plan.pod_sub_group = group.index == 0            ? "leader"
                       : mine == 0 && !is_excluded ? "workers"
                                                   : Cat("segment-", mine);
  return {};
}

}  // namespace

Result<Plan> PlanJobSet(const Subject& subject) {
  std::string_view name = Label(subject.pod, kJobNameLabel);
  std::string_view index = Label(subject.pod, kJobIndexLabel);
  if (name.empty() || index.empty()) {
    return Fail(Code::kNotDefined,
                Cat("the pod lacks the label ", name.empty() ? kJobNameLabel : kJobIndexLabel));
  }
  Plan plan = StartPlan(subject);
  if (HasOlderGroup(subject, plan)) return PlanOlderJobSet(subject, std::move(plan), name);
  Value jobs = At(subject.top, {"spec", "replicatedJobs"});
  std::int64_t parents = 0;
  std::int64_t at_once = 0;  // parents that wait for none of the others
  std::int64_t leaves = 0;
  if (jobs.is_array()) {
    for (const Value& job : jobs.items()) {
      std::string job_name(job.Get("name").text_or_empty());
      std::int64_t replicas = IntegerOr(job.Get("replicas"), 1);
      // A parent without children would be refused, and the whole set with it.
      if (replicas <= 0 && !subject.options->compat) continue;
      ++parents;
      Value before = job.Get("dependsOn");
      if (!before.is_array() || before.size() == 0 || subject.options->compat) ++at_once;
      leaves += std::max<std::int64_t>(replicas, 0);
      if (leaves > kMostLeaves) return Fail(Code::kLimit, Cat("more than ", kMostLeaves, " Jobs"));
      plan.sub_groups.push_back({.name = job_name, .min_sub_group = replicas});
      WMAP_TRY(std::int64_t pods, PodsOf(subject, job, plan));
      Value annotated = job.Get("template");
      WMAP_TRY(Topology topology, TopologyOf(annotated, false));
      for (std::int64_t i = 0; i < replicas; ++i) {
        std::string leaf = Cat(job_name, "-replica-", i);
        if (job_name == name && index == Cat(i)) plan.pod_sub_group = leaf;
        plan.sub_groups.push_back({.name = std::move(leaf),
                                   .parent = job_name,
                                   .min_member = pods,
                                   .topology = topology});
      }
    }
  }
  if (!plan.pod_sub_group) {
    return Fail(Code::kUnknownInstance,
                Cat("the set has no Job ", index, " of ", Quote(name), ", which the pod names"));
  }
  WMAP_TRY(auto minimum, MinimumOf(subject.top));
  plan.min_member.reset();
  // Jobs that start in order, or depend on others, are not there when the first ones start.
  std::int64_t needed = StartsInOrder(subject.top) ? 1 : std::max<std::int64_t>(at_once, 1);
  plan.min_sub_group = minimum ? std::min(*minimum, parents) : needed;
  return plan;
}

Result<Plan> PlanLeaderWorkerSet(const Subject& subject) {
  WMAP_TRY(std::int64_t group_index, IndexIn(subject.pod, kGroupLabel));
  WMAP_TRY(LeaderGroup group, ReadLeaderGroup(subject));
  Plan plan = StartPlan(subject);
  CatTo(plan.name, "-group-", group_index);
  plan.min_member = group.leader_only ? 1 : group.size;
  WMAP_TRY(Segments segments, LeaderSegments(subject, group));
  if (group.leader_only || segments.size == 0) {
    plan.sub_groups.push_back({.name = "leader", .min_member = 1});
    bool has_workers = !group.leader_only && group.size > 1;
    if (has_workers) {
      plan.sub_groups.push_back({.name = "workers", .min_member = group.size - 1});
    }
    if (group.index == 0) {
      plan.pod_sub_group = "leader";
    } else if (has_workers) {
      plan.pod_sub_group = "workers";
    }
    return plan;
  }
  WMAP_TRY_VOID(AddSegments(subject, group, segments, plan));
  return plan;
}

}  // namespace wmap::gang
