// Copies: from counts per copy of the owner to counts of the whole workload, owners before what
// they own, and with the scales of children in place of the workload's own counts.
#pragma once

#include <span>
#include <vector>

#include "workload/child_scale.h"
#include "workload/parts.h"

namespace wmap::workload {

// `parts` as the object has them, one per component. Links instances to those of the owner, takes
// away what hangs below nothing, and multiplies counts that are per copy of the owner.
void CountCopies(std::span<const ChildRef> children, std::vector<Part>& parts,
                 Evaluation& evaluation);

}  // namespace wmap::workload
