#include "schema/words.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "expr/syntax/parser.h"
#include "expr/syntax/visit.h"
#include "json/reader.h"
#include "schema/embedded_data.h"

namespace wmap::schema {
namespace {

using definition::Component;
using definition::Expression;
using definition::Karta;
using definition::Report;
using definition::Severity;
using expr::Node;
using expr::NodeId;
using expr::NodeKind;
using expr::Operator;
using expr::Syntax;
using json::Value;

constexpr std::size_t kShortest = 3;
constexpr std::size_t kLongest = 64;
// Parts of a schema that are looked at for words.
constexpr std::size_t kMostNodes = 20'000;

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool IsWord(std::string_view text) {
  return text.size() >= kShortest && text.size() <= kLongest && std::ranges::all_of(text, IsLetter);
}

// What definitions call phases themselves.
bool IsPhase(std::string_view word) {
  for (std::size_t i = 0; i < definition::kStatusCount; ++i) {
    if (definition::StatusKey(static_cast<definition::Status>(i)) == word) return true;
  }
  return false;
}

// One place where the definition asks for a word.
struct Use {
  std::string word;
  std::string pointer;
  const Expression* expression = nullptr;  // that it stands in, at `range`; or it is the field
  SourceRange range = {};
};

class WordsCheck {
 public:
  WordsCheck(const Karta& karta, const std::set<std::string>& told, Report& report)
      : karta_(karta), told_(told), report_(report) {}

  void Run(const Schema& schema) {
    Collect();
    AddRecorded();
    AddMentioned(schema);
    // Often enough to be meant.
    for (const auto& [word, texts] : texts_of_) {
      if (texts.size() > 1) known_.insert(word);
    }
    for (const Use& use : uses_) Tell(use, known_, "a word", true);
    AddOwnLabels();
    for (const Use& use : labels_) Tell(use, known_labels_, "a label", false);
  }

 private:
  // --- What the definition says.

  void Collect() {
    for (const Component& component : karta_.components) {
      if (component.status) InStatus(component);
      for (const Expression* expression :
           {&component.wanted, &component.active, &component.exists, &component.described}) {
        InExpression(*expression);
      }
      if (component.scale) InExpression(component.scale->replicas);
      if (!component.pod_selector) continue;
      if (component.pod_selector->type) OnPods(component.pod_selector->type->key_path);
      OnPods(component.pod_selector->instance_id);
      OnPods(component.pod_selector->replica_key);
    }
    InExpression(karta_.status_reason);
    InExpression(karta_.status_message);
    if (!karta_.gang) return;
    for (const definition::MemberGroup& group : karta_.gang->pod_groups) {
      for (const definition::GroupMember& member : group.members) {
        for (const Expression& key : member.group_by) OnPods(key);
        for (const Expression& filter : member.filters) OnPods(filter);
      }
    }
  }

  void Add(std::string_view word, std::string pointer, const Expression* expression = nullptr,
           SourceRange range = {}) {
    if (!IsWord(word) || word == "true" || word == "false" || word == "null") return;
    std::string text = expression == nullptr ? pointer : expression->text();
    texts_of_[std::string(word)].insert(std::move(text));
    uses_.push_back({std::string(word), std::move(pointer), expression, range});
  }

  void InStatus(const Component& component) {
    const definition::StatusDefinition& status = *component.status;
    InExpression(status.phase);
    for (std::size_t i = 0; i < definition::kStatusCount; ++i) {
      std::string_view key = definition::StatusKey(static_cast<definition::Status>(i));
      for (std::size_t j = 0; j < status.mappings[i].size(); ++j) {
        std::string at = Cat(component.pointer, "/statusDefinition/statusMappings/", key, '/', j);
        const definition::Matcher& matcher = status.mappings[i][j];
        Add(matcher.by_phase, Cat(at, "/byPhase"));
        for (std::size_t k = 0; k < matcher.by_conditions.size(); ++k) {
          std::string condition = Cat(at, "/byConditions/", k);
          Add(matcher.by_conditions[k].type, Cat(condition, "/type"));
          Add(matcher.by_conditions[k].reason, Cat(condition, "/reason"));
        }
        if (matcher.by_expression) InExpression(matcher.by_expression->expression);
      }
    }
  }

