// `wmap tree`: the structure of workloads, with roles, instances, pods, nodes and totals.
#include "cli/tree.h"

#include <algorithm>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/screen.h"
#include "cli/show.h"

namespace wmap::cli {
namespace {

using workload::Component;
using workload::Instance;
using workload::PodFacts;
using workload::Replica;
using workload::Tally;
using workload::Workload;

class TreePrinter {
 public:
  explicit TreePrinter(bool with_pods)
      : table_({"WORKLOAD", "STATUS", "READY", "GPUS", "NODE", "DETAIL"}), with_pods_(with_pods) {}

  void Add(const Workload& workload) {
    std::string phase(PhaseName(workload.status.phase));
    if (workload.status.deleting) phase += ",Deleting";
    if (workload.status.stale) phase += ",Stale";
    std::string name =
        Cat(Safe(workload.kind), ' ',
            workload.name_space.empty() ? std::string() : Cat(Safe(workload.name_space), '/'),
            Safe(workload.name));
    table_.Add({{name, Colour::kBold},
                {phase, ColourOf(workload.status.phase)},
                {ReadyText(workload.totals.pods)},
                {GpuText(workload.totals.gpus.desired)},
                {""},
                {Safe(workload.status.message.empty() ? workload.status.reason
                                                      : workload.status.message)}});
    std::vector<const Component*> components;
    for (const Component& component : workload.components) components.push_back(&component);
    AddComponents(components, "", workload.pods_without_role.empty());
    if (!workload.pods_without_role.empty()) {
      table_.Add(
          {{"\u2514\u2500 (no role)", Colour::kYellow},
           {""},
           {""},
           {""},
           {""},
           {Cat(Numbered(static_cast<std::int64_t>(workload.pods_without_role.size()), "pod"),
                " that no role claims")}});
      AddPods(workload.pods_without_role, "   ");
    }
  }

  std::string Render(bool colour) const { return table_.Render(colour); }

 private:
  // The lines of all instances of all components, as one list of siblings. Depth: that of the
  // definition's tree.
  void AddComponents(const std::vector<const Component*>& components, const std::string& indent,
                     bool last_of_parent) {
    std::vector<std::pair<const Component*, const Instance*>> lines;
    for (const Component* component : components) {
      for (const Instance& instance : component->instances)
        lines.emplace_back(component, &instance);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      bool last = last_of_parent && i + 1 == lines.size();
      AddInstance(*lines[i].first, *lines[i].second, indent, last);
    }
  }

  void AddInstance(const Component& component, const Instance& instance, const std::string& indent,
                   bool last) {
    const Tally& tally = instance.tally;
    std::string name = instance.role.empty() ? (instance.id.empty() ? component.name : instance.id)
                                             : instance.role;
    table_.Add({{Cat(indent, last ? "\u2514\u2500 " : "\u251C\u2500 ", Safe(name))},
                {""},
                {ReadyText(tally.pods)},
                {GpuText(tally.gpus.desired)},
                {""},
                {DetailOf(component, instance)}});
    std::string below = Cat(indent, last ? "   " : "\u2502  ");
    if (with_pods_) {
      std::vector<const PodFacts*> pods;
      for (const Replica& replica : instance.replicas) {
        pods.insert(pods.end(), replica.pods.begin(), replica.pods.end());
      }
      AddPods(pods, below, instance.children.empty());
    }
    std::vector<const Component*> children;
    for (const Component& child : instance.children) children.push_back(&child);
    AddComponents(children, below, true);
  }

  // "2 x 4 GPUs", "1 x 2 nvidia.com/mig-1g.10gb", "2 gpu.example.com shared".
  static std::string DetailOf(const Tally& tally, const workload::AcceleratorCounts& accelerator) {
    // Devices of claims that all pods have together.
    if (accelerator.per_pod == workload::Count() && accelerator.desired != workload::Count()) {
      return Cat(AcceleratorText(accelerator), " shared");
    }
    // Of several vendors' GPUs it matters whose they are.
    bool mixed = std::ranges::count(tally.accelerators, workload::kWholeGpu,
                                    &workload::AcceleratorCounts::type) > 1;
    std::string what = AcceleratorName(accelerator);
    if (accelerator.type == workload::kWholeGpu) {
      what = mixed ? Safe(accelerator.resource)
                   : std::string("GPU") + (accelerator.per_pod.min() == 1 ? "" : "s");
    }
    return Cat(tally.pods.desired.text(), " x ",
               accelerator.per_pod.text(workload::UnitOf(accelerator.type)), ' ', what);
  }

  // The accelerators, or the number of pods; elastic bounds.
  static std::string DetailOf(const Component& component, const Instance& instance) {
    const Tally& tally = instance.tally;
    if (component.grouping) return {};
    std::vector<std::string> parts;
    for (const workload::AcceleratorCounts& accelerator : tally.accelerators) {
      parts.push_back(DetailOf(tally, accelerator));
    }
    if (parts.empty()) {
      bool one = tally.pods.desired == workload::Count::Exactly(1);
      parts.push_back(Cat(tally.pods.desired.text(), one ? " pod" : " pods"));
    }
    bool elastic = tally.pods.min != tally.pods.desired || tally.pods.max != tally.pods.desired;
    if (elastic) {
      parts.push_back(Cat("elastic ", tally.pods.min.text(), " to ",
                          tally.pods.max ? tally.pods.max->text() : "any"));
    }
    return Join(parts, ", ");
  }

