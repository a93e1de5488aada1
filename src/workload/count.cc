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

template <typename F>
std::optional<std::int64_t> Combine(const std::optional<std::int64_t>& a,
                                    const std::optional<std::int64_t>& b, F&& combine) {
  return a && b ? std::optional(combine(*a, *b)) : std::nullopt;
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
  count.known_max_ = count.max_;
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
  max_ = Combine(max_, other.max_, SaturatingAdd);
  known_max_ = Combine(known_max_, other.known_max_, SaturatingAdd);
  AddNames(unknown_, other.unknown_);
  return *this;
}

Count Count::Times(const Count& other) const {
  if (*this == Count() || other == Count()) return {};
  Count product;
  product.min_ = Multiply(min_, other.min_);
  product.max_ = Combine(max_, other.max_, Multiply);
  product.known_max_ = Combine(known_max_, other.known_max_, Multiply);
  AddNames(product.unknown_, unknown_);
  AddNames(product.unknown_, other.unknown_);
  return product;
}

std::string DecimalText(std::int64_t amount, std::int64_t unit) {
  std::string text = Cat(amount / unit);
  std::int64_t rest = amount % unit;
  if (rest == 0) return text;
  text += '.';
  for (unit /= 10; rest != 0; unit /= 10) {
    text += static_cast<char>('0' + rest / unit);
    rest %= unit;
  }
  return text;
}

std::string Count::text(std::int64_t unit) const {
  std::optional<std::int64_t> most = is_unknown() ? known_max_ : max_;
  if (is_unknown() && min_ == 0 && most.value_or(0) == 0) return "?";
  std::string text = DecimalText(min_, unit);
  if (most && *most != min_) CatTo(text, "\u2013", DecimalText(*most, unit));
  if (is_unknown()) return text + "+?";
  return most ? text : text + "+";
}

}  // namespace wmap::workload
