// Draft, pods: where the documents of a kind describe pods, how many there are of each, and what
// tells the entries of a list apart; found by shape, whatever the fields are called.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "definition/karta.h"
#include "json/value.h"
#include "schema/built_ins.h"
#include "schema/draft_place.h"
#include "schema/schema.h"

namespace wmap::schema {

// A number that counts pods, as a field of the document.
struct CountField {
  enum class Role : unsigned char {
    kReplicas,    // copies
    kEach,        // pods of one copy: hosts, size
    kCompletions  // no more than so many
  };
  Place place;
  Role role = Role::kReplicas;
  std::int64_t otherwise = 1;  // when it is absent
  bool is_stated = false;      // `otherwise` is the schema's own default
  // The object beside the pods that it stands in, without which it does not count.
  std::optional<Place> holder = std::nullopt;
  // "parallelism: {pipeline, data, dataLocal}": data over dataLocal, where they are given, instead.
  std::optional<std::pair<Place, Place>> ratio = std::nullopt;
};

// Entries of another list that name instances of this one, and make copies of them together.
struct NamedBy {
  Place list;            // ".spec.template.groups", without its step into the items
  std::string names;     // field of an item: the list of names
  std::string replicas;  // field of an item: how many copies
};

struct PodPlace {
  enum class Form : unsigned char { kTemplate, kSpec, kFragments, kContainer };

  Form form = Form::kTemplate;
  Place place;               // the template, the spec, or the object that has the pieces
  std::string why;           // how it was recognised
  bool is_open = false;      // the schema does not say what is in it: by its name alone
  bool is_required = false;  // it is there whenever what holds it is
  std::string name;          // of the component
  std::string name_why;
  std::optional<definition::GroupVersionKind> kind;  // of the object that it is in: a Job
  std::string kind_why;
  // For each list on the way, the expression of the name on an item.
  std::vector<std::string> ids;
  std::string id_why;
  // Fragments: fields of `fragmentedPodSpecDefinition` with their path below `place`.
  std::vector<std::pair<std::string, std::string>> pieces;
  std::vector<CountField> counts;  // multiplied, the outermost first
  std::optional<Place> min;
  std::optional<Place> max;
  std::optional<Place> initial;  // what an elastic one begins with, where no count is given
  std::optional<NamedBy> named_by;
  // The leader or a worker of a group of `size` pods.
  enum class Rank : unsigned char { kNone, kLeader, kWorker };
  Rank rank = Rank::kNone;
  // Of a leader: the template that it has where there is none of its own.
  std::optional<Place> fallback;
  // Of a worker: the template of the leader, without which all of the group are workers.
  std::optional<Place> leader;
};

struct FoundPods {
  std::vector<PodPlace> pods;  // in the order of the schema
  // Worth knowing: what looks like pods and was left out, what the schema leaves open.
  std::vector<std::string> notes;
  // Places of which the schema says nothing at all, where pods may be.
  std::vector<Place> open;
  // The fewest pods of the whole, above the lists of pods.
  std::optional<Place> minimum;
  // Objects of any kind that are in the document.
  std::vector<Place> embedded;
};

FoundPods FindPods(const Schema& schema, const BuiltIns& built_ins);

// --- Shapes, for the other parts of a draft.

// What a schema has at a field, resolved; null when it names none.
json::Value FieldOf(const Schema& schema, const json::Value& node, std::string_view key);
bool IsCount(const json::Value& node);

}  // namespace wmap::schema
