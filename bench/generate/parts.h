// Pieces that several kinds of objects share.
#pragma once

#include "generate/children.h"
#include "generate/cluster.h"
#include "generate/json_printer.h"

namespace wmap::bench {

// The name of the container that runs the program, as the operators of the kind want it.
std::string_view ContainerName(const Workload& workload, std::string_view role);

// `pod` is null in a template, which lacks what only pods have.
void PrintContainers(JsonPrinter& out, const Workload& workload, std::string_view role, int gpus,
                     const Pod* pod);

// The member "template" of a workload or controller.
void PrintTemplate(JsonPrinter& out, const Workload& workload, std::string_view role, int gpus,
                   const StringMap& labels, const StringMap& annotations);

void PrintStrings(JsonPrinter& out, std::string_view key, const StringMap& strings);

// The members of `metadata` from "ownerReferences" on.
void PrintOwnerAndIdentity(JsonPrinter& out, const Owner* owner, std::string_view uid,
                           std::int64_t version);

void PrintTolerations(JsonPrinter& out);

std::string_view RestartPolicy(const Workload& workload);

struct ConditionText {
  std::string_view type;
  bool is_true;
  std::string_view reason;
  std::string_view message;
};
// An element of a list of conditions, as most kinds have them. `last_update` adds that member.
void PrintCondition(JsonPrinter& out, const Workload& workload, const ConditionText& condition,
                    bool last_update = false);

}  // namespace wmap::bench
