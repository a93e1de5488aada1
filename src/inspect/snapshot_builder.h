// The second half of Snapshot: from what was kept to the Report. Not for other files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "inspect/snapshot.h"
#include "json/reader.h"
#include "workload/interpret.h"

namespace wmap::inspect {

// "group/kind/namespace/name".
std::string NameKey(std::string_view api_version, std::string_view kind,
                    std::string_view name_space, std::string_view name);

// An object that is no pod.
struct Snapshot::Record {
  std::string_view api_version;
  std::string_view kind;
  std::string_view name_space;
  std::string_view name;
  std::string_view uid;
  std::string_view resource_version;
  workload::OwnerReference owner;
  std::int64_t created = 0;  // Unix seconds; 0 = not said
  input::Source source;
  std::string_view text;  // compact JSON; "" when no definition can cover the kind
};

struct Snapshot::PodRecord {
  std::string_view identity;
  std::string_view resource_version;
  input::Source source;
  std::string_view text;  // of the manifest, what ManifestKeeper kept
};

// Resource versions are compared as the numbers that they are in practice.
bool IsNewer(std::string_view version, std::string_view than);

// Diagnostics of workloads: that pods with an owner that could not be read may be its own; that it
// belongs to such an owner itself.
inline constexpr std::string_view kPodsUnread = "pods-unread";
inline constexpr std::string_view kOwnerUnread = "owner-unread";

class Snapshot::Builder {
 public:
  explicit Builder(Snapshot& snapshot);
  Report Build();

 private:
  // Where an object stands in its chain of owners.
  struct Chain {
    std::size_t top = kNone;      // the topmost object that is present
    std::size_t covered = kNone;  // the row: the topmost covered one, or one that it only starts
    bool resolved = false;
  };

