// OpenAPI v3 documents as an API server publishes them, one for each group and version
// (/openapi/v3/apis/batch/v1): the schemas of all kinds that it serves, custom ones as well, for
// everybody who may ask it anything.
//
// Reading never fails: a document that is none gives nothing.
#pragma once

#include <vector>

#include "json/value.h"
#include "schema/crd.h"

namespace wmap::schema {

bool IsOpenApi(const json::Value& document);
// The kinds of a document, without plurals: ascending by the names of their schemas.
std::vector<CrdVersion> PublishedKinds(const json::Value& document);

}  // namespace wmap::schema
