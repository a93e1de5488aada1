#include "expr/program/find_nature.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "expr/builtins/builtins.h"
#include "expr/syntax/parser.h"

namespace wmap::expr::program {
namespace {

using json::Type;

constexpr TypeSet kNull = TypeSet::Of(Type::kNull);
constexpr TypeSet kBool = TypeSet::Of(Type::kTrue);
constexpr TypeSet kNumber = TypeSet::Of(Type::kNumber);
constexpr TypeSet kText = TypeSet::Of(Type::kString);
constexpr TypeSet kArray = TypeSet::Of(Type::kArray);
constexpr TypeSet kObject = TypeSet::Of(Type::kObject);
constexpr TypeSet kAny = TypeSet::Any();

// What the results of a part may be, over all that may come in.
struct Values {
  TypeSet types;
  bool places = false;    // some may be places in the input
  bool computed = false;  // some may be none

  Values operator|(const Values& other) const {
    return {types | other.types, places || other.places, computed || other.computed};
  }
};

Values Computed(TypeSet types) { return {types, false, true}; }

// The results of natives; those that are not here give a number when all are numbers (the
// mathematical ones), see TypesOf().
struct Row {
  std::string_view names;  // with spaces around each
  TypeSet types;
};
constexpr std::array kNatives = {
    Row{" contains endswith has have_decnum have_literal_numbers isfinite isinfinite isnan "
        "isnormal "
        "startswith test toboolean ",
        kBool},
    Row{" ascii ascii_downcase ascii_upcase format implode join ltrim rtrim strftime strflocaltime "
        "tojson tostring trim type ",
        kText},
    Row{" builtins explode flatten frexp gmtime keys keys_unsorted lgamma_r localtime modf "
        "sort split reverse strptime to_entries toarray transpose unique _group_by _match _sort_by "
        "_unique_by ",
        kArray},
    Row{" from_entries ", kObject},
    Row{" length utf8bytelength bsearch ", kNumber},
    Row{" index rindex ", kNumber | kNull},
    Row{" indices ", kArray | kNull},
    Row{" abs ", kAny},
    Row{" add delpaths fromjson setpath max min ltrimstr rtrimstr trimstr _max_by _min_by _splice "
        "_edits ",
        kAny},
};

TypeSet TypesOf(std::string_view native) {
  std::string name = Cat(' ', native, ' ');
  for (const Row& row : kNatives) {
    if (row.names.find(name) != std::string_view::npos) return row.types;
  }
  return kNumber;
}

// Filters of the prelude that only pass some types.
std::optional<TypeSet> FilterOf(std::string_view name) {
  constexpr std::pair<std::string_view, TypeSet> kFilters[] = {
      {"arrays", kArray},
      {"booleans", kBool},
      {"iterables", kArray | kObject},
      {"nulls", kNull},
      {"numbers", kNumber},
      {"objects", kObject},
      {"scalars", kNull | kBool | kNumber | kText},
      {"strings", kText},
      {"values", kBool | kNumber | kText | kArray | kObject},
  };
  for (const auto& [filter, types] : kFilters) {
    if (filter == name) return types;
  }
  return std::nullopt;
}

class Analysis {
 public:
  Nature Run(const Syntax& syntax) {
    Values values = Visit(syntax, syntax.root(), {kAny, true, false}, nullptr);
    Nature nature;
    nature.is_pure = is_pure_;
    nature.types = values.types;
    if (values.computed) {
      nature.writable = values.places ? Nature::Writable::kSometimes : Nature::Writable::kNever;
    }
    return nature;
  }

 private:
  // A name in sight: a variable, a function, or an argument of a function.
  struct Scope {
    std::string_view name;
    std::size_t arity = 0;
    bool is_variable = false;
    Values values;  // of a variable
    const Syntax* syntax = nullptr;
    NodeId node = kNoNode;        // a kFunction, or the expression that is an argument
    const Scope* home = nullptr;  // what is in sight of an argument
    const Scope* outer = nullptr;
  };

  // Beyond these nothing is known: recursion, and functions that call functions that call ….
  static constexpr int kMostCalls = 24;
  static constexpr std::size_t kMostVisits = 20'000;

  static Values Unknown() { return {kAny, true, true}; }

  const Scope* Add(const Scope& scope) { return &scopes_.emplace_back(scope); }

