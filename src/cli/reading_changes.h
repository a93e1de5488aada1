// What is read differently of workloads, as people and programs are shown it.
#pragma once

#include <string>
#include <string_view>

#include "base/arena.h"
#include "cli/context.h"
#include "inspect/definition_diff.h"
#include "json/value.h"

namespace wmap::cli {

// "JobSet/train (source)" and below it a table of what was and what is. Ends with an empty line.
void PrintChange(const inspect::WorkloadChange& change, std::string_view source,
                 const Context& context);
// Stands in `arena` and views the change.
json::Value ChangeJson(const inspect::WorkloadChange& change, std::string_view source,
                       Arena& arena);

// The start of a text that fits on a line of such a table.
std::string StartOfText(std::string_view text, std::size_t most = 60);

}  // namespace wmap::cli
