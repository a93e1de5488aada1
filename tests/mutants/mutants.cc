#include "tests/mutants/mutants.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "definition/expressions.h"
#include "expr/syntax/parser.h"
#include "expr/syntax/visit.h"

namespace wmap::mutants {
namespace {

using definition::Component;
using definition::Expression;
using definition::Karta;
using definition::Matcher;
using definition::Status;
using expr::kNoNode;
using expr::Node;
using expr::NodeId;
using expr::NodeKind;
using expr::Operator;
using expr::Syntax;

// What fingers do to a word: two letters swapped, one left out, one doubled, a letter in the other
// case. Which of them, the word decides.
std::string Misspelt(std::string_view word) {
  std::string other(word);
  std::size_t turn = word.size() + static_cast<unsigned char>(word.back());
  std::size_t middle = word.size() / 2;
  if (turn % 4 == 0 && word[middle] != word[middle - 1]) {
    std::swap(other[middle], other[middle - 1]);
  } else if (turn % 4 == 1) {
    other.erase(middle, 1);
  } else if (turn % 4 == 2) {
    other.insert(middle, 1, word[middle]);
  } else {
    auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    std::size_t at = 1;
    while (at < word.size() && !is_upper(word[at])) ++at;
    if (at < word.size()) {
      other[at] = static_cast<char>(word[at] + 32);
    } else {
      other += 's';
    }
  }
  return other;
}

// The same word with another first letter, as `true` for `True`.
std::string OtherCase(std::string_view word) {
  std::string other(word);
  char& c = other[0];
  if (c >= 'A' && c <= 'Z') {
    c = static_cast<char>(c + 32);
  } else if (c >= 'a' && c <= 'z') {
    c = static_cast<char>(c - 32);
  }
  return other;
}

bool IsWord(std::string_view text) {
  return text.size() >= 3 &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") ==
             std::string_view::npos;
}

// The name of the field that a node gives, or "".
std::string_view FieldOf(const Syntax& syntax, NodeId id) {
  while (true) {
    const Node& node = syntax.node(id);
    if (node.kind == NodeKind::kField) return node.text;
    if (node.kind == NodeKind::kTry || node.kind == NodeKind::kIterate) {
      id = node.a;
    } else if (node.kind == NodeKind::kBinary && node.op == Operator::kAlternative) {
      id = node.a;
    } else if (node.kind == NodeKind::kPipe) {
      id = syntax.list(node).back();
    } else {
      return {};
    }
  }
}

// Which field an expression is in, for what its faults are called.
bool EndsWith(std::string_view pointer, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view name) { return pointer.ends_with(name); });
}

class Maker {
 public:
  Maker(const Tree& document, Karta& karta) : document_(document), karta_(karta) {}

  std::vector<Mutant> Make() {
    Expressions();
    for (const Component& component : karta_.components) InComponent(component);
    Selectors();
    References();
    return std::move(mutants_);
  }

 private:
  // --- Making.

  Mutant New(std::string_view kind, std::string what) const {
    Mutant mutant;
    mutant.kind = kind;
    mutant.definition = karta_.name;
    mutant.what = std::move(what);
    mutant.document = document_;
    return mutant;
  }

  void Add(Mutant mutant, std::vector<std::string> places) {
    mutant.places = std::move(places);
    if (mutant.document == document_) return;
    mutants_.push_back(std::move(mutant));
  }

  // A text at each of these places becomes another one.
  void Replace(std::string_view kind, const std::vector<std::string>& places, const Tree& with,
               std::string what) {
    Mutant mutant = New(kind, std::move(what));
    for (const std::string& place : places) {
      Tree* at = mutant.document.Find(place);
      if (at == nullptr) return;
      *at = with;
    }
    Add(std::move(mutant), places);
  }

  // --- Expressions.

  struct Site {
    std::vector<std::string> places;
    std::string text;
  };

