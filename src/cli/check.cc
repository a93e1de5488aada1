// `wmap check`: definitions against the schemas of the kinds that they are about.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "base/text.h"
#include "cli/cluster.h"
#include "cli/commands.h"
#include "cli/definition_files.h"
#include "cli/drift.h"
#include "cli/findings.h"
#include "cli/reading_changes.h"
#include "cli/table.h"
#include "definition/catalog.h"
#include "definition/finding.h"
#include "definition/load.h"
#include "input/input.h"
#include "json/reader.h"
#include "json/writer.h"
#include "schema/history.h"
#include "schema/releases.h"
#include "yaml/writer.h"

namespace wmap::cli {
namespace {

using definition::Finding;
using definition::Karta;
using json::Value;
using schema::ReleaseFinding;
using schema::ReleaseResult;

struct Checked {
  const Karta* karta = nullptr;
  std::string text;  // of the file
  schema::History history;
};

// The folder of a file, as a path below the one that the user named; else the name of the latter.
std::string ReleaseOf(std::string_view file, const std::vector<std::string>& named) {
  auto base = [](std::string_view path) {
    while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    return path.substr(path.rfind('/') + 1);
  };
  for (std::string_view root : named) {
    if (file == root) return std::string(base(root));
    while (root.ends_with('/')) root.remove_suffix(1);
    if (!file.starts_with(Cat(root, '/'))) continue;
    std::string_view below = file.substr(root.size() + 1);
    std::size_t end = below.rfind('/');
    return std::string(end == std::string_view::npos ? base(root) : below.substr(0, end));
  }
  return std::string(file);
}

// The name of the release that a cluster has.
constexpr char kCluster[] = "cluster";

// OLD and NEW without the folders that they have in common.
std::vector<std::string> ShortNames(std::vector<std::string> names) {
  if (names.size() != 2) return names;
  for (std::string& name : names) {
    while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  }
  auto differ = std::ranges::mismatch(names[0], names[1]).in1;
  auto same = static_cast<std::size_t>(differ - names[0].begin());
  // Where they are one, there is no difference to name.
  std::size_t slash = same == 0 ? std::string::npos : names[0].rfind('/', same - 1);
  if (slash == std::string::npos || names[0] == names[1]) return names;
  for (std::string& name : names) name.erase(0, slash + 1);
  return names;
}

class Checking {
 public:
  Checking(const CheckOptions& options, const Context& context)
      : options_(options),
        context_(context),
        names_(ShortNames(options.drift)),
        releases_(built_ins_, names_) {}

  int Run() {
    if (std::string_view wrong = Misuse(); !wrong.empty()) {
      context_.err->Write(Cat("error: ", wrong, '\n'));
      return kUsage;
    }
    if (NeedsCluster())
      cluster_ = ClusterSchemas::Open(options_.input.cluster, context_, registry_);
    ReadReleases();
    // Half of a comparison would be an answer to another question.
    bool is_empty = releases_.Kinds().empty();
    if (exit_code_ != kOk && (is_drift() || is_empty)) return exit_code_;
    if (options_.files.empty()) {
      CheckKnown();
    } else {
      Worsen(ReadDefinitionFiles(options_.files, context_, [&](const DefinitionFile& file) {
        return Check(file.text, file.name, file.is_named);
      }));
    }
    if (is_drift()) LookAtObjects();
    switch (options_.format) {
      case Format::kJson:
        PrintJson();
        break;
      case Format::kSarif:
        context_.out->Write(SarifOf(AllFindings()));
        break;
      case Format::kGithub:
        context_.out->Write(GithubOf(AllFindings()));
        break;
      default:
        PrintTable();
    }
    TellUnchecked();
    return exit_code_;
  }

 private:
  void Worsen(int code) { exit_code_ = std::max(exit_code_, code); }
  bool is_drift() const { return !options_.drift.empty(); }
  // OLD is what the cluster has.
  bool IsFromCluster() const {
    return is_drift() && options_.drift[0] == kCluster && !context_.files->Stat(kCluster);
  }

  std::string_view Misuse() const {
    if (is_drift() && options_.drift.size() != 2)
      return "--drift takes two releases, OLD and NEW; definitions are named before it";
    if (is_drift() && !options_.crds.empty()) return "give either --crd or --drift";
    if (!is_drift() && !options_.input.files.empty()) return "-f goes with --drift";
    return {};
  }

