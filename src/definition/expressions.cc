#include "definition/expressions.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "definition/decoder.h"
#include "expr/syntax/parser.h"

namespace wmap::definition {
namespace {

using expr::Node;
using expr::NodeKind;

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

constexpr std::array<std::string_view, 5> kUnboundedCalls = {"range", "paths", "recurse", "walk",
                                                             "repeat"};

std::optional<Restriction> RestrictionOf(const Node& node) {
  SourceRange place{node.place, node.end};
  switch (node.kind) {
    case NodeKind::kBinary: {
      if (!expr::IsAssignment(node.op)) return std::nullopt;
      std::string_view op = expr::OperatorText(node.op);
      return Restriction{"J2",
                         {node.place, node.place + op.size()},
                         Cat("the modifying operator ", op, " is not allowed")};
    }
    case NodeKind::kCall:
      place = {node.begin, node.begin + node.text.size()};
      if (node.text == "del") return Restriction{"J3", place, "the function del is not allowed"};
      if (std::ranges::find(kUnboundedCalls, node.text) != kUnboundedCalls.end()) {
        return Restriction{
            "J4", place,
            Cat("the function ", node.text, " is not allowed: it may produce excessive output")};
      }
      return std::nullopt;
    case NodeKind::kDescend:
      return Restriction{"J5", node.range(), "the recursive descent .. is not allowed"};
    default:
      return std::nullopt;
  }
}

std::string_view HintFor(std::string_view rule) {
  if (rule == "J2") return "an expression only reads; to compare, write ==";
  if (rule == "J3") return "an expression only reads; select what to keep instead";
  return "write the path to what is meant, e.g. .spec.groups[]?";
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

std::string FieldOf(const Expression& expression) { return LastName(expression.pointer()); }

std::optional<Restriction> FindRestriction(const expr::Syntax& syntax) {
  // The rules do not care where in the tree a node stands, and the nodes are all in one list.
  std::optional<Restriction> first;
  for (std::size_t i = 0; i < syntax.node_count(); ++i) {
    auto found = RestrictionOf(syntax.node(static_cast<expr::NodeId>(i)));
    if (found && (!first || found->range.begin < first->range.begin)) first = std::move(found);
  }
  return first;
}

void CheckExpression(Expression& expression, Report& report, bool quiet) {
  if (!expression) return;
  const std::string& text = expression.text();
  Result<void> compiled = expression.Compile();
  if (quiet) return;
  Result<expr::Syntax> syntax = expr::Parse(text);
  if (!syntax) {
    report.AddInText({Severity::kError, "J1",
                      Cat(FieldOf(expression), " cannot be parsed: ", syntax.error().message())},
                     expression.pointer(), text, RangeOf(syntax.error(), text));
    return;
  }
  if (auto broken = FindRestriction(*syntax)) {
    report.AddInText(
        {Severity::kError, broken->rule, Cat(FieldOf(expression), ": ", broken->message),
         std::string(HintFor(broken->rule))},
        expression.pointer(), text, broken->range);
    return;
  }
  if (!compiled) {
    report.AddInText(
        {Severity::kError, "compile", Cat(FieldOf(expression), ": ", compiled.error().message())},
        expression.pointer(), text, RangeOf(compiled.error(), text));
  }
}

}  // namespace wmap::definition
