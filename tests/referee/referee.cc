// Over 600 lines: the whole language, one function per form; splitting it would only scatter it.
#include "tests/referee/referee.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <map>

#include "base/text.h"
#include "base/utf8.h"
#include "expr/syntax/parser.h"
#include "json/compare.h"
#include "json/reader.h"
#include "json/writer.h"
#include "tests/referee/values.h"

namespace wmap::referee {
namespace {

using expr::kNoNode;
using expr::Node;
using expr::NodeId;
using expr::NodeKind;
using expr::Operator;
using expr::Syntax;

// A value and, inside `path(...)`, the way to it.
struct Item {
  enum class Track {
    kNone,  // nobody asks
    kPath,  // a part of the input: `path` leads to it
    kLost,  // no part of the input
  };
  Value value = {};
  Track track = Track::kNone;
  std::vector<Value> path = {};

  bool has_path() const { return track == Track::kPath; }
};

// All results of a part, and how it ended.
struct Results {
  enum class End { kDone, kError, kBreak, kGaveUp };
  std::vector<Item> items = {};
  End end = End::kDone;
  Value error = {};
  int label = 0;
  std::string why = {};

  bool done() const { return end == End::kDone; }
  // Takes over how `other` ended, and adds its items.
  void Append(Results other) {
    for (Item& item : other.items) items.push_back(std::move(item));
    end = other.end;
    error = other.error;
    label = other.label;
    why = std::move(other.why);
  }
};

// What names mean at a place: a list, innermost first.
struct Scope {
  enum class Kind { kVariable, kFunction, kClosure, kLabel };
  Kind kind;
  std::string name;
  std::size_t arity = 0;
  Value value = {};                   // kVariable
  int label = 0;                      // kLabel
  const Syntax* syntax = nullptr;     // kFunction, kClosure
  NodeId node = kNoNode;              // kFunction: its kFunction; kClosure: the argument
  const Scope* defined_in = nullptr;  // kClosure; a function is defined where it stands
  const Scope* outer = nullptr;
};

constexpr std::size_t kMaxItems = 5000;
constexpr int kMaxDepth = 400;
constexpr int kMaxSteps = 300'000;

// Builtins that can be said in the language itself.
constexpr std::string_view kPrelude = R"(
def select(f): if f then . else empty end;
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def scalars: select(type != "array" and type != "object");
def iterables: select(type == "array" or type == "object");
def map(f): [.[] | f];
def map_values(f): .[] |= f;
def recurse(f): def r: ., (f | r); r;
def recurse(f; condition): def r: ., (f | select(condition) | r); r;
def recurse: recurse(.[]?);
def to_entries: if type == "array" then [range(length) as $k | {key: $k, value: .[$k]}]
  else [keys[] as $k | {key: $k, value: .[$k]}] end;
def from_entries: reduce .[] as $e ({};
  . + {($e | [.key, .k, .name, .Name, .K, .Key] | map(select(. != null)) | .[0]
       | if type == "boolean" or type == "number" then tojson else . end):
      ($e | if has("value") then .value elif has("v") then .v else .Value end)});
def with_entries(f): to_entries | map(f) | from_entries;
def add(f): reduce f as $x (null; . + $x);
def add: add(.[]);
def any(generator; condition):
  [label $out | generator | if condition then true, break $out else empty end] | length > 0;
def all(generator; condition):
  [label $out | generator | if condition then empty else true, break $out end] | length == 0;
def any(f): any(.[]; f);
def all(f): all(.[]; f);
def any: any(.);
def all: all(.);
def isempty(g): [label $out | (g | 1, break $out)] | length == 0;
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def until(condition; update): def u: if condition then . else update | u end; u;
def while(condition; update): def w: if condition then ., (update | w) else empty end; w;
def repeat(f): def r: f, r; r;
def range($to): range(0; $to; 1);
def range($from; $to): range($from; $to; 1);
def in(container): . as $k | container | has($k);
def inside(container): . as $x | container | contains($x);
def index($part): indices($part) | .[0];
def rindex($part): indices($part) | .[-1];
def join($separator): reduce .[] as $x (null;
    (if . == null then "" else . + $separator end)
    + ($x | if . == null then "" elif type == "boolean" or type == "number" then tojson else . end))
  // "";
def split($separator): if type == "string" and ($separator | type) == "string" then . / $separator
  else error("split") end;
def flatten($depth): if $depth < 0 then error("flatten depth must not be negative") else
  reduce .[] as $x ([]; if ($x | type) == "array" and $depth != 0
    then . + ($x | flatten($depth - 1)) else . + [$x] end) end;
def flatten: flatten(1000);
def reverse: if type == "string" then explode | reverse | implode
  elif . == null then [] elif type == "array" then [.[length - 1 - range(length)]]
  else error("reverse") end;
def sort: if type == "array" then sort_pairs(map([.])) else error("sort") end;
def sort_by(f): if type == "array" then sort_pairs(map([f])) else error("sort") end;
def group_by(f): if type == "array" then group_pairs(map([f])) else error("group") end;
def unique_by(f): [group_by(f)[] | .[0]];
def unique: unique_by(.);
def min_by(f): if type == "array" then
  reduce (range(length) as $i | [(.[$i] | [f]), .[$i]]) as $p (null;
    if . == null or $p[0] < .[0] then $p else . end) | .[1] else error("min") end;
def max_by(f): if type == "array" then
  reduce (range(length) as $i | [(.[$i] | [f]), .[$i]]) as $p (null;
    if . == null or $p[0] >= .[0] then $p else . end) | .[1] else error("max") end;
def min: min_by(.);
def max: max_by(.);
def paths: path(..) | select(length > 0);
def paths(f): path(.. | select(f)) | select(length > 0);
def del(f): delpaths([path(f)]);
def IN(source): any(source == .; .);
def IN(source; of): any(source == of; .);
def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w)
  else . end | f; w;
def error($message): $message | error;
def ascii_downcase: change_case(false);
def ascii_upcase: change_case(true);
def not: if . then false else true end;
def pick(f): . as $in | reduce path(f) as $p (null; setpath($p; $in | getpath($p)));
def tojson: @json;
def abs: if . < 0 then -. else . end;
def toarray: if type == "array" then . else [.] end;
)";