  // By their texts: what is written once, with an anchor, is changed once.
  std::vector<Site> Sites() {
    std::map<std::string, std::size_t> known;
    std::vector<Site> sites;
    auto add = [&](const Expression& expression) {
      if (!expression) return;
      auto [at, is_new] = known.try_emplace(expression.text(), sites.size());
      if (is_new) sites.push_back({{}, expression.text()});
      sites[at->second].places.push_back(expression.pointer());
    };
    definition::ForEachExpression(karta_, [&](Expression& expression) { add(expression); });
    for (const Component& component : karta_.components) {
      for (const Expression* extension :
           {&component.wanted, &component.active, &component.exists, &component.described,
            &component.owner_instance, &component.starts_after}) {
        add(*extension);
      }
    }
    for (const Expression* extension :
         {&karta_.status_reason, &karta_.status_message, &karta_.minimum}) {
      add(*extension);
    }
    return sites;
  }

  void Edit(std::string_view kind, const Site& site, std::size_t begin, std::size_t end,
            std::string_view with) {
    std::string text = site.text;
    std::string what = Cat(text.substr(begin, end - begin), " -> ", with);
    text.replace(begin, end - begin, with);
    Replace(kind, site.places, Tree::String(text), std::move(what));
  }

  void Expressions() {
    std::vector<Site> sites = Sites();
    std::vector<std::string> lists = ListsOf(sites);
    for (const Site& site : sites) {
      Result<Syntax> syntax = expr::Parse(site.text);
      if (!syntax) continue;
      Fields(site, *syntax);
      Constants(site, *syntax);
      Iterations(site, *syntax, lists);
      Defaults(site, *syntax, syntax->root(), kNoNode);
    }
  }

  static bool IsAboutPods(const Site& site) {
    return site.places[0].contains("/podSelector/") || site.places[0].contains("/gangScheduling/");
  }

  void Fields(const Site& site, const Syntax& syntax) {
    std::set<std::string_view> seen;
    expr::Visit(syntax, [&](const Node& node) {
      if (node.kind == NodeKind::kIndex && syntax.node(node.b).kind == NodeKind::kString &&
          IsAboutPods(site)) {
        const Node& key = syntax.node(node.b);
        std::string_view label = key.text;
        if (label.size() > 4 && seen.insert(label).second) {
          std::string other = Misspelt(label);
          Edit("misspelt label", site, key.begin, key.end, Cat('"', other, '"'));
        }
      }
      if (node.kind != NodeKind::kField || node.text.size() < 4) return true;
      std::string_view source = syntax.source();
      if (source.substr(node.place, node.text.size()) != node.text) return true;
      if (!seen.insert(node.text).second) return true;
      std::size_t end = node.place + node.text.size();
      Edit("misspelt field", site, node.place, end, Misspelt(node.text));
      const Node& above = syntax.node(node.a);
      bool is_root = above.kind == NodeKind::kIdentity;
      if (is_root && node.text == "spec") Edit("spec or status", site, node.place, end, "status");
      if (is_root && node.text == "status") Edit("spec or status", site, node.place, end, "spec");
      // One level too few.
      if (above.kind == NodeKind::kField && above.place > 0 && source[above.place - 1] == '.' &&
          node.place > 0 && source[node.place - 1] == '.' && !IsAboutPods(site)) {
        Edit("wrong level", site, above.place - 1, node.place - 1, "");
      }
      return true;
    });
    if (EndsWith(site.places[0], {"/podTemplateSpecPath"}) && site.text.ends_with(".template")) {
      Edit("wrong level", site, site.text.size(), site.text.size(), ".spec");
    }
  }

  // Words that are compared with fields of the status, and what functions are called with.
  void Constants(const Site& site, const Syntax& syntax) {
    if (IsAboutPods(site)) return;
    std::set<std::string_view> seen;
    auto word = [&](std::string_view field, const Node& constant) {
      if (constant.kind != NodeKind::kString || !IsWord(constant.text)) return;
      if (!seen.insert(constant.text).second) return;
      std::string_view kind = field == "type"     ? "wrong condition type"
                              : field == "reason" ? "wrong reason"
                              : field == "status" ? "wrong condition status"
                                                  : "wrong enum";
      std::string other = field == "status" ? OtherCase(constant.text) : Misspelt(constant.text);
      Edit(kind, site, constant.begin, constant.end, Cat('"', other, '"'));
    };
    expr::Visit(syntax, [&](const Node& node) {
      if (node.kind != NodeKind::kBinary) return true;
      if (node.op != Operator::kEqual && node.op != Operator::kNotEqual) return true;
      std::string_view field = FieldOf(syntax, node.a);
      if (field.empty()) return true;
      word(field, syntax.node(node.b));
      return true;
    });
  }

