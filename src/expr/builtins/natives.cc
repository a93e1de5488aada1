// The table of natives; the larger ones stand in files of their own.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "base/utf8.h"
#include "expr/builtins/builtins.h"
#include "expr/builtins/values.h"
#include "json/compare.h"
#include "json/reader.h"
#include "json/writer.h"

namespace wmap::expr::builtins {
namespace {

using json::Member;
using json::Value;
using vm::Context;

bool Complain(Context& context, const Value& value, std::string_view what) {
  std::string message;
  AppendDescription(value, message);
  return context.RaiseText(Cat(message, ' ', what));
}

bool Text(Value* out, std::string_view text) { return *out = Value::String(text), true; }

// --- Any value ------------------------------------------------------------------------------

bool Type(Context&, const Value& input, const Value*, Value* out) {
  return Text(out, TypeName(input.type()));
}

bool Length(Context& context, const Value& input, const Value*, Value* out) {
  switch (input.type()) {
    case json::Type::kNull:
      *out = Value::Int(0);
      return true;
    case json::Type::kNumber:
      if (input.is_int() && input.as_int() >= 0) return *out = input, true;
      *out = Number(std::abs(input.as_double()));
      return true;
    case json::Type::kString:
      if (!context.Spend(input.size() / 8 + 1)) return false;
      *out = Value::Int(static_cast<std::int64_t>(CountUtf8(input.as_string())));
      return true;
    case json::Type::kArray:
    case json::Type::kObject:
      *out = Value::Int(static_cast<std::int64_t>(input.size()));
      return true;
    default:
      return Complain(context, input, "has no length");
  }
}

bool Utf8ByteLength(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_string()) return Complain(context, input, "only strings have UTF-8 byte length");
  *out = Value::Int(static_cast<std::int64_t>(input.size()));
  return true;
}

bool ToString(Context& context, const Value& input, const Value*, Value* out) {
  return ToStringValue(context, input, out);
}

bool ToJson(Context& context, const Value& input, const Value*, Value* out) {
  std::string text = json::ToJson(input);
  return context.Spend(text.size() / 8 + 1) && context.MakeString(text, out);
}

bool FromJson(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_string()) return Complain(context, input, "only strings can be parsed");
  std::string_view text = input.as_string();
  if (!context.Spend(text.size() / 8 + 1) || !context.Charge(text.size() * 4)) return false;
  json::ReadOptions options;
  options.dialect = json::ReadOptions::Dialect::kJq;
  Result<Value> value = json::Read(text, context.arena(), options);
  if (!value) {
    return context.RaiseText(
        Cat(value.error().message(), " (while parsing ", Quote(text, 60), ")"));
  }
  *out = *value;
  return true;
}

bool ToNumber(Context& context, const Value& input, const Value*, Value* out) {
  if (input.is_number()) return *out = input, true;
  if (!input.is_string()) return Complain(context, input, "cannot be parsed as a number");
  std::string_view text = input.as_string();
  bool clean = !text.empty() && text.size() < 10000 &&
               text.find_first_of(" \t\r\n") == std::string_view::npos;
  json::ReadOptions options;
  options.dialect = json::ReadOptions::Dialect::kJq;
  Result<Value> value = clean ? json::Read(text, context.arena(), options) : Value();
  if (!value || !value->is_number()) {
    return Complain(context, input, "cannot be parsed as a number");
  }
  *out = *value;
  return true;
}

bool ToBoolean(Context& context, const Value& input, const Value*, Value* out) {
  if (input.is_bool()) return *out = input, true;
  std::string_view text = input.text_or_empty();
  if (text != "true" && text != "false") {
    return Complain(context, input, "cannot be parsed as a boolean");
  }
  *out = Value::Bool(text == "true");
  return true;
}

bool ToArray(Context& context, const Value& input, const Value*, Value* out) {
  if (input.is_array()) return *out = input, true;
  return context.MakeArray(std::span(&input, 1), out);
}

bool Keys(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_object() && !input.is_array()) return Complain(context, input, "has no keys");
  Value* keys = context.AllocateItems(input.size());
  if (keys == nullptr || !context.Spend(input.size() / 8 + 1)) return false;
  for (std::size_t i = 0; i < input.size(); ++i) {
    keys[i] = input.is_array() ? Value::Int(static_cast<std::int64_t>(i))
                               : Value::String(input.members()[i].key);
  }
  *out = Value::Array({keys, input.size()});
  return true;
}

