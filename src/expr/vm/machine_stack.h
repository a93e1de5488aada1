// MachineStack: a stack of plain data whose memory counts against the budget of the run.
//
// The memory is kept from run to run, but each run is charged for what it uses of it, as if it were
// new: a program ends at the same place whatever ran before it. Large stacks grow by a quarter, and
// where realloc() can move pages without a second copy, so that what is charged is close to what is
// resident.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <type_traits>

#include "base/check.h"
#include "expr/vm/context.h"

namespace wmap::expr::vm {

template <typename T>
class MachineStack {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

 public:
  explicit MachineStack(Context& context) : context_(context) {}
  ~MachineStack() { std::free(entries_); }
  MachineStack(const MachineStack&) = delete;
  MachineStack& operator=(const MachineStack&) = delete;

  // For a new run.
  void Clear() {
    size_ = 0;
    charged_ = std::min(capacity_, kUncharged);
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T* data() { return entries_; }
  T& back() { return entries_[size_ - 1]; }
  T& operator[](std::size_t i) { return entries_[i]; }
  const T& operator[](std::size_t i) const { return entries_[i]; }

  // Both return false when the budget is used up.
  bool Push(const T& entry) {
    if (size_ == charged_ && !Grow(size_ + 1)) [[unlikely]]
      return false;
    entries_[size_++] = entry;
    return true;
  }
  bool PushNew(std::size_t count) {
    if (size_ + count > charged_ && !Grow(size_ + count)) [[unlikely]]
      return false;
    std::fill_n(entries_ + size_, count, T());
    size_ += count;
    return true;
  }
  void Pop() { --size_; }
  // Drops what stands above the first `size`.
  void Shrink(std::size_t size) { size_ = size; }

 private:
  // Entries of which nobody need be told.
  static constexpr std::size_t kUncharged = 32;
  static constexpr std::size_t kSmall = (std::size_t{64} << 10) / sizeof(T);

  [[gnu::noinline]] bool Grow(std::size_t wanted) {
    std::size_t more = charged_ < kSmall ? charged_ : charged_ / 4;
    std::size_t entries = std::max({wanted, charged_ + more, kUncharged});
    if (!context_.Charge((entries - charged_) * sizeof(T))) return false;
    charged_ = entries;
    if (entries <= capacity_) return true;
    entries_ = static_cast<T*>(std::realloc(entries_, entries * sizeof(T)));
    WMAP_CHECK(entries_ != nullptr);
    capacity_ = entries;
    return true;
  }

  Context& context_;
  T* entries_ = nullptr;
  std::size_t size_ = 0;
  std::size_t charged_ = 0;   // entries that this run may use
  std::size_t capacity_ = 0;  // entries that there is memory for
};

}  // namespace wmap::expr::vm
