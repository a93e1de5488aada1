// Every place that a definition of the catalog goes to is in every released schema of its kind, or
// stands in missing.yaml with the versions that do not have it and the reason why that is well.
//
// The table of paths is printed by every run. What a schema leaves open is counted on its own:
// there a misspelt path cannot be told from a right one.

#include "definition/catalog.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "definition/expressions.h"
#include "definition/karta.h"
#include "definition/load.h"
#include "definition/report.h"
#include "expr/document_paths.h"
#include "json/writer.h"
#include "schema/built_ins.h"
#include "schema/check.h"
#include "schema/documents.h"
#include "schema/releases.h"
#include "tests/schema_paths/definition_paths.h"
#include "tests/support/reading.h"
#include "tests/support/shared_data.h"
#include "yaml/reader.h"

namespace wmap::schema_paths {
namespace {

using schema::BuiltIns;
using schema::Documents;
using schema::Release;
using schema::Releases;
using schema::Resolution;
using schema::Schema;
using Answer = Resolution::Answer;
using definition::CatalogEntry;

using Kinds = std::set<std::pair<std::string, std::string>>;  // groups and kinds

// Whether a text may hold a custom resource definition of one of these. Most files are large and
// about other kinds.
bool MayHold(std::string_view text, const Kinds& kinds) {
  return std::ranges::any_of(kinds, [&](const auto& kind) {
    return text.find(Cat("group: ", kind.first, '\n')) != std::string_view::npos &&
           text.find(Cat("kind: ", kind.second, '\n')) != std::string_view::npos;
  });
}

// The releases in the shared data of all kinds that the catalog is about or reads besides.
class SharedReleases {
 public:
  explicit SharedReleases(const Kinds& kinds) : releases_(built_ins_) {
    std::string folder = Cat(testing::SharedDir(), "/data/crds");
    for (const std::string& file : testing::FilesBelowOrDie(folder, ".yaml")) {
      std::string text = testing::ReadFileOrDie(file);
      if (!MayHold(text, kinds)) continue;
      std::string_view name = std::string_view(file).substr(folder.size() + 1);
      Read(text, name.substr(0, name.rfind('/')));
    }
  }

  const BuiltIns& built_ins() const { return built_ins_; }
  const Releases& all() const { return releases_; }

 private:
  void Read(std::string_view text, std::string_view release) {
    yaml::Documents documents(text);
    while (true) {
      Arena arena;
      auto document = documents.Next(arena);
      if (!document) testing::DieOf(document.error().Describe(), release);
      if (!document->has_value()) return;
      releases_.Add((*document)->value, release);
    }
  }

  BuiltIns built_ins_;
  Releases releases_;
};

// The schemas of the other objects that the expressions of a definition find in the workload. They
// stand there in one list, so a path is that of any of them, in any release.
std::vector<Schema> OthersOf(const definition::Karta& karta, const Releases& releases) {
  std::vector<Schema> others;
  for (const definition::ObjectRead& object : karta.objects) {
    std::vector<Release> found = releases.Of(object.group, object.kind);
    // A kind without schema may have anything.
    if (found.empty()) found.push_back({});
    for (const Release& release : found) others.push_back(release.schema);
  }
  return others;
}

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

