// Which proxy the environment names for an address, as Go's clients, and so kubectl, read it:
// HTTPS_PROXY for https, HTTP_PROXY for http, in capitals or not, and not ALL_PROXY. Whatever it
// names, this machine itself (localhost, 127.0.0.0/8, ::1) is reached without, and so is what
// NO_PROXY lists: names with what is below them, addresses, networks, each perhaps with a port.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace wmap::kube {

// The proxy for `url`, as a URL; "" for none. kInvalid for a kind of proxy that is not supported.
Result<std::string> EnvironmentProxy(
    std::string_view url, const std::function<std::string(std::string_view name)>& environment);

// Whether a proxy is of a kind that is supported.
bool IsSupportedProxy(std::string_view url);

// `url` without name and password.
std::string WithoutSecrets(std::string_view url);

}  // namespace wmap::kube
