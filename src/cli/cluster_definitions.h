// The definitions that a cluster holds: taken into a registry, and those that are not used told of,
// with what is wrong and what takes their place.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/context.h"
#include "definition/registry.h"
#include "json/value.h"
#include "workload/workload.h"

namespace wmap::cli {

// One that the cluster has and nobody reads by.
struct UnusedDefinition {
  std::string name;
  definition::GroupVersionKind kind;  // as far as it says one
  bool has_errors = false;            // false: another one for the same kind comes before it
  std::vector<std::string> errors;    // ".spec.…: what is wrong"; of a conflict, with which

  // "invalid", "conflict": stable.
  std::string_view state() const { return has_errors ? "invalid" : "conflict"; }
};

class DefinitionIntake {
 public:
  explicit DefinitionIntake(definition::Registry& registry) : registry_(registry) {}

  // Takes an object of the kind Karta. One with errors is left aside: those who read cannot mend
  // it.
  void Take(const json::Value& object);

  const std::vector<UnusedDefinition>& unused() const { return unused_; }
  // What is to be told of each that is not used. Once all have been taken.
  std::vector<workload::Diagnostic> Diagnostics() const;
  // Kinds, as group and kind, for which the cluster has more than one: what is said of their
  // objects is one reading of two, and so an error.
  std::set<std::pair<std::string, std::string>> disputed() const;

 private:
  std::string InPlaceOf(const UnusedDefinition& unused) const;

  definition::Registry& registry_;
  std::vector<UnusedDefinition> unused_;
};

}  // namespace wmap::cli
