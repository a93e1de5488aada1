#include "inspect/snapshot_builder.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "definition/api_version.h"
#include "gang/groups.h"
#include "inspect/wrapped.h"
#include "json/writer.h"
#include "workload/evaluation.h"

namespace wmap::inspect {
namespace {

using definition::GroupOf;
using json::Value;
using workload::ChildRef;
using workload::Diagnostic;
using workload::OwnerReference;
using workload::PodFacts;
using workload::PodRef;
using workload::Severity;
using workload::Workload;

// Owner chains in the wild have five links; a longer one is a loop.
constexpr int kLongestChain = 64;

// Whether a label says that the operator of `kind` has made the pod, and not one of another kind
// with the same labels: "…/operator-name: pytorchjob-controller", "mpi-operator".
bool IsOfOperator(const Value& pod, std::string_view kind) {
  Value labels = pod.Get("metadata").Get("labels");
  if (!labels.is_object()) return false;
  return std::ranges::any_of(labels.members(), [&](const json::Member& label) {
    std::string_view name = label.value.text_or_empty();
    name = name.substr(0, name.find('-'));
    return label.key.ends_with("/operator-name") && !name.empty() &&
           ToLower(kind).starts_with(name);
  });
}

json::ReadOptions BorrowingOptions() {
  json::ReadOptions options;
  options.borrow_text = true;
  return options;
}

std::string Describe(const OwnerReference& owner) { return Cat(owner.kind, '/', owner.name); }

std::size_t HashOf(std::string_view text) { return std::hash<std::string_view>()(text); }

// Owners are in the namespace of what they own, or in none. What has lost its namespace on the way
// into a file may be in any.
bool IsInReach(std::string_view owners_name_space, std::string_view name_space) {
  return owners_name_space.empty() || name_space.empty() || owners_name_space == name_space;
}

// Whether an object of the kind of `owner` may stand between a workload of `karta` and a pod. Not
// when it is such a workload itself, of an earlier life, or a workload of another kind.
bool MayStandBetween(const OwnerReference& owner, const definition::Karta& karta,
                     const definition::Registry& registry) {
  if (owner.empty()) return true;
  std::string_view group = GroupOf(owner.api_version);
  auto is_kind = [&](const definition::GroupVersionKind& kind) {
    return kind.kind == owner.kind && kind.group == group;
  };
  if (is_kind(karta.kind())) return false;
  return std::ranges::any_of(karta.additional_child_kinds, is_kind) ||
         std::ranges::any_of(karta.components,
                             [&](const definition::Component& component) {
                               return component.kind && is_kind(*component.kind);
                             }) ||
         !registry.Covers(group, owner.kind);
}

}  // namespace

Snapshot::Builder::Builder(Snapshot& snapshot)
    : snapshot_(snapshot),
      interpreter_([&] {
        workload::InterpretOptions options;
        options.accelerators = &snapshot.accelerators_;
        options.claims = &snapshot.claims_;
        options.spent = snapshot.spent_;
        options.pods_known = snapshot.knows_pods_ || !snapshot.pods_.empty();
        return options;
      }()),
      reader_(BorrowingOptions()) {}

Report Snapshot::Builder::Build() {
  report_.complete = snapshot_.complete_;
  report_.diagnostics = std::move(snapshot_.problems_);
  for (const std::string& name : snapshot_.keeper_.Unserved()) {
    report_.diagnostics.push_back(
        {Severity::kError,
         "late-definition",
         Cat("definition ", Quote(name), " came after so many pods that not all of what its ",
             "selectors read was kept; give it with --definitions"),
         {}});
  }
  report_.pods = std::move(snapshot_.facts_);
  report_.texts = std::move(snapshot_.texts_);
  IndexPods();
  TellVersions();
  IndexRecords();
  FindFollowers();
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    if (facts_[i] != nullptr && !is_follower_[i]) AssignPod(i);
  }
  ReadRows();
  TellUnreadPods();
  FinishSources();
  CountUncovered();
  for (Workload& workload : report_.workloads) {
    std::ranges::stable_sort(workload.events, {}, &workload::Event::last_seen);
  }
  SortWorkloads();
  std::ranges::stable_sort(report_.unclaimed, {},
                           [](const UnclaimedPod& unclaimed) { return OrderOf(unclaimed); });
  return std::move(report_);
}

void Snapshot::Builder::SortWorkloads() {
  std::vector<std::size_t> order = RowOrder(report_.workloads);
  MoveInOrder(report_.workloads, order);
  if (snapshot_.wants_groups_) MoveInOrder(report_.groups, order);
  if (report_.sources) MoveInOrder(report_.sources->workloads, std::move(order));
}

