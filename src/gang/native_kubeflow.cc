// Jobs of the training operator, and of the MPI operator: a number of pods for each role.
#include <algorithm>
#include <array>
#include <limits>

#include "base/text.h"
#include "gang/native.h"
#include "workload/count.h"

namespace wmap::gang {
namespace {

using json::Value;

constexpr std::string_view kRoleLabel = "training.kubeflow.org/replica-type";
constexpr std::string_view kJobRoleLabel = "training.kubeflow.org/job-role";
constexpr std::string_view kIndexLabel = "training.kubeflow.org/replica-index";

struct Role {
  std::string_view name;
  std::int64_t replicas = 0;
};

struct Framework {
  std::string_view specs;  // "tfReplicaSpecs"
  std::vector<std::string_view> required;
};

Result<std::int64_t> ReplicasOf(const Value& role, std::string_view name, bool compat) {
  const Value* replicas = role.Find("replicas");
  // The operator takes a missing number for 1.
  if ((replicas == nullptr || replicas->is_null()) && !compat) return 1;
  if (replicas == nullptr || !replicas->is_int() || replicas->as_int() <= 0) {
    return Fail(Code::kInvalid, Cat("the role ", Quote(name), " needs replicas, at least 1"));
  }
  return replicas->as_int();
}

Result<std::vector<Role>> RolesOf(const Subject& subject, const Framework& framework) {
  Value specs = At(subject.top, {"spec", framework.specs});
  for (std::string_view name : framework.required) {
    if (!specs.Get(name).is_object()) {
      return Fail(Code::kNotDefined, Cat("spec.", framework.specs, " has no ", name));
    }
  }
  std::vector<Role> roles;
  if (specs.is_object()) {
    for (const json::Member& member : specs.members()) {
      WMAP_TRY(std::int64_t replicas,
               ReplicasOf(member.value, member.key, subject.options->compat));
      roles.push_back({member.key, replicas});
    }
  }
  if (roles.empty()) {
    return Fail(Code::kNotDefined, Cat("spec.", framework.specs, " has no roles"));
  }
  return roles;
}

std::optional<std::int64_t> IntegerAt(const Value& object,
                                      std::initializer_list<std::string_view> path) {
  Value value = At(object, path);
  return value.is_int() ? std::optional(value.as_int()) : std::nullopt;
}

std::optional<std::int64_t> OwnMinimum(const Subject& subject) {
  return IntegerAt(subject.top, {"spec", "runPolicy", "schedulingPolicy", "minAvailable"});
}

std::int64_t SumOf(const std::vector<Role>& roles) {
  std::int64_t sum = 0;
  for (const Role& role : roles) sum = workload::SaturatingAdd(sum, role.replicas);
  return sum;
}

std::int64_t Of(const std::vector<Role>& roles, std::string_view name) {
  auto at = std::ranges::find(roles, name, &Role::name);
  return at == roles.end() ? 0 : at->replicas;
}

Result<Plan> PlanFlat(const Subject& subject, const Framework& framework) {
  WMAP_TRY(std::vector<Role> roles, RolesOf(subject, framework));
  Plan plan = StartPlan(subject);
  plan.min_member = OwnMinimum(subject).value_or(SumOf(roles));
  return plan;
}

std::string RoleOf(const Value& pod) {
  std::string role = ToLower(Label(pod, kRoleLabel));
  return role.empty() ? ToLower(Label(pod, kJobRoleLabel)) : role;
}

// Workers in segments: those that the minimum needs have a minimum themselves.
Result<void> AddSegments(const Subject& subject, const Segments& segments, std::int64_t workers,
                         std::int64_t minimum, Plan& plan) {
  std::int64_t count = (workers - 1) / segments.size + 1;
  if (count > kMostSegments) {
    return Fail(Code::kLimit, Cat(count, " segments are more than ", kMostSegments));
  }
  std::int64_t needed = minimum / segments.size + (minimum % segments.size != 0 ? 1 : 0);
  plan.sub_groups.push_back({.name = "worker", .min_sub_group = count});
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t size = std::min(segments.size, workers - i * segments.size);
    plan.sub_groups.push_back({.name = Cat("worker-", i),
                               .parent = "worker",
                               .min_member = i < needed ? size : 0,
                               .topology = segments.topology});
  }
  if (RoleOf(subject.pod) != "worker") return {};
  std::optional<std::int64_t> index = ToInteger(Label(subject.pod, kIndexLabel));
  if (!index || *index < 0 || *index >= workers) {
    return Fail(Code::kInvalid,
                Cat("label ", kIndexLabel, " does not say which worker the pod is"));
  }
  plan.pod_sub_group = Cat("worker-", *index / segments.size);
  return {};
}

// A launcher pod that has not ended.
bool HasLiveLauncher(const Subject& subject) {
  auto is_live = [&](const Value& pod) {
    std::string_view phase = At(pod, {"status", "phase"}).text_or_empty();
    return RoleOf(pod) == "launcher" && phase != "Succeeded" && phase != "Failed" &&
           Label(pod, "training.kubeflow.org/job-name") == NameOf(subject.top);
  };
  if (is_live(subject.pod)) return true;
  auto pods = subject.cluster->Pods(subject.name_space());
  return pods && std::ranges::any_of(*pods, is_live);
}

}  // namespace

