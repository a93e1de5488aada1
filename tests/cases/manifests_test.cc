// What people apply and what operators have recorded reads without errors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "base/text.h"
#include "tests/support/seen.h"
#include "tests/support/shared_data.h"
#include "yaml/reader.h"

namespace wmap {
namespace {

using testing::Seen;

// "file: workload: what is wrong" for each error of what `seen` covers.
std::string ErrorsOf(const Seen& seen, std::string_view file) {
  std::string errors;
  for (const workload::Workload& row : seen.report().workloads) {
    for (const workload::Diagnostic& diagnostic : row.diagnostics) {
      if (diagnostic.severity != workload::Severity::kError) continue;
      CatTo(errors, file, ": ", row.kind, '/', row.name, ": ", diagnostic.message, '\n');
    }
  }
  return errors;
}

TEST(Manifests, OfTheFrameworksReadWithoutErrors) {
  WMAP_REQUIRE_SHARED();
  std::string root = Cat(testing::SharedDir(), "/data/manifests");
  // The API server refuses this one for the error that we tell.
  constexpr std::string_view kRefused = "/invalid_jobs/duplicatedTaskName-webhook-deny.yaml";
  int rows = 0;
  for (const std::string& file : testing::FilesBelowOrDie(root, ".yaml")) {
    if (file.starts_with(Cat(root, "/malformed/"))) continue;
    Seen seen(testing::ReadFileOrDie(file));
    rows += static_cast<int>(seen.report().workloads.size());
    std::string errors = ErrorsOf(seen, file);
    EXPECT_EQ(errors.empty(), !file.ends_with(kRefused)) << errors;
  }
  EXPECT_GT(rows, 200);
}

TEST(Recordings, OfOperatorsReadWithoutErrors) {
  WMAP_REQUIRE_SHARED();
  int rows = 0;
  for (const std::string& file :
       testing::FilesBelowOrDie(Cat(testing::SharedDir(), "/data/recorded"), ".yaml")) {
    Arena arena;
    std::string text = testing::ReadFileOrDie(file);
    Result<json::Value> recording = yaml::Read(text, arena);
    ASSERT_TRUE(recording) << file;
    json::Value events = recording->Get("events");
    if (!events.is_array()) continue;
    for (const json::Value& event : events.items()) {
      if (!event.Get("object").is_object()) continue;
      Seen seen(json::ToJson(event.Get("object")));
      rows += static_cast<int>(seen.report().workloads.size());
      EXPECT_EQ(ErrorsOf(seen, file), "");
    }
  }
  EXPECT_GT(rows, 50);
}

}  // namespace
}  // namespace wmap
