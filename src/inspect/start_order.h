// Roles that start after others: what the definition says of their order, against the pods that
// are there.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "definition/karta.h"
#include "json/value.h"
#include "workload/workload.h"

namespace wmap::inspect {

// Roles that lack pods since others come first, each with what it waits for: names of roles, or of
// a pod where the role's own pods start one by one. `object` is WorkloadSources::text.
//
// A role is told only while what it waits for is not there; once it is, missing pods are missing.
std::map<std::string_view, std::vector<std::string>> WaitingRoles(
    const workload::Workload& workload, const definition::Karta& karta, const json::Value& object);

}  // namespace wmap::inspect
