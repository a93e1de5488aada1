// Readings: what a report says of its workloads in short, to be compared with what a test case
// expects (case_file.h). A reading is a value whose fields a person can write by hand:
//
//   workload: JobSet/train            KIND/NAME, where needed KIND.GROUP/NAMESPACE/NAME
//   phase: Running                    the headline
//   phases: [Running]                 what the definition says of the object
//   reason: …                         when there is one
//   stale, deleting: true             when it is so
//   pods: {desired: 3, wanted: 3, min: 1, max: 5, observed: 3, ready: 3}
//   gpus: {desired: 12, allocated: 12, running: 12}
//   accelerators: {nvidia.com/gpu: 12}      desired, by resource
//   roles: {leader: {pods: {…}, gpus: {…}, gpusPerPod: 4}}
//   groups: [{name: gang, copies: 2, minimum: 3, subgroups: {leader: 1, workers: 2}}]
//                                     which pods start together, where it was asked for; those that
//                                     are alike are one entry, one copy is not written.
//                                     A text where the instructions err
//   attribution: {train-leader-0: leader, train-group-1-2: worker/1}   pod: role, or role/replica;
//                                     null for a pod that no role claims
//   diagnostics: [ambiguous-count]    codes of warnings and errors, each once
//
// Counts that are not exact are texts as people see them: "17+?", "1–2".
#pragma once

#include <string>
#include <vector>

#include "base/arena.h"
#include "inspect/report.h"
#include "json/value.h"

namespace wmap::inspect {

// {"workloads": [reading, …], "unclaimed": [pod, …]}; the latter only when there are any. Stands in
// `arena`, members in the order of above.
json::Value ReadingOf(const Report& report, Arena& arena);

// What a case expects for a report to be as this reading says: the reading of its only workload, or
// all of it. Null when nothing is read.
json::Value ExpectationOf(const json::Value& reading);

// A part of a reading that is not as expected.
struct Difference {
  std::string path;      // "roles.leader.pods.ready"; "" for the whole
  std::string expected;  // JSON, or "nothing"
  std::string got;
  // Of diagnostics: those that were not expected, and the codes of those that were not found. Of
  // workloads: the names of those that there are.
  std::vector<std::string> notes = {};
};

// What is not as `expected` says. Of a reading it names what matters: fields that it leaves out may
// be anything, but an error among the diagnostics has to be expected. `pods` and `gpus` may be a
// number, which means `desired`. In `roles`, `accelerators` and `attribution` every name must be
// there that the reading has. Where the report has one workload, `expected` is its reading itself;
// otherwise it is that of the one that it names as `workload`, or a list, `workloads`.
//
// `reading` is that of `report`, which says what the diagnostics are.
std::vector<Difference> Compare(const json::Value& expected, const json::Value& reading,
                                const Report& report);

}  // namespace wmap::inspect
