// Drafts of the kinds of the catalog, made from the schemas of every release alone, against the
// definitions that people wrote: each is valid and fits its schema, and a table says how much of
// what the others read was found.
#include "schema/draft.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "definition/catalog.h"
#include "definition/finding.h"
#include "definition/load.h"
#include "definition/report.h"
#include "expr/document_paths.h"
#include "expr/typing.h"
#include "schema/built_ins.h"
#include "schema/check.h"
#include "schema/crd.h"
#include "schema/documents.h"
#include "schema/releases.h"
#include "tests/support/reading.h"
#include "tests/support/shared_data.h"
#include "yaml/reader.h"

namespace wmap::schema {
namespace {

using definition::CatalogEntry;
using definition::Component;
using definition::Expression;
using definition::Karta;
using expr::DocumentPath;
using expr::PathStep;
using json::Value;

// What a definition reads of the workload, as places of the schema.
struct Places {
  std::set<std::string> pods;
  std::set<std::string> counts;
  std::set<std::string> ids;
  std::set<std::string> fields;    // of the phase, the conditions, and what suspends
  std::set<std::string> statuses;  // that it tells apart
};

// Names the places of a definition as one schema has them. Places that the schema does not have,
// or says nothing of, are none.
class Reader {
 public:
  Reader(const Karta& karta, const Schema& schema, const BuiltIns& built_ins)
      : karta_(karta), schema_(schema), documents_(built_ins, {schema}) {}

  Places Read() {
    for (const Component& component : karta_.components) {
      if (component.spec) ReadPods(*component.spec);
      if (component.scale) {
        for (const Expression* path : {&component.scale->replicas, &component.scale->min_replicas,
                                       &component.scale->max_replicas}) {
          for (const DocumentPath& place : PathsOf(*path)) AddCount(place);
        }
      }
      for (const DocumentPath& place : PathsOf(component.instance_id_path)) Add(place, places_.ids);
      if (component.suspend) {
        for (const definition::SuspendAction& action : component.suspend->suspend_actions) {
          for (const DocumentPath& place : PathsOf(action.path)) Add(place, places_.fields);
        }
      }
    }
    for (const DocumentPath& place : PathsOf(karta_.minimum)) AddCount(place);
    ReadStatus(*karta_.root().status);
    return std::move(places_);
  }

 private:
  static std::vector<DocumentPath> PathsOf(const Expression& expression) {
    if (expression.program() == nullptr) return {};
    return expr::FindDocumentPaths(*expression.program());
  }

  // The place in the words of the schema, without the names of a map; nothing where it says
  // nothing.
  std::optional<std::pair<DocumentPath, Value>> Resolve(const DocumentPath& path) const {
    DocumentPath place;
    Value node = schema_.Resolve(schema_.root());
    for (const PathStep& step : path) {
      const Value* field =
          step.kind == PathStep::Kind::kKey ? node.Get("properties").Find(step.key) : nullptr;
      if (field != nullptr) {
        place.push_back(step);
        node = schema_.Resolve(*field);
        continue;
      }
      Value others = node.Get("items");
      if (!others.is_object()) others = node.Get("additionalProperties");
      if (step.kind == PathStep::Kind::kBelow || !others.is_object()) return std::nullopt;
      place.push_back(PathStep::Any());
      node = schema_.Resolve(others);
    }
    return std::pair(std::move(place), node);
  }

  static bool IsOfSpec(const DocumentPath& path) { return !path.empty() && path[0].key == "spec"; }

  void Add(const DocumentPath& path, std::set<std::string>& to) const {
    auto resolved = Resolve(path);
    if (resolved) to.insert(expr::PathText(resolved->first));
  }

  void AddCount(const DocumentPath& path) {
    auto resolved = Resolve(path);
    if (!resolved || !IsOfSpec(path) || !IsCount(resolved->second)) return;
    // Amounts, which a rule may look at to tell how many pods they need.
    if (std::ranges::any_of(path, [](const PathStep& step) { return step.key == "resources"; })) {
      return;
    }
    places_.counts.insert(expr::PathText(resolved->first));
  }

  // The place of the pod spec.
  void ReadPods(const definition::SpecDefinition& spec) {
    for (const Expression* expression : {&spec.pod_template, &spec.pod_spec}) {
      if (expression->program() == nullptr) continue;
      expr::Typing typing = expr::TypeOf(*expression->program(), documents_);
      for (DocumentPath place : typing.places) {
        if (!IsOfSpec(place)) continue;
        if (expression == &spec.pod_template) place.push_back(PathStep::Key("spec"));
        AddPods(place);
      }
    }
    if (spec.fragmented) ReadPieces(*spec.fragmented);
  }

