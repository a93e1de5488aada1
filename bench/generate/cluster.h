// The imaginary cluster whose dump the generator prints: which workloads there are, of what size
// and in what state. Everything follows from the seed and the workload's number, so that any object
// can be written at any time without keeping the others.
//
// Kinds      30 % Job, 20 % JobSet, 20 % PyTorchJob, 12 % RayCluster, 10 % LeaderWorkerSet,
//            8 % Deployment
// Size       1, 2, 4, 8, 16, 32 or 64 pods, the larger the rarer (mean 10); single pods are added
//            or taken until the pods of all workloads are exactly as many as were asked for
// State      74 % running; 10 % waiting, no pod of them scheduled; 12 % completed and 4 % failed,
//            both only of the kinds that end (the others run instead); ended pods are still there
// GPUs       per pod 8 (40 %), 4 (20 %), 2 (10 %), 1 (20 %) or none (10 %); a head, leader or
// master
//            has what its workers have, except the head of a RayCluster, which has none
// Namespaces one for each 250 workloads
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wmap::bench {

enum class Kind : std::uint8_t {
  kDeployment,
  kJob,
  kJobSet,
  kLeaderWorkerSet,
  kPyTorchJob,
  kRayCluster
};
inline constexpr int kKinds = 6;

enum class State : std::uint8_t { kRunning, kWaiting, kCompleted, kFailed };
inline constexpr int kStates = 4;

// Pods of one role. `copies` of `size` pods each: Jobs of a JobSet, groups of a LeaderWorkerSet.
struct Role {
  std::string name;
  int copies = 1;
  int size = 1;
  int gpus = 0;  // per pod

  int pods() const { return copies * size; }
};

struct Workload {
  int number = 0;
  Kind kind = Kind::kJob;
  State state = State::kRunning;
  std::string name_space;
  std::string name;
  std::string uid;
  std::string created;  // RFC 3339
  std::vector<Role> roles;
};

struct Shape {
  std::uint64_t seed = 1;
  int workloads = 10'000;
  int pods = 100'000;  // at least one for each workload
};

class Cluster {
 public:
  explicit Cluster(const Shape& shape);

  int size() const { return static_cast<int>(pods_.size()); }
  Workload At(int number) const;

  // A number that depends on the seed and the arguments alone.
  std::uint64_t Hash(int workload, std::string_view what) const;
  // The same as an identifier of an object.
  std::string Uid(int workload, std::string_view what) const;

 private:
  Shape shape_;
  std::vector<int> pods_;  // of each workload
};

std::string_view KindName(Kind kind);
std::string_view StateName(State state);  // the phase that a reader should find

}  // namespace wmap::bench
