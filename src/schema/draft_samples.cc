#include "schema/draft_samples.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace wmap::schema {
namespace {

using definition::GroupVersionKind;
using json::Value;

GroupVersionKind KindOf(std::string_view api_version, std::string_view kind) {
  std::size_t slash = api_version.find('/');
  bool has_group = slash != std::string_view::npos;
  return {std::string(has_group ? api_version.substr(0, slash) : std::string_view()),
          std::string(has_group ? api_version.substr(slash + 1) : api_version), std::string(kind)};
}

GroupVersionKind KindOf(const Value& object) {
  return KindOf(object.Get("apiVersion").text_or_empty(), object.Get("kind").text_or_empty());
}

bool IsSameKind(const GroupVersionKind& a, const GroupVersionKind& b) {
  return a.group == b.group && a.kind == b.kind;
}

// The one that controls an object, else its first owner; null without any.
Value OwnerOf(const Value& object) {
  Value owners = object.Get("metadata").Get("ownerReferences");
  if (!owners.is_array() || owners.size() == 0) return {};
  for (const Value& owner : owners.items()) {
    if (owner.Get("controller").is_true()) return owner;
  }
  return owners[0];
}

// The first value of a place, given the name of what is to be read of an item: ".name // """.
std::string NameBy(const std::string& id, const Value& item) {
  std::string_view path = std::string_view(id).substr(0, id.find(" //"));
  Value at = item;
  while (path.starts_with('.')) {
    path.remove_prefix(1);
    std::size_t end = std::min(path.find('.'), path.size());
    at = at.Get(path.substr(0, end));
    path.remove_prefix(end);
  }
  return std::string(at.text_or_empty());
}

// A pod of a workload, and what it can be of.
struct SeenPod {
  Value pod;
  std::string owner;  // uid of the workload, or its name
  GroupVersionKind controller;
  std::set<std::pair<std::size_t, std::string>> fits;  // place and instance

  Value labels() const { return pod.Get("metadata").Get("labels"); }
  std::string_view Label(std::string_view key) const { return labels().Get(key).text_or_empty(); }
  bool Has(std::string_view key) const { return labels().Find(key) != nullptr; }
  bool IsOf(std::size_t place) const {
    return std::ranges::any_of(fits, [&](const auto& fit) { return fit.first == place; });
  }
  bool IsOnlyOf(std::size_t place) const {
    return !fits.empty() &&
           std::ranges::all_of(fits, [&](const auto& fit) { return fit.first == place; });
  }
};

// Whether a pod is made of a description, as far as that says.
bool IsMadeOf(const Value& pod, const PodPlace& place, const Value& description) {
  bool is_template = place.form == PodPlace::Form::kTemplate;
  Value wanted = (is_template ? description.Get("spec") : description).Get("containers");
  Value given = pod.Get("spec").Get("containers");
  if (!wanted.is_array() || !given.is_array()) return true;
  for (const Value& container : wanted.items()) {
    std::string_view name = container.Get("name").text_or_empty();
    std::string_view image = container.Get("image").text_or_empty();
    bool is_there = std::ranges::any_of(given.items(), [&](const Value& one) {
      return one.Get("name").text_or_empty() == name &&
             (image.empty() || one.Get("image").text_or_empty() == image);
    });
    if (!is_there) return false;
  }
  Value labels = description.Get("metadata").Get("labels");
  if (!is_template || !labels.is_object()) return true;
  return std::ranges::all_of(labels.members(), [&](const json::Member& label) {
    return pod.Get("metadata").Get("labels").Get(label.key).text_or_empty() ==
           label.value.text_or_empty();
  });
}

class Reader {
 public:
  Reader(const GroupVersionKind& kind, const FoundPods& pods, std::span<const Value> samples)
      : kind_(kind), places_(pods.pods), samples_(samples) {
    seen_.selectors.resize(places_.size());
    seen_.controllers.resize(places_.size());
  }

