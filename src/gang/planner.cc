#include "gang/planner.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "base/text.h"
#include "gang/definition_rule.h"
#include "gang/names.h"
#include "gang/native.h"

namespace wmap::gang {
namespace {

using json::Value;

constexpr std::string_view kSkipAnnotation = "kai.scheduler/skip-podgrouper";
constexpr std::string_view kGroupAnnotation = "pod-group-name";

bool IsSkipped(const Value& object) { return Annotation(object, kSkipAnnotation) == "true"; }

std::vector<Value> OwnersOf(const Value& object) {
  Value owners = At(object, {"metadata", "ownerReferences"});
  if (!owners.is_array()) return {};
  return {owners.items().begin(), owners.items().end()};
}

// The owner to follow of several.
Result<Value> Controller(const Value& object, const std::vector<Value>& owners, bool is_pod,
                         bool compat) {
  if (owners.size() == 1 || (compat && is_pod)) return owners.front();
  std::string name = Cat(object.Get("kind").text_or_empty(), ' ', NameOf(object));
  if (compat) return Fail(Code::kInvalid, Cat(name, " has ", owners.size(), " owners"));
  auto is_controller = [](const Value& owner) { return owner.Get("controller").is_true(); };
  std::ptrdiff_t controllers = std::ranges::count_if(owners, is_controller);
  if (controllers == 1) return *std::ranges::find_if(owners, is_controller);
  // Of a pod the first is as good as any.
  if (controllers == 0 && is_pod) return owners.front();
  return Fail(Code::kInvalid, Cat(name, " has ", owners.size(), " owners, of which ", controllers,
                                  " are controllers"));
}

// `texts` with those of `wrapper` that it lacks.
Value Merged(const Value& texts, const Value& wrapper, Arena& arena) {
  if (!wrapper.is_object()) return texts;
  json::ObjectBuilder merged;
  for (const json::Member& member : wrapper.members()) merged.Add(member.key, member.value);
  if (texts.is_object()) {
    for (const json::Member& member : texts.members()) merged.Add(member.key, member.value);
  }
  return merged.Finish(arena);
}

Value WithTextsOf(const Value& object, const Value& wrapper, Arena& arena) {
  Value own = object.Get("metadata");
  Value above = wrapper.Get("metadata");
  json::ObjectBuilder metadata;
  if (own.is_object()) {
    for (const json::Member& member : own.members()) metadata.Add(member.key, member.value);
  }
  for (std::string_view key : {"labels", "annotations"}) {
    metadata.Add(key, Merged(own.Get(key), above.Get(key), arena));
  }
  json::ObjectBuilder merged;
  if (object.is_object()) {
    for (const json::Member& member : object.members()) merged.Add(member.key, member.value);
  }
  merged.Add("metadata", metadata.Finish(arena));
  return merged.Finish(arena);
}

ObjectKey KeyOf(const Value& object, std::string_view name_space) {
  return {std::string(object.Get("apiVersion").text_or_empty()),
          std::string(object.Get("kind").text_or_empty()), std::string(name_space),
          std::string(NameOf(object))};
}

// Pods of the workload that are at hand: those whose owners lead to the object on top.
class OwnPods {
 public:
  OwnPods(const Subject& subject, Cluster& cluster) : subject_(subject), cluster_(cluster) {
    leads_.emplace(UidOf(subject.top), true);
    for (const Value& object : subject.chain) leads_.emplace(UidOf(object), true);
  }

  std::vector<Value> Find() {
    auto pods = cluster_.Pods(subject_.name_space());
    std::vector<Value> own;
    if (!pods) return own;
    for (const Value& pod : *pods) {
      if (UidOf(pod) != UidOf(subject_.pod) && LeadsToTop(pod)) own.push_back(pod);
    }
    return own;
  }

 private:
  bool LeadsToTop(const Value& pod) {
    std::vector<std::string> path;
    bool leads = false;
    for (Value at = pod; path.size() < kLongestChain;) {
      std::vector<Value> owners = OwnersOf(at);
      if (owners.empty()) break;
      Result<Value> owner = Controller(at, owners, path.empty(), /*compat=*/false);
      if (!owner) break;
      auto text = [&](std::string_view key) {
        return std::string(owner->Get(key).text_or_empty());
      };
      if (auto known = leads_.find(text("uid")); known != leads_.end()) {
        leads = known->second;
        break;
      }
      path.push_back(text("uid"));
      Fetched<Value> object = cluster_.Metadata(
          {text("apiVersion"), text("kind"), std::string(subject_.name_space()), text("name")});
      if (!object || UidOf(*object) != path.back()) break;
      at = *object;
    }
    for (std::string& uid : path) leads_.emplace(std::move(uid), leads);
    return leads;
  }

