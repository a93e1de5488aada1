#include "inspect/reading.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include "base/text.h"
#include "definition/api_version.h"
#include "json/compare.h"
#include "json/writer.h"
#include "workload/accelerators.h"

namespace wmap::inspect {
namespace {

using json::MakeArray;
using json::MakeString;
using json::ObjectBuilder;
using json::Value;
using workload::Count;
using workload::Workload;

// --- making -----------------------------------------------------------------------------------

class Reader {
 public:
  explicit Reader(Arena& arena) : arena_(arena) {}

  Value Of(const Report& report) {
    ObjectBuilder all;
    std::vector<Value> workloads;
    for (std::size_t i = 0; i < report.workloads.size(); ++i) {
      const Result<gang::WorkloadGroups>* groups = nullptr;
      if (i < report.groups.size() && report.groups[i]) groups = &*report.groups[i];
      workloads.push_back(Of(report.workloads[i], groups));
    }
    all.Add("workloads", MakeArray(arena_, workloads));
    std::vector<Value> unclaimed;
    for (const UnclaimedPod& pod : report.unclaimed) unclaimed.push_back(Text(pod.pod->name));
    if (!unclaimed.empty()) all.Add("unclaimed", MakeArray(arena_, unclaimed));
    return all.Finish(arena_);
  }

 private:
  Value Text(std::string_view text) { return MakeString(arena_, text); }
  // A key that outlives the report.
  std::string_view Key(std::string_view text) { return Text(text).as_string(); }

  // In units; see DecimalText().
  Value Of(const Count& count, std::int64_t unit = 1) {
    if (!count.exact()) return Text(count.text(unit));
    if (count.min() % unit == 0) return Value::Int(count.min() / unit);
    return Value::Digits(arena_, workload::DecimalText(count.min(), unit),
                         static_cast<double>(count.min()) / static_cast<double>(unit));
  }

  Value Of(const workload::PodCounts& pods) {
    ObjectBuilder object;
    object.Add("desired", Of(pods.desired));
    object.Add("wanted", Of(pods.wanted));
    if (pods.min != pods.desired) object.Add("min", Of(pods.min));
    if (!pods.max) {
      object.Add("max", Value());
    } else if (*pods.max != pods.desired) {
      object.Add("max", Of(*pods.max));
    }
    if (pods.observed) object.Add("observed", Value::Int(*pods.observed));
    if (pods.ready) object.Add("ready", Value::Int(*pods.ready));
    return object.Finish(arena_);
  }

  Value Of(const workload::GpuCounts& gpus) {
    ObjectBuilder object;
    object.Add("desired", Of(gpus.desired));
    if (gpus.allocated) object.Add("allocated", Value::Int(*gpus.allocated));
    if (gpus.running) object.Add("running", Value::Int(*gpus.running));
    return object.Finish(arena_);
  }

  Value Of(const workload::Role& role) {
    ObjectBuilder object;
    object.Add("pods", Of(role.tally.pods));
    object.Add("gpus", Of(role.tally.gpus));
    if (role.tally.gpus_per_pod) object.Add("gpusPerPod", Of(*role.tally.gpus_per_pod));
    return object.Finish(arena_);
  }

  // Pod by pod: the role, and behind a slash the replica where there are several.
  Value Attribution(const Workload& workload) {
    std::map<std::string_view, Value> by_pod;
    for (const workload::Component& component : workload.components) {
      AddPods(component, by_pod);
    }
    for (const workload::PodFacts* pod : workload.pods_without_role) by_pod[pod->name] = Value();
    ObjectBuilder object;
    for (const auto& [name, role] : by_pod) object.Add(Key(name), role);
    return object.Finish(arena_);
  }

  // Depth: that of the workload's tree, which Interpreter bounds.
  void AddPods(const workload::Component& component, std::map<std::string_view, Value>& by_pod) {
    for (const workload::Instance& instance : component.instances) {
      for (const workload::Replica& replica : instance.replicas) {
        Value role =
            Text(replica.key.empty() ? instance.role : Cat(instance.role, '/', replica.key));
        for (const workload::PodFacts* pod : replica.pods) by_pod[pod->name] = role;
      }
      for (const workload::Component& child : instance.children) AddPods(child, by_pod);
    }
  }

