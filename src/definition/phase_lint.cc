#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "definition/lint.h"
#include "definition/result_texts.h"
#include "definition/samples.h"
#include "expr/evaluate.h"
#include "json/reader.h"
#include "json/writer.h"

namespace wmap::definition {
namespace {

using json::Value;

constexpr Report::Part kValue = Report::Part::kValue;
constexpr std::size_t kMostSamples = 2000;
// Of each matcher: these are put together with those of others.
constexpr std::size_t kMostWitnesses = 6;
// Of one run: samples are small.
constexpr std::uint64_t kMostSteps = 100'000;
// Where two phases ask for what has nothing to do with each other, only these are told of as such:
// the end of a workload, and that it is held back, exclude all else by what they mean.
constexpr std::string_view kOverlap = "phases-overlap";
// Fewer samples say nothing about what always holds.
constexpr std::size_t kFewSamples = 4;

// A matcher, where it stands, and samples that it holds on.
struct Tried {
  Status status = Status::kRunning;
  std::size_t index = 0;
  const Matcher* matcher = nullptr;
  std::string pointer;
  bool always = true;
  std::vector<const Sample*> witnesses = {};
};

// Evaluates the matchers of one status definition.
class Trial {
 public:
  explicit Trial(const StatusDefinition& status) : status_(status), evaluator_(arena_) {
    expr::Limits limits;
    limits.steps = kMostSteps;
    evaluator_.set_limits(limits);
  }

  // Takes another document; false when it cannot be read.
  bool Take(const Sample& sample) {
    arena_.Reset();
    text_ = sample.Json();
    first_.clear();
    failed_.clear();
    Result<Value> document = json::Read(text_, arena_);
    if (!document) return false;
    document_ = *document;
    return true;
  }

  // False also where it fails, which has_failed() then says: the document is none of the kind.
  bool Holds(const Matcher& matcher) {
    has_failed_ = false;
    if (!matcher.by_phase.empty()) {
      const std::optional<Value> phase = First(status_.phase);
      if (!phase || !phase->is_string() || phase->as_string() != matcher.by_phase) return false;
    }
    for (const ExpectedCondition& expected : matcher.by_conditions) {
      if (!status_.conditions || !HasCondition(expected)) return false;
    }
    if (!matcher.by_expression) return true;
    const std::optional<Value> result = First(matcher.by_expression->expression);
    if (!result) return false;
    std::string text =
        result->is_string() ? std::string(result->as_string()) : json::ToJson(*result);
    return text == matcher.by_expression->result;
  }

  bool has_failed() const { return has_failed_; }

 private:
  std::optional<Value> First(const Expression& expression) {
    const expr::Program* program = expression.program();
    if (program == nullptr) return std::nullopt;
    auto [known, is_new] = first_.try_emplace(program);
    if (is_new) {
      Result<std::optional<Value>> first = evaluator_.First(*program, document_);
      if (first) {
        known->second = *first;
      } else {
        failed_.insert(program);
      }
    }
    has_failed_ |= failed_.contains(program);
    return known->second;
  }

  bool HasCondition(const ExpectedCondition& expected) {
    const ConditionsDefinition& fields = *status_.conditions;
    const std::optional<Value> list = First(fields.path);
    if (!list || !list->is_array()) return false;
    return std::ranges::any_of(list->items(), [&](const Value& item) {
      auto has = [&](const std::string& field, const std::string& text) {
        return text.empty() || item.Get(field).text_or_empty() == text;
      };
      return item.Get(fields.type_field).text_or_empty() == expected.type &&
             has(fields.status_field, expected.status) && has(fields.reason_field, expected.reason);
    });
  }

