#include "gang/native.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace wmap::gang {
namespace {

using json::Value;

// One group for each pod.
void OnePodEach(const Subject& subject, Plan& plan) {
  plan.name = GroupName(subject.pod);
  plan.owner = OwnerOf(subject.pod);
}

Result<Plan> PlanDeployment(const Subject& subject) {
  Plan plan = StartPlan(subject, {.priority = "inference"});
  OnePodEach(subject, plan);
  return plan;
}

Result<Plan> PlanPodAlone(const Subject& subject) {
  Plan plan = StartPlan(subject);
  // All pods of a Spark application are one group.
  std::string_view selector = Label(subject.pod, "spark-app-selector");
  if (!selector.empty() && !Label(subject.pod, "spark-app-name").empty()) plan.name = selector;
  return plan;
}

Result<Plan> PlanJob(const Subject& subject) {
  Plan plan = StartPlan(subject);
  std::string old_name = Cat("pg-", NameOf(subject.pod), '-', UidOf(subject.top));
  if (subject.options->old_job_names && FindGroup(subject, old_name)) {
    plan.name = std::move(old_name);
    return plan;
  }
  std::string_view text = Annotation(subject.top, kMinimumAnnotation);
  if (text.empty()) return plan;
  std::optional<std::int64_t> minimum = ToInteger(text);
  if (minimum && (*minimum >= 1 || subject.options->compat)) {
    plan.min_member = minimum;
  } else if (subject.options->compat) {
    return Fail(Code::kInvalid, Cat("annotation ", kMinimumAnnotation, " is no integer"));
  } else {
    plan.Warn("minimum",
              Cat("annotation ", kMinimumAnnotation, " must be an integer from 1 on, it ", "is ",
                  Quote(text), "; the minimum is 1"));
  }
  return plan;
}

Result<Plan> PlanCronJob(const Subject& subject) {
  Plan plan = StartPlan(subject);
  // What lies below it: the run.
  if (subject.chain.size() < 2) {
    return Fail(Code::kNotFound, "the pod of a CronJob has no Job");
  }
  const Value& run = subject.chain[subject.chain.size() - 2];
  plan.name = GroupName(run);
  plan.owner = OwnerOf(run);
  return plan;
}

Result<Plan> PlanNotebook(const Subject& subject) {
  return StartPlan(subject, {.priority = "build"});
}

Result<Plan> PlanSpotRequest(const Subject& subject) {
  return StartPlan(subject, {.priority = "inference"});
}

Result<Plan> PlanRunaiJob(const Subject& subject) {
  Plan plan = StartPlan(subject);
  std::string_view pod = NameOf(subject.pod);
  std::string old_name = Cat("pg-", pod, '-', UidOf(subject.top));
  plan.name = FindGroup(subject, old_name)
                  ? std::move(old_name)
                  : Cat("pg-", pod.substr(0, pod.rfind('-')), '-', UidOf(subject.top));
  return plan;
}

Result<Plan> PlanAmlJob(const Subject& subject) {
  Plan plan = StartPlan(subject);
  Value count = At(subject.top, {"spec", "job", "options", "envs", "AZUREML_NODE_COUNT"});
  std::optional<std::int64_t> nodes =
      count.is_int() ? count.as_int() : ToInteger(count.text_or_empty());
  if (!nodes) {
    return Fail(Code::kNotDefined,
                "spec.job.options.envs.AZUREML_NODE_COUNT must be there, and an integer");
  }
  plan.min_member = nodes;
  return plan;
}

// Whether pods of the revision are in groups of their own, as they were without gangs.
bool HasGroupPerPod(const Subject& subject, std::string_view revision) {
  auto pods = subject.cluster->Pods(subject.name_space());
  if (!pods) return false;
  return std::ranges::any_of(*pods, [&](const Value& pod) {
    return Label(pod, "serving.knative.dev/revision") == revision &&
           Annotation(pod, "pod-group-name") == GroupName(pod);
  });
}

Result<Plan> PlanKnative(const Subject& subject) {
  Plan plan = StartPlan(subject, {.priority = "inference"});
  std::string name(Label(subject.pod, "serving.knative.dev/revision"));
  auto revision = subject.cluster->Object(
      {"serving.knative.dev/v1", "Revision", std::string(subject.name_space()), name});
  if (!revision) return Fail(Code::kNotFound, Cat("the revision ", Quote(name), " is not there"));
  if (!subject.options->knative_gangs || HasGroupPerPod(subject, name)) {
    OnePodEach(subject, plan);
    return plan;
  }
  plan.name = GroupName(*revision);
  plan.owner = OwnerOf(*revision);
  std::string_view text = Annotation(*revision, "autoscaling.knative.dev/min-scale");
  if (text.empty()) return plan;
  std::optional<std::int64_t> minimum = ToInteger(text);
  if (!minimum || *minimum < 0) {
    return Fail(Code::kInvalid, Cat("annotation autoscaling.knative.dev/min-scale is ", Quote(text),
                                    ", it must be an integer from 0 on"));
  }
  plan.min_member = minimum;
  return plan;
}

constexpr std::string_view kKubeflow = "kubeflow.org";
constexpr std::string_view kSeldon = "machinelearning.seldon.io";
constexpr std::string_view kRay = "ray.io";
constexpr std::string_view kRunai = "run.ai";

constexpr NativeRule kRules[] = {
    {kSeldon, "v1alpha2", "SeldonDeployment", "default", PlanByDefault},
    {kSeldon, "v1", "SeldonDeployment", "default", PlanByDefault},
    {"kubevirt.io", "v1", "VirtualMachineInstance", "default", PlanByDefault},
    {"apps", "v1", "StatefulSet", "default", PlanByDefault},
    {"apps", "v1", "ReplicaSet", "default", PlanByDefault},
    {"workspace.devfile.io", "v1alpha2", "DevWorkspace", "default", PlanByDefault},
    {kKubeflow, "v1alpha1", "ScheduledWorkflow", "default", PlanByDefault},
    {"tekton.dev", "v1", "PipelineRun", "default", PlanByDefault},
    {"tekton.dev", "v1", "TaskRun", "default", PlanByDefault},
    {"apps", "v1", "Deployment", "deployment", PlanDeployment},
    {"", "v1", "Pod", "pod", PlanPodAlone},
    {"batch", "v1", "Job", "job", PlanJob},
    {"batch", "v1", "CronJob", "cronjob", PlanCronJob},
    {kKubeflow, "v1", "TFJob", "tensorflow", PlanTensorFlow},
    {kKubeflow, "v1", "JAXJob", "jax", PlanJax},
    {kKubeflow, "v1", "XGBoostJob", "xgboost", PlanXGBoost},
    {kKubeflow, "v1", "PyTorchJob", "pytorch", PlanPyTorch},
    {kKubeflow, "v1", "MPIJob", "mpi", PlanMpi},
    {kKubeflow, "v2beta1", "MPIJob", "mpi", PlanMpi},
    {kKubeflow, "v1beta1", "Notebook", "notebook", PlanNotebook},
    {kRunai, "v1", "RunaiJob", "runaijob", PlanRunaiJob},
    {"amlarc.azureml.com", "v1alpha1", "AmlJob", "aml", PlanAmlJob},
    {"egx.nvidia.io", "v1", "SPOTRequest", "spotrequest", PlanSpotRequest},
    {"serving.knative.dev", "v1", "Service", "knative", PlanKnative},
    {kRay, "v1alpha1", "RayCluster", "ray", PlanRay},
    {kRay, "v1alpha1", "RayJob", "ray", PlanRay},
    {kRay, "v1alpha1", "RayService", "ray", PlanRay},
    {kRay, "v1", "RayCluster", "ray", PlanRay},
    {kRay, "v1", "RayJob", "ray", PlanRay},
    {kRay, "v1", "RayService", "ray", PlanRay},
    {"leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet", "leaderworkerset", PlanLeaderWorkerSet},
    {"jobset.x-k8s.io", "v1alpha2", "JobSet", "jobset", PlanJobSet},
    {"grove.io", "v1alpha1", "PodGangSet", "grove", PlanGrove},
    {"grove.io", "v1alpha1", "PodCliqueSet", "grove", PlanGrove},
    {"argoproj.io", "v1alpha1", "Workflow", "skip", nullptr},
    {kRunai, "*", "TrainingWorkload", "skip", nullptr},
    {kRunai, "*", "InteractiveWorkload", "skip", nullptr},
    {kRunai, "*", "DistributedWorkload", "skip", nullptr},
    {kRunai, "*", "InferenceWorkload", "skip", nullptr},
    {kRunai, "*", "DistributedInferenceWorkload", "skip", nullptr},
    {"trainer.kubeflow.org", "v1alpha1", "TrainJob", "skip", nullptr},
    {"nvidia.com", "*", "DynamoGraphDeployment", "skip", nullptr},
};

}  // namespace

