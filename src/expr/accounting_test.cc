// What a run accounts against its budget of memory is what the process grows by.
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <malloc.h>
#include <string>
#include <string_view>

#include "expr/evaluate.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WMAP_OWN_MEMORY 0
#else
#define WMAP_OWN_MEMORY 1
#endif

namespace wmap::expr {
namespace {

// Kilobytes of a line of /proc/self/status.
long StatusOf(std::string_view name) {
  std::FILE* file = std::fopen("/proc/self/status", "r");
  if (file == nullptr) return -1;
  char line[256];
  long kilobytes = -1;
  while (std::fgets(line, sizeof line, file) != nullptr) {
    if (std::string_view(line).starts_with(name)) {
      kilobytes = std::strtol(line + name.size() + 1, nullptr, 10);
    }
  }
  std::fclose(file);
  return kilobytes;
}

// Makes the high-water mark start anew. False where the kernel does not offer that.
bool ResetPeak() {
  std::FILE* file = std::fopen("/proc/self/clear_refs", "w");
  if (file == nullptr) return false;
  bool done = std::fputs("5", file) >= 0;
  return std::fclose(file) == 0 && done;
}

// Each uses up a budget of memory in another way.
constexpr std::string_view kHungry[] = {
    "[range(1e9)]",
    "[range(1e9) | tostring]",
    "[range(1e9) | [.]]",
    "[range(1e9) | {a: .}]",
    "reduce range(1e9) as $i (\"\"; . + \"abcdefgh\")",
    "reduce range(1e9) as $i ([]; . + [$i])",
    "reduce range(1e9) as $i ([]; .[$i] = $i)",
    "reduce range(1e9) as $i (null; [., $i])",
    "def f: 1 + f; f",
    "def f: [f]; f",
    "def f: f, f; f",
    "\"x\" * 1e9",
    "[range(1e7)] | tojson",
    "[range(1e7)] | map(tostring) | join(\",\")",
    "[range(3e6)] | sort_by(-.)",
    "[range(3e6)] | group_by(. % 10)",
    "[range(1e7)] | .[] |= . + 1",
    "[range(1e6)] | [paths]",
    "[range(1e7)] | implode | explode",
    "[limit(1e7; repeat(\"ab\"))] | add",
};

TEST(Accounting, IsWithinAQuarterOfWhatTheProcessGrowsBy) {
  if (!WMAP_OWN_MEMORY)
    GTEST_SKIP() << "a sanitizer adds memory of its own; the release measures it";
  if (!ResetPeak()) {
    const char* ci = std::getenv("CI");
    ASSERT_FALSE(ci != nullptr && std::string_view(ci) == "true")
        << "/proc/self/clear_refs must be writable where CI=true";
    GTEST_SKIP() << "the peak of the resident memory cannot be reset: /proc/self/clear_refs";
  }
  // Blocks that are freed raise the size from which the C library gives a block pages of its own,
  // which it grows without a copy. Kept as it is in a process that starts.
  ASSERT_EQ(mallopt(M_MMAP_THRESHOLD, 128 << 10), 1);
  for (std::string_view source : kHungry) {
    auto program = Program::Compile(source);
    ASSERT_TRUE(program) << source;
    malloc_trim(0);
    ASSERT_TRUE(ResetPeak());
    long before = StatusOf("VmRSS");
    long accounted = 0;
    {
      Arena arena;
      Limits limits;
      limits.bytes = std::size_t{48} << 20;
      limits.depth = 100'000'000;
      limits.steps = 1'000'000'000;
      Evaluator evaluator(arena, limits);
      auto done = evaluator.Run(*program, json::Value(), [](const json::Value&) { return true; });
      EXPECT_TRUE(done || done.error().message().ends_with("memory")) << source;
      accounted = static_cast<long>(evaluator.bytes_used() / 1024);
    }
    long grown = StatusOf("VmHWM") - before;
    EXPECT_LE(grown, accounted * 5 / 4 + 2048) << source << " accounted " << accounted;
    EXPECT_GE(grown, accounted * 3 / 4 - 2048) << source << " accounted " << accounted;
  }
}

}  // namespace
}  // namespace wmap::expr
