#include "definition/scalar_source.h"

#include "base/utf8.h"

namespace wmap::definition {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The source of one scalar, read character by character as its value has them.
class ScalarText {
 public:
  // `start` is the first character of the scalar or of what stands before it (`&anchor`, `!tag`).
  ScalarText(std::string_view source, std::size_t start) : source_(source), at_(start) {
    while (Now() == '&' || Now() == '!') {
      while (at_ < source_.size() && !IsSpace(source_[at_])) ++at_;
      while (at_ < source_.size() && IsSpace(source_[at_])) ++at_;
    }
    char first = Now();
    if (first == '"' || first == '\'') {
      quote_ = first;
      ++at_;
    } else if (first == '|' || first == '>') {
      while (at_ < source_.size() && source_[at_] != '\n') ++at_;
    }
  }

  std::size_t at() const { return at_; }

  // Skips white space, written as such or, in double quotes, as an escape.
  void SkipSpace() {
    while (at_ < source_.size()) {
      if (IsSpace(source_[at_])) {
        ++at_;
      } else if (quote_ == '"' && source_[at_] == '\\' && at_ + 1 < source_.size() &&
                 (IsSpace(source_[at_ + 1]) || source_[at_ + 1] == 'n' || source_[at_ + 1] == 't' ||
                  source_[at_ + 1] == 'r')) {
        at_ += 2;
      } else {
        return;
      }
    }
  }

  // Whether the next character is `c`; if so it is read.
  bool Take(char c) {
    bool special = (quote_ == '"' && c == '\\') || (quote_ != '\0' && c == quote_);
    if (!special && Now() == c) {
      ++at_;
      return true;
    }
    bool doubled = quote_ == '\'' && c == '\'' && source_.substr(at_).starts_with("''");
    bool escaped = quote_ == '"' && Now() == '\\' && at_ + 1 < source_.size() &&
                   source_[at_ + 1] == c && (c == '"' || c == '\\' || c == '/');
    if (!doubled && !escaped) return false;
    at_ += 2;
    return true;
  }

 private:
  char Now() const { return at_ < source_.size() ? source_[at_] : '\0'; }

  std::string_view source_;
  std::size_t at_;
  char quote_ = '\0';
};

}  // namespace

std::optional<std::size_t> OffsetOf(std::string_view text, json::LineColumn place) {
  if (!place.known()) return std::nullopt;
  std::size_t at = 0;
  for (std::uint32_t line = 1; line < place.line; ++line) {
    at = text.find_first_of("\r\n", at);
    if (at == std::string_view::npos) return std::nullopt;
    at += text.substr(at).starts_with("\r\n") ? 2 : 1;
  }
  for (std::uint32_t column = 1; column < place.column; ++column) {
    if (at >= text.size()) return std::nullopt;
    at += DecodeUtf8(text.substr(at, 4)).size;
  }
  return at;
}

std::optional<std::size_t> SourceOffset(std::string_view source, std::size_t start,
                                        std::string_view value, std::size_t offset) {
  ScalarText text(source, start);
  std::size_t i = 0;
  while (true) {
    // White space is matched as runs: what a block or a folded line adds or takes away is there.
    if (i >= offset && (i >= value.size() || IsSpace(value[i]))) return text.at();
    text.SkipSpace();
    while (i < value.size() && IsSpace(value[i])) ++i;
    if (i >= offset || i >= value.size()) return text.at();
    if (!text.Take(value[i])) return std::nullopt;
    ++i;
  }
}

}  // namespace wmap::definition
