// Unpacking gzip as a stream.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/fs.h"

namespace wmap::input {

inline bool IsGzip(std::string_view text) { return text.starts_with("\x1f\x8b"); }

// Reads the unpacked text of `packed`, of which `start` was read already; both must live as long.
// Several gzip files in a row are one text. Errors: kUnreadable for damaged data and for data
// that ends too early, kLimit when it unpacks to more than both `most_bytes` and 200 times its
// size.
std::unique_ptr<FileReader> Unpack(FileReader& packed, std::string_view start,
                                   std::uint64_t most_bytes);

}  // namespace wmap::input
