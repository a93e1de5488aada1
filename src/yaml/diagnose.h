// From what the YAML library says of a broken text to a message for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace wmap::yaml {

// What is known of a syntax error. Offsets are bytes in the text.
struct Trouble {
  std::string_view problem;  // in libyaml's words
  std::size_t at = 0;
  std::string_view context;  // "" when there is none
  std::size_t context_at = 0;
};

// The byte offset of character number `index` of `text`, in which offsets of bytes that are no
// UTF-8 never count.
std::size_t OffsetOfCharacter(std::string_view text, std::size_t index);

// A syntax error with place and, for the known mistakes, a hint. `first_line` is the number of the
// text's first line.
Error Diagnose(const Trouble& trouble, std::string_view text, std::uint32_t first_line);

// What to add to a message about a mapping or sequence where only a scalar can stand: at `offset`
// stands the brace of a flow mapping, often that of a template's placeholder. "" or "; hint".
std::string_view PlaceholderHint(std::string_view text, std::size_t offset);

}  // namespace wmap::yaml
