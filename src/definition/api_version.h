// The parts of an apiVersion: "jobset.x-k8s.io/v1alpha2" is a group and a version, "v1" the version
// of the core group.
#pragma once

#include <string_view>

namespace wmap::definition {

struct ApiVersion {
  std::string_view group;  // "" is the core group
  std::string_view version;
};

// Views `text`.
constexpr ApiVersion SplitApiVersion(std::string_view text) {
  std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {{}, text};
  return {text.substr(0, slash), text.substr(slash + 1)};
}

constexpr std::string_view GroupOf(std::string_view api_version) {
  return SplitApiVersion(api_version).group;
}

// Whether a group is one of Kubernetes itself and not that of a custom resource: those of the
// community's projects end in .x-k8s.io.
constexpr bool IsKubernetesGroup(std::string_view group) {
  if (!group.contains('.')) return true;
  return group.ends_with(".k8s.io") && !group.ends_with(".x-k8s.io");
}

}  // namespace wmap::definition
