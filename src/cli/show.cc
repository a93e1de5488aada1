#include "cli/show.h"

#include "base/text.h"
#include "cli/select.h"
#include "cli/table.h"
#include "inspect/report_json.h"
#include "json/writer.h"
#include "yaml/writer.h"

namespace wmap::cli {
namespace {

int ExitFor(Code code) {
  switch (code) {
    case Code::kNotFound:
      return kNotFound;
    case Code::kNotDefined:
      return kNotCovered;
    default:
      return kUsage;
  }
}

std::string GroupOf(const std::string& api_version) {
  std::size_t slash = api_version.find('/');
  return slash == std::string::npos ? std::string() : api_version.substr(0, slash);
}

}  // namespace

std::optional<Session> ReadSelected(const InputOptions& input, const SelectOptions& select,
                                    const Context& context, int& exit_code) {
  std::optional<Session> session = ReadInputs(input, context);
  if (!session) {
    exit_code = kUsage;
    return std::nullopt;
  }
  exit_code = session->exit_code;
  if (Result<void> selected = Select(select, session->registry, session->report); !selected) {
    context.err->Write(Cat("error: ", Safe(selected.error().Describe()), '\n'));
    // What could not be read weighs more: the name may be in there.
    if (exit_code == kOk) exit_code = ExitFor(selected.error().code());
    return std::nullopt;
  }
  return session;
}

void PrintMachine(const inspect::Report& report, Format format, const Context& context) {
  std::string text;
  if (format == Format::kJsonLines) {
    Arena arena;
    for (const workload::Workload& workload : report.workloads) {
      arena.Reset();
      text.clear();
      json::Write(inspect::WorkloadJson(workload, arena), text);
      text += '\n';
      context.out->Write(text);
    }
    return;
  }
  Arena arena;
  json::Value value = inspect::ReportJson(report, arena);
  if (format == Format::kYaml) {
    yaml::Write(value, text);
  } else {
    json::Write(value, text, {.indent = 4});
    text += '\n';
  }
  context.out->Write(text);
}

std::string NameOf(const workload::Workload& workload) {
  std::string group = GroupOf(workload.api_version);
  return Cat(ToLower(workload.kind), group.empty() ? "" : ".", group, '/', workload.name);
}

std::string ReadyText(const workload::PodCounts& pods) {
  std::string wanted = pods.wanted.text();
  return pods.ready ? Cat(*pods.ready, '/', wanted) : Cat("-/", wanted);
}

std::string GpuText(const workload::Count& desired) {
  return desired == workload::Count() ? "-" : desired.text();
}

void PrintLeftovers(const inspect::Report& report, const Context& context) {
  if (!report.unclaimed.empty()) {
    Table table({"NAMESPACE", "POD", "STATUS", "GPUS", "WHY IT HAS NO WORKLOAD"});
    for (const inspect::UnclaimedPod& unclaimed : report.unclaimed) {
      const workload::PodFacts& pod = *unclaimed.pod;
      table.Add({{Safe(pod.name_space)},
                 {Safe(pod.name)},
                 {std::string(PodPhaseName(pod.phase))},
                 {pod.gpus == 0 ? "-" : Cat(pod.gpus)},
                 {Safe(unclaimed.reason)}});
    }
    context.out->Write(report.workloads.empty() ? "" : "\n");
    context.out->Write(table.Render(context.colour));
  }
  for (const inspect::Uncovered& uncovered : report.uncovered) {
    if (uncovered.pods == 0) continue;
    context.err->Write(Cat("no definition covers ", Safe(uncovered.kind), " (",
                           Safe(uncovered.api_version), "): ", uncovered.objects,
                           uncovered.objects == 1 ? " object with " : " objects with ",
                           uncovered.pods, uncovered.pods == 1 ? " pod and " : " pods and ",
                           uncovered.gpus, " GPUs; give one with --definitions\n"));
  }
}

void PrintDiagnostics(const inspect::Report& report, const Context& context) {
  auto print = [&](const workload::Diagnostic& diagnostic, std::string_view about) {
    if (diagnostic.severity == workload::Severity::kInfo) return;
    context.err->Write(
        Cat(SeverityName(diagnostic.severity), ": ",
            diagnostic.source.empty() ? std::string() : Cat(Safe(diagnostic.source), ": "), about,
            Safe(diagnostic.message), '\n'));
  };
  for (const workload::Workload& workload : report.workloads) {
    std::string about = Cat(Safe(workload.kind), '/', Safe(workload.name), ": ");
    for (const workload::Diagnostic& diagnostic : workload.diagnostics) print(diagnostic, about);
  }
  for (const workload::Diagnostic& diagnostic : report.diagnostics) {
    // Told while reading.
    if (diagnostic.code == "unreadable" || diagnostic.code == "not-an-object") continue;
    print(diagnostic, {});
  }
}

int ExplainEmpty(const inspect::Report& report, const Context& context, int exit_code) {
  if (report.uncovered.empty()) {
    context.err->Write("No workloads found.\n");
    return exit_code;
  }
  std::vector<std::string> kinds;
  for (const inspect::Uncovered& uncovered : report.uncovered) {
    kinds.push_back(Cat(Safe(uncovered.kind), " (", Safe(uncovered.api_version), ")"));
  }
  context.err->Write(Cat("error: no definition covers ", Join(kinds, ", "),
                         "; give one with --definitions, or see `wmap definitions`\n"));
  return exit_code == kOk ? kNotCovered : exit_code;
}

}  // namespace wmap::cli
