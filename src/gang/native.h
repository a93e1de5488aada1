// Native rules: kinds whose groups follow from what their operators do, which is more than a
// definition can say. A table of pure functions, looked up by group, version and kind.
#pragma once

#include <span>
#include <string_view>

#include "base/error.h"
#include "definition/karta.h"
#include "gang/plan.h"
#include "gang/subject.h"

namespace wmap::gang {

struct NativeRule {
  std::string_view group;
  std::string_view version;  // "*" = any
  std::string_view kind;
  std::string_view name;  // of the rule: "pytorch"
  // Null: objects of this kind only wrap another workload, which is grouped instead.
  Result<Plan> (*plan)(const Subject& subject);
};

std::span<const NativeRule> NativeRules();
// The rule for a kind: exactly this version, else (unless `exact`) any version; or nullptr.
const NativeRule* FindNativeRule(const definition::GroupVersionKind& kind, bool exact = false);

// Rules by family; see native.cc for which kind has which.
Result<Plan> PlanByDefault(const Subject& subject);
Result<Plan> PlanTensorFlow(const Subject& subject);
Result<Plan> PlanJax(const Subject& subject);
Result<Plan> PlanXGBoost(const Subject& subject);
Result<Plan> PlanPyTorch(const Subject& subject);
Result<Plan> PlanMpi(const Subject& subject);
Result<Plan> PlanJobSet(const Subject& subject);
Result<Plan> PlanLeaderWorkerSet(const Subject& subject);
Result<Plan> PlanRay(const Subject& subject);
Result<Plan> PlanGrove(const Subject& subject);

// Pods in equal segments, which topology keeps together.
struct Segments {
  std::int64_t size = 0;  // 0 = there are none
  Topology topology;
};
// The size from the first of `annotated` that has one, the levels as well. kInvalid for a size that
// is no positive integer.
Result<Segments> SegmentsOf(std::span<const json::Value> annotated);
inline constexpr std::int64_t kMostSegments = 10'000;

}  // namespace wmap::gang
