#include "cli/run.h"

#include <utility>

#include "cli/app.h"
#include "cli/commands.h"

namespace wmap::cli {
namespace {

struct Runner {
  const Context& context;

  int operator()(const GetOptions& options) const { return RunGet(options, context); }
  int operator()(const TreeOptions& options) const { return RunTree(options, context); }
  int operator()(const DescribeOptions& options) const { return RunDescribe(options, context); }
  int operator()(const ExplainOptions& options) const { return RunExplain(options, context); }
  int operator()(const AuditOptions& options) const { return RunAudit(options, context); }
  int operator()(const DefinitionsOptions& options) const {
    return RunDefinitions(options, context);
  }
  int operator()(const ValidateOptions& options) const { return RunValidate(options, context); }
  int operator()(const CheckOptions& options) const { return RunCheck(options, context); }
  int operator()(const DraftOptions& options) const { return RunDraft(options, context); }
  int operator()(const DiffOptions& options) const { return RunDiff(options, context); }
  int operator()(const TestOptions& options) const { return RunTest(options, context); }
  int operator()(const EvalOptions& options) const { return RunEval(options, context); }
  int operator()(const VersionOptions& options) const { return RunVersion(options, context); }
  int operator()(const CompleteOptions& options) const { return RunComplete(options, context); }
  int operator()(const PrintOptions& options) const {
    context.out->Write(options.text);
    return kOk;
  }
};

}  // namespace

int Run(std::vector<std::string> arguments, const Context& context) {
  std::expected<Command, UsageError> command =
      ParseCommandLine(std::move(arguments), context.program);
  if (!command) {
    context.err->Write(command.error().message);
    return command.error().exit_code;
  }
  return std::visit(Runner{context}, *command);
}

}  // namespace wmap::cli
