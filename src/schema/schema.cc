#include "schema/schema.h"

namespace wmap::schema {
namespace {

using json::Value;

// References that lead to references: one is usual.
constexpr int kMostReferences = 10;

}  // namespace

Value Schema::Resolve(const Value& node) const {
  Value at = node;
  for (int i = 0; i < kMostReferences; ++i) {
    if (!at.is_object()) return {};
    std::string_view reference = at.Get("$ref").text_or_empty();
    if (reference.empty()) {
      // A reference with a default or a description beside it is wrapped.
      Value all_of = at.Get("allOf");
      bool is_wrapped = all_of.is_array() && all_of.size() == 1 &&
                        at.Find("properties") == nullptr && all_of[0].is_object() &&
                        all_of[0].Find("$ref") != nullptr;
      if (!is_wrapped) return at;
      at = all_of[0];
      continue;
    }
    std::string_view name = reference.substr(reference.rfind('/') + 1);
    const Value* found = definitions_.is_object() ? definitions_.Find(name) : nullptr;
    if (found == nullptr) return {};
    at = *found;
  }
  return {};
}

bool Schema::IsOpen(const Value& node) const {
  if (!node.is_object()) return true;
  if (node.Get("x-kubernetes-preserve-unknown-fields").is_true()) return true;
  if (node.Get("additionalProperties").is_true()) return true;
  std::string_view type = node.Get("type").text_or_empty();
  bool is_leaf = type == "string" || type == "integer" || type == "number" || type == "boolean" ||
                 node.Get("x-kubernetes-int-or-string").is_true();
  if (keeps_unknown_ && !is_leaf) return true;
  // A schema without any word of what is in it.
  return type.empty() && !is_leaf && node.Find("properties") == nullptr &&
         node.Find("items") == nullptr && node.Find("additionalProperties") == nullptr &&
         node.Find("anyOf") == nullptr && node.Find("oneOf") == nullptr;
}

}  // namespace wmap::schema
