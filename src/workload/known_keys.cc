#include "workload/known_keys.h"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>

#include "base/text.h"

namespace wmap::workload {
namespace {

using definition::KnownKeys;
using json::Value;

Value At(Value value, std::span<const std::string> fields) {
  for (const std::string& field : fields) value = value.Get(field);
  return value;
}

// `value` with `leaf` at `fields`, all of which are there. Depth: that of the definition's path.
Value With(const Value& value, std::span<const std::string> fields, const Value& leaf,
           Arena& arena) {
  if (fields.empty()) return leaf;
  json::ObjectBuilder object;
  for (const json::Member& member : value.members()) {
    object.Add(member.key, member.key == fields[0]
                               ? With(member.value, fields.subspan(1), leaf, arena)
                               : member.value);
  }
  return object.Finish(arena);
}

class MapReader {
 public:
  MapReader(const KnownKeys& keys, std::string_view kind) : keys_(keys), kind_(kind) {}

  // The map with the names as they are known, or null when nothing is to be changed.
  Value Read(const Value& map, std::vector<std::string>& problems, Arena& arena) {
    std::map<std::string_view, std::vector<const json::Member*>> by_name;
    bool is_changed = false;
    for (const json::Member& member : map.members()) {
      std::string_view name = NameOf(member.key);
      if (name.empty()) {
        problems.push_back(Unknown(member.key));
        name = member.key;
      }
      is_changed |= name != member.key;
      by_name[name].push_back(&member);
    }
    if (!is_changed) return {};
    json::ObjectBuilder object;
    for (const auto& [name, members] : by_name) {
      // Of several the operator takes one in other letters.
      const json::Member* taken = members.front()->key == name ? members.back() : members.front();
      object.Add(name, taken->value);
      if (members.size() == 1) continue;
      std::vector<std::string> spellings;
      for (const json::Member* member : members) spellings.push_back(Quote(member->key));
      problems.push_back(Cat(Where(), " has ", Join(spellings, " and "), ", which are one name to ",
                             kind_, "; ", Quote(taken->key), " is read"));
    }
    return object.Finish(arena);
  }

 private:
  // The known name that `key` is, or "".
  std::string_view NameOf(std::string_view key) const {
    if (std::ranges::find(keys_.known, key) != keys_.known.end()) return key;
    if (!keys_.any_case) return {};
    auto found = std::ranges::find_if(
        keys_.known, [&](const std::string& known) { return ToLower(known) == ToLower(key); });
    return found == keys_.known.end() ? std::string_view() : *found;
  }

  std::string Where() const { return Cat('.', Join(keys_.at, ".")); }

  std::string Unknown(std::string_view key) const {
    std::string_view near;
    for (const std::string& known : keys_.known) {
      if (ToLower(known) == ToLower(key)) near = known;
    }
    if (near.empty()) near = Nearest(key, {keys_.known.begin(), keys_.known.end()});
    return Cat(Where(), " has ", Quote(key), ", which ", kind_, " does not know; ",
               near.empty() ? Cat("it knows ", Join(keys_.known, ", "))
                            : Cat("did you mean ", Quote(near), '?'));
  }

  const KnownKeys& keys_;
  std::string_view kind_;
};

}  // namespace

KeysRead ReadKeys(const definition::Karta& karta, const Value& object, Arena& arena) {
  KeysRead read = {object, {}};
  for (const KnownKeys& keys : karta.keys) {
    Value map = At(object, keys.at);
    if (!map.is_object()) continue;
    Value renamed = MapReader(keys, karta.kind().kind).Read(map, read.problems, arena);
    if (!renamed.is_null()) read.object = With(read.object, keys.at, renamed, arena);
  }
  return read;
}

}  // namespace wmap::workload
