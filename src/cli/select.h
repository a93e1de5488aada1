// Which workloads a call is about: TYPE, NAME, namespace, labels, phase; and their order.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/options.h"
#include "definition/registry.h"
#include "inspect/report.h"
#include "kube/discovery.h"

namespace wmap::cli {

// A label selector as kubectl reads it: "a=b,c!=d,e in (x,y),f notin (z),g,!h,i>5".
class LabelSelector {
 public:
  // Errors (kSyntax) say what was expected.
  static Result<LabelSelector> Parse(std::string_view text);

  bool Matches(const std::vector<std::pair<std::string, std::string>>& labels) const;

 private:
  struct Requirement {
    std::string key;
    bool wants_presence = true;       // key must be there (or be one of values); false: the reverse
    std::vector<std::string> values;  // empty: presence alone
    char order = 0;                   // '<', '>': than the one value, a number; 0: equal to one
  };
  static Result<Requirement> ParseOne(std::string_view text);
  static bool Holds(const Requirement& requirement, std::string_view value);

  std::vector<Requirement> requirements_;
};

struct Missing {
  std::string target;   // "job/urgnt"
  std::string message;  // `job/urgnt not found; did you mean job/urgent?`
  // Its kind, for who knows that objects of that could not be read; "" where that does not matter.
  std::string group = {};
  std::string kind = {};
};

struct Selection {
  // What was asked for by name and is not there.
  std::vector<Missing> missing;
  // The workloads in the namespace that are not wanted.
  std::vector<workload::Workload> unselected;
  // Whether there are workloads in the namespace, wanted or not.
  bool has_others = false;
  // Where no object of a TYPE is a workload: which ones have such as their parts; else "".
  std::string parts;
};

// The kinds of an API version ("batch/v1") that definitions cover: "CronJob, Job", or "".
std::string KindsOf(std::string_view api_version, const definition::Registry& registry);

// Whether all namespaces are meant, or `name_space` is the one.
bool IsInScope(const SelectOptions& options, std::string_view name_space);

// What TYPE and NAME mean.
struct Target {
  definition::TypeMatch type;
  bool has_name = false;
  std::string name;
  bool found = false;
  std::string text;  // as it is spoken of
};
// Of the words of a command line. Errors: as Select().
Result<std::vector<Target>> ParseTargets(const std::vector<std::string>& words,
                                         const definition::Registry& registry,
                                         const kube::Discovery* served);

// Reduces the report's workloads to those that are asked for, and its unclaimed pods to those of
// the namespace. `served` is what the cluster serves that was read, null for files. Errors:
//   kInvalid   wrong usage
//   kNotDefined  a TYPE that no definition covers
//   kNotFound  a TYPE in a version that the cluster does not have
//   kUnavailable  a TYPE that the cluster does not have
Result<Selection> Select(const SelectOptions& options, const definition::Registry& registry,
                         const kube::Discovery* served, inspect::Report& report);
// The same with what the words of the options meant before: what follows a cluster goes on to mean
// it, whether its definition is there or not. Errors: kInvalid.
Result<Selection> Select(const SelectOptions& options, std::vector<Target> targets,
                         inspect::Report& report);

// What --phase takes: phases, and the marks that they carry.
std::span<const std::string_view> PhaseMarks();

// What SortBy() sorts by.
std::vector<std::string_view> SortColumns();
// Sorts the workloads by a column; leaves them as they are for anything else.
void SortBy(std::string_view column, inspect::Report& report);

}  // namespace wmap::cli
