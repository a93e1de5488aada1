#include "json/reader.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "json/compare.h"
#include "json/writer.h"

namespace wmap::json {
namespace {

using ::testing::HasSubstr;
using Dialect = ReadOptions::Dialect;

constexpr std::string_view kSyntax = "!syntax";
constexpr std::string_view kTruncated = "!truncated";

// The text written back in source order, or "!" and the name of the error.
std::string Reread(std::string_view text, const ReadOptions& options) {
  // An exact copy without anything behind it, so that ASan sees reads beyond the end.
  std::vector<char> exact(text.begin(), text.end());
  Arena arena;
  auto value = Read({exact.data(), exact.size()}, arena, options);
  if (!value) return Cat("!", CodeName(value.error().code()));
  return ToJson(*value, {.order = WriteOptions::Order::kSource});
}

struct DialectCase {
  std::string_view text;
  std::string_view strict;
  std::string_view jq;
};
using namespace std::string_view_literals;
// The jq column is what jq 1.8.2 accepts and refuses; numbers keep their digits here.
constexpr DialectCase kDialectCases[] = {
    // Literals and numbers.
    {"null", "null", "null"},
    {" true\r\n", "true", "true"},
    {"false\t", "false", "false"},
    {"0", "0", "0"},
    {"-0", "-0", "-0"},
    {"-0.0", "-0.0", "-0.0"},
    {"0e10", "0e10", "0e10"},
    {"0.10", "0.10", "0.10"},
    {"1E+5", "1E+5", "1E+5"},
    {"9007199254740993", "9007199254740993", "9007199254740993"},
    {"9223372036854775807", "9223372036854775807", "9223372036854775807"},
    {"-9223372036854775808", "-9223372036854775808", "-9223372036854775808"},
    {"9223372036854775808", "9223372036854775808", "9223372036854775808"},
    {"12345678901234567890123", "12345678901234567890123", "12345678901234567890123"},
    {"1e1000", "1e1000", "1e1000"},
    {"-1e-1000", "-1e-1000", "-1e-1000"},
    {"nan", kSyntax, "null"},
    {"[NaN,-nan,Infinity]", kSyntax, "[null,null,1.7976931348623157e+308]"},
    {"-Infinity", kSyntax, "-1.7976931348623157e+308"},
    {"+inf", kSyntax, "1.7976931348623157e+308"},
    {"nan1", kSyntax, kSyntax},
    {"01", kSyntax, "1"},
    {"-01", kSyntax, "-1"},
    {"[00]", kSyntax, "[0]"},
    {"+1", kSyntax, "1"},
    {".5", kSyntax, "0.5"},
    {"-.5", kSyntax, "-0.5"},
    {"[5.]", kSyntax, "[5]"},
    {"1.e5", kSyntax, "1e5"},
    {"[-]", kSyntax, kSyntax},
    {"[.]", kSyntax, kSyntax},
    {"[+]", kSyntax, kSyntax},
    {"[1e]", kSyntax, kSyntax},
    {"[1e+]", kSyntax, kSyntax},
    {"0x10", kSyntax, kSyntax},
    {"1_0", kSyntax, kSyntax},
    {"--1", kSyntax, kSyntax},
    {"1true", kSyntax, kSyntax},
    {"truee", kSyntax, kSyntax},
    {"True", kSyntax, kSyntax},
    // Strings.
    {R"("a\"\\\/\b\f\n\r\t\u0041")", R"("a\"\\/\b\f\n\r\tA")", R"("a\"\\/\b\f\n\r\tA")"},
    {R"("\u00e9\u20AC\ud83d\ude00")", "\"é€😀\"", "\"é€😀\""},
    {R"("\u0000")", R"("\u0000")", R"("\u0000")"},
    {"\"é€😀\x7F\"", "\"é€😀\\u007f\"", "\"é€😀\\u007f\""},
    {"\"\uFFFD\"", "\"\uFFFD\"", "\"\uFFFD\""},
    {"\"\xFF\"", kSyntax, "\"\uFFFD\""},
    {"\"a\xC3\"", kSyntax, "\"a\uFFFD\""},
    {"\"\xE2\x82z\"", kSyntax, "\"\uFFFDz\""},
    {"\"\xC0\xAF\"", kSyntax, "\"\uFFFD\uFFFD\""},
    {"\"\xF5\x80\x80\x80\"", kSyntax, "\"\uFFFD\uFFFD\uFFFD\uFFFD\""},
    {"{\"\xFF\":1}", kSyntax, "{\"\uFFFD\":1}"},
    {"\xFF", kSyntax, kSyntax},
    {R"("\ud800")", "\"\uFFFD\"", kSyntax},
    {R"("\ud800\u0041")", "\"\uFFFDA\"", kSyntax},
    {R"("\ud800x")", "\"\uFFFDx\"", kSyntax},
    {R"("\ud800\ud83d\ude00")", "\"\uFFFD😀\"", kSyntax},
    {R"("\udc00")", "\"\uFFFD\"", "\"\uFFFD\""},
    {R"("\x")", kSyntax, kSyntax},
    {R"("\u12")", kSyntax, kSyntax},
    {R"("\u12g4")", kSyntax, kSyntax},
    {"\"a\nb\"", kSyntax, kSyntax},
    {"\"a\tb\"", kSyntax, kSyntax},
    {"\"a\0b\""sv, kSyntax, kSyntax},
    {"'a'", kSyntax, kSyntax},
    // Arrays and objects.
    {"[]", "[]", "[]"},
    {" [ ] ", "[]", "[]"},
    {"{ }", "{}", "{}"},
    {"[1 ,[2], {\"a\" : 3 } ]", "[1,[2],{\"a\":3}]", "[1,[2],{\"a\":3}]"},
    {R"({"b":1,"a":2})", R"({"b":1,"a":2})", R"({"b":1,"a":2})"},
    {R"({"":1})", R"({"":1})", R"({"":1})"},
    {R"({"a":1,"b":2,"a":{"c":3}})", R"({"a":{"c":3},"b":2})", R"({"a":{"c":3},"b":2})"},
    {"[1,]", kSyntax, kSyntax},
    {"[,1]", kSyntax, kSyntax},
    {"[1 2]", kSyntax, kSyntax},
    {"[1}", kSyntax, kSyntax},
    {R"({"a":1,})", kSyntax, kSyntax},
    {"{,}", kSyntax, kSyntax},
    {R"({"a" 1})", kSyntax, kSyntax},
    {R"({"a":1 "b":2})", kSyntax, kSyntax},
    {R"({"a":1])", kSyntax, kSyntax},
    {R"({"a"})", kSyntax, kSyntax},
    {R"({"a":})", kSyntax, kSyntax},
    {"{a:1}", kSyntax, kSyntax},
    {"{1:2}", kSyntax, kSyntax},
    {"]", kSyntax, kSyntax},
    {":1", kSyntax, kSyntax},
    {"1 2", kSyntax, kSyntax},
    {"# c\n1", kSyntax, kSyntax},
    {"[1/*c*/]", kSyntax, kSyntax},
    {"\f1", kSyntax, kSyntax},
    {"\0"sv, kSyntax, kSyntax},
    // Byte order mark.
    {"\xEF\xBB\xBF{}", "{}", "{}"},
    {"1 \xEF\xBB\xBF", kSyntax, kSyntax},
    // What ends too early.
    {"", kTruncated, kTruncated},
    {" \n", kTruncated, kTruncated},
    {"[", kTruncated, kTruncated},
    {"[1", kTruncated, kTruncated},
    {"[1,", kTruncated, kTruncated},
    {"{", kTruncated, kTruncated},
    {"{\"a", kTruncated, kTruncated},
    {"{\"a\"", kTruncated, kTruncated},
    {"{\"a\":", kTruncated, kTruncated},
    {"{\"a\":1", kTruncated, kTruncated},
    {"{\"a\":1,", kTruncated, kTruncated},
    {"\"abc", kTruncated, kTruncated},
    {"\"abc\\", kTruncated, kTruncated},
    {"\"\\u12", kTruncated, kTruncated},
    {"\"\\ud83d\\u", kTruncated, kTruncated},
    {"\"\xE2\x82", kTruncated, kTruncated},
    {"-", kTruncated, kTruncated},
    {"1.", kTruncated, "1"},
    {"1e", kTruncated, kTruncated},
    {"tru", kTruncated, kTruncated},
    {"[nul", kTruncated, kTruncated},
};

TEST(Reader, ReadsAndRefusesAsEachDialectDoes) {
  for (const DialectCase& c : kDialectCases) {
    for (bool borrow : {false, true}) {
      SCOPED_TRACE(Cat(Quote(c.text), borrow ? " borrowed" : ""));
      EXPECT_EQ(Reread(c.text, {.dialect = Dialect::kStrict, .borrow_text = borrow}), c.strict);
      EXPECT_EQ(Reread(c.text, {.dialect = Dialect::kJq, .borrow_text = borrow}), c.jq);
    }
  }
}

TEST(Reader, SkipsExactlyWhatItReads) {
  for (const DialectCase& c : kDialectCases) {
    for (Dialect dialect : {Dialect::kStrict, Dialect::kJq}) {
      SCOPED_TRACE(Quote(c.text));
      Arena arena;
      Reader reader({.dialect = dialect});
      std::size_t read_to = 0;
      std::size_t skipped_to = 0;
      auto value = reader.ReadNext(c.text, &read_to, arena);
      auto found = reader.SkipNext(c.text, &skipped_to);
      ASSERT_EQ(value.has_value(), found.has_value());
      EXPECT_EQ(read_to, skipped_to);
      if (value) {
        EXPECT_EQ(value->has_value(), *found);
      }
    }
  }
}

struct ErrorCase {
  std::string_view text;
  std::size_t begin;
  std::size_t end;
  std::string_view message;
};
constexpr ErrorCase kErrorCases[] = {
    {R"({"a": tru, "b": 1})", 6, 9, "expected a value, found \"tru\"; did you mean true?"},
    {R"({"a": None})", 6, 10, "did you mean null?"},
    {"[1, 2,]", 6, 7, "a list must not end with a comma"},
    {R"({"a": 1,})", 8, 9, "an object must not end with a comma"},
    {"{'a': 1}", 1, 2, "expected a key in double quotes, found \"'\""},
    {R"({"a": 'b'})", 6, 7, "strings stand in double quotes"},
    {R"({"a" 1})", 5, 6, "expected ':' after a key, found \"1\""},
    {R"({"a": 1 "b": 2})", 8, 9, "expected ',' or '}' after a value of the object"},
    {"[1 2]", 3, 4, "expected ',' or ']' after a value of the array, found \"2\""},
    {"{} x", 3, 4, "expected the end of the text after the value, found \"x\""},
    {"[012]", 1, 4, "the number 012 starts with a zero"},
    {"[1.x]", 1, 3, "expected a digit after \"1.\", found \"x\""},
    {"[\"a\xFF\"]", 3, 4, "a string contains the byte 0xFF, which is no UTF-8"},
    {"[\"a\nb\"]", 3, 4, "a string must end on its line; write a line break as \\n"},
    {"[\"a\x01\"]", 3, 4, "the control character U+0001; write it as \\u0001"},
    {R"(["\q"])", 2, 4, "which is no escape; write \\\\ for a backslash"},
    {R"(["\u12x4"])", 2, 8, "expected four hexadecimal digits after \\u"},
    {"[\n 1,\n {\"a\": [2", 15, 15, "inside an array that starts at line 3, column 8"},
    {"[\"abc", 1, 5, "the text ends inside a string"},
    {"\x01", 0, 1, "expected a value, found the control character U+0001"},
    {"# x\n{}", 0, 1, "JSON has no comments"},
};

TEST(Reader, SaysWhatIsWrongAndWhere) {
  for (const ErrorCase& c : kErrorCases) {
    SCOPED_TRACE(Quote(c.text));
    Arena arena;
    auto value = Read(c.text, arena);
    ASSERT_FALSE(value.has_value());
    EXPECT_THAT(value.error().message(), HasSubstr(c.message));
    ASSERT_TRUE(value.error().range().has_value());
    EXPECT_EQ(value.error().range()->begin, c.begin);
    EXPECT_EQ(value.error().range()->end, c.end);
  }
}

TEST(Reader, RefusesRepeatedKeysOnRequestNamingKeyAndPlace) {
  Arena arena;
  for (auto [text, begin, end] : {std::tuple(R"({"x":{"b":[1,{"a":2}],"a":1, "b" :2}})", 29, 32),
                                  {R"({"":1,"":2})", 6, 8},
                                  {R"({"a":1,"\u0061":2})", 7, 15}}) {
    auto value = Read(text, arena, {.refuse_duplicates = true});
    ASSERT_FALSE(value.has_value()) << text;
    EXPECT_EQ(value.error().code(), Code::kSyntax);
    EXPECT_THAT(value.error().message(), HasSubstr("is repeated"));
    EXPECT_EQ(value.error().range()->begin, static_cast<std::size_t>(begin));
    EXPECT_EQ(value.error().range()->end, static_cast<std::size_t>(end));
  }
  EXPECT_TRUE(Read(R"({"a":{"a":1},"b":{"a":1}})", arena, {.refuse_duplicates = true}));
}

TEST(Reader, ReadsUpToTheDepthLimitAndNoDeeper) {
  Arena arena;
  auto nested = [](std::size_t depth, std::string_view inner) {
    return std::string(depth, '[') + std::string(inner) + std::string(depth, ']');
  };
  EXPECT_TRUE(Read(nested(10000, "1"), arena));
  auto deep = Read(nested(10001, "1"), arena);
  ASSERT_FALSE(deep.has_value());
  EXPECT_EQ(deep.error().code(), Code::kLimit);
  EXPECT_EQ(deep.error().range()->begin, 10000U);
  EXPECT_TRUE(Read(nested(2, "{}"), arena, {.max_depth = 3}));
  EXPECT_FALSE(Read(nested(3, "{}"), arena, {.max_depth = 3}));
  EXPECT_FALSE(Read(nested(3, "[]"), arena, {.max_depth = 3}));
  std::size_t position = 0;
  EXPECT_EQ(Reader({.max_depth = 3}).SkipNext("[[[[]]]]", &position).error().code(), Code::kLimit);
}

TEST(Reader, ReadsMillionsOfLevelsWhenAllowed) {
  constexpr std::size_t kDepth = 2'000'000;
  std::string text = std::string(kDepth, '[') + std::string(kDepth, ']');
  Arena arena;
  auto value = Read(text, arena, {.max_depth = 4'000'000});
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(ToJson(*value), text);
  Arena other;
  Value copy = DeepCopy(other, *value);
  EXPECT_TRUE(Equal(copy, *value));
  EXPECT_EQ(Compare(copy, *value), 0);
}

TEST(Reader, LeavesManagedFieldsOfMetadataOut) {
  Arena arena;
  ReadOptions options{.drop_managed_fields = true};
  auto reread = [&](std::string_view text) {
    return ToJson(Read(text, arena, options).value(), {.order = WriteOptions::Order::kSource});
  };
  EXPECT_EQ(reread(R"({"metadata":{"name":"x","managedFields":[{"a":{"b":[1]}}],"uid":"u"}})"),
            R"({"metadata":{"name":"x","uid":"u"}})");
  EXPECT_EQ(
      reread(R"({"items":[{"metadata":{"managedFields":[]}},{"metadata":{"managedFields":1}}]})"),
      R"({"items":[{"metadata":{}},{"metadata":{}}]})");
  // Only there.
  for (std::string_view text : {R"({"managedFields":1})", R"({"spec":{"managedFields":[1]}})",
                                R"({"metadata":[{"managedFields":1}]})",
                                R"({"metadata":{"labels":{"managedFields":"1"}}})"}) {
    EXPECT_EQ(reread(text), text);
  }
  // What is left out is still checked.
  EXPECT_FALSE(Read(R"({"metadata":{"managedFields":[1,]}})", arena, options));
  EXPECT_FALSE(Read("{\"metadata\":{\"managedFields\":\"\xFF\"}}", arena, options));
  EXPECT_EQ(Read(R"({"metadata":{"managedFields":[1)", arena, options).error().code(),
            Code::kTruncated);
}

TEST(Reader, BorrowsPlainStringsFromTheText) {
  std::string text = R"({"key":["plain","esc\n"]})";
  Arena arena;
  Value value = Read(text, arena, {.borrow_text = true}).value();
  std::string_view plain = value.Get("key")[0].as_string();
  EXPECT_EQ(plain.data(), text.data() + text.find("plain"));
  EXPECT_EQ(value.Get("key")[1].as_string(), "esc\n");
  Value copied = Read(text, arena).value();
  text.assign(text.size(), 'x');
  EXPECT_EQ(ToJson(copied), R"({"key":["plain","esc\n"]})");
}

TEST(Reader, ReadsValuesInARow) {
  constexpr std::string_view kText = "1 \"a\"\"b\"[1][2]{}null\n true ";
  Arena arena;
  Reader reader;
  std::size_t position = 0;
  std::vector<std::string> values;
  for (;;) {
    auto value = reader.ReadNext(kText, &position, arena);
    ASSERT_TRUE(value.has_value()) << value.error().Describe();
    if (!*value) break;
    values.push_back(ToJson(**value));
  }
  EXPECT_THAT(values,
              testing::ElementsAre("1", "\"a\"", "\"b\"", "[1]", "[2]", "{}", "null", "true"));
  EXPECT_EQ(position, kText.size());
}

// The sliding window: whatever the text is cut into, the values are the same.
TEST(Reader, ReadsValuesThroughAGrowingWindow) {
  constexpr std::string_view kText =
      "{\"a\":[1,2.5e-3,\"\\ud83d\\ude00\\n€\",true,null]} 12345 -0.5e+10 \"x\" false[[]]  nul";
  for (bool drop : {false, true}) {
    Arena arena;
    Reader reader({.drop_managed_fields = drop});
    std::vector<std::string> values;
    std::size_t position = 0;
    for (std::size_t size = 0; size <= kText.size(); ++size) {
      for (;;) {
        std::size_t before = position;
        std::vector<char> window(kText.begin(), kText.begin() + static_cast<std::ptrdiff_t>(size));
        auto value = reader.ReadNext({window.data(), size}, &position, arena, false);
        if (!value) {
          EXPECT_EQ(value.error().code(), Code::kTruncated) << size << value.error().Describe();
          EXPECT_EQ(position, before);
          break;
        }
        if (!*value) break;
        values.push_back(ToJson(**value));
      }
    }
    EXPECT_THAT(values, testing::ElementsAre("{\"a\":[1,2.5e-3,\"😀\\n€\",true,null]}", "12345",
                                             "-0.5e+10", "\"x\"", "false", "[[]]"));
    auto last = reader.ReadNext(kText, &position, arena, true);
    EXPECT_EQ(last.error().code(), Code::kTruncated);
  }
}

TEST(Reader, RereadsRandomDoublesExactly) {
  std::mt19937_64 random(20261130);
  std::string text;
  Arena arena;
  for (int i = 0; i < 100'000; ++i) {
    double number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) continue;
    text.clear();
    WriteDouble(number, text);
    arena.Reset();
    Value value = Read(text, arena).value();
    ASSERT_EQ(std::bit_cast<std::uint64_t>(value.is_int() ? static_cast<double>(value.as_int())
                                                          : value.as_double()),
              std::bit_cast<std::uint64_t>(number))
        << text;
  }
}

TEST(Reader, TakesNumbersBeyondDoublesAsTheLargestOrZero) {
  Arena arena;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  auto number = [&](std::string_view text) { return Read(text, arena)->as_double(); };
  EXPECT_EQ(number("1e1000"), kInfinity);
  EXPECT_EQ(number("-1e1000"), -kInfinity);
  EXPECT_EQ(number("1e99999999999999999999"), kInfinity);
  EXPECT_EQ(number("1e-99999999999999999999"), 0);
  EXPECT_EQ(number(std::string(400, '9')), kInfinity);
  EXPECT_EQ(number("0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(number("0." + std::string(400, '0') + "1e402"), 10);
  EXPECT_EQ(number("0e99999"), 0);
  EXPECT_EQ(number("5e-324"), 5e-324);
  EXPECT_TRUE(std::signbit(number("-0")));
  EXPECT_TRUE(std::signbit(number("-1e-999")));
}

TEST(Reader, FillsTheSourceMap) {
  constexpr std::string_view kText =
      "{\n  \"a/b\": [1,\n    {\"é\": \"x\", \"~\": null}],\n  \"c\": {}\n}";
  SourceMap map;
  Arena arena;
  ASSERT_TRUE(Read(kText, arena, {.source_map = &map}));
  EXPECT_EQ(map.size(), 7U);
  auto expect = [&](std::string_view pointer, LineColumn key, LineColumn value) {
    const SourceMap::Entry* entry = map.Find(pointer);
    ASSERT_NE(entry, nullptr) << pointer;
    EXPECT_EQ(entry->key, key) << pointer;
    EXPECT_EQ(entry->value, value) << pointer;
  };
  expect("", {}, {1, 1});
  expect("/a~1b", {2, 3}, {2, 10});
  expect("/a~1b/0", {}, {2, 11});
  expect("/a~1b/1", {}, {3, 5});
  expect("/a~1b/1/é", {3, 6}, {3, 11});
  expect("/a~1b/1/~0", {3, 16}, {3, 21});
  expect("/c", {4, 3}, {4, 8});
  EXPECT_EQ(map.FindNearest("/c/x/y").value, (LineColumn{4, 8}));
  EXPECT_EQ(map.FindNearest("/nothing").value, (LineColumn{1, 1}));
  EXPECT_EQ(map.Find("/c/x"), nullptr);
}

}  // namespace
}  // namespace wmap::json
