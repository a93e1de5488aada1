// Natives for arrays.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/utf8.h"
#include "expr/builtins/builtins.h"
#include "expr/builtins/comparing.h"
#include "expr/builtins/natives.h"
#include "expr/builtins/scratch.h"
#include "expr/builtins/values.h"

namespace wmap::expr::builtins {

using json::Value;
using vm::Context;

// --- Order ----------------------------------------------------------------------------------

namespace {

constexpr std::string_view kNotSorted = "cannot be sorted, as it is not an array";
constexpr std::string_view kNotCompared = "cannot be compared, as it is not an array";

// An item's key, and where the item is.
struct Key {
  Value value;
  std::uint32_t position;
};

// The keys in ascending order; equal ones keep their order.
bool Order(std::span<const Value> keys, Comparing& comparing, Stack<Key>& order) {
  // What stable_sort needs beside them.
  Scratch buffer(order.context());
  if (!order.context().Spend(SortCost(keys.size())) || !order.Reserve(keys.size()) ||
      !buffer.Grow(keys.size() * sizeof(Key) / 2)) {
    return false;
  }
  // Keys come as arrays of all results; of one each, the results alone have the same order.
  auto is_single = [](const Value& key) { return key.is_array() && key.size() == 1; };
  bool single = std::ranges::all_of(keys, is_single);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    order.items().push_back({single ? keys[i][0] : keys[i], static_cast<std::uint32_t>(i)});
  }
  std::ranges::stable_sort(order.items(), [&](const Key& a, const Key& b) {
    return comparing.SortOrder(a.value, b.value) < 0;
  });
  return comparing.Charge();
}

// Checks the input of the natives that get a key for each item.
bool NeedItems(Context& context, const Value& input, const Value& keys, std::string_view what) {
  return (input.is_array() && keys.is_array() && input.size() == keys.size()) ||
         Complain(context, input, what);
}

// The first item of each run of equal keys, or the whole run.
bool Runs(Context& context, const Value& input, std::span<const Value> keys, bool whole,
          Value* out) {
  Stack<Key> sorted(context);
  Comparing comparing(context);
  if (!Order(keys, comparing, sorted)) return false;
  const std::vector<Key>& order = sorted.items();
  Items made(context);
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    end = begin + 1;
    while (end < order.size() && comparing.Equal(order[begin].value, order[end].value)) ++end;
    Value one = input[order[begin].position];
    if (whole) {
      Value* group = context.AllocateItems(end - begin);
      if (group == nullptr) return false;
      for (std::size_t i = begin; i < end; ++i) group[i - begin] = input[order[i].position];
      one = Value::Array({group, end - begin});
    }
    if (!made.Push(one)) return false;
  }
  return comparing.Charge() && made.Finish(out);
}

bool Extreme(Context& context, const Value& input, std::span<const Value> keys, bool least,
             Value* out) {
  if (!context.Spend(keys.size() + 1)) return false;
  Comparing comparing(context);
  std::size_t best = 0;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    int order = comparing.Compare(keys[i], keys[best]);
    if ((order < 0) == least) best = i;
  }
  *out = keys.empty() ? Value() : input[best];
  return comparing.Charge();
}

}  // namespace

bool Sort(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_array()) return Complain(context, input, kNotSorted);
  Scratch buffer(context);
  if (!context.Spend(SortCost(input.size())) || !buffer.Grow(input.items().size_bytes() / 2)) {
    return false;
  }
  Value* items = context.AllocateItems(input.size());
  if (items == nullptr) return false;
  std::ranges::copy(input.items(), items);
  std::span<Value> sorted(items, input.size());
  Comparing comparing(context);
  std::ranges::stable_sort(
      sorted, [&](const Value& a, const Value& b) { return comparing.SortOrder(a, b) < 0; });
  *out = Value::Array(sorted);
  return comparing.Charge();
}

bool Unique(Context& context, const Value& input, const Value*, Value* out) {
  Value sorted;
  if (!Sort(context, input, nullptr, &sorted)) return false;
  Items made(context);
  Comparing comparing(context);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    bool repeated = i > 0 && comparing.Equal(sorted[i - 1], sorted[i]);
    if (!repeated && !made.Push(sorted[i])) return false;
  }
  return comparing.Charge() && made.Finish(out);
}

bool Min(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_array()) return Complain(context, input, kNotCompared);
  return Extreme(context, input, input.items(), true, out);
}
bool Max(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_array()) return Complain(context, input, kNotCompared);
  return Extreme(context, input, input.items(), false, out);
}

bool SortByKeys(Context& context, const Value& input, const Value* arguments, Value* out) {
  if (!NeedItems(context, input, arguments[0], kNotSorted)) return false;
  Stack<Key> order(context);
  Comparing comparing(context);
  if (!Order(arguments[0].items(), comparing, order)) return false;
  Value* items = context.AllocateItems(input.size());
  if (items == nullptr) return false;
  for (std::size_t i = 0; i < input.size(); ++i) items[i] = input[order.items()[i].position];
  *out = Value::Array({items, input.size()});
  return true;
}

