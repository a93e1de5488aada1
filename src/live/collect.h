// A snapshot of a cluster, with the fewest calls: one list for each kind that a definition covers,
// one for all pods, and for what stands between a pod and its workload one list of metadata.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "definition/registry.h"
#include "inspect/snapshot.h"
#include "kube/client.h"
#include "kube/discovery.h"
#include "live/demand.h"

namespace wmap::live {

// The type of definitions in a cluster, or null where it has none.
const kube::ApiType* DefinitionType(const kube::Discovery& discovery);

// Which definitions were read.
struct DefinitionsRead {
  std::string resource_version;                     // "" where the cluster has no such type
  std::map<std::string, std::int64_t> generations;  // by name
};
// What of a definition tells one state of its spec from another.
std::int64_t GenerationOf(const json::Value& metadata);

// The definitions that the cluster holds (`kartas.run.ai`): calls `each` with every object. A
// cluster without the type has none. Errors: those of kube::List.
Result<DefinitionsRead> ReadDefinitions(kube::Client& client, const kube::Discovery& discovery,
                                        const std::function<void(const json::Value&)>& each);

// Something that could not be read.
struct Gap {
  Error error;
  std::string what;  // "pods", "jobsets.jobset.x-k8s.io"
  std::string group = {};
  std::string kind = {};           // "" for a single object
  std::string_view verb = "list";  // or "watch"
  bool is_listed_instead = false;  // of what cannot be watched
  // Something that was read points there, or else it is of a kind that is listed without that.
  bool is_pointed_at = true;
};
Gap GapOf(const kube::ApiType& type, const Error& error);
// "pods", "jobsets.jobset.x-k8s.io".
std::string NameOf(const kube::ApiType& type);
// Adds to `snapshot` all that matters in `scope`. What cannot be read is left aside and returned.
// `tick` is called with every object.
std::vector<Gap> Collect(kube::Client& client, const kube::Discovery& discovery,
                         const definition::Registry& registry, const Scope& scope,
                         inspect::Snapshot& snapshot, const std::function<void()>& tick);

}  // namespace wmap::live
