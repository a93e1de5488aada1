// Delivery: the way of values and problems to the sinks. Takes Lists apart, tells objects from
// other documents, counts, and keeps the problems of one file to a screen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/function_ref.h"
#include "input/input.h"

namespace wmap::input {

// What the items of a typed list are: {"v1", "Pod"} in a PodList. Empty when not known.
struct ItemType {
  std::string api_version;
  std::string kind;
};
// The type of the items of a list with this apiVersion and kind.
ItemType ItemTypeOf(std::string_view api_version, std::string_view list_kind);

// Whether `kind` is that of a List.
inline bool IsListKind(std::string_view kind) { return kind.ends_with("List"); }

class Delivery {
 public:
  // The places of the value at a JSON pointer of the document at hand, or nullptr.
  using PlaceReader = FunctionRef<const json::SourceMap*(std::string_view pointer)>;

  Delivery(const Options& options, Sink objects, ProblemSink problems, Summary& summary)
      : options_(options), objects_(objects), problems_(problems), summary_(summary) {}

  const Options& options() const { return options_; }

  void StartFile(std::string_view file);
  void EndFile();

  // Hands over a document, or an item of a List (`type` is that of the List's items, and
  // `source.item` its number, which grows by the items of Lists inside it).
  void Deliver(const json::Value& value, Source& source, const ItemType& type, PlaceReader places);
  void Report(const Problem& problem);
  void ReportError(const Source& source, Error error, std::string excerpt = {}) {
    Report({Problem::Severity::kError, source, std::move(error), std::move(excerpt)});
  }

 private:
  struct Level;

  void Warn(const Source& source, std::string message);
  void Give(const json::Value& value, const Source& source, std::string_view pointer,
            PlaceReader places);
  // `value` with the apiVersion and kind that it lacks.
  json::Value Typed(const json::Value& value, const ItemType& type);

  const Options& options_;
  Sink objects_;
  ProblemSink problems_;
  Summary& summary_;
  Arena arena_;  // for what Typed() adds
  std::string_view file_;
  std::size_t file_problems_ = 0;
  std::size_t file_errors_left_out_ = 0;
};

}  // namespace wmap::input