  void AddPods(const std::vector<const PodFacts*>& pods, const std::string& indent,
               bool last_of_parent = true) {
    for (std::size_t i = 0; i < pods.size(); ++i) {
      const PodFacts& pod = *pods[i];
      bool last = last_of_parent && i + 1 == pods.size();
      std::string status(pod.reason.empty() ? PodPhaseName(pod.phase) : pod.reason);
      if (pod.terminating) status = "Terminating";
      Colour colour = pod.ready ? Colour::kGreen : pod.ended() ? Colour::kDim : Colour::kYellow;
      table_.Add({{Cat(indent, last ? "\u2514\u2500 " : "\u251C\u2500 ", Safe(pod.name))},
                  {Safe(status), colour},
                  {pod.ready ? "1/1" : "0/1"},
                  {pod.gpus == 0 ? "-" : Cat(pod.gpus)},
                  {pod.node.empty() ? "-" : Safe(pod.node)},
                  {pod.restarts == 0 ? std::string() : Numbered(pod.restarts, "restart")}});
    }
  }

  Table table_;
  bool with_pods_;
};

// Those of them that are ready are so for a moment only, and fill no place.
std::int64_t CountTerminating(const Workload& workload) {
  std::int64_t count = std::ranges::count_if(workload.pods_without_role, &PodFacts::terminating);
  for (const workload::Role& role : workload.roles) {
    count += std::ranges::count_if(role.pods, &PodFacts::terminating);
  }
  return count;
}

}  // namespace

std::string TreeText(const Workload& workload, bool with_pods, bool colour) {
  TreePrinter printer(with_pods);
  printer.Add(workload);
  return printer.Render(colour);
}

std::string TotalsText(const Workload& workload) {
  const Tally& totals = workload.totals;
  std::string text = Cat("total: ", totals.pods.desired.text(),
                         totals.pods.desired == workload::Count::Exactly(1) ? " pod" : " pods");
  if (totals.pods.ready) {
    CatTo(text, " (", *totals.pods.observed, *totals.pods.observed == 1 ? " exists, " : " exist, ",
          *totals.pods.ready, " ready");
    if (std::int64_t terminating = CountTerminating(workload); terminating > 0) {
      CatTo(text, ", ", terminating, " terminating");
    }
    text += ')';
  }
  CatTo(text, ", ", totals.gpus.desired.text(),
        totals.gpus.desired == workload::Count::Exactly(1) ? " GPU" : " GPUs");
  bool has_gpus = totals.gpus.desired != workload::Count() ||
                  totals.gpus.allocated.value_or(0) != 0 || totals.gpus.running.value_or(0) != 0;
  if (totals.gpus.allocated && has_gpus) {
    CatTo(text, " (", *totals.gpus.allocated, " allocated, ", *totals.gpus.running, " running)");
  }
  for (const auto& [resource, amount] : totals.pod_resources) {
    if (resource == "cpu" || resource == "memory") {
      CatTo(text, ", ", resource, ' ', amount.ToString());
    }
  }
  for (const workload::AcceleratorCounts& accelerator : totals.accelerators) {
    if (accelerator.type == workload::kWholeGpu) continue;
    CatTo(text, ", ", AcceleratorText(accelerator));
  }
  return text + "\n";
}

namespace {

std::string TreesText(const TreeOptions& options, const inspect::Report& report,
                      const Context& context) {
  std::string text;
  for (const Workload& workload : report.workloads) {
    if (!text.empty()) text += '\n';
    if (!workload.cluster.empty()) CatTo(text, "Cluster: ", Safe(workload.cluster), '\n');
    text += TreeText(workload, !options.no_pods, context.colour);
    text += TotalsText(workload);
  }
  return text;
}

int Watch(const TreeOptions& options, const Context& context) {
  if (options.format != Format::kTable) {
    context.err->Write("error: --watch shows a tree; leave -o out\n");
    return kUsage;
  }
  Screen screen(context);
  std::string shown;
  return FollowSelected(options.input, options.select, context, [&](std::span<const View> views) {
    std::string text;
    for (const View& view : views) {
      std::string trees = TreesText(options, view.selected->report(), context);
      CatTo(text, text.empty() || trees.empty() ? "" : "\n", trees);
    }
    if (text.empty()) text = "No workloads found.\n";
    if (text == shown) return;
    screen.Show(shown.empty() || screen.is_terminal() ? text : Cat('\n', text));
    shown = std::move(text);
  });
}

}  // namespace

int RunTree(const TreeOptions& options, const Context& context) {
  if (options.watch) return Watch(options, context);
  std::expected<Selected, int> selected = ReadSelected(options.input, options.select, context);
  if (!selected) return selected.error();
  const inspect::Report& report = selected->report();
  if (options.format != Format::kTable) {
    PrintMachine(report, options.format, context);
    return Conclude(*std::move(selected), options.format, context);
  }
  context.out->Write(TreesText(options, report, context));
  PrintLeftovers(*selected, context);
  PrintWarnings(report, context);
  return Conclude(*std::move(selected), options.format, context);
}

}  // namespace wmap::cli
