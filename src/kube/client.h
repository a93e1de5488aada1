// The API of one cluster, for one user: requests with credentials, repeated where that helps,
// answers that are errors told as errors.
//
// A request that only reads is repeated when the connection is cut, and when the server says that
// it is busy (429, 502, 503, 504): after the time that it asks for, else with growing pauses. A 401
// is answered once with new credentials, when there is a plugin or a file to ask. What takes longer
// than a second is told.
//
// Errors: kUnreachable, kLimit (time), kUnauthenticated, kForbidden, kNotFound, kConflict,
// kExpired (410), kInvalid (400, 422), kUnavailable (all others), with the server's own message.
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

  // The answer to a request that only reads: its head has come and says success, its body is to be
  // read. What is cut in the middle of the body is an error of reading it.
  Result<std::unique_ptr<Exchange>> Open(const Request& request);
  // The whole answer to a request that only reads; also a cut in the middle is repeated.
  Result<std::string> Read(const Request& request);
  // The answer to one that changes something, which is sent once (and again after a 401).
  Result<std::string> Send(const Request& request);

  Transport& transport() { return *transport_; }
  const Target& target() const { return target_; }

 private:
  class Attempts;

  Client(const Target& target, const Surroundings& surroundings, const Options& options)
      : target_(target),
        surroundings_(surroundings),
        options_(options),
        credentials_(target, surroundings) {}

  Result<std::unique_ptr<Exchange>> Start(const Request& request);
  Result<std::unique_ptr<Exchange>> TryOnce(const Request& request, Attempts& attempts);

  Target target_;
  Surroundings surroundings_;
  Options options_;
  Credentials credentials_;
  std::unique_ptr<Transport> transport_;
};

// The error that an answer with this status and body is.
Error ErrorOfAnswer(int status, std::string_view body, std::string_view method,
                    std::string_view path);

}  // namespace wmap::kube