class Evaluation {
 public:
  Evaluation(Arena& arena) : arena_(arena), values_(arena) {}

  const Scope* Push(Scope scope, const Scope* outer) {
    scope.outer = outer;
    scopes_.push_back(std::move(scope));
    return &scopes_.back();
  }

  const Scope* PushFunctions(const Syntax& syntax, const Node& define, const Scope* scope) {
    for (NodeId id : syntax.list(define)) {
      const Node& function = syntax.node(id);
      scope = Push({.kind = Scope::Kind::kFunction,
                    .name = std::string(function.text),
                    .arity = function.list_size,
                    .syntax = &syntax,
                    .node = id},
                   scope);
    }
    return scope;
  }

  Results Eval(const Syntax& syntax, NodeId id, const Scope* scope, const Item& in) {
    Results all = EvalNode(syntax, id, scope, in);
    if (in.track == Item::Track::kNone) return all;
    for (Item& item : all.items)
      if (item.track == Item::Track::kNone) item.track = Item::Track::kLost;
    return all;
  }

 private:
  using Each = std::function<Results(const Item&)>;

  static Results One(Item item) { return {.items = {std::move(item)}}; }
  static Results Plain(const Value& value) { return One({.value = value}); }
  static Results Raise(const Value& error) { return {.end = Results::End::kError, .error = error}; }
  static Results GiveUp(std::string why) {
    return {.end = Results::End::kGaveUp, .why = std::move(why)};
  }
  static Results From(const Computed& computed) {
    return computed ? Plain(*computed) : Raise(computed.error());
  }

  // For each result of a part, all results of `then`; ends where either ends badly.
  Results ForEach(const Results& from, const Each& then) {
    Results all;
    for (const Item& item : from.items) {
      all.Append(then(item));
      if (!all.done()) return all;
      if (all.items.size() > kMaxItems) return GiveUp("too many results");
    }
    all.Append({.end = from.end, .error = from.error, .label = from.label, .why = from.why});
    return all;
  }
  Results ForEach(const Syntax& syntax, NodeId id, const Scope* scope, const Item& in,
                  const Each& then) {
    return ForEach(Eval(syntax, id, scope, in), then);
  }
  // As ForEach, on the values of parts that are no part of a path.
  Results ForValues(const Syntax& syntax, NodeId id, const Scope* scope, const Item& in,
                    const std::function<Results(const Value&)>& then) {
    return ForEach(syntax, id, scope, Item{.value = in.value},
                   [&](const Item& item) { return then(item.value); });
  }

  Results EvalNode(const Syntax& syntax, NodeId id, const Scope* scope, const Item& in);
  Results Step(const Item& target, const Value& key);
  Results Iterate(const Item& target);
  Results Descend(const Item& item);
  Results Part(const Syntax& syntax, const Node& node, const Scope* scope, const Item& in,
               bool silent);
  Results Interpolation(const Syntax& syntax, const Node& node, const Scope* scope, const Item& in);
  Results Format(std::string_view name, const Value& value);
  Results Object(const Syntax& syntax, const Node& node, const Scope* scope, const Item& in);
  Results Binary(const Syntax& syntax, const Node& node, const Scope* scope, const Item& in);
  Results Assign(const Syntax& syntax, const Node& node, const Scope* scope, const Item& in);
  Results Update(const Syntax& syntax, NodeId paths, const Scope* scope, const Value& in,
                 const std::function<Results(const Value&)>& update);
  Results Try(const Syntax& syntax, const Node& node, const Scope* scope, const Item& in);
  Results If(const Syntax& syntax, const Node& node, const Scope* scope, const Item& in);
  Results Fold(const Syntax& syntax, const Node& node, const Scope* scope, const Item& in);
  Results Bind(const Syntax& syntax, const Node& node, const Scope* scope, const Item& in,
               const Value& value, const std::function<Results(const Scope*)>& body);
  Results Match(const Syntax& syntax, NodeId pattern, const Scope* scope, const Item& in,
                const Value& value, const std::function<Results(const Scope*)>& body);
  void PatternNames(const Syntax& syntax, NodeId pattern, std::vector<std::string>* names);
  Results Call(const Syntax& syntax, const Node& node, const Scope* scope, const Item& in);
  Results CallFunction(const Scope* function, const Syntax& syntax, const Node& node,
                       const Scope* scope, const Item& in);
  Results Native(const Syntax& syntax, const Node& node, const Scope* scope, const Item& in);
  Results Native0(std::string_view name, const Item& in);
  Results Native1(std::string_view name, const Item& in, const Value& argument);
  Results Paths(const Syntax& syntax, NodeId id, const Scope* scope, const Value& in);

