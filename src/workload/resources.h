// What pods ask for, as the Kubernetes scheduler counts it.
//
// The effective request of a pod is, per resource, the larger of
//   - the sum over its containers and its restartable init containers, and
//   - the largest init container, each together with the restartable ones that start before it;
// pod-level resources (spec.resources) take the place of that for cpu, memory and huge pages;
// spec.overhead comes on top. A limit without a request is a request: a template inside a custom
// resource has never been through the API server's defaulting.
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
  std::string resource;  // the resource name, or the device class of a claim
  std::string type;      // "gpu", "mig", …
  std::int64_t count = 0;

  friend bool operator==(const AcceleratorRequest&, const AcceleratorRequest&) = default;
};

struct PodRequest {
  ResourceList resources;
  // Ascending by resource.
  std::vector<AcceleratorRequest> accelerators;
  // Accelerators whose amount cannot be read, by resource name. How many are asked for is unknown.
  std::vector<std::string> unreadable;
  // Whole GPUs: the sum of the accelerators of type "gpu", and whether that is all of them.
  std::int64_t gpus = 0;
  bool gpus_known = true;
  // What is wrong with the request, for people: quantities that do not parse (left out of the
  // sums), extended resources whose request and limit differ.
  std::vector<std::string> problems;
};

// The effective request of a pod spec; null and missing fields ask for nothing. `pod_spec` may be
// untrusted: whatever is malformed is named in `problems`.
PodRequest EffectiveRequest(const json::Value& pod_spec, const AcceleratorTable& table);

// The same of the accelerators alone, for a fraction of the time: `resources` and `problems` name
// no others.
PodRequest EffectiveAccelerators(const json::Value& pod_spec, const AcceleratorTable& table);

// Adds `times` copies of `from`; what overflows is left as it is.
void AddResources(ResourceList& to, const ResourceList& from, std::int64_t times = 1);

}  // namespace wmap::workload
