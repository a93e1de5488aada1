#include "json/number.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>

namespace wmap::json {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::size_t DigitsEnd(std::string_view text, std::size_t at) {
  while (at < text.size() && IsDigit(text[at])) ++at;
  return at;
}

// Whether a number that from_chars finds out of range is too large, and not too small.
bool IsHuge(std::string_view number) {
  std::size_t at = number.starts_with('-') ? 1 : 0;
  // The power of ten of the first digit that is not zero, counted from the decimal point.
  std::int64_t magnitude = 0;
  bool seen = false;
  bool fraction = false;
  for (; at < number.size() && number[at] != 'e' && number[at] != 'E'; ++at) {
    if (number[at] == '.') {
      fraction = true;
    } else if (!fraction) {
      seen |= number[at] != '0';
      if (seen) ++magnitude;
    } else if (!seen) {
      seen = number[at] != '0';
      if (!seen) --magnitude;
    }
  }
  if (at == number.size()) return magnitude > 0;
  bool negative = number[++at] == '-';
  if (number[at] == '-' || number[at] == '+') ++at;
  std::int64_t exponent = 0;
  for (; at < number.size() && exponent < (std::int64_t{1} << 40); ++at) {
    exponent = exponent * 10 + (number[at] - '0');
  }
  return magnitude + (negative ? -exponent : exponent) > 0;
}

}  // namespace

NumberScan ScanNumber(std::string_view text, bool lenient) {
  using enum NumberScan::Outcome;
  auto missing_digit = [&](std::size_t at) {
    return NumberScan{at == text.size() ? kTruncated : kNoDigit, at};
  };
  std::size_t at = 0;
  if (at < text.size() && (text[at] == '-' || (lenient && text[at] == '+'))) ++at;
  std::size_t whole = at;
  at = DigitsEnd(text, at);
  bool has_digits = at > whole;
  if (!has_digits && !(lenient && at < text.size() && text[at] == '.')) return missing_digit(at);
  if (!lenient && at - whole > 1 && text[whole] == '0') return {kLeadingZero, at};
  if (at < text.size() && text[at] == '.') {
    std::size_t fraction = ++at;
    at = DigitsEnd(text, at);
    if (at == fraction && !(lenient && has_digits)) return missing_digit(at);
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    std::size_t exponent = at;
    at = DigitsEnd(text, at);
    if (at == exponent) return missing_digit(at);
  }
  return {kNumber, at};
}

double NearestDouble(std::string_view json_number) {
  double value = 0;
  const char* end = json_number.data() + json_number.size();
  if (std::from_chars(json_number.data(), end, value).ec == std::errc::result_out_of_range) {
    value = IsHuge(json_number) ? std::numeric_limits<double>::infinity() : 0.0;
    if (json_number.starts_with('-')) value = -value;
  }
  return value;
}

Value NumberFromText(Arena& arena, std::string_view json_number) {
  std::int64_t integer = 0;
  const char* end = json_number.data() + json_number.size();
  auto [ptr, error] = std::from_chars(json_number.data(), end, integer);
  if (ptr == end && error == std::errc() && json_number != "-0") return Value::Int(integer);
  return Value::Digits(arena, json_number, NearestDouble(json_number));
}

std::string_view NormalizeNumber(Arena& arena, std::string_view lenient_number) {
  std::string text;
  if (lenient_number.starts_with('-')) text = "-";
  if (lenient_number.starts_with('-') || lenient_number.starts_with('+')) {
    lenient_number.remove_prefix(1);
  }
  while (lenient_number.size() > 1 && lenient_number[0] == '0' && IsDigit(lenient_number[1])) {
    lenient_number.remove_prefix(1);
  }
  if (lenient_number.starts_with('.')) text += '0';
  std::size_t point = lenient_number.find('.');
  if (point != std::string_view::npos && DigitsEnd(lenient_number, point + 1) == point + 1) {
    text += lenient_number.substr(0, point);
    text += lenient_number.substr(point + 1);
  } else {
    text += lenient_number;
  }
  return arena.Copy(text);
}

}  // namespace wmap::json
