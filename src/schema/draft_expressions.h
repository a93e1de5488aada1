// Draft, expressions: what was found of counts and of the status, in the language of definitions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "definition/karta.h"
#include "schema/draft_pods.h"
#include "schema/draft_status.h"

namespace wmap::schema {

// One number for each instance: the counts on the way to the pods, multiplied.
std::string ReplicasText(const PodPlace& pod);
// The same of a bound, which stands for the innermost of them.
std::string BoundText(const PodPlace& pod, const Place& bound);

// `.metadata.labels["key"]` of a pod.
std::string LabelText(std::string_view key);

// One word for what a workload is doing: each line of the expression, and the statuses whose keys
// it may give. None where the documents say nothing.
struct StateExpression {
  std::vector<std::string> lines;
  std::vector<definition::Status> results;
};
StateExpression StateOf(const FoundPods& pods, const FoundStatus& status);

}  // namespace wmap::schema
