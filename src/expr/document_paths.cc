#include "expr/document_paths.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "expr/syntax/parser.h"
#include "expr/typing/interpreter.h"

namespace wmap::expr {
namespace {

bool IsPlainKey(std::string_view key) {
  auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !key.empty() && !(key[0] >= '0' && key[0] <= '9') && std::ranges::all_of(key, is_word);
}

// Documents that may hold anything anywhere.
class AnyDocument final : public DocumentTypes {
 public:
  Known Root() override { return {}; }
  Known Member(const Known& /*of*/, std::string_view /*key*/) override { return {}; }
  Known Item(const Known& /*of*/) override { return {}; }
};

Syntax SyntaxOf(const Program& program) {
  Result<Syntax> syntax = Parse(program.source());
  WMAP_CHECK(syntax.has_value());
  return *std::move(syntax);
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

std::vector<DocumentPath> FindDocumentPaths(const Program& program) {
  AnyDocument documents;
  return typing::Interpreter(SyntaxOf(program), documents).Gone();
}

std::vector<DocumentPath> FindResultPaths(const Program& program) {
  AnyDocument documents;
  return typing::Interpreter(SyntaxOf(program), documents).Given();
}

}  // namespace wmap::expr
