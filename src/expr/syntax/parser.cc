// A recursive-descent parser with precedence climbing for operators: one function per phrase of the
// grammar. Over 600 lines because the phrases call each other in circles and share one token of
// lookahead; apart, none could be read.
//
//   query   := stage ('|' stage)*                 stage := item (',' item)*
//   item    := def+ query | 'label' $name '|' query | expr ['as' patterns '|' query]
//   expr    := unary (operator unary)*            unary := '-' unary | 'try' unary ['catch' unary]
//                                                        | term
//   term    := primary suffix*                    suffix := .name | [..] | ? | ...
//
// `def`, `label` and `as` reach as far right as they can, through later commas and pipes.
#include "expr/syntax/parser.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "expr/syntax/builder.h"
#include "expr/syntax/grammar.h"
#include "expr/syntax/lexer.h"

namespace wmap::expr {
namespace {

using Kind = Token::Kind;

// How deep phrases may stand in each other. Less than the depth of trees, which also comes from
// long chains of operators: a level of recursion takes up to 9 KiB of the stack in a build with
// sanitizers.
constexpr std::uint32_t kMaxNesting = kMaxSyntaxDepth / 2;

// What is meant by a token that another language would have here.
struct Hint {
  std::string_view found;
  std::string_view hint;
};
constexpr Hint kHints[] = {
    {"&&", "write `and`"},
    {"&", "write `and`"},
    {"||", "write `or`"},
    {"===", "equality is written `==`"},
    {"!", "negation is written `… | not`"},
    {"=~", "matching is written `test(\"…\")`"},
    {"<>", "inequality is written `!=`"},
    {"'", "strings are written in double quotes"},
    {"`", "strings are written in double quotes"},
    {"elseif", "write `elif`"},
    {"elsif", "write `elif`"},
    {"?//", "`?//` separates alternative patterns; for a default write `? // ` with a space"},
};

std::string_view HintFor(std::string_view found) {
  for (const Hint& hint : kHints)
    if (hint.found == found) return hint.hint;
  return {};
}

// The look-alikes that word processors put into expressions.
bool IsCurlyQuote(std::string_view text) {
  return text == "\u201C" || text == "\u201D" || text == "\u2018" || text == "\u2019";
}

// Whether `target`, at the head of a term that begins at `begin`, ends in a step. A term in
// parentheses begins before what stands in them.
bool IsStep(const Node& target, std::uint32_t begin) {
  return target.begin == begin &&
         (target.kind == NodeKind::kField || target.kind == NodeKind::kIndex ||
          target.kind == NodeKind::kSlice || target.kind == NodeKind::kIterate);
}

class Parser {
 public:
  Parser(std::string_view source, bool definitions_alone)
      : builder_(source),
        lexer_(builder_.source()),
        token_(lexer_.Next()),
        definitions_alone_(definitions_alone) {}

  Result<Syntax> Run();

 private:
  using NodeResult = Result<NodeId>;

  // Tokens.
  void Advance() {
    last_end_ = token_.end;
    token_ = lexer_.Next();
  }
  bool TakeSymbol(std::string_view symbol) {
    if (!token_.is_symbol(symbol)) return false;
    Advance();
    return true;
  }
  bool TakeKeyword(std::string_view word) {
    if (!token_.is_keyword(word)) return false;
    Advance();
    return true;
  }
  Result<void> ExpectSymbol(std::string_view symbol, std::string_view where);
  Result<void> ExpectClosing(std::string_view symbol, const Token& open);

  // Errors.
  std::string Found() const;
  std::unexpected<Error> Unexpected(std::string_view expected, std::string_view hint = {}) const;
  std::unexpected<Error> TooDeep(std::uint32_t limit = kMaxNesting) const;

