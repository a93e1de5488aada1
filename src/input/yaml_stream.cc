#include "input/yaml_stream.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"

namespace wmap::input {
namespace {

using json::Value;

bool IsControl(char c) {
  auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

// Whether `text`, which may end inside a character, holds bytes that no text has. Looking for them
// before the end of the document is known saves reading all of a binary file.
bool IsBinary(std::string_view text) {
  std::size_t valid = ValidUtf8Prefix(text);
  constexpr std::size_t kLongestCharacter = 4;
  return text.size() - valid >= kLongestCharacter || std::ranges::any_of(text, IsControl);
}

// The offset of the first line with content, which is neither blank nor a comment or marker.
std::size_t ContentOffset(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t start = text.find_first_not_of(" \t\r\n", at);
    if (start == std::string_view::npos) return text.size();
    if (text[start] != '#' && !text.substr(start).starts_with("---")) return start;
    at = std::min(text.find('\n', start), text.size());
  }
  return text.size();
}

}  // namespace

YamlStream::YamlStream(Window& window, std::string_view file, Delivery& delivery)
    : window_(window), file_(file), delivery_(delivery) {}

void YamlStream::Run(std::optional<Error> json_error) {
  while (true) {
    auto found = FindDocument();
    if (!found) {
      Error error = std::move(found).error();
      Source from{.file = file_, .item = 0, .place = {}};
      if (error.code() != Code::kUnreadable) from.place = window_.PlaceAt(0);
      return delivery_.ReportError(from, std::move(error));
    }
    std::string_view text = window_.text().substr(found->begin, found->end - found->begin);
    bool is_last = window_.is_final() && found->next == window_.text().size();
    Outcome outcome = ReadDocument(found->begin, text, is_last && number_ == 0,
                                   std::exchange(json_error, std::nullopt));
    if (outcome == Outcome::kNoText || is_last) return;
    window_.Consume(found->next);
  }
}

// The next document, all of it in the window; of binary data the part that is there.
Result<yaml::DocumentText> YamlStream::FindDocument() {
  std::size_t scanned = 0;
  std::size_t checked = 0;
  while (true) {
    std::string_view text = window_.text();
    if (auto found = yaml::FindDocument(text, window_.is_final(), &scanned)) return *found;
    // A character that was cut is looked at again.
    std::size_t from = checked - std::min<std::size_t>(checked, 3);
    while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80) ++from;
    if (IsBinary(text.substr(from))) return yaml::DocumentText{0, text.size(), text.size()};
    checked = text.size();
    WMAP_TRY_VOID(window_.Refill());
  }
}

YamlStream::Outcome YamlStream::ReadDocument(std::size_t begin, std::string_view text, bool is_only,
                                             std::optional<Error> json_error) {
  std::size_t content = ContentOffset(text);
  if (content == text.size()) return Outcome::kEmpty;
  std::uint32_t first_line = window_.PlaceAt(begin).line;
  Source from{.file = file_, .item = 0, .place = window_.PlaceAt(begin + content)};
  arena_.Reset();
  auto value = Parse(text, first_line, std::move(json_error));
  if (value && !*value) return Outcome::kEmpty;
  ++number_;
  if (value) {
    delivery_.Deliver(**value, from, {}, [&](std::string_view pointer) {
      return ReadPlaces(text, first_line, pointer);
    });
    return Outcome::kRead;
  }
  Error error = std::move(value).error();
  SourceRange range = error.range().value_or(SourceRange{});
  from.place = window_.PlaceAt(begin + range.begin);
  bool is_text = !IsBinary(text.substr(range.begin, 1)) &&
                 IsUtf8(text.substr(range.begin, DecodeUtf8(text.substr(range.begin)).size));
  if (number_ > 1 || (is_text && !is_only)) error.In(Cat("document ", number_));
  delivery_.ReportError(from, std::move(error), json::Excerpt(text, range));
  return is_text ? Outcome::kFailed : Outcome::kNoText;
}

// The document as JSON, when it starts as such, and else as YAML. When it is neither, the error is
// that of the reader that came farther.
Result<std::optional<Value>> YamlStream::Parse(std::string_view text, std::uint32_t first_line,
                                               std::optional<Error> json_error) {
  char first = text[ContentOffset(text)];
  if (!json_error && (first == '{' || first == '[')) {
    auto value = json_reader_.Read(text, arena_);
    if (value) return *value;
    json_error = std::move(value).error();
    arena_.Reset();
  }
  auto value = reader_.Read(text, arena_, {.map = nullptr, .root = {}, .first_line = first_line});
  if (value || !json_error) return value;
  auto begin = [](const Error& error) { return error.range().value_or(SourceRange{}).begin; };
  if (begin(*json_error) >= begin(value.error())) return Fail(std::move(*json_error));
  return value;
}

const json::SourceMap* YamlStream::ReadPlaces(std::string_view text, std::uint32_t first_line,
                                              std::string_view pointer) {
  places_.Clear();
  Arena arena;
  auto value =
      reader_.Read(text, arena, {.map = &places_, .root = pointer, .first_line = first_line});
  return value ? &places_ : nullptr;
}

}  // namespace wmap::input