  // Words that are compared, and those that functions of its own are called with.
  void InExpression(const Expression& expression) {
    if (expression.program() == nullptr || !seen_.insert(expression.text()).second) return;
    Result<Syntax> syntax = expr::Parse(expression.text());
    if (!syntax) return;
    auto add = [&](NodeId id) {
      const Node& node = syntax->node(id);
      if (node.kind != NodeKind::kString) return;
      Add(node.text, expression.pointer(), &expression, node.range());
    };
    std::set<std::string_view> own = {"IN"};
    expr::Visit(*syntax, [&](const Node& node) {
      if (node.kind == NodeKind::kFunction) own.insert(node.text);
      if (node.kind == NodeKind::kCall && own.contains(node.text)) {
        for (NodeId argument : syntax->list(node)) add(argument);
      }
      if (node.kind == NodeKind::kBinary &&
          (node.op == Operator::kEqual || node.op == Operator::kNotEqual)) {
        add(node.a);
        add(node.b);
      }
      return true;
    });
  }

  void OnPods(const Expression& expression) {
    if (expression.program() == nullptr) return;
    Result<Syntax> syntax = expr::Parse(expression.text());
    if (!syntax) return;
    expr::Visit(*syntax, [&](const Node& node) {
      if (node.kind != NodeKind::kIndex) return true;
      const Node& key = syntax->node(node.b);
      if (key.kind != NodeKind::kString || key.text.size() < 6) return true;
      labels_.push_back({std::string(key.text), expression.pointer(), &expression, key.range()});
      return true;
    });
  }

  // Labels that stand in several expressions, and those of a prefix that others have.
  void AddOwnLabels() {
    auto prefix = [](const std::string& label) { return label.substr(0, label.find('/')); };
    std::map<std::string, std::set<std::string>> prefixes;  // and their labels
    std::map<std::string, std::set<std::string>> texts;
    for (const Use& use : labels_) {
      texts[use.word].insert(use.expression->text());
      if (use.word.contains('/')) prefixes[prefix(use.word)].insert(use.word);
    }
    for (const auto& [label, where] : texts) {
      if (where.size() > 1) known_labels_.insert(label);
    }
    for (const Use& use : labels_) {
      for (const auto& [other, labels] : prefixes) {
        std::string own = prefix(use.word);
        if (labels.size() < 2 || !use.word.contains('/') || !IsSlip(own, other)) continue;
        known_labels_.insert(Cat(other, use.word.substr(own.size())));
      }
    }
  }

  // --- What is known.

  // Whether a kind ("batch/Job") is the one that the definition is about, or of its group, whose
  // operators have one language; or one that it reads.
  bool IsRead(std::string_view kind) const {
    std::string_view group = kind.substr(0, kind.find('/'));
    if (group == karta_.kind().group && !group.empty()) return true;
    if (kind == Cat(karta_.kind().group, '/', karta_.kind().kind)) return true;
    return std::ranges::any_of(karta_.objects, [&](const definition::ObjectRead& object) {
      return kind == Cat(object.group, '/', object.kind);
    });
  }

  void AddRecorded() {
    for (const definition::KnownKeys& keys : karta_.keys) {
      known_.insert(keys.known.begin(), keys.known.end());
    }
    Arena arena;
    Result<Value> recorded = json::Read(kRecordedWords, arena);
    WMAP_CHECK(recorded.has_value());
    for (const json::Member& kind : recorded->Get("words").members()) {
      if (!IsRead(kind.key)) continue;
      for (const Value& word : kind.value.items()) known_.emplace(word.as_string());
    }
    for (const Value& label : recorded->Get("labels").items()) {
      std::string_view name = label.as_string();
      known_labels_.emplace(name);
      // Older operators had the same without a prefix.
      if (name.contains('/')) known_labels_.emplace(name.substr(name.find('/') + 1));
    }
  }

