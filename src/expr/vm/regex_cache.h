// RegexCache: the regular expressions that an Evaluator used last, compiled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "regex/regex.h"

namespace wmap::expr::vm {

class RegexCache {
 public:
  // Valid until the next call. Errors: those of Regex::Compile() and ParseFlags().
  Result<const regex::Regex*> Find(std::string_view pattern, std::string_view flags);

 private:
  struct Entry {
    std::string pattern;
    std::string flags;
    regex::Regex regex;
    std::uint64_t used = 0;
  };

  std::vector<Entry> entries_;
  std::uint64_t uses_ = 0;
};

}  // namespace wmap::expr::vm
