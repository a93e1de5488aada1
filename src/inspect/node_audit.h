// Pods against the nodes that they are on. See audit.h.
#pragma once

#include <cstdint>
#include <vector>

#include "inspect/report.h"

namespace wmap::inspect {

struct Finding;

// Adds pods on nodes that have no such device, and nodes whose pods ask for more devices than they
// have; with `is_whole`, pods that hold devices of nodes that are not there. Returns how many nodes
// were compared.
std::int64_t AuditNodes(const Report& report, bool is_whole, std::vector<Finding>& findings);

}  // namespace wmap::inspect
