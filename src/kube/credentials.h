// What a user proves itself to the API server with: a token, a name and password, a certificate,
// or whatever of these a plugin or a file gives, which changes with time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/fs.h"
#include "kube/kubeconfig.h"

namespace wmap::kube {

// What the module needs of its surroundings. All pointers outlive what is made with it.
struct Surroundings {
  const FileSystem* files = nullptr;
  const Clock* clock = nullptr;
  // Somebody is there to be asked: standard input is a terminal.
  bool is_interactive = false;
  // Receives what a person should read: the error output of plugins, why something takes long.
  std::function<void(std::string_view)> tell = [](std::string_view) {};
  // How long a plugin may take that nobody answers; 0 = as long as plugins get.
  std::int64_t plugin_timeout_ms = 0;
  // When everything has to be over, in milliseconds of the monotonic clock; 0 = no such time.
  std::int64_t deadline_ms = 0;

  std::int64_t NowMs() const { return clock->MonotonicNanos() / 1'000'000; }
  // `timeout_ms` (0 = no bound), or what is left until the deadline when that is less; never 0
  // then.
  std::int64_t Within(std::int64_t timeout_ms) const;
};

// The PEM text of `pem`, read from its file where it has one. `what` it is, for messages: "the
// certificate-authority of cluster \"east\"".
Result<std::string> ReadPem(const Pem& pem, std::string_view what, const FileSystem& files);
// The same of the authority that the server is checked with, which has to hold a certificate.
Result<std::string> ReadAuthority(const Cluster& cluster, const FileSystem& files);

// Not thread-safe.
class Credentials {
 public:
  // What a request carries.
  struct Proof {
    std::string authorization;  // the value of the header, or ""
    std::string certificate;    // PEM, with `key`; or both ""
    std::string key;
    std::uint64_t number = 0;  // different from those of other proofs

    bool is_nothing() const { return authorization.empty() && certificate.empty(); }
  };

  Credentials(const Target& target, const Surroundings& surroundings);

  // The proof to use now. Runs the plugin or reads the files when there is none, or when it ends
  // within ten seconds; a token file is read again every minute. Errors name the plugin with what
  // it said, or the file.
  Result<const Proof*> Get();

  // The server has refused the proof of this number: the next Get() gives another one, which is
  // asked for once, however many requests were refused. False when trying again is of no use: there
  // is nothing to ask, or what it gave last was refused as well.
  bool Renew(std::uint64_t number);
  // The server has accepted it.
  void Accept(std::uint64_t number);

 private:
  Result<void> Refresh();
  Result<void> RunPlugin();

  User user_;
  Cluster cluster_;
  Surroundings surroundings_;
  Proof proof_;
  bool is_current_ = false;
  std::optional<std::int64_t> refused_at_;  // Unix seconds; nothing since one was accepted
  std::int64_t valid_until_ = 0;            // Unix seconds; 0 = for ever
  bool told_of_end_ = false;                // that what a plugin gave had ended before
};

}  // namespace wmap::kube
