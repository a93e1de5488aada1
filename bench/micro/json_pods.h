// Pods for the JSON benchmarks, as an API server sends them: fields in Go's order, managed fields,
// owner references, a few labels and annotations (one of them JSON inside a string), one to three
// containers, five conditions. One seed gives one text; a pod is about 6.5 kB, a third of it
// managed fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include "base/text.h"

namespace wmap::bench {

class PodText {
 public:
  explicit PodText(std::uint32_t seed) : random_(seed) {}

  // Appends one pod.
  void Append(std::string& to);

  // A PodList of at least `bytes` bytes on one line.
  static std::string List(std::size_t bytes, std::uint32_t seed = 1);

 private:
  std::size_t Below(std::size_t limit) { return random_() % limit; }
  std::string Hex(std::size_t size);
  std::string Uid();
  std::string Time();
  void AppendMetadata(std::string& to, const std::string& owner);
  void AppendManagedFields(std::string& to);
  void AppendContainer(std::string& to, std::size_t i);
  void AppendStatus(std::string& to, std::size_t containers);

  std::mt19937 random_;
};

inline std::string PodText::Hex(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += "0123456789abcdef"[Below(16)];
  return text;
}

inline std::string PodText::Uid() {
  return Cat(Hex(8), "-", Hex(4), "-", Hex(4), "-", Hex(4), "-", Hex(12));
}

inline std::string PodText::Time() {
  return Cat("2026-11-", 10 + Below(20), "T", 10 + Below(14), ":", 10 + Below(50), ":",
             10 + Below(50), "Z");
}

inline void PodText::AppendManagedFields(std::string& to) {
  to += R"("managedFields":[)";
  for (const char* manager : {"kube-controller-manager", "kubelet"}) {
    if (to.back() == '}') to += ',';
    CatTo(to, R"({"manager":")", manager, R"(","operation":"Update","apiVersion":"v1","time":")",
          Time(), R"(","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:generateName":{},)",
          R"("f:labels":{".":{},"f:app":{},"f:controller-uid":{},"f:job-name":{}},)",
          R"("f:ownerReferences":{".":{},"k:{\"uid\":\")", Uid(), R"(\"}":{}}},)",
          R"("f:spec":{"f:containers":{"k:{\"name\":\"main\"}":{".":{},"f:env":{".":{},)");
    for (std::size_t i = 0; i < 6; ++i) {
      CatTo(to, R"("k:{\"name\":\"VAR_)", Below(400), "_", i,
            R"(\"}":{".":{},"f:name":{},"f:value":{}},)");
    }
    CatTo(to, R"("f:last":{}},"f:image":{},"f:resources":{".":{},"f:limits":{".":{},"f:cpu":{},)",
          R"("f:memory":{}}}}},"f:dnsPolicy":{},"f:schedulerName":{}}}})");
  }
  to += ']';
}

inline void PodText::AppendMetadata(std::string& to, const std::string& owner) {
  CatTo(to, R"("metadata":{"name":")", owner, "-", Hex(5), R"(","generateName":")", owner,
        R"(-","namespace":"team-)", Below(40), R"(","uid":")", Uid(), R"(","resourceVersion":")",
        Below(90000000), R"(","creationTimestamp":")", Time(), R"(","labels":{"app":")", owner,
        R"(","batch.kubernetes.io/controller-uid":")", Uid(),
        R"(","batch.kubernetes.io/job-completion-index":")", Below(64), R"(","controller-uid":")",
        Uid(), R"(","job-name":")", owner,
        R"(","jobset.sigs.k8s.io/jobset-name":"train","jobset.sigs.k8s.io/job-index":"0",)",
        R"("jobset.sigs.k8s.io/replicatedjob-name":"worker"},"annotations":{)",
        R"("kubernetes.io/config.seen":")", Time(), R"(","description":"modèle №)", Below(100),
        R"( – entraînement","kubectl.kubernetes.io/last-applied-configuration":)",
        R"("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\")", owner,
        R"(\",\"labels\":{\"app\":\"train\"}},\"spec\":{\"restartPolicy\":\"Never\"}}\n"},)",
        R"("ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":")", owner,
        R"(","uid":")", Uid(), R"(","controller":true,"blockOwnerDeletion":true}],)");
  AppendManagedFields(to);
  to += '}';
}

