#include "cli/select.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>

#include "base/text.h"
#include "cli/choice.h"
#include "cli/types.h"
#include "definition/api_version.h"

namespace wmap::cli {
namespace {

using workload::Workload;

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// At commas that are not inside parentheses.
std::vector<std::string_view> SplitSelector(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      parts.push_back(Trim(text.substr(begin, i - begin)));
      begin = i + 1;
    } else if (text[i] == '(') {
      ++depth;
    } else if (text[i] == ')') {
      --depth;
    }
  }
  return parts;
}

// A field selector: "metadata.name=a,metadata.namespace!=b". The API server knows few fields of
// custom resources either.
class FieldSelector {
 public:
  static Result<FieldSelector> Parse(std::string_view text);
  bool Matches(const Workload& workload) const;

 private:
  struct Requirement {
    bool is_name = false;  // else the namespace
    bool equal = true;
    std::string value;
  };
  std::vector<Requirement> requirements_;
};

Result<FieldSelector> FieldSelector::Parse(std::string_view text) {
  FieldSelector selector;
  if (text.empty()) return selector;
  for (std::string_view part : SplitSelector(text)) {
    std::size_t operation = part.find_first_of("=!");
    std::string_view field = Trim(part.substr(0, operation));
    std::string_view rest =
        operation == std::string_view::npos ? std::string_view() : part.substr(operation);
    Requirement requirement;
    requirement.equal = !rest.starts_with('!');
    std::size_t length = rest.starts_with("==") || rest.starts_with("!=") ? 2 : 1;
    // No value of a field has one of these.
    bool is_wrong = rest.find_first_of("=!", length) != std::string_view::npos;
    if (rest.empty() || is_wrong || (rest.starts_with('!') && length == 1)) {
      return Fail(Code::kInvalid,
                  Cat("--field-selector ", Quote(part), ": expected FIELD=VALUE or FIELD!=VALUE"));
    }
    requirement.value = Trim(rest.substr(length));
    requirement.is_name = field == "metadata.name";
    if (!requirement.is_name && field != "metadata.namespace") {
      return Fail(Code::kInvalid,
                  Cat("--field-selector takes metadata.name and metadata.namespace, not ",
                      Quote(field), "; --phase selects by phase, -l by labels"));
    }
    selector.requirements_.push_back(std::move(requirement));
  }
  return selector;
}

bool FieldSelector::Matches(const Workload& workload) const {
  return std::ranges::all_of(requirements_, [&](const Requirement& requirement) {
    const std::string& value = requirement.is_name ? workload.name : workload.name_space;
    return (value == requirement.value) == requirement.equal;
  });
}

// "(x, y)" -> x, y.
std::optional<std::vector<std::string>> ParseSet(std::string_view text) {
  text = Trim(text);
  if (!text.starts_with('(') || !text.ends_with(')')) return std::nullopt;
  std::vector<std::string> values;
  for (std::string_view value : SplitSelector(text.substr(1, text.size() - 2))) {
    values.emplace_back(value);
  }
  return values;
}

// Takes the begin of a selector, and spaces around it.
bool TakeIf(std::string_view begin, std::string_view& text) {
  if (!text.starts_with(begin)) return false;
  text = Trim(text.substr(begin.size()));
  return true;
}
// A key, a value or a word between them.
std::string_view TakeWord(std::string_view& text) {
  std::string_view word = text.substr(0, text.find_first_of(" \t!=<>(),"));
  text = Trim(text.substr(word.size()));
  return word;
}

bool IsAlphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
// At most 63 letters, digits, '-', '_' and '.'; the first and the last are letters or digits.
bool IsLabelName(std::string_view text) {
  return !text.empty() && text.size() <= 63 && IsAlphanumeric(text.front()) &&
         IsAlphanumeric(text.back()) && std::ranges::all_of(text, [](char c) {
           return IsAlphanumeric(c) || c == '-' || c == '_' || c == '.';
         });
}
// A DNS name in lower case.
bool IsLabelPrefix(std::string_view text) {
  if (text.size() > 253) return false;
  while (true) {
    std::string_view part = text.substr(0, text.find('.'));
    bool is_name = IsLabelName(part) && std::ranges::none_of(part, [](char c) {
                     return c == '_' || (c >= 'A' && c <= 'Z');
                   });
    if (!is_name) return false;
    if (part.size() == text.size()) return true;
    text.remove_prefix(part.size() + 1);
  }
}
constexpr std::string_view kLabelName =
    "at most 63 letters, digits, -, _ and ., with a letter or digit at both ends";

