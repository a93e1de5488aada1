// Value: an immutable JSON value, 16 bytes, copied freely.
//
// A Value is a view: null, booleans, integers and doubles stand in it; strings, arrays, objects and
// digit texts stand in memory that somebody else keeps, normally an Arena (sometimes the text that
// was read, see ReadOptions::borrow_text). A Value is valid as long as that memory is. Nothing is
// ever changed once a Value points to it, so values may be shared between threads.
//
// Numbers. An integer that fits int64 is exact. A number that was read in any other form keeps its
// digits (23-digit integers, 1.10, 1e1000, -0) beside the nearest double, so that what is only
// carried is written as it was read; arithmetic sees the double.
//
// Objects. Members are kept and iterated in ascending order of their keys (bytes of UTF-8), which
// is what the expression language promises; the order of the source is kept beside it for writers.
// Keys are unique. Strings are UTF-8 and length-counted: NUL is data.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/check.h"

namespace wmap::json {

// In the order in which the expression language sorts.
enum class Type : std::uint8_t { kNull, kFalse, kTrue, kNumber, kString, kArray, kObject };

// "null", "boolean", "number", "string", "array", "object".
std::string_view TypeName(Type type);

class Value;
struct Member;
Value MakeObject(Arena& arena, std::span<const Member> in_source_order,
                 std::string_view* repeated = nullptr);
Value DeepCopy(Arena& arena, const Value& value);

class Value {
 public:
  constexpr Value() : Value(Tag::kNull, 0, 0) {}
  static constexpr Value Null() { return {}; }
  static constexpr Value Bool(bool value) { return Value(value ? Tag::kTrue : Tag::kFalse, 0, 0); }
  static constexpr Value Int(std::int64_t value) {
    return Value(Tag::kInt, 0, static_cast<std::uint64_t>(value));
  }
  static constexpr Value Double(double value) {
    return Value(Tag::kDouble, 0, std::bit_cast<std::uint64_t>(value));
  }
  // Views `text`; the caller keeps the memory. At most 4 GiB.
  static Value String(std::string_view text) {
    return Value(Tag::kString, text.size(), Address(text.data()));
  }
  // A number with its text: `digits` is a JSON number, `value` the nearest double. Copies.
  static Value Digits(Arena& arena, std::string_view digits, double value);
  // Views `items`.
  static Value Array(std::span<const Value> items) {
    return Value(Tag::kArray, items.size(), Address(items.data()));
  }
  // Views `members`, which must be in ascending order of unique keys. For members in any order use
  // ObjectBuilder.
  static Value Object(std::span<const Member> sorted_members);

  Type type() const { return kTypes[static_cast<std::size_t>(tag())]; }
  bool is_null() const { return tag() == Tag::kNull; }
  bool is_bool() const { return tag() == Tag::kTrue || tag() == Tag::kFalse; }
  bool is_true() const { return tag() == Tag::kTrue; }
  bool is_number() const { return tag() >= Tag::kInt && tag() <= Tag::kDigits; }
  bool is_string() const { return tag() == Tag::kString; }
  bool is_array() const { return tag() == Tag::kArray; }
  bool is_object() const { return tag() == Tag::kObject; }
  // All but null and false.
  bool is_truthy() const { return tag() > Tag::kFalse; }

  // Numbers. An exact int64:
  bool is_int() const { return tag() == Tag::kInt; }
  std::int64_t as_int() const { return static_cast<std::int64_t>(payload_); }  // requires is_int()
  // Any number as the nearest double. Requires is_number().
  double as_double() const;
  // The digits that a number was read with, or "" when it is an int or was computed.
  std::string_view digits() const;

  // Requires is_string().
  std::string_view as_string() const { return {At<char>(), size()}; }
  // Items, members, or bytes of a string.
  std::size_t size() const { return head_ >> 32; }

  // Requires is_array().
  std::span<const Value> items() const { return {At<Value>(), size()}; }
  const Value& operator[](std::size_t i) const { return At<Value>()[i]; }

  // Requires is_object(). Ascending by key.
  inline std::span<const Member> members() const;
  // Member i in the order of the source. Requires is_object().
  const Member& member_in_source_order(std::size_t i) const;
  // The value of `key`, or nullptr when there is none or this is no object.
  const Value* Find(std::string_view key) const;
  // The value of `key`, or null. `Get("a").Get("b")` never fails.
  Value Get(std::string_view key) const {
    const Value* found = Find(key);
    return found == nullptr ? Value() : *found;
  }
  // The text of a string, or "" for anything else.
  std::string_view text_or_empty() const { return is_string() ? as_string() : std::string_view(); }

  static constexpr std::size_t kMaxSize = 0xFFFFFFFF;

 private:
  friend Value MakeObject(Arena&, std::span<const Member>, std::string_view*);
  friend Value DeepCopy(Arena&, const Value&);
  enum class Tag : std::uint8_t {
    kNull,
    kFalse,
    kTrue,
    kInt,
    kDouble,
    kDigits,
    kString,
    kArray,
    kObject
  };
  static constexpr Type kTypes[] = {Type::kNull,   Type::kFalse,  Type::kTrue,
                                    Type::kNumber, Type::kNumber, Type::kNumber,
                                    Type::kString, Type::kArray,  Type::kObject};
  // An object behind whose members a uint32 table of their source order stands.
  static constexpr std::uint64_t kReordered = 0x100;

  constexpr Value(Tag tag, std::size_t size, std::uint64_t payload)
      : head_(std::uint64_t{size} << 32 | static_cast<std::uint8_t>(tag)), payload_(payload) {
    WMAP_CHECK(size <= kMaxSize);
  }
  constexpr Tag tag() const { return static_cast<Tag>(head_ & 0xFF); }
  bool reordered() const { return (head_ & kReordered) != 0; }
  static std::uint64_t Address(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }
  template <typename T>
  const T* At() const {
    return reinterpret_cast<const T*>(static_cast<std::uintptr_t>(payload_));
  }

  // Two whole words, because a value that is written field by field and copied right after stalls
  // the processor: that was half of the time of reading.
  std::uint64_t head_;     // tag, flag, and the size in the upper half
  std::uint64_t payload_;  // an int64, a double, or an address
};
static_assert(sizeof(Value) == 16);

struct Member {
  std::string_view key;
  Value value;
};

inline std::span<const Member> Value::members() const { return {At<Member>(), size()}; }

// Builds an object from members in source order. The builder is reusable: Finish() empties it.
class ObjectBuilder {
 public:
  // Views `key`; a repeated key replaces the earlier value and keeps its place.
  void Add(std::string_view key, Value value) { members_.push_back({key, value}); }
  std::size_t size() const { return members_.size(); }
  // Sorts, drops repeated keys, copies the members into `arena`. `repeated`, when given, receives
  // the first repeated key or stays as it is.
  Value Finish(Arena& arena, std::string_view* repeated = nullptr);

 private:
  std::vector<Member> members_;
};

// Builds the object of members in source order, as ObjectBuilder does, from members that the caller
// keeps. Members that come in ascending order are copied, few members are sorted without
// allocating.
Value MakeObject(Arena& arena, std::span<const Member> in_source_order, std::string_view* repeated);

// Copies.
Value MakeString(Arena& arena, std::string_view text);
Value MakeArray(Arena& arena, std::span<const Value> items);
// A copy of `value` whose memory is all in `arena`, in the same source order. Works on values of
// any depth: it does not recurse.
Value DeepCopy(Arena& arena, const Value& value);

}  // namespace wmap::json
