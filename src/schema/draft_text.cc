#include "schema/draft_text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "schema/draft_expressions.h"
#include "schema/draft_yaml.h"

namespace wmap::schema {
namespace {

using definition::GroupVersionKind;
using definition::Status;

class DraftWriter {
 public:
  explicit DraftWriter(const DraftParts& parts)
      : parts_(parts), pods_(parts.pods->pods), status_(*parts.status), root_(RootName()) {}

  std::string Write() {
    Head();
    to_.Line(0, "spec:");
    to_.Line(1, "structureDefinition:");
    to_.Line(2, "rootComponent:");
    to_.Line(3, Cat("name: ", Scalar(root_)));
    to_.Line(3, Cat("kind: ", KindText(parts_.kind)));
    if (IsSingle()) Pods(pods_[0], 0, 3);
    StatusOfRoot();
    Suspension();
    if (!IsSingle()) {
      to_.Line(2, "childComponents:");
      for (std::size_t i = 0; i < pods_.size(); ++i) Child(pods_[i], i);
    }
    Made();
    Gang();
    return to_.Take();
  }

 private:
  std::string RootName() const { return ToLower(parts_.kind.kind); }
  // One set of equal pods: they are the root's own.
  bool IsSingle() const { return pods_.size() == 1 && ListsOn(pods_[0].place) == 0; }
  bool HasSeenPods() const { return parts_.seen->pods > 0; }

  void Head() {
    std::string from = parts_.has_schema ? "the schema of its custom resource definition" : "";
    if (parts_.seen->workloads > 0) {
      CatTo(from, from.empty() ? "" : " and ", parts_.seen->workloads,
            parts_.seen->workloads == 1 ? " sample" : " samples");
      if (HasSeenPods()) {
        CatTo(from, " with ", parts_.seen->pods, parts_.seen->pods == 1 ? " pod" : " pods");
      }
    }
    to_.Comment(0, Cat(parts_.kind.kind, ": a draft, made from ", from,
                       ". What is marked as a guess was not said anywhere; check it against the "
                       "operator, and take the mark away."));
    for (const std::string& note : parts_.pods->notes) to_.Comment(0, Cat("Left out: ", note, '.'));
    to_.Line(0, "apiVersion: run.ai/v1alpha1");
    to_.Line(0, "kind: Karta");
    to_.Line(0, "metadata:");
    to_.Line(1, Cat("name: ", Scalar(parts_.name)));
    Extensions();
  }

  // What the format itself cannot say.
  void Extensions() {
    std::vector<std::string> parts;
    if (parts_.has_reason) {
      std::string path = PlaceText(status_.conditions->place);
      auto part = [&](std::string_view field) {
        return InQuotes(
            Cat("[", path, "[]? | select(.status == \"True\") | .", field, "] | last // empty"));
      };
      parts.push_back(Cat("\"status\": {\n\"reason\": ", part("reason"),
                          ",\n\"message\": ", part("message"), '}'));
    }
    std::vector<std::string> components;
    for (std::size_t i = 0; i < pods_.size(); ++i) {
      const SeenSelector& seen = parts_.seen->selectors[i];
      if (!seen.is_ending) continue;
      // Every end of it, the longest first: the one that an instance has is meant.
      std::string ends = Cat(LabelText(seen.instance_key),
                             " // \"\" | split(\"-\") | . as $parts | keys[] as $i "
                             "| $parts[$i:] | join(\"-\")");
      components.push_back(
          Cat(InQuotes(NameOf(pods_[i])), ": {\"podInstance\": ", InQuotes(ends), '}'));
    }
    if (!components.empty()) {
      parts.push_back(Cat("\"components\": {\n", Join(components, ",\n"), '}'));
    }
    if (parts_.pods->minimum) {
      parts.push_back(Cat("\"minimum\": ", InQuotes(PlaceText(*parts_.pods->minimum))));
    }
    std::vector<std::string> silenced;
    for (const PodPlace& pod : pods_) {
      if (!IsPutTogether(pod)) continue;
      silenced.push_back(
          Cat("{\"rule\": \"read-only-path\", \"at\": ", InQuotes(IsSingle() ? root_ : NameOf(pod)),
              ", \"reason\": \"put together of other fields\"}"));
    }
    if (!silenced.empty()) parts.push_back(Cat("\"silenced\": [\n", Join(silenced, ",\n"), ']'));
    if (parts.empty()) return;
    to_.Line(1, "annotations:");
    if (parts_.pods->minimum) {
      to_.Comment(2, Cat("guess: minimum, because ", PlaceText(*parts_.pods->minimum),
                         " is a number of that name above the lists of pods."));
    }
    to_.Line(2, "wmap.dev/extensions: >-");
    to_.Lines(3, Cat('{', Join(parts, ",\n"), '}'));
  }