  // Schemas that are given are all that is looked at, and so are objects.
  bool NeedsCluster() const {
    if (is_drift()) return options_.input.files.empty() || IsFromCluster();
    return options_.crds.empty();
  }

  void ReadReleases() {
    if (!is_drift()) return ReadFiles(options_.crds, "");
    if (IsFromCluster()) {
      if (cluster_) return ReadFiles({options_.drift[1]}, names_[1]);
      return Complain(context_, kCluster, "there is none to compare with"), Worsen(kFailed);
    }
    for (std::size_t i : {0U, 1U}) ReadFiles({options_.drift[i]}, names_[i]);
  }

  // A document, and the file that it stands in.
  struct Given {
    Value document;
    std::string file;
  };

  // The releases below the files; all of them one, unless `release` is empty.
  void ReadFiles(const std::vector<std::string>& files, const std::string& release) {
    input::Options options;
    options.places = input::Options::Places::kNone;
    Arena arena;
    std::vector<Given> all;
    input::Read(
        files, *context_.files, options,
        [&](const input::Object& object) {
          if (!schema::Releases::IsOne(object.value)) return;
          all.push_back({json::DeepCopy(arena, object.value), std::string(object.source.file)});
        },
        [&](const input::Problem& problem) {
          if (problem.severity == input::Problem::Severity::kWarning) return;
          Complain(context_, problem.source.Describe(), problem.error.Describe());
          Worsen(kUsage);
        });
    if (!files.empty() && all.empty() && exit_code_ == kOk) {
      Complain(context_, Join(files, ", "), "there is no CustomResourceDefinition in it");
      Worsen(kFailed);
    }
    if (release.empty()) return AddByFolder(all, files);
    std::map<std::string, const Given*> known;
    for (const Given& given : all) {
      auto [other, is_new] = known.try_emplace(NameOf(given.document), &given);
      if (!is_new && given.file != other->second->file) {
        Complain(context_, release,
                 Cat("has ", NameOf(given.document), " twice, in ", other->second->file, " and ",
                     given.file));
        Worsen(kUsage);
      }
      releases_.Add(given.document, release);
    }
  }

  // A folder is a release, unless its files have one kind several times: then each file is.
  void AddByFolder(const std::vector<Given>& all, const std::vector<std::string>& files) {
    std::map<std::string, std::map<std::string, std::set<std::string>>> holders;
    for (const Given& given : all) {
      holders[ReleaseOf(given.file, files)][NameOf(given.document)].insert(given.file);
    }
    for (const Given& given : all) {
      std::string release = ReleaseOf(given.file, files);
      bool is_split = std::ranges::any_of(
          holders[release], [](const auto& entry) { return entry.second.size() > 1; });
      bool is_named = std::ranges::find(files, given.file) != files.end();
      if (is_split && !is_named) {
        CatTo(release, '/', std::string_view(given.file).substr(given.file.rfind('/') + 1));
      }
      releases_.Add(given.document, release);
    }
  }

  // "flowjobs.mine.example.org" of a custom resource definition.
  static std::string NameOf(const Value& document) {
    std::string_view name = document.Get("metadata").Get("name").text_or_empty();
    return std::string(name.empty() ? document.Get("spec").Get("names").Get("kind").text_or_empty()
                                    : name);
  }

  // The built-in definitions, and those of the cluster in the place of some; of a cluster, and
  // between two releases, those for the kinds that are there.
  void CheckKnown() {
    for (const definition::CatalogEntry& entry : definition::CatalogEntries()) {
      if (is_drift() && !releases_.Has(entry.group, entry.kind)) continue;
      if (cluster_ && !is_drift() && !IsServed(entry.group, entry.kind)) continue;
      definition::Match match = registry_.Find(entry.group, entry.version, entry.kind);
      if (match && match.karta->origin != definition::Origin::kBuiltin) continue;
      Check(std::string(entry.text), std::string(entry.file), /*is_named=*/true);
    }
    if (!cluster_) return;
    for (const auto& [name, text] : cluster_->definitions().texts) {
      Arena arena;
      Result<Value> object = json::Read(text, arena);
      if (!object) continue;
      Value kind = object->Get("spec").Get("structureDefinition").Get("rootComponent").Get("kind");
      std::string_view group = kind.Get("group").text_or_empty();
      std::string_view word = kind.Get("kind").text_or_empty();
      if (is_drift() && !releases_.Has(group, word)) continue;
      // As it would be written by hand, for the excerpts.
      Check(yaml::ToYaml(*object), Cat("kartas.run.ai/", name), /*is_named=*/true);
    }
  }

