#include "kube/client.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "json/reader.h"
#include "json/value.h"

namespace wmap::kube {
namespace {

constexpr std::int64_t kMostPauseMs = 30'000;
// A pause that a person wonders about.
constexpr std::int64_t kToldPauseMs = 1'000;

bool IsBusy(int status) { return status == 429 || status == 502 || status == 503 || status == 504; }

Code CodeOf(int status) {
  switch (status) {
    case 400:
    case 405:
    case 413:
    case 415:
    case 422:
      return Code::kInvalid;
    case 401:
      return Code::kUnauthenticated;
    case 403:
      return Code::kForbidden;
    case 404:
      return Code::kNotFound;
    case 409:
      return Code::kConflict;
    case 410:
      return Code::kExpired;
    default:
      return Code::kUnavailable;
  }
}

// What the server asks to wait, in milliseconds; 0 when it does not.
std::int64_t RetryAfter(const Exchange& exchange) {
  std::string_view text = exchange.header("retry-after");
  std::int64_t seconds = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  bool is_number = error == std::errc() && end == text.data() + text.size() && seconds > 0;
  return is_number ? std::min(seconds, kMostPauseMs / 1000) * 1000 : 0;
}

// More causes of one error are not read by anybody.
constexpr std::size_t kMostCauses = 16;

// What `status`, an answer of kind Status, says. Its message may be no more than that something is
// wrong, and its causes what.
std::string WordsOf(const json::Value& status) {
  std::string text(status.Get("message").text_or_empty());
  json::Value causes = status.Get("details").Get("causes");
  if (text.empty() || !causes.is_array()) return text;
  for (const json::Value& cause : causes.items().first(std::min(causes.size(), kMostCauses))) {
    std::string_view words = cause.Get("message").text_or_empty();
    if (!text.contains(words)) CatTo(text, ": ", words);
  }
  return text;
}

constexpr std::string_view kSentNothing =
    "; no credentials were sent: the kubeconfig has none for this context's user, or no user";

// The first line of an answer in plain words, as of a server that speaks TLS and was asked without;
// "" of a page or of data.
std::string_view PlainWords(std::string_view body) {
  constexpr std::size_t kMost = 200;
  std::string_view line = body.substr(0, body.find_first_of("\r\n"));
  bool is_plain =
      line.size() <= kMost && line.find_first_of("<{[") != 0 &&
      std::ranges::none_of(line, [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e;
      });
  return is_plain ? line : std::string_view();
}

// "/api/v1/pods" of a path with a query.
std::string_view WithoutQuery(std::string_view path) { return path.substr(0, path.find('?')); }

}  // namespace

Error ErrorOf(const Answer& answer, const Request& request) {
  int status = answer.status;
  // The server's own word for it is "Unauthorized".
  if (status == 401 && answer.is_anonymous) {
    return Error(
        Code::kUnauthenticated,
        Cat("the server does not answer without credentials (401 Unauthorized)", kSentNothing));
  }
  if (status == 401) {
    return Error(Code::kUnauthenticated,
                 "the server does not accept these credentials (401 Unauthorized); log in again, "
                 "or look at the user of this context in the kubeconfig");
  }
  Arena arena;
  Result<json::Value> body = json::Read(answer.body, arena);
  if (body && body->Get("kind").text_or_empty() == "Status") {
    std::string message = WordsOf(*body);
    // The server's name for who does not say who he is.
    if (answer.is_anonymous && message.contains("\"system:anonymous\"")) message += kSentNothing;
    if (!message.empty()) return Error(CodeOf(status), std::move(message));
  }
  std::string text =
      Cat("the server answered ", status, " to ", request.method, ' ', WithoutQuery(request.path));
  if (std::string_view said = PlainWords(answer.body); !said.empty()) CatTo(text, ": ", said);
  if (status >= 300 && status < 400) text += "; is the address that of an API server?";
  if (status == 407) text += "; a proxy on the way wants a name and a password";
  return Error(CodeOf(status), std::move(text));
}

// Counts the attempts of one request, and waits between them.
class Client::Attempts {
 public:
  explicit Attempts(Client& client) : client_(client), start_ms_(NowMs()) {}

