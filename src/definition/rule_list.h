// The rules that definitions are judged by: one name each, the same in every output and in
// docs/rules.md, which has a section for each of them with a wrong and a right example.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "definition/finding.h"

namespace wmap::definition {

struct Rule {
  // Which command applies it: what a definition says by itself, or against schemas of its kind.
  enum class Of : std::uint8_t { kValidate, kCheck };

  std::string_view id;
  Of of = Of::kValidate;
  // The severest that a finding of it has; one may be less severe.
  Severity severity = Severity::kError;
  std::string_view summary;  // one sentence, without a full stop

  // What makes a definition unusable stays so whatever its author thinks of it.
  bool can_be_silenced() const { return of == Of::kCheck || severity == Severity::kWarning; }
};

// In the order of the docs.
std::span<const Rule> Rules();
// Null when there is none of that name.
const Rule* FindRule(std::string_view id);

}  // namespace wmap::definition
