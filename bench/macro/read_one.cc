// Reads one workload with our library: the workload `read-one`.
//
//   wmap_bench_read_one DEFINITION OBJECT [KIND [SECONDS]]
//
// The same job as its peer bench/peers/karta/main.go, with the same output: the definition is
// loaded once; each iteration reads the status, the instances, their scale and their pods'
// resources of the first object of KIND (JobSet) in the file OBJECT, which is in memory already.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/resource.h>

#include "base/arena.h"
#include "definition/load.h"
#include "input/input.h"
#include "json/value.h"
#include "workload/interpret.h"

namespace wmap::bench {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void Die(std::string_view message) {
  std::fprintf(stderr, "wmap_bench_read_one: %.*s\n", static_cast<int>(message.size()),
               message.data());
  std::exit(1);
}

// The first object of `kind` in a file, in `arena`.
json::Value LoadObject(const std::string& file, std::string_view kind, Arena& arena) {
  json::Value found;
  const auto keep = [&](const input::Object& object) {
    const json::Value* its_kind = object.value.Find("kind");
    if (found.is_object() || its_kind == nullptr || its_kind->text_or_empty() != kind) return;
    found = json::DeepCopy(arena, object.value);
  };
  const auto refuse = [](const input::Problem& problem) { Die(problem.Describe()); };
  input::Read(std::span(&file, 1), input::SystemFileSystem(), {}, keep, refuse);
  if (!found.is_object()) Die(file + ": no " + std::string(kind) + " in it");
  return found;
}

std::unique_ptr<definition::Karta> LoadDefinition(const std::string& file) {
  Arena arena;
  const json::Value document = LoadObject(file, "Karta", arena);
  definition::Loaded loaded =
      definition::Load(document, {.mode = definition::Mode::kLenient, .source = file});
  if (loaded.karta == nullptr || !loaded.karta->is_valid) {
    Die(definition::Render(loaded.findings, ""));
  }
  return std::move(loaded.karta);
}

double ProcessCpuNs() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ns = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_usec) * 1e3;
  };
  return ns(usage.ru_utime) + ns(usage.ru_stime);
}

// The names of roles and phases of the objects that are measured need no escapes.
void PrintAnswer(const workload::Workload& workload) {
  std::fputs("{\"phases\":[", stdout);
  std::string_view comma = "";
  for (const workload::Phase phase : workload.status.phases) {
    std::printf("%s\"%s\"", comma.data(), workload::PhaseName(phase).data());
    comma = ",";
  }
  std::fputs("],\"instances\":{", stdout);
  comma = "";
  for (const workload::Role& role : workload.roles) {
    const auto& per_pod = role.tally.gpus_per_pod;
    std::printf("%s\"%s\":{\"replicas\":%s,\"gpus\":%s}", comma.data(), role.role.c_str(),
                role.tally.pods.desired.text().c_str(), per_pod ? per_pod->text().c_str() : "0");
    comma = ",";
  }
  std::printf("},\"gpus\":%s", workload.totals.gpus.desired.text().c_str());
}

int Main(int argc, char** argv) {
  if (argc < 3) Die("usage: wmap_bench_read_one DEFINITION OBJECT [KIND [SECONDS]]");
  const std::string kind = argc > 3 ? argv[3] : "JobSet";
  const std::chrono::duration<double> limit(argc > 4 ? std::atof(argv[4]) : 1.0);
  const std::unique_ptr<definition::Karta> karta = LoadDefinition(argv[1]);
  Arena arena;
  const json::Value object = LoadObject(argv[2], kind, arena);
  const workload::AcceleratorTable accelerators;
  workload::Interpreter interpreter({.accelerators = &accelerators, .limits = {}});

  PrintAnswer(interpreter.Interpret(*karta, object, {}));
  constexpr int kBatch = 100;  // a look at the clock would be part of what is measured
  long iterations = 0;
  std::size_t seen = 0;
  const double cpu_start = ProcessCpuNs();
  const Clock::time_point start = Clock::now();
  while (Clock::now() - start < limit) {
    for (int i = 0; i < kBatch; ++i) {
      seen += interpreter.Interpret(*karta, object, {}).roles.size();
    }
    iterations += kBatch;
  }
  const double cpu = ProcessCpuNs() - cpu_start;
  const std::chrono::duration<double, std::nano> wall = Clock::now() - start;
  if (seen == 0) Die("the workload has no roles");
  std::printf(",\"iterations\":%ld,\"cpu_ns\":%.1f,\"wall_ns\":%.1f}\n", iterations,
              cpu / static_cast<double>(iterations),
              wall.count() / static_cast<double>(iterations));
  return 0;
}

}  // namespace
}  // namespace wmap::bench

int main(int argc, char** argv) { return wmap::bench::Main(argc, argv); }
