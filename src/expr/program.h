// Program: a compiled expression of the jq language.
//
//   WMAP_TRY(auto program, expr::Program::Compile(".spec.replicatedJobs[] | .replicas // 1"));
//   Arena arena;
//   expr::Evaluator evaluator(arena);
//   WMAP_TRY(auto results, evaluator.All(program, object));
//
// A Program is immutable and holds no input: any number of threads may evaluate one Program at the
// same time, each with an Evaluator of its own. Move-only; references stay valid only while it is
// not moved. Compiling a typical expression takes a few microseconds and keeps one copy of the
// source.
//
// The language is that of jq 1.8 without modules and `input`; docs/expressions.md lists what is
// decided differently. `env` and `$ENV` are empty objects.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "expr/nature.h"

namespace wmap::expr {

namespace program {
struct Code;
}

struct CompileOptions {
  // Names, without `$`, of global variables. Evaluator takes their values in the same order.
  std::span<const std::string_view> variables = {};
  // False compiles literally, without folding, fusion and inlining: the referee of the passes.
  bool optimize = true;
};

// Keys from the root of the input: {"metadata", "labels"} is `.metadata.labels` with all below it.
using InputPath = std::vector<std::string>;

class Program {
 public:
  // Errors: kSyntax and kCompile (unknown function, variable or label; the message names the
  // nearest known one) with a range into `source`; kLimit when the program is too large or nested
  // too deeply.
  static Result<Program> Compile(std::string_view source, const CompileOptions& options = {});

  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  std::string_view source() const;
  // The number of global variables it was compiled with.
  std::size_t variable_count() const;

  // Where the program is nothing but fields, `.a.b`, their path.
  std::optional<InputPath> plain_path() const;

  // The following read the source anew: to be asked once, not at every use.

  // The parts of the input that evaluating can read, none below another; an evaluation on an input
  // that has only these parts gives the same results. Nothing when the whole input may be read.
  // Conservative: it never leaves out what is read.
  std::optional<std::vector<InputPath>> FindInputPaths() const;
  // What can be said without running it.
  Nature FindNature() const;

  // The compiled form, one instruction a line, for tests and for people.
  std::string Listing() const;

 private:
  friend class Evaluator;
  struct Impl;
  explicit Program(std::unique_ptr<Impl> impl);

  // The form that also tracks paths; compiled at its first use, from any thread.
  Result<const program::Code*> WithPaths() const;
  // The form that tells a Tracer what it does.
  Result<program::Code> Traced() const;

  std::unique_ptr<Impl> impl_;
};

}  // namespace wmap::expr
