// UTF-8: checking and decoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace wmap {

// U+FFFD, what stands in for bytes that are no UTF-8.
inline constexpr char32_t kReplacement = 0xFFFD;

// The number of leading bytes of `text` that are well-formed UTF-8 (no overlong forms, no
// surrogates, at most U+10FFFF); text.size() when all are.
std::size_t ValidUtf8Prefix(std::string_view text);
inline bool IsUtf8(std::string_view text) { return ValidUtf8Prefix(text) == text.size(); }

// One character at the start of `text`: its code point and its length in bytes (at least 1). For
// malformed bytes the code point is kReplacement and the length is that of the longest prefix of a
// well-formed sequence (the Unicode "maximal subpart" practice, which Go and jq follow).
struct Utf8Char {
  char32_t code;
  std::size_t size;
};
Utf8Char DecodeUtf8(std::string_view text);

// Appends `code`; surrogates and values over U+10FFFF become U+FFFD.
void AppendUtf8(std::string& to, char32_t code);

// `bytes` with U+FFFD for what is no UTF-8.
std::string RepairedUtf8(std::string_view bytes);

// What there is room for in `most` bytes: `text` up to there, without a character that is cut.
std::string_view StartOf(std::string_view text, std::size_t most);

// The number of characters (code points).
std::size_t CountUtf8(std::string_view text);

}  // namespace wmap
