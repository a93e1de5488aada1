#include <array>
#include <string>
#include <string_view>

#include "base/text.h"
#include "definition/decoder.h"
#include "definition/lint.h"

namespace wmap::definition {
namespace {

constexpr Report::Part kValue = Report::Part::kValue;

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// A minimum that is the maximum bounds nothing, and one of both is most likely another field.
void CheckBounds(const ScaleDefinition& scale, Report& report) {
  const Expression& minimum = scale.min_replicas;
  const Expression& maximum = scale.max_replicas;
  if (!minimum || minimum.text() != maximum.text() || IsNumber(minimum.text())) return;
  report.Add({Severity::kWarning, "same-bounds",
              Cat("the maximum reads what the minimum does, ", maximum.text()),
              "leave both out where the count is fixed"},
             maximum.pointer(), kValue);
}

// Whether a component may have more than one copy.
bool IsScaled(const Component& component) {
  return component.scale && component.scale->replicas && component.scale->replicas.text() != "1";
}

// Gang scheduling of the format multiplies counts with those of owners; a count over the whole
// workload is then too large.
void CheckCounts(const Karta& karta, const Component& component, Report& report) {
  if (component.counts != Counts::kUnstated || !IsScaled(component)) return;
  for (std::size_t at = component.parent; at != Component::kNoParent;
       at = karta.components[at].parent) {
    const Component& owner = karta.components[at];
    if (!IsScaled(owner) && !owner.has_instances()) continue;
    report.Add({Severity::kWarning, "ambiguous-count",
                Cat("whether ", Quote(component.name), " has so many pods in each ",
                    Quote(owner.name), " or in all of them is not said"),
                Cat("say it in the extensions: {\"components\": {", Quote(component.name),
                    ": {\"counts\": \"owner\"}}}, or \"workload\"")},
               component.scale->replicas.pointer());
    return;
  }
}

}  // namespace

void LintScale(const Karta& karta, Report& report) {
  for (const Component& component : karta.components) {
    if (!component.scale) continue;
    CheckBounds(*component.scale, report);
    CheckCounts(karta, component, report);
  }
}

}  // namespace wmap::definition
