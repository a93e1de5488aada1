// What a user proves itself to the API server with: a token, a name and password, a certificate,
// or whatever of these a plugin or a file gives, which changes with time.
#pragma once

#include <cstdint>
#include <functional>
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
  // When everything has to be over, in milliseconds of the monotonic clock; 0 = no such time.
  std::int64_t deadline_ms = 0;

  std::int64_t NowMs() const { return clock->MonotonicNanos() / 1'000'000; }
  // `timeout_ms` (0 = no bound), or what is left until the deadline when that is less; never 0
  // then.
  std::int64_t Within(std::int64_t timeout_ms) const;
};

// The PEM text of `pem`, read from its file where it has one.
Result<std::string> ReadPem(const Pem& pem, const FileSystem& files);

// Not thread-safe.
class Credentials {
 public:
  // What a request carries.
  struct Proof {
    std::string authorization;  // the value of the header, or ""
    std::string certificate;    // PEM, with `key`; or both ""
    std::string key;
  };

  Credentials(const Target& target, const Surroundings& surroundings);

  // The proof to use now. Runs the plugin or reads the files when there is none, or when it ends
  // within ten seconds; a token file is read again every minute. Errors name the plugin with what
  // it said, or the file.
  Result<const Proof*> Get();

  // The server has refused the proof: the next Get() asks for another one. False when there is
  // nothing to ask, so that trying again is of no use.
  bool Renew();

 private:
  Result<void> Refresh();
  Result<void> RunPlugin();

  User user_;
  Cluster cluster_;
  Surroundings surroundings_;
  Proof proof_;
  bool is_current_ = false;
  std::int64_t valid_until_ = 0;  // Unix seconds; 0 = for ever
};

}  // namespace wmap::kube
