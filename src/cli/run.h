// Runs one command line.
#pragma once

#include <string>
#include <vector>

#include "cli/context.h"

namespace wmap::cli {

// `arguments` without the name of the program. Returns the exit code.
int Run(std::vector<std::string> arguments, const Context& context);

}  // namespace wmap::cli
