// From a byte of a string value back to the byte of the file that it was written as.
//
// A reader's place of a value is its first character: a quote, the header of a block, or the text
// itself. Between the value and its source lie quotes, escapes, the indentation of blocks and
// folded lines; these functions walk both side by side.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "json/place.h"

namespace wmap::definition {

// The byte offset of a place in `text`; nothing when it is not in it.
std::optional<std::size_t> OffsetOf(std::string_view text, json::LineColumn place);

// The byte of `source` that byte `offset` of `value` comes from, where the scalar that means
// `value`, in YAML or JSON, starts at byte `start` of `source`. Nothing where the two cannot be
// matched: an alias, or an escape without a plain form.
std::optional<std::size_t> SourceOffset(std::string_view source, std::size_t start,
                                        std::string_view value, std::size_t offset);

}  // namespace wmap::definition
