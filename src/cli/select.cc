#include "cli/select.h"

#include <algorithm>
#include <array>
#include <functional>
#include <tuple>

#include "base/text.h"

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

struct Target {
  definition::TypeMatch type;
  bool has_name = false;
  std::string name;
  bool found = false;
  std::string text;
};

Result<definition::TypeMatch> ResolveType(std::string_view type,
                                          const definition::Registry& registry) {
  Result<definition::TypeMatch> match = registry.Resolve(type);
  if (!match && match.error().code() == Code::kNotFound) {
    return Fail(Code::kNotDefined, match.error().message());
  }
  return match;
}

Result<std::vector<Target>> ParseTargets(const std::vector<std::string>& words,
                                         const definition::Registry& registry) {
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
      WMAP_TRY(definition::TypeMatch type,
               ResolveType(std::string_view(word).substr(0, slash), registry));
      targets.push_back({std::move(type), true, std::move(name), false, word});
    }
    return targets;
  }
  // kubectl's "a,b" lists several types.
  std::string_view types = words.front();
  for (std::string_view type_name : SplitSelector(types)) {
    WMAP_TRY(definition::TypeMatch type, ResolveType(type_name, registry));
    if (words.size() == 1) targets.push_back({type, false, {}, false, words.front()});
    for (std::size_t i = 1; i < words.size(); ++i) {
      targets.push_back({type, true, words[i], false, Cat(type_name, '/', words[i])});
    }
  }
  return targets;
}

bool Covers(const definition::TypeMatch& type, const Workload& workload) {
  std::string_view api_version = workload.api_version;
  std::size_t slash = api_version.find('/');
  bool core = slash == std::string_view::npos;
  return type.Covers(core ? std::string_view() : api_version.substr(0, slash),
                     core ? api_version : api_version.substr(slash + 1), workload.kind);
}

}  // namespace

Result<LabelSelector> LabelSelector::Parse(std::string_view text) {
  LabelSelector selector;
  for (std::string_view part : SplitSelector(text)) {
    auto wrong = [&] {
      return Fail(
          Code::kSyntax,
          Cat("label selector ", Quote(part),
              ": expected KEY, !KEY, KEY=VALUE, KEY!=VALUE, KEY in (A,B) or KEY notin (A,B)"));
    };
    Requirement requirement;
    std::size_t operation = part.find_first_of("=!", part.starts_with('!') ? 1 : 0);
    std::size_t not_in = part.find(" notin ");
    std::size_t in = part.find(" in ");
    if (operation != std::string_view::npos) {
      requirement.wants_presence = part[operation] == '=';
      std::string_view value = part.substr(operation + 1);
      if (!requirement.wants_presence && !value.starts_with('=')) return wrong();
      if (value.starts_with('=')) value.remove_prefix(1);
      requirement.key = Trim(part.substr(0, operation));
      requirement.values = {std::string(Trim(value))};
    } else if (not_in != std::string_view::npos || in != std::string_view::npos) {
      requirement.wants_presence = not_in == std::string_view::npos;
      std::size_t at = requirement.wants_presence ? in : not_in;
      auto values = ParseSet(part.substr(part.find('i', at + 1) + 2));
      if (!values) return wrong();
      requirement.key = Trim(part.substr(0, at));
      requirement.values = *std::move(values);
    } else {
      requirement.wants_presence = !part.starts_with('!');
      requirement.key = Trim(part.substr(requirement.wants_presence ? 0 : 1));
    }
    if (requirement.key.empty() || requirement.key.find_first_of(" ()") != std::string::npos) {
      return wrong();
    }
    selector.requirements_.push_back(std::move(requirement));
  }
  return selector;
}

bool LabelSelector::Matches(const std::vector<std::pair<std::string, std::string>>& labels) const {
  return std::ranges::all_of(requirements_, [&](const Requirement& requirement) {
    auto label =
        std::ranges::find(labels, requirement.key, &std::pair<std::string, std::string>::first);
    bool holds = label != labels.end() &&
                 (requirement.values.empty() ||
                  std::ranges::find(requirement.values, label->second) != requirement.values.end());
    return holds == requirement.wants_presence;
  });
}

Result<void> Select(const SelectOptions& options, const definition::Registry& registry,
                    inspect::Report& report) {
  WMAP_TRY(std::vector<Target> targets, ParseTargets(options.targets, registry));
  LabelSelector selector;
  if (!options.labels.empty()) {
    WMAP_TRY(selector, LabelSelector::Parse(options.labels));
  }
  std::vector<std::string> phases;
  for (const std::string& phase : options.phases) {
    auto known = std::ranges::find_if(workload::kPhaseNames, [&](std::string_view name) {
      return ToLower(name) == ToLower(phase);
    });
    if (known == workload::kPhaseNames.end()) {
      std::string names;
      for (std::string_view name : workload::kPhaseNames)
        CatTo(names, names.empty() ? "" : ", ", name);
      return Fail(Code::kInvalid, Cat("phase ", Quote(phase), " is not one of ", names));
    }
    phases.emplace_back(*known);
  }
  auto wanted = [&](const Workload& workload) {
    if (!options.all_namespaces && !options.name_space.empty() &&
        workload.name_space != options.name_space) {
      return false;
    }
    bool named = targets.empty();
    for (Target& target : targets) {
      if (!Covers(target.type, workload) || (target.has_name && target.name != workload.name)) {
        continue;
      }
      target.found = named = true;
    }
    return named && selector.Matches(workload.labels) &&
           (phases.empty() ||
            std::ranges::find(phases, PhaseName(workload.status.phase)) != phases.end());
  };
  std::erase_if(report.workloads, [&](const Workload& workload) { return !wanted(workload); });
  for (const Target& target : targets) {
    if (target.has_name && !target.found) {
      std::string_view name_space = options.name_space;
      return Fail(
          Code::kNotFound,
          Cat(target.text, " not found",
              name_space.empty() ? std::string() : Cat(" in namespace ", Quote(name_space))));
    }
  }
  return {};
}

Result<void> SortBy(std::string_view column, inspect::Report& report) {
  auto& workloads = report.workloads;
  if (column == "name") {
    std::ranges::stable_sort(workloads, {}, &Workload::name);
  } else if (column == "kind") {
    std::ranges::stable_sort(workloads, {}, &Workload::kind);
  } else if (column == "namespace") {
    std::ranges::stable_sort(workloads, {}, &Workload::name_space);
  } else if (column == "phase") {
    std::ranges::stable_sort(workloads, {},
                             [](const Workload& w) { return PhaseName(w.status.phase); });
  } else if (column == "pods") {
    std::ranges::stable_sort(workloads, std::ranges::greater(),
                             [](const Workload& w) { return w.totals.pods.desired.min(); });
  } else if (column == "gpus") {
    std::ranges::stable_sort(workloads, std::ranges::greater(),
                             [](const Workload& w) { return w.totals.gpus.desired.min(); });
  } else if (column == "age") {
    std::ranges::stable_sort(workloads, {},
                             [](const Workload& w) { return workload::ParseTime(w.created_at); });
  } else {
    return Fail(Code::kInvalid, Cat("cannot sort by ", Quote(column),
                                    "; choose name, kind, namespace, phase, pods, gpus or age"));
  }
  return {};
}

}  // namespace wmap::cli
