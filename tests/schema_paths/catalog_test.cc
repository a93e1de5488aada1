// Every place that a definition of the catalog goes to is in every released schema of its kind, or
// stands in missing.yaml with the versions that do not have it and the reason why that is well.
//
// The table of paths is printed by every run. What a schema leaves open is counted on its own:
// there a misspelt path cannot be told from a right one.

#include "definition/catalog.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "expr/document_paths.h"
#include "json/writer.h"
#include "tests/schema_paths/crd_schema.h"
#include "tests/schema_paths/definition_paths.h"
#include "tests/support/reading.h"
#include "tests/support/shared_data.h"
#include "yaml/reader.h"

namespace wmap::schema_paths {
namespace {

using Answer = Resolution::Answer;
using definition::CatalogEntry;

struct Release {
  std::string name;  // "kuberay/v1.7.0"
  Schema schema;
};

// The schemas of the kinds of the catalog, by the name of the definition.
class Releases {
 public:
  explicit Releases(const std::string& folder) {
    for (const std::string& file : testing::FilesBelowOrDie(folder, ".yaml")) {
      std::string text = testing::ReadFileOrDie(file);
      // Most files are large and about other kinds.
      if (!MayBeCovered(text)) continue;
      std::string_view name = std::string_view(file).substr(folder.size() + 1);
      Read(text, name.substr(0, name.rfind('/')));
    }
  }

  const std::vector<Release>& of(std::string_view definition) const {
    static const std::vector<Release> kNone;
    auto at = by_definition_.find(definition);
    return at == by_definition_.end() ? kNone : at->second;
  }

 private:
  static bool MayBeCovered(std::string_view text) {
    return std::ranges::any_of(definition::CatalogEntries(), [&](const CatalogEntry& entry) {
      return text.find(Cat("group: ", entry.group, '\n')) != std::string_view::npos &&
             text.find(Cat("kind: ", entry.kind, '\n')) != std::string_view::npos;
    });
  }

  void Read(std::string_view text, std::string_view release) {
    yaml::Documents documents(text);
    while (true) {
      auto document = documents.Next(arena_);
      if (!document) testing::DieOf(document.error().Describe(), release);
      if (!document->has_value()) return;
      for (CrdVersion& version : VersionsOf((*document)->value)) {
        const CatalogEntry* entry =
            definition::FindInCatalog(version.group, version.version, version.kind);
        if (entry == nullptr) continue;
        by_definition_[entry->name].push_back({std::string(release), version.schema});
      }
    }
  }

  Arena arena_;
  std::map<std::string_view, std::vector<Release>> by_definition_;
};

// A path that releases do not have: up to the first step that is missing.
struct Place {
  std::string definition;
  std::string path;
  friend auto operator<=>(const Place&, const Place&) = default;
};

// A text, or a list of texts.
std::vector<std::string> TextsOf(const json::Value& value) {
  if (!value.is_array()) return {std::string(value.text_or_empty())};
  std::vector<std::string> texts;
  for (const json::Value& text : value.items()) texts.emplace_back(text.text_or_empty());
  return texts;
}

void AddEntry(const json::Value& entry, std::map<Place, std::set<std::string>>& list) {
  for (std::string_view key : {"definition", "path", "missing", "reason"}) {
    ASSERT_TRUE(entry.is_object() && entry.Find(key) != nullptr) << json::ToJson(entry);
  }
  EXPECT_EQ(entry.members().size(), 4U) << json::ToJson(entry);
  EXPECT_NE(entry.Get("reason").text_or_empty(), "") << json::ToJson(entry);
  for (const std::string& definition : TextsOf(entry.Get("definition"))) {
    for (const std::string& path : TextsOf(entry.Get("path"))) {
      for (const std::string& release : TextsOf(entry.Get("missing"))) {
        bool is_new = list[{definition, path}].insert(release).second;
        EXPECT_TRUE(is_new) << definition << ": " << path << " in " << release << " twice";
      }
    }
  }
}

// The releases that do not have a place.
std::map<Place, std::set<std::string>> ReadList(const std::string& file) {
  Arena arena;
  std::map<Place, std::set<std::string>> list;
  json::Value document = testing::YamlOrDie(testing::ReadFileOrDie(file), arena);
  for (const json::Value& entry : document.items()) AddEntry(entry, list);
  return list;
}

// What one release says of the paths of a definition.
struct Row {
  std::size_t resolved = 0;
  std::size_t open = 0;
  std::size_t listed = 0;
};

class Check {
 public:
  explicit Check(std::map<Place, std::set<std::string>> list) : list_(std::move(list)) {}

