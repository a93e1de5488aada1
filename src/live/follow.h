// A cluster as it changes: lists what Collect() lists, then watches it. Keeps the objects, so that
// a snapshot of a part of them can be made at any time. One thread.
//
// Nothing is owned across namespaces, so each namespace is a part of its own, and a change costs
// what its namespace holds. Only where an object without namespace is of a covered kind, and so may
// own pods anywhere, all is one part.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "definition/registry.h"
#include "inspect/snapshot.h"
#include "kube/client.h"
#include "kube/discovery.h"
#include "kube/watch.h"
#include "live/collect.h"
#include "live/demand.h"

namespace wmap::live {

class Follower {
 public:
  // Keeps references to all.
  Follower(kube::Client& client, const kube::Discovery& discovery,
           const definition::Registry& registry, const Scope& scope);

  // Lists everything. What cannot be read is among gaps().
  void Start(const std::function<void()>& tick);
  // Waits until something has changed, at most so long, and a little longer for what comes with it.
  // False when nothing did. Errors: the server is lost for good.
  Result<bool> AwaitChange(std::int64_t timeout_ms);
  // The parts that have changed since the last call, at the first one all: namespaces, or "" alone,
  // the one part that is everything.
  std::set<std::string> TakeChanged();
  // Adds what there is of a part now, and all that has no namespace. Returns how many objects the
  // part has.
  std::size_t Fill(const std::string& part, inspect::Snapshot& snapshot) const;
  // What could not be read, or cannot be watched.
  const std::vector<Gap>& gaps() const { return gaps_; }

 private:
  using Objects = std::map<std::string, std::string>;  // identity -> compact JSON
  struct Followed {
    kube::ListQuery query;
    std::map<std::string, Objects> objects;  // by namespace
    std::unique_ptr<kube::Watch> watch;      // null: it cannot be watched
  };

  void Follow(std::vector<kube::ListQuery> queries, const std::function<void()>& tick);
  void FollowNext(const std::function<void()>& tick);
  Result<void> ListAgain(Followed& followed);
  Result<bool> TakeAll();
  void Take(Followed& followed, kube::Watch::Change change, const json::Value& object);
  void AddGap(const Followed& followed, const Error& error);

  kube::Client& client_;
  Demand demand_;
  std::deque<Followed> followed_;
  std::vector<Gap> gaps_;
  const definition::Registry& registry_;
  std::set<std::string> changed_;   // namespaces
  std::set<std::string> are_here_;  // namespaces of which there was something
  bool is_one_part_ = false;
  std::string text_;  // of the object at hand
};

}  // namespace wmap::live
