#include "cli/clusters.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/cluster.h"
#include "cli/session.h"
#include "cli/table.h"

namespace wmap::cli {
namespace {

// Lines of one cluster among those of others: each begins with the cluster's name, behind "error: "
// and the like. Used by one thread; `to` by several, under `mutex`.
class NamedLines final : public Output {
 public:
  NamedLines(std::string name, Output& to, std::mutex& mutex)
      : name_(std::move(name)), to_(to), mutex_(mutex) {}

  void Write(std::string_view text) override {
    line_ += text;
    for (std::size_t end = line_.find('\n'); end != std::string::npos; end = line_.find('\n')) {
      WriteLine(std::string_view(line_).substr(0, end));
      line_.erase(0, end + 1);
    }
  }

  // What was told as errors.
  const std::vector<std::string>& errors() const { return errors_; }

 private:
  void WriteLine(std::string_view line) {
    std::string_view severity;
    for (std::string_view one : {"error: ", "warning: "}) {
      if (line.starts_with(one)) severity = one;
    }
    std::string_view rest = line.substr(severity.size());
    if (severity == "error: ") errors_.emplace_back(rest);
    std::lock_guard lock(mutex_);
    to_.Write(Cat(severity, Safe(name_), ": ", rest, '\n'));
  }

  std::string name_;
  Output& to_;
  std::mutex& mutex_;
  std::string line_;
  std::vector<std::string> errors_;
};

// One of several clusters.
struct Part {
  std::string name;
  std::vector<std::string> errors;
  std::expected<Selected, Refusal> read = std::unexpected(Refusal{});
};

InputOptions OneOf(const InputOptions& input, const std::string& context_name) {
  InputOptions one = input;
  one.cluster.overrides.context = context_name;
  one.cluster.contexts.clear();
  return one;
}

// Nobody could tell whose question or progress it is.
Context OneOf(const Context& context, Output& err) {
  Context one = context;
  one.err = &err;
  one.in_is_terminal = false;
  one.err_is_terminal = false;
  return one;
}

void ReadPart(const InputOptions& input, const SelectOptions& select, Detail detail,
              const Context& context, std::mutex& mutex, Part& part) {
  NamedLines lines(part.name, *context.err, mutex);
  Context own = OneOf(context, lines);
  part.read = ReadCluster(OneOf(input, part.name), select, detail, own);
  part.errors = lines.errors();
}

void NameCluster(const std::string& name, inspect::Report& report) {
  auto set = [&](auto& list) {
    for (auto& item : list) item.cluster = name;
  };
  set(report.workloads);
  set(report.unclaimed);
  set(report.uncovered);
  set(report.diagnostics);
}

Refusal InCluster(const std::string& name, Refusal refusal) {
  if (!refusal.message.empty()) refusal.message = Cat(name, ": ", refusal.message);
  return refusal;
}

int Worse(int exit_code, int other) {
  return exit_code == kFailed || other == kOk ? exit_code : other;
}

template <typename T>
void Append(std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  from.clear();
}

class Merger {
 public:
  explicit Merger(const SelectOptions& select) { merged_.has_targets = !select.targets.empty(); }

  void Add(Part& part) {
    if (part.read) {
      AddRead(part);
    } else if (!part.read.error().is_elsewhere) {
      merged_.session.report.complete = false;
      Worsen(part.read.error().exit_code);
      for (const std::string& error : part.errors) {
        told_.push_back({workload::Severity::kError, "unreadable", error, "", part.name});
      }
    }
  }

  Selected Finish() {
    auto& diagnostics = merged_.session.report.diagnostics;
    merged_.session.told = told_.size();
    Append(told_, diagnostics);
    Append(untold_, diagnostics);
    return std::move(merged_);
  }

