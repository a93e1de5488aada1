#include "inspect/snapshot.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "definition/api_version.h"
#include "inspect/snapshot_builder.h"
#include "json/writer.h"

namespace wmap::inspect {
namespace {

using definition::GroupOf;
using json::Value;
using workload::Diagnostic;
using workload::Severity;

std::string Text(const Value& value) { return std::string(value.text_or_empty()); }

}  // namespace

std::string NameKey(std::string_view api_version, std::string_view kind,
                    std::string_view name_space, std::string_view name) {
  return Cat(GroupOf(api_version), '/', kind, '/', name_space, '/', name);
}

bool IsNewer(std::string_view version, std::string_view than) {
  return std::tuple(version.size(), version) > std::tuple(than.size(), than);
}

Snapshot::Snapshot(const definition::Registry& registry,
                   const workload::AcceleratorTable& accelerators)
    : registry_(registry), accelerators_(accelerators), keeper_(registry) {}
Snapshot::~Snapshot() = default;

void Snapshot::Add(const Value& object, const input::Source& source) {
  Value kind = object.Get("kind");
  Value api_version = object.Get("apiVersion");
  Value metadata = object.Get("metadata");
  if (!kind.is_string() || !api_version.is_string() || !metadata.is_object()) {
    AddProblem(
        {Severity::kWarning, "not-an-object",
         "not a Kubernetes object: apiVersion, kind or metadata is missing", source.Describe()},
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

std::string_view Snapshot::Identity(std::string_view uid, const Value& object) {
  if (!uid.empty()) return uid;
  Value metadata = object.Get("metadata");
  std::string_view name = metadata.Get("name").text_or_empty();
  if (name.empty()) return {};
  return texts_.Keep(NameKey(object.Get("apiVersion").text_or_empty(),
                             object.Get("kind").text_or_empty(),
                             metadata.Get("namespace").text_or_empty(), name));
}

void Snapshot::TellWrongTypes(const Value& metadata, const input::Source& source) {
  for (std::string_view field : {"name", "namespace", "uid"}) {
    Value value = metadata.Get(field);
    if (value.is_null() || value.is_string()) continue;
    AddProblem({Severity::kWarning, "wrong-type",
                Cat("metadata.", field, " is a ", TypeName(value.type()),
                    " and taken as absent; as a text it stands in quotes"),
                source.Describe()},
               false);
  }
}

void Snapshot::AddPod(const Value& object, const input::Source& source) {
  workload::PodFacts facts = workload::ReadPod(object, accelerators_, texts_);
  Value metadata = object.Get("metadata");
  if (facts.name.empty() || facts.name_space.empty() || facts.uid.empty()) {
    TellWrongTypes(metadata, source);
  }
  std::string_view version = metadata.Get("resourceVersion").text_or_empty();
  using Need = ManifestKeeper::Need;
  Need need = facts.owner.empty() || wants_groups_ || wants_sources_ ? Need::kAll
              : FindRecord(facts.owner.uid) != kNone                 ? Need::kSelectors
                                                                     : Need::kLabels;
  pods_.push_back({Identity(facts.uid, object), texts_.Keep(version), Kept(source),
                   keeper_.Keep(object, need, manifests_)});
  facts_.push_back(std::move(facts));
}

std::size_t Snapshot::FindRecord(std::string_view uid) const {
  if (last_answer_.uid != uid || last_answer_.index_size != record_index_.size()) {
    auto at = record_index_.find(uid);
    last_answer_ = {uid, at == record_index_.end() ? kNone : at->second, record_index_.size()};
  }
  return last_answer_.number;
}

input::Source Snapshot::Kept(const input::Source& source) {
  input::Source kept = source;
  kept.file = texts_.Share(source.file);
  return kept;
}

void Snapshot::AddRecord(const Value& object, const input::Source& source) {
  Value metadata = object.Get("metadata");
  Record record;
  record.uid = texts_.Keep(metadata.Get("uid").text_or_empty());
  record.resource_version = texts_.Keep(metadata.Get("resourceVersion").text_or_empty());
  record.api_version = texts_.Share(object.Get("apiVersion").text_or_empty());
  record.kind = texts_.Share(object.Get("kind").text_or_empty());
  record.name_space = texts_.Share(metadata.Get("namespace").text_or_empty());
  record.name = texts_.Keep(metadata.Get("name").text_or_empty());
  if (record.name.empty() || record.name_space.empty() || record.uid.empty()) {
    TellWrongTypes(metadata, source);
  }
  std::size_t number = FindTwin(record, object, source);
  if (number != records_.size()) {
    NoteVersions(record.resource_version, records_[number].resource_version,
                 [&] { return Cat(record.kind, '/', record.name); });
    // As `kubectl apply` does: of objects that no cluster has numbered, the last one counts.
    bool unnumbered = record.resource_version.empty() && records_[number].resource_version.empty();
    if (!unnumbered && !IsNewer(record.resource_version, records_[number].resource_version)) return;
  }
  record.owner = workload::Shared(workload::ControllerOf(metadata), texts_);
  record.created = workload::ParseTime(metadata.Get("creationTimestamp").text_or_empty());
  record.source = Kept(source);
  std::string_view group = GroupOf(record.api_version);
  // No definition that comes later will cover a kind of Kubernetes itself, and those that read
  // counts from such objects are given or read those of the catalog.
  if (wants_sources_ || registry_.Covers(group, record.kind) ||
      !definition::IsKubernetesGroup(group) || registry_.ReadsChild(group, record.kind)) {
    text_.clear();
    json::Write(object, text_);
    record.text = manifests_.Keep(text_);
  }
  if (number == records_.size()) {
    records_.push_back(record);
  } else {
    records_[number] = record;
  }
}

// The number of the record of the same object, or that of the next record. Objects are the same by
// uid; where one of two has none, by name.
std::size_t Snapshot::FindTwin(const Record& record, const Value& object,
                               const input::Source& source) {
  std::size_t next = records_.size();
  if (!record.uid.empty()) {
    std::size_t number = record_index_.try_emplace(record.uid, next).first->second;
    if (number != next) {
      const Record& twin = records_[number];
      if (std::tie(twin.kind, twin.name_space, twin.name) ==
          std::tie(record.kind, record.name_space, record.name)) {
        return number;
      }
      AddProblem({Severity::kError, "uid-twice",
                  Cat("uid ", record.uid, " is that of ", record.kind, '/', record.name, " and of ",
                      twin.kind, '/', twin.name, "; what it owns is shown with the latter"),
                  source.Describe()},
                 false);
    }
  }
  std::string_view name = Identity({}, object);
  if (name.empty()) return next;
  auto [at, is_new] = record_index_.try_emplace(name, next);
  if (is_new) return next;
  const Record& namesake = records_[at->second];
  // Two lives of one name are two objects.
  if (!record.uid.empty() && !namesake.uid.empty()) return next;
  if (!record.uid.empty()) record_index_[record.uid] = at->second;
  return at->second;
}

void Snapshot::AddEvent(const Value& object) {
  Value about = object.Get("involvedObject");
  if (!about.is_object()) about = object.Get("regarding");
  std::string about_key(about.Get("uid").text_or_empty());
  if (about_key.empty()) {
    about_key = EventKey(about.Get("kind").text_or_empty(), about.Get("namespace").text_or_empty(),
                         about.Get("name").text_or_empty());
  }
  Value metadata = object.Get("metadata");
  std::string_view identity = Identity(metadata.Get("uid").text_or_empty(), object);
  if (!identity.empty() && !event_ids_.emplace(identity).second) return;
  workload::Event event;
  event.type = Text(object.Get("type"));
  event.reason = Text(object.Get("reason"));
  event.object = Cat(about.Get("kind").text_or_empty(), '/', about.Get("name").text_or_empty());
  event.name_space = about.Get("namespace").text_or_empty();
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
  events_[std::move(about_key)].push_back(std::move(event));
}

std::string EventKey(std::string_view kind, std::string_view name_space, std::string_view name) {
  return Cat(kind, '/', name_space, '/', name);
}

void Snapshot::NoteVersions(std::string_view one, std::string_view other,
                            FunctionRef<std::string()> name) {
  if (one == other && !one.empty()) return;
  if (versions_++ == 0) first_with_versions_ = name();
}

Report Snapshot::Build() { return Builder(*this).Build(); }

}  // namespace wmap::inspect
