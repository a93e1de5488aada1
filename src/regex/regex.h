// Regex: regular expressions of the expression language, in RE2's (Go's) syntax.
//
// Matching takes time linear in the text whatever the pattern is, so a stranger's pattern is safe.
// What cannot be matched so, lookaround and backreferences, is refused with a message that says so.
// `(?<name>...)` is accepted beside `(?P<name>...)`.
//
// A Regex is immutable and may be used by several threads at once. Move-only. Compiling costs some
// microseconds and memory in proportion to the pattern, at most Options::max_memory, which also
// bounds what matching keeps for speed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/function_ref.h"

namespace wmap::regex {

// The flags of jq's match and its kin.
struct Flags {
  bool global = false;       // g: all matches, not only the first
  bool ignore_case = false;  // i
  bool extended = false;     // x: white space and # comments in the pattern are no part of it
  bool dot_newline = false;  // p: `.` matches a line feed too
  bool longest = false;      // l: the longest of several matches at one place
  bool skip_empty = false;   // n: empty matches do not count
  // s ("single line") is accepted: ^ and $ are the ends of the text anyway.
};

// Errors: kEvaluation for any other letter.
Result<Flags> ParseFlags(std::string_view letters);

// Bytes of the text, or nothing when the group took no part in the match.
struct Span {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t begin = kNone;
  std::size_t end = kNone;

  bool matched() const { return begin != kNone; }
};

class Regex {
 public:
  static constexpr std::size_t kMaxPattern = std::size_t{64} << 10;
  static constexpr std::size_t kMaxMemory = std::size_t{4} << 20;

  // Errors: kEvaluation with the reason, or kLimit when the pattern or its compiled form is too
  // large.
  static Result<Regex> Compile(std::string_view pattern, const Flags& flags,
                               std::size_t max_memory = kMaxMemory);

  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  ~Regex();

  const Flags& flags() const;
  // Groups of the pattern, without the whole match.
  std::size_t group_count() const;
  // The name of group 0, 1, ... (in the order of their opening parentheses), or "".
  std::string_view group_name(std::size_t group) const;

  // What searching a byte of text may cost, in units of about 200 ns: in proportion to the size of
  // the pattern, as in the worst case every part of it is tried at every byte.
  std::size_t cost_per_byte() const;

  // Whether the text has a match that counts. Cheaper than matching with groups.
  bool Test(std::string_view text) const;

  // Calls `sink` with each match (the first one only, unless the flag g is set): the whole match,
  // then the groups. Matches do not overlap; behind an empty one the search goes on one character
  // further. Stops when `sink` returns false.
  void Match(std::string_view text, FunctionRef<bool(const std::vector<Span>&)> sink) const;

 private:
  struct Impl;
  explicit Regex(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

// Turns byte offsets in a text into counts of characters. Costs the distance to the offset that was
// asked for before, so walking through a text is linear in all.
class OffsetCounter {
 public:
  explicit OffsetCounter(std::string_view text) : text_(text) {}

  // Characters before byte `offset`, which is at a character's border.
  std::size_t CharactersBefore(std::size_t offset);

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  std::size_t characters_ = 0;
};

}  // namespace wmap::regex
