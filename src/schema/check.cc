#include "schema/check.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "expr/syntax/parser.h"
#include "expr/syntax/visit.h"
#include "expr/typing.h"
#include "json/reader.h"
#include "schema/documents.h"
#include "schema/words.h"

namespace wmap::schema {
namespace {

using definition::Component;
using definition::Expression;
using definition::Karta;
using definition::Report;
using definition::Severity;
using expr::Count;
using expr::Issue;
using expr::Kinds;
using expr::PathStep;
using expr::Typing;

// ".spec.jobs[].nam": names beside it that it may be meant for.
std::string NearestTo(std::string_view name, const std::vector<std::string>& names) {
  std::vector<std::string_view> candidates(names.begin(), names.end());
  return std::string(Nearest(name, candidates));
}

// Kinds that a count may have. Labels and annotations hold texts, which are read as numbers.
constexpr Kinds kCount = Kinds::kNumber | Kinds::kNull;

// Whether its results are those that its author meant.
bool IsSound(const Typing* typing) {
  return typing != nullptr && typing->is_complete &&
         std::ranges::none_of(typing->issues, [](const Issue& issue) {
           return issue.kind == Issue::Kind::kMissing && !issue.has_alternative;
         });
}

bool IsLabel(const expr::DocumentPath& path) {
  return path.size() > 1 && std::ranges::any_of(path, [](const PathStep& step) {
           return step.key == "annotations" || step.key == "labels";
         });
}

class Checker {
 public:
  Checker(const Karta& karta, const BuiltIns& built_ins, const Subject& subject, Report& report)
      : karta_(karta),
        subject_(subject),
        report_(report),
        built_ins_(built_ins),
        workload_(built_ins, {subject.schema}),
        pod_(built_ins, {built_ins.Find("", "v1", "Pod")}) {
    std::vector<Schema> objects;
    for (const definition::ObjectRead& object : karta.objects) {
      std::vector<Schema> schemas = SchemasOf(object.group, object.kind);
      objects.insert(objects.end(), schemas.begin(), schemas.end());
    }
    if (!objects.empty()) {
      std::vector<std::string> kinds;
      for (const definition::ObjectRead& object : karta.objects) kinds.push_back(object.kind);
      workload_.AddList(std::string(definition::kObjectsKey), objects, kinds);
    }
    pod_.AddList(std::string(definition::kOwnersKey), {Schema()});
  }

  CheckSummary Run() {
    for (const Component& component : karta_.components) CheckComponent(component);
    for (const Expression* text : {&karta_.status_reason, &karta_.status_message}) {
      Expect(*text, workload_, Kinds::kString | Kinds::kNull, "a text");
    }
    Expect(karta_.status_holds, workload_, Kinds::kBoolean | Kinds::kNull, "true or false");
    Expect(karta_.minimum, workload_, kCount, "a number of pods");
    for (const definition::ObjectRead& object : karta_.objects) {
      Expect(object.name, workload_, Kinds::kString | Kinds::kNull, "the name of an object");
    }
    if (karta_.gang) CheckGang(*karta_.gang);
    CheckWords(karta_, subject_.schema, never_, report_);
    summary_.open.assign(open_.begin(), open_.end());
    return std::move(summary_);
  }

 private:
  // --- Telling.

  void Tell(Severity severity, std::string_view id, std::string message, std::string hint,
            const Expression& expression) {
    report_.AddInText({severity, id, std::move(message), std::move(hint)}, expression.pointer(),
                      expression.text(), {0, expression.text().size()});
  }

