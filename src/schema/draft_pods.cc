#include "schema/draft_pods.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include "base/text.h"

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

using Names = std::initializer_list<std::string_view>;

bool IsAmong(std::string_view name, Names names) {
  return std::ranges::find(names, name) != names.end();
}

bool IsOfType(const Value& node, std::string_view type) {
  return node.Get("type").text_or_empty() == type;
}

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

// What a count is called, by its last word: "minReplicas" -> "replicas".
struct CountName {
  std::string_view name;
  CountField::Role role;
};
constexpr std::array kCounts = {
    CountName{"replicas", CountField::Role::kReplicas},
    CountName{"replicacount", CountField::Role::kReplicas},
    CountName{"numreplicas", CountField::Role::kReplicas},
    CountName{"instances", CountField::Role::kReplicas},
    CountName{"numinstances", CountField::Role::kReplicas},
    CountName{"parallelism", CountField::Role::kReplicas},
    CountName{"parallel", CountField::Role::kReplicas},
    CountName{"numnodes", CountField::Role::kReplicas},
    CountName{"numworkers", CountField::Role::kReplicas},
    CountName{"workers", CountField::Role::kReplicas},
    CountName{"count", CountField::Role::kReplicas},
    CountName{"completions", CountField::Role::kCompletions},
    CountName{"numofhosts", CountField::Role::kEach},
    CountName{"numhosts", CountField::Role::kEach},
    CountName{"hosts", CountField::Role::kEach},
    CountName{"nodecount", CountField::Role::kEach},
    CountName{"podsperreplica", CountField::Role::kEach},
    CountName{"size", CountField::Role::kEach},
    CountName{"pipeline", CountField::Role::kEach},
    CountName{"pipelineparallelsize", CountField::Role::kEach},
};
constexpr std::array<std::string_view, 10> kBounded = {
    "replicas", "available", "instances", "executors", "nodes",
    "workers",  "members",   "member",    "count",     "replicacount"};

// Fields that hold the bounds of what they stand beside.
bool HoldsCounts(std::string_view field) {
  return IsAmong(ToLower(field), {"multinode", "scaling", "scale", "scaleconfig", "autoscaling",
                                  "autoscalingconfig", "autoscaler", "elasticpolicy", "hpa",
                                  "dynamicallocation", "parallelism"});
}

class Finder {
 public:
  Finder(const Schema& schema, const BuiltIns& built_ins)
      : schema_(schema), core_(built_ins.Core("PodSpec")), root_(schema.Resolve(schema.root())) {}

  FoundPods Run() {
    if (!root_.is_object()) {
      found_.open.push_back({});
      return std::move(found_);
    }
    for (const json::Member& member : InOrder(root_)) {
      if (IsAmong(member.key, {"apiVersion", "kind", "metadata", "status"})) continue;
      Enter(member.key, member.value);
    }
    LeaveOutWeak();
    for (Candidate& candidate : candidates_) Complete(candidate);
    FindMinimum();
    for (Candidate& candidate : candidates_) found_.pods.push_back(std::move(candidate.pod));
    MakeNamesUnique();
    return std::move(found_);
  }

 private:
  // An object on the way.
  struct Level {
    Place place;
    Value node;
  };
  struct Candidate {
    PodPlace pod;
    std::vector<Level> above;  // the objects that it is in, the outermost first
    // Nothing of its own says that it is placed as a pod.
    bool is_weak = false;
  };
  static constexpr std::size_t kDeepest = 24;
  static constexpr std::size_t kMostNodes = 100'000;
  static constexpr std::size_t kMostPods = 200;

