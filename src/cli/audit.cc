// `wmap audit`: what definitions say, compared with what the pods, their makers and the nodes say.
#include "inspect/audit.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "cli/cluster.h"
#include "cli/commands.h"
#include "cli/show.h"
#include "cli/table.h"
#include "inspect/audit_json.h"

namespace wmap::cli {
namespace {

using inspect::Audit;
using inspect::Finding;

void PrintFindings(const Audit& audit, const Context& context) {
  Table table({"SEVERITY", "NAMESPACE", "OBJECT", "ROLE", "FINDING", "DETAIL"});
  for (const Finding& finding : audit.findings) {
    bool is_error = finding.severity == workload::Severity::kError;
    auto or_dash = [](const std::string& text) {
      return text.empty() ? std::string("-") : Safe(text);
    };
    table.Add(
        {{std::string(SeverityName(finding.severity)), is_error ? Colour::kRed : Colour::kYellow},
         {or_dash(finding.name_space)},
         {finding.name.empty() ? Cat(Safe(finding.kind), " (", Safe(finding.api_version), ')')
                               : Cat(Safe(finding.kind), '/', Safe(finding.name))},
         {or_dash(finding.role)},
         {Safe(finding.finding)},
         {Safe(finding.detail)}});
  }
  context.out->Write(table.Render(context.colour));
}

// "12 workloads with 40 pods and 96 GPUs, and 4 nodes, were compared".
std::string Compared(const Audit& audit) {
  std::string text = Cat(Numbered(audit.workloads, "workload"), " with ",
                         Numbered(audit.pods, "pod"), " and ", Numbered(audit.gpus, "GPU"));
  if (audit.nodes > 0) CatTo(text, ", and ", Numbered(audit.nodes, "node"));
  text += " compared";
  if (audit.changing > 0) {
    CatTo(text, "; of ", Numbered(audit.changing, "workload"),
          " what passes by itself was left aside");
  }
  return text;
}

// Whether the namespace that was asked for is not there: that all agrees is no answer then.
bool IsNowhere(const inspect::Report& report) {
  return std::ranges::find(report.diagnostics, kNoNamespace, &workload::Diagnostic::code) !=
         report.diagnostics.end();
}

void PrintText(const Audit& audit, const inspect::Report& report, const Context& context) {
  if (IsNowhere(report)) {
    context.out->Write("Nothing was compared.\n");
  } else if (audit.findings.empty()) {
    // Where nothing could be compared nothing agrees.
    bool is_blind = !audit.unseen.empty();
    context.out->Write(Cat(is_blind ? "Nothing was found in what could be read: " : "All agrees: ",
                           Compared(audit), ".\n"));
  } else {
    PrintFindings(audit, context);
    context.out->Write(Cat('\n',
                           Numbered(static_cast<std::int64_t>(audit.findings.size()), "finding"),
                           "; ", Compared(audit), ".\n"));
  }
  for (const inspect::Unseen& unseen : audit.unseen) {
    context.out->Write(Cat("Not known: ", Safe(unseen.what), ": ", Safe(unseen.why), '\n'));
  }
}

// Of what the inputs hold now.
struct Reading {
  Selected selected;
  Audit audit;
};

std::expected<Reading, int> Read(const AuditOptions& options, const Context& context) {
  std::optional<workload::AcceleratorTable> accelerators = AcceleratorsOf(options.input, context);
  if (!accelerators) return std::unexpected<int>(kUsage);
  std::expected<Selected, int> selected =
      ReadSelected(options.input, options.select, context, Detail::kAudit);
  if (!selected) return std::unexpected(selected.error());
  inspect::AuditOptions what;
  what.accelerators = &*accelerators;
  what.registry = &selected->session.registry;
  bool is_live = options.input.files.empty();
  if (is_live) what.now = context.now;
  what.is_whole = is_live && options.select.all_namespaces;
  what.workloads_only = selected->has_targets;
  Audit audit = inspect::AuditReport(selected->report(), what);
  return Reading{*std::move(selected), std::move(audit)};
}

class Silence final : public Output {
 public:
  void Write(std::string_view /*text*/) override {}
};

auto KeyOf(const Finding& finding) {
  return std::tie(finding.code, finding.api_version, finding.kind, finding.name_space, finding.name,
                  finding.role);
}

// Looks again after a while, and keeps of what it finds then what was found before.
void LookAgain(const AuditOptions& options, std::chrono::seconds pause, Context& context,
               Reading& reading) {
  std::this_thread::sleep_for(pause);
  context.now += pause.count();
  Silence silence;
  Context again = context;
  again.err = &silence;
  again.err_is_terminal = false;
  std::expected<Reading, int> second = Read(options, again);
  if (!second) return;
  std::erase_if(second->audit.findings, [&](const Finding& finding) {
    return std::ranges::none_of(reading.audit.findings, [&](const Finding& before) {
      return KeyOf(before) == KeyOf(finding);
    });
  });
  reading = *std::move(second);
}

// The lists of a cluster are not of one moment, and it changes while it is read. What is so a
// moment later as well is a finding. Pods of a node that has gone stay until the garbage collector
// of Kubernetes takes them away: it looks every 20 s, and again after 40 s. Nothing shows when the
// node went.
void Confirm(const AuditOptions& options, Context context, Reading& reading) {
  using std::chrono::seconds;
  constexpr seconds kMoment(2);
  constexpr seconds kBetween(10);
  constexpr seconds kCollected(90);
  LookAgain(options, kMoment, context, reading);
  auto has_gone = [&] {
    return std::ranges::find(reading.audit.findings, inspect::kNodeGone, &Finding::code) !=
           reading.audit.findings.end();
  };
  if (!has_gone()) return;
  context.err->Write(Cat("pods hold devices on nodes that are not there: waiting up to ",
                         kCollected.count(), " s for Kubernetes to remove them\n"));
  for (seconds waited(0); waited < kCollected && has_gone(); waited += kBetween) {
    LookAgain(options, kBetween, context, reading);
  }
}

}  // namespace

int RunAudit(const AuditOptions& options, const Context& context) {
  std::expected<Reading, int> reading = Read(options, context);
  if (!reading) return reading.error();
  bool is_live = options.input.files.empty();
  if (is_live && !reading->audit.findings.empty()) Confirm(options, context, *reading);
  const Audit& audit = reading->audit;
  if (options.format == Format::kTable) {
    PrintText(audit, reading->selected.report(), context);
  } else {
    Arena arena;
    PrintValue(inspect::AuditJson(audit, reading->selected.report(), arena), options.format,
               context);
  }
  bool has_findings = !audit.findings.empty();
  bool is_nowhere = IsNowhere(reading->selected.report());
  // An empty listing is an answer here.
  Format as = options.format == Format::kTable ? Format::kName : options.format;
  int exit_code = Conclude(std::move(reading->selected), as, context);
  if (exit_code != kOk) return exit_code;
  if (is_nowhere) return kNotFound;
  return has_findings ? kFailed : kOk;
}

}  // namespace wmap::cli
