#include "kube/discovery.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "json/reader.h"
#include "json/value.h"
#include "kube/cache.h"
#include "kube/escape.h"

namespace wmap::kube {
namespace {

using json::Value;

// Both forms of the aggregated answer, then the plain one for servers that have neither.
constexpr std::string_view kAccept =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

struct Document {
  std::string_view path;
  std::string_view file;  // in the cache
};
// The core group is fixed; what comes and goes is in the last one.
constexpr std::array kDocuments = {Document{"/api", "api"}, Document{"/apis", "apis"}};

// What is kept of an answer: its tag, a line end, its body.
struct Kept {
  std::string etag;
  std::string body;
};

Kept Unpack(std::string text) {
  std::size_t end = text.find('\n');
  if (end == std::string::npos) return {};
  Kept kept;
  kept.etag = text.substr(0, end);
  kept.body = std::move(text);
  kept.body.erase(0, end + 1);
  return kept;
}

std::vector<std::string> Texts(const Value& list) {
  std::vector<std::string> texts;
  if (!list.is_array()) return texts;
  for (const Value& item : list.items()) texts.emplace_back(item.text_or_empty());
  return texts;
}

void SetVerbs(ApiType& type, const Value& verbs) {
  for (const std::string& verb : Texts(verbs)) {
    type.can_list |= verb == "list";
    type.can_watch |= verb == "watch";
  }
}

std::span<const Value> Items(const Value& list) {
  return list.is_array() ? list.items() : std::span<const Value>();
}

}  // namespace

std::string ApiType::ApiVersion() const {
  return group.empty() ? version : Cat(group, '/', version);
}

std::string ApiType::Path(std::string_view name_space) const {
  std::string path = group.empty() ? Cat("/api/", version) : Cat("/apis/", group, '/', version);
  if (namespaced && !name_space.empty()) {
    CatTo(path, "/namespaces/", PercentEncoded(name_space));
  }
  return Cat(path, '/', plural);
}

bool Discovery::Add(std::string_view body) {
  Arena arena;
  Result<Value> read = json::Read(body, arena);
  if (!read || read->Get("kind").text_or_empty() != "APIGroupDiscoveryList") return false;
  for (const Value& group : Items(read->Get("items"))) {
    std::string_view group_name = group.Get("metadata").Get("name").text_or_empty();
    bool preferred = true;
    for (const Value& version : Items(group.Get("versions"))) {
      if (version.Get("freshness").text_or_empty() == "Stale") {
        unavailable_.push_back(Cat(group_name, '/', version.Get("version").text_or_empty()));
      }
      for (const Value& resource : Items(version.Get("resources"))) {
        ApiType& type = types_.emplace_back();
        type.group = group_name;
        type.version = version.Get("version").text_or_empty();
        type.kind = resource.Get("responseKind").Get("kind").text_or_empty();
        type.plural = resource.Get("resource").text_or_empty();
        type.singular = resource.Get("singularResource").text_or_empty();
        type.short_names = Texts(resource.Get("shortNames"));
        type.namespaced = resource.Get("scope").text_or_empty() == "Namespaced";
        SetVerbs(type, resource.Get("verbs"));
        type.preferred = preferred;
      }
      preferred = false;
    }
  }
  return true;
}

const ApiType* Discovery::Find(std::string_view group, std::string_view version,
                               std::string_view kind) const {
  for (const ApiType& type : types_) {
    bool right_version = version.empty() ? type.preferred : type.version == version;
    if (type.kind == kind && type.group == group && right_version) return &type;
  }
  return nullptr;
}

std::vector<const ApiType*> Discovery::Named(std::string_view type) const {
  std::string name = ToLower(type);
  std::string rest;
  if (std::size_t dot = name.find('.'); dot != std::string::npos) {
    rest = name.substr(dot + 1);
    name.resize(dot);
    // The core group is nothing: "pods.v1.".
    if (rest.ends_with('.')) rest.pop_back();
  }
  auto is_name = [&](std::string_view text) { return !text.empty() && ToLower(text) == name; };
  std::vector<const ApiType*> found;
  for (const ApiType& one : types_) {
    if (!is_name(one.plural) && !is_name(one.singular) && !is_name(one.kind) &&
        std::ranges::none_of(one.short_names, is_name)) {
      continue;
    }
    std::string versioned = one.group.empty() ? one.version : Cat(one.version, '.', one.group);
    bool is_meant = rest.empty() || rest == one.group ? one.preferred : rest == versioned;
    if (is_meant && !one.kind.empty()) found.push_back(&one);
  }
  return found;
}

Result<Discovery> Discovery::Load(Client& client, const std::string& cache_folder) {
  const FileSystem& files = *client.surroundings().files;
  std::array<Request, kDocuments.size()> requests;
  std::array<Kept, kDocuments.size()> kept;
  std::array<std::unique_ptr<Exchange>, kDocuments.size()> exchanges;
  for (std::size_t i = 0; i < kDocuments.size(); ++i) {
    kept[i] = Unpack(ReadCache(files, cache_folder, kDocuments[i].file));
    requests[i].path = kDocuments[i].path;
    requests[i].accept = kAccept;
    // An entry that was damaged is none.
    if (Discovery().Add(kept[i].body)) requests[i].known_etag = kept[i].etag;
    WMAP_TRY(exchanges[i], client.Start(requests[i]));
  }
  Discovery discovery;
  for (std::size_t i = 0; i < kDocuments.size(); ++i) {
    WMAP_TRY(Answer answer, client.Finish(requests[i], std::move(exchanges[i])));
    discovery.etag_ = answer.status == 304 ? kept[i].etag : answer.etag;
    if (answer.status == 304) {
      discovery.Add(kept[i].body);
      continue;
    }
    if (!answer.is_success()) return Fail(ErrorOf(answer, requests[i]));
    if (!discovery.Add(answer.body)) {
      WMAP_TRY_VOID(discovery.LoadOneByOne(client));
      return discovery;
    }
    if (!answer.etag.empty()) {
      WriteCache(cache_folder, kDocuments[i].file, Cat(answer.etag, '\n', answer.body));
    }
  }
  return discovery;
}

Request Discovery::Question() const {
  return {.path = std::string(kDocuments.back().path),
          .accept = std::string(kAccept),
          .known_etag = etag_};
}

std::optional<Discovery> Discovery::Answered(const Answer& answer) const {
  Discovery other;
  for (const ApiType& type : types_) {
    if (type.group.empty()) other.types_.push_back(type);
  }
  if (!answer.is_success() || !other.Add(answer.body)) return std::nullopt;
  other.etag_ = answer.etag;
  return other;
}

void Discovery::AddResources(std::string_view group, std::string_view version, bool preferred,
                             const Answer& answer) {
  Arena arena;
  Result<Value> list = json::Read(answer.body, arena);
  if (!answer.is_success() || !list) {
    unavailable_.push_back(Cat(group, '/', version));
    return;
  }
  for (const Value& resource : Items(list->Get("resources"))) {
    std::string_view name = resource.Get("name").text_or_empty();
    if (name.find('/') != std::string_view::npos) continue;
    ApiType& type = types_.emplace_back();
    type.group = group;
    type.version = version;
    type.kind = resource.Get("kind").text_or_empty();
    type.plural = name;
    type.singular = resource.Get("singularName").text_or_empty();
    type.short_names = Texts(resource.Get("shortNames"));
    type.namespaced = resource.Get("namespaced").is_true();
    SetVerbs(type, resource.Get("verbs"));
    type.preferred = preferred;
  }
}

Result<void> Discovery::LoadOneByOne(Client& client) {
  types_.clear();
  WMAP_TRY(std::string core, client.Read({.path = "/api"}));
  WMAP_TRY(std::string groups, client.Read({.path = "/apis"}));
  Arena arena;
  struct Part {
    std::string group;
    std::string version;
    bool preferred;
    Request request;
    std::unique_ptr<Exchange> exchange;
  };
  std::vector<Part> parts;
  auto add = [&](std::string_view group, std::string_view version, bool preferred,
                 std::string path) -> Result<void> {
    Part& part = parts.emplace_back(std::string(group), std::string(version), preferred,
                                    Request{.path = std::move(path)}, nullptr);
    WMAP_TRY(part.exchange, client.Start(part.request));
    return {};
  };
  WMAP_TRY(Value versions, json::Read(core, arena));
  for (const std::string& version : Texts(versions.Get("versions"))) {
    WMAP_TRY_VOID(add("", version, true, Cat("/api/", version)));
  }
  WMAP_TRY(Value list, json::Read(groups, arena));
  for (const Value& group : Items(list.Get("groups"))) {
    std::string_view name = group.Get("name").text_or_empty();
    std::string_view wanted = group.Get("preferredVersion").Get("version").text_or_empty();
    for (const Value& entry : Items(group.Get("versions"))) {
      std::string_view version = entry.Get("version").text_or_empty();
      WMAP_TRY_VOID(add(name, version, version == wanted, Cat("/apis/", name, '/', version)));
    }
  }
  for (Part& part : parts) {
    WMAP_TRY(Answer answer, client.Finish(part.request, std::move(part.exchange)));
    AddResources(part.group, part.version, part.preferred, answer);
  }
  return {};
}

}  // namespace wmap::kube
