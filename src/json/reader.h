// Reading JSON into a tree of Values, in one pass over the text.
//
// The text is any memory of the caller, with no padding behind it; the tree stands in the Arena
// that is passed in (and, with ReadOptions::borrow_text, partly in the text). UTF-8 is checked
// throughout. Cost: 0.5 to 1.5 ns a byte; nothing is allocated per value but from the Arena.
//
// Errors carry the byte range in the text (PlaceOf and Excerpt of place.h turn it into line, column
// and caret) and one of three codes:
//   kSyntax     the text is wrong, whatever might follow
//   kTruncated  the text ends inside a value; more of it might be right
//   kLimit      ReadOptions::max_depth is exceeded, or the text is larger than 4 GiB
// Reading never recurses; text of any shape is safe.
//
// Dialects. Both keep an integer that fits int64 exact and the digits of every other number (see
// value.h), take the last of several members with one key, replace an unpaired low surrogate
// escape by U+FFFD, and skip one byte order mark at the start. They differ so:
//
//                                    kStrict (RFC 8259, as          kJq (what jq 1.8 reads)
//                                    Kubernetes reads it)
//   bytes that are no UTF-8          refused                        U+FFFD
//   \ud800 without its other half    U+FFFD, as Go                  refused
//   nan, inf, infinity (any case)    refused                        numbers, also with a sign
//   01, .5, 5., +1                   refused                        numbers, written 1, 0.5, 5, 1
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "json/place.h"
#include "json/scratch.h"
#include "json/source_map.h"
#include "json/value.h"

namespace wmap::json {

struct ReadOptions {
  enum class Dialect : std::uint8_t { kStrict, kJq };

  Dialect dialect = Dialect::kStrict;
  // Strings and keys without escapes view the text instead of being copied into the Arena; the text
  // must then live as long as the values.
  bool borrow_text = false;
  // A repeated key is an error that names it and its place, instead of replacing the value.
  bool refuse_duplicates = false;
  // Members `managedFields` of a member `metadata` are checked and left out. They are half of what
  // an API server sends, and no reader of ours looks at them.
  bool drop_managed_fields = false;
  // Arrays and objects inside each other.
  std::uint32_t max_depth = 10000;
  // Receives the place of every key and value.
  SourceMap* source_map = nullptr;
};

// Reads whole documents or values in a row. Keeps its working memory between calls, so that
// reading many small texts allocates nothing. Not thread-safe. Move-only.
class Reader {
 public:
  explicit Reader(const ReadOptions& options = {}) : options_(options) {}
  Reader(Reader&&) noexcept = default;
  Reader& operator=(Reader&&) noexcept = default;

  const ReadOptions& options() const { return options_; }

  // The one value that `text` is, with white space around it.
  Result<Value> Read(std::string_view text, Arena& arena);

  // The next of several values in a row, with or without white space between them, from
  // `*position` on, which is then moved behind it. Nothing when only white space is left (then
  // `*position` is the end). After an error `*position` is where it was.
  //
  // With `final` false more text will follow what is in `text`: a value that touches the end of
  // the text and might go on there (`12`, `tru`, `"abc`) is kTruncated. The caller then appends
  // text (or moves the rest to the front of its buffer) and calls again from the same place.
  Result<std::optional<Value>> ReadNext(std::string_view text, std::size_t* position, Arena& arena,
                                        bool final = true);

  // As ReadNext(), but checks the value (not for repeated keys) and builds nothing. False when only
  // white space is left.
  Result<bool> SkipNext(std::string_view text, std::size_t* position, bool final = true);

 private:
  friend class Pass;
  struct Frame {
    std::size_t start;   // of the bracket, in the text
    std::uint32_t base;  // first entry of this array or object on its stack
    bool is_object;
    bool is_metadata;  // of an object: the value of a member `metadata`
    bool has_dropped;  // a member of it is left out
  };

  Result<bool> Advance(std::string_view text, std::size_t* position, Arena* arena, bool final,
                       Value* value);

  ReadOptions options_;
  Scratch<Frame> frames_;
  Scratch<Value> items_;
  Scratch<Member> members_;
  std::string unescaped_;
  std::string pointer_;
  std::vector<std::size_t> pointer_sizes_;
};

// For one text at a time.
Result<Value> Read(std::string_view text, Arena& arena, const ReadOptions& options = {});
Result<std::optional<Value>> ReadNext(std::string_view text, std::size_t* position, Arena& arena,
                                      const ReadOptions& options = {}, bool final = true);

}  // namespace wmap::json
