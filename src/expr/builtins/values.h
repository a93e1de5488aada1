// Small helpers that the builtins share.
#pragma once

#include <cmath>

#include "json/value.h"

namespace wmap::expr::builtins {

// A computed number: an integer where it is one that doubles hold exactly.
inline json::Value Number(double value) {
  constexpr double kExact = 9007199254740992.0;
  bool whole = value == std::trunc(value) && std::abs(value) <= kExact &&
               !(value == 0 && std::signbit(value));
  return whole ? json::Value::Int(static_cast<std::int64_t>(value)) : json::Value::Double(value);
}

}  // namespace wmap::expr::builtins