// What is wrong with the key of a label, or "".
std::string WrongKey(std::string_view key) {
  std::size_t slash = key.find('/');
  bool has_prefix = slash != std::string_view::npos;
  if (has_prefix && !IsLabelPrefix(key.substr(0, slash))) {
    return Cat(Quote(key.substr(0, slash)), " before the / of a key is no DNS name");
  }
  std::string_view name = has_prefix ? key.substr(slash + 1) : key;
  return IsLabelName(name) ? std::string()
                           : Cat(Quote(key), " is no key of a label: ", kLabelName,
                                 ", perhaps behind a DNS name and one /");
}
// The same of a value, which may be empty.
std::string WrongValue(std::string_view value) {
  return value.empty() || IsLabelName(value)
             ? std::string()
             : Cat(Quote(value), " is no value of a label: ", kLabelName);
}

std::optional<std::int64_t> WholeNumber(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool Covers(const definition::TypeMatch& type, const Workload& workload) {
  auto [group, version] = definition::SplitApiVersion(workload.api_version);
  return type.Covers(group, version, workload.kind);
}

// The workload that has a pod of this name, or one that an object of this kind and name has made;
// without a name, the first one that has any. Null when there is none.
const Workload* FindWhole(const Target& target, const std::vector<Workload>& workloads) {
  bool is_pod = target.type.group.empty() && target.type.kind == "Pod";
  auto is_meant = [&](std::string_view name) { return !target.has_name || name == target.name; };
  auto is_part = [&](const workload::PodFacts* pod) {
    if (is_pod) return is_meant(pod->name);
    return is_meant(pod->owner.name) && pod->owner.kind == target.type.kind &&
           definition::GroupOf(pod->owner.api_version) == target.type.group;
  };
  auto whole = std::ranges::find_if(workloads, [&](const Workload& workload) {
    return std::ranges::any_of(workload.pods_without_role, is_part) ||
           std::ranges::any_of(workload.roles, [&](const workload::Role& role) {
             return std::ranges::any_of(role.pods, is_part);
           });
  });
  return whole == workloads.end() ? nullptr : &*whole;
}

// `job/urgnt not found in namespace "demo"; did you mean job/urgent?`, `pod/train-0 is no workload
// of its own; it is a part of jobset/train`.
Missing DescribeMissing(const Target& target, const SelectOptions& options,
                        const std::vector<Workload>& workloads) {
  if (const Workload* whole = FindWhole(target, workloads)) {
    return {target.text, Cat(target.text, " is no workload of its own; it is a part of ",
                             ToLower(whole->kind), '/', whole->name)};
  }
  std::string text = Cat(target.text, " not found");
  if (!options.all_namespaces && !options.name_space.empty()) {
    CatTo(text, " in namespace ", Quote(options.name_space));
  }
  std::vector<std::string_view> names;
  for (const Workload& workload : workloads) {
    if (Covers(target.type, workload)) names.emplace_back(workload.name);
  }
  std::string_view near = Nearest(target.name, names);
  std::string_view type = std::string_view(target.text).substr(0, target.text.find('/'));
  if (!near.empty()) CatTo(text, "; did you mean ", type, '/', near, "?");
  return {target.text, std::move(text), target.type.group, target.type.kind};
}

// What --phase takes: the phases, and the marks that stand behind them in the column PHASE.
constexpr auto kMarks = [] {
  std::array<std::string_view, workload::kPhaseNames.size() + 2> marks;
  std::ranges::copy(workload::kPhaseNames, marks.begin());
  marks[marks.size() - 2] = "Deleting";
  marks[marks.size() - 1] = "Stale";
  return marks;
}();

bool IsMarked(const workload::Status& status, std::string_view mark) {
  if (mark == "Deleting") return status.deleting;
  if (mark == "Stale") return status.stale;
  return mark == PhaseName(status.phase);
}

Result<std::vector<std::string_view>> ParsePhases(const std::vector<std::string>& lists) {
  std::vector<std::string_view> phases;
  for (const std::string& list : lists) {
    for (std::string_view phase : SplitSelector(list)) {
      if (phase.empty()) {
        return Fail(Code::kInvalid, Cat("--phase ", Quote(list), " has an empty part; write it as ",
                                        "PHASE or PHASE,PHASE"));
      }
      auto known = std::ranges::find_if(
          kMarks, [&](std::string_view mark) { return ToLower(mark) == ToLower(phase); });
      if (known == kMarks.end()) {
        return Fail(Code::kInvalid, UnknownChoice("phase", phase, kMarks));
      }
      phases.push_back(*known);
    }
  }
  return phases;
}

}  // namespace