  Values Visit(const Syntax& syntax, NodeId id, const Values& in, const Scope* scope) {
    if (++visits_ > kMostVisits) return Unknown();
    const Node& node = syntax.node(id);
    auto visit = [&](NodeId part) { return Visit(syntax, part, in, scope); };
    switch (node.kind) {
      case NodeKind::kIdentity:
        return in;
      case NodeKind::kDescend:
        return {kAny, in.places, in.computed};
      case NodeKind::kNull:
        return Computed(kNull);
      case NodeKind::kFalse:
      case NodeKind::kTrue:
        return Computed(kBool);
      case NodeKind::kNumber:
        return Computed(kNumber);
      case NodeKind::kString:
      case NodeKind::kFormat:
        return Computed(kText);
      case NodeKind::kInterpolation:
        for (NodeId part : syntax.list(node)) {
          if (syntax.node(part).kind != NodeKind::kText) visit(part);
        }
        return Computed(kText);
      case NodeKind::kVariable:
        return Variable(node.text, scope);
      case NodeKind::kLocation:
        return Computed(kObject);
      case NodeKind::kField:
      case NodeKind::kIterate: {
        Values target = visit(node.a);
        return {target.types.empty() ? TypeSet() : kAny, target.places, target.computed};
      }
      case NodeKind::kIndex: {
        visit(node.b);
        Values target = visit(node.a);
        return {target.types.empty() ? TypeSet() : kAny, target.places, target.computed};
      }
      case NodeKind::kSlice: {
        for (NodeId bound : {node.b, node.c}) {
          if (bound != kNoNode) visit(bound);
        }
        Values target = visit(node.a);
        return {target.types & (kNull | kText | kArray), target.places, target.computed};
      }
      case NodeKind::kTry: {
        Values body = visit(node.a);
        return node.b == kNoNode ? body : body | Visit(syntax, node.b, Computed(kAny), scope);
      }
      case NodeKind::kArray:
        if (node.a != kNoNode) visit(node.a);
        return Computed(kArray);
      case NodeKind::kObject:
        for (NodeId entry : syntax.list(node)) {
          for (NodeId part : {syntax.node(entry).a, syntax.node(entry).b}) {
            if (part != kNoNode) visit(part);
          }
        }
        return Computed(kObject);
      case NodeKind::kNegate:
        visit(node.a);
        return Computed(kNumber);
      case NodeKind::kBinary:
        return Binary(node, visit(node.a), visit(node.b));
      case NodeKind::kPipe: {
        Values values = in;
        for (NodeId part : syntax.list(node)) values = Visit(syntax, part, values, scope);
        return values;
      }
      case NodeKind::kComma: {
        Values all;
        for (NodeId part : syntax.list(node)) all = all | visit(part);
        return all;
      }
      case NodeKind::kIf:
        return If(syntax, node, in, scope);
      case NodeKind::kReduce:
      case NodeKind::kForeach:
        return Loop(syntax, node, in, scope);
      case NodeKind::kBind: {
        const Scope* inner = Bind(syntax, node, visit(node.a), in, scope);
        return Visit(syntax, node.b, in, inner);
      }
      case NodeKind::kLabel:
        return visit(node.a);
      case NodeKind::kBreak:
        return {};
      case NodeKind::kDefine: {
        const Scope* inner = scope;
        for (NodeId function : syntax.list(node)) inner = Define(syntax, function, inner);
        return Visit(syntax, node.a, in, inner);
      }
      case NodeKind::kCall:
        return Call(syntax, node, in, scope);
      default:
        return Unknown();
    }
  }

  static Values Variable(std::string_view name, const Scope* scope) {
    for (; scope != nullptr; scope = scope->outer) {
      if (scope->is_variable && scope->name == name) return scope->values;
    }
    return Computed(name == "ENV" ? kObject : kAny);
  }

  static TypeSet SumOf(TypeSet left, TypeSet right) {
    TypeSet sum = left & right & (kNull | kNumber | kText | kArray | kObject);
    if (left.Has(Type::kNull)) sum = sum | right;
    if (right.Has(Type::kNull)) sum = sum | left;
    return sum;
  }

