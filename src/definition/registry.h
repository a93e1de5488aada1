// Registry: all definitions that one call of the program knows, and which of them is in force for
// a kind.
//
// Precedence: given files, then the cluster, then built-in. Two definitions for one kind at one
// level are an error. Built-in definitions are opened when they are first asked for.
//
// Add everything first, from one thread; after that any number of threads may look things up.
// Pointers that it hands out live as long as the Registry.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "definition/catalog.h"
#include "definition/karta.h"

namespace wmap::definition {

// A definition as the registry lists it, without opening it.
struct Listing {
  std::string name;
  GroupVersionKind kind;
  Origin origin = Origin::kBuiltin;
  std::string source;                  // the file, or ""
  std::vector<std::string> overrides;  // what it takes the place of, e.g. "builtin jobset-…"
  bool in_force = true;                // false: another one takes its place
};

struct Match {
  const Karta* karta = nullptr;
  // The definition is about another version of the kind, the only reading at hand; say so.
  bool other_version = false;
  std::vector<std::string> overrides;

  explicit operator bool() const { return karta != nullptr; }
};

// A kind that a TYPE on the command line means: all its versions.
struct TypeMatch {
  std::string group;
  std::string kind;
  std::string version;  // only when the TYPE names one ("jobsets.v1alpha2.jobset.x-k8s.io")

  bool Covers(std::string_view object_group, std::string_view object_version,
              std::string_view object_kind) const {
    return object_group == group && object_kind == kind &&
           (version.empty() || object_version == version);
  }
};

class Registry {
 public:
  enum class Builtins : bool { kNone, kCatalog };
  explicit Registry(Builtins builtins = Builtins::kCatalog);
  ~Registry();
  Registry(Registry&&) noexcept;
  Registry& operator=(Registry&&) noexcept;

  // Adds a definition at the level of its origin. Fails (kInvalid, naming both) when that level has
  // one for this kind already, which then stays; with the very same file twice too.
  Result<void> Add(std::unique_ptr<const Karta> karta);

  // The definition in force for a kind. First one for exactly this version, at the highest level
  // that has it; otherwise one for another version of the kind: at the highest level, the newest.
  Match Find(std::string_view group, std::string_view version, std::string_view kind) const;
  // By apiVersion ("batch/v1", "v1") and kind.
  Match FindByApiVersion(std::string_view api_version, std::string_view kind) const;
  // By the definition's name; the highest level wins.
  Match FindByName(std::string_view name) const;
  // Whether Find() finds one; opens nothing.
  bool Covers(std::string_view group, std::string_view kind) const;

  // Whether a definition reads counts from objects of this kind. Opens nothing, so of what those of
  // the catalog read only the kinds of Kubernetes itself are known.
  bool ReadsChild(std::string_view group, std::string_view kind) const;

  // The kind that a TYPE means, as kubectl reads it: "jobset", "jobsets", a short name, or
  // these with ".group" or ".version.group", in any case. Where kinds of several groups answer, a
  // group of Kubernetes itself wins; otherwise the error (kInvalid) lists the choices and their
  // definitions. kNotFound when no definition covers it, with the nearest name as a hint.
  Result<TypeMatch> Resolve(std::string_view type) const { return Choose(type, Candidates(type)); }
  // The same in two steps, for those who know more of the candidates.
  std::vector<TypeMatch> Candidates(std::string_view type) const;
  Result<TypeMatch> Choose(std::string_view type, const std::vector<TypeMatch>& candidates) const;

  // Every definition, also those that are not in force, ascending by kind, group and version.
  std::vector<Listing> List() const;
  // The definition of a listing of this registry.
  const Karta& Opened(const Listing& listing) const;

 private:
  struct Entry;
  const Karta* Opened(const Entry& entry) const;
  std::vector<std::string> Overridden(const Entry& entry) const;
  Match MatchOf(const Entry& entry, bool other_version) const;
  std::string DescribeChoice(const TypeMatch& match) const;
  std::unexpected<Error> NotCovered(std::string_view type, std::string_view name) const;

  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace wmap::definition