void Snapshot::Builder::IndexPods() {
  const auto& pods = snapshot_.pods_;
  facts_.reserve(pods.size());
  pods_by_hash_.reserve(pods.size());
  for (const PodFacts& pod : report_.pods) {
    std::string_view identity = pods[facts_.size()].identity;
    if (!identity.empty()) pods_by_hash_.emplace_back(HashOf(identity), facts_.size());
    facts_.push_back(&pod);
  }
  std::ranges::sort(pods_by_hash_);
  for (std::size_t i = 0; i < pods_by_hash_.size(); ++i) {
    std::size_t pod = pods_by_hash_[i].second;
    // Ends when there is a newer one, which then looks at the rest: many copies take no long time.
    for (std::size_t j = i + 1; facts_[pod] != nullptr && j < pods_by_hash_.size() &&
                                pods_by_hash_[j].first == pods_by_hash_[i].first;
         ++j) {
      std::size_t other = pods_by_hash_[j].second;
      if (facts_[other] == nullptr || pods[pod].identity != pods[other].identity) continue;
      snapshot_.NoteVersions(pods[pod].resource_version, pods[other].resource_version,
                             [&] { return Cat("Pod/", report_.pods[pod].name); });
      bool is_newer = IsNewer(pods[other].resource_version, pods[pod].resource_version);
      facts_[is_newer ? pod : other] = nullptr;
    }
  }
}

void Snapshot::Builder::TellVersions() {
  std::size_t count = snapshot_.versions_;
  if (count == 0) return;
  std::string all = count == 1 ? std::string() : Cat(" (", count, " such copies in all)");
  report_.diagnostics.push_back(
      {Severity::kWarning,
       "several-versions",
       Cat(snapshot_.first_with_versions_, " is among the inputs more than once", all,
           "; the newest counts, and pods that only an older state had are counted with it"),
       {}});
}

std::size_t Snapshot::Builder::FindPod(std::string_view uid) const {
  std::size_t hash = HashOf(uid);
  auto at = std::ranges::lower_bound(pods_by_hash_, std::pair(hash, std::size_t{0}));
  for (; at != pods_by_hash_.end() && at->first == hash; ++at) {
    if (facts_[at->second] != nullptr && facts_[at->second]->uid == uid) return at->second;
  }
  return kNone;
}

void Snapshot::Builder::IndexRecords() {
  const auto& records = snapshot_.records_;
  chains_.resize(records.size());
  pods_of_.resize(records.size());
  between_.resize(records.size());
  is_read_.resize(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) ResolveChain(i);
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::size_t row = chains_[i].covered;
    if (row == kNone) continue;
    if (row != i) {
      between_[row].push_back(i);
      continue;
    }
    const Record& record = records[i];
    for (std::string_view text : {record.uid, record.name}) {
      if (!text.empty()) rows_by_label_.emplace(Cat(record.name_space, '/', text), i);
    }
  }
}

std::size_t Snapshot::Builder::FindOwner(const OwnerReference& owner, std::string_view name_space,
                                         int hops) const {
  if (owner.empty() || hops > kLongestChain) return kNone;
  if (!owner.uid.empty()) {
    if (std::size_t record = snapshot_.FindRecord(owner.uid); record != kNone) {
      return IsInReach(snapshot_.records_[record].name_space, name_space) ? record : kNone;
    }
    // Pods own too: a leader pod the StatefulSet of its workers. What counts is the pod's owner.
    if (std::size_t pod = FindPod(owner.uid); pod != kNone) {
      if (!IsInReach(facts_[pod]->name_space, name_space)) return kNone;
      return FindOwner(facts_[pod]->owner, name_space, hops + 1);
    }
  }
  // Manifests that nobody has applied yet have no uids.
  const Index& known = snapshot_.record_index_;
  auto at = known.find(NameKey(owner.api_version, owner.kind, name_space, owner.name));
  if (at == known.end()) return kNone;
  std::string_view uid = snapshot_.records_[at->second].uid;
  return uid.empty() || owner.uid.empty() ? at->second : kNone;
}

bool Snapshot::Builder::IsCovered(const Record& record) const {
  return !record.text.empty() &&
         snapshot_.registry_.Covers(GroupOf(record.api_version), record.kind);
}

// Whether a workload of a kind of its own stands below another one whose definition knows nothing
// of that kind: a Workflow may start a PyTorchJob, which is no part of it. Objects of Kubernetes'
// own kinds stand between most workloads and their pods, whether definitions name them or not;
// those that make pods which no selector means are started only, too.
bool Snapshot::Builder::IsOnlyStarted(std::size_t record, std::size_t owner) const {
  const Record& below = snapshot_.records_[record];
  std::string_view group = GroupOf(below.api_version);
  const Record& above = snapshot_.records_[owner];
  definition::Match match = snapshot_.registry_.FindByApiVersion(above.api_version, above.kind);
  if (!match) return false;
  auto is_named = [&](const definition::GroupVersionKind& kind) {
    return kind.group == group && kind.kind == below.kind;
  };
  return !std::ranges::any_of(match.karta->additional_child_kinds, is_named) &&
         !std::ranges::any_of(match.karta->components,
                              [&](const definition::Component& component) {
                                return component.kind && is_named(*component.kind);
                              }) &&
         !match.karta->ReadsChild(group, below.kind) &&
         (!definition::IsKubernetesGroup(group) ||
          (FindOwner(below.owner, below.name_space) == owner && MeansNoPodOf(*match.karta, below)));
}