  Arena& arena_;
  Values values_;
  std::deque<Scope> scopes_;
  int depth_ = 0;
  int steps_ = 0;
  int labels_ = 0;
};

Results Evaluation::EvalNode(const Syntax& syntax, NodeId id, const Scope* scope, const Item& in) {
  if (++steps_ > kMaxSteps) return GiveUp("too many steps");
  if (depth_ > kMaxDepth) return GiveUp("too deep");
  struct Depth {
    int& depth;
    explicit Depth(int& d) : depth(d) { ++depth; }
    ~Depth() { --depth; }
  } depth(depth_);
  const Node& node = syntax.node(id);
  switch (node.kind) {
    case NodeKind::kIdentity:
      return One(in);
    case NodeKind::kDescend:
      return Descend(in);
    case NodeKind::kNull:
      return Plain(Value());
    case NodeKind::kFalse:
      return Plain(Value::Bool(false));
    case NodeKind::kTrue:
      return Plain(Value::Bool(true));
    case NodeKind::kNumber:
      return From(values_.ToNumber(Value::String(node.text)));
    case NodeKind::kString:
      return Plain(Value::String(node.text));
    case NodeKind::kFormat:
      return Format(node.text, in.value);
    case NodeKind::kInterpolation:
      return Interpolation(syntax, node, scope, in);
    case NodeKind::kVariable: {
      for (const Scope* at = scope; at != nullptr; at = at->outer)
        if (at->kind == Scope::Kind::kVariable && at->name == node.text) return Plain(at->value);
      return GiveUp(Cat("no variable $", node.text));
    }
    case NodeKind::kLocation: {
      json::ObjectBuilder builder;
      builder.Add("file", Value::String("<top-level>"));
      builder.Add("line", Value::Int(syntax.line(node.begin)));
      return Plain(builder.Finish(arena_));
    }
    case NodeKind::kBreak: {
      for (const Scope* at = scope; at != nullptr; at = at->outer)
        if (at->kind == Scope::Kind::kLabel && at->name == node.text)
          return {.end = Results::End::kBreak, .label = at->label};
      return GiveUp(Cat("no label $", node.text));
    }
    case NodeKind::kField:
    case NodeKind::kIndex:
    case NodeKind::kSlice:
    case NodeKind::kIterate:
      return Part(syntax, node, scope, in, false);
    case NodeKind::kTry:
      return Try(syntax, node, scope, in);
    case NodeKind::kArray: {
      if (node.a == kNoNode) return Plain(values_.Array({}));
      Results all = Eval(syntax, node.a, scope, {.value = in.value});
      if (!all.done()) return all.items.clear(), all;
      std::vector<Value> items;
      for (const Item& item : all.items) items.push_back(item.value);
      return Plain(values_.Array(items));
    }
    case NodeKind::kObject:
      return Object(syntax, node, scope, in);
    case NodeKind::kNegate:
      return ForValues(syntax, node.a, scope, in, [&](const Value& value) {
        if (!value.is_number()) return Raise(values_.Message("cannot be negated"));
        if (value.is_int() && value.as_int() != std::numeric_limits<std::int64_t>::min() &&
            value.as_int() != 0)
          return Plain(Value::Int(-value.as_int()));
        return Plain(Value::Double(-value.as_double()));
      });
    case NodeKind::kBinary:
      return Binary(syntax, node, scope, in);
    case NodeKind::kPipe: {
      Results at = One(in);
      for (NodeId stage : syntax.list(node))
        at = ForEach(at, [&](const Item& item) { return Eval(syntax, stage, scope, item); });
      return at;
    }
    case NodeKind::kComma: {
      Results all;
      for (NodeId item : syntax.list(node)) {
        all.Append(Eval(syntax, item, scope, in));
        if (!all.done()) return all;
      }
      return all;
    }
    case NodeKind::kIf:
      return If(syntax, node, scope, in);
    case NodeKind::kReduce:
    case NodeKind::kForeach:
      return Fold(syntax, node, scope, in);
    case NodeKind::kBind:
      return ForValues(syntax, node.a, scope, in, [&](const Value& value) {
        return Bind(syntax, node, scope, in, value,
                    [&](const Scope* inner) { return Eval(syntax, node.b, inner, in); });
      });
    case NodeKind::kLabel: {
      int label = ++labels_;
      const Scope* inner = Push(
          {.kind = Scope::Kind::kLabel, .name = std::string(node.text), .label = label}, scope);
      Results all = Eval(syntax, node.a, inner, in);
      if (all.end == Results::End::kBreak && all.label == label) all.end = Results::End::kDone;
      return all;
    }
    case NodeKind::kDefine:
      return Eval(syntax, node.a, PushFunctions(syntax, node, scope), in);
    case NodeKind::kCall:
      return Call(syntax, node, scope, in);
    default:
      return GiveUp("no expression");
  }
}

// --- Parts -------------------------------------------------------------------------------------

