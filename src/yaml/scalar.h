// What a plain scalar means: the rules of the API machinery's YAML layer (go-yaml v2 and the
// conversion to JSON in sigs.k8s.io/yaml), as a function of its text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/error.h"
#include "json/value.h"

namespace wmap::yaml {

struct Scalar {
  enum class Kind : std::uint8_t { kText, kNull, kBool, kInt, kFloat, kMerge };

  Kind kind = Kind::kText;
  // Null for kText and kMerge. A kFloat may be infinite or NaN, which no JSON document can hold.
  json::Value value;
};

// The meaning of unquoted text without a tag. Memory only for integers from 2^63 to 2^64-1, which
// keep their digits.
Scalar ResolvePlain(std::string_view text, Arena& arena);

// The meaning of text, quoted or not, with an explicit tag ("tag:yaml.org,2002:int"; a foreign tag
// means text). The error says what the text is instead. Text of !!binary is decoded.
Result<Scalar> ResolveTagged(std::string_view tag, std::string_view text, Arena& arena);

// Whether unquoted `text` is read as text by these rules, and by those of YAML 1.1 as well, where
// they differ (12:30:45 is a number there).
bool IsTextWhenPlain(std::string_view text);

// The text of a scalar used as key of a mapping. `value` is a boolean, a number or a string.
std::string_view KeyText(const json::Value& value, Arena& arena);

}  // namespace wmap::yaml
