#include "inspect/definition_diff.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "json/compare.h"
#include "json/writer.h"

namespace wmap::inspect {
namespace {

using definition::Component;
using definition::Expression;
using definition::Karta;
using json::Value;

// --- What definitions say.

// A field: as people see it, and what it is the same by.
struct Field {
  std::string text;
  std::string key;
};
using Fields = std::vector<std::pair<std::string, Field>>;

std::string KeyOf(const Expression& expression) {
  return expression.program() == nullptr ? expression.text() : expression.program()->Listing();
}

class Sayings {
 public:
  void Add(std::string name, const std::string& text) { Add(std::move(name), text, text); }
  void Add(std::string name, const Expression& expression) {
    if (expression) Add(std::move(name), expression.text(), KeyOf(expression));
  }
  void Add(std::string name, bool is_so) {
    if (is_so) Add(std::move(name), std::string("true"));
  }
  // A list without order.
  void AddSet(std::string name, std::vector<std::string> texts) {
    std::ranges::sort(texts);
    Add(std::move(name), Join(texts, ", "));
  }

  Fields Take() { return std::move(fields_); }

 private:
  void Add(std::string name, std::string text, std::string key) {
    if (text.empty()) return;
    fields_.emplace_back(std::move(name), Field{std::move(text), std::move(key)});
  }

