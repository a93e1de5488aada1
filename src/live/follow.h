// A cluster as it changes: lists what Collect() lists, then watches it. Keeps the objects, so that
// a snapshot can be made at any time. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
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
  // Adds what there is now.
  void Fill(inspect::Snapshot& snapshot) const;
  // What could not be read, or cannot be watched.
  const std::vector<Gap>& gaps() const { return gaps_; }

 private:
  struct Followed {
    kube::ListQuery query;
    std::map<std::string, std::string> objects;  // identity -> compact JSON
    std::unique_ptr<kube::Watch> watch;          // null: it cannot be watched
  };

  void Follow(std::vector<kube::ListQuery> queries, const std::function<void()>& tick);
  void FollowNext(const std::function<void()>& tick);
  Result<void> ListAgain(Followed& followed);
  Result<bool> TakeAll();
  void Take(Followed& followed, kube::Watch::Change change, const json::Value& object);

  kube::Client& client_;
  Demand demand_;
  std::deque<Followed> followed_;
  std::vector<Gap> gaps_;
  bool changed_ = false;
};

}  // namespace wmap::live
