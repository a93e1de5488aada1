// The tree of one workload as text.
#pragma once

#include <string>

#include "cli/table.h"
#include "workload/workload.h"

namespace wmap::cli {

// Lines of the workload, its roles, and with `with_pods` their pods.
std::string TreeText(const workload::Workload& workload, bool with_pods, bool colour);

// "total: 3 pods (3 exist, 3 ready), 12 GPUs (12 allocated, 12 running), cpu 24, memory 192Gi".
std::string TotalsText(const workload::Workload& workload);

}  // namespace wmap::cli
