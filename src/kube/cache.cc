#include "kube/cache.h"

#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "input/read_text.h"

namespace wmap::kube {

std::string CacheFolder(std::string_view cache_variable, std::string_view home,
                        std::string_view server) {
  if (cache_variable.empty() && home.empty()) return "";
  std::string folder =
      cache_variable.empty() ? Cat(home, "/.kube/cache") : std::string(cache_variable);
  folder += "/wmap/";
  std::size_t host = server.find("://");
  for (char c : server.substr(host == std::string_view::npos ? 0 : host + 3)) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '.' || c == '-';
    folder += plain ? c : '_';
  }
  return folder;
}

std::string ReadCache(const FileSystem& files, const std::string& folder, std::string_view name) {
  if (folder.empty()) return "";
  return input::ReadText(files, Cat(folder, '/', name)).value_or("");
}

void WriteCache(const std::string& folder, std::string_view name, std::string_view text) {
  if (folder.empty()) return;
  for (std::size_t slash = folder.find('/', 1);; slash = folder.find('/', slash + 1)) {
    mkdir(folder.substr(0, slash).c_str(), 0750);
    if (slash == std::string::npos) break;
  }
  std::string path = Cat(folder, '/', name);
  std::string temporary = Cat(path, '.', getpid());
  int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return;
  bool written = true;
  for (std::string_view rest = text; !rest.empty() && written;) {
    ssize_t size = write(file, rest.data(), rest.size());
    written = size > 0;
    if (written) rest.remove_prefix(static_cast<std::size_t>(size));
  }
  close(file);
  if (!written || std::rename(temporary.c_str(), path.c_str()) != 0) unlink(temporary.c_str());
}

}  // namespace wmap::kube
