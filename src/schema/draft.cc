#include "schema/draft.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/text.h"
#include "schema/draft_samples.h"
#include "schema/draft_text.h"
#include "schema/sample_schema.h"

namespace wmap::schema {
namespace {

using json::Value;

std::string DefinitionName(const definition::GroupVersionKind& kind) {
  std::string name;
  for (const std::string& part : {kind.group, kind.kind, kind.version}) {
    if (part.empty()) continue;
    CatTo(name, name.empty() ? "" : "-", ToLower(part));
  }
  std::ranges::replace(name, '.', '-');
  return name;
}

std::string Texts(const std::vector<Place>& places) {
  std::vector<std::string> texts;
  for (const Place& place : places) {
    std::string text = PlaceText(place);
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
  }
  return Join(texts, ", ");
}

// Why there are none.
Error NoPods(const DraftRequest& request, const FoundPods& found) {
  std::string message = Cat("nothing in ", request.kind.Describe(), " describes pods");
  if (!found.open.empty()) {
    CatTo(message, ": the schema says nothing of ", Texts(found.open),
          request.samples.empty() ? "; give objects of the kind by --sample" : "");
  } else if (!found.embedded.empty()) {
    CatTo(message, " itself: ", Texts(found.embedded), " holds objects of other kinds");
  }
  return Error(Code::kNotFound, std::move(message));
}

// A part of an object under way.
struct Tree {
  std::vector<std::pair<std::string, std::unique_ptr<Tree>>> fields;
  std::unique_ptr<Tree> item;
  Value value;

  Tree& Field(const std::string& key) {
    for (auto& [name, field] : fields) {
      if (name == key) return *field;
    }
    return *fields.emplace_back(key, std::make_unique<Tree>()).second;
  }

