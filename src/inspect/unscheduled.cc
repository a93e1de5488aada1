#include "inspect/unscheduled.h"

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
      cause_.advice = "ask for less per pod, or add larger nodes";
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
        break;
      case ReasonKind::kSelector:
        cause_.advice = "no node has the labels that its node selector or affinity asks for";
        break;
      case ReasonKind::kCordoned:
        cause_.advice = "the nodes are cordoned: it waits for them to be put back";
        break;
      default:
        break;
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
    json::Quantity largest;
    for (const auto& [name, node] : pods_.nodes) {
      Result<json::Quantity> has = json::Quantity::From(node.allocatable.Get(resource));
      if (has && largest < *has) largest = *has;
    }
    if (!pods_.nodes.empty()) {
      CatTo(text, ", and the largest of ", pods_.nodes.size(),
            pods_.nodes.size() == 1 ? " node" : " nodes", " has ", largest.ToString());
    }
    bool never_fits = !pods_.nodes.empty() && largest < least;
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

  // What the nodes would have to be labelled with.
  void AddSelector() {
    if (pods_.manifests.empty()) return;
    Value spec = pods_.manifests.front().Get("spec");
    std::vector<std::string> labels;
    if (Value selector = spec.Get("nodeSelector"); selector.is_object()) {
      for (const json::Member& label : selector.members()) {
        labels.push_back(Cat(label.key, '=', label.value.text_or_empty()));
      }
    }
    if (!labels.empty()) cause_.details.push_back(Cat("node selector: ", Join(labels, ", ")));
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
  Arena arena_;
};

}  // namespace

void TellScheduling(const UnscheduledPods& pods, Cause& cause) { Teller(pods, cause).Tell(); }

}  // namespace wmap::inspect
