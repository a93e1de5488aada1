#include "gang/groups.h"

#include "base/text.h"

namespace wmap::gang {

Plan PlanOfOwner(const json::Value& object) {
  json::Value metadata = object.Get("metadata");
  Plan plan;
  plan.name_space = metadata.Get("namespace").text_or_empty();
  plan.owner.api_version = object.Get("apiVersion").text_or_empty();
  plan.owner.kind = object.Get("kind").text_or_empty();
  plan.owner.name = metadata.Get("name").text_or_empty();
  plan.owner.uid = metadata.Get("uid").text_or_empty();
  plan.name = Cat("pg-", plan.owner.name, '-', plan.owner.uid);
  plan.min_member = 1;
  return plan;
}

Result<WorkloadGroups> GroupsOf(const definition::Karta& karta, const json::Value& object,
                                std::span<const json::Value> pods, const Options& options,
                                const expr::Limits& limits) {
  if (!karta.gang) return WorkloadGroups();
  Arena arena;
  expr::Evaluator evaluator(arena, limits);
  DefinitionRule rule(karta, object, evaluator, options);
  WMAP_TRY(WorkloadGroups groups, rule.PlanWorkload(pods, PlanOfOwner(object)));
  groups.wants_pods = rule.WantsPods();
  return groups;
}

}  // namespace wmap::gang
