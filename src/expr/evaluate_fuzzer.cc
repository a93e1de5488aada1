// Programs from arbitrary bytes on arbitrary inputs: the first line that is only `---` parts the
// program from the JSON that it runs on. Whatever it does ends within its budgets, gives the same
// with and without the compiler's passes, and its results can be written and read again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/check.h"
#include "base/utf8.h"
#include "expr/evaluate.h"
#include "expr/program.h"
#include "json/reader.h"
#include "json/writer.h"

namespace {

using namespace wmap;

expr::Limits SmallBudgets() {
  expr::Limits limits;
  limits.steps = 200'000;
  limits.results = 1000;
  limits.depth = 2000;
  limits.bytes = std::size_t{16} << 20;
  return limits;
}

struct Outcome {
  std::string results;
  bool failed = false;
  bool out_of_budget = false;
};

Outcome RunOn(const expr::Program& program, const json::Value& input) {
  Arena arena;
  expr::Evaluator evaluator(arena, SmallBudgets());
  Outcome outcome;
  Result<void> run = evaluator.Run(program, input, [&](const json::Value& result) {
    json::Write(result, outcome.results);
    outcome.results += '\n';
    return outcome.results.size() < (std::size_t{1} << 20);
  });
  outcome.failed = !run;
  if (!run) {
    Code code = run.error().code();
    WMAP_CHECK(code == Code::kEvaluation || code == Code::kLimit);
    WMAP_CHECK(IsUtf8(run.error().Describe()));
    outcome.out_of_budget = code == Code::kLimit;
  }
  WMAP_CHECK(IsUtf8(outcome.results));
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kPart = "\n---\n";
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::size_t part = text.find(kPart);
  std::string_view source = text.substr(0, part);
  Arena arena;
  json::Value input;
  if (part != std::string_view::npos) {
    input = json::Read(text.substr(part + kPart.size()), arena).value_or(json::Value());
  }
  Result<expr::Program> program = expr::Program::Compile(source);
  Result<expr::Program> literal = expr::Program::Compile(source, {.optimize = false});
  WMAP_CHECK(program.has_value() == literal.has_value());
  if (!program) return 0;
  static_cast<void>(program->FindNature());

  Outcome outcome = RunOn(*program, input);
  Outcome referee = RunOn(*literal, input);
  // Passes change how many steps a program takes, so only what fits both budgets must agree. The
  // clock is read by `now`, and the same instant does not come twice.
  if (!outcome.out_of_budget && !referee.out_of_budget && source.find("now") == source.npos &&
      source.find("time") == source.npos) {
    WMAP_CHECK(outcome.failed == referee.failed);
    WMAP_CHECK(outcome.results == referee.results);
  }
  std::size_t at = 0;
  json::Reader reader;
  while (true) {
    Result<std::optional<json::Value>> value = reader.ReadNext(outcome.results, &at, arena);
    WMAP_CHECK(value.has_value() || value.error().code() == Code::kLimit);
    if (!value || !*value) return 0;
  }
}
