#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/decoder.h"
#include "definition/expressions.h"
#include "definition/lint.h"
#include "expr/syntax/parser.h"
#include "expr/syntax/restrictions.h"

namespace wmap::definition {
namespace {

using expr::kNoNode;
using expr::Node;
using expr::NodeId;
using expr::NodeKind;
using expr::Operator;
using expr::Syntax;

// The expressions that yield one result per instance.
std::vector<const Expression*> PerInstance(const Component& component) {
  std::vector<const Expression*> expressions;
  if (component.spec) {
    expressions = {&component.spec->pod_template, &component.spec->pod_spec,
                   &component.spec->metadata};
    if (component.spec->fragmented) {
      auto paths = component.spec->fragmented->paths();
      expressions.insert(expressions.end(), paths.begin(), paths.end());
    }
  }
  if (component.scale) {
    expressions.insert(expressions.end(),
                       {&component.scale->replicas, &component.scale->min_replicas,
                        &component.scale->max_replicas});
  }
  return expressions;
}

// A term with its accesses, `.a.b[]?.c`, seen from the outside in.
bool IsAccess(const Node& node) {
  return node.kind == NodeKind::kField || node.kind == NodeKind::kIndex ||
         node.kind == NodeKind::kSlice || node.kind == NodeKind::kIterate ||
         node.kind == NodeKind::kTry;
}

// The outermost iteration of a term or of a pipe of terms, or kNoNode: what makes several results.
NodeId IterationIn(const Syntax& syntax, NodeId id) {
  while (true) {
    const Node& node = syntax.node(id);
    if (node.kind == NodeKind::kIterate) return id;
    if (node.kind == NodeKind::kPipe) {
      for (NodeId stage : syntax.list(node)) {
        NodeId found = IterationIn(syntax, stage);
        if (found != kNoNode) return found;
      }
      return kNoNode;
    }
    if (!IsAccess(node)) return kNoNode;
    id = node.a;
  }
}

// The nodes whose results are results of the whole expression, or are worked on one by one on the
// way to them: not what is collected in an array or handed to a function.
template <typename Visit>
void ForEachOnStream(const Syntax& syntax, NodeId id, Visit& visit) {
  visit(id);
  const Node& node = syntax.node(id);
  switch (node.kind) {
    case NodeKind::kPipe:
    case NodeKind::kComma:
    case NodeKind::kIf:
      for (NodeId part : syntax.list(node)) ForEachOnStream(syntax, part, visit);
      if (node.a != kNoNode) ForEachOnStream(syntax, node.a, visit);
      return;
    case NodeKind::kBind:
      ForEachOnStream(syntax, node.b, visit);
      return;
    case NodeKind::kDefine:
    case NodeKind::kLabel:
    case NodeKind::kTry:
      ForEachOnStream(syntax, node.a, visit);
      return;
    case NodeKind::kBinary:
      ForEachOnStream(syntax, node.a, visit);
      ForEachOnStream(syntax, node.b, visit);
      return;
    default:
      return;
  }
}

// `X[].r // d` as `X[] | .r // d`, where it is as simple as that; "" otherwise.
std::string PipeForm(const Syntax& syntax, const Node& alternative, NodeId iteration) {
  const Node& left = syntax.node(alternative.a);
  if (left.kind != NodeKind::kField || iteration == kNoNode) return {};
  std::string_view source = syntax.source();
  std::size_t split = syntax.node(iteration).end;
  if (split < source.size() && source[split] == '?') ++split;
  std::string_view rest = source.substr(split, alternative.end - split);
  if (!rest.starts_with('.')) return {};
  return Cat(source.substr(alternative.begin, split - alternative.begin), " | ", rest);
}

void LintDefault(const Syntax& syntax, const Expression& expression, Report& report) {
  auto visit = [&](NodeId id) {
    const Node& node = syntax.node(id);
    if (node.kind != NodeKind::kBinary || node.op != Operator::kAlternative) return;
    NodeId iteration = IterationIn(syntax, node.a);
    if (iteration == kNoNode) return;
    std::string form = PipeForm(syntax, node, iteration);
    report.AddInText(
        {Severity::kWarning, "default-after-iteration",
         Cat(LastName(expression.pointer()),
             ": the default applies to the whole list, not to each entry: entries without a value "
             "are dropped, and the rest shifts to other instances"),
         form.empty() ? std::string("put the default behind a pipe: X[] | (… // default)")
                      : Cat("write ", form)},
        expression.pointer(), syntax.source(), {node.place, node.place + 2});
  };
  ForEachOnStream(syntax, syntax.root(), visit);
}

// The path that an expression iterates over, ".spec.groups"; nothing where it is no plain path.
// What only turns a map into a list (to_entries, keys) and defaults for a missing list stay out.
class Stem {
 public:
  explicit Stem(const Syntax& syntax) : syntax_(syntax) {}

  std::optional<std::string> Find() {
    if (!Walk(syntax_.root()) || !found_) return std::nullopt;
    return path_;
  }

