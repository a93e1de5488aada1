#include "inspect/node_audit.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "inspect/audit.h"
#include "json/quantity.h"
#include "json/reader.h"

namespace wmap::inspect {
namespace {

using json::Value;
using workload::PodFacts;
using workload::Severity;

struct Held {
  std::int64_t sum = 0;
  std::vector<const PodFacts*> pods;
};

class NodeAudit {
 public:
  NodeAudit(const Report& report, bool is_whole, std::vector<Finding>& findings)
      : report_(report), is_whole_(is_whole), findings_(findings) {}

  std::int64_t Run() {
    for (const SourceObject& object : report_.sources->objects) {
      if (object.kind != "Node" || object.api_version != "v1") continue;
      Result<Value> node = json::Read(object.text, arena_);
      if (node) nodes_.emplace(object.name, node->Get("status").Get("allocatable"));
    }
    if (nodes_.empty()) return 0;
    for (const PodFacts* pod : report_.sources->pods) {
      // One that is on its way out frees its devices before the next one starts.
      if (pod->allocated() && !pod->done && !pod->terminating) AddPod(*pod);
    }
    for (const auto& [key, held] : held_) Compare(key.first, key.second, held);
    return static_cast<std::int64_t>(nodes_.size());
  }

 private:
  void AddPod(const PodFacts& pod) {
    auto node = nodes_.find(pod.node);
    if (node == nodes_.end()) {
      if (is_whole_ && !pod.accelerators.empty()) {
        Add(Severity::kError, kNodeGone, "Pod", pod.name, "its node is not there",
            Cat("it is on node ", pod.node), {&pod});
      }
      return;
    }
    for (const workload::HeldAccelerator& one : pod.accelerators) {
      // Resources that nodes do not count: parts of GPUs by annotation, classes of devices.
      bool is_countable = !one.type.empty() && workload::UnitOf(one.type) == 1 &&
                          one.type != workload::kClaimType && one.count > 0 &&
                          one.resource.find('/') != std::string_view::npos;
      if (!is_countable) continue;
      Held& held = held_[{std::string(pod.node), std::string(one.resource)}];
      held.sum = workload::SaturatingAdd(held.sum, one.count);
      held.pods.push_back(&pod);
    }
  }

  void Compare(const std::string& node, const std::string& resource, const Held& held) {
    Result<json::Quantity> amount = json::Quantity::From(nodes_.at(node).Get(resource));
    std::int64_t has = amount ? amount->AsInt64().value_or(0) : 0;
    std::string text =
        Cat(held.pods.size(), held.pods.size() == 1 ? " pod asks for " : " pods ask for ", held.sum,
            ' ', resource, ", ");
    if (has == 0) {
      Add(Severity::kError, "no-device", "Node", node, "pods hold devices that it does not have",
          Cat(text, "and it has none"), held.pods);
    } else if (held.sum > has) {
      Add(Severity::kError, "over-allocated", "Node", node, "pods hold more devices than it has",
          Cat(text, "and it has ", has), held.pods);
    }
  }

  void Add(Severity severity, std::string_view code, std::string_view kind, std::string_view name,
           std::string_view finding, std::string detail, const std::vector<const PodFacts*>& pods) {
    Finding& added = findings_.emplace_back();
    added.severity = severity;
    added.code = code;
    added.api_version = "v1";
    added.kind = kind;
    added.name = name;
    if (kind == "Pod") added.name_space = pods.front()->name_space;
    added.finding = finding;
    added.detail = std::move(detail);
    for (const PodFacts* pod : pods) {
      added.pods.push_back(Cat(pod->name_space, '/', pod->name));
      added.gpus = workload::SaturatingAdd(added.gpus, pod->gpus);
    }
  }

  const Report& report_;
  bool is_whole_;
  std::vector<Finding>& findings_;
  Arena arena_;
  std::map<std::string, Value, std::less<>> nodes_;
  std::map<std::pair<std::string, std::string>, Held> held_;
};

}  // namespace

std::int64_t AuditNodes(const Report& report, bool is_whole, std::vector<Finding>& findings) {
  return NodeAudit(report, is_whole, findings).Run();
}

}  // namespace wmap::inspect
