// Reading one file's text, as a stream of JSON values or YAML documents.
#pragma once

#include "base/fs.h"
#include "input/delivery.h"

namespace wmap::input {

// Reads `file`, unpacking it when it is gzip, and delivers what is in it. Faults are reported, with
// `name` as the file. Returns the bytes read, after unpacking.
std::uint64_t ReadFile(FileReader& file, std::string_view name, Delivery& delivery);

}  // namespace wmap::input
