// Demand: which types of a cluster matter, learnt from the objects that were seen: the kinds that
// definitions cover, what stands between a pod and its workload, and what definitions read besides.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "definition/registry.h"
#include "json/value.h"
#include "kube/discovery.h"
#include "kube/list.h"

namespace wmap::live {

// What a snapshot is for, which decides what is listed besides the rows and their pods.
enum class Purpose : std::uint8_t {
  kRows,
  kEvents,   // and events
  kReasons,  // and, where something points at them, quotas, queues, groups, volume claims, nodes
  kAudit,    // all whole, nothing by its metadata alone, and of all namespaces the nodes too
};

// Objects that are asked for by their names.
struct Named {
  std::string group;
  std::string kind;
  std::vector<std::string> names;
};

struct Scope {
  std::string name_space;  // "" = all
  std::vector<Named> named = {};
  Purpose purpose = Purpose::kRows;
  std::int64_t page_size = 500;  // 0 = each list in one piece
};

class Demand {
 public:
  // Keeps references to all three.
  Demand(const kube::Discovery& discovery, const definition::Registry& registry,
         const Scope& scope);

  // The lists to begin with: of every kind that a definition covers.
  std::vector<kube::ListQuery> Covered();
  // That of the pods: behind their owners a snapshot needs less of each.
  std::vector<kube::ListQuery> Pods();
  // What an object says of the kinds that matter as well.
  void Note(const kube::ApiType& type, const json::Value& object);
  // The lists that what was noted calls for, each of them once. Reading them may call for more.
  std::vector<kube::ListQuery> Next();
  // Whether objects of a kind matter by what was noted: something belongs to one, or the kind is
  // listed for another reason than that definitions cover it.
  bool IsPointedAt(const std::string& group, const std::string& kind) const;
  // The names that are asked for of a type; null when it is not asked for by name.
  const std::vector<std::string>* NamesOf(const kube::ApiType& type) const;
  const Scope& scope() const { return scope_; }
  // Whether a cluster with the types of `newer` has some to be listed that were not there before.
  bool Gains(const kube::Discovery& newer) const;

 private:
  struct Kind {
    std::string group;
    std::string kind;

    friend auto operator<=>(const Kind&, const Kind&) = default;
  };

  kube::ListQuery Query(const kube::ApiType& type, bool metadata_only = false);
  bool IsInScope(const kube::ApiType& type) const;
  std::vector<const kube::ApiType*> CoveredTypes(const kube::Discovery& discovery) const;
  void AddKind(const Kind& kind, std::vector<kube::ListQuery>& queries);
  void AddOwners(std::vector<kube::ListQuery>& queries);
  void AddReadByDefinitions(std::vector<kube::ListQuery>& queries);
  void NoteReasons(const kube::ApiType& type, const json::Value& object);
  void AddReasons(std::vector<kube::ListQuery>& queries);

  const kube::Discovery& discovery_;
  const definition::Registry& registry_;
  const Scope& scope_;
  std::set<Kind> listed_;
  std::set<Kind> covered_;              // listed because definitions cover them
  std::set<Kind> pointed_at_;           // owners of what was noted
  std::set<Kind> seen_;                 // of which there are objects, since the last look
  std::set<Kind> asked_;                // whose definitions were looked at
  std::map<Kind, std::string> owners_;  // kind -> version
  std::set<Kind> unknown_;              // to be listed, and the cluster has no such type
  bool mentions_claims_ = false;
  std::set<Kind> reasons_;  // kinds that may say why something waits
};

bool IsPod(const kube::ApiType& type);
// Of these there are many, and nearly all belong to another object, which their metadata says.
bool IsMostlyOwned(const kube::ApiType& type);

}  // namespace wmap::live
