#include "definition/result_texts.h"

#include <string_view>

#include "expr/typing.h"

namespace wmap::definition {
namespace {

using expr::Kinds;
using expr::Known;

// Documents of which nothing is known: what an expression gives is then known by itself alone.
class OpenDocuments final : public expr::DocumentTypes {
 public:
  Known Root() override { return {}; }
  Known Member(const Known& /*of*/, std::string_view /*key*/) override { return {}; }
  Known Item(const Known& /*of*/) override { return {}; }
};

}  // namespace

std::vector<std::string> PossibleTexts(const Expression& expression) {
  if (expression.program() == nullptr) return {};
  OpenDocuments documents;
  expr::Typing typing = expr::TypeOf(*expression.program(), documents);
  bool is_open = !typing.is_complete ||
                 typing.kinds.Has(Kinds::kNumber | Kinds::kArray | Kinds::kObject) ||
                 (typing.kinds.Has(Kinds::kString) && !typing.has_all_texts);
  if (is_open) return {};
  std::vector<std::string> texts = typing.texts;
  if (typing.kinds.Has(Kinds::kTrue)) texts.emplace_back("true");
  if (typing.kinds.Has(Kinds::kFalse)) texts.emplace_back("false");
  if (typing.kinds.Has(Kinds::kNull)) texts.emplace_back("null");
  return texts;
}

}  // namespace wmap::definition
