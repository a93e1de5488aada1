#include "json/place.h"

#include <gtest/gtest.h>

#include "json/source_map.h"

namespace wmap::json {
namespace {

TEST(PlaceOf, CountsLinesAndCharacters) {
  constexpr std::string_view kText = "ab\n\r\né€x\rz";
  EXPECT_EQ(PlaceOf(kText, 0), (LineColumn{1, 1}));
  EXPECT_EQ(PlaceOf(kText, 2), (LineColumn{1, 3}));
  EXPECT_EQ(PlaceOf(kText, 3), (LineColumn{2, 1}));
  EXPECT_EQ(PlaceOf(kText, 5), (LineColumn{3, 1}));
  EXPECT_EQ(PlaceOf(kText, 6), (LineColumn{3, 1}));  // inside é
  EXPECT_EQ(PlaceOf(kText, 7), (LineColumn{3, 2}));
  EXPECT_EQ(PlaceOf(kText, 10), (LineColumn{3, 3}));
  EXPECT_EQ(PlaceOf(kText, 12), (LineColumn{4, 1}));
  EXPECT_EQ(PlaceOf(kText, 99), (LineColumn{4, 2}));
  EXPECT_EQ(PlaceOf("", 0), (LineColumn{1, 1}));
}

TEST(PlaceOf, CursorAgreesInAnyOrder) {
  constexpr std::string_view kText = "a\nbé\r\n\n€c";
  PlaceCursor cursor(kText);
  for (std::size_t offset : {5U, 6U, 7U, 2U, 0U, 9U, 8U, 12U, 3U}) {
    EXPECT_EQ(cursor.PlaceOf(offset), PlaceOf(kText, offset)) << offset;
  }
}

TEST(Excerpt, PutsTheCaretUnderTheRange) {
  EXPECT_EQ(Excerpt("x\n{\"a\": tru}\ny", {8, 11}), "{\"a\": tru}\n      ^^^\n");
  EXPECT_EQ(Excerpt("é\tü!", {5, 6}), "é ü!\n   ^\n");
  EXPECT_EQ(Excerpt("a\x01\xFFz", {3, 4}), "a??z\n   ^\n");
  EXPECT_EQ(Excerpt("abc", {3, 3}), "abc\n   ^\n");
  EXPECT_EQ(Excerpt("", {0, 0}), "\n^\n");
  EXPECT_EQ(Excerpt("ab\ncd", {1, 5}), "ab\n ^\n");
}

TEST(Excerpt, CutsLongLines) {
  std::string text = std::string(1000, 'a') + "X" + std::string(1000, 'b');
  EXPECT_EQ(Excerpt(text, {1000, 1001}, 10), "...aaaaaXbbbb...\n        ^\n");
  EXPECT_EQ(Excerpt(text, {0, 1}, 10), "aaaaaaaaaa...\n^\n");
  EXPECT_EQ(Excerpt(text, {2000, 2001}, 10), "...bbbbbb\n        ^\n");
}

TEST(Pointer, EscapesTokens) {
  std::string pointer;
  AppendPointerToken(pointer, "a/b~c");
  AppendPointerIndex(pointer, 12);
  EXPECT_EQ(pointer, "/a~1b~0c/12");
  EXPECT_EQ(ParentPointer(pointer), "/a~1b~0c");
  EXPECT_EQ(ParentPointer("/a"), "");
  EXPECT_EQ(ParentPointer(""), "");
}

}  // namespace
}  // namespace wmap::json