inline void PodText::AppendContainer(std::string& to, std::size_t i) {
  CatTo(to, R"({"name":"main-)", i, R"(","image":"registry.example/team/train:1.)", Below(30),
        R"(","command":["python","-m","torch.distributed.run","--nproc_per_node=8"],"env":[)");
  for (std::size_t v = 0; v < 6; ++v) {
    if (v > 0) to += ',';
    CatTo(to, R"({"name":"VAR_)", Below(400), "_", v, R"(","value":"value-)", Hex(Below(24)),
          R"("})");
  }
  CatTo(to, R"(],"resources":{"limits":{"cpu":")", 1 + Below(64), R"(","memory":")", 1 + Below(512),
        R"(Gi","nvidia.com/gpu":"8"},"requests":{"cpu":"500m","memory":")", 1 + Below(512),
        R"(Gi","nvidia.com/gpu":"8"}},"volumeMounts":[{"name":"data","mountPath":"/data"},)",
        R"({"name":"kube-api-access-)", Hex(5),
        R"(","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],)",
        R"("ports":[{"containerPort":)", 1024 + Below(60000), R"(,"protocol":"TCP"}],)",
        R"("terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",)",
        R"("imagePullPolicy":"IfNotPresent"})");
}

inline void PodText::AppendStatus(std::string& to, std::size_t containers) {
  to += R"("status":{"phase":"Running","conditions":[)";
  for (const char* type :
       {"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"}) {
    if (to.back() == '}') to += ',';
    CatTo(to, R"({"type":")", type,
          R"(","status":"True","lastProbeTime":null,"lastTransitionTime":")", Time(), R"("})");
  }
  CatTo(to, R"(],"hostIP":"10.0.)", Below(250), ".", Below(250), R"(","podIP":"10.1.)", Below(250),
        ".", Below(250), R"(","startTime":")", Time(), R"(","containerStatuses":[)");
  for (std::size_t i = 0; i < containers; ++i) {
    if (i > 0) to += ',';
    CatTo(to, R"({"name":"main-)", i, R"(","state":{"running":{"startedAt":")", Time(),
          R"("}},"lastState":{},"ready":true,"restartCount":)", Below(5),
          R"(,"image":"registry.example/team/train:1.4","imageID":"registry.example/train@sha256:)",
          Hex(64), R"(","containerID":"containerd://)", Hex(64), R"(","started":true})");
  }
  to += R"(],"qosClass":"Burstable"})";
}

inline void PodText::Append(std::string& to) {
  std::string owner = Cat("train-", Below(5000), "-worker-", Below(4));
  to += R"({"apiVersion":"v1","kind":"Pod",)";
  AppendMetadata(to, owner);
  to += R"(,"spec":{"volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"data"}}],)"
        R"("containers":[)";
  std::size_t containers = 1 + Below(3);
  for (std::size_t i = 0; i < containers; ++i) {
    if (i > 0) to += ',';
    AppendContainer(to, i);
  }
  CatTo(to, R"(],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":)",
        R"("ClusterFirst","serviceAccountName":"default","nodeName":"gpu-node-)", Below(2000),
        R"(","securityContext":{},"schedulerName":"default-scheduler","tolerations":[)",
        R"({"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",)",
        R"("tolerationSeconds":300}],"priority":0,"enableServiceLinks":true},)");
  AppendStatus(to, containers);
  to += '}';
}

inline std::string PodText::List(std::size_t bytes, std::uint32_t seed) {
  PodText pods(seed);
  std::string text = R"({"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"1"},)"
                     R"("items":[)";
  for (bool first = true; text.size() < bytes; first = false) {
    if (!first) text += ',';
    pods.Append(text);
  }
  text += "]}";
  return text;
}

}  // namespace wmap::bench