Result<std::vector<Target>> ParseTargets(const std::vector<std::string>& words,
                                         const definition::Registry& registry,
                                         const kube::Discovery* served) {
  std::vector<Target> targets;
  if (words.empty()) return targets;
  bool slashed = words.front().find('/') != std::string::npos;
  for (const std::string& word : words) {
    std::size_t slash = word.find('/');
    if ((slash != std::string::npos) != slashed && (slashed || slash != std::string::npos)) {
      return Fail(Code::kInvalid,
                  Cat("mixed forms: give TYPE NAME... or TYPE/NAME..., not ", Quote(word)));
    }
  }
  if (slashed) {
    for (const std::string& word : words) {
      std::size_t slash = word.find('/');
      std::string name = word.substr(slash + 1);
      if (slash == 0 || name.empty() || name.find('/') != std::string::npos) {
        return Fail(Code::kInvalid, Cat(Quote(word), " is not of the form TYPE/NAME"));
      }
      Result<definition::TypeMatch> type =
          ResolveType(std::string_view(word).substr(0, slash), registry, served);
      std::string kinds = KindsOf(word, registry);
      if (!type && !kinds.empty()) {
        return Fail(Code::kInvalid, Cat(Quote(word), " is an API version, not TYPE/NAME; ask for ",
                                        "its kinds: ", kinds));
      }
      if (!type) return std::unexpected(std::move(type).error());
      targets.push_back({*std::move(type), true, std::move(name), false, word});
    }
    return targets;
  }
  // kubectl's "a,b" lists several types.
  std::string_view types = words.front();
  for (std::string_view type_name : SplitSelector(types)) {
    WMAP_TRY(definition::TypeMatch type, ResolveType(type_name, registry, served));
    if (words.size() == 1) targets.push_back({type, false, {}, false, words.front()});
    for (std::size_t i = 1; i < words.size(); ++i) {
      targets.push_back({type, true, words[i], false, Cat(type_name, '/', words[i])});
    }
  }
  return targets;
}

Result<LabelSelector::Requirement> LabelSelector::ParseOne(std::string_view text) {
  auto wrong = [&] {
    return Fail(Code::kSyntax,
                Cat("label selector ", Quote(text),
                    ": expected KEY, !KEY, KEY=VALUE, KEY!=VALUE, KEY in (A,B), KEY notin (A,B), "
                    "KEY>N or KEY<N"));
  };
  auto refused = [&](const std::string& why) {
    return Fail(Code::kSyntax, Cat("label selector ", Quote(text), ": ", why));
  };
  Requirement requirement;
  std::string_view rest = text;
  requirement.wants_presence = !TakeIf("!", rest);
  requirement.key = TakeWord(rest);
  if (requirement.key.empty()) return wrong();
  if (std::string why = WrongKey(requirement.key); !why.empty()) return refused(why);
  if (rest.empty()) return requirement;
  if (!requirement.wants_presence) return wrong();
  if (rest.front() == '<' || rest.front() == '>') requirement.order = rest.front();
  requirement.wants_presence = !TakeIf("!=", rest);
  bool is_compared = !requirement.wants_presence || TakeIf("==", rest) || TakeIf("=", rest) ||
                     TakeIf(">", rest) || TakeIf("<", rest);
  if (is_compared) {
    requirement.values = {std::string(TakeWord(rest))};
    if (!rest.empty()) return wrong();
  } else {
    std::string_view set = TakeWord(rest);
    requirement.wants_presence = set == "in";
    auto values = ParseSet(rest);
    if (!values || (set != "in" && set != "notin")) return wrong();
    requirement.values = *std::move(values);
  }
  for (const std::string& value : requirement.values) {
    if (std::string why = WrongValue(value); !why.empty()) return refused(why);
    if (requirement.order != 0 && !WholeNumber(value)) {
      return refused(Cat(Quote(value), " is no whole number"));
    }
  }
  return requirement;
}

Result<LabelSelector> LabelSelector::Parse(std::string_view text) {
  LabelSelector selector;
  if (Trim(text).empty()) return selector;
  for (std::string_view part : SplitSelector(text)) {
    WMAP_TRY(Requirement requirement, ParseOne(part));
    selector.requirements_.push_back(std::move(requirement));
  }
  return selector;
}

bool LabelSelector::Holds(const Requirement& requirement, std::string_view value) {
  if (requirement.values.empty()) return true;
  if (requirement.order == 0) {
    return std::ranges::find(requirement.values, value) != requirement.values.end();
  }
  std::optional<std::int64_t> number = WholeNumber(value);
  std::optional<std::int64_t> bound = WholeNumber(requirement.values.front());
  if (!number || !bound) return false;
  return requirement.order == '<' ? *number < *bound : *number > *bound;
}

bool LabelSelector::Matches(const std::vector<std::pair<std::string, std::string>>& labels) const {
  return std::ranges::all_of(requirements_, [&](const Requirement& requirement) {
    auto label =
        std::ranges::find(labels, requirement.key, &std::pair<std::string, std::string>::first);
    bool holds = label != labels.end() && Holds(requirement, label->second);
    return holds == requirement.wants_presence;
  });
}

