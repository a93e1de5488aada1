// `wmap validate`: every rule of the format, with file, line, column and a suggestion.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/table.h"
#include "definition/finding.h"
#include "definition/load.h"
#include "input/input.h"
#include "input/read_text.h"

namespace wmap::cli {
namespace {

std::int64_t Count(const std::vector<definition::Finding>& findings, bool errors) {
  std::int64_t count = 0;
  for (const definition::Finding& finding : findings) count += finding.is_error() == errors ? 1 : 0;
  return count;
}

bool IsNamedAsDefinition(std::string_view file) {
  if (file.ends_with(input::kCaseFileEnding)) return false;
  constexpr std::array<std::string_view, 3> kEndings = {".yaml", ".yml", ".json"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) {
    return file.size() > ending.size() && file.ends_with(ending);
  });
}

// A document of another kind. One that only has the wrong apiVersion is meant as a definition.
bool IsForeign(const definition::Loaded& loaded) {
  return std::ranges::any_of(loaded.findings, [](const definition::Finding& finding) {
    return finding.id == "not-a-definition" && finding.pointer != "/apiVersion";
  });
}

class Validator {
 public:
  Validator(bool lenient, const Context& context) : lenient_(lenient), context_(context) {}

  void ValidateNamed(const std::string& name) {
    if (name != "-") {
      Result<FileInfo> info = context_.files->Stat(name);
      if (info && info->type == FileInfo::Type::kDirectory) return ValidateFolder(name, *info);
    }
    ValidateFile(name, /*is_named=*/true);
  }

  int exit_code() const { return exit_code_; }

 private:
  void Worsen(int code) { exit_code_ = std::max(exit_code_, code); }

  void Complain(const std::string& name, std::string_view what, int code) {
    context_.err->Write(Cat("error: ", Safe(name), ": ", Safe(what), '\n'));
    Worsen(code);
  }

  void ValidateFolder(const std::string& name, const FileInfo& info) {
    std::size_t before = documents_;
    int code_before = exit_code_;
    walked_.clear();
    Walk(name, info);
    if (documents_ == before && exit_code_ == code_before) {
      Complain(name, "there is no definition (kind Karta) in it", kFailed);
    }
  }

  // Goes through a folder and what is below it, in the order of names.
  void Walk(const std::string& folder, const FileInfo& info) {
    // Links may lead in circles.
    if (std::ranges::find(walked_, info) != walked_.end()) return;
    walked_.push_back(info);
    Result<std::vector<std::string>> names = context_.files->List(folder);
    if (!names) return Complain(folder, names.error().Describe(), kUsage);
    std::ranges::sort(*names);
    for (const std::string& name : *names) {
      std::string path = Cat(folder, folder.ends_with('/') ? "" : "/", name);
      Result<FileInfo> found = context_.files->Stat(path);
      if (found && found->type == FileInfo::Type::kDirectory) {
        Walk(path, *found);
      } else if (IsNamedAsDefinition(name)) {
        ValidateFile(path, /*is_named=*/false);
      }
    }
  }

  // Where the user did not name the file itself, other documents may stand in it.
  void ValidateFile(const std::string& file, bool is_named) {
    Result<std::string> text = input::ReadText(*context_.files, file);
    std::string name = file == "-" ? "<stdin>" : file;
    if (!text) return Complain(name, text.error().Describe(), kUsage);
    definition::LoadOptions loading;
    loading.mode = lenient_ ? definition::Mode::kLenient : definition::Mode::kStrict;
    loading.source = name;
    std::vector<definition::Loaded> documents = definition::LoadText(*text, loading);
    if (!is_named) std::erase_if(documents, IsForeign);
    if (is_named && documents.empty()) Complain(name, "there is no document in it", kFailed);
    for (const definition::Loaded& loaded : documents) Print(loaded, name, *text);
    documents_ += documents.size();
  }

  void Print(const definition::Loaded& loaded, const std::string& name, std::string_view text) {
    context_.out->Write(definition::Render(loaded.findings, text));
    std::int64_t errors = Count(loaded.findings, true);
    std::int64_t warnings = Count(loaded.findings, false);
    std::string what =
        loaded.karta == nullptr ? Safe(name) : Cat(Safe(name), ": ", Safe(loaded.karta->name));
    std::string counts =
        Cat(" (", Numbered(errors, "error"), ", ", Numbered(warnings, "warning"), ")");
    context_.out->Write(Cat(what, ": ", errors == 0 ? "valid" : "invalid",
                            errors + warnings == 0 ? std::string() : counts, '\n'));
    if (errors > 0) Worsen(kFailed);
  }

  bool lenient_;
  const Context& context_;
  int exit_code_ = kOk;
  std::size_t documents_ = 0;
  std::vector<FileInfo> walked_;
};

}  // namespace

int RunValidate(const ValidateOptions& options, const Context& context) {
  Validator validator(options.lenient, context);
  for (const std::string& name : options.files) validator.ValidateNamed(name);
  return validator.exit_code();
}

}  // namespace wmap::cli
