#include "gang/subject.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "definition/api_version.h"
#include "json/reader.h"
#include "yaml/writer.h"

namespace wmap::gang {
namespace {

using json::Value;

constexpr std::string_view kPreemptibilityLabel = "kai.scheduler/preemptibility";
constexpr std::string_view kDelayAnnotation = "kai.scheduler/preemption-delay";
constexpr std::string_view kGraceAnnotation = "kai.scheduler/staleness-grace-period";
constexpr std::string_view kTopOwnerAnnotation = "kai.scheduler/top-owner-metadata";
constexpr std::string_view kUser = "user";
constexpr std::string_view kProject = "project";
constexpr std::string_view kApplied = "kubectl.kubernetes.io/last-applied-configuration";
constexpr std::size_t kLongestAnnotation = std::size_t{16} << 10;

std::string_view TextIn(const Value& object, std::string_view map, std::string_view key) {
  return object.Get("metadata").Get(map).Get(key).text_or_empty();
}

bool IsPreemptibility(std::string_view text) {
  return text == "preemptible" || text == "non-preemptible";
}

// A duration as Go writes it ("1h30m", "-5s", "0"), and whether it is negative.
std::optional<bool> IsNegativeDuration(std::string_view text) {
  bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return false;
  if (text.empty()) return std::nullopt;
  bool is_zero = true;
  while (!text.empty()) {
    std::size_t digits = text.find_first_not_of("0123456789.");
    if (digits == 0 || digits == std::string_view::npos) return std::nullopt;
    std::string_view number = text.substr(0, digits);
    if (std::ranges::count(number, '.') > 1 || number == ".") return std::nullopt;
    is_zero &= number.find_first_of("123456789") == std::string_view::npos;
    text.remove_prefix(digits);
    std::size_t unit = std::min(text.find_first_of("0123456789."), text.size());
    constexpr std::string_view kUnits[] = {"ns", "us", "\u00b5s", "\u03bcs", "ms", "s", "m", "h"};
    if (std::ranges::find(kUnits, text.substr(0, unit)) == std::end(kUnits)) return std::nullopt;
    text.remove_prefix(unit);
  }
  return is_negative && !is_zero;
}

// What the defaults say of a kind.
struct KindDefault {
  std::string priority;
  std::string preemptibility;
};
KindDefault DefaultOf(const Subject& subject, const Value& owner) {
  std::string_view text = subject.cluster->KindDefaults();
  if (text.empty()) return {};
  Arena arena;
  Result<Value> list = json::Read(text, arena);
  if (!list || !list->is_array()) return {};
  definition::GroupVersionKind kind = KindOf(owner);
  // "Kind.group" goes before "Kind".
  for (bool with_group : {true, false}) {
    for (const Value& entry : list->items()) {
      std::string_view group = entry.Get("group").text_or_empty();
      if (entry.Get("typeName").text_or_empty() != kind.kind) continue;
      if (with_group ? group.empty() || group != kind.group : !group.empty()) continue;
      return {std::string(entry.Get("priorityName").text_or_empty()),
              ToLower(entry.Get("preemptibility").text_or_empty())};
    }
  }
  return {};
}

// The objects whose labels say something, the nearest first.
std::vector<Value> Considered(const Subject& subject, const Start& start) {
  std::vector<Value> owners;
  if (start.whole_chain) {
    // The one on top in full, and with what wraps it.
    for (std::size_t i = 0; i + 1 < subject.chain.size(); ++i) owners.push_back(subject.chain[i]);
  }
  owners.push_back(subject.top);
  if (start.whole_chain) {
    owners.insert(owners.end(), subject.wrappers.begin(), subject.wrappers.end());
  }
  return owners;
}

std::string PriorityOf(const Subject& subject, std::span<const Value> owners,
                       std::string_view otherwise) {
  for (const Value& owner : owners) {
    std::string_view candidate = Label(owner, kPriorityLabel);
    if (candidate.empty()) candidate = Label(subject.pod, kPriorityLabel);
    if (candidate.empty()) {
      candidate = At(subject.pod, {"spec", "priorityClassName"}).text_or_empty();
    }
    if (!candidate.empty() && subject.cluster->HasPriorityClass(candidate)) {
      return std::string(candidate);
    }
  }
  auto by_default = [&](const Value& owner) {
    std::string name = DefaultOf(subject, owner).priority;
    return !name.empty() && subject.cluster->HasPriorityClass(name) ? name : std::string();
  };
  for (const Value& owner : owners) {
    if (std::string name = by_default(owner); !name.empty()) return name;
  }
  for (const Value& wrapper : subject.wrappers) {
    if (std::string name = by_default(wrapper); !name.empty()) return name;
  }
  return std::string(otherwise);
}

std::string PreemptibilityOf(const Subject& subject, std::span<const Value> owners, Plan& plan) {
  std::vector<Value> labelled(owners.begin(), owners.end());
  labelled.push_back(subject.pod);
  for (const Value& object : labelled) {
    std::string_view text = Label(object, kPreemptibilityLabel);
    if (IsPreemptibility(text)) return std::string(text);
    if (!text.empty()) {
      plan.Warn("preemptibility",
                Cat("label ", kPreemptibilityLabel, " is neither preemptible nor ",
                    "non-preemptible: ", Quote(text)));
    }
  }
  std::vector<Value> kinds(owners.begin(), owners.end());
  kinds.insert(kinds.end(), subject.wrappers.begin(), subject.wrappers.end());
  for (const Value& object : kinds) {
    std::string text = DefaultOf(subject, object).preemptibility;
    if (IsPreemptibility(text)) return text;
  }
  return {};
}

std::string DurationOf(const Subject& subject, std::span<const Value> owners, std::string_view key,
                       bool may_be_negative) {
  std::vector<Value> annotated(owners.begin(), owners.end());
  annotated.push_back(subject.pod);
  for (const Value& object : annotated) {
    std::string_view text = Annotation(object, key);
    std::optional<bool> is_negative = IsNegativeDuration(text);
    if (is_negative && (may_be_negative || !*is_negative)) return std::string(text);
  }
  return {};
}

std::string QueueOf(const Subject& subject, const Value& owner) {
  const Options& options = *subject.options;
  for (const Value& object : {owner, subject.pod}) {
    if (std::string_view queue = Label(object, options.queue_label); !queue.empty()) {
      return std::string(queue);
    }
  }
  std::string_view project = Label(owner, kProject);
  if (project.empty()) project = Label(subject.pod, kProject);
  if (project.empty()) return options.default_queue;
  std::string_view pool = Label(subject.pod, options.node_pool_label);
  return pool.empty() ? std::string(project) : Cat(project, '-', pool);
}

std::string TopOwnerText(const Value& top) {
  definition::GroupVersionKind kind = KindOf(top);
  Arena arena;
  json::ObjectBuilder text;
  text.Add("name", Value::String(NameOf(top)));
  text.Add("uid", Value::String(UidOf(top)));
  text.Add("group", Value::String(kind.group));
  text.Add("version", Value::String(kind.version));
  text.Add("kind", Value::String(kind.kind));
  return yaml::ToYaml(text.Finish(arena), {.order = yaml::WriteOptions::Order::kSource});
}

void AddTexts(const Subject& subject, Plan& plan) {
  std::string_view user = Label(subject.pod, kUser);
  if (!user.empty()) {
    SetText(plan.labels, kUser, user);
    SetText(plan.annotations, kUser, user);
  }
  std::string_view pool = Label(subject.pod, subject.options->node_pool_label);
  if (!pool.empty()) SetText(plan.labels, subject.options->node_pool_label, pool);
  SetText(plan.annotations, kTopOwnerAnnotation, TopOwnerText(subject.top));
  Value metadata = subject.top.Get("metadata");
  if (Value labels = metadata.Get("labels"); labels.is_object()) {
    for (const json::Member& label : labels.members()) {
      SetText(plan.labels, label.key, label.value.text_or_empty());
    }
  }
  Value annotations = metadata.Get("annotations");
  if (!annotations.is_object()) return;
  for (const json::Member& annotation : annotations.members()) {
    std::string_view text = annotation.value.text_or_empty();
    // Whole copies of the owner, and other large texts, are no business of the group.
    bool is_ballast = annotation.key == kApplied || text.size() > kLongestAnnotation;
    if (!is_ballast || subject.options->compat) SetText(plan.annotations, annotation.key, text);
  }
}

}  // namespace

std::string ObjectKey::Describe() const {
  return Cat(kind, ' ', name_space, name_space.empty() ? "" : "/", name);
}

std::string_view Subject::name_space() const {
  return pod.Get("metadata").Get("namespace").text_or_empty();
}

std::string_view Label(const Value& object, std::string_view key) {
  return TextIn(object, "labels", key);
}
std::string_view Annotation(const Value& object, std::string_view key) {
  return TextIn(object, "annotations", key);
}

std::optional<std::int64_t> ToInteger(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end) return std::nullopt;
  return value;
}

