// An audit as data: the machine output of `wmap audit`, documented in docs/audit.md. Stable: fields
// are added, never renamed.
#pragma once

#include "base/arena.h"
#include "inspect/audit.h"
#include "inspect/report.h"
#include "json/value.h"

namespace wmap::inspect {

// Stands in `arena` and views both.
json::Value AuditJson(const Audit& audit, const Report& report, Arena& arena);

}  // namespace wmap::inspect
