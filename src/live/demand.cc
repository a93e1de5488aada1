#include "live/demand.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/text.h"
#include "definition/api_version.h"

namespace wmap::live {
namespace {

using json::Value;
using kube::ApiType;
using kube::ListQuery;

// Whether the controller of a DaemonSet has counted its nodes, and there are none.
bool IsCountedNone(const Value& status) {
  Value desired = status.Get("desiredNumberScheduled");
  return status.Get("observedGeneration").is_int() && desired.is_int() && desired.as_int() == 0;
}

// Whether a member of this name stands anywhere in a value. The depth is that of what a server may
// send, which the reader bounds.
bool Mentions(const Value& value, std::string_view key) {
  if (value.is_array()) {
    return std::ranges::any_of(value.items(),
                               [&](const Value& item) { return Mentions(item, key); });
  }
  if (!value.is_object()) return false;
  return std::ranges::any_of(value.members(), [&](const json::Member& member) {
    return member.key == key || Mentions(member.value, key);
  });
}

}  // namespace

bool IsPod(const ApiType& type) { return type.group.empty() && type.kind == "Pod"; }

bool IsMostlyOwned(const ApiType& type) {
  return type.group == "apps" && type.kind == "ReplicaSet";
}

Demand::Demand(const kube::Discovery& discovery, const definition::Registry& registry,
               const Scope& scope)
    : discovery_(discovery), registry_(registry), scope_(scope) {}

ListQuery Demand::Query(const ApiType& type, bool metadata_only) {
  listed_.insert({type.group, type.kind});
  ListQuery query{.type = type};
  query.name_space = scope_.name_space;
  query.metadata_only = metadata_only;
  query.page_size = scope_.page_size;
  return query;
}

bool Demand::IsInScope(const ApiType& type) const {
  return type.can_list && (type.namespaced || scope_.name_space.empty());
}

// Each kind once: in a version that there is a definition for, and of these the one that the server
// prefers.
std::vector<const ApiType*> Demand::CoveredTypes(const kube::Discovery& discovery) const {
  std::map<Kind, const ApiType*> types;
  for (const definition::Listing& listing : registry_.List()) {
    if (!listing.in_force) continue;
    const auto& [group, version, kind] = listing.kind;
    const ApiType* type = discovery.Find(group, version, kind);
    const ApiType*& chosen = types[{group, kind}];
    if (type != nullptr && (chosen == nullptr || type->preferred)) chosen = type;
  }
  std::vector<const ApiType*> covered;
  for (auto& [kind, type] : types) {
    if (type == nullptr) type = discovery.Find(kind.group, "", kind.kind);
    if (type != nullptr && !IsPod(*type) && IsInScope(*type)) covered.push_back(type);
  }
  return covered;
}

std::vector<ListQuery> Demand::Covered() {
  std::vector<ListQuery> queries;
  for (const ApiType* type : CoveredTypes(discovery_)) {
    covered_.insert({type->group, type->kind});
    queries.push_back(Query(*type, IsMostlyOwned(*type) && scope_.purpose != Purpose::kAudit));
  }
  return queries;
}

bool Demand::IsPointedAt(const std::string& group, const std::string& kind) const {
  return pointed_at_.contains({group, kind}) || !covered_.contains({group, kind});
}

const std::vector<std::string>* Demand::NamesOf(const ApiType& type) const {
  auto named = std::ranges::find_if(scope_.named, [&](const Named& one) {
    return one.group == type.group && one.kind == type.kind;
  });
  return named == scope_.named.end() ? nullptr : &named->names;
}

bool Demand::Gains(const kube::Discovery& newer) const {
  std::set<std::string> known;
  for (const ApiType* type : CoveredTypes(discovery_)) known.insert(type->Path(""));
  return std::ranges::any_of(
             CoveredTypes(newer),
             [&](const ApiType* type) { return !known.contains(type->Path("")); }) ||
         std::ranges::any_of(unknown_, [&](const Kind& kind) {
           const ApiType* type = newer.Find(kind.group, "", kind.kind);
           return type != nullptr && type->can_list;
         });
}

std::vector<ListQuery> Demand::Pods() {
  std::vector<ListQuery> queries;
  AddKind({"", "Pod"}, queries);
  return queries;
}

void Demand::Note(const ApiType& type, const Value& object) {
  if (!IsPod(type)) seen_.insert({type.group, type.kind});
  Value owners = object.Get("metadata").Get("ownerReferences");
  if (owners.is_array()) {
    for (const Value& owner : owners.items()) {
      auto [group, version] = definition::SplitApiVersion(owner.Get("apiVersion").text_or_empty());
      Kind kind{std::string(group), std::string(owner.Get("kind").text_or_empty())};
      // Nodes own the pods that files on them describe; nothing is to be learnt of them.
      if (kind.group.empty() && kind.kind == "Node") continue;
      if (!pointed_at_.contains(kind)) pointed_at_.insert(kind);
      if (!listed_.contains(kind)) owners_.try_emplace(std::move(kind), version);
    }
  }
  mentions_claims_ = mentions_claims_ || Mentions(object.Get("spec"), "resourceClaims");
  if (scope_.purpose == Purpose::kReasons) NoteReasons(type, object);
}

// Only what something points at is asked for: whoever may not read queues is not told so where
// there are none to be read.
void Demand::NoteReasons(const ApiType& type, const Value& object) {
  auto want = [&](std::string_view group, std::initializer_list<std::string_view> kinds) {
    for (std::string_view kind : kinds) reasons_.insert({std::string(group), std::string(kind)});
  };
  Value metadata = object.Get("metadata");
  Value spec = object.Get("spec");
  if (metadata.Get("labels").Find("kueue.x-k8s.io/queue-name") != nullptr) {
    want("kueue.x-k8s.io", {"Workload", "LocalQueue", "ClusterQueue"});
  }
  if (type.group == "grove.io") want("scheduler.grove.io", {"PodGang"});
  if (type.group == "batch.volcano.sh") want("scheduling.volcano.sh", {"PodGroup", "Queue"});
  if (type.group.empty() && type.kind == "Event") {
    if (object.Get("message").text_or_empty().find("exceeded quota") != std::string_view::npos) {
      want("", {"ResourceQuota"});
    }
    if (object.Get("reason").text_or_empty() == "NodeNotReady") want("", {"Node"});
    return;
  }
  // One that wants no pod finds no node to its liking.
  if (type.group == "apps" && type.kind == "DaemonSet" && IsCountedNone(object.Get("status"))) {
    want("", {"Node"});
  }
  if (!IsPod(type)) return;
  Value annotations = metadata.Get("annotations");
  Value labels = metadata.Get("labels");
  if (annotations.Find("pod-group-name") != nullptr) {
    want("scheduling.run.ai", {"PodGroup", "Queue"});
  }
  if (annotations.Find("scheduling.k8s.io/group-name") != nullptr ||
      annotations.Find("scheduling.volcano.sh/group-name") != nullptr) {
    want("scheduling.volcano.sh", {"PodGroup", "Queue"});
  }
  if (labels.Find("scheduling.x-k8s.io/pod-group") != nullptr) {
    want("scheduling.x-k8s.io", {"PodGroup"});
  }
  if (spec.Find("schedulingGroup") != nullptr || spec.Find("workloadRef") != nullptr) {
    want("scheduling.k8s.io", {"PodGroup", "Workload"});
  }
  if (object.Get("status").Get("phase").text_or_empty() != "Pending") return;
  // Of a pod that no kubelet has taken up the node may not be there.
  bool is_taken_up = !object.Get("status").Get("startTime").is_null();
  if (spec.Get("nodeName").text_or_empty().empty() || !is_taken_up) want("", {"Node"});
  if (Mentions(spec.Get("volumes"), "persistentVolumeClaim")) want("", {"PersistentVolumeClaim"});
}

void Demand::AddReasons(std::vector<ListQuery>& queries) {
  for (const Kind& kind : std::exchange(reasons_, {})) AddKind(kind, queries);
}

std::vector<ListQuery> Demand::Next() {
  std::vector<ListQuery> queries;
  AddOwners(queries);
  AddReadByDefinitions(queries);
  if (mentions_claims_) {
    for (const char* kind : {"ResourceClaim", "ResourceClaimTemplate", "DeviceClass"}) {
      AddKind({"resource.k8s.io", kind}, queries);
    }
  }
  if (scope_.purpose == Purpose::kEvents || scope_.purpose == Purpose::kReasons) {
    AddKind({"", "Event"}, queries);
  }
  if (scope_.purpose == Purpose::kAudit && scope_.name_space.empty()) {
    AddKind({"", "Node"}, queries);
  }
  AddReasons(queries);
  return queries;
}

void Demand::AddKind(const Kind& kind, std::vector<ListQuery>& queries) {
  const ApiType* type = discovery_.Find(kind.group, "", kind.kind);
  if (type == nullptr) unknown_.insert(kind);
  if (type != nullptr && type->can_list && !listed_.contains(kind)) queries.push_back(Query(*type));
}

void Demand::AddOwners(std::vector<ListQuery>& queries) {
  for (const auto& [kind, version] : std::exchange(owners_, {})) {
    if (!listed_.insert(kind).second) continue;
    const ApiType* type = discovery_.Find(kind.group, version, kind.kind);
    if (type == nullptr) type = discovery_.Find(kind.group, "", kind.kind);
    if (type == nullptr) unknown_.insert(kind);
    if (type == nullptr || !type->can_list) continue;
    bool is_whole = scope_.purpose == Purpose::kAudit || scope_.purpose == Purpose::kReasons ||
                    registry_.ReadsChild(kind.group, kind.kind);
    queries.push_back(Query(*type, !is_whole));
  }
}

void Demand::AddReadByDefinitions(std::vector<ListQuery>& queries) {
  for (const Kind& kind : std::exchange(seen_, {})) {
    if (!asked_.insert(kind).second) continue;
    definition::Match match = registry_.Find(kind.group, "", kind.kind);
    if (!match) continue;
    for (const definition::ObjectRead& read : match.karta->objects) {
      AddKind({read.group, read.kind}, queries);
    }
    for (const definition::Component& component : match.karta->components) {
      for (const definition::ChildScale& scale : component.child_scales) {
        AddKind({scale.group, scale.kind}, queries);
      }
    }
  }
}

}  // namespace wmap::live
