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
// How often it is asked whether the server answers and what types it has, and how long that may
// take: the answer is small.
constexpr std::int64_t kLookMs = 10'000;
constexpr std::int64_t kMostAnswerMs = 10'000;
// New connections have so long to prove themselves.
constexpr std::int64_t kReconnectMs = 30'000;
// How often what cannot be watched is listed.
constexpr std::int64_t kListMs = 30'000;
// A server that has just started does not know all of its types yet.
constexpr std::int64_t kAbsenceMs = 10'000;
constexpr std::int64_t kFirstPauseMs = 1'000;

std::string IdentityOf(const Value& object) {
  Value metadata = object.Get("metadata");
  std::string_view uid = metadata.Get("uid").text_or_empty();
  if (!uid.empty()) return std::string(uid);
  return Cat(metadata.Get("namespace").text_or_empty(), '/', metadata.Get("name").text_or_empty());
}

}  // namespace

Follower::Follower(kube::Client& client, std::shared_ptr<const kube::Discovery> discovery,
                   const definition::Registry& registry, const Scope& scope,
                   std::optional<DefinitionsRead> definitions)
    : client_(client),
      discovery_(std::move(discovery)),
      demand_(*discovery_, registry, scope),
      registry_(registry),
      question_(discovery_->Question()),
      look_at_ms_(client.NowMs() + kLookMs),
      newest_(discovery_) {
  if (!definitions || definitions->resource_version.empty()) return;
  const kube::ApiType* type = DefinitionType(*discovery_);
  if (type == nullptr || !type->can_watch) return;
  generations_ = std::move(definitions->generations);
  definitions_ =
      std::make_unique<kube::Watch>(client_, ListQuery{.type = *type, .metadata_only = true},
                                    std::move(definitions->resource_version));
}

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
  for (ListQuery& query : queries) followed_.push_back({query, {}});
  kube::ReadLists(
      client_, queries,
      [&](std::size_t list, const Value& object) {
        tick();
        Take(followed_[first + list], kube::Watch::Change::kSet, object);
      },
      [&](std::size_t list, const Result<std::string>& end) {
        Followed& followed = followed_[first + list];
        if (end) return BeginWatch(followed, *end);
        if (end.error().code() == Code::kNotFound) return Absent(followed);
        AddGap(followed, end.error(), "list");
        // Who is refused at the beginning is not asked for again and again.
        if (end.error().code() == Code::kForbidden) return;
        followed.list_at_ms = client_.NowMs() + kListMs;
        followed.is_behind = true;
      });
}

void Follower::BeginWatch(Followed& followed, std::string resource_version) {
  followed.is_known = true;
  followed.is_behind = false;
  followed.absent_since_ms = 0;
  followed.was_dropped = false;
  followed.list_at_ms.reset();
  if (followed.query.type.can_watch) {
    followed.watch =
        std::make_unique<kube::Watch>(client_, followed.query, std::move(resource_version));
  } else {
    followed.list_at_ms = client_.NowMs() + kListMs;
  }
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
    return WaitOut(followed, read.error(), "list");
  }
  BeginWatch(followed, list.resource_version());
  return {};
}

// What an error means for what is followed. Fails when it is one of all that is.
Result<void> Follower::WaitOut(Followed& followed, const Error& error, std::string_view verb) {
  followed.watch.reset();
  switch (error.code()) {
    case Code::kUnauthenticated:
      return Fail(error);
    case Code::kForbidden:
      Refused(followed, error, verb);
      return {};
    case Code::kNotFound:
      Absent(followed);
      return {};
    default:
      break;
  }
  std::int64_t now = client_.NowMs();
  bool is_new = now - followed.failed_at_ms > 2 * kListMs;
  followed.pause_ms = is_new ? kFirstPauseMs : std::min(followed.pause_ms * 2, kListMs);
  followed.failed_at_ms = now;
  followed.is_behind = true;
  followed.list_at_ms = now + followed.pause_ms;
  client_.TellOnce(Cat(error.message(), "; what is shown may be out of date\n"));
  return {};
}

// Whoever may list and not watch is shown lists. Without these, what there is of pods is not known;
// of others their last state stays.
void Follower::Refused(Followed& followed, const Error& error, std::string_view verb) {
  if (followed.told.insert(verb).second) AddGap(followed, error, verb);
  followed.list_at_ms = client_.NowMs() + kListMs;
  if (verb == "watch" || !IsPod(followed.query.type)) return;
  followed.is_known = false;
  Clear(followed);
}

void Follower::Absent(Followed& followed) {
  std::int64_t now = client_.NowMs();
  if (followed.absent_since_ms == 0) {
    followed.absent_since_ms = now;
    look_at_ms_ = std::min(look_at_ms_, now);
  }
  bool is_gone = now - followed.absent_since_ms >= kAbsenceMs;
  followed.list_at_ms = now + (is_gone ? kLookMs : kFirstPauseMs);
  if (!is_gone || std::exchange(followed.was_dropped, true)) return;
  Clear(followed);
  client_.surroundings().tell(Cat("the cluster does not have ", NameOf(followed.query.type),
                                  " any more; all else is followed on\n"));
}

void Follower::Clear(Followed& followed) {
  for (const auto& [name_space, objects] : std::exchange(followed.objects, {})) {
    changed_.insert(name_space);
  }
}

void Follower::AddGap(Followed& followed, const Error& error, std::string_view verb) {
  gaps_.push_back(GapOf(followed.query.type, error));
  gaps_.back().verb = verb;
  gaps_.back().is_listed_instead = verb == "watch";
  // Nobody can say of which objects more was known before.
  changed_.insert("");
}

