#include "workload/count.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/text.h"

namespace wmap::workload {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::int64_t Multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kMost : product;
}

void AddNames(std::vector<std::string>& to, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::ranges::find(to, name) == to.end()) to.push_back(name);
  }
}

}  // namespace

Count Count::Between(std::int64_t min, std::optional<std::int64_t> max) {
  Count count;
  count.min_ = std::max<std::int64_t>(min, 0);
  count.max_ = max;
  if (max) count.max_ = std::max(*max, count.min_);
  return count;
}

Count Count::Unknown(std::string part) {
  Count count;
  count.max_ = std::nullopt;
  count.unknown_.push_back(std::move(part));
  return count;
}

Count& Count::operator+=(const Count& other) {
  min_ = SaturatingAdd(min_, other.min_);
  max_ = max_ && other.max_ ? std::optional(SaturatingAdd(*max_, *other.max_)) : std::nullopt;
  AddNames(unknown_, other.unknown_);
  return *this;
}

Count Count::Times(const Count& other) const {
  if (*this == Count() || other == Count()) return {};
  Count product;
  product.min_ = Multiply(min_, other.min_);
  product.max_ = max_ && other.max_ ? std::optional(Multiply(*max_, *other.max_)) : std::nullopt;
  AddNames(product.unknown_, unknown_);
  AddNames(product.unknown_, other.unknown_);
  return product;
}

std::string Count::text() const {
  if (is_unknown()) return min_ == 0 ? "?" : Cat(min_, "+?");
  if (!max_) return Cat(min_, "+");
  if (*max_ == min_) return Cat(min_);
  return Cat(min_, "\u2013", *max_);
}

}  // namespace wmap::workload