  const StatusDefinition& status_;
  Arena arena_;
  expr::Evaluator evaluator_;
  std::string text_;
  Value document_;
  std::map<const expr::Program*, std::optional<Value>> first_;
  std::set<const expr::Program*> failed_;
  bool has_failed_ = false;
};

// One cannot be in both. Degraded, suspending and resuming go with others.
bool Exclude(Status a, Status b) {
  constexpr std::array kAlone = {Status::kInitializing, Status::kRunning, Status::kCompleted,
                                 Status::kFailed, Status::kSuspended};
  auto is_alone = [&](Status status) { return std::ranges::find(kAlone, status) != kAlone.end(); };
  return a != b && is_alone(a) && is_alone(b);
}

std::string_view RuleFor(Status a, Status b) {
  auto are = [&](Status x, Status y) { return (a == x && b == y) || (a == y && b == x); };
  if (are(Status::kCompleted, Status::kFailed)) return "terminal-phases-overlap";
  if (are(Status::kRunning, Status::kSuspended)) return "running-while-suspended";
  return kOverlap;
}

class PhaseLint {
 public:
  PhaseLint(const Component& component, Report& report)
      : status_(*component.status),
        pointer_(Cat(component.pointer, "/statusDefinition/statusMappings/")),
        report_(report),
        trial_(status_) {}

  void Run() {
    for (std::size_t i = 0; i < kStatusCount; ++i) {
      auto status = static_cast<Status>(i);
      for (std::size_t j = 0; j < status_.mappings[i].size(); ++j) {
        const Matcher& matcher = status_.mappings[i][j];
        if (matcher.is_empty()) continue;  // a rule of its own
        tried_.push_back({status, j, &matcher, Cat(pointer_, StatusKey(status), '/', j)});
      }
    }
    CompareMatchers();
    Samples samples = CollectSamples();
    std::vector<Sample> made = samples.Make(kMostSamples);
    for (const Sample& sample : made) Try(sample);
    TellAlways(made.size());
    TryTogether();
  }

 private:
  // What says the same needs no object that shows it.
  void CompareMatchers() {
    for (std::size_t i = 0; i < tried_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        Status a = tried_[j].status;
        Status b = tried_[i].status;
        bool is_same = Exclude(a, b) && SameMatcher(*tried_[j].matcher, *tried_[i].matcher);
        // Of whole lists there is a rule of its own.
        if (!is_same || status_.matchers(a).size() + status_.matchers(b).size() == 2) continue;
        told_[{a, b}] = true;
        report_.Add(
            {Severity::kWarning, RuleFor(a, b),
             Cat(StatusKey(b), " has a matcher of ", StatusKey(a), ", and they exclude each other"),
             "leave it out of one of them"},
            // Most likely what was added later.
            (tried_[j].index > tried_[i].index ? tried_[j] : tried_[i]).pointer, kValue);
      }
    }
  }

  Samples CollectSamples() const {
    Samples samples;
    samples.Add(status_.phase);
    if (status_.conditions) samples.Add(status_.conditions->path);
    for (const Tried& tried : tried_) {
      const Matcher& matcher = *tried.matcher;
      if (!matcher.by_phase.empty()) samples.AddResult(status_.phase, matcher.by_phase);
      if (matcher.by_expression) samples.Add(matcher.by_expression->expression);
      if (!status_.conditions) continue;
      for (const ExpectedCondition& condition : matcher.by_conditions) {
        samples.AddItem(status_.conditions->path, ItemOf(condition));
      }
    }
    return samples;
  }

  Sample ItemOf(const ExpectedCondition& condition) const {
    const ConditionsDefinition& fields = *status_.conditions;
    Sample item;
    auto add = [&](const std::string& field, const std::string& text) {
      if (text.empty()) return;
      Sample value;
      value.kind = Sample::Kind::kScalar;
      json::WriteString(text, value.scalar);
      item.members.insert_or_assign(field, std::move(value));
    };
    add(fields.type_field, condition.type);
    add(fields.status_field, condition.status);
    add(fields.reason_field, condition.reason);
    return item;
  }