  void IndexPods();
  void TellVersions();
  void IndexRecords();
  // The number of the pod with this uid, or kNone.
  std::size_t FindPod(std::string_view uid) const;
  std::size_t FindOwner(const workload::OwnerReference& owner, std::string_view name_space,
                        int hops = 0) const;
  // The namespace of the owner when that is at hand in another one than `name_space`; else "".
  std::string_view FarNamespace(const workload::OwnerReference& owner,
                                std::string_view name_space) const;
  bool IsOnlyStarted(std::size_t record, std::size_t owner) const;
  bool MeansNoPodOf(const definition::Karta& karta, const Record& record) const;
  bool IsCovered(const Record& record) const;
  void ResolveChain(std::size_t index);
  // Pods that nothing but a pod leads to go where that one goes.
  void FindFollowers();
  void AssignPod(std::size_t pod);
  void AssignToRow(std::size_t pod, std::size_t row);
  // `pod`, and behind it those that follow it, over any number of steps.
  std::vector<std::size_t> WithFollowers(std::size_t pod) const;
  // The row that the labels of a pod without owner, or whose owner is missing, name, or kNone.
  std::size_t FindByLabels(std::size_t pod);
  void AddBarePod(std::size_t pod);
  // What kind's labels a pod has: "a JobSet", "a RayCluster or RayJob"; "" when they are no kind's.
  std::string KindsByLabels(const workload::PodRef& pod);
  // "label … names JobSet/train": a label of the pod in the domain of a row's API group that holds
  // the row's name or uid; "" without one.
  std::string NamedByGroup(std::size_t pod, const json::Value& manifest) const;
  // The definitions in force, but the one for bare pods. Opens them all.
  const std::vector<const definition::Karta*>& Claimants();
  // With those that follow it, which have lost the pod that they follow.
  // Why a pod has no workload.
  struct Loss {
    std::string reason;
    bool is_unread = false;  // see UnclaimedPod
  };
  void Unclaim(std::size_t pod, const Loss& why);
  void ReadRows();
  void ReadRow(std::size_t row);
  // `row` is kNone for a bare pod.
  void Interpret(const definition::Match& match, const json::Value& object, std::size_t row,
                 std::span<const std::size_t> pods, std::span<const std::size_t> owned,
                 const input::Source& source);
  // What stands below one of the objects that a row is around.
  struct Below {
    std::vector<std::size_t> owned;
    std::vector<std::size_t> pods;
  };
  // In `workload`, the reading of a row that is around others, those that are at hand are read
  // themselves.
  void ReadWrapped(const definition::Karta& karta, const json::Value& object, std::size_t row,
                   std::span<const std::size_t> pods, std::span<const workload::ChildRef> children,
                   workload::Workload& workload);
  std::optional<workload::Workload> ReadBelow(std::size_t index, const Below& below);
  // The object that the row owns directly and that `record` is, or stands below; or kNone.
  std::size_t BelowRow(std::size_t record, std::size_t row) const;
  std::vector<workload::PodRef> References(const definition::Karta& karta, std::size_t row,
                                           std::span<const std::size_t> pods);
  // Of the objects `owned` by a workload those that its definition reads counts from.
  std::vector<workload::ChildRef> Children(const definition::Karta& karta,
                                           std::span<const std::size_t> owned);
  // `object` with the other objects that the definition reads, where there are any.
  json::Value WithObjects(const definition::Karta& karta, const json::Value& object,
                          std::size_t row, std::vector<std::size_t> owned);
  // `manifest` of a pod of the row, with what owns it below the row.
  json::Value WithOwners(const json::Value& manifest, std::size_t pod, std::size_t row);
  // Adds a record to `found` as an object, unless its text was not kept.
  void AddObject(std::size_t record, std::vector<json::Value>& found);
  // The records of the objects that an expression names, as far as they are at hand, in its order.
  std::vector<std::size_t> FindNamed(const definition::Karta& karta,
                                     const definition::ObjectRead& read, const json::Value& object,
                                     std::string_view name_space) const;
  void CollectEvents(workload::Workload& workload, std::size_t row);
  // Those about one object.
  void AddEvents(workload::Workload& workload, std::string_view uid, std::string_view kind,
                 std::string_view name_space, std::string_view name) const;
  // Whether objects of the owner's kind could not be read.
  bool IsUnread(const workload::OwnerReference& owner) const;
  // Of a pod whose owner leads to no object of the inputs.
  Loss WhyLost(std::size_t pod) const;
  void AddGroups(const definition::Karta& karta, const json::Value& object,
                 std::span<const workload::PodRef> pods);
  void KeepSources(const json::Value& root, std::span<const std::size_t> pods,
                   std::span<const std::size_t> owned);
  // Says of workloads that pods may be theirs whose owner could not be read.
  void TellUnreadPods();
  void FinishSources();
  void SortWorkloads();
  void CountUncovered();
  json::Value Manifest(std::size_t pod, Arena& arena);

  Snapshot& snapshot_;
  Report report_;
  workload::Interpreter interpreter_;
  json::Reader reader_;
  Arena arena_;
  std::vector<Chain> chains_;
  // Rows by what labels say of them: "namespace/uid" and "namespace/name".
  std::unordered_multimap<std::string, std::size_t> rows_by_label_;
  std::vector<const workload::PodFacts*>
      facts_;  // of the report, by pod; null: there is a newer one
  // Pods by the hash of their identity. A sorted list, and not a table that grows while pods are
  // read: that would be most of the time that they take.
  std::vector<std::pair<std::size_t, std::size_t>> pods_by_hash_;
  std::unordered_map<std::size_t, std::vector<std::size_t>> followers_;  // of a pod
  std::vector<bool> is_follower_;                                        // by pod
  std::vector<std::vector<std::size_t>> pods_of_;                        // by record
  std::vector<std::vector<std::size_t>> between_;  // by row: records that it owns
  std::vector<bool> is_read_;                      // by record: a workload's definition has read it
  std::map<std::pair<std::string, std::string>, Uncovered> uncovered_;
  std::optional<std::vector<const definition::Karta*>> claimants_;
};

}  // namespace wmap::inspect