  bool IsServed(std::string_view group, std::string_view kind) const {
    return cluster_->served().Find(group, "", kind) != nullptr;
  }

  // What the cluster says of the kinds that a definition is about.
  void ReadFromCluster(const Karta& karta) {
    if (!cluster_ || (is_drift() && !IsFromCluster())) return;
    auto take = [&](std::string_view group, std::string_view kind, std::string_view version) {
      const kube::ApiType* type = cluster_->served().Find(group, "", kind);
      if (type == nullptr) return;
      for (std::string_view one : {version, std::string_view(type->version)}) {
        if (one.empty()) continue;
        std::optional<std::string> text = cluster_->Take(group, one);
        Arena arena;
        Result<Value> document = text ? json::Read(*text, arena) : Value();
        if (document) releases_.Add(*document, kCluster);
      }
    };
    const definition::GroupVersionKind& kind = karta.kind();
    take(kind.group, kind.kind, kind.version);
    for (const definition::ObjectRead& read : karta.objects) take(read.group, read.kind, "");
    for (const definition::Component& component : karta.components) {
      for (const definition::ChildScale& scale : component.child_scales) {
        take(scale.group, scale.kind, "");
      }
    }
  }

  // The workloads that would be read differently.
  void LookAtObjects() {
    if (checked_.empty() && exit_code_ == kOk) {
      std::vector<std::string> kinds;
      for (const schema::Releases::Named& one : releases_.Kinds()) {
        kinds.push_back(one.kind.Describe());
      }
      context_.err->Write(Cat("error: no definition covers ", Safe(Join(kinds, ", ")),
                              "; name one before --drift\n"));
      Worsen(kNotCovered);
    }
    std::vector<definition::GroupVersionKind> kinds;
    for (const Checked& checked : checked_) kinds.push_back(checked.karta->kind());
    drift_ =
        ReadDrift(options_, cluster_.get(), kinds, releases_, names_[1], context_, drift_arena_);
    Worsen(drift_.exit_code);
    if (!drift_.changes.empty()) Worsen(kFailed);
  }

  // The definitions of one text; returns how many documents it took.
  std::size_t Check(const std::string& text, const std::string& file, bool is_named) {
    // What is valid comes here, while the places of its text are known.
    std::vector<Checked> checked;
    definition::LoadOptions loading;
    loading.mode = options_.lenient ? definition::Mode::kLenient : definition::Mode::kStrict;
    loading.source = file;
    loading.further = [&](const Karta& karta, const definition::Report& report) {
      if (karta.is_valid) checked.push_back(CheckOne(karta, text, report.options()));
    };
    std::vector<definition::Loaded> documents = definition::LoadText(text, loading);
    if (!is_named) std::erase_if(documents, definition::IsForeign);
    auto next = checked.begin();
    for (definition::Loaded& document : documents) {
      if (document.karta != nullptr && document.karta->is_valid) {
        next->karta = kartas_.emplace_back(std::move(document.karta)).get();
        checked_.push_back(std::move(*next++));
        continue;
      }
      std::erase_if(document.findings, [](const Finding& f) { return !f.is_error(); });
      if (options_.format == Format::kSarif || options_.format == Format::kGithub) {
        refused_.push_back(std::move(document.findings));
      } else {
        context_.err->Write(definition::Render(document.findings, text));
      }
      Complain(context_, file, "the definition is invalid, and was not checked");
      Worsen(kFailed);
    }
    return documents.size();
  }

  Checked CheckOne(const Karta& karta, const std::string& text,
                   const definition::LoadOptions& loading) {
    Checked checked;
    checked.text = text;
    // Those of the catalog are not the user's to change.
    bool tells_unused = !options_.files.empty() && !is_drift();
    ReadFromCluster(karta);
    checked.history = schema::CheckHistory(karta, built_ins_, releases_, loading, tells_unused);
    if (is_drift()) LeaveChanges(checked.history);
    for (const ReleaseFinding& found : checked.history.found) {
      if (Fails(found.finding, options_.fail_on)) Worsen(kFailed);
    }
    return checked;
  }