  Fields fields_;
};

void AddSpec(const definition::SpecDefinition& spec, Sayings& to) {
  to.Add("podTemplateSpecPath", spec.pod_template);
  to.Add("podSpecPath", spec.pod_spec);
  to.Add("metadataPath", spec.metadata);
  if (!spec.fragmented) return;
  const definition::FragmentedPodSpec& pieces = *spec.fragmented;
  to.Add("schedulerNamePath", pieces.scheduler_name);
  to.Add("labelsPath", pieces.labels);
  to.Add("annotationsPath", pieces.annotations);
  to.Add("resourcesPath", pieces.resources);
  to.Add("resourceClaimsPath", pieces.resource_claims);
  to.Add("podAffinityPath", pieces.pod_affinity);
  to.Add("nodeAffinityPath", pieces.node_affinity);
  to.Add("containersPath", pieces.containers);
  to.Add("containerPath", pieces.container);
  to.Add("priorityClassNamePath", pieces.priority_class_name);
  to.Add("imagePath", pieces.image);
}

void AddSelector(const definition::PodSelector& selector, Sayings& to) {
  if (selector.type) {
    to.Add("componentTypeSelector.keyPath", selector.type->key_path);
    if (selector.type->value) to.Add("componentTypeSelector.value", *selector.type->value);
    std::vector<std::string> labels;
    for (const auto& [key, value] : selector.type->match_labels) {
      labels.push_back(Cat(key, '=', value));
    }
    to.AddSet("componentTypeSelector.matchLabels", std::move(labels));
  }
  to.Add("componentInstanceSelector.idPath", selector.instance_id);
  to.Add("replicaSelector.keyPath", selector.replica_key);
}

void AddActions(std::string_view name, const std::vector<definition::SuspendAction>& actions,
                Sayings& to) {
  std::vector<std::string> texts;
  for (const definition::SuspendAction& action : actions) {
    texts.push_back(Cat(action.path.text(), " = ", action.value));
  }
  // They are done in order.
  to.Add(std::string(name), Join(texts, ", "));
}

// Of the extensions.
void AddExtensions(const Component& component, Sayings& to) {
  to.Add("role", component.role);
  if (component.counts == definition::Counts::kOwner) to.Add("counts", std::string("owner"));
  to.Add("wanted", component.wanted);
  to.Add("active", component.active);
  to.Add("exists", component.exists);
  to.Add("ownerInstance", component.owner_instance);
  to.Add("startsAfter", component.starts_after);
  to.Add("startsByIndex", component.starts_by_index);
  to.Add("described", component.described);
  to.Add("createdLater", component.created_later);
  to.Add("podInstance", component.pod_instance);
  to.Add("wraps", component.wraps);
  for (const definition::ChildScale& child : component.child_scales) {
    std::string name = Cat("childScale ", child.kind);
    to.Add(Cat(name, ".instance"), child.instance);
    to.Add(Cat(name, ".copy"), child.copy);
    to.Add(Cat(name, ".replicas"), child.replicas);
    to.Add(Cat(name, ".bounded"), child.is_bounded);
  }
}

Fields FieldsOf(const Component& component) {
  Sayings to;
  if (component.kind) to.Add("kind", component.kind->Describe());
  to.Add("ownerRef", component.owner_ref.value_or(""));
  to.Add("instanceIdPath", component.instance_id_path);
  if (component.spec) AddSpec(*component.spec, to);
  if (component.scale) {
    to.Add("replicasPath", component.scale->replicas);
    to.Add("minReplicasPath", component.scale->min_replicas);
    to.Add("maxReplicasPath", component.scale->max_replicas);
  }
  if (component.pod_selector) AddSelector(*component.pod_selector, to);
  if (component.suspend) {
    AddActions("suspendActions", component.suspend->suspend_actions, to);
    AddActions("resumeActions", component.suspend->resume_actions, to);
  }
  AddExtensions(component, to);
  return to.Take();
}

std::string TextOf(const definition::Topology& topology) {
  return Cat(topology.name, " ", topology.preferred_level, " ", topology.required_level);
}

void AddGang(const definition::GangScheduling& gang, Sayings& to) {
  if (gang.pod_group) {
    to.Add("podGroup", gang.pod_group->name);
    if (gang.pod_group->topology) to.Add("podGroup.topology", TextOf(*gang.pod_group->topology));
    std::vector<std::string> subgroups;
    for (const definition::SubGroup& group : gang.pod_group->sub_groups) {
      subgroups.push_back(group.topology ? Cat(group.component, " at ", TextOf(*group.topology))
                                         : group.component);
    }
    to.AddSet("podGroup.subGroups", std::move(subgroups));
  }
  for (const definition::MemberGroup& group : gang.pod_groups) {
    for (const definition::GroupMember& member : group.members) {
      std::string name = Cat("podGroups ", group.name, '.', member.component);
      std::vector<std::string> texts;
      for (const Expression& key : member.group_by) texts.push_back(key.text());
      for (const Expression& filter : member.filters) texts.push_back(Cat("if ", filter.text()));
      to.AddSet(std::move(name), texts.empty() ? std::vector<std::string>{"all"} : texts);
    }
  }
}

Fields FieldsOf(const Karta& karta) {
  Sayings to;
  to.Add("kind", karta.kind().Describe());
  std::vector<std::string> kinds;
  for (const definition::GroupVersionKind& kind : karta.additional_child_kinds) {
    kinds.push_back(kind.Describe());
  }
  to.AddSet("additionalChildKinds", std::move(kinds));
  if (karta.gang) AddGang(*karta.gang, to);
  to.Add("gang.subGroupPerRole", karta.gang_by_role);
  to.Add("gang.subGroupPerInstance", karta.gang_by_instance);
  to.Add("minimum", karta.minimum);
  to.Add("status.reason", karta.status_reason);
  to.Add("status.message", karta.status_message);
  for (const definition::ObjectRead& object : karta.objects) {
    std::string name = Cat("objects ", object.kind, '.', object.group);
    if (object.name) {
      to.Add(std::move(name), object.name);
    } else {
      to.Add(std::move(name), std::string("all that it owns"));
    }
  }
  for (const definition::KnownKeys& keys : karta.keys) {
    to.AddSet(Cat("keys .", Join(keys.at, ".")), keys.known);
  }
  return to.Take();
}

void Compare(std::string_view where, const Fields& before, const Fields& after,
             std::vector<DefinitionChange>& changes) {
  auto find = [](const Fields& fields, std::string_view name) -> const Field* {
    auto at = std::ranges::find(fields, name, &Fields::value_type::first);
    return at == fields.end() ? nullptr : &at->second;
  };
  for (const auto& [name, field] : before) {
    const Field* other = find(after, name);
    if (other != nullptr && other->key == field.key) continue;
    changes.push_back({std::string(where), name, field.text, other ? other->text : ""});
  }
  for (const auto& [name, field] : after) {
    if (find(before, name) == nullptr) {
      changes.push_back({std::string(where), name, "", field.text});
    }
  }
}

// --- Status.

// A matcher without its expression: what it asks for.
std::string AskedFor(const definition::Matcher& matcher) {
  std::vector<std::string> parts;
  if (!matcher.by_phase.empty()) parts.push_back(Cat("phase ", matcher.by_phase));
  std::vector<std::string> conditions;
  for (const definition::ExpectedCondition& condition : matcher.by_conditions) {
    std::string text = Cat("condition ", condition.type);
    if (!condition.status.empty()) CatTo(text, '=', condition.status);
    if (!condition.reason.empty()) CatTo(text, " for ", condition.reason);
    conditions.push_back(std::move(text));
  }
  std::ranges::sort(conditions);
  parts.insert(parts.end(), conditions.begin(), conditions.end());
  if (matcher.by_expression) parts.push_back(Cat("result ", matcher.by_expression->result));
  return parts.empty() ? "always" : Join(parts, " and ");
}

// The matchers of a status by what they ask for; where there is one, the expression.
std::map<std::string, const Expression*> MatchersOf(
    const std::vector<definition::Matcher>& matchers) {
  std::map<std::string, const Expression*> found;
  for (const definition::Matcher& matcher : matchers) {
    const Expression* expression =
        matcher.by_expression ? &matcher.by_expression->expression : nullptr;
    std::string name = AskedFor(matcher);
    // Two with one result are two questions.
    if (found.contains(name) && expression != nullptr) CatTo(name, " of ", expression->text());
    found.emplace(std::move(name), expression);
  }
  return found;
}

class StatusComparison {
 public:
  explicit StatusComparison(std::vector<DefinitionChange>& changes) : changes_(changes) {}

