#include "inspect/report_json.h"

#include <string>
#include <vector>

#include "base/text.h"

namespace wmap::inspect {
namespace {

using json::MakeArray;
using json::MakeString;
using json::ObjectBuilder;
using json::Value;
using workload::AcceleratorCounts;
using workload::Component;
using workload::Count;
using workload::Diagnostic;
using workload::GpuCounts;
using workload::Instance;
using workload::PodCounts;
using workload::PodFacts;
using workload::Replica;
using workload::ResourceList;
using workload::Role;
using workload::Status;
using workload::Tally;
using workload::Workload;

// Every value of a report, in one arena.
class Renderer {
 public:
  explicit Renderer(Arena& arena) : arena_(arena) {}

  static Value Text(std::string_view text) { return Value::String(text); }
  static Value Number(std::int64_t number) { return Value::Int(number); }

  // `amount` in units; see DecimalText().
  Value Amount(std::int64_t amount, std::int64_t unit) {
    if (amount % unit == 0) return Number(amount / unit);
    return Value::Digits(arena_, workload::DecimalText(amount, unit),
                         static_cast<double>(amount) / static_cast<double>(unit));
  }

  Value Of(const Count& count, std::int64_t unit = 1) {
    if (count.exact()) return Amount(count.min(), unit);
    ObjectBuilder object;
    object.Add("min", Amount(count.min(), unit));
    object.Add("max", count.max() ? Amount(*count.max(), unit) : Value());
    if (count.is_unknown()) {
      // Where one number is needed, the most that what is known comes to is the safe one.
      if (count.known_max() && count.known_max() != count.min()) {
        object.Add("known", Amount(*count.known_max(), unit));
      }
      object.Add("unknown", List(count.unknown(), Text));
    }
    return object.Finish(arena_);
  }

  Value Of(const PodCounts& pods) {
    ObjectBuilder object;
    object.Add("desired", Of(pods.desired));
    object.Add("wanted", Of(pods.wanted));
    object.Add("min", Of(pods.min));
    object.Add("max", pods.max ? Of(*pods.max) : Value());
    if (pods.observed) object.Add("observed", Number(*pods.observed));
    if (pods.ready) object.Add("ready", Number(*pods.ready));
    return object.Finish(arena_);
  }

  Value Of(const GpuCounts& gpus, const std::optional<Count>& per_pod) {
    ObjectBuilder object;
    if (per_pod) object.Add("perPod", Of(*per_pod));
    object.Add("desired", Of(gpus.desired));
    if (gpus.allocated) object.Add("allocated", Number(*gpus.allocated));
    if (gpus.running) object.Add("running", Number(*gpus.running));
    return object.Finish(arena_);
  }

  Value Of(const AcceleratorCounts& accelerator, bool with_per_pod) {
    ObjectBuilder object;
    object.Add("resource", Text(accelerator.resource));
    object.Add("type", Text(accelerator.type));
    std::int64_t unit = workload::UnitOf(accelerator.type);
    if (with_per_pod) object.Add("perPod", Of(accelerator.per_pod, unit));
    object.Add("desired", Of(accelerator.desired, unit));
    if (accelerator.allocated) object.Add("allocated", Amount(*accelerator.allocated, unit));
    return object.Finish(arena_);
  }

  Value Of(const ResourceList& resources) {
    ObjectBuilder object;
    for (const auto& [resource, amount] : resources) {
      object.Add(resource, MakeString(arena_, amount.ToString()));
    }
    return object.Finish(arena_);
  }

  Value Accelerators(const Tally& tally, bool with_per_pod) {
    return List(tally.accelerators,
                [&](const AcceleratorCounts& a) { return Of(a, with_per_pod); });
  }

  void AddTally(const Tally& tally, ObjectBuilder& object) {
    object.Add("pods", Of(tally.pods));
    object.Add("gpus", Of(tally.gpus, tally.gpus_per_pod));
    object.Add("accelerators", Accelerators(tally, tally.gpus_per_pod.has_value()));
    if (tally.gpus_per_pod) object.Add("podResources", Of(tally.pod_resources));
  }

  Value Of(const PodFacts& pod) {
    ObjectBuilder object;
    object.Add("name", Text(pod.name));
    object.Add("phase", Text(PodPhaseName(pod.phase)));
    object.Add("ready", Value::Bool(pod.ready));
    object.Add("node", Text(pod.node));
    object.Add("gpus", Number(pod.gpus));
    object.Add("restarts", Number(pod.restarts));
    object.Add("reason", Text(pod.reason));
    object.Add("message", Text(pod.message));
    if (pod.terminating) object.Add("terminating", Value::Bool(true));
    return object.Finish(arena_);
  }

  Value Of(const Replica& replica) {
    ObjectBuilder object;
    object.Add("key", Text(replica.key));
    object.Add("podList", List(replica.pods, [&](const PodFacts* pod) { return Of(*pod); }));
    return object.Finish(arena_);
  }

  // Depth: that of the workload's tree, which Interpreter bounds.
  Value Of(const Component& component) {
    ObjectBuilder object;
    object.Add("name", Text(component.name));
    object.Add("kind", Text(component.kind));
    if (component.grouping) object.Add("grouping", Value::Bool(true));
    object.Add(
        "instances", List(component.instances, [&](const Instance& instance) {
          ObjectBuilder entry;
          entry.Add("id", Text(instance.id));
          if (!instance.role.empty()) entry.Add("role", Text(instance.role));
          AddTally(instance.tally, entry);
          if (instance.tally.pods.observed) {
            entry.Add("replicas", List(instance.replicas, [&](const Replica& r) { return Of(r); }));
          }
          entry.Add("children", List(instance.children, [&](const Component& c) { return Of(c); }));
          return entry.Finish(arena_);
        }));
    return object.Finish(arena_);
  }

