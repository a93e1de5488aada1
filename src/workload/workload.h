// The result of reading one workload: plain data, the source of every output format. Fields carry
// the names and the meaning of the machine output (version wmap/v1).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workload/count.h"
#include "workload/phase.h"
#include "workload/pod_facts.h"
#include "workload/resources.h"

namespace wmap::workload {

enum class Severity : std::uint8_t { kInfo, kWarning, kError };
std::string_view SeverityName(Severity severity);

// Something that the reader of an output should know. `code` is stable ("count-mismatch").
struct Diagnostic {
  Severity severity = Severity::kWarning;
  std::string code;
  std::string message;
  std::string source;        // "file.yaml:3:7", or "" when it concerns no file
  std::string cluster = {};  // see Workload::cluster
};

// All but the first four are there only when pods were among the inputs.
struct PodCounts {
  Count desired;                         // asked for, as if not suspended
  Count wanted;                          // of those, wanted at this moment
  Count min;                             // elastic bounds; equal to desired where there are none
  std::optional<Count> max;              // nothing = unbounded
  std::optional<std::int64_t> observed;  // pods that exist
  std::optional<std::int64_t> ready;     // phase Running and Ready
  std::optional<std::int64_t> serving;   // of the ready ones, those that are not about to go
  // How many of the wanted are there and serve: in each role no more than it wants, so that what
  // one has too many of does not hide what another lacks.
  std::optional<std::int64_t> filled;

  PodCounts& operator+=(const PodCounts& other);
};

struct GpuCounts {
  Count desired;
  std::optional<std::int64_t> allocated;  // on pods that have a node and have not ended
  std::optional<std::int64_t> running;    // on pods in phase Running

  GpuCounts& operator+=(const GpuCounts& other);
};

// Counts are in units: UnitOf(type) for each device.
struct AcceleratorCounts {
  std::string resource;
  std::string type;
  Count per_pod;
  Count desired;
  std::optional<std::int64_t> allocated;
};

// A copy of a component's sub-structure, seen on pods only. `key` is "" where copies are not told
// apart.
struct Replica {
  std::string key;
  std::vector<const PodFacts*> pods;  // views of what the caller of Interpret() keeps
};

// What one role or instance counts. `gpus_per_pod` is empty for components without a pod template.
struct Tally {
  PodCounts pods;
  GpuCounts gpus;
  std::optional<Count> gpus_per_pod;
  ResourceList pod_resources;
  std::vector<AcceleratorCounts> accelerators;
  // Devices of claims that several pods share, by claim and device class, until they are added to
  // the accelerators: a sum of tallies has each claim once.
  std::map<std::pair<std::string, std::string>, Count> shared;
  std::map<std::pair<std::string, std::string>, std::int64_t> shared_held;
  bool holds_unknown = false;  // a pod holds a claim that cannot be read

  // The row of a kind of accelerator, a new one when there is none.
  AcceleratorCounts& Accelerator(std::string_view resource, std::string_view type);
  // Adds the counts of `other`: pods, GPUs, accelerators by resource. What is per pod stays.
  void Add(const Tally& other);
};

struct Component;

struct Instance {
  std::string id;    // "" for a component without instance ids
  std::string role;  // the role's name; "" for grouping components
  Tally tally;
  std::vector<Replica> replicas;
  std::vector<Component> children;
};

// A node of the definition's tree. A grouping component bears no pods; its tallies are the sums of
// what is below it.
struct Component {
  std::string name;
  std::string kind;
  bool grouping = false;
  std::vector<Instance> instances;
};

struct Role {
  std::string role;
  std::string component;
  std::string instance;
  Tally tally;
  std::vector<const PodFacts*> pods;
  std::string wraps = {};  // ObjectKey() of an object of another kind that it is a part of, or ""
};

// "group/kind/name".
std::string ObjectKey(std::string_view api_version, std::string_view kind, std::string_view name);

struct Condition {
  std::string type;
  std::string status;
  std::string reason;
  std::string message;
};

struct Status {
  Phase phase = Phase::kUndefined;  // the headline
  std::vector<Phase> phases;        // all mappings that match the object, in the format's order
  bool from_pods = false;           // pods were evidence too
  std::string matched;              // the mapping behind the headline, "running[0]", or ""
  std::string reason;
  std::string message;
  bool stale = false;      // observedGeneration is behind
  bool deleting = false;   // a deletion is pending
  std::string phase_text;  // what phaseDefinition yields, or ""
  std::vector<Condition> conditions;
};

// An event about the workload, one of its pods or what stands between.
struct Event {
  std::string type;  // "Normal", "Warning"
  std::string reason;
  std::string object;  // "Pod/train-0"
  std::string name_space;
  std::string message;
  std::int64_t count = 1;
  std::int64_t last_seen = 0;  // Unix seconds
};

struct Workload {
  std::string api_version;
  std::string kind;
  std::string name_space;
  std::string name;           // "train", or "train-*" where only a prefix is given
  std::string generate_name;  // metadata.generateName of an object without name
  std::string uid;
  std::string created_at;
  std::vector<std::pair<std::string, std::string>> labels;  // ascending by key
  std::string definition;
  std::string origin;                  // "builtin", "cluster" or "file"
  std::vector<std::string> overrides;  // what the definition takes the place of
  std::string source;                  // where the object was read
  std::string cluster;                 // in which of several clusters; "" when there is but one
  Status status;
  Tally totals;
  std::vector<Role> roles;
  std::vector<Component> components;
  // Pods of the workload that no role claims.
  std::vector<const PodFacts*> pods_without_role;
  std::vector<Event> events;  // oldest first
  std::vector<Diagnostic> diagnostics;
};

}  // namespace wmap::workload
