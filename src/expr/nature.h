// What can be said of an expression without running it. For checks of definitions.
#pragma once

#include <cstdint>
#include <string>

#include "json/value.h"

namespace wmap::expr {

// A set of types that a value may have, as `type` names them.
class TypeSet {
 public:
  constexpr TypeSet() = default;
  static constexpr TypeSet Of(json::Type type) { return TypeSet(BitOf(type)); }
  static constexpr TypeSet Any() { return TypeSet(0x3F); }

  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool Has(json::Type type) const { return (bits_ & BitOf(type)) != 0; }
  constexpr TypeSet operator|(TypeSet other) const { return TypeSet(bits_ | other.bits_); }
  constexpr TypeSet operator&(TypeSet other) const { return TypeSet(bits_ & other.bits_); }
  constexpr TypeSet Without(json::Type type) const { return TypeSet(bits_ & ~BitOf(type)); }
  friend constexpr bool operator==(TypeSet, TypeSet) = default;

  // "null or string", "any", "none".
  std::string Describe() const;

 private:
  constexpr explicit TypeSet(unsigned bits) : bits_(static_cast<std::uint8_t>(bits)) {}
  // false and true are one type here.
  static constexpr unsigned BitOf(json::Type type) {
    switch (type) {
      case json::Type::kNull:
        return 1;
      case json::Type::kFalse:
      case json::Type::kTrue:
        return 2;
      case json::Type::kNumber:
        return 4;
      case json::Type::kString:
        return 8;
      case json::Type::kArray:
        return 16;
      case json::Type::kObject:
        return 32;
    }
    return 0;
  }

  std::uint8_t bits_ = 0;
};

struct Nature {
  // Whether `EXPRESSION = value` can work: its results are places in the input, or they are
  // computed.
  enum class Writable : std::uint8_t { kNever, kSometimes, kAlways };

  // The same input gives the same results, whenever and wherever.
  bool is_pure = true;
  // Of one that never gives a result: kAlways, since there is nothing that could not be written.
  Writable writable = Writable::kAlways;
  // Of its results. Conservative: a type that is missing cannot come.
  TypeSet types;
};

}  // namespace wmap::expr
