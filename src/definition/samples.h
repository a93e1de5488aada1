// Samples: small documents made of what expressions go to and of the constants that they compare it
// with. For rules that try what an author has written instead of proving something about it: which
// phases an object is in, which components a pod is of.
//
// Bounded: so many documents, of so many fields, whatever the expressions are.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "definition/karta.h"
#include "expr/document_paths.h"
#include "expr/program.h"

namespace wmap::definition {

// A document, or a part of one.
struct Sample {
  enum class Kind : unsigned char { kScalar, kObject, kList };
  Kind kind = Kind::kObject;
  std::string scalar;  // JSON
  std::map<std::string, Sample, std::less<>> members;
  std::vector<Sample> items;

  // How many scalars it has.
  std::size_t size() const;
  // How many things it says: fields, and items of lists as a whole.
  std::size_t parts() const;
  std::string Json() const;
  friend bool operator==(const Sample&, const Sample&) = default;
};

// What has all that both have; nothing where they contradict each other. Items of lists that have
// one `type` are one item: so it is with conditions.
std::optional<Sample> Merge(const Sample& a, const Sample& b);

class Samples {
 public:
  // What the expression goes to, and the constants in it.
  void Add(const Expression& expression);
  // A text that its results are compared with from outside.
  void AddResult(const Expression& expression, std::string_view text);
  // An item of the list that the expression gives.
  void AddItem(const Expression& list, const Sample& item);
  // A value at a path of names.
  void AddValue(const std::vector<std::string>& path, std::string_view text);

  // The empty document, those with one part, with two parts, and so on, `limit` at most.
  std::vector<Sample> Make(std::size_t limit) const;

 private:
  // The values that one place may have, as whole documents; they exclude each other.
  using Choices = std::vector<Sample>;

  void AddPath(const expr::DocumentPath& path);
  std::vector<std::string> ValuesOf(std::string_view name) const;
  std::vector<Choices> AllChoices() const;
  Choices ChoicesOf(const expr::DocumentPath& place,
                    const std::set<expr::DocumentPath>& leaves) const;

  // Where there is something: up to the first list, and what is below it.
  std::map<expr::DocumentPath, std::set<expr::DocumentPath>> places_;
  std::map<expr::DocumentPath, Choices> given_;
  // The constants that fields of a name are compared with; "" of what is not known.
  std::map<std::string, std::set<std::string>, std::less<>> constants_;
};

}  // namespace wmap::definition
