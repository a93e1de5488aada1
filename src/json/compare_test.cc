#include "json/compare.h"

#include <gtest/gtest.h>
#include <limits>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "json/reader.h"
#include "json/writer.h"

namespace wmap::json {
namespace {

// Ascending; entries of one group are equal.
const std::vector<std::vector<std::string_view>> kAscending = {
    {"null"},
    {"false"},
    {"true"},
    {"nan"},
    {"-Infinity", "-1e1000"},
    {"-1.7976931348623157e308"},
    {"-9223372036854775809e1"},
    {"-9223372036854775808", "-9223372036854775808.0"},
    {"-9223372036854775807"},
    {"-1"},
    {"-0.5"},
    {"0", "-0", "0.0", "0e5"},
    {"5e-324"},
    {"0.5", "5e-1"},
    {"1", "1.0", "1e0", "10e-1"},
    {"9007199254740991"},
    {"9007199254740992", "9007199254740992.0"},
    {"9007199254740993"},
    {"9223372036854775806"},
    {"9223372036854775807"},
    {"9223372036854775808", "9223372036854775807.0"},
    {"1e300"},
    {"1.7976931348623157e308"},
    {"Infinity", "1e1000"},
    {"\"\""},
    {"\"a\""},
    {"\"a\\u0000\""},
    {"\"aa\""},
    {"\"b\""},
    {"\"é\""},
    {"\"\uFFFD\""},
    {"\"😀\""},
    {"[]"},
    {"[null]"},
    {"[1]", "[1.0]"},
    {"[1,1]"},
    {"[2]"},
    {"[[]]"},
    {"[{}]"},
    {"{}"},
    {"{\"a\":1}"},
    {"{\"a\":2}"},
    {"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"},
    {"{\"a\":2,\"b\":1}"},
    {"{\"a\":0,\"b\":0,\"c\":0}"},
    {"{\"a\":0,\"c\":0}"},
    {"{\"b\":0}"},
    {"{\"b\":[1,{\"x\":1}]}"},
    {"{\"b\":[1,{\"x\":2}]}"},
};

TEST(Compare, OrdersAllTypes) {
  Arena arena;
  ReadOptions jq{.dialect = ReadOptions::Dialect::kJq};
  struct Entry {
    Value value;
    std::size_t group;
    bool is_nan;
  };
  std::vector<Entry> entries;
  for (std::size_t group = 0; group < kAscending.size(); ++group) {
    for (std::string_view text : kAscending[group]) {
      auto value = Read(text, arena, jq);
      ASSERT_TRUE(value.has_value()) << text;
      entries.push_back({*value, group, text == "nan"});
    }
  }
  auto sign = [](int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; };
  for (const Entry& a : entries) {
    for (const Entry& b : entries) {
      SCOPED_TRACE(Cat(ToJson(a.value), " <=> ", ToJson(b.value)));
      int expected = a.group < b.group ? -1 : a.group > b.group ? 1 : 0;
      EXPECT_EQ(sign(SortOrder(a.value, b.value)), expected);
      if (a.is_nan && b.is_nan) expected = -1;
      EXPECT_EQ(sign(Compare(a.value, b.value)), expected);
      EXPECT_EQ(Equal(a.value, b.value), expected == 0);
    }
  }
}

TEST(Compare, KeepsNanUnequalInsideContainers) {
  Value nan = Value::Double(std::numeric_limits<double>::quiet_NaN());
  Value array = Value::Array({&nan, 1});
  EXPECT_FALSE(Equal(array, array));
  EXPECT_LT(Compare(array, array), 0);
  EXPECT_EQ(SortOrder(array, array), 0);
}

}  // namespace
}  // namespace wmap::json