  void TellIssue(const Issue& issue, const Expression& expression, Documents& documents) {
    Severity severity = Severity::kError;
    std::string_view id;
    std::string message;
    std::string hint;
    switch (issue.kind) {
      case Issue::Kind::kMissing: {
        id = "missing-field";
        if (issue.has_alternative) severity = Severity::kWarning;
        if (&documents == &workload_) summary_.missing.emplace(PathOf(issue.path), issue.path);
        expr::DocumentPath above(issue.path.begin(), issue.path.end() - 1);
        const PathStep& last = issue.path.back();
        if (last.kind == PathStep::Kind::kAny) {
          message = Cat(PathText(above), " has no items");
        } else {
          message = Cat("there is no ", PathText(issue.path));
          std::vector<std::string> names = documents.NamesAt(above);
          std::string nearest = NearestTo(last.key, names);
          std::string elsewhere = nearest.empty() ? PlaceOf(last.key, documents) : std::string();
          if (!nearest.empty()) hint = Cat("did you mean ", Quote(nearest), '?');
          if (!elsewhere.empty()) hint = Cat("did you mean ", elsewhere, '?');
        }
        break;
      }
      case Issue::Kind::kNullItems:
        severity = Severity::kWarning;
        id = "absent-items";
        message = Cat(PathText(issue.path), " may be absent, and then this fails");
        hint = Cat("write ", PathText(issue.path), "[]? or (", PathText(issue.path), " // [])");
        break;
      case Issue::Kind::kNeverEqual:
        id = "never-equal";
        never_.insert(expression.pointer());
        message = issue.detail;
        break;
      case Issue::Kind::kMayFail:
        severity = Severity::kWarning;
        id = "absent-operand";
        message = Cat(PathText(issue.path), " may be absent, and ", issue.detail,
                      issue.detail == "+" ? " then takes it for 0" : " then fails");
        hint = Cat("say what is taken for it then: ", PathText(issue.path), " // …");
        break;
      case Issue::Kind::kAbsent:
        severity = Severity::kWarning;
        id = "absent-zero";
        message = Cat(PathText(issue.path), " may be absent, which is not ", issue.detail);
        hint = "compare (… // default) where absent means the same";
        break;
      case Issue::Kind::kNeverWorks:
        id = "never-works";
        message = Cat("never works: ", issue.detail);
        break;
    }
    report_.AddInText({severity, id, std::move(message), std::move(hint), PathOf(issue.path)},
                      expression.pointer(), expression.text(), issue.range);
  }

  static std::string PathOf(const expr::DocumentPath& path) {
    return path.empty() ? std::string() : PathText(path);
  }

  // Where in the document a name stands that was looked for elsewhere: when in one place, this.
  std::string PlaceOf(std::string_view key, Documents& documents) {
    std::vector<expr::DocumentPath> places = documents.PathsOf(key);
    return places.size() == 1 ? expr::PathText(places.front()) : std::string();
  }

  // --- Expressions.

  // Types an expression once and tells of its issues; null where there is none.
  const Typing* TypeOf(const Expression& expression, Documents& documents) {
    if (!expression || expression.program() == nullptr) return nullptr;
    auto [at, is_new] = known_.try_emplace({expression.program(), &documents});
    if (!is_new) return &at->second;
    at->second = expr::TypeOf(*expression.program(), documents);
    const Typing& typing = at->second;
    ++summary_.expressions;
    // What was too large to be followed is not fine either.
    if (!typing.open.empty() || !typing.is_complete) ++summary_.unverifiable;
    for (const expr::DocumentPath& path : typing.open) open_.insert(expr::PathText(path));
    for (const Issue& issue : typing.issues) TellIssue(issue, expression, documents);
    return &typing;
  }

  // Its results are of these kinds: `meaning` says what they are for. Returns their typing.
  const Typing* Expect(const Expression& expression, Documents& documents, Kinds wanted,
                       std::string_view meaning) {
    const Typing* typing = TypeOf(expression, documents);
    if (!IsSound(typing)) return typing;
    Kinds given = typing->kinds;
    if (!typing->is_known || typing->count.most == 0) return typing;
    if (wanted == kCount && std::ranges::any_of(typing->places, IsLabel)) {
      wanted |= Kinds::kString;
    }
    // A text that is a number is read as that.
    bool is_number = typing->has_all_texts && !typing->texts.empty() &&
                     std::ranges::all_of(typing->texts, [](const std::string& text) {
                       return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
                     });
    if (wanted == kCount && is_number) wanted |= Kinds::kString;
    Kinds values = given.Without(Kinds::kNull);
    if (!given.Has(wanted) || !(values.empty() || values.Has(wanted))) {
      Tell(Severity::kError, "wrong-kind",
           Cat("gives ", given.Describe(), ", and is to give ", meaning), "", expression);
    } else if (!given.Without(wanted).empty()) {
      Tell(Severity::kWarning, "wrong-kind",
           Cat("may give ", given.Without(wanted).Describe(), ", and is to give ", meaning), "",
           expression);
    }
    return typing;
  }

