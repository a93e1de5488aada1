// Seeded faults: what validate and check find of the faults that people make, on mutants of the
// catalog with known faults.
//
//   WMAP_MUTANTS_PER_KIND=200 build/release/tests/wmap_mutants_test   more of them
#include "tests/mutants/mutants.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "definition/catalog.h"
#include "definition/load.h"
#include "schema/check.h"
#include "schema/documents.h"
#include "tests/support/shared_data.h"
#include "yaml/reader.h"

namespace wmap::mutants {
namespace {

using definition::CatalogEntry;
using definition::Finding;
using definition::Karta;

constexpr std::uint64_t kSeed = 7;

std::size_t MostOfAKind() {
  const char* text = std::getenv("WMAP_MUTANTS_PER_KIND");
  std::size_t most = 0;
  if (text != nullptr) std::from_chars(text, text + std::string_view(text).size(), most);
  return most > 0 ? most : 25;
}

// The schemas of the shared data, and what is found with them.
class Judge {
 public:
  Judge() : releases_(built_ins_) {
    std::string root = Cat(testing::SharedDir(), "/data/crds");
    for (const std::string& file : testing::FilesBelowOrDie(root, ".yaml")) {
      std::string text = testing::ReadFileOrDie(file);
      std::string_view below = std::string_view(file).substr(root.size() + 1);
      yaml::Documents documents(text);
      while (true) {
        Arena arena;
        Result<std::optional<yaml::Document>> document = documents.Next(arena);
        if (!document || !*document) break;
        releases_.Add((*document)->value, below.substr(0, below.rfind('/')));
      }
    }
  }

  bool HasSchema(const CatalogEntry& entry) const {
    return !releases_.Of(entry.group, entry.kind, entry.version).empty();
  }

  // Whether documents always have the fields of that name, given or by default.
  bool IsAlwaysThere(const CatalogEntry& entry, const std::string& field) {
    schema::Documents documents(
        built_ins_, {releases_.Of(entry.group, entry.kind, entry.version).back().schema});
    if (field.starts_with('.')) {
      Result<expr::Program> program = expr::Program::Compile(field);
      if (!program) return false;
      expr::Typing typing = expr::TypeOf(*program, documents);
      return typing.is_known && !typing.kinds.Has(expr::Kinds::kNull);
    }
    std::vector<expr::DocumentPath> places = documents.PathsOf(field);
    return !places.empty() && std::ranges::none_of(places, [&](const expr::DocumentPath& place) {
      return documents.KindsAt(place).Has(expr::Kinds::kNull);
    });
  }

  // What is found, against the newest release.
  std::vector<Finding> FindingsOf(const std::string& json) {
    definition::LoadOptions options;
    options.thorough = true;
    options.further = [&](const Karta& karta, definition::Report& report) {
      if (!karta.is_valid) return;
      const definition::GroupVersionKind& kind = karta.kind();
      std::vector<schema::Release> all = releases_.Of(kind.group, kind.kind, kind.version);
      if (all.empty()) return;
      schema::Check(karta, built_ins_, schema::SubjectOf(karta, all.back(), releases_), report);
    };
    std::vector<Finding> findings;
    for (definition::Loaded& loaded : definition::LoadText(json, options)) {
      for (Finding& finding : loaded.findings) findings.push_back(std::move(finding));
    }
    return findings;
  }