Result<void> Follower::TakeOne(Followed& followed) {
  if (followed.watch == nullptr) {
    if (!followed.list_at_ms || client_.NowMs() < *followed.list_at_ms) return {};
    return ListAgain(followed);
  }
  Result<void> taken = followed.watch->Take(
      [&](kube::Watch::Change change, const Value& object) { Take(followed, change, object); });
  if (taken) return {};
  if (taken.error().code() == Code::kExpired) return ListAgain(followed);
  return WaitOut(followed, taken.error(), "watch");
}

void Follower::TakeDefinitions() {
  if (definitions_ == nullptr) return;
  Result<void> taken = definitions_->Take([&](kube::Watch::Change change, const Value& object) {
    Value metadata = object.Get("metadata");
    std::string name(metadata.Get("name").text_or_empty());
    std::int64_t generation = GenerationOf(metadata);
    auto known = generations_.find(name);
    // Their own status changes, too.
    bool is_same = change == kube::Watch::Change::kSet && known != generations_.end() &&
                   generation != 0 && known->second == generation;
    if (is_same) return;
    generations_[name] = generation;
    has_other_definitions_ = true;
  });
  if (taken) return;
  // What they are now has to be read anew, or is what it was.
  has_other_definitions_ = has_other_definitions_ || taken.error().code() == Code::kExpired ||
                           taken.error().code() == Code::kNotFound;
  if (taken.error().code() == Code::kNotFound) put_off_until_ms_ = client_.NowMs() + kAbsenceMs;
  definitions_.reset();
}

bool Follower::is_live() const {
  return std::ranges::all_of(followed_, [](const Followed& followed) {
    return followed.watch == nullptr ? !followed.is_behind : followed.watch->is_live();
  });
}

// Whether all that was there is there. A server that has just started does not have all types yet,
// and what another follower would see of it would show the others as gone.
bool Follower::is_settled() const {
  return is_live() && std::ranges::all_of(followed_, [&](const Followed& followed) {
           const kube::ApiType& type = followed.query.type;
           return followed.was_dropped ||
                  (followed.absent_since_ms == 0 &&
                   newest_->Find(type.group, type.version, type.kind) != nullptr);
         });
}

// Asks the server, over the connections that the watches have. One that is silent is told from one
// that has nothing to say.
Result<void> Follower::Look() {
  std::int64_t now = client_.NowMs();
  if (look_ == nullptr) {
    if (now < look_at_ms_) return {};
    Result<std::unique_ptr<kube::Exchange>> begun = client_.Start(question_);
    // Whether that matters the watches show.
    if (begun) look_ = *std::move(begun);
    looked_at_ms_ = now;
    look_at_ms_ = now + kLookMs;
    return {};
  }
  if (look_->is_done()) {
    TakeAnswer();
    return {};
  }
  if (now - looked_at_ms_ < kMostAnswerMs) return {};
  look_.reset();
  if (reconnected_at_ms_ != 0 && now - reconnected_at_ms_ < kReconnectMs) return {};
  reconnected_at_ms_ = now;
  client_.TellOnce(Cat("no answer of ", client_.target().cluster.server, " for ",
                       kMostAnswerMs / 1000,
                       " s; connecting again; what is shown may be out of date\n"));
  return client_.Reconnect();
}

void Follower::TakeAnswer() {
  std::unique_ptr<kube::Exchange> exchange = std::move(look_);
  look_at_ms_ = std::max(look_at_ms_, client_.NowMs());
  if (!exchange->has_head()) return;
  if (exchange->status() != 401) client_.AcceptCredentials(*exchange);
  if (is_live()) client_.TellOver("the server answers again; what is shown is up to date\n");
  kube::Answer answer;
  answer.status = exchange->status();
  answer.etag = exchange->header("etag");
  if (answer.status != 200) return;
  Result<std::string> body = exchange->ReadAll(question_.most_bytes);
  if (!body) return;
  answer.body = *std::move(body);
  std::optional<kube::Discovery> newer = discovery_->Answered(answer);
  if (!newer) return;
  question_ = newer->Question();
  newest_ = std::make_shared<const kube::Discovery>(*std::move(newer));
  has_new_types_ = true;
}

void Follower::PutOff() {
  put_off_until_ms_ = client_.NowMs() + kLookMs;
  is_outdated_ = false;
}

Result<bool> Follower::TakeAll() {
  for (Followed& followed : followed_) WMAP_TRY_VOID(TakeOne(followed));
  FollowNext([] {});
  TakeDefinitions();
  WMAP_TRY_VOID(Look());
  // What is new may matter as soon as something is there that belongs to it.
  if (newest_ != discovery_ && (std::exchange(has_new_types_, false) || !changed_.empty())) {
    bool may_have_definitions =
        DefinitionType(*discovery_) == nullptr && DefinitionType(*newest_) != nullptr;
    has_other_types_ = may_have_definitions || demand_.Gains(*newest_);
  }
  is_outdated_ = (has_other_types_ || has_other_definitions_) &&
                 client_.NowMs() >= put_off_until_ms_ && is_settled();
  return is_outdated_ || !changed_.empty();
}

Result<bool> Follower::AwaitChange(std::int64_t timeout_ms) {
  bool is_followed = std::ranges::any_of(followed_, [](const Followed& followed) {
    return followed.watch != nullptr || followed.list_at_ms.has_value();
  });
  if (!is_followed) return Fail(Code::kForbidden, "there is nothing left to follow");
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
    if (!followed.is_known && followed.absent_since_ms == 0) {
      snapshot.AddUnread(followed.query.type.group, followed.query.type.kind);
    }
    if (IsPod(followed.query.type) && followed.is_known) snapshot.KnowPods();
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