// Whether the selectors of `karta` are for pods with labels that those of `record` do not get.
bool Snapshot::Builder::MeansNoPodOf(const definition::Karta& karta, const Record& record) const {
  bool selects_all = std::ranges::all_of(karta.components, [](const auto& component) {
    return !component.bears_pods() || (component.type_selector() && !component.pod_instance);
  });
  Arena arena;
  Result<Value> object = json::Reader(BorrowingOptions()).Read(record.text, arena);
  if (!selects_all || !object) return false;
  Value pod = object->Get("spec").Get("template");
  if (!pod.is_object()) return false;
  // A Job adds its name.
  json::ObjectBuilder labels;
  Value given = pod.Get("metadata").Get("labels");
  if (given.is_object()) {
    for (const json::Member& label : given.members()) labels.Add(label.key, label.value);
  }
  for (std::string_view key : {"batch.kubernetes.io/job-name", "job-name"}) {
    if (given.Get(key).is_null()) labels.Add(key, json::MakeString(arena, record.name));
  }
  json::ObjectBuilder metadata;
  metadata.Add("labels", labels.Finish(arena));
  json::ObjectBuilder manifest;
  manifest.Add("metadata", metadata.Finish(arena));
  manifest.Add("spec", pod.Get("spec"));
  PodFacts nothing;
  return !workload::Claims(karta, {&nothing, manifest.Finish(arena)}, interpreter_.spent());
}

void Snapshot::Builder::ResolveChain(std::size_t index) {
  // Up to the first object that is resolved or has no owner here, then down again.
  std::vector<std::size_t> path;
  std::size_t at = index;
  while (at != kNone && !chains_[at].resolved && path.size() < kLongestChain) {
    path.push_back(at);
    const Record& record = snapshot_.records_[at];
    at = FindOwner(record.owner, record.name_space);
    if (std::ranges::find(path, at) != path.end()) {
      const Record& first = snapshot_.records_[path.front()];
      report_.diagnostics.push_back(
          {Severity::kWarning, "owner-loop",
           Cat(record.kind, '/', record.name,
               " is owned, in the end, by itself; it is shown as part of ", first.kind, '/',
               first.name),
           record.source.Describe()});
      at = kNone;
    }
  }
  Chain above = at == kNone || !chains_[at].resolved ? Chain() : chains_[at];
  for (std::size_t i = path.size(); i-- > 0;) {
    Chain& chain = chains_[path[i]];
    if (above.top == kNone) above.top = path[i];
    bool is_row = IsCovered(snapshot_.records_[path[i]]) &&
                  (above.covered == kNone || IsOnlyStarted(path[i], above.covered));
    if (is_row) above.covered = path[i];
    above.resolved = true;
    chain = above;
  }
}

void Snapshot::Builder::FindFollowers() {
  is_follower_.resize(facts_.size());
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    if (facts_[i] == nullptr || facts_[i]->owner.kind != "Pod") continue;
    const PodFacts& facts = *facts_[i];
    std::size_t owner = FindPod(facts.owner.uid);
    if (owner == kNone || !IsInReach(facts_[owner]->name_space, facts.name_space) ||
        FindOwner(facts.owner, facts.name_space) != kNone || FindByLabels(i) != kNone) {
      continue;
    }
    followers_[owner].push_back(i);
    is_follower_[i] = true;
  }
  // Those that go round in a circle lead nowhere.
  for (const auto& [owner, followers] : followers_) {
    std::size_t at = owner;
    for (int hops = 0; is_follower_[at] && hops < kLongestChain; ++hops) {
      at = FindPod(facts_[at]->owner.uid);
    }
    if (!is_follower_[at]) continue;
    for (std::size_t follower : followers) is_follower_[follower] = false;
  }
}

std::vector<std::size_t> Snapshot::Builder::WithFollowers(std::size_t pod) const {
  std::vector<std::size_t> pods = {pod};
  for (std::size_t i = 0; i < pods.size(); ++i) {
    auto at = followers_.find(pods[i]);
    if (at == followers_.end()) continue;
    for (std::size_t follower : at->second) {
      if (is_follower_[follower]) pods.push_back(follower);
    }
  }
  return pods;
}

void Snapshot::Builder::AssignToRow(std::size_t pod, std::size_t row) {
  std::vector<std::size_t> pods = WithFollowers(pod);
  pods_of_[row].insert(pods_of_[row].end(), pods.begin(), pods.end());
}

