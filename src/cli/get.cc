// `wmap get`: one row per workload.
#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/screen.h"
#include "cli/show.h"
#include "cli/table.h"
#include "definition/api_version.h"

namespace wmap::cli {
namespace {

using workload::Workload;

// "leader 1, workers 2".
std::string RolesText(const Workload& workload) {
  std::vector<std::string> roles;
  for (const workload::Role& role : workload.roles) {
    roles.push_back(Cat(Safe(role.role), ' ', role.tally.pods.desired.text()));
  }
  return Join(roles, ", ");
}

// "4 google.com/tpu, 0.5 gpu-fraction": accelerators that are no whole GPUs.
std::string OtherAccelerators(const Workload& workload) {
  std::vector<std::string> others;
  for (const workload::AcceleratorCounts& accelerator : workload.totals.accelerators) {
    if (accelerator.type == workload::kWholeGpu) continue;
    others.push_back(AcceleratorText(accelerator));
  }
  return others.empty() ? "-" : Join(others, ", ");
}

std::vector<Cell> RowOf(const Workload& workload, bool wide, const Context& context,
                        std::string_view mark = {}) {
  std::string phase(PhaseName(workload.status.phase));
  if (workload.status.deleting) phase += ",Deleting";
  if (workload.status.stale) phase += ",Stale";
  phase += mark;
  std::vector<Cell> row = {{workload.name_space.empty() ? "-" : Safe(workload.name_space)},
                           {Safe(workload.name)},
                           {Safe(workload.kind)},
                           {phase, ColourOf(workload.status.phase)},
                           {ReadyText(workload.totals.pods)},
                           {GpuText(workload.totals.gpus.desired)},
                           {Age(workload::ParseTime(workload.created_at), context.now)}};
  if (!workload.cluster.empty()) row.insert(row.begin(), {Safe(workload.cluster)});
  if (wide) {
    const auto& allocated = workload.totals.gpus.allocated;
    row.insert(row.end(), {{allocated ? Cat(*allocated) : "-"},
                           {OtherAccelerators(workload)},
                           {RolesText(workload)},
                           {Safe(workload.definition)},
                           {Safe(workload.status.reason)}});
  }
  return row;
}
constexpr std::size_t kPhaseColumn = 3;
constexpr std::size_t kAgeColumn = 6;

Table TableWithHeaders(const GetOptions& options) {
  if (options.no_headers) return Table({});
  std::vector<std::string> headers = {"NAMESPACE", "NAME", "KIND", "PHASE", "READY", "GPUS", "AGE"};
  if (!options.input.cluster.contexts.empty()) headers.insert(headers.begin(), "CLUSTER");
  if (options.format == Format::kWide) {
    headers.insert(headers.end(),
                   {"ALLOCATED", "OTHER ACCELERATORS", "ROLES", "DEFINITION", "REASON"});
  }
  return Table(headers);
}

void AddRows(const GetOptions& options, const inspect::Report& report, const Context& context,
             Table& table) {
  for (const Workload& workload : report.workloads) {
    table.Add(RowOf(workload, options.format == Format::kWide, context));
  }
}

void PrintTable(const GetOptions& options, const inspect::Report& report, const Context& context) {
  Table table = TableWithHeaders(options);
  AddRows(options, report, context, table);
  if (!table.empty()) context.out->Write(table.Render(context.colour));
}

// What `get -w` shows: on a terminal the table as it is now, elsewhere the rows that have changed.
class Watcher {
 public:
  Watcher(const GetOptions& options, const Context& context)
      : options_(options), context_(context), screen_(context) {}

  void Show(std::span<const View> views) {
    Context now = context_;
    now.now = context_.clock->UnixSeconds();
    if (!screen_.is_terminal()) return ShowChanges(views, now);
    Table table = TableWithHeaders(options_);
    for (const View& view : views) AddRows(options_, view.selected->report(), now, table);
    screen_.Show(table.empty() ? "No workloads found.\n" : table.Render(now.colour));
  }

 private:
  struct Row {
    std::vector<Cell> cells;
    std::pair<std::string, std::string> kind;  // with its group before it
  };
  using Rows = std::map<std::string, Row>;

