#include "cli/show.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/cluster.h"
#include "cli/clusters.h"
#include "cli/table.h"
#include "definition/api_version.h"
#include "inspect/report_json.h"
#include "json/writer.h"
#include "yaml/writer.h"

namespace wmap::cli {
namespace {

// A kind of Kubernetes itself: that no definition covers it says nothing about workloads.
bool IsOfKubernetes(const inspect::Uncovered& uncovered) {
  return definition::IsKubernetesGroup(definition::GroupOf(uncovered.api_version));
}

// Whether there is nothing to show because no definition covers what there is.
bool IsNotCovered(const Selected& selected) {
  return !selected.has_targets && !selected.selection.has_others &&
         !std::ranges::all_of(selected.report().uncovered, IsOfKubernetes);
}

// "east: ", or "" where there is but one.
std::string InCluster(const std::string& cluster) {
  return cluster.empty() ? std::string() : Cat(Safe(cluster), ": ");
}

void TellUncovered(const inspect::Uncovered& uncovered, std::string_view severity,
                   const Context& context) {
  std::string pods = uncovered.pods == 0 ? std::string()
                                         : Cat(" with ", Numbered(uncovered.pods, "pod"), " and ",
                                               Numbered(uncovered.gpus, "GPU"));
  context.err->Write(Cat(severity, InCluster(uncovered.cluster), "no definition covers ",
                         Safe(uncovered.kind), " (", Safe(uncovered.api_version),
                         "): ", Numbered(uncovered.objects, "object"), pods,
                         "; give one with --definitions, or see `wmap definitions`\n"));
}

void Tell(const workload::Diagnostic& diagnostic, std::string_view about, const Context& context) {
  if (diagnostic.severity == workload::Severity::kInfo) return;
  context.err->Write(
      Cat(SeverityName(diagnostic.severity), ": ", InCluster(diagnostic.cluster),
          diagnostic.source.empty() ? std::string() : Cat(Safe(diagnostic.source), ": "), about,
          Safe(diagnostic.message), '\n'));
}

// What was not told while reading, and not too much of it.
void TellReport(const Session& session, const Context& context) {
  constexpr std::size_t kMost = 10;
  std::span<const workload::Diagnostic> rest = session.report.diagnostics;
  rest = rest.subspan(session.told);
  for (const workload::Diagnostic& diagnostic : rest.first(std::min(rest.size(), kMost))) {
    Tell(diagnostic, {}, context);
  }
  if (rest.size() > kMost) context.err->Write(Cat("and ", rest.size() - kMost, " more\n"));
}

}  // namespace

std::expected<Selected, Refusal> Reduce(Session session, const SelectOptions& select) {
  Result<Selection> selection =
      Select(select, session.registry, session.served.get(), session.report);
  if (selection) {
    for (Missing& missing : selection->missing) {
      auto unread = session.unread.find({missing.group, missing.kind});
      if (missing.kind.empty() || unread == session.unread.end()) continue;
      missing.message = Cat("whether there is ", missing.target, " is not known: ", unread->second,
                            " could not be listed");
    }
    return Selected{std::move(session), *std::move(selection), !select.targets.empty()};
  }
  return std::unexpected(RefusalOf(selection.error(), session.exit_code));
}

std::expected<Selected, Refusal> Reduce(Session session, const SelectOptions& select,
                                        std::vector<Target> targets) {
  Result<Selection> selection = Select(select, std::move(targets), session.report);
  if (!selection) return std::unexpected(RefusalOf(selection.error(), session.exit_code));
  return Selected{std::move(session), *std::move(selection), !select.targets.empty()};
}

Refusal RefusalOf(const Error& error, int exit_code) {
  Refusal refusal{exit_code, error.Describe()};
  if (exit_code != kOk) return refusal;
  refusal.is_elsewhere = true;
  switch (error.code()) {
    case Code::kNotDefined:
      refusal.exit_code = kNotCovered;
      break;
    case Code::kNotFound:
      refusal.exit_code = kNotFound;
      break;
    case Code::kUnavailable:
      refusal.exit_code = kFailed;
      break;
    default:
      refusal.exit_code = kUsage;
      refusal.is_elsewhere = false;
  }
  return refusal;
}

int Tell(const Refusal& refusal, const Context& context) {
  if (!refusal.message.empty()) {
    context.err->Write(Cat("error: ", Safe(refusal.message), '\n'));
  }
  return refusal.exit_code;
}

std::expected<Selected, int> ReadSelected(const InputOptions& input, const SelectOptions& select,
                                          const Context& context, Detail detail) {
  std::expected<Selected, int> selected = std::unexpected<int>(kUsage);
  if (!input.files.empty()) {
    std::string name_space = select.all_namespaces ? std::string() : select.name_space;
    std::optional<Session> session = ReadFiles(input, name_space, detail, context);
    if (!session) return selected;
    std::expected<Selected, Refusal> reduced = Reduce(*std::move(session), select);
    if (!reduced) return std::unexpected(Tell(reduced.error(), context));
    selected = *std::move(reduced);
  } else if (!input.cluster.contexts.empty()) {
    selected = ReadClusters(input, select, detail, context);
  } else {
    std::expected<Selected, Refusal> reduced = ReadCluster(input, select, detail, context);
    if (!reduced) return std::unexpected(Tell(reduced.error(), context));
    selected = *std::move(reduced);
  }
  // A list of nothing is no answer to a name.
  if (selected && !selected->selection.missing.empty() && selected->report().workloads.empty()) {
    return std::unexpected(Conclude(*std::move(selected), Format::kTable, context));
  }
  return selected;
}

int FollowSelected(const InputOptions& input, const SelectOptions& select, const Context& context,
                   ShowViews show) {
  if (!input.files.empty()) {
    context.err->Write("error: --watch follows a cluster; files do not change\n");
    return kUsage;
  }
  auto show_and_flush = [&](std::span<const View> views) {
    show(views);
    context.out->Flush();
  };
  if (!input.cluster.contexts.empty()) {
    return FollowClusters(input, select, context, show_and_flush);
  }
  std::expected<int, Refusal> ended =
      FollowCluster(input, select, context, [&](Selected& selected) {
        View view{{}, &selected};
        show_and_flush({&view, 1});
      });
  return ended ? *ended : Tell(ended.error(), context);
}

void PrintValue(const json::Value& value, Format format, const Context& context) {
  std::string text;
  if (format == Format::kYaml) {
    yaml::Write(value, text);
  } else {
    json::Write(value, text, {.indent = 4});
    text += '\n';
  }
  context.out->Write(text);
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
  PrintValue(inspect::ReportJson(report, arena), format, context);
}

std::string NameOf(const workload::Workload& workload) {
  std::string group(definition::GroupOf(workload.api_version));
  return Cat(ToLower(workload.kind), group.empty() ? "" : ".", group, '/', workload.name);
}

std::string ReadyText(const workload::PodCounts& pods) {
  std::string wanted = pods.wanted.text();
  if (!pods.filled) return Cat("-/", wanted);
  return Cat(pods.wanted == workload::Count() ? *pods.serving : *pods.filled, '/', wanted);
}

std::string GpuText(const workload::Count& desired) {
  return desired == workload::Count() ? "-" : desired.text();
}

std::string AcceleratorName(const workload::AcceleratorCounts& accelerator) {
  // Whole ones have the same name.
  bool is_share = accelerator.type == workload::kSharedGpu &&
                  std::ranges::any_of(workload::ShareRules(), [&](const workload::ShareRule& rule) {
                    return rule.device == accelerator.resource;
                  });
  return Cat(is_share ? "shared " : "", Safe(accelerator.resource));
}

std::string AcceleratorText(const workload::AcceleratorCounts& accelerator) {
  return Cat(accelerator.desired.text(workload::UnitOf(accelerator.type)), ' ',
             AcceleratorName(accelerator));
}

void PrintLeftovers(const Selected& selected, const Context& context) {
  const inspect::Report& report = selected.report();
  if (selected.has_targets) return;
  if (!report.unclaimed.empty()) {
    bool with_cluster = !report.unclaimed.front().cluster.empty();
    std::vector<std::string> headers = {"NAMESPACE", "POD", "STATUS", "GPUS",
                                        "WHY IT HAS NO WORKLOAD"};
    if (with_cluster) headers.insert(headers.begin(), "CLUSTER");
    Table table(headers);
    for (const inspect::UnclaimedPod& unclaimed : report.unclaimed) {
      const workload::PodFacts& pod = *unclaimed.pod;
      std::vector<Cell> row = {{Safe(pod.name_space)},
                               {Safe(pod.name)},
                               {std::string(PodPhaseName(pod.phase))},
                               {pod.gpus == 0 ? "-" : Cat(pod.gpus)},
                               {Safe(unclaimed.reason)}};
      if (with_cluster) row.insert(row.begin(), {Safe(unclaimed.cluster)});
      table.Add(row);
    }
    context.out->Write(report.workloads.empty() ? "" : "\n");
    context.out->Write(table.Render(context.colour));
  }
  // What explains an empty listing is told by Conclude().
  bool are_told = IsNotCovered(selected);
  for (const inspect::Uncovered& uncovered : report.uncovered) {
    if (uncovered.pods == 0 || (are_told && !IsOfKubernetes(uncovered))) continue;
    TellUncovered(uncovered, {}, context);
  }
}

void PrintWarnings(const inspect::Report& report, const Context& context) {
  // Of what many say in the same words a few are named, the others counted.
  constexpr std::int64_t kMost = 3;
  std::map<std::string, std::int64_t> told;
  std::vector<std::string> lines;  // what is told of each, in the order of the first
  for (const workload::Workload& workload : report.workloads) {
    std::string of = Cat(InCluster(workload.cluster), Safe(workload.kind));
    for (workload::Diagnostic diagnostic : workload.diagnostics) {
      if (diagnostic.severity == workload::Severity::kInfo) continue;
      // The workload is a row all the same, and the command has not failed.
      diagnostic.severity = workload::Severity::kWarning;
      std::string line = Cat(of, "s: ", Safe(diagnostic.message));
      std::int64_t& times = told[line];
      if (++times <= kMost) Tell(diagnostic, Cat(of, '/', Safe(workload.name), ": "), context);
      if (times == kMost + 1) lines.push_back(std::move(line));
    }
  }
  for (const std::string& line : lines) {
    context.err->Write(Cat("warning: and ", told[line] - kMost, " more ", line, '\n'));
  }
}

int Conclude(Selected&& selected, Format format, const Context& context) {
  const inspect::Report& report = selected.report();
  int exit_code = selected.session.exit_code;
  // What could not be read weighs more: the name or the kind may be in there.
  auto worsen = [&](int code) {
    if (exit_code == kOk) exit_code = code;
  };
  // The others carry the diagnostics themselves.
  if (format != Format::kJson && format != Format::kYaml) TellReport(selected.session, context);
  for (const Missing& missing : selected.selection.missing) {
    context.err->Write(Cat("error: ", Safe(missing.message), '\n'));
    worsen(kNotFound);
  }
  if (IsNotCovered(selected)) {
    for (const inspect::Uncovered& uncovered : report.uncovered) {
      if (!IsOfKubernetes(uncovered)) TellUncovered(uncovered, "error: ", context);
    }
    worsen(kNotCovered);
  }
  bool is_for_people = format == Format::kTable || format == Format::kWide;
  if (is_for_people && report.workloads.empty() && exit_code == kOk) {
    const std::string& parts = selected.selection.parts;
    context.err->Write(
        parts.empty() ? std::string("No workloads found.\n")
                      : Cat("No workloads found: ", Safe(parts), "; `wmap tree` shows them.\n"));
  }
  context.discard(std::make_shared<Selected>(std::move(selected)));
  return exit_code;
}

}  // namespace wmap::cli
