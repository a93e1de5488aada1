// Runs the expression on shapes instead of values. A shape is what is known of a value: the places
// of the input that it may be, and, where it was put together here, the shapes of its parts.
#include "expr/document_paths.h"

#include <algorithm>
#include <deque>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/text.h"
#include "expr/builtins/builtins.h"
#include "expr/syntax/ast.h"
#include "expr/syntax/parser.h"

namespace wmap::expr {
namespace {

using Place = std::uint32_t;
constexpr Place kRoot = 0;

// The places that were gone to, as a tree.
class Places {
 public:
  Places() { nodes_.push_back({}); }

  bool is_full() const { return nodes_.size() >= kMost; }

  Place Key(Place parent, std::string_view key) {
    return Step(parent, PathStep::Key(std::string(key)));
  }
  Place Any(Place parent) { return Step(parent, PathStep::Any()); }
  Place Below(Place parent) { return Step(parent, PathStep::Below()); }

  DocumentPath PathOf(Place place) const {
    DocumentPath path;
    for (; place != kRoot; place = nodes_[place].parent) path.push_back(nodes_[place].step);
    std::ranges::reverse(path);
    return path;
  }

  // Those without a place below them, but for those that "anything below" says already.
  std::vector<DocumentPath> Ends() const {
    std::vector<bool> has_more(nodes_.size(), false);
    std::vector<bool> has_below(nodes_.size(), false);
    for (Place i = 1; i < nodes_.size(); ++i) {
      has_more[nodes_[i].parent] = true;
      if (!is_key(i) && !is_any(i)) has_below[nodes_[i].parent] = true;
    }
    // What a loop goes to in its first rounds: no more is known of it than that it is below.
    auto is_said = [&](Place place) {
      Place above = is_key(place) || is_any(place) ? place : nodes_[place].parent;
      while (is_any(above)) {
        above = nodes_[above].parent;
        if (has_below[above]) return true;
      }
      return false;
    };
    auto is_below_again = [&](Place place) {
      if (is_key(place) || is_any(place)) return false;
      for (Place above = nodes_[place].parent; above != kRoot;) {
        above = nodes_[above].parent;
        if (has_below[above]) return true;
      }
      return false;
    };
    std::vector<DocumentPath> ends;
    for (Place i = 1; i < nodes_.size(); ++i) {
      if (!has_more[i] && !is_said(i) && !is_below_again(i)) ends.push_back(PathOf(i));
    }
    std::ranges::sort(ends);
    return ends;
  }

 private:
  struct Node {
    Place parent = kRoot;
    std::uint32_t depth = 0;
    PathStep step;
  };

  static constexpr std::size_t kMost = 5'000;
  // Deeper than any schema, and a bound for what loops append.
  static constexpr std::uint32_t kDeepest = 40;

  Place Step(Place parent, PathStep step) {
    if (parent != kRoot && nodes_[parent].step.kind == PathStep::Kind::kBelow) return parent;
    if (nodes_[parent].depth == kDeepest) step = PathStep::Below();
    if (is_full()) return parent;
    auto [at, is_new] =
        known_.try_emplace({parent, std::move(step)}, static_cast<Place>(nodes_.size()));
    if (is_new) nodes_.push_back({parent, nodes_[parent].depth + 1, at->first.second});
    return at->second;
  }

  bool is_key(Place place) const { return nodes_[place].step.kind == PathStep::Kind::kKey; }
  bool is_any(Place place) const { return nodes_[place].step.kind == PathStep::Kind::kAny; }

  std::vector<Node> nodes_;
  std::map<std::pair<Place, PathStep>, Place> known_;
};

// Immutable once it is shared.
struct Shape {
  using Ref = std::shared_ptr<const Shape>;

  std::set<Place> places;
  std::set<std::string_view> texts;  // constants that it may be
  bool is_scalar = false;            // may be a computed text or number
  std::map<std::string_view, Ref> fields;
  // Members that it has for sure: what `fields` says of them is all, whatever its places have.
  std::set<std::string_view> sure;
  Ref items;  // of an array, and members whose names are computed
};
using Ref = Shape::Ref;

class Analysis {
 public:
  explicit Analysis(Syntax syntax) : syntax_(std::move(syntax)) {
    Shape input;
    input.places.insert(kRoot);
    result_ = Visit(syntax_, syntax_.root(), Share(std::move(input)), nullptr);
  }