Results Evaluation::Step(const Item& target, const Value& key) {
  Computed value = values_.Get(target.value, key);
  if (!value) return Raise(value.error());
  Item item{.value = *value, .track = target.track, .path = target.path};
  if (item.has_path()) item.path.push_back(key);
  return One(item);
}

Results Evaluation::Iterate(const Item& target) {
  Computed pairs = values_.Children(target.value);
  if (!pairs) return Raise(pairs.error());
  Results all;
  for (const Value& pair : pairs->items()) {
    Item item{.value = pair[1], .track = target.track, .path = target.path};
    if (item.has_path()) item.path.push_back(pair[0]);
    all.items.push_back(std::move(item));
  }
  return all;
}

Results Evaluation::Descend(const Item& item) {
  if (++steps_ > kMaxSteps || depth_ > kMaxDepth) return GiveUp("too deep");
  Results all = One(item);
  Results children = Iterate(item);
  if (!children.done()) return all;
  ++depth_;
  for (const Item& child : children.items) all.Append(Descend(child));
  --depth_;
  return all;
}

Results Evaluation::Part(const Syntax& syntax, const Node& node, const Scope* scope, const Item& in,
                         bool silent) {
  // Only what has a path may be stepped into.
  auto step = [&](const Item& target, const Value* key) {
    Results all;
    if (target.track == Item::Track::kLost) {
      all = Raise(values_.Message("Invalid path expression"));
    } else {
      all = key == nullptr ? Iterate(target) : Step(target, *key);
    }
    if (silent && all.end == Results::End::kError) all.end = Results::End::kDone;
    return all;
  };
  auto on_targets = [&](const Value* key) {
    return ForEach(syntax, node.a, scope, in,
                   [&](const Item& target) { return step(target, key); });
  };
  switch (node.kind) {
    case NodeKind::kIterate:
      return on_targets(nullptr);
    case NodeKind::kField: {
      Value key = Value::String(node.text);
      return on_targets(&key);
    }
    case NodeKind::kIndex:
      return ForValues(syntax, node.b, scope, in,
                       [&](const Value& key) { return on_targets(&key); });
    default: {
      auto bound = [&](NodeId id, const std::function<Results(const Value&)>& then) {
        return id == kNoNode ? then(Value()) : ForValues(syntax, id, scope, in, then);
      };
      return bound(node.b, [&](const Value& start) {
        return bound(node.c, [&](const Value& end) {
          Value key = values_.SliceKey(start, end);
          return on_targets(&key);
        });
      });
    }
  }
}

// --- Strings and objects -----------------------------------------------------------------------

Results Evaluation::Format(std::string_view name, const Value& value) {
  if (name == "json") return Plain(values_.Text(json::ToJson(value)));
  if (name == "text" || name.empty()) return Plain(values_.Text(values_.ToText(value)));
  return GiveUp(Cat("no format @", name));
}

Results Evaluation::Interpolation(const Syntax& syntax, const Node& node, const Scope* scope,
                                  const Item& in) {
  // The last part varies slowest.
  auto parts = syntax.list(node);
  std::function<Results(std::size_t, const std::string&)> before =
      [&](std::size_t count, const std::string& tail) -> Results {
    if (count == 0) return Plain(values_.Text(tail));
    const Node& part = syntax.node(parts[count - 1]);
    if (part.kind == NodeKind::kText) return before(count - 1, Cat(part.text, tail));
    return ForValues(syntax, parts[count - 1], scope, in, [&](const Value& value) {
      return ForEach(Format(node.text, value), [&](const Item& text) {
        return before(count - 1, Cat(text.value.as_string(), tail));
      });
    });
  };
  return before(parts.size(), "");
}

Results Evaluation::Object(const Syntax& syntax, const Node& node, const Scope* scope,
                           const Item& in) {
  // The first entry varies slowest, its key slower than its value. A key is looked at when its
  // value is there and before the next entry.
  auto entries = syntax.list(node);
  std::function<Results(std::size_t, std::vector<json::Member>)> from =
      [&](std::size_t i, std::vector<json::Member> members) -> Results {
    if (i == entries.size()) return Plain(json::MakeObject(arena_, members));
    const Node& entry = syntax.node(entries[i]);
    return ForValues(syntax, entry.a, scope, in, [&](const Value& key) {
      auto add = [&](const Value& value) {
        if (!key.is_string()) return Raise(values_.Message("Object keys must be strings"));
        std::vector<json::Member> more = members;
        more.push_back({key.as_string(), value});
        return from(i + 1, std::move(more));
      };
      if (entry.b != kNoNode) return ForValues(syntax, entry.b, scope, in, add);
      Computed value = values_.Get(in.value, key);
      return value ? add(*value) : Raise(value.error());
    });
  };
  return from(0, {});
}

// --- Operators ---------------------------------------------------------------------------------

