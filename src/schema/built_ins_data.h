// What embed_schemas.py writes at build time.
#pragma once

#include <string_view>

namespace wmap::schema {

extern const std::string_view kBuiltInSchemas;

}  // namespace wmap::schema
