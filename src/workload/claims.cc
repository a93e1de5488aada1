#include "workload/claims.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/text.h"
#include "workload/convert.h"

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
  // `path` is that of the spec in its object.
  ClaimReader(std::string_view name, std::string_view path, const Value& spec,
              const Value& allocation)
      : name_(name),
        path_(path),
        devices_(spec.Get("devices")),
        is_allocated_(allocation.is_object()),
        results_(allocation.Get("devices").Get("results")) {}

  ClaimFacts Read() {
    Value requests = devices_.Get("requests");
    if (!requests.is_array()) {
      // The form of the first alpha versions has none.
      Add(kUnknownClass, Refuse(Cat(path_, ".devices.requests"), requests, "a list"));
      return std::move(facts_);
    }
    for (std::size_t i = 0; i < requests.size(); ++i) {
      ReadRequest(requests[i], Cat(path_, ".devices.requests[", i, ']'));
    }
    return std::move(facts_);
  }

 private:
  Count Unknown() const { return Count::Unknown(std::string(name_)); }
  Count AtLeast(std::int64_t count) const {
    Count sum = Count::Exactly(count);
    sum += Unknown();
    return sum;
  }

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

  void ReadRequest(const Value& request, const std::string& path) {
    std::string_view name = request.Get("name").text_or_empty();
    std::span<const Value> alternatives = Items(request.Get("firstAvailable"));
    if (!alternatives.empty()) return ReadAlternatives(name, alternatives, path);
    // Versions before v1beta2 have the fields in the request itself.
    Value exactly = request.Get("exactly");
    const Value& body = exactly.is_object() ? exactly : request;
    if (body.Get("adminAccess").is_true()) return;
    std::string_view device_class = body.Get("deviceClassName").text_or_empty();
    std::int64_t allocated = Allocated(name);
    Add(device_class, CountOf(body, allocated, exactly.is_object() ? path + ".exactly" : path));
    Hold(device_class, allocated);
  }

  Count CountOf(const Value& body, std::int64_t allocated, std::string_view path) {
    Value mode = body.Get("allocationMode");
    if (mode.text_or_empty() == "All") {
      return is_allocated_ ? Count::Exactly(allocated) : AtLeast(1);
    }
    if (!mode.is_null() && mode.text_or_empty() != "ExactCount" && !mode.text_or_empty().empty()) {
      return Refuse(Cat(path, ".allocationMode"), mode, "ExactCount or All");
    }
    Value count = body.Get("count");
    // The API server's default, also for 0.
    if (count.is_null() || (count.is_int() && count.as_int() == 0)) return Count::Exactly(1);
    if (count.is_int() && count.as_int() > 0) return Count::Exactly(count.as_int());
    return Refuse(Cat(path, ".count"), count, "a number of devices");
  }

  Count Refuse(std::string_view path, const Value& value, std::string_view expected) {
    facts_.problems.push_back(Cat(path, ": expected ", expected, ", found ", Brief(value)));
    return Unknown();
  }

  void ReadAlternatives(std::string_view request, std::span<const Value> alternatives,
                        const std::string& path) {
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
      Add(device_class, RangeOver(alternatives, device_class, path));
    }
  }

  // Devices of one class over all alternatives: those of other classes take none of it.
  Count RangeOver(std::span<const Value> alternatives, std::string_view device_class,
                  const std::string& path) {
    std::int64_t min = std::numeric_limits<std::int64_t>::max();
    std::int64_t max = 0;
    bool is_known = true;
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
      bool is_other = alternatives[i].Get("deviceClassName").text_or_empty() != device_class;
      Count count =
          is_other ? Count() : CountOf(alternatives[i], 0, Cat(path, ".firstAvailable[", i, ']'));
      is_known &= !count.is_unknown();
      min = std::min(min, count.min());
      max = std::max(max, count.known_max().value_or(0));
    }
    Count range = Count::Between(min, max);
    if (!is_known) range += Unknown();
    return range;
  }

  std::string_view name_;
  std::string_view path_;
  Value devices_;
  bool is_allocated_;
  Value results_;
  ClaimFacts facts_;
};