  // Whether a piece of it is no field of the object, but made of several.
  static bool IsPutTogether(const PodPlace& pod) {
    return std::ranges::any_of(pod.pieces, [](const auto& piece) {
      constexpr std::string_view kMaking[] = {"with_entries", "+ {", "\\(", "then {}"};
      return std::ranges::any_of(kMaking, [&](std::string_view form) {
        return piece.second.find(form) != std::string::npos;
      });
    });
  }

  // --- Pods.

  void Child(const PodPlace& pod, std::size_t index) {
    std::string name = NameOf(pod);
    to_.Line(2, Cat("- name: ", name));
    to_.Line(3, Cat("ownerRef: ", Scalar(root_)));
    Kind(pod, index);
    if (!pod.ids.empty()) {
      to_.Comment(3, Cat("Instances: ", pod.id_why, '.'));
      to_.Expression(3, "instanceIdPath", InstanceIds(pod, index));
    }
    Pods(pod, index, 3);
  }

  std::string NameOf(const PodPlace& pod) const {
    return pod.name == root_ ? Cat(pod.name, "-pods") : pod.name;
  }

  std::string InstanceIds(const PodPlace& pod, std::size_t index) const {
    std::string text = IdsText(pod.place, pod.ids);
    return parts_.seen->selectors[index].is_lower_case ? Cat(text, " | ascii_downcase") : text;
  }

  void Kind(const PodPlace& pod, std::size_t index) {
    const GroupVersionKind& seen = parts_.seen->controllers[index];
    if (!seen.kind.empty()) {
      to_.Comment(3, seen.kind == "Pod"
                         ? std::string("Seen: the workload itself controls its pods.")
                         : Cat("Seen: its pods are controlled by a ", seen.kind, '.'));
      to_.Line(3, Cat("kind: ", KindText(seen)));
    } else if (pod.kind) {
      to_.Comment(3, Cat("guess: a ", pod.kind->kind, ", because ", pod.kind_why, '.'));
      to_.Line(3, Cat("kind: ", KindText(*pod.kind)));
    } else {
      to_.Comment(3,
                  "guess: bare pods, because nothing says what is between them and the "
                  "workload.");
      to_.Line(3, Cat("kind: ", KindText({"", "v1", "Pod"})));
    }
  }

  void Pods(const PodPlace& pod, std::size_t index, std::size_t depth) {
    Spec(pod, depth);
    Scale(pod, depth);
    Selector(pod, index, depth);
  }

  void Spec(const PodPlace& pod, std::size_t depth) {
    std::string_view mark = pod.is_open ? "guess: pods, because of " : "Pods: ";
    to_.Comment(depth, Cat(mark, pod.why, '.'));
    to_.Line(depth, "specDefinition:");
    switch (pod.form) {
      case PodPlace::Form::kTemplate:
        return to_.Expression(depth + 1, "podTemplateSpecPath", TemplateText(pod));
      case PodPlace::Form::kSpec:
        return to_.Expression(depth + 1, "podSpecPath", TemplateText(pod));
      case PodPlace::Form::kContainer:
        to_.Line(depth + 1, "fragmentedPodSpecDefinition:");
        return to_.Expression(depth + 2, "containerPath", ValuesText(pod.place));
      case PodPlace::Form::kFragments:
        break;
    }
    to_.Line(depth + 1, "fragmentedPodSpecDefinition:");
    for (const auto& [piece, path] : pod.pieces) {
      to_.Expression(depth + 2, piece, Piece(pod.place, path));
    }
  }

  static std::string TemplateText(const PodPlace& pod) {
    std::string text = ValuesText(pod.place);
    if (!pod.fallback) return text;
    std::size_t end = EndOfLists(pod.place);
    return Cat(text, " // ", FieldsText(*pod.fallback, end, pod.fallback->size()));
  }

