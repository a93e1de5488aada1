// The kind that a TYPE on the command line means.
#pragma once

#include <string_view>

#include "base/error.h"
#include "definition/registry.h"
#include "kube/discovery.h"

namespace wmap::cli {

// As Registry::Resolve(). Where `served` is given, what a cluster serves, its names for the kinds
// count as well, and kinds that it does not serve give way to those that it does. Errors:
//   kInvalid     ambiguous; the message has the choices
//   kNotDefined  no definition covers it; whether the cluster has such a type, the message says
//   kNotFound    the cluster does not serve the version that the TYPE names
//   kUnavailable a definition covers it, and the cluster does not have it
Result<definition::TypeMatch> ResolveType(std::string_view type,
                                          const definition::Registry& registry,
                                          const kube::Discovery* served);

}  // namespace wmap::cli
