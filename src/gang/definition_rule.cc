#include "gang/definition_rule.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "gang/names.h"
#include "workload/headline.h"
#include "workload/pods.h"
#include "workload/status.h"

namespace wmap::gang {
namespace {

using definition::Component;
using json::Value;
using Amount = std::optional<std::int64_t>;

Amount Plus(const Amount& a, const Amount& b) {
  return a && b ? workload::SaturatingAdd(*a, *b) : a ? a : b;
}

Result<Topology> TopologyOf(const definition::Topology& topology, std::string_view whose) {
  if (topology.name.empty() ||
      (topology.required_level.empty() && topology.preferred_level.empty())) {
    return Fail(Code::kInvalid, Cat("the topology of ", whose, " needs a name and a level"));
  }
  return Topology{topology.name, topology.required_level, topology.preferred_level};
}

// A name for one more subgroup: `wanted`, or with a hash of `whole` when another one has it.
std::string FreeName(const Plan& plan, std::string_view wanted, std::string_view whole) {
  std::string name = ToDnsLabel(wanted);
  if (plan.Find(name) == nullptr) return name;
  constexpr std::size_t kHash = 8;
  std::string start = ToDnsLabel(name.substr(0, kLongestLabel - kHash - 1));
  // Two instances of one id have one hash.
  for (std::string hashed(whole);; hashed += '+') {
    name = Cat(start, '-', HashDigits(hashed, kHash));
    if (plan.Find(name) == nullptr) return name;
  }
}

}  // namespace

bool HasInstructions(const definition::Karta& karta) {
  return karta.is_valid && karta.gang && (karta.gang->pod_group || !karta.gang->pod_groups.empty());
}

DefinitionRule::DefinitionRule(const definition::Karta& karta, const Value& object,
                               expr::Evaluator& evaluator, const Options& options)
    : karta_(karta),
      options_(options),
      evaluation_(karta, object, evaluator),
      parts_(workload::ReadParts(evaluation_, {})),
      scale_(evaluation_, parts_, options_) {
  // The reading of the workload tells what is wrong with its parts.
  evaluation_.TakeDiagnostics();
  ExpectRoles();
}

// An object without any pod template says nothing of which roles are there: all are that have a
// count.
void DefinitionRule::ExpectRoles() {
  auto is_there = [](const workload::Part& part) {
    return part.component->bears_pods() &&
           std::ranges::any_of(part.instances, &workload::PartInstance::exists);
  };
  if (std::ranges::any_of(parts_, is_there)) return;
  for (workload::Part& part : parts_) {
    if (!part.component->bears_pods() || part.component->exists) continue;
    for (workload::PartInstance& instance : part.instances) instance.exists = true;
  }
}

Error DefinitionRule::Named(Error error) const {
  return std::move(error).In(Cat("definition ", Quote(karta_.name)));
}

Result<std::optional<Plan>> DefinitionRule::PlanPod(const Value& pod, std::span<const Value> others,
                                                    const Plan& base) {
  auto plan = [&]() -> Result<std::optional<Plan>> {
    std::vector<Value> pods(others.begin(), others.end());
    pods.push_back(pod);
    if (karta_.gang->pod_group) {
      WMAP_TRY(InstanceSet seen, SeenOf(pods));
      return PlanGroup(&pod, seen, base);
    }
    WMAP_TRY(std::optional<Place> place, PlaceOf(pod));
    if (!place) {
      if (options_.compat) return Fail(Code::kNotFound, "the pod belongs to no component");
      return std::optional<Plan>();
    }
    WMAP_TRY(std::optional<Entry> entry, FindEntry(pod, *place));
    if (!entry) {
      if (options_.compat) return Fail(Code::kNotFound, "the pod belongs to no member of a group");
      return std::optional<Plan>();
    }
    WMAP_TRY(std::vector<std::string> keys, KeysOf(*entry, pod));
    Plan made = base;
    made.rule = Rule::kDefinition;
    made.rule_name = karta_.name;
    WMAP_TRY_VOID(NameGroup(*entry, keys, made));
    // Of the others those in the same group count.
    std::vector<Value> same = {pod};
    for (const Value& other : others) {
      Result<std::optional<Place>> its = PlaceOf(other);
      if (!its || !*its) continue;
      Result<std::optional<Entry>> at = FindEntry(other, **its);
      if (!at || !*at || (*at)->group != entry->group) continue;
      Result<std::vector<std::string>> other_keys = KeysOf(**at, other);
      if (other_keys && *other_keys == keys) same.push_back(other);
    }
    WMAP_TRY(InstanceSet seen, SeenOf(same));
    WMAP_TRY_VOID(SetGroupMinimum(*entry, &*place, &pod, seen, made));
    WMAP_TRY_VOID(Finish(made));
    return made;
  }();
  if (!plan) return Fail(Named(std::move(plan).error()));
  return plan;
}

Result<WorkloadGroups> DefinitionRule::PlanWorkload(std::span<const Value> pods, const Plan& base) {
  auto groups = [&]() -> Result<WorkloadGroups> {
    WorkloadGroups all;
    if (!karta_.gang) return all;
    if (karta_.gang->pod_group) {
      WMAP_TRY(InstanceSet seen, SeenOf(pods));
      GroupSet& set = all.groups.emplace_back();
      WMAP_TRY(set.plan, PlanGroup(nullptr, seen, base));
      set.entry = karta_.gang->pod_group->name;
      for (std::size_t i = 0; i < pods.size(); ++i) set.pods.push_back(i);
      return all;
    }
    std::vector<std::optional<Place>> places(pods.size());
    std::vector<bool> is_grouped(pods.size());
    for (std::size_t i = 0; i < pods.size(); ++i) {
      Result<std::optional<Place>> place = PlaceOf(pods[i]);
      if (place) {
        places[i] = *std::move(place);
      } else {
        is_grouped[i] = true;
        all.warnings.push_back({"pod", place.error().Describe()});
      }
    }
    for (std::size_t group = 0; group < karta_.gang->pod_groups.size(); ++group) {
      WMAP_TRY_VOID(AddEntry(group, pods, places, base, is_grouped, all));
    }
    for (std::size_t i = 0; i < pods.size(); ++i) {
      if (!is_grouped[i]) all.loose_pods.push_back(i);
    }
    return all;
  }();
  if (!groups) return Fail(Named(std::move(groups).error()));
  return groups;
}

bool DefinitionRule::WantsPods() {
  if (!karta_.root().status) return true;
  switch (
      workload::ObjectHeadline(workload::ReadStatus(*karta_.root().status, evaluation_).phases)) {
    case workload::Phase::kSuspended:
    case workload::Phase::kSuspending:
    case workload::Phase::kCompleted:
    case workload::Phase::kFailed:
      return false;
    default:
      return true;
  }
}

// --- the current form -------------------------------------------------------------------------

Result<Plan> DefinitionRule::PlanGroup(const Value* pod, const InstanceSet& seen,
                                       const Plan& base) {
  const definition::PodGroup& group = *karta_.gang->pod_group;
  scale_.set_seen(&seen);
  scale_.set_excluded(nullptr);
  Plan plan = base;
  plan.rule = Rule::kDefinition;
  plan.rule_name = karta_.name;
  plan.name = Cat("pg-", plan.owner.uid);
  if (!group.name.empty() || options_.compat) CatTo(plan.name, '-', group.name);
  if (!options_.compat) {
    WMAP_TRY_VOID(CheckListed(group));
  }
  if (group.topology) {
    WMAP_TRY(plan.topology, TopologyOf(*group.topology, "the group"));
  }
  if (group.sub_groups.empty()) {
    std::optional<Place> place;
    if (pod != nullptr && !options_.compat && karta_.gang_by_role) {
      WMAP_TRY(place, PlaceOf(*pod));
    }
    std::size_t root = 0;
    WMAP_TRY_VOID(SetMinimum({&root, 1}, std::nullopt, place ? &*place : nullptr, true, plan));
  } else {
    WMAP_TRY_VOID(AddListedSubGroups(pod, plan));
  }
  if (pod != nullptr && !plan.sub_groups.empty() && !plan.pod_sub_group && !options_.compat) {
    plan.Warn("no-subgroup", Cat("the pod belongs to no subgroup of definition ",
                                 Quote(karta_.name), "; some schedulers leave it out"));
  }
  WMAP_TRY_VOID(Finish(plan));
  return plan;
}

Result<void> DefinitionRule::CheckListed(const definition::PodGroup& group) const {
  auto wrong = [](std::string what) { return Fail(Code::kInvalid, std::move(what)); };
  if (!group.name.empty() && !IsDnsSubdomain(group.name)) {
    return wrong(Cat("podGroup.name ", Quote(group.name),
                     " cannot be a part of an object's name: lower-case letters, digits, '-'"));
  }
  for (std::size_t i = 0; i < group.sub_groups.size(); ++i) {
    const std::string& name = group.sub_groups[i].component;
    if (!IsDnsLabel(name)) {
      return wrong(Cat("the subgroup ", Quote(name), " needs a name of lower-case letters, digits",
                       " and '-', at most ", kLongestLabel));
    }
    for (std::size_t j = 0; j < group.sub_groups.size(); ++j) {
      const std::string& other = group.sub_groups[j].component;
      if (j < i && other == name)
        return wrong(Cat("the subgroup ", Quote(name), " is listed twice"));
      std::size_t mine = IndexOf(name);
      std::size_t above = IndexOf(other);
      if (i != j && mine != kNone && above != kNone && mine != above && IsBelow(mine, above)) {
        return wrong(Cat("the subgroup ", Quote(name), " is a part of the subgroup ", Quote(other),
                         ": its pods would count twice"));
      }
    }
  }
  return {};
}

Result<void> DefinitionRule::AddListedSubGroups(const Value* pod, Plan& plan) {
  const definition::PodGroup& group = *karta_.gang->pod_group;
  bool expand = !options_.compat && (options_.expand_instances || karta_.gang_by_instance);
  for (const definition::SubGroup& listed : group.sub_groups) {
    std::size_t component = IndexOf(listed.component);
    if (component == kNone) {
      return Fail(Code::kNotDefined,
                  Cat("the subgroup ", Quote(listed.component), " is no component"));
    }
    if (expand && karta_.components[component].has_instances()) {
      WMAP_TRY_VOID(AddInstances(listed, component, pod, plan));
      continue;
    }
    SubGroup sub{.name = listed.component};
    WMAP_TRY(Amount minimum, scale_.Subtree(component));
    if (minimum.value_or(0) == 0 && options_.compat) {
      return Fail(Code::kInvalid, Cat("the subgroup ", Quote(sub.name), " has no minimum"));
    }
    if (!minimum) {
      if (!scale_.HasScale(component)) {
        return Fail(Code::kNotDefined, Cat("the subgroup ", Quote(sub.name), " has no count"));
      }
      plan.Warn("unknown-scale",
                Cat("definition ", Quote(karta_.name), ": the object has no count of ",
                    Quote(sub.name), "; its minimum is 0"));
    }
    sub.min_member = minimum.value_or(0);
    if (listed.topology) {
      WMAP_TRY(sub.topology, TopologyOf(*listed.topology, Cat("subgroup ", Quote(sub.name))));
    }
    if (pod != nullptr && !plan.pod_sub_group) {
      WMAP_TRY(bool belongs, Belongs(*pod, component));
      if (belongs) plan.pod_sub_group = sub.name;
    }
    plan.sub_groups.push_back(std::move(sub));
  }
  plan.min_member.reset();
  plan.min_sub_group = static_cast<std::int64_t>(group.sub_groups.size());
  return {};
}

Result<void> DefinitionRule::AddInstances(const definition::SubGroup& listed, std::size_t component,
                                          const Value* pod, Plan& plan) {
  SubGroup parent{.name = listed.component};
  if (listed.topology) {
    WMAP_TRY(parent.topology, TopologyOf(*listed.topology, Cat("subgroup ", Quote(parent.name))));
  }
  std::optional<std::size_t> of_pod;
  if (pod != nullptr && !plan.pod_sub_group) {
    WMAP_TRY(bool belongs, Belongs(*pod, component));
    if (belongs) {
      WMAP_TRY(of_pod, InstanceOf(*pod, component));
    }
  }
  std::size_t at = plan.sub_groups.size();
  plan.sub_groups.push_back(std::move(parent));
  std::int64_t needed = 0;
  const std::vector<workload::PartInstance>& instances = parts_[component].instances;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    if (!scale_.Counts({component, i})) continue;
    WMAP_TRY(Amount minimum, scale_.Subtree(component, i));
    std::string whole = Cat(listed.component, '-', instances[i].id);
    SubGroup leaf{.name = FreeName(plan, whole, whole),
                  .parent = listed.component,
                  .min_member = minimum.value_or(0)};
    needed += *leaf.min_member > 0 ? 1 : 0;
    if (of_pod == i) plan.pod_sub_group = leaf.name;
    plan.sub_groups.push_back(std::move(leaf));
  }
  if (plan.sub_groups.size() == at + 1) {
    plan.sub_groups[at].min_member = 0;
  } else {
    plan.sub_groups[at].min_sub_group = needed;
  }
  return {};
}

