#include "cli/case_runner.h"

#include "base/text.h"
#include "cli/table.h"
#include "definition/load.h"
#include "input/input.h"
#include "inspect/reading.h"

namespace wmap::cli {

std::string FolderOf(std::string_view file) {
  std::size_t slash = file.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(file.substr(0, slash + 1));
}

std::vector<std::string> CaseRunner::AddFiles(const std::vector<std::string>& files,
                                              FunctionRef<void(const json::Value&)> seen) {
  std::vector<std::string> unread;
  input::Read(
      files, *context_.files, input::Options(),
      [&](const input::Object& object) {
        if (definition::IsKarta(object.value)) return;
        seen(object.value);
        snapshot_.Add(object.value, object.source);
      },
      [&](const input::Problem& problem) {
        if (problem.severity == input::Problem::Severity::kError) {
          unread.push_back(problem.Describe());
        } else {
          context_.err->Write(Cat("warning: ", Safe(problem.Describe()), '\n'));
        }
      });
  return unread;
}

std::vector<std::string> CaseRunner::AddCase(const inspect::Case& one, std::string_view file) {
  for (const json::Value& object : one.objects) Add(object);
  std::vector<std::string> files;
  for (const std::string& name : one.files) files.push_back(Cat(FolderOf(file), name));
  if (files.empty()) return {};
  return AddFiles(files, [](const json::Value&) {});
}

json::Value CaseRunner::Reading(Arena& arena) {
  report_ = snapshot_.Build();
  return inspect::ReadingOf(report_, arena);
}

std::string CaseRunner::Absence() const {
  if (!report_.workloads.empty()) return {};
  if (!report_.uncovered.empty()) {
    const inspect::Uncovered& first = report_.uncovered.front();
    return Cat("no definition covers ", first.kind, " of ", first.api_version);
  }
  return report_.diagnostics.empty() ? std::string() : report_.diagnostics.front().message;
}

}  // namespace wmap::cli
