#include "cli/definition_files.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "cli/table.h"
#include "input/input.h"
#include "input/read_text.h"

namespace wmap::cli {
namespace {

bool IsNamedAsDefinition(std::string_view file) {
  if (file.ends_with(input::kCaseFileEnding)) return false;
  constexpr std::array<std::string_view, 3> kEndings = {".yaml", ".yml", ".json"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) {
    return file.size() > ending.size() && file.ends_with(ending);
  });
}

class Walk {
 public:
  Walk(const Context& context, FunctionRef<std::size_t(const DefinitionFile&)> visit)
      : context_(context), visit_(visit) {}

  void Named(const std::string& name) {
    if (name != "-") {
      Result<FileInfo> info = context_.files->Stat(name);
      if (info && info->type == FileInfo::Type::kDirectory) return NamedFolder(name, *info);
    }
    File(name, /*is_named=*/true);
  }

  int exit_code() const { return exit_code_; }

 private:
  void Fail(std::string_view file, std::string_view what, int code) {
    Complain(context_, file, what);
    exit_code_ = std::max(exit_code_, code);
  }

  void NamedFolder(const std::string& name, const FileInfo& info) {
    std::size_t before = documents_;
    int code_before = exit_code_;
    walked_.clear();
    Folder(name, info);
    if (documents_ == before && exit_code_ == code_before) {
      Fail(name, "there is no definition (kind Karta) in it", kFailed);
    }
  }

  // Goes through a folder and what is below it, in the order of names.
  void Folder(const std::string& folder, const FileInfo& info) {
    // Links may lead in circles.
    if (std::ranges::find(walked_, info) != walked_.end()) return;
    walked_.push_back(info);
    Result<std::vector<std::string>> names = context_.files->List(folder);
    if (!names) return Fail(folder, names.error().Describe(), kUsage);
    std::ranges::sort(*names);
    for (const std::string& name : *names) {
      std::string path = Cat(folder, folder.ends_with('/') ? "" : "/", name);
      Result<FileInfo> found = context_.files->Stat(path);
      if (found && found->type == FileInfo::Type::kDirectory) {
        Folder(path, *found);
      } else if (IsNamedAsDefinition(name)) {
        File(path, /*is_named=*/false);
      }
    }
  }

  void File(const std::string& file, bool is_named) {
    Result<std::string> text = input::ReadText(*context_.files, file);
    std::string name = file == "-" ? "<stdin>" : file;
    if (!text) return Fail(name, text.error().Describe(), kUsage);
    std::size_t documents = visit_({name, *std::move(text), is_named});
    if (is_named && documents == 0) Fail(name, "there is no document in it", kFailed);
    documents_ += documents;
  }

  const Context& context_;
  FunctionRef<std::size_t(const DefinitionFile&)> visit_;
  int exit_code_ = kOk;
  std::size_t documents_ = 0;
  std::vector<FileInfo> walked_;
};

}  // namespace

int ReadDefinitionFiles(const std::vector<std::string>& names, const Context& context,
                        FunctionRef<std::size_t(const DefinitionFile&)> visit) {
  Walk walk(context, visit);
  for (const std::string& name : names) walk.Named(name);
  return walk.exit_code();
}

void Complain(const Context& context, std::string_view file, std::string_view what) {
  context.err->Write(Cat("error: ", Safe(file), ": ", Safe(what), '\n'));
}

}  // namespace wmap::cli