Results Evaluation::Binary(const Syntax& syntax, const Node& node, const Scope* scope,
                           const Item& in) {
  if (expr::IsAssignment(node.op)) return Assign(syntax, node, scope, in);
  if (node.op == Operator::kAnd || node.op == Operator::kOr) {
    bool is_or = node.op == Operator::kOr;
    return ForValues(syntax, node.a, scope, in, [&](const Value& left) {
      if (left.is_truthy() == is_or) return Plain(Value::Bool(is_or));
      return ForValues(syntax, node.b, scope, in,
                       [&](const Value& right) { return Plain(Value::Bool(right.is_truthy())); });
    });
  }
  if (node.op == Operator::kAlternative) {
    Results left = Eval(syntax, node.a, scope, in);
    std::erase_if(left.items, [](const Item& item) { return !item.value.is_truthy(); });
    if (!left.items.empty() || !left.done()) return left;
    return Eval(syntax, node.b, scope, in);
  }
  return ForValues(syntax, node.b, scope, in, [&](const Value& right) {
    return ForValues(syntax, node.a, scope, in, [&](const Value& left) {
      if (node.op >= Operator::kEqual)
        return Plain(Value::Bool(Values::Compared(node.op, left, right)));
      return From(values_.Arithmetic(node.op, left, right));
    });
  });
}

Results Evaluation::Paths(const Syntax& syntax, NodeId id, const Scope* scope, const Value& in) {
  return ForEach(syntax, id, scope, {.value = in, .track = Item::Track::kPath},
                 [&](const Item& item) {
                   if (!item.has_path()) return Raise(values_.Message("Invalid path expression"));
                   return Plain(values_.Array(item.path));
                 });
}

Results Evaluation::Update(const Syntax& syntax, NodeId paths, const Scope* scope, const Value& in,
                           const std::function<Results(const Value&)>& update) {
  Results all = Paths(syntax, paths, scope, in);
  if (!all.done()) return all.items.clear(), all;
  Value at = in;
  std::vector<Value> dropped;
  for (const Item& item : all.items) {
    std::vector<Value> path(item.value.items().begin(), item.value.items().end());
    Computed old = values_.GetPath(at, path);
    if (!old) return Raise(old.error());
    Results updated = update(*old);
    if (updated.items.empty() && !updated.done()) return updated;
    if (updated.items.empty()) {
      dropped.push_back(item.value);
      continue;
    }
    Computed next = values_.Set(at, path, updated.items.front().value);
    if (!next) return Raise(next.error());
    at = *next;
  }
  return From(values_.DeletePaths(at, dropped));
}

Results Evaluation::Assign(const Syntax& syntax, const Node& node, const Scope* scope,
                           const Item& in) {
  if (node.op == Operator::kUpdate)
    return Update(syntax, node.a, scope, in.value,
                  [&](const Value& old) { return Eval(syntax, node.b, scope, {.value = old}); });
  return ForValues(syntax, node.b, scope, in, [&](const Value& right) {
    if (node.op == Operator::kAssign) {
      Results all = Paths(syntax, node.a, scope, in.value);
      if (!all.done()) return all.items.clear(), all;
      Value at = in.value;
      for (const Item& path : all.items) {
        Computed next =
            values_.Set(at, {path.value.items().begin(), path.value.items().end()}, right);
        if (!next) return Raise(next.error());
        at = *next;
      }
      return Plain(at);
    }
    return Update(syntax, node.a, scope, in.value, [&](const Value& old) {
      if (node.op == Operator::kUpdateAlternative) return Plain(old.is_truthy() ? old : right);
      return From(values_.Arithmetic(expr::UpdateOperator(node.op), old, right));
    });
  });
}

// --- Control -----------------------------------------------------------------------------------

Results Evaluation::Try(const Syntax& syntax, const Node& node, const Scope* scope,
                        const Item& in) {
  if (node.is_step) return Part(syntax, syntax.node(node.a), scope, in, true);
  Results all = Eval(syntax, node.a, scope, in);
  if (all.end != Results::End::kError) return all;
  Value error = all.error;
  all.end = Results::End::kDone;
  if (node.b != kNoNode) all.Append(Eval(syntax, node.b, scope, {.value = error}));
  return all;
}

Results Evaluation::If(const Syntax& syntax, const Node& node, const Scope* scope, const Item& in) {
  auto branches = syntax.list(node);
  std::function<Results(std::size_t)> from = [&](std::size_t i) -> Results {
    if (i == branches.size()) return node.a == kNoNode ? One(in) : Eval(syntax, node.a, scope, in);
    return ForValues(syntax, branches[i], scope, in, [&](const Value& condition) {
      return condition.is_truthy() ? Eval(syntax, branches[i + 1], scope, in) : from(i + 2);
    });
  };
  return from(0);
}

Results Evaluation::Fold(const Syntax& syntax, const Node& node, const Scope* scope,
                         const Item& in) {
  bool is_reduce = node.kind == NodeKind::kReduce;
  return ForEach(syntax, node.b, scope, in, [&](const Item& start) {
    Item state = start;
    Results out = ForValues(syntax, node.a, scope, in, [&](const Value& value) {
      return Bind(syntax, node, scope, in, value, [&](const Scope* inner) {
        Results updated = Eval(syntax, node.c, inner, state);
        // Without any result the state is lost.
        if (updated.items.empty()) {
          state = {.track = in.has_path() ? Item::Track::kLost : in.track};
        } else {
          state = updated.items.back();
        }
        if (is_reduce) return updated.items.clear(), updated;
        if (node.d == kNoNode) return updated;
        return ForEach(updated,
                       [&](const Item& item) { return Eval(syntax, node.d, inner, item); });
      });
    });
    if (is_reduce && out.done()) return One(state);
    return out;
  });
}