  std::vector<DocumentPath> Gone() const {
    if (is_over()) return {{PathStep::Below()}};
    return places_.Ends();
  }

  std::vector<DocumentPath> Given() {
    std::set<Place> given;
    CollectPlaces(*result_, given);
    if (is_over()) return {{PathStep::Below()}};
    std::vector<DocumentPath> paths;
    for (Place place : given) paths.push_back(places_.PathOf(place));
    std::ranges::sort(paths);
    return paths;
  }

 private:
  // A name in sight: a variable, a function, or an argument of a function.
  struct Scope {
    std::string_view name;
    std::size_t arity = 0;
    bool is_variable = false;
    Ref shape;  // of a variable
    const Syntax* syntax = nullptr;
    NodeId node = kNoNode;        // a kFunction, or the expression that is an argument
    const Scope* home = nullptr;  // what is in sight of an argument
    const Scope* outer = nullptr;
  };

  struct ActiveCall {
    const Scope* what;
    Ref in;
  };

  static constexpr std::size_t kMostWork = 300'000;
  // How often one function, and functions at all, may be in each other. Enough for arguments that
  // call the function again; what recursion goes to beyond that is "below".
  static constexpr int kMostSelfCalls = 6;
  static constexpr int kMostCalls = 60;
  // Parts of expressions inside each other, over all calls: a bound for the stack.
  static constexpr int kDeepestVisit = 1'000;
  // Names that are passed over on the way to those that are meant.
  static constexpr std::size_t kMostLookups = 10'000'000;
  // Rounds of a loop until it is taken to go on for ever.
  static constexpr int kMostRounds = 4;
  // Values inside each other that are told apart.
  static constexpr int kDeepestShape = 10;

  bool is_over() const { return work_ > kMostWork || lookups_ > kMostLookups || places_.is_full(); }

  // --- Shapes.

  static Ref Share(Shape shape) { return std::make_shared<const Shape>(std::move(shape)); }
  const Ref& Nothing() const { return nothing_; }
  const Ref& Scalar() const { return scalar_; }

  static Ref ArrayOf(Ref items) {
    Shape shape;
    shape.items = std::move(items);
    return Share(std::move(shape));
  }

  Ref Union(const Ref& a, const Ref& b, int depth = 0) {
    if (a == b || b == Nothing()) return a;
    if (a == Nothing()) return b;
    for (const Ref& side : {a, b}) {
      work_ += side->places.size() + side->texts.size() + side->fields.size() + 1;
    }
    if (is_over()) return Nothing();
    if (depth == kDeepestShape) return Flat(*a, *b);
    Shape all = *a;
    all.places.insert(b->places.begin(), b->places.end());
    all.texts.insert(b->texts.begin(), b->texts.end());
    all.is_scalar = all.is_scalar || b->is_scalar;
    std::erase_if(all.sure, [&](std::string_view key) { return !b->sure.contains(key); });
    for (const auto& [key, field] : b->fields) {
      Ref& known = all.fields[key];
      known = known == nullptr ? field : Union(known, field, depth + 1);
    }
    if (b->items != nullptr) {
      all.items = all.items == nullptr ? b->items : Union(all.items, b->items, depth + 1);
    }
    return Share(std::move(all));
  }

  // Whether they say the same. Parts are shared, so that there may be many ways to one.
  bool IsSame(const Ref& a, const Ref& b) {
    if (a == b || is_over()) return true;
    if (a == nullptr || b == nullptr) return false;
    work_ += a->places.size() + a->texts.size() + a->fields.size() + 1;
    return a->places == b->places && a->texts == b->texts && a->is_scalar == b->is_scalar &&
           a->sure == b->sure && IsSame(a->items, b->items) &&
           std::ranges::equal(a->fields, b->fields, [&](const auto& x, const auto& y) {
             return x.first == y.first && IsSame(x.second, y.second);
           });
  }