  // --- Components.

  void CheckComponent(const Component& component) {
    const Typing* ids =
        Expect(component.instance_id_path, workload_, Kinds::kString, "the ids of instances");
    std::optional<Count> count;
    if (!component.has_instances()) {
      count = Count::One();
    } else if (IsSound(ids)) {
      count = ids->count;
    }
    if (component.spec) CheckSpec(*component.spec, component, count);
    if (component.scale) {
      std::size_t before = report_.size();
      for (const Expression* path : {&component.scale->replicas, &component.scale->min_replicas,
                                     &component.scale->max_replicas}) {
        CheckCount(Expect(*path, workload_, kCount, "a number of replicas"), *path, component,
                   count);
      }
      if (report_.size() == before) CheckDefault(component.scale->replicas);
      CheckBounds(*component.scale);
    }
    if (component.status) CheckStatus(component);
    if (component.suspend) {
      CheckActions(component.suspend->suspend_actions);
      CheckActions(component.suspend->resume_actions);
    }
    if (component.pod_selector) CheckSelector(*component.pod_selector);
    for (const Expression* path : {&component.wanted, &component.active}) {
      CheckCount(Expect(*path, workload_, kCount, "a number of pods"), *path, component, count);
    }
    Expect(component.exists, workload_, Kinds::kBoolean | Kinds::kNull, "true or false");
    Expect(component.described, workload_, Kinds::kBoolean | Kinds::kNull, "true or false");
    Expect(component.created_later, workload_, Kinds::kBoolean | Kinds::kNull, "true or false");
    Expect(component.starts_by_index, workload_, Kinds::kBoolean | Kinds::kNumber | Kinds::kNull,
           "true, false or the first number");
    Expect(component.owner_instance, workload_, Kinds::kString | Kinds::kNull,
           "the ids of the owner's instances");
    Expect(component.wraps, workload_, Kinds::kObject | Kinds::kNull,
           "the objects that it is around");
    Expect(component.starts_after, workload_, Kinds::kArray | Kinds::kNull, "lists of roles");
    for (const definition::ChildScale& child : component.child_scales) {
      Documents documents(built_ins_, SchemasOf(child.group, child.kind));
      Expect(child.instance, documents, Kinds::kString | Kinds::kNull, "the id of an instance");
      Expect(child.copy, documents, Kinds::kNumber | Kinds::kString | Kinds::kNull,
             "the number of a copy");
      Expect(child.replicas, documents, kCount, "a number of replicas");
      Forget(documents);
    }
  }

  // As many results as instances.
  void CheckCount(const Typing* typing, const Expression& expression, const Component& component,
                  const std::optional<Count>& instances) {
    if (!IsSound(typing) || !instances) return;
    const Count& given = typing->count;
    if (given == *instances) return;
    // How long a list is that a loop makes is not known.
    bool is_one_for_many =
        given.most <= 1 && !HasItems(given) && HasItems(*instances) && !HasLoop(expression.text());
    if (!is_one_for_many && (!IsExact(given) || !IsExact(*instances))) return;
    std::string wanted = component.has_instances() ? Cat("instances have ", instances->Describe())
                                                   : "the component has one instance";
    Tell(Severity::kError, "wrong-count", Cat("gives ", given.Describe(), ", while ", wanted), "",
         expression);
  }

  static bool HasLoop(std::string_view text) {
    Result<expr::Syntax> syntax = expr::Parse(text);
    return !syntax || !expr::Visit(*syntax, [](const expr::Node& node) {
      return node.kind != expr::NodeKind::kReduce && node.kind != expr::NodeKind::kForeach;
    });
  }

  static bool HasItems(const Count& count) {
    return std::ranges::any_of(count.factors, [](const Count::Factor& factor) {
      return factor.kind == Count::Factor::Kind::kItems;
    });
  }

