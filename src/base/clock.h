// The clock seam: libraries take a Clock, programs pass the system's, tests pass a fake.
#pragma once

#include <cstdint>

namespace wmap {

class Clock {
 public:
  virtual ~Clock() = default;
  // Nanoseconds of a monotonic clock with an arbitrary zero.
  virtual std::int64_t MonotonicNanos() const = 0;
  // Seconds since 1970-01-01T00:00:00Z.
  virtual std::int64_t UnixSeconds() const = 0;
};

// The system's clock.
const Clock& SystemClock();

}  // namespace wmap
