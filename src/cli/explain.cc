// `wmap explain`: why a workload is in its phase, and what keeps it from running. One screen: the
// answer first, then what it rests on.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/show.h"
#include "cli/table.h"
#include "inspect/definition_reading.h"
#include "inspect/explanation.h"
#include "inspect/explanation_json.h"

namespace wmap::cli {
namespace {

using inspect::Cause;
using inspect::Explanation;
using inspect::MappingEvidence;
using inspect::MatcherPart;

// What fits on a screen; JSON has the rest.
constexpr std::size_t kMostCauses = 4;
constexpr std::size_t kMostDetails = 4;
constexpr std::size_t kMostPods = 4;
constexpr std::size_t kMostReads = 4;
constexpr std::size_t kMostEvents = 4;
constexpr std::size_t kMostCommands = 4;
constexpr std::size_t kMostRemarks = 3;
constexpr std::size_t kMostYields = 6;
constexpr std::size_t kWidth = 300;  // of what others wrote

std::string Short(std::string_view text, std::size_t width = kWidth) {
  std::string safe = Safe(text);
  if (safe.size() <= width) return safe;
  return Cat(StartOf(safe, width), "\u2026");
}

class ExplanationPrinter {
 public:
  ExplanationPrinter(const Explanation& explanation, const ClusterOptions& cluster,
                     const Context& context)
      : one_(explanation), cluster_(cluster), context_(context) {}

  void Print() {
    PrintHead();
    PrintCauses();
    PrintRoles();
    PrintEvidence();
    PrintEvents();
    PrintRemarks();
    PrintUnseen();
    PrintCommands();
  }

 private:
  void Line(std::string_view text) { context_.out->Write(Cat(text, '\n')); }
  void Title(std::string_view text) {
    Line(Cat("\n", Coloured(text, Colour::kBold, context_.colour)));
  }

  void PrintHead() {
    std::string phase(PhaseName(one_.status.phase));
    std::string text =
        Cat(Safe(one_.kind), ' ',
            one_.name_space.empty() ? std::string() : Cat(Safe(one_.name_space), '/'),
            Safe(one_.name), " is ", Coloured(phase, ColourOf(one_.status.phase), context_.colour));
    bool is_told =
        !one_.causes.empty() && one_.causes.front().kind == inspect::CauseKind::kDeleting;
    if (one_.status.deleting && !is_told) text += ", and being deleted";
    if (one_.status.stale) text += ", as of a status that is older than the object";
    Line(Cat(text, ": ", Short(one_.summary)));
  }

  // The first one's summary is in the first line.
  void PrintCauses() {
    if (one_.causes.empty()) return;
    PrintCause(one_.causes.front());
    if (one_.causes.size() == 1) return;
    Title("Also");
    for (std::size_t i = 1; i < std::min(one_.causes.size(), kMostCauses); ++i) {
      Line(Cat("  ", Short(one_.causes[i].summary)));
      PrintCause(one_.causes[i]);
    }
    TellMore(one_.causes.size(), kMostCauses, "cause");
  }

  void PrintCause(const Cause& cause) {
    for (std::size_t i = 0; i < std::min(cause.details.size(), kMostDetails); ++i) {
      Line(Cat("    ", Short(cause.details[i])));
    }
    if (!cause.pods.empty()) {
      std::vector<std::string> names;
      for (std::size_t i = 0; i < std::min(cause.pods.size(), kMostPods); ++i) {
        names.push_back(Safe(cause.pods[i]));
      }
      std::string more = cause.pods.size() > kMostPods
                             ? Cat(" and ", cause.pods.size() - kMostPods, " more")
                             : std::string();
      if (cause.since != 0) CatTo(more, ", for ", Age(cause.since, context_.now));
      Line(Cat("    ", cause.pods.size() == 1 ? "pod " : "pods ", Join(names, ", "), more));
    }
    if (!cause.advice.empty()) Line(Cat("    \u2192 ", Short(cause.advice)));
  }

