#include "workload/claims.h"

#include <algorithm>
#include <span>

#include "base/text.h"

namespace wmap::workload {
namespace {

using json::Value;

constexpr std::string_view kGroup = "resource.k8s.io/";

std::span<const Value> Items(const Value& value) {
  return value.is_array() ? value.items() : std::span<const Value>();
}

std::string Key(bool is_template, std::string_view name_space, std::string_view name) {
  return Cat(is_template ? "template/" : "claim/", name_space, '/', name);
}

// Reads one claim: the spec says what is asked for, the results of the allocation what it got.
class ClaimReader {
 public:
  ClaimReader(std::string_view name, const Value& spec, const Value& allocation)
      : name_(name),
        devices_(spec.Get("devices")),
        is_allocated_(allocation.is_object()),
        results_(allocation.Get("devices").Get("results")) {}

  ClaimFacts Read() {
    // Without this list the claim is in the form of the first alpha versions.
    if (!devices_.Get("requests").is_array()) Add(kUnknownClass, Unknown());
    for (const Value& request : Items(devices_.Get("requests"))) ReadRequest(request);
    return std::move(facts_);
  }

 private:
  Count Unknown() const { return Count::Unknown(std::string(name_)); }

  void Add(std::string_view device_class, const Count& count) {
    if (device_class.empty()) device_class = kUnknownClass;
    auto same = std::ranges::find(facts_.asked, device_class, &ClaimFacts::Devices::device_class);
    if (same == facts_.asked.end()) {
      facts_.asked.push_back({std::string(device_class), count});
    } else {
      same->count += count;
    }
  }

  void Hold(std::string_view device_class, std::int64_t count) {
    if (count > 0) facts_.held.emplace_back(device_class, count);
  }

  // Devices that were allocated to a request, or to an alternative "request/alternative".
  std::int64_t Allocated(std::string_view request) const {
    return std::ranges::count_if(Items(results_), [&](const Value& result) {
      return result.Get("request").text_or_empty() == request &&
             !result.Get("adminAccess").is_true();
    });
  }

  void ReadRequest(const Value& request) {
    std::string_view name = request.Get("name").text_or_empty();
    std::span<const Value> alternatives = Items(request.Get("firstAvailable"));
    if (!alternatives.empty()) return ReadAlternatives(name, alternatives);
    // Versions before v1beta2 have the fields in the request itself.
    Value exactly = request.Get("exactly");
    const Value& body = exactly.is_object() ? exactly : request;
    if (body.Get("adminAccess").is_true()) return;
    std::string_view device_class = body.Get("deviceClassName").text_or_empty();
    std::int64_t allocated = Allocated(name);
    Add(device_class, CountOf(body, allocated));
    Hold(device_class, allocated);
  }

  Count CountOf(const Value& body, std::int64_t allocated) const {
    std::string_view mode = body.Get("allocationMode").text_or_empty();
    if (mode == "All") return is_allocated_ ? Count::Exactly(allocated) : Unknown();
    Value count = body.Get("count");
    if (count.is_null()) return Count::Exactly(1);
    if (!count.is_int() || count.as_int() < 0) return Unknown();
    return Count::Exactly(count.as_int());
  }

  void ReadAlternatives(std::string_view request, std::span<const Value> alternatives) {
    if (is_allocated_) {
      for (const Value& alternative : alternatives) {
        std::int64_t allocated =
            Allocated(Cat(request, '/', alternative.Get("name").text_or_empty()));
        if (allocated == 0) continue;
        std::string_view device_class = alternative.Get("deviceClassName").text_or_empty();
        Add(device_class, Count::Exactly(allocated));
        Hold(device_class, allocated);
      }
      return;
    }
    std::vector<std::string_view> seen;
    for (const Value& alternative : alternatives) {
      std::string_view device_class = alternative.Get("deviceClassName").text_or_empty();
      if (std::ranges::find(seen, device_class) != seen.end()) continue;
      seen.push_back(device_class);
      Add(device_class, RangeOver(alternatives, device_class));
    }
  }

  // Devices of one class over all alternatives: those of other classes take none of it.
  Count RangeOver(std::span<const Value> alternatives, std::string_view device_class) const {
    std::optional<Count> range;
    for (const Value& alternative : alternatives) {
      bool is_other = alternative.Get("deviceClassName").text_or_empty() != device_class;
      Count count = is_other ? Count() : CountOf(alternative, 0);
      if (count.is_unknown()) return count;
      range = range ? Count::Between(std::min(range->min(), count.min()),
                                     std::max(range->max(), count.max()))
                    : count;
    }
    return range.value_or(Count());
  }

