// Finding: one thing that is wrong, or probably wrong, in a definition, with its place in the file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "json/place.h"

namespace wmap::definition {

// Errors break a rule of the format; warnings are legal and most likely not what was meant.
enum class Severity : std::uint8_t { kWarning, kError };
// "warning", "error".
std::string_view SeverityName(Severity severity);

// A place in a file, and how many columns are meant.
struct Spot {
  json::LineColumn place = {};
  std::uint32_t width = 1;
};

struct Finding {
  Severity severity = Severity::kError;
  // The rule, stable for programs: "V7", "J2", "compile", "unknown-field", "empty-matcher", … All
  // are in rule_list.h.
  std::string id;
  std::string message;
  std::string hint;     // what to do about it, or ""
  std::string pointer;  // JSON pointer of the field, or of the object that lacks one
  std::string path;     // of documents, as ".spec.crews[].size", where it is about one; or ""
  std::string source;   // the file, or ""
  json::LineColumn place;
  std::uint32_t width = 1;  // columns to underline
  // Bytes of the text of the field (an expression, or the extensions annotation) that are meant.
  std::optional<SourceRange> range;
  // The reason that the definition's author gives for it; "" where it is not silenced.
  std::string silenced_because = {};

  bool is_error() const { return severity == Severity::kError; }
};

bool HasErrors(std::span<const Finding> findings);

// For people: one finding with the line of `text` (the file; may be empty) that it is about:
//
//     jobs.yaml:14:25: error V7: owner "wrokers" of component "ps" does not exist
//             ownerRef: wrokers
//                       ^~~~~~~
//     hint: did you mean "workers"?
//
// and of one that is silenced the reason, as "silenced: …".
// Ends with a newline.
std::string Render(const Finding& finding, std::string_view text);
// All of them, in the order given.
std::string Render(std::span<const Finding> findings, std::string_view text);

}  // namespace wmap::definition