 private:
  // Appends the path of `id`. False when it is no plain path. Ends at the first iteration.
  bool Walk(NodeId id) {
    const Node& node = syntax_.node(id);
    switch (node.kind) {
      case NodeKind::kIdentity:
        return true;
      case NodeKind::kTry:
        return Walk(node.a);
      case NodeKind::kBind:
        return Walk(node.b);
      case NodeKind::kDefine:
        return Walk(node.a);
      case NodeKind::kPipe:
        for (NodeId stage : syntax_.list(node)) {
          if (!Walk(stage)) return false;
          if (found_) return true;
        }
        return true;
      case NodeKind::kField:
        if (!Walk(node.a)) return false;
        if (!found_) CatTo(path_, '.', node.text);
        return true;
      case NodeKind::kIndex:
        if (!Walk(node.a)) return false;
        if (found_) return true;
        if (syntax_.node(node.b).kind != NodeKind::kString) return false;
        CatTo(path_, '.', syntax_.node(node.b).text);
        return true;
      case NodeKind::kIterate:
        if (!Walk(node.a)) return false;
        found_ = true;
        return true;
      case NodeKind::kBinary:
        return node.op == Operator::kAlternative && Walk(node.a);
      case NodeKind::kCall:
        return node.list_size == 0 &&
               (node.text == "to_entries" || node.text == "keys" || node.text == "values");
      default:
        return false;
    }
  }

  const Syntax& syntax_;
  std::string path_;
  bool found_ = false;
};

std::optional<std::string> StemOf(const Expression& expression) {
  if (expression.program() == nullptr) return std::nullopt;
  Result<Syntax> syntax = expr::Parse(expression.text());
  if (!syntax) return std::nullopt;
  return Stem(*syntax).Find();
}

// Every per-instance field has to walk the list that the ids come from.
void LintStems(const Component& component, Report& report) {
  std::optional<std::string> ids = StemOf(component.instance_id_path);
  if (!ids) return;
  auto compare = [&](const Expression& expression) {
    std::optional<std::string> stem = StemOf(expression);
    if (!stem || *stem == *ids) return;
    report.Add({Severity::kWarning, "instance-stem",
                Cat(LastName(expression.pointer()), " walks ", *stem,
                    "[], but the instance ids come from ", *ids, "[]"),
                "values belong to instances by position: walk the same list"},
               expression.pointer(), Report::Part::kValue);
  };
  for (const Expression* expression : PerInstance(component)) compare(*expression);
}

// Other readers append `== "value"` to the text of the key path. Finds the operator that then binds
// weaker than the comparison.
void LintSelector(const TypeSelector& selector, Report& report) {
  if (!selector.value || selector.key_path.program() == nullptr) return;
  const Expression& key = selector.key_path;
  Result<Syntax> compared = expr::Parse(Cat(key.text(), " == \"\""));
  if (!compared) return;
  NodeId id = compared->root();
  while (true) {
    const Node& node = compared->node(id);
    if (node.kind == NodeKind::kPipe) {
      id = compared->list(node).back();
    } else if (node.kind == NodeKind::kBind) {
      id = node.b;
    } else if (node.kind == NodeKind::kDefine) {
      id = node.a;
    } else {
      break;
    }
  }
  const Node& last = compared->node(id);
  if (last.kind == NodeKind::kBinary && last.op == Operator::kEqual) return;
  std::string_view op = last.kind == NodeKind::kComma ? "," : expr::OperatorText(last.op);
  if (op.empty()) return;
  report.AddInText({Severity::kWarning, "selector-precedence",
                    Cat("other readers compare only what stands behind ", op, " with the value"),
                    Cat("put it in parentheses: (", key.text(), ")")},
                   key.pointer(), key.text(),
                   last.kind == NodeKind::kComma ? SourceRange{last.begin, last.end}
                                                 : SourceRange{last.place, last.place + op.size()});
}

// Other readers put the text in parentheses and go on behind it, all on one line.
void LintComment(const Expression& expression, Report& report) {
  const std::string& text = expression.text();
  if (!text.contains('#')) return;
  if (expr::Parse(Cat('(', text, ')')) || !expr::Parse(Cat('(', text, "\n)"))) return;
  std::size_t at = text.rfind('#');
  report.AddInText(
      {Severity::kWarning, "trailing-comment",
       Cat(LastName(expression.pointer()), " ends with a comment, which breaks other readers"),
       "move the comment out of the expression"},
      expression.pointer(), text, {at, text.size()});
}

void LintDefaults(const Component& component, Report& report) {
  std::vector<const Expression*> expressions = PerInstance(component);
  expressions.push_back(&component.instance_id_path);
  for (const Expression* expression : expressions) {
    if (expression->program() == nullptr) continue;
    if (Result<Syntax> syntax = expr::Parse(expression->text())) {
      LintDefault(*syntax, *expression, report);
    }
  }
}

}  // namespace

void LintExpressions(Karta& karta, Report& report) {
  ForEachExpression(karta, [&](Expression& expression) {
    if (!expression) {
      report.Add({Severity::kWarning, "empty-expression",
                  Cat(LastName(expression.pointer()), " is empty, as if it were not there"),
                  "leave the field out"},
                 expression.pointer());
      return;
    }
    if (expression.program() != nullptr) LintComment(expression, report);
  });
  for (const Component& component : karta.components) {
    if (component.has_instances()) {
      LintDefaults(component, report);
      LintStems(component, report);
    }
    if (const TypeSelector* type = component.type_selector()) LintSelector(*type, report);
  }
}

}  // namespace wmap::definition
