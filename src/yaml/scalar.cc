#include "yaml/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "base/base64.h"
#include "base/text.h"
#include "base/utf8.h"

namespace wmap::yaml {
namespace {

using json::Value;
using Kind = Scalar::Kind;

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// Up to here every integral double is one integer.
constexpr double kExactLimit = 9007199254740992.0;

struct Word {
  std::string_view text;
  Scalar scalar;
};
constexpr Scalar kTrue{Kind::kBool, Value::Bool(true)};
constexpr Scalar kFalse{Kind::kBool, Value::Bool(false)};
constexpr Scalar kNull{Kind::kNull, Value()};
constexpr Word kWords[] = {
    {"y", kTrue},
    {"Y", kTrue},
    {"yes", kTrue},
    {"Yes", kTrue},
    {"YES", kTrue},
    {"true", kTrue},
    {"True", kTrue},
    {"TRUE", kTrue},
    {"on", kTrue},
    {"On", kTrue},
    {"ON", kTrue},
    {"n", kFalse},
    {"N", kFalse},
    {"no", kFalse},
    {"No", kFalse},
    {"NO", kFalse},
    {"false", kFalse},
    {"False", kFalse},
    {"FALSE", kFalse},
    {"off", kFalse},
    {"Off", kFalse},
    {"OFF", kFalse},
    {"", kNull},
    {"~", kNull},
    {"null", kNull},
    {"Null", kNull},
    {"NULL", kNull},
    {"<<", {Kind::kMerge, Value()}},
    {".nan", {Kind::kFloat, Value::Double(kNaN)}},
    {".NaN", {Kind::kFloat, Value::Double(kNaN)}},
    {".NAN", {Kind::kFloat, Value::Double(kNaN)}},
    {".inf", {Kind::kFloat, Value::Double(kInfinity)}},
    {".Inf", {Kind::kFloat, Value::Double(kInfinity)}},
    {".INF", {Kind::kFloat, Value::Double(kInfinity)}},
    {"+.inf", {Kind::kFloat, Value::Double(kInfinity)}},
    {"+.Inf", {Kind::kFloat, Value::Double(kInfinity)}},
    {"+.INF", {Kind::kFloat, Value::Double(kInfinity)}},
    {"-.inf", {Kind::kFloat, Value::Double(-kInfinity)}},
    {"-.Inf", {Kind::kFloat, Value::Double(-kInfinity)}},
    {"-.INF", {Kind::kFloat, Value::Double(-kInfinity)}},
};
constexpr std::size_t kLongestWord = 5;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Whether some scalar that is not text begins with this byte.
constexpr std::array<bool, 256> kMayBeSpecial = [] {
  std::array<bool, 256> table{};
  for (char c : std::string_view("0123456789+-.~<yYnNtTfFoO"))
    table[static_cast<unsigned char>(c)] = true;
  return table;
}();

// [-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?
bool LooksLikeFloat(std::string_view text) {
  std::size_t at = 0;
  auto digits = [&] {
    std::size_t start = at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    return at - start;
  };
  auto sign = [&] {
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  };
  sign();
  std::size_t whole = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() + whole == 0) return false;
  } else if (whole == 0) {
    return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    sign();
    if (digits() == 0) return false;
  }
  return at == text.size();
}

// Nothing when the number is too large for a double.
std::optional<double> ParseFloat(std::string_view text) {
  if (text.front() == '+') text.remove_prefix(1);
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc()) return value;
  // Too large or too small: the exponent tells, unless the digits are many.
  std::size_t exponent = text.find_first_of("eE");
  bool small =
      exponent != std::string_view::npos && exponent + 1 < text.size() && text[exponent + 1] == '-';
  if (!small) return std::nullopt;
  return text.front() == '-' ? -0.0 : 0.0;
}

// An integer with sign and base prefix, as Go's strconv.ParseInt(text, 0, 64) and then ParseUint.
std::optional<Value> ParseInteger(std::string_view text, Arena& arena) {
  bool has_sign = text.front() == '+' || text.front() == '-';
  bool negative = text.front() == '-';
  if (has_sign) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    char letter = static_cast<char>(text[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
    text.remove_prefix(letter == 'x' || letter == 'b' || letter == 'o' ? 2 : 1);
  }
  std::uint64_t magnitude = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (negative && magnitude <= kMost + 1) {
    return Value::Int(static_cast<std::int64_t>(~magnitude + 1));
  }
  if (negative || (has_sign && magnitude > kMost)) return std::nullopt;
  if (magnitude <= kMost) return Value::Int(static_cast<std::int64_t>(magnitude));
  return Value::Digits(arena, Cat(magnitude), static_cast<double>(magnitude));
}

// A double as the API server would take it from JSON: one without fraction is an integer.
Value Number(double value) {
  bool negative_zero = value == 0 && std::signbit(value);
  if (std::fabs(value) <= kExactLimit && std::trunc(value) == value && !negative_zero) {
    return Value::Int(static_cast<std::int64_t>(value));
  }
  return Value::Double(value);
}

// Go takes underscores between digits in a number that begins with a dot, and anywhere in others.
bool HasStrayUnderscore(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') continue;
    if (i == 0 || i + 1 == text.size() || !IsDigit(text[i - 1]) || !IsDigit(text[i + 1])) {
      return true;
    }
  }
  return false;
}

