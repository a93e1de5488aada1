#include "workload/copies.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/text.h"

namespace wmap::workload {
namespace {

using definition::Component;
using definition::Counts;

// How many copies of the owner, or of one instance of it, there are in the workload.
struct Copies {
  Count desired;
  Count min;
  std::optional<Count> max = Count();

  void Add(const PartInstance& instance) {
    if (!instance.exists) return;
    desired += instance.desired;
    min += instance.min;
    if (max && instance.max) {
      *max += *instance.max;
    } else {
      max.reset();
    }
  }
};

Copies CopiesOf(const Part& part, std::optional<std::size_t> instance) {
  Copies copies;
  if (instance) {
    copies.Add(part.instances[*instance]);
  } else {
    for (const PartInstance& each : part.instances) copies.Add(each);
  }
  return copies;
}

Copies One() { return {Count::Exactly(1), Count::Exactly(1), Count::Exactly(1)}; }

std::optional<Count> Times(const std::optional<Count>& a, const std::optional<Count>& b) {
  if (a == Count() || b == Count()) return Count();
  if (!a || !b) return std::nullopt;
  return a->Times(*b);
}

// `count` without `n` of them; never less than nothing.
Count Without(const Count& count, std::int64_t n) {
  std::optional<std::int64_t> max = count.max();
  Count rest = Count::Between(count.min() - n, max ? std::optional(*max - n) : max);
  for (const std::string& name : count.unknown()) rest += Count::Unknown(name);
  return rest;
}

Count Smaller(const Count& count, std::int64_t n) {
  return Count::Between(std::min(count.min(), n), std::min(count.max().value_or(n), n));
}

std::optional<Count> Larger(const std::optional<Count>& count, std::int64_t n) {
  if (!count || !count->max()) return std::nullopt;
  return Count::Between(std::max(count->min(), n), std::max(*count->max(), n));
}

// What `children` of one kind say together, one number for each copy of the owner: a number beyond
// the bounds of the object is older than they are.
std::vector<ChildCount> Bounded(std::span<const ChildCount> children, const PartInstance& own) {
  std::vector<ChildCount> sums;
  std::vector<std::int64_t> largest;
  for (const ChildCount& child : children) {
    auto at = std::ranges::find(sums, child.copy, &ChildCount::copy);
    if (at == sums.end()) {
      sums.push_back(child);
      largest.push_back(child.replicas);
      continue;
    }
    at->replicas = SaturatingAdd(at->replicas, child.replicas);
    std::int64_t& most = largest[static_cast<std::size_t>(at - sums.begin())];
    if (child.replicas <= most) continue;
    most = child.replicas;
    at->name = child.name;
  }
  for (ChildCount& sum : sums) {
    if (own.max && own.max->max()) sum.replicas = std::min(sum.replicas, *own.max->max());
    sum.replicas = std::max(sum.replicas, own.min.min());
  }
  return sums;
}

void Multiply(PartInstance& instance, const Copies& copies) {
  instance.desired = instance.desired.Times(copies.desired);
  instance.wanted = instance.wanted.Times(copies.desired);
  instance.min = instance.min.Times(copies.min);
  instance.max = Times(instance.max, copies.max);
}

// One component: its part, as the object has it, and what is said of it elsewhere.
class Copier {
 public:
  Copier(const Component& component, Part& part, Evaluation& evaluation)
      : component_(component), part_(part), evaluation_(evaluation) {}

  void Link(const Part& owner) {
    if (component_.owner_instance && !part_.instances.empty()) ReadOwners(owner);
    bool any = std::ranges::any_of(owner.instances, &PartInstance::exists);
    for (PartInstance& instance : part_.instances) {
      // Nothing hangs below what is not there.
      instance.exists &= instance.owner ? owner.instances[*instance.owner].exists : any;
    }
  }

  // Without an owner for the root.
  void CountAll(const Part* owner, std::span<const ChildRef> children) {
    bool is_per_owner = owner != nullptr && component_.counts == Counts::kOwner;
    if (owner != nullptr && !is_per_owner) TellAmbiguity(*owner);
    ChildCounts counts = ReadChildCounts(component_, children, evaluation_);
    for (PartInstance& instance : part_.instances) {
      Copies copies = is_per_owner ? CopiesOf(*owner, instance.owner) : One();
      auto said = counts.find(instance.id);
      if (said == counts.end() || !instance.exists) {
        if (is_per_owner) MultiplyWith(instance, copies);
      } else if (said->second.front().scale->is_bounded) {
        Replace(instance, copies, Bounded(said->second, instance));
      } else {
        Replace(instance, copies, said->second);
      }
    }
    TellUnknown(counts);
  }

 private:
  // What no operator can count is as unreadable as a number of more than 32 bits.
  void MultiplyWith(PartInstance& instance, const Copies& copies) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    Count each = instance.desired;
    Multiply(instance, copies);
    if (instance.desired.min() <= kMost) return;
    evaluation_.Add(Severity::kError, "count",
                    Cat("component ", Quote(component_.name),
                        instance.id.empty() ? std::string() : Cat(", ", Quote(instance.id)), ": ",
                        each.text(), " in each of ", copies.desired.text(),
                        " copies of its owner are more than fit into 32 bits"));
    instance.desired = instance.wanted = instance.min =
        Count::Unknown(instance.id.empty() ? component_.role_name() : instance.id);
    instance.max = instance.desired;
  }

