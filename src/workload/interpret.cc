#include "workload/interpret.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "workload/convert.h"
#include "workload/evaluation.h"
#include "workload/headline.h"
#include "workload/managed_by.h"
#include "workload/parts.h"
#include "workload/pods.h"
#include "workload/status.h"

namespace wmap::workload {
namespace {

using json::Value;

// A component below another one, and the instance of that one that each of its instances is in;
// nothing = in every one.
struct Subtree {
  Component node;
  std::vector<std::optional<std::size_t>> owners;

  bool HasIn(std::size_t instance, std::size_t owner) const {
    return !owners[instance] || *owners[instance] == owner;
  }
};

// What is found of one instance beyond its part.
struct InstanceNode {
  Tally tally;
  std::string role;
  std::map<std::string, std::vector<const PodFacts*>> replicas;  // by key
  std::vector<const PodFacts*> pods;
  bool exists = false;
};

// What some of the pods have each, from the least to the most.
struct Spread {
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::int64_t pods = 0;

  void Add(std::int64_t amount) {
    least = pods == 0 ? amount : std::min(least, amount);
    most = std::max(most, amount);
    ++pods;
  }
  // Of `all` pods, the others of which have nothing.
  Count Of(std::int64_t all) const { return Count::Between(pods < all ? 0 : least, most); }
};

// Instances below the instances of one component, over all of them.
constexpr std::size_t kMostRepeated = 20'000;

bool IsOver(Phase phase) {
  return phase == Phase::kFailed || phase == Phase::kCompleted || phase == Phase::kSuspended ||
         phase == Phase::kSuspending;
}

// An object with something in it, but no containers: the path leads to something else, or the
// object is broken.
bool IsNoPodSpec(const Value& pod_spec) {
  Value containers = pod_spec.Get("containers");
  bool has_containers = containers.is_array() && containers.size() > 0;
  return pod_spec.is_object() && pod_spec.size() > 0 && !has_containers;
}

class Assembler {
 public:
  Assembler(Evaluation& evaluation, const InterpretOptions& options)
      : evaluation_(evaluation), karta_(evaluation.karta()), options_(options) {}

  Workload Assemble(std::span<const PodRef> pods, std::span<const ChildRef> children,
                    std::span<const std::string> without) {
    ReadIdentity();
    // Pods of another cluster are not missing in this one; the object mirrors how they do.
    pods_known_ =
        options_.pods_known && (!pods.empty() || OtherController(evaluation_.object()).empty());
    parts_ = ReadParts(evaluation_, children);
    for (Part& part : parts_) {
      for (PartInstance& instance : part.instances) {
        bool is_left_out = std::ranges::find(without, instance.wraps) != without.end();
        instance.exists &= instance.wraps.empty() || !is_left_out;
      }
    }
    nodes_.resize(parts_.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      nodes_[i].resize(parts_[i].instances.size());
      for (std::size_t j = 0; j < nodes_[i].size(); ++j) {
        nodes_[i][j].exists = parts_[i].instances[j].exists;
      }
    }
    for (const PodRef& pod : pods) {
      if (IsSpawned(pod, parts_, evaluation_)) {
        spawned_.push_back(pod.facts);
      } else {
        Place(pod);
      }
    }
    ObjectStatus status;
    if (karta_.root().status) status = ReadStatus(*karta_.root().status, evaluation_);
    if (IsOver(ObjectHeadline(status.phases))) WantNothing();
    TallyInstances();
    NameRoles();
    ListRoles();
    workload_.components = BuildTree();
    if (!spawned_.empty()) AddSpawned(IsOver(ObjectHeadline(status.phases)));
    AddTotals(pods.size());
    FoldDevices();
    FillStatus(status);
    workload_.diagnostics = evaluation_.TakeDiagnostics();
    return std::move(workload_);
  }

