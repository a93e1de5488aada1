// Natives for strings, and searching.
#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "expr/builtins/builtins.h"
#include "expr/builtins/natives.h"
#include "expr/builtins/scratch.h"
#include "expr/builtins/values.h"

namespace wmap::expr::builtins {

using json::Value;
using vm::Context;

// --- Letters --------------------------------------------------------------------------------

namespace {

bool ShiftLetters(Context& context, const Value& input, char first, int shift, Value* out) {
  std::string_view text = input.as_string();
  auto* copy = static_cast<char*>(context.Allocate(text.size(), 1));
  if (copy == nullptr || !context.Spend(TextCost(text.size()))) return false;
  std::ranges::transform(text, copy, [&](char c) {
    return c >= first && c < first + 26 ? static_cast<char>(c + shift) : c;
  });
  *out = Value::String({copy, text.size()});
  return true;
}

}  // namespace

bool Downcase(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_string()) return context.RaiseText("ascii_downcase input must be a string");
  return ShiftLetters(context, input, 'A', 'a' - 'A', out);
}

bool Upcase(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_string()) return context.RaiseText("ascii_upcase input must be a string");
  return ShiftLetters(context, input, 'a', 'A' - 'a', out);
}

bool Explode(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_string()) return context.RaiseText("explode input must be a string");
  std::string_view text = input.as_string();
  std::size_t count = CountUtf8(text);
  Value* codes = context.AllocateItems(count);
  if (codes == nullptr || !context.Spend(text.size())) return false;
  for (std::size_t at = 0, i = 0; i < count; ++i) {
    Utf8Char c = DecodeUtf8(text.substr(at, 4));
    codes[i] = Value::Int(static_cast<std::int64_t>(c.code));
    at += c.size;
  }
  *out = Value::Array({codes, count});
  return true;
}

bool Implode(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_array()) return context.RaiseText("implode input must be an array");
  Text text(context);
  if (!context.Spend(input.size() + 1)) return false;
  for (const Value& code : input.items()) {
    if (!code.is_number() || std::isnan(code.as_double())) {
      return Complain(context, code, "can't be imploded, unicode codepoint needs to be numeric");
    }
    double value = std::trunc(code.as_double());
    bool exists = value >= 0 && value < 0x110000;
    if (!text.Need(4)) return false;
    AppendUtf8(text.text(), exists ? static_cast<char32_t>(value) : kReplacement);
  }
  return text.Finish(out);
}

bool Ascii(Context& context, const Value& input, const Value*, Value* out) {
  return Implode(context, Value::Array(std::span(&input, 1)), nullptr, out);
}

// --- Starts and ends ------------------------------------------------------------------------

namespace {

// White space of Unicode.
bool IsSpace(char32_t c) {
  return (c >= 9 && c <= 13) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

bool NeedStrings(Context& context, const Value& a, const Value& b, std::string_view message) {
  return (a.is_string() && b.is_string()) || context.RaiseText(message);
}

bool TrimPart(Context& context, const Value& input, const Value& part, bool at_start, bool at_end,
              Value* out) {
  if (!NeedStrings(
          context, input, part,
          at_start ? "startswith() requires string inputs" : "endswith() requires string inputs")) {
    return false;
  }
  std::string_view text = input.as_string();
  std::string_view cut = part.as_string();
  if (at_start && text.starts_with(cut)) text.remove_prefix(cut.size());
  if (at_end && text.ends_with(cut)) text.remove_suffix(cut.size());
  *out = Value::String(text);
  return true;
}

bool TrimSpaces(Context& context, const Value& input, bool at_start, bool at_end, Value* out) {
  if (!input.is_string()) return context.RaiseText("trim input must be a string");
  std::string_view text = input.as_string();
  while (at_start && !text.empty()) {
    Utf8Char c = DecodeUtf8(text.substr(0, 4));
    if (!IsSpace(c.code)) break;
    text.remove_prefix(c.size);
  }
  while (at_end && !text.empty()) {
    std::size_t begin = StartOfLast(text);
    if (!IsSpace(DecodeUtf8(text.substr(begin)).code)) break;
    text = text.substr(0, begin);
  }
  *out = Value::String(text);
  return context.Spend(TextCost(input.size() - text.size()));
}

}  // namespace

bool StartsWith(Context& context, const Value& input, const Value* arguments, Value* out) {
  if (!NeedStrings(context, input, arguments[0], "startswith() requires string inputs")) {
    return false;
  }
  *out = Value::Bool(input.as_string().starts_with(arguments[0].as_string()));
  return true;
}

bool EndsWith(Context& context, const Value& input, const Value* arguments, Value* out) {
  if (!NeedStrings(context, input, arguments[0], "endswith() requires string inputs")) {
    return false;
  }
  *out = Value::Bool(input.as_string().ends_with(arguments[0].as_string()));
  return true;
}

bool TrimStart(Context& context, const Value& input, const Value* arguments, Value* out) {
  return TrimPart(context, input, arguments[0], true, false, out);
}
bool TrimEnd(Context& context, const Value& input, const Value* arguments, Value* out) {
  return TrimPart(context, input, arguments[0], false, true, out);
}
bool TrimBoth(Context& context, const Value& input, const Value* arguments, Value* out) {
  return TrimPart(context, input, arguments[0], true, true, out);
}
bool TrimSpaceLeft(Context& context, const Value& input, const Value*, Value* out) {
  return TrimSpaces(context, input, true, false, out);
}
bool TrimSpaceRight(Context& context, const Value& input, const Value*, Value* out) {
  return TrimSpaces(context, input, false, true, out);
}
bool TrimSpace(Context& context, const Value& input, const Value*, Value* out) {
  return TrimSpaces(context, input, true, true, out);
}

// --- Apart and together ---------------------------------------------------------------------

bool Split(Context& context, const Value& input, const Value* arguments, Value* out) {
  return NeedStrings(context, input, arguments[0], "split input and separator must be strings") &&
         Divide(context, input, arguments[0], out);
}

bool JoinWith(Context& context, const Value& input, const Value* arguments, Value* out) {
  if (!input.is_array() && !input.is_object()) return CannotIterate(context, input);
  const Value& separator = arguments[0];
  Elements elements(input);
  Text text(context);
  // What is wrong fails as it would when added to the text so far.
  auto refuse = [&](const Value& value) {
    return Add(context, Value::String(text.text()), value, out);
  };
  if (!context.Spend(elements.size() + 1)) return false;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i > 0 && !separator.is_null()) {
      if (!separator.is_string()) return refuse(separator);
      if (!text.Append(separator.as_string())) return false;
    }
    const Value& element = elements[i];
    if (element.is_array() || element.is_object()) return refuse(element);
    bool done = element.is_null() ||
                (element.is_string() ? text.Append(element.as_string()) : WriteJson(element, text));
    if (!done) return false;
  }
  return context.Spend(TextCost(text.text().size())) && text.Finish(out);
}

