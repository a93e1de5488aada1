// A recursive-descent parser with precedence climbing for operators; the whole grammar in one
// place.
#include "expr/syntax/parser.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/text.h"
#include "expr/syntax/lexer.h"

namespace wmap::expr {

// Collects nodes, and knows how deep each is, so that trees are never too deep to be walked.
class SyntaxBuilder {
 public:
  explicit SyntaxBuilder(std::string_view source) {
    syntax_.source_ = std::make_unique<const std::string>(source);
  }

  std::string_view source() const { return *syntax_.source_; }
  const Node& node(NodeId id) const { return syntax_.nodes_[id]; }
  std::string_view Keep(std::string_view text) { return syntax_.text_.Copy(text); }

  NodeId Add(Node node, const std::vector<NodeId>& list = {}) {
    node.list_begin = static_cast<std::uint32_t>(syntax_.lists_.size());
    node.list_size = static_cast<std::uint32_t>(list.size());
    syntax_.lists_.insert(syntax_.lists_.end(), list.begin(), list.end());
    std::uint32_t depth = 0;
    auto see = [&](NodeId child) {
      if (child != kNoNode) depth = std::max(depth, depths_[child]);
    };
    for (NodeId child : {node.a, node.b, node.c, node.d}) see(child);
    for (NodeId child : list) see(child);
    depths_.push_back(depth + 1);
    too_deep_ |= depth + 1 > kMaxSyntaxDepth;
    syntax_.nodes_.push_back(node);
    return static_cast<NodeId>(syntax_.nodes_.size() - 1);
  }
  bool too_deep() const { return too_deep_; }

  Syntax Finish(NodeId root) {
    syntax_.root_ = root;
    return std::move(syntax_);
  }

 private:
  Syntax syntax_;
  std::vector<std::uint32_t> depths_;
  bool too_deep_ = false;
};

namespace {

// Binding strength of binary operators; larger binds tighter.
enum Level : int { kPipe, kComma, kAlternative, kAssign, kOr, kAnd, kCompare, kSum, kProduct };

int LevelOf(Operator op) {
  if (IsAssignment(op)) return kAssign;
  switch (op) {
    case Operator::kAlternative:
      return kAlternative;
    case Operator::kOr:
      return kOr;
    case Operator::kAnd:
      return kAnd;
    case Operator::kEqual:
    case Operator::kNotEqual:
    case Operator::kLess:
    case Operator::kLessEqual:
    case Operator::kGreater:
    case Operator::kGreaterEqual:
      return kCompare;
    case Operator::kAdd:
    case Operator::kSubtract:
      return kSum;
    default:
      return kProduct;
  }
}

struct Hint {
  std::string_view found;
  std::string_view hint;
};

constexpr Hint kHints[] = {
    {"&&", "\"and\" is written as a word"},
    {"||", "\"or\" is written as a word"},
    {"!", "negation is a filter: `... | not`"},
    {"'", "strings stand in double quotes"},
    {"`", "strings stand in double quotes"},
    {"===", "equality is ==; it never converts"},
    {"!==", "inequality is !="},
    {"<>", "inequality is !="},
    {"=~", "regular expressions are matched with test(\"...\")"},
};

class Parser {
 public:
  explicit Parser(std::string_view source) : builder_(source), lexer_(builder_.source()) {
    Advance();
  }

  Result<Syntax> Run() {
    if (current_.is_keyword("import") || current_.is_keyword("include") ||
        current_.is_keyword("module")) {
      return Fail(Error(Code::kSyntax, "modules are not available: an expression stands alone")
                      .At(current_.range()));
    }
    NodeId root = kNoNode;
    if (current_.kind == Token::Kind::kEnd) {
      root = builder_.Add(At(NodeKind::kIdentity, 0));
    } else {
      WMAP_TRY(root, ParsePipe());
    }
    if (current_.kind != Token::Kind::kEnd) return Unexpected("the end or an operator");
    if (builder_.too_deep()) return TooDeep();
    return builder_.Finish(root);
  }

