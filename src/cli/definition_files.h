// The files that commands about definitions are given: named ones, standard input, and all in
// folders that are named like definitions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "cli/context.h"

namespace wmap::cli {

struct DefinitionFile {
  std::string name;  // "<stdin>" of "-"
  std::string text;
  // The user named it, so that it has to hold definitions; else other documents may stand in it.
  bool is_named = false;
};

// Visits the files in the order of their names; `visit` returns how many documents it took. What
// cannot be read, and a folder without any definition, is told on stderr. Returns the exit code
// of that.
int ReadDefinitionFiles(const std::vector<std::string>& names, const Context& context,
                        FunctionRef<std::size_t(const DefinitionFile&)> visit);

// "error: jobs.yaml: there is no document in it".
void Complain(const Context& context, std::string_view file, std::string_view what);

}  // namespace wmap::cli
