#include "base/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/clock.h"
#include "base/function_ref.h"

namespace wmap {
namespace {

using ::testing::ElementsAre;

TEST(Error, IsOnePointerWide) { EXPECT_EQ(sizeof(Error), sizeof(void*)); }

TEST(Error, DescribesContextsOutermostFirst) {
  Error error(Code::kSyntax, "unexpected ','");
  error.In("line 3").In("file a.yaml");
  EXPECT_EQ(error.Describe(), "file a.yaml: line 3: unexpected ','");
  EXPECT_EQ(error.message(), "unexpected ','");
  EXPECT_THAT(error.contexts(), ElementsAre("line 3", "file a.yaml"));
}

TEST(Error, CarriesAPlaceWhenGiven) {
  EXPECT_FALSE(Error(Code::kSyntax, "x").range().has_value());
  Error error = Error(Code::kSyntax, "x").At({3, 5}).In("y");
  ASSERT_TRUE(error.range().has_value());
  EXPECT_EQ(error.range()->begin, 3U);
  EXPECT_EQ(error.range()->end, 5U);
}

TEST(Error, CopiesAreIndependent) {
  Error first(Code::kLimit, "x");
  Error second = first;
  second.In("outer");
  EXPECT_EQ(first.Describe(), "x");
  first = second;
  EXPECT_EQ(first.Describe(), "outer: x");
  const Error& self = first;
  first = self;
  EXPECT_EQ(first.Describe(), "outer: x");
}

TEST(Error, EveryCodeHasANameOfItsOwn) {
  std::set<std::string_view> names;
  int count = 0;
  for (int code = 0; code <= static_cast<int>(Code::kUnavailable); ++code, ++count) {
    names.insert(CodeName(static_cast<Code>(code)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(count));
  EXPECT_FALSE(names.contains("unknown"));
  EXPECT_EQ(CodeName(Code::kNotDefined), "not-defined");
  EXPECT_EQ(CodeName(static_cast<Code>(255)), "unknown");
}

Result<int> Half(int value) {
  if (value % 2 != 0) return Fail(Code::kInvalid, "odd");
  return value / 2;
}

Result<int> Quarter(int value) {
  WMAP_TRY(int half, Half(value));
  WMAP_TRY(half, Half(half));
  return half;
}

Result<void> Check(int value, bool* reached) {
  WMAP_TRY_VOID(Half(value));
  *reached = true;
  return {};
}

Result<std::unique_ptr<int>> Owned() { return std::make_unique<int>(7); }

Result<int> Unwrap() {
  WMAP_TRY(auto owned, Owned());
  return *owned;
}

TEST(Try, DeclaresAssignsAndReturnsTheFirstError) {
  EXPECT_EQ(Quarter(8).value(), 2);
  ASSERT_FALSE(Quarter(6).has_value());
  EXPECT_EQ(Quarter(6).error().message(), "odd");
  EXPECT_EQ(Quarter(3).error().code(), Code::kInvalid);
}

TEST(Try, VoidFormStopsAtTheError) {
  bool reached = false;
  EXPECT_FALSE(Check(1, &reached).has_value());
  EXPECT_FALSE(reached);
  EXPECT_TRUE(Check(2, &reached).has_value());
  EXPECT_TRUE(reached);
}

TEST(Try, MovesValuesThatCannotBeCopied) { EXPECT_EQ(Unwrap().value(), 7); }

TEST(FunctionRef, CallsWhatItRefersTo) {
  int sum = 0;
  auto add = [&sum](int value) { return sum += value; };
  FunctionRef<int(int)> call = add;
  EXPECT_EQ(call(3), 3);
  EXPECT_EQ(call(4), 7);
  auto take = [](FunctionRef<std::string(std::unique_ptr<int>)> f) {
    return f(std::make_unique<int>(5));
  };
  EXPECT_EQ(take([](std::unique_ptr<int> value) { return std::to_string(*value); }), "5");
}

TEST(Clock, OfTheSystemMovesForward) {
  const Clock& clock = SystemClock();
  auto before = clock.MonotonicNanos();
  EXPECT_GE(clock.MonotonicNanos(), before);
  EXPECT_GT(clock.UnixSeconds(), 1'700'000'000);
}

TEST(CheckDeathTest, NamesTheConditionAndItsPlace) {
  WMAP_CHECK(1 + 1 == 2);
  EXPECT_DEATH(WMAP_CHECK(1 + 1 == 3), "error_test.cc:[0-9]+: check failed: 1 \\+ 1 == 3");
}

TEST(Error, DescribesBrokenTextAsUtf8) {
  EXPECT_EQ(Error(Code::kInvalid, "key \xE0\x84").Describe(), "key \uFFFD\uFFFD");
}

}  // namespace
}  // namespace wmap
