#include "schema/draft_yaml.h"

#include <algorithm>

#include "base/text.h"
#include "schema/draft_place.h"

namespace wmap::schema {
namespace {

bool HasControls(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

// Whether YAML reads it as the text that it is, without quotes.
bool IsPlain(std::string_view text) {
  if (text.empty() || text.find(": ") != std::string_view::npos ||
      text.find(" #") != std::string_view::npos || text.ends_with(':')) {
    return false;
  }
  constexpr std::string_view kSpecial = "{}[]\"'&*!|>%@`#,?-";
  if (kSpecial.find(text.front()) != std::string_view::npos) return false;
  bool is_number =
      std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  std::string lower = ToLower(text);
  for (std::string_view word : {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"}) {
    if (lower == word) return false;
  }
  return !is_number;
}

// The last `mark` that ends before `room` and stands in no text of the expression; npos: there is
// none in the second half.
std::size_t LastMark(std::string_view text, std::string_view mark, std::size_t room) {
  std::size_t found = std::string_view::npos;
  bool is_in_text = false;
  for (std::size_t at = 0; at + mark.size() <= std::min(room, text.size()); ++at) {
    if (text[at] == '"' && (at == 0 || text[at - 1] != '\\')) is_in_text = !is_in_text;
    if (!is_in_text && text.substr(at).starts_with(mark)) found = at;
  }
  return found == std::string_view::npos || found < room / 2 ? std::string_view::npos : found;
}

// Parts a text where an expression goes on, in lines that fit.
template <typename F>
void ForEachLine(std::string_view text, std::size_t room, F visit) {
  while (text.size() > room) {
    std::size_t end = std::string_view::npos;
    for (std::string_view mark : {" | ", " elif ", " else ", " then ", " or ", " * ", ", ", " "}) {
      end = LastMark(text, mark, room);
      if (end != std::string_view::npos && mark == ", ") ++end;
      if (end != std::string_view::npos) break;
    }
    if (end == std::string_view::npos) break;
    visit(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  visit(text);
}

}  // namespace

std::string Scalar(std::string_view text) {
  if (HasControls(text)) return InQuotes(text);
  if (IsPlain(text)) return std::string(text);
  std::string quoted = "'";
  for (char c : text) CatTo(quoted, c == '\'' ? "''" : std::string(1, c));
  return quoted + "'";
}

std::string KindText(const definition::GroupVersionKind& kind) {
  auto part = [](std::string_view text) {
    constexpr std::string_view kOther = " \t\n\r:{}[],#&*!|>'\"%@`";
    bool is_plain = IsPlain(text) && text.find_first_of(kOther) == std::string_view::npos;
    return is_plain ? std::string(text) : InQuotes(text);
  };
  return Cat("{group: ", part(kind.group), ", version: ", part(kind.version),
             ", kind: ", part(kind.kind), '}');
}

void YamlLines::Line(std::size_t depth, std::string_view text) {
  CatTo(text_, std::string(depth * 2, ' '), text, '\n');
}

void YamlLines::Lines(std::size_t depth, std::string_view text) {
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    Line(depth, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void YamlLines::Comment(std::size_t depth, std::string_view text) {
  std::string clean(text);
  for (char& c : clean) c = HasControls({&c, 1}) ? ' ' : c;
  text = clean;
  std::string line;
  while (!text.empty()) {
    std::size_t blank = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    if (!line.empty() && depth * 2 + 3 + line.size() + word.size() > kWidth) {
      Line(depth, Cat("# ", line));
      line.clear();
    }
    CatTo(line, line.empty() ? "" : " ", word);
  }
  if (!line.empty()) Line(depth, Cat("# ", line));
}

void YamlLines::Expression(std::size_t depth, std::string_view key, std::string_view text) {
  std::string whole = Cat(key, ": ", Scalar(text));
  if (depth * 2 + whole.size() <= kWidth || HasControls(text)) return Line(depth, whole);
  Line(depth, Cat(key, ": >-"));
  ForEachLine(text, kWidth - (depth + 1) * 2,
              [&](std::string_view line) { Line(depth + 1, line); });
}

void YamlLines::Block(std::size_t depth, std::string_view text) {
  std::size_t margin = text.find_first_not_of(' ');
  std::string_view indent = text.substr(0, margin);
  bool is_first = true;
  text.remove_prefix(margin);
  ForEachLine(text, kWidth - depth * 2 - margin - 4, [&](std::string_view line) {
    Line(depth, Cat(indent, is_first ? "" : "    ", line));
    is_first = false;
  });
}

}  // namespace wmap::schema
