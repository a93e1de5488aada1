// Objects that nobody meant: each call changes a value at a random place. What real objects may
// hold for want of a schema, by an older operator or by mistake, and what only malice would write:
// fields that are gone, null or of another type, numbers that are negative, huge or no int64, texts
// that are empty, long or no text, lists that are doubled or nested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "json/value.h"

namespace wmap::testing {

class Mutator {
 public:
  // The same seed gives the same changes. Results stand in `arena`, which also has to keep what is
  // handed in.
  Mutator(std::uint64_t seed, Arena& arena);

  // `object` with something changed below it; its members named in `kept` stay as they are. The
  // object itself stays an object.
  json::Value Change(const json::Value& object, std::span<const std::string_view> kept = {});

  std::size_t Below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
  bool Chance(std::size_t percent) { return Below(100) < percent; }

 private:
  // Nothing stands for a value that is dropped. Depth: that of the object.
  std::optional<json::Value> ChangeAt(const json::Value& value);
  json::Value ChangeBelow(const json::Value& value, std::span<const std::string_view> kept);
  std::optional<json::Value> Replace(const json::Value& value);
  json::Value OfAnotherType(const json::Value& value);
  json::Value Number(const json::Value& value);
  json::Value Text(const json::Value& value);
  json::Value List(const json::Value& value);
  json::Value Object(const json::Value& value);

  std::mt19937_64 random_;
  Arena& arena_;
};

}  // namespace wmap::testing
