// `wmap validate`: every rule of the format, with file, line, column and a suggestion.
#include <algorithm>
#include <deque>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/definition_files.h"
#include "cli/findings.h"
#include "cli/table.h"
#include "definition/finding.h"
#include "definition/load.h"
#include "json/writer.h"

namespace wmap::cli {
namespace {

using definition::Finding;
using definition::Loaded;
using json::Value;

std::int64_t Count(const std::vector<Finding>& findings, bool errors) {
  return std::ranges::count(findings, errors, &Finding::is_error);
}

class Validating {
 public:
  Validating(const ValidateOptions& options, const Context& context)
      : options_(options), context_(context) {}

  int Run() {
    int code = ReadDefinitionFiles(options_.files, context_,
                                   [&](const DefinitionFile& file) { return File(file); });
    if (options_.format == Format::kJson) PrintJson();
    if (options_.format == Format::kSarif) context_.out->Write(SarifOf(AllFindings()));
    if (options_.format == Format::kGithub) context_.out->Write(GithubOf(AllFindings()));
    return std::max(code, exit_code_);
  }

 private:
  // One document that was judged.
  struct Document {
    std::string file;
    Loaded loaded;

    bool is_valid() const { return !definition::HasErrors(loaded.findings); }
  };

  std::size_t File(const DefinitionFile& file) {
    definition::LoadOptions loading;
    loading.mode = options_.lenient ? definition::Mode::kLenient : definition::Mode::kStrict;
    loading.source = file.name;
    loading.thorough = true;
    std::vector<Loaded> documents = definition::LoadText(file.text, loading);
    if (!file.is_named) std::erase_if(documents, definition::IsForeign);
    for (Loaded& loaded : documents) {
      bool fails = std::ranges::any_of(loaded.findings, [&](const Finding& finding) {
        return Fails(finding, options_.fail_on);
      });
      if (fails) exit_code_ = kFailed;
      Document document{file.name, std::move(loaded)};
      if (options_.format == Format::kTable) {
        Print(document, file.text);
      } else {
        documents_.push_back(std::move(document));
      }
    }
    return documents.size();
  }

  void Print(const Document& document, std::string_view text) {
    const Loaded& loaded = document.loaded;
    context_.out->Write(definition::Render(loaded.findings, text));
    if (options_.show_silenced) context_.out->Write(definition::Render(loaded.silenced, text));
    std::int64_t errors = Count(loaded.findings, true);
    std::int64_t warnings = Count(loaded.findings, false);
    auto silenced = static_cast<std::int64_t>(loaded.silenced.size());
    std::string what = Safe(document.file);
    if (loaded.karta != nullptr) CatTo(what, ": ", Safe(loaded.karta->name));
    std::vector<std::string> counts;
    if (errors + warnings > 0) {
      counts = {Numbered(errors, "error"), Numbered(warnings, "warning")};
    }
    if (silenced > 0) counts.push_back(Cat(silenced, " silenced"));
    context_.out->Write(Cat(what, ": ", document.is_valid() ? "valid" : "invalid",
                            counts.empty() ? std::string() : Cat(" (", Join(counts, ", "), ")"),
                            '\n'));
  }

  static std::vector<Told> ToldOf(const std::vector<Finding>& findings) {
    std::vector<Told> told;
    for (const Finding& finding : findings) told.push_back({&finding});
    return told;
  }

  std::vector<Told> AllFindings() const {
    std::vector<Told> told;
    for (const Document& document : documents_) {
      for (const Finding& finding : document.loaded.findings) told.push_back({&finding});
      for (const Finding& finding : document.loaded.silenced) told.push_back({&finding});
    }
    return told;
  }

  void PrintJson() {
    Arena arena;
    std::vector<Value> items;
    for (const Document& document : documents_) {
      json::ObjectBuilder item;
      item.Add("file", Value::String(document.file));
      if (const definition::Karta* karta = document.loaded.karta.get()) {
        item.Add("definition", Value::String(karta->name));
        item.Add("group", Value::String(karta->kind().group));
        item.Add("version", Value::String(karta->kind().version));
        item.Add("kind", Value::String(karta->kind().kind));
      }
      item.Add("valid", Value::Bool(document.is_valid()));
      item.Add("findings", FindingsJson(ToldOf(document.loaded.findings), arena));
      item.Add("silenced", FindingsJson(ToldOf(document.loaded.silenced), arena));
      items.push_back(item.Finish(arena));
    }
    json::ObjectBuilder list;
    list.Add("apiVersion", Value::String("wmap/v1"));
    list.Add("kind", Value::String("DefinitionValidationList"));
    list.Add("items", json::MakeArray(arena, items));
    context_.out->Write(Cat(json::ToJson(list.Finish(arena), {.indent = 4}), '\n'));
  }

  const ValidateOptions& options_;
  const Context& context_;
  std::deque<Document> documents_;  // what is printed at the end
  int exit_code_ = kOk;
};

}  // namespace

int RunValidate(const ValidateOptions& options, const Context& context) {
  return Validating(options, context).Run();
}

}  // namespace wmap::cli
