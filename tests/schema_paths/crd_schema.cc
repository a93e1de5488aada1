#include "tests/schema_paths/crd_schema.h"

#include <algorithm>
#include <span>

#include "tests/support/reading.h"

namespace wmap::schema_paths {
namespace {

using expr::PathStep;
using json::Value;
using Answer = Resolution::Answer;

// What every object has, whatever its schema says: the API server checks it itself.
constexpr std::string_view kObjectFields = R"(
properties:
  apiVersion: {type: string}
  kind: {type: string}
  metadata:
    properties:
      annotations: {additionalProperties: {type: string}}
      creationTimestamp: {type: string}
      deletionGracePeriodSeconds: {type: integer}
      deletionTimestamp: {type: string}
      finalizers: {items: {type: string}}
      generateName: {type: string}
      generation: {type: integer}
      labels: {additionalProperties: {type: string}}
      managedFields: {x-kubernetes-preserve-unknown-fields: true}
      name: {type: string}
      namespace: {type: string}
      ownerReferences:
        items:
          properties:
            apiVersion: {type: string}
            blockOwnerDeletion: {type: boolean}
            controller: {type: boolean}
            kind: {type: string}
            name: {type: string}
            uid: {type: string}
      resourceVersion: {type: string}
      selfLink: {type: string}
      uid: {type: string}
)";

class Walk {
 public:
  Walk(const Value& object_fields, bool keeps_unknown)
      : object_fields_(object_fields), keeps_unknown_(keeps_unknown) {}

  // The best answer for the steps from `at` on, below `schema`. Depth: that of the path.
  Resolution From(const Value& schema, std::span<const PathStep> path, std::size_t at) const {
    if (at == path.size()) return {Answer::kResolved, at};
    const PathStep& step = path[at];
    if (step.kind == PathStep::Kind::kBelow) return {Answer::kOpen, at};
    Resolution best = {IsOpen(schema) ? Answer::kOpen : Answer::kMissing,
                       IsOpen(schema) ? at : at + 1};
    auto consider = [&](const Value& part) {
      Resolution other = From(part, path, at + 1);
      if (other.answer > best.answer || (other.answer == best.answer && other.steps > best.steps)) {
        best = other;
      }
    };
    if (step.kind == PathStep::Kind::kKey) {
      if (const Value* part = Member(schema, step.key)) {
        // What is named is no longer open, whatever the object may hold besides.
        best = {Answer::kMissing, at + 1};
        consider(*part);
        return best;
      }
    } else {
      if (const Value* items = schema.Find("items")) consider(*items);
      Value properties = schema.Get("properties");
      if (properties.is_object()) {
        for (const json::Member& member : properties.members()) consider(member.value);
      }
    }
    const Value* others = schema.Find("additionalProperties");
    if (others != nullptr && others->is_object()) consider(*others);
    return best;
  }

 private:
  // The schema of a named member. An embedded object has the fields of all objects.
  const Value* Member(const Value& schema, std::string_view key) const {
    if (schema.Get("x-kubernetes-embedded-resource").is_true()) {
      Value fields = object_fields_.Get("properties");
      if (const Value* found = fields.Find(key)) return found;
    }
    Value properties = schema.Get("properties");
    return properties.is_object() ? properties.Find(key) : nullptr;
  }

  bool IsOpen(const Value& schema) const {
    if (schema.Get("x-kubernetes-preserve-unknown-fields").is_true()) return true;
    if (schema.Get("additionalProperties").is_true()) return true;
    std::string_view type = schema.Get("type").text_or_empty();
    bool is_leaf = type == "string" || type == "integer" || type == "number" || type == "boolean" ||
                   schema.Get("x-kubernetes-int-or-string").is_true();
    return keeps_unknown_ && !is_leaf;
  }

  Value object_fields_;
  bool keeps_unknown_;
};

}  // namespace

Resolution Schema::Resolve(const expr::DocumentPath& path) const {
  Arena arena;
  Value fields = testing::YamlOrDie(kObjectFields, arena);
  bool is_of_all = !path.empty() && path[0].kind == PathStep::Kind::kKey &&
                   fields.Get("properties").Find(path[0].key) != nullptr;
  if (is_of_all) return Walk(fields, false).From(fields, path, 0);
  if (open_api_.is_null()) return {path.empty() ? Answer::kResolved : Answer::kOpen, 0};
  return Walk(fields, keeps_unknown_).From(open_api_, path, 0);
}

std::vector<CrdVersion> VersionsOf(const Value& document) {
  std::vector<CrdVersion> versions;
  if (document.Get("kind").text_or_empty() != "CustomResourceDefinition") return versions;
  Value spec = document.Get("spec");
  // The first API version of definitions kept what a schema does not name unless told otherwise,
  // and had one schema for all versions as well.
  bool is_first = document.Get("apiVersion").text_or_empty() == "apiextensions.k8s.io/v1beta1";
  const Value* keeps = spec.Find("preserveUnknownFields");
  bool keeps_unknown = keeps != nullptr ? keeps->is_true() : is_first;
  auto add = [&](std::string_view version, const Value& own) {
    Value schema = own.is_null() ? spec.Get("validation").Get("openAPIV3Schema") : own;
    versions.push_back({std::string(spec.Get("group").text_or_empty()),
                        std::string(spec.Get("names").Get("kind").text_or_empty()),
                        std::string(version), Schema(schema, keeps_unknown)});
  };
  Value list = spec.Get("versions");
  if (!list.is_array()) {
    add(spec.Get("version").text_or_empty(), Value());
    return versions;
  }
  for (const Value& version : list.items()) {
    add(version.Get("name").text_or_empty(), version.Get("schema").Get("openAPIV3Schema"));
  }
  return versions;
}

}  // namespace wmap::schema_paths
