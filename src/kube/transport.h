// HTTP to one API server: connections, TLS, proxies, compression. What answers mean is client.h's.
//
// One thread. Several exchanges run at once over few connections (HTTP/2 where the server speaks
// it); all of them move on whenever one of them is waited for. What arrives for an exchange that
// nobody reads is kept in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/fs.h"
#include "kube/credentials.h"
#include "kube/kubeconfig.h"

namespace wmap::kube {

struct Request {
  std::string method = "GET";
  std::string path;  // with the query, "/api/v1/pods?limit=500"
  std::string accept = "application/json";
  std::string known_etag = {};    // asks for a 304 when the answer has not changed
  std::string content_type = {};  // of `body`
  std::string body = {};
  // The whole exchange, from its start; 0 = as long as something comes.
  std::int64_t timeout_ms = 0;
  // The largest answer that is taken in as a whole.
  std::size_t most_bytes = std::size_t{64} << 20;
  // Nothing may come for a long time: a watch.
  bool may_be_silent = false;
  // Must not arrive twice. It gets a connection of its own: one from before may turn out to be
  // closed, and then libcurl sends the request again by itself, though it may have arrived.
  bool send_once = false;
};

// A request under way; its destructor ends it. Reading an answer's body is reading a file.
class Exchange final : public FileReader {
 public:
  ~Exchange() override;

  // Waits for the head of the answer. kUnreachable when there is none; kLimit when it took too
  // long. The message says what to do where that is known.
  Result<void> AwaitHead();
  bool has_head() const;
  // After AwaitHead().
  int status() const;
  // The value of a header, its name in lower case; "" when there is none.
  std::string_view header(std::string_view name) const;

  // Waits for some of the body. Errors as AwaitHead(): a body that ends too early is one.
  Result<std::size_t> Read(std::span<char> to) override;
  // All that is left of the body. kLimit beyond `most` bytes.
  Result<std::string> ReadAll(std::size_t most);
  // What is there of the body, without waiting; and that so much of it was used.
  std::string_view arrived() const;
  void Consume(std::size_t size);
  // Nothing more will come, for better or worse.
  bool is_done() const;

  // The number of the proof that it carries, and whether that is none.
  std::uint64_t proof_number() const;
  bool is_anonymous() const;

  // After an error: the same request may do better. Not so for a name that does not resolve or a
  // certificate that is not trusted.
  bool may_retry() const;
  // After an error: no connection came about, so that nothing was sent.
  bool was_refused() const;

 private:
  friend class Transport;
  class Impl;
  explicit Exchange(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

class Transport {
 public:
  struct Options {
    std::int64_t connect_timeout_ms = 15'000;
    // An answer that stops coming for so long is given up.
    std::int64_t silence_s = 30;
    std::string user_agent = "wmap";
    bool http1_only = false;
  };

  // Reads the certificate files of `target`. Nothing is sent yet. kUnreadable also when the machine
  // has no libcurl.
  static Result<std::unique_ptr<Transport>> Make(const Target& target,
                                                 const Surroundings& surroundings,
                                                 const Options& options);
  ~Transport();

  // Begins; the exchange must not outlive the transport.
  Result<std::unique_ptr<Exchange>> Start(const Request& request, const Credentials::Proof& proof);
  // Waits for something to happen, at most so long, and moves all exchanges on.
  Result<void> Wait(std::int64_t timeout_ms);
  // Gives all connections up, for who knows that the other end is silent: what is under way ends as
  // if it had taken too long, and what begins gets new connections.
  Result<void> Reconnect();

 private:
  friend class Exchange;
  class Impl;
  explicit Transport(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace wmap::kube
