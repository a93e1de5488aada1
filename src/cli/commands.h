// The commands. Each takes what the user asked for and the context, writes, and returns an exit
// code.
#pragma once

#include "cli/context.h"
#include "cli/options.h"

namespace wmap::cli {

int RunGet(const GetOptions& options, const Context& context);
int RunTree(const TreeOptions& options, const Context& context);
int RunDescribe(const DescribeOptions& options, const Context& context);
int RunExplain(const ExplainOptions& options, const Context& context);
int RunAudit(const AuditOptions& options, const Context& context);
int RunDefinitions(const DefinitionsOptions& options, const Context& context);
int RunValidate(const ValidateOptions& options, const Context& context);
int RunCheck(const CheckOptions& options, const Context& context);
int RunDraft(const DraftOptions& options, const Context& context);
int RunDiff(const DiffOptions& options, const Context& context);
int RunTest(const TestOptions& options, const Context& context);
int RunEval(const EvalOptions& options, const Context& context);
int RunComplete(const CompleteOptions& options, const Context& context);
int RunVersion(const VersionOptions& options, const Context& context);

}  // namespace wmap::cli
