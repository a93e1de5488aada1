#include "inspect/unscheduled.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "json/quantity.h"
#include "json/reader.h"
#include "workload/accelerators.h"
#include "workload/resources.h"

namespace wmap::inspect {
namespace {

using json::Value;

// --- which nodes are open to a pod

constexpr std::string_view kUnschedulable = "node.kubernetes.io/unschedulable";

bool HasText(const Value& list, std::string_view text) {
  if (!list.is_array()) return false;
  return std::ranges::any_of(list.items(),
                             [&](const Value& item) { return item.text_or_empty() == text; });
}

std::optional<std::int64_t> NumberOf(std::string_view text) {
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// One requirement of a node affinity on a label or field; `value` is null where the node lacks it.
bool Meets(const Value& requirement, const Value& value) {
  std::string_view operation = requirement.Get("operator").text_or_empty();
  Value values = requirement.Get("values");
  bool is_there = value.is_string();
  if (operation == "In") return is_there && HasText(values, value.as_string());
  if (operation == "NotIn") return !is_there || !HasText(values, value.as_string());
  if (operation == "Exists") return is_there;
  if (operation == "DoesNotExist") return !is_there;
  if (operation != "Gt" && operation != "Lt") return true;  // nobody can tell
  if (!is_there || !values.is_array() || values.size() != 1) return false;
  std::optional<std::int64_t> has = NumberOf(value.as_string());
  std::optional<std::int64_t> bound = NumberOf(values[0].text_or_empty());
  if (!has || !bound) return false;
  return operation == "Gt" ? *has > *bound : *has < *bound;
}

bool MeetsTerm(const Value& term, const Value& name, const Value& labels) {
  Value expressions = term.Get("matchExpressions");
  Value fields = term.Get("matchFields");
  auto meets_all = [](const Value& list, auto value_of) {
    return !list.is_array() || std::ranges::all_of(list.items(), [&](const Value& requirement) {
      return Meets(requirement, value_of(requirement.Get("key").text_or_empty()));
    });
  };
  // A term that asks for nothing takes no node.
  if (expressions.size() == 0 && fields.size() == 0) return false;
  return meets_all(expressions, [&](std::string_view key) { return labels.Get(key); }) &&
         meets_all(fields,
                   [&](std::string_view key) { return key == "metadata.name" ? name : Value(); });
}

bool Tolerates(const Value& spec, std::string_view key, std::string_view value,
               std::string_view effect) {
  Value tolerations = spec.Get("tolerations");
  if (!tolerations.is_array()) return false;
  return std::ranges::any_of(tolerations.items(), [&](const Value& toleration) {
    std::string_view its_effect = toleration.Get("effect").text_or_empty();
    if (!its_effect.empty() && its_effect != effect) return false;
    std::string_view its_key = toleration.Get("key").text_or_empty();
    bool takes_any = toleration.Get("operator").text_or_empty() == "Exists";
    if (its_key.empty()) return takes_any;
    return its_key == key && (takes_any || toleration.Get("value").text_or_empty() == value);
  });
}

// Taints that Kubernetes and its clouds set while a node is in a state that passes.
bool PassesByItself(std::string_view taint) {
  return taint.starts_with("node.kubernetes.io/") ||
         taint.starts_with("node.cloudprovider.kubernetes.io/");
}

}  // namespace

bool IsSelected(std::string_view name, const NodeView& node, const Value& pod_spec) {
  if (Value selector = pod_spec.Get("nodeSelector"); selector.is_object()) {
    for (const json::Member& label : selector.members()) {
      Value has = node.labels.Get(label.key);
      if (!has.is_string() || has.as_string() != label.value.text_or_empty()) return false;
    }
  }
  Value terms = pod_spec.Get("affinity")
                    .Get("nodeAffinity")
                    .Get("requiredDuringSchedulingIgnoredDuringExecution")
                    .Get("nodeSelectorTerms");
  if (!terms.is_array()) return true;
  return std::ranges::any_of(terms.items(), [&](const Value& term) {
    return MeetsTerm(term, Value::String(name), node.labels);
  });
}

std::string NodeSelectorText(const Value& pod_spec) {
  std::vector<std::string> labels;
  if (Value selector = pod_spec.Get("nodeSelector"); selector.is_object()) {
    for (const json::Member& label : selector.members()) {
      labels.push_back(Cat(label.key, '=', label.value.text_or_empty()));
    }
  }
  return Join(labels, ", ");
}

namespace {

class Teller {
 public:
  Teller(const UnscheduledPods& pods, Cause& cause) : pods_(pods), cause_(cause) {}

