#include "definition/rules.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/text.h"

namespace wmap::definition {
namespace {

constexpr Report::Part kValue = Report::Part::kValue;
constexpr std::string_view kGangPointer = "/spec/optimizationInstructions/gangScheduling";

// The index of the first component of each name.
using Names = std::unordered_map<std::string_view, std::size_t>;

Names NamesOf(const Karta& karta) {
  Names names;
  for (std::size_t i = 0; i < karta.components.size(); ++i) {
    names.emplace(karta.components[i].name, i);
  }
  return names;
}

// The owner that a child names; the root when it names none that exists, or itself.
std::size_t OwnerOf(const Karta& karta, const Names& names, std::size_t child) {
  const Component& component = karta.components[child];
  auto owner = names.find(component.owner_ref.value_or(""));
  return owner == names.end() || owner->second == child ? 0 : owner->second;
}

std::string Called(const Component& component) {
  return component.name.empty() ? std::string("the component without a name")
                                : Cat("component ", Quote(component.name));
}

std::string NearestComponent(const Karta& karta, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Component& component : karta.components) names.push_back(component.name);
  std::string_view near = Nearest(name, names);
  if (!near.empty()) return Cat("did you mean ", Quote(near), "?");
  constexpr std::size_t kFew = 8;
  std::string hint = "the components are ";
  for (std::size_t i = 0; i < std::min(names.size(), kFew); ++i) {
    CatTo(hint, i == 0 ? "" : ", ", Quote(names[i]));
  }
  if (names.size() > kFew) hint += ", ...";
  return hint;
}

void CheckRoot(const Component& root, Report& report) {
  if (!root.kind) {
    report.Add({Severity::kError, "V3", "the root component lacks a kind",
                "add kind: {group: …, version: …, kind: …}, the kind that the definition is about"},
               root.pointer);
  } else {
    const GroupVersionKind& kind = *root.kind;
    std::string_view missing;
    if (kind.group.empty() && kind.kind != "Pod") missing = "group";
    if (kind.kind.empty()) missing = "kind";
    if (kind.version.empty()) missing = "version";
    if (!missing.empty()) {
      report.Add({Severity::kError, "V3", Cat("the root component's kind lacks a ", missing),
                  missing == "group" ? "Pod is the only core kind that may be a root" : ""},
                 Cat(root.pointer, "/kind/", missing), kValue);
    }
  }
  if (root.owner_ref) {
    report.Add(
        {Severity::kError, "V4", "the root component must not have an owner", "leave ownerRef out"},
        Cat(root.pointer, "/ownerRef"));
  }
  if (!root.status) {
    report.Add({Severity::kError, "V5", "the root component lacks a statusDefinition",
                "add statusDefinition: {statusMappings: {…}}"},
               root.pointer);
  }
}

void CheckOwner(const Karta& karta, const Names& names, const Component& child, Report& report) {
  if (!child.owner_ref || child.owner_ref->empty()) {
    report.Add({Severity::kError, "V6", Cat(Called(child), " has no owner"),
                Cat("add ownerRef: ", karta.root().name, ", or the name of another component")},
               child.owner_ref ? Cat(child.pointer, "/ownerRef") : child.pointer, kValue);
    return;
  }
  if (!names.contains(*child.owner_ref)) {
    report.Add({Severity::kError, "V7",
                Cat("owner ", Quote(*child.owner_ref), " of ", Called(child), " does not exist"),
                NearestComponent(karta, *child.owner_ref)},
               Cat(child.pointer, "/ownerRef"), kValue);
  }
}

void CheckPodDefinitions(const Component& component, Report& report) {
  if (!component.spec) return;
  struct {
    bool is_given;
    std::string_view field;
  } const kinds[] = {
      {component.spec->pod_template.is_given(), "podTemplateSpecPath"},
      {component.spec->pod_spec.is_given(), "podSpecPath"},
      {component.spec->fragmented.has_value(), "fragmentedPodSpecDefinition"},
  };
  std::string_view first;
  for (const auto& kind : kinds) {
    if (!kind.is_given) continue;
    if (first.empty()) {
      first = kind.field;
      continue;
    }
    report.Add(
        {Severity::kError, "V9",
         Cat(Called(component), " has several pod definitions: ", first, " and ", kind.field),
         "keep the one that holds the whole of what the object says of its pods"},
        Cat(component.pointer, "/specDefinition/", kind.field));
    return;
  }
}

void CheckSelectors(const Component& component, Report& report) {
  std::string selector_pointer = Cat(component.pointer, "/podSelector");
  bool has_path = component.instance_id_path.is_given();
  bool has_selector = component.pod_selector && component.pod_selector->has_instance_selector;
  if (has_path && !has_selector) {
    report.Add({Severity::kError, "V10",
                Cat(Called(component),
                    " has an instanceIdPath and no podSelector.componentInstanceSelector"),
                "add componentInstanceSelector: {idPath: …}, which yields a pod's instance id"},
               Cat(component.pointer, "/instanceIdPath"));
  }
  if (has_selector && !has_path) {
    report.Add({Severity::kError, "V11",
                Cat(Called(component), " has a componentInstanceSelector and no instanceIdPath"),
                "add instanceIdPath, which yields the ids of the instances of an object"},
               Cat(selector_pointer, "/componentInstanceSelector"));
  }
  const TypeSelector* type = component.type_selector();
  if (type == nullptr) return;
  std::string type_pointer = Cat(selector_pointer, "/componentTypeSelector");
  if (!type->key_path && type->match_labels.empty()) {
    report.Add({Severity::kError, "V12",
                Cat("the type selector of ", Called(component), " has no condition"),
                "give a keyPath or matchLabels"},
               type_pointer);
  } else if (type->value && !type->key_path) {
    report.Add({Severity::kError, "V13",
                Cat("the type selector of ", Called(component), " has a value and no keyPath"),
                "add the keyPath whose result is compared with it"},
               Cat(type_pointer, "/value"));
  }
}

// The first cycle of owners, if there is one. Every owner exists.
void CheckCycles(const Karta& karta, const Names& names, Report& report) {
  std::vector<std::size_t> reached(karta.components.size(), 0);
  for (std::size_t start = 1; start < karta.components.size(); ++start) {
    std::size_t at = start;
    while (at != 0 && reached[at] == 0) {
      reached[at] = start;
      at = names.find(*karta.components[at].owner_ref)->second;
    }
    if (at == 0 || reached[at] != start) continue;
    report.Add(
        {Severity::kError, "V14",
         Cat("the owners of ", Called(karta.components[at]), " form a cycle"),
         Cat("one of them has to have the root, ", Quote(karta.root().name), ", as its owner")},
        Cat(karta.components[at].pointer, "/ownerRef"), kValue);
    return;
  }
}

// Reports the second of two equal keys in a list. `Key` gives an entry's key, `pointer` its place.
class UniqueKeys {
 public:
  UniqueKeys(std::string_view what, Report& report) : what_(what), report_(report) {}
  void Add(std::string_view key, const std::string& pointer) {
    if (seen_.insert(key).second) return;
    report_.Add({report_.strictness(), "duplicate-entry",
                 Cat(what_, ' ', Quote(key), " stands in the list more than once")},
                pointer, kValue);
  }