 private:
  void ReadIdentity() {
    const Value& object = evaluation_.object();
    Value metadata = object.Get("metadata");
    auto text = [](const Value& value) { return std::string(value.text_or_empty()); };
    workload_.api_version = text(object.Get("apiVersion"));
    workload_.kind = text(object.Get("kind"));
    workload_.name_space = text(metadata.Get("namespace"));
    workload_.name = text(metadata.Get("name"));
    if (workload_.name.empty()) {
      std::string_view prefix = metadata.Get("generateName").text_or_empty();
      workload_.generate_name = prefix;
      if (!prefix.empty()) workload_.name = Cat(prefix, '*');
    }
    workload_.uid = text(metadata.Get("uid"));
    workload_.created_at = text(metadata.Get("creationTimestamp"));
    if (Value labels = metadata.Get("labels"); labels.is_object()) {
      for (const json::Member& label : labels.members()) {
        workload_.labels.emplace_back(label.key, label.value.text_or_empty());
      }
    }
    workload_.definition = karta_.name;
    workload_.origin = OriginName(karta_.origin);
    if (!karta_.is_valid) {
      evaluation_.Add(
          Severity::kWarning, "invalid-definition",
          Cat("definition ", Quote(karta_.name), " has errors; `wmap validate` lists them"));
    }
  }

  void Place(const PodRef& pod) {
    // Of a pod that is the workload itself its role tells it.
    if (!pod.facts->request_problem.empty() && !IsPod()) {
      evaluation_.AddForPod("resources", std::string(pod.facts->request_problem),
                            Cat("pod ", Quote(pod.facts->name), ": ", pod.facts->request_problem,
                                "; it is not counted"));
    }
    std::optional<PodPlace> place = PlacePod(pod, parts_, evaluation_);
    if (!place) {
      workload_.pods_without_role.push_back(pod.facts);
      return;
    }
    place->instance = TwinWithRoom(*place);
    InstanceNode& node = nodes_[place->component][place->instance];
    PartInstance& instance = parts_[place->component].instances[place->instance];
    if (!node.exists) {
      // Its pods outlive it: nothing of it is asked for any more.
      node.exists = true;
      instance.desired = instance.wanted = instance.min = Count();
      instance.max = Count();
    }
    node.pods.push_back(pod.facts);
    node.replicas[place->replica].push_back(pod.facts);
  }

  // Of instances that nothing tells apart, each takes as many pods as it asks for: together they
  // have what they have, whichever pod is whose.
  std::size_t TwinWithRoom(const PodPlace& place) const {
    const std::vector<PartInstance>& instances = parts_[place.component].instances;
    for (std::size_t i = place.instance; i < instances.size(); ++i) {
      if (instances[i].id != instances[place.instance].id) continue;
      const InstanceNode& node = nodes_[place.component][i];
      if (node.exists && std::cmp_less(node.pods.size(), instances[i].desired.min())) return i;
    }
    return place.instance;
  }

  void WantNothing() {
    for (Part& part : parts_) {
      for (PartInstance& instance : part.instances) instance.wanted = Count();
    }
  }

  void TallyInstances() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Part& part = parts_[i];
      if (!part.component->bears_pods()) continue;
      for (std::size_t j = 0; j < part.instances.size(); ++j) {
        if (nodes_[i][j].exists) TallyInstance(part, part.instances[j], nodes_[i][j]);
      }
    }
  }