  // What is the same in both releases is no drift.
  static void LeaveChanges(schema::History& history) {
    for (std::vector<ReleaseFinding>* findings : {&history.found, &history.silenced}) {
      std::erase_if(*findings, [&](const ReleaseFinding& found) {
        return found.releases.size() == history.releases.size();
      });
    }
  }

  // What has no schema was not checked, and so is not fine: for one that the user has named that is
  // the answer.
  void TellUnchecked() {
    std::int64_t count = 0;
    for (const Checked& checked : checked_) {
      if (!checked.history.releases.empty()) continue;
      ++count;
      if (!options_.files.empty()) TellWithoutSchema(checked.karta->kind());
    }
    if (count == 0) return;
    if (!options_.files.empty()) return Worsen(kFailed);
    context_.err->Write(Cat(Numbered(count, "definition"),
                            " could not be checked: there is no schema of the kind; give its "
                            "CustomResourceDefinition by --crd, or a cluster that has it\n"));
  }

  // What is there that may be meant.
  void TellWithoutSchema(const definition::GroupVersionKind& kind) const {
    std::vector<std::string> near;
    std::string words = ToLower(kind.kind);
    for (const schema::Releases::Named& other : releases_.Kinds()) {
      bool is_alike = ToLower(other.kind.kind) == words || other.kind.group == kind.group;
      if (is_alike) {
        near.push_back(Cat(other.kind.Describe(), other.is_served ? "" : " (not served)"));
      }
    }
    constexpr std::size_t kMost = 5;
    if (near.size() > kMost) near.resize(kMost);
    std::string hint = near.empty() ? std::string(
                                          "give its CustomResourceDefinition by --crd, or "
                                          "a cluster that has it")
                                    : Cat("there is ", Join(near, ", "));
    context_.err->Write(Cat("error: ", Safe(kind.Describe()),
                            " could not be checked: there is no schema of it; ", Safe(hint), '\n'));
  }

  // --- Output.

  void PrintFindings(const std::vector<ReleaseFinding>& findings, const Checked& checked) const {
    for (const ReleaseFinding& found : findings) {
      context_.out->Write(definition::Render(found.finding, checked.text));
      bool is_in_all = found.releases.size() == checked.history.releases.size();
      if (!is_in_all) context_.out->Write(Cat("in: ", Safe(Join(found.releases, ", ")), '\n'));
    }
  }

  // How many findings are not shown.
  void TellSilenced() const {
    std::int64_t count = 0;
    for (const Checked& checked : checked_) {
      count += static_cast<std::int64_t>(checked.history.silenced.size());
    }
    if (count == 0 || options_.show_silenced) return;
    context_.err->Write(
        Cat(Numbered(count, "finding"), " silenced by definitions; --show-silenced shows them\n"));
  }

  void PrintTable() {
    if (checked_.empty()) {
      if (is_drift()) PrintDrift();
      return;
    }
    for (const Checked& checked : checked_) {
      PrintFindings(checked.history.found, checked);
      if (options_.show_silenced) PrintFindings(checked.history.silenced, checked);
    }
    Table table({"KIND", "API VERSION", "RELEASE", "RESULT", "EXPRESSIONS", "UNVERIFIABLE"});
    for (const Checked& checked : checked_) {
      const definition::GroupVersionKind& kind = checked.karta->kind();
      auto add = [&](std::string release, Cell result, std::string expressions,
                     std::string unverifiable) {
        table.Add({{Safe(kind.kind)},
                   {Safe(kind.api_version())},
                   {std::move(release)},
                   std::move(result),
                   {std::move(expressions)},
                   {std::move(unverifiable)}});
      };
      if (checked.history.releases.empty()) add("-", {"no schema", Colour::kYellow}, "-", "-");
      for (const ReleaseResult& row : checked.history.releases) {
        Colour colour = row.is_broken   ? Colour::kRed
                        : row.is_warned ? Colour::kYellow
                                        : Colour::kGreen;
        auto count = [&](std::size_t number) {
          return row.has_version ? Cat(number) : std::string("-");
        };
        add(Safe(row.release), {std::string(row.result()), colour}, count(row.summary.expressions),
            count(row.summary.unverifiable));
      }
    }
    context_.out->Write(table.Render(context_.colour));
    if (is_drift()) PrintDrift();
    TellSilenced();
  }

