// Whole files as text, for inputs that are small by nature.
#pragma once

#include <string>

#include "base/error.h"
#include "cli/context.h"

namespace wmap::cli {

inline constexpr std::size_t kMaxTextBytes = std::size_t{16} << 20;

// The content of `name`, or of standard input for "-". kUnreadable, or kLimit beyond
// kMaxTextBytes.
Result<std::string> ReadText(const std::string& name, const Context& context);

}  // namespace wmap::cli
