// Count: a number of pods or devices that may not be known exactly.
//
// Unknown is a value and survives addition: it never becomes 0. A count is an interval
// [min, max] (max may be unbounded) and the names of the parts that could not be read. Arithmetic
// saturates at int64, far beyond any cluster.
//
// Counts are integers. What comes in fractions is counted in small enough units and shown as a
// decimal number, so that 0.1 and 0.2 are 0.3.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace wmap::workload {

// a + b, or the nearest that fits.
constexpr std::int64_t SaturatingAdd(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<std::int64_t>::min()
               : std::numeric_limits<std::int64_t>::max();
}

// The same in place, for a sum that nothing is known of yet.
inline void Increase(std::optional<std::int64_t>& sum, std::int64_t amount) {
  sum = SaturatingAdd(sum.value_or(0), amount);
}

// What fractions of devices are counted in: a device is so many.
inline constexpr std::int64_t kBillion = 1'000'000'000;

// `amount` units as a decimal number of the whole that has `unit` (1 or a power of 10) of them:
// "3", "0.5".
std::string DecimalText(std::int64_t amount, std::int64_t unit);

class Count {
 public:
  // Exactly 0.
  Count() = default;
  static Count Exactly(std::int64_t value) { return Between(value, value); }
  static Count Between(std::int64_t min, std::optional<std::int64_t> max);
  // Not known; `part` says what (a role, a claim).
  static Count Unknown(std::string part);

  bool exact() const { return unknown_.empty() && max_.has_value() && *max_ == min_; }
  bool is_unknown() const { return !unknown_.empty(); }
  std::int64_t min() const { return min_; }
  // Nothing = unbounded.
  std::optional<std::int64_t> max() const { return max_; }
  const std::vector<std::string>& unknown() const { return unknown_; }
  // The most that what is known comes to: of "1-2 and something unknown" it is 2, and max()
  // nothing.
  std::optional<std::int64_t> known_max() const { return known_max_; }

  Count& operator+=(const Count& other);
  // The product. 0 times unknown is 0: nothing of what is not known is nothing.
  Count Times(const Count& other) const;
  Count Times(std::int64_t factor) const { return Times(Exactly(factor)); }

  // "12"; "1-2" (with an en dash) for a range; "2+" when unbounded; "17+?" when a part is unknown.
  // With a unit as in DecimalText().
  std::string text(std::int64_t unit = 1) const;

  friend bool operator==(const Count&, const Count&) = default;

 private:
  std::int64_t min_ = 0;
  std::optional<std::int64_t> max_ = 0;
  std::optional<std::int64_t> known_max_ = 0;
  std::vector<std::string> unknown_;
};

}  // namespace wmap::workload
