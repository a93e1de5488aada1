#include "base/utf8.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace wmap {
namespace {

struct Decoded {
  const char* what;
  std::string_view text;
  char32_t code;
  std::size_t size;
};

TEST(Utf8, DecodesOneCharacterOrTheMaximalBrokenPart) {
  const Decoded kCases[] = {
      {"NUL", {"\0", 1}, 0, 1},
      {"ASCII", "A", U'A', 1},
      {"last of one byte", "\x7F", 0x7F, 1},
      {"first of two bytes", "\xC2\x80", 0x80, 2},
      {"last of two bytes", "\xDF\xBF", 0x7FF, 2},
      {"first of three bytes", "\xE0\xA0\x80", 0x800, 3},
      {"last before the surrogates", "\xED\x9F\xBF", 0xD7FF, 3},
      {"first after the surrogates", "\xEE\x80\x80", 0xE000, 3},
      {"the replacement character itself", "\xEF\xBF\xBD", kReplacement, 3},
      {"last of three bytes", "\xEF\xBF\xBF", 0xFFFF, 3},
      {"first of four bytes", "\xF0\x90\x80\x80", 0x10000, 4},
      {"the last of all", "\xF4\x8F\xBF\xBF", 0x10FFFF, 4},
      {"only the first is decoded", "\xC3\xA9xyz", 0xE9, 2},
      {"continuation byte alone", "\x80", kReplacement, 1},
      {"overlong of two bytes", "\xC0\x80", kReplacement, 1},
      {"overlong of three bytes", "\xE0\x9F\xBF", kReplacement, 1},
      {"overlong of four bytes", "\xF0\x8F\xBF\xBF", kReplacement, 1},
      {"first surrogate", "\xED\xA0\x80", kReplacement, 1},
      {"last surrogate", "\xED\xBF\xBF", kReplacement, 1},
      {"one over the last of all", "\xF4\x90\x80\x80", kReplacement, 1},
      {"never a first byte", "\xF5\x80\x80\x80", kReplacement, 1},
      {"never a byte", "\xFF", kReplacement, 1},
      {"two bytes, cut", "\xC3", kReplacement, 1},
      {"two bytes, other follows", "\xC3x", kReplacement, 1},
      {"three bytes, cut after one", "\xE2", kReplacement, 1},
      {"three bytes, cut after two", "\xE2\x82", kReplacement, 2},
      {"three bytes, other follows", "\xE2\x82x", kReplacement, 2},
      {"four bytes, cut after two", "\xF0\x9F", kReplacement, 2},
      {"four bytes, cut after three", "\xF0\x9F\x9A", kReplacement, 3},
      {"four bytes, other follows", "\xF0\x9F\x9Ax", kReplacement, 3},
  };
  for (const Decoded& c : kCases) {
    SCOPED_TRACE(c.what);
    Utf8Char got = DecodeUtf8(c.text);
    EXPECT_EQ(got.code, c.code);
    EXPECT_EQ(got.size, c.size);
    bool well_formed = c.code != kReplacement || c.text == "\xEF\xBF\xBD";
    EXPECT_EQ(IsUtf8(c.text), well_formed);
  }
}

TEST(Utf8, EveryCodePointComesBack) {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string text;
    AppendUtf8(text, code);
    Utf8Char got = DecodeUtf8(text);
    ASSERT_EQ(got.code, code);
    ASSERT_EQ(got.size, text.size());
    ASSERT_TRUE(IsUtf8(text)) << static_cast<std::uint32_t>(code);
  }
}

TEST(Utf8, EveryPairOfBytesIsCheckedAsItIsDecoded) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      std::string text{static_cast<char>(first), static_cast<char>(second)};
      std::string decoded;
      for (std::size_t at = 0; at < text.size();) {
        Utf8Char c = DecodeUtf8(std::string_view(text).substr(at));
        AppendUtf8(decoded, c.code);
        at += c.size;
      }
      ASSERT_EQ(IsUtf8(text), decoded == text) << first << ' ' << second;
    }
  }
}

TEST(Utf8, WhatIsNoCharacterIsAppendedAsReplacement) {
  for (char32_t code :
       {char32_t{0xD800}, char32_t{0xDFFF}, char32_t{0x110000}, char32_t{0xFFFFFFFF}}) {
    std::string text;
    AppendUtf8(text, code);
    EXPECT_EQ(text, "\xEF\xBF\xBD");
  }
}

TEST(Utf8, ValidPrefixEndsAtTheFirstBrokenByteWhereverItStands) {
  for (std::size_t length = 0; length < 40; ++length) {
    std::string text(length, 'a');
    EXPECT_EQ(ValidUtf8Prefix(text), length);
    for (std::size_t broken = 0; broken < length; ++broken) {
      std::string with = text;
      with[broken] = '\xFF';
      EXPECT_EQ(ValidUtf8Prefix(with), broken);
    }
  }
}

TEST(Utf8, ValidPrefixDoesNotSplitACharacterThatIsCut) {
  EXPECT_EQ(ValidUtf8Prefix("ab\xE2\x82"), 2U);
  EXPECT_EQ(ValidUtf8Prefix("ab\xE2\x82\xAC"), 5U);
  EXPECT_EQ(ValidUtf8Prefix(""), 0U);
}

TEST(Utf8, CountsCharactersAndEachBrokenPartAsOne) {
  EXPECT_EQ(CountUtf8(""), 0U);
  EXPECT_EQ(CountUtf8("h\xC3\xA9llo \xF0\x9F\x9A\x80"), 7U);
  EXPECT_EQ(CountUtf8("\xE2\x82x\xFF"), 3U);
}

TEST(Utf8, TheStartOfATextCutsNoCharacter) {
  EXPECT_EQ(StartOf("abc", 3), "abc");
  EXPECT_EQ(StartOf("abcd", 3), "abc");
  EXPECT_EQ(StartOf("ab\u20ac", 4), "ab");
  EXPECT_EQ(StartOf("ab\u20acd", 5), "ab\u20ac");
  EXPECT_EQ(StartOf("\u20ac", 2), "");
}

}  // namespace
}  // namespace wmap