Value At(const Value& value, std::initializer_list<std::string_view> keys) {
  Value at = value;
  for (std::string_view key : keys) at = at.Get(key);
  return at;
}

std::string_view UidOf(const Value& object) {
  return object.Get("metadata").Get("uid").text_or_empty();
}
std::string_view NameOf(const Value& object) {
  return object.Get("metadata").Get("name").text_or_empty();
}

definition::GroupVersionKind KindOf(const Value& object) {
  std::string_view api_version = object.Get("apiVersion").text_or_empty();
  std::string_view group = definition::GroupOf(api_version);
  std::string_view version = api_version;
  if (!group.empty()) version.remove_prefix(group.size() + 1);
  return {std::string(group), std::string(version),
          std::string(object.Get("kind").text_or_empty())};
}

GroupOwner OwnerOf(const Value& object) {
  auto text = [&](std::string_view key) { return std::string(object.Get(key).text_or_empty()); };
  return {text("apiVersion"), text("kind"), std::string(NameOf(object)),
          std::string(UidOf(object))};
}

std::string GroupName(const Value& object) {
  return Cat("pg-", NameOf(object), '-', UidOf(object));
}

Plan StartPlan(const Subject& subject, const Start& start) {
  Plan plan;
  plan.name_space = subject.name_space();
  plan.name = GroupName(subject.top);
  plan.owner = OwnerOf(subject.top);
  plan.min_member = 1;
  std::vector<Value> owners = Considered(subject, start);
  plan.queue = QueueOf(subject, subject.top);
  plan.priority_class = PriorityOf(subject, owners, start.priority);
  plan.preemptibility = PreemptibilityOf(subject, owners, plan);
  plan.preemption_delay = DurationOf(subject, owners, kDelayAnnotation, false);
  plan.staleness_grace = DurationOf(subject, owners, kGraceAnnotation, true);
  plan.topology = {std::string(Annotation(subject.top, kTopologyAnnotation)),
                   std::string(Annotation(subject.top, kRequiredAnnotation)),
                   std::string(Annotation(subject.top, kPreferredAnnotation))};
  AddTexts(subject, plan);
  return plan;
}

