#include "tests/schema_paths/definition_paths.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "expr/program.h"
#include "tests/support/reading.h"

namespace wmap::schema_paths {
namespace {

using definition::Component;
using definition::Expression;

class Collection {
 public:
  // `then`: what is done with its results.
  void Add(const Expression& expression, std::string_view place, std::string_view then = {}) {
    if (!expression) return;
    std::string source = expression.text();
    if (!then.empty()) source = Cat('(', source, "\n) | ", then);
    auto program = expr::Program::Compile(source);
    if (!program) testing::DieOf(program.error().Describe(), source);
    for (const expr::DocumentPath& path : expr::FindDocumentPaths(*program)) {
      found_.paths.try_emplace(path, place);
    }
    found_.pointers.insert(expression.pointer());
  }

  DefinitionPaths Take() { return std::move(found_); }

 private:
  DefinitionPaths found_;
};

void AddSpec(const definition::SpecDefinition& spec, const std::string& at, Collection& to) {
  to.Add(spec.pod_template, Cat(at, "podTemplateSpecPath"),
         ".metadata.annotations, .spec.containers[].resources.limits");
  to.Add(spec.pod_spec, Cat(at, "podSpecPath"), ".containers[].resources.limits");
  to.Add(spec.metadata, Cat(at, "metadataPath"), ".annotations");
  if (!spec.fragmented) return;
  to.Add(spec.fragmented->containers, Cat(at, "containersPath"), ".[].resources.limits");
  to.Add(spec.fragmented->container, Cat(at, "containerPath"), ".resources.limits");
  to.Add(spec.fragmented->resources, Cat(at, "resourcesPath"), ".limits");
  for (const Expression* part : spec.fragmented->paths()) {
    to.Add(*part, Cat(at, "fragmentedPodSpecDefinition"));
  }
}

bool AsksForReason(const definition::StatusDefinition& status) {
  for (const auto& matchers : status.mappings) {
    for (const definition::Matcher& matcher : matchers) {
      for (const definition::ExpectedCondition& condition : matcher.by_conditions) {
        if (!condition.reason.empty()) return true;
      }
    }
  }
  return false;
}

void AddStatus(const definition::StatusDefinition& status, const std::string& at, Collection& to) {
  to.Add(status.phase, Cat(at, "phaseDefinition"));
  if (status.conditions) {
    const definition::ConditionsDefinition& conditions = *status.conditions;
    std::vector<std::string> fields = {conditions.type_field, conditions.status_field};
    if (AsksForReason(status)) fields.push_back(conditions.reason_field);
    for (const std::string& field : fields) {
      to.Add(conditions.path, Cat(at, "conditionsDefinition"), Cat(".[][", Quote(field), ']'));
    }
  }
  for (std::size_t i = 0; i < definition::kStatusCount; ++i) {
    auto status_key = definition::StatusKey(static_cast<definition::Status>(i));
    for (const definition::Matcher& matcher : status.mappings[i]) {
      if (matcher.by_expression) to.Add(matcher.by_expression->expression, Cat(at, status_key));
    }
  }
}

void AddComponent(const Component& component, Collection& to) {
  std::string at = Cat(component.name, '.');
  to.Add(component.instance_id_path, Cat(at, "instanceIdPath"));
  if (component.spec) AddSpec(*component.spec, at, to);
  if (component.scale) {
    to.Add(component.scale->replicas, Cat(at, "replicasPath"));
    to.Add(component.scale->min_replicas, Cat(at, "minReplicasPath"));
    to.Add(component.scale->max_replicas, Cat(at, "maxReplicasPath"));
  }
  if (component.status) AddStatus(*component.status, at, to);
  if (component.suspend) {
    for (const auto* actions :
         {&component.suspend->suspend_actions, &component.suspend->resume_actions}) {
      for (const definition::SuspendAction& action : *actions) {
        to.Add(action.path, Cat(at, "suspendDefinition"));
      }
    }
  }
  to.Add(component.wanted, Cat(at, "wanted"));
  to.Add(component.active, Cat(at, "active"));
  to.Add(component.exists, Cat(at, "exists"));
  to.Add(component.described, Cat(at, "described"));
  to.Add(component.owner_instance, Cat(at, "ownerInstance"));
  to.Add(component.starts_after, Cat(at, "startsAfter"));
  to.Add(component.starts_by_index, Cat(at, "startsByIndex"));
  to.Add(component.created_later, Cat(at, "createdLater"));
  to.Add(component.wraps, Cat(at, "wraps"));
}

}  // namespace

DefinitionPaths PathsOf(const definition::Karta& karta) {
  Collection paths;
  for (const Component& component : karta.components) AddComponent(component, paths);
  paths.Add(karta.status_reason, "status.reason");
  paths.Add(karta.status_message, "status.message");
  paths.Add(karta.status_holds, "status.holdsOnReadyPods");
  paths.Add(karta.minimum, "minimum");
  for (const definition::ObjectRead& object : karta.objects) {
    paths.Add(object.name, Cat("objects.", object.kind));
  }
  return paths.Take();
}

}  // namespace wmap::schema_paths
