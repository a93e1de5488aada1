// Times as Kubernetes writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wmap {

// Seconds since 1970 of an RFC 3339 time, "2026-11-30T04:05:28Z"; fractions of a second are cut
// off, other zones than Z are "+01:00". Nothing for any other text.
std::optional<std::int64_t> ParseTime(std::string_view text);

// "2026-11-30T04:05:28Z" of seconds since 1970.
std::string TimeText(std::int64_t seconds);

}  // namespace wmap