  // How many there are is said by the lengths of lists alone.
  static bool IsExact(const Count& count) {
    return count.least == count.most &&
           std::ranges::all_of(count.factors, [](const Count::Factor& factor) {
             return factor.kind == Count::Factor::Kind::kItems;
           });
  }

  static bool EndsInField(std::string_view text) {
    Result<expr::Syntax> syntax = expr::Parse(text);
    if (!syntax) return false;
    expr::NodeId last = syntax->root();
    while (syntax->node(last).kind == expr::NodeKind::kPipe) last = syntax->list(last).back();
    return syntax->node(last).kind == expr::NodeKind::kField;
  }

  // A count that comes from a field alone, which may be absent.
  void CheckDefault(const Expression& replicas) {
    const Typing* typing = TypeOf(replicas, workload_);
    if (!IsSound(typing) || !EndsInField(replicas.text()) || !typing->is_known ||
        typing->places.empty())
      return;
    for (const expr::DocumentPath& place : typing->places) {
      if (place.front().key != "spec" || !typing->kinds.Has(Kinds::kNull)) continue;
      report_.AddInText(
          {Severity::kWarning, "absent-count",
           Cat(PathText(place), " may be absent, and the count is unknown then"),
           "say what the operator takes: … // 1, or … // null where nobody knows", PathText(place)},
          replicas.pointer(), replicas.text(), {0, replicas.text().size()});
      return;
    }
  }

  // Where a bound is read from a field that is named as the other one.
  void CheckBounds(const definition::ScaleDefinition& scale) {
    CheckBound(scale.min_replicas, "min", "max");
    CheckBound(scale.max_replicas, "max", "min");
  }

  void CheckBound(const Expression& bound, std::string_view own, std::string_view other) {
    if (bound.program() == nullptr) return;
    std::vector<std::string> names = NamesIn(bound.text());
    auto is_named = [](std::string_view what) {
      return [what](const std::string& name) { return IsNamed(name, what); };
    };
    auto wrong = std::ranges::find_if(names, is_named(other));
    if (wrong == names.end() || std::ranges::any_of(names, is_named(own))) return;
    const Typing* typing = TypeOf(bound, workload_);
    bool is_plain = typing != nullptr && typing->places.size() == 1 && !typing->places[0].empty() &&
                    typing->places[0].back().key == *wrong;
    Tell(Severity::kError, "swapped-bounds",
         Cat("reads ", is_plain ? PathText(typing->places[0]) : *wrong, " as the ", own, "imum"),
         "", bound);
  }

  // The fields and keys that stand in an expression.
  static std::vector<std::string> NamesIn(std::string_view text) {
    std::vector<std::string> names;
    Result<expr::Syntax> syntax = expr::Parse(text);
    if (!syntax) return names;
    expr::Visit(*syntax, [&](const expr::Node& node) {
      if (node.kind == expr::NodeKind::kField || node.kind == expr::NodeKind::kString) {
        names.emplace_back(node.text);
      }
      return true;
    });
    return names;
  }

  // Whether a name has `word` ("min") as a word: "minReplicas", "replicasMin", "a/min-scale".
  static bool IsNamed(std::string_view name, std::string_view word) {
    auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
    for (std::size_t at = 0; at + word.size() <= name.size(); ++at) {
      std::string_view part = name.substr(at, word.size());
      bool is_capital = part[0] >= 'A' && part[0] <= 'Z';
      if (ToLower(part) != word || (!is_capital && at > 0 && is_lower(name[at - 1]))) continue;
      std::size_t end = at + word.size();
      if (end == name.size() || !is_lower(name[end]) || name.substr(end).starts_with("imum")) {
        return true;
      }
    }
    return false;
  }

