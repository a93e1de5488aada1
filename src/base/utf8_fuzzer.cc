// UTF-8 over arbitrary bytes: decoding makes progress, encoding is its inverse on well-formed text,
// and the fast check agrees with the decoder.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/text.h"
#include "base/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string decoded;
  std::size_t count = 0;
  for (std::size_t at = 0; at < size; ++count) {
    wmap::Utf8Char c = wmap::DecodeUtf8(text.substr(at));
    WMAP_CHECK(c.size >= 1 && c.size <= 4 && at + c.size <= size);
    wmap::AppendUtf8(decoded, c.code);
    at += c.size;
  }
  WMAP_CHECK(wmap::CountUtf8(text) == count);
  WMAP_CHECK(wmap::IsUtf8(decoded));
  WMAP_CHECK(wmap::CountUtf8(decoded) == count);

  std::size_t valid = wmap::ValidUtf8Prefix(text);
  WMAP_CHECK(valid <= size);
  WMAP_CHECK(decoded.substr(0, valid) == text.substr(0, valid));
  WMAP_CHECK(wmap::IsUtf8(text) == (decoded == text));
  if (valid == size) {
    WMAP_CHECK(wmap::IsUtf8(wmap::Quote(text, size / 2)));
  } else {
    WMAP_CHECK(wmap::DecodeUtf8(text.substr(valid)).code == wmap::kReplacement);
  }
  return 0;
}
