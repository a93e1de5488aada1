// Subject: what a rule groups: a pod, the object on top of its owners, and what lies between. And
// what all rules share: the metadata of a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "gang/cluster.h"
#include "gang/plan.h"
#include "json/value.h"

namespace wmap::gang {

struct Subject {
  json::Value pod;
  // The object that is grouped, in full: the pod itself where nothing owns it.
  json::Value top;
  // The pod's owner, its owner, and so on to `top`; apiVersion, kind and metadata. Empty where the
  // pod is on top.
  std::vector<json::Value> chain;
  // Objects above `top` that only wrap it, nearest first. Their labels and annotations are in `top`
  // already, where it has none of its own.
  std::vector<json::Value> wrappers;
  // `top` without them.
  json::Value bare_top;
  Cluster* cluster = nullptr;
  const Options* options = nullptr;
  Arena* arena = nullptr;

  std::string_view name_space() const;
};

inline constexpr std::string_view kPriorityLabel = "priorityClassName";
inline constexpr std::string_view kTopologyAnnotation = "kai.scheduler/topology";
inline constexpr std::string_view kRequiredAnnotation = "kai.scheduler/topology-required-placement";
inline constexpr std::string_view kPreferredAnnotation =
    "kai.scheduler/topology-preferred-placement";
inline constexpr std::string_view kMinimumAnnotation = "kai.scheduler/batch-min-member";
inline constexpr std::string_view kSegmentAnnotation = "kai.scheduler/segment-size";

// The text of a label or an annotation of an object; "" when it has none.
std::string_view Label(const json::Value& object, std::string_view key);
std::string_view Annotation(const json::Value& object, std::string_view key);
// An int64 of a decimal text.
std::optional<std::int64_t> ToInteger(std::string_view text);
// The value at a path of keys, null where there is none: At(object, {"spec", "replicas"}).
json::Value At(const json::Value& value, std::initializer_list<std::string_view> keys);
std::string_view UidOf(const json::Value& object);
std::string_view NameOf(const json::Value& object);
definition::GroupVersionKind KindOf(const json::Value& object);
GroupOwner OwnerOf(const json::Value& object);
// "pg-NAME-UID" of an object.
std::string GroupName(const json::Value& object);

// How a rule's plans start.
struct Start {
  // The priority class where nobody says one: "train", "inference" or "build".
  std::string_view priority = "train";
  // Priority and preemptibility are looked for in the whole chain, not on top alone.
  bool whole_chain = false;
};
// A plan of one pod with all that does not depend on the kind: names, labels, annotations, queue,
// priority, preemptibility, durations, topology.
Plan StartPlan(const Subject& subject, const Start& start = {});

// Topology from the three annotations of an object. A level without a name is an error for those
// that ask for it, no topology for others.
Result<Topology> TopologyOf(const json::Value& annotated, bool needs_name);

// The group of that name, if it is there.
std::optional<json::Value> FindGroup(const Subject& subject, std::string_view name);
// Whether a group object has no subgroups.
bool IsFlat(const json::Value& group);

// Takes over what is written once and never corrected: the queue, and the topology where the plan
// has none, of the group that exists already.
void TakeOver(const json::Value& existing, const Options& options, Plan& plan);

}  // namespace wmap::gang