  // A place that an open schema may have counts as well.
  void AddPods(DocumentPath place) {
    if (!Resolve(place) && !place.empty()) place.pop_back();
    auto resolved = Resolve(place);
    if (!resolved) return;
    std::string text = expr::PathText(resolved->first);
    if (text.ends_with(".spec") && text != ".spec") text.resize(text.size() - 5);
    places_.pods.insert(std::move(text));
  }

  // The object that has all the pieces but the containers, which may be put together from others.
  void ReadPieces(const definition::FragmentedPodSpec& pieces) {
    std::optional<DocumentPath> common;
    for (const Expression* piece : pieces.paths()) {
      if (piece == &pieces.containers || piece == &pieces.container ||
          piece == &pieces.resource_claims) {
        continue;
      }
      for (DocumentPath place : PathsOf(*piece)) {
        if (!IsOfSpec(place)) continue;
        auto resources = std::ranges::find_if(
            place, [](const PathStep& step) { return step.key.starts_with("resources"); });
        if (piece == &pieces.resources) {
          if (resources == place.end()) continue;
          place.erase(resources, place.end());
          place.push_back(PathStep::Key("resources"));
        }
        if (!common) {
          common = DocumentPath(place.begin(), place.end() - 1);
          continue;
        }
        auto end = std::ranges::mismatch(*common, place).in1;
        common->erase(end, common->end());
      }
    }
    if (pieces.container) {
      for (const DocumentPath& place : PathsOf(pieces.container)) common = place;
    }
    if (!common) return;
    if (auto resolved = Resolve(*common)) places_.pods.insert(expr::PathText(resolved->first));
  }

  void ReadStatus(const definition::StatusDefinition& status) {
    for (const DocumentPath& place : PathsOf(status.phase)) Add(place, places_.fields);
    if (status.conditions) {
      for (const DocumentPath& place : PathsOf(status.conditions->path)) Add(place, places_.fields);
    }
    for (std::size_t i = 0; i < definition::kStatusCount; ++i) {
      if (status.mappings[i].empty()) continue;
      places_.statuses.emplace(definition::StatusKey(static_cast<definition::Status>(i)));
    }
  }

  const Karta& karta_;
  const Schema& schema_;
  Documents documents_;
  Places places_;
};

// How many of one set are in another.
struct Share {
  std::size_t found = 0;
  std::size_t all = 0;

  void Add(const std::set<std::string>& wanted, const std::set<std::string>& got,
           std::string_view what, std::map<std::string, std::set<std::string>>& missed) {
    for (const std::string& one : wanted) {
      ++all;
      found += got.contains(one) ? 1 : 0;
      if (!got.contains(one)) missed[std::string(what)].insert(one);
    }
  }
  void Add(const Share& other) {
    found += other.found;
    all += other.all;
  }
  std::string Text() const { return all == 0 ? "-" : Cat(found, '/', all); }
  double Percent() const {
    return all == 0 ? 100 : 100.0 * static_cast<double>(found) / static_cast<double>(all);
  }
};

struct Row {
  std::size_t releases = 0;
  std::size_t without = 0;  // releases whose schema shows no pods at all
  Share pods, counts, ids, fields, statuses;
  std::size_t others = 0;  // places of pods that the written definition has not
  std::map<std::string, std::set<std::string>> missed;
};

class SharedReleases {
 public:
  SharedReleases() : releases_(built_ins_) {
    std::string folder = Cat(testing::SharedDir(), "/data/crds");
    for (const std::string& file : testing::FilesBelowOrDie(folder, ".yaml")) {
      std::string text = testing::ReadFileOrDie(file);
      bool is_ours =
          std::ranges::any_of(definition::CatalogEntries(), [&](const CatalogEntry& entry) {
            return text.find(Cat("group: ", entry.group, '\n')) != std::string::npos &&
                   text.find(Cat("kind: ", entry.kind, '\n')) != std::string::npos;
          });
      if (!is_ours) continue;
      std::string_view name = std::string_view(file).substr(folder.size() + 1);
      yaml::Documents documents(text);
      while (true) {
        Arena arena;
        auto document = documents.Next(arena);
        if (!document) testing::DieOf(document.error().Describe(), name);
        if (!document->has_value()) break;
        releases_.Add((*document)->value, name.substr(0, name.rfind('/')));
      }
    }
  }

  const BuiltIns& built_ins() const { return built_ins_; }
  const Releases& all() const { return releases_; }

