#include "cli/eval_trace.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/table.h"
#include "expr/path_text.h"
#include "json/writer.h"

namespace wmap::cli {
namespace {

// A loop over a large object would fill the screen; the summary counts on.
constexpr std::size_t kMostLines = 500;
constexpr std::size_t kPartWidth = 32;
constexpr std::size_t kValueWidth = 60;

// `text` on one line of at most `width` characters.
std::string Shortened(std::string_view text, std::size_t width) {
  std::string line = Safe(text);
  std::size_t at = 0;
  for (std::size_t count = 0; at < line.size(); ++count) {
    if (count + 1 == width && at + DecodeUtf8(line.substr(at)).size < line.size()) {
      return Cat(line.substr(0, at), "\u2026");
    }
    at += DecodeUtf8(std::string_view(line).substr(at, 4)).size;
  }
  return line;
}

// The start of a value's text, more than what a line shows.
std::string ValueText(const json::Value& value) {
  std::string text;
  json::WriteStart(value, text, 8 * kValueWidth);
  return text;
}

std::string Padded(std::string text, std::size_t width) {
  std::size_t size = CountUtf8(text);
  if (size < width) text.append(width - size, ' ');
  return text;
}

}  // namespace

void EvalTrace::Enter(SourceRange part) {
  Part& known = parts_[{part.begin, source_.size() - part.end}];
  if (!known.has_given) ++known.nothing;
  known.has_given = false;
  ++known.entered;
}

void EvalTrace::Leave(SourceRange part, const json::Value& value, const json::Value* path) {
  Part& known = parts_[{part.begin, source_.size() - part.end}];
  known.has_given = true;
  known.nulls += value.is_null() ? 1 : 0;
  Tell(Shortened(TextOf(part), kPartWidth), ValueText(value), path);
}

void EvalTrace::Yield(const json::Value& value, const json::Value* path) {
  Tell("=", ValueText(value), path);
}

void EvalTrace::Tell(std::string_view part, std::string_view value, const json::Value* path) {
  if (++lines_ > kMostLines) return;
  std::string line =
      Cat(Padded(std::string(part), kPartWidth), "  ", Shortened(value, kValueWidth));
  if (path != nullptr)
    line = Cat(Padded(std::move(line), kPartWidth + 2 + kValueWidth), "  ", expr::PathText(*path));
  context_.err->Write(Cat(line, '\n'));
}

void EvalTrace::Summarize(bool failed) {
  if (lines_ > kMostLines) {
    context_.err->Write(Cat("\u2026 and ", lines_ - kMostLines, " more steps\n"));
  }
  auto times = [](std::size_t count, std::size_t of) {
    return of == 1 ? std::string() : Cat(", ", count, " of ", of, " times");
  };
  for (auto& [place, part] : parts_) {
    if (!part.has_given && !failed) ++part.nothing;
    std::string text = Safe(TextOf({place.first, source_.size() - place.second}));
    if (part.nothing > 0) {
      context_.err->Write(Cat("nothing came of ", text, times(part.nothing, part.entered), '\n'));
    }
    if (part.nulls > 0) {
      context_.err->Write(Cat("null came of ", text, times(part.nulls, part.entered), '\n'));
    }
  }
}

std::string EvalTrace::TextOf(SourceRange part) const {
  return std::string(source_.substr(part.begin, part.end - part.begin));
}

}  // namespace wmap::cli
