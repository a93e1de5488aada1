// Claims: devices that pods ask for through ResourceClaims (dynamic resource allocation) instead of
// through the resources of their containers.
//
// Claims and templates of claims are objects of their own, which may not be among the inputs; then
// what they ask for is unknown, never nothing.
//
// Containers can also ask for devices of a class as if they were an extended resource: by the name
// that the class gives itself, or by one made of the name of the class. The claim that the
// scheduler makes of that is no other request: pods do not refer to it in their spec, and it is not
// followed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "json/value.h"
#include "workload/count.h"
#include "workload/pod_facts.h"
#include "workload/workload.h"

namespace wmap::workload {

// The resource of devices of a claim that cannot be read.
inline constexpr std::string_view kUnknownClass = "unknown";

// What a ResourceClaim, or each claim made from a ResourceClaimTemplate, is about, by device class.
struct ClaimFacts {
  struct Devices {
    std::string device_class;
    Count count;
  };
  // A request without a count is for one device; one for all matching devices is for those that
  // were allocated, and for at least one before that; of alternatives any may be taken, until the
  // allocation says which. Requests with admin access observe devices and take none.
  std::vector<Devices> asked;
  // Devices of an allocated claim; empty when nothing is allocated.
  std::vector<std::pair<std::string, std::int64_t>> held;
  // What cannot be read of it, and so is unknown: ".spec.devices.requests[0].count: expected …".
  std::vector<std::string> problems;
};

// The claims of one snapshot. Adding is not thread-safe; looking up is.
class ClaimTable {
 public:
  // Whether an object is a ResourceClaim, a template of one or a DeviceClass, in any version.
  static bool Takes(std::string_view api_version, std::string_view kind);
  // Takes an object for which Takes() holds. Of the same object twice the one with the allocation,
  // then the later one, is kept.
  void Add(const json::Value& object);

  // Null when it is not among the inputs.
  const ClaimFacts* Find(std::string_view name_space, const ClaimReference& reference) const;
  // The device class that an extended resource stands for, or "" when no class has it.
  std::string_view ClassBehind(std::string_view extended_resource) const;

 private:
  struct DeviceClass {
    std::string name;
    std::int64_t created = 0;
  };
  void AddClass(const json::Value& object);

  std::map<std::string, DeviceClass, std::less<>> classes_;  // by extended resource
  std::map<std::string, ClaimFacts, std::less<>> claims_;    // "claim/namespace/name"
};

// Whose claims are counted. A template that is not among the inputs may still be known by what was
// made of it for the pods.
struct Claimant {
  std::string_view name_space;
  std::string_view role;
  std::span<const PodFacts* const> pods;
};

// Adds what the claims of `pod_spec` ask for to the tally of a role whose pods number
// `tally.pods.desired`. A claim that the pods share counts once. `complain` is told of claims that
// cannot be read.
void AddAskedDevices(const json::Value& pod_spec, const Claimant& claimant, const ClaimTable* table,
                     FunctionRef<void(const std::string&)> complain, Tally& tally);

// Adds what the claims of `pod` hold.
void AddHeldDevices(const PodFacts& pod, const ClaimTable* table, Tally& tally);

// Writes what is in `tally.shared` into the accelerators, once all of it is added up.
void FoldSharedDevices(Tally& tally);

}  // namespace wmap::workload
