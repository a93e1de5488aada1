// `wmap diff`: what changes between two definitions, in what they say and in what they read.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/case_runner.h"
#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/definition_files.h"
#include "cli/reading_changes.h"
#include "cli/session.h"
#include "cli/table.h"
#include "definition/catalog.h"
#include "definition/finding.h"
#include "definition/load.h"
#include "input/input.h"
#include "input/read_text.h"
#include "inspect/case_file.h"
#include "inspect/definition_diff.h"
#include "json/writer.h"

namespace wmap::cli {
namespace {

using definition::Karta;
using inspect::DefinitionChange;
using inspect::WorkloadChange;
using json::Value;

// OLD or NEW: the definitions of a file or folder, or a built-in one.
struct Side {
  std::string name;
  std::vector<std::string> files;  // that definitions were read from
  definition::Registry registry;
  std::vector<const Karta*> kartas;
  std::vector<std::unique_ptr<Karta>> opened;  // of the catalog
};

// What two definitions of one kind say, differently.
struct Pair {
  std::string title;
  std::vector<DefinitionChange> changes;
};

// What was read of one set of objects, differently.
struct Comparison {
  std::string source;  // "case running of jobs.cases.yaml"; "" = the files of -f
  std::size_t workloads = 0;
  std::vector<WorkloadChange> changes;
};

class Diff {
 public:
  Diff(const DiffOptions& options, const Context& context) : options_(options), context_(context) {}

  int Run() {
    before_.name = options_.before;
    after_.name = options_.after;
    if (!Open(before_) || !Open(after_)) return exit_code_;
    CompareSayings();
    if (options_.files.empty()) {
      CompareCases();
    } else {
      Compare("", [&](CaseRunner& runner) {
        return runner.AddFiles(options_.files, [](const Value&) {});
      });
    }
    bool is_changed = !pairs_.empty() || std::ranges::any_of(comparisons_, [](const auto& one) {
      return !one.changes.empty();
    });
    if (options_.format == Format::kJson) {
      PrintJson(is_changed);
    } else {
      PrintText(is_changed);
    }
    return std::max<int>(exit_code_, is_changed ? kFailed : kOk);
  }

 private:
  void Fail(std::string_view what, std::string_view message, int code) {
    Complain(context_, what, message);
    exit_code_ = std::max(exit_code_, code);
  }

  // --- Definitions.

  bool Open(Side& side) {
    InputOptions input;
    input.definitions = options_.definitions;
    input.lenient = options_.lenient;
    if (!input.definitions.empty()) {
      if (int code = AddDefinitions(input, context_, side.registry); code != kOk) {
        exit_code_ = code;
        return false;
      }
    }
    bool is_stdin = side.name == "-";
    if (!is_stdin && !context_.files->Stat(side.name)) return OpenBuiltIn(side);
    bool is_valid = true;
    int code = ReadDefinitionFiles({side.name}, context_, [&](const DefinitionFile& file) {
      std::vector<definition::Loaded> documents = DocumentsOf(file);
      std::size_t count = documents.size();
      if (count > 0) side.files.push_back(file.name);
      is_valid = is_valid && Take(std::move(documents), file, side);
      return count;
    });
    // Without anything to compare there is no answer.
    if (code != kOk) exit_code_ = kUsage;
    return is_valid && code == kOk;
  }

  bool OpenBuiltIn(Side& side) {
    const definition::CatalogEntry* entry = definition::FindInCatalog(side.name);
    if (entry == nullptr) {
      std::vector<std::string> names;
      for (const definition::CatalogEntry& one : definition::CatalogEntries()) {
        names.emplace_back(one.name);
      }
      Fail(side.name,
           Cat("there is no such file, and no built-in definition of that name",
               DidYouMean(side.name, names)),
           kUsage);
      return false;
    }
    side.opened.push_back(definition::Open(*entry));
    side.kartas.push_back(side.opened.back().get());
    return true;
  }

  std::vector<definition::Loaded> DocumentsOf(const DefinitionFile& file) const {
    definition::LoadOptions loading;
    loading.mode = options_.lenient ? definition::Mode::kLenient : definition::Mode::kStrict;
    loading.source = file.name;
    std::vector<definition::Loaded> documents = definition::LoadText(file.text, loading);
    if (!file.is_named) std::erase_if(documents, definition::IsForeign);
    return documents;
  }