void Snapshot::Builder::AssignPod(std::size_t pod) {
  const PodFacts& facts = *facts_[pod];
  // A kubelet says that its node owns the pods that files on the node describe.
  if (facts.owner.kind == "Node" && facts.owner.api_version == "v1") return AddBarePod(pod);
  std::size_t owner = FindOwner(facts.owner, facts.name_space);
  if (owner == kNone) {
    std::size_t row = FindByLabels(pod);
    if (row != kNone) return AssignToRow(pod, row);
    if (facts.owner.empty()) return AddBarePod(pod);
    return Unclaim(pod, WhyLost(pod));
  }
  const Chain& chain = chains_[owner];
  if (chain.covered != kNone) return AssignToRow(pod, chain.covered);
  const Record& top = snapshot_.records_[chain.top];
  Uncovered& uncovered = uncovered_[{std::string(top.api_version), std::string(top.kind)}];
  ++uncovered.pods;
  uncovered.gpus = workload::SaturatingAdd(uncovered.gpus, facts.gpus);
  std::size_t first = report_.unclaimed.size();
  Unclaim(pod, {Cat("no definition covers its owner ", top.kind, '/', top.name)});
  for (std::size_t i = first; i < report_.unclaimed.size(); ++i) {
    report_.unclaimed[i].is_uncovered = true;
  }
}

std::string_view Snapshot::Builder::FarNamespace(const OwnerReference& owner,
                                                 std::string_view name_space) const {
  if (owner.uid.empty()) return {};
  std::string_view owners;
  if (std::size_t record = snapshot_.FindRecord(owner.uid); record != kNone) {
    owners = snapshot_.records_[record].name_space;
  } else if (std::size_t pod = FindPod(owner.uid); pod != kNone) {
    owners = facts_[pod]->name_space;
  }
  return IsInReach(owners, name_space) ? std::string_view() : owners;
}

bool Snapshot::Builder::IsUnread(const OwnerReference& owner) const {
  return snapshot_.unread_.contains(
      {std::string(GroupOf(owner.api_version)), std::string(owner.kind)});
}

Snapshot::Builder::Loss Snapshot::Builder::WhyLost(std::size_t pod) const {
  const OwnerReference& owner = facts_[pod]->owner;
  if (std::string_view far = FarNamespace(owner, facts_[pod]->name_space); !far.empty()) {
    return {Cat("its owner ", Describe(owner), " is in namespace ", far,
                ", and nothing is owned across namespaces")};
  }
  if (FindPod(owner.uid) != kNone) {
    return {Cat("its owner ", Describe(owner), " is a pod that no object of the inputs owns")};
  }
  if (IsUnread(owner)) return {Cat("its owner ", Describe(owner), " could not be read"), true};
  return {Cat("owner gone: ", Describe(owner),
              owner.uid.empty() ? std::string() : Cat(" (uid ", owner.uid, ")"),
              " is not among the inputs")};
}

std::size_t Snapshot::Builder::FindByLabels(std::size_t pod) {
  const PodFacts& facts = *facts_[pod];
  arena_.Reset();
  Value manifest = Manifest(pod, arena_);
  std::size_t by_uid = kNone;
  std::vector<std::size_t> by_name;
  auto consider = [&](std::size_t row, std::string_view text) {
    const Record& record = snapshot_.records_[row];
    // A pod that is older than the row was another one's of the same name.
    if (facts.created != 0 && facts.created < record.created) return;
    definition::Match match = snapshot_.registry_.FindByApiVersion(record.api_version, record.kind);
    if (!match || !MayStandBetween(facts.owner, *match.karta, snapshot_.registry_) ||
        !workload::Claims(*match.karta, {&facts, manifest}, interpreter_.spent())) {
      return;
    }
    if (text == record.uid) {
      by_uid = row;
    } else if (std::ranges::find(by_name, row) == by_name.end()) {
      by_name.push_back(row);
    }
  };
  for (std::string_view field : {"labels", "annotations"}) {
    Value texts = manifest.Get("metadata").Get(field);
    if (!texts.is_object()) continue;
    for (const json::Member& member : texts.members()) {
      std::string_view text = member.value.text_or_empty();
      auto [begin, end] = rows_by_label_.equal_range(Cat(facts.name_space, '/', text));
      for (auto at = begin; at != end; ++at) consider(at->second, text);
    }
  }
  if (by_uid != kNone) return by_uid;
  return by_name.size() == 1 ? by_name.front() : kNone;
}

void Snapshot::Builder::AddBarePod(std::size_t pod) {
  arena_.Reset();
  PodRef reference{facts_[pod], Manifest(pod, arena_)};
  definition::Match match = snapshot_.registry_.FindByApiVersion("v1", "Pod");
  if (!match) return Unclaim(pod, {"no owner"});
  if (std::string kinds = KindsByLabels(reference); !kinds.empty()) {
    return Unclaim(pod, {Cat("no owner, but labels of ", kinds)});
  }
  if (std::string names = NamedByGroup(pod, reference.manifest); !names.empty()) {
    return Unclaim(pod, {Cat("no owner; ", names, ", whose definition does not claim it")});
  }
  std::vector<std::size_t> pods = WithFollowers(pod);
  Interpret(match, Value(), kNone, pods, {}, snapshot_.pods_[pod].source);
  for (std::size_t each : pods) {
    const PodFacts& facts = *facts_[each];
    AddEvents(report_.workloads.back(), facts.uid, "Pod", facts.name_space, facts.name);
  }
}