  // Whether a node makes results of the whole expression, one for each item of a list.
  static NodeId FirstIteration(const Syntax& syntax, NodeId id) {
    while (true) {
      const Node& node = syntax.node(id);
      if (node.kind == NodeKind::kIterate) return id;
      if (node.kind == NodeKind::kPipe) {
        id = syntax.list(node).front();
      } else if (node.kind == NodeKind::kField || node.kind == NodeKind::kTry) {
        id = node.a;
      } else {
        return kNoNode;
      }
    }
  }

  // The lists and maps that expressions of the definition iterate over.
  static std::vector<std::string> ListsOf(const std::vector<Site>& sites) {
    std::set<std::string> lists;
    for (const Site& site : sites) {
      if (IsAboutPods(site)) continue;
      Result<Syntax> syntax = expr::Parse(site.text);
      if (!syntax) continue;
      expr::Visit(*syntax, [&](const Node& node) {
        if (node.kind != NodeKind::kIterate) return true;
        const Node& list = syntax->node(node.a);
        std::string text = site.text.substr(list.begin, list.end - list.begin);
        if (text.starts_with(".s") && text.find_first_of("[]() |\"") == std::string::npos) {
          lists.insert(std::move(text));
        }
        return true;
      });
    }
    return {lists.begin(), lists.end()};
  }

  static bool IsPerInstance(const Site& site) {
    return EndsWith(site.places[0],
                    {"/podTemplateSpecPath", "/podSpecPath", "/replicasPath", "/minReplicasPath",
                     "/maxReplicasPath", "/metadataPath", "/instanceIdPath", "/wanted"}) ||
           site.places[0].contains("/fragmentedPodSpecDefinition/");
  }

  void Iterations(const Site& site, const Syntax& syntax, const std::vector<std::string>& lists) {
    expr::Visit(syntax, [&](const Node& node) {
      // Where what is iterated over may be absent that is an error then.
      if (node.kind != NodeKind::kTry || !node.is_step || node.b != kNoNode) return true;
      if (syntax.node(node.a).kind != NodeKind::kIterate) return true;
      if (IsAboutPods(site)) return true;
      Edit("missing ?", site, node.end - 1, node.end, "");
      mutants_.back().absent_field = FieldOf(syntax, node.a);
      return true;
    });
    if (!IsPerInstance(site)) return;
    NodeId first = FirstIteration(syntax, syntax.root());
    if (first == kNoNode) return;
    const Node& node = syntax.node(first);
    Edit("wrong index", site, node.place, node.end, "[0]");
    const Node& list = syntax.node(node.a);
    std::string own = site.text.substr(list.begin, list.end - list.begin);
    for (const std::string& other : lists) {
      if (other == own) continue;
      Edit("count of another list", site, list.begin, list.end, other);
      AddPartners();
      break;
    }
  }

  // Ids that do not go with the other values: which of both is wrong nobody can tell.
  void AddPartners() {
    std::vector<std::string>& places = mutants_.back().places;
    for (const Component& component : karta_.components) {
      if (std::ranges::find(places, component.instance_id_path.pointer()) == places.end()) continue;
      if (component.spec) places.push_back(Cat(component.pointer, "/specDefinition"));
      if (component.scale) places.push_back(Cat(component.pointer, "/scaleDefinition"));
    }
  }

  static bool IsConstant(const Node& node) {
    return node.kind == NodeKind::kNumber || node.kind == NodeKind::kString ||
           node.kind == NodeKind::kTrue || node.kind == NodeKind::kFalse;
  }

