// The interpreter of shapes. Its bounds (work, depth, rounds of loops) are what keeps any
// expression, also a hostile one, from taking long: beyond them it says that it is over.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expr/builtins/builtins.h"
#include "expr/syntax/ast.h"
#include "expr/typing.h"
#include "expr/typing/places.h"
#include "expr/typing/shape.h"

namespace wmap::expr::typing {

class Interpreter {
 public:
  // Runs all of it. `documents` outlives this.
  Interpreter(Syntax syntax, DocumentTypes& documents);

  // Once: the issues are moved out.
  Typing Finish();
  // See FindDocumentPaths() and FindResultPaths().
  std::vector<DocumentPath> Gone() const;
  std::vector<DocumentPath> Given();

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
    const Node* site = nullptr;   // of an argument: site_ where it stands
    const Scope* outer = nullptr;
  };

  struct ActiveCall {
    const Scope* what;
    Ref in;
  };

  // What was looked at, and how often that was wrong.
  struct NoteOf {
    std::size_t seen = 0;
    std::size_t bad = 0;
    Issue issue;
  };

  bool is_over() const;

  // An operation at `node` was looked at. It is told of when it is bad on every visit: the same
  // text of a function may be right for another argument. `about` tells several of one node apart.
  void Note(const Node& node, std::string about, bool is_bad, const std::function<Issue()>& issue);
  // The step from `target` to `places`, one for each of its own, is made at `node`.
  void Go(const Node& node, const Shape& target, const std::vector<Place>& places);
  void ExcuseMissing(const Syntax& syntax, const Node& node, std::span<const Place> left,
                     std::span<const Place> right);
  void CheckComparison(const Node& node, const Shape& left, const Shape& right);
  // `is_field`: the target is a field that is gone to just before.
  void CheckItems(const Shape& target, const Node& node, bool is_field = false);
  // `what` is done with a value that must not be null.
  void CheckPresent(const Shape& value, const Node& node, std::string_view what);
  void CheckAbsent(const Syntax& syntax, const Node& node, const Shape& value, NodeId constant);
  // What was gone to since gone_ had `before` entries is taken to be there from now on: a
  // condition has asked for it.
  void AssumeGone(std::size_t before) {
    for (std::size_t i = before; i < gone_.size(); ++i) {
      places_.Assume(gone_[i], optional_);
    }
  }

  Kinds KindsOf(const Shape& shape) const;
  // All strings that it may be, when they are known.
  std::optional<std::set<std::string_view>> TextsOf(const Shape& shape) const;
  // For people.
  std::string Describe(const Shape& shape) const;

  Ref Union(const Ref& a, const Ref& b, int depth = 0);
  bool IsSame(const Ref& a, const Ref& b);
  void CollectPlaces(const Shape& shape, std::set<Place>& to, int depth = 0);
  Ref Flat(const Shape& a, const Shape& b);
  Ref Flat(const Ref& shape) { return Flat(*shape, *nothing_); }
  Ref OfParts(Shape part) const;
  Ref Field(const Ref& target, std::string_view key, const Node& node);
  Ref Items(const Ref& target, const Node& node);
  Count ItemsOf(const Shape& target) const;
  Ref Index(const Ref& target, const Ref& key, const Node& node);
  static Ref WithoutTexts(const Ref& shape);
  static Ref WithLength(const Ref& shape, const Count& length);
  static Ref Truthy(const Ref& shape);
  Ref Keys(const Shape& shape);
  Ref Leaves(const Ref& in, const Node& node);

  Stream Visit(const Syntax& syntax, NodeId id, const Ref& in, const Scope* scope);
  Stream VisitNode(const Syntax& syntax, NodeId id, const Ref& in, const Scope* scope);
  Ref Variable(std::string_view name, const Scope* scope);
  Stream Try(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope);
  Stream Object(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope);
  Stream Binary(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope);
  Stream Alternative(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope);
  Ref Arithmetic(const Node& node, const Ref& left, const Ref& right);
  Ref Sum(const Ref& left, const Ref& right);
  Stream If(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope);
  template <typename Turn>
  Ref Rounds(Ref state, const Turn& turn);
  Stream Loop(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope);

  const Scope* Add(const Scope& scope) { return &scopes_.emplace_back(scope); }
  const Scope* BindVariable(std::string_view name, const Ref& shape, const Scope* scope);
  const Scope* Bind(const Syntax& syntax, const Node& node, const Ref& source, const Ref& in,
                    const Scope* scope);
  const Scope* BindPattern(const Syntax& syntax, NodeId id, const Ref& source, const Ref& in,
                           const Scope* scope);
  const Scope* Define(const Syntax& syntax, NodeId function, const Scope* scope);
  Stream Call(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope);
  template <typename F>
  Stream Deeper(const Scope* what, const Ref& in, const F& visit);
  Stream CallFunction(const Scope& function, const Syntax& syntax,
                      std::span<const NodeId> arguments, const Ref& in, const Scope* scope);
  Stream CallBuiltin(const Syntax& syntax, const Node& node, const Ref& in, const Scope* scope);
  Ref SelectedBy(const Syntax& syntax, NodeId condition, const Ref& in);
  Ref Native(std::string_view name, std::span<const Ref> arguments, const Ref& in,
             const Node& node);
  const Scope* PreludeFunction(const builtins::PreludeRow& row);

  Syntax syntax_;  // shapes and scopes view its texts
  Places places_;
  const Ref nothing_;
  const Ref null_;
  const Ref boolean_;
  const Ref number_;
  const Ref string_;
  const Ref anything_;
  Stream result_;
  std::vector<Place> gone_;  // every step, in order
  // What is iterated over where it may be absent: that asks for nothing.
  std::set<Place> optional_;
  std::map<std::pair<const Node*, std::string>, NoteOf> notes_;
  // The call in the source that the prelude is run for, or null outside it.
  const Node* site_ = nullptr;
  const Node* last_call_ = nullptr;
  // In how many `try` it is: what fails there is no issue.
  int quiet_ = 0;
  std::size_t work_ = 0;
  std::size_t lookups_ = 0;
  int depth_ = 0;
  std::vector<ActiveCall> calls_;
  std::deque<Scope> scopes_;
  std::deque<Syntax> syntaxes_;
  std::map<const char*, const Scope*> prelude_;
};

}  // namespace wmap::expr::typing