  void TallyInstance(const Part& part, const PartInstance& instance, InstanceNode& node) {
    node.role = instance.id.empty() ? part.component->role_name() : instance.id;
    Tally& tally = node.tally;
    tally.pods.desired = instance.desired;
    tally.pods.wanted = instance.wanted;
    tally.pods.min = instance.min;
    tally.pods.max = instance.max;
    if (!instance.pod_spec_known) {
      tally.gpus_per_pod = Count::Unknown(node.role);
      tally.gpus.desired = instance.desired.Times(*tally.gpus_per_pod);
    } else {
      if (IsNoPodSpec(instance.pod_spec) && !part.component->spec->fragmented) {
        evaluation_.Add(Severity::kWarning, "no-containers",
                        Cat("role ", Quote(node.role), ": its pod spec has no containers"));
      }
      PodRequest request = EffectiveRequest(instance.pod_spec, *options_.accelerators,
                                            {instance.pod_metadata, StatusOfPod(part)});
      for (const std::string& problem : request.problems) {
        evaluation_.Add(Severity::kWarning, "resources",
                        Cat("role ", Quote(node.role), ": ", problem));
      }
      tally.gpus_per_pod = Count::Exactly(request.gpus);
      if (!request.gpus_known) *tally.gpus_per_pod += Count::Unknown(node.role);
      tally.gpus.desired = instance.desired.Times(*tally.gpus_per_pod);
      tally.pod_resources = std::move(request.resources);
      for (const AcceleratorRequest& one : request.accelerators) {
        AddAsked(one.resource, one.type, Count::Exactly(one.count), tally);
      }
      for (const AcceleratorRequest& one : request.others) {
        std::string_view device_class = ClassBehind(one.resource);
        if (device_class.empty()) continue;
        AddAsked(device_class, kClaimType, Count::Exactly(one.count), tally);
      }
      for (const AcceleratorRequest& one : request.unreadable) {
        AddAsked(one.resource, one.type, Count::Unknown(node.role), tally);
      }
    }
    if (pods_known_) {
      tally.pods.wanted = StillWanted(EvidenceOf(part, instance, node));
      TallyPods(node.pods, tally);
    }
    // What pods hold is not what they all ask for.
    if (!instance.pod_spec_known) {
      for (AcceleratorCounts& row : tally.accelerators) {
        row.per_pod = *tally.gpus_per_pod;
        row.desired = instance.desired.Times(row.per_pod);
      }
    }
    AddAskedDevices(
        instance.pod_spec, {workload_.name_space, node.role, node.pods}, options_.claims,
        [&](const std::string& problem) {
          evaluation_.Add(Severity::kWarning, "claim",
                          Cat("role ", Quote(node.role), ": ", problem));
        },
        tally);
  }

  static RoleEvidence EvidenceOf(const Part& part, const PartInstance& instance,
                                 const InstanceNode& node) {
    return {instance.wanted,          instance.desired,    part.wanted_is_reduced, node.pods, {},
            instance.starts_by_index, instance.first_index};
  }

  // The status of the pod that the object itself is.
  Value StatusOfPod(const Part& part) const {
    return part.component->is_root() && IsPod() ? evaluation_.object().Get("status") : Value();
  }

  bool IsPod() const {
    const Value& object = evaluation_.object();
    return object.Get("kind").text_or_empty() == "Pod" &&
           object.Get("apiVersion").text_or_empty() == "v1";
  }

  // Every pod of the tally asks for so many.
  static void AddAsked(std::string_view resource, std::string_view type, const Count& per_pod,
                       Tally& tally) {
    AcceleratorCounts& row = tally.Accelerator(resource, type);
    row.per_pod += per_pod;
    row.desired += tally.pods.desired.Times(per_pod);
  }

  // The device class that an extended resource stands for, or "".
  std::string_view ClassBehind(std::string_view resource) const {
    return options_.claims == nullptr ? std::string_view() : options_.claims->ClassBehind(resource);
  }

  void TallyPods(std::span<const PodFacts* const> pods, Tally& tally) const {
    tally.pods.observed = static_cast<std::int64_t>(pods.size());
    tally.pods.ready = 0;
    tally.pods.serving = 0;
    tally.gpus.allocated = 0;
    tally.gpus.running = 0;
    for (AcceleratorCounts& accelerator : tally.accelerators) accelerator.allocated = 0;
    for (const PodFacts* pod : pods) {
      if (pod->ready) ++*tally.pods.ready;
      if (pod->serves()) ++*tally.pods.serving;
      if (pod->phase == PodPhase::kRunning) Increase(tally.gpus.running, pod->gpus);
      if (!pod->allocated()) continue;
      Increase(tally.gpus.allocated, pod->gpus);
      for (const HeldAccelerator& held : pod->accelerators) AddAllocated(held, tally);
      AddHeldDevices(*pod, options_.claims, tally);
    }
    Fill(*tally.pods.serving, tally.pods);
  }

  // Of `serving` pods those count that are still wanted; where nobody can say how many are, all.
  static void Fill(std::int64_t serving, PodCounts& pods) {
    std::int64_t filled = pods.filled.value_or(0);
    std::int64_t missing =
        std::max<std::int64_t>(pods.wanted.max().value_or(serving + filled) - filled, 0);
    pods.filled = filled + std::min(serving, missing);
  }

