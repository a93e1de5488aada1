// Small files that may be lost at any time: what a server answered, to be asked for less often.
#pragma once

#include <string>
#include <string_view>

#include "base/fs.h"

namespace wmap::kube {

// The folder of what is kept of a server, "~/.kube/cache/wmap/10.0.0.1_6443"; "" when neither of
// the other two is known. `cache_variable` is $KUBECACHEDIR.
std::string CacheFolder(std::string_view cache_variable, std::string_view home,
                        std::string_view server);

// The text that is kept under `name`, or "".
std::string ReadCache(const FileSystem& files, const std::string& folder, std::string_view name);

// Keeps `text`, for this user alone to read; whole or not at all, also when others write it at the
// same time.
void WriteCache(const std::string& folder, std::string_view name, std::string_view text);

}  // namespace wmap::kube
