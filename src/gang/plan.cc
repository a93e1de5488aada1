#include "gang/plan.h"

#include <algorithm>

#include "base/text.h"
#include "workload/count.h"

namespace wmap::gang {
namespace {

bool HasChildren(const Plan& plan, std::string_view name) {
  return std::ranges::any_of(plan.sub_groups,
                             [&](const SubGroup& sub) { return sub.parent == name; });
}

// Whether following parents comes to an end.
bool EndsAtGroup(const Plan& plan, const SubGroup& sub) {
  const SubGroup* at = &sub;
  for (std::size_t hops = 0; hops <= plan.sub_groups.size(); ++hops) {
    if (at->parent.empty()) return true;
    at = plan.Find(at->parent);
    if (at == nullptr) return true;  // told as a missing parent
  }
  return false;
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
  for (std::size_t i = 0; i < plan.sub_groups.size(); ++i) {
    const SubGroup& sub = plan.sub_groups[i];
    std::string name = Cat("subgroup ", Quote(sub.name));
    for (std::size_t j = 0; j < i; ++j) {
      if (plan.sub_groups[j].name == sub.name) return wrong(Cat("there are two of ", name));
    }
    if (!sub.parent.empty() && plan.Find(sub.parent) == nullptr) {
      return wrong(Cat("the parent ", Quote(sub.parent), " of ", name, " is not there"));
    }
    if (!EndsAtGroup(plan, sub)) return wrong(Cat(name, " is its own ancestor"));
    if (HasChildren(plan, sub.name) ? sub.min_member.has_value() : sub.min_sub_group.has_value()) {
      return wrong(sub.min_member ? Cat(name, " has children and a minimum of pods")
                                  : Cat(name, " has a minimum of children and no children"));
    }
    if (!sub.min_member && !sub.min_sub_group) return wrong(Cat(name, " has no minimum"));
  }
  return {};
}

}  // namespace wmap::gang
