#include "base/utf8.h"

#include <cstring>

namespace wmap {
namespace {
bool Continues(unsigned char byte) { return (byte & 0xC0) == 0x80; }
}  // namespace

Utf8Char DecodeUtf8(std::string_view text) {
  auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  auto continues = [&](std::size_t i) {
    return i < text.size() && Continues(static_cast<unsigned char>(text[i]));
  };
  unsigned first = at(0);
  if (first < 0x80) return {first, 1};
  if (first >= 0xC2 && first <= 0xDF) {
    if (!continues(1)) return {kReplacement, 1};
    return {((first & 0x1F) << 6) | (at(1) & 0x3F), 2};
  }
  if (first >= 0xE0 && first <= 0xEF) {
    unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    unsigned high = first == 0xED ? 0x9F : 0xBF;
    if (at(1) < low || at(1) > high) return {kReplacement, 1};
    if (!continues(2)) return {kReplacement, 2};
    return {((first & 0x0F) << 12) | ((at(1) & 0x3F) << 6) | (at(2) & 0x3F), 3};
  }
  if (first >= 0xF0 && first <= 0xF4) {
    unsigned low = first == 0xF0 ? 0x90 : 0x80;
    unsigned high = first == 0xF4 ? 0x8F : 0xBF;
    if (at(1) < low || at(1) > high) return {kReplacement, 1};
    if (!continues(2)) return {kReplacement, 2};
    if (!continues(3)) return {kReplacement, 3};
    return {
        ((first & 0x07) << 18) | ((at(1) & 0x3F) << 12) | ((at(2) & 0x3F) << 6) | (at(3) & 0x3F),
        4};
  }
  return {kReplacement, 1};
}

std::size_t ValidUtf8Prefix(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    // Eight ASCII bytes at a time.
    while (i + 8 <= text.size()) {
      std::uint64_t word;
      std::memcpy(&word, text.data() + i, 8);
      if ((word & 0x8080808080808080U) != 0) break;
      i += 8;
    }
    if (i >= text.size()) break;
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    std::string_view rest = text.substr(i, 4);
    Utf8Char c = DecodeUtf8(rest);
    // A real U+FFFD is the three bytes EF BF BD.
    if (c.code == kReplacement && !(c.size == 3 && rest.starts_with("\xEF\xBF\xBD"))) break;
    i += c.size;
  }
  return i;
}

void AppendUtf8(std::string& to, char32_t code) {
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = kReplacement;
  auto put = [&](char32_t byte) { to += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6));
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3F));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

std::string RepairedUtf8(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size();) {
    Utf8Char c = DecodeUtf8(bytes.substr(i, 4));
    AppendUtf8(text, c.code);
    i += c.size;
  }
  return text;
}

std::string_view StartOf(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && Continues(static_cast<unsigned char>(text[most]))) --most;
  return text.substr(0, most);
}

std::size_t CountUtf8(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++count) i += DecodeUtf8(text.substr(i, 4)).size;
  return count;
}

}  // namespace wmap
