// Scale: how many pods a part of a workload needs at the least, by the arithmetic of the format.
//
// What an instance needs is its minReplicas if that is above 0, else its replicas. A component is
// the sum of its instances. A component with children is its own count times the sum of theirs,
// since a child's count is per copy of its owner; a count that nobody gives is left out of the
// product. Where no component of a definition has a count at all, pod-bearing components count.
//
// Unlike the reference (Options::compat), 0 is a count and not the same as none; components that
// are not there need nothing; counts that the definition declares to be for the whole workload are
// not multiplied; instances that are divided among those of the owner are multiplied with those;
// what is finished or suspended on its own is not needed; and what is made only once others run is
// not needed before it is there.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "gang/plan.h"
#include "workload/evaluation.h"
#include "workload/parts.h"

namespace wmap::gang {

// An instance of a component, by their indexes.
using InstanceIndex = std::pair<std::size_t, std::size_t>;
using InstanceSet = std::set<InstanceIndex>;

class Scale {
 public:
  // What is asked: the fewest pods, or all that are asked for and not finished.
  enum class Kind { kMinimum, kMost };

  // Keeps references to all, which outlive it.
  Scale(workload::Evaluation& evaluation, std::span<const workload::Part> parts,
        const Options& options)
      : evaluation_(evaluation),
        parts_(parts),
        options_(options),
        own_{std::vector<std::optional<Own>>(parts.size()),
             std::vector<std::optional<Own>>(parts.size())} {}

  // Instances that have pods: what is created later is there.
  void set_seen(const InstanceSet* seen) { seen_ = seen; }
  // Instances that do not count.
  void set_excluded(const InstanceSet* excluded) { excluded_ = excluded; }

  // The pods of `component` and all below it, or of one instance of it; nothing = no count says.
  // Errors: an expression that fails, as many values as instances (kMismatch), a value that is no
  // integer (kConversion).
  Result<std::optional<std::int64_t>> Subtree(std::size_t component,
                                              std::optional<std::size_t> instance = std::nullopt,
                                              Kind kind = Kind::kMinimum);
  // The pods of one instance in one copy of `above`, an ancestor of `at.first` or itself.
  Result<std::optional<std::int64_t>> InOneCopyOf(std::size_t above, InstanceIndex at);

  // Whether any component of the subtree has a count.
  bool HasScale(std::size_t component) const;
  // Whether the instance is there and counts.
  bool Counts(InstanceIndex at) const;
  // Whether it is made later and not there yet.
  Result<bool> IsAwaited(InstanceIndex at);

 private:
  using Amount = std::optional<std::int64_t>;
  struct Own {
    std::vector<Amount> amounts;  // by instance; nothing = not said
  };

  Result<const Own*> OwnOf(std::size_t component, Kind kind);
  Result<Own> ReadOwn(std::size_t component, Kind kind);
  Result<std::vector<Amount>> ReadColumn(const definition::Expression& expression,
                                         const definition::Component& component, std::size_t count);
  Result<std::vector<bool>> ReadCreatedLater(std::size_t component);
  Result<Amount> OwnAmount(InstanceIndex at, Kind kind);
  // The sum over the instances that count, of those in `owner` when one is given.
  Result<Amount> OwnSum(std::size_t component, std::optional<std::size_t> owner, Kind kind);
  // `own` times what is below.
  Result<Amount> WithChildren(std::size_t component, const Amount& own,
                              std::optional<std::size_t> instance, Kind kind);
  Result<Amount> Total(std::size_t component, std::optional<std::size_t> only,
                       std::optional<std::size_t> owner, Kind kind);
  Result<Amount> CountPodBearing(std::size_t component, std::optional<std::size_t> only);
  bool IsIn(InstanceIndex at, std::optional<std::size_t> owner) const;
  bool HasAnyScale() const;

  workload::Evaluation& evaluation_;
  std::span<const workload::Part> parts_;
  const Options& options_;
  const InstanceSet* seen_ = nullptr;
  const InstanceSet* excluded_ = nullptr;
  std::vector<std::optional<Own>> own_[2];
  std::vector<std::optional<std::vector<bool>>> created_later_;
};

}  // namespace wmap::gang
