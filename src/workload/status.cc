#include "workload/status.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "base/text.h"
#include "workload/convert.h"

namespace wmap::workload {
namespace {

using definition::ConditionsDefinition;
using definition::Matcher;
using definition::StatusDefinition;

class StatusReader {
 public:
  StatusReader(const StatusDefinition& definition, Evaluation& evaluation)
      : definition_(definition), evaluation_(evaluation) {}

  ObjectStatus Read() {
    if (definition_.phase) ReadPhase();
    if (definition_.conditions && definition_.conditions->path) {
      ReadConditions(*definition_.conditions);
    }
    for (std::size_t i = 0; i < definition::kStatusCount; ++i) {
      MatchAny(static_cast<definition::Status>(i));
    }
    return std::move(status_);
  }

 private:
  void ReadPhase() {
    auto result = evaluation_.First(definition_.phase, evaluation_.object());
    if (!result) return Complain("the phase", result.error());
    if (!result->has_value()) return;
    const json::Value& value = **result;
    if (!value.is_null() && !value.is_string()) {
      return Complain("the phase", Error(Code::kConversion,
                                         Cat("expected a string, found ", TypeName(value.type()))));
    }
    status_.has_phase = true;
    status_.phase_text = std::string(value.text_or_empty());
  }

  void ReadConditions(const ConditionsDefinition& definition) {
    auto results = evaluation_.All(definition.path, evaluation_.object());
    if (!results) return Complain("the conditions", results.error());
    const json::Value* misfit = nullptr;
    for (const json::Value& list : *results) {
      if (list.is_array()) {
        for (const json::Value& entry : list.items()) {
          if (entry.is_object()) AddCondition(definition, entry);
        }
      } else if (!list.is_null() && misfit == nullptr) {
        misfit = &list;
      }
    }
    if (misfit != nullptr) {
      Complain("the conditions",
               Error(Code::kConversion,
                     Cat("expected an array of conditions, found ", TypeName(misfit->type()),
                         misfit->is_object() ? "; the path must not iterate over it" : "")));
    }
  }

  void AddCondition(const ConditionsDefinition& definition, const json::Value& entry) {
    auto text = [&](const std::string& field) {
      return std::string(entry.Get(field).text_or_empty());
    };
    status_.conditions.push_back({text(definition.type_field), text(definition.status_field),
                                  text(definition.reason_field), text(definition.message_field)});
  }

  void MatchAny(definition::Status status) {
    const std::vector<Matcher>& matchers = definition_.matchers(status);
    for (std::size_t i = 0; i < matchers.size(); ++i) {
      // A matcher that asks for nothing would always hold. It is an author's slip, which loading
      // reports, and never a reading of the object.
      if (matchers[i].is_empty()) continue;
      Result<bool> holds = Holds(matchers[i]);
      if (!holds) {
        Complain(Cat("matcher ", StatusKey(status), '[', i, ']'), holds.error());
      } else if (*holds) {
        status_.phases.push_back(static_cast<Phase>(status));
        status_.matchers.push_back(i);
        return;
      }
    }
  }

  Result<bool> Holds(const Matcher& matcher) {
    if (!matcher.by_phase.empty() &&
        !(status_.has_phase && status_.phase_text == matcher.by_phase)) {
      return false;
    }
    for (const definition::ExpectedCondition& expected : matcher.by_conditions) {
      const Condition* found = Find(expected.type);
      if (found == nullptr || (!expected.status.empty() && found->status != expected.status) ||
          (!expected.reason.empty() && found->reason != expected.reason)) {
        return false;
      }
    }
    if (!matcher.by_expression) return true;
    if (!matcher.by_expression->expression) return Fail(Code::kInvalid, "its expression is empty");
    const Answer& answer = Ask(matcher.by_expression->expression);
    if (!answer.text) return std::unexpected(answer.text.error());
    return *answer.text == matcher.by_expression->result;
  }

  // What an expression says of the object.
  struct Answer {
    const expr::Program* program;
    Result<std::optional<std::string>> text;  // nothing = no result
  };

  // Each program runs once: a definition often asks one for several statuses.
  const Answer& Ask(const definition::Expression& expression) {
    const expr::Program* program = expression.program();
    auto known = std::ranges::find(answers_, program, &Answer::program);
    if (known != answers_.end() && program != nullptr) return *known;
    auto result = evaluation_.First(expression, evaluation_.object());
    answers_.push_back({program, std::nullopt});
    if (!result) {
      answers_.back().text = std::unexpected(result.error());
    } else if (result->has_value()) {
      answers_.back().text = ToText(**result);
    }
    return answers_.back();
  }

  // Of several conditions of one type the last counts.
  const Condition* Find(std::string_view type) const {
    for (const Condition& condition : std::views::reverse(status_.conditions)) {
      if (condition.type == type) return &condition;
    }
    return nullptr;
  }

  void Complain(std::string_view what, const Error& error) {
    evaluation_.Add(Severity::kWarning, "status", Cat(what, ": ", error.Describe()));
  }

  const StatusDefinition& definition_;
  Evaluation& evaluation_;
  ObjectStatus status_;
  std::vector<Answer> answers_;
};

std::size_t IndexOf(const ObjectStatus& status, Phase phase) {
  return static_cast<std::size_t>(std::ranges::find(status.phases, phase) - status.phases.begin());
}

}  // namespace

ObjectStatus ReadStatus(const StatusDefinition& definition, Evaluation& evaluation) {
  return StatusReader(definition, evaluation).Read();
}

std::string MatchedName(const ObjectStatus& status, Phase phase) {
  std::size_t i = IndexOf(status, phase);
  if (i == status.phases.size()) return {};
  return Cat(StatusKey(static_cast<definition::Status>(phase)), '[', status.matchers[i], ']');
}

const Condition* MatchedCondition(const StatusDefinition& definition, const ObjectStatus& status,
                                  Phase phase) {
  std::size_t i = IndexOf(status, phase);
  if (i == status.phases.size()) return nullptr;
  const Matcher& matcher =
      definition.matchers(static_cast<definition::Status>(phase))[status.matchers[i]];
  if (matcher.by_conditions.empty()) return nullptr;
  for (const Condition& condition : std::views::reverse(status.conditions)) {
    if (condition.type == matcher.by_conditions.front().type) return &condition;
  }
  return nullptr;
}

}  // namespace wmap::workload
