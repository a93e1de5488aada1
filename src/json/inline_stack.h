// InlineStack: a stack of plain data whose first N entries need no allocation. What the loops over
// values use instead of recursion.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace wmap::json {

template <typename T, std::size_t N>
class InlineStack {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  void Push(const T& entry) {
    if (size_ < N) {
      first_[size_] = entry;
    } else {
      rest_.push_back(entry);
    }
    ++size_;
  }
  // Valid until the next Push or Pop.
  T& top() { return size_ <= N ? first_[size_ - 1] : rest_.back(); }
  void Pop() {
    if (size_ > N) rest_.pop_back();
    --size_;
  }

 private:
  std::array<T, N> first_;
  std::vector<T> rest_;
  std::size_t size_ = 0;
};

}  // namespace wmap::json
