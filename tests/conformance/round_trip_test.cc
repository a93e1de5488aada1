// What the printer makes of every program of the suites says the same as the program.
#include <cstdio>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "base/text.h"
#include "expr/syntax/parser.h"
#include "expr/syntax/printer.h"
#include "tests/conformance/suite.h"
#include "tests/support/shared_data.h"

namespace wmap::conformance {
namespace {

std::vector<Case> AllCases() {
  constexpr const char* kFiles[] = {"jq", "man", "base64", "uri", "onig", "manonig", "optional"};
  auto read = [](const std::string& suite) {
    return testing::ReadFileOrDie(Cat(testing::SharedDir(), "/data/jq-tests/", suite));
  };
  std::vector<Case> all = ReadGojqSuite("gojq/test.yaml", read("gojq/test.yaml")).cases;
  for (const char* version : {"jq-1.8.2", "jq-1.7.1"}) {
    for (const char* file : kFiles) {
      std::string suite = Cat(version, "/", file, ".test");
      if (suite == "jq-1.7.1/uri.test") continue;  // new in 1.8
      std::vector<Case> cases = ReadJqSuite(suite, read(suite));
      all.insert(all.end(), cases.begin(), cases.end());
    }
  }
  return all;
}

TEST(RoundTrip, OfEveryProgramOfTheSuites) {
  WMAP_REQUIRE_SHARED();
  std::size_t parsed = 0;
  std::size_t refused = 0;
  for (const Case& test : AllCases()) {
    Result<expr::Syntax> syntax = expr::Parse(test.program);
    if (!syntax) {
      ++refused;
      continue;
    }
    ++parsed;
    std::string printed = expr::Print(*syntax);
    Result<expr::Syntax> again = expr::Parse(printed);
    ASSERT_TRUE(again.has_value()) << test.suite << " " << test.name << ": " << test.program
                                   << "\n  " << printed << "\n  " << again.error().message();
    EXPECT_TRUE(expr::SameSyntax(*syntax, *again))
        << test.suite << " " << test.name << ": " << test.program << "\n  " << printed;
    EXPECT_EQ(expr::Print(*again), printed) << test.suite << " " << test.name;
  }
  std::printf("%zu programs go through the printer, %zu do not parse\n", parsed, refused);
  EXPECT_GT(parsed, 10 * refused);
}

}  // namespace
}  // namespace wmap::conformance
