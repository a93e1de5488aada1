#include "input/delivery.h"

#include <utility>
#include <vector>

#include "base/text.h"

namespace wmap::input {
namespace {

using json::Value;

// Lists inside each other.
constexpr std::size_t kMostLists = 16;

bool IsList(const Value& value) {
  const Value* items = value.Find("items");
  if (items == nullptr) return false;
  std::string_view kind = value.Get("kind").text_or_empty();
  // The API server writes an empty list as null.
  return items->is_array() ? kind.empty() || IsListKind(kind)
                           : items->is_null() && IsListKind(kind);
}

// What `jq .items` makes of a List.
bool IsArrayOfObjects(const Value& value) {
  return value.is_array() && value.size() > 0 && value[0].is_object();
}

bool IsDefinition(const Value& value) {
  return value.Get("kind").text_or_empty() == "Karta" &&
         value.Get("apiVersion").text_or_empty().starts_with("run.ai/");
}

}  // namespace

struct Delivery::Level {
  Value items;
  std::size_t next;
  ItemType type;
  std::string_view below;    // where the items are: "/items", or "" for an array without a List
  std::size_t pointer_size;  // of the pointer of the list
};

ItemType ItemTypeOf(std::string_view api_version, std::string_view list_kind) {
  if (!IsListKind(list_kind) || list_kind == "List") return {};
  list_kind.remove_suffix(4);
  return {std::string(api_version), std::string(list_kind)};
}

void Delivery::StartFile(std::string_view file) {
  file_ = file;
  file_problems_ = file_errors_left_out_ = 0;
}

void Delivery::EndFile() {
  if (file_problems_ <= options_.max_problems_per_file) return;
  Problem problem{
      file_errors_left_out_ != 0 ? Problem::Severity::kError : Problem::Severity::kWarning,
      {.file = file_, .item = 0, .place = {}},
      Error(Code::kInvalid,
            Cat("and ", file_problems_ - options_.max_problems_per_file, " more problems")),
      {}};
  problems_(problem);
}

void Delivery::Report(const Problem& problem) {
  bool is_error = problem.severity == Problem::Severity::kError;
  ++(is_error ? summary_.errors : summary_.warnings);
  if (++file_problems_ > options_.max_problems_per_file) {
    file_errors_left_out_ += is_error ? 1 : 0;
  } else {
    problems_(problem);
  }
}

void Delivery::Warn(const Source& source, std::string message) {
  Report({Problem::Severity::kWarning, source, Error(Code::kInvalid, std::move(message)),
          std::string()});
}

void Delivery::Give(const Value& value, const Source& source, std::string_view pointer,
                    PlaceReader places) {
  bool wants_places = options_.places == Options::Places::kAll ||
                      (options_.places == Options::Places::kDefinitions && IsDefinition(value));
  ++summary_.objects;
  objects_({value, source, wants_places ? places(pointer) : nullptr});
}

Value Delivery::Typed(const Value& value, const ItemType& type) {
  if (type.kind.empty() || !value.is_object()) return value;
  bool has_kind = value.Find("kind") != nullptr;
  bool has_version = value.Find("apiVersion") != nullptr;
  if (has_kind && has_version) return value;
  arena_.Reset();
  json::ObjectBuilder builder;
  if (!has_version) builder.Add("apiVersion", Value::String(type.api_version));
  if (!has_kind) builder.Add("kind", Value::String(type.kind));
  for (std::size_t i = 0; i < value.size(); ++i) {
    const json::Member& member = value.member_in_source_order(i);
    builder.Add(member.key, member.value);
  }
  return builder.Finish(arena_);
}

void Delivery::Deliver(const Value& root, Source& source, const ItemType& root_type,
                       PlaceReader places) {
  if (options_.unit == Options::Unit::kDocuments) return Give(root, source, "", places);
  std::string pointer;
  std::vector<Level> levels;
  // Whether the number of `source` was that of a List, whose first item takes it over.
  bool has_number = false;
  auto handle = [&](const Value& untyped, const ItemType& type) {
    if (levels.empty() && IsArrayOfObjects(untyped)) {
      levels.push_back({untyped, 0, {}, "", 0});
      has_number = source.item != 0;
      return;
    }
    if (!untyped.is_object()) {
      return Warn(source,
                  Cat("left aside: no Kubernetes object but ", json::TypeName(untyped.type())));
    }
    Value value = Typed(untyped, type);
    if (IsList(value)) {
      if (levels.size() == kMostLists)
        return Warn(source, "left aside: too many Lists inside each other");
      levels.push_back(
          {value.Get("items"), 0,
           ItemTypeOf(value.Get("apiVersion").text_or_empty(), value.Get("kind").text_or_empty()),
           "/items", pointer.size()});
      has_number = source.item != 0;
      return;
    }
    for (std::string_view field : {"kind", "apiVersion"}) {
      if (value.Get(field).text_or_empty().empty()) {
        return Warn(source, Cat("left aside: no Kubernetes object, it has no ", field));
      }
    }
    Give(value, source, pointer, places);
  };
  handle(root, root_type);
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.items.is_null() || level.next == level.items.size()) {
      levels.pop_back();
      continue;
    }
    pointer.resize(level.pointer_size);
    pointer += level.below;
    json::AppendPointerIndex(pointer, level.next);
    if (!std::exchange(has_number, false)) ++source.item;
    Value item = level.items[level.next++];
    ItemType type = level.type;
    handle(item, type);
  }
}

}  // namespace wmap::input
