#include "expr/typing/places.h"

#include <algorithm>

namespace wmap::expr::typing {

using Step = PathStep::Kind;

DocumentPath Places::PathOf(Place place) const {
  DocumentPath path;
  for (; place != kRoot; place = nodes_[place].parent) path.push_back(nodes_[place].step);
  std::ranges::reverse(path);
  return path;
}

void Places::Assume(Place place, const std::set<Place>& optional) {
  while (!nodes_[place].is_assumed && !optional.contains(place)) {
    nodes_[place].is_assumed = true;
    place = nodes_[place].parent;
  }
}

bool Places::MayBeNull(Place place) const {
  while (place != kRoot && !nodes_[place].is_assumed) {
    const Node& node = nodes_[place];
    if (node.known.answer != Known::Answer::kThere) return true;
    if (node.known.kinds.Has(Kinds::kNull)) return true;
    // There is no item of what is absent.
    if (node.step.kind != Step::kKey) return false;
    place = node.parent;
  }
  return false;
}

std::vector<DocumentPath> Places::Ends() const {
  std::vector<bool> has_more(nodes_.size(), false);
  std::vector<bool> has_below(nodes_.size(), false);
  for (Place i = 1; i < nodes_.size(); ++i) {
    has_more[nodes_[i].parent] = true;
    if (is(i, Step::kBelow)) has_below[nodes_[i].parent] = true;
  }
  // What a loop goes to in its first rounds: no more is known of it than that it is below.
  auto is_said = [&](Place place) {
    Place above = is(place, Step::kBelow) ? nodes_[place].parent : place;
    while (is(above, Step::kAny)) {
      above = nodes_[above].parent;
      if (has_below[above]) return true;
    }
    return false;
  };
  auto is_below_again = [&](Place place) {
    if (!is(place, Step::kBelow)) return false;
    for (Place above = nodes_[place].parent; above != kRoot;) {
      above = nodes_[above].parent;
      if (has_below[above]) return true;
    }
    return false;
  };
  std::vector<DocumentPath> ends;
  for (Place i = 1; i < nodes_.size(); ++i) {
    if (!has_more[i] && !is_said(i) && !is_below_again(i)) ends.push_back(PathOf(i));
  }
  std::ranges::sort(ends);
  return ends;
}

std::vector<DocumentPath> Places::Open() const {
  std::vector<DocumentPath> open;
  for (Place i = 0; i < nodes_.size(); ++i) {
    bool is_first = i == kRoot || known(nodes_[i].parent).answer == Known::Answer::kThere;
    if (is_first && known(i).answer == Known::Answer::kOpen) open.push_back(PathOf(i));
  }
  std::ranges::sort(open);
  return open;
}

Place Places::Step(Place parent, PathStep step) {
  if (is(parent, Step::kBelow)) return parent;
  if (nodes_[parent].depth == kDeepest) step = PathStep::Below();
  if (is_full()) return parent;
  auto [at, is_new] =
      known_.try_emplace({parent, std::move(step)}, static_cast<Place>(nodes_.size()));
  if (is_new) {
    const PathStep& added = at->first.second;
    nodes_.push_back({.parent = parent,
                      .depth = nodes_[parent].depth + 1,
                      .step = added,
                      .known = KnownOf(parent, added)});
  }
  return at->second;
}

Known Places::KnownOf(Place parent, const PathStep& step) {
  const Known& above = known(parent);
  // What is below a missing place is missing too; the place itself is the one to speak of.
  if (above.answer != Known::Answer::kThere) return {.answer = above.answer};
  switch (step.kind) {
    case Step::kKey:
      return documents_.Member(above, step.key);
    case Step::kAny:
      return documents_.Item(above);
    case Step::kBelow:
      break;
  }
  return {};
}

}  // namespace wmap::expr::typing
