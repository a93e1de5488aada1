// The binary operators on values.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "base/utf8.h"
#include "expr/builtins/builtins.h"
#include "expr/builtins/values.h"
#include "json/compare.h"
#include "json/writer.h"

namespace wmap::expr::builtins {
namespace {

using json::Member;
using json::Value;
using vm::Context;

// Objects inside each other that are merged.
constexpr int kDeepestMerge = 2000;

bool CannotBe(Context& context, const Value& a, const Value& b, std::string_view what) {
  std::string message;
  AppendDescription(a, message);
  message += " and ";
  AppendDescription(b, message);
  return context.RaiseText(Cat(message, " cannot be ", what));
}

// Members of both; those of `b` win, or are merged when both are objects and `deep` is set.
bool MergeObjects(Context& context, const Value& a, const Value& b, bool deep, int depth,
                  Value* out) {
  if (depth > kDeepestMerge) return context.RaiseLimit("depth");
  auto left = a.members();
  auto right = b.members();
  if (!context.Spend(left.size() + right.size())) return false;
  Member* members = context.AllocateMembers(left.size() + right.size());
  if (members == nullptr) return false;
  std::size_t count = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < left.size() || j < right.size()) {
    int order = i == left.size() ? 1 : j == right.size() ? -1 : left[i].key.compare(right[j].key);
    if (order < 0) {
      members[count++] = left[i++];
    } else if (order > 0) {
      members[count++] = right[j++];
    } else {
      Value value = right[j].value;
      if (deep && value.is_object() && left[i].value.is_object() &&
          !MergeObjects(context, left[i].value, value, true, depth + 1, &value)) {
        return false;
      }
      members[count++] = {right[j].key, value};
      ++i;
      ++j;
    }
  }
  *out = Value::Object({members, count});
  return true;
}

bool Repeat(Context& context, std::string_view text, double times, Value* out) {
  // As jq: a fraction counts up, nothing and less is null.
  if (!(times > 0)) {
    *out = Value();
    return true;
  }
  double count = std::max(1.0, std::floor(times));
  double size = count * static_cast<double>(text.size());
  if (size > static_cast<double>(std::numeric_limits<std::int32_t>::max())) {
    return context.RaiseText("Repeat string result too long");
  }
  auto bytes = static_cast<std::size_t>(size);
  auto* copy = static_cast<char*>(context.Allocate(bytes, 1));
  if (copy == nullptr) return false;
  for (std::size_t at = 0; at < bytes; at += text.size()) {
    std::copy(text.begin(), text.end(), copy + at);
  }
  *out = Value::String({copy, bytes});
  return true;
}

bool SplitText(Context& context, std::string_view text, std::string_view separator, Value* out) {
  std::vector<Value> parts;
  if (separator.empty()) {
    for (std::size_t i = 0; i < text.size();) {
      std::size_t size = DecodeUtf8(text.substr(i, 4)).size;
      parts.push_back(Value::String(text.substr(i, size)));
      i += size;
    }
  } else if (!text.empty()) {
    std::size_t begin = 0;
    while (true) {
      std::size_t end = text.find(separator, begin);
      parts.push_back(Value::String(text.substr(begin, end - begin)));
      if (end == std::string_view::npos) break;
      begin = end + separator.size();
    }
  }
  return context.Spend(text.size()) && context.MakeArray(parts, out);
}

std::int64_t Truncate(double value) {
  constexpr double kMost = 9223372036854774784.0;
  if (std::isnan(value)) return 0;
  return static_cast<std::int64_t>(std::clamp(value, -kMost, kMost));
}

}  // namespace

namespace {

constexpr std::size_t kBrief = 30;

// The start of `value` as JSON, at least `kBrief` + 1 bytes where it has that many. Each level adds
// a byte, which bounds the recursion.
void AppendStart(const Value& value, std::string& to, std::size_t from) {
  if (to.size() - from > kBrief) return;
  if (value.is_string()) {
    std::string_view text = value.as_string();
    std::size_t size = std::min(text.size(), kBrief + 1);
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) ++size;
    json::WriteString(text.substr(0, size), to);
  } else if (value.is_array()) {
    to += '[';
    for (std::size_t i = 0; i < value.size() && to.size() - from <= kBrief; ++i) {
      if (i > 0) to += ',';
      AppendStart(value[i], to, from);
    }
    to += ']';
  } else if (value.is_object()) {
    to += '{';
    for (std::size_t i = 0; i < value.size() && to.size() - from <= kBrief; ++i) {
      if (i > 0) to += ',';
      AppendStart(Value::String(value.members()[i].key), to, from);
      to += ':';
      AppendStart(value.members()[i].value, to, from);
    }
    to += '}';
  } else {
    json::Write(value, to);
  }
}

}  // namespace

void AppendBrief(const Value& value, std::string& to) {
  std::size_t from = to.size();
  AppendStart(value, to, from);
  if (to.size() - from <= kBrief) return;
  std::size_t cut = from + kBrief - 3;
  while (cut > from && (static_cast<unsigned char>(to[cut]) & 0xC0) == 0x80) --cut;
  to.resize(cut);
  to += "...";
}

