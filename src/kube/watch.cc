#include "kube/watch.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "json/reader.h"
#include "kube/escape.h"

namespace wmap::kube {
namespace {

using json::Value;

// Longer than most proxies leave a silent connection alone; bookmarks come every minute.
constexpr std::int64_t kWatchSeconds = 300;
// Of bookmarks two are missing then.
constexpr std::int64_t kMostSilenceMs = 150'000;
constexpr std::int64_t kFirstPauseMs = 500;
// A pause that a person wonders about.
constexpr std::int64_t kToldPauseMs = 1'000;
constexpr std::int64_t kMostPauseMs = 30'000;

// Larger than any object that a server keeps.
constexpr std::size_t kMostEventBytes = std::size_t{64} << 20;
}  // namespace

Watch::Watch(Client& client, ListQuery query, std::string resource_version)
    : client_(client), query_(std::move(query)), version_(std::move(resource_version)) {}

Result<void> Watch::Begin() {
  Request request;
  request.path = query_.type.Path(query_.name_space);
  request.may_be_silent = true;
  request.accept = AcceptOf(query_, "PartialObjectMetadata");
  AppendParameter(request.path, "watch", "1");
  AppendParameter(request.path, "allowWatchBookmarks", "true");
  AppendParameter(request.path, "timeoutSeconds", Cat(kWatchSeconds));
  AppendParameter(request.path, "resourceVersion", version_);
  AppendParameter(request.path, "labelSelector", query_.label_selector);
  AppendParameter(request.path, "fieldSelector", query_.field_selector);
  WMAP_TRY(exchange_, client_.Start(request));
  heard_at_ms_ = client_.NowMs();
  return {};
}

bool Watch::is_live() const {
  return exchange_ != nullptr && !exchange_->is_done() && exchange_->has_head() &&
         exchange_->status() == 200;
}

Result<void> Watch::Take(Sink sink) {
  if (exchange_ == nullptr) {
    if (client_.NowMs() < begin_at_ms_) return {};
    return Begin();
  }
  if (exchange_->has_head() && exchange_->status() != 200) return End();
  if (!exchange_->arrived().empty()) heard_at_ms_ = client_.NowMs();
  while (true) {
    std::string_view arrived = exchange_->arrived();
    std::size_t end = arrived.find('\n');
    if (end == std::string_view::npos) {
      if (arrived.size() <= kMostEventBytes) break;
      return Fail(Code::kLimit, Cat("an event is larger than ", kMostEventBytes >> 20, " MiB"));
    }
    WMAP_TRY_VOID(TakeLine(arrived.substr(0, end), sink));
    exchange_->Consume(end + 1);
  }
  if (exchange_->is_done()) return End();
  if (client_.NowMs() - heard_at_ms_ > kMostSilenceMs) exchange_.reset();
  return {};
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
  was_refused_ = false;
  client_.AcceptCredentials(*exchange_);
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
  // New credentials may do better, once.
  bool may_renew =
      status == 401 && !std::exchange(was_refused_, true) && client_.RenewCredentials(*exchange_);
  bool hopeless = head ? status != 200 && !may_renew && status != 429 && status < 500
                       : !exchange_->may_retry() && head.error().code() != Code::kUnreachable &&
                             head.error().code() != Code::kLimit;
  if (hopeless && !head) return head;
  std::optional<Error> error;
  if (!head) error = head.error();
  if (head && status != 200) {
    Answer answer;
    answer.status = status;
    answer.is_anonymous = exchange_->is_anonymous();
    answer.body = exchange_->ReadAll(std::size_t{1} << 20).value_or("");
    error = ErrorOf(answer, {.path = query_.type.Path(query_.name_space)});
  }
  if (hopeless) return Fail(*std::move(error));
  exchange_.reset();
  // One that served its time is begun at once.
  begin_at_ms_ = client_.NowMs() + pause_ms_;
  // Many watches end for one reason, which is told once.
  if (error && pause_ms_ >= kToldPauseMs) {
    client_.TellOnce(Cat(error->message(), "; what is shown may be out of date\n"));
  }
  pause_ms_ = std::clamp(pause_ms_ * 2, kFirstPauseMs, kMostPauseMs);
  return {};
}

}  // namespace wmap::kube
