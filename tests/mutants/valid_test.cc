// The other side of seeded faults: what is right has no error. tests/valid holds definitions as
// others write them, one idea each.
#include <cstdio>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "base/text.h"
#include "definition/load.h"
#include "schema/check.h"
#include "tests/support/shared_data.h"

namespace wmap::mutants {
namespace {

// All of them, with warnings: they may be told of what is legal and most likely not meant.
TEST(Valid, HaveNoErrors) {
  schema::BuiltIns built_ins;
  std::size_t count = 0;
  std::size_t warnings = 0;
  for (std::string_view folder : {"/tests/valid", "/tests/foreign", "/catalog"}) {
    for (const std::string& file :
         testing::FilesBelowOrDie(Cat(testing::RepoDir(), folder), ".yaml")) {
      if (file.ends_with(".cases.yaml")) continue;
      std::string text = testing::ReadFileOrDie(file);
      definition::LoadOptions options;
      options.source = file;
      options.thorough = true;
      // Without a schema of the kind all is checked that can be. Those of the catalog read other
      // kinds, and are checked with all schemas where the mutants are.
      options.further = [&](const definition::Karta& karta, definition::Report& report) {
        if (folder != "/catalog") schema::Check(karta, built_ins, schema::Subject(), report);
      };
      for (const definition::Loaded& loaded : definition::LoadText(text, options)) {
        ++count;
        for (const definition::Finding& finding : loaded.findings) {
          warnings += finding.is_error() ? 0 : 1;
          EXPECT_FALSE(finding.is_error()) << definition::Render(finding, text);
        }
      }
    }
  }
  std::printf("%zu definitions without an error, %zu warnings\n", count, warnings);
  EXPECT_GE(count, 60U);
}

}  // namespace
}  // namespace wmap::mutants
