// @text, @json, @csv and the other formats.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "base/utf8.h"
#include "expr/builtins/builtins.h"
#include "expr/builtins/scratch.h"
#include "expr/builtins/values.h"

namespace wmap::expr::builtins {
namespace {

using json::Value;
using vm::Context;

// --- Escaping -------------------------------------------------------------------------------

struct Escape {
  char c;
  std::string_view text;
};

constexpr Escape kHtml[] = {
    {'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'\'', "&apos;"}, {'"', "&quot;"}};
constexpr Escape kCsv[] = {{'"', "\"\""}, {'\0', "\\0"}};
constexpr Escape kTsv[] = {
    {'\t', "\\t"}, {'\n', "\\n"}, {'\r', "\\r"}, {'\\', "\\\\"}, {'\0', "\\0"}};
constexpr Escape kShell[] = {{'\'', "'\\''"}, {'\0', "\\0"}};

bool AppendEscaped(std::string_view text, std::span<const Escape> escapes, Text& to) {
  if (!to.context().Spend(TextCost(text.size()))) return false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto escape = std::ranges::find(escapes, text[i], &Escape::c);
    if (escape == escapes.end()) continue;
    if (!to.Append(text.substr(begin, i - begin)) || !to.Append(escape->text)) return false;
    begin = i + 1;
  }
  return to.Append(text.substr(begin));
}

bool AppendUri(std::string_view text, Text& to) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  if (!to.Need(3 * text.size())) return false;
  for (char c : text) {
    bool unreserved = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_' || c == '.' || c == '~';
    auto byte = static_cast<unsigned char>(c);
    if (unreserved) {
      to.text() += c;
    } else {
      CatTo(to.text(), '%', kHex[byte >> 4], kHex[byte & 15]);
    }
  }
  return true;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool UriDecoded(Context& context, std::string_view text, Value* out) {
  Text decoded(context);
  if (!decoded.Need(text.size())) return false;
  bool valid = true;
  for (std::size_t i = 0; valid && i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded.text() += text[i];
      continue;
    }
    int high = i + 2 < text.size() ? HexDigit(text[i + 1]) : -1;
    int low = i + 2 < text.size() ? HexDigit(text[i + 2]) : -1;
    valid = high >= 0 && low >= 0;
    decoded.text() += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (!valid || !IsUtf8(decoded.text())) {
    return Complain(context, Value::String(text), "is not a valid uri encoding");
  }
  return decoded.Finish(out);
}

// --- Base 32 and 64 -------------------------------------------------------------------------

// Groups of `bytes` bytes are written as groups of `digits` digits of `bits` bits.
struct Base {
  std::string_view alphabet;
  unsigned bits;
  unsigned bytes;
  unsigned digits;
};

constexpr Base kBase32 = {"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 5, 5, 8};
constexpr Base kBase64 = {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 6, 3,
                          4};

bool AppendEncoded(std::string_view text, const Base& base, Text& to) {
  if (!to.Need((text.size() / base.bytes + 1) * base.digits)) return false;
  for (std::size_t at = 0; at < text.size(); at += base.bytes) {
    std::size_t count = std::min<std::size_t>(base.bytes, text.size() - at);
    std::uint64_t group = 0;
    for (std::size_t i = 0; i < base.bytes; ++i) {
      group = group << 8 | (i < count ? static_cast<unsigned char>(text[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < base.digits; ++i) {
      bool used = i * base.bits < count * 8;
      std::uint64_t digit = group >> ((base.digits - 1 - i) * base.bits);
      to.text() += used ? base.alphabet[digit & (base.alphabet.size() - 1)] : '=';
    }
  }
  return true;
}

bool Decoded(Context& context, std::string_view text, const Base& base, std::string_view what,
             Value* out) {
  std::string_view digits = text.substr(0, text.find('='));
  // Bytes that are no UTF-8 become three each.
  Scratch scratch(context);
  if (!scratch.Grow(4 * digits.size())) return false;
  std::string bytes;
  std::uint32_t pending = 0;
  unsigned bits = 0;
  for (char c : digits) {
    std::size_t digit = base.alphabet.find(c);
    if (digit == std::string_view::npos) {
      return Complain(context, Value::String(text), Cat("is not valid ", what, " data"));
    }
    pending = pending << base.bits | static_cast<std::uint32_t>(digit);
    bits += base.bits;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(pending >> bits & 0xFF);
    }
  }
  if (bits >= base.bits) {
    return Complain(context, Value::String(text), Cat("trailing ", what, " byte found"));
  }
  return context.MakeString(IsUtf8(bytes) ? bytes : RepairedUtf8(bytes), out);
}

// --- Rows -----------------------------------------------------------------------------------

// How @csv, @tsv and @sh write the items of an array.
struct RowFormat {
  std::string_view separator;
  std::string_view quote;
  std::span<const Escape> escapes;
  std::string_view null;
  std::string_view complaint;
};

constexpr RowFormat kCsvRow = {",", "\"", kCsv, "", "is not valid in a csv row"};
constexpr RowFormat kTsvRow = {"\t", "", kTsv, "", "is not valid in a tsv row"};
constexpr RowFormat kShellRow = {" ", "'", kShell, "null", "can not be escaped for shell"};

bool Row(Context& context, const Value& list, const RowFormat& format, Value* out) {
  Text row(context);
  if (!context.Spend(list.size() + 1)) return false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value& field = list[i];
    bool done = i == 0 || row.Append(format.separator);
    if (field.is_string()) {
      done = done && row.Append(format.quote) &&
             AppendEscaped(field.as_string(), format.escapes, row) && row.Append(format.quote);
    } else if (field.is_null() || (field.is_number() && std::isnan(field.as_double()))) {
      done = done && row.Append(format.null);
    } else if (field.is_number() || field.is_bool()) {
      done = done && WriteJson(field, row);
    } else {
      return Complain(context, field, format.complaint);
    }
    if (!done) return false;
  }
  return row.Finish(out);
}

bool Table(Context& context, const Value& value, const RowFormat& format, std::string_view name,
           Value* out) {
  if (!value.is_array()) {
    return Complain(context, value, Cat("cannot be ", name, "-formatted, only array"));
  }
  return Row(context, value, format, out);
}

// --- The formats ----------------------------------------------------------------------------

using Formatter = bool (*)(Context& context, const Value& value, Value* out);

// The formats that see a text: that of the value.
template <bool (*kAppend)(std::string_view, Text&)>
bool OfText(Context& context, const Value& value, Value* out) {
  Value text;
  Text to(context);
  return ToStringValue(context, value, &text) && context.Spend(TextCost(text.size())) &&
         kAppend(text.as_string(), to) && to.Finish(out);
}

template <bool (*kDecode)(Context&, std::string_view, Value*)>
bool FromText(Context& context, const Value& value, Value* out) {
  Value text;
  return ToStringValue(context, value, &text) && context.Spend(text.size()) &&
         kDecode(context, text.as_string(), out);
}

bool Json(Context& context, const Value& value, Value* out) {
  Text to(context);
  return WriteJson(value, to) && to.Finish(out);
}
bool CsvOf(Context& context, const Value& value, Value* out) {
  return Table(context, value, kCsvRow, "csv", out);
}
bool TsvOf(Context& context, const Value& value, Value* out) {
  return Table(context, value, kTsvRow, "tsv", out);
}
bool ShellOf(Context& context, const Value& value, Value* out) {
  return Row(context, value.is_array() ? value : Value::Array(std::span(&value, 1)), kShellRow,
             out);
}
bool AppendHtml(std::string_view text, Text& to) { return AppendEscaped(text, kHtml, to); }
bool AppendBase32(std::string_view text, Text& to) { return AppendEncoded(text, kBase32, to); }
bool AppendBase64(std::string_view text, Text& to) { return AppendEncoded(text, kBase64, to); }
bool DecodeBase32(Context& context, std::string_view text, Value* out) {
  return Decoded(context, text, kBase32, "base32", out);
}
bool DecodeBase64(Context& context, std::string_view text, Value* out) {
  return Decoded(context, text, kBase64, "base64", out);
}

struct FormatRow {
  std::string_view name;
  Formatter format;
};

constexpr FormatRow kFormats[] = {{"text", ToStringValue},
                                  {"json", Json},
                                  {"csv", CsvOf},
                                  {"tsv", TsvOf},
                                  {"html", OfText<AppendHtml>},
                                  {"uri", OfText<AppendUri>},
                                  {"urid", FromText<UriDecoded>},
                                  {"sh", ShellOf},
                                  {"base64", OfText<AppendBase64>},
                                  {"base64d", FromText<DecodeBase64>},
                                  {"base32", OfText<AppendBase32>},
                                  {"base32d", FromText<DecodeBase32>}};

const FormatRow* FindFormat(std::string_view name) {
  const FormatRow* row = std::ranges::find(kFormats, name, &FormatRow::name);
  return row == std::end(kFormats) ? nullptr : row;
}

}  // namespace

bool IsFormat(std::string_view name) { return FindFormat(name) != nullptr; }

bool Format(Context& context, std::string_view name, const Value& value, Value* out) {
  const FormatRow* row = FindFormat(name);
  if (row == nullptr) return context.RaiseText(Cat(name, " is not a valid format"));
  return row->format(context, value, out);
}

}  // namespace wmap::expr::builtins
