// Syntax: the syntax tree of one expression, as written.
//
// The tree is a flat vector of nodes that refer to each other by index. A Syntax owns everything
// its nodes point to, including a copy of the source; it is immutable after parsing, move-only, and
// may be read by several threads. Views that it hands out live as long as it does, also when it is
// moved. The tree is at most kMaxSyntaxDepth deep, so walking it by native recursion is safe.
//
// What the grammar decides is decided here (precedence, escapes, which names are keywords, the
// forms of object keys); what names mean is not: a tree may call functions and read variables that
// do not exist.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/error.h"

namespace wmap::expr {

inline constexpr std::uint32_t kMaxSyntaxDepth = 1000;
// Also bounds the nodes: a node takes at least one byte of source, but for a few that are implied.
inline constexpr std::size_t kMaxSourceBytes = std::size_t{1} << 20;

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xFFFFFFFF;

// What a node is, and which of its fields mean what. "E" stands for any expression node. Fields
// that are not named are kNoNode or empty.
enum class NodeKind : std::uint8_t {
  // Leaves.
  kIdentity,  // .
  kDescend,   // ..
  kNull,      // null, true and false are constants, not calls
  kFalse,
  kTrue,
  kNumber,    // text: the number in JSON form, with all its digits ("007" is "7", ".5" is "0.5")
  kString,    // text: a string without interpolation, decoded
  kFormat,    // @base64; text: "base64"
  kVariable,  // $name; text: "name". $ENV too
  kLocation,  // $__loc__
  kBreak,     // break $name; text: "name"

  // Strings with interpolation, or with a format before them.
  kInterpolation,  // text: the format's name or ""; list: kText and E nodes in order
  kText,           // text: a literal part; only in kInterpolation

  // Postfix. All of them see the target's results; their bounds see the input of the whole term.
  kField,    // a.text; a: target E, `.text` alone has a kIdentity as target
  kIndex,    // a[b]
  kSlice,    // a[b:c]; b or c may be kNoNode
  kIterate,  // a[]
  kTry,      // a?, try a, try a catch b; b: handler E or kNoNode. is_step: a `?` right behind a
             // step (.x? .[i]? .[]?), which silences that step alone and not what leads to it

  // Constructors.
  kArray,   // [a]; a: E or kNoNode
  kObject,  // {list}; list: kEntry nodes
  kEntry,   // a: key E (kString for plain names), b: value E, or kNoNode for "the input indexed by
            // the key" ({a}, {"a b"}, {@base64 "x"}). {$x} has key kString "x" and value
            // kVariable; {$__loc__} likewise

  // Operators.
  kNegate,  // -a
  kBinary,  // a op b
  kPipe,    // list: two or more E
  kComma,   // list: two or more E

  // Control.
  kIf,         // list: condition, then, condition, then, ...; a: else E or kNoNode (then it is `.`)
  kReduce,     // reduce a as list (b; c): a source, list alternative patterns, b start, c update
  kForeach,    // foreach a as list (b; c; d): as kReduce; d: extract E or kNoNode
  kBind,       // a as list | b: a source, list alternative patterns (p1 ?// p2 ...), b body
  kLabel,      // label $text | a
  kDefine,     // list: kFunction nodes, each visible from itself on; a: body E
  kFunction,   // def text(list): a; list: kParameter nodes. Only in kDefine
  kParameter,  // text: its name; is_value: written $text, which binds the closure text and $text
  kCall,       // text(list): a call of text/n; list: argument E nodes

  // Patterns; only in kReduce, kForeach, kBind and inside each other.
  kPatternVariable,  // $text
  kPatternArray,     // [list]; list: patterns, one or more
  kPatternObject,    // {list}; list: kPatternEntry, one or more
  kPatternEntry,     // a: key E, b: pattern or kNoNode; text: the variable that is bound to the
                     // value too, or "": {$x}, {$x: p} have key kString "x" and text "x". The key
                     // sees the input of the whole kBind and the variables bound before it
};

enum class Operator : std::uint8_t {
  kNone,
  // Arithmetic.
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  // Comparison.
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  // Logic.
  kAnd,
  kOr,
  kAlternative,  // //
  // Assignment.
  kAssign,             // =
  kUpdate,             // |=
  kUpdateAdd,          // +=
  kUpdateSubtract,     // -=
  kUpdateMultiply,     // *=
  kUpdateDivide,       // /=
  kUpdateModulo,       // %=
  kUpdateAlternative,  // //=
};

// "+", "==", "and", "//=" and so on; "" for kNone.
std::string_view OperatorText(Operator op);
inline bool IsAssignment(Operator op) { return op >= Operator::kAssign; }
// The operator that `op` applies before it assigns: kAdd for +=; kNone for = and |=.
Operator UpdateOperator(Operator op);

struct Node {
  NodeKind kind = NodeKind::kIdentity;
  Operator op = Operator::kNone;
  bool is_value = false;    // kParameter
  bool is_step = false;     // kTry
  std::uint32_t begin = 0;  // the node's bytes in the source
  std::uint32_t end = 0;
  // The byte that names the node best: the operator of kBinary, the name of kField and kFunction,
  // the bracket of kIndex, kSlice and kIterate, else `begin`. Messages point at it.
  std::uint32_t place = 0;
  NodeId a = kNoNode;
  NodeId b = kNoNode;
  NodeId c = kNoNode;
  NodeId d = kNoNode;
  std::uint32_t list_begin = 0;
  std::uint32_t list_size = 0;
  std::string_view text;

  SourceRange range() const { return {begin, end}; }
};

class Syntax {
 public:
  Syntax(Syntax&&) noexcept = default;
  Syntax& operator=(Syntax&&) noexcept = default;

  NodeId root() const { return root_; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  std::size_t node_count() const { return nodes_.size(); }
  std::span<const NodeId> list(const Node& node) const {
    return std::span(lists_).subspan(node.list_begin, node.list_size);
  }
  std::span<const NodeId> list(NodeId id) const { return list(nodes_[id]); }

  // The text that was parsed. Ranges of nodes are ranges of it.
  std::string_view source() const { return *source_; }
  // The 1-based line of a byte of the source, as $__loc__ reports it.
  std::uint32_t line(std::uint32_t offset) const;

 private:
  friend class SyntaxBuilder;
  Syntax() = default;

  std::unique_ptr<const std::string> source_;
  Arena text_;  // decoded strings
  std::vector<Node> nodes_;
  std::vector<NodeId> lists_;
  NodeId root_ = kNoNode;
};

// Whether two trees say the same: kinds, operators, texts and shape, not places.
bool SameSyntax(const Syntax& left, const Syntax& right);

}  // namespace wmap::expr
