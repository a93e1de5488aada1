// A cluster as it changes: lists what Collect() lists, then watches it. Keeps the objects, so that
// a snapshot of a part of them can be made at any time. One thread.
//
// Nothing is owned across namespaces, so each namespace is a part of its own, and a change costs
// what its namespace holds. Only where an object without namespace is of a covered kind, and so may
// own pods anywhere, all is one part.
//
// What cannot be watched is listed again from time to time. A type that the server has no more
// drops out, and is looked for again; every other fault is waited out, and what is shown stays
// meanwhile. A question every few seconds shows whether the server still answers, and which types
// it has by now.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
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
  // Keeps references to client, registry and scope. `definitions` are those that the registry has
  // of the cluster; nothing when it is not followed which there are.
  Follower(kube::Client& client, std::shared_ptr<const kube::Discovery> discovery,
           const definition::Registry& registry, const Scope& scope,
           std::optional<DefinitionsRead> definitions);

  // Lists everything. What cannot be read is among gaps().
  void Start(const std::function<void()>& tick);
  // Waits until something has changed, or is_outdated(), at most so long, and a little longer for
  // what comes with it. False when nothing did. Errors: the server is lost for good.
  Result<bool> AwaitChange(std::int64_t timeout_ms);
  // The parts that have changed since the last call, at the first one all: namespaces, or "" alone,
  // the one part that is everything.
  std::set<std::string> TakeChanged();
  // Adds what there is of a part now, and all that has no namespace. Returns how many objects the
  // part has.
  std::size_t Fill(const std::string& part, inspect::Snapshot& snapshot) const;
  // What could not be read, or cannot be watched.
  const std::vector<Gap>& gaps() const { return gaps_; }

  // Whether something that was read points at what one of them is about; see Gap.
  bool IsPointedAt(const Gap& gap) const { return demand_.IsPointedAt(gap.group, gap.kind); }

  // There are other definitions, or types that were not there: only another follower sees what
  // they make of the cluster. This one goes on with what it knows.
  bool is_outdated() const { return is_outdated_; }
  // The types that there are by now.
  const std::shared_ptr<const kube::Discovery>& newest() const { return newest_; }
  // Another one cannot be had now: is_outdated() again after a while.
  void PutOff();

 private:
  using Objects = std::map<std::string, std::string>;  // identity -> compact JSON
  struct Followed {
    kube::ListQuery query;
    std::map<std::string, Objects> objects;    // by namespace
    std::unique_ptr<kube::Watch> watch = {};   // null: not now
    std::optional<std::int64_t> list_at_ms{};  // when it is listed again; nothing: never
    std::int64_t failed_at_ms = 0;
    std::int64_t pause_ms = 0;
    std::int64_t absent_since_ms = 0;   // the server has no such type; 0 = it has
    bool was_dropped = false;           // for that reason
    bool is_known = false;              // `objects` is what there is, or was a moment ago
    bool is_behind = false;             // a fault is waited out
    std::set<std::string_view> told{};  // the verbs that are refused
  };

  void Follow(std::vector<kube::ListQuery> queries, const std::function<void()>& tick);
  void FollowNext(const std::function<void()>& tick);
  void BeginWatch(Followed& followed, std::string resource_version);
  Result<void> ListAgain(Followed& followed);
  Result<bool> TakeAll();
  Result<void> TakeOne(Followed& followed);
  void Take(Followed& followed, kube::Watch::Change change, const json::Value& object);
  Result<void> WaitOut(Followed& followed, const Error& error, std::string_view verb);
  void Refused(Followed& followed, const Error& error, std::string_view verb);
  void Absent(Followed& followed);
  void Clear(Followed& followed);
  void AddGap(Followed& followed, const Error& error, std::string_view verb);
  void TakeDefinitions();
  Result<void> Look();
  void TakeAnswer();
  bool is_live() const;
  bool is_settled() const;

  kube::Client& client_;
  std::shared_ptr<const kube::Discovery> discovery_;
  Demand demand_;
  std::deque<Followed> followed_;
  std::vector<Gap> gaps_;
  const definition::Registry& registry_;
  std::set<std::string> changed_;   // namespaces
  std::set<std::string> are_here_;  // namespaces of which there was something
  bool is_one_part_ = false;
  std::string text_;  // of the object at hand

  std::map<std::string, std::int64_t> generations_;  // of the definitions
  std::unique_ptr<kube::Watch> definitions_;
  bool has_other_definitions_ = false;
  bool has_new_types_ = false;  // since the last look at what they mean
  bool has_other_types_ = false;

  // The question whether the server is there, and what types it has.
  std::unique_ptr<kube::Exchange> look_;
  kube::Request question_;
  std::int64_t look_at_ms_ = 0;
  std::int64_t looked_at_ms_ = 0;
  std::int64_t reconnected_at_ms_ = 0;
  std::shared_ptr<const kube::Discovery> newest_;
  std::int64_t put_off_until_ms_ = 0;
  bool is_outdated_ = false;
};

}  // namespace wmap::live
