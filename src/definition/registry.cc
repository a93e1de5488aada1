#include "definition/registry.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "definition/api_version.h"
#include "definition/resource_names.h"

namespace wmap::definition {

struct Registry::Entry {
  GroupVersionKind kind;
  std::string name;
  Origin origin = Origin::kBuiltin;
  std::unique_ptr<const Karta> given;
  const CatalogEntry* builtin = nullptr;  // when not given
  // A built-in definition once it is opened; the entry owns it.
  mutable std::atomic<const Karta*> opened = nullptr;

  Entry() = default;
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;
  ~Entry() { delete opened.load(std::memory_order_relaxed); }
};

namespace {

// How Kubernetes orders versions: v2 before v1, v1 before v1beta2, v1beta1 before v1alpha1, all of
// them before what is no such name. Larger is newer.
std::tuple<int, std::uint64_t, std::uint64_t> VersionRank(std::string_view version) {
  auto number = [&](std::uint64_t& to) {
    std::size_t digits = 0;
    while (digits < version.size() && digits < 9 && version[digits] >= '0' &&
           version[digits] <= '9') {
      to = to * 10 + static_cast<std::uint64_t>(version[digits++] - '0');
    }
    version.remove_prefix(digits);
    return digits > 0;
  };
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  constexpr std::tuple kNoVersion{0, std::uint64_t{0}, std::uint64_t{0}};
  if (!version.starts_with('v')) return kNoVersion;
  version.remove_prefix(1);
  if (!number(major)) return kNoVersion;
  if (version.empty()) return {3, major, 0};
  int stage = version.starts_with("beta") ? 2 : version.starts_with("alpha") ? 1 : 0;
  if (stage == 0) return kNoVersion;
  version.remove_prefix(stage == 2 ? 4 : 5);
  if (!number(minor) || !version.empty()) return kNoVersion;
  return {stage, major, minor};
}

// `"a" in x.yaml`, or the name alone.
std::string Described(std::string_view name, std::string_view source) {
  return source.empty() ? Quote(name) : Cat(Quote(name), " in ", source);
}

// A TYPE on the command line, in lower case: a name, and the rest behind its first dot.
struct TypeName {
  std::string name;
  std::string rest;