// --- Searching ------------------------------------------------------------------------------

namespace {

// Calls `found` with the places of a text in a text, in bytes, overlapping ones too. False when a
// budget is used up or `found` returns false.
template <typename F>
bool EachPlace(Context& context, std::string_view text, std::string_view wanted, F&& found) {
  if (!context.Spend(TextCost(text.size()))) return false;
  if (wanted.empty()) return true;
  for (std::size_t at = FindText(text, wanted, 0); at != std::string_view::npos;
       at = FindText(text, wanted, at + 1)) {
    // Each search looks at all of `wanted` first.
    if (!context.Spend(wanted.size()) || !found(at)) return false;
  }
  return true;
}

bool FirstOrLast(Context& context, const Value& input, const Value& wanted, bool first,
                 Value* out) {
  if (input.is_string() && wanted.is_string()) {
    std::string_view text = input.as_string();
    std::size_t place = std::string_view::npos;
    if (first && wanted.size() > 0) {
      place = FindText(text, wanted.as_string(), 0);
    } else if (!EachPlace(context, text, wanted.as_string(),
                          [&](std::size_t at) { return place = at, true; })) {
      return false;
    }
    *out = place == std::string_view::npos ? Value() : Count(CountUtf8(text.substr(0, place)));
    return context.Spend(TextCost(text.size()));
  }
  if (input.is_object() && wanted.is_string()) {
    // As jq's `.["key"][0]`; a member is rarely what was meant.
    Value member = input.Get(wanted.as_string());
    return Index(context, member, Value::Int(first ? 0 : -1), out);
  }
  Value all;
  if (!Indices(context, input, &wanted, &all)) return false;
  bool none = !all.is_array() || all.size() == 0;
  *out = none ? Value() : all[first ? 0 : all.size() - 1];
  return true;
}

}  // namespace

bool Indices(Context& context, const Value& input, const Value* arguments, Value* out) {
  const Value& wanted = arguments[0];
  if (input.is_string() && wanted.is_string()) {
    Items places(context);
    std::string_view text = input.as_string();
    std::size_t bytes = 0;
    std::size_t characters = 0;
    auto add = [&](std::size_t at) {
      characters += CountUtf8(text.substr(bytes, at - bytes));
      bytes = at;
      return places.Push(Count(characters));
    };
    return EachPlace(context, text, wanted.as_string(), add) && places.Finish(out);
  }
  if (input.is_array()) {
    Value sequence = wanted.is_array() ? wanted : Value::Array(std::span(&wanted, 1));
    if (sequence.size() == 0) return *out = sequence, true;
    return Index(context, input, sequence, out);
  }
  return Index(context, input, wanted, out);
}

bool FirstIndex(Context& context, const Value& input, const Value* arguments, Value* out) {
  return FirstOrLast(context, input, arguments[0], true, out);
}
bool LastIndex(Context& context, const Value& input, const Value* arguments, Value* out) {
  return FirstOrLast(context, input, arguments[0], false, out);
}

}  // namespace wmap::expr::builtins
