// Decoding: from a document's values to the fields of a Karta, by tables of field names.
#pragma once

#include "definition/karta.h"
#include "definition/report.h"
#include "json/value.h"

namespace wmap::definition {

// What decoding finds beside the model.
struct Decoded {
  Karta karta;
  bool has_root = false;
  json::Value extensions;  // the annotation's value, or null
};

// Reads every field that can be read. What cannot, is absent in the model and in the report:
// unknown-field, field-case, wrong-type, null-field, missing-field.
Decoded Decode(const json::Value& document, Report& report);

}  // namespace wmap::definition
