#include "input/window.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "base/text.h"

namespace wmap::input {
namespace {

// The bytes of `text` for which `is` holds. Laid out for the compiler to count in one vector: it is
// done for every byte that is read.
template <typename Is>
std::size_t CountBytes(std::string_view text, Is is) {
  constexpr std::size_t kLanes = 16;
  std::size_t count = 0;
  while (text.size() >= kLanes) {
    std::array<std::uint8_t, kLanes> lanes{};
    std::size_t rounds = std::min<std::size_t>(text.size() / kLanes, 255);
    for (std::size_t i = 0; i < rounds; ++i) {
      const char* block = text.data() + i * kLanes;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        lanes[lane] = static_cast<std::uint8_t>(lanes[lane] + (is(block[lane]) ? 1 : 0));
      }
    }
    count += std::accumulate(lanes.begin(), lanes.end(), std::size_t{0});
    text.remove_prefix(rounds * kLanes);
  }
  return count + static_cast<std::size_t>(std::ranges::count_if(text, is));
}

std::size_t CountNewlines(std::string_view text) {
  return CountBytes(text, [](char c) { return c == '\n'; });
}

// Bytes that start a character of UTF-8.
std::size_t CountCharacters(std::string_view text) {
  return CountBytes(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

}  // namespace

Window::Window(FileReader& file, std::size_t bytes, std::size_t most_bytes)
    : file_(file),
      capacity_(std::max<std::size_t>(bytes, 16)),
      most_bytes_(std::max(most_bytes, capacity_)),
      buffer_(std::make_unique_for_overwrite<char[]>(capacity_)) {}

Result<void> Window::Refill() {
  WMAP_TRY_VOID(MakeRoom());
  WMAP_TRY(std::size_t size, file_.Read({buffer_.get() + end_, capacity_ - end_}));
  is_final_ = size == 0;
  end_ += size;
  bytes_ += size;
  return {};
}

Result<void> Window::MakeRoom() {
  CountConsumed();
  std::size_t size = end_ - begin_;
  if (size * 2 > capacity_) {
    if (capacity_ == most_bytes_ && size == capacity_) {
      return Fail(Code::kLimit, Cat("an object or document larger than ", most_bytes_ >> 20,
                                    " MiB, the most that is read at once"));
    }
    std::size_t capacity = std::min(capacity_ * 2, most_bytes_);
    if (capacity != capacity_) {
      auto larger = std::make_unique_for_overwrite<char[]>(capacity);
      std::memcpy(larger.get(), buffer_.get() + begin_, size);
      buffer_ = std::move(larger);
      capacity_ = capacity;
      begin_ = counted_ = 0;
      end_ = size;
      return {};
    }
  }
  if (begin_ != 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, size);
    begin_ = counted_ = 0;
    end_ = size;
  }
  return {};
}

void Window::CountConsumed() {
  std::string_view consumed(buffer_.get() + counted_, begin_ - counted_);
  counted_ = begin_;
  if (const void* last = memrchr(consumed.data(), '\n', consumed.size()); last != nullptr) {
    place_.line += static_cast<std::uint32_t>(CountNewlines(consumed));
    place_.column = 1;
    auto size = static_cast<std::size_t>(static_cast<const char*>(last) - consumed.data()) + 1;
    consumed.remove_prefix(size);
  }
  place_.column += static_cast<std::uint32_t>(CountCharacters(consumed));
}

json::LineColumn Window::PlaceAt(std::size_t offset) {
  CountConsumed();
  json::LineColumn place = json::PlaceOf(text(), offset);
  if (place.line == 1) place.column += place_.column - 1;
  place.line += place_.line - 1;
  return place;
}

}  // namespace wmap::input
