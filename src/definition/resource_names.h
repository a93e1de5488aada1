// The names under which kubectl knows a kind, without asking a cluster.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wmap::definition {

// "jobsets" of "JobSet": the plural by the rule that custom resources follow.
std::string PluralOf(std::string_view kind);

// The short names of a kind, for those that have any.
std::span<const std::string_view> ShortNamesOf(std::string_view group, std::string_view kind);

}  // namespace wmap::definition