Result<Plan> PlanTensorFlow(const Subject& subject) {
  return PlanFlat(subject, {"tfReplicaSpecs", {}});
}

Result<Plan> PlanJax(const Subject& subject) {
  return PlanFlat(subject, {"jaxReplicaSpecs", {"Worker"}});
}

Result<Plan> PlanXGBoost(const Subject& subject) {
  return PlanFlat(subject, {"xgbReplicaSpecs", {"Master", "Worker"}});
}

Result<Plan> PlanPyTorch(const Subject& subject) {
  WMAP_TRY(std::vector<Role> roles, RolesOf(subject, {"pytorchReplicaSpecs", {}}));
  Plan plan = StartPlan(subject);
  std::int64_t minimum = SumOf(roles);
  if (auto elastic = IntegerAt(subject.top, {"spec", "elasticPolicy", "minReplicas"})) {
    minimum = *elastic;
  }
  minimum = OwnMinimum(subject).value_or(minimum);
  plan.min_member = minimum;
  std::int64_t masters = Of(roles, "Master");
  std::int64_t workers = Of(roles, "Worker");
  std::string role = RoleOf(subject.pod);
  if (masters > 0) {
    plan.sub_groups.push_back({.name = "master", .min_member = masters});
    if (role == "master") plan.pod_sub_group = "master";
  }
  std::int64_t least = std::max<std::int64_t>(0, workload::SaturatingAdd(minimum, -masters));
  Value worker_template = At(subject.top, {"spec", "pytorchReplicaSpecs", "Worker", "template"});
  WMAP_TRY(Segments segments,
           SegmentsOf(std::to_array({subject.pod, worker_template, subject.top})));
  bool has_size = !Annotation(subject.pod, kSegmentAnnotation).empty() ||
                  !Annotation(worker_template, kSegmentAnnotation).empty();
  if (workers > 0 && segments.size > 0 && has_size) {
    WMAP_TRY_VOID(AddSegments(subject, segments, workers, least, plan));
  } else if (workers > 0) {
    plan.sub_groups.push_back({.name = "worker", .min_member = least});
    if (role == "worker") plan.pod_sub_group = "worker";
  }
  return plan;
}

Result<Plan> PlanMpi(const Subject& subject) {
  WMAP_TRY(std::vector<Role> roles, RolesOf(subject, {"mpiReplicaSpecs", {"Launcher", "Worker"}}));
  Plan plan = StartPlan(subject);
  std::int64_t sum = SumOf(roles);
  std::optional<std::int64_t> own = OwnMinimum(subject);
  plan.min_member = own.value_or(sum);
  bool is_late =
      At(subject.top, {"spec", "launcherCreationPolicy"}).text_or_empty() == "WaitForWorkersReady";
  if (!is_late || HasLiveLauncher(subject)) return plan;
  std::int64_t without = sum - Of(roles, "Launcher");
  if (subject.options->compat) {
    plan.min_member = workload::SaturatingAdd(*plan.min_member, -Of(roles, "Launcher"));
  } else {
    // The user's own number may leave the launcher out already. What is not there cannot be waited
    // for, whatever the number.
    plan.min_member = std::min(own.value_or(without), without);
  }
  return plan;
}

}  // namespace wmap::gang
