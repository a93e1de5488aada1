#include "schema/crd.h"

#include <string_view>

namespace wmap::schema {

using json::Value;

bool IsCrd(const Value& document) {
  return document.is_object() &&
         document.Get("kind").text_or_empty() == "CustomResourceDefinition" &&
         document.Get("apiVersion").text_or_empty().starts_with("apiextensions.k8s.io/");
}

std::vector<CrdVersion> VersionsOf(const Value& document) {
  std::vector<CrdVersion> versions;
  if (!IsCrd(document)) return versions;
  auto part = [](const Value& of, std::string_view key) {
    return of.is_object() ? of.Get(key) : Value();
  };
  Value spec = part(document, "spec");
  Value names = part(spec, "names");
  // The first API version of definitions kept what a schema does not name unless told otherwise,
  // and had one schema for all versions as well.
  bool is_first = document.Get("apiVersion").text_or_empty() == "apiextensions.k8s.io/v1beta1";
  Value keeps = part(spec, "preserveUnknownFields");
  bool keeps_unknown = keeps.is_null() ? is_first : keeps.is_true();
  auto add = [&](std::string_view version, const Value& own, bool is_served) {
    Value schema = own.is_null() ? part(part(spec, "validation"), "openAPIV3Schema") : own;
    CrdVersion& added = versions.emplace_back();
    added.kind = {std::string(part(spec, "group").text_or_empty()), std::string(version),
                  std::string(part(names, "kind").text_or_empty())};
    added.plural = part(names, "plural").text_or_empty();
    added.is_served = is_served;
    added.schema = Schema(schema, Value(), keeps_unknown);
  };
  Value list = part(spec, "versions");
  if (!list.is_array()) {
    add(part(spec, "version").text_or_empty(), Value(), true);
    return versions;
  }
  for (const Value& version : list.items()) {
    add(part(version, "name").text_or_empty(), part(part(version, "schema"), "openAPIV3Schema"),
        !version.is_object() || version.Find("served") == nullptr ||
            version.Get("served").is_true());
  }
  return versions;
}

}  // namespace wmap::schema
