// Building text without streams or format strings: append helpers on std::to_chars.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wmap {

void AppendInt(std::string& to, std::int64_t value);
void AppendUnsigned(std::string& to, std::uint64_t value);

// Concatenates texts and integers: Cat("line ", 3, ": ", message).
namespace text_internal {
inline void Append(std::string& to, std::string_view text) { to += text; }
inline void Append(std::string& to, const char* text) { to += text; }
inline void Append(std::string& to, char c) { to += c; }
template <typename T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, char> && !std::is_same_v<T, bool>)
void Append(std::string& to, T value) {
  if constexpr (std::is_signed_v<T>) {
    AppendInt(to, static_cast<std::int64_t>(value));
  } else {
    AppendUnsigned(to, static_cast<std::uint64_t>(value));
  }
}
}  // namespace text_internal

template <typename... Parts>
std::string Cat(const Parts&... parts) {
  std::string text;
  (text_internal::Append(text, parts), ...);
  return text;
}
template <typename... Parts>
void CatTo(std::string& to, const Parts&... parts) {
  (text_internal::Append(to, parts), ...);
}

// "a, b, c".
std::string Join(const std::vector<std::string>& parts, std::string_view separator);

// `text` in double quotes with JSON escapes, for messages; cut after `limit` bytes (at a character
// border) with "...".
std::string Quote(std::string_view text, std::size_t limit = 80);

// The entry of `candidates` that is nearest to `word` (edit distance with transpositions, at most a
// third of the word's length), or "" when none is near: for "did you mean".
std::string_view Nearest(std::string_view word, const std::vector<std::string_view>& candidates);

std::string ToLower(std::string_view ascii);

}  // namespace wmap
