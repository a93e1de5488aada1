// Scratch: a stack of plain data that keeps its memory and costs a compare and a store per entry.
// What the reader collects items and members on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace wmap::json {

template <typename T>
class Scratch {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return memory_.data(); }
  // Valid until the next Push.
  T& top() { return memory_.data()[size_ - 1]; }
  void Push(const T& entry) {
    if (size_ == memory_.size()) [[unlikely]]
      Grow();
    memory_.data()[size_++] = entry;
  }
  // Drops all entries above the first `size`.
  void Shrink(std::size_t size) { size_ = size; }

 private:
  [[gnu::noinline]] void Grow() { memory_.resize(std::max<std::size_t>(32, memory_.size() * 2)); }

  std::vector<T> memory_;
  std::size_t size_ = 0;
};

}  // namespace wmap::json