  explicit TypeName(std::string_view type) : name(ToLower(type)) {
    std::size_t dot = name.find('.');
    if (dot == std::string::npos) return;
    rest = name.substr(dot + 1);
    name.resize(dot);
    // kubectl writes the core group as nothing: "pods.v1.".
    if (rest.ends_with('.')) rest.pop_back();
  }
};

bool HasName(const GroupVersionKind& kind, std::string_view name) {
  if (ToLower(kind.kind) == name || PluralOf(kind.kind) == name) return true;
  auto short_names = ShortNamesOf(kind.group, kind.kind);
  return std::ranges::find(short_names, name) != short_names.end();
}

// Groups of Kubernetes itself have no dots; those of everybody else are domain names.
bool IsOfKubernetes(std::string_view group) { return !group.contains('.'); }

// "jobs.batch", how to write a TYPE so that it is unambiguous.
std::string FullType(const TypeMatch& match) {
  std::string plural = PluralOf(match.kind);
  return match.group.empty() ? Cat(plural, ".v1") : Cat(plural, '.', match.group);
}

}  // namespace

Registry::Registry(Builtins builtins) {
  if (builtins == Builtins::kNone) return;
  for (const CatalogEntry& row : CatalogEntries()) {
    auto entry = std::make_unique<Entry>();
    entry->kind = {std::string(row.group), std::string(row.version), std::string(row.kind)};
    entry->name = row.name;
    entry->builtin = &row;
    entries_.push_back(std::move(entry));
  }
}

Registry::~Registry() = default;
Registry::Registry(Registry&&) noexcept = default;
Registry& Registry::operator=(Registry&&) noexcept = default;

Result<void> Registry::Add(std::unique_ptr<const Karta> karta) {
  for (const std::unique_ptr<Entry>& entry : entries_) {
    if (entry->origin != karta->origin || entry->kind != karta->kind()) continue;
    std::string_view source = entry->given == nullptr ? "" : std::string_view(entry->given->source);
    return Fail(
        Code::kInvalid,
        Cat("two definitions for ", karta->kind().Describe(), ": ", Described(entry->name, source),
            " and ", Described(karta->name, karta->source), "; leave one of them out"));
  }
  auto entry = std::make_unique<Entry>();
  entry->kind = karta->kind();
  entry->name = karta->name;
  entry->origin = karta->origin;
  entry->given = std::move(karta);
  entries_.push_back(std::move(entry));
  return {};
}

const Karta* Registry::Opened(const Entry& entry) const {
  if (entry.given != nullptr) return entry.given.get();
  const Karta* opened = entry.opened.load(std::memory_order_acquire);
  if (opened != nullptr) return opened;
  // Two threads may open it at once; the first one's is kept.
  std::unique_ptr<Karta> mine = Open(*entry.builtin);
  if (entry.opened.compare_exchange_strong(opened, mine.get(), std::memory_order_acq_rel)) {
    return mine.release();
  }
  return opened;
}

const Karta& Registry::Opened(const Listing& listing) const {
  auto entry = std::ranges::find_if(entries_, [&](const std::unique_ptr<Entry>& one) {
    return one->kind == listing.kind && one->origin == listing.origin;
  });
  WMAP_CHECK(entry != entries_.end());
  return *Opened(**entry);
}

std::vector<std::string> Registry::Overridden(const Entry& entry) const {
  std::vector<std::string> overridden;
  for (const std::unique_ptr<Entry>& other : entries_) {
    if (other->origin < entry.origin && other->kind == entry.kind) {
      overridden.push_back(Cat(OriginName(other->origin), ' ', other->name));
    }
  }
  return overridden;
}

Match Registry::MatchOf(const Entry& entry, bool other_version) const {
  return {Opened(entry), other_version, Overridden(entry)};
}

Match Registry::Find(std::string_view group, std::string_view version,
                     std::string_view kind) const {
  const Entry* exact = nullptr;
  const Entry* other = nullptr;
  for (const std::unique_ptr<Entry>& entry : entries_) {
    if (entry->kind.kind != kind || entry->kind.group != group) continue;
    if (entry->kind.version == version) {
      if (exact == nullptr || entry->origin > exact->origin) exact = entry.get();
    } else if (other == nullptr || std::pair(entry->origin, VersionRank(entry->kind.version)) >
                                       std::pair(other->origin, VersionRank(other->kind.version))) {
      other = entry.get();
    }
  }
  if (exact != nullptr) return MatchOf(*exact, false);
  // Without a version asked for, any will do.
  if (other != nullptr) return MatchOf(*other, !version.empty());
  return {};
}

Match Registry::FindByApiVersion(std::string_view api_version, std::string_view kind) const {
  auto [group, version] = SplitApiVersion(api_version);
  return Find(group, version, kind);
}

Match Registry::FindByName(std::string_view name) const {
  const Entry* found = nullptr;
  for (const std::unique_ptr<Entry>& entry : entries_) {
    if (entry->name == name && (found == nullptr || entry->origin > found->origin)) {
      found = entry.get();
    }
  }
  return found == nullptr ? Match{} : MatchOf(*found, false);
}

bool Registry::Covers(std::string_view group, std::string_view kind) const {
  return std::ranges::any_of(entries_, [&](const std::unique_ptr<Entry>& entry) {
    return entry->kind.kind == kind && entry->kind.group == group;
  });
}

bool Registry::ReadsChild(std::string_view group, std::string_view kind) const {
  return std::ranges::any_of(entries_, [&](const std::unique_ptr<Entry>& entry) {
    return entry->given != nullptr ? entry->given->ReadsChild(group, kind)
                                   : IsReadByCatalog(group, kind);
  });
}

std::vector<TypeMatch> Registry::Candidates(std::string_view type) const {
  TypeName wanted(type);
  std::vector<TypeMatch> matches;
  for (const std::unique_ptr<Entry>& entry : entries_) {
    const GroupVersionKind& kind = entry->kind;
    if (kind.kind.empty() || !HasName(kind, wanted.name)) continue;
    std::string group = ToLower(kind.group);
    std::string versioned = group.empty() ? kind.version : Cat(kind.version, '.', group);
    TypeMatch match{kind.group, kind.kind, {}};
    if (!wanted.rest.empty() && wanted.rest != group) {
      if (wanted.rest != versioned) continue;
      match.version = kind.version;
    }
    bool is_known = std::ranges::any_of(matches, [&](const TypeMatch& known) {
      return known.group == match.group && known.kind == match.kind;
    });
    if (!is_known) matches.push_back(std::move(match));
  }
  return matches;
}

// `things.a.io (definition "a-thing" in a.yaml)`.
std::string Registry::DescribeChoice(const TypeMatch& match) const {
  const Karta* karta = Find(match.group, match.version, match.kind).karta;
  if (karta == nullptr) return FullType(match);
  return Cat(FullType(match), " (definition ", Described(karta->name, karta->source), ')');
}

Result<TypeMatch> Registry::Choose(std::string_view type,
                                   const std::vector<TypeMatch>& candidates) const {
  if (candidates.empty()) return NotCovered(type, TypeName(type).name);
  if (candidates.size() == 1) return candidates.front();
  auto of_kubernetes = [](const TypeMatch& match) { return IsOfKubernetes(match.group); };
  if (std::ranges::count_if(candidates, of_kubernetes) == 1) {
    return *std::ranges::find_if(candidates, of_kubernetes);
  }
  std::vector<std::string> choices;
  for (const TypeMatch& match : candidates) choices.push_back(DescribeChoice(match));
  std::ranges::sort(choices);
  return Fail(Code::kInvalid, Cat(Quote(type), " is ambiguous: write ", Join(choices, " or ")));
}

std::unexpected<Error> Registry::NotCovered(std::string_view type, std::string_view name) const {
  std::vector<std::string> names;
  std::set<std::string> elsewhere;
  for (const std::unique_ptr<Entry>& entry : entries_) {
    const GroupVersionKind& kind = entry->kind;
    names.push_back(ToLower(kind.kind));
    names.push_back(PluralOf(kind.kind));
    if (HasName(kind, name)) elsewhere.insert(FullType({kind.group, kind.kind, {}}));
  }
  std::string_view near = Nearest(name, {names.begin(), names.end()});
  std::string hint = "`wmap definitions` lists the kinds";
  if (!elsewhere.empty()) {
    hint = Cat("did you mean ", Join({elsewhere.begin(), elsewhere.end()}, " or "), "?");
  } else if (!near.empty()) {
    hint = Cat("did you mean ", Quote(near), "?");
  }
  return Fail(Code::kNotFound, Cat("no definition covers the type ", Quote(type), "; ", hint));
}

std::vector<Listing> Registry::List() const {
  std::vector<Listing> listings;
  for (const std::unique_ptr<Entry>& entry : entries_) {
    Listing listing{entry->name, entry->kind, entry->origin, {}, Overridden(*entry), true};
    if (entry->given != nullptr) listing.source = entry->given->source;
    for (const std::unique_ptr<Entry>& other : entries_) {
      if (other->origin > entry->origin && other->kind == entry->kind) listing.in_force = false;
    }
    listings.push_back(std::move(listing));
  }
  std::ranges::sort(listings, {}, [](const Listing& listing) {
    return std::tuple(listing.kind.kind, listing.kind.group, listing.kind.version,
                      -static_cast<int>(listing.origin));
  });
  return listings;
}

}  // namespace wmap::definition