  void Tell() {
    const SchedulingVerdict& verdict = pods_.verdict;
    std::string said = verdict.Describe();
    CatTo(cause_.summary, ": ",
          said.empty() ? std::string("the scheduler does not say why") : said);
    std::set<std::string> insufficient;
    for (const SchedulingReason& reason : verdict.reasons) {
      if (reason.kind == ReasonKind::kInsufficient) insufficient.insert(reason.resource);
      if (reason.kind == ReasonKind::kVolume) AddVolumes();
    }
    AddNominated();
    bool never_fits = false;
    for (const std::string& resource : insufficient) {
      if (!never_fits) never_fits = AddResource(resource);
    }
    if (never_fits) {
      cause_.advice = is_closed_out_ ? "ask for less per pod, or let it onto larger nodes"
                                     : "ask for less per pod, or add larger nodes";
    } else if (fits_later_) {
      cause_.advice = "it waits for the closed nodes to be put back, or for others as large";
    } else if (some_never_fit_) {
      cause_.advice = "the largest of them never fit: ask for less per pod, or add larger nodes";
    } else if (!insufficient.empty()) {
      cause_.advice = verdict.no_victims
                          ? "it starts when others end; none of lower priority can be preempted"
                          : "it starts when others end, or nodes are added";
    } else {
      AdviseOnPlacement();
      bool by_labels =
          !verdict.reasons.empty() && verdict.reasons.front().kind == ReasonKind::kSelector;
      if (by_labels) AddSelector();
    }
  }

 private:
  // Pods of lower priority make room for it.
  void AddNominated() {
    for (const Value& manifest : pods_.manifests) {
      std::string_view node = manifest.Get("status").Get("nominatedNodeName").text_or_empty();
      if (node.empty()) continue;
      cause_.details.push_back(Cat("room is being made for ",
                                   manifest.Get("metadata").Get("name").text_or_empty(),
                                   " on node ", node));
    }
  }

  void AdviseOnPlacement() {
    const SchedulingVerdict& verdict = pods_.verdict;
    if (verdict.reasons.empty()) return;
    switch (verdict.reasons.front().kind) {
      case ReasonKind::kTaint:
        cause_.advice = "its pods need a toleration for the taint, or other nodes";
        AddTaints();
        break;
      case ReasonKind::kSelector:
        cause_.advice = "no node has the labels that its node selector or affinity asks for";
        break;
      case ReasonKind::kCordoned:
        cause_.advice = "the nodes are cordoned: it waits for them to be put back";
        break;
      case ReasonKind::kSpread:
        AddSpread();
        break;
      default:
        break;
    }
  }

  // Taints of nodes that it does not tolerate, each once; a scheduler may not name them.
  void AddTaints() {
    constexpr std::size_t kMost = 3;
    if (pods_.manifests.empty()) return;
    Value spec = pods_.manifests.front().Get("spec");
    std::vector<std::string> told;
    for (const auto& [name, node] : pods_.nodes) {
      if (!IsSelected(name, node, spec) || !node.taints.is_array()) continue;
      for (const Value& taint : node.taints.items()) {
        std::string_view key = taint.Get("key").text_or_empty();
        std::string_view value = taint.Get("value").text_or_empty();
        std::string_view effect = taint.Get("effect").text_or_empty();
        bool keeps_off = effect == "NoSchedule" || effect == "NoExecute";
        if (!keeps_off || Tolerates(spec, key, value, effect)) continue;
        std::string text = Cat(key, value.empty() ? "" : "=", value, ':', effect);
        if (std::ranges::find(told, text) != told.end() || told.size() == kMost) continue;
        cause_.details.push_back(Cat("node ", name, " has the taint ", text));
        told.push_back(std::move(text));
      }
    }
  }

  // Labels of nodes that a topology spread asks for and none has.
  void AddSpread() {
    if (pods_.manifests.empty()) return;
    Value constraints = pods_.manifests.front().Get("spec").Get("topologySpreadConstraints");
    if (!constraints.is_array()) return;
    for (const Value& constraint : constraints.items()) {
      std::string_view key = constraint.Get("topologyKey").text_or_empty();
      if (constraint.Get("whenUnsatisfiable").text_or_empty() == "ScheduleAnyway") continue;
      bool has_any = std::ranges::any_of(
          pods_.nodes, [&](const auto& node) { return node.second.labels.Find(key) != nullptr; });
      cause_.details.push_back(
          pods_.nodes.empty() || has_any
              ? Cat("its topology spread is over ", key)
              : Cat("its topology spread is over ", key, ", a label that no node has"));
    }
  }