 private:
  // --- Tokens ---------------------------------------------------------------------------------

  void Advance() {
    last_end_ = current_.end;
    current_ = lexer_.Next();
  }

  bool Accept(std::string_view symbol) {
    if (!current_.is_symbol(symbol)) return false;
    Advance();
    return true;
  }

  Result<void> Expect(std::string_view symbol, std::string_view after) {
    if (Accept(symbol)) return {};
    return Unexpected(Cat(Quote(symbol), ' ', after));
  }

  Result<void> ExpectKeyword(std::string_view word, std::string_view after) {
    if (current_.is_keyword(word)) {
      Advance();
      return {};
    }
    return Unexpected(Cat(Quote(word), ' ', after));
  }

  std::unexpected<Error> Unexpected(std::string_view expected) const {
    std::string message = Cat("expected ", expected, ", found ");
    if (current_.kind == Token::Kind::kEnd) {
      message += "the end";
    } else {
      message += Quote(builder_.source().substr(current_.begin, current_.end - current_.begin), 30);
    }
    for (const Hint& hint : kHints) {
      if (hint.found == current_.text) CatTo(message, "; ", hint.hint);
    }
    if (current_.is_keyword("if") && last_was_else_) message += "; \"else if\" is spelt elif";
    if (open_if_ > 0 && current_.kind == Token::Kind::kEnd) {
      message += "; an \"if\" is closed with end";
    }
    SourceRange range = current_.range();
    if (range.begin == range.end) range.end = range.begin + 1;
    return Fail(Error(Code::kSyntax, std::move(message)).At(range));
  }

  std::unexpected<Error> TooDeep() const {
    return Fail(Error(Code::kLimit,
                      Cat("the expression is nested deeper than ", kMaxSyntaxDepth, " levels"))
                    .At(current_.range()));
  }

  // --- Nodes ----------------------------------------------------------------------------------

  Node At(NodeKind kind, std::uint32_t begin) const {
    Node node;
    node.kind = kind;
    node.begin = begin;
    node.end = std::max(begin, last_end_);
    node.place = begin;
    return node;
  }

  std::uint32_t BeginOf(NodeId id) const { return builder_.node(id).begin; }

  // Guards native recursion.
  class Nesting {
   public:
    explicit Nesting(std::uint32_t& depth) : depth_(depth) { ++depth_; }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    bool too_deep() const { return depth_ > kMaxSyntaxDepth; }

   private:
    std::uint32_t& depth_;
  };

  // --- Operators ------------------------------------------------------------------------------

  Result<NodeId> ParsePipe() {
    Nesting nesting(depth_);
    if (nesting.too_deep() || builder_.too_deep()) return TooDeep();
    WMAP_TRY(NodeId first, ParseComma());
    if (!current_.is_symbol("|")) return first;
    std::vector<NodeId> parts = {first};
    while (Accept("|")) {
      WMAP_TRY(NodeId part, ParseComma());
      parts.push_back(part);
    }
    return builder_.Add(At(NodeKind::kPipe, BeginOf(first)), parts);
  }

  Result<NodeId> ParseComma() {
    WMAP_TRY(NodeId first, ParseOperators(kAlternative));
    if (!current_.is_symbol(",")) return first;
    std::vector<NodeId> parts = {first};
    while (Accept(",")) {
      WMAP_TRY(NodeId part, ParseOperators(kAlternative));
      parts.push_back(part);
    }
    return builder_.Add(At(NodeKind::kComma, BeginOf(first)), parts);
  }

  Operator CurrentOperator() const {
    if (current_.kind == Token::Kind::kOperator) return current_.op;
    if (current_.is_keyword("and")) return Operator::kAnd;
    if (current_.is_keyword("or")) return Operator::kOr;
    return Operator::kNone;
  }

