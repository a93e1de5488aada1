// Plan: which group a pod is scheduled in, in words that no particular scheduler owns: identity,
// minimums, the tree of subgroups, queue, priority and placement. Writers turn plans into the
// objects of one scheduler. Plain data.
//
// A minimum counts pods (of a group without subgroups, and of a leaf) or satisfied children (of a
// group with subgroups, and of a parent): exactly one of the two is set. Pods above a minimum are
// elastic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace wmap::gang {

// How groups are made.
struct Options {
  // As the reference does it, also where that is wrong: for comparing the two.
  bool compat = false;
  // Subgroups with instances are divided by instance, also where the definition does not ask for
  // it. Never with `compat`.
  bool expand_instances = false;
  // Pods of this scheduler are grouped.
  std::string scheduler_name = "kai-scheduler";
  std::string queue_label = "kai.scheduler/queue";
  std::string default_queue = "default-queue";
  std::string node_pool_label = "kai.scheduler/node-pool";
  // Definitions where there is no native rule.
  bool use_definitions = true;
  // Pods of a Knative revision are a gang, and not one by one.
  bool knative_gangs = true;
  // Groups of Jobs may have the names that they had earlier.
  bool old_job_names = true;
};

struct Topology {
  std::string name;
  std::string required;   // level; "" = none
  std::string preferred;  // level; "" = none

  bool empty() const { return name.empty() && required.empty() && preferred.empty(); }
  friend bool operator==(const Topology&, const Topology&) = default;
};

struct SubGroup {
  std::string name;
  std::string parent = {};  // "" = the group itself
  std::optional<std::int64_t> min_member = {};
  std::optional<std::int64_t> min_sub_group = {};
  Topology topology = {};
};

struct GroupOwner {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
};

// What a person should know of a plan that was made. `code` is stable.
struct Warning {
  std::string code;
  std::string message;
};

// Where a plan comes from.
enum class Rule : std::uint8_t { kDefault, kDefinition, kNative };

using Texts = std::vector<std::pair<std::string, std::string>>;  // ascending by key

struct Plan {
  Rule rule = Rule::kDefault;
  std::string rule_name;  // of a native rule, or of the definition
  std::string name_space;
  std::string name;
  GroupOwner owner;
  Texts labels;
  Texts annotations;
  std::string queue;
  std::string priority_class;
  std::string preemptibility;  // "preemptible", "non-preemptible" or "" = by priority
  std::string preemption_delay;
  std::string staleness_grace;
  std::optional<std::int64_t> min_member;
  std::optional<std::int64_t> min_sub_group;
  Topology topology;
  std::vector<SubGroup> sub_groups;
  std::optional<std::string> pod_sub_group;  // nothing = the pod is in none of them
  std::vector<Warning> warnings;

  void Warn(std::string_view code, std::string message) {
    warnings.push_back({std::string(code), std::move(message)});
  }
  const SubGroup* Find(std::string_view sub_group) const;
  // The fewest pods that start: the sum over the leaves, or the group's own minimum. Where fewer
  // children than there are suffice, all of them are counted.
  std::int64_t MinimumPods() const;
};

// Sets or replaces a text, keeping the order.
void SetText(Texts& texts, std::string_view key, std::string_view value);
// The text of `key`, or nullptr.
const std::string* FindText(const Texts& texts, std::string_view key);

// Refuses (kInvalid) what a scheduler would refuse to create: both kinds of minimum, a name twice,
// a parent that is not there, a cycle, a leaf that counts children, a parent that counts pods.
Result<void> CheckShape(const Plan& plan);
// Refuses negative minimums, which no scheduler takes.
Result<void> CheckMinimums(const Plan& plan);

}  // namespace wmap::gang
