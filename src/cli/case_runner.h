// Reads the objects of a test case, or of files, through the definitions of a registry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/function_ref.h"
#include "cli/context.h"
#include "definition/registry.h"
#include "inspect/case_file.h"
#include "inspect/report.h"
#include "inspect/snapshot.h"
#include "json/value.h"
#include "workload/accelerators.h"

namespace wmap::cli {

// "a/b/" of "a/b/c.yaml"; "" of "c.yaml".
std::string FolderOf(std::string_view file);

// For one reading. `registry` and `context` outlive it.
class CaseRunner {
 public:
  CaseRunner(const definition::Registry& registry, const Context& context)
      : context_(context), snapshot_(registry, accelerators_) {
    snapshot_.WantGroups();
  }

  void Add(const json::Value& object) { snapshot_.Add(object, {}); }
  // Definitions among the objects are left aside. Returns what could not be read; warnings are
  // told.
  std::vector<std::string> AddFiles(const std::vector<std::string>& files,
                                    FunctionRef<void(const json::Value&)> seen);
  // The objects and files of a case that stands in `file`.
  std::vector<std::string> AddCase(const inspect::Case& one, std::string_view file);

  // What is read of it all (inspect/reading.h), in `arena`. Call once, last.
  json::Value Reading(Arena& arena);
  const inspect::Report& report() const { return report_; }

  // Why the objects made no workload; empty when they made some, or when there is nothing to say.
  std::string Absence() const;

 private:
  inspect::Report report_;
  const Context& context_;
  workload::AcceleratorTable accelerators_;
  inspect::Snapshot snapshot_;
};

}  // namespace wmap::cli
