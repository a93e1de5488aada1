#include "schema/history.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "definition/report.h"
#include "definition/silences.h"
#include "schema/documents.h"
#include "schema/renamed.h"

namespace wmap::schema {
namespace {

using definition::Finding;
using definition::Karta;
using definition::Report;

class Historian {
 public:
  Historian(const Karta& karta, const BuiltIns& built_ins, const Releases& releases,
            const definition::LoadOptions& loading, bool tells_unused)
      : karta_(karta),
        built_ins_(built_ins),
        releases_(releases),
        loading_(loading),
        tells_unused_(tells_unused) {}

  History Run() {
    CheckAll();
    if (history_.releases.empty()) return {};
    SetAside();
    Judge();
    return std::move(history_);
  }

 private:
  // Whether an earlier release of the same operator has the version.
  bool HadVersion(std::string_view release) const {
    return std::ranges::any_of(history_.releases, [&](const ReleaseResult& earlier) {
      return earlier.has_version && releases_.AreOfOneOperator(earlier.release, release);
    });
  }

  // One after the other, the oldest first.
  void CheckAll() {
    const definition::GroupVersionKind& kind = karta_.kind();
    std::vector<Release> all = releases_.Of(kind.group, kind.kind);
    for (auto at = all.begin(); at != all.end();) {
      const std::string name = at->name;
      const Release* own = nullptr;
      for (; at != all.end() && at->name == name; ++at) {
        if (at->version == kind.version && at->is_served) own = &*at;
      }
      if (own == nullptr && !HadVersion(name)) continue;
      ReleaseResult& result = history_.releases.emplace_back();
      result.release = name;
      result.has_version = own != nullptr;
      schemas_.push_back(own != nullptr ? own->schema : Schema());
      Report report(loading_);
      if (own != nullptr) {
        result.summary = Check(karta_, built_ins_, SubjectOf(karta_, *own, releases_), report);
        missing_.insert(result.summary.missing.begin(), result.summary.missing.end());
      } else {
        report.Add({definition::Severity::kWarning, "gone-version",
                    Cat(kind.kind, " has no version ", kind.version, " any more"), ""},
                   Cat(karta_.root().pointer, "/kind/version"));
      }
      Take(report.Take(), name);
    }
  }

  void Take(std::vector<Finding> findings, const std::string& release) {
    for (Finding& finding : findings) {
      std::size_t begin = finding.range ? finding.range->begin : 0;
      auto [known, is_new] = places_.try_emplace(
          {finding.pointer, begin, finding.id, finding.message}, history_.found.size());
      if (is_new) history_.found.push_back({std::move(finding), {}});
      std::vector<std::string>& releases = history_.found[known->second].releases;
      if (releases.empty() || releases.back() != release) releases.push_back(release);
    }
  }

  // What the definition gives a reason for.
  void SetAside() {
    definition::Silences silences(karta_);
    std::vector<ReleaseFinding> left;
    for (ReleaseFinding& found : history_.found) {
      const definition::Silence* silence = silences.Find(found.finding);
      if (silence != nullptr) found.finding.silenced_because = silence->reason;
      (silence != nullptr ? history_.silenced : left).push_back(std::move(found));
    }
    history_.found = std::move(left);
    if (!tells_unused_) return;
    Report report(loading_);
    silences.ReportUnused(definition::Rule::Of::kCheck, report);
    std::vector<std::string> releases;
    for (const ReleaseResult& result : history_.releases) releases.push_back(result.release);
    for (Finding& finding : report.Take()) {
      history_.found.push_back({std::move(finding), releases});
    }
  }

  void Judge() {
    // Of those that have the version at all.
    auto newest = std::find_if(history_.releases.rbegin(), history_.releases.rend(),
                               [](const ReleaseResult& result) { return result.has_version; });
    for (std::vector<ReleaseFinding>* findings : {&history_.found, &history_.silenced}) {
      for (ReleaseFinding& found : *findings) {
        bool is_in_newest = IsIn(found, newest->release);
        if (!is_in_newest) found.finding.severity = definition::Severity::kWarning;
        AddHistory(found);
      }
      std::ranges::stable_sort(*findings, {}, [](const ReleaseFinding& found) {
        return std::pair(found.finding.place.line, found.finding.place.column);
      });
    }
    for (const ReleaseFinding& found : history_.found) {
      for (ReleaseResult& result : history_.releases) {
        if (!IsIn(found, result.release)) continue;
        bool is_broken = found.finding.is_error();
        result.is_broken = result.is_broken || is_broken;
        result.is_warned = result.is_warned || !is_broken;
      }
    }
  }

  static bool IsIn(const ReleaseFinding& found, const std::string& release) {
    return std::ranges::find(found.releases, release) != found.releases.end();
  }

  // Also where the release lacks what is above it, which is what was found there then.
  bool IsMissingIn(std::size_t release, const ReleaseFinding& found) const {
    if (IsIn(found, history_.releases[release].release)) return true;
    auto path = missing_.find(found.finding.path);
    return path != missing_.end() &&
           Documents(built_ins_, {schemas_[release]}).Resolve(path->second).answer ==
               Resolution::Answer::kMissing;
  }

  // Since when, or until when it was there, and what took its place.
  void AddHistory(ReleaseFinding& found) {
    if (found.finding.id != "missing-field") return;
    const std::vector<ReleaseResult>& all = history_.releases;
    std::optional<std::size_t> first_with;
    std::optional<std::size_t> last_with;
    std::size_t last = 0;  // that has the version
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].has_version) continue;
      last = i;
      if (IsMissingIn(i, found)) continue;
      if (!first_with) first_with = i;
      last_with = i;
    }
    if (!first_with) return;
    bool is_gone = *last_with != last;
    if (is_gone) {
      CatTo(found.finding.message, "; ", all[*last_with].release, " was the last to have it");
      SayWhere(found, *last_with, *last_with + 1);
    } else if (*first_with > 0) {
      CatTo(found.finding.message, "; it came with ", all[*first_with].release);
      SayWhere(found, *first_with, *first_with - 1);
    }
  }

  void SayWhere(ReleaseFinding& found, std::size_t with, std::size_t without) {
    // A name that is spelt alike is no hint where the field itself is known.
    found.finding.hint.clear();
    auto path = missing_.find(found.finding.path);
    if (path == missing_.end() || without >= schemas_.size()) return;
    Documents had(built_ins_, {schemas_[with]});
    Documents lacks(built_ins_, {schemas_[without]});
    std::vector<std::string> places = PlacesLike(path->second, had, lacks);
    if (places.empty()) return;
    found.finding.hint =
        Cat("in ", history_.releases[without].release, " it may be ", Join(places, " or "));
  }

  const Karta& karta_;
  const BuiltIns& built_ins_;
  const Releases& releases_;
  const definition::LoadOptions& loading_;
  bool tells_unused_;
  History history_;
  std::vector<Schema> schemas_;  // beside history_.releases
  std::map<std::string, expr::DocumentPath> missing_;
  std::map<std::tuple<std::string, std::size_t, std::string, std::string>, std::size_t> places_;
};

}  // namespace

std::string_view ReleaseResult::result() const {
  if (!has_version) return "gone";
  return is_broken ? "broken" : is_warned ? "warn" : "pass";
}

History CheckHistory(const Karta& karta, const BuiltIns& built_ins, const Releases& releases,
                     const definition::LoadOptions& loading, bool tells_unused) {
  return Historian(karta, built_ins, releases, loading, tells_unused).Run();
}

}  // namespace wmap::schema
