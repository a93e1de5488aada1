#include "gang/plan.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "workload/count.h"

namespace wmap::gang {
namespace {

using ByName = std::unordered_map<std::string_view, const SubGroup*>;

// Whether following parents comes to an end. `known_to_end` are names for which it does.
bool EndsAtGroup(const ByName& by_name, const SubGroup& sub,
                 std::unordered_set<std::string_view>& known_to_end) {
  std::vector<std::string_view> path;
  for (const SubGroup* at = &sub; !known_to_end.contains(at->name);) {
    if (path.size() > by_name.size()) return false;
    path.push_back(at->name);
    auto parent = by_name.find(at->parent);
    if (at->parent.empty() || parent == by_name.end()) break;
    at = parent->second;
  }
  known_to_end.insert(path.begin(), path.end());
  return true;
}

}  // namespace

const SubGroup* Plan::Find(std::string_view sub_group) const {
  auto at = std::ranges::find(sub_groups, sub_group, &SubGroup::name);
  return at == sub_groups.end() ? nullptr : &*at;
}

std::int64_t Plan::MinimumPods() const {
  if (sub_groups.empty()) return min_member.value_or(1);
  std::int64_t sum = 0;
  for (const SubGroup& sub : sub_groups) {
    sum = workload::SaturatingAdd(sum, sub.min_member.value_or(0));
  }
  return sum;
}

void SetText(Texts& texts, std::string_view key, std::string_view value) {
  auto at = std::ranges::lower_bound(
      texts, key, {}, [](const auto& text) -> std::string_view { return text.first; });
  if (at != texts.end() && at->first == key) {
    at->second = value;
  } else {
    texts.insert(at, {std::string(key), std::string(value)});
  }
}

const std::string* FindText(const Texts& texts, std::string_view key) {
  for (const auto& [name, value] : texts) {
    if (name == key) return &value;
  }
  return nullptr;
}

Result<void> CheckShape(const Plan& plan) {
  auto wrong = [](std::string what) { return Fail(Code::kInvalid, std::move(what)); };
  if (plan.min_member && plan.min_sub_group) {
    return wrong("the group has a minimum of pods and one of subgroups");
  }
  ByName by_name;
  std::unordered_set<std::string_view> parents;
  for (const SubGroup& sub : plan.sub_groups) {
    if (!by_name.emplace(sub.name, &sub).second) {
      return wrong(Cat("there are two of subgroup ", Quote(sub.name)));
    }
    parents.insert(sub.parent);
  }
  std::unordered_set<std::string_view> known_to_end;
  for (const SubGroup& sub : plan.sub_groups) {
    std::string name = Cat("subgroup ", Quote(sub.name));
    if (!sub.parent.empty() && !by_name.contains(sub.parent)) {
      return wrong(Cat("the parent ", Quote(sub.parent), " of ", name, " is not there"));
    }
    if (!EndsAtGroup(by_name, sub, known_to_end)) return wrong(Cat(name, " is its own ancestor"));
    bool is_parent = parents.contains(sub.name);
    if (is_parent && sub.min_member) {
      return wrong(Cat(name, " has children and a minimum of pods"));
    }
    if (!is_parent && sub.min_sub_group) {
      return wrong(Cat(name, " has a minimum of children and no children"));
    }
    if (!sub.min_member && !sub.min_sub_group) return wrong(Cat(name, " has no minimum"));
  }
  return {};
}

Result<void> CheckMinimums(const Plan& plan) {
  auto is_negative = [](const auto& each) {
    return each.min_member.value_or(0) < 0 || each.min_sub_group.value_or(0) < 0;
  };
  if (!is_negative(plan) && std::ranges::none_of(plan.sub_groups, is_negative)) return {};
  return Fail(Code::kInvalid, "a minimum is negative");
}

}  // namespace wmap::gang
