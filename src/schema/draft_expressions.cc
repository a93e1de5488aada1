#include "schema/draft_expressions.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace wmap::schema {
namespace {

using definition::Status;

// "IN("a", "b")" of a text that is at hand.
std::string IsOneOf(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const std::string& word : words) quoted.push_back(InQuotes(word));
  return quoted.size() == 1 ? Cat(" == ", quoted[0]) : Cat(" | IN(", Join(quoted, ", "), ')');
}

const std::vector<std::string>& Of(const StatusWords& words, Status status) {
  return words[static_cast<std::size_t>(status)];
}

// Counts of one place.
class Counts {
 public:
  explicit Counts(const PodPlace& pod) : pod_(pod), end_(EndOfLists(pod.place)) {}

  // One number for each instance.
  std::string Replicas() const {
    std::vector<std::string> terms;
    for (const CountField& count : pod_.counts) {
      std::string term = Term(count);
      if (!term.empty()) terms.push_back(std::move(term));
    }
    if (terms.empty() && pod_.min && IsInside(*pod_.min)) {
      terms.push_back(Cat('(', At(*pod_.min), " // 1)"));
    }
    if (pod_.named_by) terms.push_back(OfGroup(*pod_.named_by));
    if (terms.empty()) return PerInstance("1", "1");
    std::string product = Join(terms, " * ");
    if (terms.size() == 1) product = Bare(product);
    return PerInstance(product, product);
  }

  std::string Bound(const Place& bound) const {
    // It stands for the innermost count of copies.
    const CountField* bounded = nullptr;
    for (const CountField& count : pod_.counts) {
      if (count.role == CountField::Role::kReplicas && count.place.size() <= bound.size() + 2) {
        bounded = &count;
      }
    }
    std::vector<std::string> terms;
    for (const CountField& count : pod_.counts) {
      std::string term = &count == bounded ? std::string() : Term(count);
      if (!term.empty()) terms.push_back(std::move(term));
    }
    if (pod_.named_by) terms.push_back(OfGroup(*pod_.named_by));
    if (!IsInside(bound) && end_ > 0) {
      // Of all entries, the workers are elastic.
      return Cat(". as $object | ", IdsLoop(), " | if (.key | ascii_downcase) == \"worker\" then ",
                 "$object", PlaceText(bound), " else null end");
    }
    std::string value = At(bound);
    std::string whole = terms.empty() ? value
                                      : Cat("if ", value, " == null then null else ", value, " * ",
                                            Join(terms, " * "), " end");
    return PerInstance(whole, whole);
  }

 private:
  static Place Parent(const Place& place) { return Place(place.begin(), place.end() - 1); }

  // Whether it stands in the same item of the innermost list.
  bool IsInside(const Place& place) const {
    return place.size() > end_ &&
           std::equal(place.begin(), place.begin() + static_cast<std::ptrdiff_t>(end_),
                      pod_.place.begin());
  }

  // Its value, where an instance is at hand.
  std::string At(const Place& place) const {
    if (IsInside(place)) return FieldsText(place, end_, place.size());
    return Cat("$object", PlaceText(place));
  }

  // Without the parentheses of one that stands alone.
  static std::string Bare(const std::string& term) {
    bool is_one =
        term.starts_with('(') && term.ends_with(')') && term.find('(', 1) == std::string::npos;
    return is_one ? term.substr(1, term.size() - 2) : term;
  }

  // What one field multiplies by; "" when it does not.
  std::string Term(const CountField& count) const {
    if (!IsInside(count.place) && ListsOn(count.place) > 0) return {};
    std::string value = At(count.place);
    std::string plain = Cat('(', value, " // ", count.otherwise, ')');
    switch (count.role) {
      case CountField::Role::kCompletions:
        return {};  // part of what it bounds
      case CountField::Role::kEach:
        if (count.holder) {
          plain = Cat("(if ", At(*count.holder), " == null then 1 else ");
          if (count.ratio) {
            plain = Cat("(if ", At(count.ratio->first), " != null then ", At(count.ratio->first),
                        " / (", At(count.ratio->second), " // 1) else ");
          }
          CatTo(plain, value, " // ", count.otherwise, " end)");
        }
        if (pod_.rank == PodPlace::Rank::kLeader) return {};
        if (pod_.rank == PodPlace::Rank::kNone) return plain;
        if (!pod_.leader) return Cat("([", plain, " - 1, 0] | max)");
        return Cat("(if ", At(*pod_.leader), " == null then ", plain, " else [", plain,
                   " - 1, 0] | max end)");
      case CountField::Role::kReplicas:
        break;
    }
    for (const CountField& other : pod_.counts) {
      if (other.role != CountField::Role::kCompletions) continue;
      if (Parent(other.place) != Parent(count.place)) continue;
      return Cat("([", plain, " + 0, (", At(other.place), " // empty) + 0] | min)");
    }
    bool has_min = pod_.min && !count.is_stated && Parent(*pod_.min) == Parent(count.place) &&
                   IsInside(*pod_.min);
    if (pod_.initial && IsInside(*pod_.initial)) {
      return Cat('(', value, " // ", At(*pod_.initial), " // ", count.otherwise, ')');
    }
    if (has_min) return Cat('(', value, " // ", At(*pod_.min), " // ", count.otherwise, ')');
    return plain;
  }

