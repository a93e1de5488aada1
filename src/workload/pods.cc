#include "workload/pods.h"

#include "base/text.h"
#include "workload/convert.h"

namespace wmap::workload {
namespace {

using definition::Expression;
using definition::TypeSelector;
using json::Value;

// Names of objects are in lower case, so an id that labels take from one may be in other letters
// than in the workload. It is meant if no other instance could be.
std::optional<std::size_t> IndexOfInAnyCase(const Part& part, const std::string& id) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < part.instances.size(); ++i) {
    if (ToLower(part.instances[i].id) != id) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

std::optional<std::size_t> IndexOf(const Part& part, const std::string& id) {
  for (std::size_t i = 0; i < part.instances.size(); ++i) {
    if (part.instances[i].id == id) return i;
  }
  return IndexOfInAnyCase(part, ToLower(id));
}

class Placer {
 public:
  Placer(const PodRef& pod, std::span<const Part> parts, Evaluation& evaluation)
      : pod_(pod), parts_(parts), evaluation_(evaluation) {}

  // A selector finds it, be it with an instance that is not there.
  bool IsSelected() { return FindByType() || FindByOwners() || FindByInstance(); }

  std::optional<PodPlace> Place() {
    if (std::optional<std::size_t> component = FindComponent()) {
      if (std::optional<std::size_t> instance = FindInstance(*component)) {
        return PodPlace{*component, *instance, ReplicaOf(*component)};
      }
    }
    return std::nullopt;
  }

 private:
  static const Expression* InstanceId(const definition::Component& component) {
    if (!component.pod_selector || !component.pod_selector->instance_id) return nullptr;
    return &component.pod_selector->instance_id;
  }

  std::optional<std::size_t> FindComponent() {
    if (std::optional<std::size_t> found = FindByType()) return found;
    if (std::optional<std::size_t> found = FindByOwners()) return found;
    if (std::optional<std::size_t> found = FindByInstance()) return found;
    std::optional<std::size_t> rest;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const definition::Component& component = *parts_[i].component;
      if (!component.bears_pods() || component.type_selector() != nullptr) continue;
      // One that tells its instances apart takes the pod too: its instance is then looked for, and
      // what is wrong with it is said.
      if (rest) return Complain("pod-without-role", "", "several components might be its");
      rest = i;
    }
    if (!rest) return Complain("pod-without-role", "", "no selector of the definition matches it");
    return rest;
  }

  std::optional<std::size_t> FindByType() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const definition::Component& component = *parts_[i].component;
      const TypeSelector* selector = component.type_selector();
      if (!component.bears_pods() || selector == nullptr) continue;
      Result<bool> matches = Matches(*selector, pod_.manifest, evaluation_);
      if (!matches) {
        evaluation_.AddForPod("selector", component.name,
                              Cat(FieldName(selector->key_path, component), ": pod ",
                                  pod_.facts->name, ": ", matches.error().Describe()));
      } else if (*matches) {
        return i;
      }
    }
    return std::nullopt;
  }

  // A component that knows its pods by what owns them needs no label on them.
  std::optional<std::size_t> FindByOwners() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].component->bears_pods() && FindCandidate(i)) return i;
    }
    return std::nullopt;
  }

  std::optional<std::size_t> FindByInstance() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const definition::Component& component = *parts_[i].component;
      if (!component.bears_pods() || component.type_selector() != nullptr) continue;
      const Expression* id = InstanceId(component);
      if (id == nullptr || !component.has_instances()) continue;
      Result<std::string> key = ReadKey(*id, pod_.manifest, evaluation_);
      if (key && IndexOf(parts_[i], *key)) return i;
    }
    return std::nullopt;
  }

  std::optional<std::size_t> FindCandidate(std::size_t index) {
    const definition::Component& component = *parts_[index].component;
    auto found = FindByCandidates(parts_[index], pod_.manifest, evaluation_);
    if (found) return *found;
    evaluation_.AddForPod("selector", component.name,
                          Cat(FieldName(component.pod_instance, component), ": pod ",
                              pod_.facts->name, ": ", found.error().Describe()));
    return std::nullopt;
  }

  static std::string KnownIds(const Part& part) {
    constexpr std::size_t kShown = 10;
    if (part.instances.empty()) return "none";
    std::vector<std::string> known;
    known.reserve(kShown + 1);
    for (const PartInstance& instance : part.instances) {
      if (known.size() == kShown) {
        known.push_back(Cat(part.instances.size() - kShown, " more"));
        break;
      }
      known.push_back(instance.id);
    }
    return Join(known, ", ");
  }

  std::optional<std::size_t> FindInstance(std::size_t index) {
    const Part& part = parts_[index];
    if (!part.component->has_instances()) return 0;
    if (std::optional<std::size_t> found = FindCandidate(index)) return found;
    const Expression* id = InstanceId(*part.component);
    if (id == nullptr) {
      if (part.instances.size() == 1) return 0;
      return Complain("pod-without-role", part.component->name,
                      Cat("component ", Quote(part.component->name),
                          " does not say how to tell its instances apart"));
    }
    Result<std::string> key = ReadKey(*id, pod_.manifest, evaluation_);
    if (!key) return Complain("pod-without-role", part.component->name, key.error().Describe());
    std::optional<std::size_t> found = IndexOf(part, *key);
    if (!found) {
      return Complain(
          "unknown-instance", part.component->name,
          Cat("its instance ", Quote(*key), " of component ", Quote(part.component->name),
              " is not in the object, which has ", KnownIds(part)));
    }
    return found;
  }

  // Descendants inherit the copy from the nearest component that tells copies apart.
  std::string ReplicaOf(std::size_t index) {
    while (index != definition::Component::kNoParent) {
      const definition::Component& component = *parts_[index].component;
      if (component.pod_selector && component.pod_selector->replica_key) {
        Result<std::string> key =
            ReadKey(component.pod_selector->replica_key, pod_.manifest, evaluation_);
        if (key) return *std::move(key);
        evaluation_.AddForPod(
            "replica-key", component.name,
            Cat("pod ", pod_.facts->name, ": which copy of ", Quote(component.name),
                " it belongs to cannot be told: ", key.error().Describe()));
        return {};
      }
      index = component.parent;
    }
    return {};
  }

  // One diagnostic for each code and component, however many pods it is about.
  std::nullopt_t Complain(std::string_view code, const std::string& component,
                          const std::string& why) {
    evaluation_.AddForPod(code, component, Cat("pod ", pod_.facts->name, " has no role: ", why));
    return std::nullopt;
  }

  const PodRef& pod_;
  std::span<const Part> parts_;
  Evaluation& evaluation_;
};

}  // namespace

