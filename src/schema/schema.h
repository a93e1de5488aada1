// Schema: what the documents of one version of a kind may hold, as OpenAPI v3 says it: the
// structural schemas of custom resource definitions, and those of the kinds of Kubernetes itself.
//
// A Schema is a view: the documents that it was made from, their arenas and the tables of
// definitions outlive it. Cheap to copy; immutable. Schemas are untrusted: what cannot be read in
// one is taken to say nothing, which answers kOpen and never kMissing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace wmap::schema {

class Schema {
 public:
  // Says nothing: anything may be anywhere.
  Schema() = default;
  // `root` is the schema of the document itself. `definitions` is an object with the schemas that
  // "$ref" names by its last segment. `keeps_unknown`: what the schema does not name is kept
  // nevertheless (spec.preserveUnknownFields of the first custom resource definitions).
  explicit Schema(const json::Value& root, const json::Value& definitions = {},
                  bool keeps_unknown = false)
      : root_(root), definitions_(definitions), keeps_unknown_(keeps_unknown) {}

  bool says_nothing() const { return !root_.is_object(); }
  const json::Value& root() const { return root_; }
  const json::Value& definitions() const { return definitions_; }
  bool keeps_unknown() const { return keeps_unknown_; }

  // `node`, or what it refers to, through any number of references; null where they lead nowhere
  // or in a circle.
  json::Value Resolve(const json::Value& node) const;
  // Whether a member or item that `node`, which is resolved, does not name may be there.
  bool IsOpen(const json::Value& node) const;

 private:
  json::Value root_;
  json::Value definitions_;
  bool keeps_unknown_ = false;
};

}  // namespace wmap::schema
