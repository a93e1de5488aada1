// Draft, YAML: lines of a document with comments, as people write them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "definition/karta.h"

namespace wmap::schema {

// A text as a scalar that YAML reads as this text.
std::string Scalar(std::string_view text);
// "{group: batch, version: v1, kind: Job}".
std::string KindText(const definition::GroupVersionKind& kind);

// Depths are levels of two spaces. No line is longer than kWidth where it can be parted.
class YamlLines {
 public:
  static constexpr std::size_t kWidth = 110;

  // One line as it is.
  void Line(std::size_t depth, std::string_view text);
  // Those of a text.
  void Lines(std::size_t depth, std::string_view text);
  // In as many lines as it needs, each behind "# ".
  void Comment(std::size_t depth, std::string_view text);
  // "key: text"; one that is too long is folded at its pipes and branches.
  void Expression(std::size_t depth, std::string_view key, std::string_view text);
  // A line of a block that keeps its lines; what it goes on with stands further in.
  void Block(std::size_t depth, std::string_view text);

  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace wmap::schema
