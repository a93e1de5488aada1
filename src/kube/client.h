// The API of one cluster, for one user: requests with credentials, repeated where that helps,
// answers that are errors told as errors.
//
// A request that only reads is repeated when the connection is cut, and when the server says that
// it is busy (429, 502, 503, 504): after the time that it asks for, else with growing pauses. A 401
// is answered once with new credentials, when there is a plugin or a file to ask. An answer that
// comes too slowly is asked for a second time, not more often. What takes longer than a second is
// told.
//
// Errors: kUnreachable, kLimit (time), kUnauthenticated, kForbidden, kNotFound, kConflict,
// kExpired (410), kInvalid (400, 405, 413, 415, 422), kUnavailable (all others), with the server's
// own message and the causes that it names beside it.
//
// What changes an object goes through patch.h alone.
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "kube/credentials.h"
#include "kube/kubeconfig.h"
#include "kube/transport.h"

namespace wmap::kube {

struct Answer {
  int status = 0;
  std::string body;
  std::string etag;
  std::unique_ptr<Exchange> exchange;  // of an answer that goes on
  bool is_anonymous = false;           // it carried no credentials

  bool is_success() const { return status / 100 == 2; }
};

struct Patch;

class Client {
 public:
  struct Options {
    Transport::Options transport;
    // A whole request with all its repetitions; 0 = no bound. Not for watches.
    std::int64_t request_timeout_ms = 0;
    int most_attempts = 6;
    std::int64_t first_pause_ms = 250;
  };

  static Result<std::unique_ptr<Client>> Make(const Target& target,
                                              const Surroundings& surroundings,
                                              const Options& options);

  // The body of the answer to a request that only reads (a review and a dry run do, too).
  Result<std::string> Read(const Request& request);
  // The same in two steps, so that several requests can be under way: sends, and waits for the
  // answer, repeating the request where that helps. An answer of any other status is no error yet:
  // see ErrorOf().
  Result<std::unique_ptr<Exchange>> Start(const Request& request);
  Result<Answer> Finish(const Request& request, std::unique_ptr<Exchange> exchange);

  // An answer that goes on: its head has come and says success, its body is to be read. What is cut
  // in the middle of the body is an error of reading it.
  Result<std::unique_ptr<Exchange>> Open(const Request& request);

  // The server has refused, or accepted, the credentials of an exchange; see Credentials.
  bool RenewCredentials(const Exchange& exchange) {
    return credentials_.Renew(exchange.proof_number());
  }
  void AcceptCredentials(const Exchange& exchange) { credentials_.Accept(exchange.proof_number()); }

  // Tells a person of a trouble, unless it was told last; and that it is over, where one was told.
  void TellOnce(const std::string& text);
  void TellOver(const std::string& text);

  std::int64_t NowMs() const { return surroundings_.NowMs(); }
  // See Transport.
  Result<void> Wait(std::int64_t timeout_ms) { return transport_->Wait(timeout_ms); }
  Result<void> Reconnect() { return transport_->Reconnect(); }
  const Target& target() const { return target_; }
  const Surroundings& surroundings() const { return surroundings_; }

 private:
  class Attempts;

  friend Result<std::string> SendPatch(Client& client, const Patch& patch);

  // The body of the answer to a request that changes something; see patch.h for when it is sent
  // again, and what its errors say. `is_repeatable`: being carried out twice is as once.
  Result<std::string> Send(Request request, bool is_repeatable);
  struct Attempt;
  Attempt SendOnce(const Request& request, Attempts& attempts);

  Client(const Target& target, const Surroundings& surroundings, const Options& options)
      : target_(target),
        surroundings_(surroundings),
        options_(options),
        credentials_(target, surroundings) {}

  Result<std::unique_ptr<Exchange>> StartWithin(const Request& request, const Attempts& attempts);
  Result<std::unique_ptr<Exchange>> AfterRefusal(const Request& request,
                                                 std::unique_ptr<Exchange> exchange,
                                                 Attempts& attempts);
  Result<Answer> Repeat(const Request& request, std::unique_ptr<Exchange> exchange,
                        bool whole_body);

  Target target_;
  Surroundings surroundings_;
  Options options_;
  Credentials credentials_;
  std::unique_ptr<Transport> transport_;
  std::string told_;  // by TellOnce(), and is not over
};

// What the message of an error says when it is so.
inline constexpr std::string_view kNotKnown = "; whether the change was made is not known";

// The error that an answer without success is.
Error ErrorOf(const Answer& answer, const Request& request);

}  // namespace wmap::kube
