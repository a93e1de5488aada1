// Objects from arbitrary bytes, through everything that reads them: YAML or JSON, the catalog's
// definitions, owner chains, totals, and the machine output. No pod is lost or counted twice.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/check.h"
#include "base/utf8.h"
#include "definition/registry.h"
#include "input/input.h"
#include "inspect/audit.h"
#include "inspect/audit_json.h"
#include "inspect/explanation.h"
#include "inspect/explanation_json.h"
#include "inspect/report_json.h"
#include "inspect/snapshot.h"
#include "json/reader.h"
#include "json/writer.h"

namespace {

using namespace wmap;

// Each pod is in one place of the report: with a role, without one, or unclaimed.
void CheckPods(const inspect::Report& report) {
  std::set<const workload::PodFacts*> seen;
  auto see = [&](const workload::PodFacts* pod) { WMAP_CHECK(seen.insert(pod).second); };
  for (const workload::Workload& workload : report.workloads) {
    for (const workload::Role& role : workload.roles) {
      for (const workload::PodFacts* pod : role.pods) see(pod);
    }
    for (const workload::PodFacts* pod : workload.pods_without_role) see(pod);
  }
  for (const inspect::UnclaimedPod& unclaimed : report.unclaimed) see(unclaimed.pod);
  WMAP_CHECK(seen.size() <= report.pods.size());
}

// Explanations and audit: of any objects, and text that anybody can read.
void LookCloser(const inspect::Report& report, const definition::Registry& registry,
                const workload::AcceleratorTable& accelerators) {
  std::vector<inspect::Explanation> explanations;
  for (std::size_t i = 0; i < report.workloads.size(); ++i) {
    explanations.push_back(inspect::Explain(report, i, registry));
    WMAP_CHECK(!explanations.back().summary.empty());
  }
  Arena arena;
  WMAP_CHECK(IsUtf8(json::ToJson(inspect::ExplanationsJson(explanations, report, arena))));
  inspect::AuditOptions options;
  options.accelerators = &accelerators;
  inspect::Audit audit = inspect::AuditReport(report, options);
  WMAP_CHECK(IsUtf8(json::ToJson(inspect::AuditJson(audit, report, arena))));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const definition::Registry registry;
  static const workload::AcceleratorTable accelerators;
  inspect::Snapshot snapshot(registry, accelerators);
  snapshot.WantSources();
  snapshot.WantGroups();
  input::ReadText(
      {reinterpret_cast<const char*>(data), size}, "input", {},
      [&](const input::Object& object) { snapshot.Add(object.value, object.source); },
      [&](const input::Problem& problem) {
        snapshot.AddProblem(
            {workload::Severity::kError, "unreadable", problem.Describe(), std::string()}, true);
      });
  inspect::Report report = snapshot.Build();
  CheckPods(report);
  Arena arena;
  std::string text = json::ToJson(inspect::ReportJson(report, arena));
  WMAP_CHECK(IsUtf8(text));
  WMAP_CHECK(json::Read(text, arena).has_value());
  LookCloser(report, registry, accelerators);
  return 0;
}
