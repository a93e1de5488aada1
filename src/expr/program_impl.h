// The inside of Program, for program.cc and evaluate.cc only.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "expr/program.h"
#include "expr/program/code.h"
#include "expr/syntax/ast.h"

namespace wmap::expr {

struct Program::Impl {
  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl();

  // The tree of the source, which was parsed once without error.
  Syntax Reread() const;

  std::string source;
  std::vector<std::string> variables;
  bool optimize = true;
  program::Code code;
  // Owned; made at the first use.
  std::atomic<const program::Code*> with_paths = nullptr;
};

}  // namespace wmap::expr
