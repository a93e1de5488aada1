#include "definition/expressions.h"

#include "base/text.h"
#include "definition/decoder.h"
#include "expr/syntax/parser.h"
#include "expr/syntax/restrictions.h"

namespace wmap::definition {
namespace {

template <typename Visit>
void InSpec(SpecDefinition& spec, Visit visit) {
  visit(spec.pod_template);
  visit(spec.pod_spec);
  visit(spec.metadata);
  if (!spec.fragmented) return;
  // The Karta is the caller's to change.
  for (const Expression* part : spec.fragmented->paths()) visit(const_cast<Expression&>(*part));
}

template <typename Visit>
void InStatus(StatusDefinition& status, Visit visit) {
  visit(status.phase);
  if (status.conditions) visit(status.conditions->path);
  for (std::vector<Matcher>& matchers : status.mappings) {
    for (Matcher& matcher : matchers) {
      if (matcher.by_expression) visit(matcher.by_expression->expression);
    }
  }
}

template <typename Visit>
void InComponent(Component& component, Visit visit) {
  if (component.spec) InSpec(*component.spec, visit);
  if (component.scale) {
    visit(component.scale->replicas);
    visit(component.scale->min_replicas);
    visit(component.scale->max_replicas);
  }
  if (component.status) InStatus(*component.status, visit);
  if (component.suspend) {
    for (SuspendAction& action : component.suspend->suspend_actions) visit(action.path);
    for (SuspendAction& action : component.suspend->resume_actions) visit(action.path);
  }
  visit(component.instance_id_path);
  if (component.pod_selector) {
    if (component.pod_selector->type) visit(component.pod_selector->type->key_path);
    visit(component.pod_selector->instance_id);
    visit(component.pod_selector->replica_key);
  }
}

// The error's range, or the whole text.
SourceRange RangeOf(const Error& error, const std::string& text) {
  return error.range().value_or(SourceRange{0, text.size()});
}

}  // namespace

void ForEachExpression(Karta& karta, FunctionRef<void(Expression&)> visit) {
  auto given = [&](Expression& expression) {
    if (expression.is_given()) visit(expression);
  };
  for (Component& component : karta.components) InComponent(component, given);
  if (!karta.gang) return;
  for (MemberGroup& group : karta.gang->pod_groups) {
    for (GroupMember& member : group.members) {
      for (Expression& expression : member.group_by) given(expression);
      for (Expression& expression : member.filters) given(expression);
    }
  }
}

void ExpressionChecker::Check(Expression& expression) {
  if (!expression) return;
  auto [entry, is_new] = texts_.try_emplace(expression.text());
  Compiled& compiled = entry->second;
  if (is_new) {
    Result<expr::Program> program = expr::Program::Compile(expression.text());
    if (program) {
      compiled.program = std::make_shared<const expr::Program>(*std::move(program));
    } else {
      compiled.error = std::move(program).error();
    }
    compiled.has_fault = !quiet_ && ReportFault(expression, compiled);
  } else if (compiled.has_fault && !report_.IsAlias(expression.pointer())) {
    ReportFault(expression, compiled);
  }
  expression.set_program(compiled.program);
}

bool ExpressionChecker::ReportFault(const Expression& expression, const Compiled& compiled) {
  const std::string& text = expression.text();
  auto report = [&](std::string_view id, std::string_view message, std::string hint,
                    SourceRange range) {
    report_.AddInText(
        {Severity::kError, id, Cat(LastName(expression.pointer()), ": ", message), std::move(hint)},
        expression.pointer(), text, range);
    return true;
  };
  Result<expr::Syntax> syntax = expr::Parse(text);
  if (!syntax) {
    return report("J1", Cat("it cannot be parsed: ", syntax.error().message()), {},
                  RangeOf(syntax.error(), text));
  }
  if (auto breach = expr::FindRestricted(*syntax)) {
    return report(breach->id, breach->message, breach->hint, breach->range);
  }
  if (compiled.error) {
    return report("compile", compiled.error->message(), {}, RangeOf(*compiled.error, text));
  }
  return false;
}

}  // namespace wmap::definition