  // Copies of the entry of another list that names the instance.
  std::string OfGroup(const NamedBy& named) const {
    std::string id = pod_.ids[0].substr(0, pod_.ids[0].find(" //"));
    return Cat("(", id, " as $name | [$object", PlaceText(named.list), "[]? | select(any(.",
               named.names, "[]?; . == $name)) | .", named.replicas, " // 1] | first // 1)");
  }

  std::string IdsLoop() const {
    Place list(pod_.place.begin(), pod_.place.begin() + static_cast<std::ptrdiff_t>(end_) - 1);
    return Cat('(', PlaceText(list), " // {}) | to_entries[]");
  }

  // `each` for every instance; `single` where there is one.
  std::string PerInstance(const std::string& each, const std::string& single) const {
    if (end_ == 0) return single;
    return Cat(each.find("$object") != std::string::npos ? ". as $object | " : "",
               LoopText(pod_.place), " | ", each);
  }

  const PodPlace& pod_;
  std::size_t end_;
};

class StateText {
 public:
  StateText(const FoundPods& pods, const FoundStatus& status) : pods_(pods), status_(status) {}

  // The lines of the expression; none: the documents say nothing.
  std::vector<std::string> Lines() {
    MakeBranches();
    if (branches_.empty()) return {};
    std::vector<std::string> lines;
    if (status_.conditions) {
      lines.push_back(Cat("def is($types): any(", PlaceText(status_.conditions->place),
                          "[]?; .status == \"True\" and (.type | IN($types[])));"));
    }
    std::string binds;
    if (status_.phase) {
      std::string path = PlaceText(status_.phase->place);
      bool is_listed = !status_.phase->source.empty();
      lines.push_back(
          Cat('(', path, is_listed ? " // \"\"" : " // \"\" | ascii_downcase", ") as $phase"));
      binds = "| ";
    }
    if (needs_sizes_) {
      std::vector<std::string> sizes;
      for (const PodPlace& pod : pods_.pods) {
        std::string text = Counts(pod).Replicas();
        if (text != "1") sizes.push_back(Cat('(', text, ')'));
      }
      lines.push_back(Cat(binds, '[', Join(sizes, ", "), "] as $sizes"));
      binds = "| ";
    }
    std::string_view word = "if ";
    std::string margin = binds.empty() ? "" : "  ";
    for (const Branch& branch : branches_) {
      lines.push_back(
          Cat(word == "if " ? binds : margin, word, branch.condition, " then ", branch.result));
      word = "elif ";
    }
    lines.push_back(Cat(margin, "else \"initializing\" end"));
    results_.push_back(Status::kInitializing);
    return lines;
  }

  const std::vector<Status>& results() const { return results_; }

 private:
  struct Branch {
    std::string condition;
    std::string result;
  };

  void Add(std::string condition, Status status) {
    if (condition.empty()) return;
    branches_.push_back({std::move(condition), InQuotes(StatusKey(status))});
    Note(status);
  }
  void Note(Status status) {
    if (std::ranges::find(results_, status) == results_.end()) results_.push_back(status);
  }

  // Types of conditions that are usual, by status.
  static std::vector<std::string> UsualTypes(Status status) {
    switch (status) {
      case Status::kCompleted:
        return {"Complete", "Completed", "Succeeded", "Finished"};
      case Status::kFailed:
        return {"Failed"};
      case Status::kSuspended:
        return {"Suspended"};
      case Status::kDegraded:
        return {"Degraded", "ReplicaFailure", "Restarting"};
      case Status::kRunning:
        return {"Ready", "Available", "Running"};
      default:
        return {};
    }
  }
  static std::vector<std::string> UsualWords(Status status) {
    switch (status) {
      case Status::kCompleted:
        return {"completed", "complete", "succeeded", "finished"};
      case Status::kFailed:
        return {"failed", "error"};
      case Status::kSuspended:
        return {"suspended", "paused", "stopped"};
      case Status::kSuspending:
        return {"suspending"};
      case Status::kResuming:
        return {"resuming"};
      case Status::kDegraded:
        return {"degraded", "restarting", "unhealthy"};
      case Status::kRunning:
        return {"running", "ready", "active", "healthy"};
      case Status::kInitializing:
        return {};
    }
    return {};
  }

