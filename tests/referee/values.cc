#include "tests/referee/values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "base/utf8.h"
#include "json/compare.h"
#include "json/reader.h"
#include "json/writer.h"

namespace wmap::referee {
namespace {

using expr::Operator;

Value Number(double value) { return Value::Double(value); }

std::string Kind(const Value& value) { return std::string(TypeName(value.type())); }

// As jq converts for `%`: towards zero, at the ends of the range what is nearest.
std::int64_t Whole(double value) {
  constexpr double kMax = 9223372036854775807.0;
  if (std::isnan(value)) return 0;
  if (value >= kMax) return std::numeric_limits<std::int64_t>::max();
  if (value <= -kMax) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

std::vector<std::string_view> Characters(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) {
    std::size_t size = DecodeUtf8(text).size;
    characters.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return characters;
}

}  // namespace

Value Values::Pair(std::string_view key, const Value& value) {
  json::ObjectBuilder builder;
  builder.Add(arena_.Copy(key), value);
  return builder.Finish(arena_);
}

bool Values::Compared(Operator op, const Value& left, const Value& right) {
  switch (op) {
    case Operator::kEqual:
      return json::Equal(left, right);
    case Operator::kNotEqual:
      return !json::Equal(left, right);
    case Operator::kLess:
      return json::Compare(left, right) < 0;
    case Operator::kLessEqual:
      return json::Compare(left, right) <= 0;
    case Operator::kGreater:
      return json::Compare(left, right) > 0;
    default:
      return json::Compare(left, right) >= 0;
  }
}

Computed Values::Merge(const Value& left, const Value& right) {
  json::ObjectBuilder builder;
  for (const json::Member& member : left.members()) builder.Add(member.key, member.value);
  for (const json::Member& member : right.members()) {
    const Value* mine = left.Find(member.key);
    if (mine != nullptr && mine->is_object() && member.value.is_object()) {
      builder.Add(member.key, *Merge(*mine, member.value));
    } else {
      builder.Add(member.key, member.value);
    }
  }
  return builder.Finish(arena_);
}

Computed Values::Arithmetic(Operator op, const Value& left, const Value& right) {
  if (op == Operator::kAdd && left.is_null()) return right;
  if (op == Operator::kAdd && right.is_null()) return left;
  if (left.is_number() && right.is_number()) {
    double l = left.as_double();
    double r = right.as_double();
    bool exact = left.is_int() && right.is_int();
    std::int64_t whole = 0;
    switch (op) {
      case Operator::kAdd:
        if (exact && !__builtin_add_overflow(left.as_int(), right.as_int(), &whole))
          return Value::Int(whole);
        return Number(l + r);
      case Operator::kSubtract:
        if (exact && !__builtin_sub_overflow(left.as_int(), right.as_int(), &whole))
          return Value::Int(whole);
        return Number(l - r);
      case Operator::kMultiply:
        if (exact && !__builtin_mul_overflow(left.as_int(), right.as_int(), &whole))
          return Value::Int(whole);
        return Number(l * r);
      case Operator::kDivide:
        if (r == 0) return Fail("division by zero");
        return Number(l / r);
      default: {
        if (std::isnan(l) || std::isnan(r)) return Number(std::nan(""));
        std::int64_t by = right.is_int() ? right.as_int() : Whole(r);
        std::int64_t of = left.is_int() ? left.as_int() : Whole(l);
        if (by == 0) return Fail("remainder by zero");
        if (by == -1) return Value::Int(0);
        return Value::Int(of % by);
      }
    }
  }
  if (op == Operator::kAdd && left.is_string() && right.is_string())
    return Text(Cat(left.as_string(), right.as_string()));
  if (op == Operator::kAdd && left.is_array() && right.is_array()) {
    std::vector<Value> items(left.items().begin(), left.items().end());
    items.insert(items.end(), right.items().begin(), right.items().end());
    return Array(items);
  }
  if (op == Operator::kAdd && left.is_object() && right.is_object()) {
    json::ObjectBuilder builder;
    for (const json::Member& member : left.members()) builder.Add(member.key, member.value);
    for (const json::Member& member : right.members()) builder.Add(member.key, member.value);
    return builder.Finish(arena_);
  }
  if (op == Operator::kSubtract && left.is_array() && right.is_array()) {
    std::vector<Value> items;
    for (const Value& item : left.items()) {
      bool drop = std::ranges::any_of(right.items(),
                                      [&](const Value& other) { return json::Equal(item, other); });
      if (!drop) items.push_back(item);
    }
    return Array(items);
  }
  if (op == Operator::kMultiply && left.is_object() && right.is_object()) return Merge(left, right);
  if (op == Operator::kMultiply && left.is_number() && right.is_string())
    return Arithmetic(op, right, left);
  if (op == Operator::kMultiply && left.is_string() && right.is_number()) {
    double times = right.as_double();
    if (!(times >= 0)) return Value::Null();
    if (left.size() == 0) return left;
    if (times * static_cast<double>(left.size()) > 1e6) return Fail("too large");
    std::string text;
    for (double i = 1; i <= times; ++i) text += left.as_string();
    return Text(text);
  }
  if (op == Operator::kDivide && left.is_string() && right.is_string()) {
    std::vector<Value> parts;
    std::string_view rest = left.as_string();
    std::string_view by = right.as_string();
    if (rest.empty()) return Array({});
    if (by.empty()) {
      for (std::string_view c : Characters(rest)) parts.push_back(Text(c));
      return Array(parts);
    }
    for (std::size_t at; (at = rest.find(by)) != std::string_view::npos;) {
      parts.push_back(Text(rest.substr(0, at)));
      rest.remove_prefix(at + by.size());
    }
    parts.push_back(Text(rest));
    return Array(parts);
  }
  return Fail(Cat(Kind(left), " ", expr::OperatorText(op), " ", Kind(right)));
}

Value Values::SliceKey(const Value& start, const Value& end) {
  json::ObjectBuilder builder;
  builder.Add("start", start);
  builder.Add("end", end);
  return builder.Finish(arena_);
}

std::expected<Values::Range, Value> Values::SliceOf(const Value& key, std::size_t size) {
  Value start = key.Get("start");
  Value end = key.Get("end");
  if (key.Find("start") == nullptr || key.Find("end") == nullptr ||
      (!start.is_null() && !start.is_number()) || (!end.is_null() && !end.is_number()))
    return Fail("slice bounds must be numbers");
  auto length = static_cast<double>(size);
  auto bound = [&](const Value& value, double missing, bool up) {
    double at = value.is_null() ? missing : value.as_double();
    if (std::isnan(at)) at = missing;
    if (at < 0) at += length;
    at = up ? std::ceil(at) : std::floor(at);
    return std::clamp(at, 0.0, length);
  };
  double from = bound(start, 0, false);
  double to = std::max(from, bound(end, length, true));
  return Range{static_cast<std::size_t>(from), static_cast<std::size_t>(to)};
}

Computed Values::Get(const Value& target, const Value& key) {
  if (key.is_string() && (target.is_object() || target.is_null()))
    return target.is_null() ? Value() : target.Get(key.as_string());
  if (key.is_number() && (target.is_array() || target.is_null())) {
    if (target.is_null() || std::isnan(key.as_double())) return Value();
    double at = std::trunc(key.as_double());
    if (at < 0) at += static_cast<double>(target.size());
    if (at < 0 || at >= static_cast<double>(target.size())) return Value();
    return target[static_cast<std::size_t>(at)];
  }
  if (key.is_object() && target.is_null()) return Value();
  if (key.is_object() && target.is_array()) {
    auto range = SliceOf(key, target.size());
    if (!range) return std::unexpected(range.error());
    auto items = target.items().subspan(range->from, range->to - range->from);
    return Array({items.begin(), items.end()});
  }
  if (key.is_object() && target.is_string()) {
    auto characters = Characters(target.as_string());
    auto range = SliceOf(key, characters.size());
    if (!range) return std::unexpected(range.error());
    std::string text;
    for (std::size_t i = range->from; i < range->to; ++i) text += characters[i];
    return Text(text);
  }
  if (key.is_array() && target.is_array()) return Indices(target, key);
  return Fail(Cat("Cannot index ", Kind(target), " with ", Kind(key)));
}

Computed Values::Indices(const Value& target, const Value& part) {
  std::vector<Value> found;
  if (target.is_null()) return Value();
  if (target.is_string() && part.is_string()) {
    auto text = Characters(target.as_string());
    auto wanted = Characters(part.as_string());
    if (wanted.empty()) return Array({});
    for (std::size_t i = 0; i + wanted.size() <= text.size(); ++i)
      if (std::equal(wanted.begin(), wanted.end(), text.begin() + static_cast<std::ptrdiff_t>(i)))
        found.push_back(Value::Int(static_cast<std::int64_t>(i)));
    return Array(found);
  }
  if (target.is_array() && part.is_array()) {
    if (part.size() == 0) return Array({});
    for (std::size_t i = 0; i + part.size() <= target.size(); ++i) {
      bool same = true;
      for (std::size_t j = 0; j < part.size(); ++j)
        same = same && json::Equal(target[i + j], part[j]);
      if (same) found.push_back(Value::Int(static_cast<std::int64_t>(i)));
    }
    return Array(found);
  }
  if (target.is_array()) {
    for (std::size_t i = 0; i < target.size(); ++i)
      if (json::Equal(target[i], part)) found.push_back(Value::Int(static_cast<std::int64_t>(i)));
    return Array(found);
  }
  return Get(target, part);
}

Computed Values::Children(const Value& target) {
  std::vector<Value> pairs;
  if (target.is_array()) {
    for (std::size_t i = 0; i < target.size(); ++i)
      pairs.push_back(Array({Value::Int(static_cast<std::int64_t>(i)), target[i]}));
  } else if (target.is_object()) {
    for (const json::Member& member : target.members())
      pairs.push_back(Array({Value::String(member.key), member.value}));
  } else {
    return Fail(Cat("Cannot iterate over ", Kind(target)));
  }
  return Array(pairs);
}

Value Values::WithMember(const Value& object, std::string_view key, const Value* value) {
  json::ObjectBuilder builder;
  if (object.is_object())
    for (const json::Member& member : object.members())
      if (member.key != key || value != nullptr) builder.Add(member.key, member.value);
  if (value != nullptr) builder.Add(key, *value);
  return builder.Finish(arena_);
}

Computed Values::SetPart(const Value& target, const Value& key, const Value& value) {
  if (key.is_string() && (target.is_object() || target.is_null()))
    return WithMember(target, key.as_string(), &value);
  if (key.is_number() && (target.is_array() || target.is_null())) {
    std::vector<Value> items;
    if (target.is_array()) items.assign(target.items().begin(), target.items().end());
    double at = std::trunc(key.as_double());
    if (std::isnan(at)) return Fail("Cannot set array element at NaN index");
    if (at < 0) at += static_cast<double>(items.size());
    if (at < 0) return Fail("Out of bounds negative array index");
    if (at > 1e5) return Fail("Array index too large");
    auto index = static_cast<std::size_t>(at);
    if (index >= items.size()) items.resize(index + 1);
    items[index] = value;
    return Array(items);
  }
  if (key.is_object() && (target.is_array() || target.is_null())) {
    std::size_t size = target.is_array() ? target.size() : 0;
    auto range = SliceOf(key, size);
    if (!range) return std::unexpected(range.error());
    if (!value.is_array()) return Fail("A slice can only be assigned another array");
    std::vector<Value> items;
    for (std::size_t i = 0; i < range->from; ++i) items.push_back(target[i]);
    for (const Value& item : value.items()) items.push_back(item);
    for (std::size_t i = range->to; i < size; ++i) items.push_back(target[i]);
    return Array(items);
  }
  return Fail(Cat("Cannot update ", Kind(key), " of ", Kind(target)));
}

Computed Values::GetPath(const Value& target, const std::vector<Value>& path) {
  Value at = target;
  for (const Value& key : path) {
    if (at.is_null()) return Value();
    Computed next = Get(at, key);
    if (!next) return next;
    at = *next;
  }
  return at;
}

Computed Values::Set(const Value& target, std::vector<Value> path, const Value& value) {
  if (path.empty()) return value;
  Value key = path.front();
  path.erase(path.begin());
  Computed old = Get(target, key);
  if (!old) return old;
  Computed part = Set(*old, std::move(path), value);
  if (!part) return part;
  return SetPart(target, key, *part);
}

Computed Values::Delete(const Value& target, std::vector<Value> path) {
  if (target.is_null() || path.empty()) return Value();
  Value key = path.front();
  path.erase(path.begin());
  if (!path.empty()) {
    Computed old = Get(target, key);
    if (!old) return old;
    if (old->is_null()) return target;
    Computed part = Delete(*old, std::move(path));
    if (!part) return part;
    return SetPart(target, key, *part);
  }
  if (key.is_string() && target.is_object()) return WithMember(target, key.as_string(), nullptr);
  if (target.is_array() && (key.is_number() || key.is_object())) {
    Range range{};
    if (key.is_object()) {
      auto slice = SliceOf(key, target.size());
      if (!slice) return std::unexpected(slice.error());
      range = *slice;
    } else {
      double at = std::trunc(key.as_double());
      if (at < 0) at += static_cast<double>(target.size());
      if (!(at >= 0 && at < static_cast<double>(target.size()))) return target;
      range = {static_cast<std::size_t>(at), static_cast<std::size_t>(at) + 1};
    }
    std::vector<Value> items;
    for (std::size_t i = 0; i < target.size(); ++i)
      if (i < range.from || i >= range.to) items.push_back(target[i]);
    return Array(items);
  }
  return Fail(Cat("Cannot delete ", Kind(key), " of ", Kind(target)));
}

// Items and slices of one array: all places are those before the deletion.
Computed Values::DeleteItems(const Value& array, const std::vector<Value>& paths) {
  std::vector<bool> keep(array.size(), true);
  for (const Value& path : paths) {
    std::vector<Value> positions;
    for (std::size_t i = 0; i < array.size(); ++i)
      positions.push_back(Value::Int(static_cast<std::int64_t>(i)));
    Computed left = Delete(Array(positions), {path[0]});
    if (!left) return left;
    for (const Value& position : positions)
      if (!std::ranges::any_of(left->items(),
                               [&](const Value& item) { return json::Equal(item, position); }))
        keep[static_cast<std::size_t>(position.as_int())] = false;
  }
  std::vector<Value> items;
  for (std::size_t i = 0; i < array.size(); ++i)
    if (keep[i]) items.push_back(array[i]);
  return Array(items);
}

Computed Values::DeletePaths(const Value& target, std::vector<Value> paths) {
  auto is_key = [](const Value& path) { return path.is_array() && path.size() == 1; };
  if (target.is_array() && std::ranges::all_of(paths, is_key)) return DeleteItems(target, paths);
  std::ranges::sort(paths,
                    [](const Value& a, const Value& b) { return json::SortOrder(a, b) > 0; });
  Value at = target;
  for (const Value& path : paths) {
    if (!path.is_array()) return Fail("Path must be specified as an array");
    Computed next = Delete(at, {path.items().begin(), path.items().end()});
    if (!next) return next;
    at = *next;
  }
  return at;
}

Computed Values::ToNumber(const Value& value) {
  if (value.is_number()) return value;
  if (!value.is_string() || value.size() == 0) return Fail("cannot be parsed as a number");
  std::string_view text = value.as_string();
  json::ReadOptions options;
  options.dialect = json::ReadOptions::Dialect::kJq;
  auto number = json::Read(text, arena_, options);
  bool clean = text.find_first_of(" \t\r\n") == std::string_view::npos;
  if (!number || !number->is_number() || !clean) return Fail("cannot be parsed as a number");
  return *number;
}

std::string Values::ToText(const Value& value) {
  return value.is_string() ? std::string(value.as_string()) : json::ToJson(value);
}

bool Values::Contains(const Value& left, const Value& right) {
  if (left.is_object() && right.is_object())
    return std::ranges::all_of(right.members(), [&](const json::Member& member) {
      const Value* mine = left.Find(member.key);
      return mine != nullptr && mine->type() == member.value.type()
                 ? Contains(*mine, member.value)
                 : mine != nullptr && json::Equal(*mine, member.value);
    });
  if (left.is_array() && right.is_array())
    return std::ranges::all_of(right.items(), [&](const Value& wanted) {
      return std::ranges::any_of(left.items(), [&](const Value& mine) {
        return mine.type() == wanted.type() ? Contains(mine, wanted) : false;
      });
    });
  if (left.is_string() && right.is_string())
    return left.as_string().find(right.as_string()) != std::string_view::npos;
  return json::Equal(left, right);
}

}  // namespace wmap::referee
