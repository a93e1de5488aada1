// The statuses of the definition format.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace wmap::workload {

// In the order in which the format evaluates and lists them.
enum class Phase : std::uint8_t {
  kResuming,
  kSuspending,
  kSuspended,
  kRunning,
  kFailed,
  kCompleted,
  kInitializing,
  kDegraded,
  kUndefined,
};

inline constexpr std::array kPhaseNames = {
    std::string_view("Resuming"),     std::string_view("Suspending"),
    std::string_view("Suspended"),    std::string_view("Running"),
    std::string_view("Failed"),       std::string_view("Completed"),
    std::string_view("Initializing"), std::string_view("Degraded"),
    std::string_view("Undefined")};

// "Running".
inline std::string_view PhaseName(Phase phase) {
  return kPhaseNames[static_cast<std::size_t>(phase)];
}

}  // namespace wmap::workload
