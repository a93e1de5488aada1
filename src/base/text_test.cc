#include "base/text.h"

#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace wmap {
namespace {

TEST(Text, CatTakesTextsCharactersAndIntegersOfAllWidths) {
  EXPECT_EQ(Cat(), "");
  EXPECT_EQ(Cat("line ", 3, ':', std::string("x"), std::string_view("y")), "line 3:xy");
  EXPECT_EQ(
      Cat(std::numeric_limits<std::int64_t>::min(), ' ', std::numeric_limits<std::uint64_t>::max(),
          ' ', std::int8_t{-5}, ' ', std::uint8_t{200}),
      "-9223372036854775808 18446744073709551615 -5 200");
}

TEST(Text, CatToAppends) {
  std::string text = "a";
  CatTo(text, 'b', 1);
  EXPECT_EQ(text, "ab1");
}

TEST(Text, JoinPutsSeparatorsBetweenOnly) {
  EXPECT_EQ(Join({}, ", "), "");
  EXPECT_EQ(Join({"a"}, ", "), "a");
  EXPECT_EQ(Join({"a", "", "c"}, ", "), "a, , c");
}

TEST(Text, QuoteEscapesWhatWouldBreakALine) {
  EXPECT_EQ(Quote(""), R"("")");
  EXPECT_EQ(Quote("a\"b\\c\n\r\t"), R"("a\"b\\c\n\r\t")");
  EXPECT_EQ(Quote(std::string_view("\0\x1F\x7F", 3)), R"("\u0000\u001f\u007f")");
  EXPECT_EQ(Quote("h\xC3\xA9"), "\"h\xC3\xA9\"");
}

TEST(Text, QuoteCutsLongTextAtACharacterBorder) {
  EXPECT_EQ(Quote("abcdef", 6), R"("abcdef")");
  EXPECT_EQ(Quote("abcdefg", 6), R"("abcdef...")");
  EXPECT_EQ(Quote("ab\xE2\x82\xAC"
                  "d",
                  4),
            R"("ab...")");
  EXPECT_EQ(Quote("abc", 0), R"("...")");
  std::string rockets;
  for (int i = 0; i < 50; ++i) rockets += "\xF0\x9F\x9A\x80";
  for (std::size_t limit = 0; limit < 20; ++limit) EXPECT_TRUE(IsUtf8(Quote(rockets, limit)));
}

TEST(Text, QuoteOfBrokenTextIsBounded) {
  EXPECT_EQ(Quote(std::string(200, '\x80'), 10), R"("...")");
}

TEST(Text, NearestFindsTypingMistakes) {
  const std::vector<std::string_view> kNames = {"specPath", "metadataPath", "podTemplateSpecPath",
                                                "replicas", "minReplicas"};
  EXPECT_EQ(Nearest("specPaht", kNames), "specPath") << "two letters swapped";
  EXPECT_EQ(Nearest("replica", kNames), "replicas") << "one letter too few";
  EXPECT_EQ(Nearest("podTemplatePath", kNames), "podTemplateSpecPath") << "a word too few";
  EXPECT_EQ(Nearest("minreplicas", kNames), "minReplicas") << "case";
  EXPECT_EQ(Nearest("replicas", kNames), "replicas");
}

TEST(Text, NearestIsSilentWhenNothingIsNear) {
  EXPECT_EQ(Nearest("gang", {"specPath", "replicas"}), "");
  EXPECT_EQ(Nearest("", {"replicas"}), "");
  EXPECT_EQ(Nearest("x", {}), "");
}

TEST(Text, NearestPrefersTheFirstOfEquals) { EXPECT_EQ(Nearest("name", {"nane", "nase"}), "nane"); }

TEST(Text, ToLowerTouchesAsciiLettersOnly) {
  EXPECT_EQ(ToLower("AZ[@`az09\xC3\x89"), "az[@`az09\xC3\x89");
}

}  // namespace
}  // namespace wmap
