// `wmap describe`: all there is to know of a workload: tree, resources, conditions, events.
#include "base/text.h"
#include "cli/commands.h"
#include "cli/show.h"
#include "cli/table.h"
#include "cli/tree.h"

namespace wmap::cli {
namespace {

using workload::Workload;

void PrintHead(const Workload& workload, const Context& context) {
  Table head({});
  auto add = [&](std::string_view name, std::string value) {
    if (!value.empty()) head.Add({{Cat(name, ':')}, {std::move(value)}});
  };
  add("Name", Safe(workload.name));
  add("Namespace", Safe(workload.name_space));
  add("Cluster", Safe(workload.cluster));
  add("Kind", Cat(Safe(workload.kind), " (", Safe(workload.api_version), ")"));
  add("Created", workload.created_at.empty()
                     ? std::string()
                     : Cat(Safe(workload.created_at), " (",
                           Age(workload::ParseTime(workload.created_at), context.now), " ago)"));
  std::string origin = workload.origin;
  for (const std::string& override : workload.overrides) CatTo(origin, ", instead of ", override);
  add("Definition", Cat(Safe(workload.definition), " (", Safe(origin), ")"));
  add("Source", Safe(workload.source));
  std::string phase(PhaseName(workload.status.phase));
  if (workload.status.deleting) phase += ", a deletion is pending";
  if (workload.status.stale) phase += ", the status is older than the object";
  add("Phase", phase);
  std::vector<std::string> phases;
  for (workload::Phase each : workload.status.phases) phases.emplace_back(PhaseName(each));
  add("By the object", Cat(Join(phases, ", "), workload.status.matched.empty()
                                                   ? std::string()
                                                   : Cat(" (", workload.status.matched, ")")));
  add("Reason", Safe(workload.status.reason));
  add("Message", Safe(workload.status.message));
  context.out->Write(head.Render(context.colour));
}

void PrintResources(const Workload& workload, const Context& context) {
  Table table({"ROLE", "PODS", "RESOURCE", "PER POD", "TOTAL"});
  for (const workload::Role& role : workload.roles) {
    bool first = true;
    for (const auto& [resource, amount] : role.tally.pod_resources) {
      workload::ResourceList one;
      one.Set(resource, amount);
      workload::ResourceList total;
      workload::AddResources(total, one, role.tally.pods.desired.min());
      std::string sum = total.empty() ? std::string("0") : total.begin()->second.ToString();
      if (!role.tally.pods.desired.exact()) sum += "+";
      table.Add({{first ? Safe(role.role) : ""},
                 {first ? role.tally.pods.desired.text() : ""},
                 {Safe(resource)},
                 {amount.ToString()},
                 {sum}});
      first = false;
    }
    if (first)
      table.Add({{Safe(role.role)}, {role.tally.pods.desired.text()}, {"-"}, {"-"}, {"-"}});
  }
  if (table.empty()) return;
  context.out->Write(Cat("\nResources:\n", table.Render(context.colour, 2)));
}

void PrintConditions(const Workload& workload, const Context& context) {
  if (workload.status.conditions.empty()) return;
  Table table({"TYPE", "STATUS", "REASON", "MESSAGE"});
  for (const workload::Condition& condition : workload.status.conditions) {
    table.Add({{Safe(condition.type)},
               {Safe(condition.status)},
               {Safe(condition.reason)},
               {Safe(condition.message)}});
  }
  context.out->Write(Cat("\nConditions:\n", table.Render(context.colour, 2)));
}

void PrintEvents(const Workload& workload, const Context& context) {
  if (workload.events.empty()) return;
  Table table({"TYPE", "REASON", "AGE", "COUNT", "OBJECT", "MESSAGE"});
  for (const workload::Event& event : workload.events) {
    table.Add({{Safe(event.type), event.type == "Warning" ? Colour::kYellow : Colour::kNone},
               {Safe(event.reason)},
               {Age(event.last_seen, context.now)},
               {Cat(event.count)},
               {Safe(event.object)},
               {Safe(event.message)}});
  }
  context.out->Write(Cat("\nEvents:\n", table.Render(context.colour, 2)));
}

void PrintRemarks(const Workload& workload, const Context& context) {
  if (workload.diagnostics.empty()) return;
  context.out->Write("\nRemarks:\n");
  for (const workload::Diagnostic& diagnostic : workload.diagnostics) {
    context.out->Write(
        Cat("  ", SeverityName(diagnostic.severity), ": ", Safe(diagnostic.message), '\n'));
  }
}

}  // namespace

int RunDescribe(const DescribeOptions& options, const Context& context) {
  std::expected<Selected, int> selected =
      ReadSelected(options.input, options.select, context, Detail::kEvents);
  if (!selected) return selected.error();
  bool first = true;
  for (const Workload& workload : selected->report().workloads) {
    if (!first) context.out->Write("\n\n");
    first = false;
    PrintHead(workload, context);
    context.out->Write(Cat("\n", TreeText(workload, true, context.colour), TotalsText(workload)));
    PrintResources(workload, context);
    PrintConditions(workload, context);
    PrintEvents(workload, context);
    PrintRemarks(workload, context);
  }
  PrintLeftovers(*selected, context);
  return Conclude(*std::move(selected), Format::kTable, context);
}

}  // namespace wmap::cli
