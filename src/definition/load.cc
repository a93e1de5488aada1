#include "definition/load.h"

#include <algorithm>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "definition/decode.h"
#include "definition/expressions.h"
#include "definition/extensions.h"
#include "definition/lint.h"
#include "definition/report.h"
#include "definition/rules.h"
#include "definition/silences.h"
#include "json/reader.h"
#include "yaml/reader.h"

namespace wmap::definition {
namespace {

using json::Value;

constexpr std::string_view kGroupPrefix = "run.ai/";

// What a document that is no definition is instead.
void ReportForeign(const Value& document, Report& report) {
  std::string_view kind = document.Get("kind").text_or_empty();
  std::string_view api_version = document.Get("apiVersion").text_or_empty();
  std::string message = "the document is no definition: ";
  std::string hint = "a definition has apiVersion: run.ai/v1alpha1 and kind: Karta";
  std::string_view pointer;
  if (!document.is_object()) {
    CatTo(message, "it is no object");
  } else if (kind.empty()) {
    CatTo(message, "it has no kind");
  } else {
    CatTo(message, "it is ", Quote(kind), " of ", Quote(api_version));
    pointer = kind == kKind ? "/apiVersion" : "/kind";
    if (kind == "ResourceInterface") {
      hint =
          "an older form: set apiVersion: run.ai/v1alpha1 and kind: Karta, the fields are the "
          "same";
    }
  }
  report.Add({Severity::kError, "not-a-definition", std::move(message), std::move(hint)}, pointer,
             Report::Part::kValue);
}

void CheckVersion(const Value& document, Report& report) {
  std::string_view version = document.Get("apiVersion").text_or_empty();
  if (version == kApiVersion) return;
  report.Add({report.strictness(), "api-version",
              Cat("the version ", Quote(version), " of the format is not known"),
              Cat("set apiVersion: ", kApiVersion)},
             "/apiVersion", Report::Part::kValue);
}

// V1.
void ReportMissing(const Value& document, Report& report) {
  const Value spec = document.Get("spec");
  std::string_view missing = "spec";
  std::string_view pointer = "";
  if (spec.is_object()) {
    missing = "structureDefinition";
    pointer = "/spec";
    if (spec.Get("structureDefinition").is_object()) {
      missing = "rootComponent";
      pointer = "/spec/structureDefinition";
    }
  }
  report.Add({Severity::kError, "V1", Cat("there is no definition: ", missing, " is missing"),
              "a definition stands in spec.structureDefinition.rootComponent"},
             pointer);
}

std::string DefaultName(const GroupVersionKind& kind) {
  std::string name = ToLower(Cat(kind.group.empty() ? std::string("core") : kind.group, '-',
                                 kind.kind, '-', kind.version));
  for (char& c : name) {
    if (c == '.') c = '-';
  }
  return name;
}

// What is written out first, so that its faults are reported there and not at its aliases.
void CheckExpressions(Karta& karta, bool quiet, Report& report) {
  ExpressionChecker checker(report, quiet);
  std::vector<Expression*> aliases;
  ForEachExpression(karta, [&](Expression& expression) {
    if (!quiet && report.IsAlias(expression.pointer())) {
      aliases.push_back(&expression);
    } else {
      checker.Check(expression);
    }
  });
  for (Expression* alias : aliases) checker.Check(*alias);
}

// The steps of the format's validation: repeated names hide all other faults of the structure.
// What lacks a part that could not be read is not judged for lacking it.
void Check(const Value& extensions, const LoadOptions& options, Karta& karta, Report& report) {
  bool is_complete = !report.has_errors();
  LinkComponents(karta, report);
  bool unique = !options.trusted && CheckNames(karta, report);
  if (unique) {
    CheckSchema(karta, report);
    CheckStructure(karta, report);
    CheckInstructions(karta, report);
  }
  CheckExpressions(karta, /*quiet=*/!unique, report);
  if (extensions.is_string()) ReadExtensions(extensions.as_string(), karta, report);
  if (!unique) return;
  if (is_complete) {
    LintStructure(karta, report);
    LintGangs(karta, report);
  }
  LintExpressions(karta, report);
  LintWrites(karta, report);
  if (!options.thorough || !is_complete) return;
  LintScale(karta, report);
  LintPlaces(karta, report);
  LintPhases(karta, report);
  LintSelectors(karta, report);
  LintResults(karta, report);
}

Loaded Unreadable(const Error& error, std::string_view text, const LoadOptions& options) {
  Finding finding;
  finding.id = "syntax";
  finding.message = error.Describe();
  finding.source = options.source;
  if (error.range()) {
    finding.place = json::PlaceOf(text, error.range()->begin);
    finding.range = error.range();
  }
  Loaded loaded;
  loaded.findings.push_back(std::move(finding));
  return loaded;
}

Loaded LoadPlaced(const Value& document, std::string_view text, const json::SourceMap& places,
                  LoadOptions options) {
  options.places = &places;
  options.text = text;
  return Load(document, options);
}

// A document, or the items of a List in which definitions are, as a cluster gives them out.
void LoadItems(const Value& document, std::string_view text, const json::SourceMap& places,
               LoadOptions options, std::vector<Loaded>& all) {
  const Value items = document.Get("items");
  bool is_list = document.Get("kind").text_or_empty().ends_with("List") && items.is_array() &&
                 std::ranges::any_of(items.items(), IsKarta);
  if (!is_list) return all.push_back(LoadPlaced(document, text, places, options));
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::string root = "/items";
    json::AppendPointerIndex(root, i);
    options.root = root;
    all.push_back(LoadPlaced(items[i], text, places, options));
  }
}

std::vector<Loaded> LoadYaml(std::string_view text, const LoadOptions& options) {
  std::vector<Loaded> all;
  yaml::Documents documents(text);
  while (true) {
    Arena arena;
    json::SourceMap places;
    Result<std::optional<yaml::Document>> document = documents.Next(arena, &places);
    if (!document) {
      all.push_back(Unreadable(document.error(), text, options));
    } else if (*document) {
      LoadItems((*document)->value, text, places, options, all);
    } else {
      return all;
    }
  }
}

}  // namespace

