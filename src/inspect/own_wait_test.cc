#include "inspect/own_wait.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/text.h"
#include "yaml/reader.h"

namespace wmap::inspect {
namespace {

std::string Of(std::string_view api_version, std::string_view kind, std::string_view text) {
  Arena arena;
  Result<json::Value> object = yaml::Read(text, arena);
  if (!object) return object.error().Describe();
  std::optional<OwnWait> wait = ReadOwnWait(api_version, kind, *object);
  if (!wait) return {};
  return Cat(wait->clause, wait->detail.empty() ? "" : "; ", wait->detail);
}

TEST(OwnWait, OfACronJobTellsWhenItsNextRunIsDue) {
  auto of = [](std::string_view spec, std::string_view status) {
    return Of("batch/v1", "CronJob",
              Cat("{metadata: {creationTimestamp: '2026-11-30T10:00:00Z'}, spec: {", spec,
                  "}, status: {", status, "}}"));
  };
  EXPECT_EQ(of("schedule: '30 3 * * *'", ""),
            "it has not run yet; its next run is due at 2026-12-01T03:30:00Z, by its schedule 30 3 "
            "* * *");
  EXPECT_EQ(of("schedule: '30 3 * * *'", "lastScheduleTime: '2026-12-04T03:30:00Z'"),
            "its next run is due at 2026-12-05T03:30:00Z, by its schedule 30 3 * * *");
  // When that is in a zone takes a table of zones.
  EXPECT_EQ(of("schedule: '30 3 * * *', timeZone: Europe/Berlin", ""),
            "it has not run yet; its next run is due by its schedule 30 3 * * * (Europe/Berlin)");
  EXPECT_EQ(of("schedule: '@every 2h'", ""),
            "it has not run yet; its next run is due by its schedule @every 2h");
  EXPECT_EQ(of("schedule: '0 0 31 2 *', timeZone: Europe/Berlin", ""),
            "it has not run yet, and its schedule 0 0 31 2 * never comes: there is no such day");
  EXPECT_EQ(of("schedule: '0 0 31 2 *'", "lastScheduleTime: '2026-12-04T03:30:00Z'"),
            "it runs no more: its schedule 0 0 31 2 * never comes: there is no such day");
}

TEST(OwnWait, OfAJobIsThePauseAfterAFailure) {
  auto of = [](std::string_view spec, std::string_view status) {
    return Of("batch/v1", "Job", Cat("{spec: {", spec, "}, status: {", status, "}}"));
  };
  EXPECT_EQ(of("backoffLimit: 4", "failed: 1"),
            "the Job controller waits before it makes another pod; 1 pod has failed, and "
            "backoffLimit allows 4");
  EXPECT_EQ(of("backoffLimitPerIndex: 1, parallelism: 3", "failed: 2, active: 1"),
            "the Job controller waits before it makes another pod; 2 pods have failed, and "
            "backoffLimitPerIndex allows 1 of each index");
  EXPECT_EQ(of("backoffLimit: 4", "failed: 1, active: 1"), "");
  EXPECT_EQ(of("backoffLimit: 4", ""), "");
  EXPECT_EQ(of("backoffLimit: 4, suspend: true", "failed: 1"), "");
  EXPECT_EQ(of("backoffLimit: 4", "failed: 5, conditions: [{type: Failed, status: 'True'}]"), "");
}

TEST(OwnWait, OfARayJobCountsItsAttempts) {
  auto of = [](std::string_view status) {
    return Of("ray.io/v1", "RayJob", Cat("{spec: {backoffLimit: 2}, status: {", status, "}}"));
  };
  EXPECT_EQ(of("jobDeploymentStatus: Running, jobStatus: RUNNING, failed: 0"), "");
  EXPECT_EQ(of("jobDeploymentStatus: Running, jobStatus: FAILED, failed: 0"),
            "attempt 1 of 3 has failed, and KubeRay makes another");
  EXPECT_EQ(of("jobDeploymentStatus: Retrying, jobStatus: FAILED, failed: 1"),
            "attempt 1 of 3 has failed, and KubeRay makes another");
  EXPECT_EQ(of("jobDeploymentStatus: Initializing, failed: 1"), "attempt 2 of 3 is under way");
  EXPECT_EQ(of("jobDeploymentStatus: Running, jobStatus: FAILED, failed: 2"),
            "attempt 3 of 3 has failed, the last one");
  EXPECT_EQ(of("jobDeploymentStatus: Failed, jobStatus: FAILED, failed: 3"), "");
}

}  // namespace
}  // namespace wmap::inspect
