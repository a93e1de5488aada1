#include "gang/names.h"

#include <gtest/gtest.h>

namespace wmap::gang {
namespace {

TEST(Names, LabelsAreLowerCaseWordsOfAtMost63Characters) {
  for (std::string_view good : {"a", "0", "workers-replica-0"}) EXPECT_TRUE(IsDnsLabel(good));
  EXPECT_TRUE(IsDnsLabel(std::string(63, 'a')));
  for (std::string_view bad : {"", "-a", "a-", "A", "a_b", "a.b"}) EXPECT_FALSE(IsDnsLabel(bad));
  EXPECT_FALSE(IsDnsLabel(std::string(64, 'a')));
}

TEST(Names, SubdomainsAreLabelsWithDotsBetween) {
  EXPECT_TRUE(IsDnsSubdomain("pg-1.a"));
  EXPECT_TRUE(IsDnsSubdomain(std::string(253, 'a')));
  for (std::string_view bad : {"", ".", "a..b", "a.", "pg-Decode"})
    EXPECT_FALSE(IsDnsSubdomain(bad));
  EXPECT_FALSE(IsDnsSubdomain(std::string(254, 'a')));
}

TEST(Names, WhatIsNoLabelBecomesOne) {
  EXPECT_EQ(ToDnsLabel("Decode_1"), "decode-1");
  EXPECT_EQ(ToDnsLabel("--x--"), "x");
  EXPECT_EQ(ToDnsLabel("___"), "x");
  EXPECT_EQ(ToDnsLabel(std::string(80, 'a')).size(), kLongestLabel);
}

TEST(Names, LongNamesEndWithAHashOfAllOfThem) {
  EXPECT_EQ(Shortened(std::string(253, 'a')), std::string(253, 'a'));
  std::string one = Shortened(std::string(254, 'a'));
  std::string two = Shortened(std::string(255, 'a'));
  EXPECT_EQ(one.size(), 237u);
  EXPECT_NE(one, two);
  EXPECT_EQ(one.substr(0, 221), std::string(220, 'a') + "-");
}

TEST(Names, HashesAreSha256) {
  EXPECT_EQ(HashDigits("abc", 64),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(HashDigits("", 16), "e3b0c44298fc1c14");
  EXPECT_EQ(HashDigits(std::string(56, 'a'), 16), "b35439a4ac6f0948");
}

}  // namespace
}  // namespace wmap::gang
