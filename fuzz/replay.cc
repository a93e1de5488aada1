// The main function of the replay programs: runs every file of the given folders, and the empty
// input, through the fuzz target. Stops with the name of the input at hand when the target does.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

// The input at hand, for the signal handler.
const char* current = "the empty input";

void NameInput(int signal) {
  for (const char* part : {"failed on ", current, "\n"}) {
    if (write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void Run(const std::vector<char>& bytes) {
  // A copy of the exact size, so that ASan sees a read behind the end.
  std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

}  // namespace

int main(int argc, char** argv) {
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, NameInput);
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    std::error_code error;
    fs::directory_iterator entry(argv[i], error);
    for (; !error && entry != fs::end(entry); entry.increment(error)) {
      files.push_back(entry->path().string());
    }
    if (error) {
      std::fprintf(stderr, "cannot list %s: %s\n", argv[i], error.message().c_str());
      return 2;
    }
  }
  if (files.empty()) {
    std::fprintf(stderr, "no inputs: give a folder with at least one seed\n");
    return 2;
  }
  std::sort(files.begin(), files.end());
  Run({});
  for (const std::string& file : files) {
    current = file.c_str();
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
      std::fprintf(stderr, "cannot read %s\n", current);
      return 2;
    }
    Run({std::istreambuf_iterator<char>(stream), {}});
  }
  std::printf("%zu inputs\n", files.size() + 1);
  return 0;
}
