// Report: collects the findings of loading one definition and gives each its place in the file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/function_ref.h"
#include "definition/finding.h"
#include "definition/load.h"
#include "json/source_map.h"

namespace wmap::definition {

// What of a finding is the same in all its forms.
struct Note {
  Severity severity = Severity::kError;
  std::string_view id;
  std::string message;
  std::string hint = {};
  std::string path = {};
};

class Report {
 public:
  // `options` and what it refers to outlive the Report.
  explicit Report(const LoadOptions& options) : options_(options) {}

  // What part of a field a finding is about. Where a part has no place of its own, the nearest one
  // that has is taken: of an item of a list the value, of a missing field the object around it.
  enum class Part : unsigned char { kKey, kValue };
  // Beyond kMostFindings only whether there are errors is noted, and that there is more.
  static constexpr std::size_t kMostFindings = 200;
  void Add(Note note, std::string_view pointer, Part part = Part::kKey);
  // Where a part of a field stands; and about what was found to stand there before.
  Spot SpotOf(std::string_view pointer, Part part) const;
  void AddAt(Note note, std::string_view pointer, const Spot& spot);
  // About bytes `range` of the text of the field, which is `text`.
  void AddInText(Note note, std::string_view pointer, std::string_view text, SourceRange range);

  // For a Report of its own on the same document.
  const LoadOptions& options() const { return options_; }

  // What is an error to authors and a warning in the lenient mode.
  Severity strictness() const {
    return options_.mode == Mode::kStrict ? Severity::kError : Severity::kWarning;
  }

  // From now on, pointers that start with `pointer` lead into the JSON that is the text of that
  // field, until ClearNested(). `text` and `places` live until then.
  void SetNested(std::string pointer, std::string_view text, const json::SourceMap& places) {
    nested_ = {std::move(pointer), text, &places};
  }
  void ClearNested() { nested_ = {}; }

  // Whether a value is written as an alias (`*name`) of one that stands elsewhere.
  bool IsAlias(std::string_view pointer) const;

  // Findings so far, also those beyond the limit.
  std::size_t size() const { return findings_.size() + dropped_; }
  bool has_errors() const { return has_errors_; }
  // All findings, in the order of their places. The Report is empty then.
  std::vector<Finding> Take();
  // Those that are meant, in the order of their places. The others stay.
  std::vector<Finding> TakeIf(FunctionRef<bool(Finding&)> is_meant);

 private:
  struct Nested {
    std::string pointer;
    std::string_view text;
    const json::SourceMap* places = nullptr;
  };

  bool IsNested(std::string_view pointer) const;
  json::LineColumn PlaceIn(const json::SourceMap& places, std::string_view pointer,
                           Part part) const;
  // The same of the definition itself.
  json::LineColumn PlaceInDocument(std::string_view pointer, Part part) const;
  // The byte of the file where a part of a field starts.
  std::optional<std::size_t> StartOf(std::string_view pointer, Part part) const;
  void LocateRange(Finding& finding, std::string_view text) const;

  // Without a place. False when there are too many already.
  bool Append(Note note, std::string_view pointer);

  const LoadOptions& options_;
  Nested nested_;
  std::vector<Finding> findings_;
  std::size_t dropped_ = 0;
  bool has_errors_ = false;
};

}  // namespace wmap::definition
