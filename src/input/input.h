// From names to Kubernetes objects: files, directories, standard input; YAML, JSON, gzip; many
// documents in a file, Lists, dumps of any size.
//
// Objects are handed to a sink one by one. A JSON List is read item by item through a window over
// the file, so that memory depends on the largest item and not on the file. YAML is read document
// by document. What is wrong with one document, file or folder is a Problem, and the others are
// still read.
//
// Lists. Any document whose kind ends in "List" and that has `items` is taken apart, also inside
// another one, and so is a bare array of objects. The items of a typed list (PodList) that have no
// apiVersion and kind get those of the list ("Pod").
//
// JSON or YAML is told by the content: text that begins with "{" or "[" is read as JSON, and as
// YAML when that fails. Several JSON values in a row are read one after the other. Where documents
// need not be objects, text that is nothing but JSON values, "1 2", is read as these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/fs.h"
#include "base/function_ref.h"
#include "json/place.h"
#include "json/source_map.h"
#include "json/value.h"

namespace wmap::input {

// Where something was read.
struct Source {
  // As the user named it, or below a folder that the user named; "<stdin>".
  std::string_view file;
  // Number of the item in its List, from 1, counting through Lists inside it; 0 outside.
  std::uint64_t item = 0;
  // Start of the object, or place of the mistake; unknown for what concerns the file as a whole.
  json::LineColumn place = {};

  // "file.yaml:12:1", "dump.json:1:3042 item 7", "file.yaml".
  std::string Describe() const;
};

struct Object {
  // Valid until the sink returns: what is kept must be copied (json::DeepCopy).
  json::Value value;
  Source source;
  // Places of keys and values by pointers relative to the object, when asked for; else null. Also
  // only valid until the sink returns.
  const json::SourceMap* places = nullptr;
};

struct Problem {
  enum class Severity : std::uint8_t {
    kError,    // something could not be read
    kWarning,  // something was read and left aside: no Kubernetes object
  };
  Severity severity;
  Source source;
  // With the context "document 9" for documents of a stream.
  Error error;
  // The source line with a caret below it (json::Excerpt), or "".
  std::string excerpt;

  // "file.yaml:12:1: document 9: key "a" is repeated, first on line 11", without the excerpt.
  std::string Describe() const;
};

struct Options {
  // What the sink gets.
  enum class Unit : std::uint8_t {
    kObjects,    // Kubernetes objects, Lists taken apart; other documents are warnings
    kDocuments,  // every document as it is, whatever it is
  };
  enum class Places : std::uint8_t { kNone, kDefinitions /* kind Karta of run.ai */, kAll };

  Unit unit = Unit::kObjects;
  Places places = Places::kDefinitions;
  // Leaves `metadata.managedFields` out of JSON objects.
  bool drop_managed_fields = true;
  // First size of the window.
  std::size_t window_bytes = std::size_t{1} << 20;
  // The largest JSON object (a List counts item by item) or YAML document.
  std::size_t max_object_bytes = std::size_t{128} << 20;
  // A gzip file may unpack to this much, or to 200 times its size if that is more.
  std::uint64_t max_unpacked_bytes = std::uint64_t{1} << 30;
  // Problems reported of one file; the rest is counted in one more.
  std::size_t max_problems_per_file = 10;
};

struct Summary {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;  // after unpacking
  std::uint64_t objects = 0;
  std::uint64_t errors = 0;
  std::uint64_t warnings = 0;
};

using Sink = FunctionRef<void(const Object&)>;
using ProblemSink = FunctionRef<void(const Problem&)>;

// Test cases of definitions (inspect/case_file.h): they stand beside definitions and hold no
// objects.
inline constexpr std::string_view kCaseFileEnding = ".cases.yaml";

// Reads every name in turn: "-" is standard input, a folder is walked in the order of its names,
// folders included, taking files named *.yaml, *.yml, *.json, and these with .gz, but no test
// cases. Links to folders are followed, except back to a folder above (an error) or one that was
// walked already.
Summary Read(std::span<const std::string> names, const FileSystem& files, const Options& options,
             Sink objects, ProblemSink problems);

// Reads text that is in memory, as if it were the file `name`.
Summary ReadText(std::string_view text, std::string_view name, const Options& options, Sink objects,
                 ProblemSink problems);

// The file system of the machine. Reads wait for data and are not disturbed by signals.
const FileSystem& SystemFileSystem();

}  // namespace wmap::input
