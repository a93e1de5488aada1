#include "definition/scalar_source.h"

#include <gtest/gtest.h>
#include <string_view>

namespace wmap::definition {
namespace {

// What stands in `source` where `needle` of the value comes from.
std::string_view At(std::string_view source, std::string_view value, std::string_view needle) {
  auto at = SourceOffset(source, 0, value, value.find(needle));
  return at ? source.substr(*at) : "nothing";
}

TEST(SourceOffset, FindsPlainText) { EXPECT_EQ(At("ab cd # x", "ab cd", "cd"), "cd # x"); }

TEST(SourceOffset, StepsOverQuotes) {
  EXPECT_EQ(At("'a''b c'", "a'b c", "c"), "c'");
  EXPECT_EQ(At(R"("a\"\\\/b")", R"(a"\/b)", "b"), "b\"");
  EXPECT_EQ(At(R"("a\tb\n c")", "a\tb\n c", "c"), "c\"");
}

TEST(SourceOffset, StepsOverBlocks) {
  EXPECT_EQ(At("|-\n    a\n      b\n    c\n", "a\n  b\nc", "c"), "c\n");
  EXPECT_EQ(At(">-\n  a\n  b\n\n  c\n", "a b\nc", "c"), "c\n");
}

TEST(SourceOffset, StepsOverAnchorsAndTags) {
  EXPECT_EQ(At("&x a b", "a b", "b"), "b");
  EXPECT_EQ(At("!!str &x |\n  a\n  b\n", "a\nb\n", "b"), "b\n");
}

TEST(SourceOffset, FindsTheEnd) {
  auto at = SourceOffset("'ab' ", 0, "ab", 2);
  EXPECT_EQ(at, 3U);
}

TEST(SourceOffset, GivesUpWhereTextsDiffer) {
  EXPECT_EQ(At("*alias", "a b", "b"), "nothing");
  EXPECT_EQ(At(R"("\u0061b")", "ab", "b"), "nothing");
}

TEST(OffsetOf, CountsCharactersAndAllLineEnds) {
  EXPECT_EQ(OffsetOf("a\r\nb\rc\n\xC3\xA4x", {4, 2}), 9U);
  EXPECT_EQ(OffsetOf("a", {1, 3}), std::nullopt);
  EXPECT_EQ(OffsetOf("a", {3, 1}), std::nullopt);
  EXPECT_EQ(OffsetOf("a", {}), std::nullopt);
}

}  // namespace
}  // namespace wmap::definition