  SeenPods Run() {
    for (const Value& object : samples_) {
      std::string_view uid = object.Get("metadata").Get("uid").text_or_empty();
      if (!uid.empty()) by_uid_.emplace(uid, object);
    }
    for (const Value& workload : SamplesOf(kind_, samples_)) {
      ++seen_.workloads;
      workloads_.push_back(workload);
    }
    for (const Value& object : samples_) Place(object);
    seen_.pods = pods_.size();
    for (SeenPod& pod : pods_) Fit(pod);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      FindController(i);
      if (pods_.empty()) continue;
      if (!places_[i].ids.empty()) FindInstanceLabel(i);
      FindTypeLabel(i);
      seen_.selectors[i].has_all =
          std::ranges::all_of(pods_, [&](const SeenPod& pod) { return pod.IsOnlyOf(i); });
    }
    DropUsedKinds();
    return std::move(seen_);
  }

 private:
  // Follows the owners of an object up to a workload.
  void Place(const Value& object) {
    std::string chain(object.Get("kind").text_or_empty());
    Value at = object;
    const Value* workload = nullptr;
    for (int i = 0; i < 16 && workload == nullptr; ++i) {
      Value owner = OwnerOf(at);
      if (owner.is_null()) return;
      workload = WorkloadOf(owner);
      chain = Cat(owner.Get("kind").text_or_empty(), " > ", chain);
      auto above = by_uid_.find(owner.Get("uid").text_or_empty());
      if (workload == nullptr && above == by_uid_.end()) return;
      if (above != by_uid_.end()) at = above->second;
    }
    if (workload == nullptr) return;
    GroupVersionKind kind = KindOf(object);
    if (kind.kind != "Pod" || !kind.group.empty()) {
      if (std::ranges::find(seen_.made, kind) == seen_.made.end()) seen_.made.push_back(kind);
      return;
    }
    if (std::ranges::find(seen_.chains, chain) == seen_.chains.end()) {
      seen_.chains.push_back(chain);
    }
    SeenPod& pod = pods_.emplace_back();
    pod.pod = object;
    pod.owner = workload->Get("metadata").Get("name").text_or_empty();
    pod.controller = ControllerOf(object);
    number_of_.push_back(static_cast<std::size_t>(workload - workloads_.data()));
  }

  const Value* WorkloadOf(const Value& owner) const {
    GroupVersionKind kind =
        KindOf(owner.Get("apiVersion").text_or_empty(), owner.Get("kind").text_or_empty());
    if (!IsSameKind(kind, kind_)) return nullptr;
    for (const Value& workload : workloads_) {
      if (workload.Get("metadata").Get("name").text_or_empty() ==
          owner.Get("name").text_or_empty()) {
        return &workload;
      }
    }
    return nullptr;
  }

  GroupVersionKind ControllerOf(const Value& pod) const {
    Value owner = OwnerOf(pod);
    GroupVersionKind kind =
        KindOf(owner.Get("apiVersion").text_or_empty(), owner.Get("kind").text_or_empty());
    if (IsSameKind(kind, kind_)) return {"", "v1", "Pod"};
    auto object = by_uid_.find(owner.Get("uid").text_or_empty());
    if (kind.kind == "ReplicaSet" && object != by_uid_.end()) {
      Value above = OwnerOf(object->second);
      if (above.Get("kind").text_or_empty() == "Deployment") return {"apps", "v1", "Deployment"};
    }
    return kind;
  }

  // What a pod may be of: by its containers, and where that is not enough by its labels.
  void Fit(SeenPod& pod) {
    auto index = static_cast<std::size_t>(&pod - pods_.data());
    const Value& workload = workloads_[number_of_[index]];
    for (std::size_t i = 0; i < places_.size(); ++i) {
      for (const SeenValue& value : ValuesAt(places_[i].place, places_[i].ids, workload)) {
        if (IsMadeOf(pod.pod, places_[i], value.value)) pod.fits.emplace(i, value.id);
      }
    }
    if (pod.fits.size() < 2 || !pod.labels().is_object()) return;
    std::set<std::pair<std::size_t, std::string>> named;
    for (const json::Member& label : pod.labels().members()) {
      for (const auto& fit : pod.fits) {
        std::string_view name =
            fit.second.empty() ? std::string_view(places_[fit.first].name) : fit.second;
        if (ToLower(label.value.text_or_empty()) == ToLower(name)) named.insert(fit);
      }
    }
    if (!named.empty()) pod.fits = std::move(named);
  }

