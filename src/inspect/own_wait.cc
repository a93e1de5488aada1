#include "inspect/own_wait.h"

#include <algorithm>
#include <cstdint>

#include "base/text.h"
#include "base/time.h"
#include "definition/api_version.h"
#include "inspect/cron_schedule.h"
#include "workload/pod_facts.h"

namespace wmap::inspect {
namespace {

using json::Value;

std::int64_t IntOr(const Value& value, std::int64_t otherwise) {
  return value.is_int() ? value.as_int() : otherwise;
}

std::string_view TextOf(const Value& object, std::string_view field) {
  return object.Get(field).text_or_empty();
}

bool IsOver(const Value& job) {
  Value conditions = job.Get("status").Get("conditions");
  if (!conditions.is_array()) return false;
  return std::ranges::any_of(conditions.items(), [](const Value& condition) {
    std::string_view type = TextOf(condition, "type");
    return TextOf(condition, "status") == "True" &&
           (type == "Complete" || type == "Failed" || type == "FailureTarget" ||
            type == "SuccessCriteriaMet");
  });
}

OwnWait OfCronJob(const Value& object) {
  Value spec = object.Get("spec");
  Value status = object.Get("status");
  std::int64_t last = workload::ParseTime(TextOf(status, "lastScheduleTime"));
  std::int64_t created = workload::ParseTime(TextOf(object.Get("metadata"), "creationTimestamp"));
  std::string_view schedule = TextOf(spec, "schedule");
  std::string_view zone = TextOf(spec, "timeZone");
  bool is_utc = zone.empty() || zone == "UTC" || zone == "Etc/UTC";
  std::int64_t since = std::max(last, created);
  std::optional<std::int64_t> next;
  if (is_utc && since > 0) next = NextRun(schedule, since);
  OwnWait wait;
  wait.by_schedule = true;
  if (IsNeverDue(schedule)) {
    wait.clause = Cat(last == 0 ? "it has not run yet, and " : "it runs no more: ", "its schedule ",
                      schedule, " never comes: there is no such day");
    return wait;
  }
  wait.clause = last == 0 ? "it has not run yet; its next run is due " : "its next run is due ";
  if (next) CatTo(wait.clause, "at ", TimeText(*next), ", ");
  CatTo(wait.clause, "by its schedule ", schedule);
  if (!zone.empty()) CatTo(wait.clause, " (", zone, ')');
  return wait;
}

// "2 pods have failed, and backoffLimit allows 6".
std::string Failures(const Value& job, std::string_view before) {
  Value spec = job.Get("spec");
  std::int64_t failed = IntOr(job.Get("status").Get("failed"), 0);
  if (failed == 0) return {};
  constexpr std::int64_t kDefault = 6;
  std::string text = Cat(failed, failed == 1 ? " pod has failed" : " pods have failed", before);
  if (Value limit = spec.Get("backoffLimitPerIndex"); limit.is_int()) {
    return Cat(text, ", and backoffLimitPerIndex allows ", limit.as_int(), " of each index");
  }
  return Cat(text, ", and backoffLimit allows ", IntOr(spec.Get("backoffLimit"), kDefault));
}

std::optional<OwnWait> OfJob(const Value& object) {
  Value spec = object.Get("spec");
  Value status = object.Get("status");
  bool rests = spec.Get("suspend").is_true() || IsOver(object);
  std::int64_t wanted = IntOr(spec.Get("parallelism"), 1);
  bool lacks_pods = IntOr(status.Get("active"), 0) < wanted;
  std::string failures = Failures(object, {});
  if (rests || !lacks_pods || failures.empty()) return std::nullopt;
  return OwnWait{false, "the Job controller waits before it makes another pod", failures};
}

std::optional<OwnWait> OfRayJob(const Value& object) {
  Value status = object.Get("status");
  std::int64_t limit = IntOr(object.Get("spec").Get("backoffLimit"), 0);
  std::int64_t failed = IntOr(status.Get("failed"), 0);
  std::string_view state = TextOf(status, "jobDeploymentStatus");
  bool is_over = state == "Failed" || state == "Complete" || state == "ValidationFailed" ||
                 state == "Suspended" || state == "Suspending";
  if (limit == 0 || is_over) return std::nullopt;
  bool is_retried = state == "Retrying";
  // A failure counts once the operator starts anew.
  std::int64_t ended = failed + (!is_retried && TextOf(status, "jobStatus") == "FAILED" ? 1 : 0);
  if (ended == 0) return std::nullopt;
  std::string text = Cat("attempt ", ended, " of ", limit + 1, " has failed");
  if (is_retried || ended > failed) {
    CatTo(text, ended > limit ? ", the last one" : ", and KubeRay makes another");
  } else {
    text = Cat("attempt ", ended + 1, " of ", limit + 1, " is under way");
  }
  return OwnWait{false, std::move(text), {}};
}

}  // namespace

std::optional<OwnWait> ReadOwnWait(std::string_view api_version, std::string_view kind,
                                   const Value& object) {
  std::string_view group = definition::GroupOf(api_version);
  if (group == "batch" && kind == "CronJob") return OfCronJob(object);
  if (group == "batch" && kind == "Job") return OfJob(object);
  if (group == "ray.io" && kind == "RayJob") return OfRayJob(object);
  return std::nullopt;
}

std::string FailuresBefore(std::string_view api_version, std::string_view kind,
                           const Value& object) {
  bool is_job = definition::GroupOf(api_version) == "batch" && kind == "Job";
  return is_job ? Failures(object, " before") : std::string();
}

}  // namespace wmap::inspect
