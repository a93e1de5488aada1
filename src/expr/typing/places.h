// Places: the places of a document that an expression goes to, as a tree, with what is known of
// each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "expr/document_paths.h"
#include "expr/typing.h"

namespace wmap::expr::typing {

using Place = std::uint32_t;
inline constexpr Place kRoot = 0;

class Places {
 public:
  // `documents` outlives this.
  explicit Places(DocumentTypes& documents) : documents_(documents) {
    nodes_.push_back({.known = documents.Root()});
  }

  // Then no place is added any more: what is known is not all there is.
  bool is_full() const { return nodes_.size() >= kMost; }

  Place Key(Place parent, std::string_view key) {
    return Step(parent, PathStep::Key(std::string(key)));
  }
  Place Any(Place parent) { return Step(parent, PathStep::Any()); }
  Place Below(Place parent) { return Step(parent, PathStep::Below()); }

  const Known& known(Place place) const { return nodes_[place].known; }
  Place above(Place place) const { return nodes_[place].parent; }
  bool is_missing(Place place) const { return known(place).answer == Known::Answer::kMissing; }
  DocumentPath PathOf(Place place) const;

  // From now on it is taken to be there, and all above it, up to the nearest of `optional`.
  void Assume(Place place, const std::set<Place>& optional);
  // Whether it may be absent or null, or what it is in.
  bool MayBeNull(Place place) const;

  // Those without a place below them, but for those that "anything below" says already; ascending.
  std::vector<DocumentPath> Ends() const;
  // Those that are open, but for those below others; ascending.
  std::vector<DocumentPath> Open() const;

 private:
  struct Node {
    Place parent = kRoot;
    std::uint32_t depth = 0;
    PathStep step = {};
    Known known = {};
    bool is_assumed = false;
  };

  static constexpr std::size_t kMost = 5'000;
  // Deeper than any schema, and a bound for what loops append.
  static constexpr std::uint32_t kDeepest = 40;

  Place Step(Place parent, PathStep step);
  Known KnownOf(Place parent, const PathStep& step);

  bool is(Place place, PathStep::Kind kind) const {
    return place != kRoot && nodes_[place].step.kind == kind;
  }

  DocumentTypes& documents_;
  std::vector<Node> nodes_;
  std::map<std::pair<Place, PathStep>, Place> known_;
};

}  // namespace wmap::expr::typing
