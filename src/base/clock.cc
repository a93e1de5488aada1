#include "base/clock.h"

#include <chrono>

namespace wmap {
namespace {
class System final : public Clock {
 public:
  std::int64_t MonotonicNanos() const override {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  std::int64_t UnixSeconds() const override {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
};
}  // namespace

const Clock& SystemClock() {
  static constinit System clock;
  return clock;
}

}  // namespace wmap
