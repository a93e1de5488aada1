#include "schema/draft_place.h"

#include <algorithm>

#include "base/text.h"

namespace wmap::schema {
namespace {

bool IsPlainName(std::string_view name) {
  auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

std::string InQuotes(std::string_view text) { return Quote(text, text.size()); }

std::string PlaceText(const Place& place) {
  std::string text;
  for (const PlaceStep& step : place) {
    if (!step.is_field()) {
      text += "[]";
    } else if (IsPlainName(step.key)) {
      CatTo(text, '.', step.key);
    } else {
      CatTo(text, text.empty() ? "." : "", '[', InQuotes(step.key), ']');
    }
  }
  return text.empty() ? "." : text;
}

std::size_t EndOfLists(const Place& place) {
  auto last = std::find_if(place.rbegin(), place.rend(),
                           [](const PlaceStep& step) { return !step.is_field(); });
  return static_cast<std::size_t>(place.rend() - last);
}

std::size_t ListsOn(const Place& place) {
  return static_cast<std::size_t>(
      std::ranges::count_if(place, [](const PlaceStep& step) { return !step.is_field(); }));
}

bool IsBelow(const Place& place, const Place& above) {
  return place.size() > above.size() && std::equal(above.begin(), above.end(), place.begin());
}

std::string FieldsText(const Place& place, std::size_t begin, std::size_t end) {
  if (begin == end) return {};
  return PlaceText(Place(place.begin() + static_cast<std::ptrdiff_t>(begin),
                         place.begin() + static_cast<std::ptrdiff_t>(end)));
}

std::string LoopText(const Place& place) {
  std::string text;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < place.size(); ++at) {
    if (place[at].is_field()) continue;
    std::string fields = FieldsText(place, begin, at);
    CatTo(text, text.empty() ? "" : " | ", fields.empty() ? "." : fields, "[]?");
    begin = at + 1;
  }
  return text;
}

std::string IdsText(const Place& place, const std::vector<std::string>& ids) {
  std::string text;
  std::string name;  // of all lists so far, as the inside of a text
  std::size_t begin = 0;
  std::size_t list = 0;
  std::string value;  // what leads from an entry of a map to its value
  for (std::size_t at = 0; at < place.size(); ++at) {
    if (place[at].is_field()) continue;
    bool is_map = place[at].kind == PlaceStep::Kind::kValues;
    std::string fields = Cat(value, FieldsText(place, begin, at));
    if (fields.empty()) fields = ".";
    if (!text.empty()) text += " | ";
    CatTo(text, is_map ? Cat('(', fields, " // {}) | to_entries[]") : Cat(fields, "[]?"), " | ");
    std::string id = is_map ? ".key" : ids[list];
    if (list + 1 < ListsOn(place)) {
      bool is_one = id.find(' ') == std::string::npos;
      CatTo(text, is_one ? id : Cat('(', id, ')'), " as $of", list);
      CatTo(name, "\\($of", list, ")-");
    } else {
      text += name.empty() ? id : Cat('"', name, "\\(", id, ")\"");
    }
    value = is_map ? ".value" : "";
    begin = at + 1;
    ++list;
  }
  return text;
}

std::string ValuesText(const Place& place) {
  std::size_t end = EndOfLists(place);
  std::string rest = FieldsText(place, end, place.size());
  if (end == 0) return rest.empty() ? "." : rest;
  std::string loop = LoopText(place);
  return rest.empty() ? loop : Cat(loop, " | ", rest);
}

}  // namespace wmap::schema
