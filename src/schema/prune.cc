#include "schema/prune.h"

#include <string_view>
#include <vector>

namespace wmap::schema {
namespace {

using json::Member;
using json::Value;

// Deeper than any schema that is no circle; what is below stays.
constexpr int kDeepest = 200;

class Pruner {
 public:
  Pruner(const Schema& schema, Arena& arena) : schema_(schema), arena_(arena) {}

  // Depth: kDeepest.
  Value Prune(const Value& value, const Value& reference, bool is_object, int depth) const {
    Value node = schema_.Resolve(reference);
    if (!node.is_object() || depth == kDeepest) return value;
    if (value.is_array()) return PruneItems(value, node, depth);
    is_object = is_object || node.Get("x-kubernetes-embedded-resource").is_true();
    return value.is_object() ? PruneMembers(value, node, is_object, depth) : value;
  }

 private:
  Value PruneItems(const Value& value, const Value& node, int depth) const {
    const Value* item = node.Find("items");
    if (item == nullptr) return value;
    std::vector<Value> kept;
    for (const Value& one : value.items()) kept.push_back(Prune(one, *item, false, depth + 1));
    return json::MakeArray(arena_, kept);
  }

  Value PruneMembers(const Value& value, const Value& node, bool is_object, int depth) const {
    Value properties = node.Get("properties");
    Value others = node.Get("additionalProperties");
    bool is_open = schema_.IsOpen(node);
    std::vector<Member> kept;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const Member& member = value.member_in_source_order(i);
      // Of every object, whatever its schema says.
      bool is_own = is_object && (member.key == "apiVersion" || member.key == "kind" ||
                                  member.key == "metadata");
      const Value* below = properties.is_object() ? properties.Find(member.key) : nullptr;
      if (below == nullptr && others.is_object()) below = &others;
      if (is_own || (below == nullptr && is_open)) {
        kept.push_back(member);
      } else if (below != nullptr) {
        kept.push_back({member.key, Prune(member.value, *below, false, depth + 1)});
      }
    }
    return json::MakeObject(arena_, kept);
  }

  const Schema& schema_;
  Arena& arena_;
};

}  // namespace

Value Pruned(const Value& object, const Schema& schema, Arena& arena) {
  return Pruner(schema, arena).Prune(object, schema.root(), true, 0);
}

}  // namespace wmap::schema
