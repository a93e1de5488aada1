// `wmap validate`: every rule of the format, with file, line, column and a suggestion.
#include <algorithm>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/definition_files.h"
#include "cli/table.h"
#include "definition/finding.h"
#include "definition/load.h"

namespace wmap::cli {
namespace {

std::int64_t Count(const std::vector<definition::Finding>& findings, bool errors) {
  return std::ranges::count(findings, errors, &definition::Finding::is_error);
}

// Prints the findings of one document; false when it is invalid.
bool Print(const definition::Loaded& loaded, const DefinitionFile& file, const Context& context) {
  context.out->Write(definition::Render(loaded.findings, file.text));
  std::int64_t errors = Count(loaded.findings, true);
  std::int64_t warnings = Count(loaded.findings, false);
  std::string what = loaded.karta == nullptr ? Safe(file.name)
                                             : Cat(Safe(file.name), ": ", Safe(loaded.karta->name));
  std::string counts =
      Cat(" (", Numbered(errors, "error"), ", ", Numbered(warnings, "warning"), ")");
  context.out->Write(Cat(what, ": ", errors == 0 ? "valid" : "invalid",
                         errors + warnings == 0 ? std::string() : counts, '\n'));
  return errors == 0;
}

}  // namespace

int RunValidate(const ValidateOptions& options, const Context& context) {
  bool is_valid = true;
  int code = ReadDefinitionFiles(options.files, context, [&](const DefinitionFile& file) {
    definition::LoadOptions loading;
    loading.mode = options.lenient ? definition::Mode::kLenient : definition::Mode::kStrict;
    loading.source = file.name;
    std::vector<definition::Loaded> documents = definition::LoadText(file.text, loading);
    if (!file.is_named) std::erase_if(documents, definition::IsForeign);
    for (const definition::Loaded& loaded : documents) {
      is_valid = Print(loaded, file, context) && is_valid;
    }
    return documents.size();
  });
  return is_valid ? code : std::max<int>(code, kFailed);
}

}  // namespace wmap::cli