  Value Build(Arena& arena) const {
    if (item != nullptr) {
      Value one = item->Build(arena);
      return json::MakeArray(arena, std::span(&one, 1));
    }
    if (fields.empty()) return value;
    json::ObjectBuilder object;
    for (const auto& [key, field] : fields) {
      object.Add(json::MakeString(arena, key).as_string(), field->Build(arena));
    }
    return object.Finish(arena);
  }
};

// Where pods are numbered in their group there is a leader, with a template of its own or without.
void LetLeadersLead(const SeenPods& seen, std::vector<PodPlace>& pods) {
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if (!seen.selectors[i].is_index || !pods[i].leader) continue;
    auto leader = std::ranges::find(pods, *pods[i].leader, &PodPlace::place);
    pods[i].leader.reset();
    if (leader != pods.end()) leader->fallback = pods[i].place;
  }
}

// Goes to a place; `name` is the key of what is made in maps on the way.
Tree& GoTo(const Place& place, const std::string& name, Tree& root) {
  Tree* at = &root;
  for (const PlaceStep& step : place) {
    if (step.is_field()) {
      at = &at->Field(step.key);
    } else if (step.kind == PlaceStep::Kind::kItems) {
      if (at->item == nullptr) at->item = std::make_unique<Tree>();
      at = at->item.get();
    } else {
      at = &at->Field(name);
    }
  }
  return *at;
}

void AddContainer(Tree& container, Arena& arena) {
  container.Field("name").value = Value::String("main");
  container.Field("image").value = Value::String("example/image:1");
  container.Field("resources").Field("limits").Field("nvidia.com/gpu").value = Value::Int(1);
  static_cast<void>(arena);
}

void AddPod(const PodPlace& pod, Tree& root, Arena& arena) {
  Tree& at = GoTo(pod.place, pod.name, root);
  auto container = [&](Tree& spec) -> Tree& {
    Tree& list = spec.Field("containers");
    if (list.item == nullptr) list.item = std::make_unique<Tree>();
    return *list.item;
  };
  switch (pod.form) {
    case PodPlace::Form::kTemplate:
      AddContainer(container(at.Field("spec")), arena);
      break;
    case PodPlace::Form::kSpec:
      AddContainer(container(at), arena);
      break;
    case PodPlace::Form::kContainer:
      AddContainer(at, arena);
      break;
    case PodPlace::Form::kFragments:
      for (const auto& [piece, path] : pod.pieces) {
        if (piece == "resourcesPath" && path.find(' ') == std::string::npos) {
          at.Field(path.substr(1)).Field("limits").Field("nvidia.com/gpu").value = Value::Int(1);
        } else if (piece == "imagePath" && path == ".image") {
          at.Field("image").value = Value::String("example/image:1");
        }
      }
      break;
  }
  // Names of the instances.
  std::size_t list = 0;
  for (std::size_t i = 0; i < pod.place.size(); ++i) {
    if (pod.place[i].is_field()) continue;
    const std::string& id = pod.ids[list++];
    if (pod.place[i].kind == PlaceStep::Kind::kValues) continue;
    Place item(pod.place.begin(), pod.place.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    Tree* field = &GoTo(item, pod.name, root);
    std::string_view path = std::string_view(id).substr(0, id.find(" //"));
    while (path.starts_with('.')) {
      path.remove_prefix(1);
      std::size_t end = std::min(path.find('.'), path.size());
      field = &field->Field(std::string(path.substr(0, end)));
      path.remove_prefix(end);
    }
    field->value = json::MakeString(arena, pod.name);
  }
  for (const CountField& count : pod.counts) {
    if (count.role == CountField::Role::kCompletions) continue;
    GoTo(count.place, pod.name, root).value = Value::Int(2);
  }
}

}  // namespace

Result<Draft> MakeDraft(const DraftRequest& request, const BuiltIns& built_ins) {
  Arena arena;
  std::vector<Value> own = SamplesOf(request.kind, request.samples);
  Schema schema =
      own.empty() ? request.schema : FillOpen(request.schema, ShapeOf(own, arena), arena);
  Draft draft;
  draft.name = DefinitionName(request.kind);
  draft.pods = FindPods(schema, built_ins);
  if (draft.pods.pods.empty()) return std::unexpected(NoPods(request, draft.pods));
  std::vector<Place> places;
  for (const PodPlace& pod : draft.pods.pods) places.push_back(pod.place);
  draft.status = FindStatus(schema, places, own);
  SeenPods seen = ReadSamples(request.kind, draft.pods, request.samples);
  LetLeadersLead(seen, draft.pods.pods);
  DraftParts parts;
  parts.kind = request.kind;
  parts.name = draft.name;
  parts.has_schema = !request.schema.says_nothing();
  parts.pods = &draft.pods;
  parts.status = &draft.status;
  parts.seen = &seen;
  if (draft.status.conditions) {
    Value item = schema.Resolve(
        FieldOf(schema, FieldOf(schema, schema.Resolve(schema.root()), "status"), "conditions")
            .Get("items"));
    parts.has_reason =
        FieldOf(schema, item, "reason").is_object() && FieldOf(schema, item, "message").is_object();
  }
  draft.text = WriteDraft(parts);
  if (!draft.pods.open.empty()) {
    draft.notes.push_back(Cat("the schema says nothing of ", Texts(draft.pods.open),
                              ": what is there cannot be found"));
  }
  for (const PodPlace& pod : draft.pods.pods) {
    if (!pod.is_open) continue;
    draft.notes.push_back(
        Cat("the schema leaves ", PlaceText(pod.place), " open: it is taken for pods by its name"));
  }
  return draft;
}

Value MakeObject(const DraftRequest& request, const Draft& draft, Arena& arena) {
  Tree root;
  root.Field("apiVersion").value = json::MakeString(arena, request.kind.api_version());
  root.Field("kind").value = json::MakeString(arena, request.kind.kind);
  root.Field("metadata").Field("name").value = Value::String("example");
  root.Field("metadata").Field("namespace").value = Value::String("demo");
  for (const PodPlace& pod : draft.pods.pods) AddPod(pod, root, arena);
  return root.Build(arena);
}

}  // namespace wmap::schema
