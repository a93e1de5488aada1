#include "workload/resources.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "base/text.h"

namespace wmap::workload {
namespace {

using json::Quantity;
using json::Value;

// Resources that spec.resources of a pod may set for the pod as a whole.
bool MayBePodLevel(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

// cpu, memory, … may be overcommitted: their limit may exceed the request.
bool IsExtended(std::string_view resource) {
  std::size_t slash = resource.find('/');
  return slash != std::string_view::npos && !resource.substr(0, slash).ends_with("kubernetes.io");
}

void SetToLarger(ResourceList& list, const ResourceList& other) {
  for (const auto& [resource, amount] : other) {
    auto [own, added] = list.Insert(resource, amount);
    if (*own < amount) *own = amount;
  }
}

// Whose resources are read, for messages: a container, or the pod as a whole.
struct Owner {
  std::string_view what;  // "container", "init container", "pod", "overhead"
  Value container;        // null for the pod as a whole

  std::string Describe() const {
    if (container.is_null()) return std::string(what);
    return Cat(what, ' ', Quote(container.Get("name").text_or_empty()));
  }
};

class PodReader {
 public:
  // With `only_accelerators`, other resources are passed over.
  PodReader(PodRequest& request, const AcceleratorTable& table, bool only_accelerators)
      : request_(request), table_(table), only_accelerators_(only_accelerators) {}

  // What `resources` ({requests, limits}) of `owner` asks for, a limit counting where there is no
  // request.
  ResourceList Requests(const Value& resources, const Owner& owner) {
    ResourceList list;
    ReadList(resources.Get("requests"), owner, list);
    ResourceList limits;
    ReadList(resources.Get("limits"), owner, limits);
    for (const auto& [resource, limit] : limits) {
      auto [request, added] = list.Insert(resource, limit);
      if (!added && IsExtended(resource) && *request != limit) {
        request_.problems.push_back(Cat(owner.Describe(), " requests ", request->ToString(), " of ",
                                        resource, " with a limit of ", limit.ToString(),
                                        "; Kubernetes wants them equal"));
      }
    }
    return list;
  }

  void ReadList(const Value& list, const Owner& owner, ResourceList& to) {
    if (!list.is_object()) return;
    for (const json::Member& member : list.members()) {
      if (only_accelerators_ && table_.TypeOf(member.key).empty()) continue;
      Result<Quantity> amount = Quantity::From(member.value);
      if (!amount) {
        Refuse(member.key, Cat(owner.Describe(), ": ", member.key, ": ", amount.error().message()));
      } else if (amount->is_negative()) {
        Refuse(member.key,
               Cat(owner.Describe(), ": ", member.key, ": ", amount->ToString(), " is negative"));
      } else {
        to.Set(member.key, *amount);
      }
    }
  }

  // Notes that the amount of a resource cannot be read.
  void Refuse(std::string_view resource, std::string problem) {
    request_.problems.push_back(std::move(problem));
    std::string_view type = table_.TypeOf(resource);
    if (type.empty()) return;
    request_.gpus_known &= type != kWholeGpu;
    if (std::ranges::find(request_.unreadable, resource) == request_.unreadable.end()) {
      request_.unreadable.emplace_back(resource);
    }
  }

 private:
  PodRequest& request_;
  const AcceleratorTable& table_;
  bool only_accelerators_;
};

std::span<const Value> Items(const Value& value) {
  return value.is_array() ? value.items() : std::span<const Value>();
}

// The sum over what runs together, and the peak while the init containers run one by one.
ResourceList ContainerRequests(const Value& spec, PodReader& reader) {
  ResourceList running;
  for (const Value& container : Items(spec.Get("containers"))) {
    AddResources(running, reader.Requests(container.Get("resources"), {"container", container}));
  }
  ResourceList sidecars;
  ResourceList peak;
  for (const Value& container : Items(spec.Get("initContainers"))) {
    ResourceList own = reader.Requests(container.Get("resources"), {"init container", container});
    if (container.Get("restartPolicy").text_or_empty() == "Always") {
      AddResources(sidecars, own);
      SetToLarger(peak, sidecars);
    } else {
      AddResources(own, sidecars);
      SetToLarger(peak, own);
    }
  }
  AddResources(running, sidecars);
  SetToLarger(running, peak);
  return running;
}

void ListAccelerators(PodRequest& request, const AcceleratorTable& table, PodReader& reader) {
  for (const auto& [resource, amount] : request.resources) {
    std::string_view type = table.TypeOf(resource);
    if (type.empty() || amount.is_zero()) continue;
    std::optional<std::int64_t> count = amount.AsInt64();
    if (!count) {
      reader.Refuse(resource,
                    Cat(resource, ": ", amount.ToString(), " is no whole number of devices"));
      continue;
    }
    request.accelerators.push_back({resource, std::string(type), *count});
    if (type == kWholeGpu) request.gpus = SaturatingAdd(request.gpus, *count);
  }
}

PodRequest Read(const Value& pod_spec, const AcceleratorTable& table, bool only_accelerators) {
  PodRequest request;
  PodReader reader(request, table, only_accelerators);
  request.resources = ContainerRequests(pod_spec, reader);
  for (auto& [resource, amount] : reader.Requests(pod_spec.Get("resources"), {"pod", {}})) {
    if (MayBePodLevel(resource)) request.resources.Set(resource, amount);
  }
  ResourceList overhead;
  reader.ReadList(pod_spec.Get("overhead"), {"overhead", {}}, overhead);
  AddResources(request.resources, overhead);
  ListAccelerators(request, table, reader);
  return request;
}

}  // namespace

ResourceList::ConstIterator ResourceList::find(std::string_view resource) const {
  return std::ranges::find(entries_, resource, &Entry::first);
}

std::pair<Quantity*, bool> ResourceList::Insert(std::string_view resource, const Quantity& amount) {
  auto at = std::ranges::lower_bound(entries_, resource, {}, &Entry::first);
  bool is_new = at == entries_.end() || at->first != resource;
  if (is_new) at = entries_.emplace(at, resource, amount);
  return {&at->second, is_new};
}

PodRequest EffectiveRequest(const Value& pod_spec, const AcceleratorTable& table) {
  return Read(pod_spec, table, false);
}

PodRequest EffectiveAccelerators(const Value& pod_spec, const AcceleratorTable& table) {
  return Read(pod_spec, table, true);
}

void AddResources(ResourceList& to, const ResourceList& from, std::int64_t times) {
  if (times <= 0) return;
  for (const auto& [resource, amount] : from) {
    Result<Quantity> added = amount.MulInt(times);
    if (!added) continue;
    auto [total, is_new] = to.Insert(resource, *added);
    if (is_new) continue;
    if (Result<Quantity> sum = total->Add(*added)) *total = *sum;
  }
}

}  // namespace wmap::workload