// Depth: that of the tree of components, kept on a list.
Result<bool> DefinitionRule::Belongs(const Value& pod, std::size_t component) {
  std::vector<std::size_t> rest = {component};
  while (!rest.empty()) {
    std::size_t at = rest.back();
    rest.pop_back();
    WMAP_TRY(bool belongs, BelongsItself(pod, at));
    if (belongs) return true;
    const std::vector<std::size_t>& children = karta_.components[at].children;
    rest.insert(rest.end(), children.rbegin(), children.rend());
  }
  return false;
}

Result<bool> DefinitionRule::BelongsItself(const Value& pod, std::size_t component) {
  const Component& at = karta_.components[component];
  if (const definition::TypeSelector* selector = at.type_selector()) {
    return workload::Matches(*selector, pod, evaluation_);
  }
  if (options_.compat || !at.pod_selector || !at.pod_selector->instance_id) return false;
  Result<std::string> id = workload::ReadKey(at.pod_selector->instance_id, pod, evaluation_);
  return id && std::ranges::any_of(parts_[component].instances,
                                   [&](const auto& instance) { return instance.id == *id; });
}

// --- both forms -------------------------------------------------------------------------------

std::size_t DefinitionRule::IndexOf(std::string_view component) const {
  const Component* found = karta_.Find(component);
  return found == nullptr ? kNone : static_cast<std::size_t>(found - karta_.components.data());
}