void AppendDescription(const Value& value, std::string& to) {
  CatTo(to, TypeName(value.type()), " (");
  AppendBrief(value, to);
  to += ')';
}

bool Add(Context& context, const Value& a, const Value& b, Value* out) {
  if (a.is_int() && b.is_int()) {
    std::int64_t sum = 0;
    *out = __builtin_add_overflow(a.as_int(), b.as_int(), &sum)
               ? Value::Double(a.as_double() + b.as_double())
               : Value::Int(sum);
    return true;
  }
  if (a.is_null()) return *out = b, true;
  if (b.is_null()) return *out = a, true;
  if (a.is_number() && b.is_number()) {
    *out = Value::Double(a.as_double() + b.as_double());
    return true;
  }
  if (a.is_string() && b.is_string()) {
    return context.AppendString(a.as_string(), b.as_string(), out);
  }
  if (a.is_array() && b.is_array()) return context.AppendItems(a.items(), b.items(), out);
  if (a.is_object() && b.is_object()) return MergeObjects(context, a, b, false, 0, out);
  return CannotBe(context, a, b, "added");
}

bool Subtract(Context& context, const Value& a, const Value& b, Value* out) {
  if (a.is_int() && b.is_int()) {
    std::int64_t difference = 0;
    *out = __builtin_sub_overflow(a.as_int(), b.as_int(), &difference)
               ? Value::Double(a.as_double() - b.as_double())
               : Value::Int(difference);
    return true;
  }
  if (a.is_number() && b.is_number()) {
    *out = Value::Double(a.as_double() - b.as_double());
    return true;
  }
  if (a.is_array() && b.is_array()) {
    if (!context.Spend(a.size() * b.size() + 1)) return false;
    std::vector<Value> rest;
    for (const Value& item : a.items()) {
      if (std::ranges::none_of(b.items(), [&](const Value& v) { return json::Equal(v, item); })) {
        rest.push_back(item);
      }
    }
    return context.MakeArray(rest, out);
  }
  return CannotBe(context, a, b, "subtracted");
}

bool Multiply(Context& context, const Value& a, const Value& b, Value* out) {
  if (a.is_int() && b.is_int()) {
    std::int64_t product = 0;
    *out = __builtin_mul_overflow(a.as_int(), b.as_int(), &product)
               ? Value::Double(a.as_double() * b.as_double())
               : Value::Int(product);
    return true;
  }
  if (a.is_number() && b.is_number()) {
    *out = Value::Double(a.as_double() * b.as_double());
    return true;
  }
  if (a.is_string() && b.is_number()) return Repeat(context, a.as_string(), b.as_double(), out);
  if (a.is_number() && b.is_string()) return Repeat(context, b.as_string(), a.as_double(), out);
  if (a.is_object() && b.is_object()) return MergeObjects(context, a, b, true, 0, out);
  return CannotBe(context, a, b, "multiplied");
}

bool Divide(Context& context, const Value& a, const Value& b, Value* out) {
  if (a.is_number() && b.is_number()) {
    if (b.as_double() == 0) return CannotBe(context, a, b, "divided because the divisor is zero");
    bool whole = a.is_int() && b.is_int() && b.as_int() != -1 && a.as_int() % b.as_int() == 0;
    *out = whole ? Value::Int(a.as_int() / b.as_int()) : Number(a.as_double() / b.as_double());
    return true;
  }
  if (a.is_string() && b.is_string()) {
    return SplitText(context, a.as_string(), b.as_string(), out);
  }
  return CannotBe(context, a, b, "divided");
}

bool Modulo(Context& context, const Value& a, const Value& b, Value* out) {
  if (!a.is_number() || !b.is_number()) return CannotBe(context, a, b, "divided");
  if (std::isnan(a.as_double()) || std::isnan(b.as_double())) {
    *out = Value::Double(std::numeric_limits<double>::quiet_NaN());
    return true;
  }
  std::int64_t left = a.is_int() ? a.as_int() : Truncate(a.as_double());
  std::int64_t right = b.is_int() ? b.as_int() : Truncate(b.as_double());
  if (right == 0) return CannotBe(context, a, b, "divided because the divisor is zero");
  // The sign is that of the left side; x % -1 would overflow for the least integer.
  *out = Value::Int(right == -1 ? 0 : left % right);
  return true;
}

bool Negate(Context& context, const Value& a, Value* out) {
  if (!a.is_number()) {
    std::string message;
    AppendDescription(a, message);
    return context.RaiseText(Cat(message, " cannot be negated"));
  }
  if (a.is_int() && a.as_int() != 0 && a.as_int() != std::numeric_limits<std::int64_t>::min()) {
    *out = Value::Int(-a.as_int());
  } else {
    *out = Value::Double(-a.as_double());
  }
  return true;
}

}  // namespace wmap::expr::builtins
