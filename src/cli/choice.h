// Messages about options and arguments that have a fixed set of values.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wmap::cli {

// `unknown output format "jsno" (did you mean "json"?); there are: wide, json`.
std::string UnknownChoice(std::string_view what, std::string_view given,
                          std::span<const std::string_view> choices);

// `; did you mean "get"?`, or "" when none of the names is near.
std::string DidYouMean(std::string_view given, const std::vector<std::string>& names);

}  // namespace wmap::cli