  void FindController(std::size_t place) {
    for (const SeenPod& pod : pods_) {
      if (!pod.IsOnlyOf(place)) continue;
      seen_.controllers[place] = pod.controller;
      return;
    }
  }

  // How much a key speaks for itself: of the kind's own group, then not one that everybody has.
  int Rank(std::string_view key) const {
    std::size_t slash = key.find('/');
    if (slash == std::string_view::npos) return 1;
    std::string_view domain = key.substr(0, slash);
    std::string_view group = kind_.group;
    // "x-k8s.io" and "sigs.k8s.io" are of one house: the last part but one counts.
    auto core = [](std::string_view text) { return text.substr(0, text.find('.')); };
    if (domain == group || domain.ends_with(group) || group.ends_with(domain)) return 3;
    if (core(domain) == core(group)) return 3;
    return domain.ends_with("kubernetes.io") ? 0 : 2;
  }

  // How often a label has the name of the pod's instance, in each form that it may have.
  struct Votes {
    std::size_t same = 0;
    std::size_t lower = 0;
    std::size_t ending = 0;  // behind a dash, after the name of what the instance is in
  };

  static void Vote(std::string_view text, const std::string& id, Votes& votes) {
    if (text == id) ++votes.same;
    if (text == ToLower(id)) ++votes.lower;
    if (text.ends_with(Cat('-', id))) ++votes.ending;
  }

  void FindInstanceLabel(std::size_t place) {
    std::map<std::string_view, Votes> votes;
    std::size_t count = 0;
    for (const SeenPod& pod : pods_) {
      if (!pod.IsOf(place) || !pod.labels().is_object()) continue;
      ++count;
      for (const json::Member& label : pod.labels().members()) {
        for (const auto& [of, id] : pod.fits) {
          if (of == place && !id.empty()) {
            Vote(label.value.text_or_empty(), id, votes[label.key]);
          }
        }
      }
    }
    SeenSelector& selector = seen_.selectors[place];
    int best = -1;
    for (const auto& [key, vote] : votes) {
      bool is_whole = vote.same == count || vote.lower == count;
      if (!is_whole && vote.ending != count) continue;
      // All of a label says more than the end of one.
      int rank = Rank(key) + (is_whole ? 10 : 0);
      if (rank <= best) continue;
      best = rank;
      selector.instance_key = key;
      selector.is_ending = !is_whole;
      selector.is_lower_case = is_whole && vote.same != count;
    }
    if (best < 0) return;
    selector.why = Cat(
        "on ", count, count == 1 ? " pod" : " pods", " the label ", selector.instance_key,
        selector.is_ending ? " ends with the name of the instance" : " is the name of the instance",
        selector.is_lower_case ? " in lower case" : "");
  }

  void FindTypeLabel(std::size_t place) {
    if (places_.size() == 1) return;
    SeenSelector& selector = seen_.selectors[place];
    if (places_[place].rank != PodPlace::Rank::kNone) {
      std::string_view index = IndexLabel();
      if (!index.empty()) {
        selector.type_key = index;
        selector.is_index = true;
        selector.why = Cat("the label ", index, " counts the pods of a group, the leader first");
        return;
      }
    }
    // One that fits nothing may be of any place.
    auto is_other = [&](const SeenPod& pod) { return !pod.fits.empty() && !pod.IsOf(place); };
    if (!selector.instance_key.empty() && std::ranges::none_of(pods_, [&](const SeenPod& pod) {
          return is_other(pod) && pod.Has(selector.instance_key);
        })) {
      return;
    }
    std::map<std::string_view, std::string_view> values;
    std::set<std::string_view> out;
    bool is_first = true;
    for (const SeenPod& pod : pods_) {
      if (!pod.IsOnlyOf(place) || !pod.labels().is_object()) continue;
      if (is_first) {
        for (const json::Member& label : pod.labels().members()) {
          std::string_view value = label.value.text_or_empty();
          // What has the name of the workload in it is about this workload alone.
          if (value.find(pod.owner) == std::string_view::npos) values.emplace(label.key, value);
        }
      }
      is_first = false;
      for (const auto& [key, value] : values) {
        if (pod.Label(key) != value) out.insert(key);
      }
    }
    for (const SeenPod& pod : pods_) {
      if (!is_other(pod)) continue;
      for (const auto& [key, value] : values) {
        if (pod.Has(key) && pod.Label(key) == value) out.insert(key);
      }
    }
    // Without pods of another place every label would do.
    bool has_others = std::ranges::any_of(pods_, is_other);
    std::string_view best;
    for (const auto& [key, value] : values) {
      bool is_named = ToLower(value) == places_[place].name;
      if (out.contains(key) || (!has_others && !is_named)) continue;
      int rank = Rank(key) + (is_named ? 4 : 0);
      int best_rank =
          best.empty() ? -1 : Rank(best) + (ToLower(values[best]) == places_[place].name ? 4 : 0);
      if (rank > best_rank) best = key;
    }
    if (best.empty()) return;
    selector.type_key = best;
    selector.type_value = values[best];
    CatTo(selector.why, selector.why.empty() ? "" : ", and ", best, " = ", values[best],
          " tells them from other pods");
  }