bool Has(Context& context, const Value& input, const Value* arguments, Value* out) {
  const Value& key = arguments[0];
  if (input.is_object() && key.is_string()) {
    *out = Value::Bool(input.Find(key.as_string()) != nullptr);
    return true;
  }
  if (input.is_array() && key.is_number()) {
    double at = key.as_double();
    *out = Value::Bool(at >= 0 && at < static_cast<double>(input.size()));
    return true;
  }
  return context.RaiseText(Cat("Cannot check whether ", TypeName(input.type()), " has a ",
                               key.is_string() ? std::string_view("string") : TypeName(key.type()),
                               " key"));
}

constexpr int kDeepestContains = 2000;

bool ContainsAt(Context& context, const Value& a, const Value& b, int depth, bool& contains) {
  if (depth > kDeepestContains) return context.RaiseLimit("depth");
  if (!context.Spend(1)) return false;
  if (a.is_object() && b.is_object()) {
    contains = true;
    for (const Member& member : b.members()) {
      const Value* own = a.Find(member.key);
      if (own == nullptr) return contains = false, true;
      if (!ContainsAt(context, *own, member.value, depth + 1, contains)) return false;
      if (!contains) return true;
    }
    return true;
  }
  if (a.is_array() && b.is_array()) {
    for (const Value& wanted : b.items()) {
      contains = false;
      for (const Value& item : a.items()) {
        if (item.type() != wanted.type() && !(item.is_bool() && wanted.is_bool())) continue;
        if (!ContainsAt(context, item, wanted, depth + 1, contains)) return false;
        if (contains) break;
      }
      if (!contains) return true;
    }
    contains = true;
    return true;
  }
  if (a.is_string() && b.is_string()) {
    contains = a.as_string().find(b.as_string()) != std::string_view::npos;
    return context.Spend(a.size() / 8 + 1);
  }
  if (a.type() == b.type() || (a.is_bool() && b.is_bool())) {
    contains = json::Equal(a, b);
    return true;
  }
  std::string message;
  AppendDescription(a, message);
  message += " and ";
  AppendDescription(b, message);
  return context.RaiseText(message + " cannot have their containment checked");
}

bool Contains(Context& context, const Value& input, const Value* arguments, Value* out) {
  bool contains = false;
  if (!ContainsAt(context, input, arguments[0], 0, contains)) return false;
  *out = Value::Bool(contains);
  return true;
}

// --- Strings --------------------------------------------------------------------------------

template <char kFirst, char kLast, int kShift>
bool ShiftLetters(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_string()) {
    return context.RaiseText(kShift > 0 ? "ascii_downcase input must be a string"
                                        : "ascii_upcase input must be a string");
  }
  std::string text(input.as_string());
  for (char& c : text) {
    if (c >= kFirst && c <= kLast) c = static_cast<char>(c + kShift);
  }
  return context.Spend(text.size() / 8 + 1) && context.MakeString(text, out);
}

template <bool kStart>
bool StartsOrEnds(Context& context, const Value& input, const Value* arguments, Value* out) {
  if (!input.is_string() || !arguments[0].is_string()) {
    return context.RaiseText(kStart ? "startswith() requires string inputs"
                                    : "endswith() requires string inputs");
  }
  std::string_view text = input.as_string();
  std::string_view part = arguments[0].as_string();
  *out = Value::Bool(kStart ? text.starts_with(part) : text.ends_with(part));
  return true;
}

template <bool kLeft, bool kRight>
bool TrimText(Context&, const Value& input, const Value* arguments, Value* out) {
  *out = input;
  if (!input.is_string() || !arguments[0].is_string()) return true;
  std::string_view text = input.as_string();
  std::string_view part = arguments[0].as_string();
  if (kLeft && text.starts_with(part)) text.remove_prefix(part.size());
  if (kRight && text.ends_with(part)) text.remove_suffix(part.size());
  *out = Value::String(text);
  return true;
}

template <bool kLeft, bool kRight>
bool TrimSpace(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_string()) return Complain(context, input, "cannot be trimmed");
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  std::string_view text = input.as_string();
  if (kLeft) text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  if (kRight) text = text.substr(0, text.find_last_not_of(kSpace) + 1);
  *out = Value::String(text);
  return true;
}

