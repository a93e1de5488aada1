#include "definition/lint.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "definition/expressions.h"
#include "json/reader.h"

namespace wmap::definition {
namespace {

constexpr Report::Part kValue = Report::Part::kValue;

}  // namespace

bool SameMatcher(const Matcher& a, const Matcher& b) {
  auto same_condition = [](const ExpectedCondition& x, const ExpectedCondition& y) {
    return x.type == y.type && x.status == y.status && x.reason == y.reason;
  };
  if (a.by_phase != b.by_phase || a.by_expression.has_value() != b.by_expression.has_value() ||
      !std::ranges::equal(a.by_conditions, b.by_conditions, same_condition)) {
    return false;
  }
  return !a.by_expression ||
         (a.by_expression->expression.text() == b.by_expression->expression.text() &&
          a.by_expression->result == b.by_expression->result);
}

namespace {

class StructureLint {
 public:
  StructureLint(const Karta& karta, Report& report) : karta_(karta), report_(report) {}

  void Run() {
    for (const Component& component : karta_.components) {
      if (component.status) CheckStatus(component);
      if (component.suspend) CheckSuspend(component);
      CheckEmptyParts(component);
    }
    CheckSelectors();
    CheckChildKinds();
  }

 private:
  void Warn(std::string_view id, std::string message, std::string hint, std::string_view pointer,
            Report::Part part = Report::Part::kKey) {
    report_.Add({Severity::kWarning, id, std::move(message), std::move(hint)}, pointer, part);
  }

  void CheckStatus(const Component& component) {
    const StatusDefinition& status = *component.status;
    std::string mappings = Cat(component.pointer, "/statusDefinition/statusMappings/");
    for (std::size_t i = 0; i < kStatusCount; ++i) {
      std::string_view key = StatusKey(static_cast<Status>(i));
      for (std::size_t j = 0; j < status.mappings[i].size(); ++j) {
        CheckMatcher(status, status.mappings[i][j], Cat(mappings, key, '/', j));
      }
      CheckTwins(status, i, mappings);
    }
    CheckReasonField(component, status, mappings);
  }

  void CheckMatcher(const StatusDefinition& status, const Matcher& matcher,
                    const std::string& pointer) {
    if (matcher.is_empty()) {
      Warn("empty-matcher", "a matcher without any condition always holds",
           "give byPhase, byConditions or byExpression, or leave the matcher out", pointer, kValue);
    }
    if (!matcher.by_phase.empty() && !status.phase) {
      Warn("phase-without-definition", "byPhase never holds without a phaseDefinition",
           "add phaseDefinition: {path: …}", Cat(pointer, "/byPhase"));
    }
    if (!matcher.by_conditions.empty() && !status.conditions) {
      Warn("conditions-without-definition",
           "byConditions never holds without a conditionsDefinition",
           "add conditionsDefinition: {path: .status.conditions}", Cat(pointer, "/byConditions"));
    }
    for (std::size_t i = 0; i < matcher.by_conditions.size(); ++i) {
      const ExpectedCondition& condition = matcher.by_conditions[i];
      if (!condition.status.empty() || !condition.reason.empty()) continue;
      Warn("bare-condition",
           Cat("condition ", Quote(condition.type),
               " holds as soon as it exists, also when it is "
               "False"),
           "add status: \"True\"", Cat(pointer, "/byConditions/", i), kValue);
    }
  }

  // Two statuses by one rule: whichever is shown, one of them is wrong.
  void CheckTwins(const StatusDefinition& status, std::size_t i, const std::string& mappings) {
    if (status.mappings[i].empty()) return;
    for (std::size_t j = 0; j < i; ++j) {
      if (!std::ranges::equal(status.mappings[i], status.mappings[j], SameMatcher)) continue;
      std::string_view key = StatusKey(static_cast<Status>(i));
      std::string_view other = StatusKey(static_cast<Status>(j));
      Warn("same-matchers", Cat(key, " and ", other, " have the same matchers"),
           "both match at the same time; tell them apart", Cat(mappings, key));
    }
  }

