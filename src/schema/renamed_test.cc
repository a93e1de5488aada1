#include "schema/renamed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "schema/built_ins.h"
#include "tests/support/reading.h"

namespace wmap::schema {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Where `path` of documents of one schema is in those of another; "[]" is an item.
std::vector<std::string> Moved(std::string_view had, std::string_view lacks,
                               const std::vector<std::string>& path) {
  Arena arena;
  BuiltIns built_ins;
  auto documents = [&](std::string_view spec) {
    std::string text =
        Cat("{type: object, properties: {spec: {type: object, properties: {", spec, "}}}}");
    return Documents(built_ins, {Schema(testing::YamlOrDie(text, arena))});
  };
  expr::DocumentPath steps = {expr::PathStep::Key("spec")};
  for (const std::string& key : path) {
    steps.push_back(key == "[]" ? expr::PathStep::Any() : expr::PathStep::Key(key));
  }
  Documents old = documents(had);
  Documents other = documents(lacks);
  return PlacesLike(steps, old, other);
}

constexpr std::string_view kSize = "{type: integer}";

TEST(PlacesLike, AFieldThatIsNewBesideIt) {
  EXPECT_THAT(Moved(Cat("size: ", kSize, ", idle: ", kSize),
                    Cat("count: ", kSize, ", idle: ", kSize), {"size"}),
              ElementsAre(".spec.count"));
}

TEST(PlacesLike, OfAnotherKindItIsNot) {
  EXPECT_THAT(Moved(Cat("size: ", kSize), "count: {type: string}", {"size"}), IsEmpty());
}

TEST(PlacesLike, WhatIsSpeltLikeItComesFirst) {
  EXPECT_THAT(
      Moved(Cat("replicas: ", kSize),
            Cat("count: ", kSize, ", numReplicas: ", kSize, ", replica: ", kSize), {"replicas"}),
      ElementsAre(".spec.replica", ".spec.numReplicas"));
}

TEST(PlacesLike, OfSeveralThatCameOrWentNoneIsKnown) {
  EXPECT_THAT(Moved(Cat("size: ", kSize), Cat("count: ", kSize, ", delay: ", kSize), {"size"}),
              IsEmpty());
  EXPECT_THAT(Moved(Cat("size: ", kSize, ", limit: ", kSize), Cat("count: ", kSize), {"size"}),
              IsEmpty());
}

TEST(PlacesLike, ALevelFurtherDown) {
  EXPECT_THAT(Moved(Cat("size: ", kSize),
                    Cat("scale: {type: object, properties: {size: ", kSize, "}}"), {"size"}),
              ElementsAre(".spec.scale.size"));
}

TEST(PlacesLike, WhatAParentWasThatIsGone) {
  std::string_view crew =
      "{type: array, items: {type: object, properties: {size: {type: integer}}}}";
  EXPECT_THAT(Moved(Cat("crews: ", crew), Cat("teams: ", crew), {"crews", "[]", "size"}),
              ElementsAre(".spec.teams[].size"));
}

TEST(PlacesLike, ItsOwnNameElsewhere) {
  EXPECT_THAT(Moved(Cat("a: {type: object, properties: {size: ", kSize,
                        "}}, b: {type: object, "
                        "properties: {x: {type: string}}}"),
                    Cat("a: {type: object, properties: {}}, b: {type: object, properties: {x: "
                        "{type: string}, size: ",
                        kSize, "}}"),
                    {"a", "size"}),
              ElementsAre(".spec.b.size"));
}

TEST(PlacesLike, NothingWhereItIsStillThere) {
  EXPECT_THAT(Moved(Cat("size: ", kSize), Cat("size: ", kSize, ", count: ", kSize), {"size"}),
              IsEmpty());
}

}  // namespace
}  // namespace wmap::schema
