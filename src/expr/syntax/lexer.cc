#include "expr/syntax/lexer.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/utf8.h"

namespace wmap::expr {
namespace {

constexpr std::array<std::string_view, 18> kKeywords = {
    "and", "as",     "break",   "catch", "def",    "elif", "else",   "end",  "foreach",
    "if",  "import", "include", "label", "module", "or",   "reduce", "then", "try"};

struct Symbol {
  std::string_view text;
  Token::Kind kind = Token::Kind::kSymbol;
  Operator op = Operator::kNone;
};

constexpr Symbol Sign(std::string_view text, Operator op) {
  return {text, Token::Kind::kOperator, op};
}

// What people write who have another language in mind; taken as one token for the sake of the
// message.
constexpr Symbol Foreign(std::string_view text) { return {text, Token::Kind::kUnknown}; }

// Those that start with the same byte stand together, longer ones before their prefixes.
constexpr Symbol kSymbols[] = {
    {"?//"},
    {"?"},
    Sign("//=", Operator::kUpdateAlternative),
    Sign("//", Operator::kAlternative),
    Sign("/=", Operator::kUpdateDivide),
    Sign("/", Operator::kDivide),
    Sign("|=", Operator::kUpdate),
    Foreign("||"),
    {"|"},
    Sign("+=", Operator::kUpdateAdd),
    Sign("+", Operator::kAdd),
    Sign("-=", Operator::kUpdateSubtract),
    Sign("-", Operator::kSubtract),
    Sign("*=", Operator::kUpdateMultiply),
    Sign("*", Operator::kMultiply),
    Sign("%=", Operator::kUpdateModulo),
    Sign("%", Operator::kModulo),
    Foreign("==="),
    Sign("==", Operator::kEqual),
    Foreign("=~"),
    Sign("=", Operator::kAssign),
    Sign("!=", Operator::kNotEqual),
    Foreign("!"),
    Sign("<=", Operator::kLessEqual),
    Foreign("<>"),
    Sign("<", Operator::kLess),
    Sign(">=", Operator::kGreaterEqual),
    Sign(">", Operator::kGreater),
    Foreign("&&"),
    Foreign("&"),
    {".."},
    {"."},
    {","},
    {";"},
    {":"},
    {"("},
    {")"},
    {"["},
    {"]"},
    {"{"},
    {"}"},
    Foreign("'"),
    Foreign("`"),
};

// Where in kSymbols those that start with a byte begin; of others, its size.
constexpr auto kSymbolsOf = [] {
  std::array<std::uint8_t, 256> first{};
  first.fill(std::size(kSymbols));
  for (std::size_t i = std::size(kSymbols); i-- > 0;)
    first[static_cast<unsigned char>(kSymbols[i].text[0])] = static_cast<std::uint8_t>(i);
  return first;
}();

// By length and first letter, which most names have with no keyword in common.
constexpr auto kKeywordStarts = [] {
  std::array<std::uint32_t, 8> starts{};
  for (std::string_view keyword : kKeywords) starts[keyword.size()] |= 1U << (keyword[0] - 'a');
  return starts;
}();

bool IsKeyword(std::string_view name) {
  if (name.size() >= kKeywordStarts.size() || name[0] < 'a' || name[0] > 'z') return false;
  if ((kKeywordStarts[name.size()] >> (name[0] - 'a') & 1U) == 0) return false;
  return std::ranges::find(kKeywords, name) != kKeywords.end();
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// What names consist of: 1 = also at their start, 2 = not there.
constexpr auto kNameBytes = [] {
  std::array<std::uint8_t, 256> bytes{};
  for (unsigned c = 'a'; c <= 'z'; ++c) bytes[c] = bytes[c - 'a' + 'A'] = 1;
  for (unsigned c = '0'; c <= '9'; ++c) bytes[c] = 2;
  bytes[static_cast<unsigned char>('_')] = 1;
  return bytes;
}();
bool IsNameStart(char c) { return kNameBytes[static_cast<unsigned char>(c)] == 1; }
bool IsNamePart(char c) { return kNameBytes[static_cast<unsigned char>(c)] != 0; }

}  // namespace

void Lexer::SkipComment() {
  // A backslash before the line end continues the comment, unless it is itself escaped.
  bool escaped = false;
  for (; position_ < source_.size(); ++position_) {
    char c = source_[position_];
    if (c == '\n') {
      if (!escaped) return;
      escaped = false;
    } else if (c == '\r' && Byte(position_ + 1) == '\n') {
      // Decided by the line feed.
    } else {
      escaped = c == '\\' && !escaped;
    }
  }
}

void Lexer::SkipSpace() {
  while (position_ < source_.size()) {
    char c = source_[position_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++position_;
    } else if (c == '#') {
      SkipComment();
    } else {
      return;
    }
  }
}

std::size_t Lexer::NameEnd(std::size_t from, bool qualified) const {
  while (from < source_.size() && IsNamePart(source_[from])) ++from;
  while (qualified && Byte(from) == ':' && Byte(from + 1) == ':' && IsNameStart(Byte(from + 2))) {
    from += 2;
    while (IsNamePart(Byte(from))) ++from;
  }
  return from;
}

std::size_t Lexer::NumberEnd(std::size_t from) const {
  while (IsDigit(Byte(from))) ++from;
  if (Byte(from) == '.') {
    ++from;
    while (IsDigit(Byte(from))) ++from;
  }
  if (Byte(from) == 'e' || Byte(from) == 'E') {
    std::size_t digits = from + 1;
    if (Byte(digits) == '+' || Byte(digits) == '-') ++digits;
    if (IsDigit(Byte(digits))) {
      from = digits;
      while (IsDigit(Byte(from))) ++from;
    }
  }
  return from;
}

Token Lexer::Make(Token::Kind kind, std::size_t end, std::size_t text_skip) {
  Token token{.kind = kind,
              .begin = static_cast<std::uint32_t>(position_),
              .end = static_cast<std::uint32_t>(end),
              .text = source_.substr(position_ + text_skip, end - position_ - text_skip)};
  position_ = end;
  return token;
}

Token Lexer::Next() {
  SkipSpace();
  using enum Token::Kind;
  if (position_ == source_.size()) return Make(kEnd, position_);
  char c = Byte(position_);
  char next = Byte(position_ + 1);
  if (IsNameStart(c)) {
    std::size_t end = NameEnd(position_, true);
    return Make(IsKeyword(source_.substr(position_, end - position_)) ? kKeyword : kName, end);
  }
  if (c == '.' && IsNameStart(next)) return Make(kField, NameEnd(position_ + 1, false), 1);
  if (IsDigit(c) || (c == '.' && IsDigit(next))) return Make(kNumber, NumberEnd(position_));
  if (c == '$' && IsNameStart(next)) return Make(kVariable, NameEnd(position_ + 1, true), 1);
  if (c == '@' && IsNamePart(next)) return Make(kFormat, NameEnd(position_ + 1, false), 1);
  if (c == '"') return Make(kQuote, position_ + 1);
  std::string_view rest = source_.substr(position_);
  for (std::size_t i = kSymbolsOf[static_cast<unsigned char>(c)];
       i < std::size(kSymbols) && kSymbols[i].text[0] == c; ++i) {
    const Symbol& symbol = kSymbols[i];
    if (!rest.starts_with(symbol.text)) continue;
    Token token = Make(symbol.kind, position_ + symbol.text.size());
    token.op = symbol.op;
    return token;
  }
  return Make(kUnknown, position_ + DecodeUtf8(rest).size);
}

Result<Lexer::Part> Lexer::StringPart(std::uint32_t open, std::string& text) {
  while (position_ < source_.size()) {
    std::size_t plain = std::min(source_.find_first_of("\"\\", position_), source_.size());
    text += source_.substr(position_, plain - position_);
    position_ = plain;
    if (position_ == source_.size()) break;
    if (source_[position_] == '"') {
      ++position_;
      return Part::kEnd;
    }
    if (Byte(position_ + 1) == '(') {
      position_ += 2;
      return Part::kInterpolation;
    }
    WMAP_TRY_VOID(Escape(text));
  }
  return Fail(Error(Code::kSyntax, "the string that starts here has no closing '\"'")
                  .At({open, source_.size()}));
}

int Lexer::Hex4(std::size_t at) const {
  if (Byte(at) != '\\' || Byte(at + 1) != 'u') return -1;
  int value = 0;
  for (std::size_t i = at + 2; i < at + 6; ++i) {
    char c = Byte(i);
    int digit = IsDigit(c)             ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

Result<void> Lexer::Escape(std::string& text) {
  constexpr std::string_view kEscapes = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  std::size_t at = position_;
  if (std::size_t i = kEscapes.find(Byte(at + 1)); i != std::string_view::npos) {
    text += kMeanings[i];
    position_ = at + 2;
    return {};
  }
  if (int high = Hex4(at); high >= 0) {
    position_ = at + 6;
    auto code = static_cast<char32_t>(high);
    if (high >= 0xD800 && high < 0xDC00) {
      int low = Hex4(position_);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (static_cast<char32_t>(low) - 0xDC00);
        position_ += 6;
      }
    }
    AppendUtf8(text, code);  // a half of a pair alone becomes U+FFFD
    return {};
  }
  bool hex = Byte(at + 1) == 'u';
  std::size_t end = std::min(
      at + 1 + DecodeUtf8(source_.substr(std::min(at + 1, source_.size()))).size, source_.size());
  return Fail(
      Error(Code::kSyntax,
            hex ? std::string("'\\u' must be followed by four hexadecimal digits")
                : Cat("unknown escape ", Quote(source_.substr(at, end - at)),
                      " in a string; known are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX and "
                      "\\(expression); a backslash itself is written \\\\"))
          .At({at, std::max(end, at + 1)}));
}

}  // namespace wmap::expr