  void Compare(const definition::StatusDefinition& before,
               const definition::StatusDefinition& after) {
    inspect::Compare("status", FieldsOf(before), FieldsOf(after), changes_);
    for (std::size_t i = 0; i < definition::kStatusCount; ++i) {
      CompareOne(definition::StatusKey(static_cast<definition::Status>(i)), before.mappings[i],
                 after.mappings[i]);
    }
    // One expression mostly decides about several statuses.
    for (const auto& [texts, statuses] : expressions_) {
      changes_.push_back(
          {"status", Cat("expression of ", Join(statuses, ", ")), texts.first, texts.second});
    }
  }

 private:
  static Fields FieldsOf(const definition::StatusDefinition& status) {
    Sayings to;
    to.Add("phaseDefinition", status.phase);
    if (status.conditions) {
      const definition::ConditionsDefinition& conditions = *status.conditions;
      to.Add("conditionsDefinition", conditions.path);
      to.Add("typeFieldName", conditions.type_field);
      to.Add("statusFieldName", conditions.status_field);
      to.Add("messageFieldName", conditions.message_field);
      to.Add("reasonFieldName", conditions.reason_field);
    }
    return to.Take();
  }

  void CompareOne(std::string_view status, const std::vector<definition::Matcher>& before,
                  const std::vector<definition::Matcher>& after) {
    auto old_ones = MatchersOf(before);
    auto new_ones = MatchersOf(after);
    std::vector<std::string> gone;
    std::vector<std::string> come;
    for (const auto& [name, expression] : old_ones) {
      auto other = new_ones.find(name);
      if (other == new_ones.end()) {
        gone.push_back(name);
      } else if (expression != nullptr && KeyOf(*expression) != KeyOf(*other->second)) {
        AddExpression(std::string(status), expression->text(), other->second->text());
      }
    }
    for (const auto& [name, expression] : new_ones) {
      if (!old_ones.contains(name)) come.push_back(name);
    }
    if (gone.empty() && come.empty()) return;
    changes_.push_back({"status", std::string(status), Join(gone, ", or "), Join(come, ", or ")});
  }

  void AddExpression(std::string status, const std::string& before, const std::string& after) {
    auto known = std::ranges::find_if(expressions_, [&](const auto& one) {
      return one.first.first == before && one.first.second == after;
    });
    if (known == expressions_.end()) {
      expressions_.push_back({{before, after}, {std::move(status)}});
    } else {
      known->second.push_back(std::move(status));
    }
  }

  std::vector<DefinitionChange>& changes_;
  std::vector<std::pair<std::pair<std::string, std::string>, std::vector<std::string>>>
      expressions_;
};

// "Pod, 3 fields".
std::string Summary(const Component& component) {
  std::string text = component.bears_pods() ? "with pods" : "without pods";
  if (component.has_instances()) text += ", with instances";
  return text;
}

// --- What is read.

bool IsSame(const Value& a, const Value& b) { return json::Compare(a, b) == 0; }

class ReadingComparison {
 public:
  explicit ReadingComparison(Arena& arena) : arena_(arena) {}

  std::vector<WorkloadChange> Compare(const Value& before, const Value& after) {
    std::map<std::string, std::pair<Value, Value>> rows;
    std::vector<std::string> order;
    auto add = [&](const Value& reading, bool is_after) {
      Value workloads = reading.Get("workloads");
      if (!workloads.is_array()) return;
      std::map<std::string, int> seen;
      for (const Value& workload : workloads.items()) {
        std::string name(workload.Get("workload").text_or_empty());
        // Those of one name in several namespaces.
        if (int count = ++seen[name]; count > 1) CatTo(name, " (", count, ')');
        auto [row, is_new] = rows.try_emplace(name);
        if (is_new) order.push_back(name);
        (is_after ? row->second.second : row->second.first) = workload;
      }
    };
    add(before, false);
    add(after, true);
    std::vector<WorkloadChange> found;
    for (const std::string& name : order) {
      const auto& [old_one, new_one] = rows[name];
      WorkloadChange change = Row(name, old_one, new_one);
      if (!change.changes.empty() || !change.was_read || !change.is_read) {
        found.push_back(std::move(change));
      }
    }
    WorkloadChange rest;
    AddChange("unclaimed", before.Get("unclaimed"), after.Get("unclaimed"), rest);
    if (!rest.changes.empty()) found.push_back(std::move(rest));
    return found;
  }