  Result<NodeId> ParseOperators(int least) {
    Nesting nesting(depth_);
    if (nesting.too_deep() || builder_.too_deep()) return TooDeep();
    WMAP_TRY(NodeId left, ParseUnary());
    while (true) {
      Operator op = CurrentOperator();
      if (op == Operator::kNone || LevelOf(op) < least) return left;
      int level = LevelOf(op);
      std::uint32_t place = current_.begin;
      Advance();
      // `//` groups to the right, the others to the left; comparison and assignment do not chain.
      WMAP_TRY(NodeId right, ParseOperators(level == kAlternative ? level : level + 1));
      Node node = At(NodeKind::kBinary, BeginOf(left));
      node.op = op;
      node.place = place;
      node.a = left;
      node.b = right;
      left = builder_.Add(node);
      Operator next = CurrentOperator();
      bool chains = level != kCompare && level != kAssign;
      if (!chains && next != Operator::kNone && LevelOf(next) == level) {
        return Fail(
            Error(Code::kSyntax, Cat(Quote(OperatorText(op)), " and ", Quote(OperatorText(next)),
                                     " cannot follow each other; use parentheses"))
                .At(current_.range()));
      }
    }
  }

  Result<NodeId> ParseUnary() {
    if (current_.kind == Token::Kind::kOperator && current_.op == Operator::kSubtract) {
      std::uint32_t begin = current_.begin;
      Advance();
      WMAP_TRY(NodeId operand, ParseOperators(kProduct));
      Node node = At(NodeKind::kNegate, begin);
      node.a = operand;
      return builder_.Add(node);
    }
    if (current_.is_keyword("def")) return ParseDefinitions();
    if (current_.is_keyword("label")) return ParseLabel();
    WMAP_TRY(NodeId term, ParseTerm());
    if (!current_.is_keyword("as")) return term;
    WMAP_TRY(std::vector<NodeId> patterns, ParsePatterns());
    WMAP_TRY_VOID(Expect("|", "after the variables of \"as\""));
    WMAP_TRY(NodeId body, ParsePipe());
    Node node = At(NodeKind::kBind, BeginOf(term));
    node.a = term;
    node.b = body;
    return builder_.Add(node, patterns);
  }

  Result<NodeId> ParseDefinitions() {
    std::uint32_t begin = current_.begin;
    std::vector<NodeId> functions;
    while (current_.is_keyword("def")) {
      WMAP_TRY(NodeId function, ParseFunction());
      functions.push_back(function);
    }
    NodeId body = kNoNode;
    if (current_.kind == Token::Kind::kEnd || current_.is_symbol(")") || current_.is_symbol("]") ||
        current_.is_symbol("}") || current_.is_symbol(";")) {
      // Definitions alone mean `.` after them, but only as a whole expression.
      if (current_.kind != Token::Kind::kEnd) return Unexpected("an expression after definitions");
      body = builder_.Add(At(NodeKind::kIdentity, current_.begin));
    } else {
      WMAP_TRY(body, ParsePipe());
    }
    Node node = At(NodeKind::kDefine, begin);
    node.a = body;
    return builder_.Add(node, functions);
  }

  Result<NodeId> ParseFunction() {
    std::uint32_t begin = current_.begin;
    Advance();
    if (current_.kind != Token::Kind::kName && current_.kind != Token::Kind::kKeyword) {
      return Unexpected("the name of a function after \"def\"");
    }
    std::string_view name = current_.text;
    std::uint32_t place = current_.begin;
    Advance();
    std::vector<NodeId> parameters;
    if (Accept("(")) {
      do {
        bool is_value = current_.kind == Token::Kind::kVariable;
        if (!is_value && current_.kind != Token::Kind::kName &&
            current_.kind != Token::Kind::kKeyword) {
          return Unexpected("the name of a parameter");
        }
        Node parameter = At(NodeKind::kParameter, current_.begin);
        parameter.text = current_.text;
        parameter.is_value = is_value;
        Advance();
        parameter.end = last_end_;
        parameters.push_back(builder_.Add(parameter));
      } while (Accept(";"));
      WMAP_TRY_VOID(Expect(")", "after the parameters"));
    }
    WMAP_TRY_VOID(Expect(":", "before the body of a function"));
    WMAP_TRY(NodeId body, ParsePipe());
    WMAP_TRY_VOID(Expect(";", "after the body of a function"));
    Node node = At(NodeKind::kFunction, begin);
    node.text = name;
    node.place = place;
    node.a = body;
    return builder_.Add(node, parameters);
  }