bool IsForeign(const Loaded& loaded) {
  return std::ranges::any_of(loaded.findings, [](const Finding& finding) {
    return finding.id == "not-a-definition" && finding.pointer != "/apiVersion";
  });
}

bool IsKarta(const json::Value& document) {
  return document.Get("kind").text_or_empty() == kKind &&
         document.Get("apiVersion").text_or_empty().starts_with(kGroupPrefix);
}

Loaded Load(const json::Value& document, const LoadOptions& options) {
  Report report(options);
  Loaded loaded;
  if (!IsKarta(document)) {
    ReportForeign(document, report);
    loaded.findings = report.Take();
    return loaded;
  }
  CheckVersion(document, report);
  Decoded decoded = Decode(document, report);
  if (decoded.has_root) {
    loaded.karta = std::make_unique<Karta>(std::move(decoded.karta));
    Karta& karta = *loaded.karta;
    karta.origin = options.origin;
    karta.source = options.source;
    Check(decoded.extensions, options, karta, report);
    if (!karta.root().kind) karta.components[0].kind.emplace();
    if (karta.name.empty()) karta.name = DefaultName(karta.kind());
    karta.is_valid = !report.has_errors();
    if (options.further) options.further(karta, report);
    if (!options.trusted) {
      Silences silences(karta);
      loaded.silenced = silences.TakeFrom(report);
      // Of those that have not been tried nothing is known.
      if (options.thorough && karta.is_valid) {
        silences.ReportUnused(Rule::Of::kValidate, report);
      }
    }
  } else {
    ReportMissing(document, report);
  }
  loaded.findings = report.Take();
  return loaded;
}

std::vector<Loaded> LoadText(std::string_view text, const LoadOptions& options) {
  std::size_t start = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (start == std::string_view::npos || text[start] != '{') return LoadYaml(text, options);
  // JSON, or YAML in its flow form: the reader that takes it decides.
  Arena arena;
  json::SourceMap places;
  Result<Value> document =
      json::Read(text, arena, {.refuse_duplicates = true, .source_map = &places});
  std::vector<Loaded> all;
  if (document) {
    LoadItems(*document, text, places, options, all);
    return all;
  }
  std::vector<Loaded> as_yaml = LoadYaml(text, options);
  bool is_yaml = !as_yaml.empty();
  for (const Loaded& loaded : as_yaml) {
    is_yaml &= loaded.findings.empty() || loaded.findings.front().id != "syntax";
  }
  if (is_yaml) return as_yaml;
  all.push_back(Unreadable(document.error(), text, options));
  return all;
}

}  // namespace wmap::definition
