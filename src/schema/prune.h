// Prune: what an API server keeps of an object.
#pragma once

#include "base/arena.h"
#include "json/value.h"
#include "schema/schema.h"

namespace wmap::schema {

// `object` without the fields that `schema`, which is that of its kind, does not have: what an API
// server stores of it, and what a client of that release reads. What the schema leaves open stays,
// and everything does where the schema says nothing. Shares what stays with `object`; what is made
// anew stands in `arena`.
json::Value Pruned(const json::Value& object, const Schema& schema, Arena& arena);

}  // namespace wmap::schema