  Value Of(const Role& role) {
    ObjectBuilder object;
    object.Add("role", Text(role.role));
    object.Add("component", Text(role.component));
    object.Add("instance", Text(role.instance));
    AddTally(role.tally, object);
    return object.Finish(arena_);
  }

  Value Of(const Status& status) {
    ObjectBuilder object;
    object.Add("phase", Text(PhaseName(status.phase)));
    object.Add("phases", List(status.phases, [](workload::Phase p) { return Text(PhaseName(p)); }));
    object.Add("evidence", Text(status.from_pods ? "object+pods" : "object"));
    object.Add("matched", Text(status.matched));
    object.Add("reason", Text(status.reason));
    object.Add("message", Text(status.message));
    if (status.stale) object.Add("stale", Value::Bool(true));
    if (status.deleting) object.Add("deleting", Value::Bool(true));
    return object.Finish(arena_);
  }

  Value Of(const Diagnostic& diagnostic) {
    ObjectBuilder object;
    object.Add("severity", Text(SeverityName(diagnostic.severity)));
    object.Add("code", Text(diagnostic.code));
    object.Add("message", Text(diagnostic.message));
    object.Add("source", Text(diagnostic.source));
    AddCluster(diagnostic.cluster, object);
    return object.Finish(arena_);
  }

  Value Totals(const Tally& tally) {
    ObjectBuilder object;
    object.Add("pods", Of(tally.pods));
    object.Add("gpus", Of(tally.gpus, std::nullopt));
    object.Add("accelerators", Accelerators(tally, false));
    object.Add("resources", Of(tally.pod_resources));
    return object.Finish(arena_);
  }

  Value Of(const Workload& workload) {
    ObjectBuilder definition;
    definition.Add("name", Text(workload.definition));
    definition.Add("origin", Text(workload.origin));
    definition.Add("overrides", List(workload.overrides, Text));
    ObjectBuilder object;
    object.Add("apiVersion", Text(workload.api_version));
    object.Add("kind", Text(workload.kind));
    object.Add("namespace", Text(workload.name_space));
    if (workload.generate_name.empty()) {
      object.Add("name", Text(workload.name));
    } else {
      // What is shown to people is no name.
      object.Add("name", Text(""));
      object.Add("generateName", Text(workload.generate_name));
    }
    AddCluster(workload.cluster, object);
    object.Add("uid", Text(workload.uid));
    object.Add("createdAt", Text(workload.created_at));
    object.Add("definition", definition.Finish(arena_));
    object.Add("status", Of(workload.status));
    object.Add("totals", Totals(workload.totals));
    object.Add("roles", List(workload.roles, [&](const Role& r) { return Of(r); }));
    object.Add("components", List(workload.components, [&](const Component& c) { return Of(c); }));
    if (!workload.pods_without_role.empty()) {
      object.Add("podsWithoutRole",
                 List(workload.pods_without_role, [&](const PodFacts* p) { return Of(*p); }));
    }
    object.Add("diagnostics",
               List(workload.diagnostics, [&](const Diagnostic& d) { return Of(d); }));
    return object.Finish(arena_);
  }

  Value Of(const UnclaimedPod& unclaimed) {
    ObjectBuilder object;
    object.Add("namespace", Text(unclaimed.pod->name_space));
    object.Add("name", Text(unclaimed.pod->name));
    object.Add("phase", Text(PodPhaseName(unclaimed.pod->phase)));
    object.Add("gpus", Number(unclaimed.pod->gpus));
    object.Add("reason", Text(unclaimed.reason));
    AddCluster(unclaimed.cluster, object);
    return object.Finish(arena_);
  }

  Value Of(const Uncovered& uncovered) {
    ObjectBuilder object;
    object.Add("apiVersion", Text(uncovered.api_version));
    object.Add("kind", Text(uncovered.kind));
    object.Add("objects", Number(uncovered.objects));
    object.Add("pods", Number(uncovered.pods));
    object.Add("gpus", Number(uncovered.gpus));
    AddCluster(uncovered.cluster, object);
    return object.Finish(arena_);
  }

  template <typename Range, typename F>
  Value List(const Range& range, F&& render) {
    std::vector<Value> items;
    items.reserve(range.size());
    for (const auto& item : range) items.push_back(render(item));
    return MakeArray(arena_, items);
  }

 private:
  // Only where there are several.
  static void AddCluster(std::string_view cluster, ObjectBuilder& object) {
    if (!cluster.empty()) object.Add("cluster", Text(cluster));
  }

  Arena& arena_;
};

}  // namespace

Value CountJson(const Count& count, Arena& arena) { return Renderer(arena).Of(count); }

Value WorkloadJson(const Workload& workload, Arena& arena) { return Renderer(arena).Of(workload); }

Value ReportJson(const Report& report, Arena& arena) {
  Renderer renderer(arena);
  ObjectBuilder object;
  object.Add("apiVersion", Value::String(kApiVersion));
  object.Add("kind", Value::String("WorkloadList"));
  object.Add("complete", Value::Bool(report.complete));
  auto render = [&](const auto& item) { return renderer.Of(item); };
  object.Add("items", renderer.List(report.workloads, render));
  object.Add("unclaimedPods", renderer.List(report.unclaimed, render));
  object.Add("uncovered", renderer.List(report.uncovered, render));
  object.Add("diagnostics", renderer.List(report.diagnostics, render));
  return object.Finish(arena);
}

}  // namespace wmap::inspect