  // Pods may hold what the template does not ask for (any more).
  void AddAllocated(const HeldAccelerator& held, Tally& tally) const {
    bool is_known = !held.type.empty();
    std::string_view resource = is_known ? held.resource : ClassBehind(held.resource);
    if (resource.empty()) return;
    Increase(tally.Accelerator(resource, is_known ? held.type : kClaimType).allocated, held.count);
  }

  // Pods that pods of the workload have started themselves, as a driver does its executors. No
  // definition knows of them, so what there is is what is asked for.
  void AddSpawned(bool is_over) {
    constexpr std::string_view kName = "spawned";
    Instance instance;
    instance.role = kName;
    instance.tally = TallySpawned(is_over);
    instance.replicas.push_back({"", spawned_});
    workload_.roles.push_back(
        {std::string(kName), std::string(kName), "", instance.tally, spawned_});
    Component component;
    component.name = kName;
    component.kind = "Pod";
    component.instances.push_back(std::move(instance));
    workload_.components.push_back(std::move(component));
  }

  Tally TallySpawned(bool is_over) const {
    Tally tally;
    std::int64_t alive = 0;
    Spread gpus;
    std::map<std::string_view, Spread> held_per_pod;
    for (const PodFacts* pod : spawned_) {
      if (pod->ended() || pod->done) continue;
      ++alive;
      gpus.Add(pod->gpus);
      tally.gpus.desired += Count::Exactly(pod->gpus);
      for (const HeldAccelerator& held : pod->accelerators) {
        if (held.type.empty()) continue;
        held_per_pod[held.resource].Add(held.count);
        tally.Accelerator(held.resource, held.type).desired += Count::Exactly(held.count);
      }
    }
    tally.pods.desired = tally.pods.min = Count::Exactly(alive);
    tally.pods.max = tally.pods.desired;
    tally.pods.wanted = is_over ? Count() : tally.pods.desired;
    tally.gpus_per_pod = gpus.Of(alive);
    for (AcceleratorCounts& row : tally.accelerators) {
      row.per_pod = held_per_pod[row.resource].Of(alive);
      if (!row.per_pod.exact() || UnitOf(row.type) != 1) continue;
      tally.pod_resources.Set(row.resource, json::Quantity::Of(row.per_pod.min()));
    }
    TallyPods(spawned_, tally);
    return tally;
  }

  // Two roles of one name are told apart by their component.
  void NameRoles() {
    std::map<std::string, int, std::less<>> uses;
    for (const auto& nodes : nodes_) {
      for (const InstanceNode& node : nodes) ++uses[node.role];
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (InstanceNode& node : nodes_[i]) {
        if (!node.role.empty() && uses[node.role] > 1) {
          node.role = Cat(parts_[i].component->name, '/', node.role);
        }
      }
    }
  }

