// Draft, text: what was found, as a definition in the style of the catalog. Every guess has a
// comment with its grounds in front.
#pragma once

#include <string>

#include "definition/karta.h"
#include "schema/draft_pods.h"
#include "schema/draft_samples.h"
#include "schema/draft_status.h"

namespace wmap::schema {

struct DraftParts {
  definition::GroupVersionKind kind;
  std::string name;  // of the definition
  bool has_schema = true;
  const FoundPods* pods = nullptr;
  const FoundStatus* status = nullptr;
  const SeenPods* seen = nullptr;
  // Of a condition: whether it has such fields.
  bool has_reason = false;
};

std::string WriteDraft(const DraftParts& parts);

}  // namespace wmap::schema