  Result<NodeId> ParseLabel() {
    std::uint32_t begin = current_.begin;
    Advance();
    WMAP_TRY(std::string_view name, ParseVariableName("after \"label\""));
    WMAP_TRY_VOID(Expect("|", "after a label"));
    WMAP_TRY(NodeId body, ParsePipe());
    Node node = At(NodeKind::kLabel, begin);
    node.text = name;
    node.a = body;
    return builder_.Add(node);
  }

  Result<std::string_view> ParseVariableName(std::string_view where) {
    if (current_.kind != Token::Kind::kVariable) return Unexpected(Cat("$name ", where));
    std::string_view name = current_.text;
    Advance();
    return name;
  }

  // --- Terms ----------------------------------------------------------------------------------

  Result<NodeId> ParseTerm() {
    Nesting nesting(depth_);
    if (nesting.too_deep() || builder_.too_deep()) return TooDeep();
    WMAP_TRY(NodeId term, ParsePrimary());
    while (true) {
      std::uint32_t begin = BeginOf(term);
      if (current_.kind == Token::Kind::kField) {
        term = Field(term, begin);
      } else if (current_.is_symbol("?")) {
        Advance();
        Node node = At(NodeKind::kTry, begin);
        node.a = term;
        term = builder_.Add(node);
      } else if (current_.is_symbol("[")) {
        WMAP_TRY(term, ParseBrackets(term, begin));
      } else if (current_.is_symbol(".")) {
        Advance();
        if (current_.is_symbol("[")) {
          WMAP_TRY(term, ParseBrackets(term, begin));
        } else if (current_.kind == Token::Kind::kQuote) {
          WMAP_TRY(term, ParseQuotedField(term, begin));
        } else {
          return Unexpected("a field name, a string or \"[\" after \".\"");
        }
      } else {
        if (builder_.too_deep()) return TooDeep();
        return term;
      }
    }
  }

  NodeId Field(NodeId target, std::uint32_t begin) {
    std::string_view name = current_.text;
    std::uint32_t place = current_.begin;
    Advance();
    Node node = At(NodeKind::kField, begin);
    node.text = name;
    node.place = place;
    node.a = target;
    return builder_.Add(node);
  }

  // `."name"`: a field, or an index when the string has parts to compute.
  Result<NodeId> ParseQuotedField(NodeId target, std::uint32_t begin) {
    std::uint32_t place = current_.begin;
    WMAP_TRY(NodeId string, ParseString(""));
    bool is_plain = builder_.node(string).kind == NodeKind::kString;
    Node node = At(is_plain ? NodeKind::kField : NodeKind::kIndex, begin);
    node.place = place;
    node.a = target;
    if (is_plain) {
      node.text = builder_.node(string).text;
    } else {
      node.b = string;
    }
    return builder_.Add(node);
  }

  Result<NodeId> ParseBrackets(NodeId target, std::uint32_t begin) {
    std::uint32_t place = current_.begin;
    Advance();
    Node node = At(NodeKind::kIterate, begin);
    node.place = place;
    node.a = target;
    if (!current_.is_symbol("]")) {
      node.kind = NodeKind::kIndex;
      if (!current_.is_symbol(":")) {
        WMAP_TRY(node.b, ParsePipe());
      }
      if (Accept(":")) {
        node.kind = NodeKind::kSlice;
        if (!current_.is_symbol("]")) {
          WMAP_TRY(node.c, ParsePipe());
        } else if (node.b == kNoNode) {
          return Unexpected("a bound of the slice");
        }
      }
    }
    WMAP_TRY_VOID(Expect("]", "to close the brackets"));
    node.end = last_end_;
    return builder_.Add(node);
  }

