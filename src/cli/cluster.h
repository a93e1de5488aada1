// Reading a cluster instead of files.
#pragma once

#include <expected>

#include "cli/context.h"
#include "cli/options.h"
#include "cli/session.h"

namespace wmap::cli {

// Reads what the cluster of the options holds, as ReadFiles() does with files; only reads. Without
// a namespace and -A in `select`, that of the cluster's context is taken, and set there. What
// cannot be read is told, and what can be read is in the report. When there is nothing to go on
// with, says why and returns the exit code.
std::expected<Session, int> ReadCluster(const InputOptions& options, SelectOptions& select,
                                        bool with_events, const Context& context);

}  // namespace wmap::cli
