// The expected texts are what k8s.io/apimachinery v0.37.2 answers.
#include "json/quantity.h"

#include <gtest/gtest.h>
#include <string_view>

#include "base/arena.h"

namespace wmap::json {
namespace {

struct CanonicalCase {
  std::string_view text;
  std::string_view canonical;
};
constexpr CanonicalCase kCanonical[] = {
    {"0", "0"},
    {"1", "1"},
    {"-1", "-1"},
    {"+1", "1"},
    {"500m", "500m"},
    {"1.5", "1500m"},
    {"0.5", "500m"},
    {"100m", "100m"},
    {"1k", "1k"},
    {"1M", "1M"},
    {"1G", "1G"},
    {"1T", "1T"},
    {"1P", "1P"},
    {"1E", "1E"},
    {"1Ki", "1Ki"},
    {"1Mi", "1Mi"},
    {"1Gi", "1Gi"},
    {"1Ti", "1Ti"},
    {"1Pi", "1Pi"},
    {"1Ei", "1Ei"},
    {"64Gi", "64Gi"},
    {"1024Mi", "1Gi"},
    {"1024Ki", "1Mi"},
    {"1000", "1k"},
    {"1000m", "1"},
    {"1500m", "1500m"},
    {"1e3", "1e3"},
    {"1E3", "1e3"},
    {"12e3", "12e3"},
    {"1.5e3", "1500"},
    {"1e-3", "1e-3"},
    {"1e+3", "1e3"},
    {"1e-9", "1e-9"},
    {"1e-10", "1e-9"},
    {"1n", "1n"},
    {"1u", "1u"},
    {"0.1n", "1n"},
    {"1.0000000001", "1000000001n"},
    {"-0.1n", "-1n"},
    {"0.5Gi", "512Mi"},
    {"1.5Gi", "1536Mi"},
    {"0.5Ki", "512"},
    {"0.0001Ki", "102400u"},
    {"1.1Ki", "1126400m"},
    {"100Ki", "100Ki"},
    {"1023Ki", "1023Ki"},
    {"1023", "1023"},
    {"1024", "1024"},
    {"0Gi", "0"},
    {"00", "0"},
    {"007", "7"},
    {"01.50", "1500m"},
    {"5.", "5"},
    {"5.G", "5G"},
    {".5", "500m"},
    {"-.5", "-500m"},
    {"1.", "1"},
    {"8Ei", "9223372036854775807"},
    {"16Ei", "9223372036854775807"},
    {"9223372036854775807", "9223372036854775807"},
    {"9223372036854775808", "9223372036854775808"},
    {"99999999999999999999", "99999999999999999999"},
    {"999E", "999E"},
    {"1e20", "100e18"},
    {"1e28", "10e27"},
    {"1e21", "1e21"},
    {"0.000000000000000000000000001", "1n"},
    {"123456789.987654321", "123456789987654321n"},
    {"12345.6789Mi", "12945382598246400u"},
    {"0.1234567890123456789Gi", "132560717819299208n"},
    {"3.14159m", "3141590n"},
    {"1E", "1E"},
    {"1000Ei", "9223372036854775807"},
    {"-8Ei", "-9223372036854775807"},
    {"-16Ei", "-9223372036854775807"},
    {"-64Gi", "-64Gi"},
    {"-1500m", "-1500m"},
    {"10e-1", "1"},
    {"1000000n", "1m"},
    {"1001n", "1001n"},
    {"192Gi", "192Gi"},
    {"4216Mi", "4216Mi"},
    {"3250m", "3250m"},
    {"1048576", "1048576"},
    {"1048576Ki", "1Gi"},
    {"1e6", "1e6"},
    {"1000e3", "1e6"},
    {"1234e5", "123400e3"},
    {"0e5", "0"},
    {"0.0", "0"},
    {"-0", "0"},
    {"1.10", "1100m"},
    {"2048", "2048"},
    {"2047Mi", "2047Mi"},
};

TEST(Quantity, PrintsAsKubernetesDoes) {
  for (const auto& [text, canonical] : kCanonical) {
    auto quantity = Quantity::Parse(text);
    ASSERT_TRUE(quantity.has_value()) << text << ": " << quantity.error().Describe();
    EXPECT_EQ(quantity->ToString(), canonical) << text;
    auto again = Quantity::Parse(quantity->ToString());
    ASSERT_TRUE(again.has_value()) << text;
    EXPECT_TRUE(*again == *quantity) << text;
  }
}

TEST(Quantity, RefusesWhatKubernetesRefuses) {
  for (std::string_view text :
       {"1K",  "1e",  "",      " 1",   "1 ",    "1 Gi", "1GB",  "1gi",  "1g",    "1kb",
        "1i",  "1mi", "1ki",   "0x10", "1_000", "1,5",  "1e3k", "1ee3", "1e3.5", "--1",
        "+-1", "1-",  "abc",   "NaN",  "Inf",   "1m1",  "1Gi1", "1Ee",  "1eE",   "1.2.3",
        "1e+", "1e-", "1e++1", "1kk",  "1Kii",  "1iK",  "1nm"}) {
    auto quantity = Quantity::Parse(text);
    ASSERT_FALSE(quantity.has_value()) << text;
    EXPECT_EQ(quantity.error().code(), Code::kSyntax) << text;
  }
}

TEST(Quantity, RefusesTextWithoutDigitsWhichKubernetesReadsAsZero) {
  for (std::string_view text : {"-", "+", ".", "m", "Gi", "-m", "e3"}) {
    EXPECT_FALSE(Quantity::Parse(text).has_value()) << text;
  }
}

TEST(Quantity, NamesTheTextAndTheSuffixThatIsWrong) {
  std::string message = Quantity::Parse("64GB").error().message();
  EXPECT_NE(message.find("\"64GB\""), std::string::npos) << message;
  EXPECT_NE(message.find("suffix \"GB\""), std::string::npos) << message;
}

struct PairCase {
  std::string_view a;
  std::string_view b;
  std::string_view sum;
  std::string_view difference;
  int order;
};
constexpr PairCase kPairs[] = {
    {"500m", "1", "1500m", "-500m", -1},
    {"1", "500m", "1500m", "500m", 1},
    {"64Gi", "128Gi", "192Gi", "-64Gi", -1},
    {"0", "64Gi", "64Gi", "-64Gi", -1},
    {"64Gi", "1000M", "69719476736", "67719476736", 1},
    {"1G", "1Gi", "2073741824", "-73741824", -1},
    {"1e3", "1k", "2e3", "0", 0},
    {"1k", "1e3", "2k", "0", 0},
    {"1.5Gi", "1.5Gi", "3Gi", "0", 0},
    {"100m", "-100m", "0", "200m", 1},
    {"0Gi", "5", "5", "-5", -1},
    {"4Gi", "120Mi", "4216Mi", "3976Mi", 1},
    {"3", "250m", "3250m", "2750m", 1},
    {"8", "4", "12", "4", 1},
    {"1Ki", "1m", "1024001m", "1023999m", 1},
    {"512", "512Mi", "536871424", "-536870400", -1},
};

TEST(Quantity, AddsSubtractsAndComparesAsKubernetesDoes) {
  for (const PairCase& c : kPairs) {
    Quantity a = Quantity::Parse(c.a).value();
    Quantity b = Quantity::Parse(c.b).value();
    EXPECT_EQ(a.Add(b)->ToString(), c.sum) << c.a << " + " << c.b;
    EXPECT_EQ(a.Sub(b)->ToString(), c.difference) << c.a << " - " << c.b;
    EXPECT_EQ(a < b ? -1 : a > b ? 1 : 0, c.order) << c.a << " <=> " << c.b;
  }
}

struct ProductCase {
  std::string_view text;
  std::int64_t factor;
  std::string_view product;
};
constexpr ProductCase kProducts[] = {
    {"500m", 3, "1500m"}, {"64Gi", 3, "192Gi"}, {"1.5", 2, "3"},
    {"100m", 10, "1"},    {"1e3", 5, "5e3"},    {"1Gi", 0, "0"},
    {"8", -2, "-16"},     {"333m", 3, "999m"},  {"0.1n", 7, "7n"},
};

TEST(Quantity, MultipliesAsKubernetesDoes) {
  for (const ProductCase& c : kProducts) {
    EXPECT_EQ(Quantity::Parse(c.text)->MulInt(c.factor)->ToString(), c.product) << c.text;
  }
}

TEST(Quantity, FailsInsteadOfOverflowing) {
  for (std::string_view text : {"1e29", "170141183460469231731687303715", "1e9", "-1e29"}) {
    EXPECT_TRUE(Quantity::Parse(text).has_value()) << text;
  }
  for (std::string_view text : {"1e30", "170141183460469231731687303716", "1e2147483648",
                                "1e99999999999999999999", "999999999999E"}) {
    auto quantity = Quantity::Parse(text);
    ASSERT_FALSE(quantity.has_value()) << text;
    EXPECT_EQ(quantity.error().code(), Code::kLimit) << text;
  }
  Quantity large = Quantity::Parse("1e29").value();
  EXPECT_EQ(large.Add(large).error().code(), Code::kLimit);
  EXPECT_EQ(large.MulInt(-1)->Sub(large).error().code(), Code::kLimit);
  EXPECT_EQ(large.MulInt(2).error().code(), Code::kLimit);
}

TEST(Quantity, RoundsTheSmallestAmountsUp) {
  EXPECT_EQ(Quantity::Parse("1e-99999999999")->ToString(), "1e-9");
  EXPECT_EQ(Quantity::Parse("0e-99999999999")->ToString(), "0");
  EXPECT_EQ(Quantity::Parse("0e99999999999")->ToString(), "0");
  EXPECT_EQ(Quantity::Parse(std::string(60, '1') + "e-60")->ToString(), "111111112e-9");
}

TEST(Quantity, KeepsPrintingWhereKubernetesLosesTheSuffix) {
  EXPECT_EQ(Quantity::Parse("1000E")->ToString(), "1000E");
}

TEST(Quantity, ConvertsToIntegersOnlyExactly) {
  EXPECT_EQ(Quantity::Parse("1Gi")->AsInt64(), 1073741824);
  EXPECT_EQ(Quantity::Parse("1500m")->AsInt64(), std::nullopt);
  EXPECT_EQ(Quantity::Parse("1e20")->AsInt64(), std::nullopt);
  EXPECT_EQ(Quantity::Parse("-3")->AsInt64(), -3);
  EXPECT_EQ(Quantity::Parse("0.3")->AsNano(), 300'000'000);
  EXPECT_EQ(Quantity::Parse("1T")->AsNano(), std::nullopt);
  EXPECT_EQ(Quantity::Parse("1500m")->AsMilli(), 1500);
  EXPECT_EQ(Quantity::Parse("1u")->AsMilli(), 1);
  EXPECT_EQ(Quantity::Parse("9E")->AsMilli(), std::nullopt);
  EXPECT_EQ(Quantity::Parse("1500m")->ToDouble(), 1.5);
  EXPECT_EQ(Quantity::Parse("100m")->ToDouble(), 0.1);
  EXPECT_EQ(Quantity::Of(24).ToString(), "24");
  EXPECT_EQ(Quantity::Of(192LL << 30, Quantity::Format::kBinarySi).ToString(), "192Gi");
}

TEST(Quantity, ReadsStringsAndNumbersOfJson) {
  Arena arena;
  EXPECT_EQ(Quantity::From(Value::String(" 500m\n"))->ToString(), "500m");
  EXPECT_EQ(Quantity::From(Value::Int(4))->ToString(), "4");
  EXPECT_EQ(Quantity::From(Value::Double(0.5))->ToString(), "500m");
  EXPECT_EQ(Quantity::From(Value::Digits(arena, "1.10", 1.1))->ToString(), "1100m");
  EXPECT_EQ(Quantity::From(Value::Null())->ToString(), "0");
  EXPECT_EQ(Quantity::From(Value::Bool(true)).error().code(), Code::kConversion);
  EXPECT_EQ(Quantity::From(Value::String(" ")).error().code(), Code::kSyntax);
}

}  // namespace
}  // namespace wmap::json
