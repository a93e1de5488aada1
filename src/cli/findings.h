// What validate and check have found, in the forms that programs read: JSON, SARIF 2.1.0, and the
// commands that code hosts turn into annotations of a change.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "cli/context.h"
#include "cli/options.h"
#include "definition/finding.h"
#include "json/value.h"

namespace wmap::cli {

// A finding, and in which releases it is; none: it is about no release, or all.
struct Told {
  const definition::Finding* finding = nullptr;
  std::span<const std::string> releases = {};
};

// One finding. Views what `told` refers to, as FindingsJson() does.
json::Value FindingJson(const Told& told, Arena& arena);
// A list of them.
json::Value FindingsJson(std::span<const Told> told, Arena& arena);

// A whole log of one run. Silenced findings are in it as suppressed.
std::string SarifOf(std::span<const Told> told);
// "::error file=…,line=…::message", one line each; silenced findings are left out.
std::string GithubOf(std::span<const Told> told);

// Whether a finding is enough to fail.
bool Fails(const definition::Finding& finding, FailOn fail_on);

}  // namespace wmap::cli
