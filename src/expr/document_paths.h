// Which places of its input an expression goes to: for checks of definitions against schemas.
//
// Unlike Program::FindInputPaths(), which says what an evaluation needs and stops where that cannot
// be said exactly, this goes on through iterations, variables, functions and loops, and takes every
// branch: it names each field that the expression asks for by name.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "expr/program.h"

namespace wmap::expr {

struct PathStep {
  enum class Kind : std::uint8_t {
    kKey,    // the member `key` of an object
    kAny,    // an item of an array or a member of an object, not known which
    kBelow,  // anything below, not known where; the last step of its path
  };
  Kind kind = Kind::kKey;
  std::string key;

  static PathStep Key(std::string key) { return {Kind::kKey, std::move(key)}; }
  static PathStep Any() { return {Kind::kAny, {}}; }
  static PathStep Below() { return {Kind::kBelow, {}}; }
  friend auto operator<=>(const PathStep&, const PathStep&) = default;
};

// From the root of the input; the root itself is empty.
using DocumentPath = std::vector<PathStep>;

// ".spec.jobs[].name", ".spec.template..", `.metadata.labels["a/b"]`; "." of the root.
std::string PathText(const DocumentPath& path);

// The places that evaluating can go to, ascending, each as far as it goes: none is above another.
// What is below the end of a path may be read as well, as a whole. Where the way is computed
// (getpath, deep recursion) the path ends in kBelow; an expression too large to be followed has the
// one path "..". Parses the source anew and takes, at worst, some tenths of a second: for checks,
// not for every use.
std::vector<DocumentPath> FindDocumentPaths(const Program& program);

// The places of the input that its results, or parts of results that it puts together, may be,
// ascending; some may be above others.
std::vector<DocumentPath> FindResultPaths(const Program& program);

}  // namespace wmap::expr
