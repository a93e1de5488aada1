#include "live/collect.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "definition/api_version.h"
#include "json/reader.h"
#include "json/value.h"
#include "kube/list.h"

namespace wmap::live {
namespace {

using json::Value;
using kube::ApiType;
using kube::ListQuery;

// A chain of owners that is longer is none.
constexpr int kMostRounds = 16;

struct Kind {
  std::string group;
  std::string kind;

  friend auto operator<=>(const Kind&, const Kind&) = default;
};

std::string NameOf(const ApiType& type) {
  return type.group.empty() ? type.plural : Cat(type.plural, '.', type.group);
}

bool IsPod(const ApiType& type) { return type.group.empty() && type.kind == "Pod"; }

// Of these there are many, and nearly all belong to another object: their metadata says which.
bool IsMostlyOwned(const ApiType& type) {
  return type.group == "apps" && type.kind == "ReplicaSet";
}

bool HasOwner(const Value& object) {
  Value owners = object.Get("metadata").Get("ownerReferences");
  return owners.is_array() && owners.size() > 0;
}

// Whether a member of this name stands anywhere in a value. The depth is that of what a server may
// send, which the reader bounds.
bool Mentions(const Value& value, std::string_view key) {
  if (value.is_array()) {
    return std::ranges::any_of(value.items(),
                               [&](const Value& item) { return Mentions(item, key); });
  }
  if (!value.is_object()) return false;
  return std::ranges::any_of(value.members(), [&](const json::Member& member) {
    return member.key == key || Mentions(member.value, key);
  });
}

class Collector {
 public:
  Collector(kube::Client& client, const kube::Discovery& discovery,
            const definition::Registry& registry, const Scope& scope, inspect::Snapshot& snapshot,
            const std::function<void()>& tick)
      : client_(client),
        discovery_(discovery),
        registry_(registry),
        scope_(scope),
        snapshot_(snapshot),
        tick_(tick) {}

  std::vector<Gap> Run() {
    Read(Covered());
    ReadUnowned();
    // Behind their owners: the snapshot then needs less of each.
    if (const ApiType* pods = discovery_.Find("", "", "Pod")) Read({Query(*pods)});
    for (int round = 0; round < kMostRounds; ++round) {
      std::vector<ListQuery> wanted = MissingOwners();
      std::ranges::copy(ReadByDefinitions(), std::back_inserter(wanted));
      if (wanted.empty()) break;
      Read(wanted);
    }
    if (mentions_claims_)
      Read(OfKinds({{"resource.k8s.io", "ResourceClaim"},
                    {"resource.k8s.io", "ResourceClaimTemplate"},
                    {"resource.k8s.io", "DeviceClass"}}));
    if (scope_.with_events) Read(OfKinds({{"", "Event"}}));
    return std::move(gaps_);
  }

 private:
  ListQuery Query(const ApiType& type, bool metadata_only = false) {
    listed_.insert({type.group, type.kind});
    ListQuery query{.type = type};
    query.name_space = scope_.name_space;
    query.metadata_only = metadata_only;
    query.page_size = scope_.page_size;
    return query;
  }

  bool IsInScope(const ApiType& type) const {
    return type.can_list && (type.namespaced || scope_.name_space.empty());
  }

  // Every kind that a definition covers, once: in a version that there is a definition for, and of
  // these the one that the server prefers.
  std::vector<ListQuery> Covered() {
    std::map<Kind, const ApiType*> types;
    for (const definition::Listing& listing : registry_.List()) {
      if (!listing.in_force) continue;
      const auto& [group, version, kind] = listing.kind;
      const ApiType* type = discovery_.Find(group, version, kind);
      const ApiType*& chosen = types[{group, kind}];
      if (type != nullptr && (chosen == nullptr || type->preferred)) chosen = type;
    }
    std::vector<ListQuery> queries;
    for (auto& [kind, type] : types) {
      if (type == nullptr) type = discovery_.Find(kind.group, "", kind.kind);
      if (type == nullptr || IsPod(*type) || !IsInScope(*type)) continue;
      queries.push_back(Query(*type, IsMostlyOwned(*type)));
    }
    return queries;
  }

  std::vector<ListQuery> OfKinds(std::span<const Kind> kinds) {
    std::vector<ListQuery> queries;
    for (const Kind& kind : kinds) {
      const ApiType* type = discovery_.Find(kind.group, "", kind.kind);
      if (type == nullptr || !type->can_list || listed_.contains(kind)) continue;
      queries.push_back(Query(*type));
    }
    return queries;
  }
  std::vector<ListQuery> OfKinds(std::initializer_list<Kind> kinds) {
    return OfKinds(std::span(kinds.begin(), kinds.size()));
  }

  // The kinds of owners that no list has shown yet.
  std::vector<ListQuery> MissingOwners() {
    std::vector<ListQuery> queries;
    for (const auto& [kind, version] : owners_) {
      if (listed_.contains(kind)) continue;
      listed_.insert(kind);
      const ApiType* type = discovery_.Find(kind.group, version, kind.kind);
      if (type == nullptr) type = discovery_.Find(kind.group, "", kind.kind);
      if (type == nullptr || !type->can_list) continue;
      queries.push_back(Query(*type, !registry_.ReadsChild(kind.group, kind.kind)));
    }
    return queries;
  }

