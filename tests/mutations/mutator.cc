#include "tests/mutations/mutator.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "json/writer.h"

namespace wmap::testing {

using json::Value;

Mutator::Mutator(std::uint64_t seed, Arena& arena) : random_(seed), arena_(arena) {}

Value Mutator::Change(const Value& object, std::span<const std::string_view> kept) {
  return ChangeBelow(object, kept);
}

std::optional<Value> Mutator::ChangeAt(const Value& value) {
  bool has_children = (value.is_array() || value.is_object()) && value.size() > 0;
  if (!has_children || Chance(20)) return Replace(value);
  return ChangeBelow(value, {});
}

Value Mutator::ChangeBelow(const Value& value, std::span<const std::string_view> kept) {
  if (value.is_array()) {
    std::vector<Value> items(value.items().begin(), value.items().end());
    std::size_t place = Below(items.size());
    std::optional<Value> changed = ChangeAt(items[place]);
    if (changed) {
      items[place] = *changed;
    } else {
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(place));
    }
    return json::MakeArray(arena_, items);
  }
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (std::ranges::find(kept, value.members()[i].key) == kept.end()) open.push_back(i);
  }
  if (open.empty()) return value;
  std::size_t place = open[Below(open.size())];
  json::ObjectBuilder builder;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const json::Member& member = value.members()[i];
    std::optional<Value> kept_or_changed = i == place ? ChangeAt(member.value) : member.value;
    if (kept_or_changed) builder.Add(member.key, *kept_or_changed);
  }
  return builder.Finish(arena_);
}

std::optional<Value> Mutator::Replace(const Value& value) {
  std::size_t kind = Below(10);
  if (kind == 0) return std::nullopt;
  if (kind == 1) return Value();
  if (kind <= 3) return OfAnotherType(value);
  if (value.is_number()) return Number(value);
  if (value.is_string()) return Text(value);
  if (value.is_array()) return List(value);
  if (value.is_object()) return Object(value);
  return value.is_bool() ? Value::Bool(!value.is_true()) : OfAnotherType(value);
}

Value Mutator::OfAnotherType(const Value& value) {
  switch (Below(8)) {
    case 0:
      return json::MakeString(arena_, json::ToJson(value));
    case 1:
      return Value::String("x");
    case 2:
      return Value::Int(static_cast<std::int64_t>(Below(5)));
    case 3:
      return Value::Bool(Chance(50));
    case 4:
      return json::MakeArray(arena_, {});
    case 5:
      return json::MakeArray(arena_, std::array{value});
    case 6: {
      json::ObjectBuilder builder;
      builder.Add("name", value);
      return builder.Finish(arena_);
    }
    default:
      return Number(Value::Int(1));
  }
}

Value Mutator::Number(const Value& value) {
  using Limits = std::numeric_limits<std::int64_t>;
  switch (Below(11)) {
    case 0:
      return Value::Int(-1);
    case 1:
      return Value::Int(0);
    case 2:
      return Value::Int(Limits::max());
    case 3:
      return Value::Int(Limits::min());
    case 4:
      return Value::Int(std::int64_t{1} << 31);
    case 5:
      return Value::Double(1e300);
    case 6:
      return Value::Double(-1e18);
    case 7:
      return Value::Double(0.5);
    case 8:
      return Value::Digits(arena_, "123456789012345678901234567890",
                           123456789012345678901234567890.);
    case 9:
      return Value::Digits(arena_, "-1e400", -std::numeric_limits<double>::max());
    default:
      return value.is_int() && value.as_int() < Limits::max() ? Value::Int(value.as_int() + 1)
                                                              : Value::Int(3);
  }
}

Value Mutator::Text(const Value& value) {
  constexpr std::string_view kTexts[] = {
      "",      " ",       "-1",      "1e99",   "-5Gi",      "99999999999999999999", "0.1",  "True",
      "False", "Unknown", "Running", "Failed", "Suspended", "2026-01-01T00:00:00Z", "null", "a/b/c",
      "\"$.[|"};
  switch (Below(8)) {
    case 0:
      return json::MakeString(arena_, std::string(5000, 'n'));
    case 1:
      return json::MakeString(arena_, std::string("a\0b\n\x7f", 5));
    case 2:
      return json::MakeString(arena_, std::string(value.as_string()) + "-0");
    default:
      return Value::String(kTexts[Below(std::size(kTexts))]);
  }
}

Value Mutator::List(const Value& value) {
  std::vector<Value> items(value.items().begin(), value.items().end());
  switch (Below(7)) {
    case 0:
      items.clear();
      break;
    case 5: {
      Value nested = value;
      for (int i = 0; i < 100; ++i) nested = json::MakeArray(arena_, std::array{nested});
      return nested;
    }
    case 1:
      items.insert(items.end(), value.items().begin(), value.items().end());
      break;
    case 2:
      items = {value};
      break;
    case 3:
      items.emplace_back();
      break;
    case 4:
      std::ranges::reverse(items);
      break;
    default:
      if (!items.empty()) items.resize(items.size() + 60, items[0]);
      break;
  }
  return json::MakeArray(arena_, items);
}

Value Mutator::Object(const Value& value) {
  json::ObjectBuilder builder;
  switch (Below(4)) {
    case 0:
      break;  // empty
    case 1:
      builder.Add("spec", value);
      break;
    case 2: {
      // The values, each under the key of its neighbour.
      for (std::size_t i = 0; i < value.size(); ++i) {
        builder.Add(value.members()[i].key, value.members()[(i + 1) % value.size()].value);
      }
      break;
    }
    default:
      for (const json::Member& member : value.members()) builder.Add(member.key, Value());
      break;
  }
  return builder.Finish(arena_);
}

}  // namespace wmap::testing
