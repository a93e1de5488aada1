// The older form of the instructions, `podGroups`: members, filters and keys.
#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "gang/definition_rule.h"
#include "gang/names.h"
#include "json/writer.h"
#include "workload/pods.h"

namespace wmap::gang {
namespace {

using definition::Component;
using definition::GroupMember;
using definition::MemberGroup;
using json::Value;

std::string KeysText(std::span<const std::string> keys) {
  std::vector<Value> texts;
  for (const std::string& key : keys) texts.push_back(Value::String(key));
  return json::ToJson(Value::Array(texts));
}

}  // namespace

Result<std::optional<DefinitionRule::Entry>> DefinitionRule::FindEntry(const Value& pod,
                                                                       const Place& place) {
  const std::vector<MemberGroup>& groups = karta_.gang->pod_groups;
  for (std::size_t at = place.component; at != Component::kNoParent;
       at = karta_.components[at].parent) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      for (const GroupMember& member : groups[i].members) {
        if (IndexOf(member.component) != at) continue;
        WMAP_TRY(bool passes, Passes(member, pod));
        if (passes) return Entry{i, &member, at};
      }
    }
  }
  return std::optional<Entry>();
}

Result<bool> DefinitionRule::Passes(const GroupMember& member, const Value& pod) {
  for (const definition::Expression& filter : member.filters) {
    WMAP_TRY(auto results, evaluation_.All(filter, pod));
    bool says_something = results.size() == 1 && !results[0].is_null() &&
                          !(results[0].is_string() && results[0].size() == 0);
    if (!says_something && options_.compat) {
      return Fail(Code::kConversion,
                  Cat("the filter ", Quote(filter.text()), " gives nothing for the pod"));
    }
    if (!says_something || !results[0].is_true()) return false;
  }
  return true;
}

Result<std::vector<std::string>> DefinitionRule::KeysOf(const Entry& entry, const Value& pod) {
  std::vector<std::string> keys;
  for (const definition::Expression& path : entry.member->group_by) {
    Result<std::string> key = workload::ReadKey(path, pod, evaluation_);
    if (!key) {
      return Fail(std::move(key).error().In(
          Cat("group ", Quote(karta_.gang->pod_groups[entry.group].name), ", key")));
    }
    keys.push_back(*std::move(key));
  }
  return keys;
}

Result<void> DefinitionRule::NameGroup(const Entry& entry, std::span<const std::string> keys,
                                       Plan& plan) {
  const std::vector<MemberGroup>& groups = karta_.gang->pod_groups;
  plan.name = Cat("pg-", plan.owner.uid);
  if (keys.empty()) {
    std::ptrdiff_t keyless = std::ranges::count_if(groups, [](const MemberGroup& group) {
      return std::ranges::any_of(group.members,
                                 [](const GroupMember& member) { return member.group_by.empty(); });
    });
    if (options_.compat || keyless < 2) return {};
    CatTo(plan.name, '-', ToDnsLabel(groups[entry.group].name));
    return {};
  }
  for (const std::string& key : keys) CatTo(plan.name, '-', key);
  for (const std::string& key : keys) {
    if (IsDnsSubdomain(Cat("x-", key.substr(0, kLongestLabel)))) continue;
    return Fail(Code::kInvalid, Cat("group ", Quote(groups[entry.group].name), ": the key ",
                                    Quote(key), " cannot be a part of an object's name"));
  }
  if (!IsDnsSubdomain(options_.compat ? plan.name : Shortened(plan.name))) {
    return Fail(Code::kInvalid, Cat("group ", Quote(groups[entry.group].name), ": ",
                                    Quote(plan.name), " is no name that an object can have"));
  }
  if (!options_.compat && keys.size() > 1) {
    SetText(plan.annotations, kKeysAnnotation, KeysText(keys));
  }
  return {};
}

std::vector<std::size_t> DefinitionRule::TopMembers(std::size_t group) const {
  std::vector<std::size_t> tops;
  const std::vector<GroupMember>& members = karta_.gang->pod_groups[group].members;
  for (const GroupMember& member : members) {
    std::size_t mine = IndexOf(member.component);
    bool is_below = std::ranges::any_of(members, [&](const GroupMember& other) {
      std::size_t above = IndexOf(other.component);
      return above != mine && above != kNone && mine != kNone && IsBelow(mine, above);
    });
    if (mine != kNone && !is_below && std::ranges::find(tops, mine) == tops.end()) {
      tops.push_back(mine);
    }
  }
  return tops;
}

