#include "schema/draft_pods.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include "base/text.h"
#include "schema/draft_counts.h"
#include "schema/pod_shapes.h"

namespace wmap::schema {

using json::Value;

Value FieldOf(const Schema& schema, const Value& node, std::string_view key) {
  Value properties = node.Get("properties");
  const Value* found = properties.Find(key);
  return found == nullptr ? Value() : schema.Resolve(*found);
}

bool IsCount(const Value& node) {
  std::string_view type = node.Get("type").text_or_empty();
  return type == "integer" || type == "number" || node.Get("x-kubernetes-int-or-string").is_true();
}

namespace {

// Takes the first of `endings` that there is off `name`, unless nothing would be left.
bool TakeEnding(std::string& name, Names endings) {
  for (std::string_view ending : endings) {
    if (name.size() <= ending.size() || !name.ends_with(ending)) continue;
    name.resize(name.size() - ending.size());
    return true;
  }
  return false;
}

// "workerGroupSpecs" -> "worker", "replicatedJobs" -> "replicatedjob".
std::string NameOfField(std::string name, bool is_list) {
  if (is_list && name.size() > 2 && name.ends_with('s') && !name.ends_with("ss")) name.pop_back();
  while (TakeEnding(name, {"PodTemplateSpec", "PodTemplate", "PodSpec", "TemplateSpec", "Template",
                           "GroupSpec", "Group", "Spec"})) {
  }
  std::string text;
  for (char c : ToLower(name)) text += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
  return text;
}

bool SaysNothing(std::string_view field) {
  return IsAmong(field, {"spec", "template", "podTemplate", "podSpec", "podTemplateSpec", "pod",
                         "containers", "jobTemplate", "workload", "templateSpec"});
}

class Finder {
 public:
  Finder(const Schema& schema, const BuiltIns& built_ins) : shapes_(schema, built_ins) {}

  FoundPods Run() {
    Value root = shapes_.Root();
    if (!root.is_object()) {
      found_.open.push_back({});
      return std::move(found_);
    }
    for (const json::Member& member : PodShapes::InOrder(root)) {
      if (IsAmong(member.key, {"apiVersion", "kind", "metadata", "status"})) continue;
      Enter(member.key, member.value);
    }
    LeaveOutWeak();
    for (PodCandidate& candidate : candidates_) Name(candidate);
    FindCounts(shapes_, candidates_);
    found_.minimum = FindMinimum(shapes_, candidates_);
    for (PodCandidate& candidate : candidates_) found_.pods.push_back(std::move(candidate.pod));
    MakeNamesUnique();
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kDeepest = 24;
  static constexpr std::size_t kMostNodes = 100'000;
  static constexpr std::size_t kMostPods = 200;

  // --- Walking.

  void Enter(std::string_view key, const Value& raw) {
    path_.push_back({PlaceStep::Kind::kField, std::string(key)});
    Visit(raw);
    path_.pop_back();
  }

  void EnterAll(PlaceStep::Kind kind, const Value& raw) {
    path_.push_back({kind});
    Visit(raw);
    path_.pop_back();
  }

  void Visit(const Value& raw) {
    if (path_.size() > kDeepest || ++nodes_ > kMostNodes || candidates_.size() > kMostPods) return;
    Value node = shapes_.Resolve(raw);
    std::string_view field = path_.back().is_field() ? std::string_view(path_.back().key) : "";
    std::string lower = ToLower(field);
    bool is_variant = std::ranges::any_of(
        Names{"override", "patch", "canary"},
        [&](std::string_view word) { return lower.find(word) != std::string::npos; });
    if (is_variant && !lower.empty()) {
      if (shapes_.MentionsPods(node)) Note("is a variant of what is described elsewhere");
      return;
    }
    if (node.Get("x-kubernetes-embedded-resource").is_true()) {
      found_.embedded.push_back(path_);
      return;
    }
    if (shapes_.IsPodTemplate(node)) {
      Add(PodPlace::Form::kTemplate, "it has metadata and a spec with containers");
      return;
    }
    if (shapes_.IsPodSpec(node)) {
      Add(PodPlace::Form::kSpec, "it has containers beside other fields of a pod spec");
      return VisitOwnFields(node);
    }
    if (IsOfType(node, "array")) {
      // Containers are parts of pods.
      Value items = shapes_.Resolve(node.Get("items"));
      if (shapes_.IsContainer(items) && !PodShapes::HasField(items, "template")) return;
      return EnterAll(PlaceStep::Kind::kItems, items);
    }
    if (node.Get("properties").is_object() && node.Get("properties").size() > 0) {
      return VisitObject(node);
    }
    if (node.Get("additionalProperties").is_object()) {
      return EnterAll(PlaceStep::Kind::kValues, node.Get("additionalProperties"));
    }
    if (shapes_.IsOpen(node)) VisitOpen(lower);
  }

  void VisitObject(const Value& node) {
    levels_.push_back({path_, node});
    std::size_t before = candidates_.size();
    bool has_pieces = shapes_.HasPieces(node);
    for (const json::Member& member : PodShapes::InOrder(node)) Enter(member.key, member.value);
    if (has_pieces) Judge(node, before);
    levels_.pop_back();
  }

  // An object has the pieces of a pod description; `before`: what was found below it follows.
  void Judge(const Value& node, std::size_t before) {
    auto below = std::span(candidates_).subspan(before);
    auto is_direct = [&](const PodCandidate& one) {
      return one.pod.place.size() == path_.size() + 1;
    };
    auto is_base = [&](const PodCandidate& one) {
      return is_direct(one) && one.pod.form != PodPlace::Form::kFragments;
    };
    auto found = std::ranges::find_if(below, is_base);
    bool has_base =
        std::ranges::count_if(below, is_base) == 1 && std::ranges::count_if(below, is_direct) == 1;
    if (!below.empty() && !has_base) {
      Note("has fields of pods that are defaults for those below it");
      return;
    }
    std::optional<PodPlace> base;
    if (has_base) {
      base = std::move(found->pod);
      candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(before) +
                        (found - below.begin()));
    }
    bool is_placed = shapes_.IsScheduled(node) || PodShapes::HasField(node, "resourcesPerNode");
    bool is_container = shapes_.IsContainer(node) && !is_placed && !base;
    Add(is_container ? PodPlace::Form::kContainer : PodPlace::Form::kFragments,
        is_container ? "it has the fields of a container" : shapes_.PiecesText(node));
    PodCandidate& candidate = candidates_.back();
    if (!is_container) candidate.pod.pieces = shapes_.PiecesOf(node, SpecBelow(base));
    candidate.is_weak = !base && !is_placed;
  }

