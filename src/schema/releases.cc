#include "schema/releases.h"

#include <algorithm>

#include "base/text.h"
#include "schema/crd.h"
#include "schema/open_api.h"

namespace wmap::schema {

bool Releases::IsOne(const json::Value& document) { return IsCrd(document) || IsOpenApi(document); }

std::vector<Releases::Named> Releases::Kinds() const {
  std::vector<Named> kinds;
  for (const auto& [kind, releases] : by_kind_) {
    std::map<std::string, bool> versions;  // whether any release serves it
    for (const Release& release : releases) versions[release.version] |= release.is_served;
    for (const auto& [version, is_served] : versions) {
      kinds.push_back({{kind.first, version, kind.second}, is_served});
    }
  }
  return kinds;
}

void Releases::Add(const json::Value& document, std::string_view release) {
  bool is_crd = IsCrd(document);
  if (!is_crd && !IsOpenApi(document)) return;
  json::Value kept = json::DeepCopy(arenas_.emplace_back(), document);
  for (CrdVersion& version : is_crd ? VersionsOf(kept) : PublishedKinds(kept)) {
    std::vector<Release>& known = by_kind_[{version.kind.group, version.kind.kind}];
    known.push_back(
        {std::string(release), version.kind.version, version.schema, version.is_served});
  }
}

std::vector<Release> Releases::Of(std::string_view group, std::string_view kind,
                                  std::string_view version) const {
  std::vector<Release> found;
  auto add = [&](const Release& release) {
    if (version.empty() || release.version == version) found.push_back(release);
  };
  if (auto at = by_kind_.find({std::string(group), std::string(kind)}); at != by_kind_.end()) {
    std::ranges::for_each(at->second, add);
  } else {
    for (const definition::GroupVersionKind& known : built_ins_.Kinds()) {
      if (known.group != group || known.kind != kind) continue;
      add({Cat("kubernetes/", built_ins_.version()), known.version,
           built_ins_.Find(known.group, known.version, known.kind), true});
    }
  }
  if (!order_.empty()) {
    std::ranges::stable_sort(found, {}, [&](const Release& release) {
      return std::ranges::find(order_, release.name) - order_.begin();
    });
    return found;
  }
  std::ranges::stable_sort(
      found, [](const Release& a, const Release& b) { return IsOlder(a.name, b.name); });
  return found;
}

bool Releases::AreOfOneOperator(std::string_view release, std::string_view other) const {
  auto operator_of = [](std::string_view name) { return name.substr(0, name.rfind('/') + 1); };
  return !order_.empty() || operator_of(release) == operator_of(other);
}

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// "v1.7.0", "1.2", "knative-v1.12.4": has a dot between digits.
bool IsVersion(std::string_view name) {
  for (std::size_t i = 1; i + 1 < name.size(); ++i) {
    if (name[i] == '.' && IsDigit(name[i - 1]) && IsDigit(name[i + 1])) return true;
  }
  return false;
}

// The digits that begin at `at`, without zeros before them; `at` is behind them then.
std::string_view TakeNumber(std::string_view text, std::size_t& at) {
  std::size_t begin = at;
  while (at < text.size() && IsDigit(text[at])) ++at;
  while (begin + 1 < at && text[begin] == '0') ++begin;
  return text.substr(begin, at - begin);
}

}  // namespace

bool IsOlder(std::string_view a, std::string_view b) {
  if (IsVersion(a) != IsVersion(b)) return IsVersion(a);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (!IsDigit(a[i]) || !IsDigit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
      continue;
    }
    std::string_view x = TakeNumber(a, i);
    std::string_view y = TakeNumber(b, j);
    if (x != y) return x.size() != y.size() ? x.size() < y.size() : x < y;
  }
  // What goes on with "-alpha.1" comes before what has ended.
  if (i < a.size()) return a[i] == '-';
  return j < b.size() && b[j] != '-';
}

}  // namespace wmap::schema
