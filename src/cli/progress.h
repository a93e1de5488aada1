// How far reading is, on a terminal.
#pragma once

#include <cstdint>

#include "base/text.h"
#include "cli/context.h"

namespace wmap::cli {

// Tells it once a second.
class Progress {
 public:
  explicit Progress(const Context& context)
      : context_(context), last_(context.clock->MonotonicNanos()) {}
  ~Progress() {
    if (shown_) context_.err->Write("\r\x1b[K");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Tick() {
    ++objects_;
    if (!context_.err_is_terminal || objects_ % 256 != 0) return;
    constexpr std::int64_t kSecond = 1'000'000'000;
    std::int64_t now = context_.clock->MonotonicNanos();
    if (now - last_ < kSecond) return;
    last_ = now;
    shown_ = true;
    context_.err->Write(Cat("\rreading: ", objects_, " objects\x1b[K"));
  }

 private:
  const Context& context_;
  std::int64_t last_;
  std::uint64_t objects_ = 0;
  bool shown_ = false;
};

}  // namespace wmap::cli
