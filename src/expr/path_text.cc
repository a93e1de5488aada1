#include "expr/path_text.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "json/writer.h"

namespace wmap::expr {
namespace {

bool IsName(std::string_view key) {
  auto fits = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !key.empty() && fits(key.front()) &&
         std::ranges::all_of(key, [&](char c) { return fits(c) || (c >= '0' && c <= '9'); });
}

// Keys of a path are short, but a path may be any value of a program.
std::string Start(const json::Value& value) {
  constexpr std::size_t kMostBytes = 200;
  std::string text;
  if (json::WriteStart(value, text, kMostBytes)) text += "...";
  return text;
}

}  // namespace

std::string PathText(const json::Value& path) {
  std::string text;
  for (const json::Value& key : path.items()) {
    if (key.is_string() && IsName(key.as_string())) {
      CatTo(text, '.', key.as_string());
    } else if (key.is_object()) {
      auto bound = [&](std::string_view name) {
        json::Value value = key.Get(name);
        return value.is_null() ? std::string() : Start(value);
      };
      CatTo(text, text.empty() ? "." : "", '[', bound("start"), ':', bound("end"), ']');
    } else {
      CatTo(text, text.empty() ? "." : "", '[', Start(key), ']');
    }
  }
  return text.empty() ? "." : text;
}

}  // namespace wmap::expr
