// Writing Values as JSON, as jq and gojq print it.
//
// Numbers: an int64 in full; a number that was read keeps its digits (1.10, 1e1000, 23 digits); a
// computed double is its shortest text: 3, 1.5, 100000000000000000000, 1e+21, 1e-7, -0. What JSON
// cannot say: NaN is null, infinities are the largest doubles. Strings: only what must be escaped
// is, and U+007F. Values of any depth are safe: writing does not recurse. Cost: about 1 ns a byte.
#pragma once

#include <cstdint>
#include <memory>
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

// Writes a value piece by piece. For text that need not be in memory as a whole, and for values
// that an expression made: their parts may be shared, so that forty steps of `[., .]` are a text of
// 2^40 bytes.
class PieceWriter {
 public:
  // The memory of `value` must live as long.
  explicit PieceWriter(const Value& value, const WriteOptions& options = {});
  ~PieceWriter();
  PieceWriter(const PieceWriter&) = delete;
  PieceWriter& operator=(const PieceWriter&) = delete;

  // Appends about `bytes` more, or, as strings are not cut, some more. False at the end.
  bool Write(std::string& to, std::size_t bytes);

 private:
  friend void json::Write(const Value& value, std::string& to, const WriteOptions& options);
  class Impl;

  std::unique_ptr<Impl> impl_;
  Value value_;
  bool begun_ = false;
};

// Appends about the first `bytes` of the text of `value`. True when that is not all of it.
bool WriteStart(const Value& value, std::string& to, std::size_t bytes,
                const WriteOptions& options = {});

// Appends `text` in quotes, escaped.
void WriteString(std::string_view text, std::string& to);
// Appends a double as above.
void WriteDouble(double value, std::string& to);

}  // namespace wmap::json
