// Custom resource definitions: the kinds that a cluster is told of, each version with its schema.
//
// Reading never fails: a document that is none gives nothing, and what one lacks is empty.
#pragma once

#include <string>
#include <vector>

#include "definition/karta.h"
#include "json/value.h"
#include "schema/schema.h"

namespace wmap::schema {

// One version of a kind.
struct CrdVersion {
  definition::GroupVersionKind kind;
  std::string plural;
  bool is_served = true;
  Schema schema;  // of the document; its arena outlives it
};

// apiextensions.k8s.io, v1 and v1beta1.
bool IsCrd(const json::Value& document);
// In the order of the document.
std::vector<CrdVersion> VersionsOf(const json::Value& document);

}  // namespace wmap::schema
