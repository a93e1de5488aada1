#include "base/arena.h"

#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wmap {
namespace {

std::uintptr_t Address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

TEST(Arena, TakesNothingFromTheSystemBeforeTheFirstAllocation) {
  Arena arena;
  EXPECT_EQ(arena.bytes_reserved(), 0U);
  EXPECT_EQ(arena.bytes_used(), 0U);
}

TEST(Arena, AlignsAsAsked) {
  Arena arena;
  for (std::size_t align : {1U, 2U, 4U, 8U, 16U}) {
    arena.Allocate(1, 1);
    EXPECT_EQ(Address(arena.Allocate(3, align)) % align, 0U) << align;
  }
}

TEST(Arena, BlocksDoNotOverlapAndKeepTheirBytes) {
  Arena arena;
  std::vector<std::string> texts;
  std::vector<std::string_view> copies;
  for (std::size_t i = 0; i < 2000; ++i)
    texts.emplace_back(i % 97, static_cast<char>('a' + i % 26));
  for (const std::string& text : texts) copies.push_back(arena.Copy(text));
  for (std::size_t i = 0; i < texts.size(); ++i) ASSERT_EQ(copies[i], texts[i]);
}

TEST(Arena, HoldsBlocksLargerThanAnyChunk) {
  Arena arena;
  const std::size_t size = std::size_t{5} << 20;
  auto* block = static_cast<char*>(arena.Allocate(size, 16));
  block[0] = block[size - 1] = 'x';
  EXPECT_GE(arena.bytes_reserved(), size);
  EXPECT_GE(arena.bytes_used(), size);
  EXPECT_NE(arena.Allocate(1), nullptr);
}

TEST(Arena, CountsWhatItHandsOut) {
  Arena arena;
  arena.Allocate(100);
  EXPECT_EQ(arena.bytes_used(), 100U);
  arena.Allocate(1, 1);
  arena.Allocate(8, 8);
  EXPECT_EQ(arena.bytes_used(), 112U);
  std::size_t before = arena.bytes_used();
  for (int i = 0; i < 1000; ++i) arena.Allocate(100);
  EXPECT_GE(arena.bytes_used(), before + 100'000);
  EXPECT_LE(arena.bytes_used(), arena.bytes_reserved());
}

TEST(Arena, ExtendsTheLastBlockInPlaceWhileItsChunkHasRoom) {
  Arena arena;
  void* block = arena.Allocate(16, 1);
  EXPECT_TRUE(arena.TryExtend(block, 16, 64));
  EXPECT_EQ(Address(arena.Allocate(1, 1)), Address(block) + 64);
  EXPECT_FALSE(arena.TryExtend(block, 64, 128)) << "is no longer the last one";
  void* last = arena.Allocate(8);
  EXPECT_FALSE(arena.TryExtend(last, 8, std::size_t{1} << 30)) << "its chunk has no room";
}

TEST(Arena, ResetKeepsTheMemoryForReuse) {
  Arena arena;
  for (int i = 0; i < 10'000; ++i) arena.Allocate(64);
  std::size_t reserved = arena.bytes_reserved();
  for (int round = 0; round < 10; ++round) {
    arena.Reset();
    EXPECT_EQ(arena.bytes_used(), 0U);
    for (int i = 0; i < 10'000; ++i) arena.Allocate(64);
    EXPECT_EQ(arena.bytes_reserved(), reserved);
  }
}

TEST(Arena, ResetPassesOverChunksThatAreTooSmall) {
  Arena arena;
  arena.Allocate(1);
  arena.Allocate(std::size_t{3} << 20);
  arena.Reset();
  auto* block = static_cast<char*>(arena.Allocate(std::size_t{2} << 20));
  block[(std::size_t{2} << 20) - 1] = 'x';
  SUCCEED();
}

TEST(Arena, ResetOfAnUnusedArenaIsHarmless) {
  Arena arena;
  arena.Reset();
  EXPECT_EQ(arena.Copy("x"), "x");
}

TEST(Arena, BlocksStayInPlaceWhenTheArenaMoves) {
  Arena first;
  std::string_view text = first.Copy("stays");
  Arena second(std::move(first));
  EXPECT_EQ(text, "stays");
  Arena third;
  third.Copy("goes");
  third = std::move(second);
  EXPECT_EQ(text, "stays");
  EXPECT_EQ(third.bytes_used(), 5U);
  EXPECT_EQ(third.Copy("more"), "more");
}

TEST(Arena, MovedFromArenaIsEmptyAndUsable) {
  Arena first;
  first.Copy("x");
  Arena second(std::move(first));
  EXPECT_EQ(first.bytes_used(), 0U);  // NOLINT(bugprone-use-after-move): that is the contract
  EXPECT_EQ(first.bytes_reserved(), 0U);
  EXPECT_EQ(first.Copy("again"), "again");
}

TEST(Arena, CopyOfEmptyTextTakesNothing) {
  Arena arena;
  EXPECT_TRUE(arena.Copy("").empty());
  EXPECT_EQ(arena.bytes_reserved(), 0U);
}

TEST(Arena, CopyKeepsNulBytes) {
  Arena arena;
  EXPECT_EQ(arena.Copy(std::string_view("a\0b", 3)), std::string_view("a\0b", 3));
}

}  // namespace
}  // namespace wmap