 private:
  void AddRead(Part& part) {
    Selected& selected = *part.read;
    inspect::Report& from = selected.session.report;
    inspect::Report& to = merged_.session.report;
    NameCluster(part.name, from);
    Append(from.workloads, to.workloads);
    Append(from.unclaimed, to.unclaimed);
    Append(from.uncovered, to.uncovered);
    for (std::size_t i = 0; i < from.diagnostics.size(); ++i) {
      (i < selected.session.told ? told_ : untold_).push_back(std::move(from.diagnostics[i]));
    }
    to.complete &= from.complete;
    Worsen(selected.session.exit_code);
    merged_.selection.has_others |= selected.selection.has_others;
    AddMissing(part.name, selected.selection.missing);
    merged_.session.parts.push_back(std::make_shared<Session>(std::move(selected.session)));
  }

  // Missing is what all of them lack.
  void AddMissing(const std::string& name, const std::vector<Missing>& missing) {
    std::vector<Missing>& all = merged_.selection.missing;
    auto lacks = [&](const Missing& one) {
      return std::ranges::find(missing, one.target, &Missing::target) != missing.end();
    };
    if (!is_first_) {
      std::erase_if(all, [&](const Missing& one) { return !lacks(one); });
    }
    std::vector<Missing> both;
    for (const Missing& one : missing) {
      if (!is_first_ && std::ranges::find(all, one.target, &Missing::target) == all.end()) continue;
      both.push_back({one.target, Cat(name, ": ", one.message)});
    }
    Append(both, all);
    is_first_ = false;
  }

  void Worsen(int exit_code) {
    merged_.session.exit_code = Worse(exit_code, merged_.session.exit_code);
  }

  Selected merged_;
  bool is_first_ = true;
  std::vector<workload::Diagnostic> told_;
  std::vector<workload::Diagnostic> untold_;
};

// What is wrong with the options whichever the cluster is.
std::optional<Refusal> Check(const InputOptions& input, SelectOptions select,
                             const Context& context) {
  if (!AcceleratorsOf(input, context)) return Refusal{};
  select.targets.clear();
  std::expected<Selected, Refusal> nothing = Reduce(Session(), select);
  if (!nothing) return nothing.error();
  return std::nullopt;
}

// What several threads follow, and one shows.
class Board {
 public:
  explicit Board(const std::vector<std::string>& names) {
    for (const std::string& name : names) parts_.push_back({name, nullptr, std::nullopt});
  }

  void Post(std::size_t part, std::shared_ptr<const Selected> selected) {
    std::lock_guard lock(mutex_);
    parts_[part].latest = std::move(selected);
    ++changes_;
    changed_.notify_one();
  }
  void End(std::size_t part, std::expected<int, Refusal> ended) {
    std::lock_guard lock(mutex_);
    parts_[part].latest = nullptr;
    parts_[part].ended = std::move(ended);
    ++changes_;
    changed_.notify_one();
  }

  // Shows what is posted until everything has ended.
  int Show(const Context& context, ShowViews show) {
    std::uint64_t shown = 0;
    bool was_shown = false;
    while (true) {
      std::vector<std::shared_ptr<const Selected>> kept;
      std::vector<View> views;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return changes_ != shown; });
        shown = changes_;
        for (const Part& part : parts_) {
          if (part.latest == nullptr) continue;
          kept.push_back(part.latest);
          views.push_back({part.name, part.latest.get()});
        }
        if (views.empty() && std::ranges::all_of(parts_, &Part::has_ended)) {
          return Conclude(was_shown, context);
        }
      }
      if (views.empty()) continue;
      was_shown = true;
      show(views);
    }
  }

 private:
  struct Part {
    std::string name;
    std::shared_ptr<const Selected> latest;
    std::optional<std::expected<int, Refusal>> ended;

    bool has_ended() const { return ended.has_value(); }
  };

  int Conclude(bool was_shown, const Context& context) const {
    int worst = kOk;
    for (const Part& part : parts_) {
      if (*part.ended) {
        worst = Worse(**part.ended, worst);
      } else if (!was_shown || !part.ended->error().is_elsewhere) {
        worst = Worse(Tell(InCluster(part.name, part.ended->error()), context), worst);
      }
    }
    return worst;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t changes_ = 0;
  std::vector<Part> parts_;
};

}  // namespace

