// The text of a path.
#pragma once

#include <string>

#include "json/value.h"

namespace wmap::expr {

// ".spec.jobs[0].name" of ["spec", "jobs", 0, "name"]; "." of [].
std::string PathText(const json::Value& path);

}  // namespace wmap::expr
