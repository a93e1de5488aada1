// The schemas of the kinds that come with Kubernetes: workloads, pods and what they refer to.
//
// They are those that an API server of the version below publishes, without descriptions, compiled
// into the program from catalog/schemas/kubernetes.json (made by tools/built_in_schemas).
#pragma once

#include <string_view>
#include <vector>

#include "base/arena.h"
#include "definition/karta.h"
#include "json/value.h"
#include "schema/schema.h"

namespace wmap::schema {

// Immutable after construction, which takes about a millisecond; the Schemas that it gives live as
// long as it does.
class BuiltIns {
 public:
  BuiltIns();
  BuiltIns(const BuiltIns&) = delete;
  BuiltIns& operator=(const BuiltIns&) = delete;

  // "v1.36": of Kubernetes.
  std::string_view version() const;
  // One that says nothing where the kind is not among them.
  Schema Find(std::string_view group, std::string_view version, std::string_view kind) const;
  // A type that is no kind of its own: "PodTemplateSpec", "PodSpec", "Container" of core/v1,
  // "ObjectMeta" of meta/v1.
  Schema Core(std::string_view type) const;
  Schema ObjectMeta() const;
  // All kinds, ascending.
  std::vector<definition::GroupVersionKind> Kinds() const;

 private:
  Arena arena_;
  json::Value table_;
};

}  // namespace wmap::schema