bool Split(Context& context, const Value& input, const Value* arguments, Value* out) {
  if (!input.is_string() || !arguments[0].is_string()) {
    return context.RaiseText("split input and separator must be strings");
  }
  return Divide(context, input, arguments[0], out);
}

bool Explode(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_string()) return Complain(context, input, "cannot be exploded");
  std::vector<Value> codes;
  std::string_view text = input.as_string();
  for (std::size_t i = 0; i < text.size();) {
    Utf8Char c = DecodeUtf8(text.substr(i, 4));
    codes.push_back(Value::Int(static_cast<std::int64_t>(c.code)));
    i += c.size;
  }
  return context.Spend(text.size()) && context.MakeArray(codes, out);
}

bool Implode(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_array()) return Complain(context, input, "cannot be imploded");
  std::string text;
  for (const Value& code : input.items()) {
    if (!code.is_number()) {
      return context.RaiseText("Unicode codepoint must be numeric");
    }
    double value = code.as_double();
    bool valid = value >= 0 && value <= 0x10FFFF;
    AppendUtf8(text, valid ? static_cast<char32_t>(value) : kReplacement);
  }
  return context.Spend(input.size()) && context.MakeString(text, out);
}

// Places of a string in a string, in characters; overlapping ones too.
bool TextIndices(Context& context, std::string_view text, std::string_view wanted, Value* out) {
  std::vector<Value> found;
  if (!context.Spend(text.size() + 1)) return false;
  if (!wanted.empty()) {
    std::size_t bytes = 0;
    std::int64_t characters = 0;
    for (std::size_t at = text.find(wanted); at != std::string_view::npos;
         at = text.find(wanted, at + 1)) {
      characters += static_cast<std::int64_t>(CountUtf8(text.substr(bytes, at - bytes)));
      bytes = at;
      found.push_back(Value::Int(characters));
    }
  }
  return context.MakeArray(found, out);
}

bool Indices(Context& context, const Value& input, const Value* arguments, Value* out) {
  const Value& wanted = arguments[0];
  if (input.is_null()) return *out = Value(), true;
  if (input.is_string() && wanted.is_string()) {
    if (wanted.size() == 0) return *out = Value(), true;
    return TextIndices(context, input.as_string(), wanted.as_string(), out);
  }
  if (input.is_array() && wanted.is_array()) return Index(context, input, wanted, out);
  if (input.is_array()) {
    Value one = Value::Array(std::span(&wanted, 1));
    return Index(context, input, one, out);
  }
  return Index(context, input, wanted, out);
}

template <bool kFirst>
bool FirstOrLastIndex(Context& context, const Value& input, const Value* arguments, Value* out) {
  Value all;
  if (!Indices(context, input, arguments, &all)) return false;
  bool none = !all.is_array() || all.size() == 0;
  *out = none ? Value() : all[kFirst ? 0 : all.size() - 1];
  return true;
}

// --- Arrays ---------------------------------------------------------------------------------

bool NeedsArray(Context& context, const Value& input, std::string_view what) {
  return input.is_array() || Complain(context, input, what);
}

std::uint64_t SortCost(std::size_t size) {
  std::uint64_t cost = size + 1;
  for (std::size_t n = size; n > 1; n /= 2) cost += size;
  return cost;
}

bool Sorted(Context& context, std::span<const Value> items, std::vector<Value>& to) {
  if (!context.Spend(SortCost(items.size())) || !context.Charge(items.size_bytes())) return false;
  to.assign(items.begin(), items.end());
  std::ranges::stable_sort(
      to, [](const Value& a, const Value& b) { return json::SortOrder(a, b) < 0; });
  return true;
}

bool Sort(Context& context, const Value& input, const Value*, Value* out) {
  if (!NeedsArray(context, input, "cannot be sorted, as it is not an array")) return false;
  std::vector<Value> items;
  return Sorted(context, input.items(), items) && context.MakeArray(items, out);
}

bool Unique(Context& context, const Value& input, const Value*, Value* out) {
  if (!NeedsArray(context, input, "cannot be sorted, as it is not an array")) return false;
  std::vector<Value> items;
  if (!Sorted(context, input.items(), items)) return false;
  auto repeated = std::ranges::unique(
      items, [](const Value& a, const Value& b) { return json::SortOrder(a, b) == 0; });
  items.erase(repeated.begin(), repeated.end());
  return context.MakeArray(items, out);
}