Result<Plan> PlanByDefault(const Subject& subject) {
  return StartPlan(subject, {.whole_chain = true});
}

std::span<const NativeRule> NativeRules() { return kRules; }

const NativeRule* FindNativeRule(const definition::GroupVersionKind& kind, bool exact) {
  auto find = [&](std::string_view version) -> const NativeRule* {
    auto at = std::ranges::find_if(kRules, [&](const NativeRule& rule) {
      return rule.kind == kind.kind && rule.group == kind.group && rule.version == version;
    });
    return at == std::end(kRules) ? nullptr : &*at;
  };
  const NativeRule* rule = find(kind.version);
  return rule == nullptr && !exact ? find("*") : rule;
}

Result<Segments> SegmentsOf(std::span<const Value> annotated) {
  Segments segments;
  auto first = [&](std::string_view key) {
    for (const Value& object : annotated) {
      std::string_view text = Annotation(object, key);
      if (!text.empty()) return text;
    }
    return std::string_view();
  };
  std::string_view text = first(kSegmentAnnotation);
  if (text.empty()) return segments;
  std::optional<std::int64_t> size = ToInteger(text);
  if (!size || *size <= 0) {
    return Fail(Code::kInvalid, Cat("annotation ", kSegmentAnnotation, " is ", Quote(text),
                                    ", it must be an integer from 1 on"));
  }
  segments.size = *size;
  segments.topology = {std::string(first(kTopologyAnnotation)),
                       std::string(first("kai.scheduler/segment-topology-required-placement")),
                       std::string(first("kai.scheduler/segment-topology-preferred-placement"))};
  if (segments.topology.required.empty() && segments.topology.preferred.empty()) {
    segments.topology = {};
  }
  return segments;
}

}  // namespace wmap::gang
