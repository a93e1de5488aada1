#include "kube/watch.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "json/reader.h"

namespace wmap::kube {
namespace {

using json::Value;

// Longer than most proxies leave a silent connection alone; bookmarks come every minute.
constexpr std::int64_t kWatchSeconds = 300;
constexpr std::int64_t kFirstPauseMs = 500;
constexpr std::int64_t kMostPauseMs = 30'000;

constexpr std::string_view kMetadataOnly =
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

}  // namespace

Watch::Watch(Client& client, ListQuery query, std::string resource_version)
    : client_(client), query_(std::move(query)), version_(std::move(resource_version)) {}

Result<void> Watch::Begin() {
  Request request;
  request.path = query_.type.Path(query_.name_space);
  request.may_be_silent = true;
  if (query_.metadata_only) request.accept = kMetadataOnly;
  AppendParameter(request.path, "watch", "1");
  AppendParameter(request.path, "allowWatchBookmarks", "true");
  AppendParameter(request.path, "timeoutSeconds", Cat(kWatchSeconds));
  AppendParameter(request.path, "resourceVersion", version_);
  AppendParameter(request.path, "labelSelector", query_.label_selector);
  AppendParameter(request.path, "fieldSelector", query_.field_selector);
  WMAP_TRY(exchange_, client_.Start(request));
  return {};
}

Result<void> Watch::Take(Sink sink) {
  if (exchange_ == nullptr) {
    if (client_.NowMs() < begin_at_ms_) return {};
    return Begin();
  }
  if (exchange_->has_head() && exchange_->status() != 200) return End();
  while (true) {
    std::string_view arrived = exchange_->arrived();
    std::size_t end = arrived.find('\n');
    if (end == std::string_view::npos) break;
    WMAP_TRY_VOID(TakeLine(arrived.substr(0, end), sink));
    exchange_->Consume(end + 1);
  }
  return exchange_->is_done() ? End() : Result<void>();
}

Result<void> Watch::TakeLine(std::string_view line, Sink sink) {
  arena_.Reset();
  json::ReadOptions options;
  options.drop_managed_fields = true;
  options.borrow_text = true;
  Result<Value> event = json::Read(line, arena_, options);
  if (!event)
    return Fail(Code::kUnreachable, Cat("an event is no JSON: ", event.error().message()));
  std::string_view type = event->Get("type").text_or_empty();
  Value object = event->Get("object");
  if (type == "ERROR") {
    Value code = object.Get("code");
    std::string message(object.Get("message").text_or_empty());
    bool expired = code.is_int() && code.as_int() == 410;
    return Fail(expired ? Code::kExpired : Code::kUnavailable, std::move(message));
  }
  pause_ms_ = 0;
  std::string_view version = object.Get("metadata").Get("resourceVersion").text_or_empty();
  if (!version.empty()) version_ = version;
  if (type == "ADDED" || type == "MODIFIED") sink(Change::kSet, Typed(query_.type, object, arena_));
  if (type == "DELETED") sink(Change::kGone, Typed(query_.type, object, arena_));
  return {};
}

// The server has ended the watch, or something else has.
Result<void> Watch::End() {
  Result<void> head = exchange_->AwaitHead();
  int status = head ? exchange_->status() : 0;
  bool hopeless = head ? status != 200 && status != 401 && status != 429 && status < 500
                       : !exchange_->may_retry() && head.error().code() != Code::kUnreachable;
  if (hopeless) {
    if (!head) return head;
    Answer answer;
    answer.status = status;
    answer.body = exchange_->ReadAll(std::size_t{1} << 20).value_or("");
    Request request{.path = query_.type.Path(query_.name_space)};
    return Fail(ErrorOf(answer, request));
  }
  if (status == 401) client_.RenewCredentials();
  exchange_.reset();
  // One that served its time is begun at once.
  begin_at_ms_ = client_.NowMs() + pause_ms_;
  pause_ms_ = std::clamp(pause_ms_ * 2, kFirstPauseMs, kMostPauseMs);
  return {};
}

}  // namespace wmap::kube
