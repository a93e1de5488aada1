// The lexer: source bytes to tokens, on demand.
//
// Internal to the parser, which holds one token of lookahead. Strings are read in parts, because
// what stands in \( ) is tokens again: after a kQuote token the parser calls StringPart() until it
// says that the string ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "expr/syntax/ast.h"

namespace wmap::expr {

struct Token {
  enum class Kind : std::uint8_t {
    kEnd,
    kName,      // foo, a::b; text
    kKeyword,   // if, def, ...; text
    kField,     // .foo; text: foo
    kVariable,  // $foo; text: foo
    kFormat,    // @foo; text: foo
    kNumber,    // text as written
    kQuote,     // the " that starts a string
    kOperator,  // op and text
    kSymbol,    // every other; text, e.g. "(" or "?//"
    kUnknown,   // bytes that start no token; text
  };

  Kind kind = Kind::kEnd;
  Operator op = Operator::kNone;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string_view text;

  bool is_symbol(std::string_view symbol) const { return kind == Kind::kSymbol && text == symbol; }
  bool is_keyword(std::string_view word) const { return kind == Kind::kKeyword && text == word; }
  SourceRange range() const { return {begin, end}; }
};

class Lexer {
 public:
  // `source` must outlive the lexer.
  explicit Lexer(std::string_view source) : source_(source) {}

  // The next token. Never fails: what is no token is kUnknown.
  Token Next();

  enum class Part : std::uint8_t {
    kInterpolation,  // behind \(
    kEnd,            // behind the closing "
  };
  // Reads a string from the current position to its end or next interpolation and appends the
  // decoded text. `open` is where the string started, for the message that it never ends.
  Result<Part> StringPart(std::uint32_t open, std::string& text);

  // Bytes consumed so far.
  std::uint32_t position() const { return static_cast<std::uint32_t>(position_); }

 private:
  void SkipSpace();
  void SkipComment();
  std::size_t NameEnd(std::size_t from, bool qualified) const;
  std::size_t NumberEnd(std::size_t from) const;
  Token Make(Token::Kind kind, std::size_t end, std::size_t text_skip = 0);
  Result<void> Escape(std::string& text);
  // The value of \uXXXX at `at` (of the backslash), or -1.
  int Hex4(std::size_t at) const;
  char Byte(std::size_t at) const { return at < source_.size() ? source_[at] : '\0'; }

  std::string_view source_;
  std::size_t position_ = 0;
};

}  // namespace wmap::expr
