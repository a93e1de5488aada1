#include "yaml/diagnose.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "base/utf8.h"

namespace wmap::yaml {
namespace {

// The line of `text` that holds byte `offset`, without its end.
std::string_view LineAt(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  std::size_t start = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  start = start == std::string_view::npos ? 0 : start + 1;
  return text.substr(start, text.find_first_of("\r\n", start) - start);
}

std::uint32_t LineNumberAt(std::string_view text, std::size_t offset, std::uint32_t first_line) {
  offset = std::min(offset, text.size());
  auto count = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
  return first_line + static_cast<std::uint32_t>(count);
}

// The text between the first "name:" of the line and the following blank, when no space stands
// behind the colon: "name:value", but no "http://...".
std::string_view KeyWithoutSpace(std::string_view line) {
  std::size_t start = line.find_first_not_of(" -");
  if (start == std::string_view::npos) return {};
  line.remove_prefix(start);
  std::size_t colon = line.find_first_of(": \"'#");
  if (colon == std::string_view::npos || colon == 0 || line[colon] != ':') return {};
  if (colon + 1 == line.size() || line[colon + 1] == ' ' || line[colon + 1] == '/') return {};
  return line.substr(0, line.find(' ', colon));
}

// What libyaml says, and what we say. `place_is_context` points to where the faulty thing starts
// and not to where it became apparent.
struct Wording {
  std::string_view problem;
  std::string_view context;  // "" is any
  std::string_view message;
  bool place_is_context;
};
constexpr Wording kWordings[] = {
    {"control characters are not allowed", "",
     "a control character, which text cannot hold; is this a binary file?", false},
    {"invalid leading UTF-8 octet", "", "bytes that are no UTF-8; is this a binary file?", false},
    {"invalid trailing UTF-8 octet", "", "bytes that are no UTF-8; is this a binary file?", false},
    {"incomplete UTF-8 octet sequence", "", "the text ends inside a character", false},
    {"invalid length of a UTF-8 sequence", "", "bytes that are no UTF-8", false},
    {"invalid Unicode character", "", "bytes that are no UTF-8", false},
    {"found unexpected end of stream", "while scanning a quoted scalar", "the quote is not closed",
     true},
    {"found unexpected document indicator", "while scanning a quoted scalar",
     "the quote is not closed before the next document", true},
    {"mapping values are not allowed in this context", "", "a \": \" where no key can stand",
     false},
    {"block sequence entries are not allowed in this context", "",
     "a \"- \" where no list can start", false},
    {"could not find expected ':'", "", "a key without a colon behind it", true},
    {"did not find expected key", "while parsing a block mapping",
     "neither a key nor the end of the mapping", false},
    {"did not find expected '-' indicator", "", "neither a \"- \" nor the end of the list", false},
    {"did not find expected ',' or '}'", "", "neither a comma nor the closing \"}\"", false},
    {"did not find expected ',' or ']'", "", "neither a comma nor the closing \"]\"", false},
    {"did not find expected node content", "", "a value is missing", false},
    {"did not find expected <document start>", "", "text behind the end of the document", false},
    {"found unknown escape character", "", "an escape that YAML does not have", false},
    {"found character that cannot start any token", "", "a character that cannot start a value",
     false},
    {"found a tab character where an indentation space is expected", "",
     "a tab cannot indent; use spaces", false},
    {"found a tab character that violates indentation", "", "a tab cannot indent; use spaces",
     false},
    {"found undefined tag handle", "", "a tag with an unknown handle", false},
};

const Wording* FindWording(const Trouble& trouble) {
  for (const Wording& wording : kWordings) {
    if (trouble.problem.starts_with(wording.problem) &&
        (wording.context.empty() || wording.context == trouble.context)) {
      return &wording;
    }
  }
  return nullptr;
}

bool IndentsWithTab(std::string_view line) {
  std::size_t end = std::min(line.find_first_not_of(" \t"), line.size());
  return line.substr(0, end).find('\t') != std::string_view::npos;
}

// Hints that the line at the place of the problem gives, for problems of any kind.
std::string HintOfLine(const Trouble& trouble, std::string_view text, std::size_t at) {
  std::string_view line = LineAt(text, at);
  if (IndentsWithTab(line)) return "a tab cannot indent; use spaces";
  if (at < text.size()) {
    char c = text[at];
    if (c == '@' || c == '`' || c == '%') {
      return Cat("put text that begins with \"", c, "\" in quotes");
    }
  }
  if (std::string_view hint = PlaceholderHint(text, at); !hint.empty()) return std::string(hint);
  std::string_view context_line = LineAt(text, trouble.context_at);
  auto start = static_cast<std::size_t>(line.data() - text.data());
  std::string_view line_above = start == 0 ? std::string_view() : LineAt(text, start - 1);
  for (std::string_view candidate : {line, context_line, line_above}) {
    if (std::string_view key = KeyWithoutSpace(candidate); !key.empty()) {
      return Cat("a space is missing behind the colon of ", Quote(key, 40));
    }
  }
  return {};
}

std::string HintOfProblem(const Trouble& trouble, std::string_view text, std::uint32_t first_line) {
  auto context_line = [&] { return LineNumberAt(text, trouble.context_at, first_line); };
  if (trouble.problem.starts_with("mapping values")) {
    return "indent the line as its neighbours are, or put text that holds \": \" in quotes";
  }
  if (trouble.problem.starts_with("could not find expected ':'"))
    return "write it as \"key: value\"";
  if (trouble.problem.starts_with("did not find expected key") ||
      trouble.problem.starts_with("did not find expected '-'")) {
    return Cat("indent the line as what starts in line ", context_line(),
               " is, or put the value in quotes");
  }
  if (trouble.problem.starts_with("did not find expected ','")) {
    return Cat("the bracket was opened in line ", context_line());
  }
  return {};
}

}  // namespace

std::size_t OffsetOfCharacter(std::string_view text, std::size_t index) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    bool starts_character = (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    if (starts_character && index-- == 0) return at;
  }
  return at;
}

