// Pod shapes: what in a schema looks like pods and parts of pods, whatever it is called.
//
// Nodes are resolved parts of the schema.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "definition/karta.h"
#include "json/value.h"
#include "schema/built_ins.h"
#include "schema/draft_place.h"
#include "schema/schema.h"

namespace wmap::schema {

using Names = std::initializer_list<std::string_view>;
bool IsAmong(std::string_view name, Names names);
// "string", "array" and the like.
bool IsOfType(const json::Value& node, std::string_view type);
// Whether a list of texts has this one.
bool Lists(const json::Value& list, std::string_view text);

class PodShapes {
 public:
  // `schema` outlives this.
  PodShapes(const Schema& schema, const BuiltIns& built_ins)
      : schema_(schema), core_(built_ins.Core("PodSpec")) {}

  // The document itself, and what stands at a place of it.
  json::Value Root() const { return Resolve(schema_.root()); }
  json::Value NodeAt(const Place& place) const;
  json::Value Resolve(const json::Value& node) const { return schema_.Resolve(node); }
  bool IsOpen(const json::Value& node) const { return schema_.IsOpen(node); }

  // Fields of an object, in the order of the schema.
  static std::vector<json::Member> InOrder(const json::Value& node);
  json::Value Field(const json::Value& node, std::string_view key) const;
  static bool HasField(const json::Value& node, std::string_view key);
  // How many of these it has.
  static std::size_t CountOf(const json::Value& node, Names names);

  bool IsPodSpec(const json::Value& node) const;
  bool IsPodTemplate(const json::Value& node) const { return IsPodSpec(Field(node, "spec")); }
  // A list of these is a part of a pod description, and alone one is all of it.
  bool IsContainer(const json::Value& node) const;
  // Whether the fields of a pod description stand in it one by one, and whether they place a pod.
  bool HasPieces(const json::Value& node) const;
  bool IsScheduled(const json::Value& node) const;
  // Whether pods are described in it, or a little below.
  bool MentionsPods(const json::Value& node, int depth = 0) const;
  // Whether every pod spec has a field of that name.
  bool IsOfEveryPod(std::string_view field) const;

  // "it has fields of a pod: image, resources".
  std::string PiecesText(const json::Value& node) const;
  // The fields of `fragmentedPodSpecDefinition` with their paths on `node`. `spec`: the path of a
  // pod spec that is below and has the containers; "" = there is none.
  std::vector<std::pair<std::string, std::string>> PiecesOf(const json::Value& node,
                                                            const std::string& spec) const;

  // What makes pods of a template in its spec, by the other fields of that.
  static std::optional<definition::GroupVersionKind> KindBySpec(const json::Value& spec);

 private:
  bool AsksForResources(const json::Value& node) const;
  std::size_t Points(const json::Value& node) const;
  std::string ResourcesText(const json::Value& node) const;

  const Schema& schema_;
  Schema core_;
};

}  // namespace wmap::schema