  bool Take(std::vector<definition::Loaded> documents, const DefinitionFile& file, Side& side) {
    for (definition::Loaded& loaded : documents) {
      if (loaded.karta == nullptr || !loaded.karta->is_valid) {
        std::erase_if(loaded.findings, [](const auto& finding) { return !finding.is_error(); });
        context_.err->Write(definition::Render(loaded.findings, file.text));
        Fail(file.name, "the definition is invalid, and was not compared", kUsage);
        return false;
      }
      side.kartas.push_back(loaded.karta.get());
      if (Result<void> added = side.registry.Add(std::move(loaded.karta)); !added) {
        Fail(file.name, added.error().message(), kUsage);
        return false;
      }
    }
    return true;
  }

  // By kind; of two files with one definition each these two, whatever they are about.
  void CompareSayings() {
    bool is_one = before_.kartas.size() == 1 && after_.kartas.size() == 1;
    std::vector<const Karta*> found;
    for (const Karta* karta : before_.kartas) {
      auto same = std::ranges::find_if(after_.kartas, [&](const Karta* other) {
        return is_one || other->kind() == karta->kind();
      });
      if (same == after_.kartas.end()) {
        pairs_.push_back({karta->name, {{"definition", "", karta->kind().Describe(), ""}}});
        continue;
      }
      found.push_back(*same);
      Pair pair{karta->name, inspect::CompareDefinitions(*karta, **same)};
      if (!pair.changes.empty()) pairs_.push_back(std::move(pair));
    }
    for (const Karta* karta : after_.kartas) {
      if (std::ranges::find(found, karta) != found.end()) continue;
      pairs_.push_back({karta->name, {{"definition", "", "", karta->kind().Describe()}}});
    }
  }

  // --- Objects.

  // `add` puts the objects into a runner, and returns what could not be read.
  void Compare(std::string source, FunctionRef<std::vector<std::string>(CaseRunner&)> add) {
    Comparison& comparison = comparisons_.emplace_back();
    comparison.source = std::move(source);
    Value readings[2];
    Side* sides[2] = {&before_, &after_};
    for (int i = 0; i < 2; ++i) {
      CaseRunner runner(sides[i]->registry, context_);
      std::vector<std::string> unread = add(runner);
      // The same for both.
      for (const std::string& problem : unread) {
        if (i > 0) break;
        context_.err->Write(Cat("error: ", Safe(problem), '\n'));
        exit_code_ = kUsage;
      }
      readings[i] = runner.Reading(arena_);
    }
    auto count = [](const Value& reading) { return reading.Get("workloads").size(); };
    comparison.workloads = std::max(count(readings[0]), count(readings[1]));
    comparison.changes = inspect::CompareReadings(readings[0], readings[1], arena_);
  }

  // The cases that stand beside the definitions, each file once.
  void CompareCases() {
    std::vector<std::string> files;
    for (const Side* side : {&before_, &after_}) {
      for (std::string_view stem : side->files) {
        for (std::string_view ending : {".yaml", ".yml", ".json"}) {
          if (stem.ends_with(ending)) stem.remove_suffix(ending.size());
        }
        std::string file = Cat(stem, inspect::kCaseFileEnding);
        bool is_there = context_.files->Stat(file).has_value();
        if (is_there && std::ranges::find(files, file) == files.end()) files.push_back(file);
      }
    }
    for (const std::string& file : files) CompareCasesOf(file);
  }

  void CompareCasesOf(const std::string& file) {
    Result<std::string> text = input::ReadText(*context_.files, file);
    if (!text) return Fail(file, text.error().message(), kUsage);
    Result<std::vector<inspect::Case>> cases = inspect::ReadCases(*text, arena_);
    if (!cases) return Fail(file, cases.error().Describe(), kUsage);
    for (const inspect::Case& one : *cases) {
      Compare(Cat("case ", one.name, ", ", file, ':', one.line),
              [&](CaseRunner& runner) { return runner.AddCase(one, file); });
    }
  }

  // --- Output.

  std::size_t Workloads() const {
    std::size_t count = 0;
    for (const Comparison& one : comparisons_) count += one.workloads;
    return count;
  }
  std::size_t Changed() const {
    std::size_t count = 0;
    for (const Comparison& one : comparisons_) count += one.changes.size();
    return count;
  }

  void PrintText(bool is_changed) const {
    for (const Pair& pair : pairs_) PrintPair(pair);
    for (const Comparison& comparison : comparisons_) {
      for (const WorkloadChange& change : comparison.changes)
        PrintChange(change, comparison.source, context_);
    }
    context_.out->Write(Cat(is_changed ? Summary() : "no difference", "; ", Read(), '\n'));
  }

