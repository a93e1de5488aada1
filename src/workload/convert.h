// From results of expressions to the shapes that the definition format wants.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "json/value.h"

namespace wmap::workload {

// A value for messages, by its type and cut short: `array "[1,2]"`.
std::string Brief(const json::Value& value);

// A count of replicas: an integer of 32 bits (3.0 too), or a string of one; null is "absent".
// Anything else is kConversion. Negative numbers are returned as they are.
Result<std::optional<std::int64_t>> ToScale(const json::Value& value);

// What identifies an instance or a replica on a pod: strings as they are, booleans and numbers as
// text, integers without exponent. kConversion for null, "", arrays and objects.
Result<std::string> ToIdentifier(const json::Value& value);

// The text that a matcher compares: strings as they are, everything else as compact JSON with
// sorted keys, numbers in their shortest form (1.10 is "1.1"). Of an array or object that is longer
// than any text to compare with, about the first kMostTextBytes.
inline constexpr std::size_t kMostTextBytes = std::size_t{64} << 10;
std::string ToText(const json::Value& value);

}  // namespace wmap::workload