bool DefinitionRule::HasFilters(std::size_t group) const {
  return std::ranges::any_of(karta_.gang->pod_groups[group].members,
                             [](const GroupMember& member) { return !member.filters.empty(); });
}

bool DefinitionRule::IsKeyedByInstance(const GroupMember& member, std::size_t component) const {
  const Component& at = karta_.components[component];
  if (!at.has_instances() || !at.pod_selector || !at.pod_selector->instance_id) return false;
  return std::ranges::any_of(member.group_by, [&](const definition::Expression& key) {
    return key.text() == at.pod_selector->instance_id.text();
  });
}

Value DefinitionRule::PodOfTemplate(InstanceIndex at) {
  const workload::PartInstance& instance = parts_[at.first].instances[at.second];
  json::ObjectBuilder pod;
  pod.Add("metadata", instance.pod_metadata);
  pod.Add("spec", instance.pod_spec);
  return pod.Finish(evaluation_.arena());
}

DefinitionRule::Passing DefinitionRule::PassingOf(std::size_t group, const Value* pod,
                                                  const Place* place) {
  Passing passing;
  if (!HasFilters(group)) return passing;
  for (std::size_t top : TopMembers(group)) {
    for (const InstanceIndex& at : RolesBelow(top)) {
      Result<std::optional<Entry>> entry = FindEntry(PodOfTemplate(at), {at.first, at.second});
      passing.is_undecidable |= !entry;
      if (!entry || !*entry || (*entry)->group != group) passing.excluded.insert(at);
    }
  }
  // The pod passes: where its template does not, the filter reads what templates lack.
  if (pod != nullptr && place != nullptr) {
    passing.is_undecidable |=
        passing.excluded.contains({place->component, place->instance.value_or(0)});
  }
  return passing;
}

Result<void> DefinitionRule::SetGroupMinimum(const Entry& entry, const Place* place,
                                             const Value* pod, const InstanceSet& seen,
                                             Plan& plan) {
  scale_.set_seen(&seen);
  scale_.set_excluded(nullptr);
  std::optional<std::size_t> instance;
  if (place != nullptr && place->component == entry.component) instance = place->instance;
  if (options_.compat) return SetMinimum({&entry.component, 1}, instance, place, false, plan);
  std::vector<std::size_t> tops = TopMembers(entry.group);
  if (!instance || !IsKeyedByInstance(*entry.member, entry.component)) {
    instance.reset();
  } else {
    tops = {entry.component};
  }
  Passing passing = PassingOf(entry.group, pod, place);
  if (passing.is_undecidable) {
    plan.min_member = 1;
    plan.min_sub_group.reset();
    plan.Warn("undecidable-filter",
              Cat("definition ", Quote(karta_.name), ", group ",
                  Quote(karta_.gang->pod_groups[entry.group].name),
                  ": its filters read what pod templates lack, so how many pods pass is not ",
                  "known; the minimum is 1"));
    return {};
  }
  scale_.set_excluded(&passing.excluded);
  Result<void> done = SetMinimum(tops, instance, place, false, plan);
  scale_.set_excluded(nullptr);
  return done;
}

// Of a component with a count per copy of its owner there are as many groups as copies.
std::int64_t DefinitionRule::CopiesOf(std::size_t component) const {
  const Component& at = karta_.components[component];
  if (at.is_root() || at.counts != definition::Counts::kOwner) return 1;
  std::int64_t copies = 0;
  for (const workload::PartInstance& owner : parts_[at.parent].instances) {
    if (owner.exists) copies = workload::SaturatingAdd(copies, owner.desired.min());
  }
  return copies;
}