template <bool kLeast>
bool MinOrMax(Context& context, const Value& input, const Value*, Value* out) {
  if (!NeedsArray(context, input, "cannot be compared, as it is not an array")) return false;
  if (!context.Spend(input.size() + 1)) return false;
  *out = Value();
  for (std::size_t i = 0; i < input.size(); ++i) {
    int order = i == 0 ? 0 : json::SortOrder(input[i], *out);
    if (i == 0 || (kLeast ? order < 0 : order >= 0)) *out = input[i];
  }
  return true;
}

// Positions of the items of `input` in the order of their keys, which are the argument.
bool OrderByKeys(Context& context, const Value& input, const Value& keys,
                 std::vector<std::size_t>& order) {
  if (!NeedsArray(context, input, "cannot be sorted, as it is not an array")) return false;
  if (!context.Spend(SortCost(input.size()))) return false;
  order.resize(input.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return json::SortOrder(keys[a], keys[b]) < 0; });
  return true;
}

bool SortByKeys(Context& context, const Value& input, const Value* arguments, Value* out) {
  std::vector<std::size_t> order;
  if (!OrderByKeys(context, input, arguments[0], order)) return false;
  std::vector<Value> items;
  for (std::size_t i : order) items.push_back(input[i]);
  return context.MakeArray(items, out);
}

bool GroupByKeys(Context& context, const Value& input, const Value* arguments, Value* out) {
  std::vector<std::size_t> order;
  const Value& keys = arguments[0];
  if (!OrderByKeys(context, input, keys, order)) return false;
  std::vector<Value> groups;
  std::vector<Value> group;
  for (std::size_t i = 0; i < order.size(); ++i) {
    group.push_back(input[order[i]]);
    bool last = i + 1 == order.size() || json::SortOrder(keys[order[i]], keys[order[i + 1]]) != 0;
    if (!last) continue;
    Value made;
    if (!context.MakeArray(group, &made)) return false;
    groups.push_back(made);
    group.clear();
  }
  return context.MakeArray(groups, out);
}

template <bool kLeast>
bool MinOrMaxByKeys(Context& context, const Value& input, const Value* arguments, Value* out) {
  if (!NeedsArray(context, input, "cannot be compared, as it is not an array")) return false;
  const Value& keys = arguments[0];
  std::size_t best = 0;
  for (std::size_t i = 1; i < input.size(); ++i) {
    int order = json::SortOrder(keys[i], keys[best]);
    if (kLeast ? order < 0 : order >= 0) best = i;
  }
  *out = input.size() == 0 ? Value() : input[best];
  return context.Spend(input.size() + 1);
}

bool Reverse(Context& context, const Value& input, const Value*, Value* out) {
  if (input.is_null()) return *out = Value::Array({}), true;
  if (input.is_string()) {
    std::string reversed;
    std::string_view text = input.as_string();
    for (std::size_t end = text.size(); end > 0;) {
      std::size_t begin = end - 1;
      while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
      reversed += text.substr(begin, end - begin);
      end = begin;
    }
    return context.Spend(text.size()) && context.MakeString(reversed, out);
  }
  if (!NeedsArray(context, input, "cannot be reversed, as it is not an array")) return false;
  std::vector<Value> items(input.items().rbegin(), input.items().rend());
  return context.Spend(items.size()) && context.MakeArray(items, out);
}

bool FlattenTo(Context& context, const Value& input, double depth, Value* out) {
  if (!input.is_array()) return Complain(context, input, "cannot be flattened");
  if (depth < 0) return context.RaiseText("flatten depth must not be negative");
  struct Level {
    Value array;
    std::size_t next;
  };
  std::vector<Level> levels = {{input, 0}};
  std::vector<Value> items;
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.next == level.array.size()) {
      levels.pop_back();
      continue;
    }
    const Value item = level.array[level.next++];
    if (!context.Spend(1)) return false;
    if (item.is_array() && static_cast<double>(levels.size()) <= depth) {
      levels.push_back({item, 0});
    } else {
      if (!context.Charge(sizeof(Value))) return false;
      items.push_back(item);
    }
  }
  return context.MakeArray(items, out);
}

bool Flatten(Context& context, const Value& input, const Value*, Value* out) {
  return FlattenTo(context, input, 1e9, out);
}

bool FlattenDepth(Context& context, const Value& input, const Value* arguments, Value* out) {
  if (!arguments[0].is_number()) return context.RaiseText("flatten depth must not be negative");
  return FlattenTo(context, input, arguments[0].as_double(), out);
}

