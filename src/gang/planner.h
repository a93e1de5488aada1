// Planner: from a pod to its plan. Follows the owners up to the object that is grouped and takes
// the rule for it: native, else by definition, else the default one of a group for each top owner.
//
// A Planner holds no state of its own: the same pod and the same answers of the Cluster give the
// same plan, from any of the pods of a gang. One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "expr/evaluate.h"
#include "gang/cluster.h"
#include "gang/plan.h"
#include "gang/subject.h"
#include "json/value.h"

namespace wmap::gang {

// What is to be done with a pod.
enum class Verdict : std::uint8_t {
  kPlanned,
  kOtherScheduler,  // it is not for ours
  kSkipped,         // an annotation on it or on an owner says so
  kExternal,        // somebody else has put it into a group
  kGoing,           // it is being deleted, and its owner is gone
};

struct Planned {
  Verdict verdict = Verdict::kPlanned;
  Plan plan;  // of kPlanned
};

// The longest chain of owners that is followed.
inline constexpr std::size_t kLongestChain = 16;

class Planner {
 public:
  // Keeps references to both, which outlive it.
  Planner(Cluster& cluster, const Options& options, const expr::Limits& limits = {})
      : cluster_(cluster), options_(options), limits_(limits) {}

  // Errors: an owner that is missing or another one of the same name (kNotFound), several owners
  // of which none controls (kInvalid), owners in a circle (kLimit), and those of the rules. All of
  // them may pass, so that trying again later makes sense; none makes half a plan.
  Result<Planned> Plan(const json::Value& pod);

 private:
  struct Walk {
    std::vector<json::Value> chain;
    std::vector<Warning> warnings;
  };
  Result<Walk> WalkOwners(const json::Value& pod);
  Result<Subject> SubjectOf(const json::Value& pod, Walk walk);
  json::Value WithKind(const json::Value& pod);
  Result<gang::Plan> PlanSubject(Subject subject);
  // The object below one that only wraps it.
  Result<Subject> Below(Subject subject);
  Result<gang::Plan> PlanByDefinition(const Subject& subject, bool& is_done);

  Cluster& cluster_;
  const Options& options_;
  expr::Limits limits_;
  Arena arena_;
};

}  // namespace wmap::gang