std::string_view PlaceholderHint(std::string_view text, std::size_t offset) {
  std::string_view line = LineAt(text, offset);
  if (line.find("{{") != std::string_view::npos) {
    return "this is a template: render it first (helm template), or put text that begins with "
           "\"{\" "
           "in quotes";
  }
  // A value that begins with "{name}" and goes on.
  for (std::size_t open = line.find('{'); open != std::string_view::npos;
       open = line.find('{', open + 1)) {
    bool starts_value =
        open >= 2 && line[open - 1] == ' ' && (line[open - 2] == ':' || line[open - 2] == '-');
    std::size_t close = line.find_first_of("{}:, ", open + 1);
    if (starts_value && close != std::string_view::npos && line[close] == '}' &&
        close + 1 < line.size() &&
        std::string_view(" ,]}#").find(line[close + 1]) == std::string_view::npos) {
      return "fill in the placeholder, or put text that begins with \"{\" in quotes";
    }
  }
  return {};
}

Error Diagnose(const Trouble& trouble, std::string_view text, std::uint32_t first_line) {
  const Wording* wording = FindWording(trouble);
  std::size_t at = trouble.at;
  std::string message;
  if (wording == nullptr) {
    message = trouble.problem.empty() ? std::string("malformed") : std::string(trouble.problem);
  } else {
    message = wording->message;
    if (wording->place_is_context) at = trouble.context_at;
  }
  if (message.find(';') == std::string::npos) {
    std::string hint = HintOfLine(trouble, text, at);
    if (hint.empty()) hint = HintOfProblem(trouble, text, first_line);
    if (!hint.empty()) CatTo(message, "; ", hint);
  }
  at = std::min(at, text.size());
  std::size_t size = at < text.size() ? DecodeUtf8(text.substr(at)).size : 0;
  return Error(Code::kSyntax, std::move(message)).At({at, at + size});
}

}  // namespace wmap::yaml
