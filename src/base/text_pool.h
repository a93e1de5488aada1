// TextPool: copies of many small texts that die together, at a fraction of what a std::string each
// would cost in memory and time.
//
// Not thread-safe. What it hands out stays valid and in place as long as the pool, also when the
// pool itself is moved.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_set>

#include "base/arena.h"

namespace wmap {

class TextPool {
 public:
  // A copy of its own: for texts that are rarely equal, such as uids.
  std::string_view Keep(std::string_view text) { return arena_.Copy(text); }

  // One copy for all equal texts: for names of kinds, nodes, reasons.
  std::string_view Share(std::string_view text) {
    if (text.empty()) return {};
    std::string_view& recent = recent_[SlotOf(text)];
    if (recent != text) recent = Find(text);
    return recent;
  }

 private:
  // Neighbours in a dump have much in common, so most texts were asked for a moment ago.
  static constexpr std::size_t kRecent = 512;
  static std::size_t SlotOf(std::string_view text) {
    // Names of one kind differ at their end.
    std::uint64_t end = text.size();
    if (text.size() >= sizeof end) {
      std::memcpy(&end, text.data() + text.size() - sizeof end, sizeof end);
    } else {
      for (char c : text) end = end << 8 | static_cast<unsigned char>(c);
    }
    return ((end + text.size()) * 0x9E3779B97F4A7C15U >> 32) % kRecent;
  }

  std::string_view Find(std::string_view text) {
    auto at = shared_.find(text);
    return at != shared_.end() ? *at : *shared_.insert(arena_.Copy(text)).first;
  }

  Arena arena_;
  std::array<std::string_view, kRecent> recent_{};
  std::unordered_set<std::string_view> shared_;
};

}  // namespace wmap
