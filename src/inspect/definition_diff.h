// Definition diff: what differs between two definitions, in what they say and in what is read
// through them. Pure.
//
// Comments, the order of components and fields, and the form of expressions are no difference:
// expressions are equal when they compile to the same program. Two that do not may still read the
// same; that is what the objects of a comparison are for.
#pragma once

#include <string>
#include <vector>

#include "base/arena.h"
#include "definition/karta.h"
#include "json/value.h"

namespace wmap::inspect {

// A difference of what they say.
struct DefinitionChange {
  std::string where;   // "definition", "component worker", "status"
  std::string field;   // "replicasPath"; "" = all of it, which came or went
  std::string before;  // "" = it is not there
  std::string after;
};

// Components are the same when their names are.
std::vector<DefinitionChange> CompareDefinitions(const definition::Karta& before,
                                                 const definition::Karta& after);

// A difference of what is read.
struct ReadingChange {
  std::string field;   // "phase", "pods.desired", "roles.worker.gpus.desired", "groups"
  json::Value before;  // null = it is not there
  json::Value after;
  std::vector<std::string> pods = {};  // of "attribution": which have changed alike
};

struct WorkloadChange {
  std::string workload;  // "JobSet/train"; "" = what belongs to none
  bool was_read = true;  // before
  bool is_read = true;   // after
  std::vector<ReadingChange> changes;
};

// Of two readings (reading.h) of the same objects, those workloads that differ. The values are
// those of the readings, but for what stands in `arena`.
std::vector<WorkloadChange> CompareReadings(const json::Value& before, const json::Value& after,
                                            Arena& arena);

}  // namespace wmap::inspect