bool DefinitionRule::IsBelow(std::size_t component, std::size_t above) const {
  while (component != Component::kNoParent) {
    if (component == above) return true;
    component = karta_.components[component].parent;
  }
  return false;
}

Result<std::optional<std::size_t>> DefinitionRule::ComponentOf(const Value& pod) {
  std::vector<std::size_t> bearing = karta_.PodBearing();
  if (options_.compat && bearing.size() == 1) return bearing.front();
  std::optional<std::size_t> rest;
  bool is_single = true;
  for (std::size_t i : bearing) {
    const definition::TypeSelector* selector = karta_.components[i].type_selector();
    if (selector != nullptr) {
      WMAP_TRY(bool matches, workload::Matches(*selector, pod, evaluation_));
      if (matches) return i;
    } else {
      is_single = !rest;
      if (!rest) rest = i;
    }
  }
  if (options_.compat) return std::optional<std::size_t>();
  for (std::size_t i : bearing) {
    WMAP_TRY(auto named, workload::FindByCandidates(parts_[i], pod, evaluation_));
    if (named) return i;
  }
  for (std::size_t i : bearing) {
    if (karta_.components[i].type_selector() != nullptr) continue;
    WMAP_TRY(bool belongs, BelongsItself(pod, i));
    if (belongs) return i;
  }
  return is_single ? rest : std::nullopt;
}

