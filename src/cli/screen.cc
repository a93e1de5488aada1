#include "cli/screen.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace wmap::cli {

void Screen::Show(const std::string& text) {
  std::size_t height = static_cast<std::size_t>(std::max(context_.out_lines(), 0));
  if (height == 0) return context_.out->Write(text);
  // The last line is where the cursor stands.
  std::size_t room = std::max<std::size_t>(height, 3) - 2;
  std::size_t lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  std::string_view fits = text;
  if (lines > room) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < room; ++i) end = text.find('\n', end) + 1;
    fits = fits.substr(0, end);
  }
  std::string out;
  if (shown_ > 0) CatTo(out, "\x1b[", shown_, 'A');
  CatTo(out, "\r\x1b[J", fits);
  shown_ = std::min(lines, room);
  if (lines > room) {
    CatTo(out, "... and ", lines - room, " more lines\n");
    ++shown_;
  }
  context_.out->Write(out);
}

}  // namespace wmap::cli
