// What a report was read from, for those who look closer than the report does (explanation.h,
// audit.h): kept when Snapshot::WantSources() was called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text_pool.h"
#include "json/value.h"
#include "workload/pod_facts.h"
#include "workload/workload.h"

namespace wmap::inspect {

// An object that is no pod. Views the report's texts, and those of the sources.
struct SourceObject {
  std::string_view api_version;
  std::string_view kind;
  std::string_view name_space;
  std::string_view name;
  std::string_view uid;
  workload::OwnerReference owner;
  std::int64_t created = 0;  // Unix seconds; 0 = not said
  std::string_view text;     // compact JSON
};

struct SourcePod {
  const workload::PodFacts* facts = nullptr;
  std::string_view text;  // compact JSON of the whole manifest
};

// Of one workload.
struct WorkloadSources {
  // The object as its definition saw it: with the other objects that the definition reads.
  std::string text;
  std::vector<std::size_t> owned;  // numbers in Sources::objects: what stands below it
  std::vector<SourcePod> pods;     // all of them, with a role or without
};

// Where events are found: by the uid of what they are about, or by EventKey().
using EventTable = std::unordered_map<std::string, std::vector<workload::Event>>;
std::string EventKey(std::string_view kind, std::string_view name_space, std::string_view name);

struct Sources {
  std::vector<SourceObject> objects;
  std::vector<WorkloadSources> workloads;       // by the report's workloads
  std::vector<const workload::PodFacts*> pods;  // all there are; of several versions the newest
  EventTable events;
  // Kinds ("pods", "queues.scheduling.run.ai") that could not be read, and why.
  std::map<std::string, std::string> unread;
  bool has_pods = false;    // there were pods among the inputs
  bool has_events = false;  // and events
  bool has_nodes = false;
  TextPool texts;  // compact JSON of objects and pods
};

}  // namespace wmap::inspect
