#include "inspect/rollout.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/text.h"
#include "yaml/reader.h"

namespace wmap::inspect {
namespace {

using State = Rollout::State;

Rollout Of(std::string_view api_version, std::string_view kind, std::string_view text) {
  Arena arena;
  Result<json::Value> object = yaml::Read(text, arena);
  if (!object) {
    ADD_FAILURE() << object.error().Describe();
    return {};
  }
  return ReadRollout(api_version, kind, *object);
}

Rollout OfDeployment(std::string_view spec, std::string_view status) {
  return Of("apps/v1", "Deployment",
            Cat("{metadata: {name: web, namespace: ml}, spec: {", spec,
                "}, status: {observedGeneration: 2, ", status, "}}"));
}

TEST(Rollout, OfADeploymentIsOverWhenAllHaveTheNewestTemplate) {
  EXPECT_FALSE(OfDeployment("replicas: 2", "replicas: 2, updatedReplicas: 2"));
  EXPECT_FALSE(OfDeployment("replicas: 0", ""));
  Rollout going = OfDeployment("replicas: 3", "replicas: 3, updatedReplicas: 1");
  EXPECT_EQ(going.state, State::kGoing);
  EXPECT_TRUE(going.has_older);
  EXPECT_EQ(going.clause, "its newest template is on 1 of 3 pods");
}

TEST(Rollout, OfADeploymentThatIsPausedIsHeld) {
  // The controller makes nothing of the new template then, and leaves out a count of 0.
  Rollout none = OfDeployment("paused: true", "replicas: 2");
  EXPECT_EQ(none.state, State::kHeld);
  EXPECT_TRUE(none.has_older);
  EXPECT_EQ(none.clause, "it is paused, and its newest template is on none of its 2 pods");
  EXPECT_EQ(none.advice, "to let it go on: kubectl rollout resume deployment -n ml web");
  EXPECT_EQ(OfDeployment("paused: true", "replicas: 1").clause,
            "it is paused, and its newest template is not on its pod");
  Rollout same = OfDeployment("paused: true", "replicas: 2, updatedReplicas: 2");
  EXPECT_EQ(same.state, State::kHeld);
  EXPECT_FALSE(same.has_older);
  EXPECT_EQ(same.clause, "it is paused: changes of its template are not rolled out");
}

TEST(Rollout, OfADeploymentThatWasPausedFromTheStartHoldsAll) {
  auto of = [](std::string_view metadata) {
    return Of("apps/v1", "Deployment",
              Cat("{metadata: {name: web, namespace: ml", metadata,
                  "}, spec: {replicas: 2, paused: true}, status: {observedGeneration: 1}}"));
  };
  Rollout never = of("");
  EXPECT_EQ(never.state, State::kHeld);
  EXPECT_TRUE(never.holds_all);
  EXPECT_EQ(never.clause, "it is paused, and no pod is made before it goes on");
  EXPECT_EQ(never.advice, "to let it go on: kubectl rollout resume deployment -n ml web");
  // It has made pods before, and goes on to.
  EXPECT_FALSE(of(", annotations: {deployment.kubernetes.io/revision: '1'}").holds_all);
  EXPECT_FALSE(OfDeployment("paused: true", "replicas: 2").holds_all);
}

TEST(Rollout, OfPodsThatAreToBeReadyForLongerTellsHowMany) {
  Rollout none =
      OfDeployment("minReadySeconds: 300", "replicas: 2, updatedReplicas: 2, readyReplicas: 2");
  EXPECT_EQ(none.state, State::kSettling);
  EXPECT_FALSE(none.has_older);
  EXPECT_EQ(none.clause,
            "none of 2 ready pods is available: each has to be ready for 300 seconds "
            "(minReadySeconds)");
  Rollout going =
      OfDeployment("minReadySeconds: 1",
                   "replicas: 3, updatedReplicas: 1, readyReplicas: 3, availableReplicas: 2");
  EXPECT_EQ(going.state, State::kGoing);
  EXPECT_EQ(going.clause,
            "its newest template is on 1 of 3 pods, and only 2 of 3 ready pods are available: each "
            "has to be ready for 1 second (minReadySeconds)");
  EXPECT_FALSE(OfDeployment("minReadySeconds: 300",
                            "replicas: 2, updatedReplicas: 2, readyReplicas: 2, "
                            "availableReplicas: 2"));
  EXPECT_FALSE(OfDeployment("", "replicas: 2, updatedReplicas: 2, readyReplicas: 2"));
  EXPECT_EQ(Of("apps/v1", "StatefulSet",
               "{spec: {minReadySeconds: 9}, status: {observedGeneration: 1, replicas: 1, "
               "updatedReplicas: 1, readyReplicas: 1, availableReplicas: 0}}")
                .state,
            State::kSettling);
  EXPECT_EQ(Of("apps/v1", "DaemonSet",
               "{spec: {minReadySeconds: 9}, status: {observedGeneration: 1, "
               "currentNumberScheduled: 2, updatedNumberScheduled: 2, numberReady: 2, "
               "numberAvailable: 1}}")
                .clause,
            "only 1 of 2 ready pods is available: each has to be ready for 9 seconds "
            "(minReadySeconds)");
  EXPECT_EQ(Of("apps/v1", "ReplicaSet",
               "{spec: {minReadySeconds: 9}, status: {observedGeneration: 1, replicas: 1, "
               "readyReplicas: 1}}")
                .state,
            State::kSettling);
}

TEST(Rollout, OfADeploymentThatHasTimedOutIsStuck) {
  Rollout stuck = OfDeployment(
      "replicas: 2",
      "replicas: 3, updatedReplicas: 1, conditions: [{type: Progressing, status: 'False', reason: "
      "ProgressDeadlineExceeded, message: ReplicaSet \"web-1\" has timed out progressing.}]");
  EXPECT_EQ(stuck.state, State::kStuck);
  EXPECT_EQ(stuck.clause, "its rollout is stuck: its newest template is on 1 of 3 pods");
  EXPECT_EQ(stuck.message, "ReplicaSet \"web-1\" has timed out progressing.");
  EXPECT_EQ(stuck.advice,
            "mend its template, or go back: kubectl rollout undo deployment -n ml web");
}

TEST(Rollout, OfSomethingThatWasCutDownToAFewFieldsIsNotKnown) {
  EXPECT_FALSE(Of("apps/v1", "Deployment", "{spec: {replicas: 2}, status: {replicas: 2}}"));
}

Rollout OfStatefulSet(std::string_view strategy, std::string_view status) {
  return Of("apps/v1", "StatefulSet",
            Cat("{spec: {replicas: 3, updateStrategy: {", strategy,
                "}}, status: {observedGeneration: 2, replicas: 3, ", status, "}}"));
}

TEST(Rollout, OfAStatefulSetGoesByItsRevisionsAndItsStrategy) {
  constexpr std::string_view kTwo = "currentRevision: a, updateRevision: b";
  EXPECT_EQ(OfStatefulSet("type: RollingUpdate", kTwo).state, State::kGoing);
  // A pod on its way out is not counted among the updated.
  EXPECT_FALSE(OfStatefulSet("type: RollingUpdate",
                             "updatedReplicas: 2, currentRevision: a, updateRevision: a"));
  Rollout on_delete = OfStatefulSet("type: OnDelete", Cat(kTwo, ", updatedReplicas: 1"));
  EXPECT_EQ(on_delete.state, State::kHeld);
  EXPECT_EQ(on_delete.clause,
            "its newest template is on 1 of 3 pods: with its update strategy OnDelete others keep "
            "theirs until they are deleted");
  // Its current revision stays when all have the newest.
  EXPECT_FALSE(OfStatefulSet("type: OnDelete", Cat(kTwo, ", updatedReplicas: 3")));
  constexpr std::string_view kPartition = "type: RollingUpdate, rollingUpdate: {partition: 2}";
  EXPECT_EQ(OfStatefulSet(kPartition, kTwo).state, State::kGoing);
  Rollout held = OfStatefulSet(kPartition, Cat(kTwo, ", updatedReplicas: 1"));
  EXPECT_EQ(held.state, State::kHeld);
  EXPECT_EQ(held.clause,
            "its newest template is on 1 of 3 pods: partition 2 of its update strategy holds the "
            "others back");
}

TEST(Rollout, OfADaemonSetCountsWhereItRuns) {
  auto of = [](std::string_view type, std::string_view status) {
    return Of("apps/v1", "DaemonSet",
              Cat("{spec: {updateStrategy: {type: ", type,
                  "}}, status: {observedGeneration: 2, currentNumberScheduled: 4, ", status, "}}"));
  };
  EXPECT_FALSE(of("RollingUpdate", "updatedNumberScheduled: 4"));
  EXPECT_EQ(of("RollingUpdate", "updatedNumberScheduled: 1").state, State::kGoing);
  EXPECT_EQ(of("OnDelete", "numberReady: 4").state, State::kHeld);
}

TEST(Rollout, OfALeaderWorkerSetCountsGroups) {
  constexpr std::string_view kApi = "leaderworkerset.x-k8s.io/v1";
  auto of = [&](std::string_view word, std::string_view partition) {
    return Of(kApi, "LeaderWorkerSet",
              Cat("{spec: {rolloutStrategy: {type: RollingUpdate, rollingUpdateConfiguration: {",
                  partition,
                  "}}}, status: {observedGeneration: 2, replicas: 4, updatedReplicas: 1, "
                  "conditions: [{type: UpdateInProgress, status: '",
                  word, "'}]}}"));
  };
  Rollout going = of("True", "partition: 0");
  EXPECT_EQ(going.state, State::kGoing);
  EXPECT_EQ(going.clause, "its newest template is on 1 of 4 groups");
  EXPECT_EQ(of("False", "partition: 3").state, State::kHeld);
  EXPECT_FALSE(of("False", "partition: 0"));
}

TEST(Rollout, OfAKnativeServiceNamesBothRevisions) {
  auto of = [](std::string_view created, std::string_view ready, std::string_view word) {
    return Of("serving.knative.dev/v1", "Service",
              Cat("{status: {latestCreatedRevisionName: ", created, ", latestReadyRevisionName: ",
                  ready, ", conditions: [{type: ConfigurationsReady, status: '", word,
                  "', message: it crashes}]}}"));
  };
  EXPECT_FALSE(of("chat-1", "chat-1", "True"));
  EXPECT_FALSE(of("chat-1", "null", "Unknown"));
  Rollout stuck = of("chat-2", "chat-1", "False");
  EXPECT_EQ(stuck.state, State::kStuck);
  EXPECT_EQ(stuck.clause, "its newest revision chat-2 is not ready, and chat-1 serves meanwhile");
  EXPECT_EQ(stuck.message, "it crashes");
  EXPECT_EQ(of("chat-2", "chat-1", "Unknown").state, State::kGoing);
  // One that could not be made at all has no name.
  EXPECT_EQ(of("chat-1", "chat-1", "False").clause,
            "its newest revision is not ready, and chat-1 serves meanwhile");
}

TEST(Rollout, OfAnInferenceServiceGoesByRevisionsOrByItsModel) {
  constexpr std::string_view kApi = "serving.kserve.io/v1beta1";
  Rollout revision = Of(kApi, "InferenceService",
                        "{status: {components: {predictor: {latestCreatedRevision: p-2, "
                        "latestReadyRevision: p-1}}, conditions: [{type: PredictorReady, status: "
                        "'False', message: no room}]}}");
  EXPECT_EQ(revision.state, State::kStuck);
  EXPECT_EQ(revision.clause,
            "the newest revision p-2 of its predictor is not ready, and p-1 serves meanwhile");
  EXPECT_EQ(revision.message, "no room");
  auto of_model = [&](std::string_view active, std::string_view transition) {
    return Of(
        kApi, "InferenceService",
        Cat("{status: {modelStatus: {states: {activeModelState: ", active,
            "}, transitionStatus: ", transition, ", lastFailureInfo: {message: no such file}}}}"));
  };
  EXPECT_FALSE(of_model("Loaded", "UpToDate"));
  EXPECT_FALSE(of_model("FailedToLoad", "BlockedByFailedLoad"));
  Rollout blocked = of_model("Loaded", "BlockedByFailedLoad");
  EXPECT_EQ(blocked.state, State::kStuck);
  EXPECT_EQ(blocked.message, "no such file");
  EXPECT_EQ(of_model("Loaded", "InProgress").state, State::kGoing);
}

TEST(Rollout, OfARayServiceNamesBothClusters) {
  auto of = [](std::string_view pending) {
    return Of("ray.io/v1", "RayService",
              Cat("{status: {activeServiceStatus: {rayClusterName: old}, pendingServiceStatus: {",
                  pending, "}}}"));
  };
  EXPECT_FALSE(of(""));
  Rollout going = of("rayClusterName: new");
  EXPECT_EQ(going.state, State::kGoing);
  EXPECT_EQ(going.clause, "its newest cluster new does not serve yet, and old serves meanwhile");
  Rollout stuck = of(
      "rayClusterName: new, applicationStatuses: {a: {status: DEPLOY_FAILED, message: no module}}");
  EXPECT_EQ(stuck.state, State::kStuck);
  EXPECT_EQ(stuck.message, "application a is DEPLOY_FAILED: no module");
}

TEST(Rollout, OfOtherKindsIsWhatTheyCountOrSay) {
  EXPECT_EQ(Of("example.com/v1", "Fleet", "{status: {replicas: 2, updatedReplicas: 1}}").clause,
            "its newest template is on 1 of 2 replicas");
  EXPECT_EQ(Of("example.com/v1", "Fleet",
               "{status: {conditions: [{type: UpdateInProgress, status: 'True'}]}}")
                .state,
            State::kGoing);
  EXPECT_FALSE(Of("example.com/v1", "Fleet", "{status: {replicas: 2}}"));
  EXPECT_FALSE(Of("example.com/v1", "Fleet", "[]"));
}

}  // namespace
}  // namespace wmap::inspect
