#include "inspect/phase_evidence.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <ranges>
#include <utility>

#include "base/arena.h"
#include "base/text.h"
#include "base/utf8.h"
#include "expr/evaluate.h"
#include "expr/path_text.h"
#include "json/writer.h"
#include "workload/convert.h"
#include "workload/evaluation.h"
#include "workload/headline.h"
#include "workload/status.h"

namespace wmap::inspect {
namespace {

using definition::Matcher;
using definition::StatusDefinition;
using json::Value;
using workload::Phase;

constexpr std::size_t kMostNear = 3;
constexpr std::size_t kMostReads = 32;
constexpr std::size_t kMostBytes = 120;

std::string Cut(std::string text) {
  if (text.size() <= kMostBytes) return text;
  return Cat(StartOf(text, kMostBytes), "\u2026");
}

// Collects the parts of the input that an expression comes down to: values without members, and
// what is not there.
class Reads final : public expr::Tracer {
 public:
  void Enter(SourceRange /*part*/) override {}
  void Leave(SourceRange /*part*/, const Value& value, const Value* path) override {
    if (path == nullptr || path->size() == 0 || reads_.size() >= kMostReads) return;
    if ((value.is_array() || value.is_object()) && value.size() > 0) return;
    std::string text = expr::PathText(*path);
    // Below what is not there, nothing is.
    for (const ValueRead& read : reads_) {
      if (text == read.path || (read.is_absent && text.starts_with(read.path))) return;
    }
    reads_.push_back({std::move(text), Cut(json::ToJson(value)), value.is_null()});
  }
  void Yield(const Value& /*value*/, const Value* /*path*/) override {}

  // What the status says comes before what is asked for.
  std::vector<ValueRead> Take() {
    std::ranges::stable_partition(
        reads_, [](const ValueRead& read) { return read.path.starts_with(".status"); });
    return std::move(reads_);
  }

 private:
  std::vector<ValueRead> reads_;
};

// `.["wmap.dev/objects"][0].status.active` is how a definition reads a field of another object:
// "Job/train-1 .status.active". Which kind and name it looked for is in that already.
void NameObjects(const Value& object, std::vector<ValueRead>& reads) {
  const std::string list = Cat(".[\"", definition::kObjectsKey, "\"]");
  std::erase_if(reads, [&](ValueRead& read) {
    if (!read.path.starts_with(list)) return false;
    std::string_view rest = std::string_view(read.path).substr(list.size());
    std::size_t end = rest.find(']');
    if (!rest.starts_with('[') || end == std::string_view::npos) {
      read.path = "what it has made";
      return false;
    }
    std::size_t index = 0;
    std::from_chars(rest.data() + 1, rest.data() + end, index);
    Value objects = object.Get(definition::kObjectsKey);
    Value one = objects.is_array() && index < objects.size() ? objects[index] : Value();
    std::string_view field = rest.substr(end + 1);
    if (field == ".kind" || field == ".metadata.name") return true;
    read.path =
        Cat(one.Get("kind").text_or_empty(), '/', one.Get("metadata").Get("name").text_or_empty(),
            field.empty() ? "" : " ", field);
    return false;
  });
}

class EvidenceReader {
 public:
  EvidenceReader(const definition::Karta& karta, const StatusDefinition& definition,
                 const Value& object)
      : definition_(definition), evaluator_(arena_), evaluation_(karta, object, evaluator_) {}

  PhaseEvidence Read() {
    status_ = workload::ReadStatus(definition_, evaluation_);
    if (definition_.conditions) ReadConditions();
    PhaseEvidence evidence;
    evidence.by_object = workload::ObjectHeadline(status_.phases);
    for (std::size_t i = 0; i < status_.phases.size(); ++i) {
      evidence.matched.push_back(Of(status_.phases[i], status_.matchers[i]));
    }
    std::ranges::stable_partition(evidence.matched, [&](const MappingEvidence& mapping) {
      return mapping.phase == evidence.by_object;
    });
    AddNearMisses(evidence);
    return evidence;
  }

