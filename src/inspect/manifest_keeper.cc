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

// A label, or all of them.
bool IsOfLabels(const expr::InputPath& path) {
  return path.size() >= 2 && path[0] == "metadata" && path[1] == "labels";
}

bool IsBelow(const expr::InputPath& path, const expr::InputPath& prefix) {
  return path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

}  // namespace

void ManifestKeeper::Part::Add(std::span<const std::string> path) {
  if (path.empty()) {
    whole = true;
  } else {
    auto at = std::ranges::lower_bound(members, path.front(), {}, &Member::key);
    if (at == members.end() || at->key != path.front()) {
      at = members.insert(at, {path.front(), {}});
    }
    at->part.Add(path.subspan(1));
  }
}

ManifestKeeper::Needs ManifestKeeper::NeedsOf(const definition::Karta& karta) {
  Needs needs;
  auto add_to = [](Paths& paths, const definition::Expression& expression) {
    if (!expression || expression.program() == nullptr || !paths) return;
    const Paths read = expression.program()->FindInputPaths();
    if (!read) return paths.reset();
    paths->insert(paths->end(), read->begin(), read->end());
  };
  for (const definition::Component& component : karta.components) {
    // Whatever their labels say, pods go by their owners as well.
    add_to(needs.paths, component.pod_instance);
    if (!needs.paths) return needs;
    if (!component.pod_selector) continue;
    const definition::PodSelector& selector = *component.pod_selector;
    Paths paths(std::in_place);
    Labels labels;
    auto add = [&](const definition::Expression& expression) { add_to(paths, expression); };
    if (selector.type) {
      labels = selector.type->match_labels;
      const expr::Program* key = selector.type->key_path.program();
      const auto plain = key == nullptr ? std::nullopt : key->plain_path();
      if (plain && plain->size() == 3 && IsOfLabels(*plain)) labels.emplace_back(plain->back(), "");
      add(selector.type->key_path);
    }
    add(selector.instance_id);
    add(selector.replica_key);
    bool reads_labels = paths && std::ranges::all_of(*paths, IsOfLabels);
    if (!labels.empty() && !reads_labels) {
      paths.emplace();
      needs.whole.push_back(labels);
    }
    if (!paths) {
      needs.paths.reset();
      return needs;
    }
    for (const auto& [key, value] : labels) paths->push_back({"metadata", "labels", key});
    needs.paths->insert(needs.paths->end(), paths->begin(), paths->end());
  }
  return needs;
}

template <typename F>
void ManifestKeeper::ForEachDefinition(F each) const {
  for (const definition::Listing& listing : registry_.List()) {
    if (!listing.in_force) continue;
    const definition::GroupVersionKind& kind = listing.kind;
    definition::Match match = registry_.Find(kind.group, kind.version, kind.kind);
    if (match) each(listing, NeedsOf(*match.karta));
  }
}

void ManifestKeeper::LearnPaths() {
  reduces_ = true;
  paths_.emplace();
  ForEachDefinition([&](const definition::Listing&, Needs needs) {
    whole_.insert(whole_.end(), needs.whole.begin(), needs.whole.end());
    if (!needs.paths) paths_.reset();
    if (paths_) paths_->insert(paths_->end(), needs.paths->begin(), needs.paths->end());
  });
  if (!paths_) return;
  for (const expr::InputPath& path : *paths_) selectors_.Add(path);
  labels_ = selectors_;
  for (std::string_view field : {"labels", "annotations"}) {
    labels_.Add(std::vector<std::string>{"metadata", std::string(field)});
  }
}

bool ManifestKeeper::IsReadWhole(const Value& pod) const {
  if (whole_.empty()) return false;
  const Value labels = pod.Get("metadata").Get("labels");
  return std::ranges::any_of(whole_, [&](const Labels& wanted) {
    return std::ranges::all_of(wanted, [&](const auto& label) {
      const Value* value = labels.Find(label.first);
      return value != nullptr && (label.second.empty() || value->text_or_empty() == label.second);
    });
  });
}

std::string_view ManifestKeeper::Keep(const Value& pod, Need need, TextPool& texts) {
  if (!reduces_ && kept_bytes_ > budget_) LearnPaths();
  text_.clear();
  Value manifest = WithoutLastApplied(pod);
  if (reduces_ && paths_ && need != Need::kAll && !IsReadWhole(pod)) {
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
  // Both ascend by key.
  auto wanted = part.members.begin();
  for (const auto& [key, member] : value.members()) {
    while (wanted != part.members.end() && wanted->key < key) ++wanted;
    if (wanted == part.members.end()) break;
    if (wanted->key != key) continue;
    text_ += before;
    json::WriteString(key, text_);
    text_ += ':';
    Write(member, wanted->part);
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
  ForEachDefinition([&](const definition::Listing& listing, const Needs& needs) {
    bool served =
        needs.paths && std::ranges::all_of(*needs.paths, [&](const expr::InputPath& path) {
          return std::ranges::any_of(
              *paths_, [&](const expr::InputPath& known) { return IsBelow(path, known); });
        });
    served = served && std::ranges::all_of(needs.whole, [&](const Labels& labels) {
               return std::ranges::find(whole_, labels) != whole_.end();
             });
    if (!served) names.push_back(listing.name);
  });
  return names;
}

}  // namespace wmap::inspect
