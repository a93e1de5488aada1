// Arbitrary bytes as JSON in both dialects: no crash and no read beyond the text; what is read is
// written and read back equal, in both orders and indented; skipping, a borrowed text and a copy
// agree with reading; errors stand inside the text.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/check.h"
#include "base/utf8.h"
#include "json/compare.h"
#include "json/reader.h"
#include "json/value.h"
#include "json/writer.h"

namespace {

using wmap::Arena;
using wmap::json::ReadOptions;
using wmap::json::Value;
using wmap::json::WriteOptions;

void CheckError(const wmap::Error& error, std::string_view text) {
  WMAP_CHECK(error.range().has_value());
  WMAP_CHECK(error.range()->begin <= error.range()->end && error.range()->end <= text.size());
  WMAP_CHECK(wmap::IsUtf8(error.message()));
  WMAP_CHECK(wmap::IsUtf8(wmap::json::Excerpt(text, *error.range())));
}

// What is written is valid in the strict dialect and means the same.
void CheckWritten(const Value& value) {
  Arena arena;
  wmap::json::Reader reader({.max_depth = 100'000});
  std::string source = wmap::json::ToJson(value, {.order = WriteOptions::Order::kSource});
  auto again = reader.Read(source, arena);
  WMAP_CHECK(again.has_value());
  WMAP_CHECK(wmap::json::ToJson(*again, {.order = WriteOptions::Order::kSource}) == source);
  std::string sorted = wmap::json::ToJson(value);
  WMAP_CHECK(wmap::json::ToJson(*again) == sorted);
  auto indented = reader.Read(wmap::json::ToJson(value, {.indent = 3}), arena);
  WMAP_CHECK(indented.has_value());
  WMAP_CHECK(wmap::json::SortOrder(*indented, *again) == 0);
  WMAP_CHECK(wmap::json::Equal(*indented, *again));
}

void CheckDialect(std::string_view text, ReadOptions options) {
  Arena arena;
  wmap::json::SourceMap map;
  auto value = wmap::json::Read(text, arena, options);
  options.borrow_text = true;
  auto borrowed = wmap::json::Read(text, arena, options);
  options.source_map = &map;
  auto mapped = wmap::json::Read(text, arena, options);
  WMAP_CHECK(value.has_value() == borrowed.has_value());
  WMAP_CHECK(value.has_value() == mapped.has_value());
  if (value) {
    WMAP_CHECK(wmap::json::SortOrder(*value, *borrowed) == 0);
    WMAP_CHECK(wmap::json::SortOrder(*value, wmap::json::DeepCopy(arena, *mapped)) == 0);
    WMAP_CHECK(map.Find("") != nullptr);
    CheckWritten(*value);
  } else {
    CheckError(value.error(), text);
  }
  options.source_map = nullptr;
  options.refuse_duplicates = true;
  if (auto strict = wmap::json::Read(text, arena, options); !strict) {
    CheckError(strict.error(), text);
  }

  // In a row, and with more text to come: an error that more text cannot mend stays an error.
  wmap::json::Reader reader(options);
  std::size_t read_to = 0;
  std::size_t skipped_to = 0;
  for (;;) {
    auto found = reader.SkipNext(text, &skipped_to, false);
    ReadOptions last_wins = options;
    last_wins.refuse_duplicates = false;
    auto next = wmap::json::ReadNext(text, &read_to, arena, last_wins, false);
    WMAP_CHECK(next.has_value() == found.has_value() && read_to == skipped_to);
    if (!next) CheckError(next.error(), text);
    if (!next || !*next) break;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A copy of exactly this size, so that a read beyond the end is seen.
  auto exact = std::make_unique<char[]>(size);
  if (size > 0) std::memcpy(exact.get(), data, size);
  std::string_view text(exact.get(), size);
  for (auto dialect : {ReadOptions::Dialect::kStrict, ReadOptions::Dialect::kJq}) {
    CheckDialect(text, {.dialect = dialect, .max_depth = 500});
    CheckDialect(text, {.dialect = dialect, .drop_managed_fields = true, .max_depth = 500});
  }
  return 0;
}
