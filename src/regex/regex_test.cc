#include "regex/regex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace wmap::regex {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Regex CompileOrDie(std::string_view pattern, std::string_view flags = "") {
  Result<Flags> parsed = ParseFlags(flags);
  EXPECT_TRUE(parsed.has_value());
  Result<Regex> regex = Regex::Compile(pattern, *parsed);
  if (!regex) {
    ADD_FAILURE() << regex.error().message();
    return *Regex::Compile("", {});
  }
  return std::move(*regex);
}

// "begin-end" of each match.
std::vector<std::string> Matches(std::string_view text, std::string_view pattern,
                                 std::string_view flags = "") {
  std::vector<std::string> found;
  CompileOrDie(pattern, flags).Match(text, [&](const std::vector<Span>& spans) {
    found.push_back(std::to_string(spans[0].begin) + "-" + std::to_string(spans[0].end));
    return true;
  });
  return found;
}

std::string ErrorOf(std::string_view pattern, const Flags& flags = {}) {
  Result<Regex> regex = Regex::Compile(pattern, flags);
  return regex ? "compiled" : regex.error().message();
}

TEST(Regex, FindsTheFirstMatchOrWithGlobalAll) {
  EXPECT_THAT(Matches("abcabc", "b."), ElementsAre("1-3"));
  EXPECT_THAT(Matches("abcabc", "b.", "g"), ElementsAre("1-3", "4-6"));
  EXPECT_THAT(Matches("abc", "x", "g"), IsEmpty());
}

TEST(Regex, FindsEmptyMatchesBetweenCharactersAndAtTheEnd) {
  EXPECT_THAT(Matches("ab", "", "g"), ElementsAre("0-0", "1-1", "2-2"));
  EXPECT_THAT(Matches("ab", "a*", "g"), ElementsAre("0-1", "1-1", "2-2"));
  EXPECT_THAT(Matches("", "", "g"), ElementsAre("0-0"));
  EXPECT_THAT(Matches("\u00e9x", "", "g"), ElementsAre("0-0", "2-2", "3-3"));
  EXPECT_THAT(Matches(std::string_view(), "^$"), ElementsAre("0-0"));
}

TEST(Regex, HonoursEachFlag) {
  EXPECT_THAT(Matches("xAx", "a", "i"), ElementsAre("1-2"));
  EXPECT_THAT(Matches("a\nb", "a.b"), IsEmpty());
  EXPECT_THAT(Matches("a\nb", "a.b", "s"), IsEmpty());
  EXPECT_THAT(Matches("a\nb", "a.b", "p"), ElementsAre("0-3"));
  EXPECT_THAT(Matches("ab", "a|ab"), ElementsAre("0-1"));
  EXPECT_THAT(Matches("ab", "a|ab", "l"), ElementsAre("0-2"));
  EXPECT_THAT(Matches("baab", "a*", "gn"), ElementsAre("1-3"));
  EXPECT_THAT(Matches("ab", " a # first\n b", "x"), ElementsAre("0-2"));
  EXPECT_THAT(Matches("a b#", "a[ ]b[#]", "x"), ElementsAre("0-4"));
  EXPECT_THAT(Matches("a b", "a\\ b", "x"), ElementsAre("0-3"));
}

TEST(Regex, LinesDoNotMatterToAnchors) {
  EXPECT_THAT(Matches("a\nb", "^b"), IsEmpty());
  EXPECT_THAT(Matches("a\n", "a$"), IsEmpty());
  EXPECT_THAT(Matches("a\nb", "(?m)^b"), ElementsAre("2-3"));
}

TEST(Regex, RefusesUnknownFlagsByName) {
  Result<Flags> flags = ParseFlags("gq");
  ASSERT_FALSE(flags.has_value());
  EXPECT_EQ(flags.error().code(), Code::kEvaluation);
  EXPECT_THAT(flags.error().message(), HasSubstr("gq is not a valid modifier string"));
}

TEST(Regex, NamesGroupsWrittenEitherWay) {
  Regex regex = CompileOrDie("(?<year>\\d+)-(\\d+)(?P<rest>x)?");
  ASSERT_EQ(regex.group_count(), 3u);
  EXPECT_EQ(regex.group_name(0), "year");
  EXPECT_EQ(regex.group_name(1), "");
  EXPECT_EQ(regex.group_name(2), "rest");
  regex.Match("on 2026-11", [](const std::vector<Span>& spans) {
    EXPECT_EQ(spans[1].begin, 3u);
    EXPECT_EQ(spans[1].end, 7u);
    EXPECT_FALSE(spans[3].matched());
    return true;
  });
}

