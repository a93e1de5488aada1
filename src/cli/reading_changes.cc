#include "cli/reading_changes.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/table.h"
#include "json/writer.h"

namespace wmap::cli {
namespace {

using inspect::ReadingChange;
using inspect::WorkloadChange;
using json::Value;

// Whether a field of a role only says which pods it has.
bool FollowsFromPods(std::string_view field) {
  constexpr std::string_view kEndings[] = {".observed", ".ready", ".allocated", ".running"};
  return field.starts_with("roles.") &&
         std::ranges::any_of(kEndings, [&](std::string_view end) { return field.ends_with(end); });
}

std::string TextOf(const Value& value) {
  if (value.is_null()) return "-";
  return value.is_string() ? std::string(value.as_string()) : json::ToJson(value);
}

// "a, b and 7 more".
std::string Some(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 4;
  if (names.size() <= kMost) return Join(names, ", ");
  std::vector<std::string> first(names.begin(), names.begin() + kMost - 1);
  return Cat(Join(first, ", "), " and ", names.size() - first.size(), " more");
}

}  // namespace

std::string StartOfText(std::string_view text, std::size_t most) {
  std::string safe = Safe(text);
  return safe.size() <= most ? safe : Cat(StartOf(safe, most), "...");
}

void PrintChange(const WorkloadChange& change, std::string_view source, const Context& context) {
  std::string title = change.workload.empty() ? "pods of no workload" : change.workload;
  std::string from = source.empty() ? "" : Cat(" (", Safe(source), ')');
  context.out->Write(Cat(Coloured(Safe(title), Colour::kBold, context.colour), from, '\n'));
  if (!change.was_read || !change.is_read) {
    context.out->Write(change.is_read ? "  is a workload now\n\n"
                                      : "  is no workload any more\n\n");
    return;
  }
  Table table({"FIELD", "BEFORE", "AFTER", ""});
  bool has_moved = std::ranges::any_of(change.changes,
                                       [](const ReadingChange& one) { return !one.pods.empty(); });
  for (const ReadingChange& one : change.changes) {
    if (has_moved && FollowsFromPods(one.field)) continue;
    std::string field = one.pods.empty() ? one.field
                                         : Cat("role of ", one.pods.size(),
                                               one.pods.size() == 1 ? " pod" : " pods");
    table.Add({{Safe(field)},
               {StartOfText(TextOf(one.before)), Colour::kRed},
               {StartOfText(TextOf(one.after)), Colour::kGreen},
               {Safe(Some(one.pods)), Colour::kDim}});
  }
  context.out->Write(Cat(table.Render(context.colour, 2), '\n'));
}

Value ChangeJson(const WorkloadChange& change, std::string_view source, Arena& arena) {
  std::vector<Value> changes;
  for (const ReadingChange& one : change.changes) {
    json::ObjectBuilder object;
    object.Add("field", Value::String(one.field));
    object.Add("before", one.before);
    object.Add("after", one.after);
    if (!one.pods.empty()) {
      std::vector<Value> pods;
      for (const std::string& pod : one.pods) pods.push_back(Value::String(pod));
      object.Add("pods", json::MakeArray(arena, pods));
    }
    changes.push_back(object.Finish(arena));
  }
  json::ObjectBuilder object;
  object.Add("workload", Value::String(change.workload));
  object.Add("source", Value::String(source));
  object.Add("wasRead", Value::Bool(change.was_read));
  object.Add("isRead", Value::Bool(change.is_read));
  object.Add("changes", json::MakeArray(arena, changes));
  return object.Finish(arena);
}

}  // namespace wmap::cli
