// The machine output, version wmap/v1: always a WorkloadList. Fields are added, never renamed.
#pragma once

#include "base/arena.h"
#include "inspect/report.h"
#include "json/value.h"

namespace wmap::inspect {

inline constexpr std::string_view kApiVersion = "wmap/v1";

// One entry of `items`. The value views `workload` and stands in `arena`.
json::Value WorkloadJson(const workload::Workload& workload, Arena& arena);

// The whole list.
json::Value ReportJson(const Report& report, Arena& arena);

// A count: a number when exact, otherwise {"min", "max", "unknown"}.
json::Value CountJson(const workload::Count& count, Arena& arena);

}  // namespace wmap::inspect
