#include "expr/syntax/restrictions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "expr/syntax/parser.h"

namespace wmap::expr {
namespace {

// "J2 3-5", or "" when nothing is wrong.
std::string Breach(std::string_view source) {
  Result<Syntax> syntax = Parse(source);
  if (!syntax) return Cat("syntax error: ", syntax.error().message());
  std::optional<Restricted> found = FindRestricted(*syntax);
  return found ? Cat(found->id, " ", found->range.begin, "-", found->range.end) : "";
}

TEST(Restrictions, RefuseEveryAssignment) {
  EXPECT_EQ(Breach(".a = 1"), "J2 3-4");
  EXPECT_EQ(Breach(".a |= 1"), "J2 3-5");
  EXPECT_EQ(Breach(".a += 1"), "J2 3-5");
  EXPECT_EQ(Breach(".a -= 1"), "J2 3-5");
  EXPECT_EQ(Breach(".a *= 1"), "J2 3-5");
  EXPECT_EQ(Breach(".a /= 1"), "J2 3-5");
  EXPECT_EQ(Breach(".a %= 1"), "J2 3-5");
  EXPECT_EQ(Breach(".a //= 1"), "J2 3-6");
}

TEST(Restrictions, RefuseCallsByNameWithAnyNumberOfArguments) {
  EXPECT_EQ(Breach("del(.a)"), "J3 0-3");
  EXPECT_EQ(Breach("range(3)"), "J4 0-5");
  EXPECT_EQ(Breach("range(1; 3; 1)"), "J4 0-5");
  EXPECT_EQ(Breach("paths"), "J4 0-5");
  EXPECT_EQ(Breach("paths(.a)"), "J4 0-5");
  EXPECT_EQ(Breach("recurse"), "J4 0-7");
  EXPECT_EQ(Breach("walk(.)"), "J4 0-4");
  EXPECT_EQ(Breach("repeat(.)"), "J4 0-6");
  EXPECT_EQ(Breach(".."), "J5 0-2");
}

TEST(Restrictions, LookEverywhere) {
  for (std::string_view form : {
           "(@)",
           "[@]",
           "{a: @}",
           "{(@): 1}",
           "{\"k\\(@)\": 1}",
           "{\"k\\(@)\"}",
           "\"\\(@)\"",
           "@base64 \"\\(@)\"",
           "if @ then 1 end",
           "if 1 then @ end",
           "if 1 then 2 else @ end",
           "if 1 then 2 elif @ then 3 end",
           "try @",
           "try 1 catch @",
           "@?",
           "reduce @ as $x (0; 1)",
           "reduce . as $x (@; 1)",
           "reduce . as $x (0; @)",
           "foreach . as $x (0; 1; @)",
           "label $l | @",
           "-@",
           ".[@]",
           ".[@:]",
           ".[:@]",
           "@[0]",
           "@ as $x | 1",
           ". as $x | @",
           ". as {(@): $x} | 1",
           ". as {\"a\\(@)\": $x} | 1",
           ". as [$a] ?// {(@): $x} | 1",
           "def f: @; 1",
           "def f: 1; @",
           "f(@)",
           "f(1; @)",
           "1 | @",
           "1, @",
           "1 + @",
           "@ and 1",
       }) {
    std::string source;
    for (char c : form) {
      if (c == '@')
        source += "(del(.a))";
      else
        source += c;
    }
    if (form.starts_with("@base64")) source = "@base64 \"\\(del(.a))\"";
    EXPECT_THAT(Breach(source), ::testing::StartsWith("J3")) << source;
  }
}

TEST(Restrictions, GoByNameEvenForLocalFunctions) {
  EXPECT_EQ(Breach("def range: 1; range"), "J4 14-19");
  EXPECT_EQ(Breach("def range: 1; 2"), "");
}

TEST(Restrictions, LeaveFieldsKeysStringsAndVariablesAlone) {
  for (std::string_view source :
       {".del", "{del: 1}", "\"del(.a) = 1 ..\"", ". as $range | $range", ".range.paths", "{walk}",
        ". as {repeat: $x} | $x", "delpaths([[\"a\"]])", "until(. > 3; . + 1)",
        "while(. < 3; . + 1)", ".a == 1", ".a // 1", "limit(3; .[])", "to_entries",
        "label $del | break $del"})
    EXPECT_EQ(Breach(source), "") << source;
}

TEST(Restrictions, ReportTheFirstOnly) {
  EXPECT_EQ(Breach("[..] | del(.a)"), "J5 1-3");
  EXPECT_EQ(Breach("range(3), .."), "J4 0-5");
  // An operator comes before its operands.
  EXPECT_EQ(Breach("del(.a) |= .."), "J2 8-10");
}

TEST(Restrictions, ExplainThemselves) {
  std::optional<Restricted> found = FindRestricted(*Parse(".status.phase = \"Running\""));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->message, "the operator `=` modifies, which is not allowed here");
  EXPECT_EQ(found->hint, "equality is written `==`");
}

}  // namespace
}  // namespace wmap::expr
