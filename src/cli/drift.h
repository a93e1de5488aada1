// What an upgrade makes of objects: each read as it is, and as the new release would keep it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "cli/cluster.h"
#include "cli/context.h"
#include "cli/options.h"
#include "definition/karta.h"
#include "inspect/definition_diff.h"
#include "schema/releases.h"

namespace wmap::cli {

struct Drift {
  bool has_looked = false;  // false: there are neither files nor a cluster
  std::size_t workloads = 0;
  std::vector<inspect::WorkloadChange> changes;  // in `arena`
  int exit_code = kOk;                           // of reading
};

// Of the objects of -f, or of `cluster` (may be null) those of `kinds`, which definitions cover.
// `release` is the new one's name. What cannot be read is told.
Drift ReadDrift(const CheckOptions& options, const ClusterSchemas* cluster,
                const std::vector<definition::GroupVersionKind>& kinds,
                const schema::Releases& releases, std::string_view release, const Context& context,
                Arena& arena);

}  // namespace wmap::cli
