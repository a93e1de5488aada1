// Text for terminals: aligned columns as kubectl prints them, colours, ages, and text from objects
// made harmless.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workload/phase.h"

namespace wmap::cli {

enum class Colour { kNone, kRed, kGreen, kYellow, kBlue, kDim, kBold };

// A cell; its text must not hold line ends. Its width is counted in characters.
struct Cell {
  std::string text;
  Colour colour = Colour::kNone;
};

class Table {
 public:
  // Empty headers print no header line.
  explicit Table(std::vector<std::string> headers) : headers_(std::move(headers)) {}

  void Add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  // Columns are separated by three spaces; the last one is not padded. `indent` spaces go before
  // every line.
  std::string Render(bool colour, std::size_t indent = 0) const;
  // The widths of the columns; and that columns be at least so wide, as those of another table.
  std::vector<std::size_t> Widths() const;
  void Widen(std::vector<std::size_t> widths) { least_widths_ = std::move(widths); }

 private:
  std::vector<std::string> headers_;
  std::vector<std::vector<Cell>> rows_;
  std::vector<std::size_t> least_widths_;
};

std::string Coloured(std::string_view text, Colour colour, bool enabled);
Colour ColourOf(workload::Phase phase);

// `text` with control characters replaced, so that no object can write to the user's terminal:
// names and messages come from strangers.
std::string Safe(std::string_view text);

// "1 pod", "3 pods".
std::string Numbered(std::int64_t count, std::string_view what);

// "42s", "5m30s", "3h12m", "17d" as kubectl prints ages; "<unknown>" for 0.
std::string Age(std::int64_t created, std::int64_t now);

}  // namespace wmap::cli
