#include "schema/draft_counts.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace wmap::schema {
namespace {

using json::Value;

// What a count is called, by its last word: "minReplicas" -> "replicas".
struct CountName {
  std::string_view name;
  CountField::Role role;
};
constexpr std::array kCounts = {
    CountName{"replicas", CountField::Role::kReplicas},
    CountName{"replicacount", CountField::Role::kReplicas},
    CountName{"numreplicas", CountField::Role::kReplicas},
    CountName{"instances", CountField::Role::kReplicas},
    CountName{"numinstances", CountField::Role::kReplicas},
    CountName{"parallelism", CountField::Role::kReplicas},
    CountName{"parallel", CountField::Role::kReplicas},
    CountName{"numnodes", CountField::Role::kReplicas},
    CountName{"numworkers", CountField::Role::kReplicas},
    CountName{"workers", CountField::Role::kReplicas},
    CountName{"count", CountField::Role::kReplicas},
    CountName{"completions", CountField::Role::kCompletions},
    CountName{"numofhosts", CountField::Role::kEach},
    CountName{"numhosts", CountField::Role::kEach},
    CountName{"hosts", CountField::Role::kEach},
    CountName{"nodecount", CountField::Role::kEach},
    CountName{"podsperreplica", CountField::Role::kEach},
    CountName{"size", CountField::Role::kEach},
    CountName{"pipeline", CountField::Role::kEach},
    CountName{"pipelineparallelsize", CountField::Role::kEach},
};
constexpr std::array<std::string_view, 10> kBounded = {
    "replicas", "available", "instances", "executors", "nodes",
    "workers",  "members",   "member",    "count",     "replicacount"};

// Fields that hold the bounds of what they stand beside.
bool HoldsCounts(std::string_view field) {
  return IsAmong(ToLower(field), {"multinode", "scaling", "scale", "scaleconfig", "autoscaling",
                                  "autoscalingconfig", "autoscaler", "elasticpolicy", "hpa",
                                  "dynamicallocation", "parallelism"});
}

class CountFinder {
 public:
  CountFinder(const PodShapes& shapes, const std::vector<PodCandidate>& candidates)
      : shapes_(shapes), candidates_(candidates) {}

  void Complete(PodPlace& pod, const std::vector<PodCandidate::Level>& levels) const {
    RankIn(pod, levels);
    for (const PodCandidate::Level& level : levels) {
      if (!IsOfOthers(pod, level.place)) AddCounts(pod, level);
    }
    AddBounds(pod, levels);
    FindGroups(pod, levels);
  }

 private:
  // Leaders and workers of groups stand beside each other, with the size of a group.
  void RankIn(PodPlace& pod, const std::vector<PodCandidate::Level>& levels) const {
    if (pod.place.empty() || !pod.place.back().is_field()) return;
    for (const PodCandidate::Level& level : levels) {
      if (level.place.size() + 1 != pod.place.size()) continue;
      std::string leader;
      std::string worker;
      for (const PodCandidate& other : candidates_) {
        const Place& place = other.pod.place;
        if (place == level.place || !Describes(level.place, place)) continue;
        std::string lower = ToLower(place.back().key);
        if (lower.starts_with("worker")) worker = place.back().key;
        if (lower.starts_with("leader")) leader = place.back().key;
        if (lower == "template" && leader.empty()) leader = place.back().key;
      }
      bool has_size = PodShapes::HasField(level.node, "size") ||
                      PodShapes::HasField(shapes_.Field(level.node, "parallelism"), "pipeline");
      if (leader.empty() || worker.empty() || !has_size) return;
      const std::string& key = pod.place.back().key;
      if (key != leader && key != worker) return;
      pod.rank = key == leader ? PodPlace::Rank::kLeader : PodPlace::Rank::kWorker;
      if (key == leader) return;
      pod.leader = level.place;
      pod.leader->push_back({PlaceStep::Kind::kField, leader});
    }
  }

