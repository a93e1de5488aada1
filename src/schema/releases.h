// Releases: the schemas of one or many releases of operators, or of a cluster, by kind.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "definition/karta.h"
#include "json/value.h"
#include "schema/built_ins.h"
#include "schema/schema.h"

namespace wmap::schema {

// The schema of a version of a kind in one release.
struct Release {
  std::string name;     // "kuberay/v1.7.0"
  std::string version;  // "v1": of the kind
  Schema schema;
  bool is_served = true;
};

// Owns what it was given. The Releases that it hands out live as long as it does.
class Releases {
 public:
  // `built_ins` outlives this: the kinds that come with Kubernetes have one release. `order`: the
  // names of the releases, the oldest first, all of one operator; without it names are compared by
  // the numbers in them, and what stands before the last "/" is the operator.
  explicit Releases(const BuiltIns& built_ins, std::vector<std::string> order = {})
      : built_ins_(built_ins), order_(std::move(order)) {}
  Releases(const Releases&) = delete;
  Releases& operator=(const Releases&) = delete;

  // Whether Add() would take something of a document.
  static bool IsOne(const json::Value& document);
  // A document of a release; what is neither a custom resource definition nor what an API server
  // publishes of its kinds (schema/open_api.h) is passed over. Nothing of `document` is kept.
  void Add(const json::Value& document, std::string_view release);

  // Of one version of a kind, or of all, the oldest release first.
  std::vector<Release> Of(std::string_view group, std::string_view kind,
                          std::string_view version = {}) const;
  // Whether something that was added has this kind.
  bool Has(std::string_view group, std::string_view kind) const {
    return by_kind_.contains({std::string(group), std::string(kind)});
  }
  // The kinds that were added, each version once.
  struct Named {
    definition::GroupVersionKind kind;
    bool is_served = true;
  };
  std::vector<Named> Kinds() const;
  bool AreOfOneOperator(std::string_view release, std::string_view other) const;

 private:
  using Kind = std::pair<std::string, std::string>;  // group and kind

  const BuiltIns& built_ins_;
  std::vector<std::string> order_;
  std::deque<Arena> arenas_;
  std::map<Kind, std::vector<Release>> by_kind_;
};

// Whether the name of a release comes before another: "v1.9.0" before "v1.10.0", versions before
// what has none, as a branch or a commit has: that is taken to be newer.
bool IsOlder(std::string_view a, std::string_view b);

}  // namespace wmap::schema