  void ListRoles() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!parts_[i].component->bears_pods()) continue;
      for (std::size_t j = 0; j < parts_[i].instances.size(); ++j) {
        const InstanceNode& node = nodes_[i][j];
        if (!node.exists) continue;
        workload_.roles.push_back({node.role, parts_[i].component->name, parts_[i].instances[j].id,
                                   node.tally, node.pods, parts_[i].instances[j].wraps});
      }
    }
  }

  // The components below the root, or the root itself where it bears pods. Built from the leaves up
  // in reverse list order of a breadth-first walk, so that no recursion follows the definition.
  // Every instance has what is below its component, unless the definition says which instance of
  // the owner it is in.
  std::vector<Component> BuildTree() {
    std::vector<std::size_t> order = {0};
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto& children = karta_.components[order[i]].children;
      order.insert(order.end(), children.begin(), children.end());
    }
    std::vector<std::vector<Subtree>> below(parts_.size());
    // Instances in below[i], of which each is in every instance of i, and of which each is in one.
    std::vector<std::size_t> repeated(parts_.size());
    std::vector<std::size_t> divided(parts_.size());
    std::vector<Component> top;
    for (std::size_t index : std::views::reverse(order)) {
      std::ranges::reverse(below[index]);  // the last child came first
      std::size_t instances = parts_[index].instances.size();
      // Nested lists multiply. A tree that would get out of hand shows what is below once.
      bool once = instances > 1 && repeated[index] > kMostRepeated / instances;
      if (once) {
        evaluation_.Add(Severity::kInfo, "large-tree",
                        Cat("what is below component ", Quote(karta_.components[index].name),
                            " is shown at its first instance only"));
      }
      Subtree tree = BuildComponent(index, below[index], once);
      below[index].clear();
      std::size_t parent = karta_.components[index].parent;
      if (parent != definition::Component::kNoParent) {
        (parts_[index].is_divided ? divided : repeated)[parent] +=
            instances + divided[index] + repeated[index] * (once ? 1 : instances);
        below[parent].push_back(std::move(tree));
      } else if (karta_.root().bears_pods()) {
        top.push_back(std::move(tree.node));
      } else if (!tree.node.instances.empty()) {
        top = std::move(tree.node.instances.front().children);
      }
    }
    return top;
  }

  Subtree BuildComponent(std::size_t index, const std::vector<Subtree>& children, bool once) {
    const definition::Component& component = karta_.components[index];
    Subtree tree;
    Component& node = tree.node;
    node.name = component.name;
    if (component.kind) node.kind = component.kind->kind;
    node.grouping = !component.bears_pods();
    for (std::size_t j = 0; j < parts_[index].instances.size(); ++j) {
      InstanceNode& found = nodes_[index][j];
      if (!found.exists) continue;
      Instance instance;
      instance.id = parts_[index].instances[j].id;
      instance.role = found.role;
      if (!once || node.instances.empty()) instance.children = ChildrenIn(j, children);
      if (node.grouping) {
        instance.tally = SumOf(j, children);
      } else {
        instance.tally = found.tally;
        for (auto& [key, pods] : found.replicas)
          instance.replicas.push_back({key, std::move(pods)});
      }
      node.instances.push_back(std::move(instance));
      tree.owners.push_back(parts_[index].instances[j].owner);
    }
    return tree;
  }

  static std::vector<Component> ChildrenIn(std::size_t owner, const std::vector<Subtree>& trees) {
    std::vector<Component> children;
    for (const Subtree& tree : trees) {
      Component child{tree.node.name, tree.node.kind, tree.node.grouping, {}};
      for (std::size_t i = 0; i < tree.owners.size(); ++i) {
        if (tree.HasIn(i, owner)) child.instances.push_back(tree.node.instances[i]);
      }
      // One of which nothing is here is none here; one of which there is nothing is shown so.
      if (!child.instances.empty() || tree.owners.empty()) children.push_back(std::move(child));
    }
    return children;
  }

  static Tally SumOf(std::size_t owner, const std::vector<Subtree>& trees) {
    Tally sum;
    sum.pods.max = Count();
    for (const Subtree& tree : trees) {
      for (std::size_t i = 0; i < tree.owners.size(); ++i) {
        if (tree.HasIn(i, owner)) sum.Add(tree.node.instances[i].tally);
      }
    }
    return sum;
  }

  // Sums are made; what is shared may be shown with each of them.
  void FoldDevices() {
    FoldSharedDevices(workload_.totals);
    for (Role& role : workload_.roles) FoldSharedDevices(role.tally);
    std::vector<Component*> open;
    open.reserve(workload_.components.size());
    for (Component& component : workload_.components) open.push_back(&component);
    while (!open.empty()) {
      Component& component = *open.back();
      open.pop_back();
      for (Instance& instance : component.instances) {
        FoldSharedDevices(instance.tally);
        for (Component& child : instance.children) open.push_back(&child);
      }
    }
  }

  void AddTotals(std::size_t pods) {
    Tally& totals = workload_.totals;
    totals.pods.max = Count();
    for (const Role& role : workload_.roles) {
      totals.Add(role.tally);
      // Of a count that is not exact, what is sure.
      AddResources(totals.pod_resources, role.tally.pod_resources, role.tally.pods.desired.min());
    }
    if (karta_.minimum) ReadMinimum(totals.pods);
    if (!pods_known_) return;
    Tally without_role;
    without_role.pods.max = Count();
    TallyPods(workload_.pods_without_role, without_role);
    totals.Add(without_role);
    // Pods without a role stand in for those that the roles miss, as for the phase.
    Fill(*without_role.pods.serving, totals.pods);
    WMAP_CHECK(totals.pods.observed == static_cast<std::int64_t>(pods));
  }

  // What the workload says of all roles together goes before the sum; nothing and null say nothing.
  void ReadMinimum(PodCounts& pods) {
    Result<std::optional<Value>> value = evaluation_.First(karta_.minimum, evaluation_.object());
    Result<std::optional<std::int64_t>> minimum = std::nullopt;
    if (value && *value) minimum = ToScale(**value);
    if (!value || !minimum) {
      evaluation_.Add(Severity::kWarning, "expression",
                      Cat("minimum: ", (value ? minimum.error() : value.error()).Describe(),
                          value ? evaluation_.PlaceOf(karta_.minimum, 0, **value) : ""));
    } else if (*minimum && **minimum < 0) {
      evaluation_.Add(Severity::kWarning, "count",
                      Cat("minimum: a count below 0: ", **minimum,
                          evaluation_.PlaceOf(karta_.minimum, 0, **value)));
    } else if (*minimum) {
      pods.min = Count::Exactly(**minimum);
    }
  }

  void FillStatus(const ObjectStatus& object_status) {
    Status& status = workload_.status;
    status.phases = object_status.phases;
    if (status.phases.empty()) status.phases = {Phase::kUndefined};
    status.phase = ObjectHeadline(object_status.phases);
    status.phase_text = object_status.phase_text;
    status.conditions = object_status.conditions;
    Value metadata = evaluation_.object().Get("metadata");
    status.deleting = metadata.Get("deletionTimestamp").is_string();
    Value generation = metadata.Get("generation");
    Value observed = evaluation_.object().Get("status").Get("observedGeneration");
    status.stale =
        generation.is_int() && observed.is_int() && observed.as_int() < generation.as_int();
    if (pods_known_) JudgeByPods(object_status.phases);
    TellHeldDevices();
    status.matched = MatchedName(object_status, status.phase);
    if (status.reason.empty()) ExplainByObject(object_status);
  }

  void JudgeByPods(std::span<const Phase> phases) {
    std::vector<RoleEvidence> evidence;
    std::map<std::string_view, std::size_t> roles;
    std::vector<const PartInstance*> instances;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const definition::Component& component = *parts_[i].component;
      if (!component.bears_pods()) continue;
      for (std::size_t j = 0; j < nodes_[i].size(); ++j) {
        const InstanceNode& node = nodes_[i][j];
        if (!node.exists) continue;
        const PartInstance& instance = parts_[i].instances[j];
        roles.emplace(component.has_instances() ? instance.id : component.role_name(),
                      evidence.size());
        evidence.push_back(EvidenceOf(parts_[i], instance, node));
        instances.push_back(&instance);
      }
    }
    for (std::size_t i = 0; i < evidence.size(); ++i) {
      for (const std::string& role : instances[i]->starts_after) {
        if (auto at = roles.find(role); at != roles.end()) {
          evidence[i].starts_after.push_back(at->second);
        }
      }
    }
    if (!spawned_.empty()) {
      const PodCounts& pods = workload_.roles.back().tally.pods;
      evidence.push_back({pods.wanted, pods.desired, /*wanted_is_reduced=*/false, spawned_});
    }
    Headline headline =
        HeadlineWithPods(phases, evidence, workload_.pods_without_role, HoldsOnReadyPods());
    workload_.status.phase = headline.phase;
    workload_.status.from_pods = headline.from_pods;
    workload_.status.reason = std::move(headline.reason);
    workload_.status.message = std::move(headline.message);
  }

  std::optional<bool> HoldsOnReadyPods() {
    if (!karta_.status_holds) return std::nullopt;
    Result<std::optional<Value>> value =
        evaluation_.First(karta_.status_holds, evaluation_.object());
    if (!value) {
      evaluation_.Add(
          Severity::kWarning, "expression",
          Cat(FieldName(karta_.status_holds, karta_.root()), ": ", value.error().Describe()));
      return std::nullopt;
    }
    if (!*value || !(*value)->is_bool()) return std::nullopt;
    return (*value)->is_true();
  }

  // Of a workload that is over, devices are expected to be free.
  void TellHeldDevices() {
    Phase phase = workload_.status.phase;
    if (phase != Phase::kFailed && phase != Phase::kCompleted) return;
    if (!pods_known_) return TellActivePods();
    std::vector<std::string> held;
    std::int64_t gpus = workload_.totals.gpus.allocated.value_or(0);
    if (gpus > 0) held.push_back(Cat(gpus, gpus == 1 ? " GPU" : " GPUs"));
    for (const AcceleratorCounts& row : workload_.totals.accelerators) {
      std::int64_t allocated = row.allocated.value_or(0);
      if (row.type == kWholeGpu || allocated == 0) continue;
      held.push_back(Cat(DecimalText(allocated, UnitOf(row.type)), ' ', row.resource));
    }
    if (held.empty()) return;
    evaluation_.Add(
        Severity::kWarning, "devices-held",
        Cat("it is ", PhaseName(phase), ", and its pods still hold ", Join(held, ", ")));
  }

  // Without pods the object is all there is to tell it by.
  void TellActivePods() {
    Count active;
    Tally held;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (std::size_t j = 0; j < parts_[i].instances.size(); ++j) {
        const Count& pods = parts_[i].instances[j].active;
        const Tally& tally = nodes_[i][j].tally;
        active += pods;
        if (tally.gpus_per_pod) held.gpus.desired += pods.Times(*tally.gpus_per_pod);
        for (const AcceleratorCounts& row : tally.accelerators) {
          if (row.type == kWholeGpu) continue;
          held.Accelerator(row.resource, row.type).desired += pods.Times(row.per_pod);
        }
      }
    }
    std::vector<std::string> texts;
    if (held.gpus.desired != Count()) {
      bool is_one = held.gpus.desired == Count::Exactly(1);
      texts.push_back(Cat(held.gpus.desired.text(), is_one ? " GPU" : " GPUs"));
    }
    for (const AcceleratorCounts& row : held.accelerators) {
      if (row.desired == Count()) continue;
      texts.push_back(Cat(row.desired.text(UnitOf(row.type)), ' ', row.resource));
    }
    if (texts.empty()) return;
    evaluation_.Add(
        Severity::kWarning, "devices-held",
        Cat("it is ", PhaseName(workload_.status.phase), ", and its status still counts ",
            active.text(), active == Count::Exactly(1) ? " active pod" : " active pods",
            ", which hold ", Join(texts, ", ")));
  }

  void ExplainByObject(const ObjectStatus& object_status) {
    Status& status = workload_.status;
    status.reason = FirstText(karta_.status_reason);
    status.message = FirstText(karta_.status_message);
    if (!status.reason.empty() || !status.message.empty() || !karta_.root().status) return;
    const Condition* condition =
        MatchedCondition(*karta_.root().status, object_status, status.phase);
    if (condition == nullptr) return;
    status.reason = condition->reason;
    status.message = condition->message;
  }

  // The first result that is a string.
  std::string FirstText(const definition::Expression& expression) {
    if (!expression) return {};
    auto results = evaluation_.All(expression, evaluation_.object());
    if (!results) {
      evaluation_.Add(Severity::kWarning, "expression",
                      Cat(FieldName(expression, karta_.root()), ": ", results.error().Describe()));
      return {};
    }
    for (const Value& result : *results) {
      if (result.is_string()) return std::string(result.as_string());
    }
    return {};
  }

  Evaluation& evaluation_;
  const definition::Karta& karta_;
  const InterpretOptions& options_;
  bool pods_known_ = false;
  Workload workload_;
  std::vector<Part> parts_;
  std::vector<std::vector<InstanceNode>> nodes_;
  std::vector<const PodFacts*> spawned_;  // the last role, where there are any
};

}  // namespace

Workload Interpreter::Interpret(const definition::Karta& karta, const Value& object,
                                std::span<const PodRef> pods, std::span<const ChildRef> children,
                                std::span<const std::string> without) {
  arena_.Reset();
  Evaluation evaluation(karta, object, evaluator_, &spent());
  return Assembler(evaluation, options_).Assemble(pods, children, without);
}

}  // namespace wmap::workload
