// Completion scripts, made from a description of the command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wmap::cli {

struct FlagDescription {
  std::string name;        // "--output"
  std::string short_name;  // "-o", or ""
  std::string help;
  bool takes_value = false;
  bool takes_file = false;
  std::vector<std::string> values;  // the only ones, when not empty
};

struct CommandDescription {
  std::string name;
  std::string help;
  std::vector<FlagDescription> flags;
  std::vector<std::string> words;  // what its first argument may be
  bool takes_files = false;        // positional arguments are files
};

// For "bash", "zsh" or "fish"; nothing for other shells.
std::optional<std::string> CompletionScript(std::string_view shell,
                                            const std::vector<CommandDescription>& commands);

}  // namespace wmap::cli
