// Draft, samples: what objects of a kind with their pods show that no schema says: by which labels
// pods are told apart, and what the operator makes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "definition/karta.h"
#include "json/value.h"
#include "schema/draft_pods.h"

namespace wmap::schema {

// How the pods of one PodPlace are recognised.
struct SeenSelector {
  std::string type_key;    // a label; "" = not seen
  std::string type_value;  // "" = that it is there is enough
  std::string instance_key;
  bool is_lower_case = false;  // the label has the instance's name in lower case
  bool is_ending = false;      // the label ends with it
  bool is_index = false;       // type_key is the number in a group: 0 is the leader
  bool has_all = false;        // all pods that were seen are of this place alone
  std::string why;
};

struct SeenPods {
  std::size_t workloads = 0;            // objects of the kind
  std::size_t pods = 0;                 // that belong to them
  std::vector<SeenSelector> selectors;  // of FoundPods::pods
  // What the pods' controllers are, in the order of FoundPods::pods; a kind of "" = not seen.
  std::vector<definition::GroupVersionKind> controllers;
  std::vector<definition::GroupVersionKind> made;  // kinds below the workloads, without pods
  std::vector<std::string> chains;                 // "JobSet > Job > Pod"
};

SeenPods ReadSamples(const definition::GroupVersionKind& kind, const FoundPods& pods,
                     std::span<const json::Value> samples);

// The samples of the kind itself.
std::vector<json::Value> SamplesOf(const definition::GroupVersionKind& kind,
                                   std::span<const json::Value> samples);

// The values at a place of a document, with the names of the instances that they are in; `ids` as
// in PodPlace.
struct SeenValue {
  std::string id;
  json::Value value;
};
std::vector<SeenValue> ValuesAt(const Place& place, const std::vector<std::string>& ids,
                                const json::Value& document);

}  // namespace wmap::schema