  void ReadOwners(const Part& owner) {
    auto ids = evaluation_.All(component_.owner_instance, evaluation_.object());
    if (!ids || ids->size() != part_.instances.size()) {
      std::string problem =
          ids ? Cat("gives ", ids->size(), " values for ", part_.instances.size(), " instances")
              : ids.error().Describe();
      evaluation_.Add(Severity::kWarning, "expression",
                      Cat(FieldName(component_.owner_instance, component_), ": ", problem));
      return;
    }
    part_.is_divided = true;
    for (std::size_t i = 0; i < ids->size(); ++i) {
      std::string_view id = (*ids)[i].text_or_empty();
      auto at = std::ranges::find(owner.instances, id, &PartInstance::id);
      if (at != owner.instances.end()) {
        part_.instances[i].owner = static_cast<std::size_t>(at - owner.instances.begin());
      } else if (!(*ids)[i].is_null()) {
        evaluation_.Add(Severity::kWarning, "owner-instance",
                        Cat(FieldName(component_.owner_instance, component_), ": ",
                            Quote(owner.component->name), " has no instance ", Quote(id)));
      }
    }
  }

  void TellAmbiguity(const Part& owner) {
    const Component& above = *owner.component;
    Count copies = CopiesOf(owner, std::nullopt).desired;
    if (component_.counts != Counts::kUnstated || !component_.bears_pods() || !above.scale ||
        !above.scale->replicas || copies == Count::Exactly(1)) {
      return;
    }
    evaluation_.Add(
        Severity::kInfo, "ambiguous-count",
        Cat("the definition does not say whether the replicas of component ",
            Quote(component_.name), " are per copy of ", Quote(above.name), " (", copies.text(),
            " of them) or for the whole workload; the latter is assumed. ",
            "The extension \"counts\" settles it"));
  }

  // The children's counts, and the object's own one for copies that have no child.
  void Replace(PartInstance& instance, const Copies& copies, std::span<const ChildCount> children) {
    const PartInstance own = instance;
    bool has_min = component_.scale && component_.scale->min_replicas;
    bool has_max = component_.scale && component_.scale->max_replicas;
    Count desired;
    Count min;
    std::optional<Count> max = Count();
    std::vector<std::int64_t> seen;
    std::int64_t with_child = 0;
    std::vector<const ChildCount*> different;
    for (const ChildCount& child : children) {
      if (child.copy) {
        // Of a copy that is going away.
        if (copies.desired.max() && *child.copy >= *copies.desired.max()) continue;
        if (std::ranges::find(seen, *child.copy) == seen.end()) {
          seen.push_back(*child.copy);
          ++with_child;
        }
      } else {
        ++with_child;
      }
      Count count = Count::Exactly(child.replicas);
      desired += count;
      min += has_min ? Smaller(own.min, child.replicas) : count;
      std::optional<Count> most = has_max ? Larger(own.max, child.replicas) : count;
      if (max && most) {
        *max += *most;
      } else {
        max.reset();
      }
      if (count != own.desired) different.push_back(&child);
    }
    Copies rest{Without(copies.desired, with_child), Without(copies.min, with_child), std::nullopt};
    if (copies.max) rest.max = Without(*copies.max, with_child);
    Multiply(instance, rest);
    instance.desired += desired;
    instance.min += min;
    if (instance.max && max) {
      *instance.max += *max;
    } else {
      instance.max.reset();
    }
    // A definition that says what is wanted says so of the object.
    instance.wanted = part_.wanted_is_reduced ? own.wanted.Times(copies.desired) : instance.desired;
    if (!different.empty()) Tell(own, different);
  }

  void Tell(const PartInstance& own, std::span<const ChildCount* const> different) {
    const ChildCount& first = *different.front();
    std::string others;
    if (different.size() > 1)
      others = Cat(" (and another number by ", different.size() - 1, " more)");
    evaluation_.Add(
        Severity::kInfo, "scale-from-child",
        Cat("component ", Quote(component_.name),
            own.id.empty() ? std::string() : Cat(", instance ", Quote(own.id)), ": ",
            first.replicas, first.replicas == 1 ? " replica by " : " replicas by ",
            first.scale->kind, ' ', first.name, others, ", the object says ", own.desired.text()));
  }

  void TellUnknown(const ChildCounts& counts) {
    for (const auto& [id, children] : counts) {
      if (std::ranges::find(part_.instances, id, &PartInstance::id) != part_.instances.end()) {
        continue;
      }
      evaluation_.AddForEach(
          "child-instance", component_.name,
          Cat(children.front().scale->kind, ' ', children.front().name, " is about instance ",
              Quote(id), " of component ", Quote(component_.name),
              ", which is not in the object; it is not counted"),
          "instance");
    }
  }

  const Component& component_;
  Part& part_;
  Evaluation& evaluation_;
};

}  // namespace

void CountCopies(std::span<const ChildRef> children, std::vector<Part>& parts,
                 Evaluation& evaluation) {
  const auto& components = evaluation.karta().components;
  Copier(components[0], parts[0], evaluation).CountAll(nullptr, children);
  std::vector<std::size_t> order = {0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t child : components[order[i]].children) {
      Copier copier(components[child], parts[child], evaluation);
      copier.Link(parts[order[i]]);
      copier.CountAll(&parts[order[i]], children);
      order.push_back(child);
    }
  }
}

}  // namespace wmap::workload
