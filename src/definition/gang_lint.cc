#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/decoder.h"
#include "definition/lint.h"
#include "expr/syntax/parser.h"

namespace wmap::definition {
namespace {

using expr::Node;
using expr::NodeId;
using expr::NodeKind;
using expr::Operator;
using expr::Syntax;

constexpr Report::Part kValue = Report::Part::kValue;
constexpr std::string_view kGangPointer = "/spec/optimizationInstructions/gangScheduling";

bool HasPods(const Karta& karta, const Component& component) {
  return component.bears_pods() || std::ranges::any_of(component.children, [&](std::size_t child) {
           return HasPods(karta, karta.components[child]);
         });
}

// Whether the results may be a 0 that stands in the expression itself: where what it reads is
// absent.
bool MayBeZero(const Syntax& syntax, NodeId id) {
  const Node& node = syntax.node(id);
  switch (node.kind) {
    case NodeKind::kNumber:
      return node.text == "0";
    case NodeKind::kPipe:
      return MayBeZero(syntax, syntax.list(node).back());
    case NodeKind::kBind:
      return MayBeZero(syntax, node.b);
    case NodeKind::kDefine:
      return MayBeZero(syntax, node.a);
    case NodeKind::kBinary:
      return node.op == Operator::kAlternative && MayBeZero(syntax, node.b);
    default:
      return false;
  }
}

class GangLint {
 public:
  GangLint(const Karta& karta, Report& report) : karta_(karta), report_(report) {}

  void Run(const GangScheduling& gang) {
    for (std::size_t i = 0; i < gang.pod_groups.size(); ++i) {
      std::string pointer = Cat(kGangPointer, "/podGroups/", i);
      CheckName(gang.pod_groups[i].name, Cat(pointer, "/name"));
      for (std::size_t j = 0; j < gang.pod_groups[i].members.size(); ++j) {
        CheckMember(gang.pod_groups[i].members[j], Cat(pointer, "/members/", j));
      }
      for (std::size_t j = 0; j < i; ++j) {
        CompareKeys(gang.pod_groups[j], gang.pod_groups[i], pointer);
      }
    }
    if (!gang.pod_group) return;
    CheckName(gang.pod_group->name, Cat(kGangPointer, "/podGroup/name"));
    for (std::size_t i = 0; i < gang.pod_group->sub_groups.size(); ++i) {
      CheckSubGroup(gang.pod_group->sub_groups[i].component,
                    Cat(kGangPointer, "/podGroup/subGroups/", i, "/componentName"));
    }
  }

 private:
  void Warn(std::string_view id, std::string message, std::string hint, std::string_view pointer,
            Report::Part part = kValue) {
    report_.Add({Severity::kWarning, id, std::move(message), std::move(hint)}, pointer, part);
  }

  void CheckName(const std::string& name, const std::string& pointer) {
    if (!name.empty()) return;
    Warn("empty-value", "the group has no name", "give it one; schedulers use it", pointer,
         Report::Part::kKey);
  }

  void CheckSubGroup(const std::string& name, const std::string& pointer) {
    if (const Component* component = karta_.Find(name)) return CheckPods(*component, pointer);
    std::vector<std::string_view> names;
    for (const Component& component : karta_.components) names.push_back(component.name);
    std::string_view near = Nearest(name, names);
    Warn("unknown-component", Cat("subgroup ", Quote(name), " is no component"),
         near.empty() ? std::string() : Cat("did you mean ", Quote(near), "?"), pointer);
  }

  void CheckMember(const GroupMember& member, const std::string& pointer) {
    const Component* component = karta_.Find(member.component);
    if (component == nullptr) return;  // V15
    CheckPods(*component, Cat(pointer, "/componentName"));
    for (const Expression& filter : member.filters) {
      if (filter.program() == nullptr) continue;
      const expr::TypeSet types = filter.program()->FindNature().types;
      if (types.empty() || types.Has(json::Type::kTrue)) continue;
      Warn("filter-not-boolean",
           Cat("the filter gives ", types.Describe(), ", and only true takes a pod"),
           "compare it: … == \"value\"", filter.pointer());
    }
  }

  void CheckPods(const Component& component, const std::string& pointer) {
    if (!HasPods(karta_, component)) {
      Warn("gang-without-pods",
           Cat("component ", Quote(component.name), " has no pods, nor has what is below it"),
           "name a component with a pod template", pointer);
      return;
    }
    const Expression* minimum = component.scale ? &component.scale->min_replicas : nullptr;
    if (minimum == nullptr || minimum->program() == nullptr) return;
    Result<Syntax> syntax = expr::Parse(minimum->text());
    if (!syntax || !MayBeZero(*syntax, syntax->root())) return;
    Warn("zero-minimum",
         Cat("the minimum of ", Quote(component.name),
             ", which is scheduled as a gang, is 0 where it is not given"),
         "other readers then take the count; give that, or 1, as the default", minimum->pointer());
  }

  // Readers tell groups apart by their keys.
  void CompareKeys(const MemberGroup& a, const MemberGroup& b, const std::string& pointer) {
    auto keys = [](const MemberGroup& group) {
      std::vector<std::string> texts;
      for (const GroupMember& member : group.members) {
        for (const Expression& key : member.group_by) texts.push_back(key.text());
        for (const Expression& filter : member.filters) texts.push_back(filter.text());
      }
      return texts;
    };
    std::vector<std::string> of_a = keys(a);
    if (of_a.empty() || of_a != keys(b)) return;
    Warn("same-group-keys",
         Cat("the pods of ", Quote(b.name), " have the keys of those of ", Quote(a.name),
             ": readers put them into one group"),
         "add a key that tells them apart", pointer);
  }

  const Karta& karta_;
  Report& report_;
};

}  // namespace

void LintGangs(const Karta& karta, Report& report) {
  if (karta.gang) GangLint(karta, report).Run(*karta.gang);
}

}  // namespace wmap::definition
