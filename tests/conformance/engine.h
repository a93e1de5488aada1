// What runs a case: the product's evaluator, or the referee.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "json/value.h"
#include "tests/conformance/suite.h"

namespace wmap::conformance {

// What a program gave on one input.
struct Outcome {
  std::vector<json::Value> results;
  std::optional<Error> error;  // after the results
  bool compiled = true;        // false: `error` is the compiler's
  bool out_of_reach = false;   // the engine does not know a function of the program
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;
  // `arena` keeps the results.
  virtual Outcome Run(const std::string& program, const json::Value& input,
                      const std::vector<std::pair<std::string, json::Value>>& variables,
                      Arena& arena) = 0;
};

// The evaluator, with or without the compiler's optimising passes.
class VmEngine : public Engine {
 public:
  explicit VmEngine(bool optimize) : optimize_(optimize) {}
  std::string_view name() const override { return optimize_ ? "vm" : "vm unoptimised"; }
  Outcome Run(const std::string& program, const json::Value& input,
              const std::vector<std::pair<std::string, json::Value>>& variables,
              Arena& arena) override;
  // Whether a budget ended a run so far.
  bool ran_out() const { return ran_out_; }

 private:
  bool optimize_;
  bool ran_out_ = false;
};

// The slow evaluator of tests/referee.
class RefereeEngine : public Engine {
 public:
  std::string_view name() const override { return "referee"; }
  Outcome Run(const std::string& program, const json::Value& input,
              const std::vector<std::pair<std::string, json::Value>>& variables,
              Arena& arena) override;
};

// Whether two engines did the same: the same results in the same order, and an error or none after
// them. What an error says is not compared.
bool SameOutcome(const Outcome& left, const Outcome& right);

// All values of a text, as jq reads its input; nothing when it is no JSON.
std::optional<std::vector<json::Value>> ReadValues(std::string_view text, Arena& arena);

// "" when the engine does in `test` what the case expects, else what it did.
std::string Check(Engine& engine, const Case& test);

// "1 2 error: ..." for messages.
std::string Describe(const Outcome& outcome);

}  // namespace wmap::conformance
