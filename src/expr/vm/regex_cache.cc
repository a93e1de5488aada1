#include "expr/vm/regex_cache.h"

#include <algorithm>
#include <utility>

namespace wmap::expr::vm {
namespace {

// Each may take regex::Regex::kMaxMemory while it is used.
constexpr std::size_t kMostEntries = 16;

}  // namespace

Result<const regex::Regex*> RegexCache::Find(std::string_view pattern, std::string_view flags) {
  auto known = std::ranges::find_if(
      entries_, [&](const Entry& e) { return e.pattern == pattern && e.flags == flags; });
  if (known == entries_.end()) {
    WMAP_TRY(regex::Flags parsed, regex::ParseFlags(flags));
    WMAP_TRY(regex::Regex compiled, regex::Regex::Compile(pattern, parsed));
    Entry entry = {std::string(pattern), std::string(flags), std::move(compiled), 0};
    if (entries_.size() < kMostEntries) {
      entries_.push_back(std::move(entry));
      known = entries_.end() - 1;
    } else {
      known = std::ranges::min_element(entries_, {}, &Entry::used);
      *known = std::move(entry);
    }
  }
  known->used = ++uses_;
  return &known->regex;
}

}  // namespace wmap::expr::vm