  // The format's default for reasonFieldName is filled in by API servers, and by us; other readers
  // of files find no reasons, and a rule that asks for one never holds there.
  void CheckReasonField(const Component& component, const StatusDefinition& status,
                        const std::string& mappings) {
    if (!status.conditions || status.conditions->names_reason_field) return;
    for (std::size_t i = 0; i < kStatusCount; ++i) {
      for (std::size_t j = 0; j < status.mappings[i].size(); ++j) {
        const auto& conditions = status.mappings[i][j].by_conditions;
        auto asks = std::ranges::find_if(
            conditions, [](const ExpectedCondition& c) { return !c.reason.empty(); });
        if (asks == conditions.end()) continue;
        Warn("reason-field-unnamed",
             Cat(component.name,
                 " matches by reason, but its conditionsDefinition does not say "
                 "which field holds the reason"),
             "add reasonFieldName: reason to the conditionsDefinition; readers that load files "
             "without the schema's defaults find no reason otherwise",
             Cat(mappings, StatusKey(static_cast<Status>(i)), '/', j, "/byConditions/",
                 asks - conditions.begin(), "/reason"));
        return;
      }
    }
  }

  void CheckSuspend(const Component& component) {
    struct {
      const std::vector<SuspendAction>& actions;
      std::string_view field;
    } const lists[] = {{component.suspend->suspend_actions, "suspendActions"},
                       {component.suspend->resume_actions, "resumeActions"}};
    for (const auto& list : lists) {
      for (std::size_t i = 0; i < list.actions.size(); ++i) {
        Arena arena;
        const std::string& value = list.actions[i].value;
        if (json::Read(value, arena)) continue;
        Warn("action-value", Cat("the value ", Quote(value), " is no JSON"),
             Cat("a value is text that holds JSON: \"true\", \"0\", or for a string ", "'\"",
                 value.substr(0, 40), "\"'"),
             Cat(component.pointer, "/suspendDefinition/", list.field, '/', i, "/value"), kValue);
      }
    }
  }

  void CheckEmptyParts(const Component& component) {
    if (component.scale && !component.scale->replicas && !component.scale->min_replicas &&
        !component.scale->max_replicas) {
      Warn("empty-scale", "a scaleDefinition without any path counts nothing", "leave it out",
           Cat(component.pointer, "/scaleDefinition"));
    }
    if (component.spec && component.spec->fragmented) {
      auto paths = component.spec->fragmented->paths();
      bool any =
          std::ranges::any_of(paths, [](const Expression* path) { return !path->text().empty(); });
      if (!any) {
        Warn("empty-fragments", "a fragmentedPodSpecDefinition without any path describes nothing",
             "leave it out", Cat(component.pointer, "/specDefinition/fragmentedPodSpecDefinition"));
      }
    }
  }

  void CheckSelectors() {
    std::vector<std::size_t> bearing = karta_.PodBearing();
    if (bearing.size() < 2) return;
    for (std::size_t i = 0; i < bearing.size(); ++i) {
      const Component& component = karta_.components[bearing[i]];
      const TypeSelector* type = component.type_selector();
      if (type == nullptr) {
        Warn("missing-type-selector",
             Cat("component ", Quote(component.name),
                 " has pods, as others have, and no type selector: other readers give it none"),
             "add podSelector: {componentTypeSelector: …}", component.pointer);
        continue;
      }
      for (std::size_t j = 0; j < i; ++j) {
        const Component& other = karta_.components[bearing[j]];
        const TypeSelector* earlier = other.type_selector();
        if (earlier == nullptr || earlier->key_path.text() != type->key_path.text() ||
            earlier->value != type->value || earlier->match_labels != type->match_labels) {
          continue;
        }
        Warn("same-selector",
             Cat("components ", Quote(other.name), " and ", Quote(component.name),
                 " select the same pods; the first gets them all"),
             "tell them apart by value or matchLabels",
             Cat(component.pointer, "/podSelector/componentTypeSelector"));
      }
    }
  }

  void CheckChildKinds() {
    for (std::size_t i = 0; i < karta_.additional_child_kinds.size(); ++i) {
      const GroupVersionKind& kind = karta_.additional_child_kinds[i];
      for (const Component& component : karta_.components) {
        if (!component.kind || *component.kind != kind) continue;
        Warn("child-kind-twice",
             Cat(kind.Describe(), " is the kind of component ", Quote(component.name), " already"),
             "additionalChildKinds are for kinds that no component has",
             Cat("/spec/structureDefinition/additionalChildKinds/", i), kValue);
        break;
      }
    }
  }

  const Karta& karta_;
  Report& report_;
};

}  // namespace

void LintStructure(const Karta& karta, Report& report) { StructureLint(karta, report).Run(); }

}  // namespace wmap::definition
