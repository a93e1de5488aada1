// Whole files as text, for inputs that are small by nature.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.h"
#include "base/fs.h"

namespace wmap::input {

// The text of the file `path`, or of standard input for "-". Errors: those of FileSystem, and
// kLimit beyond `most` bytes.
Result<std::string> ReadText(const FileSystem& files, const std::string& path,
                             std::size_t most = std::size_t{16} << 20);

}  // namespace wmap::input
