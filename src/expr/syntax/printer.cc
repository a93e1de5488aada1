#include "expr/syntax/printer.h"

#include "base/text.h"
#include "expr/syntax/grammar.h"

namespace wmap::expr {
namespace {

class Printer {
 public:
  explicit Printer(const Syntax& syntax) : syntax_(syntax) {}

  // Prints `id` where a phrase that binds at least as tightly as `level` is asked for.
  void Phrase(NodeId id, int level);

  std::string Finish() && { return std::move(to_); }

 private:
  void Bare(const Node& node);
  void Separated(const Node& node, std::string_view separator, int level);
  void Suffix(const Node& node);
  void Try(const Node& node);
  void Binary(const Node& node);
  void Interpolation(const Node& node);
  void If(const Node& node);
  void Fold(const Node& node, std::string_view word);
  void Patterns(const Node& node);
  void PatternEntry(const Node& node);
  void Key(NodeId id);
  void Entry(const Node& node);
  void EntryValue(NodeId id);
  void Function(const Node& node);
  void Arguments(const Node& node);
  void StringText(std::string_view text);
  void Quoted(std::string_view text) {
    to_ += '"';
    StringText(text);
    to_ += '"';
  }

  const Syntax& syntax_;
  std::string to_;
};

int LevelOf(const Node& node) {
  switch (node.kind) {
    case NodeKind::kPipe:
    case NodeKind::kBind:
    case NodeKind::kLabel:
    case NodeKind::kDefine:
      return Binding::kQuery;
    case NodeKind::kComma:
      return Binding::kStage;
    case NodeKind::kBinary:
      return BindingOf(node.op).level;
    case NodeKind::kNegate:
      return Binding::kUnary;
    case NodeKind::kTry:
      return node.is_step ? Binding::kTerm : Binding::kUnary;
    default:
      return Binding::kTerm;
  }
}

void Printer::Phrase(NodeId id, int level) {
  const Node& node = syntax_.node(id);
  bool parentheses = LevelOf(node) < level;
  if (parentheses) to_ += '(';
  Bare(node);
  if (parentheses) to_ += ')';
}

void Printer::Bare(const Node& node) {
  switch (node.kind) {
    case NodeKind::kIdentity:
      to_ += '.';
      break;
    case NodeKind::kDescend:
      to_ += "..";
      break;
    case NodeKind::kNull:
      to_ += "null";
      break;
    case NodeKind::kFalse:
      to_ += "false";
      break;
    case NodeKind::kTrue:
      to_ += "true";
      break;
    case NodeKind::kNumber:
      to_ += node.text;
      break;
    case NodeKind::kString:
      Quoted(node.text);
      break;
    case NodeKind::kFormat:
      CatTo(to_, '@', node.text);
      break;
    case NodeKind::kVariable:
    case NodeKind::kPatternVariable:
      CatTo(to_, '$', node.text);
      break;
    case NodeKind::kLocation:
      to_ += "$__loc__";
      break;
    case NodeKind::kBreak:
      CatTo(to_, "break $", node.text);
      break;
    case NodeKind::kInterpolation:
      Interpolation(node);
      break;
    case NodeKind::kText:
      StringText(node.text);
      break;
    case NodeKind::kField:
    case NodeKind::kIndex:
    case NodeKind::kSlice:
    case NodeKind::kIterate:
      Suffix(node);
      break;
    case NodeKind::kTry:
      Try(node);
      break;
    case NodeKind::kArray:
      to_ += '[';
      if (node.a != kNoNode) Phrase(node.a, Binding::kQuery);
      to_ += ']';
      break;
    case NodeKind::kObject:
      to_ += '{';
      Separated(node, ", ", Binding::kTerm);
      to_ += '}';
      break;
    case NodeKind::kEntry:
      Entry(node);
      break;
    case NodeKind::kNegate:
      to_ += '-';
      Phrase(node.a, Binding::kUnary);
      break;
    case NodeKind::kBinary:
      Binary(node);
      break;
    case NodeKind::kPipe:
      Separated(node, " | ", Binding::kStage);
      break;
    case NodeKind::kComma:
      Separated(node, ", ", Binding::kExpr);
      break;
    case NodeKind::kIf:
      If(node);
      break;
    case NodeKind::kReduce:
      Fold(node, "reduce ");
      break;
    case NodeKind::kForeach:
      Fold(node, "foreach ");
      break;
    case NodeKind::kBind:
      Phrase(node.a, Binding::kExpr);
      Patterns(node);
      to_ += " | ";
      Phrase(node.b, Binding::kQuery);
      break;
    case NodeKind::kLabel:
      CatTo(to_, "label $", node.text, " | ");
      Phrase(node.a, Binding::kQuery);
      break;
    case NodeKind::kDefine:
      Separated(node, " ", Binding::kTerm);
      to_ += ' ';
      // Definitions that begin the body would join those before them.
      Phrase(node.a,
             syntax_.node(node.a).kind == NodeKind::kDefine ? Binding::kTerm : Binding::kQuery);
      break;
    case NodeKind::kFunction:
      Function(node);
      break;
    case NodeKind::kParameter:
      if (node.is_value) to_ += '$';
      to_ += node.text;
      break;
    case NodeKind::kCall:
      to_ += node.text;
      Arguments(node);
      break;
    case NodeKind::kPatternArray:
      to_ += '[';
      Separated(node, ", ", Binding::kTerm);
      to_ += ']';
      break;
    case NodeKind::kPatternObject:
      to_ += '{';
      Separated(node, ", ", Binding::kTerm);
      to_ += '}';
      break;
    case NodeKind::kPatternEntry:
      PatternEntry(node);
      break;
  }
}

void Printer::Separated(const Node& node, std::string_view separator, int level) {
  bool first = true;
  for (NodeId id : syntax_.list(node)) {
    if (!first) to_ += separator;
    first = false;
    Phrase(id, level);
  }
}

void Printer::Suffix(const Node& node) {
  const Node& target = syntax_.node(node.a);
  bool named = node.kind == NodeKind::kField;
  if (named && target.kind == NodeKind::kNumber) {
    // "1.a" would be the number "1." and a name.
    CatTo(to_, '(', target.text, ')');
  } else if (!(named && target.kind == NodeKind::kIdentity)) {
    Phrase(node.a, Binding::kTerm);
  }
  if (named) {
    to_ += '.';
    if (IsName(node.text)) {
      to_ += node.text;
    } else {
      Quoted(node.text);
    }
    return;
  }
  to_ += '[';
  if (node.b != kNoNode) Phrase(node.b, Binding::kQuery);
  if (node.kind == NodeKind::kSlice) to_ += ':';
  if (node.c != kNoNode) Phrase(node.c, Binding::kQuery);
  to_ += ']';
}

void Printer::Try(const Node& node) {
  if (node.is_step) {
    Phrase(node.a, Binding::kTerm);
    to_ += '?';
    return;
  }
  to_ += "try ";
  // A handler belongs to the nearest `try` before it.
  Phrase(node.a, node.b == kNoNode ? Binding::kUnary : Binding::kTerm);
  if (node.b == kNoNode) return;
  to_ += " catch ";
  Phrase(node.b, Binding::kUnary);
}

void Printer::Binary(const Node& node) {
  Binding binding = BindingOf(node.op);
  Phrase(node.a, binding.level + (binding.side == Binding::Side::kLeft ? 0 : 1));
  CatTo(to_, ' ', OperatorText(node.op), ' ');
  Phrase(node.b, binding.level + (binding.side == Binding::Side::kRight ? 0 : 1));
}

void Printer::Interpolation(const Node& node) {
  if (!node.text.empty()) CatTo(to_, '@', node.text, ' ');
  to_ += '"';
  for (NodeId id : syntax_.list(node)) {
    if (syntax_.node(id).kind == NodeKind::kText) {
      Bare(syntax_.node(id));
    } else {
      to_ += "\\(";
      Phrase(id, Binding::kQuery);
      to_ += ')';
    }
  }
  to_ += '"';
}

void Printer::If(const Node& node) {
  auto branches = syntax_.list(node);
  for (std::size_t i = 0; i < branches.size(); i += 2) {
    to_ += i == 0 ? "if " : " elif ";
    Phrase(branches[i], Binding::kQuery);
    to_ += " then ";
    Phrase(branches[i + 1], Binding::kQuery);
  }
  if (node.a != kNoNode) {
    to_ += " else ";
    Phrase(node.a, Binding::kQuery);
  }
  to_ += " end";
}

void Printer::Fold(const Node& node, std::string_view word) {
  to_ += word;
  Phrase(node.a, Binding::kExpr);
  Patterns(node);
  to_ += " (";
  Phrase(node.b, Binding::kQuery);
  to_ += "; ";
  Phrase(node.c, Binding::kQuery);
  if (node.d != kNoNode) {
    to_ += "; ";
    Phrase(node.d, Binding::kQuery);
  }
  to_ += ')';
}

void Printer::Patterns(const Node& node) {
  to_ += " as ";
  Separated(node, " ?// ", Binding::kTerm);
}

void Printer::PatternEntry(const Node& node) {
  if (!node.text.empty()) {
    CatTo(to_, '$', node.text);
  } else {
    Key(node.a);
  }
  if (node.b == kNoNode) return;
  to_ += ": ";
  Phrase(node.b, Binding::kTerm);
}

void Printer::Key(NodeId id) {
  const Node& key = syntax_.node(id);
  if (key.kind == NodeKind::kString && IsName(key.text)) {
    to_ += key.text;
  } else if (key.kind == NodeKind::kString || key.kind == NodeKind::kInterpolation) {
    Bare(key);
  } else {
    to_ += '(';
    Phrase(id, Binding::kQuery);
    to_ += ')';
  }
}

void Printer::Entry(const Node& node) {
  Key(node.a);
  if (node.b == kNoNode) return;
  to_ += ": ";
  EntryValue(node.b);
}

// A value may have pipes, but each of their stages is free of commas.
void Printer::EntryValue(NodeId id) {
  const Node& value = syntax_.node(id);
  if (value.kind == NodeKind::kPipe) {
    Separated(value, " | ", Binding::kExpr);
  } else {
    Phrase(id, Binding::kExpr);
  }
}

void Printer::Function(const Node& node) {
  CatTo(to_, "def ", node.text);
  Arguments(node);
  to_ += ": ";
  Phrase(node.a, Binding::kQuery);
  to_ += ';';
}

void Printer::Arguments(const Node& node) {
  if (node.list_size == 0) return;
  to_ += '(';
  Separated(node, "; ", Binding::kQuery);
  to_ += ')';
}

void Printer::StringText(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      to_ += '\\';
      to_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      CatTo(to_, "\\u00", kHex[static_cast<unsigned char>(c) >> 4], kHex[c & 15]);
    } else {
      to_ += c;
    }
  }
}

}  // namespace

std::string Print(const Syntax& syntax, NodeId from) {
  Printer printer(syntax);
  printer.Phrase(from, Binding::kQuery);
  return std::move(printer).Finish();
}

std::string Print(const Syntax& syntax) { return Print(syntax, syntax.root()); }

}  // namespace wmap::expr
