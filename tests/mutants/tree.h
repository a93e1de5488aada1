// Tree: a document that can be changed, with its extensions annotation opened, so that one pointer
// leads to any of its fields as findings name them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/value.h"

namespace wmap::mutants {

struct Tree {
  enum class Kind : unsigned char { kScalar, kString, kObject, kList, kAnnotation };
  Kind kind = Kind::kScalar;
  std::string text;  // JSON of a scalar, or the string itself
  std::vector<std::pair<std::string, Tree>> members;
  std::vector<Tree> items;
  std::vector<Tree> inner;  // of an annotation that holds JSON: the one value

  static Tree Of(const json::Value& value);
  static Tree String(std::string_view text);
  static Tree Scalar(std::string_view json);

  // What stands at a JSON pointer; null when there is nothing.
  Tree* Find(std::string_view pointer);
  Tree* Member(std::string_view name);
  bool Remove(std::string_view name);  // of an object
  bool Rename(std::string_view name, std::string_view other);
  std::string Json() const;

  friend bool operator==(const Tree&, const Tree&) = default;
};

}  // namespace wmap::mutants
