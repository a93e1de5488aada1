#include "cli/cluster_definitions.h"

#include <utility>

#include "base/text.h"
#include "definition/api_version.h"
#include "definition/finding.h"
#include "definition/load.h"
#include "inspect/cause.h"

namespace wmap::cli {
namespace {

// "/spec/a~1b/0" -> ".spec.a/b[0]".
std::string PathOf(std::string_view pointer) {
  std::string path;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    std::string_view part = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(part.size());
    bool is_index = !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    CatTo(path, is_index ? "[" : ".");
    for (std::size_t i = 0; i < part.size(); ++i) {
      bool is_escape = part[i] == '~' && i + 1 < part.size();
      if (is_escape) ++i;
      path += is_escape ? (part[i] == '1' ? '/' : '~') : part[i];
    }
    if (is_index) path += ']';
  }
  return path.empty() ? std::string("the object") : path;
}

}  // namespace

void DefinitionIntake::Take(const json::Value& object) {
  definition::LoadOptions options;
  options.mode = definition::Mode::kLenient;
  options.origin = definition::Origin::kCluster;
  definition::Loaded loaded = definition::Load(object, options);
  UnusedDefinition unused;
  unused.name = object.Get("metadata").Get("name").text_or_empty();
  json::Value kind = object.Get("spec").Get("structureDefinition").Get("rootComponent").Get("kind");
  unused.kind = {std::string(kind.Get("group").text_or_empty()),
                 std::string(kind.Get("version").text_or_empty()),
                 std::string(kind.Get("kind").text_or_empty())};
  if (loaded.karta == nullptr || !loaded.karta->is_valid) {
    unused.has_errors = true;
    for (const definition::Finding& finding : loaded.findings) {
      if (finding.is_error()) {
        unused.errors.push_back(Cat(PathOf(finding.pointer), ": ", finding.message));
      }
    }
    unused_.push_back(std::move(unused));
    return;
  }
  if (Result<void> added = registry_.Add(std::move(loaded.karta)); !added) {
    unused.errors.push_back(added.error().Describe());
    unused_.push_back(std::move(unused));
  }
}

std::vector<workload::Diagnostic> DefinitionIntake::Diagnostics() const {
  std::vector<workload::Diagnostic> diagnostics;
  for (const UnusedDefinition& unused : unused_) {
    std::string text = Cat("the cluster's definition ", Quote(unused.name),
                           unused.has_errors ? " has errors and is not used" : " is not used");
    if (!unused.errors.empty()) CatTo(text, ": ", unused.errors.front());
    if (unused.errors.size() > 1) CatTo(text, " (and ", unused.errors.size() - 1, " more)");
    CatTo(text, "; ", InPlaceOf(unused));
    if (unused.has_errors) {
      std::string name = inspect::ShellWord(unused.name);
      CatTo(text, "; what is wrong in full: wmap definitions ", name, " -o yaml | wmap validate -");
    }
    // One that cannot be read has its stand-in; of two that can, either may be meant.
    diagnostics.push_back(
        {unused.has_errors ? workload::Severity::kWarning : workload::Severity::kError,
         unused.has_errors ? "definition-invalid" : "definition-conflict", std::move(text),
         Cat("kartas.run.ai/", unused.name)});
  }
  return diagnostics;
}

std::set<std::pair<std::string, std::string>> DefinitionIntake::disputed() const {
  std::set<std::pair<std::string, std::string>> kinds;
  for (const UnusedDefinition& unused : unused_) {
    if (!unused.has_errors) kinds.emplace(unused.kind.group, unused.kind.kind);
  }
  return kinds;
}

// What objects of its kind are read by.
std::string DefinitionIntake::InPlaceOf(const UnusedDefinition& unused) const {
  const definition::GroupVersionKind& kind = unused.kind;
  if (kind.kind.empty()) return "it does not say for which kind it is";
  definition::Match match = registry_.Find(kind.group, kind.version, kind.kind);
  if (!match) return Cat("nothing else covers ", kind.Describe());
  return Cat(kind.kind, " is read by the ", OriginName(match.karta->origin), " definition ",
             Quote(match.karta->name), " instead");
}

}  // namespace wmap::cli
