#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/utf8.h"

namespace wmap {

void AppendInt(std::string& to, std::int64_t value) {
  std::array<char, 24> buffer;
  auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  to.append(buffer.data(), end);
}

void AppendUnsigned(std::string& to, std::uint64_t value) {
  std::array<char, 24> buffer;
  auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  to.append(buffer.data(), end);
}

std::string Join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += separator;
    text += parts[i];
  }
  return text;
}

std::string Quote(std::string_view text, std::size_t limit) {
  bool cut = text.size() > limit;
  text = StartOf(text, limit);
  std::string quoted = "\"";
  for (char c : text) {
    switch (c) {
      case '"':
        quoted += "\\\"";
        break;
      case '\\':
        quoted += "\\\\";
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\r':
        quoted += "\\r";
        break;
      case '\t':
        quoted += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
          constexpr std::string_view kHex = "0123456789abcdef";
          auto byte = static_cast<unsigned char>(c);
          quoted += "\\u00";
          quoted += kHex[byte >> 4];
          quoted += kHex[byte & 15];
        } else {
          quoted += c;
        }
    }
  }
  quoted += cut ? "...\"" : "\"";
  return quoted;
}

namespace {
// Optimal string alignment distance, bounded: returns bound + 1 when the distance is larger.
std::size_t Distance(std::string_view a, std::string_view b, std::size_t bound) {
  if (a.size() > b.size() + bound || b.size() > a.size() + bound) return bound + 1;
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}
}  // namespace

std::string_view Nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  // The distance takes time in the product of the lengths, and nobody mistypes longer words.
  constexpr std::size_t kLongest = 64;
  if (word.size() > kLongest) return {};
  std::string lower = ToLower(word);
  std::size_t bound = std::max<std::size_t>(1, word.size() / 3);
  std::string_view best;
  for (std::string_view candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    std::size_t distance = Distance(lower, ToLower(candidate), bound);
    if (distance <= bound) {
      best = candidate;
      if (distance == 0) break;
      bound = distance - 1;
    }
  }
  return best;
}

std::string ToLower(std::string_view ascii) {
  std::string lower(ascii);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace wmap
