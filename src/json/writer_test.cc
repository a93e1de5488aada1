#include "json/writer.h"

#include <array>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "base/text.h"
#include "base/utf8.h"
#include "json/reader.h"

namespace wmap::json {
namespace {

struct DoubleCase {
  double value;
  std::string_view text;
};
// What gojq prints.
constexpr DoubleCase kDoubles[] = {
    {0, "0"},
    {-0.0, "-0"},
    {3, "3"},
    {1.5, "1.5"},
    {-2.25, "-2.25"},
    {0.1, "0.1"},
    {0.001, "0.001"},
    {1e-6, "0.000001"},
    {1.5e-6, "0.0000015"},
    {1e-7, "1e-7"},
    {1.25e-7, "1.25e-7"},
    {1e-10, "1e-10"},
    {1e-100, "1e-100"},
    {5e-324, "5e-324"},
    {100, "100"},
    {123456.789, "123456.789"},
    {9007199254740992.0, "9007199254740992"},
    {1e17, "100000000000000000"},
    {1e20, "100000000000000000000"},
    {123456789012345680000.0, "123456789012345680000"},
    {1e21, "1e+21"},
    {-1.5e21, "-1.5e+21"},
    {1e300, "1e+300"},
    {1.7976931348623157e308, "1.7976931348623157e+308"},
    {std::numeric_limits<double>::infinity(), "1.7976931348623157e+308"},
    {-std::numeric_limits<double>::infinity(), "-1.7976931348623157e+308"},
    {std::numeric_limits<double>::quiet_NaN(), "null"},
};

TEST(Writer, WritesDoublesInShortestForm) {
  for (const auto& [value, text] : kDoubles) EXPECT_EQ(ToJson(Value::Double(value)), text);
}

TEST(Writer, WritesIntegersInFull) {
  EXPECT_EQ(ToJson(Value::Int(9007199254740993)), "9007199254740993");
  EXPECT_EQ(ToJson(Value::Int(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808");
}

TEST(Writer, KeepsDigitsUnlessToldOtherwise) {
  Arena arena;
  Value value = Read("[1.10,1e3,-0,12345678901234567890123,9007199254740993]", arena).value();
  EXPECT_EQ(ToJson(value), "[1.10,1e3,-0,12345678901234567890123,9007199254740993]");
  EXPECT_EQ(ToJson(value, {.keep_digits = false}),
            "[1.1,1000,-0,1.2345678901234568e+22,9007199254740993]");
}

TEST(Writer, EscapesOnlyWhatMustBe) {
  EXPECT_EQ(ToJson(Value::String("a\"b\\c/d\b\f\n\r\t\x01\x1f\x7f é€😀<>&\u2028")),
            "\"a\\\"b\\\\c/d\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f é€😀<>&\u2028\"");
  EXPECT_EQ(ToJson(Value::String(std::string_view("\0", 1))), "\"\\u0000\"");
}

// Every character at every distance from the strides of the scanner.
TEST(Writer, EscapesAtEveryPosition) {
  for (int byte = 0; byte < 0x80; ++byte) {
    std::string expected;
    WriteString(std::string(1, static_cast<char>(byte)), expected);
    std::string_view escaped = std::string_view(expected).substr(1, expected.size() - 2);
    for (std::size_t before = 0; before < 36; ++before) {
      for (std::size_t behind :
           {std::size_t{0}, std::size_t{1}, std::size_t{15}, std::size_t{16}, std::size_t{17}}) {
        std::string text =
            std::string(before, 'x') + static_cast<char>(byte) + std::string(behind, 'y');
        EXPECT_EQ(ToJson(Value::String(text)),
                  Cat('"', std::string(before, 'x'), escaped, std::string(behind, 'y'), '"'));
      }
    }
  }
}

TEST(Writer, SortsKeysOrKeepsTheOrderOfTheSource) {
  Arena arena;
  Value value = Read(R"({"b":{"z":1,"y":2},"a":[]})", arena).value();
  EXPECT_EQ(ToJson(value), R"({"a":[],"b":{"y":2,"z":1}})");
  EXPECT_EQ(ToJson(value, {.order = WriteOptions::Order::kSource}),
            R"({"b":{"z":1,"y":2},"a":[]})");
}

TEST(Writer, IndentsAsJqDoes) {
  Arena arena;
  Value value = Read(R"({"a":[1,{"b":null}],"c":{},"d":[]})", arena).value();
  EXPECT_EQ(ToJson(value, {.indent = 2}), R"({
  "a": [
    1,
    {
      "b": null
    }
  ],
  "c": {},
  "d": []
})");
}

TEST(Writer, AppendsToWhatIsThere) {
  std::string text = "x = ";
  Write(Value::Bool(true), text);
  WriteString("s", text);
  WriteDouble(0.5, text);
  EXPECT_EQ(text, "x = true\"s\"0.5");
}

TEST(Writer, WritesRandomStringsThatReadBackEqual) {
  std::mt19937 random(7);
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (std::size_t size = random() % 70; text.size() < size;) {
      AppendUtf8(text, static_cast<char32_t>(random() % (random() % 4 == 0 ? 0x110000 : 0x80)));
    }
    Arena arena;
    auto value = Read(ToJson(Value::String(text)), arena);
    ASSERT_TRUE(value.has_value()) << value.error().Describe();
    EXPECT_EQ(value->as_string(), text);
  }
}

TEST(PieceWriter, WritesInPieces) {
  Arena arena;
  Value value = *Read(R"({"a":[1,2,{"b":"text"}],"c":[],"d":"long enough"})", arena);
  PieceWriter writer(value);
  std::string text;
  int pieces = 1;
  while (writer.Write(text, 4)) ++pieces;
  EXPECT_EQ(text, ToJson(value));
  EXPECT_GT(pieces, 4);
}

TEST(PieceWriter, WritesTheStartOfWhatIsEndlessByAnyMeasure) {
  // Forty times [., .].
  std::vector<std::array<Value, 2>> levels(40);
  Value value = Value::Int(1);
  for (auto& level : levels) {
    level = {value, value};
    value = Value::Array(level);
  }
  std::string text = "x";
  EXPECT_TRUE(WriteStart(value, text, 50));
  EXPECT_EQ(text, "x" + std::string(40, '[') + "1,1],[1,1]");
  text.clear();
  EXPECT_FALSE(WriteStart(Value::Int(12), text, 50));
  EXPECT_EQ(text, "12");
}

}  // namespace
}  // namespace wmap::json