  void Definition(const CatalogEntry& entry, const SharedReleases& schemas) {
    std::unique_ptr<definition::Karta> karta = definition::Open(entry);
    const definition::GroupVersionKind& about = karta->kind();
    std::vector<Release> releases = schemas.all().Of(about.group, about.kind, about.version);
    if (releases.empty()) {
      without_.push_back(Cat(entry.kind, ' ', entry.version));
      return;
    }
    std::vector<Schema> others = OthersOf(*karta, schemas.all());
    auto paths = PathsOf(*karta).paths;
    EXPECT_FALSE(paths.contains({expr::PathStep::Below()})) << entry.name << ": not followed";
    EXPECT_GE(paths.size(), 5U) << entry.name;
    std::string kind = Cat(entry.kind, ' ', entry.version);
    std::map<std::string, std::set<std::string>> open;
    for (const Release& release : releases) {
      Row row;
      Documents documents(schemas.built_ins(), {release.schema});
      if (!others.empty()) documents.AddList(std::string(definition::kObjectsKey), others);
      for (const auto& [path, expression] : paths) {
        Resolution resolution = documents.Resolve(path);
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

  // "Job v1, Pod v1": kinds without a schema.
  std::string Unchecked() const { return Join(without_, ", "); }

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
  std::vector<std::string> without_;
  std::map<Place, std::map<std::string, std::set<std::string>>> misses_;
};

// The kinds of the catalog and those whose objects its definitions read besides.
Kinds KindsOfCatalog() {
  Kinds kinds;
  for (const CatalogEntry& entry : definition::CatalogEntries()) {
    kinds.emplace(entry.group, entry.kind);
    std::unique_ptr<definition::Karta> karta = definition::Open(entry);
    for (const definition::ObjectRead& object : karta->objects) {
      kinds.emplace(object.group, object.kind);
    }
  }
  return kinds;
}

TEST(SchemaPaths, OfTheCatalogAreInEveryRelease) {
  WMAP_REQUIRE_SHARED();
  SharedReleases releases(KindsOfCatalog());
  Check check(ReadList(Cat(testing::RepoDir(), "/tests/schema_paths/missing.yaml")));
  std::printf("%-32s %-30s %6s %9s %13s %7s\n", "kind", "release", "paths", "resolved",
              "unverifiable", "listed");
  for (const CatalogEntry& entry : definition::CatalogEntries()) check.Definition(entry, releases);
  std::printf("not checked, as there is no schema: %s\n", check.Unchecked().c_str());
  EXPECT_EQ(check.Faults(), "");
}

// The check finds no error in any definition of the catalog, in any release, but for fields that
// the list has.
TEST(SchemaPaths, NoDefinitionOfTheCatalogHasOtherErrors) {
  WMAP_REQUIRE_SHARED();
  SharedReleases releases(KindsOfCatalog());
  std::set<std::pair<std::string, std::string>> listed;
  auto list = ReadList(Cat(testing::RepoDir(), "/tests/schema_paths/missing.yaml"));
  for (const auto& [place, in] : list) {
    for (const std::string& release : in) {
      listed.emplace(Cat(place.definition, ": there is no ", place.path), release);
    }
  }
  std::size_t expressions = 0;
  for (const CatalogEntry& entry : definition::CatalogEntries()) {
    std::vector<Release> of_kind = releases.all().Of(entry.group, entry.kind, entry.version);
    for (const Release& release : of_kind) {
      definition::LoadOptions options;
      options.trusted = true;
      options.further = [&](const definition::Karta& karta, definition::Report& report) {
        schema::Subject subject = schema::SubjectOf(karta, release, releases.all());
        expressions += schema::Check(karta, releases.built_ins(), subject, report).expressions;
      };
      for (const definition::Loaded& loaded : definition::LoadText(entry.text, options)) {
        for (const definition::Finding& finding : loaded.findings) {
          std::string what = Cat(entry.name, ": ", finding.message);
          if (!finding.is_error() || listed.contains({what, release.name})) continue;
          // Older releases lack values that newer ones have.
          if (finding.id == "never-equal" && release.name != of_kind.back().name) continue;
          ADD_FAILURE() << release.name << '\n' << definition::Render(finding, entry.text);
        }
      }
    }
  }
  EXPECT_GT(expressions, 1'500U);
}

// The pointers of the expressions in the extensions, but for those that are evaluated on children
// or pods: every text, except where no expression stands.
void CollectExpressions(const json::Value& value, const std::string& pointer,
                        std::set<std::string>& to) {
  if (value.is_string()) to.insert(pointer);
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      CollectExpressions(value[i], Cat(pointer, '/', i), to);
    }
  }
  if (!value.is_object()) return;
  constexpr std::string_view kOthers[] = {"role",        "counts",     "group",
                                          "keys",        "kind",       "childScale",
                                          "podInstance", "testedWith", "silenced"};
  for (const json::Member& member : value.members()) {
    std::string key(member.key);
    if (std::ranges::find(kOthers, key) != std::end(kOthers)) continue;
    CollectExpressions(member.value, Cat(pointer, '/', key), to);
  }
}

TEST(SchemaPaths, AreThoseOfEveryExpression) {
  for (const CatalogEntry& entry : definition::CatalogEntries()) {
    std::unique_ptr<definition::Karta> karta = definition::Open(entry);
    std::set<std::string> expressions;
    definition::ForEachExpression(*karta, [&](definition::Expression& expression) {
      const std::string& pointer = expression.pointer();
      bool is_on_pods = pointer.find("/podSelector/") != std::string::npos ||
                        pointer.find("/optimizationInstructions/") != std::string::npos;
      if (!is_on_pods) expressions.insert(pointer);
    });
    Arena arena;
    json::Value document = testing::YamlOrDie(entry.text, arena);
    json::Value annotation =
        document.Get("metadata").Get("annotations").Get(definition::kExtensionsAnnotation);
    if (!annotation.is_null()) {
      CollectExpressions(testing::YamlOrDie(annotation.text_or_empty(), arena),
                         "/metadata/annotations/wmap.dev~1extensions", expressions);
    }
    EXPECT_EQ(PathsOf(*karta).pointers, expressions) << entry.name;
  }
}

}  // namespace
}  // namespace wmap::schema_paths
