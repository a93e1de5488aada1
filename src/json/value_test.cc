#include "json/value.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/text.h"
#include "json/compare.h"
#include "json/reader.h"
#include "json/writer.h"

namespace wmap::json {
namespace {

TEST(Value, KnowsItsType) {
  EXPECT_TRUE(Value().is_null());
  EXPECT_FALSE(Value().is_truthy());
  EXPECT_FALSE(Value::Bool(false).is_truthy());
  EXPECT_TRUE(Value::Bool(true).is_true());
  EXPECT_TRUE(Value::Int(0).is_truthy());
  EXPECT_TRUE(Value::Double(0.5).is_number());
  EXPECT_FALSE(Value::Double(0.5).is_int());
  EXPECT_EQ(TypeName(Value::String("").type()), "string");
  EXPECT_EQ(TypeName(Value::Array({}).type()), "array");
  EXPECT_EQ(TypeName(Value::Object({}).type()), "object");
}

TEST(Value, FindsMembersOfSmallAndLargeObjects) {
  for (int count : {0, 1, 8, 9, 32, 33, 1000}) {
    Arena arena;
    std::vector<std::string> keys;
    for (int i = 0; i < count; ++i) keys.push_back(Cat("key", i * 7919 % 1009));
    ObjectBuilder builder;
    for (const std::string& key : keys) builder.Add(key, Value::String(key));
    Value object = builder.Finish(arena);
    EXPECT_EQ(builder.size(), 0U);
    ASSERT_EQ(object.size(), keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      EXPECT_EQ(object.Get(keys[i]).as_string(), keys[i]);
      EXPECT_EQ(object.member_in_source_order(i).key, keys[i]);
    }
    EXPECT_EQ(object.Find("absent"), nullptr);
    EXPECT_EQ(object.Find(""), nullptr);
    EXPECT_TRUE(std::ranges::is_sorted(object.members(), {}, &Member::key));
  }
}

TEST(Value, FindsTheEmptyKeyWithoutAPointer) {
  Arena arena;
  ObjectBuilder builder;
  builder.Add({}, Value::Int(1));
  Value object = builder.Finish(arena);
  ASSERT_NE(object.Find({}), nullptr);
  ASSERT_NE(object.Find(""), nullptr);
  EXPECT_EQ(object.Find({}), object.Find(""));
}

TEST(Value, GetOfAnythingElseIsNull) {
  EXPECT_TRUE(Value::Int(1).Get("a").Get("b").is_null());
  EXPECT_EQ(Value::Int(1).text_or_empty(), "");
}

// Against a plain map, with keys that share prefixes of 7, 8 and 9 bytes.
TEST(MakeObject, SortsAnyKeysAndKeepsTheLastOfRepeatedOnes) {
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    std::size_t count = random() % (round % 10 == 0 ? 80 : 34);
    std::vector<std::string> keys(count);
    for (std::string& key : keys) {
      key = std::string("prefix-89\0\xFF", 11).substr(0, random() % 12);
      for (std::size_t i = random() % 3; i > 0; --i) key += static_cast<char>(random() % 256);
      if (random() % 4 == 0) key.insert(0, std::to_string(random() % 30));
    }
    std::vector<Member> members;
    std::map<std::string, std::int64_t> expected;
    std::vector<std::string> order;
    std::optional<std::string> first_repeated;
    for (std::size_t i = 0; i < count; ++i) {
      members.push_back({keys[i], Value::Int(static_cast<std::int64_t>(i))});
      if (!expected.contains(keys[i])) {
        order.push_back(keys[i]);
      } else if (!first_repeated) {
        first_repeated = keys[i];
      }
      expected[keys[i]] = static_cast<std::int64_t>(i);
    }
    Arena arena;
    std::string_view repeated;
    Value object = MakeObject(arena, members, &repeated);
    ASSERT_EQ(object.size(), expected.size());
    std::size_t i = 0;
    for (const auto& [key, value] : expected) {
      EXPECT_EQ(object.members()[i].key, key);
      EXPECT_EQ(object.members()[i].value.as_int(), value);
      EXPECT_EQ(object.member_in_source_order(i).key, order[i]);
      ++i;
    }
    EXPECT_EQ(repeated, first_repeated.value_or(""));
  }
}

TEST(DeepCopy, OutlivesWhatItCopies) {
  constexpr std::string_view kText =
      R"({"b":[1,1.10,"text",{"z":null,"a":[[],{}]}],"a":{"k":true,"é":12345678901234567890123}})";
  Arena kept;
  Value copy;
  {
    Arena arena;
    std::string text(kText);
    copy = DeepCopy(kept, Read(text, arena, {.borrow_text = true}).value());
    text.assign(text.size(), '#');
  }
  EXPECT_EQ(ToJson(copy, {.order = WriteOptions::Order::kSource}), kText);
  Value scalar = DeepCopy(kept, Value::Int(3));
  EXPECT_EQ(scalar.as_int(), 3);
}

}  // namespace
}  // namespace wmap::json