  std::string_view name_;
  Value devices_;
  bool is_allocated_;
  Value results_;
  ClaimFacts facts_;
};

AcceleratorCounts& ClaimRow(Tally& tally, std::string_view device_class) {
  for (AcceleratorCounts& row : tally.accelerators) {
    if (row.type == kClaimType && row.resource == device_class) return row;
  }
  AcceleratorCounts row;
  row.resource = std::string(device_class);
  row.type = std::string(kClaimType);
  if (tally.pods.observed) row.allocated = 0;
  tally.accelerators.push_back(std::move(row));
  return tally.accelerators.back();
}

}  // namespace

bool ClaimTable::Takes(std::string_view api_version, std::string_view kind) {
  return api_version.starts_with(kGroup) &&
         (kind == "ResourceClaim" || kind == "ResourceClaimTemplate");
}

void ClaimTable::Add(const Value& object) {
  bool is_template = object.Get("kind").text_or_empty() == "ResourceClaimTemplate";
  Value metadata = object.Get("metadata");
  std::string_view name = metadata.Get("name").text_or_empty();
  Value spec = object.Get("spec");
  if (is_template) spec = spec.Get("spec");
  ClaimFacts facts = ClaimReader(name, spec, object.Get("status").Get("allocation")).Read();
  auto [at, is_new] = claims_.try_emplace(
      Key(is_template, metadata.Get("namespace").text_or_empty(), name), ClaimFacts());
  if (is_new || at->second.held.empty() || !facts.held.empty()) at->second = std::move(facts);
}

const ClaimFacts* ClaimTable::Find(std::string_view name_space,
                                   const ClaimReference& reference) const {
  auto at = claims_.find(Key(reference.is_template, name_space, reference.name));
  return at == claims_.end() ? nullptr : &at->second;
}

void AddAskedDevices(const Value& pod_spec, std::string_view name_space, std::string_view role,
                     const ClaimTable* table, FunctionRef<void(const std::string&)> complain,
                     Tally& tally) {
  for (const ClaimReference& reference : ClaimsOf(pod_spec)) {
    const ClaimFacts* claim = table == nullptr ? nullptr : table->Find(name_space, reference);
    ClaimFacts unreadable;
    if (claim == nullptr) {
      complain(Cat(reference.is_template ? "ResourceClaimTemplate " : "ResourceClaim ",
                   Quote(reference.name), " is not among the inputs: how many devices it asks for ",
                   "is unknown"));
      unreadable.asked.push_back({std::string(kUnknownClass), Count::Unknown(std::string(role))});
      claim = &unreadable;
    }
    for (const ClaimFacts::Devices& devices : claim->asked) {
      AcceleratorCounts& row = ClaimRow(tally, devices.device_class);
      if (reference.is_template) {
        row.per_pod += devices.count;
        row.desired += tally.pods.desired.Times(devices.count);
      } else if (tally.pods.desired != Count()) {
        tally.shared.try_emplace({std::string(reference.name), devices.device_class},
                                 devices.count);
      }
    }
  }
}

void AddHeldDevices(const PodFacts& pod, const ClaimTable* table, Tally& tally) {
  for (const ClaimReference& reference : pod.claims) {
    const ClaimFacts* claim =
        table == nullptr ? nullptr : table->Find(pod.name_space, {reference.name, false});
    if (claim == nullptr) {
      tally.holds_unknown = true;
      continue;
    }
    for (const auto& [device_class, count] : claim->held) {
      AcceleratorCounts& row = ClaimRow(tally, device_class);
      if (reference.is_template) {
        Increase(row.allocated, count);
      } else {
        tally.shared_held.try_emplace({std::string(reference.name), device_class}, count);
      }
    }
  }
}

void FoldSharedDevices(Tally& tally) {
  for (const auto& [key, count] : tally.shared) ClaimRow(tally, key.second).desired += count;
  for (const auto& [key, count] : tally.shared_held) {
    AcceleratorCounts& row = ClaimRow(tally, key.second);
    Increase(row.allocated, count);
  }
  // Devices of an unknown class may be of any.
  Count unknown;
  for (const AcceleratorCounts& row : tally.accelerators) {
    if (row.type == kClaimType && row.resource == kUnknownClass) unknown = row.desired;
  }
  for (AcceleratorCounts& row : tally.accelerators) {
    if (row.type != kClaimType) continue;
    if (row.resource != kUnknownClass) row.desired += unknown;
    if (tally.holds_unknown) row.allocated.reset();
  }
}

}  // namespace wmap::workload