AcceleratorCounts& ClaimRow(Tally& tally, std::string_view device_class) {
  return tally.Accelerator(device_class, kClaimType);
}

// A claim that was made of the template that entry `index` of `count` entries of a role's pod spec
// refers to, for one of its pods.
const ClaimFacts* FindMade(const Claimant& claimant, std::size_t index, std::size_t count,
                           const ClaimTable& table) {
  for (const PodFacts* pod : claimant.pods) {
    // Pods of another revision may have other claims.
    if (pod->claims.size() != count || !pod->claims[index].is_template) continue;
    const ClaimFacts* made = table.Find(pod->name_space, {pod->claims[index].name, false});
    if (made != nullptr) return made;
  }
  return nullptr;
}

}  // namespace

bool ClaimTable::Takes(std::string_view api_version, std::string_view kind) {
  return api_version.starts_with(kGroup) &&
         (kind == "ResourceClaim" || kind == "ResourceClaimTemplate" || kind == "DeviceClass");
}

// Of two classes for one resource the newer one counts, as for the scheduler; of two that are
// equally old, the one that sorts first.
void ClaimTable::AddClass(const Value& object) {
  std::string_view resource = object.Get("spec").Get("extendedResourceName").text_or_empty();
  Value metadata = object.Get("metadata");
  DeviceClass added = {std::string(metadata.Get("name").text_or_empty()),
                       ParseTime(metadata.Get("creationTimestamp").text_or_empty())};
  if (resource.empty() || added.name.empty()) return;
  DeviceClass& known = classes_.try_emplace(std::string(resource), added).first->second;
  if (std::tie(known.created, added.name) < std::tie(added.created, known.name)) {
    known = std::move(added);
  }
}

std::string_view ClaimTable::ClassBehind(std::string_view extended_resource) const {
  auto at = classes_.find(extended_resource);
  return at == classes_.end() ? std::string_view() : at->second.name;
}

void ClaimTable::Add(const Value& object) {
  if (object.Get("kind").text_or_empty() == "DeviceClass") return AddClass(object);
  bool is_template = object.Get("kind").text_or_empty() == "ResourceClaimTemplate";
  Value metadata = object.Get("metadata");
  std::string_view name = metadata.Get("name").text_or_empty();
  Value spec = object.Get("spec");
  if (is_template) spec = spec.Get("spec");
  ClaimFacts facts = ClaimReader(name, is_template ? ".spec.spec" : ".spec", spec,
                                 object.Get("status").Get("allocation"))
                         .Read();
  auto [at, is_new] = claims_.try_emplace(
      Key(is_template, metadata.Get("namespace").text_or_empty(), name), ClaimFacts());
  if (is_new || at->second.held.empty() || !facts.held.empty()) at->second = std::move(facts);
}

const ClaimFacts* ClaimTable::Find(std::string_view name_space,
                                   const ClaimReference& reference) const {
  auto at = claims_.find(Key(reference.is_template, name_space, reference.name));
  return at == claims_.end() ? nullptr : &at->second;
}

void AddAskedDevices(const Value& pod_spec, const Claimant& claimant, const ClaimTable* table,
                     FunctionRef<void(const std::string&)> complain, Tally& tally) {
  std::vector<ClaimReference> references = ClaimsOf(pod_spec);
  for (std::size_t i = 0; i < references.size(); ++i) {
    const ClaimReference& reference = references[i];
    const ClaimFacts* claim =
        table == nullptr ? nullptr : table->Find(claimant.name_space, reference);
    if (claim == nullptr && table != nullptr && reference.is_template) {
      claim = FindMade(claimant, i, references.size(), *table);
    }
    ClaimFacts unreadable;
    std::string subject = Cat(reference.is_template ? "ResourceClaimTemplate " : "ResourceClaim ",
                              Quote(reference.name));
    if (claim == nullptr) {
      complain(Cat(subject, " is not among the inputs: how many devices it asks for is unknown"));
      unreadable.asked.push_back(
          {std::string(kUnknownClass), Count::Unknown(std::string(claimant.role))});
      claim = &unreadable;
    }
    for (const std::string& problem : claim->problems) {
      complain(Cat(subject, ": ", problem, "; how many devices it asks for is unknown"));
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