TEST(Regex, TellsAnEmptyGroupFromNone) {
  CompileOrDie("(|b)c(x)?").Match("c", [](const std::vector<Span>& spans) {
    EXPECT_TRUE(spans[1].matched());
    EXPECT_EQ(spans[1].begin, spans[1].end);
    EXPECT_FALSE(spans[2].matched());
    return true;
  });
}

TEST(Regex, LeavesGroupSyntaxInClassesAndEscapesAlone) {
  EXPECT_THAT(Matches("(?<", "[(?<]+"), ElementsAre("0-3"));
  EXPECT_THAT(Matches("(?<a>", "\\(\\?<a>"), ElementsAre("0-5"));
  EXPECT_THAT(Matches("(?<a>", "\\Q(?<a>\\E"), ElementsAre("0-5"));
  EXPECT_THAT(Matches("]\\1", "[]\\\\]+1"), ElementsAre("0-3"));
  EXPECT_THAT(Matches("x(", "[[:alpha:](]+"), ElementsAre("0-2"));
}

TEST(Regex, RefusesWhatCannotBeLinearAndSaysSo) {
  for (std::string_view pattern :
       {"a(?=b)", "a(?!b)", "(?<=a)b", "(?<!a)b", "(?>a)", "(a)\\1", "(?<n>a)\\k<n>"}) {
    EXPECT_THAT(ErrorOf(pattern), HasSubstr("linear time")) << pattern;
  }
}

TEST(Regex, SaysWhatIsWrongWithAPattern) {
  EXPECT_THAT(ErrorOf("a(b"), HasSubstr("\"a(b\" is not a valid regex: missing )"));
  EXPECT_THAT(ErrorOf("a**"), HasSubstr("bad repetition operator: **"));
  EXPECT_THAT(ErrorOf("[b-a]"), HasSubstr("invalid character class range"));
  EXPECT_THAT(ErrorOf("\\"), HasSubstr("trailing \\"));
}

TEST(Regex, BoundsPatternAndProgram) {
  EXPECT_EQ(ErrorOf(std::string(Regex::kMaxPattern, 'a')), "compiled");
  Result<Regex> long_pattern = Regex::Compile(std::string(Regex::kMaxPattern + 1, 'a'), {});
  ASSERT_FALSE(long_pattern.has_value());
  EXPECT_EQ(long_pattern.error().code(), Code::kLimit);
  Result<Regex> nested = Regex::Compile("((a{100}){100}){100}", {});
  ASSERT_FALSE(nested.has_value());
  EXPECT_EQ(nested.error().code(), Code::kLimit);
}

TEST(Regex, TakesPatternsOfAnyNesting) {
  std::string parentheses(20000, '(');
  parentheses.append(1, 'a').append(20000, ')');
  EXPECT_TRUE(CompileOrDie(parentheses).Test("ba"));
}

TEST(Regex, StaysLinearOnBombs) {
  std::string text(50000, 'a');
  text += '!';
  EXPECT_FALSE(CompileOrDie("^(a+)+$").Test(text));
  EXPECT_FALSE(CompileOrDie("(a|aa|a?)*b$").Test(text));
}

TEST(Regex, TestAgreesWithMatch) {
  EXPECT_TRUE(CompileOrDie("b").Test("abc"));
  EXPECT_FALSE(CompileOrDie("x").Test("abc"));
  EXPECT_TRUE(CompileOrDie("x*").Test("abc"));
  EXPECT_FALSE(CompileOrDie("x*", "n").Test("abc"));
}

TEST(OffsetCounter, CountsCharactersForwardsAndBackwards) {
  OffsetCounter counter("a\u00e9\u4e16b");
  EXPECT_EQ(counter.CharactersBefore(0), 0u);
  EXPECT_EQ(counter.CharactersBefore(6), 3u);
  EXPECT_EQ(counter.CharactersBefore(1), 1u);
  EXPECT_EQ(counter.CharactersBefore(3), 2u);
  EXPECT_EQ(counter.CharactersBefore(7), 4u);
}

TEST(Regex, CostsInProportionToThePattern) {
  auto cost = [](std::string_view pattern) {
    return Regex::Compile(pattern, Flags())->cost_per_byte();
  };
  EXPECT_LE(cost("^[a-z]+-[0-9]+$"), 3U);
  EXPECT_GT(cost("(a?){1000}b"), 100U);
}

}  // namespace
}  // namespace wmap::regex
