// Karta: one definition, which says how to read one Kubernetes kind: its components, where pod
// descriptions, counts and status stand in the object, how its pods are told apart, and how it is
// suspended. Plain data with the fields of the format (run.ai/v1alpha1, kind Karta), made by
// Load(); docs/definitions.md explains the format to authors.
//
// After loading a Karta never changes and may be read by any number of threads. It is move-only,
// owns all it holds, and its compiled expressions stay in place as long as it is not moved: share
// it by reference or const pointer.
//
// Every component of the tree is reachable from the root, without cycles, also in a definition that
// is not valid: there a component whose owners do not lead to the root hangs below the root.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "definition/finding.h"
#include "expr/program.h"

namespace wmap::definition {

inline constexpr std::string_view kApiVersion = "run.ai/v1alpha1";
inline constexpr std::string_view kKind = "Karta";
inline constexpr std::string_view kExtensionsAnnotation = "wmap.dev/extensions";

// An expression of the definition, compiled when the definition is loaded. An absent field and an
// empty text are the same to readers: there is nothing to evaluate, and the Expression is false.
class Expression {
 public:
  Expression() = default;
  Expression(std::string text, std::string pointer)
      : text_(std::move(text)), pointer_(std::move(pointer)), given_(true) {}

  explicit operator bool() const { return !text_.empty(); }
  // Whether the field stands in the document, be it empty.
  bool is_given() const { return given_; }
  const std::string& text() const { return text_; }
  // Where it stands: a JSON pointer into the document ("/spec/structureDefinition/…"); for an
  // expression of the extensions annotation, "/metadata/annotations/wmap.dev~1extensions" and then
  // a pointer into the annotation's own JSON.
  const std::string& pointer() const { return pointer_; }
  // Null when the text is empty or does not compile; then there is a finding that says why.
  // Equal expressions of one definition share one Program.
  const expr::Program* program() const { return program_.get(); }

  // For the loader.
  void set_program(std::shared_ptr<const expr::Program> program) { program_ = std::move(program); }

 private:
  std::string text_;
  std::string pointer_;
  std::shared_ptr<const expr::Program> program_;
  bool given_ = false;
};

struct GroupVersionKind {
  std::string group;  // "" is the core group
  std::string version;
  std::string kind;

  // "jobset.x-k8s.io/v1alpha2", or "v1" for the core group.
  std::string api_version() const;
  // "JobSet (jobset.x-k8s.io/v1alpha2)", for messages.
  std::string Describe() const;
  friend bool operator==(const GroupVersionKind&, const GroupVersionKind&) = default;
};

// Where the parts of a pod stand when the object holds them in different places. All are evaluated
// on the workload object and yield one result per instance.
struct FragmentedPodSpec {
  Expression scheduler_name;       // string
  Expression labels;               // object of strings
  Expression annotations;          // object of strings
  Expression resources;            // {requests, limits, claims}
  Expression resource_claims;      // array of pod resource claims
  Expression pod_affinity;         // the podAffinity object
  Expression node_affinity;        // the nodeAffinity object
  Expression containers;           // array of containers
  Expression container;            // one container
  Expression priority_class_name;  // string
  Expression image;                // string

  std::array<const Expression*, 11> paths() const {
    return {&scheduler_name, &labels,        &annotations, &resources, &resource_claims,
            &pod_affinity,   &node_affinity, &containers,  &container, &priority_class_name,
            &image};
  }
};

struct SpecDefinition {
  Expression pod_template;  // podTemplateSpecPath: {metadata, spec}
  Expression pod_spec;      // podSpecPath: a bare pod spec
  Expression metadata;      // metadataPath: the pod's metadata
  std::optional<FragmentedPodSpec> fragmented;
};

struct ScaleDefinition {
  Expression replicas;
  Expression min_replicas;
  Expression max_replicas;
};

// The statuses that a definition can map, in the order in which they are evaluated and listed.
enum class Status : std::uint8_t {
  kResuming,
  kSuspending,
  kSuspended,
  kRunning,
  kFailed,
  kCompleted,
  kInitializing,
  kDegraded,
};
inline constexpr std::size_t kStatusCount = 8;
// "Running", as results spell it, and "running", as the key of statusMappings does.
std::string_view StatusName(Status status);
std::string_view StatusKey(Status status);

struct ExpectedCondition {
  std::string type;
  std::string status;  // "" = not asked for
  std::string reason;  // "" = not asked for
};

struct ExpectedResult {
  Expression expression;
  std::string result;  // equals the text of the expression's first result
};

// Holds when all of its parts do. One without any part always holds.
struct Matcher {
  std::string by_phase;  // "" = not asked for
  std::vector<ExpectedCondition> by_conditions;
  std::optional<ExpectedResult> by_expression;