  // Whether to try again, after a pause of `asked_ms`, or of a length of our own when that is 0.
  // Other exchanges go on meanwhile.
  bool Again(const Error& why, std::int64_t asked_ms) {
    const Options& options = client_.options_;
    if (++made_ >= options.most_attempts) return false;
    std::int64_t pause = std::min(options.first_pause_ms << std::min(made_ - 1, 10), kMostPauseMs);
    if (asked_ms > 0) pause = asked_ms;
    std::int64_t end = NowMs() + pause;
    if (std::int64_t left = TimeLeft(); left > 0 && pause >= left) return false;
    if (why.code() == Code::kLimit) {
      client_.surroundings_.tell(Cat(why.message(), "; trying again\n"));
    } else if (pause >= kToldPauseMs) {
      client_.surroundings_.tell(Cat(why.message(), "; trying again in ", pause / 1000, " s\n"));
    }
    for (std::int64_t now = NowMs(); now < end; now = NowMs()) {
      if (!client_.Wait(end - now)) return false;
    }
    return true;
  }

  // What is left of the time for the request; 0 = no bound.
  std::int64_t TimeLeft() const {
    std::int64_t timeout = client_.options_.request_timeout_ms;
    if (timeout > 0) timeout = std::max<std::int64_t>(timeout - (NowMs() - start_ms_), 1);
    return client_.surroundings_.Within(timeout);
  }

  // Whether an answer was never too slow before.
  bool FirstDelay() { return !std::exchange(delayed_, true); }
  // Whether this is the first refusal of the credentials.
  bool FirstRefusal() { return !std::exchange(refused_, true); }

 private:
  std::int64_t NowMs() const { return client_.NowMs(); }