  Result<NodeId> ParsePrimary() {
    std::uint32_t begin = current_.begin;
    switch (current_.kind) {
      case Token::Kind::kNumber:
        return ParseNumber();
      case Token::Kind::kQuote:
        return ParseString("");
      case Token::Kind::kFormat: {
        std::string_view format = current_.text;
        Advance();
        if (current_.kind == Token::Kind::kQuote) return ParseString(format);
        Node node = At(NodeKind::kFormat, begin);
        node.text = format;
        return builder_.Add(node);
      }
      case Token::Kind::kField: {
        Node identity = At(NodeKind::kIdentity, begin);
        identity.end = begin + 1;
        return Field(builder_.Add(identity), begin);
      }
      case Token::Kind::kVariable: {
        bool is_location = current_.text == "__loc__";
        std::string_view name = current_.text;
        Advance();
        Node node = At(is_location ? NodeKind::kLocation : NodeKind::kVariable, begin);
        if (!is_location) node.text = name;
        return builder_.Add(node);
      }
      case Token::Kind::kName:
        return ParseCall();
      case Token::Kind::kKeyword:
        return ParseKeyword();
      case Token::Kind::kSymbol:
        return ParseSymbol();
      default:
        return Unexpected("an expression");
    }
  }

  Result<NodeId> ParseNumber() {
    Node node = At(NodeKind::kNumber, current_.begin);
    // In JSON form: no zeros in front, digits on both sides of a point.
    std::string_view text = current_.text;
    std::string json;
    std::size_t digits = text.find_first_not_of('0');
    if (digits == std::string_view::npos) digits = text.size() - 1;
    if (text[digits] == '.' || text[digits] == 'e' || text[digits] == 'E') json += '0';
    text.remove_prefix(digits);
    for (std::size_t i = 0; i < text.size(); ++i) {
      bool ends_in_point =
          text[i] == '.' && (i + 1 == text.size() || text[i + 1] == 'e' || text[i + 1] == 'E');
      if (!ends_in_point) json += text[i];
    }
    node.text = builder_.Keep(json);
    Advance();
    node.end = last_end_;
    return builder_.Add(node);
  }

  // At the quote. With a format, or with interpolation, the parts are kept apart.
  Result<NodeId> ParseString(std::string_view format) {
    std::uint32_t begin = current_.begin;
    std::uint32_t open = current_.begin;
    std::vector<NodeId> parts;
    std::string text;
    auto add_text = [&] {
      if (text.empty()) return;
      Node node = At(NodeKind::kText, open);
      node.end = lexer_.position();
      node.text = builder_.Keep(text);
      parts.push_back(builder_.Add(node));
      text.clear();
    };
    while (true) {
      WMAP_TRY(Lexer::Part part, lexer_.StringPart(open, text));
      if (part == Lexer::Part::kEnd) break;
      add_text();
      Advance();
      WMAP_TRY(NodeId expression, ParsePipe());
      parts.push_back(expression);
      // The parenthesis is the current token; the string goes on right behind it.
      if (!current_.is_symbol(")")) return Unexpected("\")\" to close an interpolation");
    }
    std::uint32_t end = lexer_.position();
    bool plain = parts.empty() && format.empty();
    if (!plain) add_text();
    Node node = At(plain ? NodeKind::kString : NodeKind::kInterpolation, begin);
    node.end = end;
    node.text = plain ? builder_.Keep(text) : format;
    NodeId id = builder_.Add(node, parts);
    Advance();
    last_end_ = std::max(last_end_, end);
    return id;
  }