  Value Diagnostics(const Workload& workload) {
    std::set<std::string_view> codes;
    for (const workload::Diagnostic& diagnostic : workload.diagnostics) {
      if (diagnostic.severity != workload::Severity::kInfo) codes.insert(diagnostic.code);
    }
    std::vector<Value> texts;
    for (std::string_view code : codes) texts.push_back(Text(code));
    return MakeArray(arena_, texts);
  }

  // Leaves by name.
  Value SubGroups(const gang::Plan& plan) {
    ObjectBuilder object;
    for (const gang::SubGroup& sub : plan.sub_groups) {
      if (sub.min_member) object.Add(Key(sub.name), Value::Int(*sub.min_member));
    }
    return object.Finish(arena_);
  }

  // Those that are alike in one entry.
  Value Of(const gang::WorkloadGroups& groups) {
    struct Entry {
      const gang::GroupSet* first;
      Value sub_groups;
      std::int64_t copies;
    };
    std::vector<Entry> entries;
    for (const gang::GroupSet& set : groups.groups) {
      Value sub_groups = SubGroups(set.plan);
      bool is_more = !entries.empty() && entries.back().first->entry == set.entry &&
                     entries.back().first->plan.MinimumPods() == set.plan.MinimumPods() &&
                     json::Equal(entries.back().sub_groups, sub_groups);
      if (is_more) {
        entries.back().copies = workload::SaturatingAdd(entries.back().copies, set.copies);
      } else {
        entries.push_back({&set, sub_groups, set.copies});
      }
    }
    std::vector<Value> list;
    for (const Entry& entry : entries) {
      ObjectBuilder object;
      object.Add("name", Text(entry.first->entry));
      if (entry.copies != 1) object.Add("copies", Value::Int(entry.copies));
      object.Add("minimum", Value::Int(entry.first->plan.MinimumPods()));
      if (entry.sub_groups.size() > 0) object.Add("subgroups", entry.sub_groups);
      std::vector<Value> warnings;
      for (const gang::Warning& warning : entry.first->plan.warnings) {
        warnings.push_back(Text(warning.code));
      }
      if (!warnings.empty()) object.Add("warnings", MakeArray(arena_, warnings));
      list.push_back(object.Finish(arena_));
    }
    return MakeArray(arena_, list);
  }

  Value Of(const Workload& workload, const Result<gang::WorkloadGroups>* groups) {
    const workload::Status& status = workload.status;
    ObjectBuilder object;
    object.Add("workload", Text(Cat(workload.kind, '/', workload.name)));
    object.Add("phase", Text(PhaseName(status.phase)));
    std::vector<Value> phases;
    for (workload::Phase phase : status.phases) phases.push_back(Text(PhaseName(phase)));
    object.Add("phases", MakeArray(arena_, phases));
    if (!status.reason.empty()) object.Add("reason", Text(status.reason));
    if (status.stale) object.Add("stale", Value::Bool(true));
    if (status.deleting) object.Add("deleting", Value::Bool(true));
    object.Add("pods", Of(workload.totals.pods));
    object.Add("gpus", Of(workload.totals.gpus));
    ObjectBuilder accelerators;
    for (const workload::AcceleratorCounts& row : workload.totals.accelerators) {
      accelerators.Add(Key(row.resource), Of(row.desired, workload::UnitOf(row.type)));
    }
    if (accelerators.size() > 0) object.Add("accelerators", accelerators.Finish(arena_));
    ObjectBuilder roles;
    for (const workload::Role& role : workload.roles) roles.Add(Key(role.role), Of(role));
    object.Add("roles", roles.Finish(arena_));
    if (groups != nullptr) {
      object.Add("groups", *groups ? Of(**groups) : Text(groups->error().Describe()));
    }
    if (workload.totals.pods.observed) object.Add("attribution", Attribution(workload));
    if (Value codes = Diagnostics(workload); codes.size() > 0) object.Add("diagnostics", codes);
    return object.Finish(arena_);
  }

  Arena& arena_;
};

// --- comparing --------------------------------------------------------------------------------

constexpr std::array<std::string_view, 13> kFields = {
    "workload",     "phase", "phases",      "reason",      "stale", "deleting", "pods",
    "accelerators", "gpus",  "attribution", "diagnostics", "roles", "groups"};
constexpr std::array<std::string_view, 6> kPodFields = {"desired", "wanted",   "min",
                                                        "max",     "observed", "ready"};
constexpr std::array<std::string_view, 3> kGpuFields = {"desired", "allocated", "running"};
constexpr std::array<std::string_view, 3> kRoleFields = {"pods", "gpus", "gpusPerPod"};
constexpr std::array<std::string_view, 5> kGroupFields = {"name", "copies", "minimum", "subgroups",
                                                          "warnings"};

bool IsFalse(const Value& value) { return value.is_bool() && !value.is_true(); }

std::string Shown(const Value* value) {
  return value == nullptr ? "nothing" : json::ToJson(*value);
}

class Comparer {
 public:
  explicit Comparer(const Report& report) : report_(report) {}

