#include "schema/draft_status.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "schema/draft_pods.h"

namespace wmap::schema {
namespace {

using definition::Status;
using json::Value;

struct StateWord {
  std::string_view word;  // in lower case, without separators
  Status status;
};
constexpr auto kWords = std::to_array<StateWord>({
    {"running", Status::kRunning},
    {"ready", Status::kRunning},
    {"active", Status::kRunning},
    {"available", Status::kRunning},
    {"healthy", Status::kRunning},
    {"serving", Status::kRunning},
    {"deployed", Status::kRunning},
    {"succeeded", Status::kCompleted},
    {"completed", Status::kCompleted},
    {"complete", Status::kCompleted},
    {"completing", Status::kCompleted},
    {"succeeding", Status::kCompleted},
    {"finished", Status::kCompleted},
    {"done", Status::kCompleted},
    {"failed", Status::kFailed},
    {"failing", Status::kFailed},
    {"failure", Status::kFailed},
    {"error", Status::kFailed},
    {"errored", Status::kFailed},
    {"submissionfailed", Status::kFailed},
    {"validationfailed", Status::kFailed},
    {"terminated", Status::kFailed},
    {"terminating", Status::kFailed},
    {"unrecoverable", Status::kFailed},
    {"pending", Status::kInitializing},
    {"initializing", Status::kInitializing},
    {"creating", Status::kInitializing},
    {"created", Status::kInitializing},
    {"new", Status::kInitializing},
    {"submitted", Status::kInitializing},
    {"starting", Status::kInitializing},
    {"waiting", Status::kInitializing},
    {"queued", Status::kInitializing},
    {"inqueue", Status::kInitializing},
    {"provisioning", Status::kInitializing},
    {"progressing", Status::kInitializing},
    {"deploying", Status::kInitializing},
    {"preparing", Status::kInitializing},
    {"notready", Status::kInitializing},
    {"admitted", Status::kInitializing},
    {"resetting", Status::kDegraded},
    {"degraded", Status::kDegraded},
    {"unhealthy", Status::kDegraded},
    {"restarting", Status::kDegraded},
    {"retrying", Status::kDegraded},
    {"replicafailure", Status::kDegraded},
    {"recovering", Status::kDegraded},
    {"suspended", Status::kSuspended},
    {"paused", Status::kSuspended},
    {"stopped", Status::kSuspended},
    {"aborted", Status::kSuspended},
    {"hibernated", Status::kSuspended},
    {"suspending", Status::kSuspending},
    {"pausing", Status::kSuspending},
    {"stopping", Status::kSuspending},
    {"aborting", Status::kSuspending},
    {"resuming", Status::kResuming},
});

std::string Plain(std::string_view word) {
  std::string plain;
  for (char c : ToLower(word)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) plain += c;
  }
  return plain;
}

bool IsText(const Value& node) { return node.Get("type").text_or_empty() == "string"; }

void AddWord(std::string_view word, StatusWords& words, std::vector<std::string>& others) {
  std::optional<Status> status = StatusOfWord(word);
  std::vector<std::string>& list = status ? words[static_cast<std::size_t>(*status)] : others;
  if (!word.empty() && std::ranges::find(list, word) == list.end()) list.emplace_back(word);
}

std::size_t CountOf(const StatusWords& words) {
  std::size_t count = 0;
  for (const std::vector<std::string>& list : words) count += list.size();
  return count;
}

// The words of a text that are written as values are: with a capital or in quotes.
void AddWordsOfText(std::string_view text, StatusWords& words) {
  std::vector<std::string> none;
  std::size_t at = 0;
  while (at < text.size()) {
    auto is_part = [&](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    if (!is_part(text[at])) {
      ++at;
      continue;
    }
    std::size_t begin = at;
    while (at < text.size() && is_part(text[at])) ++at;
    std::string_view word = text.substr(begin, at - begin);
    bool is_quoted =
        begin > 0 && (text[begin - 1] == '"' || text[begin - 1] == '\'' || text[begin - 1] == '`');
    bool has_capital = word[0] >= 'A' && word[0] <= 'Z';
    if ((is_quoted || has_capital) && StatusOfWord(word)) AddWord(word, words, none);
  }
}

class Finder {
 public:
  Finder(const Schema& schema, std::span<const Place> pods, std::span<const Value> samples)
      : schema_(schema), pods_(pods), samples_(samples), root_(schema.Resolve(schema.root())) {}

  FoundStatus Run() {
    Place path{{PlaceStep::Kind::kField, "spec"}};
    FindSuspend(FieldOf(schema_, root_, "spec"), path, 0);
    path[0].key = "status";
    Value status = FieldOf(schema_, root_, "status");
    FindPhase(status, path, 0);
    FindConditions(status, path);
    FindCounters(status, path, 0);
    if (found_.phase) AddSeenPhases(*found_.phase);
    if (found_.conditions) AddSeenTypes(*found_.conditions);
    return std::move(found_);
  }

 private:
  // Calls `visit` with the fields of an object and their places.
  template <typename F>
  void EachField(const Value& node, Place& path, F visit) {
    Value properties = node.Get("properties");
    if (!properties.is_object()) return;
    for (std::size_t i = 0; i < properties.size(); ++i) {
      const json::Member& member = properties.member_in_source_order(i);
      path.push_back({PlaceStep::Kind::kField, std::string(member.key)});
      visit(schema_.Resolve(member.value), std::as_const(path.back().key));
      path.pop_back();
    }
  }

  bool IsPod(const Place& path) const { return std::ranges::find(pods_, path) != pods_.end(); }

  // --- Suspending.

  // The one that is nearest to the root.
  void FindSuspend(const Value& node, Place& path, int depth) {
    EachField(node, path, [&](const Value& field, const std::string& key) {
      std::optional<SuspendField> found = SuspendOf(field, Plain(key));
      if (!found) return;
      if (found_.suspend && found_.suspend->place.size() <= path.size()) return;
      found->place = path;
      found_.suspend = std::move(found);
    });
    // Further down it is about parts; a policy is about the whole.
    if (depth == 1) return;
    EachField(node, path, [&](const Value& field, const std::string& key) {
      bool is_policy = Plain(key).ends_with("policy") && field.Get("properties").is_object();
      if (is_policy && !IsPod(path)) FindSuspend(field, path, depth + 1);
    });
  }

  static std::optional<SuspendField> SuspendOf(const Value& field, const std::string& name) {
    bool is_named = name == "suspend" || name == "suspended" || name == "pause" ||
                    name == "paused" || name == "stop" || name == "stopped" || name == "hibernate";
    if (field.Get("type").text_or_empty() == "boolean" && is_named) {
      SuspendField found;
      found.why = "it is a boolean of that name";
      return found;
    }
    Value values = field.Get("enum");
    if (!IsText(field) || !values.is_array()) return std::nullopt;
    std::string suspended;
    std::string running;
    for (const Value& value : values.items()) {
      std::optional<Status> status = StatusOfWord(value.text_or_empty());
      if (status == Status::kSuspended) suspended = value.text_or_empty();
      if (status == Status::kRunning) running = value.text_or_empty();
    }
    if (suspended.empty() || running.empty()) return std::nullopt;
    SuspendField found;
    found.suspend = Quote(suspended, suspended.size());
    found.resume = Quote(running, running.size());
    found.why = Cat("its enum has ", suspended, " and ", running);
    return found;
  }

  // --- Phase.

  void FindPhase(const Value& node, Place& path, int depth) {
    EachField(node, path, [&](const Value& field, const std::string& key) {
      if (IsText(field)) {
        Consider(field, Plain(key), path, depth);
      } else if (depth < 1 && field.Get("properties").is_object() && !key.starts_with("last")) {
        FindPhase(field, path, depth + 1);
      }
    });
  }

  // How much says that a text is the phase.
  void Consider(const Value& field, const std::string& name, const Place& path, int depth) {
    PhaseField phase;
    Value values = field.Get("enum");
    if (values.is_array()) {
      for (const Value& value : values.items()) {
        AddWord(value.text_or_empty(), phase.words, phase.others);
      }
      phase.source = "its enum";
    }
    if (CountOf(phase.words) == 0) {
      AddWordsOfText(field.Get("description").text_or_empty(), phase.words);
      if (CountOf(phase.words) > 1) {
        phase.source = "its description";
      } else {
        phase.words = {};
      }
    }
    int points = -depth;
    if (name == "phase" || name == "state") points += 4;
    if (name == "status" || name == "stage") points += 3;
    for (std::string_view ending : {"phase", "state", "status"}) {
      if (name.size() > ending.size() && name.ends_with(ending)) points += 2;
    }
    // "jobDeploymentStatus" is of the whole, "jobStatus" of the program in it.
    if (name.find("deployment") != std::string::npos) ++points;
    if (points <= 0) return;
    if (CountOf(phase.words) > 1) points += 4;
    if (points < 2 || points <= best_phase_) return;
    best_phase_ = points;
    phase.place = path;
    phase.why = CountOf(phase.words) > 1 ? Cat(phase.source, " has words of states")
                                         : Cat("it is a text of that name");
    found_.phase = std::move(phase);
  }

  void AddSeenPhases(PhaseField& phase) {
    std::vector<std::string> seen;
    for (const Value& sample : samples_) {
      Value at = sample;
      for (const PlaceStep& step : phase.place) at = at.Get(step.key);
      if (!at.text_or_empty().empty()) seen.emplace_back(at.text_or_empty());
    }
    for (const std::string& word : seen) {
      // Beside what is usual: samples show a few states only.
      if (phase.source.empty() && StatusOfWord(word)) continue;
      AddWord(word, phase.words, phase.others);
    }
  }

  // --- Conditions.

  void FindConditions(const Value& status, const Place& path) {
    Value list = FieldOf(schema_, status, "conditions");
    Value item = schema_.Resolve(list.Get("items"));
    if (!IsText(FieldOf(schema_, item, "type")) || !IsText(FieldOf(schema_, item, "status"))) {
      return;
    }
    ConditionsField& found = found_.conditions.emplace();
    found.place = path;
    found.place.push_back({PlaceStep::Kind::kField, "conditions"});
    Value types = FieldOf(schema_, item, "type").Get("enum");
    if (types.is_array()) {
      for (const Value& type : types.items()) {
        AddWord(type.text_or_empty(), found.types, found.others);
      }
      found.source = "the enum of their type";
      found.is_listed = true;
    }
  }

  void AddSeenTypes(ConditionsField& conditions) {
    for (const Value& sample : samples_) {
      Value list = sample.Get("status").Get("conditions");
      if (!list.is_array()) continue;
      std::string_view kind = sample.Get("kind").text_or_empty();
      for (const Value& condition : list.items()) {
        AddType(condition.Get("type").text_or_empty(), kind, conditions);
      }
    }
    if (conditions.source.empty() && CountOf(conditions.types) + conditions.others.size() > 0) {
      conditions.source = "the samples";
    }
  }

  // "RayClusterSuspended" of a RayCluster says what "Suspended" says.
  static void AddType(std::string_view type, std::string_view kind, ConditionsField& conditions) {
    std::string_view word = type;
    if (!kind.empty() && word.starts_with(kind)) word.remove_prefix(kind.size());
    std::optional<Status> status = StatusOfWord(word);
    std::vector<std::string>& list =
        status ? conditions.types[static_cast<std::size_t>(*status)] : conditions.others;
    if (!type.empty() && std::ranges::find(list, type) == list.end()) list.emplace_back(type);
  }

  // --- Counters.

  void FindCounters(const Value& node, Place& path, int depth) {
    EachField(node, path, [&](const Value& field, const std::string& key) {
      std::string name = Plain(key);
      if (IsCount(field)) {
        bool is_ready = name.starts_with("ready") || name.starts_with("available");
        if (is_ready && (name == "ready" || name == "available" || name.ends_with("replicas") ||
                         name.ends_with("pods") || name.ends_with("workers"))) {
          found_.ready.push_back(path);
        } else if (name == "active" || name == "running" || name == "replicas") {
          found_.active.push_back(path);
        }
        return;
      }
      if (depth > 0) return;
      bool is_list = field.Get("items").is_object();
      Value below =
          schema_.Resolve(is_list ? field.Get("items") : field.Get("additionalProperties"));
      if (!below.Get("properties").is_object() || name == "conditions") return;
      path.push_back({is_list ? PlaceStep::Kind::kItems : PlaceStep::Kind::kValues});
      FindCounters(below, path, depth + 1);
      path.pop_back();
    });
  }

  const Schema& schema_;
  std::span<const Place> pods_;
  std::span<const Value> samples_;
  Value root_;
  int best_phase_ = 0;
  FoundStatus found_;
};

}  // namespace

std::optional<Status> StatusOfWord(std::string_view word) {
  std::string plain = Plain(word);
  auto found = std::ranges::find(kWords, plain, &StateWord::word);
  if (found == kWords.end()) return std::nullopt;
  return found->status;
}

FoundStatus FindStatus(const Schema& schema, std::span<const Place> pods,
                       std::span<const Value> samples) {
  return Finder(schema, pods, samples).Run();
}

}  // namespace wmap::schema
