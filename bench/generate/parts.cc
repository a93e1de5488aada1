#include "generate/parts.h"

namespace wmap::bench {
namespace {

void PrintAmounts(JsonPrinter& out, std::string_view key, int gpus, bool with_cpu) {
  out.Object(key, [&] {
    if (with_cpu) out.Field("cpu", std::to_string(gpus == 0 ? 4 : 12 * gpus));
    out.Field("memory", std::to_string(gpus == 0 ? 16 : 120 * gpus) + "Gi");
    if (gpus > 0) out.Field("nvidia.com/gpu", std::to_string(gpus));
  });
}

void PrintEnv(JsonPrinter& out, const Pod& pod) {
  out.Array("env", [&] {
    for (const auto& [name, value] : pod.env) {
      out.Object([&] {
        out.Field("name", name);
        out.Field("value", value);
      });
    }
  });
}

}  // namespace

std::string_view ContainerName(const Workload& workload, std::string_view role) {
  if (workload.kind == Kind::kPyTorchJob) return "pytorch";
  if (workload.kind == Kind::kRayCluster) return role == "head" ? "ray-head" : "ray-worker";
  return "main";
}

void PrintContainers(JsonPrinter& out, const Workload& workload, std::string_view role, int gpus,
                     const Pod* pod) {
  out.Array("containers", [&] {
    out.Object([&] {
      out.Array("command", [&] {
        out.Element("python");
        out.Element("train.py");
      });
      if (pod != nullptr && !pod->env.empty()) PrintEnv(out, *pod);
      out.Field("image", "registry.example/ml/" + workload.name.substr(0, workload.name.find('-')) +
                             ":2.7.1-cuda12.8");
      out.Field("imagePullPolicy", "IfNotPresent");
      out.Field("name", ContainerName(workload, role));
      out.Object("resources", [&] {
        PrintAmounts(out, "limits", gpus, false);
        PrintAmounts(out, "requests", gpus, true);
      });
    });
  });
}

void PrintTemplate(JsonPrinter& out, const Workload& workload, std::string_view role, int gpus,
                   const StringMap& labels, const StringMap& annotations) {
  out.Object("template", [&] {
    out.Object("metadata", [&] {
      PrintStrings(out, "annotations", annotations);
      PrintStrings(out, "labels", labels);
    });
    out.Object("spec", [&] {
      PrintContainers(out, workload, role, gpus, nullptr);
      out.Field("dnsPolicy", "ClusterFirst");
      out.Field("restartPolicy", RestartPolicy(workload));
      out.Field("schedulerName", "default-scheduler");
      out.Object("securityContext", [] {});
      out.Field("terminationGracePeriodSeconds", 30);
      PrintTolerations(out);
    });
  });
}

void PrintStrings(JsonPrinter& out, std::string_view key, const StringMap& strings) {
  if (strings.empty()) return;
  out.Object(key, [&] {
    for (const auto& [name, value] : strings) out.Field(name, value);
  });
}

void PrintOwnerAndIdentity(JsonPrinter& out, const Owner* owner, std::string_view uid,
                           std::int64_t version) {
  if (owner != nullptr) {
    out.Array("ownerReferences", [&] {
      out.Object([&] {
        out.Field("apiVersion", owner->api_version);
        out.Field("blockOwnerDeletion", true);
        out.Field("controller", true);
        out.Field("kind", owner->kind);
        out.Field("name", owner->name);
        out.Field("uid", owner->uid);
      });
    });
  }
  out.Field("resourceVersion", std::to_string(version));
  out.Field("uid", uid);
}

void PrintTolerations(JsonPrinter& out) {
  out.Array("tolerations", [&] {
    out.Object([&] {
      out.Field("effect", "NoSchedule");
      out.Field("key", "nvidia.com/gpu");
      out.Field("operator", "Exists");
    });
  });
}

std::string_view RestartPolicy(const Workload& workload) {
  switch (workload.kind) {
    case Kind::kJob:
    case Kind::kJobSet:
      return "Never";
    case Kind::kPyTorchJob:
      return "OnFailure";
    case Kind::kDeployment:
    case Kind::kLeaderWorkerSet:
    case Kind::kRayCluster:
      return "Always";
  }
  return "";
}

void PrintCondition(JsonPrinter& out, const Workload& workload, const ConditionText& condition,
                    bool last_update) {
  out.Object([&] {
    out.Field("lastTransitionTime", workload.created);
    if (last_update) out.Field("lastUpdateTime", workload.created);
    out.Field("message", condition.message);
    out.Field("reason", condition.reason);
    out.Field("status", condition.is_true ? "True" : "False");
    out.Field("type", condition.type);
  });
}

}  // namespace wmap::bench
