// Evaluator: runs Programs on values, within budgets.
//
// Results, and all values that are made on the way, live in the Arena that the Evaluator was made
// with, and may view the memory of the input, of the variables and of the Program: they are valid
// while all four are. Reset the Arena between inputs, never during a run.
//
// One thread at a time. An Evaluator keeps its stacks between runs, so that later runs allocate
// nothing but new values; making one costs almost nothing. A sink must not call back into the
// Evaluator that calls it.
//
// Errors of every function here:
//   kEvaluation  the program raised an error; the message is jq's, with a hint where the mistake is
//                known, and the range is that of the failing part of the source
//   kLimit       a budget is used up; the message says which, the range where
//   kCancelled   Limits::cancelled was set
// Values of any depth are safe as inputs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/function_ref.h"
#include "expr/program.h"
#include "json/value.h"

namespace wmap::expr {

// Budgets of one run. The defaults suit definitions that strangers wrote.
struct Limits {
  // Instructions, and one for each unit of work inside a builtin (an item sorted, a byte searched).
  std::uint64_t steps = 50'000'000;
  // The run fails as soon as there are this many results.
  std::size_t results = 1000;
  // Calls inside each other, and alternatives that are still open.
  std::uint32_t depth = 200'000;
  // Bytes of new values and of stacks.
  std::size_t bytes = std::size_t{256} << 20;
  // Wall time. Looked at every few thousand steps, and only with a clock. `now` reads it too.
  std::int64_t wall_ns = 10'000'000'000;
  const Clock* clock = nullptr;
  // Set from any thread to stop the run.
  const std::atomic<bool>* cancelled = nullptr;
};

namespace vm {
class Machine;
}

// What is told of a traced run, in the order in which things happen. Ranges are those of parts of
// the source: of every part that computes something, not of constants, `.`, `|` and definitions.
class Tracer {
 public:
  virtual ~Tracer() = default;
  // A part is about to be evaluated. One that gives nothing, as `empty` and `select` do, is not
  // heard of again before the next Enter() of its range.
  virtual void Enter(SourceRange part) = 0;
  // A result of a part, and its path from the input; null when it was computed.
  virtual void Leave(SourceRange part, const json::Value& value, const json::Value* path) = 0;
  // A result of the program.
  virtual void Yield(const json::Value& value, const json::Value* path) = 0;
};

class Evaluator {
 public:
  explicit Evaluator(Arena& results_arena, const Limits& limits = {});
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;

  void set_limits(const Limits& limits) { limits_ = limits; }
  const Limits& limits() const { return limits_; }
  Arena& arena() const { return *arena_; }

  // Calls `sink` with each result; false from it ends the run early, which is no error.
  // `variables` are the values of CompileOptions::variables.
  Result<void> Run(const Program& program, const json::Value& input,
                   FunctionRef<bool(const json::Value&)> sink,
                   std::span<const json::Value> variables = {});

  // As Run(), telling how the results came about. Compiles the program anew and runs it literally:
  // slower, and with more steps. `path(f)` accepts more here than in a plain run.
  Result<void> Trace(const Program& program, const json::Value& input, Tracer& tracer,
                     std::span<const json::Value> variables = {});

  // `error`, of a Run() with the same arguments, with the part of the input that the program had
  // read last before it failed: "(last read: .spec.jobs[1].replicas)". Runs the program again,
  // traced.
  Error WithLastRead(Error error, const Program& program, const json::Value& input,
                     std::span<const json::Value> variables = {});

  // Where result `index` of a Run() with the same arguments, which is `result`, comes from: its own
  // path, else that of what was read last and is equal to it, else of what was read last:
  // ".spec.jobs[1].replicas". "" when nothing was read. Runs the program again, traced.
  std::string SourceOf(const Program& program, const json::Value& input, std::size_t index,
                       const json::Value& result);

  // All results, or an error and none.
  Result<std::vector<json::Value>> All(const Program& program, const json::Value& input,
                                       std::span<const json::Value> variables = {});
  // The first result, if there is one; later ones are not computed.
  Result<std::optional<json::Value>> First(const Program& program, const json::Value& input,
                                           std::span<const json::Value> variables = {});

  // The paths of all results, as `path(program)` gives them: arrays of keys, indices and slices.
  // Fails when a result is not a part of the input.
  Result<std::vector<json::Value>> Paths(const Program& program, const json::Value& input,
                                         std::span<const json::Value> variables = {});
  // `program = value`: the input with the value at each path of the program. Without any path the
  // input itself.
  Result<json::Value> AssignOne(const Program& program, const json::Value& input,
                                const json::Value& value,
                                std::span<const json::Value> variables = {});
  // Value i at path i. kMismatch when there are not as many paths as values.
  Result<json::Value> AssignEach(const Program& program, const json::Value& input,
                                 std::span<const json::Value> values,
                                 std::span<const json::Value> variables = {});

  // Of the last run: steps used and bytes of new values.
  std::uint64_t steps_used() const;
  std::size_t bytes_used() const;

 private:
  vm::Machine& machine();

  Arena* arena_;
  Limits limits_;
  std::unique_ptr<vm::Machine> machine_;  // made at the first run that needs it
};

}  // namespace wmap::expr