 private:
  struct Found {
    std::string path;
    workload::Condition condition;
  };

  void ReadConditions() {
    const definition::ConditionsDefinition& definition = *definition_.conditions;
    if (!definition.path || definition.path.program() == nullptr) return;
    auto lists = evaluation_.All(definition.path, evaluation_.object());
    auto paths = evaluator_.Paths(*definition.path.program(), evaluation_.object());
    if (!lists) return;
    for (std::size_t i = 0; i < lists->size(); ++i) {
      const Value& list = (*lists)[i];
      if (!list.is_array()) continue;
      std::string base = paths && i < paths->size() ? expr::PathText((*paths)[i]) : "conditions";
      for (std::size_t k = 0; k < list.size(); ++k) {
        auto text = [&](const std::string& field) {
          return std::string(list[k].Get(field).text_or_empty());
        };
        conditions_.push_back({Cat(base, '[', k, ']'),
                               {text(definition.type_field), text(definition.status_field),
                                text(definition.reason_field), text(definition.message_field)}});
      }
    }
  }

  // Of several conditions of one type the last counts.
  const Found* Find(std::string_view type) const {
    for (const Found& found : std::views::reverse(conditions_)) {
      if (found.condition.type == type) return &found;
    }
    return nullptr;
  }

  MappingEvidence Of(Phase phase, std::size_t index) {
    auto status = static_cast<definition::Status>(phase);
    const Matcher& matcher = definition_.matchers(status)[index];
    MappingEvidence mapping{Cat(StatusKey(status), '[', index, ']'), phase, false, {}};
    if (!matcher.by_phase.empty()) mapping.parts.push_back(OfPhase(matcher.by_phase));
    for (const definition::ExpectedCondition& expected : matcher.by_conditions) {
      mapping.parts.push_back(OfCondition(expected));
    }
    if (matcher.by_expression) mapping.parts.push_back(OfExpression(*matcher.by_expression));
    mapping.holds =
        !mapping.parts.empty() && std::ranges::all_of(mapping.parts, &MatcherPart::holds);
    return mapping;
  }

  static MatcherPart Asking(std::string_view asked, std::string what, std::string expected) {
    MatcherPart part;
    part.asked = asked;
    part.what = std::move(what);
    part.expected = std::move(expected);
    return part;
  }

  MatcherPart OfPhase(const std::string& expected) {
    MatcherPart part = Asking("phase", definition_.phase.text(), expected);
    part.found = status_.phase_text;
    part.is_absent = !status_.has_phase || status_.phase_text.empty();
    part.holds = status_.has_phase && status_.phase_text == expected;
    AddReads(definition_.phase, part);
    return part;
  }

  MatcherPart OfCondition(const definition::ExpectedCondition& expected) {
    MatcherPart part = Asking("condition", expected.type,
                              expected.status.empty() ? "any status" : expected.status);
    if (!expected.reason.empty()) CatTo(part.expected, " (", expected.reason, ')');
    const Found* found = Find(expected.type);
    part.is_absent = found == nullptr;
    if (found == nullptr) return part;
    part.found = found->condition.status;
    bool says_reason = !expected.reason.empty() && !found->condition.reason.empty();
    if (says_reason) CatTo(part.found, " (", found->condition.reason, ')');
    part.holds = (expected.status.empty() || found->condition.status == expected.status) &&
                 (expected.reason.empty() || found->condition.reason == expected.reason);
    auto add = [&](const std::string& field, const std::string& value) {
      if (value.empty()) return;
      part.reads.push_back(
          {Cat(found->path, '.', field), Cut(json::ToJson(Value::String(value))), false});
    };
    add(definition_.conditions->type_field, found->condition.type);
    add(definition_.conditions->status_field, found->condition.status);
    add(definition_.conditions->reason_field, found->condition.reason);
    return part;
  }

