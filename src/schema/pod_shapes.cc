#include "schema/pod_shapes.h"

#include <algorithm>

#include "base/text.h"
#include "schema/draft_pods.h"

namespace wmap::schema {

using json::Value;

bool IsAmong(std::string_view name, Names names) {
  return std::ranges::find(names, name) != names.end();
}

bool IsOfType(const Value& node, std::string_view type) {
  return node.Get("type").text_or_empty() == type;
}

bool Lists(const Value& list, std::string_view text) {
  return list.is_array() && std::ranges::any_of(list.items(), [&](const Value& item) {
           return item.text_or_empty() == text;
         });
}

Value PodShapes::NodeAt(const Place& place) const {
  Value node = Root();
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

std::vector<json::Member> PodShapes::InOrder(const Value& node) {
  std::vector<json::Member> members;
  Value properties = node.Get("properties");
  if (!properties.is_object()) return members;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    members.push_back(properties.member_in_source_order(i));
  }
  return members;
}
Value PodShapes::Field(const Value& node, std::string_view key) const {
  return FieldOf(schema_, node, key);
}
bool PodShapes::HasField(const Value& node, std::string_view key) {
  return node.Get("properties").Find(key) != nullptr;
}
std::size_t PodShapes::CountOf(const Value& node, Names names) {
  return static_cast<std::size_t>(
      std::ranges::count_if(names, [&](std::string_view name) { return HasField(node, name); }));
}

bool PodShapes::IsPodSpec(const Value& node) const {
  Value containers = Field(node, "containers");
  if (!IsOfType(containers, "array")) return false;
  Value item = schema_.Resolve(containers.Get("items"));
  bool is_container = CountOf(item, {"name", "image", "resources", "env"}) >= 2;
  bool is_about_pods =
      CountOf(node, {"volumes", "nodeSelector", "tolerations", "affinity", "restartPolicy",
                     "serviceAccountName", "initContainers", "schedulerName"}) >= 2;
  return is_about_pods || (is_container && CountOf(node, {"image", "containerImage"}) == 0);
}
bool PodShapes::IsContainer(const Value& node) const {
  return HasField(node, "image") &&
         CountOf(node, {"command", "args", "volumeMounts", "ports", "env", "resources",
                        "livenessProbe", "imagePullPolicy"}) >= 4;
}
bool PodShapes::AsksForResources(const Value& node) const {
  for (std::string_view key : {"resources", "resourcesPerNode", "resourceRequirements"}) {
    if (CountOf(Field(node, key), {"limits", "requests"}) > 0) return true;
  }
  return false;
}
// How much says that the fields of a pod description are at hand, one by one.
std::size_t PodShapes::Points(const Value& node) const {
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
bool PodShapes::HasPieces(const Value& node) const {
  return Points(node) >= 4 &&
         (AsksForResources(node) || HasField(node, "image") || HasField(node, "cores") ||
          CountOf(Field(node, "resources"), {"cpu", "memory"}) == 2);
}
bool PodShapes::IsScheduled(const Value& node) const {
  return CountOf(node, {"tolerations", "nodeSelector", "affinity", "replicas"}) >= 2;
}

// Of an object that has a pod template in its spec.
std::optional<definition::GroupVersionKind> PodShapes::KindBySpec(const Value& spec) {
  if (CountOf(spec, {"parallelism", "completions", "backoffLimit"}) >= 2) {
    return definition::GroupVersionKind{"batch", "v1", "Job"};
  }
  if (HasField(spec, "volumeClaimTemplates") && HasField(spec, "serviceName")) {
    return definition::GroupVersionKind{"apps", "v1", "StatefulSet"};
  }
  if (CountOf(spec, {"replicas", "selector", "strategy"}) == 3) {
    return definition::GroupVersionKind{"apps", "v1", "Deployment"};
  }
  return std::nullopt;
}

bool PodShapes::MentionsPods(const Value& node, int depth) const {
  if (depth > 4) return false;
  if (IsPodSpec(node)) return true;
  if (node.Find("items") != nullptr) {
    return MentionsPods(schema_.Resolve(node.Get("items")), depth + 1);
  }
  return std::ranges::any_of(InOrder(node), [&](const json::Member& member) {
    return MentionsPods(schema_.Resolve(member.value), depth + 1);
  });
}

std::string PodShapes::PiecesText(const Value& node) const {
  std::vector<std::string> names;
  for (std::string_view name : {"image", "resources", "resourcesPerNode", "cores", "memory",
                                "nodeSelector", "tolerations", "affinity", "env"}) {
    if (HasField(node, name)) names.emplace_back(name);
  }
  return Cat("it has fields of a pod: ", Join(names, ", "));
}

// Where its resources stand, as pods ask for them; "" without any.
std::string PodShapes::ResourcesText(const Value& node) const {
  std::string resources;
  for (std::string_view key : {"resources", "resourcesPerNode", "resourceRequirements"}) {
    if (CountOf(Field(node, key), {"limits", "requests"}) > 0) resources = Cat('.', key);
  }
  if (resources.empty()) return resources;
  // "limits: {gpu: 1}" is not how pods ask.
  Value given = Field(node, std::string_view(resources).substr(1));
  Value limits = Field(given, "limits");
  if (!HasField(limits, "gpu")) return resources;
  std::vector<std::string> amounts;
  for (std::string_view name : {"cpu", "memory"}) {
    if (HasField(limits, name)) amounts.emplace_back(name);
  }
  amounts.emplace_back("\"nvidia.com/gpu\": .gpu");
  return Cat(resources, " // {} | {", HasField(given, "requests") ? "requests, " : "",
             "limits} | map_values(select(. != null) | {", Join(amounts, ", "),
             "} | with_entries(select(.value != null)))");
}

std::vector<std::pair<std::string, std::string>> PodShapes::PiecesOf(
    const Value& node, const std::string& spec) const {
  std::vector<std::pair<std::string, std::string>> pieces;
  auto add = [&](std::string_view piece, std::string path) {
    pieces.emplace_back(std::string(piece), std::move(path));
  };
  std::string resources = ResourcesText(node);
  bool is_short = resources.empty() && CountOf(Field(node, "resources"), {"cpu", "memory"}) == 2;
  Value image = Field(node, "image");
  std::string image_path;
  if (IsOfType(image, "string")) image_path = ".image";
  if (HasField(image, "repository") && HasField(image, "tag")) {
    image_path =
        ".image | if .repository == null then null else \"\\(.repository):\\(.tag // "
        "\"latest\")\" end";
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
  if (IsOfType(Field(node, "schedulerName"), "string")) add("schedulerNamePath", ".schedulerName");
  if (IsOfType(Field(node, "priorityClassName"), "string")) {
    add("priorityClassNamePath", ".priorityClassName");
  }
  if (HasField(Field(node, "affinity"), "nodeAffinity")) {
    add("nodeAffinityPath", ".affinity.nodeAffinity");
  }
  if (HasField(Field(node, "affinity"), "podAffinity")) {
    add("podAffinityPath", ".affinity.podAffinity");
  }
  if (pieces.empty()) add("imagePath", "null");
  return pieces;
}

bool PodShapes::IsOfEveryPod(std::string_view field) const {
  return core_.root().Get("properties").Find(field) != nullptr;
}

}  // namespace wmap::schema
