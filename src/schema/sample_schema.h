// The shape of samples as a schema: for kinds whose own schema says nothing, or nothing of a part.
#pragma once

#include <span>

#include "base/arena.h"
#include "json/value.h"
#include "schema/schema.h"

namespace wmap::schema {

// What all of these have, one by one: fields, items, types. Stands in `arena`. Too deep a part is
// left open.
json::Value ShapeOf(std::span<const json::Value> samples, Arena& arena);

// `schema`, and where that leaves something open what `shape` says of it. Stands in `arena`, and
// in the memory of both.
Schema FillOpen(const Schema& schema, const json::Value& shape, Arena& arena);

}  // namespace wmap::schema