  // Defaults without which something else comes out: a count that is unknown, arithmetic on null, a
  // comparison with the very default, a function that refuses null.
  void Defaults(const Site& site, const Syntax& syntax, NodeId id, NodeId above) {
    const Node& node = syntax.node(id);
    if (node.kind == NodeKind::kBinary && node.op == Operator::kAlternative) {
      const Node& left = syntax.node(node.a);
      const Node& right = syntax.node(node.b);
      bool is_plain = left.kind == NodeKind::kField && !IsAboutPods(site);
      if (is_plain && Matters(site, syntax, id, above, right)) {
        Edit("missing default", site, left.end, node.end, "");
        // From the root of the object, or some field of that name.
        bool is_rooted = above == kNoNode;
        mutants_.back().absent_field = is_rooted
                                           ? site.text.substr(left.begin, left.end - left.begin)
                                           : std::string(left.text);
      }
    }
    expr::ForEachChild(syntax, node, [&](NodeId child) { Defaults(site, syntax, child, id); });
  }

  static bool Matters(const Site& site, const Syntax& syntax, NodeId id, NodeId above,
                      const Node& value) {
    bool is_result = above == kNoNode;
    if (above != kNoNode) {
      const Node& user = syntax.node(above);
      if (user.kind == NodeKind::kIterate) return true;
      if (user.kind == NodeKind::kPipe) {
        std::span<const NodeId> stages = syntax.list(user);
        is_result = above == syntax.root() && stages.back() == id;
        const auto* stage = std::ranges::find(stages, id).base();
        if (!is_result && stage + 1 != stages.data() + stages.size()) {
          const Node& next = syntax.node(stage[1]);
          static constexpr std::array<std::string_view, 6> kRefusing = {
              "split", "tonumber", "keys", "to_entries", "test", "startswith"};
          return next.kind == NodeKind::kCall &&
                 std::ranges::find(kRefusing, next.text) != kRefusing.end();
        }
      }
      if (user.kind == NodeKind::kBinary && IsConstant(value)) {
        const Node& other = syntax.node(user.a == id ? user.b : user.a);
        bool compares = user.op == Operator::kEqual || user.op == Operator::kNotEqual;
        if (compares) return other.kind == value.kind && other.text == value.text;
        if (user.op == Operator::kAdd) return value.kind == NodeKind::kNumber && value.text != "0";
        return user.op == Operator::kSubtract || user.op == Operator::kMultiply ||
               user.op == Operator::kDivide;
      }
    }
    return is_result && EndsWith(site.places[0], {"/replicasPath", "/wanted"});
  }

  // --- Parts.

  void InComponent(const Component& component) {
    const std::string& at = component.pointer;
    if (component.scale) {
      const Expression& minimum = component.scale->min_replicas;
      const Expression& maximum = component.scale->max_replicas;
      if (minimum && maximum && minimum.text() != maximum.text()) {
        Mutant mutant = New("swapped bounds", Cat(component.name, ": ", minimum.text()));
        *mutant.document.Find(minimum.pointer()) = Tree::String(maximum.text());
        *mutant.document.Find(maximum.pointer()) = Tree::String(minimum.text());
        Add(std::move(mutant), {minimum.pointer(), maximum.pointer()});
      }
      const Expression& replicas = component.scale->replicas;
      if (!replicas.text().empty() && IsDigits(replicas.text())) {
        Replace("number or boolean as text", {replicas.pointer()}, Tree::Scalar(replicas.text()),
                replicas.text());
      }
    }
    if (component.has_instances()) {
      Mutant mutant = New("selector without ids", component.name);
      mutant.document.Find(at)->Remove("instanceIdPath");
      Add(std::move(mutant), {at});
    }
    if (component.spec) Templates(component);
    if (component.suspend) Actions(component);
    if (component.status) Statuses(component);
    Keys(at);
  }

  static bool IsDigits(std::string_view text) {
    return text.find_first_not_of("0123456789") == std::string_view::npos;
  }