Scalar ResolveNumber(std::string_view text, Arena& arena) {
  std::string without_underscores;
  if (text.find('_') != std::string_view::npos) {
    if (text.front() == '.' && HasStrayUnderscore(text)) return {};
    std::ranges::copy_if(text, std::back_inserter(without_underscores),
                         [](char c) { return c != '_'; });
    text = without_underscores;
  }
  if (text.front() != '.') {
    if (auto integer = ParseInteger(text, arena)) return {Kind::kInt, *integer};
  }
  if (LooksLikeFloat(text)) {
    if (auto value = ParseFloat(text)) return {Kind::kFloat, Number(*value)};
  }
  return {};
}

std::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kText:
    case Kind::kMerge:
      return "text";
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "a boolean";
    case Kind::kInt:
      return "an integer";
    case Kind::kFloat:
      return "a number";
  }
  return "";
}

// The length of the digits (and underscores) that `text` begins with.
std::size_t DigitRun(std::string_view text, bool underscores = false) {
  std::size_t size = 0;
  while (size < text.size() && (IsDigit(text[size]) || (underscores && text[size] == '_'))) ++size;
  return size;
}

// Numbers to base 60 of YAML 1.1: [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?
bool LooksLikeBase60(std::string_view text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  if (text.empty() || !IsDigit(text.front())) return false;
  text.remove_prefix(DigitRun(text, true));
  std::size_t groups = 0;
  for (; !text.empty() && text.front() == ':'; ++groups) {
    text.remove_prefix(1);
    std::size_t digits = DigitRun(text);
    if (digits == 0 || digits > 2 || (digits == 2 && text.front() > '5')) return false;
    text.remove_prefix(digits);
  }
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    text.remove_prefix(DigitRun(text, true));
  }
  return groups != 0 && text.empty();
}

// YYYY-M-D, alone or followed by a time: timestamps of YAML 1.1, which some readers turn into
// dates.
bool LooksLikeDate(std::string_view text) {
  if (DigitRun(text) != 4) return false;
  text.remove_prefix(4);
  for (int part = 0; part < 2; ++part) {
    if (text.empty() || text.front() != '-') return false;
    text.remove_prefix(1);
    std::size_t digits = DigitRun(text);
    if (digits == 0 || digits > 2) return false;
    text.remove_prefix(digits);
  }
  return text.empty() || text.front() == 'T' || text.front() == 't' || text.front() == ' ';
}

}  // namespace

Scalar ResolvePlain(std::string_view text, Arena& arena) {
  if (text.empty()) return kNull;
  char first = text.front();
  if (!kMayBeSpecial[static_cast<unsigned char>(first)]) return {};
  if (text.size() <= kLongestWord && !IsDigit(first)) {
    for (const Word& word : kWords) {
      if (word.text == text) return word.scalar;
    }
  }
  if (IsDigit(first) || first == '+' || first == '-' || first == '.') {
    return ResolveNumber(text, arena);
  }
  return {};
}

Result<Scalar> ResolveTagged(std::string_view tag, std::string_view text, Arena& arena) {
  if (!tag.starts_with(kTagPrefix)) return Scalar{};
  tag.remove_prefix(kTagPrefix.size());
  Kind wanted = Kind::kText;
  if (tag == "binary") {
    auto bytes = DecodeBase64(text);
    if (!bytes) return Fail(Code::kInvalid, "the text of !!binary is no base64");
    // As the API machinery, which makes JSON of it.
    std::string text_of_bytes = IsUtf8(*bytes) ? *bytes : RepairedUtf8(*bytes);
    return Scalar{Kind::kText, json::MakeString(arena, text_of_bytes)};
  } else if (tag == "int") {
    wanted = Kind::kInt;
  } else if (tag == "float") {
    wanted = Kind::kFloat;
  } else if (tag == "bool") {
    wanted = Kind::kBool;
  } else if (tag == "null") {
    wanted = Kind::kNull;
  } else if (tag == "merge") {
    wanted = Kind::kMerge;
  } else {
    return Scalar{};
  }
  Scalar scalar = ResolvePlain(text, arena);
  if (wanted == Kind::kFloat && scalar.kind == Kind::kInt) scalar.kind = Kind::kFloat;
  if (scalar.kind == wanted) return scalar;
  return Fail(Code::kInvalid,
              Cat(Quote(text), " is ", KindName(scalar.kind), ", and its tag is !!", tag));
}

bool IsTextWhenPlain(std::string_view text) {
  if (text == "=") return false;  // the default value of YAML 1.1
  Arena unused;
  return ResolvePlain(text, unused).kind == Kind::kText && !LooksLikeBase60(text) &&
         !LooksLikeDate(text);
}

std::string_view KeyText(const Value& value, Arena& arena) {
  if (value.is_string()) return value.as_string();
  if (value.is_bool()) return value.is_true() ? "true" : "false";
  if (value.is_int()) return arena.Copy(Cat(value.as_int()));
  if (!value.digits().empty()) return value.digits();
  // As the API machinery prints it: with the digits of single precision.
  auto number = static_cast<float>(value.as_double());
  if (std::isnan(number)) return ".nan";
  if (std::isinf(number)) return number > 0 ? ".inf" : "-.inf";
  char buffer[32];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::general).ptr;
  return arena.Copy({buffer, static_cast<std::size_t>(end - buffer)});
}

}  // namespace wmap::yaml
