#include "live/follow.h"

#include <algorithm>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "json/reader.h"
#include "json/writer.h"
#include "kube/list.h"

namespace wmap::live {
namespace {

using json::Value;
using kube::ListQuery;

// Changes come in groups: a Job and its pods.
constexpr std::int64_t kGatherMs = 50;

std::string IdentityOf(const Value& object) {
  Value metadata = object.Get("metadata");
  std::string_view uid = metadata.Get("uid").text_or_empty();
  if (!uid.empty()) return std::string(uid);
  return Cat(metadata.Get("namespace").text_or_empty(), '/', metadata.Get("name").text_or_empty());
}

}  // namespace

Follower::Follower(kube::Client& client, const kube::Discovery& discovery,
                   const definition::Registry& registry, const Scope& scope)
    : client_(client), demand_(discovery, registry, scope), registry_(registry) {}

void Follower::Start(const std::function<void()>& tick) {
  std::vector<ListQuery> covered = demand_.Covered();
  // Which of them have no owner can change; so all are kept whole.
  for (ListQuery& query : covered) query.metadata_only = false;
  Follow(std::move(covered), tick);
  Follow(demand_.Pods(), tick);
  FollowNext(tick);
}

void Follower::FollowNext(const std::function<void()>& tick) {
  for (auto queries = demand_.Next(); !queries.empty(); queries = demand_.Next()) {
    Follow(std::move(queries), tick);
  }
}

void Follower::Follow(std::vector<ListQuery> queries, const std::function<void()>& tick) {
  std::size_t first = followed_.size();
  for (ListQuery& query : queries) followed_.push_back({query, {}, nullptr});
  kube::ReadLists(
      client_, queries,
      [&](std::size_t list, const Value& object) {
        tick();
        Take(followed_[first + list], kube::Watch::Change::kSet, object);
      },
      [&](std::size_t list, const Result<std::string>& end) {
        Followed& followed = followed_[first + list];
        if (!end) {
          AddGap(followed, end.error());
        } else if (followed.query.type.can_watch) {
          followed.watch = std::make_unique<kube::Watch>(client_, followed.query, *end);
        }
      });
}

void Follower::Take(Followed& followed, kube::Watch::Change change, const Value& object) {
  std::string name_space(object.Get("metadata").Get("namespace").text_or_empty());
  changed_.insert(name_space);
  if (change == kube::Watch::Change::kGone) {
    followed.objects[name_space].erase(IdentityOf(object));
    return;
  }
  demand_.Note(followed.query.type, object);
  const kube::ApiType& type = followed.query.type;
  if (name_space.empty() && registry_.Covers(type.group, type.kind)) is_one_part_ = true;
  text_.clear();
  json::Write(object, text_);
  // A copy takes no more room than it needs.
  followed.objects[name_space][IdentityOf(object)] = std::string(text_);
}

// What was there before stays until the whole list has come: a part of it would show as gone what
// is not.
Result<void> Follower::ListAgain(Followed& followed) {
  std::map<std::string, Objects> before = std::exchange(followed.objects, {});
  for (const auto& [name_space, objects] : before) changed_.insert(name_space);
  kube::List list(client_, followed.query);
  Result<void> read =
      list.Read([&](const Value& object) { Take(followed, kube::Watch::Change::kSet, object); });
  if (!read) {
    followed.objects = std::move(before);
    return read;
  }
  followed.watch = std::make_unique<kube::Watch>(client_, followed.query, list.resource_version());
  return {};
}

void Follower::AddGap(const Followed& followed, const Error& error) {
  gaps_.push_back(GapOf(followed.query.type, error));
  // Nobody can say of which objects more was known before.
  changed_.insert("");
}

Result<bool> Follower::TakeAll() {
  for (Followed& followed : followed_) {
    if (followed.watch == nullptr) continue;
    Result<void> taken = followed.watch->Take(
        [&](kube::Watch::Change change, const Value& object) { Take(followed, change, object); });
    if (!taken && taken.error().code() == Code::kExpired) taken = ListAgain(followed);
    if (taken) continue;
    if (taken.error().code() == Code::kForbidden) {
      AddGap(followed, taken.error());
      gaps_.back().verb = "watch";
      followed.watch.reset();
    } else {
      return Fail(std::move(taken).error());
    }
  }
  FollowNext([] {});
  return !changed_.empty();
}

Result<bool> Follower::AwaitChange(std::int64_t timeout_ms) {
  bool has_watch = std::ranges::any_of(
      followed_, [](const Followed& followed) { return followed.watch != nullptr; });
  if (!has_watch) return Fail(Code::kForbidden, "there is nothing left to follow");
  std::int64_t end = client_.NowMs() + timeout_ms;
  bool changed = false;
  while (!changed) {
    WMAP_TRY(changed, TakeAll());
    std::int64_t left = end - client_.NowMs();
    if (changed || left <= 0) break;
    // A watch that ended waits for its time to begin again, which no event announces.
    WMAP_TRY_VOID(client_.Wait(std::min<std::int64_t>(left, 1000)));
  }
  if (!changed) return false;
  for (std::int64_t until = client_.NowMs() + kGatherMs; client_.NowMs() < until;) {
    WMAP_TRY_VOID(client_.Wait(until - client_.NowMs()));
    WMAP_TRY(bool more, TakeAll());
    static_cast<void>(more);
  }
  return true;
}

std::set<std::string> Follower::TakeChanged() {
  std::set<std::string> changed = std::exchange(changed_, {});
  bool all = changed.contains("");
  are_here_.insert(changed.begin(), changed.end());
  are_here_.erase("");
  if (is_one_part_) return changed.empty() ? changed : std::set<std::string>{""};
  // What has no namespace is read with the objects of any.
  if (all) return are_here_;
  return changed;
}

std::size_t Follower::Fill(const std::string& part, inspect::Snapshot& snapshot) const {
  std::size_t count = 0;
  Arena arena;
  for (const Followed& followed : followed_) {
    if (IsPod(followed.query.type) && followed.watch != nullptr) snapshot.KnowPods();
    for (const auto& [name_space, objects] : followed.objects) {
      if (!is_one_part_ && !name_space.empty() && name_space != part) continue;
      if (is_one_part_ || name_space == part) count += objects.size();
      for (const auto& [identity, text] : objects) {
        arena.Reset();
        if (Result<Value> object = json::Read(text, arena)) snapshot.Add(*object, {});
      }
    }
  }
  return count;
}

}  // namespace wmap::live
