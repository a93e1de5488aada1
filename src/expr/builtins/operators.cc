// The binary operators on values.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "base/utf8.h"
#include "expr/builtins/builtins.h"
#include "expr/builtins/comparing.h"
#include "expr/builtins/scratch.h"
#include "expr/builtins/values.h"
#include "json/writer.h"

namespace wmap::expr::builtins {
namespace {

using json::Member;
using json::Value;
using vm::Context;

// Objects inside each other that are merged.
constexpr std::size_t kDeepestMerge = 10000;

bool CannotBe(Context& context, const Value& a, const Value& b, std::string_view what) {
  return Complain(context, a, b, Cat("cannot be ", what));
}

// Two objects on the way to becoming one.
struct Merge {
  std::span<const Member> left;
  std::span<const Member> right;
  std::size_t i;
  std::size_t j;
  Member* members;
  std::size_t count;
};

bool BeginMerge(Context& context, const Value& a, const Value& b, Stack<Merge>& open) {
  if (open.size() > kDeepestMerge) return context.RaiseText("Object merge too deep");
  std::size_t size = a.size() + b.size();
  Member* members = context.AllocateMembers(size);
  return members != nullptr && context.Spend(size + 1) &&
         open.Push({a.members(), b.members(), 0, 0, members, 0});
}

// Members of both; those of `b` win, or are merged when both are objects and `deep` is set.
bool MergeObjects(Context& context, const Value& a, const Value& b, bool deep, Value* out) {
  Stack<Merge> open(context);
  if (!BeginMerge(context, a, b, open)) return false;
  while (true) {
    Merge& merge = open.back();
    bool has_left = merge.i < merge.left.size();
    bool has_right = merge.j < merge.right.size();
    if (!has_left && !has_right) {
      Value object = Value::Object({merge.members, merge.count});
      open.Pop();
      if (open.empty()) return *out = object, true;
      open.back().members[open.back().count++].value = object;
      continue;
    }
    int order = !has_left    ? 1
                : !has_right ? -1
                             : merge.left[merge.i].key.compare(merge.right[merge.j].key);
    if (order < 0) {
      merge.members[merge.count++] = merge.left[merge.i++];
    } else if (order > 0) {
      merge.members[merge.count++] = merge.right[merge.j++];
    } else {
      const Member& left = merge.left[merge.i++];
      const Member& right = merge.right[merge.j++];
      merge.members[merge.count] = right;
      if (!deep || !left.value.is_object() || !right.value.is_object()) {
        ++merge.count;
      } else if (!BeginMerge(context, left.value, right.value, open)) {
        return false;
      }
    }
  }
}

bool Repeat(Context& context, std::string_view text, double times, Value* out) {
  // As jq: less than zero times is null.
  if (!(times >= 0)) return *out = Value(), true;
  double size = text.empty() ? 0 : std::floor(times) * static_cast<double>(text.size());
  if (size > static_cast<double>(std::numeric_limits<std::int32_t>::max())) {
    return context.RaiseText("Repeat string result too long");
  }
  auto bytes = static_cast<std::size_t>(size);
  auto* copy = static_cast<char*>(context.Allocate(bytes, 1));
  if (copy == nullptr || !context.Spend(TextCost(bytes))) return false;
  for (std::size_t at = 0; at < bytes; at += text.size()) {
    std::copy(text.begin(), text.end(), copy + at);
  }
  *out = Value::String({copy, bytes});
  return true;
}

bool SplitText(Context& context, std::string_view text, std::string_view separator, Value* out) {
  Items parts(context);
  if (!context.Spend(text.size() + 1)) return false;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = separator.empty() ? begin + DecodeUtf8(text.substr(begin, 4)).size
                                        : std::min(FindText(text, separator, begin), text.size());
    if (!parts.Push(Value::String(text.substr(begin, end - begin)))) return false;
    begin = end + separator.size();
    // A separator at the end has an empty part behind it.
    if (!separator.empty() && begin == text.size() && !parts.Push(Value::String(""))) return false;
  }
  return parts.Finish(out);
}

std::int64_t Truncate(double value) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (value >= kTwoTo63) return std::numeric_limits<std::int64_t>::max();
  if (value <= -kTwoTo63) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

}  // namespace

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
  if (a.is_object() && b.is_object()) return MergeObjects(context, a, b, false, out);
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
    Items rest(context);
    Comparing comparing(context);
    for (const Value& item : a.items()) {
      bool stays =
          std::ranges::none_of(b.items(), [&](const Value& v) { return comparing.Equal(v, item); });
      if (!comparing.Charge() || (stays && !rest.Push(item))) return false;
    }
    return rest.Finish(out);
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
  if (a.is_object() && b.is_object()) return MergeObjects(context, a, b, true, out);
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
  if (!a.is_number() || !b.is_number()) {
    return CannotBe(context, a, b, "divided (remainder)");
  }
  if (std::isnan(a.as_double()) || std::isnan(b.as_double())) {
    *out = Value::Double(std::numeric_limits<double>::quiet_NaN());
    return true;
  }
  std::int64_t left = a.is_int() ? a.as_int() : Truncate(a.as_double());
  std::int64_t right = b.is_int() ? b.as_int() : Truncate(b.as_double());
  if (right == 0) {
    return CannotBe(context, a, b, "divided (remainder) because the divisor is zero");
  }
  // The sign is that of the left side; x % -1 would overflow for the least integer.
  *out = Value::Int(right == -1 ? 0 : left % right);
  return true;
}

bool Negate(Context& context, const Value& a, Value* out) {
  if (!a.is_number()) return Complain(context, a, "cannot be negated");
  if (a.is_int() && a.as_int() != std::numeric_limits<std::int64_t>::min()) {
    *out = Value::Int(-a.as_int());
  } else if (!a.digits().empty()) {
    // Its digits stay what they are.
    std::string_view digits = a.digits();
    bool is_negative = digits.starts_with('-');
    if (!context.Charge(digits.size() + 1)) return false;
    *out = Value::Digits(context.arena(),
                         is_negative ? std::string(digits.substr(1)) : Cat('-', digits),
                         -a.as_double());
  } else {
    *out = Value::Double(-a.as_double());
  }
  return true;
}

}  // namespace wmap::expr::builtins
