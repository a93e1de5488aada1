// What embed_schemas.py writes at build time.
#pragma once

#include <string_view>

namespace wmap::schema {

// Compact JSON: what schema/built_ins.h reads.
extern const std::string_view kBuiltInSchemas;

// docs/definition.schema.json: the JSON Schema of definitions, for editors and other programs.
extern const std::string_view kDefinitionSchema;

}  // namespace wmap::schema
