#include "inspect/manifest_keeper.h"

#include <algorithm>
#include <span>
#include <utility>

#include "json/writer.h"

namespace wmap::inspect {
namespace {

using json::Value;
using PathTail = std::span<const std::string>;

// Left behind by `kubectl apply`; as large as the rest of the manifest and read by nobody.
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

// The parts of `value` that `paths` lead to. Depth: that of the paths.
Value Select(const Value& value, std::span<const PathTail> paths, Arena& arena) {
  for (PathTail path : paths) {
    if (path.empty()) return value;
  }
  if (!value.is_object()) return value;
  json::ObjectBuilder object;
  for (const json::Member& member : value.members()) {
    std::vector<PathTail> below;
    for (PathTail path : paths) {
      if (path.front() == member.key) below.push_back(path.subspan(1));
    }
    if (!below.empty()) object.Add(member.key, Select(member.value, below, arena));
  }
  return object.Finish(arena);
}

Value Without(const Value& object, std::string_view key, Arena& arena) {
  if (object.Find(key) == nullptr) return object;
  json::ObjectBuilder builder;
  for (const json::Member& member : object.members()) {
    if (member.key != key) builder.Add(member.key, member.value);
  }
  return builder.Finish(arena);
}

Value WithMember(const Value& object, std::string_view key, const Value& value, Arena& arena) {
  json::ObjectBuilder builder;
  for (const json::Member& member : object.members()) {
    builder.Add(member.key, member.key == key ? value : member.value);
  }
  return builder.Finish(arena);
}

bool IsBelow(const expr::InputPath& path, const expr::InputPath& prefix) {
  return path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

}  // namespace

ManifestKeeper::Paths ManifestKeeper::PathsOf(const definition::Karta& karta) {
  std::vector<expr::InputPath> paths;
  auto add = [&](const definition::Expression& expression) {
    if (!expression || expression.program() == nullptr) return true;
    const auto& read = expression.program()->input_paths();
    if (!read) return false;
    paths.insert(paths.end(), read->begin(), read->end());
    return true;
  };
  for (const definition::Component& component : karta.components) {
    if (!component.pod_selector) continue;
    const definition::PodSelector& selector = *component.pod_selector;
    if (selector.type && !selector.type->match_labels.empty()) {
      for (const auto& [key, value] : selector.type->match_labels) {
        paths.push_back({"metadata", "labels", key});
      }
    }
    if ((selector.type && !add(selector.type->key_path)) || !add(selector.instance_id) ||
        !add(selector.replica_key)) {
      return std::nullopt;
    }
  }
  return paths;
}

void ManifestKeeper::LearnPaths() {
  reduces_ = true;
  paths_.emplace();
  for (const definition::Listing& listing : registry_.List()) {
    if (!listing.in_force) continue;
    const definition::GroupVersionKind& kind = listing.kind;
    definition::Match match = registry_.Find(kind.group, kind.version, kind.kind);
    if (!match) continue;
    Paths own = PathsOf(*match.karta);
    if (!own) {
      paths_.reset();
      return;
    }
    paths_->insert(paths_->end(), own->begin(), own->end());
  }
}

std::string ManifestKeeper::Keep(const Value& pod, Need need) {
  if (!reduces_ && kept_bytes_ > budget_) LearnPaths();
  Arena arena;
  Value kept = pod;
  if (reduces_ && paths_ && need != Need::kAll) {
    std::vector<PathTail> paths(paths_->begin(), paths_->end());
    if (need == Need::kLabels) paths.insert(paths.end(), {labels_, annotations_});
    kept = Select(pod, paths, arena);
  }
  Value metadata = kept.Get("metadata");
  Value annotations = metadata.Get("annotations");
  if (annotations.Find(kLastApplied) != nullptr) {
    metadata =
        WithMember(metadata, "annotations", Without(annotations, kLastApplied, arena), arena);
    kept = WithMember(kept, "metadata", metadata, arena);
  }
  std::string text;
  json::Write(kept, text);
  text.shrink_to_fit();
  kept_bytes_ += text.size();
  return text;
}

std::vector<std::string> ManifestKeeper::Unserved() const {
  std::vector<std::string> names;
  if (!reduces_ || !paths_) return names;
  for (const definition::Listing& listing : registry_.List()) {
    if (!listing.in_force) continue;
    const definition::GroupVersionKind& kind = listing.kind;
    definition::Match match = registry_.Find(kind.group, kind.version, kind.kind);
    if (!match) continue;
    Paths own = PathsOf(*match.karta);
    bool served = own && std::ranges::all_of(*own, [&](const expr::InputPath& path) {
                    return std::ranges::any_of(*paths_, [&](const expr::InputPath& known) {
                      return IsBelow(path, known);
                    });
                  });
    if (!served) names.push_back(listing.name);
  }
  return names;
}

}  // namespace wmap::inspect
