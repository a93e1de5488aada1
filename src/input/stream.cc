#include "input/stream.h"

#include <memory>
#include <optional>

#include "base/arena.h"
#include "base/text.h"
#include "input/gzip.h"
#include "input/json_stream.h"
#include "input/window.h"
#include "input/yaml_stream.h"
#include "json/reader.h"

namespace wmap::input {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\r\n";
// Enough to see what a file is.
constexpr std::size_t kFirstLook = 4;

// Refills until `size` bytes are there, or the end.
Result<void> Look(Window& window, std::size_t size) {
  while (window.text().size() < size && !window.is_final()) WMAP_TRY_VOID(window.Refill());
  return {};
}

// Whether the window's text, which begins with neither bracket, is a stream of JSON values all the
// same: numbers, strings, true, false and null are documents of YAML too, but `1` and `2` on two
// lines are one there. Decided by the first 64 KiB.
Result<bool> IsStreamOfValues(Window& window) {
  constexpr std::size_t kDecisive = std::size_t{64} << 10;
  WMAP_TRY_VOID(Look(window, kDecisive));
  std::string_view text = window.text();
  Arena arena;
  json::Reader reader;
  for (std::size_t at = 0;;) {
    auto value = reader.ReadNext(text, &at, arena, window.is_final());
    if (value && !*value) return true;
    if (!value) return value.error().code() == Code::kTruncated && !window.is_final();
    // Not "true: 1" and not "1-2".
    if (at < text.size() && kBlanks.find(text[at]) == std::string_view::npos) return false;
  }
}

Result<void> ReadText(Window& window, std::string_view name, Delivery& delivery) {
  WMAP_TRY_VOID(Look(window, kFirstLook));
  if (window.text().starts_with("\xFF\xFE") || window.text().starts_with("\xFE\xFF")) {
    return Fail(Code::kSyntax,
                "the file is UTF-16, as Windows PowerShell's \">\" writes it; save it as UTF-8");
  }
  if (window.text().starts_with(kByteOrderMark)) window.Consume(kByteOrderMark.size());
  // An object in JSON starts with a bracket behind blanks; what starts otherwise is YAML from its
  // first byte on.
  std::size_t blanks = 0;
  while (true) {
    blanks = window.text().find_first_not_of(kBlanks, blanks);
    if (blanks != std::string_view::npos) break;
    blanks = window.text().size();
    if (window.is_final()) return {};
    WMAP_TRY_VOID(window.Refill());
  }
  std::optional<Error> json_error;
  char first = window.text()[blanks];
  bool is_json = first == '{' || first == '[';
  if (!is_json && delivery.options().unit == Options::Unit::kDocuments) {
    WMAP_TRY(is_json, IsStreamOfValues(window));
  }
  if (is_json) {
    JsonStream stream(window, name, delivery);
    switch (stream.Run()) {
      case JsonStream::End::kEnd:
        return {};
      case JsonStream::End::kRetry:
        json_error = stream.error();
        break;
      case JsonStream::End::kYaml:
        break;
    }
  }
  YamlStream(window, name, delivery).Run(std::move(json_error));
  return {};
}

}  // namespace

std::uint64_t ReadFile(FileReader& file, std::string_view name, Delivery& delivery) {
  const Options& options = delivery.options();
  delivery.StartFile(name);
  Window window(file, options.window_bytes, options.max_object_bytes);
  std::uint64_t bytes = 0;
  auto read = Look(window, kFirstLook);
  if (read && IsGzip(window.text())) {
    auto unpacked = Unpack(file, window.text(), options.max_unpacked_bytes);
    Window inner(*unpacked, options.window_bytes, options.max_object_bytes);
    read = ReadText(inner, name, delivery);
    bytes = inner.bytes();
  } else {
    if (read) read = ReadText(window, name, delivery);
    bytes = window.bytes();
  }
  if (!read) {
    delivery.ReportError({.file = name, .item = 0, .place = {}}, std::move(read).error());
  }
  delivery.EndFile();
  return bytes;
}

}  // namespace wmap::input