  void CollectPlaces(const Shape& shape, std::set<Place>& to, int depth = 0) {
    work_ += shape.places.size() + 1;
    to.insert(shape.places.begin(), shape.places.end());
    if (depth > 2 * kDeepestShape || is_over()) return;
    for (const auto& [key, field] : shape.fields) CollectPlaces(*field, to, depth + 1);
    if (shape.items != nullptr) CollectPlaces(*shape.items, to, depth + 1);
  }

  // Any value at or below what these hold.
  Ref Flat(const Shape& a, const Shape& b) {
    std::set<Place> held;
    CollectPlaces(a, held);
    CollectPlaces(b, held);
    Shape flat;
    flat.is_scalar = true;
    for (Place place : held) flat.places.insert(places_.Below(place));
    return Share(std::move(flat));
  }
  Ref Flat(const Ref& shape) { return Flat(*shape, *Nothing()); }

  Ref Field(const Ref& target, std::string_view key) {
    work_ += target->places.size() + 1;
    auto field = target->fields.find(key);
    if (target->sure.contains(key)) return field->second;
    Shape part;
    part.is_scalar = target->is_scalar;
    for (Place place : target->places) part.places.insert(places_.Key(place, key));
    Ref shape = Share(std::move(part));
    if (field != target->fields.end()) shape = Union(shape, field->second);
    if (target->items != nullptr) shape = Union(shape, target->items);
    return shape;
  }

  Ref Items(const Ref& target) {
    work_ += target->places.size() + 1;
    Shape part;
    part.is_scalar = target->is_scalar;
    for (Place place : target->places) part.places.insert(places_.Any(place));
    Ref shape = Share(std::move(part));
    for (const auto& [key, field] : target->fields) shape = Union(shape, field);
    return target->items == nullptr ? shape : Union(shape, target->items);
  }

  // `target[key]`.
  Ref Index(const Ref& target, const Ref& key) {
    Ref shape = Nothing();
    for (std::string_view text : key->texts) shape = Union(shape, Field(target, text));
    if (key->is_scalar || !key->places.empty()) shape = Union(shape, Items(target));
    return shape;
  }

  // As text or number it is no longer known which.
  Ref WithoutTexts(const Ref& shape) {
    if (shape->texts.empty()) return shape;
    Shape other = *shape;
    other.texts.clear();
    other.is_scalar = true;
    return Share(std::move(other));
  }

  // --- The language.

  Ref Visit(const Syntax& syntax, NodeId id, const Ref& in, const Scope* scope) {
    work_ += depth_ == kDeepestVisit ? kMostWork + 1 : 1;
    if (is_over()) return Nothing();
    ++depth_;
    Ref shape = VisitNode(syntax, id, in, scope);
    --depth_;
    return shape;
  }

