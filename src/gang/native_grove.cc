// Grove: the operator says itself which pods are a gang, in an object of its own, a PodGang.
#include <algorithm>

#include "base/text.h"
#include "gang/native.h"
#include "workload/count.h"

namespace wmap::gang {
namespace {

using json::Value;

constexpr std::string_view kGangLabel = "grove.io/podgang";

// Level names of a constraint of a PodGang.
Result<Topology> ConstraintOf(const Value& holder, std::string_view name) {
  Value pack = At(holder, {"topologyConstraint", "packConstraint"});
  Topology topology{std::string(name), std::string(pack.Get("required").text_or_empty()),
                    std::string(pack.Get("preferred").text_or_empty())};
  if (topology.required.empty() && topology.preferred.empty()) return Topology();
  if (name.empty()) {
    return Fail(Code::kInvalid, "the PodGang has topology constraints, but names no topology");
  }
  return topology;
}

Result<void> AddLeaf(const Subject& subject, const Value& group, std::string_view topology,
                     Plan& plan) {
  SubGroup leaf{.name = std::string(group.Get("name").text_or_empty())};
  Value minimum = group.Get("minReplicas");
  if (!minimum.is_int() || minimum.as_int() <= 0) {
    return Fail(Code::kInvalid,
                Cat("group ", Quote(leaf.name), " of the PodGang needs minReplicas above 0"));
  }
  leaf.min_member = minimum.as_int();
  WMAP_TRY(leaf.topology, ConstraintOf(group, topology));
  Value references = group.Get("podReferences");
  for (std::size_t i = 0; references.is_array() && i < references.size(); ++i) {
    if (references[i].Get("namespace").text_or_empty() != subject.name_space()) {
      return Fail(Code::kInvalid, Cat("group ", Quote(leaf.name),
                                      " of the PodGang names a pod of another ", "namespace"));
    }
    bool is_pods = references[i].Get("name").text_or_empty() == NameOf(subject.pod);
    if (is_pods && !plan.pod_sub_group) plan.pod_sub_group = leaf.name;
  }
  plan.min_member = workload::SaturatingAdd(*plan.min_member, *leaf.min_member);
  plan.sub_groups.push_back(std::move(leaf));
  return {};
}

// Groups that topology keeps together become children of one parent.
Result<void> AddParents(const Value& gang, std::string_view topology, Plan& plan) {
  Value configs = At(gang, {"spec", "topologyConstraintGroupConfigs"});
  for (std::size_t i = 0; configs.is_array() && i < configs.size(); ++i) {
    Value members = configs[i].Get("podGroupNames");
    if (!members.is_array() || members.size() == 0) continue;
    SubGroup parent{.name = std::string(configs[i].Get("name").text_or_empty()),
                    .min_sub_group = static_cast<std::int64_t>(members.size())};
    WMAP_TRY(parent.topology, ConstraintOf(configs[i], topology));
    for (const Value& member : members.items()) {
      auto at = std::ranges::find(plan.sub_groups, member.text_or_empty(), &SubGroup::name);
      if (at == plan.sub_groups.end()) {
        return Fail(Code::kInvalid, Cat("the PodGang has no group ", Quote(member.text_or_empty()),
                                        ", which it puts into ", Quote(parent.name)));
      }
      at->parent = parent.name;
    }
    plan.sub_groups.push_back(std::move(parent));
  }
  return {};
}

}  // namespace

Result<Plan> PlanGrove(const Subject& subject) {
  std::string name(Label(subject.pod, kGangLabel));
  if (name.empty()) return Fail(Code::kNotDefined, Cat("the pod lacks the label ", kGangLabel));
  auto gang = subject.cluster->Object(
      {"scheduler.grove.io/v1alpha1", "PodGang", std::string(subject.name_space()), name});
  if (!gang) return Fail(Code::kNotFound, Cat("the PodGang ", name, " is not there"));
  Plan plan = StartPlan(subject);
  if (subject.options->compat) {
    Subject bare = subject;
    bare.top = subject.bare_top;
    plan.queue = StartPlan(bare).queue;
  }
  plan.name = GroupName(*gang);
  plan.owner = OwnerOf(*gang);
  if (Label(subject.top, kPriorityLabel).empty()) {
    std::string_view priority = At(*gang, {"spec", "priorityClassName"}).text_or_empty();
    if (!priority.empty()) plan.priority_class = priority;
  } else {
    plan.priority_class = Label(subject.top, kPriorityLabel);
  }
  std::string_view topology = Annotation(*gang, "grove.io/topology-name");
  if (topology.empty()) topology = Annotation(*gang, kTopologyAnnotation);
  if (topology.empty()) topology = Annotation(subject.top, kTopologyAnnotation);
  WMAP_TRY(Topology whole, ConstraintOf(gang->Get("spec"), topology));
  if (!whole.empty()) plan.topology = whole;
  plan.min_member = 0;
  Value groups = At(*gang, {"spec", "podgroups"});
  for (std::size_t i = 0; groups.is_array() && i < groups.size(); ++i) {
    WMAP_TRY_VOID(AddLeaf(subject, groups[i], topology, plan));
  }
  WMAP_TRY_VOID(AddParents(*gang, topology, plan));
  if (!plan.pod_sub_group && !subject.options->compat) {
    plan.Warn("no-subgroup", "the PodGang does not list the pod yet; plan again when it changes");
  }
  return plan;
}

}  // namespace wmap::gang