 private:
  schema::BuiltIns built_ins_;
  schema::Releases releases_;
};

// Without what names a place in the text.
std::tuple<std::string, std::string, std::string> KeyOf(const Finding& finding) {
  return {finding.id, finding.pointer, finding.message};
}

// Whether a finding is at one of the fields that are wrong: at the field, in it, or at the object
// that it is in, where the fault is what that lacks.
bool IsAt(const Finding& finding, const std::vector<std::string>& places) {
  return std::ranges::any_of(places, [&](std::string_view place) {
    std::string_view pointer = finding.pointer;
    if (pointer == place) return true;
    if (pointer.starts_with(place)) return pointer[place.size()] == '/';
    return place.starts_with(pointer) && place.rfind('/') == pointer.size();
  });
}

// Where a mutant stands in the order that they are drawn in: by what it is alone, so that a change
// of one definition draws no others from the rest.
std::uint64_t DrawOf(const Mutant& mutant) {
  std::uint64_t draw = kSeed;
  for (std::string_view text :
       {std::string_view(mutant.definition), std::string_view(mutant.places[0]),
        std::string_view(mutant.what)}) {
    for (char c : text) draw = (draw ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  return std::mt19937_64(draw)();
}

// Some of them, from as many definitions as there are: the next one of each in turn. A definition
// with long expressions has thousands.
std::vector<Mutant> Spread(std::vector<Mutant> mutants) {
  std::vector<std::pair<std::uint64_t, std::size_t>> drawn;
  for (std::size_t i = 0; i < mutants.size(); ++i) drawn.emplace_back(DrawOf(mutants[i]), i);
  std::ranges::sort(drawn);
  std::map<std::string, std::size_t> turns;
  std::vector<std::tuple<std::size_t, std::uint64_t, std::size_t>> order;
  for (auto [draw, i] : drawn) order.emplace_back(turns[mutants[i].definition]++, draw, i);
  std::ranges::sort(order);
  if (order.size() > MostOfAKind()) order.resize(MostOfAKind());
  std::vector<Mutant> some;
  for (auto [turn, draw, i] : order) some.push_back(std::move(mutants[i]));
  return some;
}

struct Tally {
  std::size_t made = 0;
  std::size_t caught = 0;
};

TEST(Mutants, AreCaught) {
  WMAP_REQUIRE_SHARED();
  Judge judge;
  std::map<std::string, std::vector<Mutant>> by_kind;
  std::map<std::string, std::set<std::tuple<std::string, std::string, std::string>>> known;
  for (const CatalogEntry& entry : definition::CatalogEntries()) {
    if (!judge.HasSchema(entry)) continue;
    Arena arena;
    Result<json::Value> document = yaml::Read(entry.text, arena);
    ASSERT_TRUE(document.has_value());
    Tree tree = Tree::Of(*document);
    for (const Finding& finding : judge.FindingsOf(tree.Json())) {
      EXPECT_FALSE(finding.is_error()) << entry.name << ": " << finding.message;
      known[std::string(entry.name)].insert(KeyOf(finding));
    }
    std::unique_ptr<Karta> karta = definition::Open(entry);
    for (Mutant& mutant : MutantsOf(tree, *karta)) {
      const std::string& field = mutant.absent_field;
      if (!field.empty() && judge.IsAlwaysThere(entry, field)) continue;
      by_kind[mutant.kind].push_back(std::move(mutant));
    }
  }

  std::size_t made = 0;
  std::size_t caught = 0;
  std::string misses;
  for (auto& [kind, mutants] : by_kind) {
    std::size_t all = mutants.size();
    mutants = Spread(std::move(mutants));
    Tally tally;
    for (const Mutant& mutant : mutants) {
      ++tally.made;
      std::string elsewhere;
      bool is_caught = false;
      for (const Finding& finding : judge.FindingsOf(mutant.document.Json())) {
        if (known[mutant.definition].contains(KeyOf(finding))) continue;
        is_caught = is_caught || IsAt(finding, mutant.places);
        CatTo(elsewhere, elsewhere.empty() ? "; elsewhere: " : ", ", finding.id, " at ",
              finding.pointer);
      }
      if (is_caught) {
        ++tally.caught;
      } else {
        CatTo(misses, "  ", kind, ": ", mutant.definition, " ", mutant.places[0], ": ", mutant.what,
              elsewhere, '\n');
      }
    }
    std::printf("%-28s %3zu of %3zu (%zu could be made)\n", kind.c_str(), tally.caught, tally.made,
                all);
    made += tally.made;
    caught += tally.caught;
  }
  std::printf("%-28s %3zu of %3zu, %.1f %%\nmissed:\n%s", "all", caught, made,
              100.0 * static_cast<double>(caught) / static_cast<double>(made), misses.c_str());
  EXPECT_GE(made, 300U);
  EXPECT_GE(caught * 100, made * 95);
}

}  // namespace
}  // namespace wmap::mutants