  // A label with the number of the pod in its group, which all pods have.
  std::string_view IndexLabel() const {
    std::string_view found;
    if (pods_.empty() || !pods_[0].labels().is_object()) return found;
    auto is_number = [](std::string_view text) {
      return !text.empty() &&
             std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    };
    for (const json::Member& label : pods_[0].labels().members()) {
      bool is_named = label.key.ends_with("index") && label.key.find("worker") != std::string::npos;
      bool is_everywhere = std::ranges::all_of(
          pods_, [&](const SeenPod& pod) { return is_number(pod.Label(label.key)); });
      if (is_named && is_everywhere) found = label.key;
    }
    return found;
  }

  void DropUsedKinds() {
    std::erase_if(seen_.made, [&](const GroupVersionKind& kind) {
      return std::ranges::any_of(seen_.controllers, [&](const GroupVersionKind& controller) {
        return IsSameKind(kind, controller);
      });
    });
  }

  const GroupVersionKind& kind_;
  const std::vector<PodPlace>& places_;
  std::span<const Value> samples_;
  std::map<std::string_view, Value> by_uid_;
  std::vector<Value> workloads_;
  std::vector<SeenPod> pods_;
  std::vector<std::size_t> number_of_;  // of each pod, the workload
  SeenPods seen_;
};

void Collect(const Place& place, std::size_t at, const std::vector<std::string>& ids,
             std::size_t list, std::string id, const Value& value, std::vector<SeenValue>& found) {
  constexpr std::size_t kMost = 10'000;
  if (value.is_null() || found.size() > kMost) return;
  if (at == place.size()) {
    found.push_back({std::move(id), value});
    return;
  }
  const PlaceStep& step = place[at];
  auto named = [&](std::string_view name) {
    return id.empty() ? std::string(name) : Cat(id, '-', name);
  };
  if (step.is_field()) {
    Collect(place, at + 1, ids, list, std::move(id), value.Get(step.key), found);
  } else if (step.kind == PlaceStep::Kind::kItems && value.is_array()) {
    for (const Value& item : value.items()) {
      Collect(place, at + 1, ids, list + 1, named(NameBy(ids[list], item)), item, found);
    }
  } else if (step.kind == PlaceStep::Kind::kValues && value.is_object()) {
    for (const json::Member& member : value.members()) {
      Collect(place, at + 1, ids, list + 1, named(member.key), member.value, found);
    }
  }
}

}  // namespace

std::vector<Value> SamplesOf(const GroupVersionKind& kind, std::span<const Value> samples) {
  std::vector<Value> found;
  for (const Value& sample : samples) {
    if (IsSameKind(KindOf(sample), kind)) found.push_back(sample);
  }
  return found;
}

std::vector<SeenValue> ValuesAt(const Place& place, const std::vector<std::string>& ids,
                                const Value& document) {
  std::vector<SeenValue> found;
  Collect(place, 0, ids, 0, {}, document, found);
  return found;
}

SeenPods ReadSamples(const GroupVersionKind& kind, const FoundPods& pods,
                     std::span<const Value> samples) {
  return Reader(kind, pods, samples).Run();
}

}  // namespace wmap::schema
