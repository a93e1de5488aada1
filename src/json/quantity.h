// Quantity: an amount of a resource as Kubernetes writes it: "500m", "64Gi", "1.5", "2e3".
//
// Exact: a count of billionths (nano units, Kubernetes' smallest) in 128 bits, so that sums never
// round. Reads and prints what k8s.io/apimachinery/pkg/api/resource does: suffixes n u m (none) k M
// G T P E, Ki Mi Gi Ti Pi Ei, exponents e and E; fractions of a billionth are rounded up, away from
// zero, as there, and binary amounts are capped at 2^63-1 units. Text without any digit ("-",
// "Gi"), which Kubernetes reads as zero, is refused. Where Kubernetes' own range is larger than
// ours (beyond 1.7e29 units), reading and adding fail with kLimit instead of saturating.
//
// Printing is canonical: no fraction, the largest suffix that leaves an integer, in the family of
// suffixes that the amount was read with. A small value type; copy freely.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "json/value.h"

namespace wmap::json {

class Quantity {
 public:
  enum class Format : std::uint8_t { kDecimalSi, kBinarySi, kDecimalExponent };

  constexpr Quantity() = default;  // "0"
  static constexpr Quantity Of(std::int64_t units, Format format = Format::kDecimalSi) {
    return Quantity(static_cast<Wide>(units) * kNano, format);
  }

  // Fails with kSyntax when `text` is no quantity (nothing is trimmed), kLimit when it is too
  // large.
  static Result<Quantity> Parse(std::string_view text);
  // A string as Parse(), or an integer or other number, as Kubernetes reads quantities from JSON.
  static Result<Quantity> From(const Value& value);

  Format format() const { return format_; }
  bool is_zero() const { return nano_ == 0; }
  bool is_negative() const { return nano_ < 0; }

  // The sum has the format of this amount, or of `other` when this one is zero, as in Kubernetes.
  // Fail with kLimit when the result is too large.
  Result<Quantity> Add(const Quantity& other) const;
  Result<Quantity> Sub(const Quantity& other) const;
  Result<Quantity> MulInt(std::int64_t factor) const;

  // By amount; the format does not count.
  std::strong_ordering operator<=>(const Quantity& other) const { return nano_ <=> other.nano_; }
  bool operator==(const Quantity& other) const { return nano_ == other.nano_; }

  // The amount in whole units, when it is whole and fits.
  std::optional<std::int64_t> AsInt64() const;
  // The amount in billionths, when it fits.
  std::optional<std::int64_t> AsNano() const;
  // The amount in thousandths, rounded up (away from zero), when it fits: what schedulers count.
  std::optional<std::int64_t> AsMilli() const;
  double ToDouble() const;

  // The canonical text: "24", "192Gi", "3250m", "12e3".
  std::string ToString() const;

 private:
  __extension__ using Wide = __int128;
  static constexpr Wide kNano = 1'000'000'000;
  constexpr Quantity(Wide nano, Format format) : nano_(nano), format_(format) {}

  Wide nano_ = 0;
  Format format_ = Format::kDecimalSi;
};

}  // namespace wmap::json
