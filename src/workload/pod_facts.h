// PodFacts: what the product needs to know of one pod, computed once from its manifest, so that the
// manifest itself need not be kept. Its texts stand in the pool that it was read with: about 350
// bytes for a pod, texts included.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/text_pool.h"
#include "json/value.h"
#include "workload/resources.h"

namespace wmap::workload {

enum class PodPhase : std::uint8_t { kUnknown, kPending, kRunning, kSucceeded, kFailed };

// "Unknown", "Pending", "Running", "Succeeded", "Failed".
std::string_view PodPhaseName(PodPhase phase);

struct OwnerReference {
  std::string_view api_version;
  std::string_view kind;
  std::string_view name;
  std::string_view uid;

  bool empty() const { return kind.empty(); }
};

// The owner reference with `controller: true`: an object belongs to its controller, and other
// references only say with what it is deleted. Some operators mark none of theirs; then it is the
// first. Empty without any. Views `metadata`.
OwnerReference ControllerOf(const json::Value& metadata);
// The same with its texts in `texts`.
OwnerReference Shared(const OwnerReference& owner, TextPool& texts);

// A claim of devices, as a pod refers to it.
struct ClaimReference {
  std::string_view name;
  // Of a pod spec: `name` is that of a template, from which each pod gets a claim of its own. Of
  // PodFacts: the claim was made for this pod alone.
  bool is_template = false;

  friend bool operator==(const ClaimReference&, const ClaimReference&) = default;
};

// The claims that a pod spec refers to. They view it.
std::vector<ClaimReference> ClaimsOf(const json::Value& pod_spec);

// A kind of device that a pod asks for: as AcceleratorRequest, with its texts in a pool.
struct HeldAccelerator {
  std::string_view resource;
  std::string_view type;  // "" = not known, perhaps that of a device class
  std::int64_t count = 0;
};

struct PodFacts {
  std::string_view name_space;
  std::string_view name;
  std::string_view uid;
  OwnerReference owner;
  std::string_view node;
  PodPhase phase = PodPhase::kUnknown;
  bool ready = false;          // phase Running and the Ready condition True
  bool terminating = false;    // has a deletionTimestamp
  bool unschedulable = false;  // the scheduler said so
  bool gated = false;          // waits behind scheduling gates
  bool crash_looping = false;  // a container waits in CrashLoopBackOff
  bool evicted = false;        // phase Failed, reason Evicted, Preempted or the like
  // The pod was ready before and is not now: containers restarted, or readiness was lost later than
  // every container start.
  bool was_ready = false;
  // All of its containers have ended well and none comes back, though the phase does not say so
  // yet: it is between its end and its removal.
  bool done = false;
  std::int64_t restarts = 0;     // of all containers
  std::int64_t created = 0;      // Unix seconds; 0 = not said
  std::int64_t ready_since = 0;  // of one that is ready: Unix seconds; 0 = not said
  std::int64_t gpus = 0;
  std::vector<HeldAccelerator> accelerators;
  // What is wrong with what it asks for of accelerators, or "": that is not in the counts.
  std::string_view request_problem;
  // Its claims; one that was made from a template and is not there yet has no name.
  std::vector<ClaimReference> claims;
  // Why it does not run, as kubectl's STATUS column has it ("CrashLoopBackOff",
  // "Unschedulable", "ImagePullBackOff", "Evicted", "Completed"), or "".
  std::string_view reason;
  std::string_view message;

  // Holds what it asks for: it has a node and has not ended.
  bool allocated() const {
    return !node.empty() && phase != PodPhase::kSucceeded && phase != PodPhase::kFailed;
  }
  // Ready, and not about to go.
  bool serves() const { return ready && !terminating; }
  bool succeeded() const { return phase == PodPhase::kSucceeded || done; }
  bool ended() const { return phase == PodPhase::kSucceeded || phase == PodPhase::kFailed; }
};

// Whether PodFacts::reason only says that containers are about to start.
bool IsStartingReason(std::string_view reason);

// Reads a pod manifest. Never fails: what is missing or malformed stays at its default.
PodFacts ReadPod(const json::Value& pod, const AcceleratorTable& table, TextPool& texts);

// Seconds since 1970 of an RFC 3339 time as Kubernetes writes it ("2026-11-30T04:05:28Z"), or 0.
std::int64_t ParseTime(std::string_view text);

}  // namespace wmap::workload
