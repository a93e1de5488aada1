// When something last changed, by the times that objects carry.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/value.h"

namespace wmap::inspect {

// The newest time, Unix seconds, at which the object itself or its status changed: its creation,
// its conditions, the starts and ends of its containers. Not when somebody merely looked at it. 0
// when it says none.
std::int64_t LastChange(const json::Value& object);

}  // namespace wmap::inspect