  void AddCounts(PodPlace& pod, const PodCandidate::Level& level) const {
    std::size_t before = pod.counts.size();
    for (const json::Member& member : PodShapes::InOrder(level.node)) {
      Value value = shapes_.Resolve(member.value);
      std::string lower = ToLower(member.key);
      Place place = level.place;
      place.push_back({PlaceStep::Kind::kField, std::string(member.key)});
      if (IsCount(value)) {
        auto known = std::ranges::find(kCounts, lower, &CountName::name);
        if (known != kCounts.end()) AddCount(pod, place, known->role, value);
      } else if (HoldsCounts(member.key)) {
        AddNestedCounts(pod, place, value);
      }
    }
    // Copies before what each of them has.
    std::stable_sort(pod.counts.begin() + static_cast<std::ptrdiff_t>(before), pod.counts.end(),
                     [](const CountField& a, const CountField& b) { return a.role < b.role; });
  }

  // "multinode: {nodeCount}", "multiNode: {parallelism: {pipeline}}".
  void AddNestedCounts(PodPlace& pod, const Place& above, const Value& node, int depth = 0) const {
    for (const json::Member& member : PodShapes::InOrder(node)) {
      Value value = shapes_.Resolve(member.value);
      Place place = above;
      place.push_back({PlaceStep::Kind::kField, std::string(member.key)});
      if (depth == 0 && !IsCount(value) && HoldsCounts(member.key)) {
        AddNestedCounts(pod, place, value, depth + 1);
        continue;
      }
      auto known = std::ranges::find(kCounts, ToLower(member.key), &CountName::name);
      if (!IsCount(value) || known == kCounts.end() || known->role != CountField::Role::kEach) {
        continue;
      }
      std::size_t before = pod.counts.size();
      AddCount(pod, place, known->role, value);
      if (pod.counts.size() == before) continue;
      CountField& added = pod.counts.back();
      added.holder = above;
      if (PodShapes::HasField(node, "data") && PodShapes::HasField(node, "dataLocal")) {
        Place data = above;
        data.push_back({PlaceStep::Kind::kField, "data"});
        Place local = above;
        local.push_back({PlaceStep::Kind::kField, "dataLocal"});
        added.ratio.emplace(std::move(data), std::move(local));
      }
    }
  }

  static void AddCount(PodPlace& pod, Place place, CountField::Role role, const Value& value) {
    CountField count;
    count.place = std::move(place);
    count.role = role;
    if (value.Get("default").is_int()) {
      count.otherwise = value.Get("default").as_int();
      count.is_stated = true;
    }
    // Two names of one number in one object: the first counts.
    Place above(count.place.begin(), count.place.end() - 1);
    bool is_twin = std::ranges::any_of(pod.counts, [&](const CountField& other) {
      return other.role == role && other.place.size() == count.place.size() &&
             std::equal(above.begin(), above.end(), other.place.begin());
    });
    if (!is_twin) pod.counts.push_back(std::move(count));
  }

  // Whether the numbers of an object are about pods that it describes itself, and so not about one
  // further down.
  bool IsOfOthers(const PodPlace& pod, const Place& level) const {
    return !Describes(level, pod.place) &&
           std::ranges::any_of(candidates_, [&](const PodCandidate& other) {
             return Describes(level, other.pod.place);
           });
  }

  // Whether pods are described by the fields of an object, or one of them.
  static bool Describes(const Place& level, const Place& pod) {
    return pod == level || (IsBelow(pod, level) && pod.size() == level.size() + 1);
  }

  // The innermost bounds that are its own.
  void AddBounds(PodPlace& pod, const std::vector<PodCandidate::Level>& levels) const {
    for (std::size_t i = levels.size(); i-- > 0;) {
      // Beyond the list that it is in, only what names it is about it alone.
      bool is_own = levels[i].place.size() >= EndOfLists(pod.place);
      is_own = is_own && !IsOfOthers(pod, levels[i].place) &&
               (Describes(levels[i].place, pod.place) || !SharesLevel(levels[i].place));
      AddBoundsAt(pod, levels[i].place, levels[i].node, is_own, 0);
    }
  }

  // Whether other pods are below it too.
  bool SharesLevel(const Place& place) const {
    return std::ranges::count_if(candidates_, [&](const PodCandidate& candidate) {
             return IsBelow(candidate.pod.place, place);
           }) > 1;
  }

  // What stands in the object itself comes before what stands in one that holds bounds.
  void AddBoundsAt(PodPlace& pod, const Place& above, const Value& node, bool is_own,
                   int depth) const {
    for (const json::Member& member : PodShapes::InOrder(node)) {
      if (!IsCount(shapes_.Resolve(member.value))) continue;
      AddBound(pod, above, member.key, is_own);
    }
    if (depth == 2) return;
    for (const json::Member& member : PodShapes::InOrder(node)) {
      if (!HoldsCounts(member.key)) continue;
      Place place = above;
      place.push_back({PlaceStep::Kind::kField, std::string(member.key)});
      // The policy of a map with workers among its entries.
      bool is_elastic = ToLower(member.key) == "elasticpolicy" && ListsOn(pod.place) == 1;
      AddBoundsAt(pod, place, shapes_.Resolve(member.value), is_own || is_elastic, depth + 1);
    }
  }

