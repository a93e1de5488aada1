// Manifests that people publish and apply: each workload of a covered kind is a row and is read
// without an error, and a sample of them asks for the pods and GPUs that a reader of the manifest
// counts by hand (totals.yaml).

#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "definition/registry.h"
#include "input/input.h"
#include "inspect/report.h"
#include "inspect/snapshot.h"
#include "json/value.h"
#include "json/writer.h"
#include "tests/support/shared_data.h"
#include "yaml/reader.h"

namespace wmap {
namespace {

using json::Value;

struct Totals {
  std::string pods;
  std::string gpus;
  std::string others;  // "google.com/tpu 32": accelerators that are no whole GPUs
};

// What the API server refuses: two tasks of one name. The error says so.
constexpr std::string_view kRefused =
    "volcano/example/invalid_jobs/duplicatedTaskName-webhook-deny.yaml";

class Manifests : public ::testing::Test {
 protected:
  // Workloads by FILE and KIND/NAME.
  using Table = std::map<std::pair<std::string, std::string>, Totals>;

  void ReadAll() {
    for (std::string_view suffix : {".yaml", ".yml"}) {
      for (const std::string& path : testing::FilesBelowOrDie(root_, suffix)) {
        std::string name = path.substr(root_.size() + 1);
        // Text that is no YAML, kept for the messages of readers.
        if (!name.starts_with("malformed/")) ReadFile(path, name);
      }
    }
  }

  void ReadFile(const std::string& path, const std::string& name) {
    ++files_;
    inspect::Snapshot snapshot(registry_, accelerators_);
    std::set<std::string> covered;  // the same object may be given twice
    input::Read(
        std::vector{path}, input::SystemFileSystem(), {},
        [&](const input::Object& object) {
          snapshot.Add(object.value, object.source);
          std::string_view kind = object.value.Get("kind").text_or_empty();
          if (registry_.FindByApiVersion(object.value.Get("apiVersion").text_or_empty(), kind)) {
            Value metadata = object.value.Get("metadata");
            covered.insert(json::ToJson(metadata.Get("namespace")) +
                           json::ToJson(metadata.Get("name")) +
                           json::ToJson(metadata.Get("generateName")) + std::string(kind));
          } else {
            not_covered_.insert(std::string(kind));
          }
        },
        [&](const input::Problem& problem) {
          // A comment between two separators is a document, but nothing is lost by it.
          EXPECT_EQ(problem.severity, input::Problem::Severity::kWarning) << problem.Describe();
        });
    inspect::Report report = snapshot.Build();
    EXPECT_EQ(report.workloads.size(), covered.size()) << name;
    EXPECT_TRUE(report.complete) << name;
    ExpectErrors(report.diagnostics, false, name);
    for (const workload::Workload& workload : report.workloads) {
      std::string object = Cat(workload.kind, '/', workload.name);
      ExpectErrors(workload.diagnostics, name == kRefused, Cat(name, ": ", object));
      EXPECT_FALSE(workload.components.empty()) << name << ": " << object;
      read_[{name, object}] = {workload.totals.pods.desired.text(),
                               workload.totals.gpus.desired.text(), Others(workload)};
      ++workloads_;
    }
  }

  static void ExpectErrors(const std::vector<workload::Diagnostic>& diagnostics, bool expected,
                           const std::string& place) {
    std::string errors;
    for (const workload::Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.severity != workload::Severity::kError) continue;
      CatTo(errors, diagnostic.code, ": ", diagnostic.message, '\n');
    }
    EXPECT_EQ(!errors.empty(), expected) << place << ": " << errors;
  }

  static std::string Others(const workload::Workload& workload) {
    std::vector<std::string> texts;
    for (const workload::AcceleratorCounts& row : workload.totals.accelerators) {
      if (row.type == "gpu") continue;
      texts.push_back(Cat(row.resource, ' ', row.desired.text(workload::UnitOf(row.type))));
    }
    return Join(texts, ", ");
  }

  // A number, or the text of a count that the manifest leaves open.
  static std::string CountText(const Value& value) {
    return value.is_string() ? std::string(value.as_string()) : json::ToJson(value);
  }

  void CompareTotals() {
    Arena arena;
    std::string text =
        testing::ReadFileOrDie(Cat(testing::RepoDir(), "/tests/manifests/totals.yaml"));
    Result<Value> table = yaml::Read(text, arena);
    ASSERT_TRUE(table) << table.error().Describe();
    for (const Value& row : table->items()) {
      std::string file(row.Get("file").text_or_empty());
      std::string object(row.Get("object").text_or_empty());
      auto found = read_.find({file, object});
      if (found == read_.end()) {
        ADD_FAILURE() << file << ": no " << object;
        continue;
      }
      EXPECT_EQ(found->second.pods, CountText(row.Get("pods")))
          << "pods: " << file << ' ' << object;
      EXPECT_EQ(found->second.gpus, CountText(row.Get("gpus")))
          << "GPUs: " << file << ' ' << object;
      EXPECT_EQ(found->second.others, row.Get("others").text_or_empty()) << file << ' ' << object;
      ++counted_;
    }
  }

  std::string root_ = Cat(testing::SharedDir(), "/data/manifests");
  definition::Registry registry_;
  workload::AcceleratorTable accelerators_;
  Table read_;
  std::set<std::string> not_covered_;
  int files_ = 0;
  int workloads_ = 0;
  int counted_ = 0;
};

TEST_F(Manifests, AreReadWithoutErrorAndAskForWhatAReaderCounts) {
  WMAP_REQUIRE_SHARED();
  ReadAll();
  CompareTotals();
  EXPECT_GT(workloads_, 400);
  EXPECT_GE(counted_, 100);
  std::printf("%d files, %d workloads, %d counted by hand\nnot covered: %s\n", files_, workloads_,
              counted_, Join({not_covered_.begin(), not_covered_.end()}, ", ").c_str());
}

}  // namespace
}  // namespace wmap
