// The places of a workload object that a definition goes to.
#pragma once

#include <map>
#include <set>
#include <string>

#include "definition/karta.h"
#include "expr/document_paths.h"

namespace wmap::schema_paths {

struct DefinitionPaths {
  // Each with the expression that goes there first: "worker.replicasPath".
  std::map<expr::DocumentPath, std::string> paths;
  // Where the expressions stand that were looked at (Expression::pointer).
  std::set<std::string> pointers;
};

// Of all expressions that are evaluated on the workload object itself, so not those on pods and on
// children that carry counts; and of the fields that the program takes from what they give: the
// conditions' and the containers'. Every expression of `karta` compiles.
DefinitionPaths PathsOf(const definition::Karta& karta);

}  // namespace wmap::schema_paths