 private:
  std::string_view what_;
  Report& report_;
  std::unordered_set<std::string_view> seen_;
};

void CheckTypeSelector(const Component& component, Report& report) {
  const TypeSelector* type = component.type_selector();
  if (type == nullptr) return;
  std::string pointer = Cat(component.pointer, "/podSelector/componentTypeSelector");
  if (type->key_path.is_given() && !type->key_path && !type->match_labels.empty()) {
    report.Add({report.strictness(), "empty-value", "keyPath is empty", "leave it out"},
               Cat(pointer, "/keyPath"));
  }
}

void CheckActions(const Component& component, Report& report) {
  if (!component.suspend) return;
  struct {
    const std::vector<SuspendAction>& actions;
    std::string_view field;
  } const lists[] = {{component.suspend->suspend_actions, "suspendActions"},
                     {component.suspend->resume_actions, "resumeActions"}};
  for (const auto& list : lists) {
    if (!list.actions.empty()) continue;
    report.Add({report.strictness(), "empty-list",
                Cat(list.field, " of ", Called(component), " needs at least one action")},
               Cat(component.pointer, "/suspendDefinition/", list.field));
  }
}

void CheckMember(const GroupMember& member, Report& report) {
  UniqueKeys keys("the key path", report);
  for (const Expression& path : member.group_by) keys.Add(path.text(), path.pointer());
  UniqueKeys filters("the filter", report);
  for (const Expression& filter : member.filters) filters.Add(filter.text(), filter.pointer());
}

void CheckGangLists(const GangScheduling& gang, Report& report) {
  UniqueKeys groups("the group", report);
  for (std::size_t i = 0; i < gang.pod_groups.size(); ++i) {
    std::string pointer = Cat(kGangPointer, "/podGroups/", i);
    groups.Add(gang.pod_groups[i].name, Cat(pointer, "/name"));
    UniqueKeys members("the member", report);
    for (std::size_t j = 0; j < gang.pod_groups[i].members.size(); ++j) {
      const GroupMember& member = gang.pod_groups[i].members[j];
      members.Add(member.component, Cat(pointer, "/members/", j, "/componentName"));
      CheckMember(member, report);
    }
  }
  if (!gang.pod_group) return;
  UniqueKeys sub_groups("the subgroup", report);
  for (std::size_t i = 0; i < gang.pod_group->sub_groups.size(); ++i) {
    sub_groups.Add(gang.pod_group->sub_groups[i].component,
                   Cat(kGangPointer, "/podGroup/subGroups/", i, "/componentName"));
  }
}

}  // namespace

