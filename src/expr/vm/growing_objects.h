// GrowingObjects: the states of loops that build an object key by key.
//
// An object is sorted, so that adding keys one by one costs a copy of what follows each. A loop
// whose state nobody sees before its end, `reduce E as $x ({}; .[$x.k] += 1)`, keeps it in a table
// instead.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "expr/vm/context.h"
#include "json/value.h"

namespace wmap::expr::vm {

class GrowingObjects {
 public:
  explicit GrowingObjects(Context& context) : context_(&context) {}

  // Forgets them all. Before each run.
  void Clear() { objects_.clear(); }
  // Begins an empty one and gives its number.
  std::size_t Begin();
  // The value at `key`, or null.
  json::Value Get(std::size_t object, std::string_view key) const;
  // Views `key`. False when the budget is used up.
  bool Set(std::size_t object, std::string_view key, const json::Value& value);
  // Makes it a value, its keys in the order in which they came, and forgets it.
  bool Finish(std::size_t object, json::Value* out);

 private:
  struct Growing {
    std::unordered_map<std::string_view, std::size_t> places;
    std::vector<json::Member> members;
  };
  // What an entry takes in both tables, at most.
  static constexpr std::size_t kEntryBytes = 128;

  Context* context_;
  std::vector<std::unique_ptr<Growing>> objects_;
};

}  // namespace wmap::expr::vm
