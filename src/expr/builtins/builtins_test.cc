// What builtins say when they fail, what they do with values of any depth, and that they neither
// take more steps nor more memory than they account for. What they give is in
// docs/expressions.yaml.
#include "expr/builtins/builtins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "expr/run_for_test.h"

namespace wmap::expr::builtins {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Failing {
  const char* program;
  const char* input;
  const char* message;
};

class Messages : public ::testing::TestWithParam<Failing> {};

TEST_P(Messages, AreThoseOfJq) {
  const Failing& row = GetParam();
  EXPECT_EQ(RunForTest(Cat("try (", row.program, ") catch ."), row.input),
            json::ToJson(json::Value::String(row.message)))
      << row.program;
}

INSTANTIATE_TEST_SUITE_P(
    Operators, Messages,
    ::testing::Values(
        Failing{". + \"a\"", "1", "number (1) and string (\"a\") cannot be added"},
        Failing{". - 1", "[1]", "array ([1]) and number (1) cannot be subtracted"},
        Failing{". * {}", "null", "null (null) and object ({}) cannot be multiplied"},
        Failing{". / 0", "1",
                "number (1) and number (0) cannot be divided because the divisor is zero"},
        Failing{
            ". % 0", "1",
            "number (1) and number (0) cannot be divided (remainder) because the divisor is zero"},
        Failing{"-.", "\"very-long-long-long-long-string\"",
                "string (\"very-long-long-long-long...\") cannot be negated"},
        Failing{"-.", "[1,2,3,4,5,6,7,8,9,10,11,12,13,14]",
                "array ([1,2,3,4,5,6,7,8,9,10,11,...]) cannot be negated"},
        Failing{"-.", "{\"a\":\"☆☆☆☆☆☆☆☆☆☆☆\"}", "object ({\"a\":\"☆☆☆☆☆☆...}) cannot be negated"},
        Failing{"-.", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
                "array ([[[[[[[[[[[[[[[[[[[[[[[[[...]) cannot be negated"}));

INSTANTIATE_TEST_SUITE_P(
    Parts, Messages,
    ::testing::Values(
        Failing{".a", "1", "Cannot index number with string (\"a\")"},
        Failing{".[0]", "{}", "Cannot index object with number (0)"},
        Failing{".[\"a\":]", "[1]", "Array/string slice indices must be integers"},
        Failing{".[1000000000] = 1", "null", "Array index too large"},
        Failing{".[-2] = 1", "[1]", "Out of bounds negative array index"},
        Failing{".[nan] = 1", "[1]", "Cannot set array element at NaN index"},
        Failing{".[0:1] = 1", "[1]", "A slice of an array can only be assigned another array"},
        Failing{".[0:1] = \"b\"", "\"a\"", "Cannot update string slices"},
        Failing{"delpaths([[\"a\"]])", "[1]", "Cannot delete string element of array"},
        Failing{"delpaths([[0]])", "{\"a\":1}", "Cannot delete number field of object"},
        Failing{"delpaths([[\"a\"]])", "\"x\"", "Cannot delete fields from string"},
        Failing{"delpaths([1])", "[1]", "Path must be specified as array, not number"},
        Failing{"delpaths(1)", "[1]", "Paths must be specified as an array"},
        Failing{"setpath(1; 1)", "[1]", "Path must be specified as an array"},
        Failing{"setpath([range(10001) | 0]; 0)", "null", "Path too deep"}));

INSTANTIATE_TEST_SUITE_P(
    Values, Messages,
    ::testing::Values(
        Failing{"length", "true", "boolean (true) has no length"},
        Failing{"keys", "1", "number (1) has no keys"},
        Failing{"has(0)", "{}", "Cannot check whether object has a number key"},
        Failing{"contains(1)", "\"a\"",
                "string (\"a\") and number (1) cannot have their containment checked"},
        Failing{"tonumber", "\"1x\"", "string (\"1x\") cannot be parsed as a number"},
        Failing{"tonumber", "\" 1\"", "string (\" 1\") cannot be parsed as a number"},
        Failing{"tonumber", "[]", "array ([]) cannot be parsed as a number"},
        Failing{"toboolean", "\"yes\"", "string (\"yes\") cannot be parsed as a boolean"},
        Failing{"fromjson", "1", "number (1) only strings can be parsed"},
        Failing{"from_entries", "[{\"value\":1}]", "Cannot use null (null) as object key"},
        Failing{"from_entries", "[1]", "Cannot index number with string (\"key\")"},
        Failing{"sort", "{}", "object ({}) cannot be sorted, as it is not an array"},
        Failing{"group_by(.)", "1", "Cannot iterate over number (1)"},
        Failing{"flatten(-1)", "[1]", "flatten depth must not be negative"},
        Failing{"bsearch(1)", "{}", "object ({}) cannot be searched from"},
        Failing{"implode", "[\"a\"]",
                "string (\"a\") can't be imploded, unicode codepoint needs to be numeric"},
        Failing{"ltrimstr(1)", "\"a\"", "startswith() requires string inputs"},
        Failing{"trim", "1", "trim input must be a string"},
        Failing{"split(1)", "\"a\"", "split input and separator must be strings"},
        Failing{"join(\",\")", "[\"a\",[1]]", "string (\"a,\") and array ([1]) cannot be added"},
        Failing{"join(1)", "[\"a\",\"b\"]", "string (\"a\") and number (1) cannot be added"},
        Failing{"sin", "\"a\"", "string (\"a\") number required"},
        Failing{"format(\"x\")", "1", "x is not a valid format"},
        Failing{"@csv", "1", "number (1) cannot be csv-formatted, only array"},
        Failing{"@csv", "[[1]]", "array ([1]) is not valid in a csv row"},
        Failing{"@sh", "{}", "object ({}) can not be escaped for shell"},
        Failing{"@base64d", "\"QUJDa\"", "string (\"QUJDa\") trailing base64 byte found"},
        Failing{"@base64d", "\"%\"", "string (\"%\") is not valid base64 data"},
        Failing{"@urid", "\"%ff\"", "string (\"%ff\") is not a valid uri encoding"},
        Failing{"now", "null", "now: there is no clock here"}));

INSTANTIATE_TEST_SUITE_P(
    RegexesAndDates, Messages,
    ::testing::Values(
        Failing{"test(\"a\")", "1", "number (1) cannot be matched, as it is not a string"},
        Failing{"test(1; null)", "\"a\"", "number (1) is not a string"},
        Failing{"test(\"a\"; 1)", "\"a\"", "number (1) is not a string"},
        Failing{"test({})", "\"a\"", "object not a string or array"},
        Failing{"sub(\"a\"; 1)", "\"ba\"", "string (\"b\") and number (1) cannot be added"},
        Failing{"strptime(\"%Y\")", "\"x\"", "date \"x\" does not match format \"%Y\""},
        Failing{"strftime(\"%Y\")", "[\"a\"]", "strftime/1 requires parsed datetime inputs"},
        Failing{"strftime(1)", "0", "strftime/1 requires a string format"},
        Failing{"mktime", "1", "mktime requires array inputs"},
        Failing{"mktime", "[1e30]", "mktime requires parsed datetime inputs"},
        Failing{"gmtime", "\"a\"", "gmtime() requires numeric inputs"},
        Failing{"gmtime", "1e300", "error converting number of seconds since epoch to datetime"}));

// --- Numbers --------------------------------------------------------------------------------

TEST(Arithmetic, IsExactForIntegersAndOverflowsToDoubles) {
  EXPECT_EQ(RunForTest("[. + 1, . - 1, -(. + 1)]", "9007199254740993"),
            "[9007199254740994,9007199254740992,-9007199254740994]");
  EXPECT_EQ(RunForTest(". + 1", "9223372036854775807"), "9223372036854776000");
  EXPECT_EQ(RunForTest(". * 2", "4611686018427387904"), "9223372036854776000");
  EXPECT_EQ(RunForTest("[6 / 3, 7 / 2, (9007199254740993 / 3)]"), "[2,3.5,3002399751580331]");
  EXPECT_EQ(RunForTest("-.", "-9223372036854775808"), "9223372036854776000");
  EXPECT_EQ(RunForTest("[. % -1, . / -1]", "-9223372036854775808"), "[0,9223372036854776000]");
}

TEST(Arithmetic, TruncatesTheSidesOfModulo) {
  EXPECT_EQ(RunForTest("[5.9 % 3.1, -5 % 3, 5 % -3, infinite % 3, 5 % -infinite, 1e19 % 7]"),
            "[2,-2,2,1,5,0]");
  EXPECT_EQ(RunForTest("[nan % 3, 3 % nan]"), "[null,null]");
}

TEST(Arithmetic, ChangesTheSignOfDigitsThatItKeeps) {
  EXPECT_EQ(RunForTest("[-., (. | abs), (. | length)]", "-1.10"), "[1.10,1.10,1.10]");
  EXPECT_EQ(RunForTest("-.", "100000000000000000000001"), "-100000000000000000000001");
}

TEST(Strings, AreRepeatedByWholeNumbers) {
  EXPECT_EQ(RunForTest("[. * 2.7, . * 0.5, . * 0, . * -1, . * nan, 2 * .]", "\"ab\""),
            R"(["abab","","",null,null,"abab"])");
  EXPECT_EQ(RunForTest(". * 1e300", "\"\""), "\"\"");
}

// --- Searching, order -----------------------------------------------------------------------

TEST(Indices, CountCharactersAndOverlap) {
  EXPECT_EQ(
      RunForTest("[indices(\"aa\"), index(\"é\"), rindex(\"a\"), indices(\"\")]", "\"éaaaé\""),
      "[[1,2],0,3,[]]");
  EXPECT_EQ(RunForTest("[indices([1,2]), indices([]), index(2), rindex(9)]", "[1,2,1,2]"),
            "[[0,2],[],1,null]");
}

TEST(Sorting, KeepsEqualItemsInOrderAndNanFirst) {
  EXPECT_EQ(RunForTest("sort_by(.a) | map(.b)",
                       R"([{"a":1,"b":1},{"a":0,"b":2},{"a":1.0,"b":3},{"a":0,"b":4}])"),
            "[2,4,1,3]");
  EXPECT_EQ(RunForTest("[3, nan, 1] | sort"), "[null,1,3]");
  EXPECT_EQ(RunForTest("[nan, nan] | unique | length"), "2");
}

TEST(FromEntries, TakesTheFirstNameThatIsThereForTheValue) {
  EXPECT_EQ(RunForTest("from_entries", R"([{"key":"a","value":null,"v":1},{"k":"b","v":false}])"),
            R"({"a":null,"b":false})");
}

// --- Dates ----------------------------------------------------------------------------------

TEST(Dates, AgreeWithTheCalendarFarAway) {
  EXPECT_EQ(RunForTest("map(todate)", "[0, -1, 951782400, 4107542399, -62135596800, 1e13]"),
            R"(["1970-01-01T00:00:00Z","1969-12-31T23:59:59Z","2000-02-29T00:00:00Z",)"
            R"("2100-02-28T23:59:59Z","1-01-01T00:00:00Z","318857-05-20T17:46:40Z"])");
}

TEST(Dates, GoThereAndBack) {
  // A prime number of seconds between them, over 4000 years.
  EXPECT_EQ(RunForTest("[range(-60000000000; 64000000000; 100000007)"
                       " | select((gmtime | mktime) != . or (todate | fromdate) != .)] | length"),
            "0");
}

TEST(Dates, HaveWeeksOfIso8601) {
  EXPECT_EQ(RunForTest("map(fromdate | strftime(\"%G-W%V-%u %j %U %W\"))",
                       R"(["2021-01-03T00:00:00Z","2020-12-31T00:00:00Z","2024-12-30T00:00:00Z",)"
                       R"("2023-01-01T00:00:00Z"])"),
            R"(["2020-W53-7 003 01 00","2020-W53-4 366 52 52","2025-W01-1 365 52 53",)"
            R"("2022-W52-7 001 01 00"])");
}

TEST(Dates, AreMovedToUtcByTheirOffset) {
  EXPECT_EQ(RunForTest("map(fromdate)", R"(["2019-09-08T06:02:03+0900",)"
                                        R"("2019-09-08T06:02:03+09:00","2019-09-07T21:02:03Z"])"),
            "[1567890123,1567890123,1567890123]");
}

// --- Budgets --------------------------------------------------------------------------------

// Values share their parts: this one is written with 2^60 ones.
constexpr std::string_view kShared = "reduce range(60) as $i (1; [., .]) | ";

class SharedValues : public ::testing::TestWithParam<const char*> {};

TEST_P(SharedValues, EndWithinTheBudget) {
  TestRun run;
  run.limits.steps = 2'000'000;
  run.limits.bytes = std::size_t{32} << 20;
  EXPECT_THAT(RunForTest(Cat(kShared, GetParam()), "null", run),
              StartsWith("error: the evaluation used up its budget of "));
}

INSTANTIATE_TEST_SUITE_P(Natives, SharedValues,
                         ::testing::Values(". == .", ". < .", "[., .] | sort", "[., .] | unique",
                                           "[., .] | min", "[., .] | group_by(.)", "flatten",
                                           "contains(.)", "tojson", "tostring", "@json", "@html",
                                           "\"\\(.)\"", "[.] - [.]", ". as $x | [$x] | index([$x])",
                                           ". as $x | [$x] | bsearch($x)"));

class DeepValues : public ::testing::TestWithParam<Failing> {};

TEST_P(DeepValues, AreSafe) {
  const Failing& row = GetParam();
  EXPECT_THAT(RunForTest(Cat("reduce range(1000000) as $i (", row.input, ") | ", row.program)),
              EndsWith(row.message))
      << row.program;
}

INSTANTIATE_TEST_SUITE_P(
    Natives, DeepValues,
    ::testing::Values(Failing{"tojson | length", "1; [.]", "2000001"},
                      Failing{"flatten", "1; [.]", "[1]"}, Failing{". == .", "1; [.]", "true"},
                      Failing{"[., .] | unique | length", "1; [.]", "1"},
                      Failing{"contains(.)", "1; [.]", "Containment check too deep"},
                      Failing{". * .", "1; {a: .}", "Object merge too deep"},
                      Failing{"-.", "1; [.]", "cannot be negated"},
                      Failing{". as $x | {} | has($x)", "1; [.]",
                              "Cannot check whether object has a array key"}));

TEST(Memory, ThatNativesNeedOnlyWhileTheyRunIsGivenBack) {
  TestRun run;
  run.limits.bytes = std::size_t{4} << 20;
  // The texts alone would be 100 MB.
  EXPECT_EQ(RunForTest("(\"a,\" * 5000) as $text | reduce range(100) as $i (0;"
                       " . + ($text | index(\"b\") // 1)) ",
                       "null", run),
            "100");
  EXPECT_EQ(RunForTest("[range(1000)] as $list | reduce range(100) as $i (0;"
                       " . + ($list | bsearch($i)))",
                       "null", run),
            "4950");
  EXPECT_EQ(RunForTest("[range(20000)] | sort | length", "null", run), "20000");
}

TEST(Memory, ThatWouldBeTooMuchIsRefusedBeforeItIsTaken) {
  TestRun run;
  run.limits.bytes = std::size_t{8} << 20;
  for (const char* program :
       {"\"a\" * 100000000", "(\"a\" * 4000000) | explode", "(\"a\" * 4000000) | indices(\"a\")",
        "(\"a\" * 4000000) | [., .] | join(\"\")", "(\"a\" * 4000000) | @uri, @html, @base64",
        "(\"\\\"\" * 4000000) | tojson", "(\"a\" * 4000000) / \"\"",
        "(\"a\" * 4000000) | gsub(\"a\"; \"bbbb\")", "setpath([500000]; 1) | setpath([1]; 1)",
        "(\"[\" + \"0,\" * 1000000 + \"0]\") | fromjson"}) {
    EXPECT_THAT(RunForTest(program, "null", run),
                HasSubstr("the evaluation used up its budget of "))
        << program;
  }
}

TEST(Searching, IsLinearWhateverTheTexts) {
  TestRun run;
  run.limits.steps = 20'000'000;
  EXPECT_EQ(RunForTest("(\"a\" * 1000000) | contains(\"a\" * 500000 + \"b\")", "null", run),
            "false");
  EXPECT_EQ(RunForTest("(\"a\" * 1000000) / (\"a\" * 500000 + \"b\") | length", "null", run), "1");
  EXPECT_THAT(RunForTest("(\"a\" * 1000000) | indices(\"a\" * 500000)", "null", run),
              HasSubstr("budget of steps"));
}

// --- Regular expressions --------------------------------------------------------------------

TEST(Regexes, AreKeptWhileMoreOfThemAreUsedThanTheCacheHolds) {
  EXPECT_EQ(RunForTest("[range(200) | (. % 40 | tostring) as $n"
                       " | \"x\\($n)y\" | capture(\"(?<n>\\($n))y\").n == $n] | all"),
            "true");
}

TEST(Regexes, ReplaceInEveryResult) {
  EXPECT_EQ(RunForTest("[gsub(\"(?<c>.)\"; .c, \"x\")]", "\"abc\""), R"(["abc","xxx"])");
  EXPECT_EQ(RunForTest("[sub(\"b\"; empty)], [gsub(\"b\"; null)]", "\"abc\""),
            R"(["abc"] | ["ac"])");
  EXPECT_EQ(RunForTest("gsub(\"\"; \"-\")", "\"éb\""), "\"-é-b-\"");
}

}  // namespace
}  // namespace wmap::expr::builtins
