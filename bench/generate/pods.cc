#include "generate/objects.h"
#include "generate/parts.h"

namespace wmap::bench {
namespace {

constexpr int kNodes = 2000;

void PrintManagedField(JsonPrinter& out, const Workload& workload, std::string_view manager,
                       std::string_view subresource, std::string_view field) {
  out.Object([&] {
    out.Field("apiVersion", "v1");
    out.Field("fieldsType", "FieldsV1");
    out.Object("fieldsV1", [&] {
      out.Object(field, [&] {
        for (const std::string_view part :
             {"f:conditions", "f:containerStatuses", "f:containers", "f:hostIP", "f:phase",
              "f:podIP", "f:podIPs", "f:startTime", "f:tolerations"}) {
          out.Object(part, [&] { out.Object(".", [] {}); });
        }
      });
    });
    out.Field("manager", manager);
    out.Field("operation", "Update");
    if (!subresource.empty()) out.Field("subresource", subresource);
    out.Field("time", workload.created);
  });
}

void PrintMetadata(JsonPrinter& out, const Workload& workload, const Pod& pod, std::uint64_t random,
                   bool managed_fields) {
  out.Object("metadata", [&] {
    PrintStrings(out, "annotations", pod.annotations);
    out.Field("creationTimestamp", workload.created);
    if (pod.owner.kind == "Job" && workload.state <= State::kWaiting) {
      out.Array("finalizers", [&] { out.Element("batch.kubernetes.io/job-tracking"); });
    }
    if (!pod.generate_name.empty()) out.Field("generateName", pod.generate_name);
    PrintStrings(out, "labels", pod.labels);
    if (managed_fields) {
      out.Array("managedFields", [&] {
        PrintManagedField(out, workload, "kube-controller-manager", "", "f:spec");
        PrintManagedField(out, workload, "kubelet", "status", "f:status");
      });
    }
    out.Field("name", pod.name);
    out.Field("namespace", workload.name_space);
    PrintOwnerAndIdentity(out, &pod.owner, pod.uid, static_cast<std::int64_t>(random % 90'000'000));
  });
}

void PrintSpec(JsonPrinter& out, const Workload& workload, const Pod& pod, std::uint64_t random) {
  out.Object("spec", [&] {
    PrintContainers(out, workload, pod.role, pod.gpus, &pod);
    out.Field("dnsPolicy", "ClusterFirst");
    if (!pod.hostname.empty()) out.Field("hostname", pod.hostname);
    if (workload.state != State::kWaiting) {
      out.Field("nodeName", "gpu-node-" + std::to_string(random % kNodes));
    }
    out.Field("restartPolicy", RestartPolicy(workload));
    out.Field("schedulerName", "default-scheduler");
    out.Object("securityContext", [] {});
    if (!pod.subdomain.empty()) out.Field("subdomain", pod.subdomain);
    out.Field("terminationGracePeriodSeconds", 30);
    PrintTolerations(out);
  });
}

void PrintPodCondition(JsonPrinter& out, const Workload& workload, std::string_view type,
                       bool is_true, std::string_view reason) {
  out.Object([&] {
    out.Null("lastProbeTime");
    out.Field("lastTransitionTime", workload.created);
    if (reason == "Unschedulable") {
      out.Field("message", "0/2000 nodes are available: 2000 Insufficient nvidia.com/gpu.");
    }
    if (!reason.empty()) out.Field("reason", reason);
    out.Field("status", is_true ? "True" : "False");
    out.Field("type", type);
  });
}

void PrintContainerState(JsonPrinter& out, const Workload& workload) {
  out.Object("state", [&] {
    if (workload.state == State::kRunning) {
      out.Object("running", [&] { out.Field("startedAt", workload.created); });
      return;
    }
    const bool good = workload.state == State::kCompleted;
    out.Object("terminated", [&] {
      out.Field("exitCode", good ? 0 : 1);
      out.Field("finishedAt", workload.created);
      out.Field("reason", good ? "Completed" : "Error");
      out.Field("startedAt", workload.created);
    });
  });
}

void PrintStatus(JsonPrinter& out, const Workload& workload, const Pod& pod, std::uint64_t random) {
  const bool running = workload.state == State::kRunning;
  const std::string_view unready = running                               ? ""
                                   : workload.state == State::kCompleted ? "PodCompleted"
                                                                         : "PodFailed";
  out.Object("status", [&] {
    if (workload.state == State::kWaiting) {
      out.Array("conditions",
                [&] { PrintPodCondition(out, workload, "PodScheduled", false, "Unschedulable"); });
      out.Field("phase", "Pending");
      out.Field("qosClass", "Burstable");
      return;
    }
    out.Array("conditions", [&] {
      PrintPodCondition(out, workload, "Ready", running, unready);
      PrintPodCondition(out, workload, "PodScheduled", true, "");
    });
    out.Array("containerStatuses", [&] {
      out.Object([&] {
        out.Field("image", "registry.example/ml/trainer:2.7.1-cuda12.8");
        out.Field("imageID", "");
        out.Field("name", ContainerName(workload, pod.role));
        out.Field("ready", running);
        out.Field("restartCount", 0);
        out.Field("started", running);
        PrintContainerState(out, workload);
      });
    });
    const std::string ip = "10." + std::to_string(random >> 40U & 0xffU) + "." +
                           std::to_string(random >> 32U & 0xffU) + "." +
                           std::to_string(random >> 24U & 0xffU);
    out.Field("phase", running                               ? "Running"
                       : workload.state == State::kCompleted ? "Succeeded"
                                                             : "Failed");
    out.Field("podIP", ip);
    out.Field("qosClass", "Burstable");
    out.Field("startTime", workload.created);
  });
}

}  // namespace

void PrintPod(JsonPrinter& out, const Cluster& cluster, const Workload& workload, const Pod& pod,
              bool managed_fields) {
  const std::uint64_t random = cluster.Hash(workload.number, "place" + pod.name);
  out.Object([&] {
    out.Field("apiVersion", "v1");
    out.Field("kind", "Pod");
    PrintMetadata(out, workload, pod, random, managed_fields);
    PrintSpec(out, workload, pod, random);
    PrintStatus(out, workload, pod, random);
  });
}

}  // namespace wmap::bench
