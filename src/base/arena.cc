#include "base/arena.h"

#include <algorithm>
#include <utility>

namespace wmap {
namespace {
constexpr std::size_t kFirstChunk = 4096;
constexpr std::size_t kLargestChunk = std::size_t{1} << 20;
}  // namespace

Arena::Arena(Arena&& other) noexcept
    : next_(std::exchange(other.next_, 0)),
      end_(std::exchange(other.end_, 0)),
      base_(std::exchange(other.base_, 0)),
      chunks_(std::move(other.chunks_)),
      current_(std::exchange(other.current_, kNone)),
      full_(std::exchange(other.full_, 0)),
      reserved_(std::exchange(other.reserved_, 0)) {
  other.chunks_.clear();
}

Arena& Arena::operator=(Arena&& other) noexcept {
  if (this == &other) return *this;
  next_ = std::exchange(other.next_, 0);
  end_ = std::exchange(other.end_, 0);
  base_ = std::exchange(other.base_, 0);
  chunks_ = std::move(other.chunks_);
  other.chunks_.clear();
  current_ = std::exchange(other.current_, kNone);
  full_ = std::exchange(other.full_, 0);
  reserved_ = std::exchange(other.reserved_, 0);
  return *this;
}

void Arena::Enter(std::size_t chunk) {
  if (current_ != kNone) full_ += next_ - base_;
  current_ = chunk;
  base_ = next_ = reinterpret_cast<std::uintptr_t>(chunks_[chunk].memory.get());
  end_ = base_ + chunks_[chunk].size;
}

void* Arena::AllocateSlow(std::size_t bytes, std::size_t align) {
  std::size_t wanted = bytes + align;
  std::size_t following = current_ == kNone ? 0 : current_ + 1;
  // After Reset() the next chunk may be there already; a too small one is passed over.
  while (following < chunks_.size() && chunks_[following].size < wanted) ++following;
  if (following == chunks_.size()) {
    std::size_t size =
        chunks_.empty() ? kFirstChunk : std::min(chunks_.back().size * 2, kLargestChunk);
    size = std::max(size, wanted);
    chunks_.push_back({std::make_unique_for_overwrite<std::byte[]>(size), size});
    reserved_ += size;
  }
  Enter(following);
  return Allocate(bytes, align);
}

void Arena::Reset() {
  full_ = 0;
  current_ = kNone;
  next_ = end_ = base_ = 0;
  if (!chunks_.empty()) Enter(0);
}

}  // namespace wmap
