#include "gang/scale.h"

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "workload/count.h"

namespace wmap::gang {
namespace {

using definition::Component;
using definition::Expression;
using json::Value;
using Amount = std::optional<std::int64_t>;

Amount Plus(const Amount& a, const Amount& b) {
  return a && b ? workload::SaturatingAdd(*a, *b) : a ? a : b;
}

// A count that is not given is left out.
Amount Times(const Amount& a, const Amount& b) {
  if (!a || !b) return a ? a : b;
  std::int64_t product = 0;
  if (__builtin_mul_overflow(*a, *b, &product)) return std::numeric_limits<std::int64_t>::max();
  return product;
}

bool HasCount(const Component& component) {
  return component.scale && (component.scale->replicas || component.scale->min_replicas ||
                             component.scale->max_replicas);
}

}  // namespace

bool Scale::HasScale(std::size_t component) const {
  std::vector<std::size_t> rest = {component};
  while (!rest.empty()) {
    const Component& at = *parts_[rest.back()].component;
    rest.pop_back();
    if (HasCount(at)) return true;
    rest.insert(rest.end(), at.children.begin(), at.children.end());
  }
  return false;
}

bool Scale::HasAnyScale() const {
  return std::ranges::any_of(parts_,
                             [](const workload::Part& part) { return HasCount(*part.component); });
}

bool Scale::Counts(InstanceIndex at) const {
  if (excluded_ != nullptr && excluded_->contains(at)) return false;
  return options_.compat || parts_[at.first].instances[at.second].exists;
}

bool Scale::IsIn(InstanceIndex at, std::optional<std::size_t> owner) const {
  if (!owner || options_.compat) return true;
  const std::optional<std::size_t>& mine = parts_[at.first].instances[at.second].owner;
  return !mine || *mine == *owner;
}

Result<bool> Scale::IsAwaited(InstanceIndex at) {
  const Component& component = *parts_[at.first].component;
  if (options_.compat || !component.created_later) return false;
  if (seen_ != nullptr && seen_->contains(at)) return false;
  if (created_later_.empty()) created_later_.resize(parts_.size());
  std::optional<std::vector<bool>>& later = created_later_[at.first];
  if (!later) {
    WMAP_TRY(later, ReadCreatedLater(at.first));
  }
  return (*later)[at.second];
}

Result<std::vector<bool>> Scale::ReadCreatedLater(std::size_t index) {
  const Component& component = *parts_[index].component;
  std::size_t count = parts_[index].instances.size();
  WMAP_TRY(auto results, evaluation_.All(component.created_later, evaluation_.object()));
  if (results.size() != 1 && results.size() != count) {
    return Fail(Code::kMismatch,
                Cat(workload::FieldName(component.created_later, component), " gives ",
                    results.size(), " values for ", count, " instances"));
  }
  std::vector<bool> later(count);
  for (std::size_t i = 0; i < count; ++i) {
    later[i] = results[results.size() == 1 ? 0 : i].is_truthy();
  }
  return later;
}

Result<std::vector<Amount>> Scale::ReadColumn(const Expression& expression,
                                              const Component& component, std::size_t count) {
  std::vector<Amount> column(count);
  // Iterating what is not there errs, and there is nothing to pair values with.
  if (!expression || (count == 0 && !options_.compat)) return column;
  WMAP_TRY(auto results, evaluation_.All(expression, evaluation_.object()));
  if (results.empty() && !component.has_instances() && !options_.compat) results.emplace_back();
  if (results.size() != count) {
    return Fail(Code::kMismatch,
                Cat(workload::FieldName(expression, component), " gives ", results.size(),
                    " values for ", count, count == 1 ? " instance" : " instances"));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Value& value = results[i];
    if (value.is_null()) continue;
    if (value.is_int()) {
      column[i] = value.as_int();
    } else if (value.is_number() && value.as_double() >= -2147483648.0 &&
               value.as_double() <= 2147483647.0 &&
               static_cast<double>(static_cast<std::int64_t>(value.as_double())) ==
                   value.as_double()) {
      column[i] = static_cast<std::int64_t>(value.as_double());
    } else {
      return Fail(Code::kConversion,
                  Cat(workload::FieldName(expression, component), " must be an integer, it is ",
                      value.is_number() ? "a fraction" : "a ",
                      value.is_number() ? "" : TypeName(value.type())));
    }
  }
  return column;
}

Result<Scale::Own> Scale::ReadOwn(std::size_t index, Kind kind) {
  const Component& component = *parts_[index].component;
  std::size_t count = parts_[index].instances.size();
  Own own{std::vector<Amount>(count)};
  if (!component.scale) return own;
  WMAP_TRY(auto replicas, ReadColumn(component.scale->replicas, component, count));
  WMAP_TRY(auto minimum, ReadColumn(component.scale->min_replicas, component, count));
  if (options_.compat) {
    // Only read, so that it can fail.
    WMAP_TRY(auto maximum, ReadColumn(component.scale->max_replicas, component, count));
  }
  std::vector<Amount> wanted(count);
  if (!options_.compat && component.wanted) {
    // What cannot be read says nothing; the reading of the workload tells of it.
    if (auto column = ReadColumn(component.wanted, component, count)) wanted = *std::move(column);
  }
  for (std::size_t i = 0; i < count; ++i) {
    bool has_minimum = kind == Kind::kMinimum && minimum[i].value_or(0) > 0;
    Amount& amount = own.amounts[i];
    amount = has_minimum ? minimum[i] : replicas[i];
    if (kind == Kind::kMost && !amount) amount = minimum[i];
    if (!amount) {
      if (minimum[i]) amount = 0;
    } else if (*amount < 0) {
      amount = options_.compat ? Amount(0) : std::nullopt;
    }
    if (options_.compat && amount == 0) amount.reset();
    if (amount && wanted[i] && *wanted[i] >= 0) amount = std::min(*amount, *wanted[i]);
  }
  return own;
}

Result<const Scale::Own*> Scale::OwnOf(std::size_t component, Kind kind) {
  std::optional<Own>& own = own_[static_cast<std::size_t>(kind)][component];
  if (!own) {
    WMAP_TRY(own, ReadOwn(component, kind));
  }
  return &*own;
}

Result<Amount> Scale::OwnAmount(InstanceIndex at, Kind kind) {
  WMAP_TRY(bool is_awaited, IsAwaited(at));
  if (is_awaited) return Amount(0);
  WMAP_TRY(const Own* own, OwnOf(at.first, kind));
  return own->amounts[at.second];
}

Result<Amount> Scale::OwnSum(std::size_t component, std::optional<std::size_t> owner, Kind kind) {
  WMAP_TRY(const Own* own, OwnOf(component, kind));
  Amount sum;
  std::size_t counted = 0;
  for (std::size_t i = 0; i < own->amounts.size(); ++i) {
    if (!Counts({component, i}) || !IsIn({component, i}, owner)) continue;
    ++counted;
    WMAP_TRY(Amount amount, OwnAmount({component, i}, kind));
    sum = Plus(sum, amount);
  }
  // Nothing of it is there.
  if (counted == 0 && !options_.compat) return Amount(0);
  return sum;
}

Result<Amount> Scale::WithChildren(std::size_t index, const Amount& own,
                                   std::optional<std::size_t> instance, Kind kind) {
  Amount multiplied;
  Amount flat;
  for (std::size_t child : parts_[index].component->children) {
    WMAP_TRY(Amount total, Total(child, std::nullopt, instance, kind));
    bool is_flat =
        !options_.compat && parts_[child].component->counts == definition::Counts::kWorkload;
    (is_flat ? flat : multiplied) = Plus(is_flat ? flat : multiplied, total);
  }
  if (flat && !multiplied) return flat;
  return Plus(Times(own, multiplied), flat);
}

// Recursion over the tree of components, whose size loading bounds.
Result<Amount> Scale::Total(std::size_t index, std::optional<std::size_t> only,
                            std::optional<std::size_t> owner, Kind kind) {
  const workload::Part& part = parts_[index];
  if (part.component->children.empty() && !only) return OwnSum(index, owner, kind);
  bool is_divided = std::ranges::any_of(part.component->children, [&](std::size_t child) {
    return parts_[child].is_divided && !options_.compat;
  });
  if (!is_divided && !only) {
    WMAP_TRY(Amount own, OwnSum(index, owner, kind));
    return WithChildren(index, own, std::nullopt, kind);
  }
  Amount sum;
  std::size_t counted = 0;
  for (std::size_t i = 0; i < part.instances.size(); ++i) {
    if (!Counts({index, i}) || !IsIn({index, i}, owner) || (only && *only != i)) continue;
    ++counted;
    WMAP_TRY(Amount own, OwnAmount({index, i}, kind));
    WMAP_TRY(Amount total,
             WithChildren(index, own, is_divided ? std::optional(i) : std::nullopt, kind));
    sum = Plus(sum, total);
  }
  if (counted == 0 && !options_.compat) return Amount(0);
  return sum;
}

Result<Amount> Scale::CountPodBearing(std::size_t index, std::optional<std::size_t> only) {
  const workload::Part& part = parts_[index];
  Amount sum;
  if (part.component->bears_pods()) {
    for (std::size_t i = 0; i < part.instances.size(); ++i) {
      if ((only && *only != i) || !Counts({index, i})) continue;
      WMAP_TRY(bool is_awaited, IsAwaited({index, i}));
      sum = Plus(sum, is_awaited ? 0 : 1);
    }
    return sum;
  }
  for (std::size_t child : part.component->children) {
    WMAP_TRY(Amount total, CountPodBearing(child, std::nullopt));
    sum = Plus(sum, total);
  }
  return sum;
}

Result<Amount> Scale::Subtree(std::size_t component, std::optional<std::size_t> instance,
                              Kind kind) {
  if (instance && *instance >= parts_[component].instances.size()) {
    return Fail(Code::kUnknownInstance, Cat("component ", Quote(parts_[component].component->name),
                                            " has no such instance"));
  }
  if (!HasAnyScale()) return CountPodBearing(component, instance);
  return Total(component, instance, std::nullopt, kind);
}

Result<Amount> Scale::InOneCopyOf(std::size_t above, InstanceIndex at) {
  if (!Counts(at)) return Amount(0);
  if (!HasAnyScale()) {
    WMAP_TRY(bool is_awaited, IsAwaited(at));
    return Amount(is_awaited ? 0 : 1);
  }
  WMAP_TRY(Amount product, OwnAmount(at, Kind::kMinimum));
  InstanceIndex below = at;
  while (below.first != above) {
    const Component& component = *parts_[below.first].component;
    std::size_t owner = component.parent;
    if (owner == Component::kNoParent || component.counts == definition::Counts::kWorkload) break;
    const std::optional<std::size_t>& in = parts_[below.first].instances[below.second].owner;
    Amount copies;
    if (in) {
      WMAP_TRY(copies, OwnAmount({owner, *in}, Kind::kMinimum));
    } else {
      WMAP_TRY(copies, OwnSum(owner, std::nullopt, Kind::kMinimum));
    }
    product = Times(product, copies);
    below = {owner, in.value_or(0)};
    if (parts_[owner].instances.empty()) break;
  }
  return product;
}

}  // namespace wmap::gang