  void CheckSpec(const definition::SpecDefinition& spec, const Component& component,
                 const std::optional<Count>& count) {
    CheckPart(spec.pod_template, component, count, Kinds::kObject, "a pod template",
              {"spec", "metadata"});
    CheckPart(spec.pod_spec, component, count, Kinds::kObject, "a pod spec", {"containers"});
    CheckPart(spec.metadata, component, count, Kinds::kObject, "the metadata of pods",
              {"labels", "annotations"});
    if (!spec.fragmented) return;
    const definition::FragmentedPodSpec& parts = *spec.fragmented;
    CheckPart(parts.scheduler_name, component, count, Kinds::kString, "the name of a scheduler");
    CheckPart(parts.labels, component, count, Kinds::kObject, "labels");
    CheckPart(parts.annotations, component, count, Kinds::kObject, "annotations");
    CheckPart(parts.resources, component, count, Kinds::kObject, "resources",
              {"limits", "requests"});
    CheckPart(parts.resource_claims, component, count, Kinds::kArray, "resource claims");
    CheckPart(parts.pod_affinity, component, count, Kinds::kObject, "a pod affinity",
              {"requiredDuringSchedulingIgnoredDuringExecution",
               "preferredDuringSchedulingIgnoredDuringExecution"});
    CheckPart(parts.node_affinity, component, count, Kinds::kObject, "a node affinity",
              {"requiredDuringSchedulingIgnoredDuringExecution",
               "preferredDuringSchedulingIgnoredDuringExecution"});
    CheckPart(parts.containers, component, count, Kinds::kArray, "containers");
    CheckPart(parts.container, component, count, Kinds::kObject, "a container",
              {"image", "resources"});
    CheckPart(parts.priority_class_name, component, count, Kinds::kString,
              "the name of a priority class");
    CheckPart(parts.image, component, count, Kinds::kString, "an image");
  }

  // A part of the pod description. `fields`: it has one of these, where it is part of the document.
  void CheckPart(const Expression& path, const Component& component,
                 const std::optional<Count>& count, Kinds kind, std::string_view meaning,
                 std::initializer_list<std::string_view> fields = {}) {
    const Typing* typing = Expect(path, workload_, kind | Kinds::kNull, meaning);
    CheckCount(typing, path, component, count);
    if (!IsSound(typing) || fields.size() == 0) return;
    auto has_one = [&](const expr::DocumentPath& place) {
      return std::ranges::any_of(fields, [&](std::string_view field) {
        expr::DocumentPath member = place;
        member.push_back(PathStep::Key(std::string(field)));
        return workload_.Resolve(member).answer != Resolution::Answer::kMissing;
      });
    };
    if (typing->places.empty() || std::ranges::any_of(typing->places, has_one)) return;
    std::vector<std::string> names(fields.begin(), fields.end());
    Tell(Severity::kError, "wrong-kind",
         Cat(PathText(typing->places[0]), " is not ", meaning, ": it has no ",
             Join(names, " and no ")),
         "", path);
  }

  // --- Status.

  void CheckStatus(const Component& component) {
    const definition::StatusDefinition& status = *component.status;
    std::string at = Cat(component.pointer, "/statusDefinition/statusMappings/");
    const Typing* phase = Expect(status.phase, workload_, Kinds::kString | Kinds::kNull, "a phase");
    const Typing* conditions = nullptr;
    if (status.conditions) {
      conditions = Expect(status.conditions->path, workload_, Kinds::kArray | Kinds::kNull,
                          "the list of conditions");
      CheckConditionFields(*status.conditions, conditions);
    }
    for (std::size_t i = 0; i < definition::kStatusCount; ++i) {
      std::string_view key = definition::StatusKey(static_cast<definition::Status>(i));
      for (std::size_t j = 0; j < status.mappings[i].size(); ++j) {
        const definition::Matcher& matcher = status.mappings[i][j];
        if (!matcher.by_phase.empty()) {
          CheckPhase(phase, matcher.by_phase, Cat(at, key, '/', j, "/byPhase"));
        }
        std::size_t count = status.conditions ? matcher.by_conditions.size() : 0;
        for (std::size_t k = 0; k < count; ++k) {
          CheckCondition(*status.conditions, conditions, matcher.by_conditions[k],
                         Cat(at, key, '/', j, "/byConditions/", k, '/'));
        }
        if (matcher.by_expression) CheckResult(*matcher.by_expression);
      }
    }
  }

  static bool IsNever(const Typing* typing, std::string_view text) {
    return IsSound(typing) && typing->has_all_texts && typing->kinds.Has(Kinds::kString) &&
           std::ranges::find(typing->texts, text) == typing->texts.end();
  }

