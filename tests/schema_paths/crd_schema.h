// Custom resource definitions as a check needs them: whether a path of a document can be there.
//
// A schema keeps the values that it was made from; their arena must outlive it. Reading and
// resolving never fail: what a schema leaves open is answered as open.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "expr/document_paths.h"
#include "json/value.h"

namespace wmap::schema_paths {

struct Resolution {
  enum class Answer {
    kMissing,   // the API server would drop it, or refuse the object
    kOpen,      // the schema leaves it open: it can neither be confirmed nor denied
    kResolved,  // the schema has it
  };
  Answer answer = Answer::kMissing;
  // Of the path: the steps up to and including the first that is missing, or behind which
  // everything is open. All of them when it is resolved.
  std::size_t steps = 0;
};

// The schema of one version of a kind.
class Schema {
 public:
  Schema() = default;
  // `open_api` is null where the version has no schema: all of it is open. `keeps_unknown`: what
  // the schema does not name is kept nevertheless (spec.preserveUnknownFields).
  Schema(const json::Value& open_api, bool keeps_unknown)
      : open_api_(open_api), keeps_unknown_(keeps_unknown) {}

  Resolution Resolve(const expr::DocumentPath& path) const;

 private:
  json::Value open_api_;
  bool keeps_unknown_ = false;
};

struct CrdVersion {
  std::string group;
  std::string kind;
  std::string version;
  Schema schema;
};

// The versions of a custom resource definition; none of any other document.
std::vector<CrdVersion> VersionsOf(const json::Value& document);

}  // namespace wmap::schema_paths