  static std::vector<json::Member> InOrder(const Value& node) {
    std::vector<json::Member> members;
    Value properties = node.Get("properties");
    if (!properties.is_object()) return members;
    for (std::size_t i = 0; i < properties.size(); ++i) {
      members.push_back(properties.member_in_source_order(i));
    }
    return members;
  }
  Value Field(const Value& node, std::string_view key) const { return FieldOf(schema_, node, key); }
  bool HasField(const Value& node, std::string_view key) const {
    return node.Get("properties").Find(key) != nullptr;
  }
  std::size_t CountOf(const Value& node, Names names) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(names, [&](std::string_view name) { return HasField(node, name); }));
  }

  // --- Shapes.

  bool IsPodSpec(const Value& node) const {
    Value containers = Field(node, "containers");
    if (!IsOfType(containers, "array")) return false;
    Value item = schema_.Resolve(containers.Get("items"));
    bool is_container = CountOf(item, {"name", "image", "resources", "env"}) >= 2;
    bool is_about_pods =
        CountOf(node, {"volumes", "nodeSelector", "tolerations", "affinity", "restartPolicy",
                       "serviceAccountName", "initContainers", "schedulerName"}) >= 2;
    return is_about_pods || (is_container && CountOf(node, {"image", "containerImage"}) == 0);
  }
  bool IsPodTemplate(const Value& node) const { return IsPodSpec(Field(node, "spec")); }
  // A list of these is a part of a pod description, and alone one is all of it.
  bool IsContainer(const Value& node) const {
    return HasField(node, "image") &&
           CountOf(node, {"command", "args", "volumeMounts", "ports", "env", "resources",
                          "livenessProbe", "imagePullPolicy"}) >= 4;
  }
  bool AsksForResources(const Value& node) const {
    for (std::string_view key : {"resources", "resourcesPerNode", "resourceRequirements"}) {
      if (CountOf(Field(node, key), {"limits", "requests"}) > 0) return true;
    }
    return false;
  }
  // How much says that the fields of a pod description are at hand, one by one.
  std::size_t Pieces(const Value& node) const {
    std::size_t points = AsksForResources(node) ? 3 : 0;
    if (CountOf(Field(node, "resources"), {"cpu", "memory"}) == 2) points += 2;
    Value toleration = schema_.Resolve(Field(node, "tolerations").Get("items"));
    if (CountOf(toleration, {"effect", "key"}) == 2) points += 2;
    if (CountOf(Field(node, "affinity"), {"nodeAffinity", "podAffinity"}) > 0) points += 2;
    points += CountOf(node, {"image",          "nodeSelector",   "env",
                             "envFrom",        "labels",         "podLabels",
                             "annotations",    "podAnnotations", "serviceAccountName",
                             "serviceAccount", "schedulerName",  "priorityClassName",
                             "volumes",        "volumeMounts",   "securityContext",
                             "cores",          "memory",         "replicas",
                             "instances",      "sidecars",       "initContainers"});
    return points;
  }
  bool HasPieces(const Value& node) const {
    return Pieces(node) >= 4 &&
           (AsksForResources(node) || HasField(node, "image") || HasField(node, "cores") ||
            CountOf(Field(node, "resources"), {"cpu", "memory"}) == 2);
  }
  bool IsScheduled(const Value& node) const {
    return CountOf(node, {"tolerations", "nodeSelector", "affinity", "replicas"}) >= 2;
  }

  // Of an object that has a pod template in its spec.
  static std::optional<definition::GroupVersionKind> KindBySpec(const Finder& finder,
                                                                const Value& spec) {
    if (finder.CountOf(spec, {"parallelism", "completions", "backoffLimit"}) >= 2) {
      return definition::GroupVersionKind{"batch", "v1", "Job"};
    }
    if (finder.HasField(spec, "volumeClaimTemplates") && finder.HasField(spec, "serviceName")) {
      return definition::GroupVersionKind{"apps", "v1", "StatefulSet"};
    }
    if (finder.CountOf(spec, {"replicas", "selector", "strategy"}) == 3) {
      return definition::GroupVersionKind{"apps", "v1", "Deployment"};
    }
    return std::nullopt;
  }

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
    Value node = schema_.Resolve(raw);
    std::string_view field = path_.back().is_field() ? std::string_view(path_.back().key) : "";
    std::string lower = ToLower(field);
    bool is_variant = std::ranges::any_of(
        Names{"override", "patch", "canary"},
        [&](std::string_view word) { return lower.find(word) != std::string::npos; });
    if (is_variant && !lower.empty()) {
      if (MentionsPods(node, 0)) Note("is a variant of what is described elsewhere");
      return;
    }
    if (node.Get("x-kubernetes-embedded-resource").is_true()) {
      found_.embedded.push_back(path_);
      return;
    }
    if (IsPodTemplate(node)) {
      Add(PodPlace::Form::kTemplate, "it has metadata and a spec with containers");
      return;
    }
    if (IsPodSpec(node)) {
      Add(PodPlace::Form::kSpec, "it has containers beside other fields of a pod spec");
      return VisitOwnFields(node);
    }
    if (IsOfType(node, "array")) {
      // Containers are parts of pods.
      Value items = schema_.Resolve(node.Get("items"));
      if (IsContainer(items) && !HasField(items, "template")) return;
      return EnterAll(PlaceStep::Kind::kItems, items);
    }
    if (node.Get("properties").is_object() && node.Get("properties").size() > 0) {
      return VisitObject(node);
    }
    if (node.Get("additionalProperties").is_object()) {
      return EnterAll(PlaceStep::Kind::kValues, node.Get("additionalProperties"));
    }
    if (schema_.IsOpen(node)) VisitOpen(lower);
  }

  void VisitObject(const Value& node) {
    levels_.push_back({path_, node});
    std::size_t before = candidates_.size();
    bool has_pieces = HasPieces(node);
    for (const json::Member& member : InOrder(node)) Enter(member.key, member.value);
    if (has_pieces) Judge(node, before);
    levels_.pop_back();
  }

  // An object has the pieces of a pod description; `before`: what was found below it follows.
  void Judge(const Value& node, std::size_t before) {
    auto below = std::span(candidates_).subspan(before);
    auto is_direct = [&](const Candidate& one) { return one.pod.place.size() == path_.size() + 1; };
    auto is_base = [&](const Candidate& one) {
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
    bool is_placed = IsScheduled(node) || HasField(node, "resourcesPerNode");
    bool is_container = IsContainer(node) && !is_placed && !base;
    Add(is_container ? PodPlace::Form::kContainer : PodPlace::Form::kFragments,
        is_container ? "it has the fields of a container" : PiecesText(node));
    Candidate& candidate = candidates_.back();
    if (!is_container) AddPieces(node, base, candidate.pod);
    candidate.is_weak = !base && !is_placed;
  }

  std::string PiecesText(const Value& node) const {
    std::vector<std::string> names;
    for (std::string_view name : {"image", "resources", "resourcesPerNode", "cores", "memory",
                                  "nodeSelector", "tolerations", "affinity", "env"}) {
      if (HasField(node, name)) names.emplace_back(name);
    }
    return Cat("it has fields of a pod: ", Join(names, ", "));
  }

  // Fields beside those that every pod spec has.
  void VisitOwnFields(const Value& node) {
    Value known = core_.root().Get("properties");
    levels_.push_back({path_, node});
    for (const json::Member& member : InOrder(node)) {
      if (known.Find(member.key) != nullptr) continue;
      std::size_t before = candidates_.size();
      Enter(member.key, member.value);
      // What is not a pod on its own describes a part of this one.
      auto first = candidates_.begin() + static_cast<std::ptrdiff_t>(before);
      auto rest = std::remove_if(first, candidates_.end(), [](const Candidate& candidate) {
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

  bool MentionsPods(const Value& node, int depth) const {
    if (depth > 4) return false;
    if (IsPodSpec(node)) return true;
    if (node.Find("items") != nullptr) {
      return MentionsPods(schema_.Resolve(node.Get("items")), depth + 1);
    }
    return std::ranges::any_of(InOrder(node), [&](const json::Member& member) {
      return MentionsPods(schema_.Resolve(member.value), depth + 1);
    });
  }

  void Note(std::string_view what) { found_.notes.push_back(Cat(PlaceText(path_), ' ', what)); }

  void Add(PodPlace::Form form, std::string why) {
    Candidate& candidate = candidates_.emplace_back();
    candidate.pod.form = form;
    candidate.pod.place = path_;
    candidate.pod.why = std::move(why);
    candidate.above = levels_;
    // Counts may stand among the fields of the pod itself.
    if (form != PodPlace::Form::kTemplate) candidate.above.push_back({path_, NodeAt(path_)});
  }

  Value NodeAt(const Place& place) const {
    Value node = root_;
    for (const PlaceStep& step : place) {
      switch (step.kind) {
        case PlaceStep::Kind::kField:
          node = Field(node, step.key);
          break;
        case PlaceStep::Kind::kItems:
          node = schema_.Resolve(node.Get("items"));
          break;
        case PlaceStep::Kind::kValues:
          node = schema_.Resolve(node.Get("additionalProperties"));
          break;
      }
    }
    return node;
  }

  // --- Pieces.

  void AddPieces(const Value& node, const std::optional<PodPlace>& base, PodPlace& pod) const {
    auto add = [&](std::string_view piece, std::string path) {
      pod.pieces.emplace_back(std::string(piece), std::move(path));
    };
    std::string spec;  // of the pod spec that is below
    if (base) {
      std::string field = FieldsText(base->place, path_.size(), base->place.size());
      spec = base->form == PodPlace::Form::kTemplate ? Cat(field, ".spec") : field;
    }
    std::string resources;
    for (std::string_view key : {"resources", "resourcesPerNode", "resourceRequirements"}) {
      if (CountOf(Field(node, key), {"limits", "requests"}) > 0) resources = Cat('.', key);
    }
    bool is_short = resources.empty() && CountOf(Field(node, "resources"), {"cpu", "memory"}) == 2;
    Value image = Field(node, "image");
    std::string image_path;
    if (IsOfType(image, "string")) image_path = ".image";
    if (HasField(image, "repository") && HasField(image, "tag")) {
      image_path =
          ".image | if .repository == null then null else \"\\(.repository):\\(.tag // "
          "\"latest\")\" end";
    }
    // "limits: {gpu: 1}" is not how pods ask.
    bool has_gpu = false;
    for (std::string_view key : {"resources", "resourcesPerNode", "resourceRequirements"}) {
      has_gpu = has_gpu || HasField(Field(Field(node, key), "limits"), "gpu");
    }
    if (has_gpu) {
      CatTo(resources,
            " // {} | {requests, limits} | map_values(select(. != null) | {cpu, memory, "
            "\"nvidia.com/gpu\": .gpu} | with_entries(select(.value != null)))");
    }
    if (!spec.empty()) {
      std::string containers = Cat(spec, ".containers // [{name: \"main\"}]");
      if (!resources.empty()) {
        containers = Cat(". as $part | ", containers,
                         " | [.[] | . + {resources: (.resources // ($part | ", resources, "))}]");
      }
      add("containersPath", std::move(containers));
    } else if (!resources.empty()) {
      add("resourcesPath", resources);
    } else if (is_short) {
      add("resourcesPath",
          ".resources // {} | {requests: ({cpu, memory} | with_entries(select(.value != null)))}");
    } else if (CountOf(Field(node, "gpu"), {"name", "quantity"}) == 2) {
      add("resourcesPath",
          "if .gpu.name == null then {} else {limits: {(.gpu.name): (.gpu.quantity | tostring)}} "
          "end");
    }
    if (!image_path.empty()) add("imagePath", image_path);
    for (std::string_view key : {"podLabels", "labels"}) {
      if (IsOfType(Field(node, key), "object")) {
        add("labelsPath", Cat('.', key));
        break;
      }
    }
    for (std::string_view key : {"podAnnotations", "annotations"}) {
      if (IsOfType(Field(node, key), "object")) {
        add("annotationsPath", Cat('.', key));
        break;
      }
    }
    if (IsOfType(Field(node, "schedulerName"), "string"))
      add("schedulerNamePath", ".schedulerName");
    if (IsOfType(Field(node, "priorityClassName"), "string")) {
      add("priorityClassNamePath", ".priorityClassName");
    }
    if (HasField(Field(node, "affinity"), "nodeAffinity")) {
      add("nodeAffinityPath", ".affinity.nodeAffinity");
    }
    if (HasField(Field(node, "affinity"), "podAffinity")) {
      add("podAffinityPath", ".affinity.podAffinity");
    }
    if (pod.pieces.empty()) add("imagePath", "null");
  }

  // --- What belongs to a place.

  // Beside pods that are sure, what merely has an image is a setting.
  void LeaveOutWeak() {
    bool has_sure = std::ranges::any_of(
        candidates_, [](const Candidate& candidate) { return !candidate.is_weak; });
    if (!has_sure) return;
    std::erase_if(candidates_, [&](const Candidate& candidate) {
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

  void Complete(Candidate& candidate) {
    PodPlace& pod = candidate.pod;
    const std::vector<Level>& levels = candidate.above;
    Name(pod);
    NameKind(pod);
    NameInstances(pod);
    const Value* holder = levels.empty() ? nullptr : &levels.back().node;
    pod.is_required = holder != nullptr && !pod.place.empty() && pod.place.back().is_field() &&
                      Lists(holder->Get("required"), pod.place.back().key);
    RankIn(pod, levels);
    for (const Level& level : levels) {
      if (!IsOfOthers(pod, level.place)) AddCounts(pod, level);
    }
    AddBounds(pod, levels);
    FindGroups(pod, levels);
  }

  static bool Lists(const Value& list, std::string_view text) {
    return list.is_array() && std::ranges::any_of(list.items(), [&](const Value& item) {
             return item.text_or_empty() == text;
           });
  }

  void Name(PodPlace& pod) {
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
      std::optional<definition::GroupVersionKind> kind = KindBySpec(*this, NodeAt(spec));
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
      auto [id, why] = NameIn(NodeAt(list), NodeAt(upto));
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
        IsOfType(Field(item, keys[0].as_string()), "string")) {
      return {path(keys[0].as_string()),
              Cat(keys[0].as_string(), " is the key of the list (x-kubernetes-list-map-keys)")};
    }
    if (IsOfType(Field(item, "name"), "string")) return {path("name"), "the items have names"};
    for (const json::Member& member : InOrder(item)) {
      bool is_name = member.key.ends_with("Name") &&
                     IsOfType(schema_.Resolve(member.value), "string") &&
                     Lists(item.Get("required"), member.key);
      if (is_name) return {path(member.key), Cat("every item has to have a ", member.key)};
    }
    Value meta = Field(item, "metadata");
    if (IsOfType(Field(meta, "name"), "string")) {
      return {".metadata.name // \"\"", "the items have metadata with a name"};
    }
    for (const json::Member& member : InOrder(item)) {
      if (member.key.ends_with("Name") && IsOfType(schema_.Resolve(member.value), "string")) {
        return {path(member.key), Cat("guess: the items have a ", member.key)};
      }
    }
    return {".name // \"\"", "guess: a name, though nothing in the schema names an item"};
  }

  // --- Counts.

  // Leaders and workers of groups stand beside each other, with the size of a group.
  void RankIn(PodPlace& pod, const std::vector<Level>& levels) const {
    if (pod.place.empty() || !pod.place.back().is_field()) return;
    for (const Level& level : levels) {
      if (level.place.size() + 1 != pod.place.size()) continue;
      std::string leader;
      std::string worker;
      for (const Candidate& other : candidates_) {
        const Place& place = other.pod.place;
        if (place == level.place || !Describes(level.place, place)) continue;
        std::string lower = ToLower(place.back().key);
        if (lower.starts_with("worker")) worker = place.back().key;
        if (lower.starts_with("leader")) leader = place.back().key;
        if (lower == "template" && leader.empty()) leader = place.back().key;
      }
      bool has_size =
          HasField(level.node, "size") || HasField(Field(level.node, "parallelism"), "pipeline");
      if (leader.empty() || worker.empty() || !has_size) return;
      const std::string& key = pod.place.back().key;
      if (key != leader && key != worker) return;
      pod.rank = key == leader ? PodPlace::Rank::kLeader : PodPlace::Rank::kWorker;
      if (key == leader) return;
      pod.leader = level.place;
      pod.leader->push_back({PlaceStep::Kind::kField, leader});
    }
  }

  void AddCounts(PodPlace& pod, const Level& level) const {
    std::size_t before = pod.counts.size();
    for (const json::Member& member : InOrder(level.node)) {
      Value value = schema_.Resolve(member.value);
      std::string lower = ToLower(member.key);
      Place place = level.place;
      place.push_back({PlaceStep::Kind::kField, std::string(member.key)});
      if (IsCount(value)) {
        auto known = std::ranges::find(kCounts, lower, &CountName::name);
        if (known != kCounts.end()) AddCount(pod, place, known->role, value);
      } else if (HoldsCounts(member.key)) {
        AddNestedCounts(pod, place, value);
      }
    }
    // Copies before what each of them has.
    std::stable_sort(pod.counts.begin() + static_cast<std::ptrdiff_t>(before), pod.counts.end(),
                     [](const CountField& a, const CountField& b) { return a.role < b.role; });
  }

  // "multinode: {nodeCount}", "multiNode: {parallelism: {pipeline}}".
  void AddNestedCounts(PodPlace& pod, const Place& above, const Value& node, int depth = 0) const {
    for (const json::Member& member : InOrder(node)) {
      Value value = schema_.Resolve(member.value);
      Place place = above;
      place.push_back({PlaceStep::Kind::kField, std::string(member.key)});
      if (depth == 0 && !IsCount(value) && HoldsCounts(member.key)) {
        AddNestedCounts(pod, place, value, depth + 1);
        continue;
      }
      auto known = std::ranges::find(kCounts, ToLower(member.key), &CountName::name);
      if (!IsCount(value) || known == kCounts.end() || known->role != CountField::Role::kEach) {
        continue;
      }
      std::size_t before = pod.counts.size();
      AddCount(pod, place, known->role, value);
      if (pod.counts.size() == before) continue;
      CountField& added = pod.counts.back();
      added.holder = above;
      if (HasField(node, "data") && HasField(node, "dataLocal")) {
        Place data = above;
        data.push_back({PlaceStep::Kind::kField, "data"});
        Place local = above;
        local.push_back({PlaceStep::Kind::kField, "dataLocal"});
        added.ratio.emplace(std::move(data), std::move(local));
      }
    }
  }

  static void AddCount(PodPlace& pod, Place place, CountField::Role role, const Value& value) {
    CountField count;
    count.place = std::move(place);
    count.role = role;
    if (value.Get("default").is_int()) {
      count.otherwise = value.Get("default").as_int();
      count.is_stated = true;
    }
    // Two names of one number in one object: the first counts.
    Place above(count.place.begin(), count.place.end() - 1);
    bool is_twin = std::ranges::any_of(pod.counts, [&](const CountField& other) {
      return other.role == role && other.place.size() == count.place.size() &&
             std::equal(above.begin(), above.end(), other.place.begin());
    });
    if (!is_twin) pod.counts.push_back(std::move(count));
  }

  // Whether the numbers of an object are about pods that it describes itself, and so not about one
  // further down.
  bool IsOfOthers(const PodPlace& pod, const Place& level) const {
    return !Describes(level, pod.place) &&
           std::ranges::any_of(candidates_, [&](const Candidate& other) {
             return Describes(level, other.pod.place);
           });
  }

  // Whether pods are described by the fields of an object, or one of them.
  static bool Describes(const Place& level, const Place& pod) {
    return pod == level || (IsBelow(pod, level) && pod.size() == level.size() + 1);
  }

  // The innermost bounds that are its own.
  void AddBounds(PodPlace& pod, const std::vector<Level>& levels) const {
    for (std::size_t i = levels.size(); i-- > 0;) {
      // Beyond the list that it is in, only what names it is about it alone.
      bool is_own = levels[i].place.size() >= EndOfLists(pod.place);
      is_own = is_own && !IsOfOthers(pod, levels[i].place) &&
               (Describes(levels[i].place, pod.place) || !SharesLevel(levels[i].place));
      AddBoundsAt(pod, levels[i].place, levels[i].node, is_own, 0);
    }
  }

  // Whether other pods are below it too.
  bool SharesLevel(const Place& place) const {
    return std::ranges::count_if(candidates_, [&](const Candidate& candidate) {
             return IsBelow(candidate.pod.place, place);
           }) > 1;
  }

  // What stands in the object itself comes before what stands in one that holds bounds.
  void AddBoundsAt(PodPlace& pod, const Place& above, const Value& node, bool is_own,
                   int depth) const {
    for (const json::Member& member : InOrder(node)) {
      if (!IsCount(schema_.Resolve(member.value))) continue;
      AddBound(pod, above, member.key, is_own);
    }
    if (depth == 2) return;
    for (const json::Member& member : InOrder(node)) {
      if (!HoldsCounts(member.key)) continue;
      Place place = above;
      place.push_back({PlaceStep::Kind::kField, std::string(member.key)});
      // The policy of a map with workers among its entries.
      bool is_elastic = ToLower(member.key) == "elasticpolicy" && ListsOn(pod.place) == 1;
      AddBoundsAt(pod, place, schema_.Resolve(member.value), is_own || is_elastic, depth + 1);
    }
  }

  static void AddBound(PodPlace& pod, const Place& above, std::string_view key, bool is_own) {
    std::string lower = ToLower(key);
    std::string_view what = lower;
    std::optional<Place>* bound = nullptr;
    if (lower.starts_with("min")) {
      bound = &pod.min;
      what.remove_prefix(3);
    } else if (lower.starts_with("max")) {
      bound = &pod.max;
      what.remove_prefix(3);
    } else if (lower.starts_with("initial")) {
      bound = &pod.initial;
      what.remove_prefix(7);
    }
    if (bound == nullptr || *bound) return;
    if (std::ranges::find(kBounded, what) == kBounded.end()) return;
    // "minExecutors" is about the executor.
    bool names_it = what.substr(0, what.size() - 1) == pod.name;
    if (!names_it && (!is_own || what == "executors")) return;
    Place& place = bound->emplace(above);
    place.push_back({PlaceStep::Kind::kField, std::string(key)});
  }

  // --- Of the whole.

  // "minAvailable" of the whole, where pods stand in lists further down.
  void FindMinimum() {
    bool is_listed = std::ranges::all_of(
        candidates_, [](const Candidate& one) { return ListsOn(one.pod.place) > 0; });
    if (!is_listed) return;
    Place path{{PlaceStep::Kind::kField, "spec"}};
    FindMinimumIn(Field(root_, "spec"), path);
  }

  // Policies are about the whole too.
  void FindMinimumIn(const Value& node, Place& path) {
    for (const json::Member& member : InOrder(node)) {
      if (found_.minimum) return;
      Value value = schema_.Resolve(member.value);
      std::string lower = ToLower(member.key);
      path.push_back({PlaceStep::Kind::kField, std::string(member.key)});
      if (IsAmong(lower, {"minavailable", "minmember", "minmembers"}) && IsCount(value)) {
        found_.minimum = path;
      } else if (lower.ends_with("policy") && path.size() < 4) {
        FindMinimumIn(value, path);
      }
      path.pop_back();
    }
  }

  // A list beside the one that the pods are in, whose items name items of that.
  void FindGroups(PodPlace& pod, const std::vector<Level>& levels) const {
    if (ListsOn(pod.place) != 1) return;
    std::size_t list = EndOfLists(pod.place) - 1;
    if (list == 0 || pod.place[list].kind != PlaceStep::Kind::kItems) return;
    std::string stem = ToLower(pod.place[list - 1].key);
    if (stem.ends_with('s')) stem.pop_back();
    for (const Level& level : levels) {
      if (level.place.size() + 1 != list) continue;
      for (const json::Member& member : InOrder(level.node)) {
        Value item = schema_.Resolve(schema_.Resolve(member.value).Get("items"));
        if (!IsCount(Field(item, "replicas"))) continue;
        for (const json::Member& field : InOrder(item)) {
          Value names = schema_.Resolve(field.value);
          bool is_list = IsOfType(schema_.Resolve(names.Get("items")), "string");
          if (!is_list || ToLower(field.key) != Cat(stem, "names")) continue;
          NamedBy& named = pod.named_by.emplace();
          named.list = level.place;
          named.list.push_back({PlaceStep::Kind::kField, std::string(member.key)});
          named.names = field.key;
          named.replicas = "replicas";
        }
      }
    }
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

  const Schema& schema_;
  Schema core_;
  Value root_;
  Place path_;
  std::vector<Level> levels_;
  std::size_t nodes_ = 0;
  FoundPods found_;
  std::vector<Candidate> candidates_;
};

}  // namespace

FoundPods FindPods(const Schema& schema, const BuiltIns& built_ins) {
  return Finder(schema, built_ins).Run();
}

}  // namespace wmap::schema