  // What the pods ask for of a resource: the least and the most.
  std::optional<std::pair<json::Quantity, json::Quantity>> AskedFor(const std::string& resource) {
    std::optional<std::pair<json::Quantity, json::Quantity>> range;
    for (const Value& manifest : pods_.manifests) {
      workload::PodRequest request =
          workload::EffectiveRequest(manifest.Get("spec"), table_, {manifest.Get("metadata"), {}});
      auto asked = request.resources.find(resource);
      if (asked == request.resources.end()) continue;
      if (!range) range.emplace(asked->second, asked->second);
      if (asked->second < range->first) range->first = asked->second;
      if (range->second < asked->second) range->second = asked->second;
    }
    return range;
  }

  // True when none of the nodes could ever hold one of the pods.
  bool AddResource(const std::string& resource) {
    auto asked = AskedFor(resource);
    if (!asked) return false;
    const auto& [least, most] = *asked;
    std::string text = least == most ? Cat("each asks for ", most.ToString(), ' ', resource)
                                     : Cat("they ask for ", least.ToString(), " to ",
                                           most.ToString(), ' ', resource);
    Room room = RoomFor(resource);
    bool never_fits = false;
    if (!pods_.nodes.empty()) {
      bool is_all = room.open == pods_.nodes.size();
      std::size_t nodes = pods_.nodes.size();
      if (room.open == 0) {
        CatTo(text, ", and ", nodes == 1 ? "the node is" : Cat("none of ", nodes, " nodes is"),
              nodes == 1 ? " not open to it" : " open to it");
      } else {
        CatTo(text, ", and the largest of ", room.open, room.open == 1 ? " node" : " nodes",
              is_all           ? ""
              : room.open == 1 ? " that is open to it"
                               : " that are open to it",
              " has ", room.largest.ToString());
      }
      fits_later_ = room.largest < least && !(room.largest_later < least);
      never_fits = room.largest < least && !fits_later_;
      // Of several sizes the larger ones may be hopeless.
      some_never_fit_ |= !never_fits && room.largest < most && room.largest_later < most;
      if (room.largest < least) {
        for (const std::string& closed : ClosedWith(resource, least)) {
          cause_.details.push_back(closed);
          is_closed_out_ = true;
        }
      }
    }
    if (never_fits) {
      std::string said = std::exchange(cause_.summary, {});
      std::string_view pods = std::string_view(said).substr(0, said.find(" cannot be "));
      cause_.summary = Cat(pods, " can never be scheduled: ", text);
      cause_.details.push_back(Cat("the scheduler says: ", pods_.verdict.Describe()));
    } else {
      cause_.details.insert(cause_.details.begin(), std::move(text));
    }
    return never_fits;
  }

  struct Room {
    std::size_t open = 0;
    json::Quantity largest;        // of these
    json::Quantity largest_later;  // of those that are closed for now
  };

  // To any of the pods.
  Openness OpennessOfNode(std::string_view name, const NodeView& node) const {
    auto best = Openness::kClosed;
    for (const Value& manifest : pods_.manifests) {
      best = std::min(best, OpennessOf(name, node, manifest.Get("spec")));
    }
    return best;
  }

  Room RoomFor(const std::string& resource) const {
    Room room;
    for (const auto& [name, node] : pods_.nodes) {
      Openness openness = OpennessOfNode(name, node);
      if (openness == Openness::kClosed) continue;
      if (openness == Openness::kOpen) ++room.open;
      json::Quantity& largest = openness == Openness::kOpen ? room.largest : room.largest_later;
      Result<json::Quantity> has = json::Quantity::From(node.allocatable.Get(resource));
      if (has && largest < *has) largest = *has;
    }
    return room;
  }

