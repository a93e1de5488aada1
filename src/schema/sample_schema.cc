#include "schema/sample_schema.h"

#include <map>
#include <string_view>
#include <vector>

namespace wmap::schema {
namespace {

using json::Value;

constexpr int kDeepest = 40;

std::string_view TypeOf(const Value& value) {
  if (value.is_object()) return "object";
  if (value.is_array()) return "array";
  if (value.is_string()) return "string";
  if (value.is_bool()) return "boolean";
  return value.is_int() ? "integer" : "number";
}

Value Shape(std::span<const Value> values, Arena& arena, int depth) {
  std::vector<Value> given;
  for (const Value& value : values) {
    if (!value.is_null()) given.push_back(value);
  }
  if (given.empty() || depth > kDeepest) return json::MakeObject(arena, {});
  std::string_view type = TypeOf(given[0]);
  json::ObjectBuilder shape;
  for (const Value& value : given) {
    if (TypeOf(value) == type) continue;
    // A number in one and a text in the other, as quantities are.
    return json::MakeObject(arena, {});
  }
  shape.Add("type", Value::String(type));
  if (type == "array") {
    std::vector<Value> items;
    for (const Value& value : given) {
      items.insert(items.end(), value.items().begin(), value.items().end());
    }
    shape.Add("items", Shape(items, arena, depth + 1));
  } else if (type == "object") {
    std::vector<std::string_view> order;
    std::map<std::string_view, std::vector<Value>> fields;
    for (const Value& value : given) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        const json::Member& member = value.member_in_source_order(i);
        auto [at, is_new] = fields.try_emplace(member.key);
        if (is_new) order.push_back(member.key);
        at->second.push_back(member.value);
      }
    }
    json::ObjectBuilder properties;
    for (std::string_view key : order) properties.Add(key, Shape(fields[key], arena, depth + 1));
    shape.Add("properties", properties.Finish(arena));
  }
  return shape.Finish(arena);
}

// Fields of an open object are those of the shape.
Value Fill(const Schema& schema, const Value& raw, const Value& shape, Arena& arena, int depth) {
  Value node = schema.Resolve(raw);
  if (!shape.is_object() || depth > kDeepest) return node;
  Value properties = node.Get("properties");
  bool has_fields = properties.is_object() && properties.size() > 0;
  bool is_open = !node.is_object() || schema.IsOpen(node);
  if (is_open && !has_fields && node.Find("items") == nullptr) return shape;
  Value seen = shape.Get("properties");
  json::ObjectBuilder filled;
  for (const json::Member& member : node.members()) {
    if (member.key == "items" && shape.Find("items") != nullptr) {
      filled.Add("items", Fill(schema, member.value, shape.Get("items"), arena, depth + 1));
    } else if (member.key == "properties" && seen.is_object()) {
      json::ObjectBuilder fields;
      for (std::size_t i = 0; i < properties.size(); ++i) {
        const json::Member& field = properties.member_in_source_order(i);
        const Value* found = seen.Find(field.key);
        fields.Add(field.key, found == nullptr
                                  ? field.value
                                  : Fill(schema, field.value, *found, arena, depth + 1));
      }
      if (is_open) {
        for (const json::Member& field : seen.members()) {
          if (properties.Find(field.key) == nullptr) fields.Add(field.key, field.value);
        }
      }
      filled.Add("properties", fields.Finish(arena));
    } else {
      filled.Add(member.key, member.value);
    }
  }
  return filled.Finish(arena);
}

}  // namespace

Value ShapeOf(std::span<const Value> samples, Arena& arena) { return Shape(samples, arena, 0); }

Schema FillOpen(const Schema& schema, const Value& shape, Arena& arena) {
  if (schema.says_nothing()) return Schema(shape);
  return Schema(Fill(schema, schema.root(), shape, arena, 0), schema.definitions(),
                schema.keeps_unknown());
}

}  // namespace wmap::schema