std::string Snapshot::Builder::KindsByLabels(const PodRef& pod) {
  std::vector<std::string> kinds;
  std::set<std::string_view> groups;
  for (const definition::Karta* karta : Claimants()) {
    const definition::GroupVersionKind& kind = karta->kind();
    if (!workload::Claims(*karta, pod, interpreter_.spent())) continue;
    if (IsOfOperator(pod.manifest, kind.kind)) return Cat("a ", kind.kind);
    groups.insert(kind.group);
    if (std::ranges::find(kinds, kind.kind) == kinds.end()) kinds.push_back(kind.kind);
  }
  if (kinds.empty()) return {};
  // These share their labels.
  if (kinds.size() > 1 && groups == std::set<std::string_view>{"kubeflow.org"}) {
    return "a Kubeflow training job";
  }
  std::string last = std::move(kinds.back());
  kinds.pop_back();
  return kinds.empty() ? Cat("a ", last) : Cat("a ", Join(kinds, ", "), " or ", last);
}

std::string Snapshot::Builder::NamedByGroup(std::size_t pod, const Value& manifest) const {
  Value labels = manifest.Get("metadata").Get("labels");
  if (!labels.is_object()) return {};
  for (const json::Member& label : labels.members()) {
    std::string_view group = GroupOf(label.key);
    if (group.empty()) continue;
    auto [begin, end] =
        rows_by_label_.equal_range(Cat(facts_[pod]->name_space, '/', label.value.text_or_empty()));
    for (auto at = begin; at != end; ++at) {
      const Record& record = snapshot_.records_[at->second];
      if (GroupOf(record.api_version) == group) {
        return Cat("label ", label.key, " names ", record.kind, '/', record.name);
      }
    }
  }
  return {};
}

const std::vector<const definition::Karta*>& Snapshot::Builder::Claimants() {
  if (claimants_) return *claimants_;
  claimants_.emplace();
  for (const definition::Listing& listing : snapshot_.registry_.List()) {
    if (!listing.in_force || (listing.kind.group.empty() && listing.kind.kind == "Pod")) continue;
    const definition::GroupVersionKind& kind = listing.kind;
    definition::Match match = snapshot_.registry_.Find(kind.group, kind.version, kind.kind);
    if (match) claimants_->push_back(match.karta);
  }
  return *claimants_;
}

void Snapshot::Builder::Unclaim(std::size_t pod, const Loss& why) {
  for (std::size_t each : WithFollowers(pod)) {
    Loss own = why;
    if (each != pod && why.is_unread) {
      own.reason =
          Cat("what its owner ", Describe(facts_[each]->owner), " belongs to could not be read");
    } else if (each != pod) {
      own = WhyLost(each);
    }
    UnclaimedPod& unclaimed = report_.unclaimed.emplace_back();
    unclaimed.pod = facts_[each];
    unclaimed.reason = std::move(own.reason);
    unclaimed.is_unread = own.is_unread;
  }
}

void Snapshot::Builder::ReadRows() {
  std::size_t rows = report_.workloads.size();
  for (std::size_t i = 0; i < chains_.size(); ++i) rows += chains_[i].covered == i ? 1 : 0;
  report_.workloads.reserve(rows);
  for (std::size_t i = 0; i < snapshot_.records_.size(); ++i) {
    if (chains_[i].covered == i) ReadRow(i);
  }
}

void Snapshot::Builder::ReadRow(std::size_t row) {
  const Record& record = snapshot_.records_[row];
  definition::Match match = snapshot_.registry_.FindByApiVersion(record.api_version, record.kind);
  if (!match) return;
  arena_.Reset();
  Result<Value> object = reader_.Read(record.text, arena_);
  if (!object) return;
  Interpret(match, WithObjects(*match.karta, *object, row, between_[row]), row, pods_of_[row],
            between_[row], record.source);
  Workload& workload = report_.workloads.back();
  CollectEvents(workload, row);
  if (!record.owner.empty() && FindOwner(record.owner, record.name_space) == kNone) {
    std::string_view far = FarNamespace(record.owner, record.name_space);
    bool is_unread = far.empty() && IsUnread(record.owner);
    std::string why = is_unread ? std::string("could not be read")
                      : far.empty()
                          ? std::string("is not among the inputs")
                          : Cat("is in namespace ", far, ": nothing is owned across them");
    // What is gone is no part of it any more; what could not be read may be the workload.
    workload.diagnostics.push_back(
        {is_unread ? Severity::kWarning : Severity::kInfo,
         is_unread ? std::string(kOwnerUnread) : std::string("owner-missing"),
         Cat("it belongs to ", Describe(record.owner), ", which ", why), record.source.Describe()});
  }
}

