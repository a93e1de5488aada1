// Silences: findings that the author of a definition knows of and gives a reason for, in the
// extensions (`silenced`).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "definition/finding.h"
#include "definition/karta.h"
#include "definition/report.h"
#include "definition/rule_list.h"

namespace wmap::definition {

class Silences {
 public:
  // `karta` outlives this.
  explicit Silences(const Karta& karta) : karta_(karta), used_(karta.silences.size()) {}

  // Why a finding is silenced; null when it is not. Remembers that the silence was of use.
  const Silence* Find(const Finding& finding);

  // Takes the silenced ones out, with their reasons.
  std::vector<Finding> TakeFrom(Report& report);

  // unused-silence for those of rules of one command that were of no use so far.
  void ReportUnused(Rule::Of of, Report& report) const;

 private:
  bool IsAbout(const Silence& silence, const Finding& finding) const;

  const Karta& karta_;
  std::vector<bool> used_;
};

}  // namespace wmap::definition
