#include "json/place.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"

namespace wmap::json {
namespace {

bool Continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// What one character of a source line looks like in an excerpt; always one column.
std::string_view Shown(std::string_view character, char32_t code) {
  if (code == '\t') return " ";
  bool malformed = code == kReplacement && character != "\xEF\xBF\xBD";
  return malformed || code < 0x20 || (code >= 0x7F && code < 0xA0) ? "?" : character;
}

}  // namespace

LineColumn PlaceCursor::PlaceOf(std::size_t offset) {
  offset = std::min(offset, text_.size());
  if (offset < offset_) {
    offset_ = 0;
    place_ = {1, 1};
  }
  for (; offset_ < offset; ++offset_) {
    char c = text_[offset_];
    bool ends_line = c == '\n' || (c == '\r' && !text_.substr(offset_ + 1).starts_with('\n'));
    if (ends_line) {
      place_ = {place_.line + 1, 1};
    } else if (!Continues(c)) {
      // A character counts where it starts.
      ++place_.column;
    }
  }
  // The place inside a character is that of the character.
  bool inside = offset < text_.size() && Continues(text_[offset]) && place_.column > 1;
  return inside ? LineColumn{place_.line, place_.column - 1} : place_;
}

LineColumn PlaceOf(std::string_view text, std::size_t offset) {
  return PlaceCursor(text).PlaceOf(offset);
}

std::string Excerpt(std::string_view text, SourceRange range, std::size_t width) {
  std::size_t at = std::min(range.begin, text.size());
  // Only the part of the line that can be shown is looked at: a line may be the whole of a dump.
  std::size_t reach = width * 4;
  std::size_t from = at;
  while (from > 0 && at - from < reach && text[from - 1] != '\n' && text[from - 1] != '\r') --from;
  std::size_t to = at;
  while (to < text.size() && to - at < reach && text[to] != '\n' && text[to] != '\r') ++to;
  bool cut_before = from > 0 && text[from - 1] != '\n' && text[from - 1] != '\r';
  bool cut_behind = to < text.size() && text[to] != '\n' && text[to] != '\r';

  std::vector<std::string_view> columns;
  std::size_t caret = 0;
  std::size_t caret_end = 0;
  for (std::size_t i = from; i < to;) {
    Utf8Char c = DecodeUtf8(text.substr(i, 4));
    if (i < at) caret = columns.size() + 1;
    if (i < range.end) caret_end = columns.size() + 1;
    columns.push_back(Shown(text.substr(i, c.size), c.code));
    i += c.size;
  }
  caret_end = std::max(caret_end, caret + 1);

  // A window of `width` columns around the caret.
  std::size_t first = 0;
  if (columns.size() > width && caret > width / 2) first = caret - width / 2;
  std::size_t last = std::min(columns.size(), first + width);
  cut_before |= first > 0;
  cut_behind |= last < columns.size();

  std::string lines = cut_before ? "..." : "";
  for (std::size_t i = first; i < last; ++i) lines += columns[i];
  if (cut_behind) lines += "...";
  lines += '\n';
  lines.append((cut_before ? 3 : 0) + caret - first, ' ');
  lines.append(std::max<std::size_t>(1, std::min(caret_end, last) - std::min(caret, last)), '^');
  lines += '\n';
  return lines;
}

}  // namespace wmap::json
