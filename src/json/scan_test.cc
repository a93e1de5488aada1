#include "json/scan.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace wmap::json::scan {
namespace {

// Exact buffers, so that ASan sees a read beyond the end; every byte value at every position.
TEST(Scan, AllFormsFindTheSameEnd) {
  std::mt19937 random(5);
  for (int round = 0; round < 20'000; ++round) {
    std::vector<char> text(random() % 70);
    for (char& c : text) c = random() % 40 == 0 ? static_cast<char>(random() % 256) : 'x';
    const char* begin = text.data();
    const char* end = begin + text.size();
    const char* expected = begin;
    while (expected != end && IsPlain(*expected)) ++expected;
    ASSERT_EQ(PlainEndByWords(begin, end), expected);
    ASSERT_EQ(PlainEnd(begin, end), expected);
  }
}

TEST(Scan, SkipsOnlyTheFourSpaces) {
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t before : {0U, 1U, 15U, 16U, 17U, 40U}) {
      std::vector<char> text;
      for (std::size_t i = 0; i < before; ++i) text.push_back(" \n\r\t"[i % 4]);
      text.push_back(static_cast<char>(byte));
      const char* end = text.data() + text.size();
      bool is_space = byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
      EXPECT_EQ(SkipSpace(text.data(), end), is_space ? end : end - 1) << byte << " " << before;
    }
  }
}

}  // namespace
}  // namespace wmap::json::scan
