// `wmap validate`: every rule of the format, with file, line, column and a suggestion.
#include <algorithm>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/read_text.h"
#include "cli/table.h"
#include "definition/finding.h"
#include "definition/load.h"

namespace wmap::cli {
namespace {

std::int64_t Count(const std::vector<definition::Finding>& findings, bool errors) {
  std::int64_t count = 0;
  for (const definition::Finding& finding : findings) count += finding.is_error() == errors ? 1 : 0;
  return count;
}

}  // namespace

int RunValidate(const ValidateOptions& options, const Context& context) {
  int exit_code = kOk;
  auto worsen = [&](int code) { exit_code = std::max(exit_code, code); };
  for (const std::string& file : options.files) {
    Result<std::string> text = ReadText(file, context);
    std::string name = file == "-" ? "<stdin>" : file;
    if (!text) {
      context.err->Write(Cat("error: ", Safe(name), ": ", text.error().Describe(), '\n'));
      worsen(kUsage);
      continue;
    }
    definition::LoadOptions loading;
    loading.mode = options.lenient ? definition::Mode::kLenient : definition::Mode::kStrict;
    loading.source = name;
    std::vector<definition::Loaded> documents = definition::LoadText(*text, loading);
    if (documents.empty()) {
      context.err->Write(Cat("error: ", Safe(name), ": there is no document in it\n"));
      worsen(kFailed);
    }
    for (const definition::Loaded& loaded : documents) {
      context.out->Write(definition::Render(loaded.findings, *text));
      std::int64_t errors = Count(loaded.findings, true);
      std::int64_t warnings = Count(loaded.findings, false);
      std::string what =
          loaded.karta == nullptr ? Safe(name) : Cat(Safe(name), ": ", Safe(loaded.karta->name));
      context.out->Write(Cat(what, ": ", errors == 0 ? "valid" : "invalid",
                             errors + warnings == 0 ? std::string()
                                                    : Cat(" (", Numbered(errors, "error"), ", ",
                                                          Numbered(warnings, "warning"), ")"),
                             '\n'));
      if (errors > 0) worsen(kFailed);
    }
  }
  return exit_code;
}

}  // namespace wmap::cli