  Result<NodeId> ParseCall() {
    std::uint32_t begin = current_.begin;
    std::string_view name = current_.text;
    Advance();
    std::vector<NodeId> arguments;
    if (Accept("(")) {
      do {
        WMAP_TRY(NodeId argument, ParsePipe());
        arguments.push_back(argument);
      } while (Accept(";"));
      WMAP_TRY_VOID(Expect(")", Cat("or \";\" after an argument of ", name)));
    }
    NodeKind kind = NodeKind::kCall;
    if (arguments.empty()) {
      if (name == "null") kind = NodeKind::kNull;
      if (name == "true") kind = NodeKind::kTrue;
      if (name == "false") kind = NodeKind::kFalse;
    }
    Node node = At(kind, begin);
    if (kind == NodeKind::kCall) node.text = name;
    return builder_.Add(node, arguments);
  }

  Result<NodeId> ParseKeyword() {
    std::uint32_t begin = current_.begin;
    if (current_.text == "if") return ParseIf();
    if (current_.text == "try") return ParseTry();
    if (current_.text == "reduce") return ParseFold(NodeKind::kReduce);
    if (current_.text == "foreach") return ParseFold(NodeKind::kForeach);
    if (current_.text == "label") return ParseLabel();
    if (current_.text == "def") return ParseDefinitions();
    if (current_.text == "break") {
      Advance();
      WMAP_TRY(std::string_view name, ParseVariableName("after \"break\""));
      Node node = At(NodeKind::kBreak, begin);
      node.text = name;
      return builder_.Add(node);
    }
    return Unexpected("an expression");
  }

  Result<NodeId> ParseIf() {
    std::uint32_t begin = current_.begin;
    ++open_if_;
    std::vector<NodeId> parts;
    do {
      Advance();
      WMAP_TRY(NodeId condition, ParsePipe());
      WMAP_TRY_VOID(ExpectKeyword("then", "after a condition"));
      WMAP_TRY(NodeId then, ParsePipe());
      parts.insert(parts.end(), {condition, then});
    } while (current_.is_keyword("elif"));
    NodeId otherwise = kNoNode;
    if (current_.is_keyword("else")) {
      Advance();
      bool else_if = current_.is_keyword("if");
      WMAP_TRY(otherwise, ParsePipe());
      if (else_if && !current_.is_keyword("end")) last_was_else_ = true;
    }
    if (!current_.is_keyword("end")) {
      return Unexpected(otherwise == kNoNode ? std::string_view("\"elif\", \"else\" or \"end\"")
                        : last_was_else_ ? std::string_view("\"end\" (\"else if\" is spelt elif)")
                                         : std::string_view("\"end\""));
    }
    --open_if_;
    Advance();
    Node node = At(NodeKind::kIf, begin);
    node.a = otherwise;
    return builder_.Add(node, parts);
  }

  // The operand of try and catch: a term, or minus one.
  Result<NodeId> ParseOperand() {
    bool negative = current_.kind == Token::Kind::kOperator && current_.op == Operator::kSubtract;
    return negative ? ParseUnary() : ParseTerm();
  }

  Result<NodeId> ParseTry() {
    Node node = At(NodeKind::kTry, current_.begin);
    Advance();
    WMAP_TRY(node.a, ParseOperand());
    if (current_.is_keyword("catch")) {
      Advance();
      WMAP_TRY(node.b, ParseOperand());
    }
    node.end = last_end_;
    return builder_.Add(node);
  }

  // reduce and foreach.
  Result<NodeId> ParseFold(NodeKind kind) {
    Node node = At(kind, current_.begin);
    std::string_view word = current_.text;
    Advance();
    WMAP_TRY(node.a, ParseTerm());
    if (!current_.is_keyword("as")) {
      return Unexpected(Cat("\"as\" after the source of ", word));
    }
    WMAP_TRY(std::vector<NodeId> patterns, ParsePatterns());
    WMAP_TRY_VOID(Expect("(", Cat("with the start of ", word)));
    WMAP_TRY(node.b, ParsePipe());
    WMAP_TRY_VOID(Expect(";", Cat("before the update of ", word)));
    WMAP_TRY(node.c, ParsePipe());
    if (kind == NodeKind::kForeach && Accept(";")) {
      WMAP_TRY(node.d, ParsePipe());
    }
    WMAP_TRY_VOID(Expect(")", Cat("to close ", word)));
    node.end = last_end_;
    return builder_.Add(node, patterns);
  }

