// Documents: what stands at each place of the documents that an expression is evaluated on: those
// of a kind, with the objects that Workload Map puts beside them.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "expr/document_paths.h"
#include "expr/typing.h"
#include "schema/built_ins.h"
#include "schema/schema.h"

namespace wmap::schema {

// Whether a path can be in a document.
struct Resolution {
  enum class Answer {
    kMissing,   // the API server would drop it, or refuse the object
    kOpen,      // the schema leaves it open: it can neither be confirmed nor denied
    kResolved,  // the schema has it
  };
  Answer answer = Answer::kMissing;
  // Of the path: the steps up to and including the first that is missing, or those behind which
  // everything is open. All of them when it is resolved.
  std::size_t steps = 0;
};

// Of one kind. Not thread-safe: it remembers what it was asked for.
class Documents final : public expr::DocumentTypes {
 public:
  // A document of any of these schemas; apiVersion, kind and metadata are those of every object.
  // `built_ins` outlives this.
  Documents(const BuiltIns& built_ins, std::vector<Schema> schemas);

  // The member `key` of the document, which no schema names, is a list of documents of these.
  // `kinds`: the only ones that they are of.
  void AddList(std::string key, std::vector<Schema> schemas, std::vector<std::string> kinds = {});

  Resolution Resolve(const expr::DocumentPath& path);
  // The names of the members that schemas name there, ascending.
  std::vector<std::string> NamesAt(const expr::DocumentPath& path);

  // Where a name stands, ascending; the first few of many. Not into what is deeper than six steps.
  std::vector<expr::DocumentPath> PathsOf(std::string_view name);
  // What may stand at a path: anything where nothing is known of it.
  expr::Kinds KindsAt(const expr::DocumentPath& path);
  // The only texts that may stand at a path; none: it may be any, or nothing is known.
  std::vector<std::string> TextsAt(const expr::DocumentPath& path);

  expr::Known Root() override;
  expr::Known Member(const expr::Known& of, std::string_view key) override;
  expr::Known Item(const expr::Known& of) override;

 private:
  // One thing that may stand at a place.
  struct Node {
    const Schema* schema = nullptr;
    json::Value value;  // resolved
    // The document itself, or one that is in it: it has what every object has.
    bool is_object = false;
    // In an array that keeps what its schema does not name: its items do so too.
    bool is_kept = false;
    bool is_condition_status = false;
  };
  struct List {
    std::vector<Schema> schemas;
    std::vector<std::string> kinds;
  };
  struct Place {
    std::vector<Node> nodes = {};
    // What is made here: the list of a member that AddList() was told of, and an item of it.
    const List* list = nullptr;
    const List* item_of = nullptr;
    std::vector<std::string> texts = {};
  };
  // What was found one step further.
  struct Found {
    std::vector<Node> nodes;
    bool is_open = false;
    bool may_be_absent = false;
  };

  Node NodeOf(const Schema& schema, const json::Value& value) const;
  Node ObjectOf(const Schema& schema) const;
  void AddMember(const Node& node, std::string_view key, Found& found) const;
  void AddItems(const Node& node, Found& found) const;
  Found Step(const expr::Known& of, const expr::PathStep& step) const;
  const List* ListAt(const expr::Known& of, const expr::PathStep& step) const;
  // What stands at a path; open where nothing is known of it.
  expr::Known KnownAt(const expr::DocumentPath& path);
  void Search(const expr::Known& at, std::string_view name, expr::DocumentPath& path,
              std::vector<expr::DocumentPath>& found);
  std::vector<std::string> NamesOf(const expr::Known& known) const;
  expr::Known Go(const expr::Known& of, const expr::PathStep& step);
  expr::Known Add(Place place, expr::Kinds kinds);
  expr::Known Describe(Found found);
  static expr::Kinds KindsOf(const Node& node);
  static bool IsOpen(const Node& node) { return node.is_kept || node.schema->IsOpen(node.value); }
  const Place& PlaceOf(const expr::Known& known) const { return places_[known.handle]; }

  Schema object_meta_;
  std::vector<Schema> schemas_;
  std::map<std::string, List, std::less<>> lists_;
  std::deque<Place> places_;
};

}  // namespace wmap::schema
