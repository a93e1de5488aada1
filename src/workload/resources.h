// What pods ask for, as the Kubernetes scheduler counts it.
//
// The effective request of a pod is, per resource, the larger of
//   - the sum over its containers and its restartable init containers, and
//   - the largest init container, each together with the restartable ones that start before it;
// pod-level resources (spec.resources) take the place of that for cpu, memory and huge pages;
// spec.overhead comes on top. A limit without a request is a request: a template inside a custom
// resource has never been through the API server's defaulting. Of a pod that is resized in place,
// the largest of what it asks for, what it was promised and what it has counts.
//
// Schedulers that share GPUs take requests for parts of them from annotations, where Kubernetes
// knows no fractions: "gpu-fraction", "gpu-memory" (MiB) and "gpu-fraction-num-devices" (KAI,
// Run:ai), and from labels "sharedgpu/gpu_request" and "sharedgpu/gpu_mem" (KubeShare).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/quantity.h"
#include "json/value.h"
#include "workload/accelerators.h"
#include "workload/count.h"

namespace wmap::workload {

// Amounts by exact resource name, ascending. A sorted vector: there are a handful, and a great many
// lists.
class ResourceList {
 public:
  using Entry = std::pair<std::string, json::Quantity>;
  using Iterator = std::vector<Entry>::iterator;
  using ConstIterator = std::vector<Entry>::const_iterator;

  ConstIterator begin() const { return entries_.begin(); }
  ConstIterator end() const { return entries_.end(); }
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }

  ConstIterator find(std::string_view resource) const;
  // The amount of `resource`, set to `amount` when there was none; whether that was so.
  std::pair<json::Quantity*, bool> Insert(std::string_view resource, const json::Quantity& amount);
  void Set(std::string_view resource, const json::Quantity& amount) {
    *Insert(resource, amount).first = amount;
  }

 private:
  std::vector<Entry> entries_;
};

// A kind of device that one pod asks for.
struct AcceleratorRequest {
  std::string resource;    // the resource name, or the device class of a claim
  std::string type;        // "gpu", "mig", …
  std::int64_t count = 0;  // UnitOf(type) for each one

  friend bool operator==(const AcceleratorRequest&, const AcceleratorRequest&) = default;
};

struct PodRequest {
  ResourceList resources;
  // Ascending by resource.
  std::vector<AcceleratorRequest> accelerators;
  // Extended resources that the table does not know. Behind their names may be a device class.
  std::vector<AcceleratorRequest> others;
  // Accelerators whose amount cannot be read: how many are asked for is unknown.
  std::vector<AcceleratorRequest> unreadable;
  // Whole GPUs: the sum of the accelerators of type "gpu", and whether that is all of them.
  std::int64_t gpus = 0;
  bool gpus_known = true;
  // What is wrong with the request, for people: quantities that do not parse (left out of the
  // sums), extended resources whose request and limit differ.
  std::vector<std::string> problems;
};

// What else of a pod, or of a pod template, says what it asks for.
struct PodContext {
  json::Value metadata;
  json::Value status;  // of pods that exist
};

// The effective request of a pod spec; null and missing fields ask for nothing. `pod_spec` may be
// untrusted: whatever is malformed is named in `problems`.
PodRequest EffectiveRequest(const json::Value& pod_spec, const AcceleratorTable& table,
                            const PodContext& context = {});

// The same of the accelerators alone, for a fraction of the time: `resources` has extended ones
// only, and `problems` are those of accelerators. Devices are not resized in place, so the status
// does not matter.
PodRequest EffectiveAccelerators(const json::Value& pod_spec, const AcceleratorTable& table,
                                 const json::Value& metadata = {});

// Adds `times` copies of `from`; what overflows is left as it is.
void AddResources(ResourceList& to, const ResourceList& from, std::int64_t times = 1);

}  // namespace wmap::workload
