// What a user may do, asked of the cluster before it is tried (SelfSubjectAccessReview).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kube/client.h"

namespace wmap::kube {

// May whoever asks do VERB on RESOURCE?
struct AccessQuestion {
  std::string verb;              // "get", "list", "watch", "patch", ...; "*" = all
  std::string group = {};        // "" = the core group
  std::string resource;          // the plural
  std::string subresource = {};  // "" = the object itself
  std::string name_space = {};   // "" = all, and for types without namespaces
  std::string name = {};         // "" = any
};

enum class Access : std::uint8_t { kUnknown, kYes, kNo };

struct AccessAnswer {
  Access access = Access::kUnknown;
  // Why, in the server's words, which need not give any; of kUnknown, why it could not be asked.
  std::string reason = {};
};

// One answer for each question, in their order; several are asked at once. An answer holds for the
// moment: what it allows may still be refused, by an admission rule, too. What the cluster does not
// allow is kNo, also when an authorizer failed (the reason says it): tried now, it would be
// refused. kUnknown only when the question got no answer.
std::vector<AccessAnswer> AskAccess(Client& client, std::span<const AccessQuestion> questions);

}  // namespace wmap::kube
