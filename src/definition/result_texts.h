// What an expression may give, said by the expression alone.
#pragma once

#include <string>
#include <vector>

#include "definition/karta.h"

namespace wmap::definition {

// The texts that the first result of an expression may be, as a matcher compares it; none where it
// may be any.
std::vector<std::string> PossibleTexts(const Expression& expression);

}  // namespace wmap::definition
