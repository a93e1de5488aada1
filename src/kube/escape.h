// Percent-encoding, as queries and the names of headers have it.
#pragma once

#include <string>
#include <string_view>

namespace wmap::kube {

// `text` with each byte escaped that is no letter, digit or one of "-._~".
std::string PercentEncoded(std::string_view text);

// What is wrong with a text that is to be one segment of a path, in kubectl's words; "" when
// nothing is.
std::string_view SegmentFault(std::string_view text);

// Adds a parameter to the query of a path, unless the value is empty.
void AppendParameter(std::string& path, std::string_view name, std::string_view value);

}  // namespace wmap::kube
