#include "inspect/wrapped.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "workload/headline.h"

namespace wmap::inspect {
namespace {

using workload::Component;
using workload::Count;
using workload::Instance;
using workload::Phase;
using workload::Role;
using workload::Status;
using workload::Tally;
using workload::Workload;

bool IsDecided(Phase phase) {
  return phase == Phase::kFailed || phase == Phase::kCompleted || phase == Phase::kSuspended ||
         phase == Phase::kSuspending;
}

// Applies `f` to all instances, however deep.
template <typename F>
void ForEachInstance(std::vector<Component>& components, F&& f) {
  std::vector<Component*> open;
  for (Component& component : components) open.push_back(&component);
  while (!open.empty()) {
    Component& component = *open.back();
    open.pop_back();
    for (Instance& instance : component.instances) {
      f(instance);
      for (Component& child : instance.children) open.push_back(&child);
    }
  }
}

void WantNothing(Tally& tally) {
  tally.pods.wanted = Count();
  if (tally.pods.filled) tally.pods.filled = 0;
}

void WantNothing(Workload& workload) {
  WantNothing(workload.totals);
  for (Role& role : workload.roles) WantNothing(role.tally);
  ForEachInstance(workload.components, [](Instance& instance) { WantNothing(instance.tally); });
}

// The roles are called as the workload that is around them calls them, and where names would be the
// same, by their object too.
void NameRoles(const Workload& described, Workload& others, std::vector<Wrapped>& wrapped) {
  std::vector<std::vector<std::string>> names(wrapped.size());
  for (std::size_t i = 0; i < wrapped.size(); ++i) {
    const Workload& reading = wrapped[i].reading;
    for (const Role& role : reading.roles) names[i].push_back(role.role);
    auto is_of = [&](const Role& role) { return role.wraps == wrapped[i].key; };
    if (names[i].size() != 1 || std::ranges::count_if(described.roles, is_of) != 1) continue;
    names[i].front() = std::ranges::find_if(described.roles, is_of)->role;
  }
  // With the object's name in front, and its kind where that is not enough.
  for (bool with_kind : {false, true}) {
    std::map<std::string, int> uses;
    for (const Role& role : others.roles) ++uses[role.role];
    for (const auto& list : names) {
      for (const std::string& name : list) ++uses[name];
    }
    for (std::size_t i = 0; i < wrapped.size(); ++i) {
      const Workload& reading = wrapped[i].reading;
      for (std::size_t j = 0; j < names[i].size(); ++j) {
        if (uses[names[i][j]] < 2) continue;
        names[i][j] = with_kind ? Cat(ToLower(reading.kind), '/', names[i][j])
                                : Cat(reading.name, '/', reading.roles[j].role);
      }
    }
  }
  for (std::size_t i = 0; i < wrapped.size(); ++i) {
    Workload& reading = wrapped[i].reading;
    std::map<std::string, std::string> renamed;
    for (std::size_t j = 0; j < names[i].size(); ++j) {
      renamed.emplace(reading.roles[j].role, names[i][j]);
      reading.roles[j].role = names[i][j];
      reading.roles[j].wraps = wrapped[i].key;
    }
    ForEachInstance(reading.components, [&](Instance& instance) {
      if (auto at = renamed.find(instance.role); at != renamed.end()) instance.role = at->second;
    });
  }
}

// One object stands for what is around it; of several each is a node.
void AddComponents(Workload& reading, bool is_only, std::vector<Component>& to) {
  if (is_only || (reading.roles.size() == 1 && reading.components.size() == 1 &&
                  !reading.components.front().grouping)) {
    std::ranges::move(reading.components, std::back_inserter(to));
    return;
  }
  Instance instance;
  instance.id = reading.name;
  instance.tally = reading.totals;
  instance.children = std::move(reading.components);
  auto at = std::ranges::find_if(to, [&](const Component& component) {
    return component.grouping && component.kind == reading.kind;
  });
  if (at == to.end()) {
    at = to.insert(to.end(), {ToLower(reading.kind), reading.kind, /*grouping=*/true, {}});
  }
  at->instances.push_back(std::move(instance));
}

// The first of `statuses` in one of `phases`.
const Status* FindIn(const std::vector<const Status*>& statuses,
                     std::initializer_list<Phase> phases) {
  auto at = std::ranges::find_if(statuses, [&](const Status* status) {
    return std::ranges::find(phases, status->phase) != phases.end();
  });
  return at == statuses.end() ? nullptr : *at;
}

// The phase of the whole, from `own`, what the workload says, and what its parts have come to.
void Judge(const std::vector<const Status*>& parts, const Status& described, Status& own) {
  Phase said = workload::ObjectHeadline(own.phases);
  const Status* decisive = FindIn(parts, {Phase::kDegraded, Phase::kFailed});
  Phase phase = Phase::kRunning;
  if (decisive != nullptr || said == Phase::kDegraded) {
    phase = Phase::kDegraded;
  } else if ((decisive = FindIn(parts, {Phase::kInitializing, Phase::kResuming})) != nullptr) {
    phase = said == Phase::kResuming ? said : Phase::kInitializing;
  } else if (FindIn(parts, {Phase::kRunning, Phase::kCompleted}) == nullptr) {
    decisive = FindIn(parts, {Phase::kSuspending, Phase::kSuspended});
    // They say nothing.
    phase = decisive == nullptr ? described.phase : decisive->phase;
  }
  bool from_pods = std::ranges::any_of(parts, &Status::from_pods);
  if (phase == described.phase) {
    own.matched = described.matched;
  } else if (phase != own.phase) {
    own.matched.clear();
  }
  bool is_own = decisive == nullptr && phase == own.phase;
  own.phase = phase;
  own.from_pods = from_pods;
  if (is_own) return;
  own.reason = decisive == nullptr ? std::string() : decisive->reason;
  own.message = decisive == nullptr ? std::string() : decisive->message;
}

// What a workload that is over still holds is told of the whole, once.
void KeepHeldDevices(const Workload& described, Workload& to) {
  auto is_held = [](const workload::Diagnostic& diagnostic) {
    return diagnostic.code == "devices-held";
  };
  std::erase_if(to.diagnostics, is_held);
  std::ranges::copy_if(described.diagnostics, std::back_inserter(to.diagnostics), is_held);
}

}  // namespace

Workload Unwrap(Workload described, Workload others, std::vector<Wrapped> wrapped) {
  NameRoles(described, others, wrapped);
  bool is_decided = IsDecided(workload::ObjectHeadline(described.status.phases));
  bool is_only = wrapped.size() == 1 && others.roles.empty();
  std::erase_if(others.components,
                [](const Component& component) { return component.instances.empty(); });
  std::vector<const Status*> parts;
  if (!others.roles.empty()) parts.push_back(&others.status);
  Status own = others.status;
  for (Wrapped& one : wrapped) parts.push_back(&one.reading.status);
  if (is_decided) {
    own = described.status;
  } else {
    Judge(parts, described.status, own);
  }
  for (Wrapped& one : wrapped) {
    Workload& reading = one.reading;
    if (is_decided) WantNothing(reading);
    others.totals.Add(reading.totals);
    workload::AddResources(others.totals.pod_resources, reading.totals.pod_resources, 1);
    AddComponents(reading, is_only, others.components);
    std::ranges::move(reading.roles, std::back_inserter(others.roles));
    std::ranges::move(reading.pods_without_role, std::back_inserter(others.pods_without_role));
    std::ranges::move(reading.diagnostics, std::back_inserter(others.diagnostics));
  }
  if (is_decided) KeepHeldDevices(described, others);
  others.status = std::move(own);
  others.overrides = std::move(described.overrides);
  return others;
}

}  // namespace wmap::inspect
