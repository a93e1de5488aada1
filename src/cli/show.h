// What several commands show of a report.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/context.h"
#include "cli/options.h"
#include "cli/session.h"
#include "workload/workload.h"

namespace wmap::cli {

// Reads the inputs and reduces them to what is asked for. Nothing when that failed, which is told;
// then `exit_code` says how.
std::optional<Session> ReadSelected(const InputOptions& input, const SelectOptions& select,
                                    const Context& context, int& exit_code);

// Prints a report as JSON, YAML or one JSON document a line.
void PrintMachine(const inspect::Report& report, Format format, const Context& context);

// "jobset.jobset.x-k8s.io/train".
std::string NameOf(const workload::Workload& workload);

// "3/3": pods ready of wanted; "-/3" when no pods are known.
std::string ReadyText(const workload::PodCounts& pods);

// "4" or "-" for none, as the GPUS column has it; "4 of 8" when not all is held.
std::string GpuText(const workload::Count& desired);

// Pods that belong to no workload and kinds that nobody covers, below a listing.
void PrintLeftovers(const inspect::Report& report, const Context& context);

// Warnings of the workloads and of the report, on the error stream.
void PrintDiagnostics(const inspect::Report& report, const Context& context);

// Says why there is nothing to show: nothing was found, or no definition covers what was. Returns
// the exit code, which is `exit_code` unless that is kOk.
int ExplainEmpty(const inspect::Report& report, const Context& context, int exit_code);

}  // namespace wmap::cli
