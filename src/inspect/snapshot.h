// Snapshot: the objects of one call, and what they mean together.
//
// Objects are added one by one, in any order, as they are read; nothing that is added needs to stay
// alive. A pod is reduced to its PodFacts and the part of its manifest that definitions look at,
// any other object to its compact text or, where no definition can ever look at its kind, to its
// identity. Reading a dump of 100,000 pods so takes a fraction of the dump's size.
//
// Build() then follows owner references by uid, makes one row of every topmost covered owner, and
// of what such a one only starts, gives each pod to its workload and reads the workloads through
// their definitions.
//
// The same object twice (same uid, or, where one has none, same kind, namespace and name) is taken
// once, the one with the higher resourceVersion; of manifests that no cluster has numbered, the
// last one. That there were several versions is a diagnostic. Not thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <memory_resource>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "base/text_pool.h"
#include "definition/registry.h"
#include "input/input.h"
#include "inspect/manifest_keeper.h"
#include "inspect/report.h"
#include "inspect/sources.h"
#include "json/value.h"
#include "workload/accelerators.h"
#include "workload/claims.h"
#include "workload/evaluation.h"
#include "workload/pod_facts.h"

namespace wmap::inspect {

class Snapshot {
 public:
  // Keeps references to both, which outlive the snapshot. Definitions may still be added to
  // `registry` until Build().
  Snapshot(const definition::Registry& registry, const workload::AcceleratorTable& accelerators);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  // Has the report hold groups as well. Call before anything is added: pods are kept whole then,
  // since any part of them may be a key of a group.
  void WantGroups() { wants_groups_ = true; }
  // Has the report hold what it was read from as well. Call before anything is added: all objects
  // are kept whole then.
  void WantSources() { wants_sources_ = true; }
  // Says that the pods that there are will be among the objects, be it none at all. Without it only
  // a pod shows that pods were asked for, and nothing is said of them when there is none.
  void KnowPods() { knows_pods_ = true; }

  // Has the snapshot be a part of a longer run, with what that knows of expressions; outlives it.
  void ShareBudgets(workload::SpentBudgets& spent) { spent_ = &spent; }

  // Says that objects of this kind may be there, and could not be read.
  void AddUnread(std::string_view group, std::string_view kind) {
    unread_.emplace(std::string(group), std::string(kind));
  }

  // `source` says where the object was read, for messages; {} for what no file holds. Objects
  // without apiVersion, kind or metadata become a diagnostic.
  void Add(const json::Value& object, const input::Source& source);

  // Notes that a part of the inputs could not be read: the report will not be complete.
  void AddProblem(workload::Diagnostic problem, bool loses_data);

  // Objects added, without the ones that are no Kubernetes objects.
  std::size_t size() const { return objects_; }

  // Reads everything. Call once, last.
  Report Build();

 private:
  struct Record;
  struct PodRecord;
  class Builder;
  // Numbers of objects by uid and by NameKey(); the keys stand in texts_.
  using Index = std::pmr::unordered_map<std::string_view, std::size_t>;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // Tells of fields of metadata that are no text and so are taken as absent.
  void TellWrongTypes(const json::Value& metadata, const input::Source& source);
  void AddPod(const json::Value& object, const input::Source& source);
  void AddRecord(const json::Value& object, const input::Source& source);
  void AddEvent(const json::Value& object);
  std::size_t FindTwin(const Record& record, const json::Value& object,
                       const input::Source& source);
  // The number of the record with this uid, or kNone.
  std::size_t FindRecord(std::string_view uid) const;
  // `source` as long as the snapshot lives.
  input::Source Kept(const input::Source& source);
  // Counts objects that are given in several versions.
  void NoteVersions(std::string_view one, std::string_view other, FunctionRef<std::string()> name);
  // By uid; without one, by kind, namespace and name; "" when there is neither.
  std::string_view Identity(std::string_view uid, const json::Value& object);

  const definition::Registry& registry_;
  const workload::AcceleratorTable& accelerators_;
  std::size_t objects_ = 0;
  TextPool texts_;      // what the report views
  TextPool manifests_;  // what Build() reads, and nobody after it but those who want sources
  std::pmr::monotonic_buffer_resource index_memory_;
  std::deque<Record> records_;
  Index record_index_{&index_memory_};
  // What FindRecord() answered last, and how large the index was then: pods that are neighbours
  // mostly have one owner.
  struct Answer {
    std::string_view uid;
    std::size_t number = kNone;
    std::size_t index_size = 0;
  };
  mutable Answer last_answer_;
  std::deque<PodRecord> pods_;
  std::deque<workload::PodFacts> facts_;  // of pods_
  std::size_t versions_ = 0;
  std::string first_with_versions_;
  std::string text_;  // of the object at hand
  EventTable events_;
  std::unordered_set<std::string> event_ids_;
  workload::ClaimTable claims_;
  ManifestKeeper keeper_;
  std::vector<workload::Diagnostic> problems_;
  std::set<std::pair<std::string, std::string>> unread_;  // group, kind
  workload::SpentBudgets* spent_ = nullptr;
  bool complete_ = true;
  bool wants_groups_ = false;
  bool wants_sources_ = false;
  bool knows_pods_ = false;
};

}  // namespace wmap::inspect
