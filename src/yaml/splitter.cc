// Cutting a stream into documents.
#include "yaml/reader.h"

namespace wmap::yaml {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view WithoutMark(std::string_view line) {
  return line.starts_with(kByteOrderMark) ? line.substr(kByteOrderMark.size()) : line;
}

// Three times `c`, alone on the line or with white space behind it.
bool IsMarker(std::string_view line, char c) {
  return line.size() >= 3 && line[0] == c && line[1] == c && line[2] == c &&
         (line.size() == 3 || line[3] == ' ' || line[3] == '\t' || line[3] == '\r');
}
bool IsSeparator(std::string_view line) { return IsMarker(WithoutMark(line), '-'); }

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

struct Line {
  std::string_view text;  // without "\n"
  std::size_t next;
};
// The line at `start`; nothing when its end is not known yet.
std::optional<Line> LineAt(std::string_view text, std::size_t start, bool final) {
  std::size_t end = text.find('\n', start);
  if (end != std::string_view::npos) return Line{text.substr(start, end - start), end + 1};
  if (!final) return std::nullopt;
  return Line{text.substr(start), text.size()};
}

// Where the text of a document starts, and whether directives stand in front of its marker.
struct Start {
  std::size_t begin;
  bool has_directives;
};
std::optional<Start> FindStart(std::string_view text, bool final) {
  auto line = LineAt(text, 0, final);
  if (!line) return std::nullopt;
  std::size_t begin = text.size() - WithoutMark(text).size();
  if (IsSeparator(line->text)) {
    if (!IsBlank(line->text.substr(begin + 3))) return Start{begin, false};
    begin = line->next;
    // A file with a mark that was appended to another one.
    if (text.substr(begin).starts_with(kByteOrderMark)) begin += kByteOrderMark.size();
    return Start{begin, false};
  }
  for (std::size_t at = begin; at < text.size(); at = line->next) {
    line = LineAt(text, at, final);
    if (!line) return std::nullopt;
    if (line->text.starts_with('%')) return Start{begin, true};
    if (!IsBlank(line->text) && !line->text.starts_with('#')) break;
  }
  return Start{begin, false};
}

}  // namespace

std::optional<DocumentText> FindDocument(std::string_view text, bool final, std::size_t* scanned) {
  auto start = FindStart(text, final);
  if (!start) return std::nullopt;
  bool expects_marker = start->has_directives;
  std::size_t at = start->begin;
  // The document's own marker, when text stands behind it, ends nothing.
  if (auto line = LineAt(text, at, final); line && !expects_marker && IsSeparator(line->text) &&
                                           at == text.size() - WithoutMark(text).size()) {
    at = line->next;
  }
  if (!expects_marker && *scanned > at) at = *scanned;
  while (at < text.size()) {
    auto line = LineAt(text, at, final);
    if (!line) break;
    if (IsSeparator(line->text)) {
      if (!expects_marker) return DocumentText{start->begin, at, at};
      expects_marker = false;
    } else if (IsMarker(line->text, '.')) {
      return DocumentText{start->begin, at, line->next};
    }
    at = line->next;
  }
  *scanned = at;
  if (!final) return std::nullopt;
  return DocumentText{start->begin, text.size(), text.size()};
}

}  // namespace wmap::yaml
