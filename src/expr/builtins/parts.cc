// Parts of values: reading, writing and deleting by key, slice and path.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "base/utf8.h"
#include "expr/builtins/builtins.h"
#include "expr/builtins/comparing.h"
#include "expr/builtins/scratch.h"
#include "expr/builtins/values.h"
#include "expr/vm/edits.h"

namespace wmap::expr::builtins {
namespace {

using json::Member;
using json::Value;
using vm::Context;

constexpr std::size_t kDeepestPath = 10000;

bool TooDeep(Context& context) { return context.RaiseText("Path too deep"); }

bool CannotIndex(Context& context, const Value& container, const Value& key) {
  std::string message = Cat("Cannot index ", TypeName(container.type()), " with ");
  AppendDescription(key, message);
  return context.RaiseText(message);
}

// [begin, end) of a slice of something of `size`.
struct Bounds {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::optional<Bounds> BoundsOf(const Value& from, const Value& to, std::size_t size) {
  if ((!from.is_null() && !from.is_number()) || (!to.is_null() && !to.is_number())) {
    return std::nullopt;
  }
  auto length = static_cast<double>(size);
  auto place = [&](const Value& bound, double missing, bool up) {
    double at = bound.is_null() ? missing : bound.as_double();
    if (std::isnan(at)) at = missing;
    if (at < 0) at += length;
    return std::clamp(up ? std::ceil(at) : std::floor(at), 0.0, length);
  };
  double begin = place(from, 0, false);
  double end = std::max(begin, place(to, length, true));
  return Bounds{static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
}

bool BadBounds(Context& context) {
  return context.RaiseText("Array/string slice indices must be integers");
}

// Of a key that is an object: it has to have both bounds.
std::optional<Bounds> BoundsOf(const Value& key, std::size_t size) {
  const Value* from = key.Find("start");
  const Value* to = key.Find("end");
  return from == nullptr || to == nullptr ? std::nullopt : BoundsOf(*from, *to, size);
}

// The position that a number means in an array of `size`, or nothing when it is before the start.
std::optional<std::int64_t> PositionOf(const Value& key, std::size_t size) {
  double at = std::trunc(key.as_double());
  if (std::isnan(at)) return std::nullopt;
  at = std::clamp(at, -4e9, 4e9);
  auto position = static_cast<std::int64_t>(at);
  if (position < 0) position += static_cast<std::int64_t>(size);
  if (position < 0) return std::nullopt;
  return position;
}

bool SetMember(Context& context, const Value& object, std::string_view key, const Value& part,
               Value* out) {
  auto members = object.is_null() ? std::span<const Member>() : object.members();
  if (!context.Spend(members.size() / 8 + 1)) return false;
  Member* copy = context.AllocateMembers(members.size() + 1);
  if (copy == nullptr) return false;
  auto at = std::lower_bound(members.begin(), members.end(), key,
                             [](const Member& m, std::string_view k) { return m.key < k; });
  Member* to = std::copy(members.begin(), at, copy);
  bool exists = at != members.end() && at->key == key;
  *to++ = {exists ? at->key : key, part};
  to = std::copy(exists ? at + 1 : at, members.end(), to);
  *out = Value::Object({copy, static_cast<std::size_t>(to - copy)});
  return true;
}

bool SetItem(Context& context, const Value& array, const Value& key, const Value& part,
             Value* out) {
  auto items = array.is_null() ? std::span<const Value>() : array.items();
  std::optional<std::int64_t> position = PositionOf(key, items.size());
  if (std::isnan(key.as_double())) {
    return context.RaiseText("Cannot set array element at NaN index");
  }
  if (!position) return context.RaiseText("Out of bounds negative array index");
  if (*position > kLargestIndex) return context.RaiseText("Array index too large");
  auto index = static_cast<std::size_t>(*position);
  std::size_t size = std::max(items.size(), index + 1);
  if (!context.Spend(size / 8 + 1)) return false;
  Value* copy = context.AllocateItems(size);
  if (copy == nullptr) return false;
  std::copy(items.begin(), items.end(), copy);
  std::fill(copy + items.size(), copy + size, Value());
  copy[index] = part;
  *out = Value::Array({copy, size});
  return true;
}

bool SetSlice(Context& context, const Value& array, const Value& key, const Value& part,
              Value* out) {
  auto items = array.is_null() ? std::span<const Value>() : array.items();
  std::optional<Bounds> bounds = BoundsOf(key, items.size());
  if (!bounds) return BadBounds(context);
  if (!part.is_array()) {
    return context.RaiseText("A slice of an array can only be assigned another array");
  }
  std::size_t rest = items.size() - bounds->end;
  std::size_t size = bounds->begin + part.size() + rest;
  Value* spliced = context.AllocateItems(size);
  if (spliced == nullptr || !context.Spend(size / 8 + 1)) return false;
  Value* at = std::ranges::copy(items.first(bounds->begin), spliced).out;
  at = std::ranges::copy(part.items(), at).out;
  std::ranges::copy(items.last(rest), at);
  *out = Value::Array({spliced, size});
  return true;
}

// `container` with `part` at `key`.
bool SetPart(Context& context, const Value& container, const Value& key, const Value& part,
             Value* out) {
  bool is_null = container.is_null();
  if (key.is_string() && (is_null || container.is_object())) {
    return SetMember(context, container, key.as_string(), part, out);
  }
  if (key.is_number() && (is_null || container.is_array())) {
    return SetItem(context, container, key, part, out);
  }
  if (key.is_object() && (is_null || container.is_array())) {
    return SetSlice(context, container, key, part, out);
  }
  if (key.is_object() && container.is_string()) {
    return context.RaiseText("Cannot update string slices");
  }
  if (key.is_array() && container.is_array()) {
    return context.RaiseText("Cannot update field at array index of array");
  }
  return CannotIndex(context, container, key);
}

bool CannotDelete(Context& context, const Value& key, std::string_view what) {
  return context.RaiseText(Cat("Cannot delete ", TypeName(key.type()), ' ', what));
}

// Marks the items that `key`, a number or a slice, names. False for a key that names none, ever.
bool MarkItems(Context& context, const Value& key, std::vector<bool>& marked) {
  if (key.is_object()) {
    std::optional<Bounds> bounds = BoundsOf(key, marked.size());
    if (!bounds) return BadBounds(context);
    if (!context.Spend(bounds->end - bounds->begin)) return false;
    for (std::size_t i = bounds->begin; i < bounds->end; ++i) marked[i] = true;
    return true;
  }
  if (!key.is_number()) {
    return CannotDelete(context, key, "element of array");
  }
  std::optional<std::int64_t> position = PositionOf(key, marked.size());
  if (position && *position < static_cast<std::int64_t>(marked.size())) {
    marked[static_cast<std::size_t>(*position)] = true;
  }
  return true;
}

// `container` without what the last keys of `paths` name.
bool DeleteParts(Context& context, const Value& container, std::span<const Value> paths,
                 Value* out) {
  auto last = [](const Value& path) { return path[path.size() - 1]; };
  if (!context.Spend(container.size() / 8 + paths.size())) return false;
  if (container.is_array()) {
    std::vector<bool> marked(container.size());
    for (const Value& path : paths) {
      if (!MarkItems(context, last(path), marked)) return false;
    }
    Value* rest = context.AllocateItems(container.size());
    if (rest == nullptr) return false;
    std::size_t count = 0;
    for (std::size_t i = 0; i < container.size(); ++i) {
      if (!marked[i]) rest[count++] = container[i];
    }
    *out = Value::Array({rest, count});
    return true;
  }
  if (!container.is_object()) {
    return context.RaiseText(Cat("Cannot delete fields from ", TypeName(container.type())));
  }
  for (const Value& path : paths) {
    if (!last(path).is_string()) {
      return CannotDelete(context, last(path), "field of object");
    }
  }
  Member* rest = context.AllocateMembers(container.size());
  if (rest == nullptr) return false;
  std::size_t count = 0;
  // Both in order of keys, the paths descending.
  auto doomed = paths.rbegin();
  for (const Member& member : container.members()) {
    while (doomed != paths.rend() && last(*doomed).as_string() < member.key) ++doomed;
    if (doomed == paths.rend() || last(*doomed).as_string() != member.key) rest[count++] = member;
  }
  *out = Value::Object({rest, count});
  return true;
}

// Replaces what is at `path`: `change` gets the container and the last key.
template <typename F>
bool ChangeAt(Context& context, const Value& value, std::span<const Value> path, F&& change,
              Value* out) {
  // Down to the container of the last key, then up again.
  std::vector<Value> containers = {value};
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    Value part;
    if (!context.Spend(1) || !Index(context, containers.back(), path[i], &part)) return false;
    containers.push_back(part);
  }
  Value changed;
  if (!change(containers.back(), path.back(), &changed)) return false;
  for (std::size_t i = path.size() - 1; i-- > 0;) {
    Value container;
    if (!SetPart(context, containers[i], path[i], changed, &container)) return false;
    changed = container;
  }
  *out = changed;
  return true;
}

// True when `path` names items in another way than by their places from the start.
bool NamesItemsOddly(const Value& path) {
  return std::ranges::any_of(path.items(), [](const Value& key) {
    return key.is_object() || (key.is_number() && (!key.is_int() || key.as_int() < 0));
  });
}

// Adds `path` to `paths` in the one way of naming items in which paths can be compared and sorted:
// with the places in `value` that its numbers and slices mean. In an array of three -1, 2.5 and
// [1:][1] are 2, and [1:] is two paths. One that does not fit `value` is added as it is: what is
// wrong with it is told where it is used.
bool AddPlaces(Context& context, const Value& value, const Value& path, Stack<Value>& paths) {
  Value* keys = context.AllocateItems(path.size());
  if (keys == nullptr || !context.Spend(path.size())) return false;
  std::size_t count = 0;
  Value at = value;
  std::size_t offset = 0;  // of `at` in the array that it is a slice of
  bool in_slice = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Value key = path[i];
    bool is_last = i + 1 == path.size();
    if (at.is_array() && key.is_number()) {
      std::optional<std::int64_t> place = PositionOf(key, at.size());
      bool there = place && *place < static_cast<std::int64_t>(at.size());
      if (!there && in_slice) return true;  // nothing is there
      keys[count++] = place ? Value::Int(*place + static_cast<std::int64_t>(offset)) : key;
      at = there ? at[static_cast<std::size_t>(*place)] : Value();
      offset = 0;
      in_slice = false;
    } else if (std::optional<Bounds> bounds;
               at.is_array() && key.is_object() && (bounds = BoundsOf(key, at.size()))) {
      at = Value::Array(at.items().subspan(bounds->begin, bounds->end - bounds->begin));
      offset += bounds->begin;
      in_slice = true;
      for (std::size_t item = 0; is_last && item < at.size(); ++item) {
        Value* all = context.AllocateItems(count + 1);
        if (all == nullptr || !context.Spend(count + 1)) return false;
        std::copy_n(keys, count, all);
        all[count] = Value::Int(static_cast<std::int64_t>(offset + item));
        if (!paths.Push(Value::Array({all, count + 1}))) return false;
      }
      if (is_last) return true;
    } else if (key.is_string() && !in_slice) {
      keys[count++] = key;
      at = at.is_object() ? at.Get(key.as_string()) : Value();
    } else {
      return paths.Push(path);
    }
  }
  return paths.Push(Value::Array({keys, count}));
}

bool IndicesOf(Context& context, const Value& array, const Value& wanted, Value* out) {
  Items found(context);
  Comparing comparing(context);
  if (!context.Spend(array.size() + 1)) return false;
  for (std::size_t i = 0; wanted.size() > 0 && i + wanted.size() <= array.size(); ++i) {
    std::size_t equal = 0;
    while (equal < wanted.size() && comparing.Equal(array[i + equal], wanted[equal])) ++equal;
    bool is_here = equal == wanted.size();
    if (!comparing.Charge() || !context.Spend(equal) || (is_here && !found.Push(Count(i))))
      return false;
  }
  return found.Finish(out);
}

}  // namespace

bool Index(Context& context, const Value& container, const Value& key, Value* out) {
  if (container.is_object() && key.is_string()) {
    *out = container.Get(key.as_string());
    return true;
  }
  if (key.is_object() && (container.is_array() || container.is_string() || container.is_null())) {
    const Value* from = key.Find("start");
    const Value* to = key.Find("end");
    if (container.is_null()) return *out = container, true;
    if (from == nullptr || to == nullptr) return BadBounds(context);
    return Slice(context, container, *from, *to, out);
  }
  if (container.is_null() && (key.is_string() || key.is_number())) {
    *out = Value();
    return true;
  }
  if (container.is_array() && key.is_number()) {
    std::optional<std::int64_t> position = PositionOf(key, container.size());
    bool there = position && *position < static_cast<std::int64_t>(container.size());
    *out = there ? container[static_cast<std::size_t>(*position)] : Value();
    return true;
  }
  if (container.is_array() && key.is_array()) return IndicesOf(context, container, key, out);
  return CannotIndex(context, container, key);
}

bool Slice(Context& context, const Value& container, const Value& from, const Value& to,
           Value* out) {
  if (container.is_null()) return *out = Value(), true;
  if (container.is_array()) {
    std::optional<Bounds> bounds = BoundsOf(from, to, container.size());
    if (!bounds) return BadBounds(context);
    *out = Value::Array(container.items().subspan(bounds->begin, bounds->end - bounds->begin));
    return true;
  }
  if (container.is_string()) {
    std::string_view text = container.as_string();
    if (!context.Spend(text.size() / 8 + 1)) return false;
    std::optional<Bounds> bounds = BoundsOf(from, to, CountUtf8(text));
    if (!bounds) return BadBounds(context);
    std::size_t at = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < bounds->end; ++i) {
      if (i == bounds->begin) begin = at;
      at += DecodeUtf8(text.substr(at, 4)).size;
    }
    if (bounds->begin == bounds->end) begin = at;
    *out = Value::String(text.substr(begin, at - begin));
    return true;
  }
  json::Member bounds[] = {{"end", to}, {"start", from}};
  return CannotIndex(context, container, Value::Object(bounds));
}

