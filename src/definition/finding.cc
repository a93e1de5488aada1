#include "definition/finding.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "definition/scalar_source.h"

namespace wmap::definition {
namespace {

// Files and names are a stranger's: what could steer a terminal is shown as '?'.
std::string Printable(std::string_view text) {
  std::string safe;
  for (std::size_t i = 0; i < text.size();) {
    Utf8Char c = DecodeUtf8(text.substr(i, 4));
    bool control = c.code < 0x20 || (c.code >= 0x7F && c.code < 0xA0);
    if (control) {
      safe += '?';
    } else {
      AppendUtf8(safe, c.code);
    }
    i += c.size;
  }
  return safe;
}

// "a.yaml:3:7", or the field where no place is known.
std::string Where(const Finding& finding) {
  std::string where = Printable(finding.source);
  if (finding.place.known()) {
    CatTo(where, where.empty() ? "line " : ":", finding.place.line, ':', finding.place.column);
  } else if (!finding.pointer.empty()) {
    CatTo(where, where.empty() ? "" : ": ", Printable(finding.pointer));
  }
  return where;
}

}  // namespace

std::string_view SeverityName(Severity severity) {
  return severity == Severity::kError ? "error" : "warning";
}

bool HasErrors(std::span<const Finding> findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.is_error(); });
}

std::string Render(const Finding& finding, std::string_view text) {
  std::string where = Where(finding);
  std::string lines = Cat(where, where.empty() ? "" : ": ", SeverityName(finding.severity), ' ',
                          finding.id, ": ", Printable(finding.message), '\n');
  if (auto start = OffsetOf(text, finding.place)) {
    std::size_t end = *start;
    for (std::uint32_t i = 0; i < finding.width && end < text.size(); ++i) {
      end += DecodeUtf8(text.substr(end, 4)).size;
    }
    lines += json::Excerpt(text, {*start, end}, 100);
  }
  if (!finding.hint.empty()) CatTo(lines, "hint: ", Printable(finding.hint), '\n');
  if (!finding.silenced_because.empty()) {
    CatTo(lines, "silenced: ", Printable(finding.silenced_because), '\n');
  }
  return lines;
}

std::string Render(std::span<const Finding> findings, std::string_view text) {
  std::string lines;
  for (const Finding& finding : findings) lines += Render(finding, text);
  return lines;
}

}  // namespace wmap::definition