void Evaluation::PatternNames(const Syntax& syntax, NodeId pattern,
                              std::vector<std::string>* names) {
  const Node& node = syntax.node(pattern);
  if (node.kind == NodeKind::kPatternVariable ||
      (node.kind == NodeKind::kPatternEntry && !node.text.empty()))
    names->emplace_back(node.text);
  if (node.kind == NodeKind::kPatternEntry && node.b != kNoNode)
    PatternNames(syntax, node.b, names);
  for (NodeId id : syntax.list(node)) PatternNames(syntax, id, names);
}

Results Evaluation::Match(const Syntax& syntax, NodeId pattern, const Scope* scope, const Item& in,
                          const Value& value, const std::function<Results(const Scope*)>& body) {
  const Node& node = syntax.node(pattern);
  auto bound = [&](std::string_view name, const Value& to) {
    return Push({.kind = Scope::Kind::kVariable, .name = std::string(name), .value = to}, scope);
  };
  if (node.kind == NodeKind::kPatternVariable) return body(bound(node.text, value));
  auto parts = syntax.list(node);
  std::function<Results(std::size_t, const Scope*)> from = [&](std::size_t i,
                                                               const Scope* at) -> Results {
    if (i == parts.size()) return body(at);
    auto rest = [&, i](const Scope* inner) { return from(i + 1, inner); };
    if (node.kind == NodeKind::kPatternArray) {
      Computed item = values_.Get(value, Value::Int(static_cast<std::int64_t>(i)));
      if (!item) return Raise(item.error());
      return Match(syntax, parts[i], at, in, *item, rest);
    }
    const Node& entry = syntax.node(parts[i]);
    return ForValues(syntax, entry.a, at, in, [&](const Value& key) {
      if (!key.is_string()) return Raise(values_.Message("Cannot index with a key of this kind"));
      Computed item = values_.Get(value, key);
      if (!item) return Raise(item.error());
      const Scope* inner = at;
      if (!entry.text.empty())
        inner = Push(
            {.kind = Scope::Kind::kVariable, .name = std::string(entry.text), .value = *item}, at);
      if (entry.b == kNoNode) return rest(inner);
      return Match(syntax, entry.b, inner, in, *item, rest);
    });
  };
  return from(0, scope);
}

Results Evaluation::Bind(const Syntax& syntax, const Node& node, const Scope* scope, const Item& in,
                         const Value& value, const std::function<Results(const Scope*)>& body) {
  auto patterns = syntax.list(node);
  if (patterns.size() > 1) {
    // All variables of all alternatives exist in each, as null.
    std::vector<std::string> names;
    for (NodeId pattern : patterns) PatternNames(syntax, pattern, &names);
    for (const std::string& name : names)
      scope = Push({.kind = Scope::Kind::kVariable, .name = name}, scope);
  }
  Results all;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    all.Append(Match(syntax, patterns[i], scope, in, value, body));
    if (all.end != Results::End::kError || i + 1 == patterns.size()) break;
    all.end = Results::End::kDone;
  }
  return all;
}

// --- Functions ---------------------------------------------------------------------------------

Results Evaluation::Call(const Syntax& syntax, const Node& node, const Scope* scope,
                         const Item& in) {
  for (const Scope* at = scope; at != nullptr; at = at->outer) {
    if (at->name != node.text || at->arity != node.list_size) continue;
    if (at->kind == Scope::Kind::kClosure) return Eval(*at->syntax, at->node, at->defined_in, in);
    if (at->kind == Scope::Kind::kFunction) return CallFunction(at, syntax, node, scope, in);
  }
  return Native(syntax, node, scope, in);
}

Results Evaluation::CallFunction(const Scope* function, const Syntax& syntax, const Node& node,
                                 const Scope* scope, const Item& in) {
  const Node& definition = function->syntax->node(function->node);
  auto parameters = function->syntax->list(definition);
  auto arguments = syntax.list(node);
  std::function<Results(std::size_t, const Scope*)> from = [&](std::size_t i,
                                                               const Scope* inner) -> Results {
    if (i == parameters.size()) return Eval(*function->syntax, definition.a, inner, in);
    const Node& parameter = function->syntax->node(parameters[i]);
    const Scope* closure = Push({.kind = Scope::Kind::kClosure,
                                 .name = std::string(parameter.text),
                                 .syntax = &syntax,
                                 .node = arguments[i],
                                 .defined_in = scope},
                                inner);
    if (!parameter.is_value) return from(i + 1, closure);
    // $name is a loop over the argument's results.
    return ForValues(syntax, arguments[i], scope, in, [&](const Value& value) {
      return from(i + 1, Push({.kind = Scope::Kind::kVariable,
                               .name = std::string(parameter.text),
                               .value = value},
                              closure));
    });
  };
  return from(0, function);
}

