#include "definition/karta.h"

#include <algorithm>

#include "base/text.h"

namespace wmap::definition {

std::string GroupVersionKind::api_version() const {
  return group.empty() ? version : Cat(group, '/', version);
}

std::string GroupVersionKind::Describe() const { return Cat(kind, " (", api_version(), ')'); }

namespace {

constexpr std::array<std::string_view, kStatusCount> kStatusNames = {
    "Resuming", "Suspending", "Suspended",    "Running",
    "Failed",   "Completed",  "Initializing", "Degraded"};
constexpr std::array<std::string_view, kStatusCount> kStatusKeys = {
    "resuming", "suspending", "suspended",    "running",
    "failed",   "completed",  "initializing", "degraded"};
constexpr std::array<std::string_view, 3> kOriginNames = {"builtin", "cluster", "file"};

}  // namespace

std::string_view StatusName(Status status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}

std::string_view StatusKey(Status status) { return kStatusKeys[static_cast<std::size_t>(status)]; }

std::string_view OriginName(Origin origin) {
  return kOriginNames[static_cast<std::size_t>(origin)];
}

const Component* Karta::Find(std::string_view component_name) const {
  for (const Component& component : components) {
    if (component.name == component_name) return &component;
  }
  return nullptr;
}

std::vector<std::size_t> Karta::PodBearing() const {
  std::vector<std::size_t> indexes;
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (components[i].bears_pods()) indexes.push_back(i);
  }
  return indexes;
}

bool Karta::Wraps() const {
  return std::ranges::any_of(
      components, [](const Component& component) { return static_cast<bool>(component.wraps); });
}

bool Karta::ReadsOwners() const {
  return std::ranges::any_of(components, [](const Component& component) {
    return static_cast<bool>(component.pod_instance);
  });
}

bool Karta::ReadsChild(std::string_view group, std::string_view child_kind) const {
  return std::ranges::any_of(components,
                             [&](const Component& component) {
                               return std::ranges::any_of(component.child_scales,
                                                          [&](const ChildScale& scale) {
                                                            return scale.IsAbout(group, child_kind);
                                                          });
                             }) ||
         std::ranges::any_of(objects, [&](const ObjectRead& read) {
           return read.kind == child_kind && read.group == group;
         });
}

}  // namespace wmap::definition
