// Running another program to its end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/function_ref.h"

namespace wmap::kube {

struct Command {
  std::string program;  // a path, or a name that is looked for on PATH
  std::vector<std::string> arguments;
  // Set beside, and instead of, what this process has.
  std::vector<std::pair<std::string, std::string>> environment;
  // Whether it may read our standard input; else it finds that empty.
  bool shares_input = false;
  std::int64_t timeout_ms = 0;  // 0 = none
  std::size_t most_output = std::size_t{1} << 20;
};

struct Outcome {
  int exit_code = 0;  // 128 + signal when one ended it, as shells have it
  std::string out;
  std::string err;
};

// Runs `command`; `told` is called with what it writes to its error output, as it comes, and
// `lasts` once when it takes so long that a person wonders. Errors:
// kNotFound when there is no such program, kUnreadable when it cannot be started, kLimit when it
// takes too long or writes too much: it is killed then, with all that it started in its group.
Result<Outcome> RunProcess(const Command& command, FunctionRef<void(std::string_view)> told,
                           FunctionRef<void()> lasts);

}  // namespace wmap::kube
