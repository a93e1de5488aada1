// `wmap get`: one row per workload.
#include "base/text.h"
#include "cli/commands.h"
#include "cli/show.h"
#include "cli/table.h"

namespace wmap::cli {
namespace {

using workload::Workload;

// "leader 1, workers 2".
std::string RolesText(const Workload& workload) {
  std::vector<std::string> roles;
  for (const workload::Role& role : workload.roles) {
    roles.push_back(Cat(Safe(role.role), ' ', role.tally.pods.desired.text()));
  }
  return Join(roles, ", ");
}

// "4 google.com/tpu, 0.5 gpu-fraction": accelerators that are no whole GPUs.
std::string OtherAccelerators(const Workload& workload) {
  std::vector<std::string> others;
  for (const workload::AcceleratorCounts& accelerator : workload.totals.accelerators) {
    if (accelerator.type == workload::kWholeGpu) continue;
    others.push_back(AcceleratorText(accelerator));
  }
  return others.empty() ? "-" : Join(others, ", ");
}

void PrintTable(const GetOptions& options, const inspect::Report& report, const Context& context) {
  bool wide = options.format == Format::kWide;
  std::vector<std::string> headers = {"NAMESPACE", "NAME", "KIND", "PHASE", "READY", "GPUS", "AGE"};
  if (wide) {
    headers.insert(headers.end(),
                   {"ALLOCATED", "OTHER ACCELERATORS", "ROLES", "DEFINITION", "REASON"});
  }
  Table table(options.no_headers ? std::vector<std::string>() : headers);
  for (const Workload& workload : report.workloads) {
    std::string phase(PhaseName(workload.status.phase));
    if (workload.status.deleting) phase += ",Deleting";
    if (workload.status.stale) phase += ",Stale";
    std::vector<Cell> row = {{workload.name_space.empty() ? "-" : Safe(workload.name_space)},
                             {Safe(workload.name)},
                             {Safe(workload.kind)},
                             {phase, ColourOf(workload.status.phase)},
                             {ReadyText(workload.totals.pods)},
                             {GpuText(workload.totals.gpus.desired)},
                             {Age(workload::ParseTime(workload.created_at), context.now)}};
    if (wide) {
      const auto& allocated = workload.totals.gpus.allocated;
      row.insert(row.end(), {{allocated ? Cat(*allocated) : "-"},
                             {OtherAccelerators(workload)},
                             {RolesText(workload)},
                             {Safe(workload.definition)},
                             {Safe(workload.status.reason)}});
    }
    table.Add(std::move(row));
  }
  if (!table.empty()) context.out->Write(table.Render(context.colour));
}

}  // namespace

int RunGet(const GetOptions& options, const Context& context) {
  std::expected<Selected, int> selected = ReadSelected(options.input, options.select, context);
  if (!selected) return selected.error();
  inspect::Report& report = selected->session.report;
  SortBy(options.sort_by, report);
  switch (options.format) {
    case Format::kName:
      for (const Workload& workload : report.workloads) {
        context.out->Write(Cat(Safe(NameOf(workload)), '\n'));
      }
      break;
    case Format::kTable:
    case Format::kWide:
      PrintTable(options, report, context);
      PrintLeftovers(*selected, context);
      PrintWarnings(report, context);
      break;
    default:
      PrintMachine(report, options.format, context);
  }
  return Conclude(*selected, options.format, context);
}

}  // namespace wmap::cli