  static Values Binary(const Node& node, const Values& left, const Values& right) {
    switch (node.op) {
      case Operator::kAdd:
        return Computed(SumOf(left.types, right.types));
      case Operator::kSubtract:
        return Computed(kNumber | (left.types & right.types & kArray));
      case Operator::kMultiply: {
        TypeSet types = kNumber | (left.types & right.types & kObject);
        bool repeats = left.types.Has(Type::kString) || right.types.Has(Type::kString);
        return Computed(repeats ? types | kText | kNull : types);
      }
      case Operator::kDivide:
        return Computed(left.types.Has(Type::kString) ? kNumber | kArray : kNumber);
      case Operator::kModulo:
        return Computed(kNumber);
      case Operator::kAlternative: {
        Values kept = left;
        kept.types = left.types.Without(Type::kNull);
        return kept | right;
      }
      default:
        return Computed(IsAssignment(node.op) ? kAny : kBool);
    }
  }

  Values If(const Syntax& syntax, const Node& node, const Values& in, const Scope* scope) {
    auto parts = syntax.list(node);
    Values all = node.a == kNoNode ? in : Visit(syntax, node.a, in, scope);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Values part = Visit(syntax, parts[i], in, scope);
      if (i % 2 == 1) all = all | part;
    }
    return all;
  }

  Values Loop(const Syntax& syntax, const Node& node, const Values& in, const Scope* scope) {
    const Scope* inner = Bind(syntax, node, Visit(syntax, node.a, in, scope), in, scope);
    Values start = Visit(syntax, node.b, in, scope);
    // What the turns before made may come in.
    Values turn = Visit(syntax, node.c, {kAny, start.places, true}, inner);
    Values state = {kAny, start.places || turn.places, start.computed || turn.computed};
    bool extracts = node.kind == NodeKind::kForeach && node.d != kNoNode;
    return extracts ? Visit(syntax, node.d, state, inner) : state;
  }

  // The scope with the variables of the patterns of `node`.
  const Scope* Bind(const Syntax& syntax, const Node& node, const Values& source, const Values& in,
                    const Scope* scope) {
    auto patterns = syntax.list(node);
    for (NodeId pattern : patterns) {
      bool is_whole =
          patterns.size() == 1 && syntax.node(pattern).kind == NodeKind::kPatternVariable;
      scope = BindPattern(syntax, pattern, is_whole ? source.types : kAny, in, scope);
    }
    return scope;
  }

  // Depth: that of the pattern, which the parser bounds.
  const Scope* BindPattern(const Syntax& syntax, NodeId id, TypeSet types, const Values& in,
                           const Scope* scope) {
    const Node& node = syntax.node(id);
    auto bind = [&](std::string_view name) {
      scope = Add({.name = name, .is_variable = true, .values = Computed(types), .outer = scope});
    };
    switch (node.kind) {
      case NodeKind::kPatternVariable:
        bind(node.text);
        return scope;
      case NodeKind::kPatternEntry:
        if (!node.text.empty()) bind(node.text);
        Visit(syntax, node.a, in, scope);
        return node.b == kNoNode ? scope : BindPattern(syntax, node.b, kAny, in, scope);
      default:
        for (NodeId part : syntax.list(node)) scope = BindPattern(syntax, part, kAny, in, scope);
        return scope;
    }
  }

  const Scope* Define(const Syntax& syntax, NodeId function, const Scope* scope) {
    const Node& node = syntax.node(function);
    return Add({.name = node.text,
                .arity = syntax.list(node).size(),
                .values = {},
                .syntax = &syntax,
                .node = function,
                .outer = scope});
  }

  Values Call(const Syntax& syntax, const Node& node, const Values& in, const Scope* scope) {
    auto arguments = syntax.list(node);
    for (const Scope* known = scope; known != nullptr; known = known->outer) {
      if (known->is_variable || known->name != node.text || known->arity != arguments.size())
        continue;
      if (known->syntax->node(known->node).kind == NodeKind::kFunction) {
        return CallFunction(*known, syntax, arguments, in, scope);
      }
      // An argument: evaluated where it was written, on what comes in here.
      return Deeper([&] { return Visit(*known->syntax, known->node, in, known->home); });
    }
    return CallBuiltin(syntax, node, in, scope);
  }

  template <typename F>
  Values Deeper(const F& visit) {
    if (calls_ == kMostCalls) return Unknown();
    ++calls_;
    Values values = visit();
    --calls_;
    return values;
  }

