// Parsing any bytes neither crashes nor hangs, errors point into the source, and what parses prints
// to something that parses to the same tree.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "expr/syntax/parser.h"
#include "expr/syntax/printer.h"
#include "expr/syntax/restrictions.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wmap;
  std::string_view source(reinterpret_cast<const char*>(data), size);
  Result<expr::Syntax> syntax = expr::Parse(source);
  if (!syntax) {
    if (auto range = syntax.error().range())
      WMAP_CHECK(range->begin <= range->end && range->end <= size);
    return 0;
  }
  for (expr::NodeId id = 0; id < syntax->node_count(); ++id) {
    const expr::Node& node = syntax->node(id);
    WMAP_CHECK(node.begin <= node.end && node.end <= size && node.place <= size);
  }
  (void)expr::FindRestricted(*syntax);
  Result<expr::Syntax> again = expr::Parse(expr::Print(*syntax));
  // Parentheses that the printer adds can exceed the parser's depth or size.
  if (!again && again.error().code() == Code::kLimit) return 0;
  WMAP_CHECK(again.has_value());
  WMAP_CHECK(expr::SameSyntax(*syntax, *again));
  return 0;
}
