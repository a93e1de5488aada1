// One cluster, or several of them side by side, reduced to what is asked for.
#pragma once

#include <expected>

#include "base/function_ref.h"
#include "cli/context.h"
#include "cli/options.h"
#include "cli/show.h"

namespace wmap::cli {

// The cluster of the options. A refusal without message was
// told.
std::expected<Selected, Refusal> ReadCluster(const InputOptions& input, SelectOptions select,
                                             Detail detail, const Context& context);

// The clusters of all contexts of the options, read at the same time, as one report in the order of
// the contexts; its parts say in which cluster they are. What one of them tells begins with its
// name. One that cannot be read makes the report incomplete and the exit code kFailed, and the
// others are shown; a type or a name is only missing when no cluster has it. Returns an exit code,
// which is told, when there is nothing to show.
std::expected<Selected, int> ReadClusters(const InputOptions& input, const SelectOptions& select,
                                          Detail detail, const Context& context);

// Calls `show` with what there is in the cluster of the options, and again after every change,
// until the cluster is lost; returns the exit code.
std::expected<int, Refusal> FollowCluster(const InputOptions& input, SelectOptions select,
                                          const Context& context,
                                          FunctionRef<void(Selected&)> show);

// See FollowSelected(); `show` is called on this thread.
int FollowClusters(const InputOptions& input, const SelectOptions& select, const Context& context,
                   ShowViews show);

}  // namespace wmap::cli