Result<std::optional<std::size_t>> DefinitionRule::InstanceOf(const Value& pod,
                                                              std::size_t component) {
  const Component& at = karta_.components[component];
  if (!options_.compat) {
    WMAP_TRY(auto named, workload::FindByCandidates(parts_[component], pod, evaluation_));
    if (named) return named;
  }
  if (!at.has_instances() || !at.pod_selector || !at.pod_selector->instance_id) {
    return std::optional<std::size_t>();
  }
  WMAP_TRY(std::string id, workload::ReadKey(at.pod_selector->instance_id, pod, evaluation_));
  const std::vector<workload::PartInstance>& instances = parts_[component].instances;
  std::optional<std::size_t> in_other_case;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    if (instances[i].id == id) return i;
    if (!options_.compat && ToLower(instances[i].id) == ToLower(id)) in_other_case = i;
  }
  if (in_other_case) return in_other_case;
  return Fail(Code::kUnknownInstance, Cat("the pod is of instance ", Quote(id), " of component ",
                                          Quote(at.name), ", which the object does not have"));
}

Result<std::optional<DefinitionRule::Place>> DefinitionRule::PlaceOf(const Value& pod) {
  WMAP_TRY(std::optional<std::size_t> component, ComponentOf(pod));
  if (!component) return std::optional<Place>();
  WMAP_TRY(std::optional<std::size_t> instance, InstanceOf(pod, *component));
  return Place{*component, instance};
}

