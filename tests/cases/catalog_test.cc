// What holds of every kind of the catalog, shown on the objects of its own cases.

#include "definition/catalog.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "definition/registry.h"
#include "inspect/case_file.h"
#include "inspect/snapshot.h"
#include "json/value.h"
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

  inspect::Report Read(const std::vector<Value>& objects) {
    inspect::Snapshot snapshot(registry_, accelerators_);
    for (const Value& object : objects) snapshot.Add(object, "");
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

}  // namespace
}  // namespace wmap
