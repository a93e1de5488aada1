// Places in a text, for people: line, column and an excerpt with a caret.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace wmap::json {

// A place in a text. Lines and columns count from 1; a column is a character (code point), not a
// byte. {0, 0} is "unknown".
struct LineColumn {
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool known() const { return line != 0; }
  friend bool operator==(const LineColumn&, const LineColumn&) = default;
};

// The place of byte `offset` of `text`. A line ends with "\n", "\r\n" or "\r". An offset at or
// beyond the end is the place behind the last character. Takes time linear in `offset`.
LineColumn PlaceOf(std::string_view text, std::size_t offset);

// The lines to show under a message: the source line of `range.begin`, and carets under the part
// of the range that is on it (at least one), both ending in "\n":
//
//     {"a": tru}
//           ^^^
//
// At most about `width` columns of a long line are shown, with "..." where it is cut. Control
// characters and bytes that are no UTF-8 are shown as '?' and tabs as one space, so that the caret
// stands where it should.
std::string Excerpt(std::string_view text, SourceRange range, std::size_t width = 80);

// Answers PlaceOf() for offsets that mostly ascend, in time linear in the whole text.
class PlaceCursor {
 public:
  explicit PlaceCursor(std::string_view text) : text_(text) {}
  LineColumn PlaceOf(std::size_t offset);

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  LineColumn place_{1, 1};
};

}  // namespace wmap::json
