// Messages: values in words, as jq has them.
#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "expr/builtins/builtins.h"
#include "expr/builtins/values.h"
#include "json/writer.h"

namespace wmap::expr::builtins {

using json::Value;
using vm::Context;

namespace {

constexpr std::size_t kBrief = 29;

// The start of `value` as JSON, at least `kBrief` + 1 bytes where it has that many. Each level adds
// a byte, which bounds the recursion.
void AppendStart(const Value& value, std::string& to, std::size_t from) {
  if (to.size() - from > kBrief) return;
  if (value.is_string()) {
    std::string_view text = value.as_string();
    std::size_t size = std::min(text.size(), kBrief + 1);
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) ++size;
    json::WriteString(text.substr(0, size), to);
  } else if (value.is_array()) {
    to += '[';
    for (std::size_t i = 0; i < value.size() && to.size() - from <= kBrief; ++i) {
      if (i > 0) to += ',';
      AppendStart(value[i], to, from);
    }
    to += ']';
  } else if (value.is_object()) {
    to += '{';
    for (std::size_t i = 0; i < value.size() && to.size() - from <= kBrief; ++i) {
      if (i > 0) to += ',';
      AppendStart(Value::String(value.members()[i].key), to, from);
      to += ':';
      AppendStart(value.members()[i].value, to, from);
    }
    to += '}';
  } else {
    json::Write(value, to);
  }
}

}  // namespace

void AppendBrief(const Value& value, std::string& to) {
  std::size_t from = to.size();
  AppendStart(value, to, from);
  if (to.size() - from <= kBrief) return;
  std::string_view end = value.is_string()   ? "...\""
                         : value.is_array()  ? "...]"
                         : value.is_object() ? "...}"
                                             : "...";
  to.resize(from + StartOf(std::string_view(to).substr(from), kBrief - end.size()).size());
  to += end;
}

void AppendDescription(const Value& value, std::string& to) {
  CatTo(to, TypeName(value.type()), " (");
  AppendBrief(value, to);
  to += ')';
}

bool Complain(Context& context, const Value& value, std::string_view what) {
  std::string message;
  AppendDescription(value, message);
  return context.RaiseText(Cat(message, ' ', what));
}

bool Complain(Context& context, const Value& a, const Value& b, std::string_view what) {
  std::string message;
  AppendDescription(a, message);
  message += " and ";
  AppendDescription(b, message);
  return context.RaiseText(Cat(message, ' ', what));
}

bool CannotIterate(Context& context, const Value& value) {
  std::string message = "Cannot iterate over ";
  AppendDescription(value, message);
  return context.RaiseText(message);
}

}  // namespace wmap::expr::builtins
