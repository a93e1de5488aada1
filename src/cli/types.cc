#include "cli/types.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"

namespace wmap::cli {
namespace {

using definition::Registry;
using definition::TypeMatch;

void AddOnce(TypeMatch match, std::vector<TypeMatch>& to) {
  bool is_there = std::ranges::any_of(to, [&](const TypeMatch& known) {
    return known.group == match.group && known.kind == match.kind;
  });
  if (!is_there) to.push_back(std::move(match));
}

// "Widget (example.com/v1)".
std::string Described(const kube::ApiType& type) {
  return Cat(type.kind, " (", type.ApiVersion(), ')');
}

// Of what definitions and the cluster call so, the kinds that definitions cover; those that the
// cluster serves when it has any type of that name.
std::vector<TypeMatch> Candidates(std::string_view type,
                                  const std::vector<const kube::ApiType*>& named,
                                  const Registry& registry, const kube::Discovery& served) {
  std::vector<TypeMatch> all = registry.Candidates(type);
  std::vector<TypeMatch> here;
  for (const TypeMatch& match : all) {
    if (served.Find(match.group, "", match.kind) != nullptr) here.push_back(match);
  }
  for (const kube::ApiType* one : named) {
    if (registry.Covers(one->group, one->kind)) AddOnce({one->group, one->kind, {}}, here);
  }
  return here.empty() && named.empty() ? all : here;
}

bool IsServed(const TypeMatch& match, const kube::Discovery& served) {
  return std::ranges::any_of(served.types(), [&](const kube::ApiType& one) {
    return one.group == match.group && one.kind == match.kind;
  });
}

// In kubectl's words.
std::unexpected<Error> NotServed(std::string_view type, const kube::Discovery& served) {
  const std::vector<std::string>& silent = served.unavailable();
  return Fail(Code::kUnavailable,
              Cat("the server doesn't have a resource type ", Quote(type),
                  silent.empty() ? "" : "; these did not answer: ", Join(silent, ", ")));
}

// The objects of a kind are the same in every version that is served, whichever they are read in.
Result<TypeMatch> InVersion(std::string_view type, TypeMatch match, const kube::Discovery& served) {
  if (!IsServed(match, served)) return NotServed(type, served);
  if (match.version.empty()) return match;
  std::string versions;
  for (const kube::ApiType& one : served.types()) {
    if (one.group != match.group || one.kind != match.kind) continue;
    if (one.version == match.version) {
      match.version.clear();
      return match;
    }
    CatTo(versions, versions.empty() ? "" : ", ", one.version);
  }
  return Fail(Code::kNotFound, Cat("the cluster does not serve ", Quote(type), "; it has ",
                                   match.kind, " in version ", versions));
}

}  // namespace

Result<TypeMatch> ResolveType(std::string_view type, const Registry& registry,
                              const kube::Discovery* served) {
  if (served == nullptr) {
    Result<TypeMatch> match = registry.Resolve(type);
    if (match || match.error().code() != Code::kNotFound) return match;
    return Fail(Code::kNotDefined, match.error().message());
  }
  std::vector<const kube::ApiType*> named = served->Named(type);
  std::vector<TypeMatch> candidates = Candidates(type, named, registry, *served);
  if (candidates.empty() && !named.empty()) {
    std::vector<std::string> kinds;
    for (const kube::ApiType* one : named) kinds.push_back(Described(*one));
    return Fail(Code::kNotDefined,
                Cat("the cluster has ", Join(kinds, " and "), ", and no definition covers ",
                    kinds.size() == 1 ? "it" : "them",
                    "; give one with --definitions, or see `wmap definitions`"));
  }
  Result<TypeMatch> match = registry.Choose(type, candidates);
  if (match) return InVersion(type, *std::move(match), *served);
  if (match.error().code() != Code::kNotFound) return match;
  return Fail(Code::kNotDefined,
              Cat("the cluster has no such type, and ", match.error().message()));
}

}  // namespace wmap::cli
