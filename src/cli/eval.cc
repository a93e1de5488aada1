// `wmap eval`: the expression engine on its own.
#include "base/text.h"
#include "cli/commands.h"
#include "cli/eval_trace.h"
#include "cli/table.h"
#include "expr/evaluate.h"
#include "expr/program.h"
#include "input/input.h"
#include "json/place.h"
#include "json/writer.h"

namespace wmap::cli {
namespace {

// The message, then the expression with a caret under the part that is meant.
void TellError(const Error& error, std::string_view expression, std::string_view source,
               const Context& context) {
  context.err->Write(Cat("error: ", source.empty() ? std::string() : Cat(Safe(source), ": "),
                         Safe(error.Describe()), '\n'));
  if (error.range()) context.err->Write(json::Excerpt(expression, *error.range()));
}

// One line; false when it is endless by any measure.
bool Print(const json::Value& result, Output& out) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  constexpr std::size_t kMostPieces = 4096;
  json::PieceWriter writer(result);
  std::string text;
  bool more = true;
  for (std::size_t pieces = 0; more && pieces < kMostPieces; ++pieces) {
    text.clear();
    more = writer.Write(text, kPiece);
    if (!more) text += '\n';
    out.Write(text);
  }
  return !more;
}

}  // namespace

int RunEval(const EvalOptions& options, const Context& context) {
  Result<expr::Program> program = expr::Program::Compile(options.expression);
  if (!program) {
    TellError(program.error(), options.expression, {}, context);
    return kFailed;
  }
  Arena arena;
  expr::Limits limits;
  limits.results = 10'000'000;
  limits.clock = context.clock;
  expr::Evaluator evaluator(arena, limits);
  int exit_code = kOk;
  auto run = [&](const json::Value& input, std::string_view source) {
    arena.Reset();
    if (options.trace) {
      EvalTrace trace(options.expression, context);
      // A fault is told below.
      trace.Summarize(!evaluator.Trace(*program, input, trace));
    }
    bool is_endless = false;
    Result<void> done = evaluator.Run(*program, input, [&](const json::Value& result) {
      if (options.raw && result.is_string()) {
        context.out->Write(Cat(result.as_string(), '\n'));
        return true;
      }
      is_endless = !Print(result, *context.out);
      return !is_endless;
    });
    if (is_endless) {
      context.err->Write(
          "error: the text of a result is longer than 4 GiB; the rest is left out\n");
      exit_code = kFailed;
    }
    if (done) return;
    TellError(evaluator.WithLastRead(done.error(), *program, input), options.expression, source,
              context);
    exit_code = kFailed;
  };
  std::vector<std::string> files = options.files;
  if (files.empty() && !context.in_is_terminal) files.emplace_back("-");
  input::Options reading;
  reading.unit = input::Options::Unit::kDocuments;
  reading.places = input::Options::Places::kNone;
  reading.drop_managed_fields = false;
  std::size_t documents = 0;
  bool unreadable = false;
  input::Read(
      files, *context.files, reading,
      [&](const input::Object& object) {
        ++documents;
        run(object.value, object.source.Describe());
      },
      [&](const input::Problem& problem) {
        context.err->Write(Cat("error: ", Safe(problem.Describe()), '\n', problem.excerpt));
        unreadable = true;
      });
  // Without any input, as from an empty pipe, the expression sees null.
  if (documents == 0 && !unreadable && options.files.empty()) run(json::Value(), {});
  return unreadable ? kUsage : exit_code;
}

}  // namespace wmap::cli
