#include "regex/pattern.h"

#include <algorithm>

#include "base/text.h"

namespace wmap::regex {
namespace {

struct Refused {
  std::string_view text;
  std::string_view what;
};

constexpr std::string_view kWhy =
    "; patterns are matched in linear time (RE2 syntax), which rules it out";

constexpr Refused kGroups[] = {
    {"(?=", "lookahead (?=...)"},        {"(?!", "negative lookahead (?!...)"},
    {"(?<=", "lookbehind (?<=...)"},     {"(?<!", "negative lookbehind (?<!...)"},
    {"(?>", "an atomic group (?>...)"},  {"(?|", "a branch reset (?|...)"},
    {"(?(", "a conditional (?(...)...)"}};

// Scans a pattern from left to right; knows escapes, literal runs and character classes.
class Translator {
 public:
  Translator(std::string_view pattern, bool extended) : pattern_(pattern), extended_(extended) {}

  Result<std::string> Run() {
    while (position_ < pattern_.size()) {
      char c = pattern_[position_];
      if (c == '\\') {
        WMAP_TRY_VOID(Escape());
      } else if (c == '[') {
        Class();
      } else if (c == '(') {
        WMAP_TRY_VOID(Group());
      } else if (extended_ && IsSpace(c)) {
        ++position_;
      } else if (extended_ && c == '#') {
        position_ = std::min(pattern_.find('\n', position_), pattern_.size());
      } else {
        Copy(1);
      }
    }
    return std::move(to_);
  }

 private:
  static bool IsSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
  }

  void Copy(std::size_t bytes) {
    to_ += pattern_.substr(position_, bytes);
    position_ = std::min(position_ + bytes, pattern_.size());
  }

  std::unexpected<Error> Refuse(std::string_view what, std::size_t bytes) const {
    return Fail(Error(Code::kEvaluation, Cat(what, " is not supported", kWhy))
                    .At({position_, position_ + bytes}));
  }

  Result<void> Escape() {
    char next = position_ + 1 < pattern_.size() ? pattern_[position_ + 1] : '\0';
    if (next == 'Q') {  // literal up to \E
      std::size_t end = pattern_.find("\\E", position_);
      Copy(end == std::string_view::npos ? pattern_.size() : end + 2 - position_);
    } else if (next >= '1' && next <= '9') {
      return Refuse(Cat("the backreference \\", next), 2);
    } else if (next == 'k') {
      return Refuse("a backreference \\k", 2);
    } else if (extended_ && IsSpace(next)) {
      // RE2 does not know an escaped space.
      ++position_;
      to_ += '[';
      Copy(1);
      to_ += ']';
    } else {
      Copy(2);
    }
    return {};
  }

  void Class() {
    Copy(1);
    if (position_ < pattern_.size() && pattern_[position_] == '^') Copy(1);
    if (position_ < pattern_.size() && pattern_[position_] == ']') Copy(1);
    while (position_ < pattern_.size() && pattern_[position_] != ']') {
      std::string_view rest = pattern_.substr(position_);
      if (rest[0] == '\\') {
        Copy(2);
      } else if (rest.starts_with("[:")) {
        std::size_t end = rest.find(":]");
        Copy(end == std::string_view::npos ? 1 : end + 2);
      } else {
        Copy(1);
      }
    }
    if (position_ < pattern_.size()) Copy(1);
  }

  Result<void> Group() {
    std::string_view rest = pattern_.substr(position_);
    for (const Refused& group : kGroups)
      if (rest.starts_with(group.text)) return Refuse(group.what, group.text.size());
    if (rest.starts_with("(?<")) {
      to_ += "(?P<";
      position_ += 3;
    } else if (rest.starts_with("(?#")) {
      position_ += std::min(rest.find(')'), rest.size() - 1) + 1;
    } else {
      // With `(` its `?` too, which is no repetition.
      Copy(rest.starts_with("(?") ? 2 : 1);
    }
    return {};
  }

  std::string_view pattern_;
  bool extended_;
  std::size_t position_ = 0;
  std::string to_;
};

}  // namespace

Result<std::string> Translate(std::string_view pattern, bool extended) {
  return Translator(pattern, extended).Run();
}

}  // namespace wmap::regex