  void TellMore(std::size_t count, std::size_t most, std::string_view what) {
    if (count <= most) return;
    Line(Cat("  and ", Numbered(static_cast<std::int64_t>(count - most), Cat("more ", what)),
             " (-o json has all)"));
  }

  // Where all is well this adds nothing to the first line.
  void PrintRoles() {
    bool all_well = std::ranges::all_of(one_.roles, [](const inspect::RoleStanding& role) {
      return role.missing + role.unscheduled + role.starting + role.failing == 0;
    });
    if (!one_.pods_known || all_well) return PrintGangs();
    Table table({"ROLE", "WANTED", "READY", "NO NODE", "STARTING", "FAILING", "MISSING"});
    for (const inspect::RoleStanding& role : one_.roles) {
      auto number = [](std::int64_t count) { return count == 0 ? std::string("-") : Cat(count); };
      table.Add({{Safe(role.role)},
                 {role.wanted},
                 {Cat(role.serving)},
                 {number(role.unscheduled)},
                 {number(role.starting)},
                 {number(role.failing)},
                 {number(role.missing)}});
    }
    context_.out->Write(Cat("\n", table.Render(context_.colour, 2)));
    if (one_.without_role > 0) {
      Line(Cat("  and ", Numbered(one_.without_role, "pod"), " that no role claims"));
    }
    PrintGangs();
  }

  void PrintGangs() {
    for (const inspect::GangStanding& gang : one_.gangs) {
      if (gang.placed >= gang.minimum) continue;
      std::string by = gang.object == "definition" ? std::string("its definition") : gang.object;
      bool is_one = gang.placed == 1;
      std::string text =
          Cat("  gang: by ", Safe(by), ' ', Numbered(gang.minimum, "pod"),
              " have to start together; ", gang.placed, is_one ? " has" : " have", " a node");
      if (gang.gpus > 0) {
        CatTo(text, is_one ? " and holds " : " and hold ", Numbered(gang.gpus, "GPU"),
              " meanwhile");
      }
      Line(text);
    }
  }

  void PrintEvidence() {
    Title("By what rule");
    Line(Cat("  ", Short(one_.rule)));
    for (const MappingEvidence& mapping : one_.evidence.matched) PrintMapping(mapping, true);
    for (const MappingEvidence& mapping : one_.evidence.near_misses) PrintMapping(mapping, false);
    Line(Cat("  definition ", Safe(one_.definition), " (", Safe(one_.origin), ")"));
  }

  void PrintMapping(const MappingEvidence& mapping, bool matched) {
    std::string head =
        matched ? Cat("  ", mapping.name, " matches: ") : Cat("  ", mapping.name, " does not: ");
    for (const MatcherPart& part : mapping.parts) {
      if (!matched && part.holds) continue;
      Line(Cat(head, Describe(part)));
      head = std::string(head.size(), ' ');
      if (matched) PrintReads(part);
    }
  }

  static std::string Describe(const MatcherPart& part) {
    std::string what = part.asked == "expression" ? std::string("its expression")
                                                  : Cat(part.asked, ' ', Short(part.what, 80));
    if (!part.error.empty()) return Cat(what, " fails: ", Short(part.error, 120));
    std::string found = part.is_absent ? std::string("absent") : Short(part.found, 80);
    if (part.asked == "expression") {
      return part.holds ? Cat(what, " gives ", found)
                        : Cat(what, " gives ", found, ", not ", Short(part.expected, 80));
    }
    return part.holds ? Cat(what, " is ", found)
                      : Cat(what, " is ", found, ", not ", Short(part.expected, 80));
  }