  Result<NodeId> ParseSymbol() {
    std::uint32_t begin = current_.begin;
    if (Accept("(")) {
      WMAP_TRY(NodeId inner, ParsePipe());
      WMAP_TRY_VOID(Expect(")", "to close \"(\""));
      return inner;
    }
    if (Accept("[")) {
      Node node = At(NodeKind::kArray, begin);
      if (!current_.is_symbol("]")) {
        WMAP_TRY(node.a, ParsePipe());
      }
      WMAP_TRY_VOID(Expect("]", "to close \"[\""));
      node.end = last_end_;
      return builder_.Add(node);
    }
    if (current_.is_symbol("{")) return ParseObject();
    if (Accept("..")) return builder_.Add(At(NodeKind::kDescend, begin));
    if (Accept(".")) {
      Node identity = At(NodeKind::kIdentity, begin);
      NodeId id = builder_.Add(identity);
      if (current_.kind == Token::Kind::kQuote) return ParseQuotedField(id, begin);
      return id;
    }
    return Unexpected("an expression");
  }

  // --- Objects --------------------------------------------------------------------------------

  Result<NodeId> ParseObject() {
    std::uint32_t begin = current_.begin;
    Advance();
    std::vector<NodeId> entries;
    while (!current_.is_symbol("}")) {
      WMAP_TRY(NodeId entry, ParseEntry());
      entries.push_back(entry);
      if (!Accept(",")) break;
    }
    WMAP_TRY_VOID(Expect("}", "or \",\" after a member of an object"));
    return builder_.Add(At(NodeKind::kObject, begin), entries);
  }

  NodeId KeyNode(std::string_view name, std::uint32_t begin) {
    Node key = At(NodeKind::kString, begin);
    key.text = name;
    return builder_.Add(key);
  }

  Result<NodeId> ParseEntry() {
    Node node = At(NodeKind::kEntry, current_.begin);
    std::uint32_t begin = current_.begin;
    bool needs_value = false;
    if (current_.kind == Token::Kind::kVariable) {
      std::string_view name = current_.text;
      bool is_location = name == "__loc__";
      Advance();
      node.a = KeyNode(name, begin);
      Node value = At(is_location ? NodeKind::kLocation : NodeKind::kVariable, begin);
      if (!is_location) value.text = name;
      node.b = builder_.Add(value);
      node.end = last_end_;
      return builder_.Add(node);
    }
    if (current_.kind == Token::Kind::kName || current_.kind == Token::Kind::kKeyword) {
      std::string_view name = current_.text;
      Advance();
      node.a = KeyNode(name, begin);
    } else if (current_.kind == Token::Kind::kQuote) {
      WMAP_TRY(node.a, ParseString(""));
    } else if (current_.kind == Token::Kind::kFormat) {
      std::string_view format = current_.text;
      Advance();
      if (current_.kind != Token::Kind::kQuote) return Unexpected("a string after a format");
      WMAP_TRY(node.a, ParseString(format));
    } else if (Accept("(")) {
      WMAP_TRY(node.a, ParsePipe());
      WMAP_TRY_VOID(Expect(")", "after a computed key"));
      needs_value = true;
    } else {
      return Unexpected("a key: a name, a string, $name or (expression)");
    }
    if (current_.is_symbol(":")) {
      Advance();
      WMAP_TRY(node.b, ParseEntryValue());
    } else if (needs_value) {
      return Unexpected("\":\" and a value after a computed key");
    }
    node.end = last_end_;
    return builder_.Add(node);
  }

