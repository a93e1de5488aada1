// Prints the objects of a workload as the API server returns them: defaults filled in, and a status
// that goes with the workload's state.
#pragma once

#include "generate/children.h"
#include "generate/cluster.h"
#include "generate/json_printer.h"

namespace wmap::bench {

// The object itself.
void PrintRoot(JsonPrinter& out, const Workload& workload);

// A Job, ReplicaSet or StatefulSet that an operator made for it; `kind` names which.
void PrintController(JsonPrinter& out, const Workload& workload, const Controller& controller,
                     std::string_view kind);

// `managed_fields` adds the list that `kubectl get --show-managed-fields` shows.
void PrintPod(JsonPrinter& out, const Cluster& cluster, const Workload& workload, const Pod& pod,
              bool managed_fields);

}  // namespace wmap::bench
