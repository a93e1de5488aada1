#include "base/base64.h"

#include <gtest/gtest.h>

namespace wmap {
namespace {

TEST(DecodeBase64, TakesTheStandardAlphabetWithPaddingAlone) {
  EXPECT_EQ(DecodeBase64(""), "");
  EXPECT_EQ(DecodeBase64("Zg=="), "f");
  EXPECT_EQ(DecodeBase64("Zm8="), "fo");
  EXPECT_EQ(DecodeBase64("Zm\n9v\r\n"), "foo");
  EXPECT_EQ(DecodeBase64("+/8A"), std::string("\xFB\xFF\0", 3));
  for (const char* bad : {"Zg", "Zg=", "Zg===", "Z", "Zm=v", "Zm9v=", "Zm-v", "Zm 9v"}) {
    EXPECT_EQ(DecodeBase64(bad), std::nullopt) << bad;
  }
}

TEST(EncodeBase64, IsTheWayBack) {
  for (const char* text : {"", "f", "fo", "foo", "foob", "\xFB\xFF\x01"}) {
    EXPECT_EQ(DecodeBase64(EncodeBase64(text)), text);
  }
  EXPECT_EQ(EncodeBase64("fo"), "Zm8=");
}

}  // namespace
}  // namespace wmap