  Ref VisitNode(const Syntax& syntax, NodeId id, const Ref& in, const Scope* scope) {
    const Node& node = syntax.node(id);
    auto visit = [&](NodeId part) { return Visit(syntax, part, in, scope); };
    switch (node.kind) {
      case NodeKind::kIdentity:
        return in;
      case NodeKind::kDescend:
        return Union(in, Flat(in));
      case NodeKind::kNull:
        return null_;
      case NodeKind::kNumber:
      case NodeKind::kFormat:
      case NodeKind::kLocation:
        return Scalar();
      case NodeKind::kString: {
        Shape text;
        text.texts.insert(node.text);
        return Share(std::move(text));
      }
      case NodeKind::kInterpolation:
        for (NodeId part : syntax.list(node)) {
          if (syntax.node(part).kind != NodeKind::kText) visit(part);
        }
        return Scalar();
      case NodeKind::kVariable:
        return Variable(node.text, scope);
      case NodeKind::kField:
        return Field(visit(node.a), node.text);
      case NodeKind::kIndex: {
        Ref key = visit(node.b);
        return Index(visit(node.a), key);
      }
      case NodeKind::kSlice:
        for (NodeId bound : {node.b, node.c}) {
          if (bound != kNoNode) visit(bound);
        }
        return WithoutTexts(visit(node.a));
      case NodeKind::kIterate:
        return Items(visit(node.a));
      case NodeKind::kTry: {
        Ref body = visit(node.a);
        return node.b == kNoNode ? body : Union(body, Visit(syntax, node.b, Scalar(), scope));
      }
      case NodeKind::kArray:
        return ArrayOf(node.a == kNoNode ? Nothing() : visit(node.a));
      case NodeKind::kObject:
        return Object(syntax, node, in, scope);
      case NodeKind::kNegate:
        visit(node.a);
        return Scalar();
      case NodeKind::kBinary:
        return Binary(syntax, node, in, scope);
      case NodeKind::kPipe: {
        Ref shape = in;
        for (NodeId part : syntax.list(node)) shape = Visit(syntax, part, shape, scope);
        return shape;
      }
      case NodeKind::kComma: {
        Ref all = Nothing();
        for (NodeId part : syntax.list(node)) all = Union(all, visit(part));
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
      case NodeKind::kDefine: {
        const Scope* inner = scope;
        for (NodeId function : syntax.list(node)) inner = Define(syntax, function, inner);
        return Visit(syntax, node.a, in, inner);
      }
      case NodeKind::kCall:
        return Call(syntax, node, in, scope);
      default:
        // false, true and break: nothing that could be gone into.
        return Nothing();
    }
  }

  Ref Variable(std::string_view name, const Scope* scope) {
    for (; scope != nullptr; scope = scope->outer) {
      ++lookups_;
      if (scope->is_variable && scope->name == name) return scope->shape;
    }
    // A global one, which is no part of the input.
    return Scalar();
  }

  Ref Object(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope) {
    Shape object;
    auto add = [&](Ref& known, const Ref& value) {
      known = known == nullptr ? value : Union(known, value);
    };
    for (NodeId id : syntax.list(node)) {
      const Node& entry = syntax.node(id);
      Ref key = Visit(syntax, entry.a, in, scope);
      Ref value = entry.b == kNoNode ? Index(in, key) : Visit(syntax, entry.b, in, scope);
      for (std::string_view text : key->texts) add(object.fields[text], value);
      if (syntax.node(entry.a).kind == NodeKind::kString) {
        object.fields[syntax.node(entry.a).text] = value;
        object.sure.insert(syntax.node(entry.a).text);
      }
      if (key->is_scalar || !key->places.empty()) add(object.items, value);
    }
    return Share(std::move(object));
  }

  Ref Binary(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope) {
    Ref left = Visit(syntax, node.a, in, scope);
    if (IsAssignment(node.op)) return Assign(syntax, node, left, in, scope);
    Ref right = Visit(syntax, node.b, in, scope);
    switch (node.op) {
      case Operator::kAlternative:
        return Union(left, right);
      case Operator::kAdd:
        return Sum(left, right);
      case Operator::kMultiply:
        // Objects go into one, at every depth.
        return WithoutTexts(Union(left, right));
      case Operator::kSubtract:
        return WithoutTexts(left);
      case Operator::kDivide:
        return ArrayOf(Scalar());
      case Operator::kModulo:
        return Scalar();
      default:
        return Nothing();
    }
  }

  // Arrays and objects go into one; the members of the right one win.
  Ref Sum(const Ref& left, const Ref& right) {
    Shape sum = *WithoutTexts(Union(left, right));
    sum.sure = right->sure;
    for (std::string_view key : right->sure) sum.fields[key] = right->fields.find(key)->second;
    // Those of the left one stay where the right one has no member of that name for sure.
    if (right->places.empty() && right->items == nullptr) {
      for (std::string_view key : left->sure) {
        if (!right->fields.contains(key)) sum.sure.insert(key);
      }
    }
    return Share(std::move(sum));
  }

  // The input with other values somewhere in it.
  Ref Assign(const Syntax& syntax, const Node& node, const Ref& left, const Ref& in,
             const Scope* scope) {
    Ref written = Visit(syntax, node.b, node.op == Operator::kUpdate ? left : in, scope);
    return Union(in, Flat(written));
  }

  Ref If(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope) {
    auto parts = syntax.list(node);
    Ref all = node.a == kNoNode ? in : Visit(syntax, node.a, in, scope);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Ref part = Visit(syntax, parts[i], in, scope);
      if (i % 2 == 1) all = Union(all, part);
    }
    return all;
  }

