// Words: what operators write into a status, as far as that is known, and the slips of definitions
// that ask for something that differs by a letter. Schemas hardly ever list them.
//
// Known are the words of recorded objects of the kind and of those that it makes, those that the
// schema's descriptions mention, and those that the definition itself uses more than once. What is
// near to none of them may be right: recordings are not all there is.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "definition/karta.h"
#include "definition/report.h"
#include "schema/schema.h"

namespace wmap::schema {

// Whether one is the other with one slip: another case, a letter too few or too many, another
// letter, or two that are swapped.
bool IsSlip(std::string_view a, std::string_view b);

// Adds unusual-word for words of matchers and comparisons, and for labels of pods; not at the
// pointers `told`, of which more is known.
void CheckWords(const definition::Karta& karta, const Schema& schema,
                const std::set<std::string>& told, definition::Report& report);

}  // namespace wmap::schema