  bool is_empty() const { return by_phase.empty() && by_conditions.empty() && !by_expression; }
};

struct ConditionsDefinition {
  Expression path;  // yields the array of conditions
  // Keys inside a condition object; the schema's defaults stand where the document names none.
  std::string type_field = "type";
  std::string status_field = "status";
  std::string message_field = "message";
  std::string reason_field = "reason";
  bool names_reason_field = false;  // the document says which, be it the default
};

struct StatusDefinition {
  Expression phase;  // phaseDefinition.path
  std::optional<ConditionsDefinition> conditions;
  // The matchers of each status, in list order; any one that holds makes the status match. Matcher
  // i of a status is the document's "<StatusKey>[i]".
  std::array<std::vector<Matcher>, kStatusCount> mappings;

  const std::vector<Matcher>& matchers(Status status) const {
    return mappings[static_cast<std::size_t>(status)];
  }
};

struct SuspendAction {
  Expression path;
  std::string value;  // JSON text
};

struct SuspendDefinition {
  std::vector<SuspendAction> suspend_actions;
  std::vector<SuspendAction> resume_actions;
};

// Tells whether a pod belongs to the component; evaluated on the pod.
struct TypeSelector {
  Expression key_path;
  std::optional<std::string> value;  // nothing = key_path must yield something that is not null
  std::vector<std::pair<std::string, std::string>> match_labels;  // ascending by key; all must hold
};

// All expressions are evaluated on the pod.
struct PodSelector {
  std::optional<TypeSelector> type;
  Expression instance_id;  // componentInstanceSelector.idPath
  Expression replica_key;  // replicaSelector.keyPath
  // The selector stands in the document, be its path empty or missing.
  bool has_instance_selector = false;
  bool has_replica_selector = false;
};

// What a count of a component is per. kUnstated: the definition does not say; read as kWorkload.
enum class Counts : std::uint8_t { kUnstated, kWorkload, kOwner };

// A kind of object below the workload that carries a count of its own, which is newer than what the
// workload says. All expressions are evaluated on such an object.
struct ChildScale {
  std::string group;
  std::string kind;
  Expression instance;  // the id of the instance that it is about; none for a component without
  Expression copy;      // which copy of the owner it is in, counted from 0
  Expression replicas;  // the count; nothing or null = it says nothing
  // The workload's own bounds are newer: a count beyond them is taken for the nearer one.
  bool is_bounded = false;

  bool IsAbout(std::string_view object_group, std::string_view object_kind) const {
    return object_kind == kind && object_group == group;
  }
};

// One component of a workload: the root or a child. Fields of the format first; then what loading
// derives; then what the extensions annotation says of it.
struct Component {
  std::string name;
  std::optional<GroupVersionKind> kind;
  std::optional<std::string> owner_ref;
  std::optional<SpecDefinition> spec;
  std::optional<ScaleDefinition> scale;
  std::optional<StatusDefinition> status;
  std::optional<SuspendDefinition> suspend;
  Expression instance_id_path;  // evaluated on the workload object: one string per instance
  std::optional<PodSelector> pod_selector;

  static constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);
  std::size_t parent = kNoParent;     // index into Karta::components
  std::vector<std::size_t> children;  // in list order
  std::string pointer;                // "/spec/structureDefinition/childComponents/0"

  std::string role;  // "" = the component's name
  Counts counts = Counts::kUnstated;
  Expression wanted;  // one number per instance: what is still wanted now, while active
  Expression active;  // one number per instance: pods that the object itself says are active
  Expression exists;  // false = this component (or instance) is not there at all
  // One id per instance: the instance of the owner that it is in. Without it, in every one.
  Expression owner_instance;
  std::vector<ChildScale> child_scales;  // the kind that is asked first comes first
  // One list of roles per instance: its pods start once pods of each of these are ready.
  Expression starts_after;
  // One boolean per instance: its pods start one by one, in the order of the numbers that their
  // names end with, each once those before are ready. Or the number that the first of them has.
  Expression starts_by_index;
  Expression described;  // false = what its pods ask for is not said, and so unknown
  // One boolean for all instances, or one for each: its pods are made only once others run, so no
  // gang may wait for them before they are there.
  Expression created_later;
  // On a pod, which has its owners under kOwnersKey: ids of instances that it may be in, the most
  // telling first. The first that there is takes it, before what instance_id says.
  Expression pod_instance;
  // One object per instance: the workload of another kind that it describes, with its kind and
  // name. Where that is at hand it is read itself, in place of the instance.
  Expression wraps;