  // Runs `turn` on what it gives until nothing new comes.
  template <typename Turn>
  Ref Rounds(Ref state, const Turn& turn) {
    for (int i = 0; i < kMostRounds; ++i) {
      Ref next = Union(state, turn(state));
      if (is_over() || IsSame(next, state)) return state;
      state = next;
    }
    state = Flat(state);
    return Union(state, Flat(turn(state)));
  }

  Ref Loop(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope) {
    const Scope* inner = Bind(syntax, node, Visit(syntax, node.a, in, scope), in, scope);
    Ref state = Rounds(Visit(syntax, node.b, in, scope),
                       [&](const Ref& turn) { return Visit(syntax, node.c, turn, inner); });
    bool extracts = node.kind == NodeKind::kForeach && node.d != kNoNode;
    return extracts ? Visit(syntax, node.d, state, inner) : state;
  }

  // --- Names.

  const Scope* Add(const Scope& scope) { return &scopes_.emplace_back(scope); }

  const Scope* BindVariable(std::string_view name, const Ref& shape, const Scope* scope) {
    return Add({.name = name, .is_variable = true, .shape = shape, .outer = scope});
  }

  // The scope with the variables of the patterns of `node`. What alternative patterns bind by one
  // name is one variable.
  const Scope* Bind(const Syntax& syntax, const Node& node, const Ref& source, const Ref& in,
                    const Scope* scope) {
    auto patterns = syntax.list(node);
    const Scope* inner = scope;
    for (NodeId pattern : patterns) inner = BindPattern(syntax, pattern, source, in, inner);
    if (patterns.size() == 1) return inner;
    std::map<std::string_view, Ref> all;
    for (const Scope* bound = inner; bound != scope; bound = bound->outer) {
      Ref& known = all[bound->name];
      known = known == nullptr ? bound->shape : Union(known, bound->shape);
    }
    for (const auto& [name, shape] : all) inner = BindVariable(name, shape, inner);
    return inner;
  }

  // Depth: that of the pattern, which the parser bounds.
  const Scope* BindPattern(const Syntax& syntax, NodeId id, const Ref& source, const Ref& in,
                           const Scope* scope) {
    const Node& node = syntax.node(id);
    switch (node.kind) {
      case NodeKind::kPatternVariable:
        return BindVariable(node.text, source, scope);
      case NodeKind::kPatternEntry: {
        Ref value = Index(source, Visit(syntax, node.a, in, scope));
        if (!node.text.empty()) scope = BindVariable(node.text, value, scope);
        return node.b == kNoNode ? scope : BindPattern(syntax, node.b, value, in, scope);
      }
      default: {
        Ref part = node.kind == NodeKind::kPatternArray ? Items(source) : source;
        for (NodeId inner : syntax.list(node)) scope = BindPattern(syntax, inner, part, in, scope);
        return scope;
      }
    }
  }

  const Scope* Define(const Syntax& syntax, NodeId function, const Scope* scope) {
    const Node& node = syntax.node(function);
    return Add({.name = node.text,
                .arity = syntax.list(node).size(),
                .shape = nullptr,
                .syntax = &syntax,
                .node = function,
                .outer = scope});
  }

  Ref Call(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope) {
    auto arguments = syntax.list(node);
    for (const Scope* known = scope; known != nullptr; known = known->outer) {
      ++lookups_;
      if (known->is_variable || known->name != node.text || known->arity != arguments.size()) {
        continue;
      }
      if (known->syntax->node(known->node).kind == NodeKind::kFunction) {
        return CallFunction(*known, syntax, arguments, in, scope);
      }
      // An argument: evaluated where it was written, on what comes in here.
      return Deeper(known, in, [&] { return Visit(*known->syntax, known->node, in, known->home); });
    }
    return CallBuiltin(syntax, node, in, scope);
  }