void LinkComponents(Karta& karta, Report& report) {
  if (karta.components.size() > kMostComponents) {
    report.Add({Severity::kError, "limit",
                Cat("the definition has ", karta.components.size(), " components; ",
                    kMostComponents, " are the most, the others are left out")},
               karta.components[kMostComponents].pointer);
    karta.components.erase(karta.components.begin() + kMostComponents, karta.components.end());
  }
  Names names = NamesOf(karta);
  std::vector<Component>& components = karta.components;
  components[0].parent = Component::kNoParent;
  for (std::size_t i = 1; i < components.size(); ++i) {
    components[i].parent = OwnerOf(karta, names, i);
  }
  // A walk that comes back to itself is cut there.
  std::vector<std::size_t> reached(components.size(), 0);
  for (std::size_t start = 1; start < components.size(); ++start) {
    std::size_t at = start;
    while (at != 0 && reached[at] == 0) {
      reached[at] = start;
      std::size_t owner = components[at].parent;
      if (owner != 0 && reached[owner] == start) components[at].parent = 0;
      at = owner;
    }
  }
  // Everything that reads trees may then walk them without a bound of its own.
  for (std::size_t i = 1; i < components.size(); ++i) {
    std::size_t depth = 0;
    for (std::size_t at = i; at != 0 && depth <= kDeepestTree; at = components[at].parent) ++depth;
    if (depth <= kDeepestTree) continue;
    components[i].parent = 0;
    report.Add({Severity::kError, "limit",
                Cat("component ", Quote(components[i].name), " has more than ", kDeepestTree,
                    " owners above it")},
               components[i].pointer);
  }
  for (std::size_t i = 1; i < components.size(); ++i) {
    components[components[i].parent].children.push_back(i);
  }
}

bool CheckNames(const Karta& karta, Report& report) {
  std::unordered_set<std::string_view> seen;
  bool unique = true;
  for (const Component& component : karta.components) {
    if (seen.insert(component.name).second) continue;
    unique = false;
    bool nameless = component.name.empty();
    report.Add({Severity::kError, "V2",
                nameless ? std::string("several components have no name")
                         : Cat("the component name ", Quote(component.name), " is not unique"),
                nameless ? "give every component a name"
                         : "names are unique over the root and all children"},
               nameless ? component.pointer : Cat(component.pointer, "/name"), kValue);
  }
  return unique;
}

void CheckStructure(const Karta& karta, Report& report) {
  std::size_t before = report.size();
  Names names = NamesOf(karta);
  CheckRoot(karta.root(), report);
  for (const Component& component : karta.components) {
    if (&component != &karta.root()) CheckOwner(karta, names, component, report);
    if (component.name.empty()) {
      report.Add({Severity::kError, "V8", "a component has no name", "add name: …"},
                 component.pointer);
    }
    CheckPodDefinitions(component, report);
    CheckSelectors(component, report);
  }
  if (report.size() == before) CheckCycles(karta, names, report);
}

void CheckInstructions(const Karta& karta, Report& report) {
  if (!karta.gang) return;
  for (std::size_t i = 0; i < karta.gang->pod_groups.size(); ++i) {
    const MemberGroup& group = karta.gang->pod_groups[i];
    for (std::size_t j = 0; j < group.members.size(); ++j) {
      std::string_view name = group.members[j].component;
      if (karta.Find(name) != nullptr) continue;
      report.Add(
          {Severity::kError, "V15",
           Cat("member ", Quote(name), " of pod group ", Quote(group.name), " is no component"),
           NearestComponent(karta, name)},
          Cat(kGangPointer, "/podGroups/", i, "/members/", j, "/componentName"), kValue);
    }
  }
}

void CheckSchema(const Karta& karta, Report& report) {
  UniqueKeys kinds("the kind", report);
  for (std::size_t i = 0; i < karta.additional_child_kinds.size(); ++i) {
    kinds.Add(karta.additional_child_kinds[i].kind,
              Cat("/spec/structureDefinition/additionalChildKinds/", i, "/kind"));
  }
  for (const Component& component : karta.components) {
    CheckTypeSelector(component, report);
    CheckActions(component, report);
  }
  if (karta.gang) CheckGangLists(*karta.gang, report);
}

}  // namespace wmap::definition
