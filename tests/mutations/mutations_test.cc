// A definition never takes down a listing: whatever an object holds, it stays a row of the list,
// and what is wrong with it is a diagnostic. Shown on objects of every kind of the catalog,
// recorded and published ones with their pods, that are changed at random.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "definition/catalog.h"
#include "definition/registry.h"
#include "input/input.h"
#include "inspect/audit.h"
#include "inspect/audit_json.h"
#include "inspect/definition_reading.h"
#include "inspect/explanation.h"
#include "inspect/explanation_json.h"
#include "inspect/reading.h"
#include "inspect/report.h"
#include "inspect/report_json.h"
#include "inspect/snapshot.h"
#include "json/reader.h"
#include "json/value.h"
#include "json/writer.h"
#include "tests/mutations/mutator.h"
#include "tests/support/shared_data.h"
#include "yaml/reader.h"

namespace wmap {
namespace {

using json::Value;
using workload::Count;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kMutations = 3000;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr int kMutations = 3000;
#else
constexpr int kMutations = 100'000;
#endif
#else
constexpr int kMutations = 100'000;
#endif

// Objects of a kind that are changed, more of which would not show more.
constexpr std::size_t kSeedsPerKind = 16;
constexpr std::size_t kCompanions = 12;

// A workload, and what was there with it: its pods and the objects between.
struct Seed {
  Value root;
  std::vector<Value> companions;
};

// What makes it an object and a row: who owns it, and which one it is.
constexpr std::string_view kIdentity[] = {"apiVersion", "kind", "metadata"};
constexpr std::string_view kName[] = {"name", "generateName", "namespace", "uid",
                                      "ownerReferences"};

std::string NameOf(const Value& metadata) {
  std::string_view name = metadata.Get("name").text_or_empty();
  std::string_view prefix = metadata.Get("generateName").text_or_empty();
  return name.empty() && !prefix.empty() ? Cat(prefix, '*') : std::string(name);
}

class Mutations : public ::testing::Test {
 protected:
  Mutations() {
    for (const definition::CatalogEntry& entry : definition::CatalogEntries()) {
      kinds_.emplace_back(&entry, std::vector<Seed>());
    }
  }

  // --- the seeds ---

  void ReadSeeds() {
    std::string data = Cat(testing::SharedDir(), "/data");
    for (const std::string& file : testing::FilesBelowOrDie(data + "/lifecycles", ".json")) {
      AddState(file);
    }
    for (const std::string& file : testing::FilesBelowOrDie(data + "/recorded", ".yaml")) {
      AddRecording(file);
    }
    for (const std::string& file : testing::FilesBelowOrDie(data + "/manifests", ".yaml")) {
      if (file.find("/malformed/") == std::string::npos) AddObjects(ObjectsOf(file));
    }
    Result<Value> more = yaml::Read(
        testing::ReadFileOrDie(Cat(testing::RepoDir(), "/tests/mutations/seeds.yaml")), seeds_);
    ASSERT_TRUE(more) << more.error().Describe();
    AddObjects({more->items().begin(), more->items().end()});
    for (auto& [entry, seeds] : kinds_) {
      EXPECT_FALSE(seeds.empty()) << "no object of " << entry->name;
      Thin(seeds);
    }
  }

  std::vector<Value> ObjectsOf(const std::string& file) {
    std::vector<Value> objects;
    input::Read(
        std::vector{file}, input::SystemFileSystem(), {},
        [&](const input::Object& object) {
          objects.push_back(json::DeepCopy(seeds_, object.value));
        },
        [](const input::Problem&) {});
    return objects;
  }

  // The workload, which comes first, with what belongs to it, and each object below it by itself:
  // beside its owner it would be no row.
  void AddState(const std::string& file) {
    std::vector<Value> objects = ObjectsOf(file);
    if (objects.empty()) return;
    std::size_t companions = std::min(objects.size() - 1, kCompanions);
    auto first = objects.begin() + 1;
    Add({objects[0], {first, first + static_cast<std::ptrdiff_t>(companions)}});
    AddObjects({first, objects.end()});
  }

  void AddRecording(const std::string& file) {
    Result<Value> recording = yaml::Read(testing::ReadFileOrDie(file), seeds_);
    ASSERT_TRUE(recording) << file;
    if (Value events = recording->Get("events"); events.is_array()) {
      for (const Value& event : events.items()) Add({event.Get("object"), {}});
    }
    if (Value steps = recording->Get("steps"); steps.is_array()) {
      Add({steps[0].Get("cr"), {}});
    }
  }

  void AddObjects(const std::vector<Value>& objects) {
    for (const Value& object : objects) Add({object, {}});
  }

