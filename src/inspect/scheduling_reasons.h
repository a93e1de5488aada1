// What a scheduler says of a pod that it cannot place, taken apart:
//
//   0/5 nodes are available: 2 node(s) had untolerated taint {gpu: yes}, 3 Insufficient
//   nvidia.com/gpu. preemption: 0/5 nodes are available: …
//
// is 5 nodes and two reasons. The default scheduler, KAI and Volcano write such sentences; what has
// another form is one reason without a number. Pure, and safe on any text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wmap::inspect {

enum class ReasonKind : std::uint8_t {
  kInsufficient,  // a resource is used up, or was never there
  kTaint,
  kSelector,  // node selector or affinity
  kCordoned,  // nodes marked unschedulable
  kPodLimit,  // "Too many pods"
  kSpread,    // pod (anti-)affinity, topology spread
  kVolume,    // claims of volumes, and where these are
  kDevices,   // claims of devices
  kGang,      // the others of its group are missing
  kOther,
};

struct SchedulingReason {
  ReasonKind kind = ReasonKind::kOther;
  std::int64_t nodes = 0;  // 0 = it is not said of how many
  std::string text;        // "Insufficient nvidia.com/gpu"
  std::string resource;    // of kInsufficient: "nvidia.com/gpu"
};

struct SchedulingVerdict {
  std::optional<std::int64_t> nodes;      // that were looked at
  std::vector<SchedulingReason> reasons;  // most telling first
  // Pods of lower priority would have to go, and there are none.
  bool no_victims = false;

  // "Insufficient nvidia.com/gpu on 3 of 5 nodes, untolerated taint on 2": in short.
  std::string Describe() const;
};

SchedulingVerdict ReadVerdict(std::string_view message);

}  // namespace wmap::inspect