Result<std::optional<std::size_t>> FindByCandidates(const Part& part, const Value& pod,
                                                    Evaluation& evaluation) {
  if (!part.component->pod_instance) return std::nullopt;
  WMAP_TRY(auto candidates, evaluation.All(part.component->pod_instance, pod));
  for (const Value& candidate : candidates) {
    Result<std::string> id = ToIdentifier(candidate);
    if (!id) continue;
    if (std::optional<std::size_t> found = IndexOf(part, *id)) return found;
  }
  return std::nullopt;
}

Result<bool> Matches(const TypeSelector& selector, const Value& pod, Evaluation& evaluation) {
  Value labels = pod.Get("metadata").Get("labels");
  for (const auto& [key, value] : selector.match_labels) {
    const Value* label = labels.Find(key);
    if (label == nullptr || !label->is_string() || label->as_string() != value) return false;
  }
  if (!selector.key_path) return !selector.match_labels.empty();
  WMAP_TRY(auto results, evaluation.All(selector.key_path, pod));
  for (const Value& result : results) {
    if (selector.value ? result.is_string() && result.as_string() == *selector.value
                       : !result.is_null()) {
      return true;
    }
  }
  return false;
}

Result<std::string> ReadKey(const Expression& expression, const Value& pod,
                            Evaluation& evaluation) {
  WMAP_TRY(auto results, evaluation.All(expression, pod));
  if (results.size() != 1) {
    return Fail(Code::kMismatch, Cat(Quote(expression.text()), " gives ", results.size(),
                                     " values where one is needed"));
  }
  Result<std::string> key = ToIdentifier(results.front());
  if (!key) return Fail(std::move(key).error().In(Quote(expression.text())));
  return key;
}

std::optional<PodPlace> PlacePod(const PodRef& pod, std::span<const Part> parts,
                                 Evaluation& evaluation) {
  return Placer(pod, parts, evaluation).Place();
}

bool IsSpawned(const PodRef& pod, std::span<const Part> parts, Evaluation& evaluation) {
  const OwnerReference& owner = pod.facts->owner;
  return owner.kind == "Pod" && owner.api_version == "v1" &&
         !Placer(pod, parts, evaluation).IsSelected();
}

bool Claims(const definition::Karta& karta, const PodRef& pod, SpentBudgets& spent) {
  Arena arena;
  expr::Evaluator evaluator(arena);
  Evaluation evaluation(karta, pod.manifest, evaluator, &spent);
  for (const definition::Component& component : karta.components) {
    if (!component.bears_pods() || !component.pod_selector) continue;
    if (const TypeSelector* selector = component.type_selector()) {
      if (Matches(*selector, pod.manifest, evaluation).value_or(false)) return true;
    } else if (component.pod_selector->instance_id) {
      if (ReadKey(component.pod_selector->instance_id, pod.manifest, evaluation)) return true;
    }
  }
  return false;
}

}  // namespace wmap::workload