bool GetPath(Context& context, const Value& value, const Value& path, Value* out) {
  if (!path.is_array()) return context.RaiseText("Path must be specified as an array");
  if (path.size() > kDeepestPath) return TooDeep(context);
  Value at = value;
  for (const Value& key : path.items()) {
    Value part;
    if (!context.Spend(1) || !Index(context, at, key, &part)) return false;
    at = part;
  }
  *out = at;
  return true;
}

bool SetPath(Context& context, const Value& value, const Value& path, const Value& part,
             Value* out) {
  if (!path.is_array()) return context.RaiseText("Path must be specified as an array");
  if (path.size() > kDeepestPath) return TooDeep(context);
  if (path.size() == 0) return *out = part, true;
  return ChangeAt(
      context, value, path.items(),
      [&](const Value& container, const Value& key, Value* changed) {
        return SetPart(context, container, key, part, changed);
      },
      out);
}

bool DeletePaths(Context& context, const Value& value, const Value& paths, Value* out) {
  if (!paths.is_array()) return context.RaiseText("Paths must be specified as an array");
  for (const Value& path : paths.items()) {
    if (!path.is_array()) {
      return context.RaiseText(Cat("Path must be specified as array, not ", TypeName(path.type())));
    }
    if (path.size() > kDeepestPath) return TooDeep(context);
  }
  Stack<Value> memory(context);
  if (!context.Spend(SortCost(paths.size())) || !memory.Reserve(paths.size())) return false;
  for (const Value& path : paths.items()) {
    // One alone is in nobody's way.
    bool as_it_is = paths.size() == 1 || !NamesItemsOddly(path);
    if (!(as_it_is ? memory.Push(path) : AddPlaces(context, value, path, memory))) return false;
  }
  std::vector<Value>& sorted = memory.items();
  Comparing comparing(context);
  // What is deeper or further back goes first, so that no path is moved by another.
  std::ranges::sort(sorted,
                    [&](const Value& a, const Value& b) { return comparing.SortOrder(a, b) > 0; });
  if (!comparing.Charge()) return false;
  vm::Edits edits(context);
  vm::Edits::Session session = edits.Begin();
  Value result = value;
  auto parent = [](const Value& path) { return Value::Array(path.items().first(path.size() - 1)); };
  for (std::size_t i = 0; i < sorted.size();) {
    if (sorted[i].size() == 0) {
      *out = Value();
      return true;
    }
    // All that goes from one container at once.
    Value container_path = parent(sorted[i]);
    std::size_t end = i + 1;
    while (end < sorted.size() && sorted[end].size() > 0 &&
           comparing.Equal(parent(sorted[end]), container_path)) {
      ++end;
    }
    std::span<const Value> together(sorted.data() + i, end - i);
    i = end;
    Value container;
    if (!GetPath(context, result, container_path, &container)) return false;
    // What is not there need not be deleted, and must not be made.
    if (container.is_null()) continue;
    Value changed;
    if (!DeleteParts(context, container, together, &changed) ||
        !edits.Set(session, result, container_path.items(), changed)) {
      return false;
    }
  }
  *out = result;
  return true;
}

}  // namespace wmap::expr::builtins