  // A call inside another one, of which `what` is the function or the argument.
  template <typename F>
  Ref Deeper(const Scope* what, const Ref& in, const F& visit) {
    auto is_same = [&](const ActiveCall& call) { return call.what == what; };
    // Without arguments only the input can differ; what the outer call gives is all there is.
    bool has_arguments = what->arity > 0;
    if (!has_arguments && std::ranges::any_of(calls_, [&](const ActiveCall& call) {
          return is_same(call) && IsSame(call.in, in);
        })) {
      return Nothing();
    }
    if (calls_.size() == kMostCalls || std::ranges::count_if(calls_, is_same) == kMostSelfCalls) {
      return Flat(in);
    }
    calls_.push_back({what, in});
    Ref shape = visit();
    calls_.pop_back();
    return shape;
  }

  Ref CallFunction(const Scope& function, const Syntax& syntax, std::span<const NodeId> arguments,
                   const Ref& in, const Scope* scope) {
    const Node& definition = function.syntax->node(function.node);
    auto parameters = function.syntax->list(definition);
    return Deeper(&function, in, [&] {
      const Scope* inner = &function;
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Node& parameter = function.syntax->node(parameters[i]);
        inner = Add({.name = parameter.text,
                     .shape = nullptr,
                     .syntax = &syntax,
                     .node = arguments[i],
                     .home = scope,
                     .outer = inner});
        if (parameter.is_value) {
          inner = BindVariable(parameter.text, Visit(syntax, arguments[i], in, scope), inner);
        }
      }
      return Visit(*function.syntax, definition.a, in, inner);
    });
  }

  // --- Builtins.

  Ref CallBuiltin(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope) {
    auto arguments = syntax.list(node);
    std::string_view name = node.text;
    auto visit = [&](std::size_t i) { return Visit(syntax, arguments[i], in, scope); };
    auto visit_on = [&](std::size_t i, const Ref& on) {
      return Visit(syntax, arguments[i], on, scope);
    };
    auto is = [&](std::string_view other, std::size_t arity) {
      return name == other && arguments.size() == arity;
    };
    if (is("map", 1) || is("map_values", 1)) return ArrayOf(visit_on(0, Items(in)));
    if (is("first", 1) || is("last", 1)) return visit(0);
    if (is("recurse", 0)) return Union(in, Flat(in));
    if (is("recurse", 1)) return Rounds(in, [&](const Ref& turn) { return visit_on(0, turn); });
    if (is("walk", 1)) return visit_on(0, Union(in, Flat(in)));
    if (is("select", 1) || is("pick", 1) || is("del", 1)) {
      visit(0);
      return in;
    }
    if (is("any", 1) || is("all", 1)) {
      visit_on(0, Items(in));
      return Nothing();
    }
    if (is("any", 2) || is("all", 2)) {
      visit_on(1, visit(0));
      return Nothing();
    }
    if (is("limit", 2) || is("skip", 2)) {
      visit(0);
      return visit(1);
    }
    if (is("path", 1)) {
      visit(0);
      return ArrayOf(Scalar());
    }
    if (is("getpath", 1)) {
      visit(0);
      return Flat(in);
    }
    if (is("paths", 0) || is("leaf_paths", 0) || is("tostream", 0)) {
      Flat(in);
      return ArrayOf(Scalar());
    }
    if (const builtins::PreludeRow* row = builtins::FindPrelude(name, arguments.size())) {
      const Scope* function = PreludeFunction(*row);
      return CallFunction(*function, syntax, arguments, in, scope);
    }
    std::vector<Ref> values;
    for (std::size_t i = 0; i < arguments.size(); ++i) values.push_back(visit(i));
    return Native(name, values, in);
  }