  // The kinds that the definitions of what there is read other objects of.
  std::vector<ListQuery> ReadByDefinitions() {
    std::vector<Kind> kinds;
    for (const Kind& kind : std::exchange(seen_, {})) {
      definition::Match match = registry_.Find(kind.group, "", kind.kind);
      if (!match || !asked_.insert(kind).second) continue;
      for (const definition::ObjectRead& read : match.karta->objects) {
        kinds.push_back({read.group, read.kind});
      }
      for (const definition::Component& component : match.karta->components) {
        if (!component.child_scale) continue;
        kinds.push_back({component.child_scale->group, component.child_scale->kind});
      }
    }
    return OfKinds(kinds);
  }

  void Read(const std::vector<ListQuery>& queries) {
    kube::ReadLists(
        client_, queries,
        [&](std::size_t list, const Value& object) { Take(queries[list], object); },
        [&](std::size_t list, const Result<std::string>& end) {
          if (!end) AddGap(queries[list].type, end.error());
        });
  }

  void Take(const ListQuery& query, const Value& object) {
    tick_();
    const ApiType& type = query.type;
    Note(type, object);
    if (query.metadata_only && IsMostlyOwned(type) && !HasOwner(object)) {
      Value metadata = object.Get("metadata");
      unowned_.push_back(Cat(type.Path(metadata.Get("namespace").text_or_empty()), '/',
                             metadata.Get("name").text_or_empty()));
      return;
    }
    snapshot_.Add(object, "");
  }

  // What an object says of the kinds that matter as well.
  void Note(const ApiType& type, const Value& object) {
    if (!IsPod(type)) seen_.insert({type.group, type.kind});
    Value owners = object.Get("metadata").Get("ownerReferences");
    if (owners.is_array()) {
      for (const Value& owner : owners.items()) {
        auto [group, version] =
            definition::SplitApiVersion(owner.Get("apiVersion").text_or_empty());
        Kind kind{std::string(group), std::string(owner.Get("kind").text_or_empty())};
        // Nodes own the pods that their files describe; nothing is to be learnt of them.
        if (kind.group.empty() && kind.kind == "Node") continue;
        owners_.try_emplace(std::move(kind), version);
      }
    }
    mentions_claims_ = mentions_claims_ || Mentions(object.Get("spec"), "resourceClaims");
  }

  // Reads as a whole what was listed by its metadata, and stands at the top.
  void ReadUnowned() {
    std::vector<kube::Request> requests;
    std::vector<std::unique_ptr<kube::Exchange>> exchanges;
    for (const std::string& path : std::exchange(unowned_, {})) {
      kube::Request request{.path = path};
      Result<std::unique_ptr<kube::Exchange>> exchange = client_.Start(request);
      if (!exchange) return AddGap(path, exchange.error());
      requests.push_back(std::move(request));
      exchanges.push_back(*std::move(exchange));
    }
    Arena arena;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      Result<kube::Answer> answer = client_.Finish(requests[i], std::move(exchanges[i]));
      if (answer && answer->status == 404) continue;  // gone in the meantime
      if (answer && !answer->is_success()) answer = Fail(kube::ErrorOf(*answer, requests[i]));
      if (!answer) {
        AddGap(requests[i].path, answer.error());
        continue;
      }
      arena.Reset();
      if (Result<Value> object = json::Read(answer->body, arena)) snapshot_.Add(*object, "");
    }
  }

  void AddGap(const ApiType& type, const Error& error) { AddGap(NameOf(type), error); }
  void AddGap(const std::string& what, const Error& error) {
    snapshot_.AddProblem(
        {workload::Severity::kError, std::string(CodeName(error.code())), error.Describe(), ""},
        true);
    gaps_.push_back({error, what});
  }

  kube::Client& client_;
  const kube::Discovery& discovery_;
  const definition::Registry& registry_;
  const Scope& scope_;
  inspect::Snapshot& snapshot_;
  const std::function<void()>& tick_;
  std::set<Kind> listed_;
  std::set<Kind> seen_;                 // of which there are objects, since the last look
  std::set<Kind> asked_;                // whose definitions were looked at
  std::map<Kind, std::string> owners_;  // kind -> version
  std::vector<std::string> unowned_;    // paths
  bool mentions_claims_ = false;
  std::vector<Gap> gaps_;
};

}  // namespace

Result<void> ReadDefinitions(kube::Client& client, const kube::Discovery& discovery,
                             std::function<void(const json::Value&)> each) {
  const ApiType* type = discovery.Find("run.ai", "v1alpha1", "Karta");
  if (type == nullptr) return {};
  kube::List list(client, {.type = *type});
  return list.Read(each);
}

std::vector<Gap> Collect(kube::Client& client, const kube::Discovery& discovery,
                         const definition::Registry& registry, const Scope& scope,
                         inspect::Snapshot& snapshot, const std::function<void()>& tick) {
  return Collector(client, discovery, registry, scope, snapshot, tick).Run();
}

}  // namespace wmap::live
