// The YAML reader over arbitrary bytes: documents are found the same however the text arrives,
// faults point into the text, and what was read survives being written and read again.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/check.h"
#include "json/compare.h"
#include "yaml/reader.h"
#include "yaml/writer.h"

namespace {

using wmap::Arena;

// Finds the document at the start of `text` with half of it, and then with all.
void CheckFindDocument(std::string_view text) {
  std::size_t scanned = 0;
  auto whole = *wmap::yaml::FindDocument(text, true, &scanned);
  WMAP_CHECK(whole.begin <= whole.end && whole.end <= whole.next && whole.next <= text.size());
  WMAP_CHECK(whole.next > 0 || text.empty());
  scanned = 0;
  auto half = wmap::yaml::FindDocument(text.substr(0, text.size() / 2), false, &scanned);
  if (!half) half = wmap::yaml::FindDocument(text, true, &scanned);
  WMAP_CHECK(half->begin == whole.begin && half->end == whole.end && half->next == whole.next);
}

void CheckRoundTrip(const wmap::json::Value& value, Arena& arena) {
  std::string yaml = wmap::yaml::ToYaml(value);
  // Aliases may make a small document a large one.
  if (yaml.size() > (1u << 20)) return;
  auto again = wmap::yaml::Read(yaml, arena);
  WMAP_CHECK(again.has_value());
  WMAP_CHECK(wmap::json::Equal(value, *again));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckFindDocument(text);
  wmap::yaml::Documents documents(text,
                                  {.max_depth = 100, .max_alias_bytes = std::size_t{1} << 16});
  Arena arena;
  wmap::json::SourceMap places;
  while (true) {
    places.Clear();
    auto document = documents.Next(arena, &places);
    if (!document) {
      const auto& range = document.error().range();
      WMAP_CHECK(range && range->begin <= range->end && range->end <= size);
      continue;
    }
    if (!*document) return 0;
    WMAP_CHECK(places.Find("") != nullptr);
    CheckRoundTrip((*document)->value, arena);
  }
}
