// Cause: one thing that keeps a workload from running, as explanations list them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wmap::inspect {

// In the order in which they are told: what comes first, nothing that follows can help.
enum class CauseKind : std::uint8_t {
  kDeleting,       // it is being deleted
  kQueue,          // a queue has not admitted it, or took it out
  kQuota,          // a ResourceQuota leaves no room for its pods
  kRefused,        // its pods cannot be created for another reason
  kOutOfMemory,    // a container was killed for its memory
  kCrash,          // a container exits again and again, or has failed for good
  kImage,          // an image cannot be pulled
  kContainer,      // a container cannot be made
  kSuspended,      // somebody has suspended it
  kGated,          // pods wait behind scheduling gates
  kGang,           // a scheduler places all of its pods or none
  kUnschedulable,  // no node takes its pods
  kVolume,         // a volume is not there
  kNodeLost,       // a node is gone or not ready
  kTakenAway,      // pods were evicted or preempted
  kNotReady,       // containers run and are not ready
  kNoVerdict,      // no scheduler has said anything yet
  kStarting,       // containers are being made
  kRollout,        // its newest template is not on all of its pods
  kSchedule,       // its time has not come
  kBackOff,        // its controller pauses, or begins anew, after failures
  kMissing,        // pods are not there, and nothing says why: perhaps they come after others
  kLeaving,        // pods that are being deleted
  kElsewhere,      // another controller runs it, and makes no pods here
};
// "queue", "out-of-memory": stable.
std::string_view CauseCode(CauseKind kind);
// Whether what a pod shows of itself is wrong now, and not merely on its way.
bool IsHard(CauseKind kind);

struct Cause {
  CauseKind kind = CauseKind::kMissing;
  bool is_past = false;  // what it is about has been replaced
  // A clause: "2 pods of workers cannot be scheduled: Insufficient nvidia.com/gpu on 8 of 11
  // nodes".
  std::string summary;
  std::int64_t since = 0;            // Unix seconds: since when at the earliest; 0 = not known
  std::string advice;                // what would help, or ""
  std::vector<std::string> details;  // sentences, the most telling first
  std::vector<std::string> roles;
  std::vector<std::string> pods;
  std::vector<std::string> commands;  // lines for a shell that show more
};

// `word` as a shell reads it as one word.
std::string ShellWord(std::string_view word);
// "kubectl describe pod -n demo train-0".
std::string DescribeCommand(std::string_view type, std::string_view name_space,
                            std::string_view name);
// The TYPE that kubectl knows a kind by: "jobset.jobset.x-k8s.io" has no dot for the core group.
std::string TypeWord(std::string_view api_version, std::string_view kind);

// "1 pod", "3 pods"; " of workers" behind it when `role` is not "".
std::string PodsText(std::size_t count, std::string_view role);

}  // namespace wmap::inspect