  void Whole(const Value& expected, const Value& reading) {
    workloads_ = reading.Get("workloads");
    std::size_t rows = workloads_.is_array() ? workloads_.size() : 0;
    if (!expected.is_object()) return Add("", &expected, &reading);
    Unclaimed(expected, reading);
    if (const Value* list = expected.Find("workloads")) return List(*list, rows);
    std::vector<std::size_t> meant = Meant(expected.Find("workload"));
    if (meant.size() == 1) {
      row_ = meant.front();
      return Workload(expected, workloads_[row_], "");
    }
    TellMeant(expected.Find("workload"), meant);
  }

  std::vector<Difference> Take() { return std::move(differences_); }

 private:
  void Add(std::string path, const Value* expected, const Value* got) {
    differences_.push_back({std::move(path), Shown(expected), Shown(got)});
  }

  // The rows that `name` names: KIND/NAME, with the group behind the kind (KIND.GROUP) and the
  // namespace before the name where that is not enough; all without one.
  std::vector<std::size_t> Meant(const Value* name) const {
    std::vector<std::size_t> rows;
    std::size_t all = workloads_.is_array() ? workloads_.size() : 0;
    for (std::size_t i = 0; i < all; ++i) {
      if (name == nullptr || IsCalled(i, name->text_or_empty())) rows.push_back(i);
    }
    return rows;
  }

  bool IsCalled(std::size_t row, std::string_view name) const {
    for (bool with_group : {false, true}) {
      for (bool with_name_space : {false, true}) {
        if (name == NameOf(row, with_group, with_name_space)) return true;
      }
    }
    return false;
  }

  std::string NameOf(std::size_t row, bool with_group, bool with_name_space) const {
    if (row >= report_.workloads.size()) {
      return std::string(workloads_[row].Get("workload").text_or_empty());
    }
    const workload::Workload& workload = report_.workloads[row];
    std::string_view group = definition::GroupOf(workload.api_version);
    bool has_group = with_group && !group.empty();
    bool has_name_space = with_name_space && !workload.name_space.empty();
    return Cat(workload.kind, has_group ? "." : "", has_group ? group : "", '/',
               has_name_space ? workload.name_space : "", has_name_space ? "/" : "", workload.name);
  }

  // As short as tells `rows` apart, and not a long list.
  std::string NamesOf(std::span<const std::size_t> rows) const {
    constexpr std::size_t kShown = 10;
    auto are_apart = [&](bool with_group, bool with_name_space) {
      std::set<std::string> names;
      for (std::size_t row : rows) names.insert(NameOf(row, with_group, with_name_space));
      return names.size() == rows.size();
    };
    bool with_name_space = !are_apart(false, false) && !are_apart(true, false);
    bool with_group = !are_apart(false, with_name_space);
    std::vector<std::string> names;
    for (std::size_t row : rows.first(std::min(rows.size(), kShown))) {
      names.push_back(NameOf(row, with_group, with_name_space));
    }
    if (rows.size() > kShown) names.push_back(Cat(rows.size() - kShown, " more"));
    return Join(names, ", ");
  }

  static std::string Numbered(std::size_t rows) {
    return rows == 0 ? "no workload" : Cat(rows, rows == 1 ? " workload" : " workloads");
  }

  // Not exactly one row is meant.
  void TellMeant(const Value* name, std::span<const std::size_t> meant) {
    std::vector<std::size_t> all = Meant(nullptr);
    Difference difference{name == nullptr ? "" : "workload",
                          name == nullptr ? "one workload" : Shown(name),
                          name != nullptr && meant.empty() ? "nothing" : Numbered(meant.size())};
    if (!meant.empty() && name != nullptr) {
      difference.notes.push_back(Cat("it fits ", NamesOf(meant), ": write one of these"));
    } else if (!all.empty()) {
      difference.notes.push_back(
          Cat("found: ", NamesOf(all),
              name == nullptr ? "; \"workload\" says which one is meant, \"workloads\" lists all"
                              : ""));
    }
    differences_.push_back(std::move(difference));
  }

