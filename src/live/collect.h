// A snapshot of a cluster, with the fewest calls: one list for each kind that a definition covers,
// one for all pods, and for what stands between a pod and its workload one list of metadata.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "definition/registry.h"
#include "inspect/snapshot.h"
#include "kube/client.h"
#include "kube/discovery.h"
#include "live/demand.h"

namespace wmap::live {

// The definitions that the cluster holds (`kartas.run.ai`): calls `each` with every object. A
// cluster without the type has none. Errors: those of kube::List.
Result<void> ReadDefinitions(kube::Client& client, const kube::Discovery& discovery,
                             const std::function<void(const json::Value&)>& each);

// Something that could not be read.
struct Gap {
  Error error;
  std::string what;                // "pods", "jobsets.jobset.x-k8s.io"
  std::string_view verb = "list";  // or "watch"
};
Gap GapOf(const kube::ApiType& type, const Error& error);
// Adds to `snapshot` all that matters in `scope`. What cannot be read is left aside and returned.
// `tick` is called with every object.
std::vector<Gap> Collect(kube::Client& client, const kube::Discovery& discovery,
                         const definition::Registry& registry, const Scope& scope,
                         inspect::Snapshot& snapshot, const std::function<void()>& tick);

}  // namespace wmap::live
