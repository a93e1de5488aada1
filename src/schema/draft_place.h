// Places in the documents of a kind, as drafts name them: fields, items of lists, values of maps.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wmap::schema {

struct PlaceStep {
  enum class Kind : unsigned char {
    kField,   // the member `key`
    kItems,   // each item of a list
    kValues,  // each value of a map
  };
  Kind kind = Kind::kField;
  std::string key = {};

  bool is_field() const { return kind == Kind::kField; }
  friend auto operator<=>(const PlaceStep&, const PlaceStep&) = default;
};
using Place = std::vector<PlaceStep>;

// ".spec.groups[].template", for people; "." of the document itself.
std::string PlaceText(const Place& place);

// Where the last list or map on the way is entered: behind it are the fields of one instance.
// 0 when there is none.
std::size_t EndOfLists(const Place& place);
// How many lists and maps are on the way.
std::size_t ListsOn(const Place& place);
bool IsBelow(const Place& place, const Place& above);

// --- Expressions.

// As a text of JSON, of the expression language and of YAML, whatever is in it.
std::string InQuotes(std::string_view text);

// `.a["b-c"].d` of the fields [begin, end); "" of none.
std::string FieldsText(const Place& place, std::size_t begin, std::size_t end);
// Goes through the lists and maps on the way: ".spec.sets[]? | .groups[]?"; "" without any.
std::string LoopText(const Place& place);
// One text for each instance: `ids` has, for each list or map on the way, the expression of the
// name on one of its items; of a map it is not used, since names are its keys.
// ".spec.groups[]? | .name", "(.spec.services // {}) | to_entries[] | .key".
std::string IdsText(const Place& place, const std::vector<std::string>& ids);
// All values of a place: ".spec.head.template", ".spec.groups[]? | .template".
std::string ValuesText(const Place& place);

}  // namespace wmap::schema