std::vector<ChildRef> Snapshot::Builder::Children(const definition::Karta& karta,
                                                  std::span<const std::size_t> owned) {
  std::vector<ChildRef> children;
  bool reads_any = std::ranges::any_of(
      karta.components,
      [](const definition::Component& component) { return !component.child_scales.empty(); });
  if (!reads_any) return children;
  for (std::size_t i : owned) {
    const Record& record = snapshot_.records_[i];
    std::string_view group = GroupOf(record.api_version);
    if (!karta.ReadsChild(group, record.kind)) continue;
    Result<Value> object = reader_.Read(record.text, arena_);
    if (object) children.push_back({group, record.kind, *object});
  }
  return children;
}

Value Snapshot::Builder::WithObjects(const definition::Karta& karta, const Value& object,
                                     std::size_t row, std::vector<std::size_t> owned) {
  if (karta.objects.empty() || !object.is_object()) return object;
  std::ranges::sort(owned, {}, [&](std::size_t i) {
    return std::pair(snapshot_.records_[i].kind, snapshot_.records_[i].name);
  });
  std::vector<Value> found;
  for (const definition::ObjectRead& read : karta.objects) {
    if (read.name) {
      for (std::size_t i : FindNamed(karta, read, object, snapshot_.records_[row].name_space)) {
        AddObject(i, found);
      }
      continue;
    }
    for (std::size_t i : owned) {
      const Record& record = snapshot_.records_[i];
      if (record.kind == read.kind && GroupOf(record.api_version) == read.group) {
        AddObject(i, found);
      }
    }
  }
  if (found.empty()) return object;
  json::ObjectBuilder builder;
  for (const json::Member& member : object.members()) builder.Add(member.key, member.value);
  builder.Add(definition::kObjectsKey, json::MakeArray(arena_, found));
  return builder.Finish(arena_);
}

Value Snapshot::Builder::WithOwners(const Value& manifest, std::size_t pod, std::size_t row) {
  std::vector<Value> owners;
  OwnerReference owner = facts_[pod]->owner;
  while (!owner.empty() && owners.size() < kLongestChain) {
    std::size_t record = FindOwner(owner, facts_[pod]->name_space);
    bool is_pod = owner.kind == "Pod";
    if (record == row && !is_pod) break;
    json::ObjectBuilder builder;
    builder.Add("apiVersion", json::MakeString(arena_, owner.api_version));
    builder.Add("kind", json::MakeString(arena_, owner.kind));
    builder.Add("name", json::MakeString(arena_, owner.name));
    owners.push_back(builder.Finish(arena_));
    if (record == kNone || record == row) break;
    const Record& found = snapshot_.records_[record];
    // What owns a pod that owns is what FindOwner() goes on to.
    owner =
        is_pod ? OwnerReference{found.api_version, found.kind, found.name, found.uid} : found.owner;
  }
  if (owners.empty() || !manifest.is_object()) return manifest;
  json::ObjectBuilder builder;
  for (const json::Member& member : manifest.members()) builder.Add(member.key, member.value);
  builder.Add(definition::kOwnersKey, json::MakeArray(arena_, owners));
  return builder.Finish(arena_);
}

void Snapshot::Builder::AddObject(std::size_t record, std::vector<Value>& found) {
  if (record == kNone || snapshot_.records_[record].text.empty()) return;
  is_read_[record] = true;
  Result<Value> object = reader_.Read(snapshot_.records_[record].text, arena_);
  if (object) found.push_back(*object);
}

std::vector<std::size_t> Snapshot::Builder::FindNamed(const definition::Karta& karta,
                                                      const definition::ObjectRead& read,
                                                      const Value& object,
                                                      std::string_view name_space) const {
  std::vector<std::size_t> found;
  Arena arena;
  expr::Evaluator evaluator(arena);
  workload::Evaluation evaluation(karta, object, evaluator);
  auto names = evaluation.All(read.name, object);
  if (!names) return found;
  // NameKey() takes an API version for the group's sake.
  std::string api_version = read.group.empty() ? "v1" : Cat(read.group, "/v1");
  for (const Value& name : *names) {
    if (!name.is_string()) continue;
    for (std::string_view place : {name_space, std::string_view()}) {
      auto at =
          snapshot_.record_index_.find(NameKey(api_version, read.kind, place, name.as_string()));
      if (at == snapshot_.record_index_.end()) continue;
      if (std::ranges::find(found, at->second) == found.end()) found.push_back(at->second);
      break;
    }
  }
  return found;
}