  // The path of the pod spec of what is one step below.
  std::string SpecBelow(const std::optional<PodPlace>& base) const {
    if (!base) return {};
    std::string field = FieldsText(base->place, path_.size(), base->place.size());
    return base->form == PodPlace::Form::kTemplate ? Cat(field, ".spec") : field;
  }

  // Fields beside those that every pod spec has.
  void VisitOwnFields(const Value& node) {
    levels_.push_back({path_, node});
    for (const json::Member& member : PodShapes::InOrder(node)) {
      if (shapes_.IsOfEveryPod(member.key)) continue;
      std::size_t before = candidates_.size();
      Enter(member.key, member.value);
      // What is not a pod on its own describes a part of this one.
      auto first = candidates_.begin() + static_cast<std::ptrdiff_t>(before);
      auto rest = std::remove_if(first, candidates_.end(), [](const PodCandidate& candidate) {
        return candidate.pod.form == PodPlace::Form::kContainer ||
               candidate.pod.form == PodPlace::Form::kFragments;
      });
      candidates_.erase(rest, candidates_.end());
    }
    levels_.pop_back();
  }

  void VisitOpen(std::string_view lower_field) {
    bool is_template = lower_field.ends_with("template") || lower_field == "podtemplatespec";
    bool is_spec = lower_field == "podspec";
    if (is_template || is_spec) {
      Add(is_template ? PodPlace::Form::kTemplate : PodPlace::Form::kSpec,
          "its name: the schema does not say what is in it");
      candidates_.back().pod.is_open = true;
    } else if (path_.size() <= 2) {
      found_.open.push_back(path_);
    }
  }

  void Note(std::string_view what) { found_.notes.push_back(Cat(PlaceText(path_), ' ', what)); }

  void Add(PodPlace::Form form, std::string why) {
    PodCandidate& candidate = candidates_.emplace_back();
    candidate.pod.form = form;
    candidate.pod.place = path_;
    candidate.pod.why = std::move(why);
    candidate.above = levels_;
    // Counts may stand among the fields of the pod itself.
    if (form != PodPlace::Form::kTemplate)
      candidate.above.push_back({path_, shapes_.NodeAt(path_)});
  }

  // --- What belongs to a place.

  // Beside pods that are sure, what merely has an image is a setting.
  void LeaveOutWeak() {
    bool has_sure = std::ranges::any_of(
        candidates_, [](const PodCandidate& candidate) { return !candidate.is_weak; });
    if (!has_sure) return;
    std::erase_if(candidates_, [&](const PodCandidate& candidate) {
      if (!candidate.is_weak) return false;
      found_.notes.push_back(
          Cat(PlaceText(candidate.pod.place),
              candidate.pod.form == PodPlace::Form::kContainer
                  ? " is a container: taken for a part of other pods"
                  : " has an image or resources, and nothing that places pods: taken for a part of "
                    "other pods"));
      return true;
    });
  }

  void Name(PodCandidate& candidate) const {
    PodPlace& pod = candidate.pod;
    NameComponent(pod);
    NameKind(pod);
    NameInstances(pod);
    const Value* holder = candidate.above.empty() ? nullptr : &candidate.above.back().node;
    pod.is_required = holder != nullptr && !pod.place.empty() && pod.place.back().is_field() &&
                      Lists(holder->Get("required"), pod.place.back().key);
  }

