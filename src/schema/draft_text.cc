#include "schema/draft_text.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace wmap::schema {
namespace {

using definition::GroupVersionKind;
using definition::Status;

constexpr std::size_t kWidth = 110;

// As a text of JSON, of the expression language and of YAML, whatever is in it.
std::string InQuotes(std::string_view text) { return Quote(text, text.size()); }

bool HasControls(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

// Whether YAML reads it as the text that it is, without quotes.
bool IsPlain(std::string_view text) {
  if (text.empty() || text.find(": ") != std::string_view::npos ||
      text.find(" #") != std::string_view::npos || text.ends_with(':')) {
    return false;
  }
  constexpr std::string_view kSpecial = "{}[]\"'&*!|>%@`#,?-";
  if (kSpecial.find(text.front()) != std::string_view::npos) return false;
  bool is_number =
      std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  std::string lower = ToLower(text);
  for (std::string_view word : {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"}) {
    if (lower == word) return false;
  }
  return !is_number;
}

std::string Scalar(std::string_view text) {
  if (HasControls(text)) return InQuotes(text);
  if (IsPlain(text)) return std::string(text);
  std::string quoted = "'";
  for (char c : text) CatTo(quoted, c == '\'' ? "''" : std::string(1, c));
  return quoted + "'";
}

class Writer {
 public:
  // Every line of `text` at this depth.
  void Line(std::size_t depth, std::string_view text) {
    CatTo(text_, std::string(depth * 2, ' '), text, '\n');
  }
  void Lines(std::size_t depth, std::string_view text) {
    while (!text.empty()) {
      std::size_t end = std::min(text.find('\n'), text.size());
      Line(depth, text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  // A comment, in as many lines as it needs.
  void Comment(std::size_t depth, std::string_view text) {
    std::string clean(text);
    for (char& c : clean) c = HasControls({&c, 1}) ? ' ' : c;
    text = clean;
    std::string line;
    while (!text.empty()) {
      std::size_t blank = std::min(text.find(' '), text.size());
      std::string_view word = text.substr(0, blank);
      text.remove_prefix(std::min(blank + 1, text.size()));
      if (!line.empty() && depth * 2 + 3 + line.size() + word.size() > kWidth) {
        Line(depth, Cat("# ", line));
        line.clear();
      }
      CatTo(line, line.empty() ? "" : " ", word);
    }
    if (!line.empty()) Line(depth, Cat("# ", line));
  }
  // One that is too long for a line is folded at its pipes and branches.
  void Expression(std::size_t depth, std::string_view key, std::string_view text) {
    std::string line = Cat(key, ": ", Scalar(text));
    if (depth * 2 + line.size() <= kWidth) return Line(depth, line);
    Line(depth, Cat(key, ": >-"));
    Fold(depth + 1, text);
  }
  // A line of a block that keeps its lines; what it goes on with stands further in.
  void Block(std::size_t depth, std::string_view text) {
    std::size_t margin = text.find_first_not_of(' ');
    std::string_view indent = text.substr(0, margin);
    bool is_first = true;
    text.remove_prefix(margin);
    ForEachLine(text, kWidth - depth * 2 - margin - 4, [&](std::string_view line) {
      Line(depth, Cat(indent, is_first ? "" : "    ", line));
      is_first = false;
    });
  }
  // `text` in lines of the same depth.
  void Fold(std::size_t depth, std::string_view text) {
    ForEachLine(text, kWidth - depth * 2, [&](std::string_view line) { Line(depth, line); });
  }

  std::string Take() { return std::move(text_); }

 private:
  template <typename F>
  static void ForEachLine(std::string_view text, std::size_t room, F visit) {
    while (text.size() > room) {
      std::size_t end = std::string_view::npos;
      for (std::string_view mark : {" | ", " elif ", " else ", " then ", " or ", " * ", ", "}) {
        std::size_t found = text.rfind(mark, room - mark.size());
        if (found == std::string_view::npos || found < room / 2) continue;
        end = mark == ", " ? found + 1 : found;
        break;
      }
      if (end == std::string_view::npos) end = text.rfind(' ', room);
      if (end == std::string_view::npos) break;
      visit(text.substr(0, end));
      text.remove_prefix(end + 1);
    }
    visit(text);
  }

  std::string text_;
};

std::string KindText(const GroupVersionKind& kind) {
  auto part = [](std::string_view text) {
    constexpr std::string_view kOther = " \t\n\r:{}[],#&*!|>'\"%@`";
    bool is_plain = IsPlain(text) && text.find_first_of(kOther) == std::string_view::npos;
    return is_plain ? std::string(text) : InQuotes(text);
  };
  return Cat("{group: ", part(kind.group), ", version: ", part(kind.version),
             ", kind: ", part(kind.kind), '}');
}

std::string LabelText(std::string_view key) { return Cat(".metadata.labels[", InQuotes(key), ']'); }

// "IN("a", "b")" of a text that is at hand.
std::string IsOneOf(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const std::string& word : words) quoted.push_back(InQuotes(word));
  return quoted.size() == 1 ? Cat(" == ", quoted[0]) : Cat(" | IN(", Join(quoted, ", "), ')');
}

const std::vector<std::string>& Of(const StatusWords& words, Status status) {
  return words[static_cast<std::size_t>(status)];
}

// --- Counts of one place.

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

  bool IsStated() const {
    return std::ranges::all_of(pod_.counts,
                               [](const CountField& count) { return count.is_stated; });
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

// --- The state.

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

// --- The definition.

class DraftWriter {
 public:
  explicit DraftWriter(const DraftParts& parts)
      : parts_(parts), pods_(parts.pods->pods), status_(*parts.status), root_(RootName()) {}

  std::string Write() {
    Head();
    to_.Line(0, "spec:");
    to_.Line(1, "structureDefinition:");
    to_.Line(2, "rootComponent:");
    to_.Line(3, Cat("name: ", Scalar(root_)));
    to_.Line(3, Cat("kind: ", KindText(parts_.kind)));
    if (IsSingle()) Pods(pods_[0], 0, 3);
    StatusOfRoot();
    Suspension();
    if (!IsSingle()) {
      to_.Line(2, "childComponents:");
      for (std::size_t i = 0; i < pods_.size(); ++i) Child(pods_[i], i);
    }
    Made();
    Gang();
    return to_.Take();
  }

 private:
  std::string RootName() const { return ToLower(parts_.kind.kind); }
  // One set of equal pods: they are the root's own.
  bool IsSingle() const { return pods_.size() == 1 && ListsOn(pods_[0].place) == 0; }
  bool HasSeenPods() const { return parts_.seen->pods > 0; }

  void Head() {
    std::string from = parts_.has_schema ? "the schema of its custom resource definition" : "";
    if (parts_.seen->workloads > 0) {
      CatTo(from, from.empty() ? "" : " and ", parts_.seen->workloads,
            parts_.seen->workloads == 1 ? " sample" : " samples");
      if (HasSeenPods()) {
        CatTo(from, " with ", parts_.seen->pods, parts_.seen->pods == 1 ? " pod" : " pods");
      }
    }
    to_.Comment(0, Cat(parts_.kind.kind, ": a draft, made from ", from,
                       ". What is marked as a guess was not said anywhere; check it against the "
                       "operator, and take the mark away."));
    for (const std::string& note : parts_.pods->notes) to_.Comment(0, Cat("Left out: ", note, '.'));
    to_.Line(0, "apiVersion: run.ai/v1alpha1");
    to_.Line(0, "kind: Karta");
    to_.Line(0, "metadata:");
    to_.Line(1, Cat("name: ", Scalar(parts_.name)));
    Extensions();
  }

  // What the format itself cannot say.
  void Extensions() {
    std::vector<std::string> parts;
    if (parts_.has_reason) {
      std::string path = PlaceText(status_.conditions->place);
      auto part = [&](std::string_view field) {
        return InQuotes(
            Cat("[", path, "[]? | select(.status == \"True\") | .", field, "] | last // empty"));
      };
      parts.push_back(Cat("\"status\": {\n\"reason\": ", part("reason"),
                          ",\n\"message\": ", part("message"), '}'));
    }
    std::vector<std::string> components;
    for (std::size_t i = 0; i < pods_.size(); ++i) {
      const SeenSelector& seen = parts_.seen->selectors[i];
      if (!seen.is_ending) continue;
      // Every end of it, the longest first: the one that an instance has is meant.
      std::string ends = Cat(LabelText(seen.instance_key),
                             " // \"\" | split(\"-\") | . as $parts | keys[] as $i "
                             "| $parts[$i:] | join(\"-\")");
      components.push_back(
          Cat(InQuotes(NameOf(pods_[i])), ": {\"podInstance\": ", InQuotes(ends), '}'));
    }
    if (!components.empty()) {
      parts.push_back(Cat("\"components\": {\n", Join(components, ",\n"), '}'));
    }
    if (parts_.pods->minimum) {
      parts.push_back(Cat("\"minimum\": ", InQuotes(PlaceText(*parts_.pods->minimum))));
    }
    if (parts.empty()) return;
    to_.Line(1, "annotations:");
    if (parts_.pods->minimum) {
      to_.Comment(2, Cat("guess: minimum, because ", PlaceText(*parts_.pods->minimum),
                         " is a number of that name above the lists of pods."));
    }
    to_.Line(2, "wmap.dev/extensions: >-");
    to_.Lines(3, Cat('{', Join(parts, ",\n"), '}'));
  }

  // --- Pods.

  void Child(const PodPlace& pod, std::size_t index) {
    std::string name = NameOf(pod);
    to_.Line(2, Cat("- name: ", name));
    to_.Line(3, Cat("ownerRef: ", Scalar(root_)));
    Kind(pod, index);
    if (!pod.ids.empty()) {
      to_.Comment(3, Cat("Instances: ", pod.id_why, '.'));
      to_.Expression(3, "instanceIdPath", InstanceIds(pod, index));
    }
    Pods(pod, index, 3);
  }

  std::string NameOf(const PodPlace& pod) const {
    return pod.name == root_ ? Cat(pod.name, "-pods") : pod.name;
  }

  std::string InstanceIds(const PodPlace& pod, std::size_t index) const {
    std::string text = IdsText(pod.place, pod.ids);
    return parts_.seen->selectors[index].is_lower_case ? Cat(text, " | ascii_downcase") : text;
  }

  void Kind(const PodPlace& pod, std::size_t index) {
    const GroupVersionKind& seen = parts_.seen->controllers[index];
    if (!seen.kind.empty()) {
      to_.Comment(3, seen.kind == "Pod"
                         ? std::string("Seen: the workload itself controls its pods.")
                         : Cat("Seen: its pods are controlled by a ", seen.kind, '.'));
      to_.Line(3, Cat("kind: ", KindText(seen)));
    } else if (pod.kind) {
      to_.Comment(3, Cat("guess: a ", pod.kind->kind, ", because ", pod.kind_why, '.'));
      to_.Line(3, Cat("kind: ", KindText(*pod.kind)));
    } else {
      to_.Comment(3,
                  "guess: bare pods, because nothing says what is between them and the "
                  "workload.");
      to_.Line(3, Cat("kind: ", KindText({"", "v1", "Pod"})));
    }
  }

  void Pods(const PodPlace& pod, std::size_t index, std::size_t depth) {
    Spec(pod, depth);
    Scale(pod, depth);
    Selector(pod, index, depth);
  }

  void Spec(const PodPlace& pod, std::size_t depth) {
    std::string_view mark = pod.is_open ? "guess: pods, because of " : "Pods: ";
    to_.Comment(depth, Cat(mark, pod.why, '.'));
    to_.Line(depth, "specDefinition:");
    switch (pod.form) {
      case PodPlace::Form::kTemplate:
        return to_.Expression(depth + 1, "podTemplateSpecPath", TemplateText(pod));
      case PodPlace::Form::kSpec:
        return to_.Expression(depth + 1, "podSpecPath", TemplateText(pod));
      case PodPlace::Form::kContainer:
        to_.Line(depth + 1, "fragmentedPodSpecDefinition:");
        return to_.Expression(depth + 2, "containerPath", ValuesText(pod.place));
      case PodPlace::Form::kFragments:
        break;
    }
    to_.Line(depth + 1, "fragmentedPodSpecDefinition:");
    for (const auto& [piece, path] : pod.pieces) {
      to_.Expression(depth + 2, piece, Piece(pod.place, path));
    }
  }

  static std::string TemplateText(const PodPlace& pod) {
    std::string text = ValuesText(pod.place);
    if (!pod.fallback) return text;
    std::size_t end = EndOfLists(pod.place);
    return Cat(text, " // ", FieldsText(*pod.fallback, end, pod.fallback->size()));
  }

  // A piece of each instance.
  static std::string Piece(const Place& place, const std::string& path) {
    bool is_fields = path.starts_with('.') && !path.starts_with(". ") && path != ".";
    if (EndOfLists(place) == place.size()) {
      return place.empty() ? path : Cat(ValuesText(place), " | ", path);
    }
    return is_fields ? Cat(ValuesText(place), path) : Cat(ValuesText(place), " | ", path);
  }

  void Scale(const PodPlace& pod, std::size_t depth) {
    Counts counts(pod);
    std::string replicas = counts.Replicas();
    bool is_optional = !IsSingle() && !pod.fallback && ListsOn(pod.place) == 0 &&
                       !pod.is_required && pod.form != PodPlace::Form::kFragments;
    if (pod.counts.empty() && !pod.min) {
      to_.Comment(depth, "guess: one pod, because no number stands beside the description.");
    } else if (!counts.IsStated()) {
      to_.Comment(depth,
                  "guess: 1 where a number is absent, because the schema states no default.");
    }
    if (is_optional) {
      replicas = Cat("if ", PlaceText(pod.place), " == null then 0 else ", replicas, " end");
    }
    to_.Line(depth, "scaleDefinition:");
    to_.Expression(depth + 1, "replicasPath", replicas);
    if (pod.min) to_.Expression(depth + 1, "minReplicasPath", counts.Bound(*pod.min));
    if (pod.max) to_.Expression(depth + 1, "maxReplicasPath", counts.Bound(*pod.max));
  }

  void Selector(const PodPlace& pod, std::size_t index, std::size_t depth) {
    if (IsSingle()) return;
    const SeenSelector& seen = parts_.seen->selectors[index];
    std::string own = Cat(parts_.kind.group, '/', NameOf(pod));
    bool has_instances = !pod.ids.empty();
    bool is_seen = has_instances ? !seen.instance_key.empty() : !seen.type_key.empty();
    if (!is_seen && seen.has_all && !has_instances) {
      return to_.Comment(depth,
                         "No selector: all pods of the samples are these, and none of their "
                         "labels says so.");
    }
    if (is_seen) {
      to_.Comment(depth, Cat("Seen: ", seen.why, '.'));
    } else {
      to_.Comment(depth,
                  HasSeenPods()
                      ? "guess: the label, because no label of the sampled pods shows it. "
                        "Look at the labels of one."
                      : "guess: the label, because there is no sample with pods. Look at the "
                        "labels of one.");
    }
    to_.Line(depth, "podSelector:");
    to_.Line(depth + 1, "componentTypeSelector:");
    std::string instance_key = seen.instance_key.empty() ? own : seen.instance_key;
    if (has_instances && seen.type_key.empty()) {
      to_.Expression(depth + 2, "keyPath", LabelText(instance_key));
    } else {
      bool is_named = !seen.type_key.empty();
      if (seen.is_index && pod.rank == PodPlace::Rank::kWorker) {
        return to_.Expression(depth + 2, "keyPath",
                              Cat(LabelText(seen.type_key), " | select(. != \"0\")"));
      }
      to_.Expression(depth + 2, "keyPath",
                     LabelText(is_named ? seen.type_key : Cat(parts_.kind.group, "/role")));
      std::string value = is_named ? seen.type_value : NameOf(pod);
      if (seen.is_index) value = "0";
      if (!value.empty()) to_.Expression(depth + 2, "value", value);
    }
    if (!has_instances) return;
    to_.Line(depth + 1, "componentInstanceSelector:");
    to_.Expression(depth + 2, "idPath",
                   Cat(LabelText(instance_key), seen.is_ending ? " | split(\"-\") | last" : ""));
  }

  // --- Status.

  void StatusOfRoot() {
    to_.Line(3, "statusDefinition:");
    if (status_.phase) {
      to_.Comment(4, Cat("guess: the phase, because ", status_.phase->why, '.'));
      if (!status_.phase->others.empty()) {
        to_.Comment(
            4,
            Cat("Words that say nothing by themselves: ", Join(status_.phase->others, ", "), '.'));
      }
      to_.Line(4, "phaseDefinition:");
      to_.Expression(5, "path", PlaceText(status_.phase->place));
    }
    if (status_.conditions) {
      to_.Line(4, "conditionsDefinition:");
      to_.Expression(5, "path", PlaceText(status_.conditions->place));
      if (parts_.has_reason) to_.Line(5, "reasonFieldName: reason");
    }
    StateText state(*parts_.pods, status_);
    std::vector<std::string> lines = state.Lines();
    if (lines.empty()) {
      to_.Comment(4, "Nothing in the status is known to tell a state.");
      return to_.Line(4, "statusMappings: {}");
    }
    Mappings(lines, state.results());
  }

  std::string Grounds() const {
    std::vector<std::string> grounds;
    if (status_.conditions) {
      const ConditionsField& conditions = *status_.conditions;
      grounds.push_back(conditions.source.empty()
                            ? "types of conditions are those that are usual"
                            : Cat("types of conditions are from ", conditions.source,
                                  conditions.is_listed ? "" : ", and the usual ones beside them"));
      if (!conditions.others.empty()) {
        grounds.push_back(Cat("not used: ", Join(conditions.others, ", ")));
      }
    }
    if (status_.phase) {
      grounds.push_back(status_.phase->source.empty()
                            ? "words of the phase are those that are usual, in any case"
                            : Cat("words of the phase are from ", status_.phase->source));
    }
    if (status_.conditions || status_.phase) {
      grounds.push_back("what a word means is taken from the word alone");
    } else {
      grounds.push_back("counters are all there is");
    }
    return Join(grounds, "; ");
  }

  void Mappings(const std::vector<std::string>& lines, const std::vector<Status>& results) {
    constexpr auto kOrder = std::to_array<Status>(
        {Status::kCompleted, Status::kFailed, Status::kSuspended, Status::kSuspending,
         Status::kResuming, Status::kRunning, Status::kInitializing, Status::kDegraded});
    to_.Line(4, "statusMappings:");
    bool is_first = true;
    for (Status status : kOrder) {
      if (std::ranges::find(results, status) == results.end()) continue;
      std::string_view key = definition::StatusKey(status);
      to_.Line(5, Cat(key, ':'));
      to_.Line(5, "- byExpression:");
      if (is_first) {
        to_.Comment(7, Cat("guess: ", Grounds(), '.'));
        to_.Line(7, "expression: &state |-");
        for (const std::string& line : lines) to_.Block(8, line);
      } else {
        to_.Line(7, "expression: *state");
      }
      to_.Line(7, Cat("expectedResult: ", key));
      is_first = false;
    }
  }

  void Suspension() {
    if (!status_.suspend) return;
    const SuspendField& field = *status_.suspend;
    to_.Comment(3, Cat("guess: it suspends, because ", field.why, '.'));
    to_.Line(3, "suspendDefinition:");
    auto action = [&](std::string_view key, const std::string& value) {
      to_.Line(4, Cat(key, ':'));
      to_.Line(4, Cat("- path: ", Scalar(PlaceText(field.place))));
      to_.Line(5, Cat("value: ", Scalar(value)));
    };
    action("suspendActions", field.suspend);
    action("resumeActions", field.resume);
  }

  // --- The rest.

  void Made() {
    if (parts_.seen->made.empty()) return;
    if (!parts_.seen->chains.empty()) {
      to_.Comment(2, Cat("Seen in the samples: ", Join(parts_.seen->chains, "; "), '.'));
    }
    to_.Line(2, "additionalChildKinds:");
    for (const GroupVersionKind& kind : parts_.seen->made) {
      to_.Line(2, Cat("- ", KindText(kind)));
    }
  }

  void Gang() {
    to_.Comment(1,
                "Nothing says whether the pods are of use one by one. Where they are not, "
                "optimizationInstructions.gangScheduling has to say which start together.");
  }

  const DraftParts& parts_;
  const std::vector<PodPlace>& pods_;
  const FoundStatus& status_;
  std::string root_;
  Writer to_;
};

}  // namespace

std::string WriteDraft(const DraftParts& parts) { return DraftWriter(parts).Write(); }

}  // namespace wmap::schema