  // Nodes that could hold a pod, and are closed to it; a few of them.
  std::vector<std::string> ClosedWith(const std::string& resource,
                                      const json::Quantity& least) const {
    constexpr std::size_t kMost = 3;
    std::vector<std::string> closed;
    for (const auto& [name, node] : pods_.nodes) {
      Openness openness = OpennessOfNode(name, node);
      Result<json::Quantity> has = json::Quantity::From(node.allocatable.Get(resource));
      if (openness == Openness::kOpen || !has || *has < least || closed.size() == kMost) continue;
      bool is_selected = std::ranges::any_of(pods_.manifests, [&](const Value& manifest) {
        return IsSelected(name, node, manifest.Get("spec"));
      });
      std::string_view why = !is_selected       ? "is not among those that it asks for"
                             : node.is_cordoned ? "is cordoned"
                                                : "has a taint that it does not tolerate";
      closed.push_back(Cat("node ", name, " has ", has->ToString(), ", and ", why));
    }
    return closed;
  }

  // What the nodes would have to be labelled with.
  void AddSelector() {
    if (pods_.manifests.empty()) return;
    Value spec = pods_.manifests.front().Get("spec");
    std::string labels = NodeSelectorText(spec);
    if (!labels.empty()) cause_.details.push_back(Cat("node selector: ", labels));
    if (spec.Get("affinity").Get("nodeAffinity").is_object()) {
      cause_.details.emplace_back("and it has a node affinity");
    }
  }

  void AddVolumes() {
    if (pods_.manifests.empty()) return;
    Value volumes = pods_.manifests.front().Get("spec").Get("volumes");
    if (!volumes.is_array()) return;
    for (const Value& volume : volumes.items()) {
      std::string_view claim = volume.Get("persistentVolumeClaim").Get("claimName").text_or_empty();
      if (!claim.empty()) AddClaim(claim);
    }
  }

  void AddClaim(std::string_view name) {
    bool knows_claims = false;
    for (const SourceObject& object : pods_.sources.objects) {
      if (object.kind != "PersistentVolumeClaim") continue;
      knows_claims = true;
      if (object.name != name || object.name_space != pods_.name_space) continue;
      Result<Value> read = json::Read(object.text, arena_);
      Value claim = read ? *read : Value();
      std::string_view phase = claim.Get("status").Get("phase").text_or_empty();
      if (phase == "Bound") return;
      std::string text = Cat("volume claim ", name, " is ", phase.empty() ? "not bound" : phase);
      std::string_view storage = claim.Get("spec").Get("storageClassName").text_or_empty();
      if (!storage.empty()) CatTo(text, ", of storage class ", storage);
      for (const std::string& key :
           {std::string(object.uid), EventKey(object.kind, object.name_space, object.name)}) {
        auto events = pods_.sources.events.find(key);
        if (key.empty() || events == pods_.sources.events.end()) continue;
        CatTo(text, ": ", events->second.back().message);
        break;
      }
      cause_.details.insert(cause_.details.begin(), std::move(text));
      cause_.commands.push_back(DescribeCommand("persistentvolumeclaim", pods_.name_space, name));
      return;
    }
    if (knows_claims) cause_.details.push_back(Cat("there is no volume claim ", name));
  }

  const UnscheduledPods& pods_;
  Cause& cause_;
  workload::AcceleratorTable table_;
  bool fits_later_ = false;  // on a node that is closed for now
  bool some_never_fit_ = false;
  bool is_closed_out_ = false;  // nodes that are large enough are closed to it
  Arena arena_;
};

}  // namespace

Openness OpennessOf(std::string_view name, const NodeView& node, const Value& pod_spec) {
  if (!IsSelected(name, node, pod_spec)) return Openness::kClosed;
  auto openness = Openness::kOpen;
  if (node.is_cordoned && !Tolerates(pod_spec, kUnschedulable, {}, "NoSchedule")) {
    openness = Openness::kForNow;
  }
  if (!node.taints.is_array()) return openness;
  for (const Value& taint : node.taints.items()) {
    std::string_view effect = taint.Get("effect").text_or_empty();
    std::string_view key = taint.Get("key").text_or_empty();
    bool keeps_off = effect == "NoSchedule" || effect == "NoExecute";
    if (!keeps_off || Tolerates(pod_spec, key, taint.Get("value").text_or_empty(), effect)) {
      continue;
    }
    if (!PassesByItself(key)) return Openness::kClosed;
    openness = Openness::kForNow;
  }
  return openness;
}

void TellScheduling(const UnscheduledPods& pods, Cause& cause) { Teller(pods, cause).Tell(); }

}  // namespace wmap::inspect