Results Evaluation::Native(const Syntax& syntax, const Node& node, const Scope* scope,
                           const Item& in) {
  auto arguments = syntax.list(node);
  std::string_view name = node.text;
  auto argument = [&](std::size_t i, const std::function<Results(const Value&)>& then) {
    return ForValues(syntax, arguments[i], scope, in, then);
  };
  if (arguments.empty()) return Native0(name, in);
  if (arguments.size() == 1) {
    if (name == "path") return Paths(syntax, arguments[0], scope, in.value);
    if (name == "first") {
      Results all = Eval(syntax, arguments[0], scope, in);
      if (all.items.empty() || all.end == Results::End::kGaveUp) return all;
      return One(all.items.front());
    }
    if (name == "last") {
      Results all = Eval(syntax, arguments[0], scope, in);
      if (!all.done()) return all.items.clear(), all;
      if (!all.items.empty()) all.items = {Item{.value = all.items.back().value}};
      return all;
    }
    if (name == "getpath")
      return argument(0, [&](const Value& path) {
        if (!path.is_array()) return Raise(values_.Message("Path must be specified as an array"));
        std::vector<Value> keys(path.items().begin(), path.items().end());
        Computed value = values_.GetPath(in.value, keys);
        if (!value) return Raise(value.error());
        Item item{.value = *value, .track = in.track, .path = in.path};
        item.path.insert(item.path.end(), keys.begin(), keys.end());
        return One(item);
      });
    return argument(0, [&](const Value& value) { return Native1(name, in, value); });
  }
  if (name == "limit" && arguments.size() == 2) {
    return argument(0, [&](const Value& count) {
      if (!count.is_number()) return GiveUp("limit of no number");
      double left = count.as_double();
      if (left < 0) return Raise(values_.Message("limit doesn't support negative count"));
      if (left <= 0) return Results{};
      Results all = Eval(syntax, arguments[1], scope, in);
      if (all.end == Results::End::kGaveUp || static_cast<double>(all.items.size()) < left)
        return all;
      Results some;
      some.items.assign(all.items.begin(),
                        all.items.begin() + static_cast<std::ptrdiff_t>(std::ceil(left)));
      return some;
    });
  }
  if (name == "range" && arguments.size() == 3) {
    return argument(0, [&](const Value& from) {
      return argument(1, [&](const Value& to) {
        return argument(2, [&](const Value& by) {
          if (!from.is_number() || !to.is_number() || !by.is_number())
            return Raise(values_.Message("Range bounds must be numeric"));
          Results all;
          Value at = from;
          while (by.as_double() < 0 ? json::Compare(at, to) > 0 : json::Compare(at, to) < 0) {
            all.items.push_back({.value = at});
            if (all.items.size() > kMaxItems) return GiveUp("too long a range");
            at = *values_.Arithmetic(Operator::kAdd, at, by);
          }
          return all;
        });
      });
    });
  }
  if (name == "setpath" && arguments.size() == 2)
    // As with operators, the last argument varies slowest.
    return argument(1, [&](const Value& value) {
      return argument(0, [&](const Value& path) {
        if (!path.is_array()) return Raise(values_.Message("Path must be specified as an array"));
        return From(values_.Set(in.value, {path.items().begin(), path.items().end()}, value));
      });
    });
  return GiveUp(Cat("no function ", name, "/", arguments.size()));
}

Results Evaluation::Native0(std::string_view name, const Item& in) {
  const Value& value = in.value;
  auto wrong = [&] { return Raise(values_.Message(Cat(name, " of this kind"))); };
  if (name == "empty") return {};
  if (name == "error") return Raise(value);
  if (name == "type") return Plain(Value::String(TypeName(value.type())));
  if (name == "tostring") return Plain(values_.Text(values_.ToText(value)));
  if (name == "tonumber") return From(values_.ToNumber(value));
  if (name == "nan") return Plain(Value::Double(std::nan("")));
  if (name == "infinite") return Plain(Value::Double(HUGE_VAL));
  if (name == "env") return Plain(json::MakeObject(arena_, {}));
  if (name == "fromjson") {
    if (!value.is_string()) return wrong();
    json::ReadOptions options;
    options.dialect = json::ReadOptions::Dialect::kJq;
    auto read = json::Read(value.as_string(), arena_, options);
    return read ? Plain(*read) : wrong();
  }
  if (name == "length") {
    if (value.is_null()) return Plain(Value::Int(0));
    if (value.is_bool()) return wrong();
    if (value.is_number()) {
      if (value.is_int() && value.as_int() >= 0) return Plain(value);
      return Plain(Value::Double(std::abs(value.as_double())));
    }
    std::size_t size = value.is_string() ? CountUtf8(value.as_string()) : value.size();
    return Plain(Value::Int(static_cast<std::int64_t>(size)));
  }
  if (name == "keys") {
    Computed pairs = values_.Children(value);
    if (!pairs) return wrong();
    std::vector<Value> keys;
    for (const Value& pair : pairs->items()) keys.push_back(pair[0]);
    return Plain(values_.Array(keys));
  }
  if (name == "explode") {
    if (!value.is_string()) return wrong();
    std::vector<Value> codes;
    for (std::string_view rest = value.as_string(); !rest.empty();) {
      Utf8Char c = DecodeUtf8(rest);
      codes.push_back(Value::Int(static_cast<std::int64_t>(c.code)));
      rest.remove_prefix(c.size);
    }
    return Plain(values_.Array(codes));
  }
  if (name == "implode") {
    std::string text;
    if (!value.is_array()) return wrong();
    for (const Value& code : value.items()) {
      if (!code.is_number()) return wrong();
      double point = code.as_double();
      AppendUtf8(text,
                 point >= 0 && point < 0x110000 ? static_cast<char32_t>(point) : kReplacement);
    }
    return Plain(values_.Text(text));
  }
  if (name == "floor" || name == "sqrt" || name == "ceil" || name == "fabs") {
    if (!value.is_number()) return wrong();
    double x = value.as_double();
    if (name == "floor" && value.is_int()) return Plain(value);
    return Plain(Value::Double(name == "floor"  ? std::floor(x)
                               : name == "ceil" ? std::ceil(x)
                               : name == "sqrt" ? std::sqrt(x)
                                                : std::abs(x)));
  }
  return GiveUp(Cat("no function ", name));
}