 private:
  BuiltIns built_ins_;
  Releases releases_;
};

// The draft as a definition: valid, without a warning, and without an error of the schema.
std::unique_ptr<Karta> LoadDraft(const Draft& draft, const Release& release,
                                 const SharedReleases& releases) {
  definition::LoadOptions options;
  options.further = [&](const Karta& karta, definition::Report& report) {
    if (!karta.is_valid) return;
    Check(karta, releases.built_ins(), SubjectOf(karta, release, releases.all()), report);
  };
  std::vector<definition::Loaded> loaded = definition::LoadText(draft.text, options);
  if (loaded.size() != 1 || loaded[0].karta == nullptr) {
    ADD_FAILURE() << draft.text;
    return nullptr;
  }
  EXPECT_TRUE(loaded[0].findings.empty()) << release.name << '\n'
                                          << definition::Render(loaded[0].findings, draft.text);
  EXPECT_TRUE(loaded[0].karta->is_valid) << draft.text;
  return std::move(loaded[0].karta);
}

Row Compare(const CatalogEntry& entry, const SharedReleases& releases) {
  Row row;
  std::unique_ptr<Karta> written = definition::Open(entry);
  for (const Release& release : releases.all().Of(entry.group, entry.kind, entry.version)) {
    if (release.name.starts_with("kubernetes/")) continue;
    ++row.releases;
    DraftRequest request;
    request.kind = {std::string(entry.group), std::string(entry.version), std::string(entry.kind)};
    request.schema = release.schema;
    Result<Draft> draft = MakeDraft(request, releases.built_ins());
    Places wanted = Reader(*written, release.schema, releases.built_ins()).Read();
    if (!draft) {
      ++row.without;
      EXPECT_TRUE(wanted.pods.empty()) << release.name << ": " << draft.error().message();
      continue;
    }
    std::unique_ptr<Karta> drafted = LoadDraft(*draft, release, releases);
    if (drafted == nullptr) continue;
    Places got = Reader(*drafted, release.schema, releases.built_ins()).Read();
    row.pods.Add(wanted.pods, got.pods, "pods", row.missed);
    row.counts.Add(wanted.counts, got.counts, "counts", row.missed);
    row.ids.Add(wanted.ids, got.ids, "ids", row.missed);
    row.fields.Add(wanted.fields, got.fields, "fields", row.missed);
    row.statuses.Add(wanted.statuses, got.statuses, "phases", row.missed);
    for (const std::string& pod : got.pods) row.others += wanted.pods.contains(pod) ? 0 : 1;
  }
  return row;
}

TEST(Draft, FindsWhatTheCatalogReads) {
  WMAP_REQUIRE_SHARED();
  SharedReleases releases;
  Row total;
  constexpr const char* kForm = "| %s | %zu | %s | %s | %s | %s | %s | %zu |\n";
  std::printf(
      "| kind | releases | pods | counts | instances | status fields | phases | other pods |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  std::string missed;
  std::vector<std::string> open;
  for (const CatalogEntry& entry : definition::CatalogEntries()) {
    Row row = Compare(entry, releases);
    if (row.releases == 0) continue;
    std::string kind = Cat(entry.kind, ' ', entry.group, '/', entry.version);
    if (row.without == row.releases) {
      open.push_back(kind);
      continue;
    }
    std::printf(kForm, kind.c_str(), row.releases, row.pods.Text().c_str(),
                row.counts.Text().c_str(), row.ids.Text().c_str(), row.fields.Text().c_str(),
                row.statuses.Text().c_str(), row.others);
    for (const auto& [what, places] : row.missed) {
      CatTo(missed, kind, ": ", what, ": ", Join({places.begin(), places.end()}, ", "), '\n');
    }
    total.releases += row.releases;
    total.pods.Add(row.pods);
    total.counts.Add(row.counts);
    total.ids.Add(row.ids);
    total.fields.Add(row.fields);
    total.statuses.Add(row.statuses);
    total.others += row.others;
  }
  std::printf(kForm, "**all**", total.releases, total.pods.Text().c_str(),
              total.counts.Text().c_str(), total.ids.Text().c_str(), total.fields.Text().c_str(),
              total.statuses.Text().c_str(), total.others);
  std::printf("\nThe schema says nothing: %s\n", Join(open, ", ").c_str());
  std::printf("\nNot found:\n%s", missed.c_str());
  EXPECT_GE(total.pods.Percent(), 90);
  EXPECT_GE(total.counts.Percent(), 90);
}

}  // namespace
}  // namespace wmap::schema