  MatcherPart OfExpression(const definition::ExpectedResult& asked) {
    MatcherPart part = Asking("expression", asked.expression.text(), asked.result);
    if (!asked.expression) {
      part.error = "it is empty";
      return part;
    }
    auto result = evaluation_.First(asked.expression, evaluation_.object());
    if (!result) {
      part.error = result.error().Describe();
    } else if (result->has_value()) {
      std::string text = workload::ToText(**result);
      part.holds = text == asked.result;
      part.found = Cut(std::move(text));
    } else {
      part.is_absent = true;
    }
    AddReads(asked.expression, part);
    return part;
  }

  void AddReads(const definition::Expression& expression, MatcherPart& part) {
    if (!expression || expression.program() == nullptr) return;
    Reads reads;
    // What was read before it fails counts too.
    [[maybe_unused]] Result<void> traced =
        evaluator_.Trace(*expression.program(), evaluation_.object(), reads);
    part.reads = reads.Take();
    NameObjects(evaluation_.object(), part.reads);
  }

  // Nearer: more of its parts hold; then, what it asks for is there with another value.
  struct Nearness {
    bool is_told = true;  // false: a part errs, so nobody knows
    bool is_nothing_there = false;
    std::size_t lacking = 0;
    std::size_t absent = 0;

    friend auto operator<=>(const Nearness&, const Nearness&) = default;
  };

  void AddNearMisses(PhaseEvidence& evidence) {
    std::vector<std::pair<Nearness, MappingEvidence>> near;
    for (std::size_t s = 0; s < definition::kStatusCount; ++s) {
      auto phase = static_cast<Phase>(s);
      if (std::ranges::find(status_.phases, phase) != status_.phases.end()) continue;
      const auto& matchers = definition_.matchers(static_cast<definition::Status>(s));
      for (std::size_t i = 0; i < matchers.size(); ++i) {
        if (matchers[i].is_empty() || IsAnswered(matchers[i])) continue;
        MappingEvidence mapping = Of(phase, i);
        Nearness nearness;
        std::size_t holding = 0;
        for (const MatcherPart& part : mapping.parts) {
          if (part.holds) {
            ++holding;
            continue;
          }
          ++nearness.lacking;
          nearness.is_told &= part.error.empty();
          if (part.is_absent) ++nearness.absent;
        }
        // One of which nothing is there at all is the farthest.
        nearness.is_nothing_there = holding == 0 && nearness.absent == nearness.lacking;
        near.emplace_back(nearness, std::move(mapping));
      }
    }
    std::ranges::stable_sort(near, {}, &std::pair<Nearness, MappingEvidence>::first);
    for (auto& [nearness, mapping] : near) {
      if (evidence.near_misses.size() == kMostNear) break;
      evidence.near_misses.push_back(std::move(mapping));
    }
  }

  // Whether nothing is asked for but one word of an expression that has words for other mappings
  // too: its words exclude each other, and one is not nearer than another.
  bool IsAnswered(const Matcher& matcher) const {
    if (!matcher.by_phase.empty() || !matcher.by_conditions.empty()) return false;
    const expr::Program* program = matcher.by_expression->expression.program();
    std::size_t uses = 0;
    for (const std::vector<Matcher>& matchers : definition_.mappings) {
      uses += static_cast<std::size_t>(std::ranges::count_if(matchers, [&](const Matcher& other) {
        return other.by_expression && other.by_expression->expression.program() == program;
      }));
    }
    return uses > 1;
  }

  const StatusDefinition& definition_;
  Arena arena_;
  expr::Evaluator evaluator_;
  workload::Evaluation evaluation_;
  workload::ObjectStatus status_;
  std::vector<Found> conditions_;
};

}  // namespace

PhaseEvidence ReadEvidence(const definition::Karta& karta, const Value& object) {
  const std::optional<StatusDefinition>& definition = karta.components.front().status;
  if (!definition) return {};
  return EvidenceReader(karta, *definition, object).Read();
}

}  // namespace wmap::inspect