  bool is_root() const { return parent == kNoParent; }
  // Has pods of its own, as opposed to a grouping component.
  bool bears_pods() const {
    return spec && (spec->pod_template || spec->pod_spec || spec->fragmented);
  }
  // One of several same-typed entries; without it there is one instance, with the id "".
  bool has_instances() const { return static_cast<bool>(instance_id_path); }
  const TypeSelector* type_selector() const {
    return pod_selector && pod_selector->type ? &*pod_selector->type : nullptr;
  }
  const std::string& role_name() const { return role.empty() ? name : role; }
};

// Placement of pods that are scheduled together.
struct Topology {
  std::string name;
  std::string preferred_level;
  std::string required_level;
};

struct SubGroup {
  std::string component;
  std::optional<Topology> topology;
};

// The new form of gang scheduling.
struct PodGroup {
  std::string name;
  std::vector<SubGroup> sub_groups;
  std::optional<Topology> topology;
};

struct GroupMember {
  std::string component;
  std::vector<Expression> group_by;  // groupByKeyPaths, on the pod
  std::vector<Expression> filters;   // on the pod
};

// The old form: named groups with members.
struct MemberGroup {
  std::string name;
  std::vector<GroupMember> members;
};

struct GangScheduling {
  std::optional<PodGroup> pod_group;
  std::vector<MemberGroup> pod_groups;
};

// Objects other than the workload that expressions on it find under kObjectsKey.
struct ObjectRead {
  std::string group;
  std::string kind;
  // On the workload: the name of an object, in its namespace or in none, or several. Without: all
  // that the workload owns.
  Expression name;
};
// The member that stands in the workload for the objects, a list; absent when none is at hand.
inline constexpr std::string_view kObjectsKey = "wmap.dev/objects";
// The member that stands in a pod for its owners, a list, the nearest first, without the workload:
// apiVersion, kind and name of each. Only Component::pod_instance sees it.
inline constexpr std::string_view kOwnersKey = "wmap.dev/owners";

// A map in the workload whose keys are names that the operator knows.
struct KnownKeys {
  std::vector<std::string> at;  // the fields that lead to it, from the root
  std::vector<std::string> known;
  bool any_case = false;  // to the operator other letters are the same name
};

// Findings that the author of the definition knows of.
struct Silence {
  std::string rule;
  // What they are at, or below: a JSON pointer into the definition ("/spec/…"), a path in documents
  // (".spec.crews[].size"), or the name of a component.
  std::string at;
  std::string reason;
  std::string pointer;  // where the silence itself stands
  Spot spot = {};
};

// Where a definition comes from, lowest precedence first.
enum class Origin : std::uint8_t { kBuiltin, kCluster, kFile };
// "builtin", "cluster", "file".
std::string_view OriginName(Origin origin);

struct Karta {
  std::string name;
  Origin origin = Origin::kFile;
  std::string source;  // the file it was read from, or "" when it was in none
  // No finding of loading was an error.
  bool is_valid = false;

  std::vector<Component> components;  // the root first, then the children in list order
  std::vector<GroupVersionKind> additional_child_kinds;
  std::optional<GangScheduling> gang;

  // Of the extensions annotation: the first string result is shown beside the status.
  Expression status_reason;
  Expression status_message;
  // Of the same, a boolean: whether the object's word holds where all wanted pods are ready.
  Expression status_holds;
  // Of the same: the fewest pods that the workload runs with, where the roles' own do not add up.
  Expression minimum;
  // Of the same: each role is a subgroup of its gang; and components that are subgroups and have
  // instances are divided by instance.
  bool gang_by_role = false;
  bool gang_by_instance = false;
  // Of the same: maps with the keys that they may have.
  std::vector<KnownKeys> keys;
  // Of the same: other objects that its expressions read, where they are at hand.
  std::vector<ObjectRead> objects;
  // Of the same: the operators' versions that it was tested with, "JobSet v0.12.0".
  std::vector<std::string> tested_with;
  // Of the same: what validate and check are not to tell of.
  std::vector<Silence> silences;

  const Component& root() const { return components.front(); }
  // The kind that the definition is about. Loading puts empty strings where an invalid definition
  // names none.
  const GroupVersionKind& kind() const { return *root().kind; }
  // The first component of that name, or nullptr.
  const Component* Find(std::string_view component_name) const;
  // Indexes of the pod-bearing components, in order.
  std::vector<std::size_t> PodBearing() const;
  // Whether the workload is around others, which are read themselves.
  bool Wraps() const;
  // Whether an expression reads the owners of pods.
  bool ReadsOwners() const;
  // Whether a count or an expression reads objects of that kind.
  bool ReadsChild(std::string_view group, std::string_view child_kind) const;
};

}  // namespace wmap::definition