  // Phrases. None is compiled into another: what a level of nesting takes of the stack is then only
  // what the phrases on the way down need.
  [[gnu::noinline]] NodeResult Query();
  [[gnu::noinline]] NodeResult Stage();
  [[gnu::noinline]] NodeResult Item();
  [[gnu::noinline]] NodeResult Definitions();
  [[gnu::noinline]] NodeResult Function();
  [[gnu::noinline]] NodeResult Label();
  [[gnu::noinline]] NodeResult Bind(std::uint32_t begin, NodeId source);
  [[gnu::noinline]] NodeResult Expr(int min_level = Binding::kExpr);
  [[gnu::noinline]] NodeResult Unary();
  [[gnu::noinline]] NodeResult Try();
  [[gnu::noinline]] NodeResult Term();
  [[gnu::noinline]] NodeResult Suffix(std::uint32_t begin, NodeId target, bool* any);
  [[gnu::noinline]] NodeResult QuotedField(std::uint32_t begin, NodeId target);
  [[gnu::noinline]] NodeResult Bracket(std::uint32_t begin, NodeId target);
  [[gnu::noinline]] NodeResult Primary();
  [[gnu::noinline]] NodeResult Dot();
  [[gnu::noinline]] NodeResult Name();
  [[gnu::noinline]] NodeResult KeywordTerm();
  [[gnu::noinline]] NodeResult If();
  [[gnu::noinline]] NodeResult Fold(NodeKind kind);
  [[gnu::noinline]] NodeResult Number();
  [[gnu::noinline]] NodeResult Array();
  [[gnu::noinline]] NodeResult Object();
  [[gnu::noinline]] NodeResult Entry();
  [[gnu::noinline]] NodeResult EntryValue();
  [[gnu::noinline]] NodeResult String(std::string_view format, std::uint32_t begin);
  [[gnu::noinline]] NodeResult StringAfterFormat();
  [[gnu::noinline]] Result<std::vector<NodeId>> Patterns();
  [[gnu::noinline]] NodeResult Pattern();
  [[gnu::noinline]] NodeResult ArrayPattern();
  [[gnu::noinline]] NodeResult ObjectPattern();
  [[gnu::noinline]] NodeResult PatternEntry();
  [[gnu::noinline]] NodeResult Parenthesized();

  // Nodes.
  Node At(NodeKind kind, std::uint32_t begin) const {
    Node node;
    node.kind = kind;
    node.begin = begin;
    node.end = std::max(begin, last_end_);
    node.place = begin;
    return node;
  }
  NodeResult Add(Node node, std::span<const NodeId> list = {}) {
    NodeId id = builder_.Add(node, list);
    if (builder_.height(id) > kMaxSyntaxDepth) return TooDeep(kMaxSyntaxDepth);
    return id;
  }
  // A node of one token without children, which is consumed.
  NodeResult Leaf(NodeKind kind, std::string_view text = {}) {
    std::uint32_t begin = token_.begin;
    Advance();
    Node node = At(kind, begin);
    node.text = text;
    return Add(node);
  }
  // A node that the source implies at `offset`.
  NodeResult Implied(NodeKind kind, std::uint32_t offset) {
    Node node = At(kind, offset);
    node.end = offset;
    return Add(node);
  }

  // Counts the native recursion.
  class Level {
   public:
    explicit Level(Parser* parser) : parser_(parser) { ++parser_->depth_; }
    ~Level() { --parser_->depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    bool too_deep() const { return parser_->depth_ > kMaxNesting; }

   private:
    Parser* parser_;
  };

