#include "yaml/scalar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "json/compare.h"
#include "json/reader.h"
#include "json/writer.h"
#include "yaml/reader.h"

namespace wmap::yaml {
namespace {

using json::Value;

struct Row {
  std::string_view yaml;
  std::string_view json;  // "" is an error
};

// What sigs.k8s.io/yaml 1.6.0 makes of the value in "a: ...".
constexpr Row kValues[] = {
    {"y", "true"},
    {"Y", "true"},
    {"yes", "true"},
    {"Yes", "true"},
    {"YES", "true"},
    {"yEs", "\"yEs\""},
    {"n", "false"},
    {"N", "false"},
    {"no", "false"},
    {"No", "false"},
    {"NO", "false"},
    {"on", "true"},
    {"On", "true"},
    {"ON", "true"},
    {"off", "false"},
    {"Off", "false"},
    {"OFF", "false"},
    {"oFF", "\"oFF\""},
    {"true", "true"},
    {"True", "true"},
    {"TRUE", "true"},
    {"tRUE", "\"tRUE\""},
    {"false", "false"},
    {"False", "false"},
    {"FALSE", "false"},
    {"null", "null"},
    {"Null", "null"},
    {"NULL", "null"},
    {"nULL", "\"nULL\""},
    {"~", "null"},
    {"", "null"},
    {"0", "0"},
    {"-0", "0"},
    {"+0", "0"},
    {"00", "0"},
    {"1", "1"},
    {"-1", "-1"},
    {"+1", "1"},
    {"007", "7"},
    {"010", "8"},
    {"-010", "-8"},
    {"08", "8"},
    {"09.5", "9.5"},
    {"0o17", "15"},
    {"0O17", "15"},
    {"0o8", "\"0o8\""},
    {"-0o17", "-15"},
    {"0x1F", "31"},
    {"0X1f", "31"},
    {"-0x1F", "-31"},
    {"0xG", "\"0xG\""},
    {"0x", "\"0x\""},
    {"0b101", "5"},
    {"0B101", "5"},
    {"-0b101", "-5"},
    {"0b2", "\"0b2\""},
    {"0b", "\"0b\""},
    {"1_000", "1000"},
    {"-_1", "-1"},
    {"1__0", "10"},
    {"_1", "\"_1\""},
    {"0x_1F", "31"},
    {"1_000.5", "1000.5"},
    {".5", "0.5"},
    {"-.5", "-0.5"},
    {"+.5", "0.5"},
    {"5.", "5"},
    {"-5.", "-5"},
    {".", "\".\""},
    {"..", "\"..\""},
    {".5e3", "500"},
    {".5_0", "0.5"},
    {"._5", "\"._5\""},
    {"1e3", "1000"},
    {"1E3", "1000"},
    {"1e+3", "1000"},
    {"1e-3", "0.001"},
    {"1e", "\"1e\""},
    {"1e+", "\"1e+\""},
    {"e3", "\"e3\""},
    {"1.5e3", "1500"},
    {"1.50", "1.5"},
    {"1.10", "1.1"},
    {"0.1", "0.1"},
    {"-0.0", "-0"},
    {"1e400", "\"1e400\""},
    {"-1e400", "\"-1e400\""},
    {"1e-400", "0"},
    {"9223372036854775807", "9223372036854775807"},
    {"9223372036854775808", "9223372036854775808"},
    {"-9223372036854775808", "-9223372036854775808"},
    {"-9223372036854775809", "-9223372036854776000"},
    {"+9223372036854775808", "9223372036854776000"},
    {"18446744073709551615", "18446744073709551615"},
    {"18446744073709551616", "18446744073709552000"},
    {"0xFFFFFFFFFFFFFFFF", "18446744073709551615"},
    {"0x1FFFFFFFFFFFFFFFF", "\"0x1FFFFFFFFFFFFFFFF\""},
    {"9007199254740993", "9007199254740993"},
    {"12345678901234567890123", "1.2345678901234568e+22"},
    {"1e20", "100000000000000000000"},
    {"1e21", "1e+21"},
    {"1e22", "1e+22"},
    {"123456789.125", "123456789.125"},
    {"12:30", "\"12:30\""},
    {"12:30:45", "\"12:30:45\""},
    {"190:20:30.15", "\"190:20:30.15\""},
    {"2024-01-01", "\"2024-01-01\""},
    {"2024-01-01T10:00:00Z", "\"2024-01-01T10:00:00Z\""},
    {"2001-12-14t21:59:43.10-05:00", "\"2001-12-14t21:59:43.10-05:00\""},
    {"2024-1-1", "\"2024-1-1\""},
    {"2024-13-45", "\"2024-13-45\""},
    {"1.2.3", "\"1.2.3\""},
    {"1.2.3.4", "\"1.2.3.4\""},
    {"v1", "\"v1\""},
    {"1Gi", "\"1Gi\""},
    {"500m", "\"500m\""},
    {"1e3Gi", "\"1e3Gi\""},
    {"=", "\"=\""},
    {"<<", "\"<<\""},
    {"+", "\"+\""},
    {"-1-", "\"-1-\""},
    {"1 2", "\"1 2\""},
    {"0 ", "0"},
    {"infinity", "\"infinity\""},
    {"Inf", "\"Inf\""},
    {"nan", "\"nan\""},
    {"NaN", "\"NaN\""},
    {"1,000", "\"1,000\""},
    {"0xabc.5", "\"0xabc.5\""},
    {"0x1p3", "\"0x1p3\""},
    {"1f", "\"1f\""},
    {"100%", "\"100%\""},
    {"3/4", "\"3/4\""},
    {"!!str 5", "\"5\""},
    {"!!str true", "\"true\""},
    {"!!str null", "\"null\""},
    {"!!str", "\"\""},
    {"!!int 5", "5"},
    {"!!int \"5\"", "5"},
    {"!!int '0x10'", "16"},
    {"!!float 1", "1"},
    {"!!float \"1.5\"", "1.5"},
    {"!!float 1e3", "1000"},
    {"!!bool yes", "true"},
    {"!!bool \"off\"", "false"},
    {"!!null \"\"", "null"},
    {"!!null ~", "null"},
    {"!!binary aGVsbG8=", "\"hello\""},
    {"!!binary aGVsbG8", ""},
    {"!!binary /w==", "\"\uFFFD\""},
    {"!custom 5", "\"5\""},
    {"!custom true", "\"true\""},
    {"! 5", "\"5\""},
    {"\"5\"", "\"5\""},
    {"'true'", "\"true\""},
    {"\"~\"", "\"~\""},
    {"''", "\"\""},
    {"!!int x", ""},
    {"!!float abc", ""},
    {"!!bool 1", ""},
    {"!!null 0", ""},
    {".inf", ""},
    {"-.inf", ""},
    {".nan", ""},
    {"!!int 1.5", ""},
    {"!!float .inf", ""},
};

// And of the key in "... : v".
constexpr Row kKeys[] = {
    {"1", "1"},
    {"0x10", "16"},
    {"010", "8"},
    {"1.5", "1.5"},
    {"1e3", "1000"},
    {"1e6", "1e+06"},
    {"1e7", "1e+07"},
    {"123456789.125", "1.2345679e+08"},
    {"0.0001", "0.0001"},
    {"0.00001", "1e-05"},
    {"y", "true"},
    {"true", "true"},
    {"no", "false"},
    {"on", "true"},
    {"null", ""},
    {"~", ""},
    {"2024-01-01", "2024-01-01"},
    {".inf", ".inf"},
    {"-.inf", "-.inf"},
    {".nan", ".nan"},
    {"1.10", "1.1"},
    {"0.1", "0.1"},
    {"5.", "5"},
    {"100000000000000000000", "1e+20"},
    {"-0.0", "-0"},
    {"\"1\"", "1"},
    {"'y'", "y"},
    {"!!str 1", "1"},
    {"!!int \"1\"", "1"},
    {"<<x", "<<x"},
    {"12:30", "12:30"},
};

TEST(Scalar, ValuesAreResolvedAsTheApiMachineryDoes) {
  for (const Row& row : kValues) {
    SCOPED_TRACE(row.yaml);
    Arena arena;
    auto value = Read("a: " + std::string(row.yaml) + "\n", arena);
    if (row.json.empty()) {
      EXPECT_FALSE(value);
      continue;
    }
    ASSERT_TRUE(value) << value.error().Describe();
    Value expected = *json::Read(row.json, arena);
    EXPECT_TRUE(json::Equal(value->Get("a"), expected)) << json::ToJson(*value);
    // Exact where the API machinery is.
    EXPECT_EQ(value->Get("a").is_int(), expected.is_int());
  }
}

TEST(Scalar, KeysBecomeTextAsTheApiMachineryDoes) {
  for (const Row& row : kKeys) {
    SCOPED_TRACE(row.yaml);
    Arena arena;
    auto value = Read(std::string(row.yaml) + " : v\n", arena);
    if (row.json.empty()) {
      EXPECT_FALSE(value);
      continue;
    }
    ASSERT_TRUE(value) << value.error().Describe();
    EXPECT_EQ(value->members()[0].key, row.json);
  }
}

TEST(Scalar, UnsignedIntegersKeepTheirDigits) {
  Arena arena;
  EXPECT_EQ(json::ToJson(*Read("[18446744073709551615, 0xFFFFFFFFFFFFFFFF]", arena)),
            "[18446744073709551615,18446744073709551615]");
}

TEST(Scalar, MismatchedTagSaysWhatTheTextIs) {
  Arena arena;
  auto error = ResolveTagged("tag:yaml.org,2002:bool", "1", arena).error();
  EXPECT_EQ(error.message(), "\"1\" is an integer, and its tag is !!bool");
}

TEST(Scalar, WhatYaml11ReadsOtherwiseIsNoPlainText) {
  for (std::string_view text :
       {"", "y", "NO", "~", "1", "0x1", "1_0", ".5", "1e3", "<<", "=", "12:30:45", "1:20.5",
        "2024-01-01", "2024-1-1T10:00:00Z", "2024-01-01 10:00:00", ".inf"}) {
    EXPECT_FALSE(IsTextWhenPlain(text)) << text;
  }
  for (std::string_view text :
       {"yep", "nothing", "1Gi", "500m", "1.2.3.4:80", "10.0.0.1", "12:3x", "1:60", "v1", "2024-01",
        "2024-01-01-a", "2024-01-01x", "0x", "-", "1e400"}) {
    EXPECT_TRUE(IsTextWhenPlain(text)) << text;
  }
}

}  // namespace
}  // namespace wmap::yaml