  std::string Summary() const {
    std::size_t fields = 0;
    for (const Pair& pair : pairs_) fields += pair.changes.size();
    return fields == 0
               ? std::string("the definitions say the same")
               : Cat(Numbered(static_cast<std::int64_t>(fields), "change"), " of what is said");
  }

  std::string Read() const {
    std::size_t all = Workloads();
    std::size_t changed = Changed();
    if (all == 0) return "no workload was read; give objects with -f";
    std::string whole = Numbered(static_cast<std::int64_t>(all), "workload");
    return changed == 0
               ? Cat(whole, all == 1 ? " reads as before" : " read as before")
               : Cat(changed, " of ", whole, changed == 1 ? " reads" : " read", " differently");
  }

  // As a diff of texts: each change with what goes and what comes.
  void PrintPair(const Pair& pair) const {
    context_.out->Write(Cat(Coloured(Safe(pair.title), Colour::kBold, context_.colour), '\n'));
    for (const DefinitionChange& change : pair.changes) {
      std::string_view field = change.field;
      context_.out->Write(
          Cat("  ", Safe(change.where), field.empty() ? "" : ": ", Safe(field), '\n'));
      auto [before, after] = Differing(change.before, change.after);
      PrintLine("- ", before, Colour::kRed);
      PrintLine("+ ", after, Colour::kGreen);
    }
    context_.out->Write("\n");
  }

  void PrintLine(std::string_view mark, const std::string& text, Colour colour) const {
    if (text.empty()) return;
    context_.out->Write(Cat("    ", Coloured(Cat(mark, text), colour, context_.colour), '\n'));
  }

  // Of two long texts, what is around the first difference.
  static std::pair<std::string, std::string> Differing(const std::string& a, const std::string& b) {
    constexpr std::size_t kMost = 96;
    constexpr std::size_t kAround = 32;
    bool is_short = a.size() <= kMost && b.size() <= kMost;
    if (is_short || a.empty() || b.empty()) return {StartOfText(a, kMost), StartOfText(b, kMost)};
    auto at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
    std::size_t begin = at > kAround ? at - kAround : 0;
    // Not in the middle of a character.
    while (begin > 0 && (static_cast<unsigned char>(a[begin]) & 0xC0) == 0x80) --begin;
    auto part = [&](const std::string& text) {
      std::string_view rest = std::string_view(text).substr(std::min(begin, text.size()));
      return Cat(begin > 0 ? "..." : "", StartOfText(rest, kMost));
    };
    return {part(a), part(b)};
  }

  Value JsonOf(const Pair& pair) {
    std::vector<Value> changes;
    for (const DefinitionChange& change : pair.changes) {
      json::ObjectBuilder object;
      object.Add("where", Value::String(change.where));
      object.Add("field", Value::String(change.field));
      auto text = [](const std::string& one) { return one.empty() ? Value() : Value::String(one); };
      object.Add("before", text(change.before));
      object.Add("after", text(change.after));
      changes.push_back(object.Finish(arena_));
    }
    json::ObjectBuilder object;
    object.Add("definition", Value::String(pair.title));
    object.Add("changes", json::MakeArray(arena_, changes));
    return object.Finish(arena_);
  }

  void PrintJson(bool is_changed) {
    std::vector<Value> definitions;
    for (const Pair& pair : pairs_) definitions.push_back(JsonOf(pair));
    std::vector<Value> workloads;
    for (const Comparison& comparison : comparisons_) {
      for (const WorkloadChange& change : comparison.changes) {
        workloads.push_back(ChangeJson(change, comparison.source, arena_));
      }
    }
    json::ObjectBuilder all;
    all.Add("apiVersion", Value::String("wmap/v1"));
    all.Add("kind", Value::String("DefinitionDiff"));
    all.Add("changed", Value::Bool(is_changed));
    all.Add("definitions", json::MakeArray(arena_, definitions));
    all.Add("workloads", json::MakeArray(arena_, workloads));
    all.Add("compared", Value::Int(static_cast<std::int64_t>(Workloads())));
    context_.out->Write(Cat(json::ToJson(all.Finish(arena_), {.indent = 4}), '\n'));
  }

  const DiffOptions& options_;
  const Context& context_;
  Arena arena_;
  Side before_;
  Side after_;
  std::vector<Pair> pairs_;
  std::vector<Comparison> comparisons_;
  int exit_code_ = kOk;
};

}  // namespace

int RunDiff(const DiffOptions& options, const Context& context) {
  return Diff(options, context).Run();
}

}  // namespace wmap::cli
