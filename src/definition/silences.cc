#include "definition/silences.h"

#include "base/text.h"

namespace wmap::definition {
namespace {

// Whether `path` is `place` or below it; `steps` are the characters that a step may begin with.
bool IsBelow(std::string_view path, std::string_view place, std::string_view steps) {
  if (!path.starts_with(place)) return false;
  return path.size() == place.size() || steps.contains(path[place.size()]);
}

}  // namespace

bool Silences::IsAbout(const Silence& silence, const Finding& finding) const {
  if (silence.rule != finding.id) return false;
  if (silence.at.starts_with('/')) return IsBelow(finding.pointer, silence.at, "/");
  if (silence.at.starts_with('.')) return IsBelow(finding.path, silence.at, ".[");
  const Component* component = karta_.Find(silence.at);
  return component != nullptr && IsBelow(finding.pointer, component->pointer, "/");
}

const Silence* Silences::Find(const Finding& finding) {
  const Silence* found = nullptr;
  for (std::size_t i = 0; i < karta_.silences.size(); ++i) {
    if (!IsAbout(karta_.silences[i], finding)) continue;
    used_[i] = true;
    if (found == nullptr) found = &karta_.silences[i];
  }
  return found;
}

std::vector<Finding> Silences::TakeFrom(Report& report) {
  return report.TakeIf([&](Finding& finding) {
    const Silence* silence = Find(finding);
    if (silence != nullptr) finding.silenced_because = silence->reason;
    return silence != nullptr;
  });
}

void Silences::ReportUnused(Rule::Of of, Report& report) const {
  for (std::size_t i = 0; i < karta_.silences.size(); ++i) {
    const Silence& silence = karta_.silences[i];
    const Rule* rule = FindRule(silence.rule);
    if (used_[i] || rule == nullptr || rule->of != of) continue;
    report.AddAt({Severity::kWarning, "unused-silence",
                  Cat("there is no finding ", silence.rule, " at ", silence.at, " to be silenced"),
                  "leave it out"},
                 silence.pointer, silence.spot);
  }
}

}  // namespace wmap::definition
