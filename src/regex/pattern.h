// Patterns as people write them for jq and Go, rewritten to what RE2 reads.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace wmap::regex {

// `(?<name>` becomes `(?P<name>`; with `extended`, white space and comments outside of character
// classes are dropped. Refuses lookaround, atomic groups and backreferences by name. Everything
// else, also what is wrong, stays as it is. The error's message is for appending to the pattern's
// name, its range is in `pattern`.
Result<std::string> Translate(std::string_view pattern, bool extended);

}  // namespace wmap::regex
