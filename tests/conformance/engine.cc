#include "tests/conformance/engine.h"

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "expr/evaluate.h"
#include "expr/program.h"
#include "json/compare.h"
#include "json/reader.h"
#include "json/writer.h"
#include "tests/referee/referee.h"

namespace wmap::conformance {

std::optional<std::vector<json::Value>> ReadValues(std::string_view text, Arena& arena) {
  json::ReadOptions options;
  options.dialect = json::ReadOptions::Dialect::kJq;
  std::vector<json::Value> values;
  std::size_t position = 0;
  while (true) {
    auto next = json::ReadNext(text, &position, arena, options);
    if (!next) return std::nullopt;
    if (!*next) return values;
    values.push_back(**next);
  }
}

namespace {

// As jq and gojq print it, who do not keep the digits of numbers beyond the doubles.
std::string PrintedByOthers(const json::Value& value) {
  return json::ToJson(value, {.keep_digits = false});
}

// NaN is written as null, infinities as the largest doubles, and so they stand in the files of
// results.
bool Same(const json::Value& got, const json::Value& wanted) {
  return json::SortOrder(got, wanted) == 0 || PrintedByOthers(got) == PrintedByOthers(wanted);
}

}  // namespace

Outcome VmEngine::Run(const std::string& source, const json::Value& input,
                      const std::vector<std::pair<std::string, json::Value>>& variables,
                      Arena& arena) {
  Outcome outcome;
  std::vector<std::string_view> names;
  std::vector<json::Value> values;
  for (const auto& [name, value] : variables) {
    names.push_back(name);
    values.push_back(value);
  }
  expr::CompileOptions options;
  options.variables = names;
  options.optimize = optimize_;
  auto program = expr::Program::Compile(source, options);
  if (!program) {
    outcome.error = program.error();
    outcome.compiled = false;
    return outcome;
  }
  expr::Limits limits;
  limits.results = 100'000;
  limits.clock = &SystemClock();
  expr::Evaluator evaluator(arena, limits);
  // Results view the program, which dies here.
  auto done = evaluator.Run(
      *program, input,
      [&](const json::Value& result) {
        outcome.results.push_back(json::DeepCopy(arena, result));
        return true;
      },
      values);
  if (!done) outcome.error = done.error();
  ran_out_ = ran_out_ || (!done && done.error().code() == Code::kLimit);
  return outcome;
}

Outcome RefereeEngine::Run(const std::string& source, const json::Value& input,
                           const std::vector<std::pair<std::string, json::Value>>& variables,
                           Arena& arena) {
  referee::Verdict verdict = referee::Judge(source, input, variables, arena);
  Outcome outcome;
  outcome.results = std::move(verdict.results);
  using Kind = referee::Verdict::Kind;
  outcome.compiled = verdict.kind != Kind::kNotCompiled;
  outcome.out_of_reach = verdict.kind == Kind::kGaveUp;
  if (verdict.kind == Kind::kFailed)
    outcome.error = Error(Code::kEvaluation, json::ToJson(verdict.error));
  if (verdict.kind != Kind::kFailed && verdict.kind != Kind::kDone)
    outcome.error = Error(Code::kCompile, verdict.why);
  return outcome;
}

bool SameOutcome(const Outcome& left, const Outcome& right) {
  return left.compiled == right.compiled && left.error.has_value() == right.error.has_value() &&
         std::ranges::equal(left.results, right.results, Same);
}

std::string Describe(const Outcome& outcome) {
  std::string text;
  for (const json::Value& result : outcome.results) {
    if (!text.empty()) text += ' ';
    json::Write(result, text);
    if (text.size() > 500) return text + "...";
  }
  if (outcome.error)
    CatTo(text, text.empty() ? "" : " ",
          outcome.compiled ? "error: " : "compile error: ", outcome.error->message());
  return text.empty() ? "nothing" : text;
}

std::string Check(Engine& engine, const Case& test) {
  Arena arena;
  std::vector<std::pair<std::string, json::Value>> variables;
  for (const auto& [name, text] : test.variables) {
    auto value = ReadValues(text, arena);
    if (!value || value->size() != 1) return Cat("unreadable variable ", name);
    variables.emplace_back(name, value->front());
  }
  auto inputs = ReadValues(test.must_not_compile ? "null" : test.input, arena);
  if (!inputs) return "unreadable input";
  auto wanted = ReadValues(test.results, arena);
  if (!wanted) return "unreadable results";

  Outcome all;
  for (const json::Value& input : *inputs) {
    Outcome one = engine.Run(test.program, input, variables, arena);
    if (one.out_of_reach) return "out of reach";
    all.results.insert(all.results.end(), one.results.begin(), one.results.end());
    all.compiled = one.compiled;
    if (one.error && !all.error) all.error = one.error;
    if (!one.compiled) break;
  }
  bool good = (test.may_fail ? all.compiled : test.fails == all.error.has_value()) &&
              (!test.must_not_compile || !all.compiled) &&
              (!all.error || all.error->code() != Code::kLimit) &&
              (test.must_not_compile || std::ranges::equal(all.results, *wanted, Same)) &&
              (!test.error || all.error->message().find(*test.error) != std::string::npos);
  return good ? "" : Describe(all);
}

}  // namespace wmap::conformance
