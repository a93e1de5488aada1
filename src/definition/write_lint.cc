#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "definition/decoder.h"
#include "definition/lint.h"
#include "expr/nature.h"
#include "expr/syntax/parser.h"
#include "expr/syntax/restrictions.h"

namespace wmap::definition {
namespace {

constexpr Report::Part kValue = Report::Part::kValue;

bool IsNeverWritable(const Expression& expression) {
  if (expression.program() == nullptr) return false;
  Result<expr::Syntax> syntax = expr::Parse(expression.text());
  // What assigns is told of as such.
  if (!syntax || expr::FindRestricted(*syntax)) return false;
  return expression.program()->FindNature().writable == expr::Nature::Writable::kNever;
}

void CheckActions(const std::vector<SuspendAction>& actions, Report& report) {
  for (const SuspendAction& action : actions) {
    if (!IsNeverWritable(action.path)) continue;
    report.Add({Severity::kWarning, "not-a-path",
                "nothing can be written here: the expression is no path into the object",
                "write the path of the field, e.g. .spec.suspend"},
               action.path.pointer(), kValue);
  }
}

const SuspendAction* FindAction(const std::vector<SuspendAction>& actions,
                                const std::string& path) {
  auto found = std::ranges::find(actions, path,
                                 [](const SuspendAction& action) { return action.path.text(); });
  return found == actions.end() ? nullptr : &*found;
}

// Whether each of them can be done; what cannot is told of as such.
bool CanAllBeDone(const std::vector<SuspendAction>& actions) {
  return !actions.empty() && std::ranges::all_of(actions, [](const SuspendAction& action) {
    if (action.path.program() == nullptr || IsNeverWritable(action.path)) return false;
    Result<expr::Syntax> syntax = expr::Parse(action.path.text());
    return syntax && !expr::FindRestricted(*syntax);
  });
}

// What one list writes the other has to take back.
void CompareActions(const std::vector<SuspendAction>& actions,
                    const std::vector<SuspendAction>& others, std::string_view doing,
                    bool compare_values, Report& report) {
  for (const SuspendAction& action : actions) {
    const SuspendAction* other = FindAction(others, action.path.text());
    if (other == nullptr) {
      report.Add({Severity::kWarning, "actions-differ",
                  Cat(doing, " does not write ", action.path.text(), " back"),
                  "both lists write the same fields"},
                 action.path.pointer(), kValue);
    } else if (compare_values && other->value == action.value) {
      report.Add(
          {Severity::kWarning,
           "actions-differ",
           Cat("suspending and resuming both write ", action.value, " to ", action.path.text()),
           {}},
          other->path.pointer(), kValue);
    }
  }
}

// A constant null is a template that the object does not have.
void CheckPart(const Expression& part, Report& report) {
  if (part.text() == "null" || !IsNeverWritable(part)) return;
  report.Add({Severity::kWarning, "read-only-path",
              Cat(LastName(part.pointer()),
                  " can be read and not written: it gives values that "
                  "are made, not places of the object"),
              "where it cannot be a path, silence this with the reason"},
             part.pointer(), kValue);
}

void CheckSpec(const SpecDefinition& spec, Report& report) {
  for (const Expression* part : {&spec.pod_template, &spec.pod_spec, &spec.metadata}) {
    CheckPart(*part, report);
  }
  if (spec.metadata && spec.metadata.text() == spec.pod_spec.text()) {
    report.Add({Severity::kWarning, "metadata-in-pod",
                "the metadata are where the pod spec is: writing them takes the spec away",
                "give the path of the metadata, or leave metadataPath out"},
               spec.metadata.pointer(), kValue);
  }
  if (!spec.fragmented) return;
  for (const Expression* part : spec.fragmented->paths()) CheckPart(*part, report);
  const Expression& image = spec.fragmented->image;
  const Expression& container = spec.fragmented->container;
  if (image && container && image.text() == Cat(container.text(), ".image")) {
    report.Add({Severity::kWarning, "image-in-container",
                "other readers write the image and then its container, with the old image",
                "leave imagePath out: the container has it"},
               image.pointer(), kValue);
  }
}

}  // namespace

void LintWrites(const Karta& karta, Report& report) {
  for (const Component& component : karta.components) {
    if (!component.suspend) continue;
    const SuspendDefinition& suspend = *component.suspend;
    CheckActions(suspend.suspend_actions, report);
    CheckActions(suspend.resume_actions, report);
    if (!CanAllBeDone(suspend.suspend_actions) || !CanAllBeDone(suspend.resume_actions)) continue;
    CompareActions(suspend.suspend_actions, suspend.resume_actions, "resuming", true, report);
    CompareActions(suspend.resume_actions, suspend.suspend_actions, "suspending", false, report);
  }
}

void LintPlaces(const Karta& karta, Report& report) {
  for (const Component& component : karta.components) {
    if (component.spec) CheckSpec(*component.spec, report);
  }
}

}  // namespace wmap::definition