Results Evaluation::Native1(std::string_view name, const Item& in, const Value& argument) {
  const Value& value = in.value;
  auto wrong = [&] { return Raise(values_.Message(Cat(name, " of this kind"))); };
  bool strings = value.is_string() && argument.is_string();
  if (name == "has") {
    if (value.is_null()) return Plain(Value::Bool(false));
    if (value.is_object() && argument.is_string())
      return Plain(Value::Bool(value.Find(argument.as_string()) != nullptr));
    if (!value.is_array() || !argument.is_number()) return wrong();
    double at = std::trunc(argument.as_double());
    return Plain(Value::Bool(at >= 0 && at < static_cast<double>(value.size())));
  }
  if (name == "contains") {
    return value.type() == argument.type() ? Plain(Value::Bool(values_.Contains(value, argument)))
                                           : wrong();
  }
  if (name == "startswith")
    return strings ? Plain(Value::Bool(value.as_string().starts_with(argument.as_string())))
                   : wrong();
  if (name == "endswith")
    return strings ? Plain(Value::Bool(value.as_string().ends_with(argument.as_string())))
                   : wrong();
  if (name == "ltrimstr" || name == "rtrimstr") {
    if (!strings) return wrong();
    std::string_view text = value.as_string();
    std::string_view part = argument.as_string();
    if (name == "ltrimstr" && text.starts_with(part)) text.remove_prefix(part.size());
    if (name == "rtrimstr" && text.ends_with(part)) text.remove_suffix(part.size());
    return Plain(values_.Text(text));
  }
  if (name == "indices") return From(values_.Indices(value, argument));
  if (name == "delpaths") {
    if (!argument.is_array()) return wrong();
    return From(values_.DeletePaths(value, {argument.items().begin(), argument.items().end()}));
  }
  if (name == "change_case") {
    if (!value.is_string()) return wrong();
    std::string text(value.as_string());
    for (char& c : text) {
      if (argument.is_true() && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
      if (!argument.is_true() && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return Plain(values_.Text(text));
  }
  // Of the values in the array that is the input, by the keys in the argument.
  if (name == "sort_pairs" || name == "group_pairs") {
    std::vector<std::size_t> order(value.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      return json::SortOrder(argument[a], argument[b]) < 0;
    });
    std::vector<Value> sorted;
    std::vector<std::vector<Value>> groups;
    for (std::size_t i = 0; i < order.size(); ++i) {
      sorted.push_back(value[order[i]]);
      if (i == 0 || json::Compare(argument[order[i - 1]], argument[order[i]]) != 0)
        groups.emplace_back();
      groups.back().push_back(value[order[i]]);
    }
    if (name == "sort_pairs") return Plain(values_.Array(sorted));
    std::vector<Value> arrays;
    for (const auto& group : groups) arrays.push_back(values_.Array(group));
    return Plain(values_.Array(arrays));
  }
  return GiveUp(Cat("no function ", name, "/1"));
}

}  // namespace

Verdict Judge(std::string_view source, const json::Value& input,
              const std::vector<std::pair<std::string, json::Value>>& variables, Arena& arena) {
  Verdict verdict;
  Result<Syntax> prelude = expr::ParseDefinitions(kPrelude);
  Result<Syntax> syntax = expr::Parse(source);
  if (!prelude || !syntax) {
    verdict.kind = prelude ? Verdict::Kind::kNotCompiled : Verdict::Kind::kGaveUp;
    verdict.why = prelude ? syntax.error().message() : prelude.error().message();
    return verdict;
  }
  Evaluation evaluation(arena);
  const Scope* scope = evaluation.PushFunctions(*prelude, prelude->node(prelude->root()), nullptr);
  scope = evaluation.Push(
      {.kind = Scope::Kind::kVariable, .name = "ENV", .value = json::MakeObject(arena, {})}, scope);
  for (const auto& [name, value] : variables)
    scope = evaluation.Push({.kind = Scope::Kind::kVariable, .name = name, .value = value}, scope);
  Results all = evaluation.Eval(*syntax, syntax->root(), scope, {.value = input});
  // Results view the trees, which die here.
  for (const Item& item : all.items) verdict.results.push_back(json::DeepCopy(arena, item.value));
  verdict.error = json::DeepCopy(arena, all.error);
  verdict.why = all.why;
  verdict.kind = all.end == Results::End::kDone    ? Verdict::Kind::kDone
                 : all.end == Results::End::kError ? Verdict::Kind::kFailed
                                                   : Verdict::Kind::kGaveUp;
  return verdict;
}

}  // namespace wmap::referee