  // The names of the format's own fields.
  void Keys(const std::string& at) {
    Tree original = document_;
    Tree* part = original.Find(at);
    for (const auto& [name, member] : part->members) {
      if (name.size() < 6) continue;
      Mutant mutant = New("unknown key", Cat(name, " of ", at));
      mutant.document.Find(at)->Rename(name, Misspelt(name));
      Add(std::move(mutant), {at});
      for (const auto& [inner, value] : member.members) {
        if (inner.size() < 6) continue;
        Mutant below = New("unknown key", Cat(inner, " of ", at, '/', name));
        below.document.Find(Cat(at, '/', name))->Rename(inner, Misspelt(inner));
        Add(std::move(below), {Cat(at, '/', name)});
      }
    }
  }

  void Templates(const Component& component) {
    for (const Expression* path : {&component.spec->pod_template, &component.spec->pod_spec}) {
      if (!*path || path->text() == "null" || path->text().contains('{')) continue;
      std::string_view made =
          path == &component.spec->pod_template ? "{metadata, spec}" : "{containers, nodeSelector}";
      Replace("non-assignable path", {path->pointer()},
              Tree::String(Cat(path->text(), " | ", made)), Cat(path->text(), " | ", made));
    }
  }

  void Actions(const Component& component) {
    const definition::SuspendDefinition& suspend = *component.suspend;
    struct {
      const std::vector<definition::SuspendAction>& actions;
      std::string_view list;
    } const lists[] = {{suspend.suspend_actions, "suspendActions"},
                       {suspend.resume_actions, "resumeActions"}};
    for (const auto& list : lists) {
      for (std::size_t i = 0; i < list.actions.size(); ++i) {
        const definition::SuspendAction& action = list.actions[i];
        std::string value =
            Cat(component.pointer, "/suspendDefinition/", list.list, '/', i, "/value");
        std::string path = action.path.pointer();
        if (action.value == "true" || action.value == "false") {
          Replace("number or boolean as text", {value}, Tree::Scalar(action.value), action.value);
          Replace("wrong type of a value", {value, path}, Tree::String(Cat('"', action.value, '"')),
                  action.value);
          SameValue(component, action.value == "true" ? "false" : "true", value);
        }
        Replace("wrong type of a value", {value, path}, Tree::String("paused"), action.value);
        Replace("non-assignable path", {path}, Tree::String(Cat(action.path.text(), " | not")),
                Cat(action.path.text(), " | not"));
        Replace("non-assignable path", {path}, Tree::String(Cat('[', action.path.text(), ']')),
                Cat('[', action.path.text(), ']'));
      }
    }
  }

  // Suspending and resuming write the same.
  void SameValue(const Component& component, std::string_view other, const std::string& place) {
    std::string actions = Cat(component.pointer, "/suspendDefinition");
    Mutant mutant = New("same action twice", Cat(component.name, ' ', other));
    *mutant.document.Find(place) = Tree::String(other);
    Add(std::move(mutant), {actions});
  }

  void Statuses(const Component& component) {
    const definition::StatusDefinition& status = *component.status;
    std::string mappings = Cat(component.pointer, "/statusDefinition/statusMappings");
    for (std::size_t i = 0; i < definition::kStatusCount; ++i) {
      std::string_view key = definition::StatusKey(static_cast<Status>(i));
      for (std::size_t j = 0; j < status.mappings[i].size(); ++j) {
        InMatcher(status.mappings[i][j], Cat(mappings, '/', key, '/', j));
      }
    }
    Overlaps(status, mappings);
  }

  void InMatcher(const Matcher& matcher, const std::string& at) {
    if (!matcher.by_phase.empty()) {
      std::string place = Cat(at, "/byPhase");
      Replace("wrong enum", {place}, Tree::String(Misspelt(matcher.by_phase)), matcher.by_phase);
      Replace("wrong enum", {place}, Tree::String(OtherCase(matcher.by_phase)), matcher.by_phase);
    }
    for (std::size_t i = 0; i < matcher.by_conditions.size(); ++i) {
      const definition::ExpectedCondition& condition = matcher.by_conditions[i];
      std::string place = Cat(at, "/byConditions/", i);
      Replace("wrong condition type", {Cat(place, "/type")}, Tree::String(Misspelt(condition.type)),
              condition.type);
      if (!condition.reason.empty()) {
        Replace("wrong reason", {Cat(place, "/reason")}, Tree::String(Misspelt(condition.reason)),
                condition.reason);
      }
      if (condition.status.empty()) continue;
      Replace("wrong condition status", {Cat(place, "/status")},
              Tree::String(OtherCase(condition.status)), condition.status);
      Replace("number or boolean as text", {Cat(place, "/status")},
              Tree::Scalar(ToLower(condition.status)), condition.status);
    }
    if (!matcher.by_expression) return;
    std::string place = Cat(at, "/byExpression/expectedResult");
    const std::string& result = matcher.by_expression->result;
    if (result == "true" || result == "false") {
      Replace("number or boolean as text", {place}, Tree::Scalar(result), result);
      Replace("wrong result", {place}, Tree::String(OtherCase(result)), result);
    } else if (IsWord(result)) {
      Replace("wrong result", {place}, Tree::String(Misspelt(result)), result);
    }
  }