Result<void> DefinitionRule::AddEntry(std::size_t group, std::span<const Value> pods,
                                      std::span<const std::optional<Place>> places,
                                      const Plan& base, std::vector<bool>& is_grouped,
                                      WorkloadGroups& to) {
  struct Named {
    std::vector<std::string> keys;
    Entry entry;
    Plan plan;
    std::vector<std::size_t> pods;
  };
  std::vector<Named> named;
  std::map<std::string, std::size_t> by_name;
  Plan started = base;
  started.rule = Rule::kDefinition;
  started.rule_name = karta_.name;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if (!places[i] || is_grouped[i]) continue;
    auto add = [&]() -> Result<void> {
      WMAP_TRY(std::optional<Entry> entry, FindEntry(pods[i], *places[i]));
      if (!entry || entry->group != group) return {};
      is_grouped[i] = true;
      WMAP_TRY(std::vector<std::string> keys, KeysOf(*entry, pods[i]));
      Plan plan = started;
      WMAP_TRY_VOID(NameGroup(*entry, keys, plan));
      auto [at, is_new] = by_name.try_emplace(plan.name, named.size());
      if (is_new) {
        named.push_back({std::move(keys), *entry, std::move(plan), {i}});
        return {};
      }
      Named& same = named[at->second];
      if (same.keys != keys) {
        return Fail(Code::kInvalid, Cat("the keys ", KeysText(keys), " and ", KeysText(same.keys),
                                        " make one name, ", same.plan.name));
      }
      same.pods.push_back(i);
      return {};
    }();
    if (add) continue;
    is_grouped[i] = true;
    to.warnings.push_back({"pod", Cat("pod ", pods[i].Get("metadata").Get("name").text_or_empty(),
                                      ": ", add.error().Describe())});
  }
  const MemberGroup& instructions = karta_.gang->pod_groups[group];
  InstanceSet covered;
  for (Named& each : named) {
    std::vector<Value> own;
    for (std::size_t pod : each.pods) own.push_back(pods[pod]);
    const Place& place = *places[each.pods.front()];
    covered.insert({place.component, place.instance.value_or(0)});
    WMAP_TRY(InstanceSet seen, SeenOf(own));
    WMAP_TRY_VOID(SetGroupMinimum(each.entry, &place, &own.front(), seen, each.plan));
    each.plan.pod_sub_group.reset();
    WMAP_TRY_VOID(Finish(each.plan));
    to.groups.push_back({std::move(each.plan), instructions.name, 1, true, std::move(each.pods)});
  }
  // What is not there yet.
  Passing passing = PassingOf(group, nullptr, nullptr);
  std::vector<std::size_t> tops = TopMembers(group);
  std::int64_t copies = 0;
  bool is_exact = true;
  const InstanceSet none;
  auto add_unnamed = [&](const Entry& entry, const Place* place,
                         std::int64_t count) -> Result<void> {
    GroupSet set{started, instructions.name, count, is_exact, {}};
    set.plan.name.clear();
    if (entry.member->group_by.empty()) {
      WMAP_TRY_VOID(NameGroup(entry, {}, set.plan));
    }
    WMAP_TRY_VOID(SetGroupMinimum(entry, place, nullptr, none, set.plan));
    WMAP_TRY_VOID(Finish(set.plan));
    to.groups.push_back(std::move(set));
    return {};
  };
  for (std::size_t top : tops) {
    std::vector<InstanceIndex> roles = RolesBelow(top);
    std::erase_if(roles, [&](const InstanceIndex& at) { return passing.excluded.contains(at); });
    if (roles.empty()) continue;
    auto member = std::ranges::find_if(instructions.members, [&](const GroupMember& each) {
      return IndexOf(each.component) == top;
    });
    Entry entry{group, &*member, top};
    if (IsKeyedByInstance(*member, top)) {
      for (const InstanceIndex& at : roles) {
        Place place{at.first, at.second};
        if (at.first != top || covered.contains(at)) continue;
        WMAP_TRY_VOID(add_unnamed(entry, &place, 1));
      }
      copies = -1;
      continue;
    }
    if (copies < 0) continue;
    copies = std::max(copies, member->group_by.empty() ? 1 : CopiesOf(top));
    is_exact &= member->group_by.empty() || !karta_.components[top].is_root();
  }
  std::int64_t rest = copies - static_cast<std::int64_t>(named.size());
  if (rest <= 0 || tops.empty()) return {};
  auto first = std::ranges::find_if(instructions.members, [&](const GroupMember& each) {
    return IndexOf(each.component) == tops.front();
  });
  return add_unnamed({group, &*first, tops.front()}, nullptr, rest);
}

}  // namespace wmap::gang
