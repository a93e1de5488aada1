#include "definition/catalog.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/api_version.h"
#include "definition/load.h"
#include "tests/support/shared_data.h"

namespace wmap::definition {
namespace {

std::vector<std::string> FilesOfFolder(std::string_view suffix) {
  return testing::FilesBelowOrDie(Cat(testing::RepoDir(), "/catalog"), suffix);
}

TEST(Catalog, HoldsEveryFileOfTheFolder) {
  std::vector<std::string> files = FilesOfFolder(".yaml");
  std::erase_if(files, [](const std::string& file) { return file.ends_with(".cases.yaml"); });
  EXPECT_EQ(CatalogEntries().size(), files.size());
  EXPECT_GE(files.size(), 13U);
  for (const CatalogEntry& entry : CatalogEntries()) {
    EXPECT_EQ(entry.text, testing::ReadFileOrDie(Cat(testing::RepoDir(), '/', entry.file)));
  }
}

TEST(Catalog, HasCasesBesideEveryDefinition) {
  std::vector<std::string> expected;
  for (const CatalogEntry& entry : CatalogEntries()) {
    expected.push_back(Cat(testing::RepoDir(), "/catalog/", entry.name, ".cases.yaml"));
  }
  std::ranges::sort(expected);
  EXPECT_EQ(FilesOfFolder(".cases.yaml"), expected);
}

// Permanent: what we ship is free of everything that we tell others about.
TEST(Catalog, LoadsStrictlyWithoutAnyFinding) {
  for (const CatalogEntry& entry : CatalogEntries()) {
    std::vector<Loaded> all =
        LoadText(entry.text, {.thorough = true, .source = std::string(entry.file)});
    ASSERT_EQ(all.size(), 1U) << entry.file;
    EXPECT_EQ(Render(all[0].findings, entry.text), "");
    ASSERT_NE(all[0].karta, nullptr);
    EXPECT_TRUE(all[0].karta->is_valid);
    EXPECT_EQ(all[0].karta->name, entry.name);
    EXPECT_EQ(all[0].karta->kind(),
              (GroupVersionKind{std::string(entry.group), std::string(entry.version),
                                std::string(entry.kind)}));
  }
}

TEST(Catalog, OpensEveryEntry) {
  for (const CatalogEntry& entry : CatalogEntries()) {
    std::unique_ptr<Karta> karta = Open(entry);
    ASSERT_NE(karta, nullptr);
    EXPECT_TRUE(karta->is_valid) << entry.file;
    EXPECT_EQ(karta->origin, Origin::kBuiltin);
    EXPECT_EQ(FindInCatalog(entry.name), &entry);
    EXPECT_EQ(FindInCatalog(entry.group, entry.version, entry.kind), &entry);
  }
}

TEST(Catalog, KnowsWhichKindsOfKubernetesItReadsWithoutOpening) {
  bool any = false;
  for (const CatalogEntry& entry : CatalogEntries()) {
    std::unique_ptr<Karta> karta = Open(entry);
    for (const Component& component : karta->components) {
      for (const ChildScale& scale : component.child_scales) {
        if (!IsKubernetesGroup(scale.group)) continue;
        any = true;
        EXPECT_TRUE(IsReadByCatalog(scale.group, scale.kind)) << entry.file << ": " << scale.kind;
      }
    }
  }
  EXPECT_TRUE(any);
  EXPECT_FALSE(IsReadByCatalog("", "ConfigMap"));
}

TEST(Catalog, NamesFilesAndDefinitionsAfterTheirKind) {
  for (const CatalogEntry& entry : CatalogEntries()) {
    std::string name = ToLower(
        Cat(entry.group.empty() ? "core" : entry.group, '-', entry.kind, '-', entry.version));
    for (char& c : name) c = c == '.' ? '-' : c;
    EXPECT_EQ(entry.name, name);
    EXPECT_EQ(entry.file, Cat("catalog/", name, ".yaml"));
  }
}

TEST(Catalog, KnowsNothingOfOtherKinds) {
  EXPECT_EQ(FindInCatalog("nobody"), nullptr);
  EXPECT_EQ(FindInCatalog("", "v1", "Service"), nullptr);
}

}  // namespace
}  // namespace wmap::definition
