// Runs a command and says what it cost, as the operating system accounts for the finished process.
//
//   wmap_bench_measure OUTPUT COMMAND [ARGUMENT...]
//
// The command's standard output goes to the file OUTPUT, its standard error to ours. Prints one
// line of JSON: {"cpu_s": user and system time, "wall_s": ..., "rss_kb": peak resident size,
// "exit": ...}.
//
// This is a program of its own because the kernel counts what a process was before exec() into its
// peak: started from a script interpreter, a small program would seem as large as that.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

int ExitCode(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: wmap_bench_measure OUTPUT COMMAND [ARGUMENT...]\n", stderr);
    return 2;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, argv[1], O_WRONLY | O_CREAT | O_TRUNC,
                                   0644);
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  if (const int error = posix_spawnp(&child, argv[2], &actions, nullptr, argv + 2, environ)) {
    std::fprintf(stderr, "wmap_bench_measure: %s: %s\n", argv[2], std::strerror(error));
    return 2;
  }
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child) {
    std::perror("wmap_bench_measure");
    return 2;
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  std::printf("{\"cpu_s\": %.6f, \"wall_s\": %.6f, \"rss_kb\": %ld, \"exit\": %d}\n",
              Seconds(usage.ru_utime) + Seconds(usage.ru_stime), wall.count(), usage.ru_maxrss,
              ExitCode(status));
  return 0;
}
