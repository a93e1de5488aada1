// When a CronJob is due next, by its schedule as Kubernetes reads it: five fields with lists,
// ranges, steps and names, or one of "@hourly", "@daily" and the like. Times are UTC, as those of
// a controller manager that says nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wmap::inspect {

// The first time after `after`, Unix seconds. Nothing when the schedule cannot be read, names a
// zone, or is never due within five years.
std::optional<std::int64_t> NextRun(std::string_view schedule, std::int64_t after);

// Whether no day is one that the schedule takes, as 31 February. False when it cannot be read.
bool IsNeverDue(std::string_view schedule);

}  // namespace wmap::inspect
