// Why pods that are wanted are not there: what controllers and API server said when they were to be
// made, and the quotas that leave no room.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/cause.h"
#include "inspect/sources.h"
#include "workload/workload.h"

namespace wmap::inspect {

// "exceeded quota: compute, requested: requests.nvidia.com/gpu=4, used: …=8, limited: …=8".
struct QuotaRefusal {
  struct Amount {
    std::string resource;
    std::string requested;
    std::string used;
    std::string limited;
  };
  std::string quota;
  std::vector<Amount> amounts;
};
// Nothing when `message` says nothing of a quota.
std::optional<QuotaRefusal> ReadQuotaRefusal(std::string_view message);

// What kept pods of the workload from being made. One cause for each quota, and one for each other
// refusal; none when nothing was refused, or it is older than pods that were made since. `missing`:
// how many pods are wanted and not there.
std::vector<Cause> CreationFailures(const workload::Workload& workload,
                                    const WorkloadSources& sources, const Sources& all,
                                    std::int64_t missing);

}  // namespace wmap::inspect
