#include "base/time.h"

#include <gtest/gtest.h>

namespace wmap {
namespace {

TEST(ParseTime, ReadsRfc3339) {
  EXPECT_EQ(ParseTime("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(ParseTime("2000-02-29T12:00:00Z"), 951825600);
  EXPECT_EQ(ParseTime("2026-11-30T04:05:28.123456Z"), 1796011528);
  EXPECT_EQ(ParseTime("2026-11-30T05:35:28+01:30"), 1796011528);
  EXPECT_EQ(ParseTime("2026-11-29T23:05:28-05:00"), 1796011528);
  EXPECT_EQ(ParseTime("1969-12-31T23:59:59Z"), -1);
  for (const char* bad : {"", "2026-13-30T04:05:28Z", "2026-11-30T04:05:28", "2026-11-30",
                          "2026-11-30T04:05:28Zx", "2026-11-30T24:00:00Z", "yesterday, about noon",
                          "-026-11-30T04:05:28Z", "2026-11-30T04:05:28+1:00"}) {
    EXPECT_EQ(ParseTime(bad), std::nullopt) << bad;
  }
}

TEST(TimeText, IsReadBackAsTheSameTime) {
  EXPECT_EQ(TimeText(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(TimeText(1'796'011'528), "2026-11-30T04:05:28Z");
  for (std::int64_t seconds : {-1L, 951'782'399L, 951'782'400L, 253'402'300'799L}) {
    EXPECT_EQ(ParseTime(TimeText(seconds)), seconds) << TimeText(seconds);
  }
}

}  // namespace
}  // namespace wmap
