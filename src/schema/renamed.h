// Renamed: where a field went that one release of a kind has and another has not.
#pragma once

#include <string>
#include <vector>

#include "expr/document_paths.h"
#include "schema/documents.h"

namespace wmap::schema {

// Where `path`, which is in documents of `had` and in none of `lacks`, may stand in the latter: as
// a field beside it that is new there and is spelt alike, has the same below it or is the only one
// that came while this is the only one that went; as one below such a field; or under its own name
// elsewhere. Only what may hold a value of the same kind. The likeliest first, three at most; none
// when nothing is like it.
std::vector<std::string> PlacesLike(const expr::DocumentPath& path, Documents& had,
                                    Documents& lacks);

}  // namespace wmap::schema