  void Add(Seed seed) {
    std::string_view kind = seed.root.Get("kind").text_or_empty();
    definition::Match match =
        registry_.FindByApiVersion(seed.root.Get("apiVersion").text_or_empty(), kind);
    if (!match || match.other_version) return;
    // Pods that have an owner are no rows.
    if (kind == "Pod" && seed.root.Get("metadata").Find("ownerReferences") != nullptr) return;
    for (auto& [entry, seeds] : kinds_) {
      if (entry->name == match.karta->name) seeds.push_back(std::move(seed));
    }
  }

  // Evenly from all, as neighbours are states of one workload.
  static void Thin(std::vector<Seed>& seeds) {
    if (seeds.size() <= kSeedsPerKind) return;
    std::vector<Seed> kept;
    for (std::size_t i = 0; i < kSeedsPerKind; ++i) {
      kept.push_back(std::move(seeds[i * seeds.size() / kSeedsPerKind]));
    }
    seeds = std::move(kept);
  }

  // --- one mutation ---

  // False when something was wrong with it.
  bool Mutate(std::uint64_t number) {
    Arena arena;
    testing::Mutator mutator(number, arena);
    const auto& [entry, seeds] = kinds_[number % kinds_.size()];
    const Seed& seed = seeds[mutator.Below(seeds.size())];
    // One in twenty may stop being what it was; then the rest must be in order still.
    bool is_itself = !mutator.Chance(5);
    Value root = is_itself ? ChangeRoot(seed.root, mutator, arena) : mutator.Change(seed.root);
    inspect::Snapshot snapshot(registry_, accelerators_);
    if (number % 3 == 0) snapshot.WantGroups();
    if (number % 5 == 0) snapshot.WantSources();
    snapshot.Add(root, {.file = "root"});
    for (const Value& companion : seed.companions) {
      Value given = mutator.Chance(25) ? mutator.Change(companion) : companion;
      snapshot.Add(given, {.file = "companion"});
    }
    inspect::Report report = snapshot.Build();
    bool is_told = std::ranges::any_of(
        report.workloads, [](const workload::Workload& row) { return !row.diagnostics.empty(); });
    told_ += is_told || !report.diagnostics.empty() ? 1 : 0;
    std::string wrong = is_itself ? CheckRow(report, root) : std::string();
    if (wrong.empty()) wrong = CheckSums(report);
    if (wrong.empty()) wrong = CheckJson(inspect::ReportJson(report, arena), arena);
    // What test cases compare with is made of any report as well.
    if (wrong.empty() && inspect::ReadingOf(report, arena).is_null()) wrong = "no reading";
    if (wrong.empty() && report.sources) wrong = LookCloser(report, arena);
    if (wrong.empty()) return true;
    ADD_FAILURE() << entry->name << ", WMAP_SEED=" << number << ": " << wrong << '\n'
                  << json::ToJson(root).substr(0, 20'000);
    return false;
  }

  // Explanations, the reading of the definition, and the audit are made of anything.
  std::string LookCloser(const inspect::Report& report, Arena& arena) const {
    std::vector<inspect::Explanation> explanations;
    std::vector<inspect::DefinitionReading> readings;
    for (std::size_t i = 0; i < report.workloads.size(); ++i) {
      const workload::Workload& row = report.workloads[i];
      explanations.push_back(inspect::Explain(report, i, registry_));
      if (explanations.back().summary.empty()) return "no summary";
      definition::Match match = registry_.FindByApiVersion(row.api_version, row.kind);
      if (match) readings.push_back(inspect::ReadDefinition(report, i, *match.karta));
    }
    inspect::AuditOptions options;
    options.accelerators = &accelerators_;
    inspect::Audit audit = inspect::AuditReport(report, options);
    for (const Value& json :
         {inspect::ExplanationsJson(explanations, report, arena),
          inspect::ReadingsJson(readings, arena), inspect::AuditJson(audit, report, arena)}) {
      if (std::string wrong = CheckData(json, arena); !wrong.empty()) return wrong;
    }
    return {};
  }

  static Value ChangeRoot(const Value& seed, testing::Mutator& mutator, Arena& arena) {
    Value root = seed;
    for (std::size_t left = 1 + mutator.Below(4); left > 0; --left) {
      root = mutator.Change(root, kIdentity);
    }
    if (!mutator.Chance(20)) return root;
    json::ObjectBuilder builder;
    for (const json::Member& member : root.members()) {
      builder.Add(member.key,
                  member.key == "metadata" ? mutator.Change(member.value, kName) : member.value);
    }
    return builder.Finish(arena);
  }

  // --- what holds of every report ---

  static std::string CheckRow(const inspect::Report& report, const Value& root) {
    std::string name = NameOf(root.Get("metadata"));
    auto is_root = [&](const workload::Workload& row) {
      return row.kind == root.Get("kind").text_or_empty() && row.name == name;
    };
    return std::ranges::any_of(report.workloads, is_root) ? std::string() : "no row";
  }

  static std::string CheckSums(const inspect::Report& report) {
    for (const workload::Workload& row : report.workloads) {
      std::string wrong = CheckSums(row);
      if (!wrong.empty()) return Cat(row.kind, '/', row.name, ": ", wrong);
    }
    return {};
  }

  static std::string CheckSums(const workload::Workload& row) {
    workload::Tally sum;
    sum.pods.max = Count();
    for (const workload::Role& role : row.roles) sum.Add(role.tally);
    const workload::PodCounts& pods = row.totals.pods;
    const workload::GpuCounts& gpus = row.totals.gpus;
    if (pods.desired != sum.pods.desired) return "desired pods are not the sum of the roles";
    if (pods.wanted != sum.pods.wanted) return "wanted pods are not the sum of the roles";
    if (pods.max != sum.pods.max) return "most pods are not the sum of the roles";
    if (gpus.desired != sum.gpus.desired) return "desired GPUs are not the sum of the roles";
    if (pods.min.min() < 0 || (pods.max && pods.max->max() && *pods.max->max() < pods.max->min())) {
      return "bounds that are none";
    }
    // Pods without a role are counted in the totals alone.
    std::int64_t without_role = static_cast<std::int64_t>(row.pods_without_role.size());
    if (pods.observed && *pods.observed != sum.pods.observed.value_or(0) + without_role) {
      return "pods that exist are not the sum of the roles and the pods without one";
    }
    if (without_role == 0 && pods.ready != sum.pods.ready && pods.ready.value_or(0) != 0) {
      return "ready pods are not the sum of the roles";
    }
    return {};
  }

  // The machine output as text, read again.
  static std::string CheckData(const Value& output, Arena& arena) {
    std::string text = json::ToJson(output);
    Result<Value> read = json::Read(text, arena);
    if (!read) return Cat("the output is no JSON: ", read.error().Describe());
    if (json::ToJson(*read) != text) return "the output reads as something else";
    return FindNegative(*read);
  }

  static std::string CheckJson(const Value& report, Arena& arena) {
    for (const Value& item : report.Get("items").items()) {
      std::string_view phase = item.Get("status").Get("phase").text_or_empty();
      if (std::ranges::find(workload::kPhaseNames, phase) == workload::kPhaseNames.end()) {
        return Cat("no phase: ", phase);
      }
    }
    return CheckData(report, arena);
  }

  // The first number below 0 that stands anywhere; the amounts of resources are texts.
  static std::string FindNegative(const Value& output) {
    std::vector<std::pair<std::string_view, Value>> open = {{"", output}};
    while (!open.empty()) {
      auto [key, value] = open.back();
      open.pop_back();
      if (value.is_number() && value.as_double() < 0) {
        return Cat("below 0: ", key, ' ', json::ToJson(value));
      }
      if (value.is_array()) {
        for (const Value& item : value.items()) open.emplace_back(key, item);
      } else if (value.is_object()) {
        bool are_amounts = key == "resources" || key == "podResources";
        for (const json::Member& member : value.members()) {
          if (are_amounts && member.value.text_or_empty().starts_with('-')) {
            return Cat("below 0: ", member.key, ' ', member.value.text_or_empty());
          }
          open.emplace_back(member.key, member.value);
        }
      }
    }
    return {};
  }

  Arena seeds_;
  definition::Registry registry_;
  workload::AcceleratorTable accelerators_;
  std::vector<std::pair<const definition::CatalogEntry*, std::vector<Seed>>> kinds_;
  int told_ = 0;  // mutations that came with a diagnostic
};

TEST_F(Mutations, AreRowsAndDiagnosticsAndNeverMore) {
  WMAP_REQUIRE_SHARED();
  // WMAP_MUTATIONS=1000000 makes a long run of it, WMAP_SEED=7 begins elsewhere.
  const char* count = std::getenv("WMAP_MUTATIONS");
  const char* first = std::getenv("WMAP_SEED");
  ReadSeeds();
  if (HasFailure()) return;
  int mutations = count == nullptr ? kMutations : std::atoi(count);
  auto number = static_cast<std::uint64_t>(first == nullptr ? 1 : std::atoll(first));
  int failures = 0;
  for (int i = 0; i < mutations && failures < 5; ++i, ++number) {
    failures += Mutate(number) ? 0 : 1;
  }
  std::printf("%d mutations of %zu kinds, of which %d came with diagnostics\n", mutations,
              kinds_.size(), told_);
  EXPECT_GT(told_, mutations / 50);
}

}  // namespace
}  // namespace wmap
