#include "generate/children.h"

#include <array>

namespace wmap::bench {
namespace {

std::string Text(int number) { return std::to_string(number); }

// The random end of generated names, in the API server's alphabet.
std::string Suffix(std::uint64_t random, int length) {
  constexpr std::string_view kAlphabet = "bcdfghjklmnpqrstvwxz2456789";
  std::string out;
  for (int i = 0; i < length; ++i) {
    out += kAlphabet[random % kAlphabet.size()];
    random /= kAlphabet.size();
  }
  return out;
}

std::string_view ApiVersion(Kind kind) {
  constexpr std::array<std::string_view, kKinds> kVersions = {
      "apps/v1",         "batch/v1", "jobset.x-k8s.io/v1alpha2", "leaderworkerset.x-k8s.io/v1",
      "kubeflow.org/v1", "ray.io/v1"};
  return kVersions[static_cast<std::size_t>(kind)];
}

// What the JobSet operator writes on Jobs and pods, both as labels and as annotations.
StringMap JobSetMarks(const Cluster& cluster, const Workload& workload, const Role& role, int index,
                      int global_index) {
  int jobs = 0;
  for (const Role& each : workload.roles) jobs += each.copies;
  const std::string p = "jobset.sigs.k8s.io/";
  return {{p + "global-replicas", Text(jobs)},
          {p + "group-name", "default"},
          {p + "group-replicas", Text(jobs)},
          {p + "job-global-index", Text(global_index)},
          {p + "job-group-index", Text(global_index)},
          {p + "job-index", Text(index)},
          {p + "job-key", cluster.Uid(workload.number, "key" + role.name + Text(index))},
          {p + "jobset-name", workload.name},
          {p + "jobset-uid", workload.uid},
          {p + "replicatedjob-name", role.name},
          {p + "replicatedjob-replicas", Text(role.copies)},
          {p + "restart-attempt", "0"}};
}

// What the Job controller writes on the pods of a Job.
StringMap JobMarks(const std::string& name, const std::string& uid) {
  return {{"batch.kubernetes.io/controller-uid", uid},
          {"batch.kubernetes.io/job-name", name},
          {"controller-uid", uid},
          {"job-name", name}};
}

StringMap GroupMarks(const Cluster& cluster, const Workload& workload, int group) {
  const std::string p = "leaderworkerset.sigs.k8s.io/";
  return {{p + "group-index", Text(group)},
          {p + "group-key", cluster.Uid(workload.number, "group" + Text(group))},
          {p + "name", workload.name},
          {p + "template-revision-hash", "8469fd99bb"}};
}

// A pod with what does not depend on the kind of its workload.
Pod NewPod(const Cluster& cluster, const Workload& workload, const Role& role, std::string name) {
  Pod pod;
  pod.uid = cluster.Uid(workload.number, "pod" + name);
  pod.name = std::move(name);
  pod.role = role.name;
  pod.gpus = role.gpus;
  pod.owner = RootOwner(workload);
  return pod;
}

Pod NewGeneratedPod(const Cluster& cluster, const Workload& workload, const Role& role,
                    const std::string& prefix, int index) {
  const std::uint64_t random = cluster.Hash(workload.number, prefix + Text(index));
  Pod pod = NewPod(cluster, workload, role, prefix + Suffix(random, 5));
  pod.generate_name = prefix;
  return pod;
}

void AddJobPods(const Cluster& cluster, const Workload& workload, const Role& role,
                const std::string& job, const std::string& job_uid, const StringMap& marks,
                std::vector<Pod>& out) {
  for (int i = 0; i < role.size; ++i) {
    const std::string host = job + "-" + Text(i);
    Pod pod = NewGeneratedPod(cluster, workload, role, host + "-", 0);
    pod.labels = JobMarks(job, job_uid);
    pod.labels.insert(marks.begin(), marks.end());
    pod.labels["batch.kubernetes.io/job-completion-index"] = Text(i);
    pod.annotations = marks;
    pod.annotations["batch.kubernetes.io/job-completion-index"] = Text(i);
    pod.hostname = host;
    if (workload.kind == Kind::kJobSet) pod.subdomain = workload.name;
    pod.env.emplace_back("JOB_COMPLETION_INDEX", Text(i));
    pod.owner = {"batch/v1", "Job", job, job_uid};
    out.push_back(std::move(pod));
  }
}

void AddPyTorchPods(const Cluster& cluster, const Workload& workload, const Role& role,
                    std::vector<Pod>& out) {
  int world = 0;
  for (const Role& each : workload.roles) world += each.pods();
  const int first_rank = role.name == "master" ? 0 : 1;
  for (int i = 0; i < role.size; ++i) {
    Pod pod = NewPod(cluster, workload, role, workload.name + "-" + role.name + "-" + Text(i));
    const std::string p = "training.kubeflow.org/";
    pod.labels = {{p + "job-name", workload.name},
                  {p + "operator-name", "pytorchjob-controller"},
                  {p + "replica-index", Text(i)},
                  {p + "replica-type", role.name}};
    if (first_rank == 0) pod.labels[p + "job-role"] = "master";
    pod.env.emplace_back("PYTHONUNBUFFERED", "1");
    pod.env.emplace_back("MASTER_PORT", "23456");
    pod.env.emplace_back("MASTER_ADDR", workload.name + "-master-0");
    pod.env.emplace_back("WORLD_SIZE", Text(world));
    pod.env.emplace_back("RANK", Text(first_rank + i));
    out.push_back(std::move(pod));
  }
}

void AddRayPods(const Cluster& cluster, const Workload& workload, const Role& role,
                std::vector<Pod>& out) {
  const bool head = role.name == "head";
  const std::string prefix =
      workload.name + "-" + (head ? std::string("head-") : role.name + "-worker-");
  for (int i = 0; i < role.size; ++i) {
    Pod pod = NewGeneratedPod(cluster, workload, role, prefix, i);
    pod.labels = {{"app.kubernetes.io/created-by", "kuberay-operator"},
                  {"app.kubernetes.io/name", "kuberay"},
                  {"ray.io/cluster", workload.name},
                  {"ray.io/group", head ? "headgroup" : role.name},
                  {"ray.io/identifier", workload.name + (head ? "-head" : "-worker")},
                  {"ray.io/is-ray-node", "yes"},
                  {"ray.io/node-type", head ? "head" : "worker"}};
    if (!head) pod.labels["ray.io/worker-group-replica-index"] = Text(i);
    if (head) pod.annotations["ray.io/ft-enabled"] = "false";
    pod.env.emplace_back("RAY_CLUSTER_NAME", workload.name);
    pod.env.emplace_back("RAY_PORT", "6379");
    pod.env.emplace_back("RAY_ADDRESS", workload.name + "-head-svc." + workload.name_space +
                                            ".svc.cluster.local:6379");
    pod.env.emplace_back("RAY_USAGE_STATS_KUBERAY_IN_USE", "1");
    out.push_back(std::move(pod));
  }
}

void AddGroupPods(const Cluster& cluster, const Workload& workload, const Role& role,
                  std::vector<Pod>& out) {
  const std::string p = "leaderworkerset.sigs.k8s.io/";
  for (int group = 0; group < role.copies; ++group) {
    const std::string leader = workload.name + "-" + Text(group);
    for (int i = 0; i < role.size; ++i) {
      const std::string name = i == 0 ? leader : leader + "-" + Text(i);
      const std::string set = i == 0 ? workload.name : leader;
      Pod pod = NewPod(cluster, workload, role, name);
      pod.generate_name = set + "-";
      pod.labels = GroupMarks(cluster, workload, group);
      pod.labels[p + "worker-index"] = Text(i);
      pod.labels["apps.kubernetes.io/pod-index"] = Text(i == 0 ? group : i);
      pod.labels["controller-revision-hash"] = set + "-5bc8bf4d4d";
      pod.labels["statefulset.kubernetes.io/pod-name"] = name;
      pod.annotations[p + "size"] = Text(role.size);
      if (i > 0) pod.annotations[p + "leader-name"] = leader;
      pod.hostname = name;
      pod.subdomain = workload.name;
      pod.env.emplace_back("LWS_LEADER_ADDRESS",
                           leader + "." + workload.name + "." + workload.name_space);
      pod.env.emplace_back("LWS_GROUP_SIZE", Text(role.size));
      pod.env.emplace_back("LWS_WORKER_INDEX", Text(i));
      pod.owner = {"apps/v1", "StatefulSet", set, cluster.Uid(workload.number, "set" + set)};
      out.push_back(std::move(pod));
    }
  }
}

std::string TemplateHash(const Cluster& cluster, const Workload& workload) {
  return Suffix(cluster.Hash(workload.number, "template"), 9);
}

void AddDeploymentPods(const Cluster& cluster, const Workload& workload, const Role& role,
                       std::vector<Pod>& out) {
  const std::string hash = TemplateHash(cluster, workload);
  const std::string set = workload.name + "-" + hash;
  for (int i = 0; i < role.size; ++i) {
    Pod pod = NewGeneratedPod(cluster, workload, role, set + "-", i);
    pod.labels = {{"app", workload.name}, {"pod-template-hash", hash}};
    pod.owner = {"apps/v1", "ReplicaSet", set, cluster.Uid(workload.number, "set" + set)};
    out.push_back(std::move(pod));
  }
}

// The Jobs of a JobSet.
std::vector<Controller> JobsOf(const Cluster& cluster, const Workload& workload) {
  std::vector<Controller> out;
  int global_index = 0;
  for (const Role& role : workload.roles) {
    for (int i = 0; i < role.copies; ++i) {
      Controller job;
      job.name = workload.name + "-" + role.name + "-" + Text(i);
      job.uid = cluster.Uid(workload.number, "job" + job.name);
      job.role = role.name;
      job.pods = role.size;
      job.gpus = role.gpus;
      job.labels = JobSetMarks(cluster, workload, role, i, global_index++);
      job.annotations = job.labels;
      job.owner = RootOwner(workload);
      out.push_back(std::move(job));
    }
  }
  return out;
}

// One StatefulSet for the leaders, and for each group one of its workers, which its leader owns.
std::vector<Controller> StatefulSetsOf(const Cluster& cluster, const Workload& workload) {
  const Role& role = workload.roles.front();
  const std::string p = "leaderworkerset.sigs.k8s.io/";
  std::vector<Controller> out(1);
  out[0].name = workload.name;
  out[0].pods = role.copies;
  out[0].labels = {{p + "name", workload.name}, {p + "template-revision-hash", "8469fd99bb"}};
  out[0].annotations = {{p + "replicas", Text(role.copies)}};
  out[0].owner = RootOwner(workload);
  for (int group = 0; group < role.copies && role.size > 1; ++group) {
    Controller set;
    set.name = workload.name + "-" + Text(group);
    set.pods = role.size - 1;
    set.first_ordinal = 1;
    set.labels = GroupMarks(cluster, workload, group);
    set.owner = {"v1", "Pod", set.name, cluster.Uid(workload.number, "pod" + set.name)};
    out.push_back(std::move(set));
  }
  for (Controller& set : out) {
    set.uid = cluster.Uid(workload.number, "set" + set.name);
    set.role = role.name;
    set.gpus = role.gpus;
  }
  return out;
}

std::vector<Controller> ReplicaSetsOf(const Cluster& cluster, const Workload& workload) {
  const Role& role = workload.roles.front();
  const std::string hash = TemplateHash(cluster, workload);
  Controller set;
  set.name = workload.name + "-" + hash;
  set.uid = cluster.Uid(workload.number, "set" + set.name);
  set.role = role.name;
  set.pods = role.size;
  set.gpus = role.gpus;
  set.labels = {{"app", workload.name}, {"pod-template-hash", hash}};
  set.annotations = {{"deployment.kubernetes.io/desired-replicas", Text(role.size)},
                     {"deployment.kubernetes.io/revision", "1"}};
  set.owner = RootOwner(workload);
  return {set};
}

}  // namespace

Owner RootOwner(const Workload& workload) {
  return {std::string(ApiVersion(workload.kind)), std::string(KindName(workload.kind)),
          workload.name, workload.uid};
}

std::vector<Controller> ControllersOf(const Cluster& cluster, const Workload& workload) {
  switch (workload.kind) {
    case Kind::kJobSet:
      return JobsOf(cluster, workload);
    case Kind::kLeaderWorkerSet:
      return StatefulSetsOf(cluster, workload);
    case Kind::kDeployment:
      return ReplicaSetsOf(cluster, workload);
    case Kind::kJob:
    case Kind::kPyTorchJob:
    case Kind::kRayCluster:
      return {};
  }
  return {};
}

std::vector<Pod> PodsOf(const Cluster& cluster, const Workload& workload) {
  std::vector<Pod> out;
  if (workload.kind == Kind::kJobSet) {
    for (const Controller& job : JobsOf(cluster, workload)) {
      const Role role = {job.role, 1, job.pods, job.gpus};
      AddJobPods(cluster, workload, role, job.name, job.uid, job.labels, out);
    }
    return out;
  }
  for (const Role& role : workload.roles) {
    switch (workload.kind) {
      case Kind::kDeployment:
        AddDeploymentPods(cluster, workload, role, out);
        break;
      case Kind::kJob:
        AddJobPods(cluster, workload, role, workload.name, workload.uid, {}, out);
        break;
      case Kind::kLeaderWorkerSet:
        AddGroupPods(cluster, workload, role, out);
        break;
      case Kind::kPyTorchJob:
        AddPyTorchPods(cluster, workload, role, out);
        break;
      case Kind::kRayCluster:
        AddRayPods(cluster, workload, role, out);
        break;
      case Kind::kJobSet:
        break;
    }
  }
  return out;
}

}  // namespace wmap::bench
