// Services of models: where their kinds are known to be misread, and what each kind has of its own,
// on the smallest objects that show it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "base/text.h"
#include "tests/support/seen.h"

namespace wmap {
namespace {

using ::testing::HasSubstr;
using testing::Seen;

std::string Object(std::string_view api_version, std::string_view kind, std::string_view rest) {
  return Cat("{apiVersion: ", api_version, ", kind: ", kind,
             ", metadata: {name: it, namespace: lab, uid: u}, ", rest, "}\n");
}

std::string SummaryOf(std::string_view api_version, std::string_view kind, std::string_view rest) {
  Seen seen(Object(api_version, kind, rest));
  std::string codes = seen.Codes("it");
  return codes.empty() ? seen.Summary("it") : Cat(seen.Summary("it"), " [", codes, "]");
}

std::string Inference(std::string_view rest) {
  return SummaryOf("serving.kserve.io/v1beta1", "InferenceService", rest);
}

std::string Llm(std::string_view rest) {
  std::string older = SummaryOf("serving.kserve.io/v1alpha1", "LLMInferenceService", rest);
  std::string newer = SummaryOf("serving.kserve.io/v1alpha2", "LLMInferenceService", rest);
  EXPECT_EQ(older, newer);
  return newer;
}

std::string Nim(std::string_view rest) {
  return SummaryOf("apps.nvidia.com/v1alpha1", "NIMService", rest);
}

std::string Knative(std::string_view annotations, std::string_view status = "{}") {
  return SummaryOf("serving.knative.dev/v1", "Service",
                   Cat("spec: {template: {metadata: {annotations: {", annotations,
                       "}}, spec: {containers: [{name: c, image: i}]}}}, status: ", status));
}

// A pod of the Deployment or LeaderWorkerSet of "it", owned by it directly for short.
std::string Pod(std::string_view name, std::string_view owner, std::string_view labels,
                std::string_view spec = "containers: [{name: main}]") {
  return Cat("---\n{apiVersion: v1, kind: Pod, metadata: {name: ", name,
             ", namespace: lab, uid: ", name, ", labels: {", labels,
             "}, ownerReferences: [{kind: ", owner,
             ", name: it, uid: u, controller: true}]}, spec: {nodeName: n, ", spec,
             "}, status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}}\n");
}

constexpr std::string_view kTwoGpus = "resources: {limits: {nvidia.com/gpu: 2}}";

// --- RayService -------------------------------------------------------------------------------

constexpr std::string_view kTwoGroups =
    "spec: {rayClusterConfig: {headGroupSpec: {template: {spec: {containers: [{name: h}]}}}, "
    "workerGroupSpecs: [{groupName: a, replicas: 1, template: {spec: {containers: [{name: w}]}}}, "
    "{groupName: b, replicas: 4, minReplicas: 1, numOfHosts: 2, template: {spec: {containers: "
    "[{name: w}]}}}]}}";

std::string RayService(std::string_view status, std::string_view spec = kTwoGroups) {
  return SummaryOf("ray.io/v1", "RayService", Cat(spec, ", status: {", status, "}"));
}

TEST(RayService, PhasesOfTheConditions) {
  auto ready = [](std::string_view status, std::string_view reason) {
    return RayService(Cat("conditions: [{type: Ready, status: '", status, "', reason: ", reason,
                          "}, {type: UpgradeInProgress, status: 'False'}]"));
  };
  EXPECT_EQ(RayService(""), "Initializing; head 1, a 1, b 8; 0 GPUs");
  EXPECT_THAT(ready("False", "Initializing"), HasSubstr("Initializing"));
  EXPECT_THAT(ready("False", "InitializingTimeout"), HasSubstr("Failed"));
  EXPECT_THAT(ready("True", "NonZeroServeEndpoints"), HasSubstr("Running"));
  EXPECT_THAT(ready("False", "ZeroServeEndpoints"), HasSubstr("Degraded"));
}

TEST(RayService, OperatorsWithoutConditions) {
  EXPECT_THAT(RayService("serviceStatus: WaitForServeDeploymentReady"), HasSubstr("Initializing"));
  EXPECT_THAT(RayService("serviceStatus: Running"), HasSubstr("Running"));
  EXPECT_THAT(RayService("serviceStatus: FailedToGetServeDeploymentStatus"),
              HasSubstr("Initializing"));
  EXPECT_THAT(RayService("serviceStatus: Restarting, activeServiceStatus: {rayClusterName: c}"),
              HasSubstr("Degraded"));
}

TEST(RayService, SuspendedAndBack) {
  auto with = [](std::string_view suspend, std::string_view conditions) {
    return RayService(Cat("conditions: [", conditions, "]"),
                      Cat("spec: {suspend: ", suspend, ", rayClusterConfig: {headGroupSpec: ",
                          "{template: {spec: {containers: [{name: h}]}}}}}"));
  };
  EXPECT_THAT(with("true", "{type: Ready, status: 'True'}"), HasSubstr("Suspending"));
  EXPECT_THAT(with("true", "{type: Suspending, status: 'True'}"), HasSubstr("Suspending"));
  EXPECT_THAT(with("true", "{type: Suspended, status: 'True'}"), HasSubstr("Suspended"));
  EXPECT_THAT(with("false", "{type: Suspended, status: 'True'}"), HasSubstr("Resuming"));
  constexpr std::string_view kHeld = "spec: {rayClusterConfig: {suspend: true}}";
  EXPECT_THAT(RayService("", kHeld), HasSubstr("Suspended"));
  EXPECT_THAT(RayService("serviceStatus: Running", kHeld), HasSubstr("Suspending"));
}

TEST(RayService, AnApplicationInTroubleHasNotFailed) {
  auto application = [](std::string_view status) {
    return RayService(Cat("conditions: [{type: Ready, status: 'True'}], activeServiceStatus: ",
                          "{applicationStatuses: {app: {status: ", status, "}}}"));
  };
  EXPECT_THAT(application("DEPLOYING"), HasSubstr("Running"));
  EXPECT_THAT(application("UNHEALTHY"), HasSubstr("Degraded"));
  EXPECT_THAT(application("DEPLOY_FAILED"), HasSubstr("Degraded"));
}

TEST(RayService, WhatTheClusterWasNotGivenIsNotWanted) {
  auto wanted = [](std::string_view status) {
    Seen seen(Object("ray.io/v1", "RayService", Cat(kTwoGroups, ", status: {", status, "}")));
    return seen.Find("it")->totals.pods.wanted.text();
  };
  EXPECT_EQ(wanted(""), "10");
  EXPECT_EQ(wanted("activeServiceStatus: {rayClusterStatus: {desiredWorkerReplicas: 5}}"), "6");
  EXPECT_EQ(wanted("activeServiceStatus: {rayClusterStatus: {desiredWorkerReplicas: 20}}"), "10");
  EXPECT_EQ(wanted("activeServiceStatus: {rayClusterStatus: {desiredWorkerReplicas: 5}}, "
                   "pendingServiceStatus: {rayClusterName: next}"),
            "10");
}

// --- Knative ----------------------------------------------------------------------------------

TEST(KnativeService, BoundsAreTextsAndNoNumberIsAnErrorOfItsFieldOnly) {
  EXPECT_EQ(Knative("autoscaling.knative.dev/min-scale: '2'"), "Initializing; revision 2; 0 GPUs");
  EXPECT_EQ(Knative("autoscaling.knative.dev/minScale: '3'"), "Initializing; revision 3; 0 GPUs");
  EXPECT_EQ(Knative(""), "Initializing; revision 1; 0 GPUs");
  EXPECT_EQ(Knative("autoscaling.knative.dev/min-scale: '1', "
                    "autoscaling.knative.dev/initial-scale: '5'"),
            "Initializing; revision 5; 0 GPUs");
  EXPECT_EQ(Knative("autoscaling.knative.dev/min-scale: '2', "
                    "autoscaling.knative.dev/max-scale: four"),
            "Initializing; revision 2; 0 GPUs [count]");
}

TEST(KnativeService, AFirstRevisionThatWaitsForANodeHasNotFailed) {
  auto failed = [](std::string_view message) {
    return Knative("", Cat("{conditions: [{type: ConfigurationsReady, status: 'False', reason: ",
                           "RevisionFailed, message: '", message,
                           "'}, {type: Ready, status: ", "'False', reason: RevisionMissing}]}"));
  };
  EXPECT_THAT(failed("0/3 nodes are available: 3 Insufficient nvidia.com/gpu."),
              HasSubstr("Initializing"));
  EXPECT_THAT(failed("Back-off pulling image \"nope\""), HasSubstr("Initializing"));
  EXPECT_THAT(failed("pods \"it\" is forbidden: exceeded quota: gpus"), HasSubstr("Initializing"));
  EXPECT_THAT(failed("Container failed with: no such model"), HasSubstr("Degraded"));
  EXPECT_THAT(failed("Initial scale was never achieved"), HasSubstr("Failed"));
}

// The pods that "it" asks for, beside an object that it owns.
std::string DesiredBeside(const std::string& object, std::string_view owner,
                          std::string_view api_version, std::string_view kind,
                          std::string_view rest) {
  Seen seen(Cat(object, "---\n{apiVersion: ", api_version, ", kind: ", kind,
                ", metadata: {name: a, namespace: lab, uid: a, labels: {component: predictor}, ",
                "ownerReferences: [{kind: ", owner, ", name: it, uid: u, controller: true}]}, ",
                rest, "}\n"));
  return seen.Find("it")->totals.pods.desired.text();
}

TEST(KnativeService, TheAutoscalerKnowsHowManyThereAreToBe) {
  auto desired = [](std::string_view reachability, std::string_view initialized,
                    std::string_view scale, std::string_view active) {
    return DesiredBeside(Object("serving.knative.dev/v1", "Service",
                                "spec: {template: {spec: {containers: [{name: c}]}}}"),
                         "Service", "autoscaling.internal.knative.dev/v1alpha1", "PodAutoscaler",
                         Cat("spec: {reachability: ", reachability, "}, status: {desiredScale: ",
                             scale, ", conditions: [{type: ScaleTargetInitialized, status: '",
                             initialized, "'}, {type: Active, status: '", active, "'}]}"));
  };
  EXPECT_EQ(desired("Reachable", "True", "4", "True"), "4");
  EXPECT_EQ(desired("Reachable", "True", "0", "False"), "0");
  EXPECT_EQ(desired("Reachable", "True", "-1", "False"), "0");
  EXPECT_EQ(desired("Reachable", "True", "-1", "True"), "1");
  EXPECT_EQ(desired("Reachable", "Unknown", "4", "True"), "1");
  EXPECT_EQ(desired("Unreachable", "True", "4", "True"), "1");
}

TEST(InferenceService, AnAutoscalerAboveTheMinimumWins) {
  auto desired = [](std::string_view status) {
    return DesiredBeside(Object("serving.kserve.io/v1beta1", "InferenceService",
                                "spec: {predictor: {minReplicas: 2, maxReplicas: 5, model: {}}}"),
                         "InferenceService", "autoscaling/v2", "HorizontalPodAutoscaler",
                         Cat("spec: {minReplicas: 2, maxReplicas: 5}, status: {", status, "}"));
  };
  EXPECT_EQ(desired("desiredReplicas: 4"), "4");
  EXPECT_EQ(desired("desiredReplicas: 0"), "2");
  EXPECT_EQ(desired(""), "2");
}

TEST(InferenceService, TheRuntimeMayHaveItsOwnIdeaOfTheWorkers) {
  EXPECT_EQ(DesiredBeside(Object("serving.kserve.io/v1beta1", "InferenceService",
                                 "spec: {predictor: {model: {}, workerSpec: "
                                 "{tensorParallelSize: 4, pipelineParallelSize: 2}}}"),
                          "InferenceService", "apps/v1", "Deployment",
                          "spec: {replicas: 1, template: {spec: {containers: "
                          "[{name: worker-container}]}}}"),
            "2");
}

TEST(NimService, AnAutoscalerAboveTheMinimumWins) {
  auto desired = [](std::string_view multi_node, std::string_view target) {
    return DesiredBeside(
        Object("apps.nvidia.com/v1alpha1", "NIMService",
               Cat("spec: {", multi_node, "scale: {enabled: true, hpa: {minReplicas: 1, ",
                   "maxReplicas: 5}}}")),
        "NIMService", "autoscaling/v2", "HorizontalPodAutoscaler",
        Cat("spec: {minReplicas: 1, maxReplicas: 5, scaleTargetRef: {kind: ", target,
            "}}, status: {desiredReplicas: 3}"));
  };
  EXPECT_EQ(desired("", "Deployment"), "3");
  EXPECT_EQ(desired("multiNode: {parallelism: {pipeline: 2}}, ", "LeaderWorkerSet"), "6");
}

TEST(KnativeService, WhileANewRevisionStartsTheOldOneServes) {
  EXPECT_THAT(Knative("",
                      "{latestCreatedRevisionName: it-2, latestReadyRevisionName: it-1, "
                      "conditions: [{type: Ready, status: Unknown}, "
                      "{type: RoutesReady, status: 'True'}]}"),
              HasSubstr("Running"));
}

// --- InferenceService -------------------------------------------------------------------------

TEST(InferenceService, NoStatusYet) {
  EXPECT_EQ(Inference("spec: {predictor: {model: {modelFormat: {name: sklearn}}}}"),
            "Initializing; predictor 1; ? GPUs")
      << "a runtime may have some";
}

TEST(InferenceService, EveryShapeOfAPredictorIsCounted) {
  EXPECT_EQ(Inference(Cat("spec: {predictor: {minReplicas: 3, model: {", kTwoGpus, "}}}")),
            "Initializing; predictor 3; 6 GPUs");
  EXPECT_EQ(Inference(Cat("spec: {predictor: {tensorflow: {", kTwoGpus, "}}}")),
            "Initializing; predictor 1; 2 GPUs");
  EXPECT_EQ(Inference(Cat("spec: {predictor: {containers: [{name: kserve-container, ", kTwoGpus,
                          "}]}, transformer: {minReplicas: 2, containers: [{name: t}]}}")),
            "Initializing; predictor 1, transformer 2; 2 GPUs");
  EXPECT_EQ(Inference(Cat("spec: {predictor: {model: {", kTwoGpus,
                          "}, containers: [{name: transformer-container, ", kTwoGpus, "}]}}")),
            "Initializing; predictor 1; 4 GPUs");
}

TEST(InferenceService, ZeroIsOneInRawModeUnlessSomethingElseScales) {
  auto with = [](std::string_view annotations) {
    Seen seen(
        Cat("{apiVersion: serving.kserve.io/v1beta1, kind: InferenceService, metadata: {name: ",
            "it, annotations: {", annotations,
            "}}, spec: {predictor: {minReplicas: 0, model: ", "{name: m}}}}"));
    return seen.Find("it")->totals.pods;
  };
  EXPECT_EQ(with("serving.kserve.io/deploymentMode: RawDeployment").desired.text(), "1");
  EXPECT_EQ(with("serving.kserve.io/deploymentMode: Standard, "
                 "serving.kserve.io/autoscalerClass: keda")
                .desired.text(),
            "0");
  workload::PodCounts knative = with("serving.kserve.io/deploymentMode: Serverless");
  EXPECT_EQ(knative.desired.text(), "0");
  EXPECT_EQ(knative.max, std::nullopt);
}

TEST(InferenceService, SpreadOverNodes) {
  auto spread = [](std::string_view sizes, std::string_view head, std::string_view worker) {
    auto requests = [](std::string_view gpus) {
      return gpus.empty() ? std::string("{}")
                          : Cat("{requests: {nvidia.com/gpu: ", gpus,
                                "}, limits: {nvidia.com/gpu: ", gpus, "}}");
    };
    return Inference(Cat("spec: {predictor: {model: {resources: ", requests(head),
                         "}, workerSpec: {", sizes, ", containers: [{name: worker-container, ",
                         "resources: ", requests(worker), "}]}}}"));
  };
  constexpr std::string_view kFourByTwo = "tensorParallelSize: 4, pipelineParallelSize: 2";
  EXPECT_EQ(spread(kFourByTwo, "4", "4"), "Initializing; head 1, worker 1; 8 GPUs");
  EXPECT_EQ(spread(kFourByTwo, "", "2"), "Initializing; head 1, worker 3; 8 GPUs");
  EXPECT_EQ(spread(kFourByTwo, "", "3"), "Initializing; head 1, worker 2; 8 GPUs");
  EXPECT_EQ(spread(kFourByTwo, "2", ""), "Initializing; head 1, worker 6; 8 GPUs");
  EXPECT_EQ(spread(kFourByTwo, "", ""), "Initializing; head 1, worker 7; 8 GPUs");
  EXPECT_EQ(spread(kFourByTwo, "8", "4"), "Initializing; head 1, worker 0; 8 GPUs");
  EXPECT_EQ(spread("pipelineParallelSize: 2", "", ""), "Initializing; head 1, worker 1; 2 GPUs");
}

TEST(InferenceService, HeadAndWorkersAreToldApart) {
  constexpr std::string_view kLabels =
      "serving.kserve.io/inferenceservice: it, component: predictor";
  constexpr std::string_view kSpread = "env: [{name: PIPELINE_PARALLEL_SIZE, value: '2'}]";
  Seen seen(
      Cat(Object("serving.kserve.io/v1beta1", "InferenceService",
                 "spec: {predictor: {model: {name: m}, workerSpec: {pipelineParallelSize: 2}}}"),
          Pod("h", "InferenceService", kLabels,
              Cat("containers: [{name: kserve-container, ", kSpread, "}]")),
          Pod("w", "InferenceService", kLabels,
              Cat("containers: [{name: worker-container, ", kSpread, "}]"))));
  EXPECT_EQ(seen.PlaceOf("h"), "InferenceService/it head");
  EXPECT_EQ(seen.PlaceOf("w"), "InferenceService/it worker");
}

TEST(InferenceService, APartThatIsNotReadyCountsWhateverReadySays) {
  auto status = [](std::string_view transformer) {
    return Inference(
        Cat("spec: {predictor: {model: {name: m}}, transformer: {containers: [{name: ",
            "t}]}}, status: {components: {predictor: {url: u}, transformer: ", transformer,
            "}, conditions: [{type: Ready, status: 'True'}, {type: ",
            "PredictorReady, status: 'True'}, {type: TransformerReady, status: ", "'False'}]}"));
  };
  EXPECT_THAT(status("{}"), HasSubstr("Initializing"));
  EXPECT_THAT(status("{url: u}"), HasSubstr("Degraded"));
}

TEST(InferenceService, StoppedByAnAnnotation) {
  auto stop = [](std::string_view value, std::string_view conditions) {
    return Seen(Cat("{apiVersion: serving.kserve.io/v1beta1, kind: InferenceService, metadata: ",
                    "{name: it, annotations: {serving.kserve.io/stop: '", value,
                    "'}}, spec: {predictor: {model: {name: m}}}, status: {conditions: [",
                    conditions, "]}}"))
        .Summary("it");
  };
  EXPECT_THAT(stop("true", "{type: Stopped, status: 'True'}"), HasSubstr("Suspended"));
  EXPECT_THAT(stop("true", "{type: Stopped, status: 'False'}, {type: Ready, status: 'True'}"),
              HasSubstr("Suspending"));
  EXPECT_THAT(stop("false", "{type: Stopped, status: 'True'}"), HasSubstr("Resuming"));
}

// --- LLMInferenceService ----------------------------------------------------------------------

TEST(LlmInferenceService, WhatIsRequestedCountsNotWhatIsUsed) {
  // A parallelism field that the server ignores.
  EXPECT_EQ(
      Llm("spec: {parallelism: {tensor: 2, pipeline: 2}, template: {containers: [{name: main, "
          "resources: {limits: {nvidia.com/gpu: 4}}}]}}"),
      "Initializing; workload 1; 4 GPUs");
}

TEST(LlmInferenceService, GroupsAndTheirSizes) {
  auto multi = [](std::string_view parallelism) {
    return Llm(Cat("spec: {replicas: 2, parallelism: ", parallelism,
                   ", template: {containers: [{name: main, ", kTwoGpus,
                   "}]}, worker: {containers: [{name: main, ", kTwoGpus, "}]}}"));
  };
  EXPECT_EQ(multi("{data: 16, dataLocal: 8}"), "Initializing; leader 2, worker 2; 8 GPUs");
  EXPECT_EQ(multi("{pipeline: 3, tensor: 8}"), "Initializing; leader 2, worker 4; 12 GPUs");
  EXPECT_EQ(multi("{data: 8, dataLocal: 8}"), "Initializing; leader 2; 4 GPUs");
  EXPECT_EQ(multi("{tensor: 8}"), "Initializing; leader 2; 4 GPUs");
}

TEST(LlmInferenceService, PrefillAndScheduler) {
  EXPECT_EQ(Llm(Cat("spec: {template: {containers: [{name: main, ", kTwoGpus,
                    "}]}, prefill: ", "{replicas: 2, template: {containers: [{name: main, ",
                    kTwoGpus, "}]}}, ", "router: {scheduler: {}}}")),
            "Initializing; workload 1, prefill 2, scheduler 1; 6 GPUs");
  EXPECT_EQ(Llm("spec: {template: {containers: [{name: main}]}, "
                "router: {scheduler: {pool: {ref: {name: other}}}}}"),
            "Initializing; workload 1; 0 GPUs");
}

TEST(LlmInferenceService, AFrozenParentIsInitializingAndItsPodsSayMore) {
  std::string parent = Object(
      "serving.kserve.io/v1alpha2", "LLMInferenceService",
      "spec: {parallelism: {pipeline: 2}, template: {containers: [{name: main}]}, worker: "
      "{containers: [{name: main}]}}, status: {conditions: [{type: Ready, status: 'False', reason: "
      "Progressing}]}");
  EXPECT_THAT(Seen(parent).Summary("it"), HasSubstr("Initializing"));
  constexpr std::string_view kIndex = "leaderworkerset.sigs.k8s.io/worker-index: ";
  constexpr std::string_view kComponent =
      ", app.kubernetes.io/component: llminferenceservice-workload-";
  Seen seen(Cat(parent, Pod("l", "LLMInferenceService", Cat(kIndex, "'0'", kComponent, "leader")),
                Pod("w", "LLMInferenceService", Cat(kIndex, "'1'", kComponent, "worker"))));
  EXPECT_EQ(seen.PlaceOf("l"), "LLMInferenceService/it leader");
  EXPECT_EQ(seen.PlaceOf("w"), "LLMInferenceService/it worker");
  EXPECT_THAT(seen.Summary("it"), HasSubstr("Running"));
  EXPECT_EQ(seen.Find("it")->status.phases, std::vector{workload::Phase::kInitializing});
}

TEST(LlmInferenceService, ScaledToZero) {
  EXPECT_THAT(Llm("spec: {replicas: 0, template: {containers: [{name: main}]}}"),
              HasSubstr("Suspended; workload 0"));
}

// --- NIMService, NIMCache ---------------------------------------------------------------------

TEST(NimService, CountsAndResources) {
  EXPECT_EQ(Nim(Cat("spec: {replicas: 3, ", kTwoGpus, "}")), "Initializing; server 3; 6 GPUs");
  EXPECT_EQ(Nim(Cat("spec: {replicas: 9, scale: {enabled: true, hpa: {minReplicas: 2, ",
                    "maxReplicas: 4}}, ", kTwoGpus, "}")),
            "Initializing; server 2; 4 GPUs");
  // A sidecar cannot ask for anything: the API server drops what a manifest says there.
  EXPECT_EQ(Nim(Cat("spec: {", kTwoGpus, ", sidecarContainers: [{name: s, image: {repository: r}, ",
                    "resources: {limits: {nvidia.com/gpu: 1}}}]}")),
            "Initializing; server 1; 2 GPUs");
  // The stages of the pipeline are pods; without GPUs each gets those of a stage.
  EXPECT_EQ(Nim("spec: {replicas: 2, multiNode: {parallelism: {pipeline: 3, tensor: 4}}}"),
            "Initializing; leader 2, worker 4; 24 GPUs");
  EXPECT_EQ(Nim("spec: {multiNode: {size: 2, gpusPerPod: 8}}"),
            "Initializing; leader 1, worker 1; 16 GPUs");
}

TEST(NimService, ItsPodsMayBeMadeByKServe) {
  std::string service =
      Object("apps.nvidia.com/v1alpha1", "NIMService", "spec: {inferencePlatform: kserve}");
  Seen seen(Cat(service, Pod("p", "NIMService", "serving.kserve.io/inferenceservice: it"),
                Pod("q", "NIMService", "app.kubernetes.io/part-of: nim-service")));
  EXPECT_EQ(seen.PlaceOf("p"), "NIMService/it server");
  EXPECT_EQ(seen.PlaceOf("q"), "NIMService/it server");
}

TEST(NimService, NotReadyBeforeAndAfterTheModelFirstAnswered) {
  EXPECT_THAT(Nim("spec: {}, status: {state: NotReady}"), HasSubstr("Initializing"));
  EXPECT_THAT(Nim("spec: {}, status: {state: NotReady, model: {name: m}}"), HasSubstr("Degraded"));
  EXPECT_THAT(Nim("spec: {}, status: {state: Ready, model: {name: m}}"), HasSubstr("Running"));
  EXPECT_THAT(Nim("spec: {replicas: 0}, status: {state: NotReady, model: {name: m}}"),
              HasSubstr("Suspended; server 0"));
  EXPECT_THAT(
      Nim("spec: {}, status: {state: Failed, conditions: [{type: Failed, status: 'True'}]}"),
      HasSubstr("Failed"));
}

TEST(NimCache, IsAJobThatEnds) {
  auto cache = [](std::string_view state) {
    return SummaryOf(
        "apps.nvidia.com/v1alpha1", "NIMCache",
        Cat("spec: {resources: {cpu: '0', memory: 4Gi}}, status: {state: ", state, "}"));
  };
  EXPECT_EQ(cache("PVC-Created"), "Initializing; cache 1; 0 GPUs");
  EXPECT_EQ(cache("InProgress"), "Running; cache 1; 0 GPUs");
  EXPECT_EQ(cache("Ready"), "Completed; cache 1; 0 GPUs");
  EXPECT_EQ(cache("Failed"), "Failed; cache 1; 0 GPUs");
}

}  // namespace
}  // namespace wmap
