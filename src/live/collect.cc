#include "live/collect.h"

#include <memory>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "json/reader.h"
#include "json/value.h"
#include "kube/escape.h"
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
    ReadNamed();
    Read(demand_.Pods());
    for (auto queries = demand_.Next(); !queries.empty(); queries = demand_.Next()) Read(queries);
    for (Gap& gap : gaps_) gap.is_pointed_at = demand_.IsPointedAt(gap.group, gap.kind);
    return std::move(gaps_);
  }

 private:
  void Read(const std::vector<ListQuery>& queries) {
    kube::ReadLists(
        client_, queries,
        [&](std::size_t list, const Value& object) { Take(queries[list], object); },
        [&](std::size_t list, const Result<std::string>& end) {
          const ApiType& type = queries[list].type;
          if (!end) NoteRefusal(type, end.error());
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

  // Who may not list may still get what is asked for by name.
  void NoteRefusal(const ApiType& type, const Error& error) {
    const std::vector<std::string>* names = demand_.NamesOf(type);
    bool has_place = !type.namespaced || !demand_.scope().name_space.empty();
    if (error.code() != Code::kForbidden || names == nullptr || !has_place) {
      return AddGap(GapOf(type, error));
    }
    refused_.emplace_back(type, error);
  }

  void ReadNamed() {
    for (auto& [type, error] : std::exchange(refused_, {})) {
      std::vector<std::string> paths;
      for (const std::string& name : *demand_.NamesOf(type)) {
        paths.push_back(
            Cat(type.Path(demand_.scope().name_space), '/', kube::PercentEncoded(name)));
      }
      bool all = true;
      ReadObjects(paths, [&](const std::string&, const Result<Value>& object) {
        all = all && (object || object.error().code() == Code::kNotFound);
        if (!object) return;
        demand_.Note(type, *object);
        snapshot_.Add(*object, {});
      });
      // The list was refused in so many words; whoever reads it knows of the rest.
      if (!all) AddGap(GapOf(type, error));
    }
  }

  // Reads as a whole what was listed by its metadata, and stands at the top.
  void ReadUnowned() {
    ReadObjects(std::exchange(unowned_, {}),
                [&](const std::string& path, const Result<Value>& object) {
                  if (object) {
                    snapshot_.Add(*object, {});
                  } else if (object.error().code() != Code::kNotFound) {  // gone in the meantime
                    AddGap({object.error(), path});
                  }
                });
  }

  void ReadObjects(const std::vector<std::string>& paths,
                   const std::function<void(const std::string&, const Result<Value>&)>& each) {
    std::vector<kube::Request> requests;
    std::vector<std::unique_ptr<kube::Exchange>> exchanges;
    for (const std::string& path : paths) {
      kube::Request request{.path = path};
      Result<std::unique_ptr<kube::Exchange>> exchange = client_.Start(request);
      if (!exchange) return each(path, Fail(exchange.error()));
      requests.push_back(std::move(request));
      exchanges.push_back(*std::move(exchange));
    }
    Arena arena;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      Result<kube::Answer> answer = client_.Finish(requests[i], std::move(exchanges[i]));
      if (answer && !answer->is_success()) answer = Fail(kube::ErrorOf(*answer, requests[i]));
      if (!answer) {
        each(paths[i], Fail(answer.error()));
        continue;
      }
      arena.Reset();
      each(paths[i], json::Read(answer->body, arena));
    }
  }

  void AddGap(Gap gap) {
    snapshot_.AddUnread(gap.group, gap.kind);
    gaps_.push_back(std::move(gap));
  }

  kube::Client& client_;
  Demand demand_;
  inspect::Snapshot& snapshot_;
  const std::function<void()>& tick_;
  std::vector<std::string> unowned_;                // paths
  std::vector<std::pair<ApiType, Error>> refused_;  // lists of what is asked for by name
  std::vector<Gap> gaps_;
};

}  // namespace

Gap GapOf(const ApiType& type, const Error& error) {
  return {error, NameOf(type), type.group, type.kind};
}

std::string NameOf(const ApiType& type) {
  return type.group.empty() ? type.plural : Cat(type.plural, '.', type.group);
}

const ApiType* DefinitionType(const kube::Discovery& discovery) {
  return discovery.Find("run.ai", "v1alpha1", "Karta");
}

std::int64_t GenerationOf(const Value& metadata) {
  Value generation = metadata.Get("generation");
  return generation.is_int() ? generation.as_int() : 0;
}

Result<DefinitionsRead> ReadDefinitions(kube::Client& client, const kube::Discovery& discovery,
                                        const std::function<void(const json::Value&)>& each) {
  const ApiType* type = DefinitionType(discovery);
  DefinitionsRead definitions;
  if (type == nullptr) return definitions;
  kube::List list(client, {.type = *type});
  Result<void> read = list.Read([&](const Value& object) {
    Value metadata = object.Get("metadata");
    definitions.generations[std::string(metadata.Get("name").text_or_empty())] =
        GenerationOf(metadata);
    each(object);
  });
  // The type may be gone since it was discovered.
  if (!read && read.error().code() == Code::kNotFound) return DefinitionsRead();
  if (!read) return Fail(std::move(read).error());
  definitions.resource_version = list.resource_version();
  return definitions;
}

std::vector<Gap> Collect(kube::Client& client, const kube::Discovery& discovery,
                         const definition::Registry& registry, const Scope& scope,
                         inspect::Snapshot& snapshot, const std::function<void()>& tick) {
  return Collector(client, Demand(discovery, registry, scope), snapshot, tick).Run();
}

}  // namespace wmap::live