void Snapshot::Builder::Interpret(const definition::Match& match, const Value& object,
                                  std::size_t row, std::span<const std::size_t> pods,
                                  std::span<const std::size_t> owned, const input::Source& source) {
  const std::string place = source.Describe();
  std::vector<PodRef> references = References(*match.karta, row, pods);
  const Value& root = object.is_null() ? references.front().manifest : object;
  std::vector<ChildRef> children = Children(*match.karta, owned);
  Workload workload = interpreter_.Interpret(*match.karta, root, references, children);
  if (snapshot_.wants_groups_) AddGroups(*match.karta, root, references);
  if (snapshot_.wants_sources_) KeepSources(root, pods, owned);
  workload.overrides = match.overrides;
  for (Diagnostic& diagnostic : workload.diagnostics) diagnostic.source = place;
  if (match.karta->Wraps() && row != kNone) {
    ReadWrapped(*match.karta, root, row, pods, children, workload);
  }
  if (match.other_version) {
    workload.diagnostics.push_back({Severity::kWarning, "other-version",
                                    Cat("read by definition ", Quote(match.karta->name),
                                        ", which is about ", match.karta->kind().api_version()),
                                    place});
  }
  workload.source = place;
  report_.workloads.push_back(std::move(workload));
}

std::vector<PodRef> Snapshot::Builder::References(const definition::Karta& karta, std::size_t row,
                                                  std::span<const std::size_t> pods) {
  std::vector<PodRef> references;
  references.reserve(pods.size());
  bool with_owners = karta.ReadsOwners();
  for (std::size_t pod : pods) {
    Value manifest = Manifest(pod, arena_);
    references.push_back({facts_[pod], with_owners ? WithOwners(manifest, pod, row) : manifest});
  }
  return references;
}

std::size_t Snapshot::Builder::BelowRow(std::size_t record, std::size_t row) const {
  for (int hops = 0; record != kNone && record != row && hops < kLongestChain; ++hops) {
    const Record& found = snapshot_.records_[record];
    std::size_t owner = FindOwner(found.owner, found.name_space);
    if (owner == row) return record;
    record = owner;
  }
  return kNone;
}

void Snapshot::Builder::ReadWrapped(const definition::Karta& karta, const Value& object,
                                    std::size_t row, std::span<const std::size_t> pods,
                                    std::span<const ChildRef> children, Workload& workload) {
  // What is below each of the objects that the roles describe.
  std::map<std::size_t, Below> below;
  std::map<std::string, std::size_t> records;
  for (std::size_t i : between_[row]) {
    const Record& record = snapshot_.records_[i];
    if (!IsCovered(record) || BelowRow(i, row) != i) continue;
    std::string key = workload::ObjectKey(record.api_version, record.kind, record.name);
    if (std::ranges::find(workload.roles, key, &workload::Role::wraps) == workload.roles.end()) {
      continue;
    }
    records.emplace(key, i);
    below[i];
  }
  if (below.empty()) return;
  for (std::size_t i : between_[row]) {
    auto at = below.find(BelowRow(i, row));
    if (at != below.end() && at->first != i) at->second.owned.push_back(i);
  }
  // A pod whose owners are not all at hand is where the row's own definition has put it.
  std::map<const PodFacts*, std::size_t> placed;
  for (const workload::Role& role : workload.roles) {
    auto at = records.find(role.wraps);
    if (at == records.end()) continue;
    for (const PodFacts* pod : role.pods) placed.emplace(pod, at->second);
  }
  std::vector<std::size_t> rest;
  for (std::size_t pod : pods) {
    auto at = below.find(BelowRow(FindOwner(facts_[pod]->owner, facts_[pod]->name_space), row));
    if (at == below.end()) {
      auto place = placed.find(facts_[pod]);
      if (place != placed.end()) at = below.find(place->second);
    }
    (at == below.end() ? rest : at->second.pods).push_back(pod);
  }
  std::vector<Wrapped> wrapped;
  std::vector<std::string> without;
  for (const workload::Role& role : workload.roles) {
    auto record = records.extract(role.wraps);
    if (record.empty()) continue;
    const Below& its = below[record.mapped()];
    std::optional<Workload> reading = ReadBelow(record.mapped(), its);
    if (!reading || reading->roles.empty()) {
      rest.insert(rest.end(), its.pods.begin(), its.pods.end());
      continue;
    }
    wrapped.push_back({record.key(), *std::move(reading)});
    without.push_back(record.key());
  }
  if (wrapped.empty()) return;
  Workload others =
      interpreter_.Interpret(karta, object, References(karta, row, rest), children, without);
  for (Diagnostic& diagnostic : others.diagnostics) {
    diagnostic.source = snapshot_.records_[row].source.Describe();
  }
  workload = Unwrap(std::move(workload), std::move(others), std::move(wrapped));
}

std::optional<Workload> Snapshot::Builder::ReadBelow(std::size_t index, const Below& below) {
  const Record& record = snapshot_.records_[index];
  definition::Match match = snapshot_.registry_.FindByApiVersion(record.api_version, record.kind);
  Result<Value> object = reader_.Read(record.text, arena_);
  if (!match || !object) return std::nullopt;
  // Of an object that came as its metadata alone nothing can be read.
  if (object->Get("spec").is_null()) return std::nullopt;
  Value root = WithObjects(*match.karta, *object, index, below.owned);
  Workload workload =
      interpreter_.Interpret(*match.karta, root, References(*match.karta, index, below.pods),
                             Children(*match.karta, below.owned));
  for (Diagnostic& diagnostic : workload.diagnostics) {
    diagnostic.message = Cat(record.kind, '/', record.name, ": ", diagnostic.message);
    diagnostic.source = record.source.Describe();
  }
  return workload;
}