  Ref Native(std::string_view name, std::span<const Ref> arguments, const Ref& in) {
    auto is_one_of = [&](std::initializer_list<std::string_view> names) {
      return std::ranges::find(names, name) != names.end();
    };
    if (is_one_of({"empty", "error", "not", "any", "all", "contains", "endswith", "startswith"})) {
      return Nothing();
    }
    if (name == "has") {
      Index(in, arguments[0]);
      return Nothing();
    }
    if (is_one_of({"add", "min", "max", "_min_by", "_max_by"})) return WithoutTexts(Items(in));
    if (is_one_of({"sort", "reverse", "unique", "_sort_by", "_unique_by", "delpaths"})) return in;
    if (name == "_group_by") return ArrayOf(in);
    if (name == "transpose") return ArrayOf(ArrayOf(Items(Items(in))));
    if (name == "toarray") return Union(in, ArrayOf(in));
    if (name == "flatten") return ArrayOf(Leaves(in));
    if (name == "setpath") return Union(in, Flat(arguments[1]));
    if (name == "to_entries") {
      Shape entry;
      entry.fields.emplace("key", Scalar());
      entry.fields.emplace("value", Items(in));
      return ArrayOf(Share(std::move(entry)));
    }
    // Lists of the document are asked for the usual name of the field only.
    if (name == "from_entries") return ArrayOf(Field(Items(in), "value"));
    if (is_one_of({"keys", "keys_unsorted", "split", "explode", "indices", "_match", "_edits"})) {
      return ArrayOf(Scalar());
    }
    if (name == "abs") return WithoutTexts(in);
    return Scalar();
  }

  // What is in arrays in arrays: of those put together here at any depth, of the document one
  // level.
  Ref Leaves(const Ref& in) {
    Ref all = Items(in);
    Ref level = all;
    for (int i = 0; i < kDeepestShape && level->items != nullptr; ++i) {
      level = level->items;
      all = Union(all, level);
    }
    return all;
  }

  // The scope of a definition of the prelude, parsed at its first use.
  const Scope* PreludeFunction(const builtins::PreludeRow& row) {
    auto [at, is_new] = prelude_.try_emplace(row.source.data(), nullptr);
    if (!is_new) return at->second;
    Result<Syntax> parsed = Parse(Cat(row.source, " ."));
    WMAP_CHECK(parsed.has_value());
    const Syntax& syntax = syntaxes_.emplace_back(*std::move(parsed));
    const Node& define = syntax.node(syntax.root());
    at->second = Define(syntax, syntax.list(define)[0], nullptr);
    return at->second;
  }

  const Ref nothing_ = std::make_shared<const Shape>();
  // Holds nothing either, but is a value: with it among others no member is sure.
  const Ref null_ = std::make_shared<const Shape>();
  const Ref scalar_ = [] {
    Shape shape;
    shape.is_scalar = true;
    return Share(std::move(shape));
  }();
  Syntax syntax_;  // shapes and scopes view its texts
  Places places_;
  Ref result_;
  std::size_t work_ = 0;
  std::size_t lookups_ = 0;
  int depth_ = 0;
  std::vector<ActiveCall> calls_;
  std::deque<Scope> scopes_;
  std::deque<Syntax> syntaxes_;
  std::map<const char*, const Scope*> prelude_;
};

bool IsPlainKey(std::string_view key) {
  auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !key.empty() && !(key[0] >= '0' && key[0] <= '9') && std::ranges::all_of(key, is_word);
}

}  // namespace

std::string PathText(const DocumentPath& path) {
  std::string text;
  for (const PathStep& step : path) {
    if (step.kind == PathStep::Kind::kAny) {
      text += text.empty() ? ".[]" : "[]";
    } else if (step.kind == PathStep::Kind::kBelow) {
      text += "..";
    } else if (IsPlainKey(step.key)) {
      CatTo(text, '.', step.key);
    } else {
      CatTo(text, text.empty() ? "." : "", '[', Quote(step.key), ']');
    }
  }
  return text.empty() ? "." : text;
}

namespace {

Analysis Analyze(const Program& program) {
  Result<Syntax> syntax = Parse(program.source());
  WMAP_CHECK(syntax.has_value());
  return Analysis(*std::move(syntax));
}

}  // namespace

std::vector<DocumentPath> FindDocumentPaths(const Program& program) {
  return Analyze(program).Gone();
}

std::vector<DocumentPath> FindResultPaths(const Program& program) {
  return Analyze(program).Given();
}

}  // namespace wmap::expr
