// What embed_schemas.py writes at build time.
#pragma once

#include <string_view>

namespace wmap::schema {

// Compact JSON: what schema/built_ins.h reads.
extern const std::string_view kBuiltInSchemas;

// docs/definition.schema.json: the JSON Schema of definitions, for editors and other programs.
extern const std::string_view kDefinitionSchema;

// Compact JSON: {"words": {"batch/Job": ["Complete", …]}, "labels": […]}, the words below the
// status of recorded objects of each kind, and the labels of recorded pods.
extern const std::string_view kRecordedWords;

}  // namespace wmap::schema