  static std::string Below(std::string_view path, std::string_view name) {
    return path.empty() ? std::string(name) : Cat(path, '.', name);
  }

  void Unclaimed(const Value& expected, const Value& reading) {
    const Value* mine = expected.Find("unclaimed");
    const Value* got = reading.Find("unclaimed");
    if (mine == nullptr ? got != nullptr : got == nullptr || !json::Equal(*mine, *got)) {
      Add("unclaimed", mine, got);
    }
  }

  void List(const Value& expected, std::size_t rows) {
    if (!expected.is_array()) return Add("workloads", &expected, &workloads_);
    if (expected.size() != rows) {
      differences_.push_back({"workloads", Numbered(expected.size()), Numbered(rows)});
      std::vector<std::string> names;
      for (const Value& one : expected.items()) {
        names.emplace_back(one.is_object() ? one.Get("workload").text_or_empty() : "");
        if (names.back().empty()) names.back() = "(one without a name)";
      }
      std::vector<std::string>& notes = differences_.back().notes;
      if (!names.empty()) notes.push_back(Cat("expected: ", Join(names, ", ")));
      if (rows > 0) notes.push_back(Cat("found: ", NamesOf(Meant(nullptr))));
      return;
    }
    for (std::size_t i = 0; i < rows; ++i) {
      row_ = i;
      Workload(expected[i], workloads_[i], Cat("workloads[", i, ']'));
    }
  }

  void Workload(const Value& expected, const Value& got, std::string_view path) {
    if (!expected.is_object()) return Add(std::string(path), &expected, &got);
    for (const json::Member& member : expected.members()) {
      std::string at = Below(path, member.key);
      const Value* value = got.Find(member.key);
      if (AreCounts(member, value, at)) continue;
      if (member.key == "workload" && IsCalled(row_, member.value.text_or_empty())) continue;
      if (member.key == "roles") {
        Names(member.value, value, at,
              [&](const Value& mine, const Value& theirs, std::string_view below) {
                Role(mine, theirs, below);
              });
      } else if (member.key == "accelerators" || member.key == "attribution") {
        Names(member.value, value, at,
              [&](const Value& mine, const Value& theirs, std::string_view below) {
                Same(mine, &theirs, below);
              });
      } else if (member.key == "groups") {
        Groups(member.value, value, at);
      } else if (member.key == "unclaimed" && path.empty()) {
        continue;
      } else if (member.key == "diagnostics") {
        Diagnostics(&member.value, value, at);
      } else if (IsField(member.key, kFields, at)) {
        Same(member.value, value, at);
      }
    }
    if (expected.Find("diagnostics") != nullptr) return;
    Diagnostics(nullptr, got.Find("diagnostics"), Below(path, "diagnostics"));
  }

  // Codes in any order; none are an empty list.
  void Diagnostics(const Value* expected, const Value* got, std::string_view path) {
    std::set<std::string_view> wanted = Codes(expected);
    std::set<std::string_view> found = Codes(got);
    bool is_list = expected == nullptr || expected->is_array();
    if (is_list && wanted == found) return;
    Add(std::string(path), expected, got);
    std::vector<std::string>& notes = differences_.back().notes;
    for (const workload::Diagnostic& one : report_.workloads[row_].diagnostics) {
      if (one.severity == workload::Severity::kInfo || wanted.contains(one.code)) continue;
      notes.push_back(
          Cat("not expected: ", SeverityName(one.severity), ' ', one.code, ": ", one.message));
    }
    for (std::string_view code : wanted) {
      if (!found.contains(code)) notes.push_back(Cat("not found: ", code));
    }
  }

  static std::set<std::string_view> Codes(const Value* list) {
    std::set<std::string_view> codes;
    if (list == nullptr || !list->is_array()) return codes;
    for (const Value& code : list->items()) codes.insert(code.text_or_empty());
    return codes;
  }

  void Groups(const Value& expected, const Value* got, std::string_view path) {
    bool is_list = got != nullptr && got->is_array() && expected.is_array();
    if (!is_list || expected.size() != got->size()) {
      return Add(std::string(path), &expected, got);
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      Group(expected[i], (*got)[i], Cat(path, '[', i, ']'));
    }
  }