  const Subject& subject_;
  Cluster& cluster_;
  std::map<std::string, bool, std::less<>> leads_;  // by uid
};

}  // namespace

Result<Planned> Planner::Plan(const Value& pod) {
  arena_.Reset();
  std::string_view scheduler = At(pod, {"spec", "schedulerName"}).text_or_empty();
  if (scheduler != options_.scheduler_name) return Planned{Verdict::kOtherScheduler, {}};
  if (IsSkipped(pod)) return Planned{Verdict::kSkipped, {}};
  if (!Annotation(pod, kGroupAnnotation).empty() && OwnersOf(pod).empty()) {
    return Planned{Verdict::kExternal, {}};
  }
  auto planned = [&]() -> Result<Planned> {
    WMAP_TRY(Walk walk, WalkOwners(pod));
    if (std::ranges::any_of(walk.chain, IsSkipped)) return Planned{Verdict::kSkipped, {}};
    std::vector<Warning> warnings = std::move(walk.warnings);
    WMAP_TRY(Subject subject, SubjectOf(pod, std::move(walk)));
    WMAP_TRY(gang::Plan plan, PlanSubject(std::move(subject)));
    warnings.insert(warnings.end(), std::make_move_iterator(plan.warnings.begin()),
                    std::make_move_iterator(plan.warnings.end()));
    plan.warnings = std::move(warnings);
    WMAP_TRY_VOID(CheckShape(plan));
    if (!options_.compat) {
      plan.name = Shortened(std::move(plan.name));
      WMAP_TRY_VOID(CheckMinimums(plan));
    }
    return Planned{Verdict::kPlanned, std::move(plan)};
  }();
  bool is_going = !At(pod, {"metadata", "deletionTimestamp"}).is_null();
  if (!planned && planned.error().code() == Code::kNotFound && is_going) {
    return Planned{Verdict::kGoing, {}};
  }
  return planned;
}

Result<Planner::Walk> Planner::WalkOwners(const Value& pod) {
  Walk walk;
  std::string_view name_space = pod.Get("metadata").Get("namespace").text_or_empty();
  Value at = pod;
  while (true) {
    std::vector<Value> owners = OwnersOf(at);
    if (owners.empty()) return walk;
    WMAP_TRY(Value reference, Controller(at, owners, walk.chain.empty(), options_.compat));
    std::string_view uid = reference.Get("uid").text_or_empty();
    bool is_known =
        std::ranges::any_of(walk.chain, [&](const Value& object) { return UidOf(object) == uid; });
    if (is_known || walk.chain.size() == kLongestChain) {
      return Fail(Code::kLimit, Cat("the owners of the pod go on and on: ",
                                    is_known ? "an owner cycle" : "more than 16 of them"));
    }
    auto text = [&](std::string_view key) {
      return std::string(reference.Get(key).text_or_empty());
    };
    ObjectKey key{text("apiVersion"), text("kind"), std::string(name_space), text("name")};
    Fetched<Value> owner = cluster_.Metadata(key);
    if (!owner && owner.error() == Absence::kForbidden) {
      if (!options_.compat) {
        walk.warnings.push_back(
            {"forbidden", Cat("the owner ", key.Describe(),
                              " cannot be read; the pod is grouped by ", "what is below it")});
      }
      return walk;
    }
    if (!owner || UidOf(*owner) != uid) {
      return Fail(Code::kNotFound, Cat("the owner ", key.Describe(),
                                       !owner ? " is not there" : " is another one of that name"));
    }
    walk.chain.push_back(*owner);
    at = *owner;
  }
}

Result<Subject> Planner::SubjectOf(const Value& pod, Walk walk) {
  Subject subject;
  subject.pod = WithKind(pod);
  subject.chain = std::move(walk.chain);
  subject.cluster = &cluster_;
  subject.options = &options_;
  subject.arena = &arena_;
  if (subject.chain.empty()) {
    subject.top = subject.pod;
  } else {
    ObjectKey key = KeyOf(subject.chain.back(), subject.name_space());
    Fetched<Value> top = cluster_.Object(key);
    if (!top) return Fail(Code::kNotFound, Cat("the owner ", key.Describe(), " cannot be read"));
    subject.top = *top;
  }
  subject.bare_top = subject.top;
  return subject;
}

// What a list of pods holds has no kind.
Value Planner::WithKind(const Value& pod) {
  if (pod.Get("kind").is_string()) return pod;
  json::ObjectBuilder object;
  object.Add("apiVersion", Value::String("v1"));
  object.Add("kind", Value::String("Pod"));
  if (pod.is_object()) {
    for (const json::Member& member : pod.members()) object.Add(member.key, member.value);
  }
  return object.Finish(arena_);
}

Result<gang::Plan> Planner::PlanSubject(Subject subject) {
  while (true) {
    definition::GroupVersionKind kind = KindOf(subject.top);
    bool is_below = !subject.wrappers.empty();
    const NativeRule* rule = FindNativeRule(kind, options_.compat && is_below);
    if (rule == nullptr) break;
    if (rule->plan == nullptr) {
      WMAP_TRY(subject, Below(std::move(subject)));
      continue;
    }
    Result<gang::Plan> plan = rule->plan(subject);
    if (!plan) {
      return Fail(std::move(plan).error().In(KeyOf(subject.top, subject.name_space()).Describe()));
    }
    plan->rule = rule->plan == PlanByDefault ? Rule::kDefault : Rule::kNative;
    plan->rule_name = rule->name;
    return plan;
  }
  if (options_.use_definitions && (!options_.compat || subject.wrappers.empty())) {
    bool is_done = false;
    WMAP_TRY(gang::Plan plan, PlanByDefinition(subject, is_done));
    if (is_done) return plan;
    WMAP_TRY(gang::Plan otherwise, PlanByDefault(subject));
    otherwise.warnings.insert(otherwise.warnings.end(), plan.warnings.begin(), plan.warnings.end());
    return otherwise;
  }
  return PlanByDefault(subject);
}

Result<Subject> Planner::Below(Subject subject) {
  Value wrapper = subject.top;
  subject.wrappers.insert(subject.wrappers.begin(), wrapper);
  if (!subject.chain.empty()) subject.chain.pop_back();
  if (subject.chain.empty()) {
    subject.top = subject.pod;
  } else {
    ObjectKey key = KeyOf(subject.chain.back(), subject.name_space());
    Fetched<Value> below = cluster_.Object(key);
    if (!below) return Fail(Code::kNotFound, Cat("the owner ", key.Describe(), " cannot be read"));
    subject.top = *below;
  }
  subject.bare_top = subject.top;
  subject.top = WithTextsOf(subject.top, wrapper, arena_);
  return subject;
}

Result<gang::Plan> Planner::PlanByDefinition(const Subject& subject, bool& is_done) {
  definition::GroupVersionKind kind = KindOf(subject.top);
  std::vector<const definition::Karta*> usable;
  for (const definition::Karta* karta : cluster_.Definitions(kind)) {
    if (karta->kind() == kind && HasInstructions(*karta)) usable.push_back(karta);
  }
  gang::Plan plan;
  if (usable.empty()) {
    for (const definition::Karta* karta : cluster_.Definitions(kind)) {
      if (karta->is_valid || !karta->gang) continue;
      plan.Warn("invalid-definition",
                Cat("definition ", Quote(karta->name),
                    " has errors and is not used; `wmap validate` lists them"));
    }
    return plan;
  }
  if (usable.size() > 1) {
    if (options_.compat) return plan;
    std::vector<std::string> names;
    for (const definition::Karta* karta : usable) names.push_back(karta->name);
    plan.Warn("several-definitions",
              Cat("there are several definitions of ", kind.Describe(), " with a gang, ",
                  Join(names, ", "), "; none of them is used"));
    return plan;
  }
  const definition::Karta& karta = *usable.front();
  expr::Evaluator evaluator(arena_, limits_);
  DefinitionRule rule(karta, subject.top, evaluator, options_);
  std::vector<Value> others;
  bool needs_others = std::ranges::any_of(karta.components, [](const auto& component) {
    return static_cast<bool>(component.created_later);
  });
  if (needs_others && !options_.compat) others = OwnPods(subject, cluster_).Find();
  WMAP_TRY(std::optional<gang::Plan> made, rule.PlanPod(subject.pod, others, StartPlan(subject)));
  if (!made) {
    plan.Warn("no-member", Cat("the pod belongs to no group of definition ", Quote(karta.name),
                               " and starts on its own"));
    return plan;
  }
  // Another pod's keys may make the same name.
  const std::string* keys = FindText(made->annotations, kKeysAnnotation);
  std::optional<Value> existing = FindGroup(subject, made->name);
  if (keys != nullptr && existing && !options_.compat) {
    std::string_view theirs = Annotation(*existing, kKeysAnnotation);
    if (!theirs.empty() && theirs != *keys) {
      return Fail(Code::kInvalid, Cat("definition ", Quote(karta.name), ": the keys ", *keys,
                                      " make the name of the group of ", theirs, ", ", made->name));
    }
  }
  is_done = true;
  return *std::move(made);
}

}  // namespace wmap::gang
