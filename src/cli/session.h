// Session: the inputs of one call, read: definitions first, then objects, then what they mean.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/context.h"
#include "cli/options.h"
#include "definition/registry.h"
#include "inspect/report.h"
#include "inspect/snapshot.h"
#include "kube/discovery.h"
#include "workload/accelerators.h"

namespace wmap::cli {

// How closely a call looks: what is read and kept besides the rows.
enum class Detail {
  kRows,
  kEvents,   // what was said of them
  kReasons,  // and all that may say why a workload waits; the report has sources and groups
  kAudit,    // all that rows can be compared with; the report has sources
};

struct Session {
  definition::Registry registry;
  std::shared_ptr<const kube::Discovery> served;  // what the cluster serves; null for files
  inspect::Report report;
  // What the report views besides its own.
  std::vector<std::shared_ptr<const void>> parts;
  // Kinds, as group and kind, of which objects may be there that could not be read: what they are
  // called in messages.
  std::map<std::pair<std::string, std::string>, std::string> unread;
  // Kinds, as group and kind, that definitions have covered and that none covers now: their objects
  // may still be there.
  std::set<std::pair<std::string, std::string>> uncovered;
  // So many of the report's diagnostics, the first ones, were told while reading.
  std::size_t told = 0;
  // kUsage when a part of the inputs could not be read; else kOk.
  int exit_code = kOk;
};

// The accelerators that are known, with those of --accelerator. Nothing when one of these is wrong,
// which is told.
std::optional<workload::AcceleratorTable> AcceleratorsOf(const InputOptions& options,
                                                         const Context& context);

// Adds the definitions of --definitions to `registry`, and those in the files `beside`, where other
// objects may stand. What is wrong is told on `context.err`; returns kUsage then.
int AddDefinitions(const InputOptions& options, const Context& context,
                   definition::Registry& registry, const std::vector<std::string>& beside = {});

// Reads the files of the options; objects of other namespaces than `name_space` are left aside,
// unless that is empty. Problems are told on `context.err` as they are found; what could be read is
// in the report. Nothing when the options themselves are wrong, which is told too.
std::optional<Session> ReadFiles(const InputOptions& options, std::string_view name_space,
                                 Detail detail, const Context& context);

// Has the report of `snapshot` hold what `detail` needs. Before anything is added to it.
void Prepare(inspect::Snapshot& snapshot, Detail detail);

}  // namespace wmap::cli
