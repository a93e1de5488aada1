#include "json/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "base/text.h"
#include "json/writer.h"

namespace wmap::json {
namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;
using Format = Quantity::Format;

constexpr int kNanoDigits = 9;
constexpr Wide kNanoPerUnit = 1'000'000'000;

struct Suffix {
  std::string_view text;
  Format format;
  int exponent;  // of 10, or of 2 for kBinarySi
};
constexpr std::array<Suffix, 16> kSuffixes = {{
    {"n", Format::kDecimalSi, -9},
    {"u", Format::kDecimalSi, -6},
    {"m", Format::kDecimalSi, -3},
    {"", Format::kDecimalSi, 0},
    {"k", Format::kDecimalSi, 3},
    {"M", Format::kDecimalSi, 6},
    {"G", Format::kDecimalSi, 9},
    {"T", Format::kDecimalSi, 12},
    {"P", Format::kDecimalSi, 15},
    {"E", Format::kDecimalSi, 18},
    {"Ki", Format::kBinarySi, 10},
    {"Mi", Format::kBinarySi, 20},
    {"Gi", Format::kBinarySi, 30},
    {"Ti", Format::kBinarySi, 40},
    {"Pi", Format::kBinarySi, 50},
    {"Ei", Format::kBinarySi, 60},
}};
constexpr int kLargestDecimal = 18;
constexpr int kLargestBinary = 60;

std::string_view SuffixText(Format format, int exponent) {
  auto found = std::ranges::find_if(kSuffixes, [&](const Suffix& suffix) {
    return suffix.format == format && suffix.exponent == exponent;
  });
  return found == kSuffixes.end() ? std::string_view() : found->text;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The exponent of "e5", "E-3": clamped to what is certainly out of range. Nothing when there is
// no integer.
std::optional<int> ParseExponent(std::string_view text) {
  constexpr int kFar = 100'000'000;
  if (text.starts_with('+')) text.remove_prefix(1);
  bool negative = text.starts_with('-');
  std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits.empty() || !std::ranges::all_of(digits, IsDigit)) return std::nullopt;
  int exponent = 0;
  for (char c : digits) exponent = std::min(kFar, exponent * 10 + (c - '0'));
  return negative ? -exponent : exponent;
}

std::optional<Suffix> ParseSuffix(std::string_view text) {
  for (const Suffix& suffix : kSuffixes) {
    if (suffix.text == text) return suffix;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    if (auto exponent = ParseExponent(text.substr(1))) {
      return Suffix{text, Format::kDecimalExponent, *exponent};
    }
  }
  return std::nullopt;
}

// An amount that is not negative, being built. `too_large` once it does not fit.
struct Amount {
  Wide value = 0;
  bool too_large = false;

