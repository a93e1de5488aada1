#include "inspect/cron_schedule.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "base/time.h"

namespace wmap::inspect {
namespace {

std::string Next(std::string_view schedule, std::string_view after) {
  std::optional<std::int64_t> next = NextRun(schedule, ParseTime(after).value_or(0));
  return next ? TimeText(*next) : std::string();
}

TEST(CronSchedule, IsDueAtTheNextTimeThatAllFieldsTake) {
  constexpr std::string_view kMonday = "2026-11-30T04:05:28Z";
  EXPECT_EQ(Next("* * * * *", kMonday), "2026-11-30T04:06:00Z");
  EXPECT_EQ(Next("*/15 * * * *", kMonday), "2026-11-30T04:15:00Z");
  EXPECT_EQ(Next("5/20 * * * *", kMonday), "2026-11-30T04:25:00Z");
  EXPECT_EQ(Next("5 4 * * *", kMonday), "2026-12-01T04:05:00Z");
  EXPECT_EQ(Next("30 3 * * 2-5", kMonday), "2026-12-01T03:30:00Z");
  EXPECT_EQ(Next("30 3 * * mon,Fri", kMonday), "2026-12-04T03:30:00Z");
  EXPECT_EQ(Next("0 0 29 2 *", kMonday), "2028-02-29T00:00:00Z");
  EXPECT_EQ(Next("0 12 1-7/3 DEC ?", kMonday), "2026-12-01T12:00:00Z");
  EXPECT_EQ(Next("@hourly", kMonday), "2026-11-30T05:00:00Z");
  EXPECT_EQ(Next("@yearly", kMonday), "2027-01-01T00:00:00Z");
  // A minute that has begun is over.
  EXPECT_EQ(Next("* * * * *", "2026-11-30T04:05:00Z"), "2026-11-30T04:06:00Z");
}

TEST(CronSchedule, OfADateAndAWeekdayTakesEither) {
  EXPECT_EQ(Next("0 0 13 * 5", "2026-11-30T00:00:00Z"), "2026-12-04T00:00:00Z");
  EXPECT_EQ(Next("0 0 13 * 5", "2026-12-12T00:00:00Z"), "2026-12-13T00:00:00Z");
  // Of a step it is still asked for.
  EXPECT_EQ(Next("0 0 */2 * 2", "2026-11-30T00:00:00Z"), "2026-12-01T00:00:00Z");
}

TEST(CronSchedule, LeavesOpenWhatItCannotRead) {
  for (std::string_view schedule :
       {"", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "5-1 * * * *",
        "*/0 * * * *", "a * * * *", "TZ=UTC 0 * * * *", "@every 1h", "0 0 31 2 *", ", * * * *",
        "4294967296 * * * *", "* * * * mon-"}) {
    EXPECT_EQ(Next(schedule, "2026-11-30T00:00:00Z"), "") << schedule;
  }
}

TEST(CronSchedule, IsNeverDueOnADayThatNoMonthHas) {
  for (std::string_view schedule :
       {"0 0 31 2 *", "0 0 30 feb ?", "0 0 31 4,6,9,11 *", "* * 30,31 2 */1"}) {
    EXPECT_TRUE(IsNeverDue(schedule)) << schedule;
  }
  // A leap day comes, be it years away; a weekday comes whatever the date.
  for (std::string_view schedule : {"0 0 29 2 *", "0 0 31 2 1", "0 0 31 2 */2", "0 0 31 1,2 *",
                                    "0 0 * 2 *", "@daily", "@every 1h", "0 0 32 2 *", ""}) {
    EXPECT_FALSE(IsNeverDue(schedule)) << schedule;
  }
}

}  // namespace
}  // namespace wmap::inspect
