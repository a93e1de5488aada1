// wmap_bench_generate: prints the dump of an imaginary cluster, as `kubectl get -A -o json` prints
// a List: cluster.h describes what is in it. The same arguments give the same bytes.
//
//   --workloads N       10000
//   --pods N            100000
//   --seed N            1
//   --managed-fields    pods with their managed fields, as with --show-managed-fields
//   --truth FILE        also writes what a reader of the dump should find, as JSON
//
// The objects stand by kind in alphabetical order, so that pods come before some of their owners
// and after others.
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "generate/objects.h"

namespace wmap::bench {
namespace {

struct Options {
  Shape shape;
  bool managed_fields = false;
  const char* truth = nullptr;
};

[[noreturn]] void Die(const std::string& message) {
  std::fprintf(stderr, "wmap_bench_generate: %s\n", message.c_str());
  std::exit(2);
}

template <typename T>
T Number(std::string_view option, std::string_view text, T least) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least) {
    Die(std::string(option) + " needs a number of at least " + std::to_string(least));
  }
  return value;
}

Options Parse(int argc, char** argv) {
  Options out;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    const auto value = [&]() -> const char* {
      if (++i == argc) Die(std::string(option) + " needs a value");
      return argv[i];
    };
    if (option == "--workloads") {
      out.shape.workloads = Number<int>(option, value(), 1);
    } else if (option == "--pods") {
      out.shape.pods = Number<int>(option, value(), 1);
    } else if (option == "--seed") {
      out.shape.seed = Number<std::uint64_t>(option, value(), 0);
    } else if (option == "--truth") {
      out.truth = value();
    } else if (option == "--managed-fields") {
      out.managed_fields = true;
    } else {
      Die("unknown option " + std::string(option));
    }
  }
  if (out.shape.pods < out.shape.workloads) Die("--pods must be at least --workloads");
  return out;
}

// What a reader should find; counted from the cluster, not from what was printed.
struct Truth {
  std::array<int, kKinds> kinds{};
  std::array<int, kStates> states{};
  std::int64_t pods = 0;
  std::int64_t gpus = 0;          // asked for by all workloads
  std::int64_t gpus_running = 0;  // of those, on running pods

  void Add(const Workload& workload) {
    ++kinds[static_cast<std::size_t>(workload.kind)];
    ++states[static_cast<std::size_t>(workload.state)];
    for (const Role& role : workload.roles) {
      pods += role.pods();
      gpus += std::int64_t{role.pods()} * role.gpus;
      if (workload.state == State::kRunning) {
        gpus_running += std::int64_t{role.pods()} * role.gpus;
      }
    }
  }
};

void WriteTruth(const char* path, const Cluster& cluster, std::int64_t bytes) {
  Truth truth;
  for (int i = 0; i < cluster.size(); ++i) truth.Add(cluster.At(i));
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) Die(std::string(path) + ": " + std::strerror(errno));
  JsonPrinter out(file);
  out.Object([&] {
    out.Field("bytes", bytes);
    out.Field("gpus", truth.gpus);
    out.Field("gpusRunning", truth.gpus_running);
    out.Object("kinds", [&] {
      for (int i = 0; i < kKinds; ++i) {
        out.Field(KindName(static_cast<Kind>(i)), truth.kinds[static_cast<std::size_t>(i)]);
      }
    });
    out.Object("phases", [&] {
      for (const State state :
           {State::kCompleted, State::kFailed, State::kWaiting, State::kRunning}) {
        out.Field(StateName(state), truth.states[static_cast<std::size_t>(state)]);
      }
    });
    out.Field("pods", truth.pods);
    out.Field("workloads", cluster.size());
  });
  out.Finish();
  std::fclose(file);
}

// The resources in the order of the dump. A kind of workload can also be made by another workload.
void PrintItems(JsonPrinter& out, const Cluster& cluster, bool managed_fields) {
  const auto roots = [&](Kind kind) {
    for (int i = 0; i < cluster.size(); ++i) {
      const Workload workload = cluster.At(i);
      if (workload.kind == kind) PrintRoot(out, workload);
    }
  };
  const auto controllers = [&](Kind owner, std::string_view kind) {
    for (int i = 0; i < cluster.size(); ++i) {
      const Workload workload = cluster.At(i);
      if (workload.kind != owner) continue;
      for (const Controller& controller : ControllersOf(cluster, workload)) {
        PrintController(out, workload, controller, kind);
      }
    }
  };
  roots(Kind::kDeployment);
  roots(Kind::kJob);
  controllers(Kind::kJobSet, "Job");
  roots(Kind::kJobSet);
  roots(Kind::kLeaderWorkerSet);
  for (int i = 0; i < cluster.size(); ++i) {
    const Workload workload = cluster.At(i);
    for (const Pod& pod : PodsOf(cluster, workload)) {
      PrintPod(out, cluster, workload, pod, managed_fields);
    }
  }
  roots(Kind::kPyTorchJob);
  roots(Kind::kRayCluster);
  controllers(Kind::kDeployment, "ReplicaSet");
  controllers(Kind::kLeaderWorkerSet, "StatefulSet");
}

int Main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  const Cluster cluster(options.shape);
  JsonPrinter out(stdout);
  out.Object([&] {
    out.Field("apiVersion", "v1");
    out.Array("items", [&] { PrintItems(out, cluster, options.managed_fields); });
    out.Field("kind", "List");
    out.Object("metadata", [&] { out.Field("resourceVersion", ""); });
  });
  out.Finish();
  if (options.truth != nullptr) WriteTruth(options.truth, cluster, out.bytes());
  return 0;
}

}  // namespace
}  // namespace wmap::bench

int main(int argc, char** argv) { return wmap::bench::Main(argc, argv); }
