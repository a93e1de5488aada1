#include "cli/table.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace wmap::cli {
namespace {

std::string_view Code(Colour colour) {
  switch (colour) {
    case Colour::kRed:
      return "\x1b[31m";
    case Colour::kGreen:
      return "\x1b[32m";
    case Colour::kYellow:
      return "\x1b[33m";
    case Colour::kBlue:
      return "\x1b[34m";
    case Colour::kDim:
      return "\x1b[2m";
    case Colour::kBold:
      return "\x1b[1m";
    case Colour::kNone:
      break;
  }
  return "";
}

}  // namespace

std::string Coloured(std::string_view text, Colour colour, bool enabled) {
  if (!enabled || colour == Colour::kNone || text.empty()) return std::string(text);
  return Cat(Code(colour), text, "\x1b[0m");
}

std::vector<std::size_t> Table::Widths() const {
  std::vector<std::size_t> widths = least_widths_;
  auto measure = [&](std::size_t column, std::string_view text) {
    if (widths.size() <= column) widths.resize(column + 1);
    widths[column] = std::max(widths[column], CountUtf8(text));
  };
  for (std::size_t i = 0; i < headers_.size(); ++i) measure(i, headers_[i]);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) measure(i, row[i].text);
  }
  return widths;
}

std::string Table::Render(bool colour, std::size_t indent) const {
  std::vector<std::size_t> widths = Widths();
  std::string out;
  auto add_line = [&](std::size_t cells, auto&& cell_at) {
    out.append(indent, ' ');
    for (std::size_t i = 0; i < cells; ++i) {
      const Cell& cell = cell_at(i);
      out += Coloured(cell.text, cell.colour, colour);
      if (i + 1 < cells) out.append(widths[i] - CountUtf8(cell.text) + 3, ' ');
    }
    while (out.ends_with(' ')) out.pop_back();
    out += '\n';
  };
  if (!headers_.empty()) {
    std::vector<Cell> cells;
    for (const std::string& header : headers_) cells.push_back({header});
    add_line(cells.size(), [&](std::size_t i) -> const Cell& { return cells[i]; });
  }
  for (const auto& row : rows_) {
    add_line(row.size(), [&](std::size_t i) -> const Cell& { return row[i]; });
  }
  return out;
}

Colour ColourOf(workload::Phase phase) {
  using workload::Phase;
  switch (phase) {
    case Phase::kRunning:
    case Phase::kCompleted:
      return Colour::kGreen;
    case Phase::kFailed:
      return Colour::kRed;
    case Phase::kDegraded:
      return Colour::kYellow;
    case Phase::kInitializing:
    case Phase::kResuming:
      return Colour::kBlue;
    case Phase::kSuspended:
    case Phase::kSuspending:
    case Phase::kUndefined:
      break;
  }
  return Colour::kDim;
}

std::string Safe(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    Utf8Char c = DecodeUtf8(text.substr(i, 4));
    bool control = c.code < 0x20 || (c.code >= 0x7F && c.code < 0xA0) || c.code == 0x2028 ||
                   c.code == 0x2029 || (c.code >= 0x202A && c.code <= 0x202E) ||
                   (c.code >= 0x2066 && c.code <= 0x2069);
    if (c.code == '\n' || c.code == '\t') {
      safe += ' ';
    } else if (control) {
      safe += '?';
    } else {
      safe += text.substr(i, c.size);
    }
    i += c.size;
  }
  return safe;
}

std::string Numbered(std::int64_t count, std::string_view what) {
  return Cat(count, ' ', what, count == 1 ? "" : "s");
}

std::string Age(std::int64_t created, std::int64_t now) {
  if (created == 0) return "<unknown>";
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kHour = 60 * kMinute;
  constexpr std::int64_t kDay = 24 * kHour;
  constexpr std::int64_t kYear = 365 * kDay;
  std::int64_t age = std::max<std::int64_t>(now - created, 0);
  // The larger unit alone, or with the smaller one where that still says something.
  auto both = [&](std::int64_t unit, char name, std::int64_t smaller, char smaller_name) {
    std::int64_t rest = age % unit / smaller;
    return rest == 0 ? Cat(age / unit, name) : Cat(age / unit, name, rest, smaller_name);
  };
  if (age < 2 * kMinute) return Cat(age, 's');
  if (age < 10 * kMinute) return both(kMinute, 'm', 1, 's');
  if (age < 3 * kHour) return Cat(age / kMinute, 'm');
  if (age < 8 * kHour) return both(kHour, 'h', kMinute, 'm');
  if (age < 2 * kDay) return Cat(age / kHour, 'h');
  if (age < 8 * kDay) return both(kDay, 'd', kHour, 'h');
  if (age < 2 * kYear) return Cat(age / kDay, 'd');
  if (age < 8 * kYear) return both(kYear, 'y', kDay, 'd');
  return Cat(age / kYear, 'y');
}

}  // namespace wmap::cli
