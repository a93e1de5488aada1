// For tests: runs a program on JSON text and gives its results as one line of JSON each.
#pragma once

#include <string>
#include <string_view>

#include "expr/evaluate.h"
#include "expr/program.h"
#include "json/reader.h"
#include "json/writer.h"

namespace wmap::expr {

struct TestRun {
  bool optimize = true;
  Limits limits;
};

// "1 | [2,3]" for the results 1 and [2,3]; "" for none; "error: <message>" when the run fails, and
// "compile error: <message>" when there is nothing to run.
inline std::string RunForTest(std::string_view source, std::string_view input = "null",
                              const TestRun& run = {}) {
  CompileOptions options;
  options.optimize = run.optimize;
  Result<Program> program = Program::Compile(source, options);
  if (!program) return "compile error: " + program.error().message();
  Arena arena;
  json::ReadOptions jq;
  jq.dialect = json::ReadOptions::Dialect::kJq;
  Result<json::Value> value = json::Read(input, arena, jq);
  if (!value) return "bad input: " + value.error().message();
  Evaluator evaluator(arena, run.limits);
  std::string text;
  Result<void> done = evaluator.Run(*program, *value, [&](const json::Value& result) {
    if (!text.empty()) text += " | ";
    json::Write(result, text);
    return true;
  });
  return done ? text : "error: " + done.error().message();
}

}  // namespace wmap::expr