  // What descriptions of the status write in capitals: "one of Pending, Running".
  void AddMentioned(const Schema& schema) {
    std::vector<Value> open = {
        schema.Resolve(schema.Resolve(schema.root()).Get("properties").Get("status"))};
    for (std::size_t at = 0; at < open.size() && at < kMostNodes; ++at) {
      const Value node = open[at];
      if (!node.is_object()) continue;
      AddWordsOf(node.Get("description").text_or_empty());
      for (const Value& text :
           node.Get("enum").is_array() ? node.Get("enum").items() : std::span<const Value>()) {
        if (!text.is_string()) continue;
        known_.emplace(text.as_string());
      }
      for (std::string_view name : {"items", "additionalProperties"}) {
        if (const Value* below = node.Find(name)) open.push_back(schema.Resolve(*below));
      }
      const Value properties = node.Get("properties");
      if (!properties.is_object()) continue;
      for (const json::Member& member : properties.members()) {
        open.push_back(schema.Resolve(member.value));
      }
    }
  }

  void AddWordsOf(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
      std::size_t end = begin;
      while (end < text.size() && IsLetter(text[end])) ++end;
      std::string_view word = text.substr(begin, end - begin);
      if (IsWord(word) && word[0] >= 'A' && word[0] <= 'Z') known_.emplace(word);
      begin = end;
    }
  }

  // --- Telling.

  void Tell(const Use& use, const std::set<std::string, std::less<>>& known, std::string_view what,
            bool also_own) {
    if (known.contains(use.word) || told_.contains(use.pointer) || IsPhase(use.word)) return;
    auto slip = std::ranges::find_if(
        known, [&](const std::string& word) { return IsSlip(use.word, word); });
    std::string meant = slip == known.end() ? std::string() : *slip;
    if (meant.empty() && also_own) {
      for (const auto& [word, texts] : texts_of_) {
        if (IsSlip(use.word, word)) meant = word;
      }
    }
    if (meant.empty()) return;
    definition::Note note = {Severity::kWarning, "unusual-word",
                             Cat(Quote(use.word), " is not ", what, " that is known here"),
                             Cat("did you mean ", Quote(meant), '?')};
    if (use.expression == nullptr) {
      report_.Add(std::move(note), use.pointer, Report::Part::kValue);
    } else {
      report_.AddInText(std::move(note), use.pointer, use.expression->text(), use.range);
    }
  }

  const Karta& karta_;
  const std::set<std::string>& told_;
  Report& report_;
  std::vector<Use> uses_;
  std::vector<Use> labels_;
  std::set<std::string> seen_;
  std::map<std::string, std::set<std::string>> texts_of_;  // where a word stands
  std::set<std::string, std::less<>> known_;
  std::set<std::string, std::less<>> known_labels_;
};

}  // namespace

bool IsSlip(std::string_view a, std::string_view b) {
  if (a == b) return false;
  if (ToLower(a) == ToLower(b)) return true;
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  std::size_t same = 0;
  while (same < a.size() && a[same] == b[same]) ++same;
  if (a.size() < b.size()) return a.substr(same) == b.substr(same + 1);
  if (a.substr(same + 1) == b.substr(same + 1)) return true;
  return same + 1 < a.size() && a[same] == b[same + 1] && a[same + 1] == b[same] &&
         a.substr(same + 2) == b.substr(same + 2);
}

void CheckWords(const Karta& karta, const Schema& schema, const std::set<std::string>& told,
                Report& report) {
  WordsCheck(karta, told, report).Run(schema);
}

}  // namespace wmap::schema