  void CheckPhase(const Typing* typing, std::string_view text, const std::string& pointer) {
    if (IsNever(typing, text)) TellNeverAt(text, typing->texts, pointer, "the phase");
  }

  // Whether `text` is among the texts that an expression can give.
  void CheckText(const Typing* typing, std::string_view text, const Expression& expression,
                 std::string_view what) {
    if (!IsNever(typing, text)) return;
    TellNever(text, typing->texts, expression, what);
  }

  static definition::Note NeverNote(std::string_view text, const std::vector<std::string>& texts,
                                    std::string_view what) {
    std::string nearest = NearestTo(text, texts);
    return {Severity::kError, "never-matches",
            Cat(what, " is never ", Quote(text), "; it is one of: ", Join(texts, ", ")),
            nearest.empty() ? std::string() : Cat("did you mean ", Quote(nearest), '?')};
  }

  void TellNever(std::string_view text, const std::vector<std::string>& texts,
                 const Expression& expression, std::string_view what) {
    report_.AddInText(NeverNote(text, texts, what), expression.pointer(), expression.text(),
                      {0, expression.text().size()});
  }

  void TellNeverAt(std::string_view text, const std::vector<std::string>& texts,
                   const std::string& pointer, std::string_view what) {
    never_.insert(pointer);
    report_.Add(NeverNote(text, texts, what), pointer, Report::Part::kValue);
  }

  expr::DocumentPath FieldOf(const expr::DocumentPath& conditions, const std::string& field) {
    expr::DocumentPath path = conditions;
    path.push_back(PathStep::Any());
    path.push_back(PathStep::Key(field));
    return path;
  }

  void CheckConditionFields(const definition::ConditionsDefinition& conditions,
                            const Typing* typing) {
    if (!IsSound(typing)) return;
    std::vector<std::string> fields = {conditions.type_field, conditions.status_field};
    if (conditions.names_reason_field) fields.push_back(conditions.reason_field);
    for (const expr::DocumentPath& place : typing->places) {
      for (const std::string& field : fields) {
        expr::DocumentPath path = FieldOf(place, field);
        if (workload_.Resolve(path).answer != Resolution::Answer::kMissing) continue;
        Tell(Severity::kError, "missing-field", Cat("there is no ", PathText(path)), "",
             conditions.path);
      }
    }
  }

  void CheckCondition(const definition::ConditionsDefinition& conditions, const Typing* typing,
                      const definition::ExpectedCondition& expected, const std::string& pointer) {
    if (!IsSound(typing) || typing->places.size() != 1) return;
    auto check = [&](const std::string& field, const std::string& text, std::string_view name,
                     std::string_view what) {
      if (text.empty()) return;
      std::vector<std::string> texts = workload_.TextsAt(FieldOf(typing->places[0], field));
      if (texts.empty() || std::ranges::find(texts, text) != texts.end()) return;
      TellNeverAt(text, texts, Cat(pointer, name), what);
    };
    check(conditions.type_field, expected.type, "type", "the type of a condition");
    check(conditions.status_field, expected.status, "status", "the status of a condition");
    check(conditions.reason_field, expected.reason, "reason", "the reason of a condition");
  }

  // The first result as text.
  void CheckResult(const definition::ExpectedResult& expected) {
    const Typing* typing = TypeOf(expected.expression, workload_);
    if (!IsSound(typing)) return;
    std::string_view wanted = expected.result;
    Kinds given = typing->kinds;
    if (given.Has(Kinds::kNumber | Kinds::kArray | Kinds::kObject)) return;
    std::vector<std::string> texts = typing->texts;
    if (given.Has(Kinds::kString) && !typing->has_all_texts) return;
    if (given.Has(Kinds::kTrue)) texts.emplace_back("true");
    if (given.Has(Kinds::kFalse)) texts.emplace_back("false");
    if (given.Has(Kinds::kNull)) texts.emplace_back("null");
    if (std::ranges::find(texts, wanted) != texts.end()) return;
    TellNever(wanted, texts, expected.expression, "the result");
  }

  // --- Writing.

