// Loading definitions: from documents to checked, compiled Kartas.
//
// Loading reads every field, applies the defaults of the schema, compiles every expression and
// validates, and reports all that it finds at once, in the order of the document.
// It never fails as a whole: what can be read of a definition with errors is returned with
// `is_valid` false, so that its workloads can still be listed. Definitions are untrusted: any value
// is safe.
//
// Cost: about half a millisecond for a definition with thirty expressions, most of it compiling.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "definition/finding.h"
#include "definition/karta.h"
#include "json/source_map.h"
#include "json/value.h"

namespace wmap::definition {

enum class Mode : std::uint8_t {
  // For authors: unknown, misspelt and null fields are errors.
  kStrict,
  // For definitions of strangers, which other readers accept: those are warnings. A field whose
  // name
  // differs only in case is read as other readers do.
  kLenient,
};

class Report;

struct LoadOptions {
  Mode mode = Mode::kStrict;
  Origin origin = Origin::kFile;
  // Only reads and compiles: no rule is checked. For what tests have validated.
  bool trusted = false;
  // Also applies the rules that try matchers and selectors on objects, which takes some ten
  // milliseconds: for authors, not for every use.
  bool thorough = false;
  // The name of the file, for findings.
  std::string source = {};
  // The places of the document's fields, and the whole text of the file that they are places in.
  // Both are optional: findings have no places without the first, and the column inside an
  // expression is only known with the second.
  const json::SourceMap* places = nullptr;
  std::string_view text = {};
  // Where the document stands in `places`: the pointer of an item of a List.
  std::string_view root = {};
  // Called with what has been loaded, once it is judged by the rules: may add findings of its own,
  // which do not make it invalid. The Report's options are those of this document.
  std::function<void(const Karta&, Report&)> further = {};
};

struct Loaded {
  // Null when the document is no definition, or has no root component to speak of.
  std::unique_ptr<Karta> karta;
  std::vector<Finding> findings;
  std::vector<Finding> silenced;  // warnings that the definition gives a reason for
};

// Whether what was read is a document of another kind. One that only has the wrong apiVersion is
// meant as a definition.
bool IsForeign(const Loaded& loaded);

// Whether a document claims to be a definition: kind Karta of the group run.ai, in any version.
bool IsKarta(const json::Value& document);

// Loads one document. Nothing of `document` or of the options is kept.
Loaded Load(const json::Value& document, const LoadOptions& options = {});

// Loads all documents of a YAML or JSON text: for validating files, where every document has to be
// a definition, or a List with definitions, of which every item has to be one. A document that
// cannot be read gives one finding ("syntax") and no Karta; empty documents are skipped.
// `options.places`, `options.text` and `options.root` are not used.
std::vector<Loaded> LoadText(std::string_view text, const LoadOptions& options = {});

}  // namespace wmap::definition
