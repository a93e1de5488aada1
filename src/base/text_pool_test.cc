#include "base/text_pool.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace wmap {
namespace {

TEST(TextPool, KeepsEveryCopyApart) {
  TextPool pool;
  std::string text = "node-1";
  std::string_view first = pool.Keep(text);
  std::string_view second = pool.Keep(text);
  text = "gone";
  EXPECT_EQ(first, "node-1");
  EXPECT_NE(first.data(), second.data());
}

TEST(TextPool, SharesEqualTexts) {
  TextPool pool;
  std::vector<std::string_view> shared;
  for (int round = 0; round < 2; ++round) {
    // More than are remembered as recent.
    for (int i = 0; i < 2000; ++i) shared.push_back(pool.Share("kind-" + std::to_string(i)));
  }
  for (std::size_t i = 0; i < 2000; ++i) {
    ASSERT_EQ(shared[i], "kind-" + std::to_string(i));
    ASSERT_EQ(shared[i].data(), shared[i + 2000].data());
  }
}

TEST(TextPool, AnEmptyTextIsEmpty) {
  TextPool pool;
  EXPECT_EQ(pool.Share(""), "");
  EXPECT_EQ(pool.Keep(""), "");
}

TEST(TextPool, TextsStayWhereTheyAreWhenItMoves) {
  TextPool pool;
  std::string_view kept = pool.Share("Running");
  TextPool other = std::move(pool);
  EXPECT_EQ(kept, "Running");
  EXPECT_EQ(other.Share("Running").data(), kept.data());
}

}  // namespace
}  // namespace wmap
