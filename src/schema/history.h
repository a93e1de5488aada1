// History: a definition against every release of its kind, and what became of its fields in
// between.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "definition/finding.h"
#include "definition/karta.h"
#include "definition/load.h"
#include "schema/built_ins.h"
#include "schema/check.h"
#include "schema/releases.h"

namespace wmap::schema {

// What one release says of a definition.
struct ReleaseResult {
  std::string release;
  bool has_version = true;  // false: it has the kind, and no longer this version of it
  CheckSummary summary;
  bool is_warned = false;
  bool is_broken = false;

  // "pass", "warn", "broken", "gone".
  std::string_view result() const;
};

// The finding of one place, with the releases in which it is, the oldest first.
struct ReleaseFinding {
  definition::Finding finding;
  std::vector<std::string> releases;
};

struct History {
  std::vector<ReleaseResult> releases;  // the oldest first; none: there is no schema
  // In the order of their places. What is right in the newest release is a warning at most: the
  // others are older or do without it. Fields that came or went say with which release, and what
  // may have taken their place.
  std::vector<ReleaseFinding> found;
  std::vector<ReleaseFinding> silenced;  // with the reasons of the definition
};

// `loading` are the options of the document. `tells_unused`: silences of no use are findings; else
// they may be for releases that are not at hand.
History CheckHistory(const definition::Karta& karta, const BuiltIns& built_ins,
                     const Releases& releases, const definition::LoadOptions& loading,
                     bool tells_unused);

}  // namespace wmap::schema
