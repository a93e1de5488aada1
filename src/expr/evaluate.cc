#include "expr/evaluate.h"

#include <limits>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "expr/builtins/builtins.h"
#include "expr/path_text.h"
#include "expr/program_impl.h"
#include "expr/vm/machine.h"
#include "json/compare.h"

namespace wmap::expr {
namespace {

using json::Value;

// A program that is a chain of fields, where the input is of the right shape: no machine is needed.
// False when it is not.
bool FollowPlainPath(const program::Code& code, const Value& input, Value& result) {
  const program::Instruction& fields = code.instructions[0];
  std::size_t count = fields.op == program::Op::kFields ? fields.b : 1;
  result = input;
  for (std::size_t i = 0; i < count; ++i) {
    if (result.is_object()) {
      const Value* found = result.Find(code.constants[fields.c + i].as_string());
      result = found == nullptr ? Value() : *found;
    } else if (!result.is_null()) {
      return false;
    }
  }
  return true;
}

// Remembers the last part of the input that was read; given a result, what it was read from.
class LastReadTracer final : public Tracer {
 public:
  LastReadTracer() = default;
  LastReadTracer(std::size_t index, const Value& result) : left_(index), result_(result) {}

  const std::optional<Value>& path() const { return path_; }

  void Enter(SourceRange /*part*/) override {}
  void Leave(SourceRange /*part*/, const Value& value, const Value* path) override {
    if (is_done_ || path == nullptr || path->size() == 0) return;
    bool is_equal = left_ == 0 && json::Equal(value, result_);
    if (is_equal || !is_equal_) path_ = *path;
    is_equal_ |= is_equal;
  }
  void Yield(const Value& /*value*/, const Value* path) override {
    is_done_ |= left_ == 0;
    if (left_-- == 0 && path != nullptr && path->size() > 0) path_ = *path;
  }

 private:
  std::size_t left_ = std::numeric_limits<std::size_t>::max();  // results before the one
  Value result_;
  bool is_equal_ = false;
  bool is_done_ = false;
  std::optional<Value> path_;
};

}  // namespace

Evaluator::Evaluator(Arena& results_arena, const Limits& limits)
    : arena_(&results_arena), limits_(limits) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

vm::Machine& Evaluator::machine() {
  if (!machine_) machine_ = std::make_unique<vm::Machine>(*arena_);
  return *machine_;
}

Result<void> Evaluator::Run(const Program& program, const Value& input,
                            FunctionRef<bool(const Value&)> sink,
                            std::span<const Value> variables) {
  WMAP_CHECK(variables.size() == program.variable_count());
  const program::Code& code = program.impl_->code;
  Value result;
  if (code.is_plain_path && limits_.results > 1 && FollowPlainPath(code, input, result)) {
    sink(result);
    return {};
  }
  return machine().Run(code, input, variables, limits_, *arena_, sink);
}

Result<void> Evaluator::Trace(const Program& program, const Value& input, Tracer& tracer,
                              std::span<const Value> variables) {
  WMAP_CHECK(variables.size() == program.variable_count());
  WMAP_TRY(program::Code code, program.Traced());
  return machine().Run(
      code, input, variables, limits_, *arena_, [](const Value&) { return true; }, &tracer);
}

Error Evaluator::WithLastRead(Error error, const Program& program, const Value& input,
                              std::span<const Value> variables) {
  if (error.code() != Code::kEvaluation) return error;
  // Paths view its texts.
  Result<program::Code> code = program.Traced();
  if (!code) return error;
  LastReadTracer tracer;
  auto sink = [](const Value&) { return true; };
  if (machine().Run(*code, input, variables, limits_, *arena_, sink, &tracer) || !tracer.path()) {
    return error;
  }
  Error told(error.code(), Cat(error.message(), " (last read: ", PathText(*tracer.path()), ')'));
  if (error.range()) told.At(*error.range());
  for (const std::string& context : error.contexts()) told.In(context);
  return told;
}

std::string Evaluator::SourceOf(const Program& program, const Value& input, std::size_t index,
                                const Value& result) {
  LastReadTracer tracer(index, result);
  // Paths view its texts.
  Result<program::Code> code = program.Traced();
  if (!code) return {};
  auto sink = [](const Value&) { return true; };
  // It may fail behind the result in question.
  [[maybe_unused]] Result<void> run =
      machine().Run(*code, input, {}, limits_, *arena_, sink, &tracer);
  return tracer.path() ? PathText(*tracer.path()) : std::string();
}

Result<std::vector<Value>> Evaluator::All(const Program& program, const Value& input,
                                          std::span<const Value> variables) {
  std::vector<Value> results;
  WMAP_TRY_VOID(Run(
      program, input,
      [&](const Value& result) {
        results.push_back(result);
        return true;
      },
      variables));
  return results;
}

Result<std::optional<Value>> Evaluator::First(const Program& program, const Value& input,
                                              std::span<const Value> variables) {
  std::optional<Value> first;
  WMAP_TRY_VOID(Run(
      program, input,
      [&](const Value& result) {
        first = result;
        return false;
      },
      variables));
  return first;
}

Result<std::vector<Value>> Evaluator::Paths(const Program& program, const Value& input,
                                            std::span<const Value> variables) {
  WMAP_CHECK(variables.size() == program.variable_count());
  WMAP_TRY(const program::Code* code, program.WithPaths());
  std::vector<Value> paths;
  WMAP_TRY_VOID(machine().Run(*code, input, variables, limits_, *arena_, [&](const Value& path) {
    paths.push_back(path);
    return true;
  }));
  return paths;
}

namespace {

Result<Value> SetEach(vm::Machine& machine, Value document, std::span<const Value> paths,
                      std::span<const Value> values) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    WMAP_TRY(document, machine.SetPath(document, paths[i], values[values.size() == 1 ? 0 : i]));
  }
  return document;
}

}  // namespace

Result<Value> Evaluator::AssignOne(const Program& program, const Value& input, const Value& value,
                                   std::span<const Value> variables) {
  WMAP_TRY(std::vector<Value> paths, Paths(program, input, variables));
  return SetEach(machine(), input, paths, std::span(&value, 1));
}

Result<Value> Evaluator::AssignEach(const Program& program, const Value& input,
                                    std::span<const Value> values,
                                    std::span<const Value> variables) {
  WMAP_TRY(std::vector<Value> paths, Paths(program, input, variables));
  if (paths.size() != values.size()) {
    return Fail(Code::kMismatch, Cat("the expression leads to ", paths.size(),
                                     " places, but there are ", values.size(), " values"));
  }
  return SetEach(machine(), input, paths, values);
}

std::uint64_t Evaluator::steps_used() const {
  return machine_ ? machine_->context().steps_used() : 0;
}
std::size_t Evaluator::bytes_used() const {
  return machine_ ? machine_->context().bytes_used() : 0;
}

}  // namespace wmap::expr
