// @text, @json, @csv and the other formats.
#include <array>

#include "base/text.h"
#include "base/utf8.h"
#include "expr/builtins/builtins.h"
#include "json/writer.h"

namespace wmap::expr::builtins {
namespace {

using json::Value;
using vm::Context;

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kHex = "0123456789ABCDEF";

std::string TextOf(const Value& value) {
  if (value.is_string()) return std::string(value.as_string());
  return json::ToJson(value);
}

struct Escape {
  char c;
  std::string_view text;
};

std::string EscapeWith(std::string_view text, std::initializer_list<Escape> escapes) {
  std::string escaped;
  for (char c : text) {
    std::string_view replacement(&c, 1);
    for (const Escape& escape : escapes) {
      if (escape.c == c) replacement = escape.text;
    }
    escaped += replacement;
  }
  return escaped;
}

std::string Html(std::string_view text) {
  return EscapeWith(
      text, {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'\'', "&#39;"}, {'"', "&quot;"}});
}

std::string Uri(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    bool unreserved = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_' || c == '.' || c == '~';
    if (unreserved) {
      escaped += c;
    } else {
      auto byte = static_cast<unsigned char>(c);
      escaped += '%';
      escaped += kHex[byte >> 4];
      escaped += kHex[byte & 15];
    }
  }
  return escaped;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool UriDecoded(Context& context, std::string_view text, Value* out) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    int high = i + 2 < text.size() ? HexDigit(text[i + 1]) : -1;
    int low = i + 2 < text.size() ? HexDigit(text[i + 2]) : -1;
    if (i + 2 >= text.size() || high < 0 || low < 0) {
      std::string message;
      AppendDescription(Value::String(text), message);
      return context.RaiseText(message + " is not a valid uri encoding");
    }
    decoded += static_cast<char>(high * 16 + low);
    i += 2;
  }
  std::string valid;
  for (std::size_t i = 0; i < decoded.size();) {
    Utf8Char c = DecodeUtf8(std::string_view(decoded).substr(i, 4));
    AppendUtf8(valid, c.code);
    i += c.size;
  }
  return context.MakeString(valid, out);
}

std::string Base64(std::string_view text) {
  std::string encoded;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    std::uint32_t bits = 0;
    std::size_t count = std::min<std::size_t>(3, text.size() - i);
    for (std::size_t j = 0; j < 3; ++j) {
      bits = bits << 8 | (j < count ? static_cast<unsigned char>(text[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      encoded += j <= count ? kBase64[bits >> (18 - 6 * j) & 63] : '=';
    }
  }
  return encoded;
}

bool Base64Decoded(Context& context, std::string_view text, Value* out) {
  std::string decoded;
  std::uint32_t bits = 0;
  int count = 0;
  bool wrong = false;
  std::size_t used = 0;
  for (char c : text) {
    if (c == '=') break;
    std::size_t value = kBase64.find(c);
    if (value == std::string_view::npos) {
      wrong = true;
      break;
    }
    ++used;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    if (++count == 4) {
      for (int shift : {16, 8, 0}) decoded += static_cast<char>(bits >> shift & 255);
      bits = 0;
      count = 0;
    }
  }
  if (count == 2) decoded += static_cast<char>(bits >> 4 & 255);
  if (count == 3) {
    decoded += static_cast<char>(bits >> 10 & 255);
    decoded += static_cast<char>(bits >> 2 & 255);
  }
  if (wrong || (count == 1 && used > 0)) {
    std::string message;
    AppendDescription(Value::String(text), message);
    return context.RaiseText(message + " is not valid base64 data");
  }
  std::string valid;
  for (std::size_t i = 0; i < decoded.size();) {
    Utf8Char c = DecodeUtf8(std::string_view(decoded).substr(i, 4));
    AppendUtf8(valid, c.code);
    i += c.size;
  }
  return context.MakeString(valid, out);
}

// A row of @csv, @tsv or @sh; `escape` makes a field of a string.
template <typename F>
bool Row(Context& context, const Value& value, std::string_view format, std::string_view separator,
         F&& escape, Value* out) {
  std::string row;
  bool first = true;
  for (const Value& field : value.items()) {
    if (!first) row += separator;
    first = false;
    if (field.is_string()) {
      row += escape(field.as_string());
    } else if (field.is_null()) {
      if (format == "sh") row += "null";
    } else if (field.is_number() || field.is_bool()) {
      row += json::ToJson(field);
    } else {
      std::string message;
      AppendDescription(field, message);
      return context.RaiseText(format == "sh"
                                   ? message + " can not be escaped for shell"
                                   : Cat(message, " is not valid in a ", format, " row"));
    }
  }
  return context.MakeString(row, out);
}

std::string Csv(std::string_view text) { return Cat('"', EscapeWith(text, {{'"', "\"\""}}), '"'); }
std::string Tsv(std::string_view text) {
  return EscapeWith(text, {{'\t', "\\t"}, {'\n', "\\n"}, {'\r', "\\r"}, {'\\', "\\\\"}});
}
std::string Shell(std::string_view text) {
  return Cat('\'', EscapeWith(text, {{'\'', "'\\''"}}), '\'');
}

constexpr std::array<std::string_view, 10> kFormats = {"text", "json", "csv", "tsv",    "html",
                                                       "uri",  "urid", "sh",  "base64", "base64d"};

}  // namespace

bool IsFormat(std::string_view name) {
  for (std::string_view known : kFormats) {
    if (known == name) return true;
  }
  return false;
}

bool ToStringValue(Context& context, const Value& value, Value* out) {
  if (value.is_string()) return *out = value, true;
  return context.MakeString(json::ToJson(value), out);
}

bool Format(Context& context, std::string_view name, const Value& value, Value* out) {
  if (name == "text") return ToStringValue(context, value, out);
  if (name == "json") return context.MakeString(json::ToJson(value), out);
  if (name == "csv" || name == "tsv") {
    if (!value.is_array()) {
      std::string message;
      AppendDescription(value, message);
      return context.RaiseText(
          Cat(message, " cannot be ", name, "-formatted, only an array can be"));
    }
    return name == "csv" ? Row(context, value, name, ",", Csv, out)
                         : Row(context, value, name, "\t", Tsv, out);
  }
  if (name == "sh") {
    Value list = value.is_array() ? value : Value::Array(std::span(&value, 1));
    return Row(context, list, name, " ", Shell, out);
  }
  std::string text = TextOf(value);
  if (!context.Spend(text.size() / 8 + 1)) return false;
  if (name == "html") return context.MakeString(Html(text), out);
  if (name == "uri") return context.MakeString(Uri(text), out);
  if (name == "urid") return UriDecoded(context, text, out);
  if (name == "base64") return context.MakeString(Base64(text), out);
  return Base64Decoded(context, text, out);
}

}  // namespace wmap::expr::builtins
