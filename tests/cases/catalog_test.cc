// What holds of every kind of the catalog, shown on the objects of its own cases.

#include "definition/catalog.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "definition/registry.h"
#include "inspect/case_file.h"
#include "inspect/reading.h"
#include "inspect/snapshot.h"
#include "json/place.h"
#include "json/source_map.h"
#include "json/value.h"
#include "json/writer.h"
#include "tests/support/reading.h"
#include "tests/support/shared_data.h"

namespace wmap {
namespace {

using inspect::Case;
using json::Value;

std::string NameOf(const definition::CatalogEntry& entry) {
  return Cat(entry.kind, ' ', entry.group, '/', entry.version);
}

class CatalogCases : public ::testing::Test {
 protected:
  // The cases of a kind; their objects live as long as the test.
  std::vector<Case> CasesOf(const definition::CatalogEntry& entry) {
    std::string file = Cat(testing::RepoDir(), "/catalog/", entry.name, inspect::kCaseFileEnding);
    Result<std::vector<Case>> cases = inspect::ReadCases(testing::ReadFileOrDie(file), arena_);
    EXPECT_TRUE(cases) << file;
    return cases ? *std::move(cases) : std::vector<Case>();
  }

  inspect::Report Read(const std::vector<Value>& objects, bool with_groups = false) {
    inspect::Snapshot snapshot(registry_, accelerators_);
    if (with_groups) snapshot.WantGroups();
    for (const Value& object : objects) snapshot.Add(object, {});
    return snapshot.Build();
  }

  // A pod that `owner` controls, with a GPU; its labels say nothing.
  Value PodOf(const Value& owner, std::string_view phase) {
    Value metadata = owner.Get("metadata");
    std::string_view name_space = metadata.Get("namespace").text_or_empty();
    return testing::YamlOrDie(
        Cat("{apiVersion: v1, kind: Pod, metadata: {name: left-over, ",
            name_space.empty() ? std::string() : Cat("namespace: ", name_space, ", "),
            "ownerReferences: [{apiVersion: ", owner.Get("apiVersion").text_or_empty(), ", kind: ",
            owner.Get("kind").text_or_empty(), ", name: ", metadata.Get("name").text_or_empty(),
            ", uid: '", metadata.Get("uid").text_or_empty(),
            "', controller: true}]}, spec: {nodeName: n1, containers: [{name: m, resources: ",
            "{limits: {nvidia.com/gpu: 1}}}]}, status: {phase: ", phase, "}}"),
        arena_);
  }

  Arena arena_;
  definition::Registry registry_;
  workload::AcceleratorTable accelerators_;
};

TEST_F(CatalogCases, WhatIsSuspendedIsSuspendingWhileItHasPods) {
  std::set<std::string> kinds;
  for (const definition::CatalogEntry& entry : definition::CatalogEntries()) {
    for (const Case& one : CasesOf(entry)) {
      inspect::Report report = Read(one.objects);
      if (report.workloads.size() != 1 ||
          report.workloads[0].status.phase != workload::Phase::kSuspended) {
        continue;
      }
      auto phase_with = [&](std::string_view phase) {
        std::vector<Value> objects = one.objects;
        objects.push_back(PodOf(one.objects[0], phase));
        inspect::Report with_pod = Read(objects);
        return with_pod.workloads.size() == 1
                   ? std::string(PhaseName(with_pod.workloads[0].status.phase))
                   : Cat(with_pod.workloads.size(), " rows");
      };
      EXPECT_EQ(phase_with("Running"), "Suspending") << NameOf(entry) << ": " << one.name;
      EXPECT_EQ(phase_with("Pending"), "Suspending") << NameOf(entry) << ": " << one.name;
      EXPECT_EQ(phase_with("Succeeded"), "Suspended") << NameOf(entry) << ": " << one.name;
      EXPECT_EQ(phase_with("Failed"), "Suspended") << NameOf(entry) << ": " << one.name;
      kinds.insert(NameOf(entry));
    }
  }
  EXPECT_GE(kinds.size(), 30U) << "cases of suspended objects";
}

// What `wmap test --record` writes of the objects of a case is a case that passes.
TEST_F(CatalogCases, WhatIsRecordedPasses) {
  for (const definition::CatalogEntry& entry : definition::CatalogEntries()) {
    std::size_t recorded = 0;
    for (const Case& one : CasesOf(entry)) {
      if (one.objects.empty()) continue;
      Case record = {one.name, 0, one.objects, {}, {}};
      record.expect = inspect::ExpectationOf(inspect::ReadingOf(Read(one.objects, true), arena_));
      ASSERT_FALSE(record.expect.is_null()) << NameOf(entry) << ": " << one.name;
      std::string text = inspect::WriteCases({record});
      Result<std::vector<Case>> written = inspect::ReadCases(text, arena_);
      ASSERT_TRUE(written) << written.error().Describe() << " in\n" << text;
      inspect::Report report = Read(written->front().objects, true);
      for (const inspect::Difference& difference :
           inspect::Compare(written->front().expect, inspect::ReadingOf(report, arena_), report)) {
        ADD_FAILURE() << NameOf(entry) << ": " << one.name << ": " << difference.path << " is "
                      << difference.got << ", recorded " << difference.expected;
      }
      ++recorded;
    }
    EXPECT_GT(recorded, 0U) << NameOf(entry);
  }
}

// The numbers below `.spec` of a value, each as a JSON pointer.
void FindNumbers(const Value& value, const std::string& pointer, std::vector<std::string>& found) {
  if (value.is_int()) found.push_back(pointer);
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      FindNumbers(value[i], Cat(pointer, '/', i), found);
    }
  } else if (value.is_object()) {
    for (const json::Member& member : value.members()) {
      std::string below = pointer;
      json::AppendPointerToken(below, member.key);
      FindNumbers(member.value, below, found);
    }
  }
}

