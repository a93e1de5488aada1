#include "inspect/creation_failures.h"

#include <gtest/gtest.h>

namespace wmap::inspect {
namespace {

TEST(CreationFailures, ReadWhatAQuotaRefuses) {
  auto refusal = ReadQuotaRefusal(
      "Error creating: pods \"train-0-x\" is forbidden: exceeded quota: gpus, requested: "
      "requests.cpu=2,requests.nvidia.com/gpu=4, used: requests.cpu=3,requests.nvidia.com/gpu=8, "
      "limited: requests.cpu=4,requests.nvidia.com/gpu=8");
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->quota, "gpus");
  ASSERT_EQ(refusal->amounts.size(), 2U);
  EXPECT_EQ(refusal->amounts[1].resource, "requests.nvidia.com/gpu");
  EXPECT_EQ(refusal->amounts[1].requested, "4");
  EXPECT_EQ(refusal->amounts[1].used, "8");
  EXPECT_EQ(refusal->amounts[1].limited, "8");
}

TEST(CreationFailures, OfOtherTextsAreNoQuota) {
  EXPECT_FALSE(ReadQuotaRefusal("pods \"x\" is forbidden: no PriorityClass"));
  auto cut = ReadQuotaRefusal("exceeded quota: gpus");
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->quota, "gpus");
  EXPECT_TRUE(cut->amounts.empty());
}

}  // namespace
}  // namespace wmap::inspect
