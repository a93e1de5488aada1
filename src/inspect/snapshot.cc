#include "inspect/snapshot.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "inspect/snapshot_builder.h"
#include "json/writer.h"

namespace wmap::inspect {
namespace {

using json::Value;
using workload::Diagnostic;
using workload::Severity;

std::string Text(const Value& value) { return std::string(value.text_or_empty()); }

std::string_view GroupOf(std::string_view api_version) {
  std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

// A kind of Kubernetes itself: no definition that comes later will cover it.
bool IsBuiltinGroup(std::string_view group) {
  if (group.find('.') == std::string_view::npos) return true;
  return group.ends_with(".k8s.io") && !group.ends_with(".x-k8s.io");
}

// Resource versions are compared as the numbers that they are in practice.
bool IsNewer(std::string_view version, std::string_view than) {
  return std::tuple(version.size(), version) > std::tuple(than.size(), than);
}

// By uid; without one, by kind, namespace and name; "" when there is neither.
std::string Identity(std::string_view uid, std::string_view api_version, std::string_view kind,
                     std::string_view name_space, std::string_view name) {
  if (!uid.empty()) return std::string(uid);
  if (name.empty()) return {};
  return NameKey(api_version, kind, name_space, name);
}

}  // namespace

std::string NameKey(std::string_view api_version, std::string_view kind,
                    std::string_view name_space, std::string_view name) {
  return Cat(GroupOf(api_version), '/', kind, '/', name_space, '/', name);
}

Snapshot::Snapshot(const definition::Registry& registry,
                   const workload::AcceleratorTable& accelerators)
    : registry_(registry), accelerators_(accelerators), keeper_(registry) {}
Snapshot::~Snapshot() = default;

void Snapshot::Add(const Value& object, std::string_view source) {
  Value kind = object.Get("kind");
  Value api_version = object.Get("apiVersion");
  if (!kind.is_string() || !api_version.is_string() || !object.Get("metadata").is_object()) {
    AddProblem(
        {Severity::kWarning, "not-an-object",
         "not a Kubernetes object: apiVersion, kind or metadata is missing", std::string(source)},
        false);
    return;
  }
  ++objects_;
  std::string_view group = GroupOf(api_version.as_string());
  if (kind.as_string() == "Pod" && api_version.as_string() == "v1") {
    AddPod(object, source);
  } else if (kind.as_string() == "Event" && (group.empty() || group == "events.k8s.io")) {
    AddEvent(object);
  } else if (workload::ClaimTable::Takes(api_version.as_string(), kind.as_string())) {
    claims_.Add(object);
  } else {
    AddRecord(object, source);
  }
}

void Snapshot::AddProblem(Diagnostic problem, bool loses_data) {
  problems_.push_back(std::move(problem));
  if (loses_data) complete_ = false;
}

void Snapshot::AddPod(const Value& object, std::string_view source) {
  workload::PodFacts facts = workload::ReadPod(object, accelerators_);
  std::string version = Text(object.Get("metadata").Get("resourceVersion"));
  std::string identity = Identity(facts.uid, "v1", "Pod", facts.name_space,
                                  object.Get("metadata").Get("name").text_or_empty());
  using Need = ManifestKeeper::Need;
  Need need = facts.owner.empty()                       ? Need::kAll
              : record_index_.contains(facts.owner.uid) ? Need::kSelectors
                                                        : Need::kLabels;
  PodRecord record{std::move(facts), std::move(version), std::string(source),
                   keeper_.Keep(object, need)};
  if (identity.empty()) {
    pods_.push_back(std::move(record));
    return;
  }
  auto [at, is_new] = pod_index_.try_emplace(std::move(identity), pods_.size());
  if (is_new) {
    pods_.push_back(std::move(record));
  } else if (IsNewer(record.resource_version, pods_[at->second].resource_version)) {
    pods_[at->second] = std::move(record);
  }
}

void Snapshot::AddRecord(const Value& object, std::string_view source) {
  Value metadata = object.Get("metadata");
  Record record;
  record.api_version = Text(object.Get("apiVersion"));
  record.kind = Text(object.Get("kind"));
  record.name_space = Text(metadata.Get("namespace"));
  record.name = Text(metadata.Get("name"));
  record.uid = Text(metadata.Get("uid"));
  record.resource_version = Text(metadata.Get("resourceVersion"));
  record.owner = workload::ControllerOf(metadata);
  record.created = workload::ParseTime(metadata.Get("creationTimestamp").text_or_empty());
  record.source = std::string(source);
  std::string_view group = GroupOf(record.api_version);
  if (registry_.Covers(group, record.kind) || !IsBuiltinGroup(group)) {
    json::Write(object, record.text);
    record.text.shrink_to_fit();
  }
  std::string identity =
      Identity(record.uid, record.api_version, record.kind, record.name_space, record.name);
  if (identity.empty()) {
    records_.push_back(std::move(record));
    return;
  }
  auto [at, is_new] = record_index_.try_emplace(std::move(identity), records_.size());
  if (is_new) {
    records_.push_back(std::move(record));
  } else if (IsNewer(record.resource_version, records_[at->second].resource_version)) {
    records_[at->second] = std::move(record);
  }
}

void Snapshot::AddEvent(const Value& object) {
  Value about = object.Get("involvedObject");
  if (!about.is_object()) about = object.Get("regarding");
  std::string_view uid = about.Get("uid").text_or_empty();
  if (uid.empty()) return;
  Value metadata = object.Get("metadata");
  std::string identity =
      Identity(metadata.Get("uid").text_or_empty(), "v1", "Event",
               metadata.Get("namespace").text_or_empty(), metadata.Get("name").text_or_empty());
  if (!identity.empty() && !event_ids_.insert(std::move(identity)).second) return;
  workload::Event event;
  event.type = Text(object.Get("type"));
  event.reason = Text(object.Get("reason"));
  event.object = Cat(about.Get("kind").text_or_empty(), '/', about.Get("name").text_or_empty());
  Value message = object.Get("message");
  event.message = Text(message.is_string() ? message : object.Get("note"));
  Value series = object.Get("series");
  for (const Value& count :
       {object.Get("count"), series.Get("count"), object.Get("deprecatedCount")}) {
    if (count.is_int()) event.count = std::max(event.count, count.as_int());
  }
  for (const Value& time : {object.Get("lastTimestamp"), series.Get("lastObservedTime"),
                            object.Get("deprecatedLastTimestamp"), object.Get("eventTime"),
                            object.Get("firstTimestamp")}) {
    event.last_seen = std::max(event.last_seen, workload::ParseTime(time.text_or_empty()));
  }
  events_[std::string(uid)].push_back(std::move(event));
}

Report Snapshot::Build() { return Builder(*this).Build(); }

}  // namespace wmap::inspect
