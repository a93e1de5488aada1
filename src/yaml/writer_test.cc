#include "yaml/writer.h"

#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "json/compare.h"
#include "json/reader.h"
#include "json/writer.h"
#include "tests/support/shared_data.h"
#include "yaml/reader.h"

namespace wmap::yaml {
namespace {

using json::Value;

std::string Yaml(std::string_view json, const WriteOptions& options = {}) {
  Arena arena;
  return ToYaml(*json::Read(json, arena), options);
}

TEST(Writer, LooksLikeKubectl) {
  EXPECT_EQ(Yaml(R"({"spec":{"containers":[{"name":"m","args":["x","-c","a b"],"env":[],"res":{}}],
                     "nested":[[1,[2]],[]],"n":null,"t":true,"f":1.5},"kind":"Pod"})"),
            R"(kind: Pod
spec:
  containers:
  - args:
    - x
    - -c
    - a b
    env: []
    name: m
    res: {}
  f: 1.5
  "n": null
  nested:
  - - 1
    - - 2
  - []
  t: true
)");
}

TEST(Writer, KeepsTheOrderOfTheSourceOnRequest) {
  EXPECT_EQ(Yaml(R"({"b":1,"a":{"d":2,"c":3}})", {.order = WriteOptions::Order::kSource}),
            "b: 1\na:\n  d: 2\n  c: 3\n");
}

TEST(Writer, QuotesWhatWouldBeMisread) {
  struct Row {
    std::string_view text;
    std::string_view yaml;
  };
  const Row kRows[] = {
      {"", "\"\""},
      {"plain text", "plain text"},
      {"true", "\"true\""},
      {"No", "\"No\""},
      {"1", "\"1\""},
      {"0x1f", "\"0x1f\""},
      {"1e3", "\"1e3\""},
      {"12:30:45", "\"12:30:45\""},
      {"2024-01-01T00:00:00Z", "\"2024-01-01T00:00:00Z\""},
      {"~", "\"~\""},
      {"500m", "500m"},
      {"1.2.3", "1.2.3"},
      {"a: b", "'a: b'"},
      {"a:b", "a:b"},
      {"a:", "'a:'"},
      {"a #b", "'a #b'"},
      {"a#b", "a#b"},
      {"- a", "'- a'"},
      {"-a", "-a"},
      {"--flag=1", "--flag=1"},
      {"---", "'---'"},
      {"*", "'*'"},
      {"{a}", "'{a}'"},
      {"it's", "it's"},
      {"'it", "'''it'"},
      {" a", "' a'"},
      {"a ", "'a '"},
      {"a\tb", "\"a\\tb\""},
      {"a\x01", "\"a\\x01\""},
      {"ünï", "ünï"},
      {"\xE2\x80\xA8", "\"\\u2028\""},
      {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
      {"a\nb", "|-\n  a\n  b"},
      {"a\n", "|\n  a"},
      {"a\n\nb\n", "|\n  a\n\n  b"},
      {"a\n\n", "|+\n  a\n"},
      {"a\n  b\n", "|\n  a\n    b"},
      {" a\nb", "\" a\\nb\""},
      {"a \nb", "\"a \\nb\""},
      {"\n", "\"\\n\""},
      {"a\r\nb", "\"a\\r\\nb\""},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(ToYaml(Value::String(row.text)), std::string(row.yaml) + "\n");
  }
}

TEST(Writer, DoesNotFoldLongText) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "word ";
  text += "end";
  EXPECT_EQ(ToYaml(Value::String(text)), text + "\n");
}

// Builds values from random numbers; every kind of trouble is likely.
class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  Value Make(Arena& arena, int depth) {
    switch (Below(depth > 0 ? 9 : 6)) {
      case 0:
        return Value();
      case 1:
        return Value::Bool(Below(2) == 0);
      case 2:
        return Value::Int(static_cast<std::int64_t>(random_() * random_()) >> Below(64));
      case 3:
        return Value::Double(static_cast<double>(random_()) / static_cast<double>(1 + Below(9999)));
      case 4:
      case 5:
        return json::MakeString(arena, Text());
      case 6: {
        std::vector<Value> items;
        for (std::size_t i = Below(4); i > 0; --i) items.push_back(Make(arena, depth - 1));
        return json::MakeArray(arena, items);
      }
      default: {
        json::ObjectBuilder builder;
        for (std::size_t i = Below(5); i > 0; --i) {
          std::string_view key = arena.Copy(Text());
          builder.Add(key, Make(arena, depth - 1));
        }
        return builder.Finish(arena);
      }
    }
  }

 private:
  std::size_t Below(std::size_t limit) { return random_() % limit; }

  std::string Text() {
    static constexpr std::string_view kPieces[] = {
        "a",    "b1",       " ",          "\n",  ": ",  " #",
        "-",    "- ",       "?",          "'",   "\"",  "\\",
        "{",    "}",        "[",          "]",   ",",   "&",
        "*",    "!",        "|",          ">",   "%",   "@",
        "`",    "\t",       "\r",         "é",   "日",  "\xF0\x9F\x98\x80",
        "true", "no",       "null",       "~",   "0x1", "1e3",
        ".5",   "12:30",    "2024-01-01", "---", "...", "\xEF\xBB\xBF",
        "\x7F", "\xC2\x85", "=",          "<<",  "+"};
    std::string text;
    for (std::size_t i = Below(6); i > 0; --i) text += kPieces[Below(std::size(kPieces))];
    if (Below(50) == 0) text.append(Below(2000), 'k');
    return text;
  }

  std::minstd_rand random_;
};

TEST(Writer, WhatIsWrittenIsReadAsTheSameValue) {
  for (std::uint32_t seed = 1; seed <= 3000; ++seed) {
    Arena arena;
    Generator generator(seed);
    Value value = generator.Make(arena, 4);
    std::string yaml = ToYaml(value, {.order = seed % 2 == 0 ? WriteOptions::Order::kSorted
                                                             : WriteOptions::Order::kSource});
    auto again = Read(yaml, arena);
    ASSERT_TRUE(again) << "seed " << seed << "\n" << again.error().message() << "\n" << yaml;
    ASSERT_TRUE(json::Equal(value, *again)) << "seed " << seed << "\n"
                                            << json::ToJson(value) << "\n"
                                            << json::ToJson(*again) << "\n"
                                            << yaml;
  }
}

TEST(Writer, DeepValuesAreSafe) {
  Arena arena;
  json::Value value = Value::Int(1);
  for (int i = 0; i < 3000; ++i) value = json::MakeArray(arena, {{value}});
  std::string yaml = ToYaml(value);
  EXPECT_TRUE(yaml.starts_with("- - - "));
}

TEST(Writer, RecordedObjectsSurvive) {
  WMAP_REQUIRE_SHARED();
  std::string folder = testing::SharedDir() + "/data/lifecycles/jobset";
  std::size_t count = 0;
  for (const auto& path : testing::FilesBelowOrDie(folder, ".json")) {
    Arena arena;
    std::string text = testing::ReadFileOrDie(path);
    auto value = json::Read(text, arena);
    ASSERT_TRUE(value) << path;
    auto again = Read(ToYaml(*value), arena);
    ASSERT_TRUE(again) << path << ": " << again.error().message();
    EXPECT_TRUE(json::Equal(*value, *again)) << path;
    ++count;
  }
  EXPECT_GT(count, 5u);
}

}  // namespace
}  // namespace wmap::yaml
