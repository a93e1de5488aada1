#include "inspect/changes.h"

#include <algorithm>
#include <array>
#include <vector>

#include "workload/pod_facts.h"

namespace wmap::inspect {

std::int64_t LastChange(const json::Value& object) {
  constexpr std::array kTimes = {
      std::string_view("creationTimestamp"),  std::string_view("deletionTimestamp"),
      std::string_view("lastTransitionTime"), std::string_view("startedAt"),
      std::string_view("finishedAt"),         std::string_view("startTime"),
      std::string_view("completionTime"),     std::string_view("endTime"),
      std::string_view("lastScheduleTime"),   std::string_view("lastTimestamp"),
      std::string_view("eventTime")};
  std::int64_t newest = 0;
  std::vector<json::Value> open = {object.Get("metadata"), object.Get("status")};
  while (!open.empty()) {
    json::Value one = open.back();
    open.pop_back();
    if (one.is_array()) {
      open.insert(open.end(), one.items().begin(), one.items().end());
    } else if (one.is_object()) {
      for (const json::Member& member : one.members()) {
        if (member.key == "managedFields") continue;
        bool is_time =
            member.value.is_string() && std::ranges::find(kTimes, member.key) != kTimes.end();
        if (is_time) newest = std::max(newest, workload::ParseTime(member.value.as_string()));
        if (member.value.is_array() || member.value.is_object()) open.push_back(member.value);
      }
    }
  }
  return newest;
}

}  // namespace wmap::inspect