Result<InstanceSet> DefinitionRule::SeenOf(std::span<const Value> pods) {
  InstanceSet seen;
  bool matters = !options_.compat && std::ranges::any_of(karta_.components, [](const auto& each) {
    return static_cast<bool>(each.created_later);
  });
  if (!matters) return seen;
  for (const Value& pod : pods) {
    std::string_view phase = pod.Get("status").Get("phase").text_or_empty();
    if (phase == "Succeeded" || phase == "Failed") continue;
    // A pod that cannot be placed shows nothing.
    Result<std::optional<Place>> place = PlaceOf(pod);
    if (place && *place) seen.insert({(*place)->component, (*place)->instance.value_or(0)});
  }
  return seen;
}

std::vector<InstanceIndex> DefinitionRule::RolesBelow(std::size_t component) const {
  std::vector<InstanceIndex> roles;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (!karta_.components[i].bears_pods() || !IsBelow(i, component)) continue;
    for (std::size_t j = 0; j < parts_[i].instances.size(); ++j) {
      if (scale_.Counts({i, j})) roles.emplace_back(i, j);
    }
  }
  return roles;
}

Result<Amount> DefinitionRule::OwnMinimum() {
  if (options_.compat || !karta_.minimum) return Amount();
  WMAP_TRY(auto result, evaluation_.First(karta_.minimum, evaluation_.object()));
  if (!result || !result->is_int() || result->as_int() < 0) return Amount();
  // What is finished, or not made yet, cannot be waited for.
  WMAP_TRY(Amount most, scale_.Subtree(0, std::nullopt, Scale::Kind::kMost));
  return most ? std::min(result->as_int(), *most) : result->as_int();
}

Result<void> DefinitionRule::SetMinimum(std::span<const std::size_t> tops,
                                        std::optional<std::size_t> instance, const Place* place,
                                        bool is_whole, Plan& plan) {
  Amount sum;
  for (std::size_t top : tops) {
    WMAP_TRY(Amount minimum, scale_.Subtree(top, instance));
    sum = Plus(sum, minimum);
  }
  if (!sum && !options_.compat) {
    plan.Warn("unknown-scale",
              Cat("definition ", Quote(karta_.name),
                  ": the object does not say how many pods there are; the ", "minimum is 0"));
  }
  plan.min_sub_group.reset();
  plan.min_member = sum.value_or(0);
  if (is_whole) {
    WMAP_TRY(Amount own, OwnMinimum());
    // A minimum of all roles together cannot be shared out among them.
    if (own && *own != plan.min_member) {
      plan.min_member = own;
      return {};
    }
  }
  if (options_.compat || !karta_.gang_by_role || instance) return {};
  return AddRoles(tops, place, plan);
}

Result<void> DefinitionRule::AddRoles(std::span<const std::size_t> tops, const Place* place,
                                      Plan& plan) {
  struct Role {
    InstanceIndex at;
    std::int64_t minimum;
    std::string name;
  };
  std::vector<Role> roles;
  for (std::size_t top : tops) {
    for (const InstanceIndex& at : RolesBelow(top)) {
      WMAP_TRY(Amount most, scale_.Subtree(at.first, at.second, Scale::Kind::kMost));
      WMAP_TRY(bool is_awaited, scale_.IsAwaited(at));
      // Nobody will ever be in it.
      if (most == 0 && !is_awaited) continue;
      WMAP_TRY(Amount minimum, scale_.InOneCopyOf(top, at));
      const std::string& id = parts_[at.first].instances[at.second].id;
      roles.push_back({at, minimum.value_or(0),
                       ToDnsLabel(id.empty() ? karta_.components[at.first].role_name() : id)});
    }
  }
  if (roles.size() < 2) return {};
  for (const Role& role : roles) {
    const std::string& component = karta_.components[role.at.first].name;
    std::string whole = Cat(component, '-', parts_[role.at.first].instances[role.at.second].id);
    bool is_only = std::ranges::count(roles, role.name, &Role::name) == 1;
    SubGroup sub{.name = FreeName(plan, is_only ? std::string_view(role.name) : whole, whole),
                 .min_member = role.minimum};
    if (place != nullptr && place->component == role.at.first &&
        place->instance.value_or(0) == role.at.second) {
      plan.pod_sub_group = sub.name;
    }
    plan.sub_groups.push_back(std::move(sub));
  }
  plan.min_member.reset();
  plan.min_sub_group = static_cast<std::int64_t>(roles.size());
  return {};
}

Result<void> DefinitionRule::Finish(Plan& plan) const {
  if (options_.compat) return {};
  plan.name = Shortened(std::move(plan.name));
  return CheckShape(plan);
}

}  // namespace wmap::gang
