#include "kube/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

namespace wmap::kube {
namespace {

constexpr std::int64_t kLongMs = 3'000;

// A descriptor that is closed with its owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { Close(); }

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void Close() {
    if (number_ >= 0) close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

std::string Reason(int number) {
  char buffer[256];
  return strerror_r(number, buffer, sizeof buffer);
}

Result<Pipe> MakePipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return Fail(Code::kUnreadable, Cat("cannot make a pipe: ", Reason(errno)));
  }
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

std::vector<std::string> EnvironmentWith(
    const std::vector<std::pair<std::string, std::string>>& set) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view text = *entry;
    std::string_view name = text.substr(0, text.find('='));
    bool replaced = false;
    for (const auto& [key, value] : set) replaced = replaced || key == name;
    if (!replaced) all.emplace_back(text);
  }
  for (const auto& [key, value] : set) all.push_back(Cat(key, '=', value));
  return all;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// The child; killed with its group unless it was waited for.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (id_ == 0) return;
    kill(-id_, SIGKILL);
    Wait();
  }

  int Wait() {
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t id_;
};

Result<pid_t> Start(const Command& command, const Pipe& out, const Pipe& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!command.shares_input) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  posix_spawn_file_actions_adddup2(&actions, out.write.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write.get(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A group of its own, so that what it starts ends with it; but one that reads the terminal has to
  // stay in the group that owns it.
  if (!command.shares_input) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> arguments = command.arguments;
  arguments.insert(arguments.begin(), command.program);
  std::vector<std::string> environment = EnvironmentWith(command.environment);
  pid_t id = 0;
  int failed = posix_spawnp(&id, command.program.c_str(), &actions, &attributes,
                            Pointers(arguments).data(), Pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed == 0) return id;
  return Fail(failed == ENOENT ? Code::kNotFound : Code::kUnreadable,
              Cat("cannot start ", command.program, ": ", Reason(failed)));
}

}  // namespace

Result<Outcome> RunProcess(const Command& command, FunctionRef<void(std::string_view)> told,
                           FunctionRef<void()> lasts) {
  WMAP_TRY(Pipe out, MakePipe());
  WMAP_TRY(Pipe err, MakePipe());
  WMAP_TRY(pid_t id, Start(command, out, err));
  Child child(id);
  out.write.Close();
  err.write.Close();
  Outcome outcome;
  const std::int64_t start = SystemClock().MonotonicNanos();
  bool was_told = false;
  while (out.read.is_open() || err.read.is_open()) {
    std::int64_t passed = (SystemClock().MonotonicNanos() - start) / 1'000'000;
    if (command.timeout_ms > 0 && passed >= command.timeout_ms) {
      return Fail(Code::kLimit, Cat(command.program, " did not end within ",
                                    (command.timeout_ms + 999) / 1000, " s and was stopped"));
    }
    std::int64_t left = command.timeout_ms > 0 ? command.timeout_ms - passed : -1;
    if (!was_told && passed >= kLongMs) {
      was_told = true;
      lasts();
    }
    if (!was_told) left = left < 0 ? kLongMs - passed : std::min(left, kLongMs - passed);
    int wait = static_cast<int>(left);
    std::array<pollfd, 2> watched = {pollfd{out.read.get(), POLLIN, 0},
                                     pollfd{err.read.get(), POLLIN, 0}};
    if (poll(watched.data(), watched.size(), wait) < 0 && errno != EINTR) {
      return Fail(Code::kUnreadable, Cat("cannot wait for ", command.program, ": ", Reason(errno)));
    }
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (watched[i].revents == 0) continue;
      Descriptor& from = i == 0 ? out.read : err.read;
      std::string& to = i == 0 ? outcome.out : outcome.err;
      std::array<char, 4096> buffer;
      ssize_t size = read(from.get(), buffer.data(), buffer.size());
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) {
        from.Close();
        continue;
      }
      std::string_view text(buffer.data(), static_cast<std::size_t>(size));
      to += text;
      if (i == 1) told(text);
      if (to.size() > command.most_output) {
        return Fail(Code::kLimit, Cat(command.program, " writes more than ",
                                      command.most_output >> 10, " KiB and was stopped"));
      }
    }
  }
  outcome.exit_code = child.Wait();
  return outcome;
}

}  // namespace wmap::kube
