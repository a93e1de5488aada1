#include "schema/prune.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "json/writer.h"
#include "tests/support/reading.h"

namespace wmap::schema {
namespace {

std::string Kept(std::string_view object, std::string_view schema) {
  Arena arena;
  Schema of(testing::YamlOrDie(schema, arena));
  return json::ToJson(Pruned(testing::YamlOrDie(object, arena), of, arena));
}

TEST(Pruned, FieldsThatTheSchemaDoesNotHaveAreGone) {
  EXPECT_EQ(Kept("{apiVersion: v1, kind: A, metadata: {name: a, x: 1}, spec: {a: 1, b: 2}, c: 3}",
                 "{type: object, properties: {spec: {type: object, properties: {a: {}}}}}"),
            R"({"apiVersion":"v1","kind":"A","metadata":{"name":"a","x":1},"spec":{"a":1}})");
}

TEST(Pruned, InListsAndMapsAsWell) {
  EXPECT_EQ(Kept("{a: [{x: 1, z: 2}, 3], m: {p: {x: 1, z: 2}}}",
                 "{properties: {a: {items: {properties: {x: {}}}}, m: {additionalProperties: "
                 "{properties: {z: {}}}}}}"),
            R"({"a":[{"x":1},3],"m":{"p":{"z":2}}})");
}

TEST(Pruned, WhatIsOpenStays) {
  EXPECT_EQ(Kept("{a: {x: 1, z: {b: 1, c: 2}}}",
                 "{properties: {a: {x-kubernetes-preserve-unknown-fields: true, properties: {z: "
                 "{properties: {b: {}}}}}}}"),
            R"({"a":{"x":1,"z":{"b":1}}})");
  EXPECT_EQ(Kept("{a: {x: 1}}", "{}"), R"({"a":{"x":1}})");
}

TEST(Pruned, AnObjectInAnObjectIsOne) {
  EXPECT_EQ(
      Kept("{a: {kind: Job, metadata: {name: j}, x: 1}}",
           "{properties: {a: {x-kubernetes-embedded-resource: true, properties: {spec: {}}}}}"),
      R"({"a":{"kind":"Job","metadata":{"name":"j"}}})");
}

}  // namespace
}  // namespace wmap::schema
