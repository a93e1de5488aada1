#include "expr/syntax/restrictions.h"

#include "base/text.h"
#include "expr/syntax/visit.h"

namespace wmap::expr {
namespace {

struct RestrictedCall {
  std::string_view name;
  std::string_view id;
  std::string_view why;
  std::string_view hint;
};

constexpr std::string_view kExcessive = "may produce excessive output";
constexpr RestrictedCall kCalls[] = {
    {"del", "J3", "deletes", "a definition only reads: select what is to stay"},
    {"range", "J4", kExcessive, "iterate what the object has: `.[]`, `to_entries[]`, `limit`"},
    {"paths", "J4", kExcessive, "name the path that is meant"},
    {"recurse", "J4", kExcessive, "name the path that is meant"},
    {"walk", "J4", kExcessive, "name the path that is meant"},
    {"repeat", "J4", kExcessive, "use `until` or `limit` with an expression that ends"},
};

}  // namespace

std::optional<Restricted> FindRestricted(const Syntax& syntax) {
  std::optional<Restricted> found;
  Visit(syntax, [&](const Node& node) {
    if (node.kind == NodeKind::kBinary && IsAssignment(node.op)) {
      std::string_view text = OperatorText(node.op);
      found = {.id = "J2",
               .message = Cat("the operator `", text, "` modifies, which is not allowed here"),
               .hint = node.op == Operator::kAssign ? "equality is written `==`"
                                                    : "a definition only reads",
               .range = {node.place, node.place + text.size()}};
    } else if (node.kind == NodeKind::kDescend) {
      found = {.id = "J5",
               .message = "recursive descent `..` is not allowed here",
               .hint = "name the path that is meant",
               .range = node.range()};
    } else if (node.kind == NodeKind::kCall) {
      for (const RestrictedCall& call : kCalls) {
        if (call.name != node.text) continue;
        found = {
            .id = call.id,
            .message = Cat("the function `", call.name, "` is not allowed here: it ", call.why),
            .hint = std::string(call.hint),
            .range = {node.begin, node.begin + call.name.size()}};
      }
    }
    return !found.has_value();
  });
  return found;
}

}  // namespace wmap::expr
