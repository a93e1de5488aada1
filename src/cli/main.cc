// Wires the program to the machine; everything else is in Run().
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "cli/run.h"
#include "input/input.h"

namespace {

class StreamOutput final : public wmap::cli::Output {
 public:
  // What was written to `before` comes out before what is written here: both may be one file.
  explicit StreamOutput(std::FILE* stream, std::FILE* before = nullptr)
      : stream_(stream), before_(before) {}
  void Write(std::string_view text) override {
    if (before_ != nullptr) std::fflush(before_);
    std::fwrite(text.data(), 1, text.size(), stream_);
  }
  void Flush() override { std::fflush(stream_); }
  // False when something could not be written, as on a full disk.
  bool Finish() { return std::fflush(stream_) == 0 && std::ferror(stream_) == 0; }

 private:
  std::FILE* stream_;
  std::FILE* before_;
};

// WMAP_NOW, seconds since 1970, stands in for the clock where output has to be reproducible.
std::int64_t Now() {
  if (const char* text = std::getenv("WMAP_NOW")) {
    std::string_view digits = text;
    std::int64_t seconds = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
    if (error == std::errc() && end == digits.data() + digits.size()) return seconds;
  }
  return wmap::SystemClock().UnixSeconds();
}

// kubectl finds plugins by their names: `kubectl wmap` runs "kubectl-wmap", and asks
// "kubectl_complete-wmap" for completions. Both are links to this program.
constexpr std::string_view kPlugin = "kubectl-wmap";
constexpr std::string_view kPluginCompletion = "kubectl_complete-wmap";

std::string_view NameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

int TerminalLines() {
  if (isatty(STDOUT_FILENO) != 1) return 0;
  winsize size{};
  constexpr int kUsual = 24;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : kUsual;
}

wmap::Result<void> CreateFile(const std::string& name, std::string_view text) {
  // "x": not over what is there.
  std::FILE* file = std::fopen(name.c_str(), "wxe");
  int fault = errno;
  if (file != nullptr) {
    bool is_whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    fault = errno;
    if (std::fclose(file) == 0 && is_whole) return {};
  }
  return std::unexpected(wmap::Error(wmap::Code::kUnreadable, std::strerror(fault)));
}

}  // namespace

int main(int argc, char** argv) {
  StreamOutput out(stdout);
  StreamOutput err(stderr, stdout);
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  wmap::cli::Context context;
  context.files = &wmap::input::SystemFileSystem();
  context.clock = &wmap::SystemClock();
  context.out = &out;
  context.err = &err;
  context.environment = [](std::string_view name) {
    const char* value = std::getenv(std::string(name).c_str());
    return std::string(value == nullptr ? "" : value);
  };
  context.in_is_terminal = isatty(STDIN_FILENO) == 1;
  context.err_is_terminal = isatty(STDERR_FILENO) == 1;
  context.colour = isatty(STDOUT_FILENO) == 1 && (no_colour == nullptr || *no_colour == '\0') &&
                   (terminal == nullptr || std::string_view(terminal) != "dumb");
  context.out_lines = TerminalLines;
  context.create_file = CreateFile;
  context.now = Now();
  // Still referred to when the program ends, so that nothing counts as leaked.
  static auto* const discarded = new std::vector<std::shared_ptr<void>>;
  context.discard = [](std::shared_ptr<void> what) { discarded->push_back(std::move(what)); };
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  std::string_view called = argc > 0 ? NameOf(argv[0]) : "";
  if (called == kPlugin) context.program = "kubectl wmap";
  if (called == kPluginCompletion) arguments.insert(arguments.begin(), "__complete");
  int exit_code = wmap::cli::Run(std::move(arguments), context);
  if (!out.Finish()) {
    std::fputs("error: the output could not be written\n", stderr);
    if (exit_code == wmap::cli::kOk) exit_code = wmap::cli::kFailed;
  }
  return exit_code;
}
