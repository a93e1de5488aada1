// What several commands show of a report.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "cli/context.h"
#include "cli/options.h"
#include "cli/select.h"
#include "cli/session.h"
#include "json/value.h"
#include "workload/workload.h"

namespace wmap::cli {

// The inputs, reduced to what is asked for.
struct Selected {
  Session session;
  Selection selection;
  bool has_targets = false;  // asked for by TYPE or name

  const inspect::Report& report() const { return session.report; }
};

// Why inputs could not be reduced.
struct Refusal {
  int exit_code = kUsage;
  std::string message;        // "" when it was told
  bool is_elsewhere = false;  // another cluster may have what is asked for
};
// Of an error of Select(). `exit_code` is what reading ended with: what could not be read weighs
// more, since the kind may be in there.
Refusal RefusalOf(const Error& error, int exit_code);
// What of `session` is asked for.
std::expected<Selected, Refusal> Reduce(Session session, const SelectOptions& select);
// The same where it is known what the TARGETs mean.
std::expected<Selected, Refusal> Reduce(Session session, const SelectOptions& select,
                                        std::vector<Target> targets);

// Tells a refusal and returns its exit code.
int Tell(const Refusal& refusal, const Context& context);

// Reads the inputs and reduces them. When there is nothing to go on with, says why and returns the
// exit code.
std::expected<Selected, int> ReadSelected(const InputOptions& input, const SelectOptions& select,
                                          const Context& context, Detail detail = Detail::kRows);

// What there is in a cluster, at one time.
struct View {
  std::string cluster;  // its name when there are several, else ""
  const Selected* selected = nullptr;
};
using ShowViews = FunctionRef<void(std::span<const View>)>;

// The same of one cluster or of several, as they change: calls `show` with what there is, and again
// after every change; clusters that are lost, or have not been read yet, are not among the views.
// Returns, with the exit code, when all clusters are lost or the options are wrong.
int FollowSelected(const InputOptions& input, const SelectOptions& select, const Context& context,
                   ShowViews show);

// Prints a value as YAML, or as JSON with indentation.
void PrintValue(const json::Value& value, Format format, const Context& context);

// Prints a report as JSON, YAML or one JSON document a line.
void PrintMachine(const inspect::Report& report, Format format, const Context& context);

// "jobset.jobset.x-k8s.io/train".
std::string NameOf(const workload::Workload& workload);

// "3/3": how many of the wanted pods are there and ready (PodCounts::filled); "2/0" when some still
// are and none is wanted; "-/3" when no pods are known.
std::string ReadyText(const workload::PodCounts& pods);

// "4" or "-" for none, as the GPUS column has it; "4 of 8" when not all is held.
std::string GpuText(const workload::Count& desired);

// "google.com/tpu", "shared nvidia.com/gpu": what an accelerator is called that is no whole GPU.
std::string AcceleratorName(const workload::AcceleratorCounts& accelerator);
// "4 google.com/tpu", "1.5 gpu-fraction": what is asked for of accelerators that are no whole GPUs.
std::string AcceleratorText(const workload::AcceleratorCounts& accelerator);

// Below a listing of all: pods that belong to no workload, and kinds that nobody covers and that
// have pods.
void PrintLeftovers(const Selected& selected, const Context& context);

// What the workloads' diagnostics warn of, on the error stream.
void PrintWarnings(const inspect::Report& report, const Context& context);

// The last words of a command, on the error stream: what the report as a whole warns of, names that
// are missing, why there is nothing to show. Returns the exit code.
int Conclude(Selected&& selected, Format format, const Context& context);

}  // namespace wmap::cli
