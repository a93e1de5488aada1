#include "tests/support/shared_data.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

namespace wmap::testing {
namespace {
namespace fs = std::filesystem;

[[noreturn]] void Die(std::string_view what, std::string_view path) {
  std::fprintf(stderr, "test data: %.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(path.size()), path.data());
  std::abort();
}

std::string FindSharedDir() {
  const char* given = std::getenv("WMAP_SHARED");
  if (given != nullptr && *given != '\0') return given;
  return (fs::path(RepoDir()).parent_path() / "shared").string();
}
}  // namespace

const std::string& RepoDir() {
  static const std::string* const kDir = new std::string(WMAP_SOURCE_DIR);
  return *kDir;
}

const std::string& SharedDir() {
  static const std::string* const kDir = new std::string(FindSharedDir());
  return *kDir;
}

bool has_shared_data() {
  std::error_code error;
  return fs::is_directory(SharedDir() + "/data", error);
}

bool must_have_shared_data() {
  const char* ci = std::getenv("CI");
  return ci != nullptr && std::string_view(ci) == "true";
}

std::string MissingSharedData() {
  return "needs the shared test data, and " + SharedDir() +
         "/data is no folder; set WMAP_SHARED to the folder that holds data/";
}

std::string ReadFileOrDie(std::string_view path) {
  std::string name(path);
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"), std::fclose);
  if (file == nullptr) Die("cannot open", path);
  std::string text;
  char buffer[1 << 16];
  while (std::size_t size = std::fread(buffer, 1, sizeof buffer, file.get())) {
    text.append(buffer, size);
  }
  if (std::ferror(file.get()) != 0) Die("cannot read", path);
  return text;
}

std::vector<std::string> FilesBelowOrDie(std::string_view folder, std::string_view suffix) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::end(entry); entry.increment(error)) {
    std::string path = entry->path().string();
    if (path.ends_with(suffix) && entry->is_regular_file(error)) files.push_back(path);
  }
  if (error) Die("cannot list", folder);
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace wmap::testing
