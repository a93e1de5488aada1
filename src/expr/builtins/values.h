// Small helpers that the natives share.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "expr/vm/context.h"
#include "json/value.h"

namespace wmap::expr::builtins {

// A computed number: an integer where it is one that doubles hold exactly.
inline json::Value Number(double value) {
  constexpr double kExact = 9007199254740992.0;
  bool whole = value == std::trunc(value) && std::abs(value) <= kExact &&
               !(value == 0 && std::signbit(value));
  return whole ? json::Value::Int(static_cast<std::int64_t>(value)) : json::Value::Double(value);
}

inline json::Value Count(std::size_t count) {
  return json::Value::Int(static_cast<std::int64_t>(count));
}

// Raise "<description of value> <what>" and "<description> and <description> <what>".
bool Complain(vm::Context& context, const json::Value& value, std::string_view what);
bool Complain(vm::Context& context, const json::Value& a, const json::Value& b,
              std::string_view what);
// Raises that `value` cannot be iterated over.
bool CannotIterate(vm::Context& context, const json::Value& value);

// Steps to charge for looking at `bytes` of text.
inline std::uint64_t TextCost(std::size_t bytes) { return bytes / 8 + 1; }

// The first place of `wanted` in `text` at `from` or behind it, or npos. Linear, unlike find().
inline std::size_t FindText(std::string_view text, std::string_view wanted, std::size_t from) {
  if (from > text.size()) return std::string_view::npos;
  // memmem() wants pointers, which empty texts need not have.
  if (wanted.empty()) return from;
  if (from == text.size()) return std::string_view::npos;
  const void* place = memmem(text.data() + from, text.size() - from, wanted.data(), wanted.size());
  return place == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(place) - text.data());
}

// Where the last character of `text`, which is not empty, begins.
inline std::size_t StartOfLast(std::string_view text) {
  std::size_t begin = text.size() - 1;
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
  return begin;
}

// Steps to charge for sorting.
inline std::uint64_t SortCost(std::size_t size) {
  std::uint64_t cost = size + 1;
  for (std::size_t n = size; n > 1; n /= 2) cost += size;
  return cost;
}

// The values of an array or object in order; nothing of anything else.
class Elements {
 public:
  explicit Elements(const json::Value& container) : container_(&container) {}
  std::size_t size() const { return container_->size(); }
  const json::Value& operator[](std::size_t i) const {
    return container_->is_array() ? (*container_)[i] : container_->members()[i].value;
  }

 private:
  const json::Value* container_;
};

// `value` as JSON, appended to `to`. Charges steps first: values share their parts, so a small
// value may be a long text.
class Text;
bool WriteJson(const json::Value& value, Text& to);

}  // namespace wmap::expr::builtins
