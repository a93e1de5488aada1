#include "inspect/case_file.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/text.h"
#include "json/place.h"
#include "json/source_map.h"
#include "yaml/reader.h"
#include "yaml/writer.h"

namespace wmap::inspect {
namespace {

using json::Value;

constexpr std::array<std::string_view, 5> kKeys = {"name", "object", "objects", "files", "expect"};

class CaseReader {
 public:
  explicit CaseReader(const json::SourceMap& places) : places_(places) {}

  Result<std::vector<Case>> Read(const Value& document) {
    const Value* list = document.is_object() ? document.Find("cases") : nullptr;
    if (list == nullptr || !list->is_array() || document.size() != 1) {
      return Wrong("", "a case file has one key, `cases`, with a list");
    }
    std::vector<Case> cases;
    std::set<std::string> names;
    for (std::size_t i = 0; i < list->size(); ++i) {
      WMAP_TRY(Case one, ReadOne((*list)[i], Cat("/cases/", i)));
      if (!names.insert(one.name).second) {
        return Wrong(Cat("/cases/", i, "/name"), Cat("a second case ", Quote(one.name)));
      }
      cases.push_back(std::move(one));
    }
    return cases;
  }

 private:
  std::unexpected<Error> Wrong(std::string_view pointer, std::string_view what) const {
    json::LineColumn place = places_.FindNearest(pointer).value;
    // An empty file has no lines.
    return Fail(Code::kInvalid,
                place.line == 0 ? std::string(what) : Cat("line ", place.line, ": ", what));
  }

  Result<Case> ReadOne(const Value& value, const std::string& pointer) const {
    if (!value.is_object()) return Wrong(pointer, "a case is a mapping");
    for (const json::Member& member : value.members()) {
      if (std::ranges::find(kKeys, member.key) != kKeys.end()) continue;
      std::string_view near = Nearest(member.key, {kKeys.begin(), kKeys.end()});
      return Wrong(Cat(pointer, '/', member.key),
                   Cat("a case has no field ", Quote(member.key),
                       near.empty() ? "; it has name, object, objects or files, and expect"
                                    : Cat("; did you mean ", Quote(near), '?')));
    }
    Case one;
    one.line = places_.FindNearest(pointer).value.line;
    one.name = value.Get("name").text_or_empty();
    if (one.name.empty()) return Wrong(pointer, "a case needs a name");
    one.expect = value.Get("expect");
    std::size_t inputs = 0;
    for (std::string_view key : {"object", "objects", "files"})
      inputs += value.Find(key) != nullptr;
    if (inputs != 1) {
      return Wrong(pointer,
                   Cat("case ", Quote(one.name), " needs one of object, objects and files"));
    }
    if (const Value* object = value.Find("object")) one.objects.push_back(*object);
    if (const Value* objects = value.Find("objects")) {
      if (!objects->is_array()) return Wrong(Cat(pointer, "/objects"), "objects is a list");
      one.objects.assign(objects->items().begin(), objects->items().end());
    }
    for (const Value& object : one.objects) {
      if (!object.is_object())
        return Wrong(pointer, Cat("case ", Quote(one.name), ": an object is a mapping"));
    }
    if (const Value* files = value.Find("files")) {
      if (!files->is_array()) return Wrong(Cat(pointer, "/files"), "files is a list of names");
      for (const Value& file : files->items()) {
        if (!file.is_string()) return Wrong(Cat(pointer, "/files"), "files is a list of names");
        one.files.emplace_back(file.as_string());
      }
    }
    return one;
  }

  const json::SourceMap& places_;
};

}  // namespace

Result<std::vector<Case>> ReadCases(std::string_view text, Arena& arena) {
  json::SourceMap places;
  Result<Value> document = yaml::Read(text, arena, &places);
  if (!document) {
    Error error = std::move(document).error();
    if (!error.range()) return std::unexpected(std::move(error));
    json::LineColumn place = json::PlaceOf(text, error.range()->begin);
    return Fail(error.code(), Cat("line ", place.line, ": ", error.Describe()));
  }
  return CaseReader(places).Read(*document);
}

std::string WriteCases(const std::vector<Case>& cases) {
  Arena arena;
  std::vector<Value> list;
  for (const Case& one : cases) {
    json::ObjectBuilder object;
    object.Add("name", Value::String(one.name));
    if (!one.files.empty()) {
      std::vector<Value> files;
      for (const std::string& file : one.files) files.push_back(Value::String(file));
      object.Add("files", json::MakeArray(arena, files));
    } else if (one.objects.size() == 1) {
      object.Add("object", one.objects.front());
    } else {
      object.Add("objects", json::MakeArray(arena, one.objects));
    }
    if (!one.expect.is_null()) object.Add("expect", one.expect);
    list.push_back(object.Finish(arena));
  }
  json::ObjectBuilder document;
  document.Add("cases", json::MakeArray(arena, list));
  return yaml::ToYaml(document.Finish(arena), {.order = yaml::WriteOptions::Order::kSource});
}

}  // namespace wmap::inspect
