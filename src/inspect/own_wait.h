// OwnWait: what an object waits for by its own account, without a pod that could show it: the time
// of its schedule, or the pause that its controller makes after failures. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json/value.h"

namespace wmap::inspect {

struct OwnWait {
  bool by_schedule = false;  // else after failures
  // "its next run is due at 2026-12-01T03:30:00Z, by its schedule 30 3 * * *", "the Job controller
  // waits before it makes another pod".
  std::string clause;
  std::string detail;  // "1 pod has failed, and backoffLimit allows 6", or ""
};

// Nothing when it waits for nothing of that kind.
std::optional<OwnWait> ReadOwnWait(std::string_view api_version, std::string_view kind,
                                   const json::Value& object);

// How often it has failed before, of one that runs: "1 pod has failed before, and backoffLimit
// allows 6"; "" when never.
std::string FailuresBefore(std::string_view api_version, std::string_view kind,
                           const json::Value& object);

}  // namespace wmap::inspect
