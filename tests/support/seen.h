// What a snapshot makes of objects that are given as text: for tests of inspect and above.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "definition/load.h"
#include "definition/registry.h"
#include "input/input.h"
#include "inspect/report_json.h"
#include "inspect/snapshot.h"
#include "json/value.h"
#include "json/writer.h"

namespace wmap::testing {

// Reads documents as `wmap get -f` does: definitions among them are in force for all objects.
class Seen {
 public:
  using Builtins = definition::Registry::Builtins;

  explicit Seen(std::string_view text, Builtins builtins = Builtins::kCatalog)
      : registry_(builtins) {
    inspect::Snapshot snapshot(registry_, accelerators_);
    input::ReadText(
        text, "test.yaml", {},
        [&](const input::Object& object) {
          if (definition::IsKarta(object.value)) {
            AddDefinition(object.value);
          } else {
            snapshot.Add(object.value, object.source);
          }
        },
        [&](const input::Problem& problem) {
          snapshot.AddProblem({workload::Severity::kError, "unreadable", problem.Describe(), {}},
                              true);
        });
    report_ = snapshot.Build();
    json_ = inspect::ReportJson(report_, arena_);
  }

  const inspect::Report& report() const { return report_; }
  // The machine output.
  json::Value json() const { return json_; }

  const workload::Workload* Find(std::string_view name) const {
    auto found = std::ranges::find(report_.workloads, name, &workload::Workload::name);
    return found == report_.workloads.end() ? nullptr : &*found;
  }
  // "JobSet/train, Pod/alone": the rows in their order.
  std::string rows() const {
    std::vector<std::string> names;
    for (const workload::Workload& workload : report_.workloads) {
      names.push_back(Cat(workload.kind, '/', workload.name));
    }
    return Join(names, ", ");
  }
  // "Running; leader 1, workers 2; 12 GPUs": status, roles with the pods that they ask for, GPUs.
  std::string Summary(std::string_view name) const {
    const workload::Workload* workload = Find(name);
    if (workload == nullptr) return "no such row";
    std::vector<std::string> roles;
    for (const workload::Role& role : workload->roles) {
      roles.push_back(Cat(role.role, ' ', role.tally.pods.desired.text()));
    }
    return Cat(PhaseName(workload->status.phase), "; ", Join(roles, ", "), "; ",
               workload->totals.gpus.desired.text(), " GPUs");
  }
  // Where a pod went: "JobSet/train leader", "JobSet/train without role", "unclaimed: no owner".
  std::string PlaceOf(std::string_view pod, std::string_view name_space = {}) const {
    std::vector<std::string> places;
    auto is_it = [&](const workload::PodFacts* facts) {
      return facts->name == pod && (name_space.empty() || facts->name_space == name_space);
    };
    for (const workload::Workload& workload : report_.workloads) {
      std::string row = Cat(workload.kind, '/', workload.name);
      for (const workload::Role& role : workload.roles) {
        if (std::ranges::any_of(role.pods, is_it)) places.push_back(Cat(row, ' ', role.role));
      }
      if (std::ranges::any_of(workload.pods_without_role, is_it)) {
        places.push_back(Cat(row, " without role"));
      }
    }
    for (const inspect::UnclaimedPod& unclaimed : report_.unclaimed) {
      if (is_it(unclaimed.pod)) places.push_back(Cat("unclaimed: ", unclaimed.reason));
    }
    return places.empty() ? "nowhere" : Join(places, " and ");
  }
  // The codes of the diagnostics of a row, or of the whole report with "".
  std::string Codes(std::string_view name = {}) const {
    const workload::Workload* workload = name.empty() ? nullptr : Find(name);
    std::vector<std::string> codes;
    for (const workload::Diagnostic& diagnostic :
         workload == nullptr ? report_.diagnostics : workload->diagnostics) {
      codes.push_back(diagnostic.code);
    }
    return Join(codes, " ");
  }

 private:
  void AddDefinition(const json::Value& document) {
    definition::LoadOptions options;
    options.mode = definition::Mode::kLenient;
    definition::Loaded loaded = definition::Load(document, options);
    if (loaded.karta != nullptr) (void)registry_.Add(std::move(loaded.karta));
  }

  Arena arena_;
  definition::Registry registry_;
  workload::AcceleratorTable accelerators_;
  inspect::Report report_;
  json::Value json_;
};

}  // namespace wmap::testing