  // When the object says this, by condition or phase; "" when it cannot.
  std::string Says(Status status) const {
    std::vector<std::string> either;
    if (status_.conditions) {
      std::vector<std::string> types = Of(status_.conditions->types, status);
      if (types.empty() && !status_.conditions->is_listed) types = UsualTypes(status);
      std::vector<std::string> quoted;
      for (const std::string& type : types) quoted.push_back(InQuotes(type));
      if (!types.empty()) either.push_back(Cat("is([", Join(quoted, ", "), "])"));
    }
    if (status_.phase) {
      const PhaseField& phase = *status_.phase;
      std::vector<std::string> words =
          phase.source.empty() ? UsualWords(status) : Of(phase.words, status);
      if (!words.empty()) {
        std::string test = Cat("$phase", IsOneOf(words));
        either.push_back(words.size() > 1 ? Cat('(', test, ')') : test);
      }
    }
    return Join(either, " or ");
  }

  // Whether a counter is above 0; "" without counters.
  static std::string AnyOf(const std::vector<Place>& counters) {
    std::vector<std::string> either;
    for (const Place& place : counters) {
      either.push_back(ListsOn(place) == 0 ? Cat('(', PlaceText(place), " // 0) > 0")
                                           : Cat("any(", ValuesText(place), "; (. // 0) > 0)"));
    }
    return Join(either, " or ");
  }

  std::string StillThere() const {
    std::string active = AnyOf(status_.active);
    return active.empty() ? AnyOf(status_.ready) : active;
  }

  void MakeBranches() {
    if (!status_.phase && !status_.conditions && status_.ready.empty() && status_.active.empty()) {
      return;
    }
    Add(Says(Status::kFailed), Status::kFailed);
    Add(Says(Status::kCompleted), Status::kCompleted);
    AddSuspension();
    Add(Says(Status::kResuming), Status::kResuming);
    Add(Says(Status::kDegraded), Status::kDegraded);
    std::string running = Says(Status::kRunning);
    if (!status_.phase) {
      std::string ready = status_.ready.empty() ? AnyOf(status_.active) : AnyOf(status_.ready);
      if (!ready.empty()) running = running.empty() ? ready : Cat(running, " or ", ready);
    }
    Add(std::move(running), Status::kRunning);
  }

  void AddSuspension() {
    std::string wanted;
    if (status_.suspend) {
      wanted = Cat(PlaceText(status_.suspend->place), " == ", status_.suspend->suspend);
    } else if (std::ranges::any_of(pods_.pods, [](const PodPlace& pod) {
                 return Counts(pod).Replicas() != "1" && !pod.counts.empty();
               })) {
      wanted = "$sizes != [] and all($sizes[]; . == 0)";
      needs_sizes_ = true;
    }
    std::string still = StillThere();
    if (!wanted.empty()) {
      Note(Status::kSuspended);
      if (still.empty()) {
        branches_.push_back({wanted, "\"suspended\""});
      } else {
        Note(Status::kSuspending);
        branches_.push_back(
            {wanted, Cat("(if ", still, " then \"suspending\" else \"suspended\" end)")});
      }
    }
    Add(Says(Status::kSuspending), Status::kSuspending);
    // What is suspended and is not to be.
    Add(Says(Status::kSuspended), status_.suspend ? Status::kResuming : Status::kSuspended);
  }

  static std::string_view StatusKey(Status status) { return definition::StatusKey(status); }

  const FoundPods& pods_;
  const FoundStatus& status_;
  std::vector<Branch> branches_;
  std::vector<Status> results_;
  bool needs_sizes_ = false;
};

}  // namespace

std::string ReplicasText(const PodPlace& pod) { return Counts(pod).Replicas(); }

std::string BoundText(const PodPlace& pod, const Place& bound) { return Counts(pod).Bound(bound); }

std::string LabelText(std::string_view key) { return Cat(".metadata.labels[", InQuotes(key), ']'); }

StateExpression StateOf(const FoundPods& pods, const FoundStatus& status) {
  StateText text(pods, status);
  StateExpression state;
  state.lines = text.Lines();
  state.results = text.results();
  return state;
}

}  // namespace wmap::schema