  void PrintReads(const MatcherPart& part) {
    std::vector<std::string> lines;
    for (const inspect::ValueRead& read : part.reads) {
      // That a condition has its type is in the paths of what else was read of it.
      if (TypeOf(part, read.path.substr(0, read.path.rfind('.'))) != nullptr &&
          read.path.ends_with("].type")) {
        continue;
      }
      lines.push_back(Cat(Short(PathOf(part, read.path), 80), read.is_absent ? " is absent" : " = ",
                          read.is_absent ? std::string() : Short(read.value, 80)));
    }
    for (std::size_t i = 0; i < std::min(lines.size(), kMostReads); ++i) {
      Line(Cat("    ", lines[i]));
    }
    if (lines.size() > kMostReads) {
      Line(Cat("    and ", lines.size() - kMostReads, " more (-o json)"));
    }
  }

  // What was read as the type of the condition at `place`.
  static const std::string* TypeOf(const MatcherPart& part, const std::string& place) {
    if (!place.ends_with(']') || place.find("conditions[") == std::string::npos) return nullptr;
    auto type = std::ranges::find(part.reads, place + ".type", &inspect::ValueRead::path);
    return type == part.reads.end() ? nullptr : &type->value;
  }

  // ".status.conditions[0].status" with the condition's type in the place of its number.
  static std::string PathOf(const MatcherPart& part, const std::string& path) {
    std::size_t dot = path.rfind('.');
    if (dot == std::string::npos) return path;
    std::string place = path.substr(0, dot);
    const std::string* type = TypeOf(part, place);
    if (type == nullptr) return path;
    return Cat(place.substr(0, place.rfind('[')), "[type=", *type, ']', path.substr(dot));
  }

  void PrintEvents() {
    if (one_.events.empty()) return;
    Title("Warnings, newest first");
    Table table({});
    for (std::size_t i = 0; i < std::min(one_.events.size(), kMostEvents); ++i) {
      const inspect::EventGroup& event = one_.events[i];
      std::string about = Safe(event.object);
      if (event.objects > 1) CatTo(about, " and ", event.objects - 1, " more");
      table.Add({{Safe(event.reason), Colour::kYellow},
                 {Age(event.last_seen, context_.now)},
                 {Cat('x', event.count)},
                 {about},
                 {Short(event.message, 100)}});
    }
    context_.out->Write(table.Render(context_.colour, 2));
    TellMore(one_.events.size(), kMostEvents, "warning");
  }

  void PrintRemarks() {
    if (one_.remarks.empty()) return;
    Title("Remarks");
    for (std::size_t i = 0; i < std::min(one_.remarks.size(), kMostRemarks); ++i) {
      const workload::Diagnostic& remark = one_.remarks[i];
      Line(Cat("  ", SeverityName(remark.severity), ": ", Short(remark.message)));
    }
    TellMore(one_.remarks.size(), kMostRemarks, "remark");
  }

  void PrintUnseen() {
    if (one_.unseen.empty()) return;
    Title("Not known");
    for (const inspect::Unseen& unseen : one_.unseen) {
      Line(Cat("  ", Safe(unseen.what), ": ", Short(unseen.why, 160)));
    }
  }

  void PrintCommands() {
    if (one_.commands.empty()) return;
    Title("To see more");
    for (std::size_t i = 0; i < std::min(one_.commands.size(), kMostCommands); ++i) {
      Line(Cat("  ", Safe(WithCluster(one_.commands[i]))));
    }
  }

  // The same cluster as this call's.
  std::string WithCluster(const std::string& command) const {
    constexpr std::string_view kKubectl = "kubectl";
    std::string text(kKubectl);
    if (!cluster_.kubeconfig.empty()) {
      CatTo(text, " --kubeconfig ", inspect::ShellWord(cluster_.kubeconfig));
    }
    if (!cluster_.overrides.context.empty()) {
      CatTo(text, " --context ", inspect::ShellWord(cluster_.overrides.context));
    }
    return Cat(text, command.substr(kKubectl.size()));
  }

