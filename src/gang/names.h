// Names of groups and subgroups.
#pragma once

#include <string>
#include <string_view>

namespace wmap::gang {

// The longest name of an object, and of a DNS label.
inline constexpr std::size_t kLongestName = 253;
inline constexpr std::size_t kLongestLabel = 63;

// Lower-case letters, digits and '-', not at the ends, at most 63 (RFC 1123).
bool IsDnsLabel(std::string_view text);
// Dots between such labels of any length, at most 253 in all.
bool IsDnsSubdomain(std::string_view text);

// `text` as a DNS label: in lower case, '-' for what may not stand there, cut; "x" for nothing.
std::string ToDnsLabel(std::string_view text);

// `name` itself, or when it is longer than kLongestName its first 220 characters, '-' and 16
// hexadecimal digits of the SHA-256 of all of it.
std::string Shortened(std::string name);

// The first `digits` hexadecimal digits of the SHA-256 of `text`; at most 64.
std::string HashDigits(std::string_view text, std::size_t digits);

}  // namespace wmap::gang
