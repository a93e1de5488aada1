#include "tests/support/shared_data.h"

#include <algorithm>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace wmap::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::EndsWith;
using ::testing::HasSubstr;

TEST(SharedData, IsFoundWhereTheEnvironmentSaysOrBesideTheRepository) {
  WMAP_REQUIRE_SHARED();
  EXPECT_THAT(ReadFileOrDie(SharedDir() + "/data/README.md"), HasSubstr("# Test data"));
}

TEST(SharedData, ListsFilesInOrder) {
  auto files = FilesBelowOrDie(RepoDir() + "/tests/support", ".h");
  EXPECT_THAT(files, Contains(EndsWith("/tests/support/shared_data.h")));
  EXPECT_THAT(files, Each(EndsWith(".h")));
  EXPECT_TRUE(std::ranges::is_sorted(files));
}

TEST(SharedData, MessageNamesTheFolder) {
  EXPECT_THAT(MissingSharedData(), HasSubstr(SharedDir()));
  EXPECT_THAT(MissingSharedData(), HasSubstr("WMAP_SHARED"));
}

// The data's place is settled once in a process, so absence is tried in a child.
void RequireInChild(const char* ci) {
  setenv("WMAP_SHARED", "/nonexistent", 1);
  setenv("CI", ci, 1);
  ::testing::TestPartResultArray results;
  {
    ::testing::ScopedFakeTestPartResultReporter reporter(
        ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    [] { WMAP_REQUIRE_SHARED(); }();
  }
  if (results.size() != 1) std::exit(3);
  std::exit(results.GetTestPartResult(0).skipped() ? 1 : 2);
}

TEST(SharedDataDeathTest, AbsenceSkipsAndFailsUnderCi) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(RequireInChild("false"), ::testing::ExitedWithCode(1), "");
  EXPECT_EXIT(RequireInChild("true"), ::testing::ExitedWithCode(2), "");
}

TEST(SharedDataDeathTest, UnreadableFileStopsTheTest) {
  EXPECT_DEATH(ReadFileOrDie("/nonexistent"), "cannot open");
  EXPECT_DEATH(FilesBelowOrDie("/nonexistent", ""), "cannot list");
}

}  // namespace
}  // namespace wmap::testing
