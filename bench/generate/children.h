// What the operators make of a workload: Jobs, ReplicaSets, StatefulSets and pods, with the names,
// labels and owners that the real ones give them.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generate/cluster.h"

namespace wmap::bench {

using StringMap = std::map<std::string, std::string>;

struct Owner {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
};

// A Job, ReplicaSet or StatefulSet between a workload and its pods.
struct Controller {
  std::string name;
  std::string uid;
  std::string role;
  int pods = 0;
  int gpus = 0;
  int first_ordinal = 0;  // StatefulSets
  StringMap labels;
  StringMap annotations;
  Owner owner;
};

struct Pod {
  std::string name;
  std::string generate_name;  // "" for pods whose operator names them
  std::string uid;
  std::string role;
  int gpus = 0;
  std::string hostname;  // "" where the operator sets none
  std::string subdomain;
  std::vector<std::pair<std::string, std::string>> env;
  StringMap labels;
  StringMap annotations;
  Owner owner;
};

Owner RootOwner(const Workload& workload);

std::vector<Controller> ControllersOf(const Cluster& cluster, const Workload& workload);
std::vector<Pod> PodsOf(const Cluster& cluster, const Workload& workload);

}  // namespace wmap::bench