// `value` with `leaf` at `pointer`.
Value With(const Value& value, std::string_view pointer, const Value& leaf, Arena& arena) {
  if (pointer.empty()) return leaf;
  std::size_t end = std::min(pointer.find('/', 1), pointer.size());
  std::string_view rest = pointer.substr(end);
  if (value.is_array()) {
    std::vector<Value> items(value.items().begin(), value.items().end());
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (std::to_string(i) == pointer.substr(1, end - 1)) {
        items[i] = With(items[i], rest, leaf, arena);
      }
    }
    return json::MakeArray(arena, items);
  }
  json::ObjectBuilder object;
  for (const json::Member& member : value.members()) {
    std::string token;
    json::AppendPointerToken(token, member.key);
    object.Add(member.key, token == pointer.substr(0, end) ? With(member.value, rest, leaf, arena)
                                                           : member.value);
  }
  return object.Finish(arena);
}

// What is read of the pods and devices of the first row.
std::string CountsOf(const inspect::Report& report) {
  if (report.workloads.empty()) return "no row";
  std::string text;
  auto add = [&](const workload::Tally& tally) {
    CatTo(text, tally.pods.desired.text(), ' ', tally.pods.wanted.text(), ' ',
          tally.pods.min.text(), ' ', tally.pods.max ? tally.pods.max->text() : "none", ' ',
          tally.gpus.desired.text(), ';');
  };
  add(report.workloads[0].totals);
  for (const workload::Role& role : report.workloads[0].roles) add(role.tally);
  return text;
}

std::size_t WarningsOf(const inspect::Report& report) {
  std::size_t count = report.diagnostics.size();
  for (const workload::Workload& workload : report.workloads) {
    count += static_cast<std::size_t>(std::ranges::count_if(
        workload.diagnostics,
        [](const workload::Diagnostic& d) { return d.severity != workload::Severity::kInfo; }));
  }
  return count;
}

// Where the counts follow a number of the object and it is one that counts nothing, that is told,
// whatever is made of it.
TEST_F(CatalogCases, ACountThatIsNoneIsTold) {
  std::set<std::string> kinds;
  for (const definition::CatalogEntry& entry : definition::CatalogEntries()) {
    for (const Case& one : CasesOf(entry)) {
      if (one.objects.empty()) continue;
      std::vector<std::string> numbers;
      FindNumbers(one.objects[0].Get("spec"), "/spec", numbers);
      auto read_with = [&](const std::string& pointer, const Value& leaf) {
        std::vector<Value> objects = one.objects;
        objects[0] = With(objects[0], pointer, leaf, arena_);
        return Read(objects);
      };
      std::size_t told = WarningsOf(Read(one.objects));
      for (const std::string& number : numbers) {
        std::string counts = CountsOf(read_with(number, Value::Int(1)));
        if (counts == CountsOf(read_with(number, Value::Int(2))) &&
            counts == CountsOf(read_with(number, Value::Int(50)))) {
          continue;
        }
        kinds.insert(NameOf(entry));
        // To Milvus a number below 0 says that an autoscaler has the replicas. Quantities are
        // texts.
        bool may_be_below_0 = entry.kind == "Milvus";
        bool is_quantity = number.find("/resources/") != std::string::npos;
        for (const Value& wrong : {Value::Int(-3), Value::String("-3"), Value::String("three")}) {
          if (may_be_below_0 && wrong.is_int()) continue;
          if (is_quantity && wrong.is_string()) continue;
          inspect::Report report = read_with(number, wrong);
          EXPECT_GT(WarningsOf(report), told)
              << NameOf(entry) << ": " << one.name << ": " << number << " is "
              << json::ToJson(wrong) << ", read as " << CountsOf(report);
        }
      }
    }
  }
  EXPECT_GE(kinds.size(), 20U) << "kinds with counts";
}

}  // namespace
}  // namespace wmap