  void Group(const Value& expected, const Value& got, std::string_view path) {
    if (!expected.is_object()) return Add(std::string(path), &expected, &got);
    for (const json::Member& member : expected.members()) {
      std::string at = Below(path, member.key);
      if (!IsField(member.key, kGroupFields, at)) continue;
      const Value one = Value::Int(1);
      const Value* value = got.Find(member.key);
      Same(member.value, value == nullptr && member.key == "copies" ? &one : value, at);
    }
    // Several copies, and warnings, have to be expected.
    for (std::string_view key : {"copies", "warnings"}) {
      const Value* value = got.Find(key);
      if (value != nullptr && expected.Find(key) == nullptr) Add(Below(path, key), nullptr, value);
    }
  }

  void Role(const Value& expected, const Value& got, std::string_view path) {
    if (!expected.is_object())
      return Counts(expected, got.Find("pods"), kPodFields, Below(path, "pods"));
    for (const json::Member& member : expected.members()) {
      std::string at = Below(path, member.key);
      const Value* value = got.Find(member.key);
      if (AreCounts(member, value, at)) continue;
      if (IsField(member.key, kRoleFields, at)) Same(member.value, value, at);
    }
  }

  // Compares `pods` and `gpus`, which workloads and roles have; false for other members.
  bool AreCounts(const json::Member& expected, const Value* got, std::string_view path) {
    if (expected.key != "pods" && expected.key != "gpus") return false;
    if (expected.key == "pods") Counts(expected.value, got, kPodFields, path);
    if (expected.key == "gpus") Counts(expected.value, got, kGpuFields, path);
    return true;
  }

  void Counts(const Value& expected, const Value* got, std::span<const std::string_view> fields,
              std::string_view path) {
    if (got == nullptr) return Add(std::string(path), &expected, got);
    if (!expected.is_object()) return Same(expected, got->Find("desired"), path);
    const Value desired = got->Get("desired");
    for (const json::Member& member : expected.members()) {
      std::string at = Below(path, member.key);
      if (!IsField(member.key, fields, at)) continue;
      const Value* value = got->Find(member.key);
      // Bounds that are equal to the count are not written.
      bool is_bound = member.key == "min" || member.key == "max";
      Same(member.value, value == nullptr && is_bound ? &desired : value, at);
    }
  }

  // Both have the same names; `compare` looks at what they have there.
  template <typename F>
  void Names(const Value& expected, const Value* got, std::string_view path, F compare) {
    if (!expected.is_object()) return Add(std::string(path), &expected, got);
    for (const json::Member& member : expected.members()) {
      const Value* value = got == nullptr ? nullptr : got->Find(member.key);
      if (value == nullptr) {
        Add(Below(path, member.key), &member.value, nullptr);
      } else {
        compare(member.value, *value, Below(path, member.key));
      }
    }
    if (got == nullptr) return;
    for (const json::Member& member : got->members()) {
      if (expected.Find(member.key) == nullptr) {
        Add(Below(path, member.key), nullptr, &member.value);
      }
    }
  }

  void Same(const Value& expected, const Value* got, std::string_view path) {
    // What is not so is not written.
    if (got == nullptr && IsFalse(expected)) return;
    if (got == nullptr || !json::Equal(expected, *got)) Add(std::string(path), &expected, got);
  }

  bool IsField(std::string_view name, std::span<const std::string_view> fields,
               const std::string& path) {
    if (std::ranges::find(fields, name) != fields.end()) return true;
    std::vector<std::string_view> known(fields.begin(), fields.end());
    std::string_view near = Nearest(name, known);
    std::vector<std::string> names(fields.begin(), fields.end());
    differences_.push_back({path, "no such field of a reading",
                            near.empty() ? Cat("there are ", Join(names, ", "))
                                         : Cat("did you mean ", Quote(near), "?")});
    return false;
  }

  const Report& report_;
  Value workloads_;      // of the reading; those of the report, in its order
  std::size_t row_ = 0;  // the workload at hand
  std::vector<Difference> differences_;
};

}  // namespace

Value ReadingOf(const Report& report, Arena& arena) { return Reader(arena).Of(report); }

Value ExpectationOf(const Value& reading) {
  const Value workloads = reading.Get("workloads");
  bool are_all = reading.Find("unclaimed") == nullptr;
  if (are_all && workloads.size() == 0) return {};
  return are_all && workloads.size() == 1 ? workloads[0] : reading;
}

std::vector<Difference> Compare(const Value& expected, const Value& reading, const Report& report) {
  Comparer comparer(report);
  comparer.Whole(expected, reading);
  return comparer.Take();
}

}  // namespace wmap::inspect
