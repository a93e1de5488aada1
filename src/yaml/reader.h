// Reading YAML as Kubernetes reads it (sigs.k8s.io/yaml) into a tree of Values.
//
// Plain scalars are resolved as the API machinery does: y/n/yes/no/on/off/true/false in three
// casings are booleans; empty, ~ and null are null; integers may be 0x, 0o, 0b, octal with a
// leading 0, and hold underscores; integers beyond 64 bits are doubles; dates are text. Keys that
// are integers, doubles or booleans become their text. Merge keys (`<<`) are applied; a mapping's
// own key wins over a merged one.
//
// Stricter than the API machinery where it would lose data in silence: a repeated key is an error
// that names both lines, and so is what JSON cannot hold (.inf, .nan, null as key).
//
// A stream is cut at lines that begin with three dashes (see DocumentEnd) and each document is read
// alone, so that an error costs one document and anchors do not reach over.
//
// Errors: kSyntax (also for bytes that are no text), kInvalid (repeated keys and the like), kLimit.
// They carry the byte range in the text and, where the mistake is a known one, a hint. Reading
// never recurses. Cost: about 10 ns a byte, most of it in libyaml.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/error.h"
#include "json/place.h"
#include "json/source_map.h"
#include "json/value.h"

namespace wmap::yaml {

struct ReadOptions {
  // Mappings and sequences inside each other.
  std::uint32_t max_depth = 1000;
  // What aliases and merge keys may add to a document if they were written out, in bytes of memory.
  // An alias shares the memory of its anchor, so this protects those who walk the tree.
  std::size_t max_alias_bytes = std::size_t{64} << 20;
};

// What SourceMap to fill while reading one document.
struct PlaceOptions {
  // Receives the place of every key and value, when not null.
  json::SourceMap* map = nullptr;
  // Only what is at or below this JSON pointer is recorded, under pointers relative to it: the
  // entry of an item of a List is "" when `root` is "/items/3".
  std::string_view root = {};
  // The line of the first byte of the text in its file.
  std::uint32_t first_line = 1;
};

// Reads single documents. Keeps its working memory between calls. Not thread-safe.
class Reader {
 public:
  explicit Reader(const ReadOptions& options = {});
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  // The value of `text`, which must hold at most one document; nothing when it has no content
  // (white space, comments). Everything the value refers to stands in `arena`. Only
  // `places.first_line` is of interest to messages.
  Result<std::optional<json::Value>> Read(std::string_view text, Arena& arena,
                                          const PlaceOptions& places = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Where the next document of a stream is. `text` starts at the beginning of a line.
struct DocumentText {
  std::size_t begin;  // first byte to give to Reader::Read()
  std::size_t end;    // behind the last one
  std::size_t next;   // where the following document's text starts
};
// Finds the end of the first document in `text`: before a line that begins with "---" (or, as
// editors on other systems leave it, a byte order mark and "---"), or behind one that begins with
// "...", followed by white space or the end of the line. Three dashes with other text behind them,
// and indented ones, are text. Directives (`%YAML 1.1`) belong to the document that follows.
//
// Nothing when `final` is false and the end is not in `text`; then `*scanned` is how far it was
// searched, to be passed in again with more text. Initially 0.
std::optional<DocumentText> FindDocument(std::string_view text, bool final, std::size_t* scanned);

// The documents of a stream that is all in memory.
struct Document {
  json::Value value;
  // Among the documents with content, from 1.
  std::uint32_t number;
  std::string_view text;
  // The line on which `text` starts.
  std::uint32_t first_line;
};

class Documents {
 public:
  explicit Documents(std::string_view text, const ReadOptions& options = {});

  // The next document with content, its value in `arena`; nothing at the end. After an error, which
  // carries its range in the whole text and the document's number as context when the stream has
  // several, the following call goes on with the next document.
  Result<std::optional<Document>> Next(Arena& arena, json::SourceMap* places = nullptr);

 private:
  std::uint32_t CountLines(std::size_t begin, std::size_t end) const;

  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;  // of the text at position_
  std::uint32_t number_ = 0;
  Reader reader_;
};

// The one document of `text`; null when there is none, an error when there are several.
Result<json::Value> Read(std::string_view text, Arena& arena, json::SourceMap* places = nullptr,
                         const ReadOptions& options = {});

}  // namespace wmap::yaml
