// Wrapped: a workload that is around others says what was to run. What does run is said by the
// objects that were made of its templates; here their readings take the place of its own.
#pragma once

#include <string>
#include <vector>

#include "workload/workload.h"

namespace wmap::inspect {

// An object that a workload is around, read by its own definition with the pods below it.
struct Wrapped {
  std::string key;  // workload::ObjectKey()
  workload::Workload reading;
};

// `described` is the reading of the workload by its own definition alone, `others` that without
// what describes one of `wrapped`, with the pods that stand below none of them.
workload::Workload Unwrap(workload::Workload described, workload::Workload others,
                          std::vector<Wrapped> wrapped);

}  // namespace wmap::inspect
