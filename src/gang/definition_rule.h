// The rule of definitions: groups by the `gangScheduling` instructions of a workload's definition.
//
// `podGroup`, the current form, makes one group of the whole workload, with subgroups if the
// definition names some (or asks for one per role, see docs/extensions.md). `podGroups`, the older
// form, makes a group for each combination of key values that its members' pods have. The current
// form goes before where both are there.
//
// A rule is made for one workload object and answers for any number of its pods, reading the object
// once. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "definition/karta.h"
#include "expr/evaluate.h"
#include "gang/plan.h"
#include "gang/scale.h"
#include "json/value.h"
#include "workload/evaluation.h"
#include "workload/parts.h"

namespace wmap::gang {

// The keys that made a group's name, which alone does not tell ("a-b", "c") from ("a", "b-c"): a
// JSON list of texts.
inline constexpr std::string_view kKeysAnnotation = "wmap.dev/group-keys";

// Whether the definition can be used: valid, and with instructions.
bool HasInstructions(const definition::Karta& karta);

// Groups of a workload that are alike.
struct GroupSet {
  // Without a name where only its pods tell it.
  Plan plan;
  std::string entry;              // the instructions' name of the group
  std::int64_t copies = 1;        // how many of them
  bool is_exact = true;           // false: there may be more, which only pods tell
  std::vector<std::size_t> pods;  // those at hand that are in it, by their indexes
};

// All groups of a workload, also those whose pods are not there yet.
struct WorkloadGroups {
  // False while the object is suspended, or over: no pod is wanted, and no group until it is.
  bool wants_pods = true;
  std::vector<GroupSet> groups;  // in the order of the instructions; named ones first
  // Pods at hand that start one by one, by their indexes.
  std::vector<std::size_t> loose_pods;
  std::vector<Warning> warnings;
};

class DefinitionRule {
 public:
  // Keeps references to all, which outlive it.
  DefinitionRule(const definition::Karta& karta, const json::Value& object,
                 expr::Evaluator& evaluator, const Options& options);

  // The group of `pod`. `base` has what all rules share; its name, minimum and subgroups are
  // replaced. `others` are pods of the workload that are at hand: what is created later is there
  // when they show it.
  //
  // Nothing: the pod belongs to no member, and starts on its own (kNotFound in compat).
  // Errors: expressions that fail, counts that are none, keys that the pod lacks, names that no
  // object can have, instructions that name what is not there. They say what is wrong with which
  // field of which definition.
  Result<std::optional<Plan>> PlanPod(const json::Value& pod, std::span<const json::Value> others,
                                      const Plan& base);

  Result<WorkloadGroups> PlanWorkload(std::span<const json::Value> pods, const Plan& base);
  // Whether the object's status lets pods be wanted.
  bool WantsPods();

 private:
  struct Place {
    std::size_t component;
    std::optional<std::size_t> instance;
  };
  struct Entry {
    std::size_t group;                      // index into pod_groups
    const definition::GroupMember* member;  // the pod's
    std::size_t component;                  // the member's
  };
  // Which instances the filters of an entry let pass.
  struct Passing {
    InstanceSet excluded;
    bool is_undecidable = false;
  };

  // Current form.
  Result<Plan> PlanGroup(const json::Value* pod, const InstanceSet& seen, const Plan& base);
  Result<void> AddListedSubGroups(const json::Value* pod, Plan& plan);
  Result<void> AddInstances(const definition::SubGroup& listed, std::size_t component,
                            const json::Value* pod, Plan& plan);
  Result<void> CheckListed(const definition::PodGroup& group) const;
  Result<bool> Belongs(const json::Value& pod, std::size_t component);
  Result<bool> BelongsItself(const json::Value& pod, std::size_t component);

  // Older form.
  Result<std::optional<Entry>> FindEntry(const json::Value& pod, const Place& place);
  Result<bool> Passes(const definition::GroupMember& member, const json::Value& pod);
  Result<std::vector<std::string>> KeysOf(const Entry& entry, const json::Value& pod);
  Result<void> NameGroup(const Entry& entry, std::span<const std::string> keys, Plan& plan);
  Result<void> SetGroupMinimum(const Entry& entry, const Place* place, const json::Value* pod,
                               const InstanceSet& seen, Plan& plan);
  // Without the pod's member: the first one of the group that has pods.
  Result<void> AddEntry(std::size_t group, std::span<const json::Value> pods,
                        std::span<const std::optional<Place>> places, const Plan& base,
                        std::vector<bool>& is_grouped, WorkloadGroups& to);
  std::vector<std::size_t> TopMembers(std::size_t group) const;
  bool HasFilters(std::size_t group) const;
  bool IsKeyedByInstance(const definition::GroupMember& member, std::size_t component) const;
  Passing PassingOf(std::size_t group, const json::Value* pod, const Place* place);
  json::Value PodOfTemplate(InstanceIndex at);
  std::int64_t CopiesOf(std::size_t component) const;

  // Both.
  void ExpectRoles();
  Result<std::optional<Place>> PlaceOf(const json::Value& pod);
  Result<std::optional<std::size_t>> ComponentOf(const json::Value& pod);
  Result<std::optional<std::size_t>> InstanceOf(const json::Value& pod, std::size_t component);
  Result<InstanceSet> SeenOf(std::span<const json::Value> pods);
  std::vector<InstanceIndex> RolesBelow(std::size_t component) const;
  Result<void> AddRoles(std::span<const std::size_t> tops, const Place* place, Plan& plan);
  // A minimum for the pods of `tops`, and subgroups where the definition wants one per role.
  Result<void> SetMinimum(std::span<const std::size_t> tops, std::optional<std::size_t> instance,
                          const Place* place, bool is_whole, Plan& plan);
  Result<std::optional<std::int64_t>> OwnMinimum();
  Result<void> Finish(Plan& plan) const;
  std::size_t IndexOf(std::string_view component) const;  // kNone when it is not there
  bool IsBelow(std::size_t component, std::size_t above) const;
  Error Named(Error error) const;

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  const definition::Karta& karta_;
  const Options& options_;
  workload::Evaluation evaluation_;
  std::vector<workload::Part> parts_;
  Scale scale_;
};

}  // namespace wmap::gang