  void Multiply(Wide factor) { too_large |= __builtin_mul_overflow(value, factor, &value); }
  void Add(Wide summand) { too_large |= __builtin_add_overflow(value, summand, &value); }
  void AppendDigit(char c) {
    Multiply(10);
    Add(c - '0');
  }
};

// whole.fraction * 10^exponent in billionths, rounded up.
Amount DecimalAmount(std::string_view whole, std::string_view fraction, int exponent) {
  // The digits are an integer in units of 10^-kept; those behind the billionths are only looked at.
  const auto digits = static_cast<std::int64_t>(whole.size() + fraction.size());
  const std::int64_t scale =
      std::int64_t{exponent} - static_cast<std::int64_t>(fraction.size()) + kNanoDigits;
  const std::int64_t used = scale < 0 ? std::max<std::int64_t>(0, digits + scale) : digits;
  Amount amount;
  bool rest = false;
  std::int64_t place = 0;
  for (std::string_view part : {whole, fraction}) {
    for (char c : part) {
      if (place++ < used) {
        amount.AppendDigit(c);
      } else {
        rest |= c != '0';
      }
    }
  }
  for (std::int64_t i = 0; i < scale && amount.value != 0 && !amount.too_large; ++i) {
    amount.Multiply(10);
  }
  if (rest) amount.Add(1);
  return amount;
}

// whole.fraction * 2^exponent in billionths, rounded up.
Amount BinaryAmount(std::string_view whole, std::string_view fraction, int exponent) {
  const Wide unit = (Wide{1} << exponent) * kNanoPerUnit;
  Amount amount;
  for (char c : whole) amount.AppendDigit(c);
  amount.Multiply(unit);
  // From the last digit on, so that only whole numbers are divided.
  Wide part = 0;
  bool rest = false;
  for (std::size_t i = fraction.size(); i-- > 0;) {
    Wide sum = (fraction[i] - '0') * unit + part;
    rest |= sum % 10 != 0;
    part = sum / 10;
  }
  amount.Add(part + (rest ? 1 : 0));
  return amount;
}

void AppendWide(std::string& to, Wide value) {
  std::array<char, 40> digits;
  std::size_t at = digits.size();
  UnsignedWide rest =
      value < 0 ? -static_cast<UnsignedWide>(value) : static_cast<UnsignedWide>(value);
  do {
    digits[--at] = static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (value < 0) to += '-';
  to.append(digits.data() + at, digits.size() - at);
}

std::unexpected<Error> TooLarge(std::string_view what) {
  return Fail(Code::kLimit, Cat(what, " is larger than the largest amount, 1.7e29"));
}

std::optional<std::int64_t> Narrow(Wide value) {
  if (value < std::numeric_limits<std::int64_t>::min() ||
      value > std::numeric_limits<std::int64_t>::max()) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace

Result<Quantity> Quantity::Parse(std::string_view text) {
  auto no_quantity = [&](std::string_view why) {
    return Fail(Code::kSyntax, Cat(Quote(text), " is no quantity: ", why));
  };
  if (text.empty()) return no_quantity("it is empty");
  std::size_t at = 0;
  auto take_digits = [&] {
    std::size_t from = at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    return text.substr(from, at - from);
  };
  const bool negative = text[0] == '-';
  if (negative || text[0] == '+') ++at;
  std::string_view whole = take_digits();
  std::string_view fraction;
  if (at < text.size() && text[at] == '.') {
    ++at;
    fraction = take_digits();
  }
  std::string_view suffix_text = text.substr(at);
  if (whole.empty() && fraction.empty()) return no_quantity("it has no digits");
  std::optional<Suffix> suffix = ParseSuffix(suffix_text);
  if (!suffix) {
    return no_quantity(Cat("the suffix ", Quote(suffix_text),
                           " is none of n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei or an "
                           "exponent such as e3"));
  }

  Format format = suffix->format;
  Amount amount = format == Format::kBinarySi ? BinaryAmount(whole, fraction, suffix->exponent)
                                              : DecimalAmount(whole, fraction, suffix->exponent);
  if (format == Format::kBinarySi) {
    // Kubernetes caps these, and calls what is less than one decimal.
    constexpr Wide kCap = Wide{std::numeric_limits<std::int64_t>::max()} * kNanoPerUnit;
    if (amount.too_large || amount.value > kCap) amount = {kCap};
    if (amount.value > 0 && amount.value < kNanoPerUnit) format = Format::kDecimalSi;
  }
  if (amount.too_large) return TooLarge(Quote(text));
  return Quantity(negative ? -amount.value : amount.value, format);
}

Result<Quantity> Quantity::From(const Value& value) {
  switch (value.type()) {
    case Type::kNull:
      return Quantity();
    case Type::kString: {
      constexpr std::string_view kSpace = " \t\n\r\v\f";
      std::string_view text = value.as_string();
      std::size_t first = text.find_first_not_of(kSpace);
      if (first == std::string_view::npos) return Parse("");
      return Parse(text.substr(first, text.find_last_not_of(kSpace) + 1 - first));
    }
    case Type::kNumber:
      return Parse(ToJson(value));
    default:
      return Fail(Code::kConversion, Cat("expected a quantity (a string or a number), found ",
                                         value.is_bool()    ? "a boolean"
                                         : value.is_array() ? "an array"
                                                            : "an object"));
  }
}

Result<Quantity> Quantity::Add(const Quantity& other) const {
  Wide sum = 0;
  if (__builtin_add_overflow(nano_, other.nano_, &sum)) return TooLarge("the sum");
  return Quantity(sum, is_zero() ? other.format_ : format_);
}

Result<Quantity> Quantity::Sub(const Quantity& other) const {
  Wide difference = 0;
  if (__builtin_sub_overflow(nano_, other.nano_, &difference)) return TooLarge("the difference");
  return Quantity(difference, is_zero() ? other.format_ : format_);
}

Result<Quantity> Quantity::MulInt(std::int64_t factor) const {
  Wide product = 0;
  if (__builtin_mul_overflow(nano_, Wide{factor}, &product)) return TooLarge("the product");
  return Quantity(product, format_);
}

std::optional<std::int64_t> Quantity::AsInt64() const {
  if (nano_ % kNano != 0) return std::nullopt;
  return Narrow(nano_ / kNano);
}

std::optional<std::int64_t> Quantity::AsNano() const { return Narrow(nano_); }

std::optional<std::int64_t> Quantity::AsMilli() const {
  constexpr Wide kNanoPerMilli = 1'000'000;
  Wide milli = nano_ / kNanoPerMilli;
  if (nano_ % kNanoPerMilli != 0) milli += nano_ < 0 ? -1 : 1;
  return Narrow(milli);
}

double Quantity::ToDouble() const {
  // A decimal text is rounded once; dividing a rounded 128-bit integer would round twice.
  std::string text;
  AppendWide(text, nano_);
  text += "e-9";
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string Quantity::ToString() const {
  if (is_zero()) return "0";
  std::string text;
  const bool is_small = nano_ > -1024 * kNano && nano_ < 1024 * kNano;
  if (format_ == Format::kBinarySi && !is_small && nano_ % kNano == 0) {
    Wide amount = nano_ / kNano;
    int exponent = 0;
    for (; amount % 1024 == 0 && exponent < kLargestBinary; exponent += 10) amount /= 1024;
    AppendWide(text, amount);
    if (exponent > 0) text += SuffixText(Format::kBinarySi, exponent);
    return text;
  }
  Wide amount = nano_;
  int exponent = -kNanoDigits;
  const bool has_suffixes = format_ != Format::kDecimalExponent;
  for (; amount % 1000 == 0 && !(has_suffixes && exponent == kLargestDecimal); exponent += 3) {
    amount /= 1000;
  }
  AppendWide(text, amount);
  if (has_suffixes) {
    text += SuffixText(Format::kDecimalSi, exponent);
  } else if (exponent != 0) {
    CatTo(text, 'e', exponent);
  }
  return text;
}

}  // namespace wmap::json