  // A piece of each instance.
  static std::string Piece(const Place& place, const std::string& path) {
    bool is_fields = path.starts_with('.') && !path.starts_with(". ") && path != ".";
    if (EndOfLists(place) == place.size()) {
      return place.empty() ? path : Cat(ValuesText(place), " | ", path);
    }
    return is_fields ? Cat(ValuesText(place), path) : Cat(ValuesText(place), " | ", path);
  }

  void Scale(const PodPlace& pod, std::size_t depth) {
    std::string replicas = ReplicasText(pod);
    bool is_stated =
        std::ranges::all_of(pod.counts, [](const CountField& count) { return count.is_stated; });
    bool is_optional = !IsSingle() && !pod.fallback && ListsOn(pod.place) == 0 &&
                       !pod.is_required && pod.form != PodPlace::Form::kFragments;
    if (pod.counts.empty() && !pod.min) {
      to_.Comment(depth, "guess: one pod, because no number stands beside the description.");
    } else if (!is_stated) {
      to_.Comment(depth,
                  "guess: 1 where a number is absent, because the schema states no default.");
    }
    if (is_optional) {
      replicas = Cat("if ", PlaceText(pod.place), " == null then 0 else ", replicas, " end");
    }
    to_.Line(depth, "scaleDefinition:");
    to_.Expression(depth + 1, "replicasPath", replicas);
    if (pod.min) to_.Expression(depth + 1, "minReplicasPath", BoundText(pod, *pod.min));
    if (pod.max) to_.Expression(depth + 1, "maxReplicasPath", BoundText(pod, *pod.max));
  }

  void Selector(const PodPlace& pod, std::size_t index, std::size_t depth) {
    if (IsSingle()) return;
    const SeenSelector& seen = parts_.seen->selectors[index];
    std::string own = Cat(parts_.kind.group, '/', NameOf(pod));
    bool has_instances = !pod.ids.empty();
    bool is_seen = has_instances ? !seen.instance_key.empty() : !seen.type_key.empty();
    if (!is_seen && seen.has_all && !has_instances) {
      return to_.Comment(depth,
                         "No selector: all pods of the samples are these, and none of their "
                         "labels says so.");
    }
    if (is_seen) {
      to_.Comment(depth, Cat("Seen: ", seen.why, '.'));
    } else {
      to_.Comment(depth,
                  HasSeenPods()
                      ? "guess: the label, because no label of the sampled pods shows it. "
                        "Look at the labels of one."
                      : "guess: the label, because there is no sample with pods. Look at the "
                        "labels of one.");
    }
    to_.Line(depth, "podSelector:");
    to_.Line(depth + 1, "componentTypeSelector:");
    std::string instance_key = seen.instance_key.empty() ? own : seen.instance_key;
    if (has_instances && seen.type_key.empty()) {
      to_.Expression(depth + 2, "keyPath", LabelText(instance_key));
    } else {
      bool is_named = !seen.type_key.empty();
      if (seen.is_index && pod.rank == PodPlace::Rank::kWorker) {
        return to_.Expression(depth + 2, "keyPath",
                              Cat(LabelText(seen.type_key), " | select(. != \"0\")"));
      }
      to_.Expression(depth + 2, "keyPath",
                     LabelText(is_named ? seen.type_key : Cat(parts_.kind.group, "/role")));
      std::string value = is_named ? seen.type_value : NameOf(pod);
      if (seen.is_index) value = "0";
      if (!value.empty()) to_.Expression(depth + 2, "value", value);
    }
    if (!has_instances) return;
    to_.Line(depth + 1, "componentInstanceSelector:");
    to_.Expression(depth + 2, "idPath",
                   Cat(LabelText(instance_key), seen.is_ending ? " | split(\"-\") | last" : ""));
  }

  // --- Status.