  // Without commas, which separate members.
  Result<NodeId> ParseEntryValue() {
    WMAP_TRY(NodeId first, ParseOperators(kAlternative));
    if (!current_.is_symbol("|")) return first;
    std::vector<NodeId> parts = {first};
    while (Accept("|")) {
      WMAP_TRY(NodeId part, ParseOperators(kAlternative));
      parts.push_back(part);
    }
    return builder_.Add(At(NodeKind::kPipe, BeginOf(first)), parts);
  }

  // --- Patterns -------------------------------------------------------------------------------

  // At "as": one or several alternatives.
  Result<std::vector<NodeId>> ParsePatterns() {
    std::vector<NodeId> patterns;
    Advance();
    do {
      WMAP_TRY(NodeId pattern, ParsePattern());
      patterns.push_back(pattern);
    } while (Accept("?//"));
    return patterns;
  }

  Result<NodeId> ParsePattern() {
    Nesting nesting(depth_);
    if (nesting.too_deep() || builder_.too_deep()) return TooDeep();
    std::uint32_t begin = current_.begin;
    if (current_.kind == Token::Kind::kVariable) {
      Node node = At(NodeKind::kPatternVariable, begin);
      node.text = current_.text;
      Advance();
      node.end = last_end_;
      return builder_.Add(node);
    }
    std::vector<NodeId> parts;
    if (Accept("[")) {
      do {
        WMAP_TRY(NodeId part, ParsePattern());
        parts.push_back(part);
      } while (Accept(","));
      WMAP_TRY_VOID(Expect("]", "to close the pattern"));
      return builder_.Add(At(NodeKind::kPatternArray, begin), parts);
    }
    if (Accept("{")) {
      do {
        WMAP_TRY(NodeId part, ParsePatternEntry());
        parts.push_back(part);
      } while (Accept(","));
      WMAP_TRY_VOID(Expect("}", "to close the pattern"));
      return builder_.Add(At(NodeKind::kPatternObject, begin), parts);
    }
    return Unexpected("$name, [...] or {...} after \"as\"");
  }

  Result<NodeId> ParsePatternEntry() {
    std::uint32_t begin = current_.begin;
    Node node = At(NodeKind::kPatternEntry, begin);
    bool needs_pattern = true;
    if (current_.kind == Token::Kind::kVariable) {
      node.text = current_.text;
      Advance();
      node.a = KeyNode(node.text, begin);
      needs_pattern = false;
    } else if (current_.kind == Token::Kind::kName || current_.kind == Token::Kind::kKeyword) {
      std::string_view name = current_.text;
      Advance();
      node.a = KeyNode(name, begin);
    } else if (current_.kind == Token::Kind::kQuote) {
      WMAP_TRY(node.a, ParseString(""));
    } else if (current_.kind == Token::Kind::kFormat) {
      std::string_view format = current_.text;
      Advance();
      if (current_.kind != Token::Kind::kQuote) return Unexpected("a string after a format");
      WMAP_TRY(node.a, ParseString(format));
    } else if (Accept("(")) {
      WMAP_TRY(node.a, ParsePipe());
      WMAP_TRY_VOID(Expect(")", "after a computed key"));
    } else {
      return Unexpected("a key of the pattern");
    }
    if (Accept(":")) {
      WMAP_TRY(node.b, ParsePattern());
    } else if (needs_pattern) {
      return Unexpected("\":\" and a pattern after a key");
    }
    node.end = last_end_;
    return builder_.Add(node);
  }

  SyntaxBuilder builder_;
  Lexer lexer_;
  Token current_;
  std::uint32_t last_end_ = 0;
  std::uint32_t depth_ = 0;
  int open_if_ = 0;
  bool last_was_else_ = false;
};

}  // namespace

Result<Syntax> Parse(std::string_view source) {
  if (source.size() > kMaxSourceBytes) {
    return Fail(Code::kLimit, Cat("the expression is larger than ", kMaxSourceBytes, " bytes"));
  }
  return Parser(source).Run();
}

}  // namespace wmap::expr
