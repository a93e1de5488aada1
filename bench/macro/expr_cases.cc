// Compiles and runs programs of the expression language: our side of the workload `expr`.
//
//   wmap_bench_expr_cases FILE compile|run SECONDS
//
// FILE holds {"inputs": {NAME: any value}, "cases": [{"program": text, "input": NAME}, ...]}; an
// input of null is null. Every program is compiled once. With `compile`, compiling all of them,
// which includes freeing what was compiled before, is then repeated for SECONDS. With `run`, every
// program is run once, for the answers, and then running all of them is repeated for SECONDS; a
// first run that alone took longer counts as it is.
//
// Prints {"cpu_ns": the mean CPU time of a repetition, null where a program fails,
// "answers": [{"results": [...], "error": text or null}, ...]}. Its peers
// bench/peers/{gojq,jaq,libjq} have the same arguments and output.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "expr/evaluate.h"
#include "expr/program.h"
#include "json/reader.h"
#include "json/writer.h"

namespace wmap::bench {
namespace {

struct Case {
  std::string_view source;
  json::Value input;
  std::optional<expr::Program> program;
  std::string results;  // JSON, without the brackets
  std::string error;
};

[[noreturn]] void Die(std::string_view message) {
  std::fprintf(stderr, "wmap_bench_expr_cases: %.*s\n", static_cast<int>(message.size()),
               message.data());
  std::exit(1);
}

double CpuNs() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// The mean of repeating `once` for the time; `first` is what it took before.
template <typename Once>
double Repeat(double first, double seconds, Once once) {
  const double limit = seconds * 1e9;
  if (first > limit) return first;
  long times = 0;
  const double start = CpuNs();
  double passed = 0;
  while (passed < limit) {
    once();
    ++times;
    passed = CpuNs() - start;
  }
  return passed / static_cast<double>(times);
}

const json::Value& Get(const json::Value& object, std::string_view key) {
  const json::Value* found = object.Find(key);
  if (found == nullptr) Die(std::string("no ") + std::string(key) + " in the file");
  return *found;
}

std::vector<Case> LoadCases(const std::string& text, Arena& arena) {
  json::ReadOptions options;
  options.dialect = json::ReadOptions::Dialect::kJq;
  Result<json::Value> file = json::Read(text, arena, options);
  if (!file) Die(file.error().Describe());
  const json::Value& inputs = Get(*file, "inputs");
  std::vector<Case> cases;
  for (const json::Value& item : Get(*file, "cases").items()) {
    Case& added = cases.emplace_back();
    added.source = Get(item, "program").as_string();
    const std::string_view name = Get(item, "input").text_or_empty();
    if (!name.empty()) added.input = Get(inputs, name);
  }
  return cases;
}

class Runner {
 public:
  explicit Runner(std::vector<Case>& cases) : cases_(cases), evaluator_(arena_, Unlimited()) {}

  void CompileAll() {
    for (Case& item : cases_) {
      item.program.reset();
      Result<expr::Program> program = expr::Program::Compile(item.source);
      if (program) {
        item.program.emplace(*std::move(program));
      } else {
        item.error = "compile: " + program.error().message();
      }
    }
  }

  // What it took.
  double Answer(Case& item) {
    if (!item.program) return 0;
    std::vector<json::Value> results;
    arena_.Reset();
    const double start = CpuNs();
    Result<void> done = evaluator_.Run(*item.program, item.input, [&](const json::Value& result) {
      results.push_back(result);
      return true;
    });
    const double took = CpuNs() - start;
    if (!done) item.error = done.error().message();
    for (const json::Value& result : results) {
      if (!item.results.empty()) item.results += ',';
      json::Write(result, item.results);
    }
    return took;
  }

  void Run(const Case& item) {
    arena_.Reset();
    const Result<void> done =
        evaluator_.Run(*item.program, item.input, [&](const json::Value&) { return ++seen_ != 0; });
    if (!done) Die(done.error().Describe());
  }

 private:
  static expr::Limits Unlimited() {
    expr::Limits limits;
    limits.steps = ~std::uint64_t{0};
    limits.results = ~std::size_t{0};
    limits.bytes = std::size_t{8} << 30;
    limits.depth = 10'000'000;
    return limits;
  }

  std::vector<Case>& cases_;
  Arena arena_;
  expr::Evaluator evaluator_;
  std::size_t seen_ = 0;
};

// Nothing when a program fails.
std::optional<double> Measure(std::vector<Case>& cases, bool only_compile, double seconds) {
  Runner runner(cases);
  runner.CompileAll();
  double first = 0;
  if (!only_compile) {
    for (Case& item : cases) first += runner.Answer(item);
  }
  for (const Case& item : cases) {
    if (!item.error.empty()) return std::nullopt;
  }
  if (only_compile) return Repeat(0, seconds, [&] { runner.CompileAll(); });
  return Repeat(first, seconds, [&] {
    for (const Case& item : cases) runner.Run(item);
  });
}

int Main(int argc, char** argv) {
  if (argc != 4) Die("usage: wmap_bench_expr_cases FILE compile|run SECONDS");
  std::ifstream file(argv[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Arena arena;
  std::vector<Case> cases = LoadCases(text, arena);
  const std::optional<double> time =
      Measure(cases, std::string_view(argv[2]) == "compile", std::atof(argv[3]));
  std::string out =
      "{\"cpu_ns\":" + (time ? std::to_string(*time) : std::string("null")) + ",\"answers\":[";
  for (const Case& item : cases) {
    if (&item != cases.data()) out += ',';
    out += "{\"results\":[" + item.results + "],\"error\":";
    if (item.error.empty())
      out += "null";
    else
      json::WriteString(item.error, out);
    out += '}';
  }
  out += "]}\n";
  std::fputs(out.c_str(), stdout);
  return 0;
}

}  // namespace
}  // namespace wmap::bench

int main(int argc, char** argv) { return wmap::bench::Main(argc, argv); }
