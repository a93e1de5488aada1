// Draft, counts: how many pods there are of each description, by the numbers in the objects on the
// way to it.
#pragma once

#include <optional>
#include <vector>

#include "json/value.h"
#include "schema/draft_place.h"
#include "schema/draft_pods.h"
#include "schema/pod_shapes.h"

namespace wmap::schema {

// A description of pods, and the objects that it is in, the outermost first.
struct PodCandidate {
  struct Level {
    Place place;
    json::Value node;
  };
  PodPlace pod;
  std::vector<Level> above;
  // Nothing of its own says that it is placed as a pod.
  bool is_weak = false;
};

// Finds the counts, bounds and ranks of all. Their names are known.
void FindCounts(const PodShapes& shapes, std::vector<PodCandidate>& candidates);

// "minAvailable" of the whole, where all pods stand in lists further down.
std::optional<Place> FindMinimum(const PodShapes& shapes,
                                 const std::vector<PodCandidate>& candidates);

}  // namespace wmap::schema
