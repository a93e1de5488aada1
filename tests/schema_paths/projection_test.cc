// The paths that are found of an expression are all that it goes to: on recorded objects, cut down
// to the paths, it gives what it gives on the whole objects.

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/text.h"
#include "definition/expressions.h"
#include "definition/karta.h"
#include "definition/registry.h"
#include "expr/document_paths.h"
#include "expr/evaluate.h"
#include "json/value.h"
#include "json/writer.h"
#include "tests/schema_paths/definition_paths.h"
#include "tests/support/reading.h"
#include "tests/support/shared_data.h"

namespace wmap::schema_paths {
namespace {

using expr::PathStep;
using json::Value;

// The paths of one expression as a tree. A leaf stands for all that is below it.
struct PathTree {
  std::map<std::string, PathTree> keys;
  std::unique_ptr<PathTree> any;
  bool is_leaf = false;

  void Add(const expr::DocumentPath& path) {
    PathTree* at = this;
    for (const PathStep& step : path) {
      if (step.kind == PathStep::Kind::kBelow) break;
      if (step.kind == PathStep::Kind::kKey) {
        at = &at->keys[step.key];
      } else {
        if (at->any == nullptr) at->any = std::make_unique<PathTree>();
        at = at->any.get();
      }
    }
    at->is_leaf = true;
  }
};

// `value` with only what is on the paths of `trees`, or below their ends. Depth: that of the paths.
Value Cut(const Value& value, const std::vector<const PathTree*>& trees, Arena& arena) {
  for (const PathTree* tree : trees) {
    if (tree->is_leaf) return value;
  }
  auto next = [&](const std::string* key) {
    std::vector<const PathTree*> inner;
    for (const PathTree* tree : trees) {
      if (tree->any != nullptr) inner.push_back(tree->any.get());
      if (key == nullptr) continue;
      auto at = tree->keys.find(*key);
      if (at != tree->keys.end()) inner.push_back(&at->second);
    }
    return inner;
  };
  if (value.is_object()) {
    json::ObjectBuilder builder;
    for (const json::Member& member : value.members()) {
      std::string key(member.key);
      std::vector<const PathTree*> inner = next(&key);
      if (!inner.empty()) builder.Add(member.key, Cut(member.value, inner, arena));
    }
    return builder.Finish(arena);
  }
  if (value.is_array()) {
    std::vector<const PathTree*> inner = next(nullptr);
    std::vector<Value> items;
    for (const Value& item : value.items()) {
      items.push_back(inner.empty() ? item : Cut(item, inner, arena));
    }
    return json::MakeArray(arena, items);
  }
  return value;
}

std::string ResultsOf(const expr::Program& program, const Value& input, Arena& arena) {
  expr::Evaluator evaluator(arena);
  auto results = evaluator.All(program, input);
  if (!results) return "an error";
  std::vector<std::string> texts;
  for (const Value& result : *results) texts.push_back(json::ToJson(result));
  return Join(texts, "\n");
}

class Expressions {
 public:
  explicit Expressions(definition::Karta& karta) {
    std::set<std::string> wanted = PathsOf(karta).pointers;
    definition::ForEachExpression(karta, [&](definition::Expression& expression) {
      if (wanted.contains(expression.pointer())) Add(expression);
    });
    for (definition::Component& component : karta.components) {
      for (const definition::Expression* expression :
           {&component.wanted, &component.active, &component.exists, &component.described,
            &component.owner_instance, &component.starts_after, &component.starts_by_index,
            &component.created_later, &component.wraps}) {
        Add(*expression);
      }
    }
    for (const definition::Expression* expression :
         {&karta.status_reason, &karta.status_message, &karta.status_holds, &karta.minimum}) {
      Add(*expression);
    }
  }

  // The number of expressions that were compared.
  int Compare(const Value& object, const std::string& place) const {
    for (const auto& [program, tree] : known_) {
      Arena arena;
      std::string whole = ResultsOf(*program, object, arena);
      EXPECT_EQ(ResultsOf(*program, Cut(object, {tree.get()}, arena), arena), whole)
          << place << "\n"
          << program->source();
    }
    return static_cast<int>(known_.size());
  }

 private:
  void Add(const definition::Expression& expression) {
    if (!expression || known_.contains(expression.program())) return;
    auto tree = std::make_unique<PathTree>();
    for (const expr::DocumentPath& path : expr::FindDocumentPaths(*expression.program())) {
      tree->Add(path);
    }
    // What is given is wanted as a whole, also where the expression itself goes further.
    for (const expr::DocumentPath& path : expr::FindResultPaths(*expression.program())) {
      tree->Add(path);
    }
    known_.emplace(expression.program(), std::move(tree));
  }

  std::map<const expr::Program*, std::unique_ptr<PathTree>> known_;
};

// The object as expressions see it that read other objects.
Value WithOthers(const Value& object, const Value& list, Arena& arena) {
  json::ObjectBuilder builder;
  for (const json::Member& member : object.members()) builder.Add(member.key, member.value);
  builder.Add(definition::kObjectsKey, list.Get("items"));
  return builder.Finish(arena);
}

TEST(DocumentPaths, AreAllThatExpressionsOfTheCatalogGoTo) {
  WMAP_REQUIRE_SHARED();
  std::map<std::string, std::unique_ptr<definition::Karta>> kartas;
  std::map<std::string, Expressions> expressions;
  for (const definition::CatalogEntry& entry : definition::CatalogEntries()) {
    std::unique_ptr<definition::Karta>& karta = kartas[std::string(entry.name)];
    karta = definition::Open(entry);
    expressions.try_emplace(Cat(karta->kind().api_version(), ' ', entry.kind), *karta);
  }
  int compared = 0;
  for (const std::string& file :
       testing::FilesBelowOrDie(Cat(testing::SharedDir(), "/data/lifecycles"), ".json")) {
    if (file.ends_with("/events.json")) continue;
    Arena arena;
    Value list = testing::YamlOrDie(testing::ReadFileOrDie(file), arena);
    for (const Value& object : list.Get("items").items()) {
      auto at = expressions.find(
          Cat(object.Get("apiVersion").text_or_empty(), ' ', object.Get("kind").text_or_empty()));
      if (at == expressions.end()) continue;
      compared += at->second.Compare(WithOthers(object, list, arena), file);
    }
  }
  EXPECT_GT(compared, 10'000);
}

}  // namespace
}  // namespace wmap::schema_paths
