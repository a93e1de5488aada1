// Check: a definition against the schemas of the kind that it is about.
//
// Every expression is typed (expr/typing.h) on what it is evaluated on: the workload, a pod, or an
// object below the workload. Found is what misreports in silence: fields that are nowhere, values
// that nothing can have, results of the wrong kind or number. What a schema leaves open is counted
// as such and never called fine. docs/check.md lists the findings for authors.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "definition/karta.h"
#include "definition/report.h"
#include "expr/document_paths.h"
#include "schema/built_ins.h"
#include "schema/releases.h"
#include "schema/schema.h"

namespace wmap::schema {

// The other kinds that a definition reads: Karta::objects and Component::child_scales.
struct OtherKind {
  std::string group;
  std::string kind;
  std::vector<Schema> schemas;  // any of these; none: nothing is known of it
};

struct Subject {
  Schema schema;  // of the kind that the definition is about
  std::vector<OtherKind> others = {};
};

// A definition against one release; the other kinds may be those of any.
Subject SubjectOf(const definition::Karta& karta, const Release& release, const Releases& releases);

struct CheckSummary {
  std::size_t expressions = 0;    // that were typed
  std::size_t unverifiable = 0;   // of those that go on behind a place that a schema leaves open
  std::vector<std::string> open;  // these places, ascending: ".spec.template"
  // Fields of the workload that are missing, by Finding::path.
  std::map<std::string, expr::DocumentPath> missing;
};

// Adds a finding for all that is wrong. Expressions that do not compile are passed over: loading
// tells of them.
CheckSummary Check(const definition::Karta& karta, const BuiltIns& built_ins,
                   const Subject& subject, definition::Report& report);

}  // namespace wmap::schema