std::expected<Selected, Refusal> ReadCluster(const InputOptions& input, SelectOptions select,
                                             Detail detail, const Context& context) {
  auto cluster = Cluster::Open(input, select, detail, context);
  if (!cluster) return std::unexpected(Refusal{cluster.error(), {}});
  // Before anything is read: whether there is anything to look for.
  if (std::optional<Refusal> refusal = (*cluster)->Check(select)) {
    return std::unexpected(*std::move(refusal));
  }
  return Reduce((*cluster)->Read(), select);
}

std::expected<Selected, int> ReadClusters(const InputOptions& input, const SelectOptions& select,
                                          Detail detail, const Context& context) {
  if (std::optional<Refusal> wrong = Check(input, select, context)) {
    return std::unexpected(Tell(*wrong, context));
  }
  std::mutex mutex;
  std::deque<Part> parts;
  {
    std::vector<std::jthread> threads;
    for (const std::string& name : input.cluster.contexts) {
      Part& part = parts.emplace_back();
      part.name = name;
      threads.emplace_back([&] { ReadPart(input, select, detail, context, mutex, part); });
    }
  }
  bool is_anywhere =
      std::ranges::any_of(parts, [](const Part& part) { return part.read.has_value(); });
  if (!is_anywhere) {
    int worst = kOk;
    for (const Part& part : parts) {
      worst = Worse(Tell(InCluster(part.name, part.read.error()), context), worst);
    }
    return std::unexpected(worst);
  }
  Merger merger(select);
  for (Part& part : parts) {
    // Of one that others may have, nothing is to be told.
    if (!part.read && !part.read.error().is_elsewhere && !part.read.error().message.empty()) {
      part.errors.push_back(part.read.error().message);
      Tell(InCluster(part.name, part.read.error()), context);
    }
    merger.Add(part);
  }
  return merger.Finish();
}

std::expected<int, Refusal> FollowCluster(const InputOptions& input, SelectOptions select,
                                          const Context& context,
                                          FunctionRef<void(Selected&)> show) {
  auto cluster = Cluster::Open(input, select, Detail::kRows, context);
  if (!cluster) return std::unexpected(Refusal{cluster.error(), {}});
  if (std::optional<Refusal> refusal = (*cluster)->Check(select)) {
    return std::unexpected(*std::move(refusal));
  }
  std::optional<Refusal> refused;
  int exit_code = (*cluster)->Follow([&](Session& session) {
    std::expected<Selected, Refusal> selected =
        Reduce(std::move(session), select, (*cluster)->targets());
    if (!selected) {
      refused = std::move(selected).error();
      return false;
    }
    session = Session();
    session.registry = std::move(selected->session.registry);
    show(*selected);
    return true;
  });
  if (refused) return std::unexpected(*std::move(refused));
  return exit_code;
}

int FollowClusters(const InputOptions& input, const SelectOptions& select, const Context& context,
                   ShowViews show) {
  if (std::optional<Refusal> wrong = Check(input, select, context)) return Tell(*wrong, context);
  const std::vector<std::string>& names = input.cluster.contexts;
  Board board(names);
  std::mutex mutex;
  auto follow = [&](std::size_t part) {
    NamedLines lines(names[part], *context.err, mutex);
    Context own = OneOf(context, lines);
    auto ended = FollowCluster(OneOf(input, names[part]), select, own, [&](Selected& selected) {
      NameCluster(names[part], selected.session.report);
      board.Post(part, std::make_shared<const Selected>(std::move(selected)));
    });
    board.End(part, std::move(ended));
  };
  std::vector<std::jthread> threads;
  for (std::size_t part = 0; part < names.size(); ++part) threads.emplace_back(follow, part);
  return board.Show(context, show);
}

}  // namespace wmap::cli
