#include "definition/samples.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "expr/syntax/parser.h"
#include "expr/syntax/visit.h"
#include "json/writer.h"

namespace wmap::definition {
namespace {

using expr::DocumentPath;
using expr::Node;
using expr::NodeId;
using expr::NodeKind;
using expr::Operator;
using expr::PathStep;
using expr::Syntax;

// What one place may have at most, and one list.
constexpr std::size_t kMostValues = 12;
constexpr std::size_t kMostItems = 60;
// Fields of one item that are tried together.
constexpr std::size_t kMostLeaves = 4;

std::string Quoted(std::string_view text) {
  std::string json;
  json::WriteString(text, json);
  return json;
}

Sample Scalar(std::string json) {
  Sample sample;
  sample.kind = Sample::Kind::kScalar;
  sample.scalar = std::move(json);
  return sample;
}

// `sample` at the end of a path.
Sample At(const DocumentPath& path, std::size_t from, Sample sample) {
  for (std::size_t i = path.size(); i-- > from;) {
    Sample outer;
    if (path[i].kind == PathStep::Kind::kKey) {
      outer.members.emplace(path[i].key, std::move(sample));
    } else {
      outer.kind = Sample::Kind::kList;
      outer.items.push_back(std::move(sample));
    }
    sample = std::move(outer);
  }
  return sample;
}

// The constant that a node is, as JSON; "" when it is none.
std::string ConstantOf(const Node& node) {
  switch (node.kind) {
    case NodeKind::kString:
      return Quoted(node.text);
    case NodeKind::kNumber:
      return std::string(node.text);
    case NodeKind::kTrue:
      return "true";
    case NodeKind::kFalse:
      return "false";
    default:
      return {};
  }
}

// The name of the field that a node gives; "" when that is not known.
std::string_view FieldOf(const Syntax& syntax, NodeId id) {
  while (true) {
    const Node& node = syntax.node(id);
    switch (node.kind) {
      case NodeKind::kField:
        return node.text;
      case NodeKind::kIndex: {
        const Node& key = syntax.node(node.b);
        if (key.kind == NodeKind::kString) return key.text;
        id = node.a;
        break;
      }
      case NodeKind::kIterate:
      case NodeKind::kTry:
        id = node.a;
        break;
      case NodeKind::kPipe:
        id = syntax.list(node).back();
        break;
      case NodeKind::kBinary:
        if (node.op != Operator::kAlternative) return {};
        id = node.a;
        break;
      default:
        return {};
    }
  }
}

bool Compares(Operator op) { return op >= Operator::kEqual && op <= Operator::kGreaterEqual; }

}  // namespace

std::size_t Sample::size() const {
  std::size_t size = kind == Kind::kScalar ? 1 : 0;
  for (const auto& [name, member] : members) size += member.size();
  for (const Sample& item : items) size += item.size();
  return size;
}

std::size_t Sample::parts() const {
  std::size_t parts = kind == Kind::kScalar ? 1 : items.size();
  for (const auto& [name, member] : members) parts += member.parts();
  return parts;
}

std::string Sample::Json() const {
  if (kind == Kind::kScalar) return scalar;
  std::string json(1, kind == Kind::kObject ? '{' : '[');
  for (const auto& [name, member] : members) {
    CatTo(json, json.size() > 1 ? "," : "", Quoted(name), ':', member.Json());
  }
  for (const Sample& item : items) CatTo(json, json.size() > 1 ? "," : "", item.Json());
  json += kind == Kind::kObject ? '}' : ']';
  return json;
}

std::optional<Sample> Merge(const Sample& a, const Sample& b) {
  if (a == b) return a;
  if (a.kind != b.kind || a.kind == Sample::Kind::kScalar) return std::nullopt;
  Sample both = a;
  for (const auto& [name, member] : b.members) {
    auto [known, is_new] = both.members.try_emplace(name, member);
    if (is_new) continue;
    std::optional<Sample> merged = Merge(known->second, member);
    if (!merged) return std::nullopt;
    known->second = *std::move(merged);
  }
  auto type_of = [](const Sample& item) {
    auto type = item.members.find("type");
    return type == item.members.end() ? std::string() : type->second.Json();
  };
  for (const Sample& item : b.items) {
    std::string type = type_of(item);
    auto same = std::ranges::find_if(both.items, [&](const Sample& other) {
      return other == item || (!type.empty() && type_of(other) == type);
    });
    if (same == both.items.end()) {
      both.items.push_back(item);
      continue;
    }
    std::optional<Sample> merged = Merge(*same, item);
    if (!merged) return std::nullopt;
    *same = *std::move(merged);
  }
  return both;
}

void Samples::AddPath(const DocumentPath& path) {
  if (path.empty() || path.back().kind == PathStep::Kind::kBelow) return;
  if (path.front().kind != PathStep::Kind::kKey) return;
  auto list = std::ranges::find(path, PathStep::Kind::kAny, &PathStep::kind);
  DocumentPath place(path.begin(), list);
  std::set<DocumentPath>& leaves = places_[place];
  if (list != path.end()) leaves.insert(DocumentPath(list + 1, path.end()));
}

void Samples::Add(const Expression& expression) {
  if (expression.program() == nullptr) return;
  for (const DocumentPath& path : expr::FindDocumentPaths(*expression.program())) AddPath(path);
  Result<Syntax> syntax = expr::Parse(expression.text());
  if (!syntax) return;
  expr::Visit(*syntax, [&](const Node& node) {
    if (node.kind == NodeKind::kBinary && Compares(node.op)) {
      for (auto [constant, other] : {std::pair(node.a, node.b), std::pair(node.b, node.a)}) {
        std::string value = ConstantOf(syntax->node(constant));
        if (!value.empty()) constants_[std::string(FieldOf(*syntax, other))].insert(value);
      }
    } else if (node.kind == NodeKind::kCall) {
      for (NodeId argument : syntax->list(node)) {
        std::string value = ConstantOf(syntax->node(argument));
        if (!value.empty()) constants_[""].insert(value);
      }
    }
    return true;
  });
}

void Samples::AddResult(const Expression& expression, std::string_view text) {
  if (expression.program() == nullptr) return;
  for (const DocumentPath& path : expr::FindResultPaths(*expression.program())) {
    AddPath(path);
    if (!path.empty() && path.back().kind == PathStep::Kind::kKey) {
      constants_[path.back().key].insert(Quoted(text));
    }
  }
}

void Samples::AddItem(const Expression& list, const Sample& item) {
  if (list.program() == nullptr) return;
  for (DocumentPath path : expr::FindResultPaths(*list.program())) {
    if (path.empty() || std::ranges::any_of(path, [](const PathStep& step) {
          return step.kind != PathStep::Kind::kKey;
        })) {
      continue;
    }
    Choices& choices = given_[path];
    places_[path];
    path.push_back(PathStep::Any());
    Sample document = At(path, 0, item);
    if (std::ranges::find(choices, document) == choices.end()) {
      choices.push_back(std::move(document));
    }
  }
}

void Samples::AddValue(const std::vector<std::string>& path, std::string_view text) {
  DocumentPath place;
  for (const std::string& key : path) place.push_back(PathStep::Key(key));
  places_[place];
  Choices& choices = given_[place];
  Sample document = At(place, 0, Scalar(Quoted(text)));
  if (std::ranges::find(choices, document) == choices.end()) choices.push_back(document);
}

// Of a field of this name: what it is compared with, and where that is not known what values there
// are.
std::vector<std::string> Samples::ValuesOf(std::string_view name) const {
  std::set<std::string> values;
  auto add = [&](std::string_view field) {
    auto known = constants_.find(field);
    if (known == constants_.end()) return;
    for (const std::string& value : known->second) {
      values.insert(value);
      bool is_number = value.find_first_not_of("0123456789") == std::string::npos;
      if (is_number && value.size() < 9) {
        int number = 0;
        std::from_chars(value.data(), value.data() + value.size(), number);
        values.insert(Cat(number + 1));
        values.insert("0");
      }
      if (value == "true" || value == "false") values.insert({"true", "false"});
    }
  };
  add(name);
  add("");
  if (!constants_.contains(name)) values.insert({"true", "1", "\"x\""});
  std::vector<std::string> some(values.begin(), values.end());
  // Its own come first where there are too many.
  std::ranges::stable_partition(some, [&](const std::string& value) {
    auto known = constants_.find(name);
    return known != constants_.end() && known->second.contains(value);
  });
  if (some.size() > kMostValues) some.resize(kMostValues);
  return some;
}

Samples::Choices Samples::ChoicesOf(const DocumentPath& place,
                                    const std::set<DocumentPath>& leaves) const {
  Choices choices;
  if (auto given = given_.find(place); given != given_.end()) choices = given->second;
  auto add = [&](Sample sample) {
    if (std::ranges::find(choices, sample) == choices.end()) choices.push_back(std::move(sample));
  };
  if (leaves.empty()) {
    if (!choices.empty()) return choices;
    for (std::string& value : ValuesOf(place.back().key)) {
      add(At(place, 0, Scalar(std::move(value))));
    }
    return choices;
  }
  // Items of a list: with one field, with two of them, and so on.
  DocumentPath item_place = place;
  item_place.push_back(PathStep::Any());
  std::vector<Sample> items = {Sample()};
  std::size_t used = 0;
  for (const DocumentPath& leaf : leaves) {
    if (used++ == kMostLeaves) break;
    std::string_view name = leaf.empty() ? std::string_view(place.back().key) : leaf.back().key;
    std::size_t before = items.size();
    for (const std::string& value : ValuesOf(name)) {
      for (std::size_t i = 0; i < before && items.size() < kMostItems; ++i) {
        std::optional<Sample> item = Merge(items[i], At(leaf, 0, Scalar(value)));
        if (item) items.push_back(*std::move(item));
      }
    }
  }
  for (Sample& item : items) {
    if (item.size() > 0) add(At(item_place, 0, std::move(item)));
  }
  return choices;
}

std::vector<Samples::Choices> Samples::AllChoices() const {
  std::vector<Choices> all;
  for (auto at = places_.begin(); at != places_.end(); ++at) {
    // What is above another place is no value.
    auto next = std::next(at);
    bool is_above = next != places_.end() && next->first.size() > at->first.size() &&
                    std::equal(at->first.begin(), at->first.end(), next->first.begin());
    if (!is_above) all.push_back(ChoicesOf(at->first, at->second));
  }
  return all;
}

std::vector<Sample> Samples::Make(std::size_t limit) const {
  std::vector<Choices> all = AllChoices();
  struct Partial {
    Sample document;
    std::size_t next = 0;  // the first place that may still be chosen for
  };
  std::vector<Sample> made = {Sample()};
  std::vector<Partial> last = {{Sample(), 0}};
  while (!last.empty() && made.size() < limit) {
    std::vector<Partial> larger;
    for (const Partial& partial : last) {
      for (std::size_t i = partial.next; i < all.size(); ++i) {
        for (const Sample& choice : all[i]) {
          if (made.size() >= limit) return made;
          std::optional<Sample> document = Merge(partial.document, choice);
          if (!document) continue;
          made.push_back(*document);
          larger.push_back({*std::move(document), i + 1});
        }
      }
    }
    last = std::move(larger);
  }
  return made;
}

}  // namespace wmap::definition