bool GroupByKeys(Context& context, const Value& input, const Value* arguments, Value* out) {
  return NeedItems(context, input, arguments[0], "cannot be grouped, as it is not an array") &&
         Runs(context, input, arguments[0].items(), true, out);
}
bool UniqueByKeys(Context& context, const Value& input, const Value* arguments, Value* out) {
  return NeedItems(context, input, arguments[0], "cannot be grouped, as it is not an array") &&
         Runs(context, input, arguments[0].items(), false, out);
}
bool MinByKeys(Context& context, const Value& input, const Value* arguments, Value* out) {
  return NeedItems(context, input, arguments[0], kNotCompared) &&
         Extreme(context, input, arguments[0].items(), true, out);
}
bool MaxByKeys(Context& context, const Value& input, const Value* arguments, Value* out) {
  return NeedItems(context, input, arguments[0], kNotCompared) &&
         Extreme(context, input, arguments[0].items(), false, out);
}

bool BinarySearch(Context& context, const Value& input, const Value* arguments, Value* out) {
  if (!input.is_array()) return Complain(context, input, "cannot be searched from");
  Comparing comparing(context);
  std::size_t low = 0;
  std::size_t high = input.size();
  while (low < high) {
    std::size_t middle = low + (high - low) / 2;
    int order = comparing.Compare(arguments[0], input[middle]);
    if (order == 0) return *out = Count(middle), comparing.Charge();
    (order > 0 ? low : high) = order > 0 ? middle + 1 : middle;
  }
  *out = Value::Int(-1 - static_cast<std::int64_t>(low));
  return comparing.Charge();
}

// --- Shape ----------------------------------------------------------------------------------

bool Reverse(Context& context, const Value& input, const Value*, Value* out) {
  // What has the length 0 has nothing to reverse, as in jq.
  bool is_container = input.is_string() || input.is_object();
  bool is_nothing = input.is_null() || (is_container && input.size() == 0) ||
                    (input.is_number() && input.as_double() == 0);
  if (is_nothing) return *out = Value::Array({}), true;
  if (!input.is_array()) {
    return Complain(context, input, "cannot be reversed, as it is not an array");
  }
  Value* items = context.AllocateItems(input.size());
  if (items == nullptr || !context.Spend(input.size() / 4 + 1)) return false;
  std::ranges::reverse_copy(input.items(), items);
  *out = Value::Array({items, input.size()});
  return true;
}

namespace {

bool FlattenTo(Context& context, const Value& input, double depth, Value* out) {
  if (!input.is_array() && !input.is_object()) return CannotIterate(context, input);
  struct Level {
    Value container;
    std::size_t next;
  };
  Stack<Level> levels(context);
  Items items(context);
  if (!levels.Push({input, 0})) return false;
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.next == level.container.size()) {
      levels.Pop();
      continue;
    }
    Value item = Elements(level.container)[level.next++];
    bool opens = item.is_array() && static_cast<double>(levels.size()) <= depth;
    if (!context.Spend(1) || !(opens ? levels.Push({item, 0}) : items.Push(item))) return false;
  }
  return items.Finish(out);
}

}  // namespace

bool Flatten(Context& context, const Value& input, const Value*, Value* out) {
  return FlattenTo(context, input, static_cast<double>(Value::kMaxSize), out);
}

bool FlattenDepth(Context& context, const Value& input, const Value* arguments, Value* out) {
  if (!arguments[0].is_number()) {
    return Complain(context, arguments[0], "is no depth to flatten to, which is a number");
  }
  if (!(arguments[0].as_double() >= 0)) {
    return context.RaiseText("flatten depth must not be negative");
  }
  double depth = arguments[0].as_double();
  // Counted down by ones, as jq does, a fraction never comes to 0.
  if (depth != std::floor(depth)) return Flatten(context, input, arguments, out);
  return FlattenTo(context, input, depth, out);
}

bool Transpose(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_array() && !input.is_object()) return CannotIterate(context, input);
  Elements rows(input);
  std::size_t width = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].is_array() && !rows[i].is_null()) {
      return Complain(context, rows[i], "cannot be transposed, as it is not an array");
    }
    if (rows[i].is_array()) width = std::max(width, rows[i].size());
  }
  if (!context.Spend(width * rows.size() + 1)) return false;
  Value* columns = context.AllocateItems(width);
  if (columns == nullptr) return false;
  for (std::size_t i = 0; i < width; ++i) {
    Value* column = context.AllocateItems(rows.size());
    if (column == nullptr) return false;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      bool there = rows[j].is_array() && i < rows[j].size();
      column[j] = there ? rows[j][i] : Value();
    }
    columns[i] = Value::Array({column, rows.size()});
  }
  *out = Value::Array({columns, width});
  return true;
}

}  // namespace wmap::expr::builtins