  void Definition(const CatalogEntry& entry, const std::vector<Release>& releases) {
    auto paths = PathsOf(*definition::Open(entry));
    EXPECT_FALSE(paths.contains({expr::PathStep::Below()})) << entry.name << ": not followed";
    EXPECT_GE(paths.size(), 5U) << entry.name;
    std::string kind = Cat(entry.kind, ' ', entry.version);
    std::map<std::string, std::set<std::string>> open;
    for (const Release& release : releases) {
      Row row;
      for (const auto& [path, expression] : paths) {
        Resolution resolution = release.schema.Resolve(path);
        std::string up_to = expr::PathText({path.begin(), path.begin() + resolution.steps});
        if (resolution.answer == Answer::kResolved) {
          ++row.resolved;
        } else if (resolution.answer == Answer::kOpen) {
          ++row.open;
          open[up_to].insert(release.name);
        } else if (IsListed({std::string(entry.name), up_to}, release.name)) {
          ++row.listed;
        } else {
          misses_[{std::string(entry.name), up_to}][Cat(expression, " reads ", PathText(path))]
              .insert(release.name);
        }
      }
      std::printf("%-32s %-30s %6zu %9zu %13zu %7zu\n", kind.c_str(), release.name.c_str(),
                  paths.size(), row.resolved, row.open, row.listed);
    }
    for (const auto& [path, in] : open) {
      std::printf(
          "%-32s unverifiable below %s in %s\n", "", path.c_str(),
          in.size() == releases.size() ? "all" : Join({in.begin(), in.end()}, ", ").c_str());
    }
  }

  // All that is wrong, for people.
  std::string Faults() const {
    std::string text;
    for (const auto& [place, readers] : misses_) {
      CatTo(text, place.definition, ": ", place.path, " is not in the schema\n");
      for (const auto& [reader, releases] : readers) {
        CatTo(text, "    ", reader, ": ", Join({releases.begin(), releases.end()}, ", "), '\n');
      }
    }
    for (const auto& [place, releases] : list_) {
      auto used = used_.find(place);
      for (const std::string& release : releases) {
        if (used == used_.end() || !used->second.contains(release)) {
          CatTo(text, "missing.yaml: ", place.definition, ": ", place.path, " is not missing in ",
                release, " or not read\n");
        }
      }
    }
    return text;
  }

 private:
  bool IsListed(const Place& place, const std::string& release) {
    auto at = list_.find(place);
    if (at == list_.end() || !at->second.contains(release)) return false;
    used_[place].insert(release);
    return true;
  }

  std::map<Place, std::set<std::string>> list_;
  std::map<Place, std::set<std::string>> used_;
  std::map<Place, std::map<std::string, std::set<std::string>>> misses_;
};

TEST(SchemaPaths, OfTheCatalogAreInEveryRelease) {
  WMAP_REQUIRE_SHARED();
  Releases releases(Cat(testing::SharedDir(), "/data/crds"));
  Check check(ReadList(Cat(testing::RepoDir(), "/tests/schema_paths/missing.yaml")));
  std::vector<std::string> without;
  std::printf("%-32s %-30s %6s %9s %13s %7s\n", "kind", "release", "paths", "resolved",
              "unverifiable", "listed");
  for (const CatalogEntry& entry : definition::CatalogEntries()) {
    if (releases.of(entry.name).empty()) {
      without.push_back(Cat(entry.kind, ' ', entry.version));
    } else {
      check.Definition(entry, releases.of(entry.name));
    }
  }
  std::printf("not checked, as there is no schema: %s\n", Join(without, ", ").c_str());
  EXPECT_EQ(check.Faults(), "");
}

}  // namespace
}  // namespace wmap::schema_paths
