// The objects of a type, page by page.
//
// While a page is read the next one is on its way. Where the server has forgotten the state that
// the pages belong to (410), the rest is read from a newer state: no object that was there all the
// time is missed or comes twice.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/error.h"
#include "base/function_ref.h"
#include "json/value.h"
#include "kube/client.h"
#include "kube/discovery.h"

namespace wmap::kube {

struct ListQuery {
  ApiType type;
  std::string name_space = {};  // "" = all
  std::string label_selector = {};
  std::string field_selector = {};
  // Only apiVersion, kind and metadata of the objects: a fraction of the bytes.
  bool metadata_only = false;
  std::int64_t page_size = 500;  // 0 = one page for all
};

// What to accept as the answer to a query: JSON, or where only metadata is wanted an object of
// `metadata_kind`; servers that do not know how to make that give all.
std::string AcceptOf(const ListQuery& query, std::string_view metadata_kind);

// `item` with the apiVersion and kind of `type` where it has none, or those of metadata alone.
json::Value Typed(const ApiType& type, const json::Value& item, Arena& arena);

class List {
 public:
  // Called with each object; it is valid until the call returns. Of metadata_only lists too,
  // apiVersion and kind are those of the type.
  using Sink = FunctionRef<void(const json::Value&)>;

  List(Client& client, ListQuery query);

  // Sends the first request, so that several lists can be under way.
  Result<void> Start();
  // Reads all pages; after Start(), or not. Errors: those of Client; what came before was
  // delivered.
  Result<void> Read(Sink sink);

  // After Read(): the state that the first page shows, from where a watch misses nothing.
  const std::string& resource_version() const { return resource_version_; }

 private:
  Result<void> StartPage();
  Result<Answer> FinishPage();
  Result<void> ReadPage(Sink sink);
  bool GoOnAfterLoss(const std::string& status_body);

  Client& client_;
  ListQuery query_;
  std::string continue_;
  std::string resource_version_;
  Request request_;
  std::unique_ptr<Exchange> exchange_;
  bool at_end_ = false;
  Arena arena_;  // of the page at hand
};

// Reads several lists, a few at a time. `each` gets the number of the list with each object,
// `ended` how the list ended.
void ReadLists(Client& client, std::span<const ListQuery> queries,
               FunctionRef<void(std::size_t, const json::Value&)> each,
               FunctionRef<void(std::size_t, const Result<std::string>& resource_version)> ended);

}  // namespace wmap::kube
