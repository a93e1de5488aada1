#include "workload/convert.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "json/writer.h"

namespace wmap::workload {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

std::unexpected<Error> NotACount(const json::Value& value) {
  return Fail(Code::kConversion, Cat("expected a whole number of 32 bits, found ", Brief(value)));
}

}  // namespace

std::string Brief(const json::Value& value) {
  constexpr std::size_t kShown = 40;
  std::string text;
  json::WriteStart(value, text, kShown + 1);
  return Cat(TypeName(value.type()), ' ', Quote(text, kShown));
}

Result<std::optional<std::int64_t>> ToScale(const json::Value& value) {
  if (value.is_null()) return std::optional<std::int64_t>();
  std::int64_t number = 0;
  if (value.is_int()) {
    number = value.as_int();
  } else if (value.is_number()) {
    double real = value.as_double();
    if (!(std::abs(real) <= static_cast<double>(kMost) + 1) || real != std::trunc(real)) {
      return NotACount(value);
    }
    number = static_cast<std::int64_t>(real);
  } else if (value.is_string()) {
    std::string_view text = value.as_string();
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
      return NotACount(value);
    }
  } else {
    return NotACount(value);
  }
  if (number < kLeast || number > kMost) return NotACount(value);
  return number;
}

Result<std::string> ToIdentifier(const json::Value& value) {
  switch (value.type()) {
    case json::Type::kString:
      if (value.as_string().empty()) return Fail(Code::kConversion, "the value is empty");
      return std::string(value.as_string());
    case json::Type::kFalse:
    case json::Type::kTrue:
    case json::Type::kNumber:
      return ToText(value);
    case json::Type::kNull:
      return Fail(Code::kConversion, "the value is missing");
    case json::Type::kArray:
    case json::Type::kObject:
      break;
  }
  return Fail(Code::kConversion, Cat("expected a text, found ", Brief(value)));
}

std::string ToText(const json::Value& value) {
  if (value.is_string()) return std::string(value.as_string());
  json::WriteOptions options;
  options.keep_digits = false;
  std::string text;
  json::WriteStart(value, text, kMostTextBytes, options);
  return text;
}

}  // namespace wmap::workload
