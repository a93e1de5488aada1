// Base64 as certificates and Kubernetes' `data` fields have it: the standard alphabet with padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wmap {

// The bytes that `text` stands for; line ends in it are skipped. Nothing when it is no base64.
std::optional<std::string> DecodeBase64(std::string_view text);

std::string EncodeBase64(std::string_view bytes);

}  // namespace wmap
