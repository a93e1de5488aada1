#include "generate/objects.h"
#include "generate/parts.h"

namespace wmap::bench {
namespace {

const Role* FindRole(const Workload& workload, std::string_view name) {
  for (const Role& role : workload.roles) {
    if (role.name == name) return &role;
  }
  return nullptr;
}

int Pods(const Workload& workload) {
  int sum = 0;
  for (const Role& role : workload.roles) sum += role.pods();
  return sum;
}

int GpusWanted(const Workload& workload) {
  int sum = 0;
  for (const Role& role : workload.roles) sum += role.pods() * role.gpus;
  return sum;
}

// --- Deployment ----------------------------------------------------------------------------------

void PrintDeployment(JsonPrinter& out, const Workload& workload) {
  const Role& role = workload.roles.front();
  const bool running = workload.state == State::kRunning;
  const StringMap labels = {{"app", workload.name}};
  out.Object("spec", [&] {
    out.Field("progressDeadlineSeconds", 600);
    out.Field("replicas", role.size);
    out.Field("revisionHistoryLimit", 10);
    out.Object("selector", [&] { PrintStrings(out, "matchLabels", labels); });
    out.Object("strategy", [&] {
      out.Object("rollingUpdate", [&] {
        out.Field("maxSurge", "25%");
        out.Field("maxUnavailable", "25%");
      });
      out.Field("type", "RollingUpdate");
    });
    PrintTemplate(out, workload, role.name, role.gpus, labels, {});
  });
  out.Object("status", [&] {
    if (running) out.Field("availableReplicas", role.size);
    out.Array("conditions", [&] {
      if (running) {
        PrintCondition(
            out, workload,
            {"Available", true, "MinimumReplicasAvailable", "Deployment has minimum availability."},
            true);
        PrintCondition(out, workload,
                       {"Progressing", true, "NewReplicaSetAvailable",
                        "ReplicaSet has successfully progressed."},
                       true);
      } else {
        PrintCondition(out, workload,
                       {"Available", false, "MinimumReplicasUnavailable",
                        "Deployment does not have minimum availability."},
                       true);
        PrintCondition(out, workload,
                       {"Progressing", true, "ReplicaSetUpdated", "ReplicaSet is progressing."},
                       true);
      }
    });
    out.Field("observedGeneration", 1);
    if (running) out.Field("readyReplicas", role.size);
    out.Field("replicas", role.size);
    if (!running) out.Field("unavailableReplicas", role.size);
    out.Field("updatedReplicas", role.size);
  });
}

// --- Job -----------------------------------------------------------------------------------------

void PrintJobCondition(JsonPrinter& out, const Workload& workload, std::string_view type,
                       std::string_view reason, std::string_view message) {
  out.Object([&] {
    out.Field("lastProbeTime", workload.created);
    out.Field("lastTransitionTime", workload.created);
    out.Field("message", message);
    out.Field("reason", reason);
    out.Field("status", "True");
    out.Field("type", type);
  });
}

void PrintJobStatus(JsonPrinter& out, const Workload& workload, int pods) {
  const State state = workload.state;
  out.Object("status", [&] {
    if (state <= State::kWaiting) out.Field("active", pods);
    if (state == State::kCompleted) {
      out.Field("completedIndexes", pods == 1 ? "0" : "0-" + std::to_string(pods - 1));
      out.Field("completionTime", workload.created);
      out.Array("conditions", [&] {
        for (const std::string_view type : {"SuccessCriteriaMet", "Complete"}) {
          PrintJobCondition(out, workload, type, "CompletionsReached",
                            "Reached expected number of succeeded pods");
        }
      });
    }
    if (state == State::kFailed) {
      out.Array("conditions", [&] {
        for (const std::string_view type : {"FailureTarget", "Failed"}) {
          PrintJobCondition(out, workload, type, "BackoffLimitExceeded",
                            "Job has reached the specified backoff limit");
        }
      });
      out.Field("failed", pods);
    }
    out.Field("ready", state == State::kRunning ? pods : 0);
    out.Field("startTime", workload.created);
    if (state == State::kCompleted) out.Field("succeeded", pods);
    out.Field("terminating", 0);
    out.Object("uncountedTerminatedPods", [] {});
  });
}

void PrintJobSpec(JsonPrinter& out, const Workload& workload, const std::string& name,
                  const std::string& uid, std::string_view role, int pods, int gpus,
                  const StringMap& marks) {
  StringMap labels = {{"batch.kubernetes.io/controller-uid", uid},
                      {"batch.kubernetes.io/job-name", name},
                      {"controller-uid", uid},
                      {"job-name", name}};
  labels.insert(marks.begin(), marks.end());
  out.Object("spec", [&] {
    out.Field("backoffLimit", 0);
    out.Field("completionMode", "Indexed");
    out.Field("completions", pods);
    out.Field("manualSelector", false);
    out.Field("parallelism", pods);
    out.Field("podReplacementPolicy", "TerminatingOrFailed");
    out.Object("selector", [&] {
      PrintStrings(out, "matchLabels", {{"batch.kubernetes.io/controller-uid", uid}});
    });
    out.Field("suspend", false);
    PrintTemplate(out, workload, role, gpus, labels, marks);
  });
}

// --- JobSet --------------------------------------------------------------------------------------

void PrintJobSetStatus(JsonPrinter& out, const Workload& workload) {
  const State state = workload.state;
  out.Object("status", [&] {
    if (state == State::kCompleted || state == State::kFailed) {
      out.Array("conditions", [&] {
        if (state == State::kCompleted) {
          PrintCondition(out, workload,
                         {"Completed", true, "AllJobsCompleted", "jobset completed successfully"});
        } else {
          PrintCondition(
              out, workload,
              {"Failed", true, "FailedJobs", "jobset failed due to one or more job failures"});
        }
      });
    }
    out.Array("replicatedJobsStatus", [&] {
      for (const Role& role : workload.roles) {
        out.Object([&] {
          out.Field("active", state <= State::kWaiting ? role.copies : 0);
          out.Field("failed", state == State::kFailed ? role.copies : 0);
          out.Field("name", role.name);
          out.Field("ready", state == State::kRunning ? role.copies : 0);
          out.Field("succeeded", state == State::kCompleted ? role.copies : 0);
          out.Field("suspended", 0);
        });
      }
    });
    out.Field("restarts", 0);
    if (state == State::kCompleted) out.Field("terminalState", "Completed");
    if (state == State::kFailed) out.Field("terminalState", "Failed");
  });
}

void PrintJobSet(JsonPrinter& out, const Workload& workload) {
  out.Object("spec", [&] {
    out.Object("failurePolicy", [&] {
      out.Field("maxRestarts", 0);
      out.Field("restartStrategy", "Recreate");
    });
    out.Object("network", [&] {
      out.Field("enableDNSHostnames", true);
      out.Field("publishNotReadyAddresses", true);
    });
    out.Array("replicatedJobs", [&] {
      for (const Role& role : workload.roles) {
        out.Object([&] {
          out.Field("groupName", "default");
          out.Field("name", role.name);
          out.Field("replicas", role.copies);
          out.Object("template", [&] {
            out.Object("metadata", [] {});
            out.Object("spec", [&] {
              out.Field("backoffLimit", 0);
              out.Field("completionMode", "Indexed");
              out.Field("completions", role.size);
              out.Field("parallelism", role.size);
              PrintTemplate(out, workload, role.name, role.gpus, {}, {});
            });
          });
        });
      }
    });
    out.Object("startupPolicy", [&] { out.Field("startupPolicyOrder", "AnyOrder"); });
    out.Object("successPolicy", [&] { out.Field("operator", "All"); });
    out.Field("suspend", false);
  });
  PrintJobSetStatus(out, workload);
}

// --- LeaderWorkerSet -----------------------------------------------------------------------------

void PrintLeaderWorkerSet(JsonPrinter& out, const Workload& workload) {
  const Role& role = workload.roles.front();
  const bool running = workload.state == State::kRunning;
  out.Object("spec", [&] {
    out.Object("leaderWorkerTemplate", [&] {
      out.Field("restartPolicy", "RecreateGroupOnPodRestart");
      out.Field("size", role.size);
      out.Object("workerTemplate", [&] {
        out.Object("metadata", [] {});
        out.Object("spec", [&] {
          PrintContainers(out, workload, role.name, role.gpus, nullptr);
          PrintTolerations(out);
        });
      });
    });
    out.Object("networkConfig", [&] { out.Field("subdomainPolicy", "Shared"); });
    out.Field("replicas", role.copies);
    out.Object("rolloutStrategy", [&] {
      out.Object("rollingUpdateConfiguration", [&] {
        out.Field("maxSurge", 0);
        out.Field("maxUnavailable", 1);
        out.Field("partition", 0);
      });
      out.Field("type", "RollingUpdate");
    });
    out.Field("startupPolicy", "LeaderCreated");
  });
  out.Object("status", [&] {
    out.Array("conditions", [&] {
      PrintCondition(out, workload,
                     {"Progressing", !running, "GroupsProgressing", "Replicas are progressing"});
      if (running) {
        PrintCondition(out, workload,
                       {"Available", true, "AllGroupsReady", "All replicas are ready"});
      }
    });
    out.Field("hpaPodSelector", "leaderworkerset.sigs.k8s.io/name=" + workload.name +
                                    ",leaderworkerset.sigs.k8s.io/worker-index=0");
    out.Field("observedGeneration", 1);
    out.Field("readyReplicas", running ? role.copies : 0);
    out.Field("replicas", role.copies);
    out.Field("updatedReplicas", role.copies);
  });
}

// --- PyTorchJob ----------------------------------------------------------------------------------

void PrintPyTorchStatus(JsonPrinter& out, const Workload& workload) {
  const State state = workload.state;
  const std::string subject = "PyTorchJob " + workload.name;
  out.Object("status", [&] {
    if (state == State::kCompleted || state == State::kFailed) {
      out.Field("completionTime", workload.created);
    }
    out.Array("conditions", [&] {
      PrintCondition(out, workload,
                     {"Created", true, "PyTorchJobCreated", subject + " is created."}, true);
      if (state == State::kWaiting) return;
      PrintCondition(
          out, workload,
          {"Running", state == State::kRunning, "PyTorchJobRunning", subject + " is running."},
          true);
      if (state == State::kCompleted) {
        PrintCondition(
            out, workload,
            {"Succeeded", true, "PyTorchJobSucceeded", subject + " is successfully completed."},
            true);
      }
      if (state == State::kFailed) {
        PrintCondition(out, workload,
                       {"Failed", true, "PyTorchJobFailed",
                        subject + " is failed because 1 Worker replica(s) failed."},
                       true);
      }
    });
    out.Object("replicaStatuses", [&] {
      for (const auto& [type, name] : {std::pair{"Master", "master"}, {"Worker", "worker"}}) {
        const Role* role = FindRole(workload, name);
        if (role == nullptr) continue;
        out.Object(type, [&] {
          if (state <= State::kWaiting) out.Field("active", role->size);
          if (state == State::kFailed) out.Field("failed", role->size);
          out.Field("selector", "training.kubeflow.org/job-name=" + workload.name +
                                    ",training.kubeflow.org/operator-name=pytorchjob-controller"
                                    ",training.kubeflow.org/replica-type=" +
                                    name);
          if (state == State::kCompleted) out.Field("succeeded", role->size);
        });
      }
    });
    out.Field("startTime", workload.created);
  });
}

void PrintPyTorchJob(JsonPrinter& out, const Workload& workload) {
  out.Object("spec", [&] {
    out.Object("pytorchReplicaSpecs", [&] {
      for (const auto& [type, name] : {std::pair{"Master", "master"}, {"Worker", "worker"}}) {
        const Role* role = FindRole(workload, name);
        if (role == nullptr) continue;
        out.Object(type, [&] {
          out.Field("replicas", role->size);
          out.Field("restartPolicy", "OnFailure");
          PrintTemplate(out, workload, name, role->gpus, {}, {});
        });
      }
    });
    out.Object("runPolicy", [&] { out.Field("suspend", false); });
  });
  PrintPyTorchStatus(out, workload);
}

// --- RayCluster ----------------------------------------------------------------------------------

void PrintRayCluster(JsonPrinter& out, const Workload& workload) {
  const bool running = workload.state == State::kRunning;
  const int workers = Pods(workload) - 1;
  out.Object("spec", [&] {
    out.Object("headGroupSpec", [&] {
      out.Object("rayStartParams", [] {});
      PrintTemplate(out, workload, "head", 0, {}, {});
    });
    out.Field("rayVersion", "2.46.0");
    out.Array("workerGroupSpecs", [&] {
      for (const Role& role : workload.roles) {
        if (role.name == "head") continue;
        out.Object([&] {
          out.Field("groupName", role.name);
          out.Field("maxReplicas", role.size + 8);
          out.Field("minReplicas", 0);
          out.Field("numOfHosts", 1);
          out.Object("rayStartParams", [] {});
          out.Field("replicas", role.size);
          PrintTemplate(out, workload, role.name, role.gpus, {}, {});
        });
      }
    });
  });
  out.Object("status", [&] {
    if (running) out.Field("availableWorkerReplicas", workers);
    out.Array("conditions", [&] {
      PrintCondition(out, workload, {"HeadPodReady", running, "HeadPodRunningAndReady", ""});
      PrintCondition(
          out, workload,
          {"RayClusterProvisioned", running,
           running ? "AllPodRunningAndReadyFirstTime" : "RayClusterPodsProvisioning", ""});
    });
    out.Field("desiredGPU", std::to_string(GpusWanted(workload)));
    out.Field("desiredWorkerReplicas", workers);
    out.Field("lastUpdateTime", workload.created);
    out.Field("maxWorkerReplicas", workers + 16);
    out.Field("observedGeneration", 1);
    if (running) {
      out.Field("readyWorkerReplicas", workers);
      out.Field("state", "ready");
    }
  });
}

// --- what is between -----------------------------------------------------------------------------

void PrintReplicaSet(JsonPrinter& out, const Workload& workload, const Controller& set) {
  out.Object("spec", [&] {
    out.Field("replicas", set.pods);
    out.Object("selector", [&] { PrintStrings(out, "matchLabels", set.labels); });
    PrintTemplate(out, workload, set.role, set.gpus, set.labels, {});
  });
  out.Object("status", [&] {
    const bool running = workload.state == State::kRunning;
    if (running) out.Field("availableReplicas", set.pods);
    out.Field("fullyLabeledReplicas", set.pods);
    out.Field("observedGeneration", 1);
    if (running) out.Field("readyReplicas", set.pods);
    out.Field("replicas", set.pods);
  });
}

void PrintStatefulSet(JsonPrinter& out, const Workload& workload, const Controller& set) {
  out.Object("spec", [&] {
    if (set.first_ordinal > 0) {
      out.Object("ordinals", [&] { out.Field("start", set.first_ordinal); });
    }
    out.Field("podManagementPolicy", "Parallel");
    out.Field("replicas", set.pods);
    out.Field("revisionHistoryLimit", 10);
    out.Object("selector", [&] { PrintStrings(out, "matchLabels", set.labels); });
    out.Field("serviceName", workload.name);
    PrintTemplate(out, workload, set.role, set.gpus, set.labels, {});
    out.Object("updateStrategy", [&] { out.Field("type", "RollingUpdate"); });
  });
  out.Object("status", [&] {
    const bool running = workload.state == State::kRunning;
    out.Field("availableReplicas", running ? set.pods : 0);
    out.Field("collisionCount", 0);
    out.Field("currentReplicas", set.pods);
    out.Field("observedGeneration", 1);
    out.Field("readyReplicas", running ? set.pods : 0);
    out.Field("replicas", set.pods);
    out.Field("updatedReplicas", set.pods);
  });
}

template <typename Body>
void PrintObject(JsonPrinter& out, const Workload& workload, std::string_view api_version,
                 std::string_view kind, const Controller& identity, const Owner* owner,
                 Body spec_and_status) {
  out.Object([&] {
    out.Field("apiVersion", api_version);
    out.Field("kind", kind);
    out.Object("metadata", [&] {
      PrintStrings(out, "annotations", identity.annotations);
      out.Field("creationTimestamp", workload.created);
      out.Field("generation", 1);
      PrintStrings(out, "labels", identity.labels);
      out.Field("name", identity.name);
      out.Field("namespace", workload.name_space);
      PrintOwnerAndIdentity(out, owner, identity.uid, 1'000'000 + workload.number);
    });
    spec_and_status();
  });
}

}  // namespace

void PrintRoot(JsonPrinter& out, const Workload& workload) {
  Controller identity;
  identity.name = workload.name;
  identity.uid = workload.uid;
  identity.labels = {{"kueue.x-k8s.io/queue-name", workload.name_space}};
  const Owner self = RootOwner(workload);
  PrintObject(out, workload, self.api_version, self.kind, identity, nullptr, [&] {
    switch (workload.kind) {
      case Kind::kDeployment:
        return PrintDeployment(out, workload);
      case Kind::kJob: {
        const Role& role = workload.roles.front();
        PrintJobSpec(out, workload, workload.name, workload.uid, role.name, role.size, role.gpus,
                     {});
        return PrintJobStatus(out, workload, role.size);
      }
      case Kind::kJobSet:
        return PrintJobSet(out, workload);
      case Kind::kLeaderWorkerSet:
        return PrintLeaderWorkerSet(out, workload);
      case Kind::kPyTorchJob:
        return PrintPyTorchJob(out, workload);
      case Kind::kRayCluster:
        return PrintRayCluster(out, workload);
    }
  });
}

void PrintController(JsonPrinter& out, const Workload& workload, const Controller& controller,
                     std::string_view kind) {
  const std::string_view api_version = kind == "Job" ? "batch/v1" : "apps/v1";
  PrintObject(out, workload, api_version, kind, controller, &controller.owner, [&] {
    if (kind == "Job") {
      PrintJobSpec(out, workload, controller.name, controller.uid, controller.role, controller.pods,
                   controller.gpus, controller.labels);
      PrintJobStatus(out, workload, controller.pods);
    } else if (kind == "ReplicaSet") {
      PrintReplicaSet(out, workload, controller);
    } else {
      PrintStatefulSet(out, workload, controller);
    }
  });
}

}  // namespace wmap::bench