void Snapshot::Builder::KeepSources(const Value& root, std::span<const std::size_t> pods,
                                    std::span<const std::size_t> owned) {
  if (!report_.sources) report_.sources.emplace();
  WorkloadSources& to = report_.sources->workloads.emplace_back();
  json::Write(root, to.text);
  to.owned.assign(owned.begin(), owned.end());
  for (std::size_t pod : pods) to.pods.push_back({facts_[pod], snapshot_.pods_[pod].text});
}

void Snapshot::Builder::FinishSources() {
  if (!snapshot_.wants_sources_) return;
  if (!report_.sources) report_.sources.emplace();
  Sources& to = *report_.sources;
  for (const PodFacts* pod : facts_) {
    if (pod != nullptr) to.pods.push_back(pod);
  }
  to.texts = std::move(snapshot_.manifests_);
  to.has_pods = !to.pods.empty();
  to.has_events = !snapshot_.events_.empty();
  to.events = std::move(snapshot_.events_);
  for (const Record& record : snapshot_.records_) {
    to.objects.push_back({record.api_version, record.kind, record.name_space, record.name,
                          record.uid, record.owner, record.created, record.text});
    to.has_nodes |= record.kind == "Node" && record.api_version == "v1";
  }
}

void Snapshot::Builder::TellUnreadPods() {
  // Of the pods of one namespace and of owners of one kind, one tells.
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, const PodFacts*>
      unread;
  for (const UnclaimedPod& unclaimed : report_.unclaimed) {
    const PodFacts& pod = *unclaimed.pod;
    if (unclaimed.is_unread && pod.owner.kind != "Pod") {
      unread.emplace(std::tuple(pod.name_space, pod.owner.api_version, pod.owner.kind), &pod);
    }
  }
  if (unread.empty()) return;
  for (Workload& workload : report_.workloads) {
    definition::Match match =
        snapshot_.registry_.FindByApiVersion(workload.api_version, workload.kind);
    if (!match) continue;
    for (const auto& [key, pod] : unread) {
      bool may_be_its = IsInReach(workload.name_space, pod->name_space) &&
                        MayStandBetween(pod->owner, *match.karta, snapshot_.registry_);
      if (!may_be_its) continue;
      workload.diagnostics.push_back(
          {Severity::kInfo, std::string(kPodsUnread),
           Cat("pods may be its own whose owner, a ", pod->owner.kind, ", could not be read"),
           workload.source});
      break;
    }
  }
}

void Snapshot::Builder::AddGroups(const definition::Karta& karta, const Value& object,
                                  std::span<const PodRef> pods) {
  auto& to = report_.groups.emplace_back();
  if (!karta.gang) return;
  std::vector<Value> manifests;
  manifests.reserve(pods.size());
  for (const PodRef& pod : pods) manifests.push_back(pod.manifest);
  to = gang::GroupsOf(karta, object, manifests, gang::Options());
}

void Snapshot::Builder::CollectEvents(Workload& workload, std::size_t row) {
  if (snapshot_.events_.empty()) return;
  auto add = [&](const Record& record) {
    AddEvents(workload, record.uid, record.kind, record.name_space, record.name);
  };
  add(snapshot_.records_[row]);
  for (std::size_t owned : between_[row]) add(snapshot_.records_[owned]);
  for (std::size_t pod : pods_of_[row]) {
    const PodFacts& facts = *facts_[pod];
    AddEvents(workload, facts.uid, "Pod", facts.name_space, facts.name);
  }
}

void Snapshot::Builder::AddEvents(Workload& workload, std::string_view uid, std::string_view kind,
                                  std::string_view name_space, std::string_view name) const {
  for (const std::string& key : {std::string(uid), EventKey(kind, name_space, name)}) {
    auto at = snapshot_.events_.find(key);
    if (key.empty() || at == snapshot_.events_.end()) continue;
    workload.events.insert(workload.events.end(), at->second.begin(), at->second.end());
  }
}

void Snapshot::Builder::CountUncovered() {
  for (std::size_t i = 0; i < snapshot_.records_.size(); ++i) {
    if (chains_[i].covered != kNone || chains_[i].top != i || is_read_[i]) continue;
    const Record& record = snapshot_.records_[i];
    ++uncovered_[{std::string(record.api_version), std::string(record.kind)}].objects;
  }
  for (auto& [key, uncovered] : uncovered_) {
    std::tie(uncovered.api_version, uncovered.kind) = key;
    report_.uncovered.push_back(std::move(uncovered));
  }
}

Value Snapshot::Builder::Manifest(std::size_t pod, Arena& arena) {
  Result<Value> manifest = reader_.Read(snapshot_.pods_[pod].text, arena);
  return manifest ? *manifest : Value();
}

}  // namespace wmap::inspect