std::string KindsOf(std::string_view api_version, const definition::Registry& registry) {
  std::vector<std::string> kinds;
  for (const definition::Listing& listing : registry.List()) {
    if (listing.in_force && listing.kind.api_version() == api_version) {
      kinds.push_back(listing.kind.kind);
    }
  }
  return Join(kinds, ", ");
}

bool IsInScope(const SelectOptions& options, std::string_view name_space) {
  return options.all_namespaces || options.name_space.empty() || options.name_space == name_space;
}

Result<Selection> Select(const SelectOptions& options, const definition::Registry& registry,
                         const kube::Discovery* served, inspect::Report& report) {
  WMAP_TRY(std::vector<Target> targets, ParseTargets(options.targets, registry, served));
  return Select(options, std::move(targets), report);
}

Result<Selection> Select(const SelectOptions& options, std::vector<Target> targets,
                         inspect::Report& report) {
  WMAP_TRY(FieldSelector fields, FieldSelector::Parse(options.fields));
  LabelSelector selector;
  if (!options.labels.empty()) {
    WMAP_TRY(selector, LabelSelector::Parse(options.labels));
  }
  WMAP_TRY(std::vector<std::string_view> phases, ParsePhases(options.phases));
  std::erase_if(report.unclaimed, [&](const inspect::UnclaimedPod& unclaimed) {
    return !IsInScope(options, unclaimed.pod->name_space);
  });
  std::vector<bool> wanted;
  for (const Workload& workload : report.workloads) {
    wanted.push_back(IsInScope(options, workload.name_space));
  }
  report.KeepWorkloads(wanted);
  Selection selection;
  selection.has_others = !report.workloads.empty();
  auto is_target = [&](const Workload& workload) {
    bool named = targets.empty();
    for (Target& target : targets) {
      if (!Covers(target.type, workload) || (target.has_name && target.name != workload.name)) {
        continue;
      }
      target.found = named = true;
    }
    return named;
  };
  wanted.clear();
  for (const Workload& workload : report.workloads) {
    wanted.push_back(is_target(workload) && selector.Matches(workload.labels) &&
                     fields.Matches(workload) &&
                     (phases.empty() || std::ranges::any_of(phases, [&](std::string_view phase) {
                        return IsMarked(workload.status, phase);
                      })));
  }
  for (const Target& target : targets) {
    if (target.has_name && !target.found) {
      selection.missing.push_back(DescribeMissing(target, options, report.workloads));
    }
  }
  bool is_nothing = std::ranges::find(wanted, true) == wanted.end();
  for (const Target& target : targets) {
    if (!is_nothing || target.has_name || target.found || !selection.parts.empty()) continue;
    if (const Workload* whole = FindWhole(target, report.workloads)) {
      selection.parts = Cat(target.type.kind, "s are there as parts of other workloads, as of ",
                            ToLower(whole->kind), '/', whole->name);
    }
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i]) selection.unselected.push_back(std::move(report.workloads[i]));
  }
  report.KeepWorkloads(wanted);
  return selection;
}

std::span<const std::string_view> PhaseMarks() { return kMarks; }

namespace {

struct Order {
  std::string_view column;
  // Whether the first one comes before the second.
  bool (*before)(const Workload&, const Workload&);
};

// Names ascend; of amounts the largest comes first.
constexpr std::array kOrders = {
    Order{"name", [](const Workload& a, const Workload& b) { return a.name < b.name; }},
    Order{"kind", [](const Workload& a, const Workload& b) { return a.kind < b.kind; }},
    Order{"namespace",
          [](const Workload& a, const Workload& b) { return a.name_space < b.name_space; }},
    Order{"phase",
          [](const Workload& a, const Workload& b) {
            return PhaseName(a.status.phase) < PhaseName(b.status.phase);
          }},
    Order{"pods",
          [](const Workload& a, const Workload& b) {
            return a.totals.pods.desired.min() > b.totals.pods.desired.min();
          }},
    Order{"gpus",
          [](const Workload& a, const Workload& b) {
            return a.totals.gpus.desired.min() > b.totals.gpus.desired.min();
          }},
    Order{"age",
          [](const Workload& a, const Workload& b) {
            return workload::ParseTime(a.created_at) < workload::ParseTime(b.created_at);
          }},
};

}  // namespace

std::vector<std::string_view> SortColumns() {
  std::vector<std::string_view> columns;
  for (const Order& order : kOrders) columns.push_back(order.column);
  return columns;
}

void SortBy(std::string_view column, inspect::Report& report) {
  auto order = std::ranges::find(kOrders, column, &Order::column);
  if (order != kOrders.end()) std::ranges::stable_sort(report.workloads, order->before);
}

}  // namespace wmap::cli
