// The shared test data: recorded clusters, manifests, CRDs and reference cases, which are kept
// beside the repository and not in it. Read-only. For tests only, so errors stop the program.
//
// A test that needs the data starts with WMAP_REQUIRE_SHARED(). Where the data is absent the test
// is skipped with a message that says how to get it; with CI=true in the environment it fails, so
// that a missing mount cannot make a run green.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace wmap::testing {

// The folder of the shared data: $WMAP_SHARED, or `shared` beside the repository. Never empty.
const std::string& SharedDir();
// The root folder of this repository's sources.
const std::string& RepoDir();

bool has_shared_data();
// Whether absent data is a failure: CI=true.
bool must_have_shared_data();
// Why a test cannot run: where the data was looked for.
std::string MissingSharedData();

// The bytes of a file; stops the program with a message when it cannot be read.
std::string ReadFileOrDie(std::string_view path);

// The regular files below `folder` whose names end in `suffix`, as full paths in ascending order.
// Stops the program when `folder` cannot be read: an empty list would make a test pass on nothing.
std::vector<std::string> FilesBelowOrDie(std::string_view folder, std::string_view suffix);

}  // namespace wmap::testing

#define WMAP_REQUIRE_SHARED()                             \
  if (::wmap::testing::has_shared_data()) {               \
  } else if (::wmap::testing::must_have_shared_data())    \
    GTEST_FAIL() << ::wmap::testing::MissingSharedData(); \
  else                                                    \
    GTEST_SKIP() << ::wmap::testing::MissingSharedData()