 private:
  WorkloadChange Row(const std::string& name, const Value& before, const Value& after) {
    WorkloadChange change;
    change.workload = name;
    change.was_read = before.is_object();
    change.is_read = after.is_object();
    if (!change.was_read || !change.is_read) return change;
    std::vector<std::string> keys;
    for (const Value* one : {&before, &after}) {
      for (std::size_t i = 0; i < one->size(); ++i) {
        std::string key(one->member_in_source_order(i).key);
        if (std::ranges::find(keys, key) == keys.end()) keys.push_back(std::move(key));
      }
    }
    for (const std::string& key : keys) {
      if (key == "workload") continue;
      if (key == "attribution") {
        Attribution(before.Get(key), after.Get(key), change);
      } else {
        AddChange(key, before.Get(key), after.Get(key), change);
      }
    }
    return change;
  }

  // Objects by their members; anything else as a whole. Depth: that of a reading, which is five.
  void AddChange(const std::string& field, const Value& before, const Value& after,
                 WorkloadChange& to) {
    if (IsSame(before, after)) return;
    if (before.is_array() && after.is_array() && before.size() == after.size()) {
      bool has_objects = std::ranges::all_of(before.items(), &Value::is_object) &&
                         std::ranges::all_of(after.items(), &Value::is_object);
      for (std::size_t i = 0; has_objects && i < before.size(); ++i) {
        AddChange(Cat(field, '[', i, ']'), before[i], after[i], to);
      }
      if (has_objects) return;
    }
    if (!before.is_object() || !after.is_object()) {
      to.changes.push_back({field, before, after});
      return;
    }
    std::set<std::string> keys;
    for (const Value* one : {&before, &after}) {
      for (const json::Member& member : one->members()) keys.emplace(member.key);
    }
    for (const std::string& key : keys) {
      AddChange(Cat(field, '.', key), before.Get(key), after.Get(key), to);
    }
  }

  // Pods that went from one role to another, together.
  void Attribution(const Value& before, const Value& after, WorkloadChange& to) {
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> moves;
    std::set<std::string> pods;
    for (const Value* one : {&before, &after}) {
      if (!one->is_object()) continue;
      for (const json::Member& member : one->members()) pods.emplace(member.key);
    }
    auto role = [](const Value& attribution, const std::string& pod) {
      const Value* found = attribution.Find(pod);
      if (found == nullptr) return std::string("not a pod of it");
      return found->is_null() ? std::string("no role") : std::string(found->text_or_empty());
    };
    for (const std::string& pod : pods) {
      std::string from = role(before, pod);
      std::string into = role(after, pod);
      if (from != into) moves[{from, into}].push_back(pod);
    }
    for (auto& [move, names] : moves) {
      to.changes.push_back({"attribution", json::MakeString(arena_, move.first),
                            json::MakeString(arena_, move.second), std::move(names)});
    }
  }

  Arena& arena_;
};

}  // namespace

std::vector<DefinitionChange> CompareDefinitions(const Karta& before, const Karta& after) {
  std::vector<DefinitionChange> changes;
  Compare("definition", FieldsOf(before), FieldsOf(after), changes);
  for (const Component& component : before.components) {
    // The root is the root, whatever its name.
    const Component* other = component.is_root() ? &after.root() : after.Find(component.name);
    std::string where = Cat("component ", component.name);
    if (other == nullptr || (other->is_root() && !component.is_root())) {
      changes.push_back({where, "", Summary(component), ""});
      continue;
    }
    if (other->name != component.name)
      changes.push_back({where, "name", component.name, other->name});
    Fields old_fields = FieldsOf(component);
    Fields new_fields = FieldsOf(*other);
    if (component.is_root()) {
      // Told of the definition.
      std::erase_if(old_fields, [](const auto& field) { return field.first == "kind"; });
      std::erase_if(new_fields, [](const auto& field) { return field.first == "kind"; });
    }
    Compare(where, old_fields, new_fields, changes);
  }
  for (const Component& component : after.components) {
    if (component.is_root()) continue;
    const Component* other = before.Find(component.name);
    if (other == nullptr || other->is_root()) {
      changes.push_back({Cat("component ", component.name), "", "", Summary(component)});
    }
  }
  if (before.root().status && after.root().status) {
    StatusComparison(changes).Compare(*before.root().status, *after.root().status);
  }
  return changes;
}

std::vector<WorkloadChange> CompareReadings(const Value& before, const Value& after, Arena& arena) {
  return ReadingComparison(arena).Compare(before, after);
}

}  // namespace wmap::inspect
