// Window: the part of a stream that is in memory. Reads ahead in large steps, forgets what was
// consumed, and grows only for values that do not fit. Knows the line and column of what it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/error.h"
#include "base/fs.h"
#include "json/place.h"

namespace wmap::input {

class Window {
 public:
  // `file` must live as long. The window starts with `bytes` and grows up to `most_bytes`.
  Window(FileReader& file, std::size_t bytes, std::size_t most_bytes);

  // What is in memory and not consumed. Moves with Refill().
  std::string_view text() const { return {buffer_.get() + begin_, end_ - begin_}; }
  // Whether all of the stream is in text() or was consumed.
  bool is_final() const { return is_final_; }
  // Bytes taken from the stream so far.
  std::uint64_t bytes() const { return bytes_; }

  // Drops the first `size` bytes of text(), which stay readable until Refill().
  void Consume(std::size_t size) { begin_ += size; }
  // Appends more of the stream to text(), or makes is_final() true. kLimit when text() has reached
  // the largest size; otherwise the stream's error.
  Result<void> Refill();

  // The place of byte `offset` of text() in the stream. Takes time linear in what was consumed
  // since the last call, plus the offset.
  json::LineColumn PlaceAt(std::size_t offset);

 private:
  Result<void> MakeRoom();
  // Moves `place_` over what was consumed.
  void CountConsumed();

  FileReader& file_;
  std::size_t capacity_;
  std::size_t most_bytes_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t counted_ = 0;  // place_ is that of this byte of the buffer
  json::LineColumn place_{1, 1};
  bool is_final_ = false;
  std::uint64_t bytes_ = 0;
};

}  // namespace wmap::input
