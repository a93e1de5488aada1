// The expressions that definitions hold, over an object of the size of a JobSet: compiling them and
// evaluating them; and loops that must stay linear.
#include <benchmark/benchmark.h>
#include <string>

#include "expr/evaluate.h"
#include "expr/program.h"
#include "json/reader.h"

namespace wmap::expr {
namespace {

constexpr std::string_view kObject = R"({
  "apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
  "metadata": {"name": "train", "namespace": "default", "uid": "0d3c",
    "labels": {"app": "train", "kueue.x-k8s.io/queue-name": "main", "team": "a"}},
  "spec": {"suspend": false, "a": {"b": 5},
    "replicatedJobs": [
      {"name": "leader", "replicas": 1, "template": {"spec": {"parallelism": 1, "completions": 1,
        "template": {"spec": {"containers": [{"name": "main", "image": "train:1",
          "resources": {"limits": {"cpu": "8", "memory": "64Gi", "nvidia.com/gpu": 4}}}]}}}}},
      {"name": "worker", "replicas": 2, "template": {"spec": {"parallelism": 4, "completions": 4,
        "template": {"spec": {"containers": [{"name": "main", "image": "train:1",
          "resources": {"limits": {"cpu": "8", "memory": "64Gi", "nvidia.com/gpu": 4}}}]}}}}}]},
  "status": {"restarts": 0,
    "conditions": [
      {"type": "Suspended", "status": "False", "reason": "ResumeJobs", "message": "resumed"},
      {"type": "StartupPolicyCompleted", "status": "True", "reason": "x", "message": "started"},
      {"type": "Completed", "status": "True", "reason": "AllJobsCompleted", "message": "done"}],
    "replicatedJobsStatus": [
      {"name": "leader", "ready": 0, "succeeded": 1, "failed": 0, "active": 0},
      {"name": "worker", "ready": 0, "succeeded": 2, "failed": 0, "active": 0}]}
})";

constexpr std::string_view kExpressions[] = {
    ".spec.a.b",
    ".metadata.labels[\"kueue.x-k8s.io/queue-name\"]",
    ".spec.replicatedJobs[] | .replicas // 1",
    ".spec.replicatedJobs[] | .replicas * .template.spec.parallelism",
    "[.status.conditions[]? | select(.type==\"Completed\" and .status==\"True\")] | length > 0",
    "any(.status.conditions[]?; .type == \"Completed\" and .status == \"True\")",
    ".spec.suspend == true and (.status.restarts // 0) == 0",
    ".metadata.labels | to_entries[] | .key",
    "[.spec.replicatedJobs[] | {name, total: ((.replicas // 1) * 2)}]",
    ".spec.suspend = true",
};

void Compile(benchmark::State& state) {
  std::string_view source = kExpressions[state.range(0)];
  state.SetLabel(std::string(source));
  for (auto _ : state) {
    auto program = Program::Compile(source);
    benchmark::DoNotOptimize(program);
  }
}
BENCHMARK(Compile)->DenseRange(0, std::size(kExpressions) - 1);

void Evaluate(benchmark::State& state) {
  std::string_view source = kExpressions[state.range(0)];
  state.SetLabel(std::string(source));
  Arena input_arena;
  auto input = json::Read(kObject, input_arena);
  auto program = Program::Compile(source);
  Arena arena;
  Evaluator evaluator(arena);
  std::size_t results = 0;
  for (auto _ : state) {
    arena.Reset();
    auto done = evaluator.Run(*program, *input, [&](const json::Value&) {
      ++results;
      return true;
    });
    benchmark::DoNotOptimize(done);
  }
  benchmark::DoNotOptimize(results);
}
BENCHMARK(Evaluate)->DenseRange(0, std::size(kExpressions) - 1);

constexpr std::string_view kLoops[] = {
    "reduce range(100000) as $x (0; . + $x)",
    "reduce range(100000) as $x ([]; . + [$x]) | length",
    "reduce range(20000) as $x ({}; .[$x | tostring] = $x) | length",
    "[range(100000)] | map(. * 2) | add",
    "[range(50000)] | .[] |= . + 1 | length",
    "[range(100000) | . * 7919 % 10007] | sort | unique | length",
    "[range(50000) | {k: (. % 100), v: .}] | group_by(.k) | map(length) | add",
    "def f: if . > 100000 then . else . + 1 | f end; 0 | f",
    "def fib: if . < 2 then . else (. - 1 | fib) + (. - 2 | fib) end; 18 | fib",
    "[range(20000) | tostring] | join(\",\") | length",
    "last(range(300000))",
    "[limit(50000; repeat(1))] | length",
};

void Loop(benchmark::State& state) {
  std::string_view source = kLoops[state.range(0)];
  state.SetLabel(std::string(source));
  auto program = Program::Compile(source);
  Limits limits;
  limits.bytes = std::size_t{4} << 30;
  Arena arena;
  Evaluator evaluator(arena, limits);
  for (auto _ : state) {
    arena.Reset();
    auto done = evaluator.First(*program, json::Value());
    if (!done) {
      state.SkipWithError(done.error().Describe().c_str());
      return;
    }
    benchmark::DoNotOptimize(done);
  }
}
BENCHMARK(Loop)->DenseRange(0, std::size(kLoops) - 1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wmap::expr
