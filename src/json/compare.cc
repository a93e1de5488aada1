#include "json/compare.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "json/inline_stack.h"

namespace wmap::json {
namespace {

int Sign(std::strong_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

// Exact. `b` is no NaN.
int CompareIntDouble(std::int64_t a, double b) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (b >= kTwoTo63) return -1;
  if (b < -kTwoTo63) return 1;
  auto whole = static_cast<std::int64_t>(b);
  if (a != whole) return a < whole ? -1 : 1;
  double fraction = b - static_cast<double>(whole);
  return fraction > 0 ? -1 : fraction < 0 ? 1 : 0;
}

bool IsNan(const Value& number) { return !number.is_int() && std::isnan(number.as_double()); }

int CompareNumbers(const Value& a, const Value& b, bool nan_equals_nan) {
  if (a.is_int() && b.is_int()) return Sign(a.as_int() <=> b.as_int());
  if (IsNan(a)) return nan_equals_nan && IsNan(b) ? 0 : -1;
  if (IsNan(b)) return 1;
  if (a.is_int()) return CompareIntDouble(a.as_int(), b.as_double());
  if (b.is_int()) return -CompareIntDouble(b.as_int(), a.as_double());
  double x = a.as_double();
  double y = b.as_double();
  return x < y ? -1 : x > y ? 1 : 0;
}

int CompareStrings(std::string_view a, std::string_view b) { return Sign(a <=> b); }

int CompareSizes(const Value& a, const Value& b) { return Sign(a.size() <=> b.size()); }

// Bytes of a text that count as one pair of items.
constexpr std::size_t kBytesPerPair = 64;

// False, with nothing left, when there are not that many.
bool Take(std::uint64_t& pairs, std::uint64_t count) {
  bool enough = pairs > count;
  pairs = enough ? pairs - count : 0;
  return enough;
}

int CompareKeys(const Value& a, const Value& b) {
  std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (int order = CompareStrings(a.members()[i].key, b.members()[i].key); order != 0) {
      return order;
    }
  }
  return CompareSizes(a, b);
}

// Two containers of one type whose first `next` items are equal. Objects have equal keys.
struct Pair {
  Value a;
  Value b;
  std::size_t next;
};

// The order of two values, or nothing when they are containers to be looked into.
std::optional<int> CompareOutside(const Value& a, const Value& b, bool nan_equals_nan,
                                  std::uint64_t* pairs) {
  if (a.type() != b.type()) return a.type() < b.type() ? -1 : 1;
  switch (a.type()) {
    case Type::kNumber:
      return CompareNumbers(a, b, nan_equals_nan);
    case Type::kString:
      if (pairs != nullptr) Take(*pairs, std::min(a.size(), b.size()) / kBytesPerPair);
      return CompareStrings(a.as_string(), b.as_string());
    case Type::kObject:
      if (pairs != nullptr) Take(*pairs, std::min(a.size(), b.size()) / 8);
      if (int order = CompareKeys(a, b); order != 0) return order;
      return std::nullopt;
    case Type::kArray:
      return std::nullopt;
    default:
      return 0;
  }
}

// `pairs`, when given, is how many pairs of items may be looked at.
int CompareTrees(const Value& a, const Value& b, bool nan_equals_nan,
                 std::uint64_t* pairs = nullptr) {
  std::optional<int> outside = CompareOutside(a, b, nan_equals_nan, pairs);
  if (outside) return *outside;
  InlineStack<Pair, 8> open;
  open.Push({a, b, 0});
  while (!open.empty()) {
    Pair& pair = open.top();
    if (pair.next == std::min(pair.a.size(), pair.b.size())) {
      if (int order = CompareSizes(pair.a, pair.b); order != 0) return order;
      open.Pop();
      continue;
    }
    if (pairs != nullptr && !Take(*pairs, 1)) return 0;
    std::size_t i = pair.next++;
    bool in_array = pair.a.is_array();
    const Value& item_a = in_array ? pair.a[i] : pair.a.members()[i].value;
    const Value& item_b = in_array ? pair.b[i] : pair.b.members()[i].value;
    outside = CompareOutside(item_a, item_b, nan_equals_nan, pairs);
    if (!outside) {
      open.Push({item_a, item_b, 0});
    } else if (*outside != 0) {
      return *outside;
    }
  }
  return 0;
}

}  // namespace

int Compare(const Value& a, const Value& b) { return CompareTrees(a, b, false); }

int SortOrder(const Value& a, const Value& b) { return CompareTrees(a, b, true); }

int CompareWithin(const Value& a, const Value& b, std::uint64_t* pairs) {
  return CompareTrees(a, b, false, pairs);
}

int SortOrderWithin(const Value& a, const Value& b, std::uint64_t* pairs) {
  return CompareTrees(a, b, true, pairs);
}

bool Equal(const Value& a, const Value& b) {
  // What differs in size is unequal without a look inside.
  if ((a.is_string() && b.is_string()) || (a.is_array() && b.is_array())) {
    if (a.size() != b.size()) return false;
  }
  return CompareTrees(a, b, false) == 0;
}

}  // namespace wmap::json
