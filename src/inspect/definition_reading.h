// What a definition yields on one workload, field by field: for its author, who wants to see where
// a reading comes from, and what errs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/arena.h"
#include "definition/karta.h"
#include "inspect/report.h"
#include "json/value.h"

namespace wmap::inspect {

// A field of the definition that holds an expression.
struct FieldReading {
  // "childComponents[0].scaleDefinition.replicasPath"; the first one of those that ask alike.
  std::string field;
  std::vector<std::string> also;  // the others
  std::string expression;
  std::string on;  // what it was evaluated on: "object", "pods" or "children"
  struct Yield {
    std::string value;       // JSON, cut short
    std::int64_t times = 1;  // of pods and children: how many of them
    // On the object: its own path, or what was read for it last; "" when nothing was.
    std::string path = {};
  };
  // On the object in the order of the results; on pods the most frequent first.
  std::vector<Yield> yields;
  std::string error;
  std::int64_t failed = 0;  // pods or children that it errs on
};

struct DefinitionReading {
  std::string kind;
  std::string name_space;
  std::string name;
  std::string definition;
  std::string origin;
  std::string source;
  std::vector<FieldReading> fields;  // in the order of the format
};

// Of workload `index` of the report, which has sources.
DefinitionReading ReadDefinition(const Report& report, std::size_t index,
                                 const definition::Karta& karta);

// A DefinitionReadingList; see docs/explain.md. Stands in `arena` and views the readings.
json::Value ReadingsJson(const std::vector<DefinitionReading>& readings, Arena& arena);

}  // namespace wmap::inspect