  void ShowChanges(std::span<const View> views, const Context& now) {
    Table changes = has_header_ ? Table({}) : TableWithHeaders(options_);
    changes.Widen(widths_);
    // What was there of a cluster that is lost may still be there; nothing is said of it.
    std::map<std::string, Rows> rows;
    for (const View& view : views) {
      rows.emplace(view.cluster, ShowChanges(view, now, changes));
    }
    if (!changes.empty()) {
      context_.out->Write(changes.Render(false));
      has_header_ = true;
    }
    widths_ = changes.Widths();
    rows_ = std::move(rows);
  }

  // Adds what has changed in a cluster; returns its rows.
  Rows ShowChanges(const View& view, const Context& now, Table& changes) {
    bool wide = options_.format == Format::kWide;
    Rows& before = rows_[view.cluster];
    Rows rows;
    for (const Workload& workload : view.selected->report().workloads) {
      std::vector<Cell> row = RowOf(workload, wide, now);
      std::string key = KeyOf(workload);
      auto old = before.find(key);
      if (old == before.end() || !IsSame(old->second.cells, row)) changes.Add(row);
      std::pair kind(std::string(definition::GroupOf(workload.api_version)), workload.kind);
      rows.emplace(std::move(key), Row{std::move(row), std::move(kind)});
    }
    std::map<std::string, const Workload*> unselected;
    if (!before.empty()) {
      for (const Workload& workload : view.selected->selection.unselected) {
        unselected.emplace(KeyOf(workload), &workload);
      }
    }
    for (auto& [key, old] : before) {
      if (rows.contains(key)) continue;
      std::vector<Cell>& row = old.cells;
      if (auto other = unselected.find(key); other != unselected.end()) {
        row = RowOf(*other->second, wide, now, ",Unselected");
      } else {
        // What nobody can read any more may well be there.
        bool is_covered = !view.selected->session.uncovered.contains(old.kind);
        row[kPhaseColumn + FirstColumn()] = {is_covered ? "Deleted" : "Uncovered"};
      }
      changes.Add(row);
    }
    return rows;
  }

  static std::string KeyOf(const Workload& workload) {
    return Cat(workload.name_space, '/', NameOf(workload));
  }

  // Behind that of the cluster.
  std::size_t FirstColumn() const { return options_.input.cluster.contexts.empty() ? 0 : 1; }

  // That it is older is no change.
  bool IsSame(const std::vector<Cell>& a, const std::vector<Cell>& b) const {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (i != kAgeColumn + FirstColumn() && a[i].text != b[i].text) return false;
    }
    return true;
  }

  const GetOptions& options_;
  const Context& context_;
  Screen screen_;
  std::map<std::string, Rows> rows_;  // by cluster
  bool has_header_ = false;
  std::vector<std::size_t> widths_;
};

int Watch(const GetOptions& options, const Context& context) {
  if (options.format != Format::kTable && options.format != Format::kWide) {
    context.err->Write("error: --watch shows a table; leave -o out, or give -o wide\n");
    return kUsage;
  }
  Watcher watcher(options, context);
  return FollowSelected(options.input, options.select, context,
                        [&](std::span<const View> views) { watcher.Show(views); });
}

}  // namespace

int RunGet(const GetOptions& options, const Context& context) {
  if (options.watch) return Watch(options, context);
  std::expected<Selected, int> selected = ReadSelected(options.input, options.select, context);
  if (!selected) return selected.error();
  inspect::Report& report = selected->session.report;
  SortBy(options.sort_by, report);
  switch (options.format) {
    case Format::kName:
      for (const Workload& workload : report.workloads) {
        context.out->Write(
            Cat(workload.cluster.empty() ? std::string() : Cat(Safe(workload.cluster), '\t'),
                Safe(NameOf(workload)), '\n'));
      }
      break;
    case Format::kTable:
    case Format::kWide:
      PrintTable(options, report, context);
      PrintLeftovers(*selected, context);
      PrintWarnings(report, context);
      break;
    default:
      PrintMachine(report, options.format, context);
  }
  return Conclude(*std::move(selected), options.format, context);
}

}  // namespace wmap::cli