  static void AddBound(PodPlace& pod, const Place& above, std::string_view key, bool is_own) {
    std::string lower = ToLower(key);
    std::string_view what = lower;
    std::optional<Place>* bound = nullptr;
    if (lower.starts_with("min")) {
      bound = &pod.min;
      what.remove_prefix(3);
    } else if (lower.starts_with("max")) {
      bound = &pod.max;
      what.remove_prefix(3);
    } else if (lower.starts_with("initial")) {
      bound = &pod.initial;
      what.remove_prefix(7);
    }
    if (bound == nullptr || *bound) return;
    if (std::ranges::find(kBounded, what) == kBounded.end()) return;
    // "minExecutors" is about the executor.
    bool names_it = what.substr(0, what.size() - 1) == pod.name;
    if (!names_it && (!is_own || what == "executors")) return;
    Place& place = bound->emplace(above);
    place.push_back({PlaceStep::Kind::kField, std::string(key)});
  }

  // A list beside the one that the pods are in, whose items name items of that.
  void FindGroups(PodPlace& pod, const std::vector<PodCandidate::Level>& levels) const {
    if (ListsOn(pod.place) != 1) return;
    std::size_t list = EndOfLists(pod.place) - 1;
    if (list == 0 || pod.place[list].kind != PlaceStep::Kind::kItems) return;
    std::string stem = ToLower(pod.place[list - 1].key);
    if (stem.ends_with('s')) stem.pop_back();
    for (const PodCandidate::Level& level : levels) {
      if (level.place.size() + 1 != list) continue;
      for (const json::Member& member : PodShapes::InOrder(level.node)) {
        Value item = shapes_.Resolve(shapes_.Resolve(member.value).Get("items"));
        if (!IsCount(shapes_.Field(item, "replicas"))) continue;
        for (const json::Member& field : PodShapes::InOrder(item)) {
          Value names = shapes_.Resolve(field.value);
          bool is_list = IsOfType(shapes_.Resolve(names.Get("items")), "string");
          if (!is_list || ToLower(field.key) != Cat(stem, "names")) continue;
          NamedBy& named = pod.named_by.emplace();
          named.list = level.place;
          named.list.push_back({PlaceStep::Kind::kField, std::string(member.key)});
          named.names = field.key;
          named.replicas = "replicas";
        }
      }
    }
  }

  const PodShapes& shapes_;
  const std::vector<PodCandidate>& candidates_;
};

// Policies are about the whole too.
void FindMinimumIn(const PodShapes& shapes, const Value& node, Place& path,
                   std::optional<Place>& found) {
  for (const json::Member& member : shapes.InOrder(node)) {
    if (found) return;
    Value value = shapes.Resolve(member.value);
    std::string lower = ToLower(member.key);
    path.push_back({PlaceStep::Kind::kField, std::string(member.key)});
    if (IsAmong(lower, {"minavailable", "minmember", "minmembers"}) && IsCount(value)) {
      found = path;
    } else if (lower.ends_with("policy") && path.size() < 4) {
      FindMinimumIn(shapes, value, path, found);
    }
    path.pop_back();
  }
}

}  // namespace

void FindCounts(const PodShapes& shapes, std::vector<PodCandidate>& candidates) {
  CountFinder finder(shapes, candidates);
  for (PodCandidate& candidate : candidates) finder.Complete(candidate.pod, candidate.above);
}

std::optional<Place> FindMinimum(const PodShapes& shapes,
                                 const std::vector<PodCandidate>& candidates) {
  std::optional<Place> found;
  bool is_listed = std::ranges::all_of(
      candidates, [](const PodCandidate& one) { return ListsOn(one.pod.place) > 0; });
  if (!is_listed) return found;
  Place path{{PlaceStep::Kind::kField, "spec"}};
  FindMinimumIn(shapes, shapes.Field(shapes.Root(), "spec"), path, found);
  return found;
}

}  // namespace wmap::schema