bool Transpose(Context& context, const Value& input, const Value*, Value* out) {
  if (!NeedsArray(context, input, "cannot be transposed")) return false;
  std::size_t width = 0;
  for (const Value& row : input.items()) {
    if (!row.is_array()) return Complain(context, row, "cannot be transposed");
    width = std::max(width, row.size());
  }
  if (!context.Spend(width * input.size() + 1)) return false;
  std::vector<Value> columns;
  for (std::size_t i = 0; i < width; ++i) {
    std::vector<Value> column;
    for (const Value& row : input.items()) column.push_back(i < row.size() ? row[i] : Value());
    Value made;
    if (!context.MakeArray(column, &made)) return false;
    columns.push_back(made);
  }
  return context.MakeArray(columns, out);
}

bool BinarySearch(Context& context, const Value& input, const Value* arguments, Value* out) {
  if (!NeedsArray(context, input, "cannot be searched from")) return false;
  std::size_t low = 0;
  std::size_t high = input.size();
  while (low < high) {
    std::size_t middle = low + (high - low) / 2;
    int order = json::SortOrder(input[middle], arguments[0]);
    if (order == 0) return *out = Value::Int(static_cast<std::int64_t>(middle)), true;
    (order < 0 ? low : high) = order < 0 ? middle + 1 : middle;
  }
  *out = Value::Int(-1 - static_cast<std::int64_t>(low));
  return true;
}

bool ToEntries(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_object()) return Complain(context, input, "has no keys");
  Value* entries = context.AllocateItems(input.size());
  Member* members = context.AllocateMembers(2 * input.size());
  if (entries == nullptr || members == nullptr || !context.Spend(input.size())) return false;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const Member& member = input.members()[i];
    members[2 * i] = {"key", Value::String(member.key)};
    members[2 * i + 1] = {"value", member.value};
    entries[i] = Value::Object({members + 2 * i, 2});
  }
  *out = Value::Array({entries, input.size()});
  return true;
}

// --- Paths ----------------------------------------------------------------------------------

bool SetPathOf(Context& context, const Value& input, const Value* arguments, Value* out) {
  return SetPath(context, input, arguments[0], arguments[1], out);
}

bool DeletePathsOf(Context& context, const Value& input, const Value* arguments, Value* out) {
  return DeletePaths(context, input, arguments[0], out);
}

// --- Numbers --------------------------------------------------------------------------------

template <double (*kFunction)(double)>
bool Math(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_number()) return Complain(context, input, "number required");
  *out = Number(kFunction(input.as_double()));
  return true;
}

template <double (*kFunction)(double, double)>
bool Math2(Context& context, const Value&, const Value* arguments, Value* out) {
  for (std::size_t i = 0; i < 2; ++i) {
    if (!arguments[i].is_number()) return Complain(context, arguments[i], "number required");
  }
  *out = Number(kFunction(arguments[0].as_double(), arguments[1].as_double()));
  return true;
}

bool Abs(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_number()) return Complain(context, input, "has no absolute value");
  if (input.as_double() >= 0) return *out = input, true;
  return Negate(context, input, out);
}

bool Infinite(Context&, const Value&, const Value*, Value* out) {
  return *out = Value::Double(std::numeric_limits<double>::infinity()), true;
}
bool Nan(Context&, const Value&, const Value*, Value* out) {
  return *out = Value::Double(std::numeric_limits<double>::quiet_NaN()), true;
}

template <bool (*kTest)(double)>
bool Test(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_number()) return Complain(context, input, "number required");
  *out = Value::Bool(kTest(input.as_double()));
  return true;
}
bool IsInfinite(double x) { return std::isinf(x); }
bool IsNan(double x) { return std::isnan(x); }
bool IsNormal(double x) { return std::isnormal(x); }

template <bool kValue>
bool Constant(Context&, const Value&, const Value*, Value* out) {
  return *out = Value::Bool(kValue), true;
}

bool Now(Context& context, const Value&, const Value*, Value* out) {
  if (context.limits().clock == nullptr) return context.RaiseText("now: there is no clock here");
  *out = Value::Int(context.limits().clock->UnixSeconds());
  return true;
}