  SyntaxBuilder builder_;
  Lexer lexer_;
  Token token_;
  std::uint32_t last_end_ = 0;
  std::uint32_t depth_ = 0;
  bool definitions_alone_;
};

// --- Errors ------------------------------------------------------------------------------------

std::string Parser::Found() const {
  switch (token_.kind) {
    case Kind::kEnd:
      return "the end of the expression";
    case Kind::kQuote:
      return "a string";
    case Kind::kNumber:
      return Cat("the number ", token_.text);
    case Kind::kKeyword:
      return Cat("the keyword `", token_.text, "`");
    default:
      return Cat("`", builder_.source().substr(token_.begin, token_.end - token_.begin), "`");
  }
}

std::unexpected<Error> Parser::Unexpected(std::string_view expected, std::string_view hint) const {
  std::string message = Cat("expected ", expected, ", found ", Found());
  std::string_view known = HintFor(token_.text);
  if (IsCurlyQuote(token_.text)) known = "strings are written in plain double quotes";
  if (known.empty() || token_.kind == Kind::kFormat) known = hint;
  if (!known.empty()) CatTo(message, "; ", known);
  return Fail(Error(Code::kSyntax, std::move(message)).At(token_.range()));
}

std::unexpected<Error> Parser::TooDeep(std::uint32_t limit) const {
  return Fail(Error(Code::kLimit, Cat("the expression is nested more than ", limit, " levels deep"))
                  .At(token_.range()));
}

Result<void> Parser::ExpectSymbol(std::string_view symbol, std::string_view where) {
  if (TakeSymbol(symbol)) return {};
  return Unexpected(Cat("`", symbol, "` ", where));
}

Result<void> Parser::ExpectClosing(std::string_view symbol, const Token& open) {
  if (TakeSymbol(symbol)) return {};
  std::string_view hint;
  if (token_.kind == Kind::kOperator) hint = "comparisons and assignments do not chain: use ( )";
  if (token_.is_symbol(":") || token_.is_symbol("..")) hint = "a slice is written [from:to]";
  return Unexpected(
      Cat("`", symbol, "` for the `", open.text, "` at byte ", open.begin + std::uint32_t{1}),
      hint);
}

// --- Queries -----------------------------------------------------------------------------------

Result<Syntax> Parser::Run() {
  if (token_.kind == Kind::kEnd) return Unexpected("an expression", "the input itself is `.`");
  if (token_.is_keyword("import") || token_.is_keyword("include") || token_.is_keyword("module")) {
    return Fail(Error(Code::kSyntax, Cat("modules are not supported: an expression cannot use `",
                                         token_.text, "`"))
                    .At(token_.range()));
  }
  WMAP_TRY(NodeId root, Query());
  if (token_.kind == Kind::kEnd) return builder_.Finish(root);

  std::string_view hint;
  if (token_.is_symbol(")") || token_.is_symbol("]") || token_.is_symbol("}")) {
    hint = "nothing is open here that it could close";
  } else if (token_.kind == Kind::kOperator) {
    hint = "comparisons and assignments do not chain: use ( )";
  } else if (token_.is_symbol(";")) {
    hint = "`;` ends definitions and separates arguments; several results are joined by `,`";
  } else if (token_.is_keyword("as")) {
    hint = "put ( ) around the binding";
  } else if (token_.kind == Kind::kNumber && token_.text.starts_with('.')) {
    hint = "an array index is written [0]";
  } else if (token_.kind == Kind::kName || token_.kind == Kind::kNumber ||
             token_.kind == Kind::kQuote) {
    hint = "steps are joined by `|`; a key with unusual characters is written .[\"key\"]";
  }
  return Unexpected("an operator, `|`, `,` or the end of the expression", hint);
}

Parser::NodeResult Parser::Query() {
  Level level(this);
  if (level.too_deep()) return TooDeep();
  std::uint32_t begin = token_.begin;
  WMAP_TRY(NodeId first, Stage());
  if (!token_.is_symbol("|")) return first;
  std::vector<NodeId> stages = {first};
  while (TakeSymbol("|")) {
    WMAP_TRY(NodeId next, Stage());
    stages.push_back(next);
  }
  return Add(At(NodeKind::kPipe, begin), stages);
}

Parser::NodeResult Parser::Stage() {
  std::uint32_t begin = token_.begin;
  WMAP_TRY(NodeId first, Item());
  if (!token_.is_symbol(",")) return first;
  std::vector<NodeId> items = {first};
  while (TakeSymbol(",")) {
    WMAP_TRY(NodeId next, Item());
    items.push_back(next);
  }
  return Add(At(NodeKind::kComma, begin), items);
}

Parser::NodeResult Parser::Item() {
  if (token_.is_keyword("def")) return Definitions();
  if (token_.is_keyword("label")) return Label();
  std::uint32_t begin = token_.begin;
  WMAP_TRY(NodeId expr, Expr());
  if (TakeKeyword("as")) return Bind(begin, expr);
  return expr;
}

Parser::NodeResult Parser::Definitions() {
  std::uint32_t begin = token_.begin;
  std::vector<NodeId> functions;
  while (token_.is_keyword("def")) {
    WMAP_TRY(NodeId function, Function());
    functions.push_back(function);
  }
  NodeId body = kNoNode;
  if (token_.kind != Kind::kEnd) {
    WMAP_TRY(body, Query());
  } else if (definitions_alone_) {
    WMAP_TRY(body, Implied(NodeKind::kIdentity, token_.begin));
  } else {
    return Unexpected("an expression after the definitions", "the input itself is `.`");
  }
  Node node = At(NodeKind::kDefine, begin);
  node.a = body;
  return Add(node, functions);
}

Parser::NodeResult Parser::Function() {
  std::uint32_t begin = token_.begin;
  Advance();
  if (token_.kind != Kind::kName) return Unexpected("the name of the function after `def`");
  Token name = token_;
  Advance();
  std::vector<NodeId> parameters;
  if (token_.is_symbol("(")) {
    Token open = token_;
    do {
      Advance();
      if (token_.kind != Kind::kName && token_.kind != Kind::kVariable)
        return Unexpected("a parameter: `name` or `$name`",
                          "a function without parameters is written without ( )");
      bool is_value = token_.kind == Kind::kVariable;
      WMAP_TRY(NodeId parameter, Leaf(NodeKind::kParameter, token_.text));
      builder_.node(parameter).is_value = is_value;
      parameters.push_back(parameter);
    } while (token_.is_symbol(";"));
    if (token_.is_symbol(",")) return Unexpected("`)` or `;`", "parameters are separated by `;`");
    WMAP_TRY_VOID(ExpectClosing(")", open));
  }
  WMAP_TRY_VOID(ExpectSymbol(":", "before the body of the function"));
  WMAP_TRY(NodeId body, Query());
  WMAP_TRY_VOID(ExpectSymbol(";", "after the body of the function"));
  Node node = At(NodeKind::kFunction, begin);
  node.place = name.begin;
  node.text = name.text;
  node.a = body;
  return Add(node, parameters);
}

Parser::NodeResult Parser::Label() {
  std::uint32_t begin = token_.begin;
  Advance();
  if (token_.kind != Kind::kVariable) return Unexpected("`$name` after `label`");
  std::string_view name = token_.text;
  Advance();
  WMAP_TRY_VOID(ExpectSymbol("|", "after the label"));
  WMAP_TRY(NodeId body, Query());
  Node node = At(NodeKind::kLabel, begin);
  node.text = name;
  node.a = body;
  return Add(node);
}

Parser::NodeResult Parser::Bind(std::uint32_t begin, NodeId source) {
  WMAP_TRY(std::vector<NodeId> patterns, Patterns());
  WMAP_TRY_VOID(ExpectSymbol("|", "after the variables of `as`"));
  WMAP_TRY(NodeId body, Query());
  Node node = At(NodeKind::kBind, begin);
  node.a = source;
  node.b = body;
  return Add(node, patterns);
}

// --- Operators ---------------------------------------------------------------------------------

Parser::NodeResult Parser::Expr(int min_level) {
  std::uint32_t begin = token_.begin;
  WMAP_TRY(NodeId left, Unary());
  int max_level = Binding::kUnary;  // lowered behind an operator that does not chain
  while (true) {
    Operator op = token_.op;
    if (token_.is_keyword("and")) op = Operator::kAnd;
    if (token_.is_keyword("or")) op = Operator::kOr;
    Binding binding = BindingOf(op);
    if (binding.level < min_level || binding.level > max_level) return left;
    std::uint32_t place = token_.begin;
    Advance();
    Level level(this);
    if (level.too_deep()) return TooDeep();
    bool right_side = binding.side == Binding::Side::kRight;
    WMAP_TRY(NodeId right, Expr(right_side ? binding.level : binding.level + 1));
    if (binding.side == Binding::Side::kNone) max_level = binding.level - 1;
    Node node = At(NodeKind::kBinary, begin);
    node.op = op;
    node.place = place;
    node.a = left;
    node.b = right;
    WMAP_TRY(left, Add(node));
  }
}

Parser::NodeResult Parser::Unary() {
  if (token_.is_keyword("try")) return Try();
  if (token_.op != Operator::kSubtract) return Term();
  Level level(this);
  if (level.too_deep()) return TooDeep();
  std::uint32_t begin = token_.begin;
  Advance();
  WMAP_TRY(NodeId operand, Unary());
  Node node = At(NodeKind::kNegate, begin);
  node.a = operand;
  return Add(node);
}

Parser::NodeResult Parser::Try() {
  Level level(this);
  if (level.too_deep()) return TooDeep();
  std::uint32_t begin = token_.begin;
  Advance();
  WMAP_TRY(NodeId body, Unary());
  NodeId handler = kNoNode;
  if (TakeKeyword("catch")) {
    WMAP_TRY(handler, Unary());
  }
  Node node = At(NodeKind::kTry, begin);
  node.a = body;
  node.b = handler;
  return Add(node);
}

// --- Terms -------------------------------------------------------------------------------------

Parser::NodeResult Parser::Term() {
  std::uint32_t begin = token_.begin;
  WMAP_TRY(NodeId term, Primary());
  bool any = true;
  while (true) {
    WMAP_TRY(term, Suffix(begin, term, &any));
    if (!any) return term;
  }
}

Parser::NodeResult Parser::Suffix(std::uint32_t begin, NodeId target, bool* any) {
  if (token_.kind == Kind::kField) {
    Token name = token_;
    Advance();
    Node node = At(NodeKind::kField, begin);
    node.place = name.begin + 1;
    node.a = target;
    node.text = name.text;
    return Add(node);
  }
  if (token_.is_symbol("[")) return Bracket(begin, target);
  if (TakeSymbol("?")) {
    Node node = At(NodeKind::kTry, begin);
    node.a = target;
    node.is_step = IsStep(builder_.node(target), begin);
    return Add(node);
  }
  if (TakeSymbol(".")) {
    if (token_.is_symbol("[")) return Bracket(begin, target);
    if (token_.kind != Kind::kQuote && token_.kind != Kind::kFormat)
      return Unexpected("a field name, a string or `[` after `.`",
                        token_.kind == Kind::kVariable ? "write .[$name]"
                        : token_.kind == Kind::kNumber
                            ? "an array index is written .[0]"
                            : "a key with unusual characters is written .[\"key\"]");
    return QuotedField(begin, target);
  }
  *any = false;
  return target;
}

// ."name": a field, or an index when the string has parts to compute.
Parser::NodeResult Parser::QuotedField(std::uint32_t begin, NodeId target) {
  std::uint32_t place = token_.begin;
  WMAP_TRY(NodeId key, StringAfterFormat());
  if (builder_.node(key).kind == NodeKind::kFormat)
    return Unexpected(Cat("a string after @", builder_.node(key).text));
  bool plain = builder_.node(key).kind == NodeKind::kString;
  Node node = At(plain ? NodeKind::kField : NodeKind::kIndex, begin);
  node.place = place;
  node.a = target;
  if (plain) {
    node.text = builder_.node(key).text;
  } else {
    node.b = key;
  }
  return Add(node);
}

Parser::NodeResult Parser::Bracket(std::uint32_t begin, NodeId target) {
  Token open = token_;
  Advance();
  Node node = At(NodeKind::kIterate, begin);
  node.place = open.begin;
  node.a = target;
  if (!token_.is_symbol("]")) {
    node.kind = NodeKind::kIndex;
    if (!token_.is_symbol(":")) {
      WMAP_TRY(node.b, Query());
    }
    if (token_.is_symbol(":")) {
      node.kind = NodeKind::kSlice;
      Advance();
      if (!token_.is_symbol("]")) {
        WMAP_TRY(node.c, Query());
      } else if (node.b == kNoNode) {
        return Unexpected("a bound of the slice", "the whole array is `.`");
      }
    }
  }
  WMAP_TRY_VOID(ExpectClosing("]", open));
  node.end = last_end_;
  return Add(node);
}

Parser::NodeResult Parser::Dot() {
  std::uint32_t begin = token_.begin;
  Advance();
  WMAP_TRY(NodeId identity, Implied(NodeKind::kIdentity, begin));
  if (token_.kind == Kind::kQuote || token_.kind == Kind::kFormat)
    return QuotedField(begin, identity);
  builder_.node(identity).end = begin + 1;
  return identity;
}

Parser::NodeResult Parser::Primary() {
  std::uint32_t begin = token_.begin;
  switch (token_.kind) {
    case Kind::kNumber:
      return Number();
    case Kind::kQuote:
    case Kind::kFormat:
      return StringAfterFormat();
    case Kind::kVariable:
      if (token_.text == "__loc__") return Leaf(NodeKind::kLocation);
      return Leaf(NodeKind::kVariable, token_.text);
    case Kind::kName:
      return Name();
    case Kind::kKeyword:
      return KeywordTerm();
    case Kind::kField: {
      WMAP_TRY(NodeId identity, Implied(NodeKind::kIdentity, begin));
      bool any = true;
      return Suffix(begin, identity, &any);
    }
    case Kind::kSymbol:
      if (token_.text == ".") return Dot();
      if (token_.text == "..") return Leaf(NodeKind::kDescend);
      if (token_.text == "[") return Array();
      if (token_.text == "{") return Object();
      if (token_.text == "(") return Parenthesized();
      if (token_.text == "|" && begin > 0 && builder_.source()[begin - 1] == '|')
        return Unexpected("an expression", "write `or`");
      break;
    case Kind::kOperator:
      if (token_.op == Operator::kAdd)
        return Unexpected("an expression", "a number has no sign `+`");
      break;
    default:
      break;
  }
  return Unexpected("an expression");
}

Parser::NodeResult Parser::Name() {
  Token name = token_;
  Advance();
  if (!token_.is_symbol("(")) {
    NodeKind kind = name.text == "null"    ? NodeKind::kNull
                    : name.text == "true"  ? NodeKind::kTrue
                    : name.text == "false" ? NodeKind::kFalse
                                           : NodeKind::kCall;
    Node node = At(kind, name.begin);
    if (kind == NodeKind::kCall) node.text = name.text;
    return Add(node);
  }
  Token open = token_;
  std::vector<NodeId> arguments;
  do {
    Advance();
    if (token_.is_symbol(")"))
      return Unexpected("an argument", "a call without arguments is written without ( )");
    WMAP_TRY(NodeId argument, Query());
    arguments.push_back(argument);
  } while (token_.is_symbol(";"));
  WMAP_TRY_VOID(ExpectClosing(")", open));
  Node node = At(NodeKind::kCall, name.begin);
  node.text = name.text;
  return Add(node, arguments);
}

Parser::NodeResult Parser::KeywordTerm() {
  if (token_.text == "if") return If();
  if (token_.text == "reduce") return Fold(NodeKind::kReduce);
  if (token_.text == "foreach") return Fold(NodeKind::kForeach);
  if (token_.text == "break") {
    std::uint32_t begin = token_.begin;
    Advance();
    if (token_.kind != Kind::kVariable) return Unexpected("`$name` of a label after `break`");
    std::string_view name = token_.text;
    Advance();
    Node node = At(NodeKind::kBreak, begin);
    node.text = name;
    return Add(node);
  }
  std::string_view hint;
  if (token_.text == "def" || token_.text == "label") {
    hint = "put ( ) around it here";
  } else if (token_.text == "import" || token_.text == "include") {
    hint = "modules are not supported";
  }
  return Unexpected("an expression", hint);
}

Parser::NodeResult Parser::If() {
  Token start = token_;
  auto then_missing = [&] {
    return Unexpected(
        Cat("`then` after the condition of the `if` at byte ", start.begin + std::uint32_t{1}),
        token_.op == Operator::kAssign ? "equality is written `==`" : "");
  };
  std::vector<NodeId> branches;
  do {
    Advance();
    WMAP_TRY(NodeId condition, Query());
    branches.push_back(condition);
    if (!TakeKeyword("then")) return then_missing();
    WMAP_TRY(NodeId then, Query());
    branches.push_back(then);
  } while (token_.is_keyword("elif"));
  NodeId otherwise = kNoNode;
  bool else_if = false;
  if (TakeKeyword("else")) {
    else_if = token_.is_keyword("if");
    WMAP_TRY(otherwise, Query());
  }
  if (!TakeKeyword("end"))
    return Unexpected(Cat(otherwise == kNoNode ? "`elif`, `else` or `end`" : "`end`",
                          " for the `if` at byte ", start.begin + std::uint32_t{1}),
                      else_if ? "`else if` opens an `if` of its own that needs its own `end`: "
                                "write `elif`"
                              : "every `if` ends with `end`");
  Node node = At(NodeKind::kIf, start.begin);
  node.a = otherwise;
  return Add(node, branches);
}

Parser::NodeResult Parser::Fold(NodeKind kind) {
  Token start = token_;
  Advance();
  NodeId source = kNoNode;
  {
    Level level(this);
    if (level.too_deep()) return TooDeep();
    WMAP_TRY(source, Expr());
  }
  if (!TakeKeyword("as"))
    return Unexpected(Cat("`as $name` after the source of `", start.text, "`"));
  WMAP_TRY(std::vector<NodeId> patterns, Patterns());
  Token open = token_;
  WMAP_TRY_VOID(ExpectSymbol("(", Cat("after the variables of `", start.text, "`")));
  WMAP_TRY(NodeId init, Query());
  WMAP_TRY_VOID(ExpectSymbol(";", Cat("and an update after the start of `", start.text, "`")));
  WMAP_TRY(NodeId update, Query());
  NodeId extract = kNoNode;
  if (kind == NodeKind::kForeach && TakeSymbol(";")) {
    WMAP_TRY(extract, Query());
  }
  WMAP_TRY_VOID(ExpectClosing(")", open));
  Node node = At(kind, start.begin);
  node.a = source;
  node.b = init;
  node.c = update;
  node.d = extract;
  return Add(node, patterns);
}

Parser::NodeResult Parser::Number() {
  // Leading zeros and bare points are not JSON: "007" is 7, ".5" is 0.5, "5." is 5.
  std::string_view written = token_.text;
  std::size_t whole = std::min(written.find_first_of(".eE"), written.size());
  std::size_t zeros = std::min(written.find_first_not_of('0'), whole);
  std::string_view integer = written.substr(zeros, whole - zeros);
  std::string_view rest = written.substr(whole);
  std::string_view fraction;
  if (rest.starts_with('.')) {
    std::size_t end = std::min(rest.find_first_of("eE"), rest.size());
    fraction = rest.substr(0, end);
    rest = rest.substr(end);
  }
  if (fraction == ".") fraction = {};
  std::string_view text = written;
  if (integer.empty()) integer = "0";
  if (integer.size() + fraction.size() + rest.size() != written.size() ||
      !written.starts_with(integer))
    text = builder_.Keep(Cat(integer, fraction, rest));
  return Leaf(NodeKind::kNumber, text);
}

Parser::NodeResult Parser::Array() {
  Token open = token_;
  Advance();
  NodeId content = kNoNode;
  if (!token_.is_symbol("]")) {
    WMAP_TRY(content, Query());
  }
  WMAP_TRY_VOID(ExpectClosing("]", open));
  Node node = At(NodeKind::kArray, open.begin);
  node.a = content;
  return Add(node);
}

// --- Strings -----------------------------------------------------------------------------------

// A string, a format, or a format and a string.
Parser::NodeResult Parser::StringAfterFormat() {
  std::uint32_t begin = token_.begin;
  std::string_view format;
  if (token_.kind == Kind::kFormat) {
    format = token_.text;
    Advance();
    if (token_.kind != Kind::kQuote) {
      Node node = At(NodeKind::kFormat, begin);
      node.text = format;
      return Add(node);
    }
  }
  return String(format, begin);
}

Parser::NodeResult Parser::String(std::string_view format, std::uint32_t begin) {
  std::uint32_t open = token_.begin;
  std::vector<NodeId> parts;
  std::string text;
  while (true) {
    std::uint32_t part_begin = lexer_.position();
    text.clear();
    WMAP_TRY(Lexer::Part part, lexer_.StringPart(open, text));
    if (part == Lexer::Part::kEnd && parts.empty() && format.empty()) {
      last_end_ = lexer_.position();
      token_ = lexer_.Next();
      Node node = At(NodeKind::kString, begin);
      node.text = builder_.Keep(text);
      return Add(node);
    }
    if (!text.empty()) {
      Node node = At(NodeKind::kText, part_begin);
      node.end = lexer_.position() - (part == Lexer::Part::kEnd ? 1 : 2);
      node.text = builder_.Keep(text);
      WMAP_TRY(NodeId literal, Add(node));
      parts.push_back(literal);
    }
    if (part == Lexer::Part::kEnd) break;
    std::uint32_t paren = lexer_.position() - 1;
    Advance();
    WMAP_TRY(NodeId inner, Query());
    parts.push_back(inner);
    // The string goes on right behind the parenthesis, so no token is read after it.
    if (!token_.is_symbol(")")) return Unexpected(Cat("`)` for the `\\(` at byte ", paren));
  }
  last_end_ = lexer_.position();
  token_ = lexer_.Next();
  Node node = At(NodeKind::kInterpolation, begin);
  node.text = format;
  return Add(node, parts);
}

// --- Objects -----------------------------------------------------------------------------------

Parser::NodeResult Parser::Object() {
  Token open = token_;
  Advance();
  std::vector<NodeId> entries;
  while (!token_.is_symbol("}")) {
    WMAP_TRY(NodeId entry, Entry());
    entries.push_back(entry);
    if (!token_.is_symbol("}") && !TakeSymbol(",")) {
      std::string_view hint;
      if (token_.is_keyword("as") || token_.is_keyword("def")) hint = "put ( ) around the value";
      if (token_.op == Operator::kAssign || token_.is_symbol("="))
        hint = "a key is separated from its value by `:`";
      return Unexpected(Cat("`,` or `}` for the `{` at byte ", open.begin + std::uint32_t{1}),
                        hint);
    }
  }
  Advance();
  return Add(At(NodeKind::kObject, open.begin), entries);
}

Parser::NodeResult Parser::Entry() {
  std::uint32_t begin = token_.begin;
  Node node = At(NodeKind::kEntry, begin);
  Token name = token_;
  switch (token_.kind) {
    case Kind::kVariable: {
      bool location = token_.text == "__loc__";
      WMAP_TRY(NodeId variable, Leaf(location ? NodeKind::kLocation : NodeKind::kVariable,
                                     location ? std::string_view() : name.text));
      if (token_.is_symbol(":") && !location) {
        node.a = variable;
        break;
      }
      Node key = At(NodeKind::kString, begin);
      key.text = name.text;
      WMAP_TRY(node.a, Add(key));
      node.b = variable;
      node.end = last_end_;
      return Add(node);
    }
    case Kind::kName:
    case Kind::kKeyword: {
      WMAP_TRY(node.a, Leaf(NodeKind::kString, name.text));
      break;
    }
    case Kind::kQuote:
    case Kind::kFormat: {
      WMAP_TRY(node.a, StringAfterFormat());
      if (builder_.node(node.a).kind == NodeKind::kFormat)
        return Unexpected(Cat("a string after @", name.text, " as a key"));
      break;
    }
    default: {
      if (!token_.is_symbol("("))
        return Unexpected("a key of the object", token_.kind == Kind::kNumber
                                                     ? "keys are strings: write \"1\""
                                                     : "a computed key is written (expression)");
      WMAP_TRY(node.a, Parenthesized());
      if (!token_.is_symbol(":")) return Unexpected("`:` and a value after the key");
      break;
    }
  }
  if (TakeSymbol(":")) {
    WMAP_TRY(node.b, EntryValue());
  }
  node.end = last_end_;
  return Add(node);
}

Parser::NodeResult Parser::Parenthesized() {
  Token open = token_;
  Advance();
  WMAP_TRY(NodeId inner, Query());
  WMAP_TRY_VOID(ExpectClosing(")", open));
  return inner;
}

// A value of an object may have pipes, but no commas.
Parser::NodeResult Parser::EntryValue() {
  Level level(this);
  if (level.too_deep()) return TooDeep();
  std::uint32_t begin = token_.begin;
  WMAP_TRY(NodeId first, Expr());
  if (!token_.is_symbol("|")) return first;
  std::vector<NodeId> stages = {first};
  while (TakeSymbol("|")) {
    WMAP_TRY(NodeId next, Expr());
    stages.push_back(next);
  }
  return Add(At(NodeKind::kPipe, begin), stages);
}

// --- Patterns ----------------------------------------------------------------------------------

Result<std::vector<NodeId>> Parser::Patterns() {
  std::vector<NodeId> patterns;
  do {
    WMAP_TRY(NodeId pattern, Pattern());
    patterns.push_back(pattern);
  } while (TakeSymbol("?//"));
  return patterns;
}

Parser::NodeResult Parser::Pattern() {
  Level level(this);
  if (level.too_deep()) return TooDeep();
  if (token_.kind == Kind::kVariable && token_.text != "__loc__")
    return Leaf(NodeKind::kPatternVariable, token_.text);
  if (token_.is_symbol("[")) return ArrayPattern();
  if (token_.is_symbol("{")) return ObjectPattern();
  return Unexpected("a variable `$name` or a pattern `[…]` or `{…}`",
                    token_.kind == Kind::kName ? "variables are written with `$`" : "");
}

Parser::NodeResult Parser::ArrayPattern() {
  Token open = token_;
  std::vector<NodeId> patterns;
  do {
    Advance();
    WMAP_TRY(NodeId pattern, Pattern());
    patterns.push_back(pattern);
  } while (token_.is_symbol(","));
  WMAP_TRY_VOID(ExpectClosing("]", open));
  return Add(At(NodeKind::kPatternArray, open.begin), patterns);
}

Parser::NodeResult Parser::ObjectPattern() {
  Token open = token_;
  std::vector<NodeId> entries;
  do {
    Advance();
    WMAP_TRY(NodeId entry, PatternEntry());
    entries.push_back(entry);
  } while (token_.is_symbol(","));
  WMAP_TRY_VOID(ExpectClosing("}", open));
  return Add(At(NodeKind::kPatternObject, open.begin), entries);
}

Parser::NodeResult Parser::PatternEntry() {
  Node node = At(NodeKind::kPatternEntry, token_.begin);
  Token name = token_;
  bool needs_pattern = true;
  switch (token_.kind) {
    case Kind::kVariable: {
      if (name.text == "__loc__") return Unexpected("a key or variable of the pattern");
      WMAP_TRY(node.a, Leaf(NodeKind::kString, name.text));
      node.text = name.text;
      needs_pattern = false;
      break;
    }
    case Kind::kName:
    case Kind::kKeyword: {
      WMAP_TRY(node.a, Leaf(NodeKind::kString, name.text));
      break;
    }
    case Kind::kQuote:
    case Kind::kFormat: {
      WMAP_TRY(node.a, StringAfterFormat());
      if (builder_.node(node.a).kind == NodeKind::kFormat)
        return Unexpected(Cat("a string after @", name.text, " as a key"));
      break;
    }
    default:
      if (!token_.is_symbol("(")) return Unexpected("a key or variable of the pattern");
      WMAP_TRY(node.a, Parenthesized());
  }
  if (TakeSymbol(":")) {
    WMAP_TRY(node.b, Pattern());
  } else if (needs_pattern) {
    return Unexpected("`:` and a pattern after the key", "a variable of that name is `$name`");
  }
  node.end = last_end_;
  return Add(node);
}

Result<Syntax> Checked(std::string_view source, bool definitions_alone) {
  if (source.size() > kMaxSourceBytes)
    return Fail(Code::kLimit, Cat("an expression of ", source.size(),
                                  " bytes is over the limit of ", kMaxSourceBytes));
  if (std::size_t valid = ValidUtf8Prefix(source); valid != source.size())
    return Fail(Error(Code::kSyntax, "the expression is not UTF-8 here").At({valid, valid + 1}));
  return Parser(source, definitions_alone).Run();
}

}  // namespace

Result<Syntax> Parse(std::string_view source) { return Checked(source, false); }
Result<Syntax> ParseDefinitions(std::string_view source) { return Checked(source, true); }

}  // namespace wmap::expr
