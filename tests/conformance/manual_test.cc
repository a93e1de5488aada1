// The manual of the language tells the truth: every example of docs/expressions.yaml gives what
// stands there, and its entries are the builtins that there are.
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "base/text.h"
#include "tests/conformance/engine.h"
#include "tests/conformance/suite.h"
#include "tests/support/shared_data.h"

namespace wmap::conformance {
namespace {

std::vector<ManualEntry> Manual() {
  return ReadManual(testing::ReadFileOrDie(Cat(testing::RepoDir(), "/docs/expressions.yaml")));
}

// Texts are compared, not values: the manual also shows how numbers are written.
std::string Shown(Engine& engine, const ManualEntry& entry) {
  Arena arena;
  auto input = ReadValues(entry.input, arena);
  if (!input || input->size() != 1) return "unreadable input";
  return Describe(engine.Run(entry.program, input->front(), {}, arena));
}

void ExpectShown(Engine& engine, const ManualEntry& entry) {
  std::string got = Shown(engine, entry);
  std::string_view blank = entry.output.empty() ? "" : " ";
  if (!entry.error) {
    EXPECT_EQ(got, entry.output.empty() ? "nothing" : entry.output)
        << entry.title << ": " << entry.program << " by " << engine.name();
  } else if (got != Cat("compile error: ", *entry.error)) {
    EXPECT_EQ(got, Cat(entry.output, blank, "error: ", *entry.error))
        << entry.title << ": " << entry.program << " by " << engine.name();
  }
}

std::set<std::string> Builtins() {
  Arena arena;
  VmEngine engine(true);
  std::set<std::string> names;
  for (const json::Value& name : engine.Run("builtins[]", json::Value(), {}, arena).results)
    names.emplace(name.as_string());
  return names;
}

TEST(Manual, ExamplesGiveWhatItShows) {
  std::vector<ManualEntry> entries = Manual();
  EXPECT_GT(entries.size(), 300U);
  for (const ManualEntry& entry : entries) {
    EXPECT_FALSE(entry.program.empty()) << entry.title << " has no example";
    VmEngine optimised(true);
    VmEngine plain(false);
    ExpectShown(optimised, entry);
    ExpectShown(plain, entry);
  }
}

TEST(Manual, HasEveryBuiltinOnceAndNoOthers) {
  std::set<std::string> builtins = Builtins();
  ASSERT_GT(builtins.size(), 200U);
  std::set<std::string> described;
  for (const ManualEntry& entry : Manual()) {
    if (entry.builtin.empty()) continue;
    EXPECT_TRUE(builtins.contains(entry.builtin)) << entry.builtin << " is no builtin";
    EXPECT_TRUE(described.insert(entry.builtin).second) << entry.builtin << " stands there twice";
  }
  for (const std::string& name : builtins)
    EXPECT_TRUE(described.contains(name)) << name << " is not in docs/expressions.yaml";
}

TEST(Manual, ExamplesOfBuiltinsUseThem) {
  for (const ManualEntry& entry : Manual()) {
    std::string name = entry.builtin.substr(0, entry.builtin.find('/'));
    EXPECT_NE(entry.program.find(name), std::string::npos) << entry.title;
  }
}

TEST(Builtins, AllCompile) {
  for (const std::string& name : Builtins()) {
    std::size_t slash = name.find('/');
    std::string program = Cat("def unused: ", name.substr(0, slash));
    for (int i = 0; i < name[slash + 1] - '0'; ++i) program += i == 0 ? "(." : "; .";
    if (name[slash + 1] != '0') program += ')';
    Arena arena;
    VmEngine engine(true);
    EXPECT_EQ(Describe(engine.Run(program + "; 1", json::Value(), {}, arena)), "1") << name;
  }
}

}  // namespace
}  // namespace wmap::conformance