constexpr NativeRow kNatives[] = {
    {"_group_by", 1, GroupByKeys},
    {"_max_by", 1, MinOrMaxByKeys<false>},
    {"_min_by", 1, MinOrMaxByKeys<true>},
    {"_sort_by", 1, SortByKeys},
    {"abs", 0, Abs},
    {"acos", 0, Math<std::acos>},
    {"ascii_downcase", 0, ShiftLetters<'A', 'Z', 32>},
    {"ascii_upcase", 0, ShiftLetters<'a', 'z', -32>},
    {"asin", 0, Math<std::asin>},
    {"atan", 0, Math<std::atan>},
    {"atan2", 2, Math2<std::atan2>},
    {"bsearch", 1, BinarySearch},
    {"cbrt", 0, Math<std::cbrt>},
    {"ceil", 0, Math<std::ceil>},
    {"contains", 1, Contains},
    {"cos", 0, Math<std::cos>},
    {"cosh", 0, Math<std::cosh>},
    {"delpaths", 1, DeletePathsOf},
    {"endswith", 1, StartsOrEnds<false>},
    {"exp", 0, Math<std::exp>},
    {"exp2", 0, Math<std::exp2>},
    {"explode", 0, Explode},
    {"fabs", 0, Math<std::fabs>},
    {"flatten", 0, Flatten},
    {"flatten", 1, FlattenDepth},
    {"floor", 0, Math<std::floor>},
    {"fmax", 2, Math2<std::fmax>},
    {"fmin", 2, Math2<std::fmin>},
    {"fmod", 2, Math2<std::fmod>},
    {"fromjson", 0, FromJson},
    {"has", 1, Has},
    {"have_decnum", 0, Constant<false>},
    {"have_literal_numbers", 0, Constant<true>},
    {"implode", 0, Implode},
    {"index", 1, FirstOrLastIndex<true>},
    {"indices", 1, Indices},
    {"infinite", 0, Infinite},
    {"isinfinite", 0, Test<IsInfinite>},
    {"isnan", 0, Test<IsNan>},
    {"isnormal", 0, Test<IsNormal>},
    {"keys", 0, Keys},
    {"keys_unsorted", 0, Keys},
    {"length", 0, Length},
    {"log", 0, Math<std::log>},
    {"log10", 0, Math<std::log10>},
    {"log2", 0, Math<std::log2>},
    {"ltrim", 0, TrimSpace<true, false>},
    {"ltrimstr", 1, TrimText<true, false>},
    {"max", 0, MinOrMax<false>},
    {"min", 0, MinOrMax<true>},
    {"nan", 0, Nan},
    {"now", 0, Now},
    {"pow", 2, Math2<std::pow>},
    {"reverse", 0, Reverse},
    {"rindex", 1, FirstOrLastIndex<false>},
    {"round", 0, Math<std::round>},
    {"rtrim", 0, TrimSpace<false, true>},
    {"rtrimstr", 1, TrimText<false, true>},
    {"setpath", 2, SetPathOf},
    {"sin", 0, Math<std::sin>},
    {"sinh", 0, Math<std::sinh>},
    {"sort", 0, Sort},
    {"split", 1, Split},
    {"sqrt", 0, Math<std::sqrt>},
    {"startswith", 1, StartsOrEnds<true>},
    {"tan", 0, Math<std::tan>},
    {"tanh", 0, Math<std::tanh>},
    {"to_entries", 0, ToEntries},
    {"toarray", 0, ToArray},
    {"toboolean", 0, ToBoolean},
    {"tojson", 0, ToJson},
    {"tonumber", 0, ToNumber},
    {"tostring", 0, ToString},
    {"transpose", 0, Transpose},
    {"trim", 0, TrimSpace<true, true>},
    {"trimstr", 1, TrimText<true, true>},
    {"trunc", 0, Math<std::trunc>},
    {"type", 0, Type},
    {"unique", 0, Unique},
    {"utf8bytelength", 0, Utf8ByteLength},
};

bool IsBefore(const NativeRow& row, std::string_view name, std::size_t arity) {
  return row.name != name ? row.name < name : row.arity < arity;
}

}  // namespace

std::span<const NativeRow> Natives() { return kNatives; }

const NativeRow* FindNative(std::string_view name, std::size_t arity) {
  const NativeRow* row = std::lower_bound(
      std::begin(kNatives), std::end(kNatives), name,
      [&](const NativeRow& r, std::string_view n) { return IsBefore(r, n, arity); });
  bool found = row != std::end(kNatives) && row->name == name && row->arity == arity;
  return found ? row : nullptr;
}

}  // namespace wmap::expr::builtins
