// The command line: which commands and flags there are. Help and completion come from here.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cli/options.h"

namespace wmap::cli {

// Wrong usage: what to print on the error stream, and the exit code.
struct UsageError {
  std::string message;
  int exit_code;
};

// `arguments` without the name of the program, which is `program` in what it prints.
std::expected<Command, UsageError> ParseCommandLine(std::vector<std::string> arguments,
                                                    const std::string& program);

}  // namespace wmap::cli
