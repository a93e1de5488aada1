// Completion: the scripts for shells, which ask the program itself, and the description of the
// command line that it answers from.
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
  bool takes_targets = false;      // positional arguments are TYPE NAME..., TYPE/NAME... or a kind
};

// For "bash", "zsh" or "fish"; nothing for other shells. The scripts call `wmap __complete WORD...`
// with the words up to the one that is to be completed. It prints the candidates, each a line with
// perhaps a tab and a description, and a last line: ":0" when files are meant, ":4" when they are
// not. (That is how kubectl asks its plugins.)
std::optional<std::string> CompletionScript(std::string_view shell);

}  // namespace wmap::cli
