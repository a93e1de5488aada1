// Arena: memory for things that die together. Allocation is a pointer bump; nothing is freed
// before the arena is. Chunks start small and grow to 1 MiB, and Reset() keeps them for reuse,
// which is what makes a tree of fresh values cheap: no page is faulted in twice.
//
// Not thread-safe; one owner at a time. What it hands out stays valid and in place until Reset()
// or destruction, also when the Arena object itself is moved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

namespace wmap {

class Arena {
 public:
  Arena() = default;
  Arena(Arena&&) noexcept;
  Arena& operator=(Arena&&) noexcept;

  // `bytes` of uninitialised memory, aligned to `align` (a power of two, at most 16).
  void* Allocate(std::size_t bytes, std::size_t align = 8) {
    std::uintptr_t start = (next_ + (align - 1)) & ~std::uintptr_t{align - 1};
    if (start + bytes > end_ || start + bytes < start) [[unlikely]]
      return AllocateSlow(bytes, align);
    next_ = start + bytes;
    return reinterpret_cast<void*>(start);
  }

  // Room for `count` objects of T, uninitialised. T needs no destructor.
  template <typename T>
  T* AllocateArray(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(Allocate(count * sizeof(T), alignof(T)));
  }

  std::string_view Copy(std::string_view text) {
    if (text.empty()) return {};
    char* to = static_cast<char*>(Allocate(text.size(), 1));
    std::memcpy(to, text.data(), text.size());
    return {to, text.size()};
  }

  // Grows the block [begin, begin+old_bytes) in place to `new_bytes` when it is the last one handed
  // out and its chunk has room. This is what makes appending in a loop linear.
  bool TryExtend(const void* begin, std::size_t old_bytes, std::size_t new_bytes) {
    auto start = reinterpret_cast<std::uintptr_t>(begin);
    if (start + old_bytes != next_ || start + new_bytes > end_) return false;
    next_ = start + new_bytes;
    return true;
  }

  // Forgets everything handed out and keeps the memory.
  void Reset();

  // Bytes taken from the system by this arena so far, a bound of what has been handed out.
  std::size_t bytes_reserved() const { return reserved_; }
  // Bytes handed out since construction or Reset(), including alignment and the unused ends of
  // chunks; what budgets count.
  std::size_t bytes_used() const { return full_ + (current_ == kNone ? 0 : next_ - base_); }

 private:
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size;
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void* AllocateSlow(std::size_t bytes, std::size_t align);
  void Enter(std::size_t chunk);

  std::uintptr_t next_ = 0;
  std::uintptr_t end_ = 0;
  std::uintptr_t base_ = 0;
  std::vector<Chunk> chunks_;
  std::size_t current_ = kNone;
  std::size_t full_ = 0;
  std::size_t reserved_ = 0;
};

}  // namespace wmap
