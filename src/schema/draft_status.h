// Draft, status: what of a kind's documents says how the workload is doing: the field of its phase
// with the words that it may have, its conditions, counters of pods, and what suspends it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "definition/karta.h"
#include "json/value.h"
#include "schema/draft_place.h"
#include "schema/schema.h"

namespace wmap::schema {

// Words by status; index: definition::Status.
using StatusWords = std::array<std::vector<std::string>, definition::kStatusCount>;

// The status that a word of a phase or condition stands for, whatever its case and separators;
// nothing for a word that says nothing.
std::optional<definition::Status> StatusOfWord(std::string_view word);

struct SuspendField {
  Place place;
  std::string suspend = "true";  // JSON
  std::string resume = "false";
  std::string why;
};

struct PhaseField {
  Place place;
  std::string why;
  StatusWords words;  // as the documents spell them
  // Where the words are from: "its enum", "its description", "the samples"; "" = from nowhere, and
  // those that are usual are asked for in any case.
  std::string source;
  std::vector<std::string> others;  // words that say nothing
};

struct ConditionsField {
  Place place;
  StatusWords types;       // that are True
  std::string source;      // as of PhaseField
  bool is_listed = false;  // there are no others
  std::vector<std::string> others;
};

struct FoundStatus {
  std::optional<SuspendField> suspend;
  std::optional<PhaseField> phase;
  std::optional<ConditionsField> conditions;
  std::vector<Place> ready;   // counters of pods that are ready
  std::vector<Place> active;  // of pods that are there
};

// `pods`: the places of pod descriptions, below which nothing suspends the workload. `samples`:
// documents of the kind.
FoundStatus FindStatus(const Schema& schema, std::span<const Place> pods,
                       std::span<const json::Value> samples);

}  // namespace wmap::schema
