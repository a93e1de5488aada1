// Draft: a first definition for a kind that has none, read from the schema of its custom resource
// definition and from samples.
//
// What a schema shows is found by shape, not by the names of frameworks: pod templates, counts,
// names of instances, what suspends, the phase and its words (draft_pods.h, draft_status.h). What
// it does not show is guessed, and marked in the text as a guess with its grounds: which labels
// pods carry, what a word of a phase means. Samples, objects of the kind with their pods and what
// is between, replace guesses (draft_samples.h).
//
// The text is valid as it is and fits the schema; it is for a person to read and go on with.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "definition/karta.h"
#include "json/value.h"
#include "schema/built_ins.h"
#include "schema/draft_pods.h"
#include "schema/draft_status.h"
#include "schema/schema.h"

namespace wmap::schema {

struct DraftRequest {
  definition::GroupVersionKind kind;
  // Says nothing: there is none, and the shape of the samples is all that is known.
  Schema schema;
  // Objects of any kind: those of `kind`, their pods, and what is between.
  std::span<const json::Value> samples;
};

struct Draft {
  std::string name;  // of the definition, and of its file without ending
  std::string text;  // YAML
  FoundPods pods;
  FoundStatus status;
  std::vector<std::string> notes;  // what the author should know and the text cannot say
};

// kNotFound when nothing describes pods; the message says what was looked at.
Result<Draft> MakeDraft(const DraftRequest& request, const BuiltIns& built_ins);

// An object of the kind for a first test case where there is no sample: what the draft reads,
// filled in with small numbers. Stands in `arena`.
json::Value MakeObject(const DraftRequest& request, const Draft& draft, Arena& arena);

}  // namespace wmap::schema