  Client& client_;
  std::int64_t start_ms_;
  int made_ = 0;
  bool refused_ = false;
  bool delayed_ = false;
};

void Client::TellOnce(const std::string& text) {
  if (text == told_) return;
  told_ = text;
  surroundings_.tell(text);
}

void Client::TellOver(const std::string& text) {
  if (!std::exchange(told_, {}).empty()) surroundings_.tell(text);
}

Result<std::unique_ptr<Client>> Client::Make(const Target& target, const Surroundings& surroundings,
                                             const Options& options) {
  std::unique_ptr<Client> client(new Client(target, surroundings, options));
  WMAP_TRY(client->transport_, Transport::Make(target, surroundings, options.transport));
  return client;
}

Result<std::unique_ptr<Exchange>> Client::Start(const Request& request) {
  return StartWithin(request, Attempts(*this));
}

Result<std::unique_ptr<Exchange>> Client::StartWithin(const Request& request,
                                                      const Attempts& attempts) {
  WMAP_TRY(const Credentials::Proof* proof, credentials_.Get());
  Request timed = request;
  if (!request.may_be_silent) timed.timeout_ms = attempts.TimeLeft();
  return transport_->Start(timed, *proof);
}

// `exchange`, or, where its answer refuses the credentials, another one with new ones.
Result<std::unique_ptr<Exchange>> Client::AfterRefusal(const Request& request,
                                                       std::unique_ptr<Exchange> exchange,
                                                       Attempts& attempts) {
  Result<void> head = exchange->AwaitHead();
  if (head && exchange->status() != 401) AcceptCredentials(*exchange);
  if (!head || exchange->status() != 401 || !attempts.FirstRefusal() ||
      !RenewCredentials(*exchange)) {
    return exchange;
  }
  return StartWithin(request, attempts);
}

// The answer that no repetition would better: with its whole body, or, when that is not asked for
// and it says success, with the exchange that it goes on in.
Result<Answer> Client::Repeat(const Request& request, std::unique_ptr<Exchange> exchange,
                              bool whole_body) {
  Attempts attempts(*this);
  while (true) {
    WMAP_TRY(exchange, AfterRefusal(request, std::move(exchange), attempts));
    Answer answer;
    Result<void> done = exchange->AwaitHead();
    if (done) {
      answer.status = exchange->status();
      answer.is_anonymous = exchange->is_anonymous();
      answer.etag = exchange->header("etag");
      if (!whole_body && answer.is_success()) {
        answer.exchange = std::move(exchange);
        return answer;
      }
      Result<std::string> body = exchange->ReadAll(request.most_bytes);
      if (body) {
        answer.body = *std::move(body);
        if (!IsBusy(answer.status)) return answer;
      } else {
        done = Fail(std::move(body).error());
      }
    }
    bool again = done || exchange->may_retry();
    Error error = done ? ErrorOf(answer, request) : std::move(done).error();
    if (error.code() == Code::kLimit) again = again && attempts.FirstDelay();
    if (!again || !attempts.Again(error, RetryAfter(*exchange))) return Fail(std::move(error));
    WMAP_TRY(exchange, StartWithin(request, attempts));
  }
}

Result<Answer> Client::Finish(const Request& request, std::unique_ptr<Exchange> exchange) {
  return Repeat(request, std::move(exchange), true);
}

Result<std::string> Client::Read(const Request& request) {
  WMAP_TRY(std::unique_ptr<Exchange> exchange, Start(request));
  WMAP_TRY(Answer answer, Finish(request, std::move(exchange)));
  if (!answer.is_success()) return Fail(ErrorOf(answer, request));
  return std::move(answer.body);
}

Result<std::unique_ptr<Exchange>> Client::Open(const Request& request) {
  WMAP_TRY(std::unique_ptr<Exchange> exchange, Start(request));
  WMAP_TRY(Answer answer, Repeat(request, std::move(exchange), false));
  if (!answer.is_success()) return Fail(ErrorOf(answer, request));
  return std::move(answer.exchange);
}

// How sending something that changes an object ended.
struct Client::Attempt {
  Result<std::string> body;
  std::int64_t asked_ms = 0;        // until the next attempt
  bool may_be_carried_out = false;  // though `body` is an error
  bool may_do_better = false;       // the next time
};

Client::Attempt Client::SendOnce(const Request& request, Attempts& attempts) {
  Result<std::unique_ptr<Exchange>> started = StartWithin(request, attempts);
  if (started) started = AfterRefusal(request, *std::move(started), attempts);
  if (!started) return {Fail(std::move(started).error())};
  Exchange& exchange = **started;
  if (Result<void> head = exchange.AwaitHead(); !head) {
    bool may_retry = exchange.may_retry() && head.error().code() != Code::kLimit;
    bool is_sent = !exchange.was_refused();
    return {Fail(std::move(head).error()), 0, is_sent, may_retry || !is_sent};
  }
  Answer answer;
  answer.status = exchange.status();
  answer.is_anonymous = exchange.is_anonymous();
  Result<std::string> body = exchange.ReadAll(request.most_bytes);
  if (answer.is_success()) {
    if (body) return {std::move(body)};
    return {Fail(body.error().code(), Cat("the change was made, but ", body.error().message()))};
  }
  // The number says what matters.
  if (body) answer.body = *std::move(body);
  return {Fail(ErrorOf(answer, request)), RetryAfter(exchange), answer.status >= 500,
          IsBusy(answer.status)};
}

Result<std::string> Client::Send(Request request, bool is_repeatable) {
  // What is sent again unseen could be a change that is in conflict with itself.
  request.send_once = true;
  Attempts attempts(*this);
  std::optional<Error> lost;  // an earlier attempt, which may have been carried out
  while (true) {
    Attempt attempt = SendOnce(request, attempts);
    if (attempt.body) return std::move(attempt.body);
    const Error& error = attempt.body.error();
    bool again = attempt.may_do_better && (is_repeatable || !attempt.may_be_carried_out);
    if (again && attempts.Again(error, attempt.asked_ms)) {
      if (attempt.may_be_carried_out) lost = error;
      continue;
    }
    if (attempt.may_be_carried_out) {
      return Fail(error.code(), Cat(error.message(), kNotKnown));
    }
    if (!lost) return Fail(error);
    // That somebody has changed the object may well be the lost attempt itself.
    return Fail(lost->code(), Cat(lost->message(), kNotKnown, "; asked again: ", error.message()));
  }
}

}  // namespace wmap::kube