  Values CallFunction(const Scope& function, const Syntax& syntax,
                      std::span<const NodeId> arguments, const Values& in, const Scope* scope) {
    const Node& definition = function.syntax->node(function.node);
    auto parameters = function.syntax->list(definition);
    const Scope* inner = &function;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Node& parameter = function.syntax->node(parameters[i]);
      inner = Add({.name = parameter.text,
                   .values = {},
                   .syntax = &syntax,
                   .node = arguments[i],
                   .home = scope,
                   .outer = inner});
      if (parameter.is_value) {
        TypeSet types = Visit(syntax, arguments[i], in, scope).types;
        inner = Add({.name = parameter.text,
                     .is_variable = true,
                     .values = Computed(types),
                     .outer = inner});
      }
    }
    return Deeper([&] { return Visit(*function.syntax, definition.a, in, inner); });
  }

  Values CallBuiltin(const Syntax& syntax, const Node& node, const Values& in, const Scope* scope) {
    auto arguments = syntax.list(node);
    std::string_view name = node.text;
    auto visit = [&](std::size_t i) { return Visit(syntax, arguments[i], in, scope); };
    if (name == "now" && arguments.empty()) is_pure_ = false;
    if (auto types = FilterOf(name); types && arguments.empty()) {
      return {in.types & *types, in.places, in.computed};
    }
    if (name == "empty" || name == "error") {
      if (!arguments.empty()) visit(0);
      return {};
    }
    if (name == "select") {
      visit(0);
      return in;
    }
    if (name == "first" && arguments.size() == 1) return visit(0);
    if (name == "last" && arguments.size() == 1) return Computed(visit(0).types);
    if ((name == "limit" || name == "skip") && arguments.size() == 2) {
      visit(0);
      return visit(1);
    }
    if (name == "getpath") {
      visit(0);
      return {kAny, in.places, in.computed};
    }
    if (name == "recurse" && arguments.size() <= 1) {
      Values below = arguments.empty()
                         ? Values()
                         : Visit(syntax, arguments[0], {kAny, in.places, in.computed}, scope);
      return {kAny, in.places || below.places, in.computed || below.computed};
    }
    if (name == "map" || name == "path") {
      Visit(syntax, arguments[0], {kAny, in.places, in.computed}, scope);
      return Computed(kArray);
    }
    if (const builtins::PreludeRow* row = builtins::FindPrelude(name, arguments.size())) {
      const Scope* function = PreludeFunction(*row);
      if (function == nullptr) return Unknown();
      return CallFunction(*function, syntax, arguments, in, scope);
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) visit(i);
    if (name == "range") return Computed(kNumber);
    if (name == "not" || name == "any" || name == "all") return Computed(kBool);
    if (name == "env") return Computed(kObject);
    if (name == "tonumber") return Computed(kNumber);
    return Computed(TypesOf(name));
  }

  // The scope of a definition of the prelude, parsed at its first use.
  const Scope* PreludeFunction(const builtins::PreludeRow& row) {
    auto [at, is_new] = prelude_.try_emplace(row.source.data(), nullptr);
    if (!is_new) return at->second;
    Result<Syntax> parsed = Parse(Cat(row.source, " ."));
    if (!parsed) return nullptr;
    const Syntax& syntax = syntaxes_.emplace_back(*std::move(parsed));
    const Node& define = syntax.node(syntax.root());
    at->second = Define(syntax, syntax.list(define)[0], nullptr);
    return at->second;
  }

  bool is_pure_ = true;
  int calls_ = 0;
  std::size_t visits_ = 0;
  std::deque<Scope> scopes_;
  std::deque<Syntax> syntaxes_;
  std::map<const char*, const Scope*> prelude_;
};

}  // namespace

Nature FindNature(const Syntax& syntax) { return Analysis().Run(syntax); }

}  // namespace wmap::expr::program

namespace wmap::expr {

std::string TypeSet::Describe() const {
  if (*this == Any()) return "any";
  std::vector<std::string> names;
  for (json::Type type : {json::Type::kNull, json::Type::kTrue, json::Type::kNumber,
                          json::Type::kString, json::Type::kArray, json::Type::kObject}) {
    if (Has(type)) names.emplace_back(json::TypeName(type));
  }
  return names.empty() ? "none" : Join(names, " or ");
}

}  // namespace wmap::expr
