#include "kube/list.h"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "base/text.h"
#include "json/reader.h"
#include "kube/escape.h"

namespace wmap::kube {
namespace {

using json::Value;

// More lists at once would only wait for each other in the server.
constexpr std::size_t kListsAtOnce = 8;
// A page is bounded by its size; where a server does not heed that, all objects come at once.
constexpr std::size_t kMostPageBytes = std::size_t{1} << 30;

}  // namespace

std::string AcceptOf(const ListQuery& query, std::string_view metadata_kind) {
  constexpr std::string_view kJson = "application/json";
  if (!query.metadata_only) return std::string(kJson);
  return Cat(kJson, ";as=", metadata_kind, ";g=meta.k8s.io;v=v1,", kJson);
}

// The items of typed lists come without apiVersion and kind.
Value Typed(const ApiType& type, const Value& item, Arena& arena) {
  if (!item.is_object()) return item;
  std::string_view kind = item.Get("kind").text_or_empty();
  if (!kind.empty() && kind != "PartialObjectMetadata") return item;
  std::vector<json::Member> members = {{"apiVersion", json::MakeString(arena, type.ApiVersion())},
                                       {"kind", json::MakeString(arena, type.kind)}};
  for (std::size_t i = 0; i < item.size(); ++i) {
    const json::Member& member = item.member_in_source_order(i);
    if (member.key != "apiVersion" && member.key != "kind") members.push_back(member);
  }
  return json::MakeObject(arena, members, nullptr);
}

List::List(Client& client, ListQuery query) : client_(client), query_(std::move(query)) {}

Result<void> List::Start() {
  if (exchange_ != nullptr || at_end_) return {};
  return StartPage();
}

Result<void> List::StartPage() {
  request_ = {};
  request_.path = query_.type.Path(query_.name_space);
  request_.most_bytes = kMostPageBytes;
  request_.accept = AcceptOf(query_, "PartialObjectMetadataList");
  AppendParameter(request_.path, "labelSelector", query_.label_selector);
  AppendParameter(request_.path, "fieldSelector", query_.field_selector);
  if (query_.page_size > 0) AppendParameter(request_.path, "limit", Cat(query_.page_size));
  AppendParameter(request_.path, "continue", continue_);
  WMAP_TRY(exchange_, client_.Start(request_));
  return {};
}

Result<void> List::Read(Sink sink) {
  WMAP_TRY_VOID(Start());
  while (!at_end_) WMAP_TRY_VOID(ReadPage(sink));
  return {};
}

// The body of a 410 may say how to go on. Where it does not, everything is read once more, in one
// page that no state can be lost of.
bool List::GoOnAfterLoss(const std::string& status_body) {
  Result<Value> status = json::Read(status_body, arena_);
  std::string_view token =
      status ? status->Get("metadata").Get("continue").text_or_empty() : std::string_view();
  if (token.empty() && query_.page_size == 0) return false;
  if (token.empty()) query_.page_size = 0;
  continue_ = token;
  return true;
}

Result<Answer> List::FinishPage() {
  while (true) {
    WMAP_TRY(Answer answer, client_.Finish(request_, std::move(exchange_)));
    if (answer.is_success()) return answer;
    arena_.Reset();
    if (answer.status != 410 || !GoOnAfterLoss(answer.body)) return Fail(ErrorOf(answer, request_));
    WMAP_TRY_VOID(StartPage());
  }
}

Result<void> List::ReadPage(Sink sink) {
  WMAP_TRY(Answer answer, FinishPage());
  arena_.Reset();
  json::ReadOptions options;
  options.drop_managed_fields = true;
  options.borrow_text = true;
  Result<Value> page = json::Read(answer.body, arena_, options);
  // Any page of a site in between is an answer, too; and a list of nothing may have no items.
  bool is_list = page && page->Get("kind").text_or_empty().ends_with("List") &&
                 page->Get("metadata").is_object() &&
                 (page->Get("items").is_array() || page->Get("items").is_null());
  // What is none of them would be missing from the whole.
  if (is_list && page->Get("items").is_array()) {
    is_list = std::ranges::all_of(page->Get("items").items(), &Value::is_object);
  }
  if (!is_list) {
    return Fail(Code::kUnreachable,
                Cat("the server's answer to GET ", query_.type.Path(query_.name_space),
                    " is no list", page ? "" : Cat(": ", page.error().message())));
  }
  Value metadata = page->Get("metadata");
  if (resource_version_.empty()) {
    resource_version_ = metadata.Get("resourceVersion").text_or_empty();
  }
  continue_ = metadata.Get("continue").text_or_empty();
  at_end_ = continue_.empty();
  if (!at_end_) WMAP_TRY_VOID(StartPage());
  if (page->Get("items").is_null()) return {};
  for (const Value& item : page->Get("items").items()) sink(Typed(query_.type, item, arena_));
  return {};
}

void ReadLists(Client& client, std::span<const ListQuery> queries,
               FunctionRef<void(std::size_t, const Value&)> each,
               FunctionRef<void(std::size_t, const Result<std::string>&)> ended) {
  // The first ones are those that are read next; all of them are under way.
  std::deque<std::pair<List, Result<void>>> started;
  std::size_t next = 0;
  for (std::size_t current = 0; current < queries.size(); ++current) {
    for (; next < queries.size() && started.size() < kListsAtOnce; ++next) {
      auto& added = started.emplace_back(List(client, queries[next]), Result<void>());
      added.second = added.first.Start();
    }
    auto& [list, begun] = started.front();
    Result<void> read = begun;
    if (read) read = list.Read([&](const Value& object) { each(current, object); });
    if (read) {
      ended(current, list.resource_version());
    } else {
      ended(current, Fail(std::move(read).error()));
    }
    started.pop_front();
  }
}

}  // namespace wmap::kube