  void CheckActions(const std::vector<definition::SuspendAction>& actions) {
    for (const definition::SuspendAction& action : actions) {
      const Typing* typing = TypeOf(action.path, workload_);
      if (!IsSound(typing)) continue;
      Arena arena;
      Result<json::Value> value = json::Read(action.value, arena);
      if (!value) continue;  // loading tells of it
      CheckWritten(action, *typing, *value);
    }
  }

  void CheckWritten(const definition::SuspendAction& action, const Typing& typing,
                    const json::Value& value) {
    // Null takes a field away.
    if (value.is_null() || typing.kinds == Kinds::Any()) return;
    Kinds kind = value.is_bool()     ? Kinds::kBoolean
                 : value.is_number() ? Kinds::kNumber
                 : value.is_string() ? Kinds::kString
                 : value.is_array()  ? Kinds::kArray
                                     : Kinds::kObject;
    if (!typing.kinds.Has(kind)) {
      Tell(Severity::kError, "wrong-kind",
           Cat("writes ", kind.Describe(), " (", action.value, ") where ",
               typing.kinds.Without(Kinds::kNull).Describe(), " stands"),
           "", action.path);
    } else if (value.is_string()) {
      CheckText(&typing, value.as_string(), action.path, "what is written");
    }
  }

  // --- Pods.

  void CheckSelector(const definition::PodSelector& selector) {
    constexpr Kinds kText = Kinds::kString | Kinds::kNumber | Kinds::kBoolean | Kinds::kNull;
    if (selector.type) {
      const Typing* typing = Expect(selector.type->key_path, pod_, Kinds::Any(), "anything");
      if (selector.type->value) {
        CheckText(typing, *selector.type->value, selector.type->key_path, "it");
      }
    }
    Expect(selector.instance_id, pod_, kText, "the id of an instance");
    Expect(selector.replica_key, pod_, kText, "the key of a replica");
  }

  void CheckGang(const definition::GangScheduling& gang) {
    for (const definition::MemberGroup& group : gang.pod_groups) {
      for (const definition::GroupMember& member : group.members) {
        for (const Expression& key : member.group_by) TypeOf(key, pod_);
        for (const Expression& filter : member.filters) {
          Expect(filter, pod_, Kinds::kBoolean, "true or false");
        }
      }
    }
  }

  std::vector<Schema> SchemasOf(std::string_view group, std::string_view kind) const {
    for (const OtherKind& other : subject_.others) {
      if (other.group == group && other.kind == kind && !other.schemas.empty()) {
        return other.schemas;
      }
    }
    for (const definition::GroupVersionKind& known : built_ins_.Kinds()) {
      if (known.group == group && known.kind == kind) {
        return {built_ins_.Find(known.group, known.version, known.kind)};
      }
    }
    return {Schema()};
  }

  // `documents` goes away.
  void Forget(const Documents& documents) {
    std::erase_if(known_, [&](const auto& entry) { return entry.first.second == &documents; });
  }

  const Karta& karta_;
  const Subject& subject_;
  Report& report_;
  const BuiltIns& built_ins_;
  Documents workload_;
  Documents pod_;
  std::map<std::pair<const expr::Program*, const Documents*>, Typing> known_;
  std::set<std::string> open_;
  std::set<std::string> never_;  // pointers of what is compared with what cannot be
  CheckSummary summary_;
};

}  // namespace

Subject SubjectOf(const Karta& karta, const Release& release, const Releases& releases) {
  Subject subject;
  subject.schema = release.schema;
  auto add = [&](const std::string& group, const std::string& kind) {
    OtherKind& other = subject.others.emplace_back();
    other.group = group;
    other.kind = kind;
    for (const Release& found : releases.Of(group, kind)) other.schemas.push_back(found.schema);
  };
  for (const definition::ObjectRead& object : karta.objects) add(object.group, object.kind);
  for (const Component& component : karta.components) {
    for (const definition::ChildScale& child : component.child_scales) add(child.group, child.kind);
  }
  return subject;
}

CheckSummary Check(const Karta& karta, const BuiltIns& built_ins, const Subject& subject,
                   Report& report) {
  return Checker(karta, built_ins, subject, report).Run();
}

}  // namespace wmap::schema
