#include "definition/resource_names.h"

#include <array>
#include <initializer_list>

#include "base/text.h"

namespace wmap::definition {
namespace {

struct ShortNames {
  std::string_view group;
  std::string_view kind;
  std::array<std::string_view, 2> names;
};

// As the kinds' own resource definitions register them.
constexpr ShortNames kShortNames[] = {
    {"", "Pod", {"po"}},
    {"apps", "DaemonSet", {"ds"}},
    {"apps", "Deployment", {"deploy"}},
    {"apps", "ReplicaSet", {"rs"}},
    {"apps", "StatefulSet", {"sts"}},
    {"batch", "CronJob", {"cj"}},
    {"batch.volcano.sh", "CronJob", {"cronvcjob", "cronvj"}},
    {"batch.volcano.sh", "Job", {"vcjob", "vj"}},
    {"grove.io", "PodClique", {"pclq"}},
    {"grove.io", "PodCliqueScalingGroup", {"pcsg"}},
    {"grove.io", "PodCliqueSet", {"pcs"}},
    {"kubeflow.org", "MPIJob", {"mj", "mpij"}},
    {"leaderworkerset.x-k8s.io", "LeaderWorkerSet", {"lws"}},
    {"milvus.io", "Milvus", {"mi"}},
    {"nvidia.com", "DynamoGraphDeployment", {"dgd"}},
    {"serving.knative.dev", "Service", {"kservice", "ksvc"}},
    {"serving.kserve.io", "InferenceService", {"isvc"}},
    {"serving.kserve.io", "LLMInferenceService", {"llmisvc"}},
    {"sparkoperator.k8s.io", "ScheduledSparkApplication", {"scheduledsparkapp"}},
    {"sparkoperator.k8s.io", "SparkApplication", {"sparkapp"}},
    {"workload.codeflare.dev", "AppWrapper", {"aw"}},
};

bool EndsWithAny(std::string_view word, std::initializer_list<std::string_view> ends) {
  for (std::string_view end : ends) {
    if (word.ends_with(end)) return true;
  }
  return false;
}

}  // namespace

std::string PluralOf(std::string_view kind) {
  std::string word = ToLower(kind);
  if (EndsWithAny(word, {"s", "x", "z", "ch", "sh"})) return Cat(word, "es");
  if (word.ends_with('y') && !EndsWithAny(word, {"ay", "ey", "oy", "uy"})) {
    return Cat(std::string_view(word).substr(0, word.size() - 1), "ies");
  }
  return Cat(word, "s");
}

std::span<const std::string_view> ShortNamesOf(std::string_view group, std::string_view kind) {
  for (const ShortNames& row : kShortNames) {
    if (row.kind != kind || row.group != group) continue;
    return std::span(row.names).first(row.names[1].empty() ? 1 : 2);
  }
  return {};
}

}  // namespace wmap::definition