  const Explanation& one_;
  const ClusterOptions& cluster_;
  const Context& context_;
};

// As one line, without the breaks and the indentation that an author gave it.
std::string OnOneLine(std::string_view text) {
  std::string line;
  for (char c : text) {
    bool is_space = c == ' ' || c == '\n';
    if (is_space && line.ends_with(' ')) continue;
    line += is_space ? ' ' : c;
  }
  return line;
}

void PrintReading(const inspect::DefinitionReading& reading, const Context& context) {
  auto line = [&](std::string_view text) { context.out->Write(Cat(text, '\n')); };
  line(Cat("definition ", Safe(reading.definition), " (", Safe(reading.origin), ") on ",
           Safe(reading.kind), ' ', Safe(reading.name)));
  for (const inspect::FieldReading& field : reading.fields) {
    std::string name = Coloured(Safe(field.field), Colour::kBold, context.colour);
    if (!field.also.empty())
      CatTo(name, " (and ", Numbered(static_cast<std::int64_t>(field.also.size()), "more field"),
            ')');
    line(Cat("\n", name));
    line(Cat("  ", Short(OnOneLine(field.expression), 160)));
    if (!field.error.empty()) {
      std::string where =
          field.on == "object" ? std::string() : Cat(" on ", field.failed, ' ', field.on);
      line(Cat("  ", Coloured("error", Colour::kRed, context.colour), where, ": ",
               Short(field.error)));
    }
    if (field.yields.empty() && field.error.empty()) {
      line(field.on == "object" ? "  \u2192 nothing" : Cat("  \u2192 there are no ", field.on));
    }
    for (std::size_t i = 0; i < std::min(field.yields.size(), kMostYields); ++i) {
      const inspect::FieldReading::Yield& yield = field.yields[i];
      std::string beside;
      if (field.on != "object") beside = Cat(" (", yield.times, ' ', field.on, ')');
      if (!yield.path.empty()) beside = Cat("  (read: ", Short(yield.path), ')');
      line(Cat("  \u2192 ", Short(yield.value, 160), beside));
    }
    if (field.yields.size() > kMostYields) {
      line(Cat("    and ", field.yields.size() - kMostYields, " more (-o json)"));
    }
  }
}

int ExplainDefinition(Selected&& selected, Format format, const Context& context) {
  std::vector<inspect::DefinitionReading> readings;
  const inspect::Report& report = selected.report();
  for (std::size_t i = 0; i < report.workloads.size(); ++i) {
    const workload::Workload& workload = report.workloads[i];
    definition::Match match =
        selected.session.registry.FindByApiVersion(workload.api_version, workload.kind);
    if (match) readings.push_back(inspect::ReadDefinition(report, i, *match.karta));
  }
  if (format != Format::kTable) {
    Arena arena;
    PrintValue(inspect::ReadingsJson(readings, arena), format, context);
    return Conclude(std::move(selected), format, context);
  }
  bool first = true;
  for (const inspect::DefinitionReading& reading : readings) {
    if (!first) context.out->Write("\n\n");
    first = false;
    PrintReading(reading, context);
  }
  return Conclude(std::move(selected), format, context);
}

}  // namespace

int RunExplain(const ExplainOptions& options, const Context& context) {
  std::expected<Selected, int> selected =
      ReadSelected(options.input, options.select, context, Detail::kReasons);
  if (!selected) return selected.error();
  if (options.definition) {
    return ExplainDefinition(*std::move(selected), options.format, context);
  }
  std::vector<Explanation> explanations;
  for (std::size_t i = 0; i < selected->report().workloads.size(); ++i) {
    explanations.push_back(inspect::Explain(selected->report(), i, selected->session.registry));
  }
  if (options.format != Format::kTable) {
    Arena arena;
    PrintValue(inspect::ExplanationsJson(explanations, selected->report(), arena), options.format,
               context);
    return Conclude(*std::move(selected), options.format, context);
  }
  bool first = true;
  for (const Explanation& explanation : explanations) {
    if (!first) context.out->Write("\n\n");
    first = false;
    ExplanationPrinter(explanation, options.input.cluster, context).Print();
  }
  return Conclude(*std::move(selected), options.format, context);
}

}  // namespace wmap::cli
