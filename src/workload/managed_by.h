// Which controller an object is left to.
#pragma once

#include <string_view>

#include "json/value.h"

namespace wmap::workload {

// The name of another controller than that of its kind, which as a rule runs the object in another
// cluster; "" when there is none. Where users or the API server write the default out it names the
// kind's own. Names of controllers have a domain; other texts under the key are about something
// else. Views the object.
std::string_view OtherController(const json::Value& object);

}  // namespace wmap::workload
