// Writing Values as JSON, as jq and gojq print it.
//
// Numbers: an int64 in full; a number that was read keeps its digits (1.10, 1e1000, 23 digits); a
// computed double is its shortest text: 3, 1.5, 100000000000000000000, 1e+21, 1e-7, -0. What JSON
// cannot say: NaN is null, infinities are the largest doubles. Strings: only what must be escaped
// is, and U+007F. Values of any depth are safe: writing does not recurse. Cost: about 1 ns a byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/value.h"

namespace wmap::json {

struct WriteOptions {
  enum class Order : std::uint8_t { kSorted, kSource };

  // Spaces per level; 0 writes everything on one line without spaces.
  std::uint8_t indent = 0;
  Order order = Order::kSorted;
  // False: numbers that were read are written as their doubles would be, except exact integers.
  bool keep_digits = true;
};

// Appends `value` to `to`.
void Write(const Value& value, std::string& to, const WriteOptions& options = {});
std::string ToJson(const Value& value, const WriteOptions& options = {});

// Appends `text` in quotes, escaped.
void WriteString(std::string_view text, std::string& to);
// Appends a double as above.
void WriteDouble(double value, std::string& to);

}  // namespace wmap::json