  void StatusOfRoot() {
    to_.Line(3, "statusDefinition:");
    if (status_.phase) {
      to_.Comment(4, Cat("guess: the phase, because ", status_.phase->why, '.'));
      if (!status_.phase->others.empty()) {
        to_.Comment(
            4,
            Cat("Words that say nothing by themselves: ", Join(status_.phase->others, ", "), '.'));
      }
      to_.Line(4, "phaseDefinition:");
      to_.Expression(5, "path", PlaceText(status_.phase->place));
    }
    if (status_.conditions) {
      to_.Line(4, "conditionsDefinition:");
      to_.Expression(5, "path", PlaceText(status_.conditions->place));
      if (parts_.has_reason) to_.Line(5, "reasonFieldName: reason");
    }
    StateExpression state = StateOf(*parts_.pods, status_);
    if (state.lines.empty()) {
      to_.Comment(4, "Nothing in the status is known to tell a state.");
      return to_.Line(4, "statusMappings: {}");
    }
    Mappings(state.lines, state.results);
  }

  std::string Grounds() const {
    std::vector<std::string> grounds;
    if (status_.conditions) {
      const ConditionsField& conditions = *status_.conditions;
      grounds.push_back(conditions.source.empty()
                            ? "types of conditions are those that are usual"
                            : Cat("types of conditions are from ", conditions.source,
                                  conditions.is_listed ? "" : ", and the usual ones beside them"));
      if (!conditions.others.empty()) {
        grounds.push_back(Cat("not used: ", Join(conditions.others, ", ")));
      }
    }
    if (status_.phase) {
      grounds.push_back(status_.phase->source.empty()
                            ? "words of the phase are those that are usual, in any case"
                            : Cat("words of the phase are from ", status_.phase->source));
    }
    if (status_.conditions || status_.phase) {
      grounds.push_back("what a word means is taken from the word alone");
    } else {
      grounds.push_back("counters are all there is");
    }
    return Join(grounds, "; ");
  }

  void Mappings(const std::vector<std::string>& lines, const std::vector<Status>& results) {
    constexpr auto kOrder = std::to_array<Status>(
        {Status::kCompleted, Status::kFailed, Status::kSuspended, Status::kSuspending,
         Status::kResuming, Status::kRunning, Status::kInitializing, Status::kDegraded});
    to_.Line(4, "statusMappings:");
    bool is_first = true;
    for (Status status : kOrder) {
      if (std::ranges::find(results, status) == results.end()) continue;
      std::string_view key = definition::StatusKey(status);
      to_.Line(5, Cat(key, ':'));
      to_.Line(5, "- byExpression:");
      if (is_first) {
        to_.Comment(7, Cat("guess: ", Grounds(), '.'));
        to_.Line(7, "expression: &state |-");
        for (const std::string& line : lines) to_.Block(8, line);
      } else {
        to_.Line(7, "expression: *state");
      }
      to_.Line(7, Cat("expectedResult: ", key));
      is_first = false;
    }
  }

  void Suspension() {
    if (!status_.suspend) return;
    const SuspendField& field = *status_.suspend;
    to_.Comment(3, Cat("guess: it suspends, because ", field.why, '.'));
    to_.Line(3, "suspendDefinition:");
    auto action = [&](std::string_view key, const std::string& value) {
      to_.Line(4, Cat(key, ':'));
      to_.Line(4, Cat("- path: ", Scalar(PlaceText(field.place))));
      to_.Line(5, Cat("value: ", Scalar(value)));
    };
    action("suspendActions", field.suspend);
    action("resumeActions", field.resume);
  }

  // --- The rest.

  void Made() {
    if (parts_.seen->made.empty()) return;
    if (!parts_.seen->chains.empty()) {
      to_.Comment(2, Cat("Seen in the samples: ", Join(parts_.seen->chains, "; "), '.'));
    }
    to_.Line(2, "additionalChildKinds:");
    for (const GroupVersionKind& kind : parts_.seen->made) {
      to_.Line(2, Cat("- ", KindText(kind)));
    }
  }

  void Gang() {
    to_.Comment(1,
                "Nothing says whether the pods are of use one by one. Where they are not, "
                "optimizationInstructions.gangScheduling has to say which start together.");
  }

  const DraftParts& parts_;
  const std::vector<PodPlace>& pods_;
  const FoundStatus& status_;
  std::string root_;
  YamlLines to_;
};

}  // namespace

std::string WriteDraft(const DraftParts& parts) { return DraftWriter(parts).Write(); }

}  // namespace wmap::schema
