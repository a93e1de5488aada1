#include "schema/open_api.h"

#include <string>

namespace wmap::schema {

using json::Value;

bool IsOpenApi(const Value& document) {
  return document.is_object() && document.Get("openapi").text_or_empty().starts_with("3.");
}

std::vector<CrdVersion> PublishedKinds(const Value& document) {
  std::vector<CrdVersion> kinds;
  Value components = IsOpenApi(document) ? document.Get("components") : Value();
  Value schemas = components.is_object() ? components.Get("schemas") : Value();
  if (!schemas.is_object()) return kinds;
  for (const json::Member& member : schemas.members()) {
    const Value& schema = member.value;
    Value names = schema.is_object() ? schema.Get("x-kubernetes-group-version-kind") : Value();
    // What belongs to many kinds, as the options of a deletion do, is none of them.
    if (!names.is_array() || names.size() != 1 || !names[0].is_object()) continue;
    CrdVersion& added = kinds.emplace_back();
    added.kind = {std::string(names[0].Get("group").text_or_empty()),
                  std::string(names[0].Get("version").text_or_empty()),
                  std::string(names[0].Get("kind").text_or_empty())};
    added.schema = Schema(schema, schemas);
  }
  return kinds;
}

}  // namespace wmap::schema
