#include "inspect/manifest_keeper.h"

#include <algorithm>

#include "json/writer.h"

namespace wmap::inspect {
namespace {

using json::Value;

// Left behind by `kubectl apply`; as large as the rest of the manifest and read by nobody.
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

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

void ManifestKeeper::Part::Add(std::span<const std::string> path) {
  if (path.empty()) {
    whole = true;
  } else {
    members[path.front()].Add(path.subspan(1));
  }
}

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
  for (const expr::InputPath& path : *paths_) selectors_.Add(path);
  labels_ = selectors_;
  for (std::string_view field : {"labels", "annotations"}) {
    labels_.Add(std::vector<std::string>{"metadata", std::string(field)});
  }
}

std::string_view ManifestKeeper::Keep(const Value& pod, Need need, TextPool& texts) {
  if (!reduces_ && kept_bytes_ > budget_) LearnPaths();
  text_.clear();
  Value manifest = WithoutLastApplied(pod);
  if (reduces_ && paths_ && need != Need::kAll) {
    Write(manifest, need == Need::kLabels ? labels_ : selectors_);
  } else {
    json::Write(manifest, text_);
  }
  kept_bytes_ += text_.size();
  return texts.Keep(text_);
}

// The depth of the recursion is that of the paths.
void ManifestKeeper::Write(const Value& value, const Part& part) {
  if (part.whole || !value.is_object()) return json::Write(value, text_);
  char before = '{';
  for (const auto& [key, below] : part.members) {
    const Value* member = value.Find(key);
    if (member == nullptr) continue;
    text_ += before;
    json::WriteString(key, text_);
    text_ += ':';
    Write(*member, below);
    before = ',';
  }
  text_ += before == '{' ? "{}" : "}";
}

Value ManifestKeeper::WithoutLastApplied(const Value& pod) {
  Value metadata = pod.Get("metadata");
  Value annotations = metadata.Get("annotations");
  if (annotations.Find(kLastApplied) == nullptr) return pod;
  arena_.Reset();
  Value others = Without(annotations, kLastApplied, arena_);
  return WithMember(pod, "metadata", WithMember(metadata, "annotations", others, arena_), arena_);
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
