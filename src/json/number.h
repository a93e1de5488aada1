// Numbers in JSON text. Used by the JSON reader; the short integers that most numbers are never
// come here.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "json/value.h"

namespace wmap::json {

// The longest prefix of `text` that is a number, or the reason why there is none.
struct NumberScan {
  enum class Outcome : std::uint8_t { kNumber, kTruncated, kLeadingZero, kNoDigit };
  Outcome outcome = Outcome::kNumber;
  std::size_t size = 0;  // of the number, or up to what is wrong
};
// As RFC 8259 has it; `lenient` also takes a plus sign, leading zeros, `.5` and `5.`, as jq does.
NumberScan ScanNumber(std::string_view text, bool lenient);

// The value of a JSON number: an int64 when it is an integer that fits, else its digits. `-0` is
// no integer: it keeps its sign. Copies the digits into `arena`.
Value NumberFromText(Arena& arena, std::string_view json_number);

// The nearest double. Too large for a double: the largest one, as jq has it. Too small: zero.
double NearestDouble(std::string_view json_number);

// The JSON form of a number that only the lenient scan takes: "+01." -> "1", "-.5" -> "-0.5".
std::string_view NormalizeNumber(Arena& arena, std::string_view lenient_number);

}  // namespace wmap::json