  // A matcher of one status stands in another that excludes it, too.
  void Overlaps(const definition::StatusDefinition& status, const std::string& mappings) {
    constexpr std::array kAlone = {Status::kRunning, Status::kFailed, Status::kCompleted,
                                   Status::kSuspended};
    for (Status from : kAlone) {
      for (Status to : kAlone) {
        const std::vector<Matcher>& matchers = status.matchers(from);
        if (from == to || matchers.empty() || status.matchers(to).empty()) continue;
        std::string source = Cat(mappings, '/', definition::StatusKey(from), "/0");
        std::string target = Cat(mappings, '/', definition::StatusKey(to));
        Mutant mutant = New("phase overlap",
                            Cat(definition::StatusKey(from), " in ", definition::StatusKey(to)));
        Tree matcher = *mutant.document.Find(source);
        mutant.document.Find(target)->items.push_back(std::move(matcher));
        Add(std::move(mutant), {source, target});
      }
    }
  }

  // --- Across components.

  void Selectors() {
    std::vector<std::size_t> bearing = karta_.PodBearing();
    for (std::size_t i : bearing) {
      for (std::size_t j : bearing) {
        const Component& one = karta_.components[i];
        const Component& other = karta_.components[j];
        if (i == j || one.type_selector() == nullptr || other.type_selector() == nullptr) continue;
        std::string place = Cat(one.pointer, "/podSelector/componentTypeSelector");
        std::string source = Cat(other.pointer, "/podSelector/componentTypeSelector");
        Mutant mutant = New("selector of a sibling", Cat(other.name, " for ", one.name));
        Tree selector = *mutant.document.Find(source);
        *mutant.document.Find(place) = std::move(selector);
        Add(std::move(mutant), {place, source});
      }
    }
  }

  void References() {
    for (const Component& component : karta_.components) {
      if (!component.owner_ref) continue;
      std::string place = Cat(component.pointer, "/ownerRef");
      Replace("wrong reference", {place}, Tree::String(Misspelt(*component.owner_ref)),
              *component.owner_ref);
    }
    if (!karta_.gang) return;
    constexpr std::string_view kGang = "/spec/optimizationInstructions/gangScheduling";
    for (std::size_t i = 0; i < karta_.gang->pod_groups.size(); ++i) {
      for (std::size_t j = 0; j < karta_.gang->pod_groups[i].members.size(); ++j) {
        const std::string& name = karta_.gang->pod_groups[i].members[j].component;
        Replace("wrong reference", {Cat(kGang, "/podGroups/", i, "/members/", j, "/componentName")},
                Tree::String(Misspelt(name)), name);
      }
    }
    if (!karta_.gang->pod_group) return;
    for (std::size_t i = 0; i < karta_.gang->pod_group->sub_groups.size(); ++i) {
      const std::string& name = karta_.gang->pod_group->sub_groups[i].component;
      Replace("wrong reference", {Cat(kGang, "/podGroup/subGroups/", i, "/componentName")},
              Tree::String(Misspelt(name)), name);
    }
  }

  const Tree& document_;
  Karta& karta_;
  std::vector<Mutant> mutants_;
};

}  // namespace

std::vector<Mutant> MutantsOf(const Tree& document, Karta& karta) {
  return Maker(document, karta).Make();
}

}  // namespace wmap::mutants
