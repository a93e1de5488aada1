// Context: everything outside of the program that a command may touch. Commands never use standard
// streams, the clock or the environment themselves, so that tests can stand in for all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/fs.h"

namespace wmap::cli {

// The exit codes of the program.
enum Exit : int {
  kOk = 0,          // also for an empty list
  kFailed = 1,      // it failed, or the answer is no
  kUsage = 2,       // wrong usage, or an input that could not be read (the rest is still shown)
  kNotFound = 3,    // no such workload
  kNotCovered = 4,  // no definition covers the kind
};

class Output {
 public:
  virtual ~Output() = default;
  virtual void Write(std::string_view text) = 0;
  // What was written is seen from now on.
  virtual void Flush() {}
};

// Where nobody reads.
class Silence final : public Output {
 public:
  void Write(std::string_view) override {}
};

struct Context {
  const FileSystem* files = nullptr;
  const Clock* clock = nullptr;
  Output* out = nullptr;  // data
  Output* err = nullptr;  // everything else
  // The value of an environment variable, "" when it is not set.
  std::function<std::string(std::string_view name)> environment = [](std::string_view) {
    return std::string();
  };
  // How the program is called: "wmap", or "kubectl wmap".
  std::string program = "wmap";
  bool in_is_terminal = false;
  bool err_is_terminal = false;
  bool colour = false;  // on `out`
  // The lines of the terminal that `out` is, as it is now; 0 when it is none.
  std::function<int()> out_lines = [] { return 0; };
  // Makes a file that is not there yet.
  std::function<Result<void>(const std::string& name, std::string_view text)> create_file;
  // What "now" is for ages; a fixed time makes output reproducible.
  std::int64_t now = 0;
  // Takes what nobody needs any more, to be freed whenever: where the program ends behind it,
  // never. Taking a large report apart would be a twentieth of the time of reading it.
  std::function<void(std::shared_ptr<void>)> discard = [](const std::shared_ptr<void>&) {};
};

}  // namespace wmap::cli
