#include "generate/cluster.h"

#include <array>
#include <cstdio>
#include <span>

namespace wmap::bench {
namespace {

constexpr int kWorkloadsPerNamespace = 250;

template <typename T>
struct Weighted {
  T value;
  int percent;
};

constexpr Weighted<Kind> kKindMix[] = {
    {Kind::kJob, 30},        {Kind::kJobSet, 20},          {Kind::kPyTorchJob, 20},
    {Kind::kRayCluster, 12}, {Kind::kLeaderWorkerSet, 10}, {Kind::kDeployment, 8}};
constexpr Weighted<int> kSizeMix[] = {{1, 18},  {2, 17}, {4, 22}, {8, 18},
                                      {16, 13}, {32, 8}, {64, 4}};
constexpr Weighted<State> kStateMix[] = {
    {State::kRunning, 74}, {State::kWaiting, 10}, {State::kCompleted, 12}, {State::kFailed, 4}};
constexpr Weighted<int> kGpuMix[] = {{8, 40}, {4, 20}, {2, 10}, {1, 20}, {0, 10}};

constexpr std::array<std::string_view, 10> kModels = {"llama",   "mixtral", "qwen",   "gemma",
                                                      "whisper", "bert",    "resnet", "diffusion",
                                                      "ranker",  "embed"};

template <typename T>
T Pick(std::span<const Weighted<T>> mix, std::uint64_t random) {
  int rest = static_cast<int>(random % 100);
  for (const Weighted<T>& choice : mix) {
    if (rest < choice.percent) return choice.value;
    rest -= choice.percent;
  }
  return mix.front().value;
}

// SplitMix64's finaliser: neighbouring inputs give unrelated outputs.
std::uint64_t Mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

bool Ends(Kind kind) {
  return kind == Kind::kJob || kind == Kind::kJobSet || kind == Kind::kPyTorchJob;
}

// The largest of 8, 4 and 2 that divides `pods`, else 1.
int LargestPart(int pods) {
  for (const int part : {8, 4, 2}) {
    if (pods % part == 0) return part;
  }
  return 1;
}

std::vector<Role> RolesOf(Kind kind, int pods, int gpus) {
  const int rest = pods - 1;
  switch (kind) {
    case Kind::kDeployment:
    case Kind::kJob:
      return {{"main", 1, pods, gpus}};
    case Kind::kJobSet: {
      if (rest == 0) return {{"workers", 1, 1, gpus}};
      const int jobs = rest % 4 == 0 ? 4 : rest % 2 == 0 ? 2 : 1;
      return {{"leader", 1, 1, gpus}, {"workers", jobs, rest / jobs, gpus}};
    }
    case Kind::kLeaderWorkerSet: {
      const int size = LargestPart(pods);
      return {{"main", pods / size, size, gpus}};
    }
    case Kind::kPyTorchJob:
      if (rest == 0) return {{"master", 1, 1, gpus}};
      return {{"master", 1, 1, gpus}, {"worker", 1, rest, gpus}};
    case Kind::kRayCluster:
      if (rest < 4) return {{"head", 1, 1, 0}, {"small", 1, rest, gpus}};
      return {{"head", 1, 1, 0}, {"small", 1, rest / 2, gpus}, {"wide", 1, rest - rest / 2, gpus}};
  }
  return {};
}

std::vector<int> Sizes(const Cluster& cluster, const Shape& shape) {
  std::vector<int> sizes;
  sizes.reserve(static_cast<std::size_t>(shape.workloads));
  int sum = 0;
  for (int i = 0; i < shape.workloads; ++i) {
    sizes.push_back(Pick<int>(kSizeMix, cluster.Hash(i, "size")));
    sum += sizes.back();
  }
  while (sum != shape.pods) {
    for (int& size : sizes) {
      if (sum < shape.pods) {
        ++size;
        ++sum;
      } else if (sum > shape.pods && size > 1) {
        --size;
        --sum;
      }
    }
  }
  return sizes;
}

}  // namespace

Cluster::Cluster(const Shape& shape) : shape_(shape), pods_(Sizes(*this, shape)) {}

std::uint64_t Cluster::Hash(int workload, std::string_view what) const {
  std::uint64_t hash = Mix(shape_.seed ^ Mix(static_cast<std::uint64_t>(workload)));
  for (const char c : what) hash = Mix(hash ^ static_cast<unsigned char>(c));
  return hash;
}

std::string Cluster::Uid(int workload, std::string_view what) const {
  const std::uint64_t high = Hash(workload, what);
  const std::uint64_t low = Mix(high);
  char text[40];
  std::snprintf(text, sizeof text, "%08x-%04x-4%03x-a%03x-%012llx",
                static_cast<unsigned>(high >> 32U), static_cast<unsigned>(high >> 16U & 0xffffU),
                static_cast<unsigned>(high & 0xfffU), static_cast<unsigned>(low >> 52U),
                static_cast<unsigned long long>(low & 0xffffffffffffU));
  return text;
}

Workload Cluster::At(int number) const {
  Workload out;
  out.number = number;
  out.kind = Pick<Kind>(kKindMix, Hash(number, "kind"));
  out.state = Pick<State>(kStateMix, Hash(number, "state"));
  if (!Ends(out.kind) && out.state != State::kWaiting) out.state = State::kRunning;

  char text[64];
  std::snprintf(text, sizeof text, "team-%03d", number / kWorkloadsPerNamespace);
  out.name_space = text;
  std::snprintf(text, sizeof text, "%s-%05d",
                kModels[Hash(number, "model") % kModels.size()].data(), number);
  out.name = text;
  out.uid = Uid(number, "root");
  const auto minute = static_cast<int>(Hash(number, "created") % (28U * 24U * 60U));
  std::snprintf(text, sizeof text, "2026-11-%02dT%02d:%02d:00Z", 1 + minute / (24 * 60),
                minute / 60 % 24, minute % 60);
  out.created = text;
  out.roles = RolesOf(out.kind, pods_[static_cast<std::size_t>(number)],
                      Pick<int>(kGpuMix, Hash(number, "gpus")));
  return out;
}

std::string_view KindName(Kind kind) {
  constexpr std::array<std::string_view, kKinds> kNames = {
      "Deployment", "Job", "JobSet", "LeaderWorkerSet", "PyTorchJob", "RayCluster"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view StateName(State state) {
  constexpr std::array<std::string_view, kStates> kNames = {"Running", "Initializing", "Completed",
                                                            "Failed"};
  return kNames[static_cast<std::size_t>(state)];
}

}  // namespace wmap::bench
