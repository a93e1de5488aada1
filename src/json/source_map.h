// SourceMap: where the keys and values of a document stand in its text.
//
// Keyed by JSON pointer (RFC 6901: "" is the document, "/spec/items/0/a~1b"). The readers fill it
// on request; messages about a value look their place up in it. One entry costs about 100 bytes, so
// it is for definitions, not for dumps.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include "json/place.h"

namespace wmap::json {

// Appends "/" and `token`, with "~" and "/" escaped, to `pointer`.
void AppendPointerToken(std::string& pointer, std::string_view token);
void AppendPointerIndex(std::string& pointer, std::size_t index);
// The pointer without its last token: "/a/b" -> "/a", "/a" -> "", "" -> "".
std::string_view ParentPointer(std::string_view pointer);

class SourceMap {
 public:
  struct Entry {
    LineColumn key;  // unknown for the document and for items of arrays
    LineColumn value;
  };

  // Adds the entry, or replaces it when the pointer is there.
  void Set(std::string_view pointer, const Entry& entry);
  // The entry of exactly this pointer, or nullptr.
  const Entry* Find(std::string_view pointer) const;
  // The entry of the pointer or of its nearest ancestor that has one: where to point when something
  // is missing. Unknown places when the map is empty.
  Entry FindNearest(std::string_view pointer) const;

  // Moves all places to where they are when the text that they count from starts at `origin` of a
  // larger one.
  void MoveTo(LineColumn origin);

  std::size_t size() const { return entries_.size(); }
  void Clear() { entries_.clear(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, Entry, Hash, std::equal_to<>> entries_;
};

}  // namespace wmap::json
