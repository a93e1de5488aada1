// Text that is shown again and again as it changes.
#pragma once

#include <cstddef>
#include <string>

#include "cli/context.h"

namespace wmap::cli {

// On a terminal each text takes the place of the one before; elsewhere they follow each other.
class Screen {
 public:
  explicit Screen(const Context& context) : context_(context) {}

  bool is_terminal() const { return context_.out_lines() > 0; }
  // What does not fit on the terminal is left out, and counted.
  void Show(const std::string& text);

 private:
  const Context& context_;
  std::size_t shown_ = 0;  // lines
};

}  // namespace wmap::cli