  static void NameComponent(PodPlace& pod) {
    for (std::size_t at = pod.place.size(); at-- > 0;) {
      const PlaceStep& step = pod.place[at];
      if (!step.is_field() || SaysNothing(step.key)) continue;
      bool is_list = at + 1 < pod.place.size() && !pod.place[at + 1].is_field();
      pod.name = NameOfField(step.key, is_list);
      pod.name_why = Cat("of the field ", step.key);
      return;
    }
    pod.name = "pods";
  }

  void NameKind(PodPlace& pod) const {
    // The innermost object that makes pods of the template.
    for (std::size_t end = pod.place.size(); end-- > 2;) {
      if (pod.place[end - 1].key != "spec") continue;
      Place spec(pod.place.begin(), pod.place.begin() + static_cast<std::ptrdiff_t>(end));
      std::optional<definition::GroupVersionKind> kind =
          PodShapes::KindBySpec(shapes_.NodeAt(spec));
      if (!kind) continue;
      pod.kind = std::move(kind);
      pod.kind_why = Cat(PlaceText(spec), " has the fields of one");
      return;
    }
  }

  void NameInstances(PodPlace& pod) const {
    std::vector<std::string> grounds;
    for (std::size_t at = 0; at < pod.place.size(); ++at) {
      if (pod.place[at].is_field()) continue;
      Place upto(pod.place.begin(), pod.place.begin() + static_cast<std::ptrdiff_t>(at) + 1);
      if (pod.place[at].kind == PlaceStep::Kind::kValues) {
        pod.ids.emplace_back(".key");
        grounds.push_back(
            Cat(PlaceText(Place(upto.begin(), upto.end() - 1)), " is a map: its keys are names"));
        continue;
      }
      Place list(upto.begin(), upto.end() - 1);
      auto [id, why] = NameIn(shapes_.NodeAt(list), shapes_.NodeAt(upto));
      pod.ids.push_back(std::move(id));
      grounds.push_back(std::move(why));
    }
    pod.id_why = Join(grounds, "; ");
  }

  // The expression of the name of an item, and why.
  std::pair<std::string, std::string> NameIn(const Value& list, const Value& item) const {
    auto path = [&](std::string_view field) {
      std::string text = PlaceText({{PlaceStep::Kind::kField, std::string(field)}});
      bool is_sure = Lists(item.Get("required"), field);
      return is_sure ? text : Cat(text, " // \"\"");
    };
    Value keys = list.Get("x-kubernetes-list-map-keys");
    if (keys.is_array() && keys.size() == 1 && keys[0].is_string() &&
        IsOfType(shapes_.Field(item, keys[0].as_string()), "string")) {
      return {path(keys[0].as_string()),
              Cat(keys[0].as_string(), " is the key of the list (x-kubernetes-list-map-keys)")};
    }
    if (IsOfType(shapes_.Field(item, "name"), "string"))
      return {path("name"), "the items have names"};
    for (const json::Member& member : PodShapes::InOrder(item)) {
      bool is_name = member.key.ends_with("Name") &&
                     IsOfType(shapes_.Resolve(member.value), "string") &&
                     Lists(item.Get("required"), member.key);
      if (is_name) return {path(member.key), Cat("every item has to have a ", member.key)};
    }
    Value meta = shapes_.Field(item, "metadata");
    if (IsOfType(shapes_.Field(meta, "name"), "string")) {
      return {".metadata.name // \"\"", "the items have metadata with a name"};
    }
    for (const json::Member& member : PodShapes::InOrder(item)) {
      if (member.key.ends_with("Name") && IsOfType(shapes_.Resolve(member.value), "string")) {
        return {path(member.key), Cat("guess: the items have a ", member.key)};
      }
    }
    return {".name // \"\"", "guess: a name, though nothing in the schema names an item"};
  }

  // "worker" of .spec.worker and "prefill-worker" of .spec.prefill.worker.
  void MakeNamesUnique() {
    std::map<std::string, std::size_t> uses;
    for (const PodPlace& pod : found_.pods) ++uses[pod.name];
    std::set<std::string> taken;
    for (PodPlace& pod : found_.pods) {
      if (uses[pod.name] > 1) pod.name = LongerName(pod);
      std::string name = pod.name;
      for (int n = 2; taken.contains(pod.name); ++n) pod.name = Cat(name, '-', n);
      taken.insert(pod.name);
    }
  }

  // With the next field above that says something else.
  static std::string LongerName(const PodPlace& pod) {
    for (std::size_t at = pod.place.size(); at-- > 0;) {
      if (!pod.place[at].is_field() || SaysNothing(pod.place[at].key)) continue;
      bool is_list = at + 1 < pod.place.size() && !pod.place[at + 1].is_field();
      std::string above = NameOfField(pod.place[at].key, is_list);
      if (above != pod.name) return Cat(above, '-', pod.name);
    }
    return pod.name;
  }

  PodShapes shapes_;
  Place path_;
  std::vector<PodCandidate::Level> levels_;
  std::size_t nodes_ = 0;
  FoundPods found_;
  std::vector<PodCandidate> candidates_;
};

}  // namespace

FoundPods FindPods(const Schema& schema, const BuiltIns& built_ins) {
  return Finder(schema, built_ins).Run();
}

}  // namespace wmap::schema
