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
  return slash != std::string_view::npos &&
         (!resource.substr(0, slash).ends_with("kubernetes.io") ||
          resource.starts_with(kDeviceClassPrefix));
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

std::span<const Value> Items(const Value& value) {
  return value.is_array() ? value.items() : std::span<const Value>();
}

// The name that devices of a type are shown by: those of a device class have that of the class.
std::string_view NameOf(std::string_view resource, std::string_view type) {
  if (type == kClaimType && resource.starts_with(kDeviceClassPrefix)) {
    resource.remove_prefix(kDeviceClassPrefix.size());
  }
  return resource;
}

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
      if (!added && IsExtended(resource) && *request != limit && IsTold(resource)) {
        request_.problems.push_back(Cat(owner.Describe(), " requests ", request->ToString(), " of ",
                                        resource, " with a limit of ", limit.ToString(),
                                        "; Kubernetes wants them equal"));
      }
    }
    NoteShares(list);
    return list;
  }

  void ReadList(const Value& list, const Owner& owner, ResourceList& to) {
    if (!list.is_object()) return;
    for (const json::Member& member : list.members()) {
      if (only_accelerators_ && !IsExtended(member.key) && !IsTold(member.key)) continue;
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

  void ListAccelerators() {
    for (const auto& [resource, amount] : request_.resources) {
      if (amount.is_zero()) continue;
      std::string_view type = table_.TypeOf(resource);
      if (!type.empty()) {
        bool is_shared = std::ranges::find(shared_, resource) != shared_.end();
        Ask(resource, is_shared ? kSharedGpu : type, amount);
      } else if (IsExtended(resource) && !table_.IsTakenOut(resource)) {
        std::optional<std::int64_t> count = amount.AsInt64();
        if (count) request_.others.push_back({resource, {}, *count});
      }
    }
  }

  // Parts of GPUs that `metadata` asks for.
  void ReadFractions(const Value& metadata);

  void Sort() {
    if (is_sorted_) return;
    std::ranges::stable_sort(request_.accelerators, {}, &AcceleratorRequest::resource);
  }

 private:
  // Whether problems with a resource are told.
  bool IsTold(std::string_view resource) const {
    return !only_accelerators_ || !table_.TypeOf(resource).empty();
  }

  // Notes that the amount of a resource cannot be read.
  void Refuse(std::string_view resource, std::string problem) {
    if (!IsTold(resource)) return;
    request_.problems.push_back(std::move(problem));
    RefuseAmount(resource, table_.TypeOf(resource));
  }
  void RefuseAmount(std::string_view resource, std::string_view type) {
    if (type.empty()) return;
    request_.gpus_known &= type != kWholeGpu;
    AcceleratorRequest unreadable = {std::string(NameOf(resource, type)), std::string(type), 0};
    if (std::ranges::find(request_.unreadable, unreadable) == request_.unreadable.end()) {
      request_.unreadable.push_back(std::move(unreadable));
    }
  }

  void Ask(std::string_view resource, std::string_view type, const Quantity& amount) {
    std::optional<std::int64_t> count =
        UnitOf(type) == kBillion ? amount.AsNano() : amount.AsInt64();
    if (!count) {
      request_.problems.push_back(
          Cat(resource, ": ", amount.ToString(), " is no whole number of devices"));
      return RefuseAmount(resource, type);
    }
    is_sorted_ &= type != kClaimType;
    request_.accelerators.push_back(
        {std::string(NameOf(resource, type)), std::string(type), *count});
    if (type == kWholeGpu) request_.gpus = SaturatingAdd(request_.gpus, *count);
  }

  // Notes the devices of which a container wants parts.
  void NoteShares(const ResourceList& list) {
    if (list.size() < 2) return;
    for (const ShareRule& rule : ShareRules()) {
      auto device = list.find(rule.device);
      if (device == list.end() || table_.TypeOf(rule.device) != kWholeGpu) continue;
      if (WantsParts(rule.device, device->second, list)) shared_.push_back(rule.device);
    }
  }

  bool WantsParts(std::string_view device, const Quantity& devices,
                  const ResourceList& list) const {
    bool wants_parts = false;
    for (const ShareRule& rule : ShareRules()) {
      auto part = list.find(rule.part);
      if (rule.device != device || part == list.end() || part->second.is_zero() ||
          table_.TypeOf(rule.part).empty()) {
        continue;
      }
      Result<Quantity> all = Quantity::Of(rule.all);
      if (rule.in_total) all = devices.MulInt(rule.all);
      if (rule.all > 0 && all && part->second >= *all) return false;
      wants_parts = true;
    }
    return wants_parts;
  }

  PodRequest& request_;
  const AcceleratorTable& table_;
  bool only_accelerators_;
  bool is_sorted_ = true;
  std::vector<std::string_view> shared_;  // resources of ShareRules()
};

// Where a scheduler looks for a request for parts of GPUs.
struct FractionNote {
  std::string_view field;  // of the metadata
  std::string_view key;
  std::string_view type;
  std::string_view devices_key;  // how many GPUs it wants such parts of; absent: 1
  bool below_one = false;        // the scheduler refuses whole GPUs
};
constexpr std::array kFractionNotes = std::to_array<FractionNote>({
    {"annotations", "gpu-fraction", kGpuFraction, "gpu-fraction-num-devices", true},
    {"annotations", "gpu-memory", kGpuMemory, "gpu-fraction-num-devices"},
    {"labels", "sharedgpu/gpu_request", kGpuFraction, ""},
    {"labels", "sharedgpu/gpu_mem", kGpuMemory, ""},
});

// A positive decimal number; nothing for anything else, also for amounts with a suffix.
std::optional<Quantity> PositiveNumber(const Value& value) {
  if (value.is_string() &&
      value.as_string().find_first_not_of("0123456789.eE+-") != std::string_view::npos) {
    return std::nullopt;
  }
  Result<Quantity> number = Quantity::From(value);
  if (!number || number->is_negative() || number->is_zero()) return std::nullopt;
  return *number;
}

void PodReader::ReadFractions(const Value& metadata) {
  for (const FractionNote& note : kFractionNotes) {
    Value notes = metadata.Get(note.field);
    Value value = notes.Get(note.key);
    if (value.is_null() || table_.IsTakenOut(note.key)) continue;
    is_sorted_ = false;
    std::optional<Quantity> part = PositiveNumber(value);
    Value devices = note.devices_key.empty() ? Value() : notes.Get(note.devices_key);
    std::optional<Quantity> times = devices.is_null() ? Quantity::Of(1) : PositiveNumber(devices);
    std::optional<std::int64_t> factor = times ? times->AsInt64() : std::nullopt;
    if (!part || !factor) {
      std::string_view wrong = part ? note.devices_key : note.key;
      request_.problems.push_back(
          Cat(wrong, " ", Quote(notes.Get(wrong).text_or_empty()), " is no positive number"));
      RefuseAmount(note.key, note.type);
      continue;
    }
    if (note.below_one && *part >= Quantity::Of(1)) {
      request_.problems.push_back(
          Cat(note.key, ' ', part->ToString(), " is no part of a GPU; schedulers refuse it"));
    }
    Result<Quantity> amount = part->MulInt(*factor);
    Ask(note.key, note.type, amount ? *amount : *part);
  }
}

// Which account of a container's resources is read.
enum class Account { kAsked, kPromised, kHeld };

// Reads what one container asks for; see Account.
class ContainerReader {
 public:
  ContainerReader(const Value& status, Account account, PodReader& reader)
      : status_(status), account_(account), reader_(reader) {
    for (const Value& condition : Items(status.Get("conditions"))) {
      if (condition.Get("type").text_or_empty() != "PodResizePending") continue;
      is_infeasible_ = condition.Get("reason").text_or_empty() == "Infeasible";
      break;
    }
  }

  bool is_infeasible() const { return is_infeasible_; }

  ResourceList Read(std::string_view what, const Value& container) {
    if (account_ != Account::kAsked) {
      Value status = StatusOf(container.Get("name").text_or_empty());
      Value promised = status.Get("allocatedResources");
      Value held = status.Get("resources").Get("requests");
      const Value& own = account_ == Account::kHeld && held.is_object() ? held : promised;
      if (own.is_object()) {
        ResourceList list;
        reader_.ReadList(own, {what, container}, list);
        return list;
      }
      // What it asks for will not be granted.
      if (is_infeasible_) return {};
    }
    return reader_.Requests(container.Get("resources"), {what, container});
  }

 private:
  Value StatusOf(std::string_view name) const {
    for (std::string_view field : {"containerStatuses", "initContainerStatuses"}) {
      for (const Value& entry : Items(status_.Get(field))) {
        if (entry.Get("name").text_or_empty() == name) return entry;
      }
    }
    return {};
  }

  const Value& status_;
  Account account_;
  PodReader& reader_;
  bool is_infeasible_ = false;
};

// The sum over what runs together, and the peak while the init containers run one by one.
ResourceList SumOfContainers(const Value& spec, ContainerReader reader) {
  ResourceList running;
  for (const Value& container : Items(spec.Get("containers"))) {
    AddResources(running, reader.Read("container", container));
  }
  ResourceList sidecars;
  ResourceList peak;
  for (const Value& container : Items(spec.Get("initContainers"))) {
    ResourceList own = reader.Read("init container", container);
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

// Whether the kubelet says of a container what it was promised or has.
bool TellsResources(const Value& status) {
  for (std::string_view field : {"containerStatuses", "initContainerStatuses"}) {
    for (const Value& entry : Items(status.Get(field))) {
      if (entry.Get("allocatedResources").is_object() || entry.Get("resources").is_object()) {
        return true;
      }
    }
  }
  return false;
}

ResourceList ContainerRequests(const Value& spec, const Value& status,
                               const AcceleratorTable& table, PodReader& reader) {
  ContainerReader asking(status, Account::kAsked, reader);
  ResourceList asked = SumOfContainers(spec, asking);
  if (!TellsResources(status)) return asked;
  // Their problems are those of the spec once more.
  PodRequest unheard;
  PodReader quiet(unheard, table, false);
  ResourceList sum = SumOfContainers(spec, ContainerReader(status, Account::kPromised, quiet));
  SetToLarger(sum, SumOfContainers(spec, ContainerReader(status, Account::kHeld, quiet)));
  if (!asking.is_infeasible()) SetToLarger(sum, asked);
  // Devices are not resized in place.
  ResourceList counted;
  for (const auto& [resource, amount] : sum) {
    if (!IsExtended(resource)) counted.Set(resource, amount);
  }
  for (const auto& [resource, amount] : asked) {
    if (IsExtended(resource)) counted.Set(resource, amount);
  }
  return counted;
}

// As the API server and the scheduler do: what the pod as a whole requests takes the place of its
// containers' sum; a limit alone does so where the containers ask for nothing, and for huge pages.
void ApplyPodLevel(const Value& resources, PodReader& reader, ResourceList& sums) {
  ResourceList requests;
  ResourceList limits;
  reader.ReadList(resources.Get("requests"), {"pod", {}}, requests);
  reader.ReadList(resources.Get("limits"), {"pod", {}}, limits);
  for (const auto& [resource, limit] : limits) {
    bool is_asked = !resource.starts_with("hugepages-") && sums.find(resource) != sums.end();
    if (!is_asked) requests.Insert(resource, limit);
  }
  for (const auto& [resource, amount] : requests) {
    if (MayBePodLevel(resource)) sums.Set(resource, amount);
  }
}

PodRequest Read(const Value& pod_spec, const AcceleratorTable& table, const PodContext& context,
                bool only_accelerators) {
  PodRequest request;
  PodReader reader(request, table, only_accelerators);
  request.resources = ContainerRequests(pod_spec, context.status, table, reader);
  if (!only_accelerators) ApplyPodLevel(pod_spec.Get("resources"), reader, request.resources);
  ResourceList overhead;
  reader.ReadList(pod_spec.Get("overhead"), {"overhead", {}}, overhead);
  AddResources(request.resources, overhead);
  reader.ListAccelerators();
  reader.ReadFractions(context.metadata);
  reader.Sort();
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

PodRequest EffectiveRequest(const Value& pod_spec, const AcceleratorTable& table,
                            const PodContext& context) {
  return Read(pod_spec, table, context, false);
}

PodRequest EffectiveAccelerators(const Value& pod_spec, const AcceleratorTable& table,
                                 const Value& metadata) {
  return Read(pod_spec, table, {metadata, {}}, true);
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