Result<Topology> TopologyOf(const Value& annotated, bool needs_name) {
  Topology topology{std::string(Annotation(annotated, kTopologyAnnotation)),
                    std::string(Annotation(annotated, kRequiredAnnotation)),
                    std::string(Annotation(annotated, kPreferredAnnotation))};
  bool has_level = !topology.required.empty() || !topology.preferred.empty();
  if (topology.name.empty() && has_level && needs_name) {
    return Fail(Code::kInvalid, Cat("annotations name a topology level, but no topology (",
                                    kTopologyAnnotation, ")"));
  }
  if (topology.name.empty() || !has_level) return Topology();
  return topology;
}

std::optional<Value> FindGroup(const Subject& subject, std::string_view name) {
  auto groups = subject.cluster->Groups(subject.name_space());
  if (!groups) return std::nullopt;
  for (const Value& group : *groups) {
    if (NameOf(group) == name) return group;
  }
  return std::nullopt;
}

bool IsFlat(const Value& group) {
  Value sub_groups = At(group, {"spec", "subGroups"});
  return !sub_groups.is_array() || sub_groups.size() == 0;
}

void TakeOver(const Value& existing, const Options& options, Plan& plan) {
  Value spec = existing.Get("spec");
  plan.queue = spec.Get("queue").text_or_empty();
  auto keep = [&](std::string_view label) {
    std::string_view text = Label(existing, label);
    std::erase_if(plan.labels, [&](const auto& each) { return each.first == label; });
    if (!text.empty()) SetText(plan.labels, label, text);
  };
  keep(options.node_pool_label);
  keep(options.queue_label);
  Value topology = spec.Get("topologyConstraint");
  if (!plan.topology.empty() || !topology.is_object()) return;
  plan.topology = {std::string(topology.Get("topology").text_or_empty()),
                   std::string(topology.Get("requiredTopologyLevel").text_or_empty()),
                   std::string(topology.Get("preferredTopologyLevel").text_or_empty())};
}

}  // namespace wmap::gang
