#include "definition/report.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "base/utf8.h"
#include "definition/rule_list.h"
#include "definition/scalar_source.h"

namespace wmap::definition {
namespace {

// The columns of the word, key or quoted text at the start of `text`.
std::uint32_t WidthOfToken(std::string_view text) {
  std::size_t size = 0;
  if (text.starts_with('"') || text.starts_with('\'')) {
    size = text.find_first_of(Cat(text[0], '\n'), 1);
    size = size == std::string_view::npos || text[size] == '\n' ? 1 : size + 1;
  } else {
    while (size < text.size() && !std::string_view(" \t\r\n,{}[]").contains(text[size]) &&
           !(text[size] == ':' &&
             (size + 1 == text.size() || text[size + 1] == ' ' || text[size + 1] == '\n'))) {
      ++size;
    }
  }
  return static_cast<std::uint32_t>(std::max<std::size_t>(1, CountUtf8(text.substr(0, size))));
}

bool IsBefore(const Finding& a, const Finding& b) {
  return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
}

}  // namespace

bool Report::IsNested(std::string_view pointer) const {
  if (nested_.places == nullptr || !pointer.starts_with(nested_.pointer)) return false;
  std::string_view rest = pointer.substr(nested_.pointer.size());
  return rest.starts_with('/');
}

json::LineColumn Report::PlaceIn(const json::SourceMap& places, std::string_view pointer,
                                 Part part) const {
  json::SourceMap::Entry entry = places.FindNearest(pointer);
  return part == Part::kKey && entry.key.known() ? entry.key : entry.value;
}

json::LineColumn Report::PlaceInDocument(std::string_view pointer, Part part) const {
  return PlaceIn(*options_.places, Cat(options_.root, pointer), part);
}

std::optional<std::size_t> Report::StartOf(std::string_view pointer, Part part) const {
  if (options_.places == nullptr || options_.text.empty()) return std::nullopt;
  if (!IsNested(pointer)) {
    return OffsetOf(options_.text, PlaceInDocument(pointer, part));
  }
  auto outer = OffsetOf(options_.text, PlaceInDocument(nested_.pointer, Part::kValue));
  auto inner = OffsetOf(nested_.text,
                        PlaceIn(*nested_.places, pointer.substr(nested_.pointer.size()), part));
  if (!outer || !inner) return std::nullopt;
  return SourceOffset(options_.text, *outer, nested_.text, *inner);
}

bool Report::IsAlias(std::string_view pointer) const {
  auto start = StartOf(pointer, Part::kValue);
  return start && *start < options_.text.size() && options_.text[*start] == '*';
}

Spot Report::SpotOf(std::string_view pointer, Part part) const {
  if (options_.places == nullptr) return {};
  if (auto start = StartOf(pointer, part)) {
    return {json::PlaceOf(options_.text, *start), WidthOfToken(options_.text.substr(*start))};
  }
  if (IsNested(pointer)) return {PlaceInDocument(nested_.pointer, Part::kValue)};
  return {PlaceInDocument(pointer, part)};
}

// An expression may stand in a text that stands in a text: the way back is one step for each.
void Report::LocateRange(Finding& finding, std::string_view text) const {
  if (options_.places == nullptr || options_.text.empty()) return;
  auto file_offset = [&](std::size_t offset) -> std::optional<std::size_t> {
    if (!IsNested(finding.pointer)) {
      auto start = StartOf(finding.pointer, Part::kValue);
      if (!start) return std::nullopt;
      return SourceOffset(options_.text, *start, text, offset);
    }
    auto outer = OffsetOf(options_.text, PlaceInDocument(nested_.pointer, Part::kValue));
    std::string_view pointer = std::string_view(finding.pointer).substr(nested_.pointer.size());
    auto inner = OffsetOf(nested_.text, PlaceIn(*nested_.places, pointer, Part::kValue));
    if (!outer || !inner) return std::nullopt;
    auto in_nested = SourceOffset(nested_.text, *inner, text, offset);
    if (!in_nested) return std::nullopt;
    return SourceOffset(options_.text, *outer, nested_.text, *in_nested);
  };
  auto begin = file_offset(finding.range->begin);
  if (!begin) return;
  finding.place = json::PlaceOf(options_.text, *begin);
  finding.width = 1;
  auto end = file_offset(finding.range->end);
  if (!end || *end <= *begin) return;
  std::string_view meant = options_.text.substr(*begin, *end - *begin);
  meant = meant.substr(0, meant.find('\n'));
  finding.width = static_cast<std::uint32_t>(std::max<std::size_t>(1, CountUtf8(meant)));
}

bool Report::Append(Note note, std::string_view pointer) {
  WMAP_CHECK(FindRule(note.id) != nullptr);
  has_errors_ |= note.severity == Severity::kError;
  if (findings_.size() >= kMostFindings) {
    ++dropped_;
    return false;
  }
  Finding finding;
  finding.severity = note.severity;
  finding.id = note.id;
  finding.message = std::move(note.message);
  finding.hint = std::move(note.hint);
  finding.path = std::move(note.path);
  finding.pointer = pointer;
  finding.source = options_.source;
  findings_.push_back(std::move(finding));
  return true;
}

void Report::Add(Note note, std::string_view pointer, Part part) {
  AddAt(std::move(note), pointer, SpotOf(pointer, part));
}

void Report::AddAt(Note note, std::string_view pointer, const Spot& spot) {
  if (!Append(std::move(note), pointer)) return;
  findings_.back().place = spot.place;
  findings_.back().width = spot.width;
}

void Report::AddInText(Note note, std::string_view pointer, std::string_view text,
                       SourceRange range) {
  Spot spot = SpotOf(pointer, Part::kValue);
  if (!Append(std::move(note), pointer)) return;
  Finding& finding = findings_.back();
  finding.place = spot.place;
  finding.width = spot.width;
  range.end = std::max(range.begin, std::min(range.end, text.size()));
  finding.range = range;
  LocateRange(finding, text);
}

std::vector<Finding> Report::TakeIf(FunctionRef<bool(Finding&)> is_meant) {
  std::vector<Finding> taken;
  std::vector<Finding> left;
  for (Finding& finding : findings_) {
    (is_meant(finding) ? taken : left).push_back(std::move(finding));
  }
  findings_ = std::move(left);
  std::ranges::stable_sort(taken, IsBefore);
  return taken;
}

std::vector<Finding> Report::Take() {
  std::ranges::stable_sort(findings_, IsBefore);
  if (dropped_ > 0) {
    Finding more;
    more.severity = has_errors_ ? Severity::kError : Severity::kWarning;
    more.id = "limit";
    more.message = Cat(dropped_, " more findings are not shown");
    more.source = options_.source;
    findings_.push_back(std::move(more));
  }
  dropped_ = 0;
  has_errors_ = false;
  return std::exchange(findings_, {});
}

}  // namespace wmap::definition
