#include "live/collect.h"

#include <memory>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "json/reader.h"
#include "json/value.h"
#include "kube/list.h"

namespace wmap::live {
namespace {

using json::Value;
using kube::ApiType;
using kube::ListQuery;

bool HasOwner(const Value& object) {
  Value owners = object.Get("metadata").Get("ownerReferences");
  return owners.is_array() && owners.size() > 0;
}

class Collector {
 public:
  Collector(kube::Client& client, Demand demand, inspect::Snapshot& snapshot,
            const std::function<void()>& tick)
      : client_(client), demand_(std::move(demand)), snapshot_(snapshot), tick_(tick) {}

  std::vector<Gap> Run() {
    Read(demand_.Covered());
    ReadUnowned();
    Read(demand_.Pods());
    for (auto queries = demand_.Next(); !queries.empty(); queries = demand_.Next()) Read(queries);
    return std::move(gaps_);
  }

 private:
  void Read(const std::vector<ListQuery>& queries) {
    kube::ReadLists(
        client_, queries,
        [&](std::size_t list, const Value& object) { Take(queries[list], object); },
        [&](std::size_t list, const Result<std::string>& end) {
          const ApiType& type = queries[list].type;
          if (!end) AddGap(GapOf(type, end.error()));
          if (end && IsPod(type)) snapshot_.KnowPods();
        });
  }

  void Take(const ListQuery& query, const Value& object) {
    tick_();
    demand_.Note(query.type, object);
    if (query.metadata_only && IsMostlyOwned(query.type) && !HasOwner(object)) {
      Value metadata = object.Get("metadata");
      unowned_.push_back(Cat(query.type.Path(metadata.Get("namespace").text_or_empty()), '/',
                             metadata.Get("name").text_or_empty()));
      return;
    }
    snapshot_.Add(object, {});
  }

  // Reads as a whole what was listed by its metadata, and stands at the top.
  void ReadUnowned() {
    std::vector<kube::Request> requests;
    std::vector<std::unique_ptr<kube::Exchange>> exchanges;
    for (const std::string& path : std::exchange(unowned_, {})) {
      kube::Request request{.path = path};
      Result<std::unique_ptr<kube::Exchange>> exchange = client_.Start(request);
      if (!exchange) return AddGap({exchange.error(), path});
      requests.push_back(std::move(request));
      exchanges.push_back(*std::move(exchange));
    }
    Arena arena;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      Result<kube::Answer> answer = client_.Finish(requests[i], std::move(exchanges[i]));
      if (answer && answer->status == 404) continue;  // gone in the meantime
      if (answer && !answer->is_success()) answer = Fail(kube::ErrorOf(*answer, requests[i]));
      if (!answer) {
        AddGap({answer.error(), requests[i].path});
        continue;
      }
      arena.Reset();
      if (Result<Value> object = json::Read(answer->body, arena)) snapshot_.Add(*object, {});
    }
  }

  void AddGap(Gap gap) { gaps_.push_back(std::move(gap)); }

  kube::Client& client_;
  Demand demand_;
  inspect::Snapshot& snapshot_;
  const std::function<void()>& tick_;
  std::vector<std::string> unowned_;  // paths
  std::vector<Gap> gaps_;
};

}  // namespace

Gap GapOf(const ApiType& type, const Error& error) {
  return {error, type.group.empty() ? type.plural : Cat(type.plural, '.', type.group)};
}

Result<void> ReadDefinitions(kube::Client& client, const kube::Discovery& discovery,
                             const std::function<void(const json::Value&)>& each) {
  const ApiType* type = discovery.Find("run.ai", "v1alpha1", "Karta");
  if (type == nullptr) return {};
  kube::List list(client, {.type = *type});
  Result<void> read = list.Read(each);
  // The type may be gone since it was discovered.
  if (!read && read.error().code() == Code::kNotFound) return {};
  return read;
}

std::vector<Gap> Collect(kube::Client& client, const kube::Discovery& discovery,
                         const definition::Registry& registry, const Scope& scope,
                         inspect::Snapshot& snapshot, const std::function<void()>& tick) {
  return Collector(client, Demand(discovery, registry, scope), snapshot, tick).Run();
}

}  // namespace wmap::live
