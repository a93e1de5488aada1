// What types an API server has.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "kube/client.h"

namespace wmap::kube {

// A type in one version.
struct ApiType {
  std::string group;  // "" for the core group
  std::string version;
  std::string kind;
  std::string plural;
  std::string singular;
  std::vector<std::string> short_names;
  bool namespaced = false;
  bool can_list = false;
  bool can_watch = false;
  bool preferred = false;  // the version that the server prefers for its group

  // "apps/v1", "v1".
  std::string ApiVersion() const;
  // Where its objects are, escaped: "/apis/apps/v1/namespaces/demo/deployments"; those of all
  // namespaces with an empty `name_space`, which types without namespaces ignore.
  std::string Path(std::string_view name_space) const;
};

class Discovery {
 public:
  // Asks the server. Where `cache_folder` is not empty, what the server answered before is kept
  // there, and it is only asked whether that still holds; a folder that cannot be written is no
  // fault. A server of before 1.26 is asked group by group.
  static Result<Discovery> Load(Client& client, const std::string& cache_folder);

  // Reads what a server answers to /api or /apis, its aggregated form. False when `body` is not
  // of that form.
  bool Add(std::string_view body);

  // Asks whether there are other types by now, and what the answer says: nothing when there are
  // none, or when the server only answers group by group.
  Request Question() const;
  std::optional<Discovery> Answered(const Answer& answer) const;

  // Without subresources; by group as the server orders them, preferred versions first.
  std::span<const ApiType> types() const { return types_; }
  // The type, or null. An empty version is the preferred one.
  const ApiType* Find(std::string_view group, std::string_view version,
                      std::string_view kind) const;
  // The types that a TYPE on the command line means, as kubectl reads it: a plural, a singular, a
  // short name or a kind, alone or with ".group" or ".version.group", in any case. Without a
  // version, in the preferred one. Several when groups share a name.
  std::vector<const ApiType*> Named(std::string_view type) const;
  // Groups whose server does not answer; their types may be missing here.
  const std::vector<std::string>& unavailable() const { return unavailable_; }

 private:
  Result<void> LoadOneByOne(Client& client);
  void AddResources(std::string_view group, std::string_view version, bool preferred,
                    const Answer& answer);

  std::vector<ApiType> types_;
  std::vector<std::string> unavailable_;
  std::string etag_;  // of the groups
};

}  // namespace wmap::kube
