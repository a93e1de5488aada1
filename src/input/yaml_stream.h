// A stream of YAML documents, each of which may be JSON, read through a window.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/arena.h"
#include "base/error.h"
#include "input/delivery.h"
#include "input/window.h"
#include "json/reader.h"
#include "yaml/reader.h"

namespace wmap::input {

class YamlStream {
 public:
  YamlStream(Window& window, std::string_view file, Delivery& delivery);

  // Reads to the end. `json_error`: why the first document is no JSON, when that was tried.
  void Run(std::optional<Error> json_error);

 private:
  // What came of a document.
  enum class Outcome : std::uint8_t { kEmpty, kRead, kFailed, kNoText };

  Result<yaml::DocumentText> FindDocument();
  Outcome ReadDocument(std::size_t begin, std::string_view text, bool is_only,
                       std::optional<Error> json_error);
  Result<std::optional<json::Value>> Parse(std::string_view text, std::uint32_t first_line,
                                           std::optional<Error> json_error);
  const json::SourceMap* ReadPlaces(std::string_view text, std::uint32_t first_line,
                                    std::string_view pointer);

  Window& window_;
  std::string_view file_;
  Delivery& delivery_;
  yaml::Reader reader_;
  json::Reader json_reader_;
  std::uint32_t number_ = 0;  // of the document, among those with content
  Arena arena_;
  json::SourceMap places_;
};

}  // namespace wmap::input
