#include "schema/documents.h"

#include <algorithm>
#include <set>
#include <utility>

namespace wmap::schema {

using expr::Kinds;
using expr::Known;
using expr::PathStep;
using json::Value;

namespace {

bool Has(const Value& list, std::string_view text) {
  return list.is_array() && std::ranges::any_of(list.items(), [&](const Value& item) {
           return item.text_or_empty() == text;
         });
}

Kinds KindsOfType(std::string_view type) {
  if (type == "object") return Kinds::kObject;
  if (type == "array") return Kinds::kArray;
  if (type == "string") return Kinds::kString;
  if (type == "integer" || type == "number") return Kinds::kNumber;
  if (type == "boolean") return Kinds::kBoolean;
  return Kinds::None();
}

// Whether it is a condition as Kubernetes has them, whose status is one of three words, also where
// its schema does not say so.
bool IsCondition(const Value& schema) {
  Value properties = schema.is_object() ? schema.Get("properties") : Value();
  return properties.is_object() && properties.Find("type") != nullptr &&
         properties.Find("reason") != nullptr && properties.Find("lastTransitionTime") != nullptr;
}

// Of every object; "spec" as well, without which no object is of use to anybody.
bool IsAlwaysThere(std::string_view key) {
  return key == "apiVersion" || key == "kind" || key == "metadata" || key == "spec";
}

}  // namespace

Documents::Documents(const BuiltIns& built_ins, std::vector<Schema> schemas)
    : object_meta_(built_ins.ObjectMeta()), schemas_(std::move(schemas)) {}

void Documents::AddList(std::string key, std::vector<Schema> schemas,
                        std::vector<std::string> kinds) {
  lists_.insert_or_assign(std::move(key), List{std::move(schemas), std::move(kinds)});
}

Documents::Node Documents::NodeOf(const Schema& schema, const Value& value) const {
  Node node = {.schema = &schema, .value = schema.Resolve(value)};
  node.is_object =
      node.value.is_object() && node.value.Get("x-kubernetes-embedded-resource").is_true();
  return node;
}

Kinds Documents::KindsOf(const Node& node) {
  if (node.is_object) return Kinds::kObject;
  const Value& value = node.value;
  if (!value.is_object()) return Kinds::Any();
  if (value.Get("x-kubernetes-int-or-string").is_true()) return Kinds::kNumber | Kinds::kString;
  Kinds kinds = KindsOfType(value.Get("type").text_or_empty());
  if (kinds.empty()) {
    for (std::string_view key : {"anyOf", "oneOf"}) {
      const Value* forms = value.Find(key);
      if (forms == nullptr || !forms->is_array()) continue;
      for (const Value& form : forms->items()) {
        if (form.is_object()) kinds |= KindsOfType(form.Get("type").text_or_empty());
      }
    }
  }
  if (kinds.empty() && value.Find("properties") != nullptr) kinds = Kinds::kObject;
  if (kinds.empty() && value.Find("items") != nullptr) kinds = Kinds::kArray;
  if (kinds.empty()) return Kinds::Any();
  if (value.Get("nullable").is_true()) kinds |= Kinds::kNull;
  return kinds;
}

Known Documents::Describe(Found found) {
  if (found.nodes.empty()) {
    return {.answer = found.is_open ? Known::Answer::kOpen : Known::Answer::kMissing};
  }
  Place place;
  place.nodes = std::move(found.nodes);
  Kinds kinds = Kinds::None();
  bool has_all_texts = !found.is_open;
  std::set<std::string> texts;
  for (const Node& node : place.nodes) {
    // A schema without a word of what stands there.
    Kinds of_node = KindsOf(node);
    if (of_node == Kinds::Any()) return {.answer = Known::Answer::kOpen};
    kinds |= of_node;
    if (!of_node.Has(Kinds::kString)) continue;
    if (node.is_condition_status && node.value.Find("enum") == nullptr) {
      texts.insert({"True", "False", "Unknown"});
      continue;
    }
    Value values = node.value.Get("enum");
    has_all_texts = has_all_texts && values.is_array();
    if (!values.is_array()) continue;
    for (const Value& text : values.items()) {
      if (text.is_string()) texts.emplace(text.as_string());
    }
  }
  if (found.may_be_absent) kinds |= Kinds::kNull;
  if (has_all_texts) place.texts.assign(texts.begin(), texts.end());
  auto handle = static_cast<std::uint32_t>(places_.size());
  const Place& added = places_.emplace_back(std::move(place));
  return {.answer = Known::Answer::kThere, .kinds = kinds, .texts = added.texts, .handle = handle};
}

Documents::Node Documents::ObjectOf(const Schema& schema) const {
  Node node = NodeOf(schema, schema.root());
  node.is_object = true;
  return node;
}

Known Documents::Add(Place place, Kinds kinds) {
  auto handle = static_cast<std::uint32_t>(places_.size());
  places_.push_back(std::move(place));
  return {.answer = Known::Answer::kThere, .kinds = kinds, .handle = handle};
}

Known Documents::Root() {
  Place place;
  for (const Schema& schema : schemas_) place.nodes.push_back(ObjectOf(schema));
  return Add(std::move(place), Kinds::kObject);
}

void Documents::AddMember(const Node& node, std::string_view key, Found& found) const {
  if (node.is_object && (key == "apiVersion" || key == "kind" || key == "metadata")) {
    const Schema& meta = object_meta_;
    Value labels = meta.root().Get("properties").Get("labels");
    // A text like any other, of the one thing that is sure to be there.
    Value text = labels.is_object() ? labels.Get("additionalProperties") : Value();
    found.nodes.push_back(NodeOf(meta, key == "metadata" ? meta.root() : text));
    return;
  }
  const Value& value = node.value;
  if (!value.is_object()) {
    found.is_open = true;
    return;
  }
  Value properties = value.Get("properties");
  const Value* member = properties.is_object() ? properties.Find(key) : nullptr;
  if (member != nullptr) {
    bool is_sure = Has(value.Get("required"), key) ||
                   (member->is_object() && member->Find("default") != nullptr) ||
                   (node.is_object && IsAlwaysThere(key)) ||
                   (node.schema == &object_meta_ && key == "name");
    found.may_be_absent = found.may_be_absent || !is_sure;
    found.nodes.push_back(NodeOf(*node.schema, *member));
    found.nodes.back().is_condition_status = key == "status" && IsCondition(value);
    return;
  }
  found.may_be_absent = true;
  const Value* others = value.Find("additionalProperties");
  if (others != nullptr && others->is_object()) {
    found.nodes.push_back(NodeOf(*node.schema, *others));
  } else if (IsOpen(node)) {
    found.is_open = true;
  }
}

void Documents::AddItems(const Node& node, Found& found) const {
  const Value& value = node.value;
  if (!value.is_object()) {
    found.is_open = true;
    return;
  }
  if (const Value* items = value.Find("items")) {
    Node item = NodeOf(*node.schema, *items);
    item.is_kept = IsOpen(node);
    found.nodes.push_back(item);
    return;
  }
  Value properties = value.Get("properties");
  if (properties.is_object()) {
    for (const json::Member& member : properties.members()) {
      found.nodes.push_back(NodeOf(*node.schema, member.value));
    }
  }
  const Value* others = value.Find("additionalProperties");
  if (others != nullptr && others->is_object()) {
    found.nodes.push_back(NodeOf(*node.schema, *others));
  } else if (IsOpen(node)) {
    found.is_open = true;
  }
}

Documents::Found Documents::Step(const Known& of, const PathStep& step) const {
  const Place& place = PlaceOf(of);
  Found found;
  if (place.list == nullptr) {
    for (const Node& node : place.nodes) {
      if (step.kind == PathStep::Kind::kKey) {
        AddMember(node, step.key, found);
      } else {
        AddItems(node, found);
      }
    }
  } else if (step.kind == PathStep::Kind::kAny) {
    for (const Schema& schema : place.list->schemas) found.nodes.push_back(ObjectOf(schema));
  }
  return found;
}

// The list of other objects that a document has as this member, or null.
const Documents::List* Documents::ListAt(const Known& of, const PathStep& step) const {
  const Place& place = PlaceOf(of);
  bool is_document = !place.nodes.empty() && place.nodes[0].is_object;
  if (!is_document || step.kind != PathStep::Kind::kKey) return nullptr;
  auto list = lists_.find(step.key);
  return list == lists_.end() ? nullptr : &list->second;
}

Known Documents::Go(const Known& of, const PathStep& step) {
  if (const List* list = ListAt(of, step)) {
    return Add({.list = list}, Kinds::kArray | Kinds::kNull);
  }
  const List* list = PlaceOf(of).list;
  const List* item_of = PlaceOf(of).item_of;
  bool is_kind = item_of != nullptr && step.key == "kind" && !item_of->kinds.empty();
  if (is_kind) {
    Known known = Add({.texts = item_of->kinds}, Kinds::kString);
    known.texts = places_.back().texts;
    return known;
  }
  Known known = Describe(Step(of, step));
  bool is_item = list != nullptr && step.kind == PathStep::Kind::kAny;
  if (is_item && known.answer == Known::Answer::kThere) places_.back().item_of = list;
  return known;
}

Known Documents::Member(const Known& of, std::string_view key) {
  return Go(of, PathStep::Key(std::string(key)));
}

Known Documents::Item(const Known& of) { return Go(of, PathStep::Any()); }

Resolution Documents::Resolve(const expr::DocumentPath& path) {
  Known known = Root();
  for (std::size_t at = 0; at < path.size(); ++at) {
    // What is there, and of which no more is said.
    if (known.answer == Known::Answer::kOpen) return {Resolution::Answer::kOpen, at};
    if (path[at].kind == PathStep::Kind::kBelow) return {Resolution::Answer::kOpen, at};
    bool is_named = ListAt(known, path[at]) != nullptr || !Step(known, path[at]).nodes.empty();
    known = Go(known, path[at]);
    if (known.answer == Known::Answer::kMissing) return {Resolution::Answer::kMissing, at + 1};
    if (!is_named) return {Resolution::Answer::kOpen, at};
  }
  return {Resolution::Answer::kResolved, path.size()};
}

Known Documents::KnownAt(const expr::DocumentPath& path) {
  Known known = Root();
  for (const PathStep& step : path) {
    if (step.kind == PathStep::Kind::kBelow || known.answer != Known::Answer::kThere) return {};
    known = Go(known, step);
  }
  return known;
}

std::vector<std::string> Documents::NamesOf(const Known& known) const {
  std::set<std::string> names;
  for (const Node& node : PlaceOf(known).nodes) {
    Value properties = node.value.is_object() ? node.value.Get("properties") : Value();
    if (!properties.is_object()) continue;
    for (const json::Member& member : properties.members()) names.emplace(member.key);
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> Documents::NamesAt(const expr::DocumentPath& path) {
  Known known = KnownAt(path);
  return known.answer == Known::Answer::kThere ? NamesOf(known) : std::vector<std::string>();
}

std::vector<std::string> Documents::TextsAt(const expr::DocumentPath& path) {
  Known known = KnownAt(path);
  if (known.answer != Known::Answer::kThere) return {};
  return {known.texts.begin(), known.texts.end()};
}

Kinds Documents::KindsAt(const expr::DocumentPath& path) {
  Known known = KnownAt(path);
  return known.answer == Known::Answer::kThere ? known.kinds : Kinds::Any();
}

std::vector<expr::DocumentPath> Documents::PathsOf(std::string_view name) {
  std::vector<expr::DocumentPath> found;
  expr::DocumentPath path;
  Search(Root(), name, path, found);
  std::ranges::sort(found);
  return found;
}

// Depth: bounded here.
void Documents::Search(const Known& at, std::string_view name, expr::DocumentPath& path,
                       std::vector<expr::DocumentPath>& found) {
  constexpr std::size_t kDeepest = 6;
  constexpr std::size_t kMostFound = 4;
  constexpr std::size_t kMostPlaces = 20'000;
  auto go = [&](const PathStep& step) {
    Known next = Go(at, step);
    if (next.answer != Known::Answer::kThere) return;
    path.push_back(step);
    Search(next, name, path, found);
    path.pop_back();
  };
  for (const std::string& key : NamesOf(at)) {
    if (found.size() == kMostFound || places_.size() > kMostPlaces) return;
    if (key == name) {
      path.push_back(PathStep::Key(key));
      found.push_back(path);
      path.pop_back();
    }
    if (path.size() < kDeepest) go(PathStep::Key(key));
  }
  if (path.size() < kDeepest && at.kinds.Has(Kinds::kArray)) go(PathStep::Any());
}

}  // namespace wmap::schema