  void PrintDrift() const {
    if (!drift_.has_looked) {
      context_.err->Write(
          "no workloads were looked at: there is no cluster; give objects with -f\n");
      return;
    }
    if (!checked_.empty()) context_.out->Write("\n");
    for (const inspect::WorkloadChange& change : drift_.changes) PrintChange(change, "", context_);
    auto count = static_cast<std::int64_t>(drift_.workloads);
    context_.out->Write(Cat(drift_.changes.size(), " of ", Numbered(count, "workload"),
                            " would be read differently\n"));
  }

  static std::vector<Told> ToldOf(const std::vector<ReleaseFinding>& findings) {
    std::vector<Told> told;
    for (const ReleaseFinding& found : findings) told.push_back({&found.finding, found.releases});
    return told;
  }

  std::vector<Told> AllFindings() const {
    std::vector<Told> told;
    for (const std::vector<Finding>& findings : refused_) {
      for (const Finding& finding : findings) told.push_back({&finding});
    }
    // Of one that is in all releases nothing is to be said of them.
    auto add = [&](const std::vector<ReleaseFinding>& findings, const Checked& checked) {
      for (const ReleaseFinding& found : findings) {
        told.push_back({&found.finding});
        if (found.releases.size() < checked.history.releases.size())
          told.back().releases = found.releases;
      }
    };
    for (const Checked& checked : checked_) {
      add(checked.history.found, checked);
      add(checked.history.silenced, checked);
    }
    return told;
  }

  static Value Texts(const std::vector<std::string>& texts, Arena& arena) {
    std::vector<Value> values;
    for (const std::string& text : texts) values.push_back(Value::String(text));
    return json::MakeArray(arena, values);
  }

  static Value RowJson(const ReleaseResult& row, Arena& arena) {
    json::ObjectBuilder object;
    object.Add("release", Value::String(row.release));
    object.Add("result", Value::String(row.result()));
    object.Add("expressions", Value::Int(static_cast<std::int64_t>(row.summary.expressions)));
    object.Add("unverifiable", Value::Int(static_cast<std::int64_t>(row.summary.unverifiable)));
    object.Add("open", Texts(row.summary.open, arena));
    return object.Finish(arena);
  }

  void PrintJson() {
    Arena arena;
    std::vector<Value> items;
    for (const Checked& checked : checked_) {
      const definition::GroupVersionKind& kind = checked.karta->kind();
      json::ObjectBuilder item;
      item.Add("definition", Value::String(checked.karta->name));
      item.Add("group", Value::String(kind.group));
      item.Add("version", Value::String(kind.version));
      item.Add("kind", Value::String(kind.kind));
      std::vector<Value> rows;
      for (const ReleaseResult& row : checked.history.releases) rows.push_back(RowJson(row, arena));
      item.Add("releases", json::MakeArray(arena, rows));
      item.Add("findings", FindingsJson(ToldOf(checked.history.found), arena));
      item.Add("silenced", FindingsJson(ToldOf(checked.history.silenced), arena));
      items.push_back(item.Finish(arena));
    }
    json::ObjectBuilder list;
    list.Add("apiVersion", Value::String("wmap/v1"));
    list.Add("kind", Value::String("DefinitionCheckList"));
    list.Add("items", json::MakeArray(arena, items));
    if (drift_.has_looked) {
      std::vector<Value> changes;
      for (const inspect::WorkloadChange& change : drift_.changes) {
        changes.push_back(ChangeJson(change, "", arena));
      }
      list.Add("compared", Value::Int(static_cast<std::int64_t>(drift_.workloads)));
      list.Add("workloads", json::MakeArray(arena, changes));
    }
    context_.out->Write(Cat(json::ToJson(list.Finish(arena), {.indent = 4}), '\n'));
  }

  const CheckOptions& options_;
  const Context& context_;
  definition::Registry registry_;
  std::unique_ptr<ClusterSchemas> cluster_;
  schema::BuiltIns built_ins_;
  std::vector<std::string> names_;  // of OLD and NEW
  schema::Releases releases_;
  Arena drift_arena_;
  Drift drift_;
  std::vector<std::unique_ptr<Karta>> kartas_;
  std::vector<std::vector<Finding>> refused_;  // of invalid definitions, for some formats
  std::vector<Checked> checked_;
  int exit_code_ = kOk;
};

}  // namespace

int RunCheck(const CheckOptions& options, const Context& context) {
  return Checking(options, context).Run();
}

}  // namespace wmap::cli
