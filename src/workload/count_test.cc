#include "workload/count.h"

#include <gtest/gtest.h>
#include <limits>

namespace wmap::workload {
namespace {

TEST(Count, UnknownSurvivesAddition) {
  Count sum = Count::Exactly(17);
  sum += Count::Unknown("worker");
  EXPECT_EQ(sum.text(), "17+?");
  EXPECT_EQ(sum.min(), 17);
  EXPECT_FALSE(sum.max().has_value());
  EXPECT_FALSE(sum.exact());
  EXPECT_EQ(sum.unknown(), std::vector<std::string>{"worker"});
}

TEST(Count, ANameIsListedOnce) {
  Count sum = Count::Unknown("a");
  sum += Count::Unknown("a");
  EXPECT_EQ(sum.unknown().size(), 1U);
}

TEST(Count, RangesAddAndMultiply) {
  Count range = Count::Between(1, 2);
  range += Count::Exactly(3);
  EXPECT_EQ(range.text(), "4\u20135");
  EXPECT_EQ(range.Times(2).text(), "8\u201310");
  EXPECT_EQ(Count::Between(2, std::nullopt).text(), "2+");
}

TEST(Count, ARangeIsStillSeenBesideWhatIsUnknown) {
  Count sum = Count::Between(16, 17);
  sum += Count::Unknown("worker");
  EXPECT_EQ(sum.text(), "16\u201317+?");
  EXPECT_EQ(sum.known_max(), 17);
  EXPECT_FALSE(sum.max().has_value());
  EXPECT_EQ(sum.Times(2).text(), "32\u201334+?");
  Count open = Count::Between(2, std::nullopt);
  open += Count::Unknown("worker");
  EXPECT_EQ(open.text(), "2+?");
  EXPECT_FALSE(open.known_max().has_value());
}

TEST(Count, FractionsAreExactDecimals) {
  Count sum = Count::Exactly(kBillion / 10);
  sum += Count::Exactly(kBillion / 5);
  EXPECT_EQ(sum.text(kBillion), "0.3");
  EXPECT_EQ(sum.Times(10).text(kBillion), "3");
  EXPECT_EQ(Count::Between(kBillion / 2, kBillion * 5 / 4).text(kBillion), "0.5\u20131.25");
  EXPECT_EQ(DecimalText(1, kBillion), "0.000000001");
  EXPECT_EQ(DecimalText(12, 1), "12");
}

TEST(Count, NothingOfTheUnknownIsNothing) {
  EXPECT_EQ(Count::Unknown("x").Times(0), Count());
  EXPECT_EQ(Count().Times(Count::Unknown("x")), Count());
  EXPECT_EQ(Count::Unknown("x").text(), "?");
}

TEST(Count, NeverNegativeAndNeverWrapped) {
  EXPECT_EQ(Count::Between(-3, -1).text(), "0");
  Count large = Count::Exactly(2147483647).Times(2).Times(8);
  EXPECT_EQ(large.text(), "34359738352");
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(Count::Exactly(kMost).Times(2).min(), kMost);
  Count sum = Count::Exactly(kMost);
  sum += Count::Exactly(1);
  EXPECT_EQ(sum.min(), kMost);
}

}  // namespace
}  // namespace wmap::workload
