// Runs the suites of jq 1.8.2, jq 1.7.1 and gojq, and our own, and prints the agreement with each.
//
// exclusions.yaml lists, with a reason, every case that we do not follow. A case that fails and is
// not listed fails the test, and so does a listed case that passes.
#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

#include "base/text.h"
#include "json/writer.h"
#include "tests/conformance/engine.h"
#include "tests/conformance/suite.h"
#include "tests/support/shared_data.h"

namespace wmap::conformance {
namespace {

std::string OwnFile(std::string_view name) {
  return testing::ReadFileOrDie(Cat(testing::RepoDir(), "/tests/conformance/", name));
}

// The reason for each excluded case of `suite`, by name; the programs are checked to be those of
// the suite, so that the list cannot drift from it.
std::map<std::string, std::string> ExclusionsOf(std::string_view suite,
                                                const std::vector<Case>& cases) {
  std::map<std::string, std::string> programs;
  for (const Case& test : cases) programs[test.name] = test.program;
  std::map<std::string, std::string> reasons;
  for (const Exclusion& exclusion : ReadExclusions(OwnFile("exclusions.yaml"))) {
    if (exclusion.suite != suite) continue;
    EXPECT_FALSE(exclusion.reason.empty());
    for (const auto& [name, program] : exclusion.cases) {
      EXPECT_EQ(programs[name], program) << suite << " " << name;
      EXPECT_TRUE(reasons.emplace(name, exclusion.reason).second) << "twice: " << name;
    }
  }
  return reasons;
}

void RunSuite(std::string_view suite, const std::vector<Case>& cases,
              std::string_view remark = "") {
  ASSERT_FALSE(cases.empty());
  std::map<std::string, std::string> excluded = ExclusionsOf(suite, cases);
  std::size_t passed = 0;
  std::size_t failed = 0;
  for (const Case& test : cases) {
    VmEngine plain(false);
    VmEngine optimised(true);
    std::string got = Check(optimised, test);
    std::string unoptimised = Check(plain, test);
    // Without its passes a program takes more steps.
    if (!plain.ran_out()) {
      EXPECT_EQ(got, unoptimised) << suite << " " << test.name << ": " << test.program;
    }
    bool is_excluded = excluded.contains(test.name);
    if (got.empty()) {
      ++passed;
      EXPECT_FALSE(is_excluded) << suite << " " << test.name
                                << " passes but is listed: " << excluded[test.name] << "\n  "
                                << test.program;
    } else if (!is_excluded) {
      ++failed;
      ADD_FAILURE() << suite << " " << test.name << ": " << test.program << "\n  input    "
                    << test.input << "\n  expected " << test.results
                    << (test.must_not_compile ? "a compile error"
                        : test.fails          ? "an error"
                                              : "")
                    << "\n  got      " << got << "\n  - "
                    << json::ToJson(json::Value::String(test.name)) << ": "
                    << json::ToJson(json::Value::String(test.program));
    }
  }
  std::printf("%-26.*s %4zu cases  %4zu passed  %3zu failed  %3zu excluded%.*s\n",
              static_cast<int>(suite.size()), suite.data(), cases.size(), passed, failed,
              excluded.size(), static_cast<int>(remark.size()), remark.data());
}

std::string SharedFile(std::string_view suite) {
  return testing::ReadFileOrDie(Cat(testing::SharedDir(), "/data/jq-tests/", suite));
}

class JqSuite : public ::testing::TestWithParam<const char*> {};

TEST_P(JqSuite, IsFollowed) {
  WMAP_REQUIRE_SHARED();
  RunSuite(GetParam(), ReadJqSuite(GetParam(), SharedFile(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(Conformance, JqSuite,
                         ::testing::Values("jq-1.8.2/jq.test", "jq-1.8.2/man.test",
                                           "jq-1.8.2/base64.test", "jq-1.8.2/uri.test",
                                           "jq-1.8.2/onig.test", "jq-1.8.2/manonig.test",
                                           "jq-1.8.2/optional.test", "jq-1.7.1/jq.test",
                                           "jq-1.7.1/man.test", "jq-1.7.1/base64.test",
                                           "jq-1.7.1/onig.test", "jq-1.7.1/manonig.test",
                                           "jq-1.7.1/optional.test"));

TEST(GojqSuite, IsFollowed) {
  WMAP_REQUIRE_SHARED();
  GojqSuite suite = ReadGojqSuite("gojq/test.yaml", SharedFile("gojq/test.yaml"));
  RunSuite("gojq/test.yaml", suite.cases,
           Cat("  (", suite.other.size(), " more are about the command line)"));
}

TEST(HouseSuite, IsFollowed) {
  RunSuite("expressions.yaml", ReadHouseSuite("expressions.yaml", OwnFile("expressions.yaml")));
}

TEST(Exclusions, NameSuitesThatExist) {
  std::set<std::string> suites = {"gojq/test.yaml", "expressions.yaml"};
  for (const char* version : {"jq-1.8.2", "jq-1.7.1"})
    for (const char* file : {"jq", "man", "base64", "uri", "onig", "manonig", "optional"})
      suites.insert(Cat(version, "/", file, ".test"));
  for (const Exclusion& exclusion : ReadExclusions(OwnFile("exclusions.yaml")))
    EXPECT_TRUE(suites.contains(exclusion.suite)) << exclusion.suite;
}

}  // namespace
}  // namespace wmap::conformance