  // Notes which matchers hold on a document, and which of them exclude each other.
  void Try(const Sample& sample) {
    if (!trial_.Take(sample)) return;
    std::vector<Tried*> holding;
    for (Tried& tried : tried_) {
      if (!trial_.Holds(*tried.matcher)) {
        tried.always = tried.always && trial_.has_failed();
        continue;
      }
      holding.push_back(&tried);
      if (tried.witnesses.size() < kMostWitnesses) tried.witnesses.push_back(&sample);
    }
    TellOverlaps(holding, sample);
  }

  void TellOverlaps(const std::vector<Tried*>& holding, const Sample& sample) {
    for (std::size_t i = 0; i < holding.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        Status a = holding[j]->status;
        Status b = holding[i]->status;
        if (!Exclude(a, b) || told_[{a, b}]) continue;
        if (IsFallback(*holding[j]) || IsFallback(*holding[i])) continue;
        std::string_view rule = RuleFor(a, b);
        if (rule == kOverlap && !IsWitness(*holding[j], sample) &&
            !IsWitness(*holding[i], sample)) {
          continue;
        }
        told_[{a, b}] = true;
        report_.Add({Severity::kWarning, rule,
                     Cat(StatusKey(a), " and ", StatusKey(b),
                         " exclude each other, and both match ", sample.Json()),
                     "let one of them ask for what the other excludes"},
                    holding[i]->pointer, kValue);
      }
    }
  }

  // Whether it is meant for objects that do not say yet what they are.
  static bool IsFallback(const Tried& tried) {
    return tried.status == Status::kInitializing && !tried.witnesses.empty() &&
           tried.witnesses.front()->size() == 0;
  }

  // Whether nothing in it is there for another matcher.
  static bool IsWitness(const Tried& tried, const Sample& sample) {
    return std::ranges::all_of(
        tried.witnesses, [&](const Sample* witness) { return witness->parts() >= sample.parts(); });
  }

  void TellAlways(std::size_t samples) {
    for (const Tried& tried : tried_) {
      if (!tried.always || tried.witnesses.empty() ||
          (samples < kFewSamples && ReadsAnything(*tried.matcher)))
        continue;
      if (IsOneWord(*tried.matcher)) continue;
      report_.Add({Severity::kWarning, "always-matches",
                   Cat("this matcher of ", StatusKey(tried.status),
                       " holds whatever the object says, even when it says nothing"),
                   "ask for what tells this phase from the others"},
                  tried.pointer, kValue);
    }
  }

  // Of an expression that gives a word for each phase: the samples may not have got to the others.
  static bool IsOneWord(const Matcher& matcher) {
    if (!matcher.by_expression || matcher.by_expression->result == "true" ||
        matcher.by_expression->result == "false") {
      return false;
    }
    return PossibleTexts(matcher.by_expression->expression).size() > 1;
  }

  static bool ReadsAnything(const Matcher& matcher) {
    if (!matcher.by_phase.empty() || !matcher.by_conditions.empty()) return true;
    const expr::Program* program = matcher.by_expression->expression.program();
    return program == nullptr || !expr::FindDocumentPaths(*program).empty();
  }

  // What each of two needs, in one document.
  void TryTogether() {
    for (Tried& a : tried_) {
      for (Tried& b : tried_) {
        if (&b <= &a || !Exclude(a.status, b.status)) continue;
        for (const Sample* first : a.witnesses) {
          for (const Sample* second : b.witnesses) {
            if (told_[{a.status, b.status}]) break;
            std::optional<Sample> both = Merge(*first, *second);
            if (!both || !trial_.Take(*both)) continue;
            if (trial_.Holds(*a.matcher) && trial_.Holds(*b.matcher)) TellOverlaps({&a, &b}, *both);
          }
        }
      }
    }
  }

  const StatusDefinition& status_;
  std::string pointer_;
  Report& report_;
  Trial trial_;
  std::vector<Tried> tried_;
  std::map<std::pair<Status, Status>, bool> told_;
};

}  // namespace

void LintPhases(const Karta& karta, Report& report) {
  for (const Component& component : karta.components) {
    if (component.status) PhaseLint(component, report).Run();
  }
}

}  // namespace wmap::definition
