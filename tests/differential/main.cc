// Our side of the differential test with other implementations of the language; see
// tools/differential.
//
//   wmap_differential pairs FORMS SEED COUNT   writes pairs: {"program":...,"input":...} a line
//   wmap_differential run                      reads pairs, writes the outcome of each
//
// An outcome is {"results":[...],"error":"...","at":"run"}; `error` and `at` only when an error
// ended the run, `at` then is compile, run or limit.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/clock.h"
#include "base/text.h"
#include "expr/evaluate.h"
#include "expr/program.h"
#include "json/reader.h"
#include "json/writer.h"
#include "tests/differential/programs.h"
#include "tests/referee/programs.h"

namespace wmap::differential {
namespace {

std::string ReadAll(std::FILE* file) {
  std::string text;
  char buffer[65536];
  while (std::size_t size = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, size);
  return text;
}

void WritePair(std::string_view program, std::string_view input) {
  Arena arena;
  json::ReadOptions options;
  options.dialect = json::ReadOptions::Dialect::kJq;
  Result<json::Value> value = json::Read(input, arena, options);
  if (!value) {
    std::fprintf(stderr, "not JSON: %.*s\n", static_cast<int>(input.size()), input.data());
    std::exit(2);
  }
  std::string line = "{\"program\":";
  json::WriteString(program, line);
  // Sorted: the order in which jq keeps members is not what is tested.
  CatTo(line, ",\"input\":", json::ToJson(*value), "}\n");
  std::fputs(line.c_str(), stdout);
}

void WritePairs(const Forms& forms, std::uint32_t run, int count) {
  // Far apart, so that runs have no programs in common.
  std::uint32_t seed = run * 2'654'435'761U;
  for (int i = 0; i < count; ++seed) {
    if (seed % 8 == 0) {
      referee::Programs programs(seed);
      std::string program = programs.Program();
      WritePair(program, programs.Input());
      ++i;
      continue;
    }
    Programs programs(forms, seed);
    char type = programs.InputType();
    std::string program = programs.Program(type);
    for (int inputs = 0; inputs < 2 && i < count; ++inputs, ++i)
      WritePair(program, programs.Input(type));
  }
}

std::string OutcomeOf(std::string_view source, const json::Value& input) {
  std::string line = "{\"results\":[";
  auto end = [&](std::string_view at, std::string_view message) {
    CatTo(line, "],\"at\":\"", at, "\",\"error\":");
    json::WriteString(message, line);
    line += "}\n";
    return line;
  };
  Result<expr::Program> program = expr::Program::Compile(source);
  if (!program) return end("compile", program.error().message());
  Arena arena;
  expr::Limits limits;
  limits.wall_ns = 1'000'000'000;
  limits.clock = &SystemClock();
  expr::Evaluator evaluator(arena, limits);
  Result<void> done = evaluator.Run(*program, input, [&](const json::Value& result) {
    if (!line.ends_with('[')) line += ',';
    json::Write(result, line);
    return true;
  });
  if (!done)
    return end(done.error().code() == Code::kLimit ? "limit" : "run", done.error().message());
  return line += "]}\n";
}

int Run(std::string_view pairs) {
  std::size_t position = 0;
  while (true) {
    Arena arena;
    json::ReadOptions options;
    options.dialect = json::ReadOptions::Dialect::kJq;
    auto pair = json::ReadNext(pairs, &position, arena, options);
    if (!pair) {
      std::fprintf(stderr, "%s\n", pair.error().Describe().c_str());
      return 2;
    }
    if (!*pair) return 0;
    std::string line = OutcomeOf((*pair)->Get("program").text_or_empty(), (*pair)->Get("input"));
    std::fputs(line.c_str(), stdout);
  }
}

}  // namespace
}  // namespace wmap::differential

int main(int argc, char** argv) {
  using namespace wmap::differential;
  std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "run" && argc == 2) return Run(ReadAll(stdin));
  if (command == "pairs" && argc == 5) {
    std::FILE* file = std::fopen(argv[2], "rb");
    Forms forms = file == nullptr ? Forms() : ReadForms(ReadAll(file));
    if (!forms.empty()) {
      WritePairs(forms, static_cast<std::uint32_t>(std::atoi(argv[3])), std::atoi(argv[4]));
      return 0;
    }
    std::fprintf(stderr, "no forms in %s\n", argv[2]);
    return 2;
  }
  std::fputs("usage: wmap_differential pairs FORMS SEED COUNT | run\n", stderr);
  return 2;
}
