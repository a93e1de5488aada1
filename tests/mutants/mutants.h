// Mutants: definitions with one fault of a kind that people make, and the fields that the fault is
// in. Made from valid ones, the same at every run, without a look at what finds them.
//
// One that says the same as the original is none: where a default or a step makes no difference to
// any object, nothing is changed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "definition/karta.h"
#include "tests/mutants/tree.h"

namespace wmap::mutants {

struct Mutant {
  std::string kind;        // "misspelt field"
  std::string definition;  // the name of the original
  std::string what;        // ".spec.replicas -> .spec.replcas", for people
  Tree document;
  // JSON pointers of the fields of which one is wrong, each as good as the others: an expression
  // that stands in several places, both of two selectors.
  std::vector<std::string> places;
  // Where the fault is that nothing is said for an absent field: its name,
  // or its path from the root. Of a field that an API server always fills in the mutant says the
  // same as the original.
  std::string absent_field;
};

// All that can be made of a definition: `karta` is what `document` says.
std::vector<Mutant> MutantsOf(const Tree& document, definition::Karta& karta);

}  // namespace wmap::mutants
