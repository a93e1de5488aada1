// The referee's operations on values: arithmetic, parts, paths. Each gives a value or, as the
// error, the value that `error` would raise.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "base/arena.h"
#include "expr/syntax/ast.h"
#include "json/value.h"

namespace wmap::referee {

using json::Value;
using Computed = std::expected<Value, Value>;

// Begins every message of the referee: what errors say is not its business, so results that show
// one cannot be compared.
inline constexpr std::string_view kMessageMark = "\u2603";

class Values {
 public:
  explicit Values(Arena& arena) : arena_(arena) {}

  Value Text(std::string_view text) { return json::MakeString(arena_, text); }
  Value Array(const std::vector<Value>& items) { return json::MakeArray(arena_, items); }
  Value Pair(std::string_view key, const Value& value);
  Value Message(std::string_view text) { return Text(std::string(kMessageMark).append(text)); }
  std::unexpected<Value> Fail(std::string_view text) { return std::unexpected(Message(text)); }

  Computed Arithmetic(expr::Operator op, const Value& left, const Value& right);
  static bool Compared(expr::Operator op, const Value& left, const Value& right);

  // target[key], where a slice is the key {start, end}.
  Computed Get(const Value& target, const Value& key);
  Value SliceKey(const Value& start, const Value& end);
  Computed Children(const Value& target);  // an array of [key, value]

  Computed Set(const Value& target, std::vector<Value> path, const Value& value);
  Computed GetPath(const Value& target, const std::vector<Value>& path);
  Computed DeletePaths(const Value& target, std::vector<Value> paths);

  Computed ToNumber(const Value& value);
  std::string ToText(const Value& value);
  bool Contains(const Value& left, const Value& right);
  Computed Indices(const Value& target, const Value& part);

 private:
  struct Range {
    std::size_t from, to;
  };
  std::expected<Range, Value> SliceOf(const Value& key, std::size_t size);
  Computed Merge(const Value& left, const Value& right);
  Computed SetPart(const Value& target, const Value& key, const Value& value);
  Computed Delete(const Value& target, std::vector<Value> path);
  Computed DeleteItems(const Value& array, const std::vector<Value>& paths);
  Value WithMember(const Value& object, std::string_view key, const Value* value);

  Arena& arena_;
};

}  // namespace wmap::referee
